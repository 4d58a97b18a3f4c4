package compare

import (
	"math"
	"slices"
)

// A Clock is how the clock of B differs from that of A: at the time t of A, B shows t + Offset + Drift·(t - Middle).
//
// Only differences of the clocks that let no datagram arrive before it was sent are possible. Of these the one is taken
// that leaves the two directions' shortest delays as long as can be, which makes them equal. A path whose shortest
// delays are not equal shifts Offset by half their difference, at most by Uncertainty.
type Clock struct {
	Known       bool  // there are datagrams in both directions; else Offset contains the shortest delay
	Stepped     bool  // no constant drift lets all datagrams arrive after they were sent: a clock was set, or is unsteady
	Offset      int64 // nanoseconds
	Uncertainty int64 // nanoseconds, to both sides: half of the shortest round trip
	Drift       float64
	DriftLow    float64 // the lowest and the highest drift that is possible
	DriftHigh   float64
	Middle      int64 // Unix nanoseconds of A
}

// ahead returns how far B's clock is ahead at a time of A, in nanoseconds.
func (c *Clock) ahead(t int64) int64 {
	return c.Offset + int64(math.Round(c.Drift*float64(t-c.Middle)))
}

// ToA converts a time of B to the clock of A, both in Unix nanoseconds. Drift is so small that one step is exact to a
// nanosecond within hours.
func (c *Clock) ToA(t int64) int64 { return t - c.ahead(t-c.Offset) }

// A point is a datagram that both captures have once: its time at A, and how much more its time at B is.
type point struct{ time, more int64 }

// points are those of a pair by client and server.
type points [2][]point

// points returns the points of a pair in the order of the time at A.
func (p *Pair) points() (both points) {
	for from := range p.A.sent {
		other := make(map[identity]int64, len(p.B.sent[from])) // the time at B; several: those are left out
		const several = math.MinInt64
		for _, d := range p.B.sent[from] {
			if _, ok := other[d.id]; ok {
				other[d.id] = several
			} else {
				other[d.id] = d.time
			}
		}
		count := make(map[identity]int, len(p.A.sent[from]))
		for _, d := range p.A.sent[from] {
			count[d.id]++
		}
		for _, d := range p.A.sent[from] {
			if at, ok := other[d.id]; ok && at != several && count[d.id] == 1 {
				both[from] = append(both[from], point{d.time, at - d.time})
			}
		}
		slices.SortStableFunc(both[from], func(x, y point) int { return compareTimes(x.time, y.time) })
	}
	return both
}

