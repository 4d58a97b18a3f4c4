package gamemap

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A builder writes BSP files after "Unofficial Quake 3 Map Specs" and, for RBSP, after the structures that importers of
// Jedi Academy maps describe. It writes what a compiler writes, record by record, and shares nothing with the reader.
type builder struct {
	magic   string
	version uint32
	jedi    bool

	textures, planes, brushes, sides, vertexes, indexes, faces bytes.Buffer
	nodes, leaves, leafBrushes                                 bytes.Buffer // of the tree, for Solid
}

func put(b *bytes.Buffer, values ...any) {
	for _, v := range values {
		if n, ok := v.(int); ok {
			v = int32(n)
		}
		if err := binary.Write(b, binary.LittleEndian, v); err != nil {
			panic(err) // numbers and arrays of numbers
		}
	}
}

func (b *builder) texture(name string, flags, contents int) {
	var text [64]byte
	copy(text[:], name)
	put(&b.textures, text, flags, contents)
}

func (b *builder) vertex(place, normal [3]float32) {
	if b.jedi {
		put(&b.vertexes, place, [2]float32{}, [4][2]float32{}, normal, [4][4]byte{})
		return
	}
	put(&b.vertexes, place, [2]float32{}, [2]float32{}, normal, [4]byte{})
}

// face adds a face of the next vertexes and indexes.
func (b *builder) face(texture, kind, vertexes, indexes, width, height int, normal [3]float32) {
	size := 44
	if b.jedi {
		size = 80
	}
	put(&b.faces, texture, -1, kind, b.vertexes.Len()/size-vertexes, vertexes, b.indexes.Len()/4-indexes, indexes)
	if b.jedi {
		put(&b.faces, [4]byte{}, [4]byte{}, [4]int32{}, [4]int32{}, [4]int32{}, [2]int32{}, [3]float32{}, [2][3]float32{},
			normal, width, height)
		return
	}
	put(&b.faces, 0, [2]int32{}, [2]int32{}, [3]float32{}, [2][3]float32{}, normal, width, height)
}

// square adds a flat face with four corners, as two triangles.
func (b *builder) square(texture int, normal [3]float32, corners [4][3]float32) {
	for _, c := range corners {
		b.vertex(c, normal)
	}
	put(&b.indexes, 0, 1, 2, 0, 2, 3)
	b.face(texture, 1, 4, 6, 0, 0, normal)
}

func (b *builder) file() []byte {
	count := 17
	if b.jedi {
		count = 18
	}
	lumps := make([][]byte, count)
	for n, lump := range map[int]*bytes.Buffer{
		1: &b.textures, 2: &b.planes, 8: &b.brushes, 9: &b.sides, 10: &b.vertexes,
		11: &b.indexes, 13: &b.faces, 3: &b.nodes, 4: &b.leaves, 6: &b.leafBrushes,
	} {
		lumps[n] = lump.Bytes()
	}
	var out, body bytes.Buffer
	out.WriteString(b.magic)
	put(&out, b.version)
	for _, lump := range lumps {
		put(&out, 8+8*count+body.Len(), len(lump))
		body.Write(lump)
	}
	out.Write(body.Bytes())
	return out.Bytes()
}

var (
	up    = [3]float32{0, 0, 1}
	down  = [3]float32{0, 0, -1}
	north = [3]float32{0, 1, 0}
)

