package teeworlds

import (
	"github.com/q3dissect/q3dissect/dissect"
)

// Fields of an item for what no table describes.
var (
	unknownObjectField = dissect.Field{
		Key: "unknown", Kind: dissect.Object, Doc: "an object that no table describes",
		Children: []*dissect.Field{&unknownIntsField},
	}
	unknownIntsField = dissect.Field{Key: "ints", Kind: dissect.List, Children: []*dissect.Field{{Kind: dissect.Int}}, Doc: "its values"}
	extraIntsField   = dissect.Field{
		Key: "extra_ints", Kind: dissect.List, Children: []*dissect.Field{{Kind: dissect.Int}},
		Doc: "values behind the last known field; later versions of the games add fields at the end",
	}
)

// objectFields are what add can add to an item: every object of every dialect under its own key.
var objectFields = append(objectTables.fields, &unknownObjectField)

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

// A span is where something stands, in bits.
type span struct{ bit, bits int }

// addItem adds an object to the item that is open in t: under its own key with the values of ints, or unknown where
// def is nil. The object may be shorter than def says: what is missing is absent. at says where the ints were
// read, one span for each; nil where they were not, because they are as in an earlier snapshot. rec
// takes what there is to say; it may be nil, and so may t.
func addItem(t *dissect.Tree, rec *dissect.Record, def *objectDef, ints []int32, at []span) {
	if t == nil {
		return
	}
	v := objectValues{t, rec, ints, at}
	if def == nil {
		t.Open(&unknownObjectField, v.span(0, len(ints)).bit)
		v.addList(&unknownIntsField, 0)
		t.Close(v.end())
		return
	}
	t.Open(def.field, v.span(0, len(ints)).bit)
	next := 0
	for i := range def.parts {
		p := &def.parts[i]
		if next+p.ints > len(ints) {
			break
		}
		v.add(p, next)
		next += p.ints
	}
	if next < len(ints) {
		v.addList(&extraIntsField, next)
	}
	t.Close(v.end())
}

// objectValues are the ints of an object on their way into the tree.
type objectValues struct {
	tree *dissect.Tree
	rec  *dissect.Record
	ints []int32
	at   []span
}

// span is where ints from to to stand together.
func (v *objectValues) span(from, to int) span {
	if from >= to || to > len(v.at) {
		return span{}
	}
	last := v.at[to-1]
	return span{v.at[from].bit, last.bit + last.bits - v.at[from].bit}
}

// end is where the ints end.
func (v *objectValues) end() int {
	all := v.span(0, len(v.ints))
	return all.bit + all.bits
}

// add adds the field of p, whose ints begin with first.
func (v *objectValues) add(p *part, first int) {
	if p.times == single {
		f := p.field
		if named := p.cases[v.ints[p.decider]]; named != nil {
			f = named
		}
		v.addValue(p, f, first)
		return
	}
	v.tree.Open(p.field, v.span(first, first+p.ints).bit)
	for i := first; i < first+p.ints; i += p.ints / p.times {
		v.addValue(p, p.elem, i)
	}
	all := v.span(first, first+p.ints)
	v.tree.Close(all.bit + all.bits)
}

// addValue adds one value to field f.
func (v *objectValues) addValue(p *part, f *dissect.Field, first int) {
	switch p.kind {
	case kindIntText:
		var text [4 * maxTextInts]byte
		at := v.span(first, first+p.size)
		v.tree.AddBytes(f, textOfInts(text[:0], v.ints[first:first+p.size]), at.bit, at.bits)
	case kindRaw:
		u := uuidOfInts(v.ints[first : first+uuidInts])
		at := v.span(first, first+uuidInts)
		v.tree.AddBytes(f, u[:], at.bit, at.bits)
	default:
		n, at := v.ints[first], v.span(first, first+1)
		addNumber(v.tree, f, n, at.bit, at.bits)
		if n < p.min || n > p.max {
			outOfRange(v.tree, v.rec, p, f, n, at.bit)
		}
	}
}

// addList adds the ints from first on.
func (v *objectValues) addList(f *dissect.Field, first int) {
	all := v.span(first, len(v.ints))
	v.tree.Open(f, all.bit)
	for i := first; i < len(v.ints); i++ {
		at := v.span(i, i+1)
		v.tree.AddInt(f.Children[0], int64(v.ints[i]), at.bit, at.bits)
	}
	v.tree.Close(all.bit + all.bits)
}

// maxTextInts is the longest text of an object in ints: a skin's name.
const maxTextInts = 6

// textOfInts appends the text that ints hold: 4 bytes in each, most significant first, each plus 128, up to a NUL.
//
// IntsToStr in src/game/gamecore.h.
func textOfInts(dst []byte, ints []int32) []byte {
	for _, n := range ints {
		for shift := 24; shift >= 0; shift -= 8 {
			c := byte(n>>shift) - 128
			if c == 0 {
				return dst
			}
			dst = append(dst, c)
		}
	}
	return dst
}
