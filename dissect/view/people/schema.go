package people

import (
	"encoding/json"

	"github.com/q3dissect/q3dissect/dissect"
)

// Schema returns the JSON Schema of a Career, draft 2020-12, indented.
func Schema() []byte {
	o := objectSchema(Fields())
	o["$schema"], o["title"] = "https://json-schema.org/draft/2020-12/schema", "q3dissect players"
	o["description"] = "one line of q3dissect players --json: a person over all files"
	o["schema_version"] = 1
	o["required"] = []string{
		caID.Key, caIDKind.Key, caName.Key, caNames.Key, caFiles.Key, caMatches.Key, caWon.Key, caLost.Key, caKills.Key,
		caDeaths.Key, caSuicides.Key, caTeamKills.Key, caMinutes.Key,
	}
	o["properties"].(map[string]any)[caIDKind.Key].(map[string]any)["enum"] = []string{byGUID, byNameAddress, byName}
	b, err := json.MarshalIndent(o, "", "  ")
	if err != nil {
		panic(err) // made of strings
	}
	return append(b, '\n')
}

// objectSchema returns the schema of an object with members.
func objectSchema(members []*dissect.Field) map[string]any {
	properties := map[string]any{}
	for _, f := range members {
		properties[f.Key] = fieldSchema(f)
	}
	return map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
}

// fieldSchema returns the schema of a value.
func fieldSchema(f *dissect.Field) map[string]any {
	var s map[string]any
	switch f.Kind {
	case dissect.Object:
		s = objectSchema(f.Children)
	case dissect.List:
		s = map[string]any{"type": "array", "items": fieldSchema(f.Children[0])}
	case dissect.Int:
		s = map[string]any{"type": "integer"}
	case dissect.Float:
		s = map[string]any{"type": "number"}
	case dissect.Bool:
		s = map[string]any{"type": "boolean"}
	default:
		s = map[string]any{"type": "string"}
	}
	switch {
	case f.Unit != "":
		s["description"] = f.Doc + " (" + f.Unit + ")"
	case f.Doc != "":
		s["description"] = f.Doc
	}
	return s
}
