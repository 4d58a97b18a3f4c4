package compare

import (
	"cmp"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// A journey is a datagram near the sender, and where it arrived: an index in the receiver's list; -1: nowhere.
type journey struct {
	datagram
	arrived int
	delay   int64
}

// path compares one direction of a pair; nil if neither place has a datagram of it.
func (r *Result) path(p *Pair, d dissect.Direction) *Path {
	from := index(d)
	fromA := p.AtClient == (d == dissect.ClientToServer)
	near, far := p.A.sent[from], p.B.sent[from]
	nearPlace, farPlace := r.A, r.B
	if !fromA {
		near, far, nearPlace, farPlace = far, near, farPlace, nearPlace
	}
	if len(near) == 0 && len(far) == 0 {
		return nil
	}
	path := &Path{Direction: d, FromA: fromA, letters: [2]string{r.A.Letter, r.B.Letter}}
	// From here on every time is one of A's clock.
	sent := make([]journey, len(near))
	for i, n := range near {
		sent[i] = journey{datagram: n, arrived: -1}
		if !fromA {
			sent[i].time = r.Clock.ToA(n.time)
		}
	}
	got := slices.Clone(far)
	if fromA {
		for i := range got {
			got[i].time = r.Clock.ToA(got[i].time)
		}
	}
	sortByTime := func(x, y datagram) int { return compareTimes(x.time, y.time) }
	slices.SortStableFunc(sent, func(x, y journey) int { return sortByTime(x.datagram, y.datagram) })
	slices.SortStableFunc(got, sortByTime)
	extra := match(sent, got, r.Clock.Uncertainty)
	path.count(sent, got, extra, r.span(nearPlace), r.span(farPlace))
	path.Pauses = pauses(sent, r.loading(p))
	return path
}

// A span is the time in which a capture ran, by the clock of A.
type span struct{ from, to int64 }

func (s span) has(t int64) bool { return t >= s.from && t <= s.to }

func (r *Result) span(p *Place) span {
	if p == r.B {
		return span{r.Clock.ToA(p.first), r.Clock.ToA(p.last)}
	}
	return span{p.first, p.last}
}

// neighbours is how many equal datagrams on each side are tried for one that arrived: more are a flood, where it does
// not matter which is which.
const neighbours = 32

// match finds for each datagram that arrived the one that was sent. Of several equal ones it takes that whose delay is
// nearest to what is usual, if delays vary so much: else the datagram is another copy of one that arrived. It returns
// the indices in got of those that nothing was left for.
func match(sent []journey, got []datagram, uncertainty int64) (extra []int) {
	equal := map[identity][]int{} // indices in sent, in the order of time
	for i := range sent {
		equal[sent[i].id] = append(equal[sent[i].id], i)
	}
	usual, spread := usualDelay(sent, got, equal)
	slack := uncertainty + int64(1e6) // a millisecond for clocks that are not steady
	for k := range got {
		candidates := equal[got[k].id]
		target := got[k].time - usual
		at, _ := slices.BinarySearchFunc(candidates, target,
			func(i int, t int64) int { return compareTimes(sent[i].time, t) })
		best := -1
		for n := max(0, at-neighbours); n < min(len(candidates), at+neighbours); n++ {
			i := candidates[n]
			late := abs(sent[i].time - target)
			if sent[i].arrived >= 0 || len(candidates) > 1 && (sent[i].time > got[k].time+slack || late > spread+slack) {
				continue
			}
			if best < 0 || late < abs(sent[best].time-target) {
				best = i
			}
		}
		if best < 0 {
			extra = append(extra, k)
			continue
		}
		sent[best].arrived, sent[best].delay = k, got[k].time-sent[best].time
	}
	return extra
}

// usualDelay is the median delay of the datagrams that are at both places once, and the most that one differs from it.
func usualDelay(sent []journey, got []datagram, equal map[identity][]int) (usual, spread int64) {
	seen := make(map[identity]int, len(got))
	for k := range got {
		seen[got[k].id]++
	}
	var delays []int64
	for k := range got {
		if c := equal[got[k].id]; len(c) == 1 && seen[got[k].id] == 1 {
			delays = append(delays, got[k].time-sent[c[0]].time)
		}
	}
	usual = median(delays)
	if n := len(delays); n > 0 {
		spread = max(usual-delays[0], delays[n-1]-usual)
	}
	return usual, spread
}

// count fills in the figures.
func (p *Path) count(sent []journey, got []datagram, extra []int, near, far span) {
	known := map[identity]bool{} // of those that arrived
	var delays []int64
	for i := range sent {
		if sent[i].arrived >= 0 {
			known[sent[i].id] = true
			delays = append(delays, sent[i].delay)
		}
	}
	p.Delay = describe(sent, delays)
	seconds := newSeconds()
	newest := -1
	var burst *Burst
	lastSent := int64(0)
	for i := range sent {
		j := &sent[i]
		if j.arrived < 0 && !far.has(j.time+p.Delay.Median) {
			p.Outside++
			burst = nil
			continue
		}
		if p.Sent == 0 {
			p.First = j.time
		} else {
			seconds.at(j.time).gap(j.time - lastSent)
		}
		p.Sent, p.Last, lastSent = p.Sent+1, j.time, j.time
		second := seconds.at(j.time)
		second.Sent++
		if j.arrived < 0 {
			p.Lost++
			second.Lost++
			p.LostFrames = append(p.LostFrames, j.frame)
			if burst == nil {
				p.Bursts = append(p.Bursts, Burst{Time: j.time})
				burst = &p.Bursts[len(p.Bursts)-1]
			}
			burst.Until, burst.Frames = j.time, append(burst.Frames, j.frame)
			continue
		}
		burst = nil
		p.Arrived++
		second.delays = append(second.delays, j.delay)
		if j.arrived < newest {
			p.Reordered++
			second.Reordered++
		}
		newest = max(newest, j.arrived)
	}
	for _, k := range extra {
		switch {
		case known[got[k].id]:
			p.Duplicated++
			seconds.at(got[k].time-p.Delay.Median).Duplicated++
		case near.has(got[k].time - p.Delay.Median):
			p.Uncaptured++
			p.UncapturedFrames = append(p.UncapturedFrames, got[k].frame)
		default:
			p.Outside++
		}
	}
	slices.Sort(p.LostFrames)
	slices.Sort(p.UncapturedFrames)
	p.Seconds = seconds.list()
	p.Queues = p.findQueues()
}

// describe returns the figures of delays, which it sorts.
func describe(sent []journey, delays []int64) (d Delay) {
	if len(delays) == 0 {
		return d
	}
	steps, sum, before := int64(0), int64(0), int64(-1)
	order := slices.Clone(sent)
	slices.SortStableFunc(order, func(x, y journey) int { return cmp.Compare(x.arrived, y.arrived) })
	for i := range order {
		if order[i].arrived < 0 {
			continue
		}
		if before >= 0 {
			sum += abs(order[i].delay - order[before].delay)
			steps++
		}
		before = int64(i)
	}
	if steps > 0 {
		d.Jitter = sum / steps
	}
	slices.Sort(delays)
	d.Min, d.Median, d.Max = delays[0], delays[len(delays)/2], delays[len(delays)-1]
	d.P99 = delays[min(len(delays)*99/100, len(delays)-1)]
	return d
}

// A pause is at least pauseLength long, in nanoseconds, and pauseFactor times as long as is usual.
const (
	pauseLength = 250e6
	pauseFactor = 4
)

// pauses returns when the sender sent nothing for long, other than while the client connected or loaded a map.
func pauses(sent []journey, loading []span) (list []Pause) {
	intervals := make([]int64, 0, len(sent))
	for i := 1; i < len(sent); i++ {
		intervals = append(intervals, sent[i].time-sent[i-1].time)
	}
	least := max(pauseLength, pauseFactor*median(slices.Clone(intervals)))
	for i, length := range intervals {
		if length >= least && !overlaps(loading, span{sent[i].time, sent[i].time + length}) {
			list = append(list, Pause{sent[i].time, length})
		}
	}
	return list
}

// overlaps reports whether one of the spans has a moment of another one.
func overlaps(list []span, one span) bool {
	return slices.ContainsFunc(list, func(s span) bool { return s.from <= one.to && one.from < s.to })
}

// seconds collects what happened in each second.
type seconds struct{ by map[int64]*second }

type second struct {
	Second
	delays []int64
}

func (s *second) gap(length int64) { s.LongestGap = max(s.LongestGap, length) }

func newSeconds() seconds { return seconds{map[int64]*second{}} }

// at returns the second that a time is in.
func (s seconds) at(t int64) *second {
	const length = 1e9
	begin := t - ((t%length)+length)%length
	one := s.by[begin]
	if one == nil {
		one = &second{Second: Second{Time: begin}}
		s.by[begin] = one
	}
	return one
}

// list returns the seconds in order.
func (s seconds) list() []Second {
	list := make([]Second, 0, len(s.by))
	for _, one := range s.by {
		if n := len(one.delays); n > 0 {
			slices.Sort(one.delays)
			one.DelayMin, one.DelayMedian, one.DelayMax = one.delays[0], one.delays[n/2], one.delays[n-1]
		}
		list = append(list, one.Second)
	}
	slices.SortFunc(list, func(x, y Second) int { return compareTimes(x.Time, y.Time) })
	return list
}

// queueDelay is how much longer than usual the median delay of a second is when datagrams queue, in nanoseconds.
const queueDelay = 100e6

// findQueues returns the runs of seconds with long delays.
func (p *Path) findQueues() (list []Queue) {
	before := int64(0)
	for _, s := range p.Seconds {
		if s.DelayMedian < p.Delay.Median+queueDelay {
			continue
		}
		if n := len(list); n == 0 || s.Time-before > 1e9 {
			list = append(list, Queue{Time: s.Time})
		}
		last := &list[len(list)-1]
		last.Until, last.DelayMax = s.Time, max(last.DelayMax, s.DelayMax)
		before = s.Time
	}
	return list
}