func compareTimes(x, y int64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// place finds out which place is nearer to the client. What travels from A to B has a time at B that is larger by the
// clocks' difference and the delay; in the other direction the delay has the other sign.
func (p *Pair) place(pts *points) {
	client, server := pts[0], pts[1]
	if len(client) == 0 || len(server) == 0 {
		return
	}
	differences := make([]int64, 0, len(client))
	k := 0
	for _, c := range client { // with the nearest point of the server, so that drift does not matter
		for k+1 < len(server) && abs(server[k+1].time-c.time) <= abs(server[k].time-c.time) {
			k++
		}
		differences = append(differences, c.more-server[k].more)
	}
	roundTrip := median(differences)
	p.AtClient, p.Placed = roundTrip > 0, roundTrip != 0
}

// placeBy is place for a pair with one direction, by the clocks that other pairs have shown.
func (p *Pair) placeBy(pts *points, clock *Clock) {
	p.AtClient = true
	if !clock.Known {
		return
	}
	for from, list := range pts {
		if len(list) == 0 {
			continue
		}
		delays := make([]int64, len(list))
		for i, pt := range list {
			delays[i] = pt.more - clock.ahead(pt.time)
		}
		delay := median(delays)
		p.AtClient, p.Placed = delay > 0 == (from == 0), delay != 0
		return
	}
}

func abs(v int64) int64 { return max(v, -v) }

// median returns the median of values, which it sorts.
func median(values []int64) int64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// A vertex is a point of a hull: seconds since the middle, and nanoseconds.
type vertex struct{ x, y float64 }

// maxDrift is the largest drift that is looked for: quartz clocks drift by 100 parts in a million at most.
const maxDrift = 2000e-6

// A fitting is what restricts the difference of the clocks: it is below what datagrams from A to B took more, and above
// what those from B to A did. Both are convex, so their hulls suffice.
type fitting struct{ below, above []vertex }

// margin returns how far the line with a drift, in nanoseconds per second, is from both restrictions, and its offset.
func (f *fitting) margin(drift float64) (margin, offset float64) {
	low, high := math.Inf(-1), math.Inf(1)
	for _, v := range f.below {
		high = min(high, v.y-drift*v.x)
	}
	for _, v := range f.above {
		low = max(low, v.y-drift*v.x)
	}
	switch {
	case math.IsInf(low, 0):
		return 0, high
	case math.IsInf(high, 0):
		return 0, low
	}
	return (high - low) / 2, (high + low) / 2
}

// fit finds the difference of the clocks from the points of all pairs.
func fit(pairs []*Pair, all []points) (c Clock) {
	var forth, back []point // from A to B, from B to A
	for i, p := range pairs {
		if !p.Placed {
			continue
		}
		toServer, toClient := all[i][0], all[i][1]
		if !p.AtClient {
			toServer, toClient = toClient, toServer
		}
		forth, back = append(forth, toServer...), append(back, toClient...)
	}
	c.Known = len(forth) > 0 && len(back) > 0
	if !c.Known {
		for i := range all {
			for _, list := range all[i] {
				forth = append(forth, list...)
			}
		}
	}
	if len(forth) == 0 {
		return c
	}
	first, last := forth[0].time, forth[0].time
	for _, list := range [][]point{forth, back} {
		for _, p := range list {
			first, last = min(first, p.time), max(last, p.time)
		}
	}
	c.Middle = first + (last-first)/2
	base := forth[0].more // so that floats are exact
	f := fitting{below: hull(forth, c.Middle, base, 1), above: hull(back, c.Middle, base, -1)}
	const perSecond = 1e9 // a drift of 1 in nanoseconds per second
	if c.Known {
		f.drift(&c, perSecond)
	}
	margin, offset := f.margin(c.Drift * perSecond)
	c.Offset = base + int64(math.Round(offset))
	c.Uncertainty, c.Stepped = int64(math.Round(max(margin, 0))), margin < 0
	return c
}

// drift finds the drift with the largest margin, which is a concave function of it: the middle of those that are
// equally good, and those that are possible.
func (f *fitting) drift(c *Clock, perSecond float64) {
	at := func(drift float64) float64 { m, _ := f.margin(drift * perSecond); return m }
	low, high := -maxDrift, maxDrift
	for range 100 {
		left, right := low+(high-low)/3, high-(high-low)/3
		if at(left) < at(right) {
			low = left
		} else {
			high = right
		}
	}
	best := (low + high) / 2
	most := at(best)
	const equal = 1 // nanosecond
	c.Drift = (edge(at, best, -maxDrift, most-equal) + edge(at, best, maxDrift, most-equal)) / 2
	c.DriftLow, c.DriftHigh = c.Drift, c.Drift
	if most >= 0 {
		c.DriftLow, c.DriftHigh = edge(at, best, -maxDrift, 0), edge(at, best, maxDrift, 0)
	}
}

// edge returns how far from one value towards another a concave function is at least as large as least.
func edge(of func(float64) float64, from, to, least float64) float64 {
	if of(to) >= least {
		return to
	}
	for range 100 {
		if middle := (from + to) / 2; of(middle) >= least {
			from = middle
		} else {
			to = middle
		}
	}
	return from
}

// hull returns the lower convex hull of points, or the upper one if side is -1.
func hull(points []point, middle, base int64, side float64) []vertex {
	points = slices.Clone(points)
	slices.SortFunc(points, func(x, y point) int { return compareTimes(x.time, y.time) })
	var h []vertex
	for _, p := range points {
		v := vertex{float64(p.time-middle) / 1e9, side * float64(p.more-base)}
		for n := len(h); n > 0; n = len(h) {
			last := h[n-1]
			if last.x == v.x && last.y >= v.y || n > 1 && cross(h[n-2], last, v) <= 0 {
				h = h[:n-1]
				continue
			}
			break
		}
		if n := len(h); n > 0 && h[n-1].x == v.x {
			continue // above the one that is there
		}
		h = append(h, v)
	}
	for i := range h {
		h[i].y *= side
	}
	return h
}

// cross is positive if the path from a over b to c turns left.
func cross(a, b, c vertex) float64 { return (b.x-a.x)*(c.y-a.y) - (b.y-a.y)*(c.x-a.x) }