// room is a room with a floor, a pool, a wall, a step, a ceiling, a sky, a ramp and an arch, which is a curved face.
func room(magic string, version uint32) *builder {
	b := &builder{magic: magic, version: version, jedi: magic == "RBSP"}
	b.texture("textures/base/floor", 0, 1)
	b.texture("textures/liquids/water", 0, 0x20)
	b.texture("textures/skies/blue", 0x4, 1)
	b.square(0, up, [4][3]float32{{0, 0, 0}, {512, 0, 0}, {512, 256, 0}, {0, 256, 0}})
	b.square(1, up, [4][3]float32{{64, 64, 16}, {128, 64, 16}, {128, 128, 16}, {64, 128, 16}})
	b.square(0, north, [4][3]float32{{0, 0, 0}, {512, 0, 0}, {512, 0, 192}, {0, 0, 192}})
	b.square(0, north, [4][3]float32{{0, 256, 0}, {512, 256, 0}, {512, 256, 16}, {0, 256, 16}})        // a step
	b.square(0, down, [4][3]float32{{0, 0, 192}, {512, 0, 192}, {512, 256, 192}, {0, 256, 192}})       // a ceiling
	b.square(2, up, [4][3]float32{{0, 0, 512}, {512, 0, 512}, {512, 256, 512}, {0, 256, 512}})         // the sky
	b.square(0, [3]float32{-0.8944, 0, 0.4472}, [4][3]float32{{0, 0, 0}, {64, 0, 128}, {64, 64, 128}}) // too steep
	b.square(0, [3]float32{-0.4472, 0, 0.8944}, [4][3]float32{{256, 64, 0}, {384, 64, 64}, {384, 128, 64}, {256, 128, 0}})
	// A curved face: a straight ramp, which its control points describe exactly.
	for y := range 3 {
		for x := range 3 {
			b.vertex([3]float32{float32(1024 + 96*x), float32(96 * y), float32(48 * x)}, [3]float32{-0.4472, 0, 0.8944})
		}
	}
	b.face(0, 2, 9, 0, 3, 3, up)
	return b
}

// Floors, pools and walls of a room are found in each of the formats; ceilings, skies, steps and cliffs are not floors.
func TestRoom(t *testing.T) {
	t.Parallel()
	for _, format := range []struct {
		magic   string
		version uint32
	}{{"IBSP", 46}, {"IBSP", 47}, {"RBSP", 1}} {
		p, err := Read("room.bsp", room(format.magic, format.version).file())
		if err != nil {
			t.Fatal(format, err)
		}
		if len(p.Floors) != 2+9 { // the arch is nine squares
			t.Errorf("%v: %d floors: %v", format, len(p.Floors), p.Floors)
		}
		if want := []int32{0, 0, 0, 512, 0, 0, 256, -512, 0}; !cmp.Equal(p.Floors[0], want) {
			t.Errorf("%v: the floor (-want +got):\n%s", format, cmp.Diff(want, p.Floors[0]))
		}
		var arch float64
		for _, f := range p.Floors {
			if points := pointsOf(f); points[0][0] >= 1024 {
				arch += area(points)
				if middle := float64(points[0][0]+points[2][0])/2 - 1024; math.Abs(float64(f[0])-middle/2) > 1 {
					t.Errorf("%v: the ramp is %d high at %v", format, f[0], middle)
				}
			}
		}
		if arch != 192*192 {
			t.Errorf("%v: the curved ramp has an area of %v", format, arch)
		}
		if want := [][]int32{{16, 64, 64, 64, 0, 0, 64, -64, 0}}; !cmp.Equal(p.Liquids, want) {
			t.Errorf("%v: pools (-want +got):\n%s", format, cmp.Diff(want, p.Liquids))
		}
		if want := [][6]int32{{0, 0, 512, 0, 0, 192}}; !cmp.Equal(p.Walls, want) {
			t.Errorf("%v: walls (-want +got):\n%s", format, cmp.Diff(want, p.Walls))
		}
	}
}

// pointsOf gives the points of a polygon of a plan.
func pointsOf(f []int32) (points [][2]int32) {
	x, y := int32(0), int32(0)
	for i := 1; i+1 < len(f); i += 2 {
		x, y = x+f[i], y+f[i+1]
		points = append(points, [2]int32{x, y})
	}
	return points
}

// block is a map without faces, as servers alone need it: one solid, 128 by 64 and 32 high.
func block(magic string, version uint32) *builder {
	b := &builder{magic: magic, version: version, jedi: magic == "RBSP"}
	b.texture("textures/base/floor", 0, 1)
	for i, half := range []struct {
		normal [3]float32
		dist   float32
	}{
		{[3]float32{1, 0, 0}, 128},
		{[3]float32{-1, 0, 0}, 0},
		{[3]float32{0, 1, 0}, 64},
		{[3]float32{0, -1, 0}, 0},
		{[3]float32{0, 0, 1}, 32},
		{[3]float32{0, 0, -1}, 0},
	} {
		put(&b.planes, half.normal, half.dist)
		put(&b.sides, i, 0)
		if b.jedi {
			put(&b.sides, -1)
		}
	}
	put(&b.brushes, 0, 6, 0)
	return b
}

