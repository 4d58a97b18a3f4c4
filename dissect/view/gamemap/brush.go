package gamemap

// Brushes are convex solids, given by planes whose normals point out of them. A map that was compiled for a server
// alone has no faces; the sides of its brushes are drawn in their place.

// Limits of what is worked out of brushes.
const (
	maxSides   = 128 // of a brush
	worldEdge  = 1 << 16
	maxWinding = 256 // points of a side

	// Points of windings that are cut. A brush of six sides takes some 25 for each, one of twelve some 60.
	maxCuts     = 8 << 20
	cutsPerSide = 16
)

// A half is a half of space: the points beyond a plane.
type half struct {
	normal vector
	dist   float64
}

// brushes draws the solids.
func (b *bsp) brushes(d *drawing) {
	brushes, sides := b.lump(lumpBrushes), b.lump(lumpSides)
	d.budget = maxCuts + cutsPerSide*(len(sides)/b.sideSize) // brushes of a forged file may all name the same sides
	for n := range len(brushes) / brushSize {
		brush := brushes[n*brushSize:]
		surface, contents := b.texture(number(brush, 8))
		first, count := number(brush, 0), number(brush, 4)
		if contents&contentsDetailed == 0 || surface&surfaceSky != 0 || count < 4 || count > maxSides {
			continue
		}
		if !d.spend(count) {
			return
		}
		var halves []half
		for i := range count {
			side, ok := record(sides, first+i, b.sideSize)
			if !ok {
				break
			}
			plane, ok := record(b.lump(lumpPlanes), number(side, 0), planeSize)
			if !ok {
				break
			}
			halves = append(halves, half{vectorAt(plane, 0), float(plane, 12)})
		}
		if len(halves) < count {
			continue
		}
		for i := range halves {
			if d.side(halves, i, contents&contentsLiquid != 0); d.budget < 0 {
				return
			}
		}
	}
}

// side draws the side of a solid that lies on one of its planes: the plane, cut by all the others.
func (d *drawing) side(halves []half, n int, liquid bool) {
	h := halves[n]
	normal, ok := h.normal.unit()
	if !ok || !(h.dist > -worldEdge && h.dist < worldEdge) {
		return
	}
	axis := vector{1, 0, 0}
	if normal[0] > 0.7 || normal[0] < -0.7 {
		axis = vector{0, 1, 0}
	}
	u, _ := normal.cross(axis).unit()
	v := normal.cross(u)
	middle := normal.times(h.dist)
	winding := []vector{
		middle.plus(u.times(-worldEdge)).plus(v.times(-worldEdge)), middle.plus(u.times(worldEdge)).plus(v.times(-worldEdge)),
		middle.plus(u.times(worldEdge)).plus(v.times(worldEdge)), middle.plus(u.times(-worldEdge)).plus(v.times(worldEdge)),
	}
	for i := range halves {
		if i == n {
			continue
		}
		if winding = halves[i].cut(winding); len(winding) < 3 || len(winding) > maxWinding || !d.spend(len(winding)) {
			return
		}
	}
	for _, p := range winding {
		if !p.inWorld() {
			return
		}
	}
	d.polygon(winding, normal, liquid)
}

// cut returns the part of a convex polygon that lies in the half.
func (h half) cut(winding []vector) (out []vector) {
	for i, p := range winding {
		q := winding[(i+1)%len(winding)]
		before, after := p.dot(h.normal)-h.dist, q.dot(h.normal)-h.dist
		if before <= 0 {
			out = append(out, p)
		}
		if before < 0 && after > 0 || before > 0 && after < 0 {
			out = append(out, p.plus(q.minus(p).times(before/(before-after))))
		}
	}
	return out
}
