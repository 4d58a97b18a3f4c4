package gamemap

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// divided is the block with a tree: a node whose plane divides space at x = 64, and a leaf on each side, which have the
// block.
func divided(magic string, version uint32, contents int) []byte {
	b := block(magic, version)
	b.textures.Reset()
	b.texture("textures/base/wall", 0, contents)
	put(&b.planes, [3]float32{1, 0, 0}, float32(64))
	box := [6]int32{-512, -512, -512, 512, 512, 512}
	put(&b.nodes, 6, -1, -2, box[:]) // plane 6, leaf 0 in front, leaf 1 at the back
	for range 2 {
		put(&b.leaves, 0, 0, box[:], 0, 0, 0, 1)
	}
	put(&b.leafBrushes, 0)
	return b.file()
}

// Looks past and through a solid of 128 by 64 by 32 units, worked out by hand from its planes.
func TestSolid(t *testing.T) {
	t.Parallel()
	for _, format := range []struct {
		magic   string
		version uint32
	}{{"IBSP", 46}, {"IBSP", 47}, {"RBSP", 1}} {
		s, err := ReadSolid(divided(format.magic, format.version, contentsSolid))
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range []struct {
			from, to [3]float64
			clear    bool
		}{
			{[3]float64{-10, 32, 16}, [3]float64{200, 32, 16}, false},  // through the middle
			{[3]float64{-10, 32, 33}, [3]float64{200, 32, 33}, true},   // over it
			{[3]float64{-10, 70, 16}, [3]float64{200, 70, 16}, true},   // beside it
			{[3]float64{-10, 50, 16}, [3]float64{50, 80, 16}, false},   // in at (0, 55), out at (18, 64)
			{[3]float64{-10, 60, 16}, [3]float64{50, 80, 16}, false},   // the corner: in at (0, 63 1/3), out at (2, 64)
			{[3]float64{-10, 62, 16}, [3]float64{50, 82, 16}, true},    // past the corner: (0, 65 1/3)
			{[3]float64{64, 32, 40}, [3]float64{64, 32, 33}, true},     // down to just above it, in the plane of the node
			{[3]float64{64, 32, 40}, [3]float64{64, 32, 31}, false},    // and into it
			{[3]float64{-10, 32, 16}, [3]float64{0, 32, 16}, true},     // up to its side
			{[3]float64{64, 32, 16}, [3]float64{64, 32, 100}, false},   // out of it
			{[3]float64{100, 32, 100}, [3]float64{300, 32, 16}, true},  // behind the node alone: at x = 128 z is 88
			{[3]float64{300, 32, 16}, [3]float64{-300, 32, 16}, false}, // the other way
		} {
			if got := s.Clear(row.from, row.to); got != row.clear {
				t.Errorf("%s %d: %v to %v: %t", format.magic, format.version, row.from, row.to, got)
			}
		}
	}
	glass, err := ReadSolid(divided("IBSP", 46, contentsSolid|contentsTranslucent))
	if err != nil {
		t.Fatal(err)
	}
	if !glass.Clear([3]float64{-10, 32, 16}, [3]float64{200, 32, 16}) {
		t.Error("glass stops a look")
	}
}

// In a real map the tree finds the same solids as all brushes together, tried point for point.
func TestSolidOfMap(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("Q3DISSECT_REFERENCE")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared")
	}
	var l Library
	if err := l.AddPath(filepath.Join(dir, "captures/quake3/q3-68-download.zz-q3-68-download.pk3")); err != nil {
		t.Skip("the reference captures are not at hand")
	}
	s, err := l.Solid("labmap")
	if err != nil || s == nil {
		t.Fatal(s, err)
	}
	inside := func(p vector) bool {
		for _, halves := range s.brushes {
			in := len(halves) > 0
			for i := range halves {
				if p.dot(halves[i].normal) > halves[i].dist-0.01 {
					in = false
					break
				}
			}
			if in {
				return true
			}
		}
		return false
	}
	random := rand.New(rand.NewPCG(1, 2))
	place := func() vector {
		return vector{random.Float64()*3000 - 1500, random.Float64()*3000 - 1500, random.Float64()*800 - 300}
	}
	clear, missed := 0, 0
	const looks = 400
	for range looks {
		from := place()
		for inside(from) {
			from = place()
		}
		to := from.plus(place().times(0.2))
		stopped := false
		const steps = 600
		for i := range steps + 1 {
			if inside(from.plus(to.minus(from).times(float64(i) / steps))) {
				stopped = true
				break
			}
		}
		got := s.Clear(from, to)
		if got {
			clear++
		}
		switch {
		case got && stopped:
			t.Errorf("%v to %v goes through a solid, and is clear", from, to)
		case !got && !stopped:
			missed++ // an edge thinner than a step
		}
	}
	if missed > looks/50 || clear < looks/20 || clear > looks*19/20 {
		t.Errorf("%d of %d looks are clear, %d are stopped by nothing", clear, looks, missed)
	}
	t.Logf("%d of %d looks are clear, %d differ at an edge", clear, looks, missed)
}

// A forged tree with circles, and records that name what is not there, end.
func FuzzSolid(f *testing.F) {
	f.Add(divided("IBSP", 46, contentsSolid))
	f.Add(divided("RBSP", 1, contentsSolid))
	f.Fuzz(func(_ *testing.T, data []byte) {
		if s, err := ReadSolid(data); err == nil {
			s.Clear([3]float64{-10, 32, 16}, [3]float64{200, 32, 16})
		}
	})
}
