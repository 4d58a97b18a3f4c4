package report

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect/view"
)

// The page has the first shots whose rule is known, and says that there are more.
func TestShotsAreBounded(t *testing.T) {
	t.Parallel()
	table := view.Table{Columns: []view.Column{{Key: "frame"}, {Key: "rule"}}}
	for frame := range 2 * maxShots {
		table.Rows = append(table.Rows, []any{frame, nil}, []any{frame, "arrival"})
	}
	got := ruled(&table)
	if len(got.Rows) != maxShots || len(got.Notes) != 1 || len(table.Rows) != 4*maxShots || table.Notes != nil {
		t.Fatalf("%d rows, notes %q, of %d rows with notes %q", len(got.Rows), got.Notes, len(table.Rows), table.Notes)
	}
	for i, row := range got.Rows {
		if row[0] != i || row[1] != "arrival" {
			t.Fatalf("row %d is %v", i, row)
		}
	}
	table.Rows = table.Rows[:2]
	if got := ruled(&table); len(got.Rows) != 1 || got.Notes != nil {
		t.Errorf("%v with notes %q", got.Rows, got.Notes)
	}
}
