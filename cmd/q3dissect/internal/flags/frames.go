package flags

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Frames is the value of --frames: disjoint ranges of packet numbers, in order.
type Frames []Span

// A Span is a range of packet numbers, both ends included.
type Span struct{ first, last uint64 }

var errFrames = errors.New("want numbers and ranges, as in 100-200,1042 or 5000-")

// ParseFrames parses 100-200,1042. A range without its first number begins with 0, which is the first message of a
// recording, one without its last is unlimited.
func ParseFrames(s string) (Frames, error) {
	var set Frames
	for part := range strings.SplitSeq(s, ",") {
		first, last, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if first == "" && last == "" {
			return nil, errFrames
		}
		span := Span{0, math.MaxUint64}
		var err1, err2 error
		if first != "" {
			span.first, err1 = strconv.ParseUint(first, 10, 64)
		}
		if !isRange {
			span.last = span.first
		} else if last != "" {
			span.last, err2 = strconv.ParseUint(last, 10, 64)
		}
		if err1 != nil || err2 != nil {
			return nil, errFrames
		}
		if span.last < span.first {
			return nil, fmt.Errorf("%d is after %d: %d-%d?", span.first, span.last, span.last, span.first)
		}
		set = append(set, span)
	}
	return mergeSpans(set), nil
}

// mergeSpans sorts spans and joins those that overlap.
func mergeSpans(set Frames) Frames {
	slices.SortFunc(set, func(a, b Span) int { return cmp.Compare(a.first, b.first) })
	merged := set[:1]
	for _, s := range set[1:] {
		if top := &merged[len(merged)-1]; s.first <= top.last {
			top.last = max(top.last, s.last)
		} else {
			merged = append(merged, s)
		}
	}
	return merged
}

// Contains reports whether a packet is selected; the empty set selects all.
func (s Frames) Contains(frame uint64) bool {
	if len(s) == 0 {
		return true
	}
	i, exact := slices.BinarySearchFunc(s, frame, func(s Span, f uint64) int { return cmp.Compare(s.first, f) })
	return exact || i > 0 && frame <= s[i-1].last
}

// Last is the last packet selected.
func (s Frames) Last() uint64 {
	if len(s) == 0 {
		return math.MaxUint64
	}
	return s[len(s)-1].last
}

// String returns the default value.
func (s *Frames) String() string { return "" }

// Set adds packets: several --frames are combined.
func (s *Frames) Set(value string) error {
	more, err := ParseFrames(value)
	if err != nil {
		return err
	}
	*s = mergeSpans(append(*s, more...))
	return nil
}

// Type is what completions call the value.
func (s *Frames) Type() string { return "LIST" }
