package outliers

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect/extract"
)

// leastStrafed is how many moments of a flight must show where the keys push.
const leastStrafed = 5

// A strafing is how far the keys pushed from the best direction in a flight: without the jump key, and with it.
type strafing struct {
	sum [2]float64
	n   int
}

// add adds a moment in the air.
func (s *strafing) add(in *extract.Input) {
	if !in.HasStrafe || in.Ground {
		return
	}
	for i, off := range in.Strafe {
		s.sum[i] += math.Abs(float64(off))
	}
	s.n++
}

// mean returns the mean distance, for the state of the jump key that makes it smaller.
func (s *strafing) mean() float64 { return min(s.sum[0], s.sum[1]) / float64(s.n) }

// paceSpan is the time over which the pace of commands is measured, in milliseconds.
const paceSpan = 2_000

// A pace counts the intervals between the commands of a span of time, in milliseconds.
type pace struct {
	passed int64
	n      int
	counts [101]int // the last one: longer ones
	usual  int      // the most frequent one of the last span that had a pace; 0: none
}

// pace adds an interval.
func (p *player) pace(passed int64, at Moment) {
	f := &p.frames
	f.counts[min(passed, int64(len(f.counts)-1))]++
	f.n++
	if f.passed += passed; f.passed < paceSpan {
		return
	}
	usual := 1
	for ms := range f.counts {
		if ms > 0 && f.counts[ms] > f.counts[usual] {
			usual = ms
		}
	}
	before := f.usual
	share := 100 * float64(f.counts[usual]) / float64(f.n)
	*f = pace{usual: before}
	const leastShare = 25 // percent: fewer show no pace
	if usual == len(f.counts)-1 || share < leastShare {
		return
	}
	f.usual = usual
	p.put(frameRate, at, math.Floor(1000/float64(usual)))
	p.put(frameShare, at, share)
	if before > 0 {
		p.put(frameStep, at, 100*math.Abs(float64(usual-before))/float64(before))
	}
}
