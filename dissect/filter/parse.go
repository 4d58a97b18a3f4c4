package filter

import (
	"fmt"
	"strconv"
)

// maxDepth limits the nesting of conditions, maxLength the length of a filter.
const (
	maxDepth  = 200
	maxLength = 64 << 10
)

// A parser reads conditions by recursive descent. Precedence, weakest first: or, xor, and, not, tests, &, + and -,
// * / and %. Source: wireshark-filter(4).
type parser struct {
	filter string
	tokens []token
	at     int
	depth  int
	err    *Error
}

// parse reads a filter.
func parse(filter string) (expr, *Error) {
	if len(filter) > maxLength {
		return nil, &Error{filter, 0, 0, fmt.Sprintf("the filter is longer than %d bytes", maxLength)}
	}
	tokens, err := tokenize(filter)
	if err != nil {
		return nil, err
	}
	p := parser{filter: filter, tokens: tokens}
	if p.peek().kind == tokenEnd {
		return nil, &Error{filter, 0, 0, "the filter is empty"}
	}
	e := p.or()
	if t := p.peek(); p.err == nil && t.kind != tokenEnd {
		p.fail(t, p.unexpected(t))
	}
	if p.err != nil {
		return nil, p.err
	}
	return e, nil
}

// unexpected returns the error about a token after a complete condition.
func (p *parser) unexpected(t token) string {
	switch {
	case t.kind == tokenSign && t.text == ")":
		return "there is no ( for this )"
	case t.kind == tokenSign:
		return fmt.Sprintf("%s cannot stand here", p.filter[t.from:t.to])
	}
	return "and, or or an operator is missing before " + p.filter[t.from:t.to]
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) next() token {
	t := p.tokens[p.at]
	if t.kind != tokenEnd {
		p.at++
	}
	return t
}

// accept consumes a sign if it is next.
func (p *parser) accept(sign string) bool {
	if t := p.peek(); t.kind == tokenSign && t.text == sign {
		p.at++
		return true
	}
	return false
}

// fail stores the first fault and ends the parsing.
func (p *parser) fail(t token, message string) {
	if p.err == nil {
		p.err = &Error{p.filter, t.from, t.to, message}
	}
	p.at = len(p.tokens) - 1
}

func (p *parser) deeper(t token) bool {
	if p.depth++; p.depth > maxDepth {
		p.fail(t, fmt.Sprintf("more than %d levels", maxDepth))
		return false
	}
	return true
}

func around(l, r expr) span { return span{l.place().from, r.place().to} }

func (p *parser) or() expr  { return p.joined("||", func() expr { return p.xor() }) }
func (p *parser) xor() expr { return p.joined("^^", func() expr { return p.and() }) }
func (p *parser) and() expr { return p.joined("&&", func() expr { return p.not() }) }

func (p *parser) joined(sign string, operand func() expr) expr {
	e := operand()
	for p.err == nil && p.accept(sign) {
		r := operand()
		if p.err != nil {
			return nil
		}
		e = &logic{span: around(e, r), op: sign, l: e, r: r}
	}
	return e
}

func (p *parser) not() expr {
	t := p.peek()
	if !p.deeper(t) {
		return nil
	}
	defer func() { p.depth-- }()
	if p.accept("!") {
		x := p.not()
		if p.err != nil {
			return nil
		}
		return &negation{span{t.from, x.place().to}, x}
	}
	if p.accept("(") {
		if p.conditionInside() {
			e := p.or()
			if p.err == nil && !p.accept(")") {
				p.fail(p.peek(), "there is no ) for the ( in column "+
					strconv.Itoa((&Error{Filter: p.filter, From: t.from}).Column()))
			}
			return e
		}
		p.at-- // the bracket of an operand
	}
	return p.relation()
}

// conditionInside reports whether the bracket that was just opened contains a condition: it belongs to an
// operand if an operator of operands follows its end.
func (p *parser) conditionInside() bool {
	depth := 1
	for i := p.at; i < len(p.tokens); i++ {
		t := p.tokens[i]
		if t.kind != tokenSign {
			continue
		}
		switch t.text {
		case "(":
			depth++
		case ")":
			depth--
		}
		if depth == 0 {
			next := p.tokens[i+1]
			return next.kind != tokenSlice && (next.kind != tokenSign || next.text == "&&" || next.text == "||" ||
				next.text == "^^" ||
				next.text == ")" || next.text == "}")
		}
	}
	return true
}

var comparisons = map[string]bool{
	"==": true, "===": true, "!=": true, "!==": true, ">": true, "<": true, ">=": true, "<=": true,
	"contains": true, "matches": true,
}

