package teehistorian

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// Parts of a record that a copy with other names is made of.
var (
	Header = &headerField
	Chunks = &chunksField
)

// SizeKey is the key of the length that messages and extras have.
const SizeKey = "size"

// Personal returns what a field of a record identifies.
func Personal(f *dissect.Field) dissect.Personal {
	switch f {
	case &nameField:
		return dissect.PersonName
	case &connectionID, &saveID, gameUUID, prevGameUUID:
		return dissect.PersonGUID
	case serverName:
		return dissect.PersonUnknown
	}
	return dissect.NotPersonal
}

// The identifiers of map loads, and the server's name.
var gameUUID, prevGameUUID, serverName = headerRow("game_uuid"), headerRow("prev_game_uuid"), headerRow("server_name")

func headerRow(key string) *dissect.Field {
	for i := range headerRows {
		if headerRows[i].Key == key {
			return &headerRows[i]
		}
	}
	panic("teehistorian: a header has no " + key)
}

// harmless are texts about the server's program, the map and the time, and names that the program has.
var harmless = map[*dissect.Field]bool{
	headerRow("comment"): true, headerRow("server_version"): true, headerRow("start_time"): true,
	headerRow("prng_description"): true, headerRow("map_sha256"): true, headerRow("map_crc"): true,
	headerRow("game_type"): true, uuidsField.Children[0]: true, configField.Children[0].Children[0]: true,
	tuningField.Children[0].Children[0]: true, &uuidField: true, &magicField: true,
}

// Harmless reports whether a text says nothing about people.
func Harmless(f *dissect.Field) bool { return harmless[f] }

// Opaque reports whether a field has bytes that nothing describes.
func Opaque(f *dissect.Field) bool { return f == &dataField || f == &restField || f == &trailingField }

// IsCommand reports whether a field is the name of a command, and not an argument.
func IsCommand(f *dissect.Field) bool { return f == &commandField }

// IsArgument reports whether a field is an argument of a command.
func IsArgument(f *dissect.Field) bool { return f == &argumentField }

// IsSetting reports whether a field is the name of a setting, whose value follows.
func IsSetting(f *dissect.Field) bool { return f == configField.Children[0].Children[0] }

// ArgumentsOf returns what the arguments of a chunk's command identify.
func ArgumentsOf(t *dissect.Tree, chunk int) dissect.Personal {
	if t.Nodes[chunk].Field != &chunkTable[-chunkConsoleCommand].field {
		return dissect.NotPersonal
	}
	name := t.Child(chunk, &commandField)
	if name < 0 {
		return dissect.NotPersonal
	}
	return tables.ArgumentsOf(t.Bytes(&t.Nodes[name]))
}
