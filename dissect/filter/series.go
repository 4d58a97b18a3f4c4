package filter

import "github.com/q3dissect/q3dissect/dissect"

// A Series yields the values of a field, or of a function or calculation with fields. It has memory of its own and is
// for one goroutine.
type Series struct {
	operand operand
	state   evaluation
	yield   func(float64)
}

// Series compiles a field or calculation as filters have it. numbers means that its values have to be numbers. An error
// is an *Error.
func (n *Names) Series(text string, numbers bool) (*Series, error) {
	e, err := parse(text)
	if err != nil {
		return nil, err
	}
	b := builder{Names: n, filter: text}
	p, ok := e.(*presence)
	if !ok {
		return nil, b.fail(e, "want a field, or a calculation with fields")
	}
	x, fault := b.operand(p.expr)
	switch {
	case fault != nil:
		return nil, fault
	case numbers && x.kind != number && x.kind != boolean:
		return nil, b.fail(p.expr, "a number is expected here, and this is %s", kindWords[x.kind])
	}
	if p, ok := x.operand.(*path); ok {
		p.exists = false // the elements of an array are its values
	}
	return &Series{operand: x.operand}, nil
}

// Each calls yield with each value of a record, 0 for one that is no number.
func (s *Series) Each(rec *dissect.Record, yield func(float64)) {
	c := &s.state
	c.rec, c.tree, c.from, c.to = rec, rec.Tree, 0, len(rec.Tree.Nodes)
	c.hasInfo, c.scratch, s.yield = false, c.scratch[:0], yield
	s.operand.each(c, s)
}

// take is the visitor of the operand.
func (s *Series) take(v *value) bool {
	switch v.kind {
	case isBool, isInt, isUint, isFloat, isFloat32, isNano:
		s.yield(v.float())
	default:
		s.yield(0)
	}
	return false
}