// relation reads a test, a chain of them as in 1 < length < 9, a membership, or an operand alone.
func (p *parser) relation() expr {
	start := p.peek()
	q := byOperator
	if p.accept("any") {
		q = ofAny
	} else if p.accept("all") {
		q = ofAll
	}
	l := p.bits()
	if p.err != nil {
		return nil
	}
	t := p.peek()
	if t.kind == tokenSign && (t.text == "in" || t.text == "!" && p.tokens[p.at+1].kind == tokenSign &&
		p.tokens[p.at+1].text == "in") {
		negated := p.accept("!")
		p.at++
		return p.membership(start, q, l, negated)
	}
	var chain expr
	for p.err == nil && p.peek().kind == tokenSign && comparisons[p.peek().text] {
		op := p.next()
		r := p.bits()
		if p.err != nil {
			return nil
		}
		var e expr = &test{span: span{l.place().from, r.place().to}, quantifier: q, op: op.text, l: l, r: r}
		if chain != nil {
			e = &logic{span: around(chain, e), op: "&&", l: chain, r: e}
		}
		chain, l = e, r
	}
	switch {
	case p.err != nil:
		return nil
	case chain != nil:
		return chain
	case q != byOperator:
		p.fail(start, "any and all stand before a test, as in any "+p.filter[l.place().from:l.place().to]+" == ...")
		return nil
	}
	return &presence{l}
}

func (p *parser) membership(start token, q quantifier, x expr, negated bool) expr {
	if t := p.peek(); !p.accept("{") {
		p.fail(t, "in needs a set, as in {1, 2, 5..9}")
		return nil
	}
	m := &membership{quantifier: q, x: x}
	for p.err == nil {
		e := element{from: p.bits()}
		if p.err == nil && p.accept("..") {
			e.to = p.bits()
		}
		m.set = append(m.set, e)
		if p.err != nil || p.accept("}") {
			break
		}
		if t := p.peek(); !p.accept(",") {
			p.fail(t, "a comma separates the elements of a set, } ends it")
		}
	}
	if p.err != nil {
		return nil
	}
	m.span = span{start.from, p.tokens[p.at-1].to}
	if negated {
		return &negation{m.span, m}
	}
	return m
}

func (p *parser) bits() expr { return p.binary([]string{"&"}, func() expr { return p.sum() }) }
func (p *parser) sum() expr {
	return p.binary([]string{"+", "-"}, func() expr { return p.product() })
}

func (p *parser) product() expr {
	return p.binary([]string{"*", "/", "%"}, func() expr { return p.signed() })
}

func (p *parser) binary(ops []string, operand func() expr) expr {
	e := operand()
	for p.err == nil {
		op := ""
		for _, sign := range ops {
			if p.accept(sign) {
				op = sign
				break
			}
		}
		if op == "" {
			break
		}
		r := operand()
		if p.err != nil {
			return nil
		}
		e = &arithmetic{span: around(e, r), op: op, l: e, r: r}
	}
	return e
}

// signed reads an operand with a sign before it.
func (p *parser) signed() expr {
	t := p.peek()
	if !p.deeper(t) {
		return nil
	}
	defer func() { p.depth-- }()
	if p.accept("+") {
		return p.signed()
	}
	if !p.accept("-") {
		return p.sliced()
	}
	x := p.signed()
	if p.err != nil {
		return nil
	}
	if w, ok := x.(*word); ok && !w.minus && (digit(w.text[0]) || w.text == "inf") {
		return &word{span: span{t.from, w.to}, text: "-" + w.text, minus: true}
	}
	return &arithmetic{span: span{t.from, x.place().to}, op: "-", r: x}
}

// sliced reads an operand and the slices after it.
func (p *parser) sliced() expr {
	e := p.operand()
	for p.err == nil && p.peek().kind == tokenSlice {
		t := p.next()
		parts, ok := parseSlice(t.text)
		if !ok {
			p.fail(t, "a slice is [from:length], [from-last], [place], or several of these with commas")
			return nil
		}
		e = &slice{span: span{e.place().from, t.to}, x: e, parts: parts}
	}
	return e
}

func (p *parser) operand() expr {
	t := p.next()
	switch {
	case t.kind == tokenString:
		return &text{span{t.from, t.to}, t.text, t.char}
	case t.kind == tokenWord:
		if n := p.peek(); n.kind == tokenSign && n.text == "(" && n.from == t.to {
			return p.call(t)
		}
		return &word{span: span{t.from, t.to}, text: t.text}
	case t.kind == tokenSign && p.filter[t.from:t.to] == "matches": // a field of people, where no operator can be
		return &word{span: span{t.from, t.to}, text: "matches"}
	case t.kind == tokenSign && t.text == "(":
		e := p.bits()
		if p.err == nil && !p.accept(")") {
			p.fail(p.peek(), "there is no ) for a (")
		}
		return e
	case t.kind == tokenEnd:
		p.fail(t, "the filter ends where a field or a value is expected")
	default:
		p.fail(t, fmt.Sprintf("a field or a value is expected here, not %s", p.filter[t.from:t.to]))
	}
	return nil
}

func (p *parser) call(name token) expr {
	p.at++ // (
	c := &call{name: name.text}
	for p.err == nil && !p.accept(")") {
		if len(c.args) > 0 && !p.accept(",") {
			p.fail(p.peek(), "there is no ) for the ( of "+name.text)
			return nil
		}
		c.args = append(c.args, p.bits())
	}
	if p.err != nil {
		return nil
	}
	c.span = span{name.from, p.tokens[p.at-1].to}
	return c
}
