package filter

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/internal/fieldpath"
)

// A builder checks a filter and creates the nodes that evaluate it. Nodes have memory of their own, so each
// goroutine needs a set: building a checked filter again cannot fail.
type builder struct {
	*Names
	filter  string
	link    bool // a field of the link layer is named
	framing bool // a field that frames others is named
	raw     bool // a field of the packet of the file is named
	notes   []string
}

func (b *builder) fail(e expr, format string, args ...any) *Error {
	at := e.place()
	return &Error{b.filter, at.from, at.to, fmt.Sprintf(format, args...)}
}

// condition builds a node.
func (b *builder) condition(e expr) (node, *Error) {
	switch e := e.(type) {
	case *logic:
		return b.logic(e)
	case *negation:
		n, err := b.condition(e.x)
		return &opposite{n}, err
	case *test:
		return b.test(e)
	case *membership:
		return b.membership(e)
	case *presence:
		return b.presence(e)
	}
	panic("filter: not a condition") // the parser creates no others
}

// logic joins conditions. A sequence with the same operator is one node.
func (b *builder) logic(e *logic) (node, *Error) {
	l, err := b.condition(e.l)
	if err != nil {
		return nil, err
	}
	r, err := b.condition(e.r)
	if err != nil {
		return nil, err
	}
	if e.op == "^^" {
		return &exclusive{l, r}, nil
	}
	j := &junction{or: e.op == "||"}
	for _, n := range []node{l, r} {
		if same, ok := n.(*junction); ok && same.or == j.or {
			j.nodes = append(j.nodes, same.nodes...)
		} else {
			j.nodes = append(j.nodes, n)
		}
	}
	for _, n := range j.nodes {
		j.cost += n.price()
	}
	slices.SortStableFunc(j.nodes, func(a, b node) int { return cmp.Compare(a.price(), b.price()) })
	return j, nil
}

// mirrored maps operators to those with the sides exchanged.
var mirrored = map[string]string{
	"==": "==", "===": "===", "!=": "!=", "!==": "!==", ">": "<", "<": ">", ">=": "<=", "<=": ">=",
}

// test builds a comparison.
func (b *builder) test(e *test) (node, *Error) {
	op, left, right := e.op, e.l, e.r
	if b.isConstant(left) {
		if b.isConstant(right) {
			if w, ok := left.(*word); ok && !w.minus && !digit(w.text[0]) {
				_, err := b.field(w)
				return nil, err
			}
			return nil, b.fail(e, "two constants are compared; one side has to be a field")
		}
		if mirrored[op] == "" {
			return nil, b.fail(left, "what stands before %s has to be a field", op)
		}
		op, left, right = mirrored[op], right, left
	}
	x, err := b.operand(left)
	if err != nil {
		return nil, err
	}
	t := &valueTest{left: x.operand, facts: x.facts, cost: x.cost, all: e.quantifier == ofAll}
	switch op {
	case "!=", "===":
		t.all = e.quantifier != ofAny
	}
	switch op {
	case "===":
		op = "=="
	case "!==":
		op = "!="
	}
	if x.kind == object {
		path := b.filter[left.place().from:left.place().to]
		inIt := "a field in it"
		if _, ok := b.find(path + ".name"); ok {
			inIt = path + ".name"
		}
		return nil, b.fail(left, "%s is an object and has no value to compare; name %s, or leave the rest out "+
			"to ask whether it is there", path, inIt)
	}
	if w, ok := right.(*word); b.isConstant(right) || ok && slices.Contains(x.words, w.text) {
		return t, b.againstConstant(t, x, op, left, right)
	}
	return t, b.againstOperand(t, x, op, right)
}

// againstConstant completes a test of an operand and a constant.
func (b *builder) againstConstant(t *valueTest, x *side, op string, left, right expr) *Error {
	switch op {
	case "matches":
		if x.kind != textual && x.kind != binary {
			return b.fail(left, "matches looks at text or bytes, and this is %s%s", kindWords[x.kind], b.bytesOf(left))
		}
		re, err := b.pattern(right)
		if err != nil {
			return err
		}
		t.holds = matches(re)
		t.cost += 20
		return nil
	case "contains":
		if x.kind != textual && x.kind != binary {
			return b.fail(left, "contains looks at text or bytes, and this is %s%s", kindWords[x.kind], b.bytesOf(left))
		}
		l, _, err := b.constantFor(right, &term{kind: x.kind, ref: x.ref})
		if err != nil {
			return err
		}
		part := l.s
		if l.b != nil {
			part = string(l.b)
		}
		t.holds = func(_ *evaluation, v *value) bool { return contains(v, part) }
		t.cost += 2
		return nil
	}
	l, name, err := b.constantFor(right, &x.term)
	if err != nil {
		return err
	}
	ordered := op != "==" && op != "!="
	if name != "" {
		if ordered {
			return b.fail(right, "names have no order; compare with a number")
		}
		t.holds = called(name, op == "==")
		return nil
	}
	if ordered {
		if err := b.checkOrder(x, op, left, right); err != nil {
			return err
		}
	}
	if l.prefix.IsValid() && ordered {
		return b.fail(right, "an address is in %s or not: == and != compare", l.prefix)
	}
	t.holds = relation(op, l)
	return nil
}

