package all_test

import (
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
)

// Every field that is listed can be a column and an operand of a filter.
func TestListedFieldsAreNames(t *testing.T) {
	t.Parallel()
	names := filter.Records(all.Protocols())
	for _, info := range schema.ListFields(all.Protocols(), true) {
		if strings.HasPrefix(info.Path, "positions") || strings.HasPrefix(info.Path, "file_error") ||
			strings.HasPrefix(info.Path, "incomplete") {
			continue // only in JSON
		}
		if _, err := render.NewSelector([]string{info.Path}, all.Protocols(), render.FieldColumns()); err != nil {
			t.Error(err)
		}
		if _, err := names.Compile(info.Path); err != nil {
			t.Error(err)
		}
	}
}
