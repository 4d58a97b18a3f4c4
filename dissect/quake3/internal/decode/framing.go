package decode

import (
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/huffcodec"
)

const deltaSource = "MSG_ReadDeltaEntity and MSG_ReadDeltaPlayerstate, code/qcommon/msg.c"

// Fields that frame others in objects of several kinds, see dissect.Framing.
var (
	// Op is the code of an operation, in its object.
	Op = dissect.Field{
		Key: "op", Kind: dissect.Uint, Bits: 8, Framing: dissect.Apart,
		Source: "svc_ops_e and clc_ops_e, code/qcommon/qcommon.h", Doc: "code of the operation",
	}
	// Alignment is in the object of an operation that begins on a whole byte after bits that nothing uses.
	Alignment = dissect.Field{
		Key: "alignment", Kind: dissect.Uint, Framing: dissect.Apart, Source: "MSG_ReadBits, code/qcommon/msg.c",
		Doc: "bits before the operation that fill the byte before it (protocols before 66)",
	}
	// Terminator ends a text.
	Terminator = dissect.Field{
		Key: "terminator", Kind: dissect.Uint, Bits: 8, Framing: dissect.Trails,
		Source: "MSG_ReadString, code/qcommon/msg.c", Doc: "the character 0 that ends the text",
	}
	// Padding ends a message.
	Padding = dissect.Field{
		Key: "padding", Kind: dissect.Hex, Framing: dissect.Apart, Source: "MSG_WriteBits, code/qcommon/msg.c",
		Doc: "what fills the last byte of the message, or of its part before other bytes, from its first bit on; " +
			"the engine adds a whole byte after a message that ends with one",
	}
)

// Indicators is a list of what the wire says about fields before their values, in the objects that are coded against
// another state.
var (
	Indicators = dissect.Field{
		Key: "indicators", Kind: dissect.List, Framing: dissect.Apart, Source: deltaSource,
		Doc:      "the bits before the values, in wire order: which fields changed, and the form of each value",
		Children: []*dissect.Field{&indicator},
	}
	indicator = dissect.Field{
		Kind: dissect.Object, Framing: dissect.Apart, Source: deltaSource,
		Doc: "the bits before one value, or of fields without one that follow each other",
		Children: []*dissect.Field{
			&unchanged, &changed, &NotZero, &FullFloat, &Mask, &Sent, &Stepped, &Step, &Enciphered,
		},
	}
	unchanged = dissect.Field{
		Key: "unchanged", Kind: dissect.Label, Framing: dissect.Apart, Source: deltaSource,
		Doc: "fields, by the engine's names, whose bit is 0: they are as before",
	}
	changed = dissect.Field{
		Key: "changed", Kind: dissect.Label, Framing: dissect.Leads, Source: deltaSource,
		Doc: "field, by the engine's name, whose bit is 1: its value follows",
	}
	// NotZero precedes the values of entities, and of some other states.
	NotZero = dissect.Field{
		Key: "not_zero", Kind: dissect.Bool, Bits: 1, Framing: dissect.Leads, Source: deltaSource,
		Doc: "false: the value is 0 and takes no bits more",
	}
	// FullFloat precedes floats.
	FullFloat = dissect.Field{
		Key: "full_float", Kind: dissect.Bool, Bits: 1, Framing: dissect.Leads, Source: deltaSource,
		Doc: "true: the float has its 32 bits; false: it is a whole number from -4096 to 4095, sent in 13 bits",
	}
	// Mask precedes the elements of an array.
	Mask = dissect.Field{
		Key: "mask", Kind: dissect.Uint, Framing: dissect.Leads, Source: deltaSource,
		Doc: "elements of the array that follow: bit n for element n",
	}
	// Sent precedes times of Medal of Honor.
	Sent = dissect.Field{
		Key: "sent", Kind: dissect.Bool, Bits: 1, Framing: dissect.Leads, Source: codedSource,
		Doc: "true: the time follows; false: it is a frame of the server later than before (Medal of Honor)",
	}
	// Stepped precedes coordinates of Medal of Honor.
	Stepped = dissect.Field{
		Key: "stepped", Kind: dissect.Bool, Bits: 1, Framing: dissect.Leads, Source: codedSource,
		Doc: "true: a step from the coordinate before follows; false: the coordinate (Medal of Honor)",
	}
	// Step is a value that cannot be known, since the one before is not.
	Step = dissect.Field{
		Key: "step", Kind: dissect.Hex, Framing: dissect.Apart, Source: codedSource,
		Doc: "the difference to a value that is not in the capture: the field itself is then not known (Medal of Honor)",
	}
	// Enciphered is a value that cannot be known without its key.
	Enciphered = dissect.Field{
		Key: "enciphered", Kind: dissect.Uint, Framing: dissect.Apart, Source: "MSG_ReadDeltaUsercmdKey, code/qcommon/msg.c",
		Doc: "the value as it was sent, where the key that it is XORed with is not known",
	}
)

