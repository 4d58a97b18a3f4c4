package quake3

import (
	"math"
	"math/bits"
	"strings"
	"unicode"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// Widths and limits of the delta coding, MSG_ReadDeltaEntity and MSG_ReadDeltaPlayerstate in
// code/qcommon/msg.c.
const (
	maxDeltaFields = 58 // the longest table, protocol 91
	floatIntBits   = 13 // a float that is a small whole number travels as 13 bits ...
	floatIntBias   = 1 << (floatIntBits - 1)
)

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

// readFloat reads a float: a small whole number in 13 bits, or all 32 bits of it.
func readFloat(r *huffcodec.Reader) uint32 {
	if r.Bit() {
		return r.Bits(32)
	}
	return math.Float32bits(float32(int32(r.Bits(floatIntBits)) - floatIntBias))
}

// readValue reads a changed field's value.
func (w *wireField) readValue(r *huffcodec.Reader) uint32 {
	switch {
	case w.bits > 0:
		return r.Bits(int(w.bits))
	case w.bits == 0:
		return readFloat(r)
	}
	return uint32(signExtend(r.Bits(int(-w.bits)), int(-w.bits)))
}

func signExtend(v uint32, width int) int32 {
	shift := 32 - width
	return int32(v<<shift) >> shift
}

// readPrefix reads a delta of the counted kind (66 and later): the number of leading fields, then each
// one's changed bit and value. It gives the mask of the changed fields.
func (t *deltaTable) readPrefix(d *dissect.Decoder, v *deltaValues, span *huffcodec.DeltaSpan) uint64 {
	r := d.Reader()
	start := r.Pos()
	n := int(r.Byte())
	if n > len(t.coded) {
		d.Malformed(nil, start, "%d fields announced, the table has %d", n, len(t.coded))
		return 0
	}
	if d.Tree() == nil {
		span = nil
	}
	changed, read := r.Delta(t.coded[:n], v[:], span)
	if read < n {
		d.Check(t.wire[read].field)
	} else {
		d.Check(nil)
	}
	return changed
}

// readChosen reads the values of the fields that chosen says are there, as 43 and 48 have it: no field
// count, and a zero is written out.
func (t *deltaTable) readChosen(d *dissect.Decoder, v *deltaValues, span *huffcodec.DeltaSpan, chosen func(i int) bool) uint64 {
	r := d.Reader()
	var changed uint64
	for i := range t.wire {
		if !chosen(i) {
			continue
		}
		w, at := &t.wire[i], r.Pos()
		value := w.readValue(r)
		if r.Failed() {
			d.Check(w.field)
			return changed
		}
		v[i] = value
		span.Bit[i], span.Size[i] = uint32(at), uint8(r.Pos()-at)
		changed |= 1 << w.out
	}
	return changed
}

// presetMasks is the selector from which on a mask is written out.
const presetMasks = len(presetEntityMasks)

// readMasked reads an entity's delta of 43 and 48: the number of a preset mask, or one that is written
// out, then the values of its fields.
func (t *deltaTable) readMasked(d *dissect.Decoder, v *deltaValues, span *huffcodec.DeltaSpan, tail int) uint64 {
	var mask uint64
	if preset := d.Bits(5); preset < uint32(presetMasks)-1 {
		for i, b := range presetEntityMasks[preset] {
			mask |= uint64(b) << (8 * i)
		}
	} else {
		mask = uint64(d.Bits(24)) | uint64(d.Bits(24))<<24 | uint64(d.Bits(tail))<<48
	}
	return t.readChosen(d, v, span, func(i int) bool { return mask>>i&1 != 0 })
}

// add appends the fields of a mask to the tree, in output order. span may be nil: the values were not
// read from this message.
func (t *deltaTable) add(tree *dissect.Tree, v *deltaValues, mask uint64, span *huffcodec.DeltaSpan, names context) {
	if tree == nil {
		return
	}
	var outer, inner *dissect.Field
	for ; mask != 0; mask &= mask - 1 {
		o := &t.out[bits.TrailingZeros64(mask)]
		if inner != nil && (o.inner != inner || o.outer != outer) {
			tree.Close(0)
			inner = nil
		}
		if outer != nil && o.outer != outer {
			tree.Close(0)
		}
		if o.outer != nil && o.outer != outer {
			tree.Open(o.outer, 0)
		}
		if o.inner != nil && o.inner != inner {
			tree.Open(o.inner, 0)
		}
		outer, inner = o.outer, o.inner
		f := o.field
		if names != plain && o.twins[names] != nil {
			f = o.twins[names]
		}
		value := uint64(v[o.wire])
		if f.Kind == dissect.Int {
			value = uint64(int64(int32(v[o.wire])))
		}
		var bit, size int
		if span != nil {
			bit, size = int(span.Bit[o.wire]), int(span.Size[o.wire])
		}
		tree.AddAt(f, int(max(o.key, 0)), value, bit, size)
	}
	if inner != nil {
		tree.Close(0)
	}
	if outer != nil {
		tree.Close(0)
	}
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
