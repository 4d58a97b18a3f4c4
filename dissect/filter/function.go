package filter

import (
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
)

// functions are what can be called with one operand.
var functions = map[string]struct {
	takes  []kind
	gives  kind // of len and count: a number; object: the operand's own
	change func(*evaluation, *value) bool
}{
	"len":    {[]kind{textual, binary}, number, byteLength},
	"lower":  {[]kind{textual}, object, lower},
	"upper":  {[]kind{textual}, object, upper},
	"abs":    {[]kind{number}, object, absolute},
	"count":  {nil, number, nil},
	"string": {[]kind{number, boolean, textual, binary, address, timestamp, rank}, textual, toText},
}

// extremes are the functions of several numbers.
var extremes = map[string]func(order int) bool{
	"max": func(order int) bool { return order > 0 },
	"min": func(order int) bool { return order < 0 },
}

const functionNames = "abs, count, len, lower, max, min, string and upper"

func (b *builder) call(e *call) (*side, *Error) {
	if better := extremes[e.name]; better != nil {
		return b.extreme(e, better)
	}
	f, ok := functions[e.name]
	switch {
	case !ok:
		return nil, b.fail(&word{span: span{e.from, e.from + len(e.name)}},
			"no function is called %s; there are %s", e.name, functionNames)
	case len(e.args) != 1:
		return nil, b.fail(e, "%s takes one field", e.name)
	}
	x, err := b.operand(e.args[0])
	if err != nil {
		return nil, err
	}
	x.cost += 2
	if e.name == "count" {
		if p, ok := x.operand.(*path); ok {
			p.exists = false // the elements of an array count, not the array
		}
		x.operand, x.term = &counter{operand: x.operand}, term{kind: number}
		return x, nil
	}
	if !slices.Contains(f.takes, x.kind) {
		return nil, b.fail(e.args[0], "%s takes %s, and this is %s", e.name, kindWords[f.takes[0]], kindWords[x.kind])
	}
	x.operand = &mapped{operand: x.operand, change: f.change}
	given := term{kind: x.kind, unit: x.unit}
	if f.gives != object {
		given = term{kind: f.gives}
	}
	x.term = given
	return x, nil
}

// extreme builds max or min. At least one of its operands is a field.
func (b *builder) extreme(e *call, better func(order int) bool) (*side, *Error) {
	var fields []*side
	var unit string
	for _, arg := range e.args {
		if b.isConstant(arg) {
			continue
		}
		x, err := b.numeric(arg, nil)
		if err != nil {
			return nil, err
		}
		if unit == "" {
			unit = x.unit
		}
		fields = append(fields, x)
	}
	if len(fields) == 0 {
		return nil, b.fail(e, "%s takes fields that are numbers, and constants beside them", e.name)
	}
	all := &side{term: term{kind: number, unit: unit}, cost: 2}
	k := &extreme{better: better}
	for _, x := range fields {
		k.operands = append(k.operands, x.operand)
		all.facts, all.cost = all.facts|x.facts, all.cost+x.cost
	}
	for _, arg := range e.args {
		if !b.isConstant(arg) {
			continue
		}
		x, err := b.numeric(arg, &side{term: all.term})
		if err != nil {
			return nil, err
		}
		k.operands = append(k.operands, x.operand)
	}
	all.operand = k
	return all, nil
}

// An extreme is an operand with one value: the largest or smallest of the values of others, or none if they have none.
// NaN has no order and is passed over.
type extreme struct {
	operands []operand
	better   func(order int) bool
	best     value
	found    bool
}

func (k *extreme) each(c *evaluation, v visitor) bool {
	k.found = false
	for _, o := range k.operands {
		if _, isConstant := o.(constant); isConstant && !k.found {
			return false // fields come first: none has a value
		}
		o.each(c, k)
	}
	if !k.found {
		return false
	}
	c.value = k.best
	return v.take(&c.value)
}

func (k *extreme) take(v *value) bool {
	if _, ordered := compareNumbers(v, v); !ordered {
		return false
	}
	if order, _ := compareNumbers(v, &k.best); !k.found || k.better(order) {
		k.best, k.found = *v, true
		k.best.node = nil
	}
	return false
}

// toText is the function string: a value as the columns of -e have it.
func toText(_ *evaluation, v *value) bool {
	switch v.kind {
	case isText:
		return true
	case isBool:
		return v.setString(strconv.FormatBool(v.i != 0))
	case isInt:
		return v.setString(strconv.FormatInt(v.i, 10))
	case isUint:
		return v.setString(strconv.FormatUint(v.u, 10))
	case isFloat:
		return v.setString(strconv.FormatFloat(v.f, 'g', -1, 64))
	case isFloat32:
		return v.setString(strconv.FormatFloat(v.f, 'g', -1, 32))
	case isNano:
		return v.setString(nanoText(v.i))
	case isBytes:
		return v.setString(hex.EncodeToString(v.b))
	case isAddress:
		return v.setString(v.a.String())
	case isTime:
		return v.setString(time.Unix(0, v.i).UTC().Format("2006-01-02T15:04:05.000000000Z"))
	case isRank:
		return v.setString(dissect.Severity(v.i).String())
	}
	return false
}

// nanoText returns billionths as seconds with all decimals.
func nanoText(n int64) string {
	sign, size := "", uint64(n)
	if n < 0 {
		sign, size = "-", -size
	}
	fraction := strconv.FormatUint(size%1e9, 10)
	return sign + strconv.FormatUint(size/1e9, 10) + "." + strings.Repeat("0", 9-len(fraction)) + fraction
}