// checkOrder refuses a comparison of order between values without one.
func (b *builder) checkOrder(x *side, op string, left, right expr) *Error {
	switch w, isWord := right.(*word); {
	case x.kind == boolean:
		return b.fail(left, "true and false have no order; == compares")
	case x.words != nil && x.kind == textual:
		return b.fail(left, "the words of %s have no order; == compares", x.ref.path)
	case x.kind == textual && isWord && digit(w.text[0]):
		return b.fail(right, "%s is a number, and %s compares it with text; put it in quotes if that is meant", w.text, op)
	}
	return nil
}

// bytesOf names the field with the bytes of a packet for who searches the packet by Wireshark's frame; "" otherwise.
func (b *builder) bytesOf(e expr) string {
	if w, ok := e.(*word); ok && w.text == "frame" {
		if _, known := b.find("udp.payload"); known {
			return "; udp.payload has the bytes"
		}
	}
	return ""
}

// againstOperand completes a test of two operands.
func (b *builder) againstOperand(t *valueTest, x *side, op string, right expr) *Error {
	y, err := b.operand(right)
	switch {
	case err != nil:
		return err
	case op == "matches":
		return b.fail(right, "a regular expression is a constant in quotes")
	case y.kind != x.kind:
		return b.fail(right, "this is %s and compared with %s", kindWords[y.kind], kindWords[x.kind])
	case op == "contains" && x.kind != textual && x.kind != binary:
		return b.fail(right, "contains looks at text or bytes, and this is %s", kindWords[x.kind])
	}
	t.right, t.facts, t.cost = y.operand, t.facts|y.facts, t.cost+y.cost
	if op == "contains" {
		t.each = func(_ *evaluation, v, w *value) bool {
			part := w.s
			if w.b != nil {
				part = string(w.b)
			}
			return contains(v, part)
		}
		return nil
	}
	t.each = relationOfPair(op)
	return nil
}

func (b *builder) membership(e *membership) (node, *Error) {
	x, err := b.operand(e.x)
	if err != nil {
		return nil, err
	}
	if x.kind == object {
		return nil, b.fail(e.x, "an object has no value that could be in a set")
	}
	set := make([]choice, len(e.set))
	for i, el := range e.set {
		k := &set[i]
		if k.from, k.name, err = b.constantFor(el.from, &x.term); err != nil {
			return nil, err
		}
		if el.to == nil {
			continue
		}
		var name string
		if k.to, name, err = b.constantFor(el.to, &x.term); err != nil {
			return nil, err
		}
		switch {
		case name != "" || k.name != "":
			return nil, b.fail(el.to, "names have no order, so there is no range of them")
		case k.from.prefix.IsValid() || k.to.prefix.IsValid():
			return nil, b.fail(el.to, "a range is between two addresses, not between prefixes")
		}
		if order, ok := compare(&k.from.value, &k.to.value); !ok || order > 0 {
			return nil, b.fail(el.to, "the range ends before it begins")
		}
	}
	return &valueTest{
		left: x.operand, facts: x.facts, cost: x.cost + len(set), all: e.quantifier == ofAll,
		holds: memberOf(set),
	}, nil
}

// presence builds the test whether a field is present. A calculation is true if it is not zero.
func (b *builder) presence(e *presence) (node, *Error) {
	if b.isConstant(e.expr) {
		if w, ok := e.expr.(*word); ok && !w.minus && !digit(w.text[0]) {
			_, err := b.field(w)
			return nil, err
		}
		return nil, b.fail(e.expr, "a constant is no condition")
	}
	if c, ok := e.expr.(*call); ok {
		if _, err := b.call(c); err != nil {
			return nil, err
		}
		return nil, b.fail(c, "a function is no condition; compare it with something")
	}
	x, err := b.operand(e.expr)
	if err != nil {
		return nil, err
	}
	t := &valueTest{left: x.operand, facts: x.facts, cost: x.cost, holds: func(*evaluation, *value) bool { return true }}
	if x.kind == boolean && b.rows() {
		t.holds = func(_ *evaluation, v *value) bool { return v.i != 0 }
	} else if p, ok := x.operand.(*path); ok {
		p.exists = p.Aspect == fieldpath.Itself
	}
	if _, ok := x.operand.(*calculation); ok {
		t.holds = relation("!=", integerLiteral(0))
	}
	return t, nil
}
