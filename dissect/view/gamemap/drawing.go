package gamemap

import (
	"cmp"
	"math"
	"slices"
)

// A vector is a place or a direction in the game's units: z points up.
type vector [3]float64

func (v vector) minus(w vector) vector { return vector{v[0] - w[0], v[1] - w[1], v[2] - w[2]} }

func (v vector) times(f float64) vector { return vector{v[0] * f, v[1] * f, v[2] * f} }

func (v vector) plus(w vector) vector { return vector{v[0] + w[0], v[1] + w[1], v[2] + w[2]} }

func (v vector) dot(w vector) float64 { return v[0]*w[0] + v[1]*w[1] + v[2]*w[2] }

func (v vector) cross(w vector) vector {
	return vector{v[1]*w[2] - v[2]*w[1], v[2]*w[0] - v[0]*w[2], v[0]*w[1] - v[1]*w[0]}
}

// unit returns the direction of length 1; false: there is none.
func (v vector) unit() (vector, bool) {
	length := math.Sqrt(v.dot(v))
	if !(length > 1e-6) || math.IsInf(length, 0) {
		return v, false
	}
	return v.times(1 / length), true
}

// inWorld reports whether a place can be one: worlds of the engine are smaller than 131,072 units each way.
func (v vector) inWorld() bool {
	const most = 1 << 17
	for _, c := range v {
		if !(c > -most && c < most) {
			return false
		}
	}
	return true
}

// What a surface is, by the upward part of its normal.
const (
	// walkable is the steepest ground that can be walked on: MIN_WALK_NORMAL, bg_local.h of the games.
	walkable = 0.7
	// upright is how far from the vertical a wall may lean.
	upright = 0.35
	// wallHeight is how high a wall is at least: more than a step (STEPSIZE, 18 units), which is no obstacle.
	wallHeight = 24
	// speck is the area in square units, and the length in units, of what is too small to be seen.
	speck = 8
)

// maxCandidates is how many polygons, and how many lines, are kept until the largest are chosen.
const maxCandidates = 200_000

// A drawing collects polygons and lines.
type drawing struct {
	floors, liquids []polygon
	walls           map[line][2]int32 // the lowest and the highest z
	points          int
	leftOut         int
	budget          int // what may be spent on vertexes, in steps of about the same cost
}

// spend takes steps from the budget, and reports whether there were as many.
func (d *drawing) spend(steps int) bool {
	d.budget -= steps
	return d.budget >= 0
}

// A polygon is seen from above.
type polygon struct {
	z      int32
	area   float64
	points [][2]int32
}

// A line is seen from above: the ends, the smaller one first.
type line [2][2]int32

// triangles draws a face that consists of triangles. A flat one becomes one polygon if it has one edge around it.
func (d *drawing) triangles(vertexes []vertex, indexes []int32, liquid bool) {
	if len(indexes) == 0 {
		return
	}
	if len(vertexes) <= 256 && flat(vertexes) {
		if ring, ok := outline(indexes); ok {
			places := make([]vector, len(ring))
			for i, n := range ring {
				places[i] = vertexes[n].place
			}
			d.polygon(places, vertexes[0].normal, liquid)
			return
		}
	}
	for ; len(indexes) >= 3; indexes = indexes[3:] {
		a, b, c := &vertexes[indexes[0]], &vertexes[indexes[1]], &vertexes[indexes[2]]
		d.polygon([]vector{a.place, b.place, c.place}, a.normal.plus(b.normal).plus(c.normal), liquid)
	}
}

// flat reports whether all vertexes have the same normal.
func flat(vertexes []vertex) bool {
	for i := range vertexes {
		if vertexes[i].normal.dot(vertexes[0].normal) < 0.999 {
			return false
		}
	}
	return true
}

