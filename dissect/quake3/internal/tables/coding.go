package tables

import (
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables/netfields"
)

// A ValueCoding is a way to write the value of a changed field, for the tables that have more ways than integers of a
// width and Quake III's floats.
type ValueCoding uint8

// The codings. Their readers are in package world.
const (
	// ValueInt is an integer of Value.Bits bits, with its sign in two's complement if Signed. The coding of the same
	// name and Zero has a bit before it, 0 for zero; Zigzag is that with the sign in the lowest bit.
	ValueInt ValueCoding = iota
	ValueIntZero
	ValueIntZigzag
	// ValueFloat is Quake III's float, Zero as above. Rotated has the sign of both its forms in the lowest bit.
	ValueFloat
	ValueFloatZero
	ValueFloatRotated
	// ValueAngle is a fraction of the circle. SignFirst has a bit for the sign before it.
	ValueAngle
	ValueAngleSignFirst
	// ValueCoord is sign and magnitude. The others are a small step from the base, or all of the value.
	ValueCoord
	ValueCoordStep
	ValueCoordExtraStep
	// ValueTime is in hundredths of a second. Frame has a bit before it: 0 is the base and the time of one frame.
	ValueTime
	ValueTimeFrame
	ValueFraction // 0 to 1
	ValueScale    // in hundredths
	ValueVelocity // sign and magnitude
)

// A Value is how a field of a coded table is written. Signed is the sign of an integer or angle.
type Value struct {
	Coding ValueCoding
	Bits   uint8 // of an integer, angle, time, fraction or scale
	Signed bool
}

// A codedField is a row of a table with codings: the name, the width as in NetField, and the coding that the engine's
// table names.
type codedField struct {
	name   string
	bits   int8
	coding fieldCoding
}

// fieldCoding is a column of the engine's tables. Its coding on the wire depends on the protocol: see dialect.
type fieldCoding uint8

const (
	codedPlain fieldCoding = iota // an integer, or a float if the width is 0
	codedAngle
	codedCoord
	codedCoordExtra // of players
	codedTime       // of an animation
	codedFraction   // a weight, or alpha
	codedScale
	codedVelocity
	numFieldCodings
)

// A dialect is how the columns of a table are coded on the wire; that of plain integers is ints, and of floats,
// floats.
type dialect struct {
	ints, floats ValueCoding
	others       [numFieldCodings]ValueCoding
}

// netFields returns the rows without codings. Values with one are floats, except plain integers.
func netFields(rows []codedField) []netfields.NetField {
	fields := make([]netfields.NetField, len(rows))
	for i, row := range rows {
		fields[i] = netfields.NetField{Name: row.name}
		if row.coding == codedPlain {
			fields[i].Bits = row.bits
		}
	}
	return fields
}

// coded is table for rows with codings. null is what baselines are deltas of; nil: a state of zeros.
func (s *Structure) coded(rows []codedField, in *dialect, null func(t *Layout) *State) *Layout {
	t := s.table(netFields(rows))
	t.finish = func(t *Layout) {
		t.code(rows, in)
		if null != nil {
			t.Null = null(t)
		}
	}
	return t
}

func (t *Layout) code(rows []codedField, in *dialect) {
	t.Values = make([]Value, len(rows))
	for i, row := range rows {
		v := Value{Coding: in.others[row.coding], Bits: uint8(max(row.bits, -row.bits)), Signed: row.bits < 0}
		switch {
		case row.coding != codedPlain:
		case row.bits == 0:
			v.Coding = in.floats
		default:
			v.Coding = in.ints
		}
		t.Values[i] = v
	}
}

// sparseArrays are arrays with more elements than a vector, or elements that have members of their own.
var sparseArrays = map[string]bool{"frameInfo": true, "bone_angles": true, "bone_tag": true, "surfaces": true}

// addElement adds an element of a sparse array: a number, "surfaces[31]"; a member, "frameInfo[15].time" (each member
// has a list of its own); or an angle, "bone_angles[4][0]".
func (s *Structure) addElement(row netfields.NetField, docs map[string]string, source string) {
	base, rest, _ := strings.Cut(row.Name, "[")
	index, rest, _ := strings.Cut(rest, "]")
	n, _ := strconv.Atoi(index)
	r := member{name: row.Name, key: int8(n), row: len(s.rows)}
	f := dissect.Field{
		Name: base + "[]" + rest, Kind: kindOf(row.Bits), Bits: max(int(row.Bits), -int(row.Bits)),
		Doc: docs[base+rest], Source: source,
	}
	kind := dissect.Object
	if rest == "" {
		kind = dissect.Sparse
	}
	r.outer = s.container(&s.children, snakeKey(base), base, kind, docs[base], source)
	siblings := &r.outer.Children
	switch {
	case rest == "":
	case rest[0] == '.':
		r.inner = s.container(siblings, rest[1:], base+rest, dissect.Sparse, docs[base+rest], source)
		siblings = &r.inner.Children
	default:
		r.inner = s.container(siblings, "controller_"+index, base+"["+index+"]", dissect.Object, docs[base], source)
		siblings = &r.inner.Children
		f.Key, f.Name, r.key = [...]string{"pitch", "yaw", "roll"}[rest[1]-'0'], row.Name, -1
	}
	if r.key >= 0 && len(*siblings) > 0 { // one description for all elements
		r.field = (*siblings)[0]
	} else {
		r.field = s.newField(f)
		*siblings = append(*siblings, r.field)
	}
	s.byName[row.Name] = r.row
	s.rows = append(s.rows, r)
}
