package tables

import (
	"slices"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
)

// What the fields mean is said for every one, and nothing is said of fields that do not exist.
func TestDocs(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	var walk func(parent string, f *dissect.Field)
	walk = func(parent string, f *dissect.Field) {
		used[f.Key], used[parent+"."+f.Key] = true, true
		if f.Key != "" && f.Doc == "" {
			t.Errorf("%s.%s says nothing", parent, f.Key)
		}
		for _, c := range f.Children {
			walk(f.Key, c)
		}
	}
	for _, f := range slices.Concat(Messages().Fields, Objects().Fields) {
		walk("", f)
	}
	for _, docs := range []map[string]string{objectDocs, fieldDocs} {
		for key := range docs {
			if !used[key] {
				t.Errorf("%q is no field", key)
			}
		}
	}
}
