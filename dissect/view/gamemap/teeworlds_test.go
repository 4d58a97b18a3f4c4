package gamemap

import (
	"os"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// demoMap is the map in a sample: a demo of version 4 has it after its header.
func demoMap(t testing.TB) []byte {
	t.Helper()
	const begin, size = 436, 5539
	b, err := os.ReadFile(demo)
	if err != nil {
		t.Fatal(err)
	}
	return b[begin : begin+size]
}

const demo = "../../../samples/teeworlds/07-ctf.demo"

// Players are never inside of what the plan of their map calls solid, and are on it now and then: the map is the one
// that the demo carries.
func TestPlanFitsThePlayers(t *testing.T) {
	t.Parallel()
	p, err := Read("ctflab.map", demoMap(t))
	if err != nil {
		t.Fatal(err)
	}
	inside := func(x, y float32) bool {
		for _, b := range p.Boxes {
			if x >= float32(b[0]) && x < float32(b[0]+b[2]) && y >= float32(b[1]) && y < float32(b[1]+b[3]) {
				return true
			}
		}
		return false
	}
	places, stands := 0, 0
	for rec, err := range open.Records(demo, all.Protocols(), dissect.Options{Inputs: true}) {
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range rec.Inputs {
			if !in.HasPlace {
				continue
			}
			places++
			if inside(in.Place[0], in.Place[1]) {
				t.Errorf("a player is inside of the wall at %v", in.Place)
			}
			if inside(in.Place[0], in.Place[1]+20) { // half of a tee is 14 units high
				stands++
			}
		}
	}
	if len(p.Boxes) < 4 || places < 20 || stands < places/4 {
		t.Errorf("%d boxes, %d places, %d of them on the ground", len(p.Boxes), places, stands)
	}
	t.Logf("%d boxes, %d places, %d of them on the ground", len(p.Boxes), places, stands)
}

// What is no map, or only the beginning of one, is refused, and read no further than it goes.
func TestNoPlan(t *testing.T) {
	t.Parallel()
	whole := demoMap(t)
	if boxes, _, err := solidBoxes(whole); err != nil || len(boxes) < 4 {
		t.Fatalf("%d boxes in the map of the demo, %v", len(boxes), err)
	}
	for n := range 600 {
		if boxes, _, err := solidBoxes(whole[:n]); err == nil {
			t.Errorf("%d boxes in the first %d bytes of a map", len(boxes), n)
		}
	}
	for i := range 400 { // whatever the head contains, nothing breaks
		b := append([]byte{}, whole...)
		b[i] ^= 0xff
		_, _, _ = solidBoxes(b) // an error, or a map
	}
}
