package teeworlds

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// extendedObjects is the first number that stands for a UUID's object. An item of type 0 whose id is such a
// number says which; it holds the UUID in uuidInts ints.
//
// OFFSET_UUID_TYPE in DDNet's src/engine/shared/snapshot.h.
const (
	extendedObjects = 0x4000
	uuidInts        = uuidBytes / 4
)

// An objectDef describes one object of snapshots in one dialect.
type objectDef struct {
	key   string
	id    int  // type number; 0 with a uuid
	uuid  uuid // zero: none
	field *dissect.Field
	parts []part
	size  int // ints of all fields
}

// extraIntsField is for what follows the fields of an object.
var extraIntsField = dissect.Field{
	Key: "extra_ints", Kind: dissect.List, Children: []*dissect.Field{{Kind: dissect.Int}},
	Doc: "values behind the last known field; later versions of the games add fields at the end",
}

// An objectSet holds what the tables of objects describe.
type objectSet struct {
	fields []*dissect.Field
	byID   [numDialects][]*objectDef
	byUUID map[uuid]*objectDef
}

// staticObjects is the number behind the last type that travels without its size. 0.7 has types behind
// it, which came later.
//
// CGameContext::OnInit in src/game/server/gamecontext.cpp, CGameClient::OnInit in src/game/client/gameclient.cpp.
var staticObjects = [numDialects]int{v07: 23, v06: 21, ddnet: 21}

func makeObjects() objectSet {
	set := objectSet{byUUID: map[uuid]*objectDef{}}
	for _, table := range [...]struct {
		rows     []objectRow
		dialects []dialect
		source   string
	}{
		{objects07, []dialect{v07}, "datasrc/network.py"},
		{objects06, []dialect{v06, ddnet}, "0.6: datasrc/network.py"},
		{objectsExtended, []dialect{v07, v06, ddnet}, "DDNet: datasrc/network.py"},
	} {
		for i := range table.rows {
			set.add(&table.rows[i], table.dialects, table.source)
		}
	}
	for _, f := range set.fields {
		f.Children = append(f.Children, &extraIntsField)
	}
	return set
}

func (s *objectSet) add(r *objectRow, dialects []dialect, source string) {
	def := &objectDef{key: keyOf(r.key, r.name), id: r.id}
	def.field = objectField(&s.fields, def.key, r.name, source)
	for _, r := range r.fields {
		p := makePart(def.field, r, s, dialects[0], source)
		def.parts = append(def.parts, p)
		def.size += p.ints
	}
	if r.uuid != "" {
		def.uuid = uuidOf(r.uuid)
		s.byUUID[def.uuid] = def
		return
	}
	for _, d := range dialects {
		s.byID[d] = append(s.byID[d], make([]*objectDef, max(0, r.id+1-len(s.byID[d])))...)
		s.byID[d][r.id] = def
	}
}

// byKey gives the object of a dialect that has a key.
func (s *objectSet) byKey(d dialect, key string) *objectDef {
	for _, def := range s.byID[d] {
		if def != nil && def.key == key {
			return def
		}
	}
	return nil
}

// objectSize gives the number of ints of the types that travel without it.
func objectSize(d dialect, itemType int) (ints int, ok bool) {
	if itemType < 1 || itemType >= staticObjects[d] {
		return 0, false
	}
	return objectTables.byID[d][itemType].size, true
}

// lookupObject gives the object of a type number, or nil. Numbers from extendedObjects on have none of their
// own, see lookupExtendedObject.
func lookupObject(d dialect, itemType int) *objectDef {
	if defs := objectTables.byID[d]; itemType >= 0 && itemType < len(defs) {
		return defs[itemType]
	}
	return nil
}

// lookupExtendedObject gives the object of a UUID, or nil.
func lookupExtendedObject(u uuid) *objectDef { return objectTables.byUUID[u] }

// allObjects gives every object of every dialect.
func allObjects() []*objectDef {
	var defs []*objectDef
	for _, d := range []dialect{v07, ddnet} {
		for _, def := range objectTables.byID[d] {
			if def != nil && !slices.Contains(defs, def) {
				defs = append(defs, def)
			}
		}
	}
	for i := range objectsExtended {
		if name := objectsExtended[i].uuid; name != "" {
			defs = append(defs, lookupExtendedObject(uuidOf(name)))
		}
	}
	return defs
}
