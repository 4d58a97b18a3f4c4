package convert_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/convert"
	"github.com/q3dissect/q3dissect/dissect/filter"
)

// inOrder sorts lines by the number of their packet.
func inOrder(t *testing.T, text string) string {
	t.Helper()
	type line struct {
		Frame       int  `json:"frame"`
		DemoMessage *int `json:"demo_message"`
	}
	number := func(s string) int {
		var l line
		if s == "" {
			return 1 << 60
		}
		if err := json.Unmarshal([]byte(s), &l); err != nil {
			t.Fatal(err)
		}
		if l.DemoMessage != nil {
			return *l.DemoMessage
		}
		return l.Frame
	}
	type numbered struct {
		number int
		text   string
	}
	var lines []numbered
	for s := range strings.SplitAfterSeq(text, "\n") {
		lines = append(lines, numbered{number(s), s})
	}
	slices.SortStableFunc(lines, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.text)
	}
	return b.String()
}

// The parts of an input give every record and event once, and the same as the whole.
func TestParts(t *testing.T) {
	t.Parallel()
	divided := 0
	for name, b := range samples(t) {
		for _, withAll := range []bool{false, true} {
			o := convert.Options{Protocols: all.Protocols(), Name: name, All: withAll}
			var whole, parts texts
			if _, err := convert.Run(bytes.NewReader(b), whole.outputs(), o); err != nil {
				t.Fatal(err)
			}
			filled := 0
			for o.Part, o.Parts = 0, 3; o.Part < o.Parts; o.Part++ {
				before := parts.records.Len()
				if _, err := convert.Run(bytes.NewReader(b), parts.outputs(), o); err != nil {
					t.Fatal(err)
				}
				if parts.records.Len() > before {
					filled++
				}
			}
			if filled > 1 {
				divided++
			}
			want, got := inOrder(t, whole.records.String()), inOrder(t, parts.records.String())
			if diff := gocmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("%s: records (-whole +parts):\n%.2000s", name, diff)
			}
			wholeEvents, partEvents := inOrder(t, whole.events.String()), inOrder(t, parts.events.String())
			if diff := gocmp.Diff(matchForm.ReplaceAllString(wholeEvents, ""),
				matchForm.ReplaceAllString(partEvents, "")); diff != "" {
				t.Errorf("%s: events (-whole +parts):\n%.2000s", name, diff)
			}
			numbersFit(t, name, matchForm.FindAllString(wholeEvents, -1), matchForm.FindAllString(partEvents, -1))
		}
	}
	if divided == 0 {
		t.Error("no sample has streams in more than one part")
	}
}

var matchForm = regexp.MustCompile(`"match":\d+,`)

// numbersFit checks that two matches of the whole never have the same number in the parts.
func numbersFit(t *testing.T, name string, whole, parts []string) {
	t.Helper()
	of := map[string]string{}
	for i, number := range parts {
		if before := of[number]; before != "" && before != whole[i] {
			t.Errorf("%s: the parts' %s is %s and %s", name, number, before, whole[i])
		}
		of[number] = whole[i]
	}
}

// A filter chooses records, and leaves events alone.
func TestFilter(t *testing.T) {
	t.Parallel()
	name := filepath.Join("..", "..", "samples", "quake3", "68-loss.pcap")
	b := samples(t)[name]
	compiled, err := filter.Records(all.Protocols()).Compile("quake3.server_message.ops.snapshot")
	if err != nil {
		t.Fatal(err)
	}
	o := convert.Options{Protocols: all.Protocols(), Name: name, Workers: 2}
	var whole, chosen texts
	for _, x := range []*texts{&whole, &chosen} {
		if _, err := convert.Run(bytes.NewReader(b), x.outputs(), o); err != nil {
			t.Fatal(err)
		}
		o.Filter = compiled
	}
	var want strings.Builder
	for line := range strings.Lines(whole.records.String()) {
		if strings.Contains(line, `{"snapshot":{`) {
			want.WriteString(line)
		}
	}
	if diff := gocmp.Diff(want.String(), chosen.records.String()); diff != "" || want.Len() == 0 {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	if lines := strings.Count(chosen.list.String(), "\n"); lines != strings.Count(want.String(), "\n") {
		t.Errorf("%d lines of the list", lines)
	}
	if diff := gocmp.Diff(whole.events.String(), chosen.events.String()); diff != "" {
		t.Errorf("events (-without +with the filter):\n%s", diff)
	}
}