const codedSource = "MSG_ReadDeltaEntity, code/qcommon/msg.cpp of openmohaa"

// A frame is what frames the fields of a message and waits for its place in the tree.
type frame struct {
	marks   []mark
	names   []string
	aligned int // the bit after the last operation, if the next is at a whole byte after it; 0: it is not
}

// A mark is a leaf of an indicator.
type mark struct {
	field    *dissect.Field
	value    uint64
	name     [2]int // of the fields, in names
	at, bits int
}

func (f *frame) reset() { f.marks, f.names, f.aligned = f.marks[:0], f.names[:0], 0 }

// Framed reports whether framing is wanted in the tree. The methods about indicators need it.
func (d *Decoder) Framed() bool { return d.tree.Framed() }

// ReadOp reads the code of an operation, which EnterOp shows in the operation's object.
func (d *Decoder) ReadOp() byte {
	d.op = d.r.Byte()
	return d.op
}

// EnterOp opens the object of the operation that was read last, at the position of its code.
func (d *Decoder) EnterOp(f *dissect.Field, at int) {
	d.tree.Open(f, at)
	if d.tree.Framed() {
		d.frameOp(at)
	}
}

func (d *Decoder) frameOp(at int) {
	if from := d.frame.aligned; from > 0 && from < at {
		d.addBits(&Alignment, from, at)
	}
	d.frame.aligned = 0
	d.tree.Add(&Op, uint64(d.op), at, d.Pos()-at)
}

// FrameBits adds bits of the data as they are, as a number, unless there are none.
func (d *Decoder) FrameBits(f *dissect.Field, from, to int) {
	if d.Framed() && from < to && !d.Failed() {
		d.addBits(f, from, to)
		d.frame.aligned = 0
	}
}

func (d *Decoder) addBits(f *dissect.Field, from, to int) {
	d.tree.Add(f, uint64(d.rawBits(from, min(to, from+32))), from, to-from)
}

// rawBits returns up to 32 bits of the data as they are.
func (d *Decoder) rawBits(from, to int) (v uint32) {
	for at := from; at < to && at>>3 < len(d.whole); at++ {
		v |= uint32(d.whole[at>>3]>>(at&7)&1) << (at - from)
	}
	return v
}

// FrameBool adds a bit of the data.
func (d *Decoder) FrameBool(f *dissect.Field, at int) {
	if d.Framed() && !d.Failed() && at < d.Len() {
		d.tree.AddBool(f, d.BitAt(at), at, 1)
	}
}

// Unused returns where the bits after the last operation begin, if none follows: at a position, or before it if an
// operation was looked for at a whole byte.
func (d *Decoder) Unused(at int) int {
	if from := d.frame.aligned; from > 0 {
		return from
	}
	return at
}

// AddPadding adds the bits from a position to the end of a byte as padding, unless there are none.
func (d *Decoder) AddPadding(from, end int) {
	if !d.Framed() || from >= end<<3 {
		return
	}
	var b []byte
	for at := from; at < end<<3; at += 8 {
		b = append(b, byte(d.rawBits(at, min(at+8, end<<3))))
	}
	d.tree.AddBytes(&Padding, b, from, end<<3-from)
}

