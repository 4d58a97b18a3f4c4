package listing

import (
	"encoding/json"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/view/catalogue"
)

// TestSchema: filters know the properties that the schema has.
func TestSchema(t *testing.T) {
	var schema struct {
		Properties map[string]any `json:"properties"`
	}
	if err := json.Unmarshal([]byte(Schema), &schema); err != nil {
		t.Fatal(err)
	}
	for _, f := range catalogue.Fields() {
		if schema.Properties[f.Key] == nil {
			t.Errorf("%s is a field, and not in the schema", f.Key)
		}
		delete(schema.Properties, f.Key)
	}
	for key := range schema.Properties {
		t.Errorf("%s is in the schema, and no field", key)
	}
}
