package dissecttest

import (
	"bytes"
	"math"
	"math/bits"
	"unicode/utf8"

	"github.com/q3dissect/q3dissect/dissect"
)

// A Novelty finds the records that have something which none before had: a path, a kind of value (a sign, a width, a
// named number, text that is not UTF-8), a number of elements. A schema that accepts these records accepts the others
// too: all that it requires can be seen in one field and the container around it. The zero value is ready.
type Novelty struct {
	paths map[step]int
	seen  map[aspect]uint8
}

// A step leads from a path to a field below it.
type step struct {
	from  int // number of a path, from 1; 0: the record
	field *dissect.Field
}

// An aspect is a path with a class of values, or an expert entry. Of the record as a whole it is the class alone.
type aspect struct {
	path   int
	expert string
	class  uint64
}

// enough is how many records with an aspect are new.
const enough = 3

// Add reports whether the record has something new, and remembers what it has.
func (n *Novelty) Add(rec *dissect.Record) bool {
	if n.seen == nil {
		n.paths, n.seen = make(map[step]int), make(map[aspect]uint8)
	}
	found := n.count(aspect{class: commonBits(rec)})
	for _, e := range rec.Experts {
		found = n.count(aspect{expert: e.Code, class: uint64(e.Severity)}) || found
	}
	for v := range rec.Tree.Top().Children() {
		found = n.value(0, v) || found
	}
	return found
}

func (n *Novelty) count(a aspect) bool {
	if n.seen[a] >= enough {
		return false
	}
	n.seen[a]++
	return true
}

func (n *Novelty) value(from int, v dissect.Value) bool {
	f := v.Field()
	path, known := n.paths[step{from, f}]
	if !known {
		path = len(n.paths) + 1
		n.paths[step{from, f}] = path
	}
	if !f.Kind.Container() {
		return n.count(aspect{path: path, class: class(v)})
	}
	found, children := false, uint64(0)
	for child := range v.Children() {
		found = n.value(path, child) || found
		children++
	}
	return n.count(aspect{path: path, class: min(children, 3)}) || found
}

// commonBits is the content of a record beside its tree, as bits.
func commonBits(rec *dissect.Record) uint64 {
	set := uint64(rec.Direction)
	for i, b := range [...]bool{
		len(rec.Payload) < rec.Length, len(rec.IPFragments) > 0, rec.HasTime, len(rec.Experts) > 1,
		rec.Damaged, rec.MessageDone, rec.Quote != nil,
	} {
		if b {
			set |= 1 << (8 + i)
		}
	}
	return set
}

// class divides the values of a field into those that are written alike.
func class(v dissect.Value) uint64 {
	n, f := v.Node(), v.Field()
	const named = 1 << 32
	switch f.Kind {
	case dissect.Bool:
		return n.Uint()
	case dissect.Uint, dissect.Int:
		if f.Enum != nil && !f.Enum.Mask && n.Uint() < named {
			return named | n.Uint()
		}
		return uint64(bits.Len64(n.Uint()) / 8)
	case dissect.Float:
		x := float64(n.Float())
		switch {
		case math.IsNaN(x):
			return 1
		case math.IsInf(x, 0):
			return 2
		case math.Signbit(x):
			return 3
		}
		return 0
	default:
		b := v.Bytes()
		set := uint64(min(len(b), 1))
		if !utf8.Valid(b) {
			set |= 2
		}
		if bytes.ContainsFunc(b, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' }) {
			set |= 4
		}
		return set
	}
}
