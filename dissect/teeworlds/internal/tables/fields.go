package tables

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
)

// The fields of the tree are made from the rows of the tables once, when the first message is read or
// somebody asks what a record can contain: one field for each path, which dialects share. If dialects
// differ, the field has the wider kind, the names of every dialect, and the first of the games' spellings.
var (
	Objects  = sync.OnceValue(makeObjects)
	Messages = sync.OnceValue(makeMessages)
)

// A Part is a row with the fields of the tree for its values.
type Part struct {
	row
	Field *dissect.Field
	Elem  *dissect.Field           // of a list
	Inner []Part                   // of an object
	Ints  int                      // ints that the whole part takes in an object of a snapshot
	Cases map[int32]*dissect.Field // by the value of the decider

	Meanings [][]*dissect.Field // of a list's elements, by the number kept as KeepCount
	picture  *dissect.Field     // for the picture of a value
}

// A messageSet holds what the tables of messages describe.
type messageSet struct {
	Fields []*dissect.Field           // the messages' objects, in the order of the tables
	ByID   [NumDialects][2][]*Message // by id; the second are the system messages
	ByUUID map[UUID]*Message
}

func makeMessages() *messageSet {
	objects, set := Objects(), &messageSet{ByUUID: map[UUID]*Message{}}
	for _, table := range [...]struct {
		rows     []messageRow
		dialects []Dialect // objects inside messages are those of the first
		source   string
	}{
		{systemMessages07, []Dialect{V07}, "src/engine/shared/protocol.h, src/engine/server/server.cpp, src/engine/client/client.cpp"},
		{gameMessages07, []Dialect{V07}, "datasrc/network.py"},
		{systemMessages06, []Dialect{V06, DDNet}, "0.6: src/engine/shared/protocol.h, src/engine/server/server.cpp, src/engine/client/client.cpp"},
		{gameMessages06, []Dialect{V06, DDNet}, "0.6: datasrc/network.py"},
		{gameMessagesDDNet, []Dialect{DDNet}, "DDNet: datasrc/network.py"},
		{systemMessagesExtended, []Dialect{DDNet}, "DDNet: src/engine/shared/protocol_ex_msgs.h, src/engine/server/server.cpp, src/engine/client/client.cpp"},
		{gameMessagesExtended, []Dialect{DDNet}, "DDNet: datasrc/network.py"},
	} {
		for i := range table.rows {
			set.add(&table.rows[i], objects, table.dialects, table.source)
		}
	}
	for _, f := range set.Fields {
		f.Children = append(f.Children, &dissect.Undecoded)
	}
	set.addTuneOrders(objects)
	return set
}

func (s *messageSet) add(r *messageRow, objects *objectSet, dialects []Dialect, source string) {
	def := &Message{
		Key: keyOf(r.key, r.name), ID: r.id, System: strings.HasPrefix(r.name, "NETMSG_"), From: r.from,
	}
	def.Field = objectField(&s.Fields, def.Key, r.name, source)
	def.Parts = make([]Part, 0, len(r.fields))
	for _, r := range r.fields {
		def.Parts = append(def.Parts, makePart(def.Field, r, objects, dialects[0], source))
	}
	if r.uuid != "" {
		def.UUID = UUIDOf(r.uuid)
		s.ByUUID[def.UUID] = def
		return
	}
	for _, d := range dialects {
		defs := &s.ByID[d][SystemIndex(def.System)]
		*defs = append(*defs, make([]*Message, max(0, int(r.id)+1-len(*defs)))...)
		(*defs)[r.id] = def
	}
}

// keyOf returns the output key of a game's constant.
func keyOf(key, constant string) string {
	if key != "" {
		return key
	}
	for _, prefix := range [...]string{"NETMSGTYPE_", "NETMSG_", "NETOBJTYPE_", "NETEVENTTYPE_"} {
		if name, ok := strings.CutPrefix(constant, prefix); ok {
			return strings.ToLower(name)
		}
	}
	return strings.ToLower(constant)
}

// objectField returns the field of a message or an object, a new one if it is the first with its key.
func objectField(fields *[]*dissect.Field, key, name, source string) *dissect.Field {
	if f := FindField(*fields, key); f != nil {
		return f
	}
	f := &dissect.Field{Key: key, Name: name, Kind: dissect.Object, Doc: docOf("", key), Source: source}
	*fields = append(*fields, f)
	return f
}

