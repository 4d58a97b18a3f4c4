package teeworlds

import (
	"maps"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
)

// The fields of the tree are made from the rows of the tables, once: one field for each path, whatever
// dialects share it. Of the kinds it has the wider, of the names those of every dialect, of the
// game's spellings the first.
var (
	objectTables  = makeObjects()
	messageTables = makeMessages(&objectTables)
)

// A part is a row with the fields of the tree that its values go to.
type part struct {
	row
	field *dissect.Field
	elem  *dissect.Field           // of a list
	inner []part                   // of an object
	ints  int                      // ints that the whole part takes in an object of a snapshot
	cases map[int32]*dissect.Field // by the value of the decider
}

// A messageSet holds what the tables of messages describe.
type messageSet struct {
	fields []*dissect.Field              // the messages' objects, in the order of the tables
	byID   [numDialects][2][]*messageDef // by id; the second are the system messages
	byUUID map[uuid]*messageDef          //
}

func makeMessages(objects *objectSet) messageSet {
	set := messageSet{byUUID: map[uuid]*messageDef{}}
	for _, table := range [...]struct {
		rows     []messageRow
		dialects []dialect // the first one's objects stand in messages
		source   string
	}{
		{systemMessages07, []dialect{v07}, "src/engine/shared/protocol.h, src/engine/server/server.cpp, src/engine/client/client.cpp"},
		{gameMessages07, []dialect{v07}, "datasrc/network.py"},
		{systemMessages06, []dialect{v06, ddnet}, "0.6: src/engine/shared/protocol.h, src/engine/server/server.cpp, src/engine/client/client.cpp"},
		{gameMessages06, []dialect{v06, ddnet}, "0.6: datasrc/network.py"},
		{gameMessagesDDNet, []dialect{ddnet}, "DDNet: datasrc/network.py"},
		{systemMessagesExtended, []dialect{ddnet}, "DDNet: src/engine/shared/protocol_ex_msgs.h, src/engine/server/server.cpp, src/engine/client/client.cpp"},
		{gameMessagesExtended, []dialect{ddnet}, "DDNet: datasrc/network.py"},
	} {
		for i := range table.rows {
			set.add(&table.rows[i], objects, table.dialects, table.source)
		}
	}
	for _, f := range set.fields {
		f.Children = append(f.Children, &dissect.Undecoded)
	}
	set.addTuneOrders(objects)
	return set
}

func (s *messageSet) add(r *messageRow, objects *objectSet, dialects []dialect, source string) {
	def := &messageDef{
		key: keyOf(r.key, r.name), id: r.id, system: strings.HasPrefix(r.name, "NETMSG_"), from: r.from,
	}
	def.field = objectField(&s.fields, def.key, r.name, source)
	for _, r := range r.fields {
		def.parts = append(def.parts, makePart(def.field, r, objects, dialects[0], source))
	}
	if r.uuid != "" {
		def.uuid = uuidOf(r.uuid)
		s.byUUID[def.uuid] = def
		return
	}
	for _, d := range dialects {
		defs := &s.byID[d][systemIndex(def.system)]
		*defs = append(*defs, make([]*messageDef, max(0, int(r.id)+1-len(*defs)))...)
		(*defs)[r.id] = def
	}
}

// keyOf makes the output key of a game's constant.
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

// objectField gives the field of a message or an object, a new one if it is the first with its key.
func objectField(fields *[]*dissect.Field, key, name, source string) *dissect.Field {
	if f := find(*fields, key); f != nil {
		return f
	}
	f := &dissect.Field{Key: key, Name: name, Kind: dissect.Object, Doc: docOf("", key), Source: source}
	*fields = append(*fields, f)
	return f
}

func find(fields []*dissect.Field, key string) *dissect.Field {
	if i := slices.IndexFunc(fields, func(f *dissect.Field) bool { return f.Key == key }); i >= 0 {
		return fields[i]
	}
	return nil
}

// treeKinds are the kinds in the tree by those of the rows.
var treeKinds = [...]dissect.Kind{
	kindNumber: dissect.Int, kindBool: dissect.Bool, kindText: dissect.Text, kindRaw: dissect.Hex,
	kindIntText: dissect.Text, kindObject: dissect.Object,
}

// makePart makes the part of a row, and its field below parent if there is none yet.
func makePart(parent *dissect.Field, r row, objects *objectSet, d dialect, source string) part {
	kind := treeKinds[r.kind]
	f := find(parent.Children, r.key)
	if f == nil {
		f = &dissect.Field{
			Key: r.key, Name: r.name, Kind: kind, Unit: r.unit, Doc: docOf(parent.Key, r.key), Source: source, Secret: r.secret,
		}
		if r.times != single {
			f.Children = []*dissect.Field{{Kind: kind, Unit: r.unit}}
			f.Kind, f.Unit = dissect.List, ""
		}
		parent.Children = append(parent.Children, f)
	}
	p := part{row: r, field: f, ints: 1}
	value := f
	if r.times != single {
		p.elem = f.Children[0]
		value = p.elem
	} else {
		f.Enum = joinEnums(f.Enum, r.enum)
	}
	if value.Kind != kind { // a flag in one dialect and a number in the other
		value.Kind = dissect.Int
	}
	switch r.kind {
	case kindRaw:
		value.Bits = max(0, r.size) << 3
		p.ints = r.size / 4
	case kindIntText:
		p.ints = r.size
	case kindObject:
		def := objects.byKey(d, r.of)
		p.inner, p.ints = def.parts, def.size
		value.Children = append(slices.Clone(def.field.Children), &dissect.Undecoded)
	}
	p.ints *= max(1, r.times)
	for v, enum := range r.enums {
		if p.cases == nil {
			p.cases = map[int32]*dissect.Field{}
		}
		named := *f
		named.Enum = enum
		p.cases[v] = &named
	}
	for _, v := range slices.Sorted(maps.Keys(p.cases)) {
		parent.Children = append(parent.Children, p.cases[v])
	}
	return p
}

// joinEnums gives the names of both; where both know a dialect they are the same.
func joinEnums(a, b *dissect.Enum) *dissect.Enum {
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

// docOf is what a field means: in its object, or wherever it stands.
func docOf(parent, key string) string {
	if parent == "" {
		return objectDocs[key]
	}
	if doc := fieldDocs[parent+"."+key]; doc != "" {
		return doc
	}
	return fieldDocs[key]
}
