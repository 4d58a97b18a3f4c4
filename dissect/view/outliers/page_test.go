package outliers

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/extract"
)

const page = "../../../docs/input.md"

// block replaces, with -update, or compares the part of docs/input.md between two marks.
func block(t *testing.T, name, text string) {
	t.Helper()
	all, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- "+name+": made by a test -->\n", "<!-- end of "+name+" -->"
	before, rest, ok := strings.Cut(string(all), begin)
	have, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no part %q", page, name)
	}
	if *update {
		if err := os.WriteFile(page, []byte(before+begin+text+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if have != text {
		t.Errorf("%s: the part %q is out of date: make it again with -update", page, name)
	}
}

// TestPageSizes: docs/input.md shows the sizes and the middle of the classes that players are compared with.
func TestPageSizes(t *testing.T) {
	var b strings.Builder
	b.WriteString("| measure | kind | people | bots | clients |\n| --- | --- | --- | --- | --- |\n")
	for m := range measures {
		for _, kind := range []extract.InputKind{extract.InputCommand, extract.InputView, extract.InputSeen} {
			cells, any := make([]string, classes), false
			for class := range classes {
				var values []float32
				for _, o := range cohorts() {
					if o.Class == class.String() && o.Kind == kind.String() && o.Measure == Measures[m].Key {
						values = append(values, o.Values...)
					}
				}
				slices.Sort(values)
				if n := len(values); n > 0 {
					number := func(percent int) string {
						return strconv.FormatFloat(float64(values[max(0, (n*percent+99)/100-1)]), 'g', 4, 32)
					}
					cells[class] = fmt.Sprintf("%d: %s, %s, %s", n, number(5), number(50), number(95))
					any = true
				}
			}
			if any {
				fmt.Fprintf(&b, "| `%s` p%d | %s | %s |\n", Measures[m].Key, Measures[m].Percent, kind, strings.Join(cells, " | "))
			}
		}
	}
	block(t, "sizes", b.String())
}

// TestPageMeasures: docs/input.md describes each measure.
func TestPageMeasures(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for i := range Measures {
		d := &Measures[i]
		key := "| `" + d.Key + "`"
		if d.Unit != "" {
			key += " (" + d.Unit + ")"
		}
		if _, row, ok := strings.Cut(string(text), "\n"+key+" |"); !ok {
			t.Errorf("%s has no row %q", page, key)
		} else if row, _, _ = strings.Cut(row, "\n"); !strings.Contains(row, "| "+d.Side.String()+" |") {
			t.Errorf("%s: %s is unusual if %s", page, d.Key, d.Side)
		}
	}
}

// A player is compared with players of the same game and rate, else with more; never with too few.
func TestCompare(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		group  string
		rate   int
		value  float64
		n      int
		beyond float64
	}{
		{"quake3 73", 25, 0, 38, 0}, // high is unusual
		{"quake3 73", 25, 1e6, 38, 100},
		{"quake3 73", 26, 1e6, 38, 100}, // the same class of rates
	} {
		p := Player{Group: row.group, Kind: extract.InputSeen, Rate: row.rate}
		v := Values{Measure: &Measures[turnSpeed], Summary: row.value, Enough: true}
		c, ok := p.Compare(People, &v)
		if !ok || c.N != row.n || c.Beyond != row.beyond || c.With != "quake3 73, seen, 25 ms" {
			t.Errorf("%+v: %+v, %t", row, c, ok)
		}
	}
	p := Player{Group: "quake3 73", Kind: extract.InputCommand, Rate: 25}
	v := Values{Measure: &Measures[turnSpeed], Summary: 1, Enough: true}
	if c, ok := p.Compare(People, &v); ok {
		t.Errorf("there are no people with user commands, and %+v", c)
	}
	v.Enough = false
	p.Kind = extract.InputSeen
	if c, ok := p.Compare(People, &v); ok {
		t.Errorf("too few values, and %+v", c)
	}
}
