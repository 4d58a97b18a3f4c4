package view

import "math"

// A histogram counts numbers from 0 in bins whose width grows with the numbers: 64 bins for every power of two,
// so that whole numbers to 128 have one each and every bin is narrower than a sixty-fourth of its numbers. It
// takes the memory of the bins between the smallest and the largest number.
type histogram struct {
	spread
	first int      // number of the lowest bin
	bins  []uint32 // from the lowest bin in use to the highest; none counts beyond its type
}

const (
	binsPerOctave = 64
	leastOctave   = -10 // smaller numbers than 2^-10 are in bin 0
	mostOctave    = 40
)

// binOf returns the number of a bin.
func binOf(v float64) int {
	if !(v >= 1.0/(1<<-leastOctave)) {
		return 0
	}
	fraction, exponent := math.Frexp(v) // v is fraction times 2 to the exponent, and the fraction at least a half
	exponent = min(exponent-1, mostOctave)
	return 1 + (exponent-leastOctave)*binsPerOctave + min(int((fraction*2-1)*binsPerOctave), binsPerOctave-1)
}

// binStart returns the least number of a bin.
func binStart(bin int) float64 {
	if bin == 0 {
		return 0
	}
	octave, part := (bin-1)/binsPerOctave+leastOctave, (bin-1)%binsPerOctave
	return math.Ldexp(1+float64(part)/binsPerOctave, octave)
}

// put counts a number.
func (h *histogram) put(v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
		return
	}
	h.add(v)
	bin := binOf(v)
	switch {
	case h.bins == nil:
		h.first = bin
	case bin < h.first:
		h.bins = append(make([]uint32, h.first-bin, h.first-bin+len(h.bins)), h.bins...)
		h.first = bin
	}
	for bin >= h.first+len(h.bins) {
		h.bins = append(h.bins, 0)
	}
	if n := &h.bins[bin-h.first]; *n < math.MaxUint32 {
		*n++
	}
}

// quantile returns the number that a share of all numbers, in percent, does not exceed, as the least number of
// its bin; the smallest and the largest are exact. It returns nil if there are none.
func (h *histogram) quantile(percent uint64) any {
	if h.n == 0 {
		return nil
	}
	rank := max(1, (h.n*percent+99)/100) // of the number that is looked for, from 1
	seen := uint64(0)
	for i, n := range h.bins {
		if seen += uint64(n); seen >= rank {
			return round(min(max(binStart(h.first+i), h.min), h.max), 3)
		}
	}
	return round(h.max, 3)
}
