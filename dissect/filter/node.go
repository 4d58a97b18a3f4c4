package filter

import (
	"bytes"
	"regexp"
	"strings"
)

// A verdict is the value of a condition while not everything is known.
type verdict uint8

const (
	no verdict = iota
	perhaps
	yes
)

func verdictOf(holds bool) verdict {
	if holds {
		return yes
	}
	return no
}

// A node is a condition, ready to be evaluated by one goroutine.
type node interface {
	match(c *evaluation) bool
	// early evaluates the condition as far as the known facts allow.
	predict(c *evaluation, known facts) verdict
	// price orders conditions: the cheap ones are evaluated first.
	price() int
}

// A junction is several conditions joined by and or or, the cheapest first.
type junction struct {
	nodes []node
	or    bool
	cost  int
}

func (j *junction) match(c *evaluation) bool {
	for _, n := range j.nodes {
		if n.match(c) == j.or {
			return j.or
		}
	}
	return !j.or
}

func (j *junction) predict(c *evaluation, known facts) verdict {
	decided := verdictOf(j.or)
	result := verdictOf(!j.or)
	for _, n := range j.nodes {
		switch n.predict(c, known) {
		case decided:
			return decided
		case perhaps:
			result = perhaps
		}
	}
	return result
}

func (j *junction) price() int { return j.cost }

type exclusive struct{ l, r node }

func (x *exclusive) match(c *evaluation) bool { return x.l.match(c) != x.r.match(c) }

func (x *exclusive) predict(c *evaluation, known facts) verdict {
	l, r := x.l.predict(c, known), x.r.predict(c, known)
	if l == perhaps || r == perhaps {
		return perhaps
	}
	return verdictOf(l != r)
}

func (x *exclusive) price() int { return x.l.price() + x.r.price() }

type opposite struct{ node }

func (o *opposite) match(c *evaluation) bool { return !o.node.match(c) }

func (o *opposite) predict(c *evaluation, known facts) verdict { return yes - o.node.predict(c, known) }

// A valueTest is a condition on the values of an operand.
type valueTest struct {
	left  operand
	facts facts
	cost  int
	// it has to be true for all values, else for any; without values it is never true
	all   bool
	holds func(c *evaluation, v *value) bool    // of one value
	right operand                               // nil, or what each value is compared with
	each  func(c *evaluation, v, w *value) bool // of a pair

	c            *evaluation
	rights       values
	hit, missing bool
}

func (t *valueTest) match(c *evaluation) bool {
	t.c, t.hit, t.missing = c, false, false
	if t.right != nil {
		t.rights = t.rights[:0]
		if t.right.each(c, &t.rights); len(t.rights) == 0 {
			return false
		}
	}
	t.left.each(c, t)
	return t.hit && !(t.all && t.missing)
}

func (t *valueTest) take(v *value) bool {
	if t.right == nil {
		return t.record(t.holds(t.c, v))
	}
	for i := range t.rights {
		if t.record(t.each(t.c, v, &t.rights[i])) {
			return true
		}
	}
	return false
}

// record takes the result for a value and reports whether the remaining values do not matter.
func (t *valueTest) record(holds bool) bool {
	if holds {
		t.hit = true
		return !t.all
	}
	t.missing = true
	return t.all
}

func (t *valueTest) predict(c *evaluation, known facts) verdict {
	if t.facts&^known != 0 {
		return perhaps
	}
	return verdictOf(t.match(c))
}

func (t *valueTest) price() int { return t.cost }

// relations test the order of two values for an operator.
var relations = map[string]func(order int) bool{
	"==": func(o int) bool { return o == 0 },
	"!=": func(o int) bool { return o != 0 },
	">":  func(o int) bool { return o > 0 },
	"<":  func(o int) bool { return o < 0 },
	">=": func(o int) bool { return o >= 0 },
	"<=": func(o int) bool { return o <= 0 },
}

// relation compiles a comparison with a constant. For values without an order only != is true.
func relation(op string, l *literal) func(*evaluation, *value) bool {
	holds := relations[op]
	return func(_ *evaluation, v *value) bool {
		order, ok := compareLiteral(v, l)
		return ok && holds(order) || !ok && op == "!="
	}
}

// relationOfPair is relation for two operands.
func relationOfPair(op string) func(*evaluation, *value, *value) bool {
	holds := relations[op]
	return func(_ *evaluation, v, w *value) bool {
		order, ok := compare(v, w)
		return ok && holds(order) || !ok && op == "!="
	}
}

// called returns the test of a comparison with a number's name.
func called(name string, equal bool) func(*evaluation, *value) bool {
	return func(c *evaluation, v *value) bool { return isCalled(c, v, name) == equal }
}

func contains(v *value, text string) bool {
	if v.b == nil {
		return strings.Contains(v.s, text)
	}
	return bytes.Contains(v.b, []byte(text))
}

func matches(re *regexp.Regexp) func(*evaluation, *value) bool {
	return func(_ *evaluation, v *value) bool {
		if v.b == nil {
			return re.MatchString(v.s)
		}
		return re.Match(v.b)
	}
}

// A choice is an element of a set: a name, or a range between two constants.
type choice struct {
	name     string
	from, to *literal // to is nil for a single value
}

// memberOf returns the test of a membership.
func memberOf(set []choice) func(*evaluation, *value) bool {
	return func(c *evaluation, v *value) bool {
		for i := range set {
			if set[i].holds(c, v) {
				return true
			}
		}
		return false
	}
}

func (k *choice) holds(c *evaluation, v *value) bool {
	if k.from == nil {
		return isCalled(c, v, k.name)
	}
	order, ok := compareLiteral(v, k.from)
	if k.to == nil || !ok || order < 0 {
		return ok && order == 0
	}
	order, ok = compareLiteral(v, k.to)
	return ok && order <= 0
}
