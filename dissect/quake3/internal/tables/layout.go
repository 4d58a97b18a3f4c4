package tables

import (
	"strconv"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables/netfields"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// maxFields is the length of the longest table of Quake III, that of protocol 91. Tables of other games are
// longer: their states have more pages of this many fields.
const maxFields = 58

// A Layout is one generation's order of the fields of entityState_t or playerState_t.
//
// State is an array indexed like the table. The output has another order, which keeps vectors and nested
// structures together; masks of fields (changed, known) are in that output order.
//
// A Wide layout, one with more fields than a page, stores fields in an order of its own (OutputField.Stored),
// and its masks are in that order.
//
// It is made when a row that has it is first asked for.
type Layout struct {
	once   sync.Once
	of     *Structure
	rows   []netfields.NetField
	finish func(t *Layout) // what else its game has; may be nil

	Wire      []wireField            // in the order of the wire, which is the format
	Coded     []huffcodec.DeltaField // the same, for the counted form
	Values    []Value                // the same, for a table with codings; nil: by their widths
	Output    []OutputField          // in output order
	AllFields uint64                 // mask of every field of the first page
	Zero      *State                 // the all-zero state, everything known
	Null      *State                 // what baselines are deltas of: Zero in most tables
	Wide      bool
	ZeroBit   bool // a bit before each value shows whether it is zero

	// Indices of the fields that determine the meaning of others: EType and event, or externalEvent.
	EType, Event         uint8 // wire index
	ETypeMask, EventMask uint64
}

// make makes the layout, if there is one, and it was not made before.
func (t *Layout) make() {
	if t == nil {
		return
	}
	t.once.Do(func() {
		t.of.line(t)
		if t.finish != nil {
			t.finish(t)
		}
	})
}

type wireField struct {
	Name   string // the engine's
	Field  *dissect.Field
	Bits   int8  // as in NetField
	Output uint8 // output index
}

// An OutputField is a value of a structure in the order of records.
type OutputField struct {
	Field        *dissect.Field
	Outer, Inner *dissect.Field // the objects that contain it, or nil
	InContext    *InContext     // nil: it has the same names in every context
	Wire         uint8          // wire index; in a wide layout the index of the stored value
	Key          int8           // index in a Sparse, or -1
}

// InContext is a field with the names of each context, or nil.
type InContext [numContexts]*dissect.Field

// Values are the values of one state, by wire index: numbers sign-extended to 32 bits, floats as
// their bits.
type Values [maxFields]uint32

// A State is an entity as far as it is known: a capture may begin after its first mention.
type State struct {
	Values Values
	Known  uint64 // mask of the fields whose value is known, in output order
	More   *More  // the further pages of a wide layout; may be nil if nothing in them is known
}

// morePages is how many further pages the longest structure takes: that of Jedi Academy's players has 152
// fields.
const morePages = 2

// More are the further pages of a state.
type More [morePages]struct {
	Values Values
	Known  uint64
}

// Set makes s equal to another state, with a copy of what More refers to.
func (s *State) Set(from *State) {
	s.Values, s.Known = from.Values, from.Known
	switch {
	case from.More != nil:
		if s.More == nil {
			s.More = new(More)
		}
		*s.More = *from.More
	case s.More != nil:
		*s.More = More{}
	}
}

// Equal reports whether two states have the same known values.
func (s *State) Equal(o *State) bool {
	if s.Values != o.Values || s.Known != o.Known {
		return false
	}
	var none More
	a, b := s.More, o.More
	if a == nil {
		a = &none
	}
	if b == nil {
		b = &none
	}
	return *a == *b
}

// Put sets the value that is stored at a place, in a state of a wide layout.
func (s *State) Put(place uint8, v uint32) {
	if place < maxFields {
		s.Values[place] = v
		s.Known |= 1 << place
		return
	}
	if s.More == nil {
		s.More = new(More)
	}
	page := &s.More[place/maxFields-1]
	page.Values[place%maxFields] = v
	page.Known |= 1 << (place % maxFields)
}

// At returns the value that is stored at a place, and whether it is known.
func (s *State) At(place uint8) (v uint32, known bool) {
	if place < maxFields {
		return s.Values[place], s.Known>>place&1 != 0
	}
	if s.More == nil {
		return 0, false
	}
	page := &s.More[place/maxFields-1]
	return page.Values[place%maxFields], page.Known>>(place%maxFields)&1 != 0
}

// A Span is the position of a value of a wide layout in a message, in bits. Its size is 0 if the message does
// not have it.
type Span struct {
	Bit  uint32
	Size uint8
}

// Spans are the positions of all fields, by storage index.
type Spans [(1 + morePages) * maxFields]Span

// A Slot locates a field in a generation's states.
type Slot struct {
	wire uint8
	Mask uint64 // in known; 0: the generation has no such field
}

// Value returns the field's value in a state.
func (s Slot) Value(v *Values) uint32 { return v[s.wire] }

// Vector finds the three fields of a vector.
func (t *Layout) Vector(name string) [3]Slot {
	return [3]Slot{t.Slot(name + "[0]"), t.Slot(name + "[1]"), t.Slot(name + "[2]")}
}

// Slot finds a field by the engine's name.
func (t *Layout) Slot(name string) Slot {
	for i := range t.Output {
		o := &t.Output[i]
		full := o.Field.Name
		if o.Key >= 0 { // one description for all elements
			full = full[:len(full)-len("[]")] + "[" + strconv.Itoa(int(o.Key)) + "]"
		}
		if full == name && (!t.Wide || o.Wire < maxFields) {
			if t.Wide {
				i = int(o.Wire)
			}
			return Slot{wire: o.Wire, Mask: 1 << i}
		}
	}
	return Slot{}
}

// Place returns the storage index of a field of a wide layout, by the engine's name.
func (t *Layout) Place(name string) uint8 {
	for i := range t.Output {
		if t.Output[i].Field.Name == name {
			return t.Output[i].Wire
		}
	}
	return 0
}
