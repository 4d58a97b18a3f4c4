package tables

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// ExtendedObjects is the first type number of objects with a UUID. An item of type 0 whose id is
// such a number assigns it: the item holds the UUID in UUIDInts ints.
//
// OFFSET_UUID_TYPE in DDNet's src/engine/shared/snapshot.h.
const (
	ExtendedObjects = 0x4000
	UUIDInts        = UUIDBytes / 4
)

// An Object describes one object of snapshots in one dialect.
type Object struct {
	Key   string
	id    int  // type number; 0 with a uuid
	UUID  UUID // zero: none
	Field *dissect.Field
	Parts []Part
	Size  int // ints of all fields
}

// HasText reports whether the object's ints contain texts.
func (o *Object) HasText() bool {
	return slices.ContainsFunc(o.Parts, func(p Part) bool { return p.Kind == KindIntText })
}

// ExtraIntsField is for ints after the fields of an object.
var ExtraIntsField = dissect.Field{
	Key: "extra_ints", Kind: dissect.List, Children: []*dissect.Field{{Kind: dissect.Int}},
	Doc: "values after the last known field; later versions of the games add fields at the end",
}

// An objectSet holds the objects that the tables describe.
type objectSet struct {
	Fields []*dissect.Field
	ByID   [NumDialects][]*Object
	byUUID map[UUID]*Object
}

// staticObjects is the number after the last type that is sent without its size. 0.7 has later
// types after it.
//
// CGameContext::OnInit in src/game/server/gamecontext.cpp, CGameClient::OnInit in src/game/client/gameclient.cpp.
var staticObjects = [NumDialects]int{V07: 23, V06: 21, DDNet: 21}

func makeObjects() *objectSet {
	set := &objectSet{byUUID: map[UUID]*Object{}}
	for _, table := range [...]struct {
		rows     []objectRow
		dialects []Dialect
		source   string
	}{
		{objects07, []Dialect{V07}, "datasrc/network.py"},
		{objects06, []Dialect{V06, DDNet}, "0.6: datasrc/network.py"},
		{objectsExtended, []Dialect{V07, V06, DDNet}, "DDNet: datasrc/network.py"},
	} {
		for i := range table.rows {
			set.add(&table.rows[i], table.dialects, table.source)
		}
	}
	for _, f := range set.Fields {
		f.Children = append(f.Children, &ExtraIntsField)
	}
	return set
}

func (s *objectSet) add(r *objectRow, dialects []Dialect, source string) {
	def := &Object{Key: keyOf(r.key, r.name), id: r.id}
	def.Field = objectField(&s.Fields, def.Key, r.name, source)
	def.Parts = make([]Part, 0, len(r.fields))
	for _, r := range r.fields {
		p := makePart(def.Field, r, s, dialects[0], source)
		def.Parts = append(def.Parts, p)
		def.Size += p.Ints
	}
	if r.uuid != "" {
		def.UUID = UUIDOf(r.uuid)
		s.byUUID[def.UUID] = def
		return
	}
	for _, d := range dialects {
		s.ByID[d] = append(s.ByID[d], make([]*Object, max(0, r.id+1-len(s.ByID[d])))...)
		s.ByID[d][r.id] = def
	}
}

// byKey returns the object of a dialect with a key.
func (s *objectSet) byKey(d Dialect, key string) *Object {
	for _, def := range s.ByID[d] {
		if def != nil && def.Key == key {
			return def
		}
	}
	return nil
}

// ObjectSize returns the number of ints of a type that is sent without its size.
func ObjectSize(d Dialect, itemType int) (ints int, ok bool) {
	if itemType < 1 || itemType >= staticObjects[d] {
		return 0, false
	}
	return Objects().ByID[d][itemType].Size, true
}

// LookupObject returns the object of a type number, or nil. Numbers from ExtendedObjects on have no
// fixed object, see LookupExtendedObject.
func LookupObject(d Dialect, itemType int) *Object {
	if defs := Objects().ByID[d]; itemType >= 0 && itemType < len(defs) {
		return defs[itemType]
	}
	return nil
}

// LookupExtendedObject returns the object of a UUID, or nil.
func LookupExtendedObject(u UUID) *Object { return Objects().byUUID[u] }

// AllObjects returns every object of every dialect.
func AllObjects() []*Object {
	var defs []*Object
	for _, d := range []Dialect{V07, DDNet} {
		for _, def := range Objects().ByID[d] {
			if def != nil && !slices.Contains(defs, def) {
				defs = append(defs, def)
			}
		}
	}
	for i := range objectsExtended {
		if name := objectsExtended[i].uuid; name != "" {
			defs = append(defs, LookupExtendedObject(UUIDOf(name)))
		}
	}
	return defs
}
