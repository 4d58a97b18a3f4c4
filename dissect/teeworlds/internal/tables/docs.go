package tables

import (
	_ "embed" // for what the fields mean

	"github.com/q3dissect/q3dissect/dissect/internal/fielddoc"
)

//go:embed docs/objects.txt
var objectFile string

//go:embed docs/fields.txt
var fieldFile string

// What messages and objects mean, and their fields.
var (
	objectDocs = fielddoc.Parse(objectFile)
	fieldDocs  = fielddoc.Parse(fieldFile)
)

// docOf returns the meaning of a field: in its object, or in every object.
func docOf(parent, key string) string {
	if parent == "" {
		return objectDocs[key]
	}
	var both [64]byte
	if doc := fieldDocs[string(append(append(append(both[:0], parent...), '.'), key...))]; doc != "" {
		return doc
	}
	return fieldDocs[key]
}
