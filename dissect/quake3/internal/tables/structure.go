package tables

import (
	"strings"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables/netfields"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// A Structure is the output side of all generations' tables of one structure: the objects and fields that any
// of them has, each made once, in an order of its own. It is made when the first message that has it is read, or when
// somebody asks for all fields.
type Structure struct {
	enums    map[string]*dissect.Enum // by the engine's name of a field
	docs     func() map[string]string
	source   string
	tables   [][]netfields.NetField
	contexts []contextNames
	prefix   string // what the names of fields do not have in records

	once     sync.Once // of what follows but for what is said of the wire
	children []*dissect.Field
	rows     []member
	byName   map[string]int // index in rows by the engine's name
	zeroBit  bool           // in the counted form a changed value is preceded by a bit that is 0 if it is zero
	// wide structures have more fields than a page. The fields that events need, those of Quake III, are stored
	// first.
	wide  bool
	first []netfields.NetField
	union bool // a state has all fields of the structure, whichever table it was read with

	output []member // what ordered gives, once made
	places []uint8  // what stored gives, once made

	unused []dissect.Field // memory for more fields
}

// contextNames are other names of a field's value, in a context.
type contextNames struct {
	field   string // the engine's name
	context Context
	names   *dissect.Enum
}

type member struct {
	name         string
	field        *dissect.Field
	outer, inner *dissect.Field
	inContext    *InContext
	row          int // in rows
	key          int8
}

// A Context determines the meaning of a number by another one in the same state.
type Context uint8

// The contexts.
const (
	NoContext        Context = iota
	ItemContext              // an item: the model index is the item's number
	PickupContext            // a pickup event: the parameter is the item's number
	ObituaryContext          // an obituary: the parameter is the means of death
	TeamSoundContext         // a global team sound: the parameter selects it
	numContexts
)

// angleVectors are the vectors whose elements are pitch, yaw and roll.
var angleVectors = map[string]bool{
	"viewangles": true, "delta_angles": true, "angles": true, "angles2": true,
	"apos.trBase": true, "apos.trDelta": true,
}

// otherKeys are the keys of fields whose own key is that of an array in other games.
var otherKeys = map[string]string{"ammo": "weapon_ammo"}

// Fields returns the objects and fields, in the order of records.
func (s *Structure) Fields() []*dissect.Field {
	s.once.Do(s.make)
	return s.children
}

// make makes the fields of the tables. The first table determines the order, and the others add their own fields at the
// end. A field whose width differs between tables has no width; one that is signed in any of them is signed.
func (s *Structure) make() {
	docs := s.docs()
	s.byName, s.rows = make(map[string]int, structureRows), make([]member, 0, structureRows)
	for _, table := range s.tables {
		for _, row := range table {
			if i, ok := s.byName[row.Name]; ok {
				f := s.rows[i].field
				f.Kind = max(f.Kind, kindOf(row.Bits))
				if f.Bits != max(int(row.Bits), -int(row.Bits)) {
					f.Bits = 0 // varies
				}
				continue
			}
			s.add(row, s.enums, docs, s.source)
		}
	}
	for _, c := range s.contexts {
		s.inContext(c)
	}
	for i := range s.rows {
		s.rows[i].field.Name = strings.TrimPrefix(s.rows[i].field.Name, s.prefix)
	}
}

// kindOf returns the kind of a table row: numbers of 32 bits are the engine's int, hence signed.
func kindOf(width int8) dissect.Kind {
	switch {
	case width == 0:
		return dissect.Float
	case width < 0 || width == 32:
		return dissect.Int
	}
	return dissect.Uint
}

// add adds the field of a row, in the objects that contain it.
func (s *Structure) add(row netfields.NetField, enums map[string]*dissect.Enum, docs map[string]string, source string) {
	if array, _, found := strings.Cut(row.Name, "["); found && sparseArrays[array] {
		s.addElement(row, docs, source)
		return
	}
	r := member{name: row.Name, key: -1}
	base, index := splitIndex(row.Name)
	children, own := &s.children, base
	if outer, rest, nested := strings.Cut(base, "."); nested {
		r.outer = s.container(&s.children, snakeKey(outer), outer, dissect.Object, docs[outer], source)
		children, own = &r.outer.Children, rest
	}
	key := snakeKey(own)
	if other, ok := otherKeys[base]; ok {
		key = other
	}
	if index >= 0 {
		kind, component := componentOf(base, index)
		vector := s.container(children, key, base, kind, docs[base], source)
		if r.outer == nil {
			r.outer = vector
		} else {
			r.inner = vector
		}
		if children, key = &vector.Children, component; kind == dissect.Sparse {
			r.key = int8(index)
			if len(vector.Children) > 0 { // one description for all elements
				r.field = vector.Children[0]
			}
		}
	}
	if r.field == nil {
		r.field = s.newField(dissect.Field{
			Key: key, Name: row.Name, Kind: kindOf(row.Bits), Bits: max(int(row.Bits), -int(row.Bits)),
			Doc: docs[row.Name], Source: source,
		})
		if base == "delta_angles" {
			r.field.Unit = dissect.UnitTurn16
		}
		if r.field.Enum = enums[row.Name]; r.key >= 0 {
			r.field.Name, r.field.Enum, r.field.Doc = base+"[]", enums[base], docs[base]
		}
		*children = append(*children, r.field)
	}
	r.row = len(s.rows)
	s.byName[row.Name] = r.row
	s.rows = append(s.rows, r)
}

// splitIndex splits the index from a field's name: origin[0]. It is -1 if there is none. A name in its place becomes a
// part of the field's: forcePowerLevel[FP_SEE] is a single number.
func splitIndex(name string) (base string, index int) {
	base, inside, found := strings.Cut(name, "[")
	if !found {
		return name, -1
	}
	if index = int(inside[0] - '0'); index <= 9 {
		return base, index
	}
	return base + "_" + strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(inside, "FP_"), "]")), -1
}

