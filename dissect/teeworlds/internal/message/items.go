package message

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// Fields of an item for objects that no table describes.
var (
	unknownObjectField = dissect.Field{
		Key: "unknown", Kind: dissect.Object, Doc: "an object that no table describes",
		Children: []*dissect.Field{&unknownIntsField},
	}
	unknownIntsField = dissect.Field{Key: "ints", Kind: dissect.List, Children: []*dissect.Field{{Kind: dissect.Int}}, Doc: "its values"}
)

// ItemFields returns the children of an item: every object of every dialect under its own key.
func ItemFields() []*dissect.Field {
	return append(slices.Clone(tables.Objects().Fields), &unknownObjectField)
}

// A Span is a range of bits.
type Span struct{ Bit, Bits int }

// AddItem adds an object with the values ints to the item that is open in t: under its own key, or
// as unknown if def is nil. The object may be shorter than def; missing fields are then
// absent. at has the span of each int, or is nil if the values are those of an earlier snapshot.
// rec receives expert entries. Both rec and t may be nil.
func AddItem(t *dissect.Tree, rec *dissect.Record, def *tables.Object, ints []int32, at []Span) {
	if t == nil {
		return
	}
	v := objectValues{t, rec, ints, at}
	if def == nil {
		t.Open(&unknownObjectField, v.span(0, len(ints)).Bit)
		v.addList(&unknownIntsField, 0)
		t.Close(v.end())
		return
	}
	t.Open(def.Field, v.span(0, len(ints)).Bit)
	next := 0
	for i := range def.Parts {
		p := &def.Parts[i]
		if next+p.Ints > len(ints) {
			break
		}
		v.add(p, next)
		next += p.Ints
	}
	if next < len(ints) {
		v.addList(&tables.ExtraIntsField, next)
	}
	t.Close(v.end())
}

// objectValues are the ints of an object being added to the tree.
type objectValues struct {
	tree *dissect.Tree
	rec  *dissect.Record
	ints []int32
	at   []Span
}

// span returns the range of bits from int from up to int to.
func (v *objectValues) span(from, to int) Span {
	if from >= to || to > len(v.at) {
		return Span{}
	}
	last := v.at[to-1]
	return Span{v.at[from].Bit, last.Bit + last.Bits - v.at[from].Bit}
}

// end returns the position after the ints.
func (v *objectValues) end() int {
	all := v.span(0, len(v.ints))
	return all.Bit + all.Bits
}

// add adds the field of p, whose ints begin with first.
func (v *objectValues) add(p *tables.Part, first int) {
	if p.Times == tables.Single {
		f := p.Field
		if named := p.Cases[v.ints[p.Decider]]; named != nil {
			f = named
		}
		v.addValue(p, f, first)
		return
	}
	v.tree.Open(p.Field, v.span(first, first+p.Ints).Bit)
	for i := first; i < first+p.Ints; i += p.Ints / p.Times {
		v.addValue(p, p.Elem, i)
	}
	all := v.span(first, first+p.Ints)
	v.tree.Close(all.Bit + all.Bits)
}

// addValue adds one value to field f.
func (v *objectValues) addValue(p *tables.Part, f *dissect.Field, first int) {
	switch p.Kind {
	case tables.KindIntText:
		var text [4 * MaxTextInts]byte
		at := v.span(first, first+p.Size)
		v.tree.AddBytes(f, AppendText(text[:0], v.ints[first:first+p.Size]), at.Bit, at.Bits)
	case tables.KindRaw:
		u := tables.UUIDOfInts(v.ints[first : first+tables.UUIDInts])
		at := v.span(first, first+tables.UUIDInts)
		v.tree.AddBytes(f, u[:], at.Bit, at.Bits)
	default:
		n, at := v.ints[first], v.span(first, first+1)
		addNumber(v.tree, f, n, at.Bit, at.Bits)
		if n < p.Min || n > p.Max {
			outOfRange(v.tree, v.rec, p, f, n, at.Bit)
		}
	}
}

// addList adds the ints from first on.
func (v *objectValues) addList(f *dissect.Field, first int) {
	all := v.span(first, len(v.ints))
	v.tree.Open(f, all.Bit)
	for i := first; i < len(v.ints); i++ {
		at := v.span(i, i+1)
		v.tree.AddInt(f.Children[0], int64(v.ints[i]), at.Bit, at.Bits)
	}
	v.tree.Close(all.Bit + all.Bits)
}

// MaxTextInts is the longest text of an object in ints: a skin's name.
const MaxTextInts = 6

// AppendText appends the text that ints hold: 4 bytes in each, most significant first, each plus 128, up to a NUL. The
// last byte of all is no part of it, whatever it is: the games write 0 there, which would be the character 128.
//
// IntsToStr in src/game/gamecore.h.
func AppendText(dst []byte, ints []int32) []byte {
	for i, n := range ints {
		last := 0
		if i == len(ints)-1 {
			last = 8
		}
		for shift := 24; shift >= last; shift -= 8 {
			c := byte(n>>shift) - 128
			if c == 0 {
				return dst
			}
			dst = append(dst, c)
		}
	}
	return dst
}
