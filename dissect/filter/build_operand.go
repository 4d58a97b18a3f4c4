package filter

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/fieldpath"
	"github.com/q3dissect/q3dissect/dissect/internal/wireshark"
)

// A side is an operand that has been built.
type side struct {
	operand
	term
	facts facts
	cost  int
}

// operand builds an expression with values for each record. A constant is an error here.
func (b *builder) operand(e expr) (*side, *Error) {
	switch e := e.(type) {
	case *word:
		return b.field(e)
	case *call:
		return b.call(e)
	case *slice:
		x, err := b.operand(e.x)
		if err != nil {
			return nil, err
		}
		if x.kind != textual && x.kind != binary {
			return nil, b.fail(e.x, "a slice is cut out of text or bytes, and this is %s", kindWords[x.kind])
		}
		x.operand = &mapped{operand: x.operand, change: sliceOf(e.parts)}
		x.words = nil
		x.cost += 2
		return x, nil
	case *arithmetic:
		return b.arithmetic(e)
	}
	return nil, b.fail(e, "a field is expected here, not a constant")
}

func (b *builder) field(w *word) (*side, *Error) {
	r, ok := b.find(w.text)
	if !ok {
		message := b.unknownField(w)
		if message == "" {
			message = fmt.Sprintf("unknown field %s", quoteIfOdd(w.text))
		}
		return nil, b.fail(w, "%s", message)
	}
	s := &side{term: term{kind: r.kind, ref: r, words: b.wordsOf(r)}, facts: dissection, cost: 4 + 2*len(r.Keys)}
	if h := r.head; h != nil {
		b.link, b.raw = b.link || h.link, b.raw || h.raw
		if note := wireshark.Note(w.text); note != "" {
			b.notes = append(b.notes, note)
		}
		s.operand, s.facts, s.cost, s.unit = member{h}, h.facts, 1+h.cost, h.unit
		return s, nil
	}
	b.framing = b.framing || r.Framing()
	p := newPath(r)
	p.exists = r.kind == object && r.Aspect == fieldpath.Itself
	s.operand = p
	if r.Aspect == fieldpath.Itself && r.kind == number {
		s.unit = unitOf(r.Fields)
		named := func(f *dissect.Field) bool { return fieldpath.Named(fieldpath.Innermost(f)) }
		s.named = slices.ContainsFunc(r.Fields, named)
	}
	return s, nil
}

// incomplete is the key of what inputs did not give.
const incomplete = "incomplete"

// unknownField returns the error for an unknown name, with the nearest known one; nil if none is similar.
func (b *builder) unknownField(w *word) string {
	switch w.text {
	case "positions", "file_error", incomplete:
		if _, ok := b.find("complete"); ok && w.text == incomplete {
			return w.text + " is of the whole output; did you mean not complete?"
		}
		return w.text + " is only in JSON output, filters do not see it"
	case "player", "name", "nick", "who":
		for _, path := range [...]string{"client.name", "players.name", "names"} {
			if _, ok := b.find(path); ok {
				return fmt.Sprintf("unknown field %s; did you mean %s?", w.text, path)
			}
		}
		if elsewhere := b.elsewhere("client.name"); elsewhere != "" {
			return fmt.Sprintf("unknown field %s; %s", w.text, elsewhere)
		}
	}
	if elsewhere := b.elsewhere(w.text); elsewhere != "" {
		if best := b.nearest(w.text); strings.HasSuffix(best, "."+w.text) {
			elsewhere += fmt.Sprintf("; or did you mean %s?", best)
		}
		return elsewhere
	}
	if why := wireshark.Foreign(w.text); why != "" {
		return fmt.Sprintf("unknown field %s: %s", w.text, why)
	}
	if kind := b.eventKind(w.text); kind != "" {
		return kind
	}
	if best := b.nearest(w.text); best != "" {
		return fmt.Sprintf("unknown field %s; did you mean %s?", quoteIfOdd(w.text), best)
	}
	if fieldLike(w.text) {
		return fmt.Sprintf("unknown field %s", w.text)
	}
	return ""
}

// arithmetic builds a calculation. One side can be a constant.
func (b *builder) arithmetic(e *arithmetic) (*side, *Error) {
	if e.l == nil {
		zero := &side{operand: constant{integerLiteral(0)}, term: term{kind: number}}
		r, err := b.numeric(e.r, nil)
		if err != nil {
			return nil, err
		}
		return calculated("-", zero, r), nil
	}
	var l, r *side
	var err *Error
	if b.isConstant(e.l) && !b.isConstant(e.r) {
		if r, err = b.numeric(e.r, nil); err == nil {
			l, err = b.numeric(e.l, r)
		}
	} else if l, err = b.numeric(e.l, nil); err == nil {
		r, err = b.numeric(e.r, l)
	}
	if err != nil {
		return nil, err
	}
	return calculated(e.op, l, r), nil
}

func calculated(op string, l, r *side) *side {
	return &side{
		operand: &calculation{op: op, l: l.operand, r: r.operand}, term: term{kind: number, unit: cmp.Or(l.unit, r.unit)},
		facts: l.facts | r.facts, cost: l.cost + r.cost + 2,
	}
}

// numeric builds an operand that is a number; a constant is allowed beside another operand.
func (b *builder) numeric(e expr, beside *side) (*side, *Error) {
	if beside != nil && b.isConstant(e) {
		l, _, err := b.constantFor(e, &term{kind: number, unit: beside.unit})
		if err != nil {
			return nil, err
		}
		return &side{operand: constant{l}, term: term{kind: number}}, nil
	}
	x, err := b.operand(e)
	if err == nil && x.kind != number {
		err = b.fail(e, "a number is expected here, and this is %s", kindWords[x.kind])
	}
	return x, err
}

// isConstant reports whether an operand is a constant: a text, or a word that does not name a field.
func (b *builder) isConstant(e expr) bool {
	switch e := e.(type) {
	case *text:
		return true
	case *word:
		if e.minus {
			return true
		}
		_, ok := b.find(e.text)
		return !ok
	}
	return false
}
