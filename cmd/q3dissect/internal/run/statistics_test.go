package run

import (
	"testing"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/table"
	"github.com/q3dissect/q3dissect/dissect/view"
)

// Columns without a value are left out, numbers are aligned right, and nothing reaches a terminal that it obeys.
func TestStatisticAsText(t *testing.T) {
	t.Parallel()
	x := view.Table{
		Name: "x", Columns: []view.Column{
			{Key: "name", Type: "string"},
			{Key: "n", Type: "integer"},
			{Key: "none", Type: "number"},
		},
		Rows: [][]any{{"a\x1b\u202eb", int64(5), nil}, {"é", uint64(1234), nil}}, Notes: []string{"a note"},
	}
	want := "x\n  name             n\n  a\\x1b\\u202eb     5\n  é             1234\n  a note\n"
	if got := string(sheet(&x, false).AppendText(nil, table.Style{})); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := string(sheet(&view.Table{Name: "y"}, false).AppendText(nil, table.Style{})); got != "y\n  nothing\n" {
		t.Errorf("empty: %q", got)
	}
}
