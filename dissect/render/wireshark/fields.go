// Package wireshark shows the whole decoding of messages in Wireshark and tshark: an Encoder makes packets that contain
// a message with its tree, and AppendPlugin the dissector for them, a Lua program. docs/wireshark.md describes the
// packets byte by byte.
//
// Fields have the names that they have in records and filters, after "q3dissect.".
package wireshark

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/fieldunion"
	"github.com/q3dissect/q3dissect/dissect/internal/pdu"
)

// The types of fields in Wireshark, as letters: they are part of what a field's number is the hash of.
const (
	typeObject = 'n' // no value
	typeList   = 'l' // no value, and no name to filter by: its elements have the path
	typeBool   = 'b'
	typeUint32 = 'u'
	typeUint64 = 'U'
	typeInt32  = 'i'
	typeInt64  = 'I'
	typeFloat  = 'f'
	typeText   = 's'
)

// elements is how many elements of a Sparse have names of their own. No array of the games has more.
const elements = 64

// pairSuffix is appended to the path of an infostring for its keys, which are wire text and cannot all have names.
const pairSuffix = ".pair"

// Fields are all fields that records can have, with their numbers. They do not change.
type Fields struct {
	Hash   uint32 // of the list without framing: two programs with the same one have the same fields
	list   []entry
	places map[*dissect.Field]*place // at the top of records
}

// An entry is a field with a number.
type entry struct {
	path  string // "quake3.server_message.ops.snapshot.server_time"
	typ   byte
	id    uint32
	doc   string
	names []string // of the values from first on, if they are the same in all games; nil: they are not, or there are none
	first int64

	framing bool
}

// A place is a path in the records. Fields of several games can share one.
type place struct {
	kind dissect.Kind // the widest of the fields' kinds
	typ  byte
	hash uint32 // of the path, to be continued
	id   uint32
	name uint32 // of the name of a value, or of one of its names
	raw  uint32 // of the bytes of a text
	pair uint32 // of a key and value of an infostring

	children map[*dissect.Field]*place
}

// NewFields lists the fields of some protocols.
func NewFields(protocols []*dissect.Protocol) *Fields {
	f := &Fields{places: make(map[*dissect.Field]*place)}
	for _, s := range fieldunion.Of(protocols, true) {
		f.add(f.places, s.Key, s)
	}
	f.Hash = pdu.Start
	for i := range f.list {
		if !f.list[i].framing { // a file without it is the same for a program that does not know it
			f.Hash = pdu.Extend(f.Hash, strconv.FormatUint(uint64(f.list[i].id), 16)+"\n")
		}
	}
	return f
}

// add lists a shape with everything in it. siblings are the places of its container.
func (f *Fields) add(siblings map[*dissect.Field]*place, path string, s *fieldunion.Shape) {
	p := &place{kind: s.Kind, typ: typeOf(s), hash: pdu.Extend(pdu.Start, path)}
	for _, field := range s.Fields {
		siblings[field] = p
	}
	e := entry{path: path, typ: p.typ, doc: docOf(s), framing: s.Framing()}
	e.names, e.first = namesOf(s)
	p.id = f.number(e)
	switch name, names := s.Naming(); {
	case names:
		p.name = f.number(entry{path: path + fieldunion.NamesSuffix, typ: typeText, doc: "names of the bits that are set"})
	case name:
		p.name = f.number(entry{path: path + fieldunion.NameSuffix, typ: typeText, doc: "name of the value"})
	}
	if s.Rawable() {
		p.raw = f.number(entry{
			path: path + fieldunion.RawSuffix, typ: typeText,
			doc: "all bytes as hexadecimal, where the text does not keep them",
		})
	}
	switch s.Kind {
	case dissect.Info:
		p.pair = f.number(entry{
			path: path + pairSuffix, typ: typeText,
			doc: "a key and its value, with a backslash between them",
		})
	case dissect.Object, dissect.Choices, dissect.List:
		p.children = make(map[*dissect.Field]*place)
		for _, c := range s.Children {
			if c.Key == "" {
				f.add(p.children, path, c)
			} else {
				f.add(p.children, fieldunion.Join(path, c.Key), c)
			}
		}
	case dissect.Sparse:
		f.addElements(p, path, s)
	}
}

// addElements lists the elements of a Sparse, which are numbers.
func (f *Fields) addElements(p *place, path string, s *fieldunion.Shape) {
	p.children = make(map[*dissect.Field]*place)
	e := s.Element()
	if e == nil {
		return
	}
	c := &place{kind: e.Kind, typ: typeOf(e), hash: pdu.Extend(p.hash, ".")}
	for _, field := range e.Fields {
		p.children[field] = c
	}
	for i := range elements {
		f.number(entry{path: fieldunion.Join(path, strconv.Itoa(i)), typ: c.typ, doc: docOf(s)})
	}
}

// number adds an entry to the list, unless it is in it, and returns its number.
func (f *Fields) number(e entry) uint32 {
	e.id = pdu.ID(e.path, e.typ)
	if i := len(f.list) - 1; i >= 0 && f.list[i].id == e.id { // a list and its elements, if these are lists too
		return e.id
	}
	f.list = append(f.list, e)
	return e.id
}

// typeOf returns the type that holds all values of a shape.
func typeOf(s *fieldunion.Shape) byte {
	switch s.Kind {
	case dissect.List:
		return typeList
	case dissect.Object, dissect.Choices, dissect.Sparse, dissect.Info:
		return typeObject
	case dissect.Bool:
		return typeBool
	case dissect.Float:
		return typeFloat
	case dissect.Uint, dissect.Int:
		return typeOfNumber(s)
	}
	return typeText
}

// typeOfNumber returns the type of numbers: with 64 bits if the width of one field varies, or if it is wider than 32
// bits, or if some fields are signed and others are not.
func typeOfNumber(s *fieldunion.Shape) byte {
	wide := slices.ContainsFunc(s.Fields, func(f *dissect.Field) bool {
		return f.Bits == 0 || f.Bits > 32 || f.Kind != s.Kind
	})
	switch {
	case s.Kind == dissect.Uint && wide:
		return typeUint64
	case s.Kind == dissect.Uint:
		return typeUint32
	case wide:
		return typeInt64
	}
	return typeInt32
}

// docOf returns the documentation of a shape for Wireshark's status bar.
func docOf(s *fieldunion.Shape) string {
	var doc, unit string
	for _, f := range s.Fields {
		doc, unit = cmp.Or(doc, f.Doc), cmp.Or(unit, f.Unit)
	}
	switch {
	case unit == "":
		return doc
	case doc == "":
		return unit
	}
	return doc + " (" + unit + ")"
}

// namesOf returns the names of a shape's values, if they are the same in all games: a field of Wireshark has one table.
func namesOf(s *fieldunion.Shape) (names []string, first int64) {
	if s.AsString() {
		return nil, 0
	}
	for _, f := range s.Fields {
		if !fieldunion.Named(f) {
			continue
		}
		if f.Enum.Mask || f.Enum.Ignore != 0 {
			return nil, 0
		}
		for _, table := range f.Enum.All() {
			switch {
			case table == nil:
			case names == nil:
				names, first = table, f.Enum.First
			case f.Enum.First != first || !slices.Equal(names, table):
				return nil, 0
			}
		}
	}
	return names, first
}
