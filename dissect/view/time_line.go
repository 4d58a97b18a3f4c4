package view

import (
	"math"
	"strconv"
)

// lineParts is how many parts a time line has at most.
const lineParts = 30

// A timeLine counts over time, in parts of equal length: one second, or the least power of two of it with which
// there are not too many parts.
type timeLine struct {
	from, width int64
	counts      []uint64
}

func (l *timeLine) add(now int64) {
	if l.width == 0 {
		l.from, l.width = now, 1e9
	}
	for now-l.from >= lineParts*l.width {
		l.double()
	}
	part := max(0, int((now-l.from)/l.width)) // time stamps can go back
	for len(l.counts) <= part {
		l.counts = append(l.counts, 0)
	}
	l.counts[part]++
}

// double joins each two parts.
func (l *timeLine) double() {
	for i, n := range l.counts {
		l.counts[i] = 0
		l.counts[i/2] += n
	}
	l.counts = l.counts[:(len(l.counts)+1)/2]
	l.width *= 2
}

func (l *timeLine) known() bool    { return l.width > 0 }
func (l *timeLine) seconds() int64 { return l.width / 1e9 }

// String returns "12 0 0 3".
func (l *timeLine) String() string {
	var dst []byte
	for i, n := range l.counts {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = strconv.AppendUint(dst, n, 10)
	}
	return string(dst)
}

// sameVisit is how long after a query another belongs to the same visit: programs ask for two kinds of facts at once.
const sameVisit = 2e9

// polls are the gaps between visits.
type polls struct {
	last       int64
	known      bool
	gaps       uint64
	mean, sum2 float64 // of the gaps in seconds: mean, and sum of the squared deviations
}

func (p *polls) add(now int64) {
	gap := now - p.last
	if p.known && gap < sameVisit {
		p.last = max(p.last, now)
		return
	}
	if p.known {
		p.gaps++
		x := float64(gap) / 1e9
		d := x - p.mean
		p.mean += d / float64(p.gaps)
		p.sum2 += d * (x - p.mean)
	}
	p.last, p.known = now, true
}

// regular reports whether the visits come at a steady pace.
func (p *polls) regular() bool {
	return p.gaps >= 4 && math.Sqrt(p.sum2/float64(p.gaps)) <= p.mean/4
}
