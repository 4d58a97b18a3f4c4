package events

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
)

// TestWinningCapture replays message 14852 of the recording dm_90__ctf: the blue flag goes to its base as red's score
// rises to the capture limit, and the only sound is red_wins.
func TestWinningCapture(t *testing.T) {
	for _, tt := range []struct {
		name, before, sound string
		rose                [2]bool
		want                string
	}{
		{"captured", "01", "red_wins", [2]bool{true, false}, "captured blue"},
		{"captured by blue", "10", "blue_wins", [2]bool{false, true}, "captured red"},
		{"returned as time runs out", "01", "red_wins", [2]bool{}, "returned blue"},
		{"returned from the ground", "02", "red_wins", [2]bool{true, false}, "returned blue"},
		{"no end", "01", "", [2]bool{true, false}, "returned blue"},
		{"won by the other team", "01", "blue_wins", [2]bool{false, true}, "returned blue"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newEventWriter()
			w.Tree = &dissect.Tree{}
			var f flagTracker
			f.setStatus([]byte(tt.before), true)
			f.setStatus([]byte("00"), false)
			f.sound(tt.sound)
			f.settle(&w, nil, false, tt.rose)
			var got string
			if i := w.Tree.Child(0, &evAction); i > 0 {
				got = string(w.Tree.Bytes(&w.Tree.Nodes[i])) + " " + string(w.Tree.Bytes(&w.Tree.Nodes[w.Tree.Child(0, &evFlag)]))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
