package filter

import (
	"strconv"
	"strings"
)

// A span is a part of the filter's text, in bytes.
type span struct{ from, to int }

// A quantifier is for how many values a test must be true.
type quantifier uint8

const (
	byOperator quantifier = iota
	ofAny
	ofAll
)

// The parts of a filter as written. Conditions are *logic, *negation, *test, *membership and *presence;
// operands are *word, *text, *call, *slice and *arithmetic.
type (
	expr interface{ place() span }

	logic struct {
		span
		op   string // && || ^^
		l, r expr
	}
	negation struct {
		span
		x expr
	}
	test struct {
		span
		quantifier quantifier
		op         string
		l, r       expr
	}
	membership struct {
		span
		quantifier quantifier
		x          expr
		set        []element
	}
	presence struct{ expr } // an operand alone

	word struct { // a field or a literal
		span
		text  string
		minus bool
	}
	text struct {
		span
		text string
		char bool
	}
	call struct {
		span
		name string
		args []expr
	}
	slice struct {
		span
		x     expr
		parts []part
	}
	arithmetic struct {
		span
		op   string // + - * / % &
		l, r expr   // l is nil for a sign
	}
)

// An element of a set: a value, or a range with both ends.
type element struct{ from, to expr }

// A part of a slice: bytes from from up to but not including to. Negative numbers count from the end; without
// hasTo it extends to the end.
type part struct {
	from, to int
	hasTo    bool
}

func (s span) place() span { return s }

// parseSlice reads the text between the brackets of a slice.
func parseSlice(s string) ([]part, bool) {
	var parts []part
	for one := range strings.SplitSeq(s, ",") {
		p, ok := parsePart(strings.TrimSpace(one))
		if !ok {
			return nil, false
		}
		parts = append(parts, p)
	}
	return parts, true
}

// parsePart reads i:j (j bytes from i on), i-j (i to j), i: :j and i. Numbers below zero count from the end.
func parsePart(s string) (part, bool) {
	const limit = 1 << 30
	number := func(s string) (int, bool) {
		v, err := strconv.Atoi(strings.TrimSpace(s))
		return v, err == nil && v > -limit && v < limit
	}
	if from, length, ok := strings.Cut(s, ":"); ok {
		p := part{}
		good := true
		if from != "" {
			p.from, good = number(from)
		}
		if length == "" || !good {
			return p, good && from != ""
		}
		n, ok := number(length)
		p.to, p.hasTo = p.from+n, p.from+n != 0 || p.from >= 0
		return p, ok && n > 0 && (p.from >= 0 || p.to <= 0)
	}
	if i := strings.IndexByte(s[min(1, len(s)):], '-'); i >= 0 {
		from, ok1 := number(s[:i+1])
		to, ok2 := number(s[i+2:])
		p := part{from, to + 1, to != -1}
		return p, ok1 && ok2 && (from < 0) == (to < 0) && to >= from
	}
	from, ok := number(s)
	return part{from, from + 1, from != -1}, ok
}