func TestBrushes(t *testing.T) {
	t.Parallel()
	for _, b := range []*builder{block("IBSP", 46), block("RBSP", 1)} {
		p, err := Read("block.bsp", b.file())
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Floors) != 1 || p.Floors[0][0] != 32 || area(pointsOf(p.Floors[0])) != 128*64 {
			t.Errorf("%s: the top is %v", b.magic, p.Floors)
		}
		want := [][6]int32{{0, 0, 0, 64, 0, 32}, {0, 0, 128, 0, 0, 32}, {0, 64, 128, 0, 0, 32}, {128, 0, 0, 64, 0, 32}}
		if !cmp.Equal(p.Walls, want) {
			t.Errorf("%s: walls (-want +got):\n%s", b.magic, cmp.Diff(want, p.Walls))
		}
	}
}

// Records of a forged file may all name the same run of others: what is worked out of them is bounded by the length of
// the file.
func TestSharedRuns(t *testing.T) {
	t.Parallel()
	const copies = 500
	curved := &builder{magic: "IBSP", version: 46}
	curved.texture("textures/base/floor", 0, 1)
	for y := range 1001 {
		for x := range 3 {
			curved.vertex([3]float32{float32(64 * x), float32(64 * y), 0}, up)
		}
	}
	for range copies {
		curved.face(0, 2, 3*1001, 0, 3, 1001, up)
	}
	column := &builder{magic: "IBSP", version: 46}
	column.texture("textures/base/floor", 0, 1)
	const sides = 128
	for i := range sides {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / (sides - 2))
		normal, dist := [3]float32{float32(cos), float32(sin), 0}, float32(4096)
		if i >= sides-2 {
			normal, dist = [3]float32{0, 0, float32(1 - 2*(i&1))}, 64
		}
		put(&column.planes, normal, dist)
	}
	for range copies {
		put(&column.brushes, 0, sides, 0)
		for i := range sides {
			put(&column.sides, i, 0)
		}
	}
	for _, row := range []struct {
		name        string
		b           *builder
		least, most int // polygons
	}{
		{"one grid of control points", curved, 40_000, copies * 4500 / 4},
		{"one run of sides", column, 10, copies / 2},
	} {
		p, err := Read("x.bsp", row.b.file())
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		if n := len(p.Floors) + p.LeftOut; n < row.least || n > row.most {
			t.Errorf("%s: %d polygons, want %d to %d", row.name, n, row.least, row.most)
		}
	}
}

// Other versions are refused, and every beginning of a file is a smaller map or none.
func TestNoBSP(t *testing.T) {
	t.Parallel()
	for _, b := range []*builder{room("IBSP", 38), room("RBSP", 2), {magic: "IBSP", version: 46}} {
		if p, err := Read("x.bsp", b.file()); err == nil {
			t.Errorf("%s %d: %v", b.magic, b.version, p)
		}
	}
	whole := room("IBSP", 46).file()
	for n := range whole {
		if p, err := Read("x.bsp", whole[:n]); err == nil && len(p.Floors) > 11 {
			t.Errorf("%d bytes have %d floors", n, len(p.Floors))
		}
	}
}

// Whatever a file contains, its drawing is bounded, and lies within the world.
func FuzzRead(f *testing.F) {
	for _, b := range []*builder{
		room("IBSP", 46), room("IBSP", 47), room("RBSP", 1),
		block("IBSP", 46), block("RBSP", 1),
	} {
		f.Add(b.file())
	}
	f.Add(demoMap(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Read("x", data)
		if err != nil {
			return
		}
		if len(p.Boxes) > maxBoxes || len(p.Floors)+len(p.Liquids) > 2*maxPolygons || len(p.Walls) > maxWalls {
			t.Fatalf("%d boxes, %d floors, %d liquids, %d walls", len(p.Boxes), len(p.Floors), len(p.Liquids), len(p.Walls))
		}
		points := 0
		for _, polygon := range append(p.Floors, p.Liquids...) {
			points += len(pointsOf(polygon))
			for _, q := range pointsOf(polygon) {
				if max(q[0], q[1], -q[0], -q[1]) > 1<<17 {
					t.Fatalf("a floor is at %v", q)
				}
			}
		}
		if points > maxPoints {
			t.Fatalf("%d points", points)
		}
	})
}