// FindField returns the field with a key, or nil.
func FindField(fields []*dissect.Field, key string) *dissect.Field {
	if i := slices.IndexFunc(fields, func(f *dissect.Field) bool { return f.Key == key }); i >= 0 {
		return fields[i]
	}
	return nil
}

// treeKinds are the kinds in the tree by those of the rows.
var treeKinds = [...]dissect.Kind{
	KindNumber: dissect.Int, KindBool: dissect.Bool, KindText: dissect.Text, KindRaw: dissect.Hex,
	KindIntText: dissect.Text, KindObject: dissect.Object,
}

// makePart makes the part of a row, and its field below parent if there is none yet.
func makePart(parent *dissect.Field, r row, objects *objectSet, d Dialect, source string) Part {
	kind := treeKinds[r.Kind]
	f := FindField(parent.Children, r.Key)
	if f == nil {
		f = &dissect.Field{
			Key: r.Key, Name: r.name, Kind: kind, Unit: r.unit, Doc: docOf(parent.Key, r.Key), Source: source, Secret: r.secret,
		}
		if r.Times != Single {
			f.Children = []*dissect.Field{{Kind: kind, Unit: r.unit}}
			f.Kind, f.Unit = dissect.List, ""
		}
		parent.Children = append(parent.Children, f)
	}
	p := Part{row: r, Field: f, Ints: 1}
	value := f
	if r.Times != Single {
		p.Elem = f.Children[0]
		value = p.Elem
	} else {
		f.Enum = JoinEnums(f.Enum, r.enum)
	}
	if value.Kind != kind { // a flag in one dialect and a number in the other
		value.Kind = dissect.Int
	}
	switch r.Kind {
	case KindRaw:
		value.Bits = max(0, r.Size) << 3
		p.Ints = r.Size / 4
	case KindIntText:
		p.Ints = r.Size
	case KindObject:
		def := objects.byKey(d, r.of)
		p.Inner, p.Ints = def.Parts, def.Size
		value.Children = append(slices.Clone(def.Field.Children), &dissect.Undecoded)
	}
	p.Ints *= max(1, r.Times)
	for _, elements := range r.meanings {
		fields := make([]*dissect.Field, 0, len(elements))
		for _, e := range elements {
			f := makePart(parent, e, objects, d, source).Field
			f.Aside = true
			fields = append(fields, f)
		}
		p.Meanings = append(p.Meanings, fields)
	}
	if r.pictures != nil {
		p.picture = labelField(parent, "picture", source)
	}
	if len(r.enums) > 0 {
		p.Cases = make(map[int32]*dissect.Field, len(r.enums))
		for _, v := range slices.Sorted(maps.Keys(r.enums)) {
			named := *f
			named.Enum = r.enums[v]
			p.Cases[v] = &named
			parent.Children = append(parent.Children, &named)
		}
	}
	return p
}

// labelField returns the field of a parent with a text that the dissector chose, a new one if it has none yet.
func labelField(parent *dissect.Field, key, source string) *dissect.Field {
	f := FindField(parent.Children, key)
	if f == nil {
		f = &dissect.Field{Key: key, Kind: dissect.Label, Aside: true, Doc: docOf(parent.Key, key), Source: source}
		parent.Children = append(parent.Children, f)
	}
	return f
}

// Picture returns the field for what the client shows for a value, and its text; nil: there is none.
func (p *Part) Picture(v int32) (*dissect.Field, string) {
	if v < 0 || int(v) >= len(p.pictures) {
		return nil, ""
	}
	return p.picture, p.pictures[v]
}

// JoinEnums returns the names of both. Where both have a dialect, their names are the same.
func JoinEnums(a, b *dissect.Enum) *dissect.Enum {
	if a == nil || a == b {
		return b
	}
	if b == nil {
		return a
	}
	joined := &dissect.Enum{Mask: a.Mask, Tables: slices.Clone(a.Tables)}
	for d, table := range b.Tables {
		if joined.Tables[d] == nil {
			joined.Tables[d] = table
		}
	}
	return joined
}