// componentOf returns how an array of the engine is shown, and the key of one of its elements: a vector with named
// components, or a Sparse, whose elements have no keys.
func componentOf(array string, index int) (kind dissect.Kind, key string) {
	switch {
	case array == "events" || array == "eventParms" || array == "weapons":
		return dissect.Sparse, ""
	case angleVectors[array]:
		return dissect.Object, [...]string{"pitch", "yaw", "roll"}[index]
	case array == "customRGBA" || array == "blend":
		return dissect.Object, [...]string{"r", "g", "b", "a"}[index]
	}
	return dissect.Object, [...]string{"x", "y", "z"}[index]
}

// structureRows is more than most structures have. Tables are made whenever the program starts, so memory for them is
// taken at once.
const structureRows = 128

// newField returns a field of the structure.
func (s *Structure) newField(f dissect.Field) *dissect.Field {
	if len(s.unused) == 0 {
		s.unused = make([]dissect.Field, structureRows/2)
	}
	made := &s.unused[0]
	s.unused = s.unused[1:]
	*made = f
	return made
}

// container finds or makes the object of a key among siblings.
func (s *Structure) container(siblings *[]*dissect.Field, key, name string, kind dissect.Kind,
	doc, source string,
) *dissect.Field {
	for _, f := range *siblings {
		if f.Key == key {
			return f
		}
	}
	f := s.newField(dissect.Field{Key: key, Name: name, Kind: kind, Doc: doc, Source: source})
	*siblings = append(*siblings, f)
	return f
}

// inContext makes the field with the names of a context.
func (s *Structure) inContext(c contextNames) {
	i, ok := s.byName[c.field]
	if !ok {
		return
	}
	r := &s.rows[i]
	f := *r.field
	f.Enum = c.names
	if r.inContext == nil {
		r.inContext = new(InContext)
	}
	r.inContext[c.context] = &f
	s.children = append(s.children, &f)
}

// table is the layout of one generation's rows.
func (s *Structure) table(rows []netfields.NetField) *Layout { return &Layout{of: s, rows: rows} }

