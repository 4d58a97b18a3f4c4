package quake3_test

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/quake3"
)

// What is in a gamestate follows each other on the wire: no bit is counted twice, and with the number of the operation
// itself none is missing.
func TestGamestateAddsUp(t *testing.T) {
	t.Parallel()
	const operation = 7 // bits of the code of svc_gamestate
	count := 0
	for rec, err := range open.Records("../../samples/quake3/68-connect-play.pcap", []*dissect.Protocol{quake3.New()},
		dissect.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		for i := range rec.Tree.Nodes {
			n := &rec.Tree.Nodes[i]
			if n.Field.Key != "gamestate" {
				continue
			}
			count++
			sum, at := uint32(operation), n.Bit+operation
			for c := range rec.Tree.Children(i) {
				child := &rec.Tree.Nodes[c]
				if child.Bit != at {
					t.Errorf("frame %d: %s begins at bit %d, what is before it ends at %d", rec.Frame, child.Field.Key, child.Bit, at)
				}
				sum, at = sum+child.Bits, child.Bit+child.Bits
			}
			if sum != n.Bits {
				t.Errorf("frame %d: the parts have %d bits, the gamestate %d", rec.Frame, sum, n.Bits)
			}
		}
	}
	if count == 0 {
		t.Error("no gamestate")
	}
}
