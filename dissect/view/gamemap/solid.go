package gamemap

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
)

// Lumps of the tree that divides a map's space, and their records: "Unofficial Quake 3 Map Specs" by Kekoa Proudfoot.
const (
	lumpNodes       = 3
	lumpLeaves      = 4
	lumpLeafBrushes = 6

	nodeSize      = 36 // plane, two children (a leaf n is -1-n), box
	leafSize      = 48 // cluster, area, box, faces, first brush and number of brushes
	leafBrush     = 40
	leafBrushSize = 4
	sightSides    = 6 // the least number of sides of a brush is 4; there is place for these without growing
)

// contentsTranslucent marks what can be seen through: glass, grates. CONTENTS_TRANSLUCENT, surfaceflags.h of the games.
const contentsTranslucent = 0x20000000

// Limits of a trace.
const (
	maxTraceSteps = 20_000 // nodes and brushes, in a forged tree with circles
	maxTraceDepth = 512
)

// A Solid is what stops a look in a map: its solid brushes. Doors, lifts and curved surfaces are not among them.
type Solid struct {
	bsp
	brushes [][]half // nil: it stops no look
}

// plane returns a plane of the file.
func (b *bsp) plane(n int) (half, bool) {
	p, ok := record(b.lump(lumpPlanes), n, planeSize)
	if !ok {
		return half{}, false
	}
	return half{vectorAt(p, 0), float(p, 12)}, true
}

// ReadSolid reads a BSP file.
func ReadSolid(data []byte) (*Solid, error) {
	s := &Solid{bsp: bsp{layout: layoutIBSP, data: data}}
	if len(data) < bspHead {
		return nil, ErrFormat
	}
	switch version := int32(binary.LittleEndian.Uint32(data[4:])); {
	case data[0] == 'I' && (version == 46 || version == 47):
	case data[0] == 'R' && version == 1:
		s.layout = layoutRBSP
	default:
		return nil, ErrFormat
	}
	brushes := s.lump(lumpBrushes)
	sides, budget := s.lump(lumpSides), 2*len(s.lump(lumpSides))/s.sideSize
	for n := range len(brushes) / brushSize {
		brush := brushes[n*brushSize:]
		first, count := number(brush, 0), number(brush, 4)
		_, contents := s.texture(number(brush, 8))
		var halves []half
		if contents&contentsSolid != 0 && contents&contentsTranslucent == 0 && count >= 4 && count <= maxSides && budget > 0 {
			budget -= count // brushes of a forged file may all name the same sides
			halves = make([]half, 0, max(count, sightSides))
			for i := range count {
				side, ok := record(sides, first+i, s.sideSize)
				if !ok {
					break
				}
				h, ok := s.plane(number(side, 0))
				if !ok {
					break
				}
				halves = append(halves, h)
			}
			if len(halves) < count {
				halves = nil
			}
		}
		s.brushes = append(s.brushes, halves)
	}
	if len(s.lump(lumpLeaves)) < leafSize || len(s.brushes) == 0 {
		return nil, ErrFormat
	}
	return s, nil
}

// Clear reports whether nothing solid is between two points: a trace of a point, as CM_BoxTrace in
// code/qcommon/cm_trace.c makes it, without curved surfaces.
func (s *Solid) Clear(from, to [3]float64) bool {
	t := trace{s: s, from: from, to: to, steps: maxTraceSteps}
	return !t.node(0, from, to, 0)
}

// A trace is a look from one point to another.
type trace struct {
	s        *Solid
	from, to vector
	steps    int
}

// node reports whether a part of the look is stopped in a node of the tree; a negative number is a leaf.
func (t *trace) node(n int, from, to vector, depth int) (stopped bool) {
	if t.steps--; t.steps < 0 || depth > maxTraceDepth {
		return false
	}
	if n < 0 {
		return t.leaf(-1 - n)
	}
	node, ok := record(t.s.lump(lumpNodes), n, nodeSize)
	if !ok {
		return n == 0 && t.leaf(0) // a map of one leaf has no nodes
	}
	h, ok := t.s.plane(number(node, 0))
	if !ok {
		return false
	}
	before, after := from.dot(h.normal)-h.dist, to.dot(h.normal)-h.dist
	front, back := number(node, 4), number(node, 8)
	const near = 1.0 / 8 // from the plane: both sides are looked at
	switch {
	case before >= near && after >= near:
		return t.node(front, from, to, depth+1)
	case before < -near && after < -near:
		return t.node(back, from, to, depth+1)
	}
	if before < after {
		front, back = back, front
	}
	middle := from
	if before != after {
		share := max(0, min(1, before/(before-after)))
		middle = from.plus(to.minus(from).times(share))
	}
	return t.node(front, from, middle, depth+1) || t.node(back, middle, to, depth+1)
}

// leaf reports whether the look is stopped by a brush of a leaf.
func (t *trace) leaf(n int) bool {
	leaf, ok := record(t.s.lump(lumpLeaves), n, leafSize)
	if !ok {
		return false
	}
	first, count := number(leaf, leafBrush), number(leaf, leafBrush+4)
	for i := range count {
		r, ok := record(t.s.lump(lumpLeafBrushes), first+i, leafBrushSize)
		if t.steps--; !ok || t.steps < 0 {
			return false
		}
		if brush := number(r, 0); brush >= 0 && brush < len(t.s.brushes) && t.crosses(t.s.brushes[brush]) {
			return true
		}
	}
	return false
}

// crosses reports whether the look goes through a solid.
func (t *trace) crosses(halves []half) bool {
	if len(halves) == 0 {
		return false
	}
	enter, leave := 0.0, 1.0
	for i := range halves {
		h := &halves[i]
		before, after := t.from.dot(h.normal)-h.dist, t.to.dot(h.normal)-h.dist
		switch {
		case before > 0 && after > 0:
			return false
		case before <= 0 && after <= 0:
		case before > after:
			enter = max(enter, before/(before-after))
		default:
			leave = min(leave, before/(before-after))
		}
	}
	return enter < leave
}

// Solid returns what stops looks in the map of a name; nil: there is none.
func (l *Library) Solid(mapName string) (*Solid, error) {
	if mapName == "" {
		return nil, nil
	}
	for i := range l.sources {
		name, data, err := l.sources[i].open(mapName)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", l.sources[i].from, err)
		}
		s, err := ReadSolid(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", l.sources[i].from, name, err)
		}
		return s, nil
	}
	return nil, nil
}

// Walls returns a function that returns the Clear of the map of a name, nil if there is none; nil if the library is
// empty. Each map is looked for once; tell gets the reason why one is not there.
func (l *Library) Walls(tell func(error)) func(mapName string) func(from, to [3]float64) bool {
	if l.Empty() {
		return nil
	}
	const most = 100 // maps of an input
	known := map[string]func(from, to [3]float64) bool{}
	return func(name string) func(from, to [3]float64) bool {
		clear, looked := known[name]
		if looked || len(known) >= most {
			return clear
		}
		solid, err := l.Solid(name)
		if err == nil && solid == nil {
			err = fmt.Errorf("the map %q is not among those that were named", name)
		}
		if err != nil {
			tell(err)
		} else {
			clear = solid.Clear
		}
		known[name] = clear
		return clear
	}
}
