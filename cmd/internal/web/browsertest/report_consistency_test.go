package browsertest

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The section Evidence has the checks of -z consistency: of a demo with two messages in the wrong order, one fails.
func TestReportConsistency(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(sample("quake3/71-duel.dm_71"))
	if err != nil {
		t.Fatal(err)
	}
	const headSize = 8 // number and length of a message
	starts := []int{0}
	for at := 0; len(starts) <= 32; starts = append(starts, at) {
		at += headSize + int(binary.LittleEndian.Uint32(data[at+4:]))
	}
	first, second := data[starts[30]:starts[31]], data[starts[31]:starts[32]]
	swapped := slices.Concat(data[:starts[30]], second, first, data[starts[32]:])
	name := filepath.Join(t.TempDir(), "swapped.dm_71")
	if err := os.WriteFile(name, swapped, 0o600); err != nil {
		t.Fatal(err)
	}
	var want [][]string
	failed := false
	for line := range strings.Lines(output(t, name, "-q", "-z", "consistency", "--json")) {
		var row struct {
			Check           string
			Checked, Failed json.Number
			First           json.Number `json:"first_frame"`
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		failed = failed || row.Failed != "0"
		want = append(want, []string{row.Check, row.Checked.String(), row.Failed.String(), row.First.String()})
	}
	if !failed {
		t.Fatal("no check of the swapped demo fails")
	}
	b := openReport(t, desk, writeReport(t, name))
	const rows = `[...document.querySelectorAll("#evidence table")].filter(t => t.caption?.textContent.startsWith("Checks") ||
		t.closest(".table")?.textContent.startsWith("Checks")).flatMap(t => [...t.tBodies[0].rows])`
	b.until(rows + `.length > 0`)
	got := eval[[][]string](b, rows+`.map(r => [...r.cells].slice(0, 4).map(c => c.textContent.trim()))`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("checks (-command +page)\n%s", diff)
	}
}