// outline returns the vertexes around triangles in their order; false: there is more than one ring, or none.
func outline(indexes []int32) (ring []int32, ok bool) {
	next := map[int32]int32{}
	edges := map[[2]int32]bool{}
	for i := 0; i+2 < len(indexes); i += 3 {
		for k := range 3 {
			from, to := indexes[i+k], indexes[i+(k+1)%3]
			if edges[[2]int32{to, from}] {
				delete(edges, [2]int32{to, from})
			} else {
				edges[[2]int32{from, to}] = true
			}
		}
	}
	first := int32(-1)
	for e := range edges {
		if _, taken := next[e[0]]; taken {
			return nil, false
		}
		next[e[0]] = e[1]
		if first < 0 || e[0] < first {
			first = e[0]
		}
	}
	for at := first; len(ring) < len(next); {
		ring = append(ring, at)
		if at, ok = next[at]; !ok || at == first {
			break
		}
	}
	return ring, ok && len(ring) == len(next) && len(ring) >= 3
}

// patch draws a curved face: a grid of control points; every nine make a quadratic Bézier surface.
func (d *drawing) patch(control []vertex, width, height int, liquid bool) {
	if width < 3 || height < 3 || width%2 == 0 || height%2 == 0 || width > len(control) || height > len(control)/width {
		return
	}
	const steps = 3 // for each of them, each way
	for row := 0; row+2 < height; row += 2 {
		for column := 0; column+2 < width; column += 2 {
			at := func(u, v float64) vertex {
				var p vertex
				for i, fi := range bernstein(v) {
					for k, fk := range bernstein(u) {
						c := &control[(row+i)*width+column+k]
						p.place, p.normal = p.place.plus(c.place.times(fi*fk)), p.normal.plus(c.normal.times(fi*fk))
					}
				}
				return p
			}
			for i := range steps {
				for k := range steps {
					u0, u1, v0, v1 := float64(k)/steps, float64(k+1)/steps, float64(i)/steps, float64(i+1)/steps
					a, b, c, e := at(u0, v0), at(u1, v0), at(u1, v1), at(u0, v1)
					d.polygon([]vector{a.place, b.place, c.place, e.place},
						a.normal.plus(b.normal).plus(c.normal).plus(e.normal), liquid)
				}
			}
		}
	}
}

// bernstein returns the weights of three control points.
func bernstein(t float64) [3]float64 { return [3]float64{(1 - t) * (1 - t), 2 * t * (1 - t), t * t} }

// polygon draws a flat surface as floor or wall, or not at all. The normal shows its front.
func (d *drawing) polygon(places []vector, normal vector, liquid bool) {
	own := vector{}
	for i := 1; i+1 < len(places); i++ {
		own = own.plus(places[i].minus(places[0]).cross(places[i+1].minus(places[0])))
	}
	own, ok := own.unit()
	if !ok {
		return
	}
	if own.dot(normal) < 0 {
		own = own.times(-1)
	}
	switch {
	case own[2] >= walkable:
		d.floor(places, liquid)
	case own[2] > -upright && own[2] < upright && !liquid:
		d.wall(places, own)
	}
}

// floor adds a surface that can be stood on, or swum in.
func (d *drawing) floor(places []vector, liquid bool) {
	p := polygon{}
	z := 0.0
	for _, v := range places {
		z += v[2] / float64(len(places))
		p.points = append(p.points, [2]int32{rounded(v[0]), rounded(v[1])})
	}
	p.z, p.points = rounded(z), straightened(p.points)
	if p.area = area(p.points); p.area < speck {
		return
	}
	if len(d.floors)+len(d.liquids) >= maxCandidates {
		d.leftOut++
		return
	}
	if liquid {
		d.liquids = append(d.liquids, p)
	} else {
		d.floors = append(d.floors, p)
	}
}

