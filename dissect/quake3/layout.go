package quake3

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// maxDeltaFields is the length of the longest table, that of protocol 91.
const maxDeltaFields = 58

// A deltaTable is one generation's order of the fields of entityState_t or playerState_t.
//
// State is an array indexed like the table. What is shown comes in another order, in which vectors and
// nested structures stand together; masks of fields (changed, known) count in that output order.
type deltaTable struct {
	wire  []wireField            // in the order of the wire, which is the format
	coded []huffcodec.DeltaField // the same, for the counted form
	out   []outField             // in output order
	all   uint64                 // mask of every field
	zero  *entityState           // the all-zero state, everything known

	// Where the fields stand that decide what others mean: eType and event, or externalEvent.
	eType, event         uint8 // wire index
	eTypeMask, eventMask uint64
}

type wireField struct {
	field *dissect.Field
	bits  int8  // as in netField
	out   uint8 // output index
}

type outField struct {
	field        *dissect.Field
	outer, inner *dissect.Field              // the objects that it stands in, or nil
	twins        [numContexts]*dissect.Field // the same field with the names that hold in a context, or nil
	wire         uint8                       // wire index
	key          int8                        // index in a Sparse, or -1
}

// deltaValues are the values of one state, by wire index: numbers sign-extended to 32 bits, floats as
// their bits.
type deltaValues [maxDeltaFields]uint32

// An entityState is an entity as far as it is known: a capture may begin after its first mention.
type entityState struct {
	values deltaValues
	known  uint64 // mask of the fields whose value is known, in output order
}

// A stateFields is the output side of all generations' tables of one structure: the objects and
// fields that any of them can show, each made once, in an order of its own.
type stateFields struct {
	children []*dissect.Field
	rows     []stateRow
	byName   map[string]int // index in rows by the engine's name
	zeroBit  bool           // in the counted form a bit says first whether a changed value is zero
}

type stateRow struct {
	name         string
	field        *dissect.Field
	outer, inner *dissect.Field
	twins        [numContexts]*dissect.Field
	key          int8
}

// A context is what decides the meaning of a number that stands elsewhere in the same state.
type context uint8

const (
	plain       context = iota
	ofItem              // an item: the model index is the item's number
	ofPickup            // a pick-up event: the parameter is the item's number
	ofObituary          // an obituary: the parameter is the means of death
	ofTeamSound         // a global team sound: the parameter says which
	numContexts
)

// angleVectors are the vectors whose elements are pitch, yaw and roll.
var angleVectors = map[string]bool{
	"viewangles": true, "delta_angles": true, "angles": true, "angles2": true,
	"apos.trBase": true, "apos.trDelta": true,
}

// newStateFields makes the fields that tables show. The first table gives the order, others add behind
// it; where their widths differ the field has none, and it is signed if it is signed in any.
func newStateFields(enums map[string]*dissect.Enum, docs map[string]string, source string, tables ...[]netField) *stateFields {
	s := &stateFields{byName: map[string]int{}}
	for _, table := range tables {
		for _, row := range table {
			if i, ok := s.byName[row.name]; ok {
				f := s.rows[i].field
				f.Kind = max(f.Kind, kindOf(row.bits))
				if f.Bits != max(int(row.bits), -int(row.bits)) {
					f.Bits = 0 // varies
				}
				continue
			}
			s.add(row, enums, docs, source)
		}
	}
	return s
}

// kindOf gives the kind of a table row: numbers of 32 bits are the engine's int, hence signed.
func kindOf(width int8) dissect.Kind {
	switch {
	case width == 0:
		return dissect.Float
	case width < 0 || width == 32:
		return dissect.Int
	}
	return dissect.Uint
}

