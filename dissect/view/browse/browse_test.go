package browse_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/convert"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/view/browse"
)

// samples are captures and recordings of every family.
func samples(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{
		"quake3/*.pcap", "quake3/*.dm_*", "teeworlds/*.pcap", "teeworlds/*.demo",
		"gamestudio/*.pcap",
	} {
		found, err := filepath.Glob("../../../samples/" + pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("no %s: %v", pattern, err)
		}
		files = append(files, found...)
	}
	return slices.DeleteFunc(files, func(name string) bool {
		return filepath.Base(name) == "68-icmp.pcap" // the viewer leaves out what ICMP errors quote: docs/json.md
	})
}

// begin opens files and waits until they are read.
func begin(t *testing.T, o browse.Options, names ...string) *browse.Session {
	t.Helper()
	o.Protocols = all.Protocols()
	var sources []browse.Source
	for _, name := range names {
		sources = append(sources, browse.File(name))
	}
	s, err := browse.Open(sources, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	s.Wait()
	return s
}

// Every row is the line of the list, and every record the line of --json, whatever the order in which they are asked
// for and wherever the index is kept.
func TestAnswersAreTheCommandsOutput(t *testing.T) {
	t.Parallel()
	for _, name := range reference.UpTo(t, 30_000, samples(t)) {
		t.Run(filepath.Base(name), func(t *testing.T) { // one at a time: each keeps an index in memory
			file, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			var list, records bytes.Buffer
			if _, err := convert.Run(file, convert.Outputs{List: &list, Records: &records},
				convert.Options{Protocols: all.Protocols(), Name: name}); err != nil {
				t.Fatal(err)
			}
			if list.Len() == 0 {
				return // a hex dump without headers, which needs -d
			}
			lines, want := strings.SplitAfter(strings.TrimSuffix(list.String(), "\n"),
				"\n"), bytes.SplitAfter(bytes.TrimSuffix(records.Bytes(), []byte("\n")), []byte("\n"))
			for _, o := range []browse.Options{{Workers: 2, Folder: t.TempDir()}, {InMemory: true}} {
				s := begin(t, o, name)
				page, err := s.Rows(0, 2000, "")
				if err != nil {
					t.Fatal(err)
				}
				if page.Many != len(lines) || !page.Done {
					t.Fatalf("%d rows, done %v, the list has %d", page.Many, page.Done, len(lines))
				}
				for i, row := range page.Rows {
					if got, want := strings.Fields(lineOf(row)), strings.Fields(lines[i]); !cmp.Equal(got, want) {
						t.Fatalf("row %d (-want +got):\n%s", i, cmp.Diff(want, got))
					}
				}
				for i := range page.Rows {
					at := i
					if o.InMemory {
						at = len(page.Rows) - 1 - i // backwards
					}
					if at >= len(want) {
						continue
					}
					got, err := s.JSON(at)
					if err != nil {
						t.Fatalf("row %d: %v", at, err)
					}
					if !bytes.Equal(bytes.TrimSpace(got), bytes.TrimSpace(want[at])) {
						t.Fatalf("record %d (-want +got):\n%s", at, cmp.Diff(string(want[at]), string(got)))
					}
				}
			}
		})
	}
}

func lineOf(r browse.Row) string {
	number, _ := json.Marshal(r.Number)
	length, _ := json.Marshal(r.Length)
	parts := []string{string(number), r.Time, r.Source, r.Destination, r.Protocol, string(length), r.Info}
	if r.Source != "" || r.Destination != "" {
		parts[2] += " →"
	}
	return strings.Join(parts, " ")
}

// The bits of fields are those of --bits, and what a field's menu makes of it is a filter that finds the record.
func TestFieldsAreThoseOfTheRecord(t *testing.T) {
	t.Parallel()
	names := filter.Records(all.Protocols())
	for _, name := range reference.UpTo(t, 30_000, samples(t)) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			s := begin(t, browse.Options{}, name)
			number, filters := 0, map[string]*filter.Filter{}
			for rec, err := range open.Records(name, all.Protocols(), dissect.Options{Keys: nil}) {
				if err != nil {
					t.Fatal(err)
				}
				if number == 40 {
					break
				}
				a, err := s.Record(number)
				if err != nil {
					t.Fatal(err)
				}
				number++
				if got, err := s.JSON(number - 1); err != nil || !bytes.Equal(got, render.AppendJSON(nil, rec, render.JSON{})) {
					continue // its key is recovered, which this loop does not do
				}
				comparePositions(t, rec, a)
				done := map[string]bool{}
				for _, f := range a.Fields {
					if done[f.Filter] {
						continue
					}
					done[f.Filter] = true
					compiled := filters[f.Filter]
					if compiled == nil {
						if compiled, err = names.Compile(f.Filter); err != nil {
							t.Fatalf("record %d, %s: %s: %v", number-1, f.Path, f.Filter, err)
						}
						filters[f.Filter] = compiled
					}
					if !compiled.Matcher().Match(rec) {
						t.Errorf("record %d, %s: %s does not find it", number-1, f.Path, f.Filter)
					}
				}
			}
		})
	}
}

// comparePositions compares the places of fields with the array positions of --bits.
func comparePositions(t *testing.T, rec *dissect.Record, a *browse.Record) {
	t.Helper()
	type position struct {
		Path      string `json:"path"`
		BitOffset uint32 `json:"bit_offset"`
		BitLength uint32 `json:"bit_length"`
		In        string `json:"in"`
	}
	var line struct {
		Positions []position `json:"positions"`
	}
	if err := json.Unmarshal(render.AppendJSON(nil, rec, render.JSON{Bits: true}), &line); err != nil {
		t.Fatal(err)
	}
	want, got := map[string]position{}, map[string]position{}
	for _, p := range line.Positions {
		want[p.Path] = p
	}
	containers := map[string]bool{"object": true, "list": true, "choices": true, "sparse": true}
	for _, f := range a.Fields {
		if f.Bits == 0 || containers[a.Descriptions[f.About].Kind] {
			continue
		}
		in := "datagram"
		if f.Layer == 1 {
			in = "message"
		}
		got[f.Path] = position{f.Path, f.Bit, f.Bits, in}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("frame %d: positions (-want +got):\n%s", rec.Frame, diff)
	}
}
