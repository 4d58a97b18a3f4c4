package filter

import (
	"bytes"
	"math"
	"strings"
)

// An operand has values for a record.
type operand interface {
	// each passes the values to v until it stops, and reports whether it did.
	each(c *evaluation, v visitor) (stopped bool)
}

// A member is an operand of the common part.
type member struct{ *head }

func (m member) each(c *evaluation, v visitor) bool { return m.head.each(c, v) }

// A constant is an operand that has one value.
type constant struct{ *literal }

func (k constant) each(c *evaluation, v visitor) bool {
	c.value = k.value
	return v.take(&c.value)
}

// A mapped operand has values computed from each value of another. change returns false if there is none.
type mapped struct {
	operand
	change func(c *evaluation, v *value) bool
	c      *evaluation
	to     visitor
}

func (m *mapped) each(c *evaluation, v visitor) bool {
	m.c, m.to = c, v
	return m.operand.each(c, m)
}

func (m *mapped) take(v *value) bool { return m.change(m.c, v) && m.to.take(v) }

// A counter is an operand with one value: the number of another's values.
type counter struct {
	operand
	n int64
}

func (k *counter) each(c *evaluation, v visitor) bool {
	k.n = 0
	k.operand.each(c, k)
	return c.value.setInt(k.n) && v.take(&c.value)
}

func (k *counter) take(*value) bool {
	k.n++
	return false
}

// byteLength is the function len.
func byteLength(_ *evaluation, v *value) bool {
	n := len(v.s)
	if v.b != nil {
		n = len(v.b)
	}
	return v.setInt(int64(n))
}

func lower(c *evaluation, v *value) bool { return recase(c, v, strings.ToLower, bytes.ToLower) }
func upper(c *evaluation, v *value) bool { return recase(c, v, strings.ToUpper, bytes.ToUpper) }

func recase(_ *evaluation, v *value, s func(string) string, b func([]byte) []byte) bool {
	if v.b == nil {
		v.s = s(v.s)
	} else {
		v.b = b(v.b)
	}
	return true
}

func absolute(_ *evaluation, v *value) bool {
	v.node = nil
	switch v.kind {
	case isInt, isNano:
		if v.i == math.MinInt64 {
			return v.setUint(1 << 63)
		}
		if v.i < 0 {
			v.i = -v.i
		}
	case isFloat, isFloat32:
		v.f = math.Abs(v.f)
	}
	return true
}

// sliceOf returns the change of a slice: parts of the text or bytes, one after the other. If a part is not
// completely there the value is absent, as in Wireshark.
func sliceOf(parts []part) func(*evaluation, *value) bool {
	return func(c *evaluation, v *value) bool {
		b := v.b
		if b == nil {
			b = []byte(v.s)
		}
		whole := []byte(nil)
		for i, p := range parts {
			from, to := p.from, len(b)
			if from < 0 {
				from += len(b)
			}
			if p.hasTo {
				if to = p.to; to < 0 || p.from < 0 {
					to += len(b)
				}
			}
			if from < 0 || to > len(b) || from >= to {
				return false
			}
			if i == 0 && len(parts) == 1 {
				whole = b[from:to]
			} else {
				whole = append(whole, b[from:to]...)
			}
		}
		v.b = whole
		return true
	}
}

// A calculation is an operand: an operator on each pair of values of two others.
type calculation struct {
	op     string
	l, r   operand
	rights values
	result value
	to     visitor
}

// values is a visitor that collects.
type values []value

func (k *values) take(v *value) bool {
	*k = append(*k, *v)
	return false
}

func (k *calculation) each(c *evaluation, v visitor) bool {
	k.rights, k.to = k.rights[:0], v
	k.r.each(c, &k.rights)
	return len(k.rights) > 0 && k.l.each(c, k)
}

func (k *calculation) take(v *value) bool {
	for i := range k.rights {
		var ok bool
		if k.result, ok = calculate(k.op, v, &k.rights[i]); ok && k.to.take(&k.result) {
			return true
		}
	}
	return false
}

// calculate applies an operator. Integers stay integers, and wrap as in Go; a division by zero has no result.
func calculate(op string, a, b *value) (result value, ok bool) {
	if op == "&" || a.integer() && b.integer() {
		x, y := a.asInteger(), b.asInteger()
		switch op {
		case "&":
			return result, result.setInt(x & y)
		case "+":
			return result, result.setInt(x + y)
		case "-":
			return result, result.setInt(x - y)
		case "*":
			return result, result.setInt(x * y)
		}
		if y == 0 {
			return result, false
		}
		if op == "/" {
			return result, result.setInt(x / y)
		}
		return result, result.setInt(x % y)
	}
	x, y := a.float(), b.float()
	switch op {
	case "+":
		return result, result.setFloat(x + y)
	case "-":
		return result, result.setFloat(x - y)
	case "*":
		return result, result.setFloat(x * y)
	case "/":
		return result, y != 0 && result.setFloat(x/y)
	}
	return result, y != 0 && result.setFloat(math.Mod(x, y))
}

// asInteger returns the value as an integer; values that are too large wrap.
func (v *value) asInteger() int64 {
	switch v.kind {
	case isUint:
		return int64(v.u)
	case isFloat, isFloat32:
		return int64(v.f)
	case isNano:
		return v.i / 1e9
	}
	return v.i
}
