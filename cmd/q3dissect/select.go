package main

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
)

// A frameSet is the value of --frames: spans of packet numbers, in order and apart from each other.
type frameSet []frameSpan

type frameSpan struct{ first, last uint64 }

var errFrames = errors.New("want numbers and ranges from 1 on, as in 100-200,1042 or 5000-")

// parseFrames reads 100-200,1042. A range without its first number begins with 1, one without its last
// goes on to the end.
func parseFrames(s string) (frameSet, error) {
	var set frameSet
	for part := range strings.SplitSeq(s, ",") {
		first, last, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if first == "" && last == "" {
			return nil, errFrames
		}
		span := frameSpan{1, math.MaxUint64}
		var err1, err2 error
		if first != "" {
			span.first, err1 = strconv.ParseUint(first, 10, 64)
		}
		if !isRange {
			span.last = span.first
		} else if last != "" {
			span.last, err2 = strconv.ParseUint(last, 10, 64)
		}
		if err1 != nil || err2 != nil || span.first == 0 || span.last < span.first {
			return nil, errFrames
		}
		set = append(set, span)
	}
	return mergeSpans(set), nil
}

// mergeSpans sorts spans and joins those that overlap.
func mergeSpans(set frameSet) frameSet {
	slices.SortFunc(set, func(a, b frameSpan) int { return cmp.Compare(a.first, b.first) })
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

// contains reports whether a packet is selected; every one is in the empty set.
func (s frameSet) contains(frame uint64) bool {
	if len(s) == 0 {
		return true
	}
	i, exact := slices.BinarySearchFunc(s, frame, func(s frameSpan, f uint64) int { return cmp.Compare(s.first, f) })
	return exact || i > 0 && frame <= s[i-1].last
}

// last is the last packet selected.
func (s frameSet) last() uint64 {
	if len(s) == 0 {
		return math.MaxUint64
	}
	return s[len(s)-1].last
}

// A stop says when enough of an input has been read: after -c packets, or when no packet of --frames
// can change any more.
type stop struct {
	packets uint64 // of this input
	frame   uint64 // last one selected
	newest  int64  // time of any datagram up to that frame
	dated   bool   // newest is known
}

// A record waits for later packets no longer than the contract's second of capture time. With this much
// more behind the last selected one, reading on cannot change it.
const afterglow = int64(2 * time.Second)

// after reports whether p is the last packet to be read.
func (s *stop) after(p *dissect.Packet) bool {
	if p.Frame >= s.packets {
		return true
	}
	if !p.UDP || !p.HasTime {
		return false
	}
	if p.Frame <= s.frame {
		if !s.dated || p.Time > s.newest {
			s.newest, s.dated = p.Time, true
		}
		return false
	}
	return s.dated && p.Time > s.newest && uint64(p.Time)-uint64(s.newest) > uint64(afterglow)
}
