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
)

// objectFields are what add can add to an item: every object of every dialect under its own key.
var objectFields = append(objectTables.fields, &unknownObjectField)

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
