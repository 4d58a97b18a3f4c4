package truth_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/view/merge"
)

var teeKillForm = regexp.MustCompile(`kill killer='(-?\d+):.*' victim='(\d+):.*' weapon=(-?\d+) `)

// TestMergeEqualsTeeworldsLog compares the kills that three clients of a Teeworlds server saw, put together, with the
// server's log, line by line. The last line is of the last client, which had left when the server killed it.
func TestMergeEqualsTeeworldsLog(t *testing.T) {
	t.Parallel()
	dir := reference.Folder(t, "captures", "teeworlds")
	var want, got []string
	for s := reference.Lines(t, filepath.Join(dir, "tw07-ctf3.d", "srv.log.gz")); s.Scan(); {
		if m := teeKillForm.FindStringSubmatch(s.Text()); m != nil {
			want = append(want, fmt.Sprintf("%s killed %s by %s", m[1], m[2], m[3]))
		}
	}
	var ended []int
	m := merge.NewMerge()
	m.Render = func(rec *dissect.Record, event int) ([]byte, int) {
		return render.AppendMergedEvent(nil, rec, event, render.JSON{})
	}
	m.Show = func(dst []byte, h *merge.Happening) []byte {
		o, err := reftest.Object(h.Text)
		if err != nil {
			t.Fatal(err)
		}
		switch e := reftest.Event(o); h.Kind {
		case "kill":
			killer := e.Number("killer", "client_num")
			if e.Text("world") == "true" {
				killer = e.Number("victim", "client_num")
			}
			got = append(got, fmt.Sprintf("%d killed %d by %s", killer, e.Number("victim", "client_num"),
				e.Text("means_of_death")))
		case "match_end":
			ended = append(ended, e.Number("match"))
		}
		return dst
	}
	for rec, err := range open.Records(filepath.Join(dir, "tw07-ctf3.pcap"), all.Protocols(),
		dissect.Options{Events: true}) {
		if err != nil {
			t.Fatal(err)
		}
		m.Add(nil, rec)
	}
	m.Flush(nil)
	if diff := cmp.Diff(want[:len(want)-1], got); diff != "" || len(got) != 30 {
		t.Errorf("%d kills (-log +merged):\n%s", len(got), diff)
	}
	if diff := cmp.Diff([]int{0, 1, 2, 3, 4, 5}, ended); diff != "" {
		t.Errorf("numbers of the matches (-want +got):\n%s", diff)
	}
}