// line lines the rows of a layout up with the output.
func (s *Structure) line(t *Layout) {
	s.once.Do(s.make)
	rows := t.rows
	t.Wire, t.Coded = make([]wireField, len(rows)), make([]huffcodec.DeltaField, len(rows))
	t.Wide, t.Zero = s.wide, &State{}
	at := make([]int, len(s.rows)) // + 1, by the structure's row
	for i, row := range rows {
		if n, ok := s.byName[row.Name]; ok {
			at[n] = i + 1
		}
	}
	var stored []uint8
	if s.wide {
		stored = s.stored()
	}
	ordered := s.ordered()
	t.Output = make([]OutputField, 0, len(ordered))
	for _, r := range ordered {
		i, ok := max(at[r.row]-1, 0), at[r.row] > 0
		if !ok && !s.union {
			continue
		}
		output, wire := uint8(len(t.Output)), uint8(i)
		if s.wide {
			output = stored[r.row]
			wire = output
		}
		switch mask := uint64(1) << output; r.name {
		case "eType":
			t.EType, t.ETypeMask = wire, mask
		case "event", "externalEvent":
			t.Event, t.EventMask = wire, mask
		}
		if ok {
			bit := int(output)
			if s.wide { // a delta is read by the page
				bit = i % maxFields
			}
			t.Coded[i] = huffcodec.NewDeltaField(int(rows[i].Bits), s.zeroBit, bit)
			t.Wire[i] = wireField{Name: r.name, Field: r.field, Bits: rows[i].Bits, Output: output}
		}
		t.Output = append(t.Output, OutputField{
			Field: r.field, Outer: r.outer, Inner: r.inner, InContext: r.inContext,
			Wire: wire, Key: r.key,
		})
		if s.wide {
			t.Zero.Put(output, 0)
		}
	}
	if !s.wide {
		t.Zero.Known = 1<<len(t.Output) - 1
	}
	t.AllFields, t.Null, t.ZeroBit = t.Zero.Known, t.Zero, s.zeroBit
}

// stored returns the storage index of every field of a wide structure, by the structure's row.
func (s *Structure) stored() []uint8 {
	if s.places != nil {
		return s.places
	}
	s.places = make([]uint8, len(s.rows))
	placed, next := make([]bool, len(s.rows)), uint8(0)
	place := func(row int) {
		if !placed[row] {
			s.places[row], placed[row] = next, true
			next++
		}
	}
	for _, row := range s.first {
		if i, ok := s.byName[row.Name]; ok {
			place(i)
		}
	}
	for i := range s.rows {
		place(i)
	}
	return s.places
}

// ordered returns the rows grouped by object, like the children. It is called for every table of a structure,
// and makes the order once, when the structure is complete.
func (s *Structure) ordered() []member {
	if s.output != nil {
		return s.output
	}
	first := make(map[*dissect.Field]int, len(s.rows)) // its first row, + 1
	// the next row of the same field, + 1: a Sparse has one for all elements
	next := make([]int, len(s.rows))
	for i := len(s.rows) - 1; i >= 0; i-- {
		f := s.rows[i].field
		next[i], first[f] = first[f], i+1
	}
	s.output = make([]member, 0, len(s.rows))
	var walk func(fields []*dissect.Field)
	walk = func(fields []*dissect.Field) {
		for _, f := range fields {
			for i := first[f]; i > 0; i = next[i-1] {
				s.output = append(s.output, s.rows[i-1])
			}
			walk(f.Children)
		}
	}
	walk(s.children)
	return s.output
}

// snakeKey splits the engine's spelling where a capital follows a small letter: groundEntityNum is
// ground_entity_num, pm_flags stays.
func snakeKey(name string) string {
	capital := func(c byte) bool { return c >= 'A' && c <= 'Z' }
	i := 0
	for i < len(name) && !capital(name[i]) {
		i++
	}
	if i == len(name) { // most names
		return name
	}
	var buf [48]byte
	b := append(buf[:0], name[:i]...)
	for ; i < len(name); i++ {
		c := name[i]
		if capital(c) {
			if i > 0 && name[i-1] >= 'a' && name[i-1] <= 'z' {
				b = append(b, '_')
			}
			c += 'a' - 'A'
		}
		b = append(b, c)
	}
	return string(b)
}
