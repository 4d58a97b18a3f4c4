package filter

import (
	"cmp"
	"math"
	"net/netip"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
)

// A valueKind is the type of a value, which determines its valid members.
type valueKind uint8

const (
	isObject  valueKind = iota
	isBool              // i is 0 or 1
	isInt               // i
	isUint              // u, more than an int64 holds
	isFloat             // f, of a field: it means the shortest decimal of the same float32
	isFloat32           // f, of a field: its value is the shortest decimal that is the same float32
	isNano              // i billionths
	isText              // b, or s where b is nil
	isBytes             // b
	isAddress           // a
	isTime              // i, Unix nanoseconds
	isRank              // i
)

// A value is a value of an operand for a record. Bytes belong to the record or to the evaluation.
type value struct {
	kind valueKind
	i    int64
	u    uint64
	f    float64
	b    []byte
	s    string
	a    netip.Addr
	node *dissect.Node // of a number of the tree: its name depends on the field
}

// The setters return true, so that they can be used in a condition.

func (v *value) setInt(i int64) bool {
	v.kind, v.i = isInt, i
	return true
}

func (v *value) setUint(u uint64) bool {
	if u > math.MaxInt64 {
		v.kind, v.u = isUint, u
		return true
	}
	return v.setInt(int64(u))
}

func (v *value) setFloat(f float64) bool {
	v.kind, v.f = isFloat, f
	return true
}

func (v *value) setString(s string) bool {
	v.kind, v.s, v.b = isText, s, nil
	return true
}

func (v *value) setTime(nsec int64) bool {
	v.kind, v.i = isTime, nsec
	return true
}

func (v *value) setNanoseconds(n int64) bool {
	v.kind, v.i = isNano, n
	return true
}

func (v *value) setAddress(a netip.Addr) bool {
	v.kind, v.a = isAddress, a
	return true
}

// setNode takes the value of a leaf other than a text.
func (v *value) setNode(t *dissect.Tree, n *dissect.Node) {
	v.node = n
	switch n.Field.Kind {
	case dissect.Bool:
		v.kind, v.i = isBool, 0
		if n.Bool() {
			v.i = 1
		}
	case dissect.Uint:
		v.setUint(n.Uint())
	case dissect.Int:
		v.setInt(n.Int())
	case dissect.Float:
		v.kind, v.f = isFloat32, float64(n.Float())
	case dissect.Hex:
		v.kind, v.b = isBytes, t.Bytes(n)
	default:
		v.kind = isObject
	}
}

// float returns a number as the nearest float64 of the decimal that the records show.
func (v *value) float() float64 {
	switch v.kind {
	case isFloat:
		return v.f
	case isFloat32:
		if v.f == math.Trunc(v.f) && math.Abs(v.f) < 1<<24 {
			return v.f
		}
		var b [32]byte
		f, err := strconv.ParseFloat(string(strconv.AppendFloat(b[:0], v.f, 'g', -1, 32)), 64)
		if err != nil {
			return v.f // not finite
		}
		return f
	case isUint:
		return float64(v.u)
	case isNano:
		return float64(v.i) / 1e9
	}
	return float64(v.i)
}

// integer reports whether the value is a whole number by its kind.
func (v *value) integer() bool { return v.kind == isInt || v.kind == isUint || v.kind == isBool }

// compare orders two values of one kind: below zero, zero, above zero. ok is false if there is no order: NaN,
// or an IPv4 address and an IPv6 one.
func compare(a, b *value) (order int, ok bool) {
	switch a.kind {
	case isText:
		return compareText(a, b), true
	case isBytes:
		return cmp.Compare(string(a.b), string(b.b)), true
	case isAddress:
		return a.a.Compare(b.a), a.a.Is4() == b.a.Is4()
	case isTime, isRank, isBool:
		return cmp.Compare(a.i, b.i), true
	}
	return compareNumbers(a, b)
}

func compareText(a, b *value) int {
	switch {
	case a.b == nil && b.b == nil:
		return cmp.Compare(a.s, b.s)
	case a.b == nil:
		return cmp.Compare(a.s, string(b.b))
	case b.b == nil:
		return cmp.Compare(string(a.b), b.s)
	}
	return cmp.Compare(string(a.b), string(b.b))
}

func compareNumbers(a, b *value) (order int, ok bool) {
	switch {
	case a.kind == isInt && b.kind == isInt, a.kind == isNano && b.kind == isNano:
		return cmp.Compare(a.i, b.i), true
	case a.integer() && b.integer():
		switch {
		case a.kind == isUint && b.kind == isUint:
			return cmp.Compare(a.u, b.u), true
		case a.kind == isUint:
			return 1, true
		case b.kind == isUint:
			return -1, true
		}
		return cmp.Compare(a.i, b.i), true
	}
	x, y := a.float(), b.float()
	return cmp.Compare(x, y), x == x && y == y
}

// A literal is a constant. A number has additional values for exact comparisons with floats and times.
type literal struct {
	value
	single float64 // the nearest float32
	beside int     // the order of single, as the records show it, and the literal

	nano     int64 // billionths, cut off
	hasNano  bool
	moreNano bool // it is larger than nano

	prefix netip.Prefix // of an address
	isNaN  bool
}

// compareLiteral is compare with a constant.
func compareLiteral(v *value, l *literal) (order int, ok bool) {
	switch v.kind {
	case isInt:
		if l.kind == isInt {
			return cmp.Compare(v.i, l.i), true
		}
	case isFloat32:
		switch {
		case l.isNaN || v.f != v.f:
			return 0, l.isNaN && v.f != v.f
		case v.f != l.single:
			return cmp.Compare(v.f, l.single), true
		}
		return l.beside, true
	case isNano:
		if l.hasNano {
			order = cmp.Compare(v.i, l.nano)
			if order == 0 && l.moreNano {
				order = -1
			}
			return order, true
		}
	case isAddress:
		if l.prefix.IsValid() {
			if l.prefix.Contains(v.a) {
				return 0, true
			}
			return v.a.Compare(l.prefix.Addr()), v.a.Is4() == l.prefix.Addr().Is4()
		}
	}
	if l.isNaN {
		f := v.float()
		return 0, f != f
	}
	return compare(v, &l.value)
}
