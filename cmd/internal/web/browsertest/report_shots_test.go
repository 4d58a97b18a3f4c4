package browsertest

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"
)

// The card of a match has its shots whose rule is known, as -z shots has them; their times lead to the replay, to the
// state that shows the shot.
func TestReportShots(t *testing.T) {
	t.Parallel()
	file := sample("quake3/68-natrebind.pcap")
	var want [][]string
	for line := range strings.Lines(output(t, file, "-q", "-z", "shots", "--json")) {
		var row struct {
			Frame                              int
			Name, Weapon, Player, Result, Rule string
			Traced                             json.Number
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		if row.Rule != "" {
			want = append(want, []string{
				strconv.Itoa(row.Frame), row.Name, row.Weapon, row.Player, row.Traced.String(), row.Result,
			})
		}
	}
	if len(want) < 10 {
		t.Fatalf("%d shots of known rules in the sample", len(want))
	}
	b := openReport(t, desk, writeReport(t, file))
	const box = `[...document.querySelectorAll("#matches .table")].find(t => t.querySelector("table").textContent.includes("traced"))`
	b.until(box + ` !== undefined`)
	b.run(chromedp.Evaluate(`[...`+box+`.querySelectorAll("button")].find(b => b.textContent.startsWith("show all")).click()`, nil))
	const rows = `[...` + box + `.querySelector("tbody").rows]`
	b.until(fmt.Sprintf(`%s.length === %d`, rows, len(want)))
	got := eval[[][]string](b, `(heads => `+rows+`.map(r => ["frame", "shooter", "weapon", "nearest player", "traced", "result"].map(h =>
		r.cells[heads.indexOf(h)].textContent.trim())))([...`+box+`.querySelectorAll("thead button")].map(b => b.textContent.trim()))`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("shots (-command +page)\n%s", diff)
	}
	b.run(chromedp.Evaluate(rows+`[3].querySelector("a.second").click()`, nil))
	b.until(fmt.Sprintf(`document.querySelector("#replay [role=status]").textContent.includes("frame %s.")`, want[3][0]))
}
