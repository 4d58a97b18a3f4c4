package truth_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/convert"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/view"
	"github.com/q3dissect/q3dissect/dissect/view/catalogue"
	"github.com/q3dissect/q3dissect/dissect/view/merge"
)

// An endedMatch is a match as a view of it names it.
type endedMatch struct {
	Match int    `json:"match"`
	Map   string `json:"map"`
	Start int    `json:"start_time"`
}

// TestMatchNumbers compares the numbers of the matches in what shows them: events, on one goroutine and on three,
// events of all streams together, the catalogue and the statistic. go test has the smaller files.
func TestMatchNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name            string
		folder          func(t *testing.T) string
		matches, shared int // at least
	}{
		{"samples", func(*testing.T) string { return filepath.Join(root, "samples") }, 10, 0},
		{"captures", func(t *testing.T) string { return reference.Folder(t, "captures") }, 50, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && c.name != "samples" {
				t.Skip("all captures, several times")
			}
			paths, err := open.Files([]string{c.folder(t)})
			if err != nil {
				t.Fatal(err)
			}
			numbered, shared := 0, 0
			for _, p := range paths {
				if len(reference.UpTo(t, 250_000, []string{p.Name})) == 0 {
					continue
				}
				if in, err := open.File(p.Name, open.Options{Protocols: all.Protocols()}); err == nil {
					in.Close()
					n, s := compareNumbers(t, p.Name)
					numbered, shared = numbered+n, shared+s
				}
			}
			if !reference.Long() {
				c.shared /= 5
			}
			if t.Logf("%d matches, of which %d are in several streams", numbered, shared); numbered < c.matches ||
				shared < c.shared {
				t.Errorf("fewer than %d matches, or than %d", c.matches, c.shared)
			}
		})
	}
}

// compareNumbers compares the views of one file, and counts its matches and those in several streams.
func compareNumbers(t *testing.T, name string) (numbered, shared int) {
	t.Helper()
	found := map[endedMatch]map[int]bool{} // streams of a match
	inEvents(t, name, 1, func(m endedMatch, stream int) {
		if found[m] == nil {
			found[m] = map[int]bool{}
		}
		found[m][stream] = true
	})
	spread := map[endedMatch]map[int]bool{}
	inEvents(t, name, 3, func(m endedMatch, stream int) {
		if spread[m] == nil {
			spread[m] = map[int]bool{}
		}
		spread[m][stream] = true
	})
	if diff := cmp.Diff(found, spread); diff != "" {
		t.Errorf("%s: matches in the events of one worker and of three:\n%s", name, diff)
	}
	var numbers []int
	for m, streams := range found {
		if numbers = append(numbers, m.Match); len(streams) > 1 {
			shared++
		}
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	for i, n := range numbers {
		if i != n {
			t.Errorf("%s: the numbers are %v", name, numbers)
			break
		}
	}
	merged, listed, counted := otherViews(t, name)
	for what, got := range map[string][]int{"put together": merged, "in the catalogue": listed} {
		if diff := cmp.Diff(numbers, got); diff != "" {
			t.Errorf("%s: matches in events, and %s:\n%s", name, what, diff)
		}
	}
	for _, n := range counted {
		if !slices.Contains(numbers, n) {
			t.Errorf("%s: the statistic has match %d of %v", name, n, numbers)
		}
	}
	return len(numbers), shared
}

// inEvents gives the matches that end in the events of a file.
func inEvents(t *testing.T, name string, workers int, to func(m endedMatch, stream int)) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out bytes.Buffer
	// Some files are cut. Keys are not recovered, since open.Records, which the other views read, recovers none.
	_, _ = convert.Run(f, convert.Outputs{Events: &out},
		convert.Options{Protocols: all.Protocols(), Name: name, Workers: workers, NoRecover: true})
	for line := range strings.Lines(out.String()) {
		var e struct {
			endedMatch
			Event  string
			Stream int
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.Event == "match_end" {
			to(e.endedMatch, e.Stream)
		}
	}
}

// otherViews returns the numbers of the matches that the other views of a file show, each once and in order.
func otherViews(t *testing.T, name string) (merged, listed, counted []int) {
	t.Helper()
	joined, matches := merge.NewMerge(), catalogue.New()
	kind, args, err := view.Find("match")
	if err != nil {
		t.Fatal(err)
	}
	statistic, err := kind.New(args, &view.Env{})
	if err != nil {
		t.Fatal(err)
	}
	joined.Render = func(rec *dissect.Record, event int) ([]byte, int) {
		return fmt.Append(nil, rec.Events.At(event).Get("match").Uint()), 0
	}
	joined.Show = func(dst []byte, h *merge.Happening) []byte {
		if h.Kind == "match_end" {
			var n int
			if err := json.Unmarshal(h.Text, &n); err != nil {
				t.Fatal(err)
			}
			merged = append(merged, n)
		}
		return dst
	}
	for rec, err := range open.Records(name, all.Protocols(), dissect.Options{Events: true, NoRecover: true}) {
		if err != nil {
			break // some files are cut
		}
		joined.Add(nil, rec)
		matches.Add(rec)
		statistic.Add(rec)
	}
	joined.Flush(nil)
	for _, l := range matches.Listings(catalogue.File{Name: name}) {
		if l.Match != nil {
			listed = append(listed, int(*l.Match))
		}
	}
	table := statistic.Tables()[0]
	number := slices.IndexFunc(table.Columns, func(c view.Column) bool { return c.Key == "match" })
	for _, row := range table.Rows {
		counted = append(counted, int(row[number].(int64)))
	}
	for _, list := range []*[]int{&merged, &listed, &counted} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return merged, listed, counted
}