// Unchanged notes the bit of a field that says that it did not change.
func (d *Decoder) Unchanged(name string, at int) {
	f := &d.frame
	if last := len(f.marks) - 1; last >= 0 {
		if m := &f.marks[last]; m.field == &unchanged && m.at+m.bits == at {
			f.names = append(f.names, name)
			m.bits++
			m.name[1]++
			return
		}
	}
	d.named(&unchanged, name, at)
}

// Changed notes the bit of a field that says that it changed. Indicate adds to it.
func (d *Decoder) Changed(name string, at int) { d.named(&changed, name, at) }

func (d *Decoder) named(field *dissect.Field, name string, at int) {
	f := &d.frame
	n := len(f.names)
	f.names = append(f.names, name)
	f.marks = append(f.marks, mark{field: field, name: [2]int{n, n + 1}, at: at, bits: 1})
}

// NamedBit reads the bit of a field that says whether it changed.
func (d *Decoder) NamedBit(name string) bool {
	is := d.r.Bit()
	if d.tree.Framed() && !d.Failed() {
		d.Indicated(name, is, d.r.Pos()-1)
	}
	return is
}

// Of begins an indicator of a field that is known to have changed without a bit of its own.
func (d *Decoder) Of(name string, at int) {
	d.named(&changed, name, at)
	d.frame.marks[len(d.frame.marks)-1].bits = 0
}

// BitAt returns a bit of the data.
func (d *Decoder) BitAt(at int) bool { return d.rawBits(at, at+1) != 0 }

// Indicated notes one bit: Changed or Unchanged.
func (d *Decoder) Indicated(name string, is bool, at int) {
	if is {
		d.Changed(name, at)
	} else {
		d.Unchanged(name, at)
	}
}

// Indicate adds a leaf to the indicator of the field that Changed noted last.
func (d *Decoder) Indicate(f *dissect.Field, value uint64, at, bits int) {
	d.frame.marks = append(d.frame.marks, mark{field: f, value: value, at: at, bits: bits})
}

// IndicateBool is Indicate for one bit.
func (d *Decoder) IndicateBool(f *dissect.Field, is bool, at int) {
	v := uint64(0)
	if is {
		v = 1
	}
	d.Indicate(f, v, at, 1)
}

// AddIndicators adds the list of what was noted to the object that is open.
func (d *Decoder) AddIndicators() {
	f := &d.frame
	if len(f.marks) == 0 || d.tree == nil {
		return
	}
	d.tree.Open(&Indicators, f.marks[0].at)
	end := 0
	for i := range f.marks {
		m := &f.marks[i]
		if begins := m.name[1] > 0; begins {
			if i > 0 {
				d.tree.Close(end)
			}
			d.tree.Open(&indicator, m.at)
		}
		switch end = m.at + m.bits; m.field.Kind {
		case dissect.Label:
			d.tree.AddLabel(m.field, strings.Join(f.names[m.name[0]:m.name[1]], ", "), m.at, m.bits)
		case dissect.Hex:
			var b []byte
			for at := m.at; at < end; at += 8 {
				b = append(b, byte(d.rawBits(at, min(at+8, end))))
			}
			d.tree.AddBytes(m.field, b, m.at, m.bits)
		default:
			d.tree.Add(m.field, m.value, m.at, m.bits)
		}
	}
	d.tree.Close(end)
	d.tree.Close(end)
	f.marks, f.names = f.marks[:0], f.names[:0]
}

// addTerminator adds the character that ended a text, as it was sent, unless the text did not end.
func (d *Decoder) addTerminator(sent byte) {
	if d.Failed() {
		return
	}
	bits := 8
	if d.r.Coding() == huffcodec.Static {
		bits = huffcodec.StaticCodeLength(sent)
	}
	d.tree.Add(&Terminator, uint64(sent), d.Pos()-bits, bits)
}
