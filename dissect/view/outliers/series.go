package outliers

import (
	"slices"
	"sort"
)

// Limits of a series.
const (
	maxSample   = 8192 // values for percentiles
	maxExtremes = 256  // values for ranks
	maxMoments  = 10
	apart       = 1000 // ms of the game's clock between two moments of a measure
)

// A Moment is where a measure had a value.
type Moment struct {
	Frame uint64 // or number of the message in a demo
	Time  int64  // of the capture, in nanoseconds since the first packet of the file
	Game  int64  // the game's clock, in milliseconds
	Value float64

	HasTime bool
}

// A series are the values of one measure of one player: an even sample of them all, and the most unusual ones.
type series struct {
	count    int64
	stride   int64 // every one of stride values is in the sample
	sample   []float32
	sorted   bool     // sample is, and gets no more values
	extremes []Moment // the most unusual first
}

// before reports whether a value is more unusual than another.
func (s Side) before(a, b float64) bool {
	if s == Low {
		return a < b
	}
	return a > b
}

// add adds a value.
func (s *series) add(side Side, m Moment) {
	if s.stride == 0 {
		s.stride = 1
	}
	if s.count%s.stride == 0 {
		if len(s.sample) == maxSample {
			s.halve()
		}
		if s.count%s.stride == 0 {
			s.sample = append(s.sample, float32(m.Value))
		}
	}
	s.count++
	if n := len(s.extremes); n < maxExtremes || side.before(m.Value, s.extremes[n-1].Value) {
		i := sort.Search(n, func(i int) bool { return side.before(m.Value, s.extremes[i].Value) })
		s.extremes = slices.Insert(s.extremes[:min(n, maxExtremes-1)], i, m)
	}
}

// halve drops every other value of the sample.
func (s *series) halve() {
	for i := range s.sample[:maxSample/2] {
		s.sample[i] = s.sample[2*i]
	}
	s.sample, s.stride = s.sample[:maxSample/2], s.stride*2
}

// moments returns the most unusual moments. Those less than a second from a more unusual one are left out.
func (s *series) moments() (list []Moment) {
	for _, m := range s.extremes {
		if !slices.ContainsFunc(list, func(o Moment) bool { return max(o.Game-m.Game, m.Game-o.Game) < apart }) {
			list = append(list, m)
		}
		if len(list) == maxMoments {
			break
		}
	}
	return list
}

// sort sorts the sample. No value may be added afterwards.
func (s *series) sort() {
	if !s.sorted {
		slices.Sort(s.sample)
		s.sorted = true
	}
}

// percentile returns the value that a share of all values does not exceed.
func (s *series) percentile(percent int) float64 {
	s.sort()
	return float64(s.sample[max(0, (len(s.sample)*percent+99)/100-1)])
}

// above returns how many values are more unusual than one: exactly up to maxExtremes, then as the sample has it.
func (s *series) above(side Side, value float64) int64 {
	n := s.extremesAbove(side, value)
	if n < maxExtremes {
		return int64(n)
	}
	s.sort()
	n = sort.Search(len(s.sample), func(i int) bool { return float64(s.sample[i]) >= value })
	if side == High {
		n = len(s.sample) - sort.Search(len(s.sample), func(i int) bool { return float64(s.sample[i]) > value })
	}
	return max(maxExtremes, int64(n)*s.stride)
}

// extremesAbove returns how many extremes are more unusual than a value. Every moment is ranked among the values of all
// players: sort.Search takes three times as long.
func (s *series) extremesAbove(side Side, value float64) int {
	from, to := 0, len(s.extremes)
	for from < to {
		if half := (from + to) / 2; side.before(s.extremes[half].Value, value) {
			from = half + 1
		} else {
			to = half
		}
	}
	return from
}