// wall adds a line where a surface is upright.
func (d *drawing) wall(places []vector, normal vector) {
	along, ok := vector{-normal[1], normal[0], 0}.unit()
	if !ok {
		return
	}
	low, high := math.Inf(1), math.Inf(-1)
	from, to := places[0], places[0]
	for _, v := range places {
		low, high = min(low, v[2]), max(high, v[2])
		if v.dot(along) < from.dot(along) {
			from = v
		}
		if v.dot(along) > to.dot(along) {
			to = v
		}
	}
	if high-low < wallHeight || to.minus(from).dot(along) < speck {
		return
	}
	l := line{{rounded(from[0]), rounded(from[1])}, {rounded(to[0]), rounded(to[1])}}
	if slices.Compare(l[0][:], l[1][:]) > 0 {
		l[0], l[1] = l[1], l[0]
	}
	if d.walls == nil {
		d.walls = map[line][2]int32{}
	}
	z, known := d.walls[l]
	if !known {
		if len(d.walls) >= maxCandidates {
			d.leftOut++
			return
		}
		z = [2]int32{math.MaxInt32, math.MinInt32}
	}
	d.walls[l] = [2]int32{min(z[0], rounded(low)), max(z[1], rounded(high))}
}

func rounded(f float64) int32 { return int32(math.Round(f)) }

// straightened leaves out points that lie on the line between their neighbours.
func straightened(points [][2]int32) [][2]int32 {
	kept := points[:0:0]
	for i, p := range points {
		before, after := points[(i+len(points)-1)%len(points)], points[(i+1)%len(points)]
		if n := len(kept); n > 0 {
			before = kept[n-1]
		}
		if turn := int64(p[0]-before[0])*int64(after[1]-p[1]) - int64(p[1]-before[1])*int64(after[0]-p[0]); turn != 0 {
			kept = append(kept, p)
		}
	}
	return kept
}

// area is that of a polygon, in square units.
func area(points [][2]int32) float64 {
	var twice int64
	for i, p := range points {
		q := points[(i+1)%len(points)]
		twice += int64(p[0])*int64(q[1]) - int64(q[0])*int64(p[1])
	}
	return math.Abs(float64(twice)) / 2
}

// plan puts the drawing into the form in which it is kept: the largest parts, as many as there is place for.
func (d *drawing) plan() *Map {
	p := &Map{}
	p.Floors, p.Liquids = d.packed(d.floors), d.packed(d.liquids)
	p.Walls = d.lines()
	p.LeftOut = d.leftOut
	return p
}

// packed returns polygons as lists of numbers, lowest first.
func (d *drawing) packed(list []polygon) (out [][]int32) {
	slices.SortStableFunc(list, func(a, b polygon) int { return cmp.Compare(b.area, a.area) })
	kept := 0
	for kept < len(list) && kept < maxPolygons && d.points+len(list[kept].points) <= maxPoints {
		d.points += len(list[kept].points)
		kept++
	}
	d.leftOut += len(list) - kept
	list = list[:kept]
	slices.SortStableFunc(list, func(a, b polygon) int { return cmp.Compare(a.z, b.z) })
	for i := range list {
		numbers := make([]int32, 1, 1+2*len(list[i].points))
		numbers[0] = list[i].z
		last := [2]int32{}
		for _, q := range list[i].points {
			numbers = append(numbers, q[0]-last[0], q[1]-last[1])
			last = q
		}
		out = append(out, numbers)
	}
	return out
}

// lines returns the walls as numbers.
func (d *drawing) lines() (out [][6]int32) {
	for l, z := range d.walls {
		out = append(out, [6]int32{l[0][0], l[0][1], l[1][0] - l[0][0], l[1][1] - l[0][1], z[0], z[1]})
	}
	length := func(w *[6]int32) float64 { return math.Hypot(float64(w[2]), float64(w[3])) }
	slices.SortFunc(out, func(a, b [6]int32) int {
		return cmp.Or(cmp.Compare(length(&b), length(&a)), slices.Compare(a[:], b[:]))
	})
	if len(out) > maxWalls {
		d.leftOut += len(out) - maxWalls
		out = out[:maxWalls]
	}
	slices.SortFunc(out, func(a, b [6]int32) int { return slices.Compare(a[:], b[:]) })
	return out
}