func (s *stateFields) add(row netField, enums map[string]*dissect.Enum, docs map[string]string, source string) {
	r := stateRow{name: row.name, key: -1}
	base, index := row.name, -1
	if i := strings.IndexByte(base, '['); i >= 0 {
		base, index = base[:i], int(base[i+1]-'0')
	}
	key := snakeKey(base)
	children := &s.children
	if outer, rest, nested := strings.Cut(base, "."); nested {
		r.outer = container(&s.children, snakeKey(outer), outer, dissect.Object, docs[outer], source)
		children, key = &r.outer.Children, snakeKey(rest)
	}
	if index >= 0 {
		kind, leaf := dissect.Object, [...]string{"x", "y", "z"}
		if angleVectors[base] {
			leaf = [...]string{"pitch", "yaw", "roll"}
		}
		if base == "events" || base == "eventParms" {
			kind = dissect.Sparse
			r.key = int8(index)
		}
		vector := container(children, key, base, kind, docs[base], source)
		if r.outer == nil {
			r.outer = vector
		} else {
			r.inner = vector
		}
		children, key = &vector.Children, leaf[min(index, 2)]
		if kind == dissect.Sparse {
			key = ""
			if len(vector.Children) > 0 { // one description for all elements
				r.field = vector.Children[0]
			}
		}
	}
	if r.field == nil {
		r.field = &dissect.Field{
			Key: key, Name: row.name, Kind: kindOf(row.bits), Bits: max(int(row.bits), -int(row.bits)),
			Doc: docs[row.name], Source: source,
		}
		if r.field.Enum = enums[row.name]; r.key >= 0 {
			r.field.Name, r.field.Enum = base+"[]", enums[base]
		}
		*children = append(*children, r.field)
	}
	s.byName[row.name] = len(s.rows)
	s.rows = append(s.rows, r)
}

// container finds or makes the object of a key among siblings.
func container(siblings *[]*dissect.Field, key, name string, kind dissect.Kind, doc, source string) *dissect.Field {
	for _, f := range *siblings {
		if f.Key == key {
			return f
		}
	}
	f := &dissect.Field{Key: key, Name: name, Kind: kind, Doc: doc, Source: source}
	*siblings = append(*siblings, f)
	return f
}

// twin gives a field other names in a context.
func (s *stateFields) twin(name string, in context, names *dissect.Enum) {
	r := &s.rows[s.byName[name]]
	f := *r.field
	f.Enum = names
	r.twins[in] = &f
	s.children = append(s.children, &f)
}

// table lines one generation's rows up with the output.
func (s *stateFields) table(rows []netField) *deltaTable {
	t := &deltaTable{wire: make([]wireField, len(rows)), coded: make([]huffcodec.DeltaField, len(rows))}
	at := make(map[string]int, len(rows))
	for i, row := range rows {
		at[row.name] = i
	}
	for _, r := range s.ordered() {
		if i, ok := at[r.name]; ok {
			switch mask := uint64(1) << len(t.out); r.name {
			case "eType":
				t.eType, t.eTypeMask = uint8(i), mask
			case "event", "externalEvent":
				t.event, t.eventMask = uint8(i), mask
			}
			t.coded[i] = huffcodec.NewDeltaField(int(rows[i].bits), s.zeroBit, len(t.out))
			t.wire[i] = wireField{field: r.field, bits: rows[i].bits, out: uint8(len(t.out))}
			t.out = append(t.out, outField{field: r.field, outer: r.outer, inner: r.inner, twins: r.twins, wire: uint8(i), key: r.key})
		}
	}
	t.all = 1<<len(t.out) - 1
	t.zero = &entityState{known: t.all}
	return t
}

// A fieldSlot says where a generation keeps a field.
type fieldSlot struct {
	wire uint8
	mask uint64 // in known; 0: the generation has no such field
}

// of gives the field's value in a state.
func (s fieldSlot) of(v *deltaValues) uint32 { return v[s.wire] }

// slot finds a field by the engine's name.
func (t *deltaTable) slot(name string) fieldSlot {
	for i := range t.out {
		o := &t.out[i]
		full := o.field.Name
		if o.key >= 0 { // one description for all elements
			full = full[:len(full)-len("[]")] + "[" + strconv.Itoa(int(o.key)) + "]"
		}
		if full == name {
			return fieldSlot{wire: o.wire, mask: 1 << i}
		}
	}
	return fieldSlot{}
}

// ordered gives the rows so that those of one object stand together, as the children do.
func (s *stateFields) ordered() []stateRow {
	var rows []stateRow
	var walk func(fields []*dissect.Field)
	walk = func(fields []*dissect.Field) {
		for _, f := range fields {
			for _, r := range s.rows {
				if r.field == f {
					rows = append(rows, r)
				}
			}
			walk(f.Children)
		}
	}
	walk(s.children)
	return rows
}

// snakeKey splits the engine's spelling where a capital follows a small letter: groundEntityNum is
// ground_entity_num, pm_flags stays.
func snakeKey(name string) string {
	var b strings.Builder
	prev := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(prev) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
		prev = r
	}
	return b.String()
}
