package view

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
)

// A quantile is below the exact one by less than a sixty-fourth, and exact where numbers are whole and small.
func TestHistogram(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		whole := rapid.Bool().Draw(t, "whole")
		values := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) float64 {
			if whole {
				return float64(rapid.IntRange(0, 128).Draw(t, "whole"))
			}
			return rapid.Float64Range(0, 1e12).Draw(t, "value")
		}), 1, 200).Draw(t, "values")
		var h histogram
		sum := 0.0
		for _, v := range values {
			h.put(v)
			sum += v
		}
		slices.Sort(values)
		for _, percent := range []uint64{1, 5, 50, 95, 99, 100} {
			exact := values[int(math.Ceil(float64(len(values))*float64(percent)/100))-1]
			got, _ := h.quantile(percent).(float64)
			if got > exact+0.0006 || got < exact-exact/binsPerOctave-0.0016 || whole && got != exact {
				t.Fatalf("%d %% of %v: %v, exactly %v", percent, values, got, exact)
			}
		}
		if h.n != uint64(len(values)) || h.sum != sum && math.Abs(h.sum-sum) > 1e-9*sum || h.min != values[0] ||
			h.max != values[len(values)-1] {
			t.Fatalf("%+v", h.spread)
		}
	})
}

// NaN is not counted, and too large numbers are in the last bin.
func TestHistogramOfOddNumbers(t *testing.T) {
	t.Parallel()
	var h histogram
	if h.quantile(50) != nil {
		t.Error("a quantile of nothing")
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1} {
		h.put(v)
	}
	if h.n != 0 {
		t.Errorf("%+v", h)
	}
	h.put(math.MaxFloat64)
	h.put(0)
	if most := 1 + (mostOctave-leastOctave+1)*binsPerOctave; h.n != 2 || len(h.bins) > most {
		t.Errorf("%d numbers in %d bins, want at most %d", h.n, len(h.bins), most)
	}
	for bin := range 3000 {
		if got := binOf(binStart(bin)); got != bin {
			t.Fatalf("bin %d begins at %v, which is in %d", bin, binStart(bin), got)
		}
	}
}
