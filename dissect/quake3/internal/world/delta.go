package world

import (
	"math"
	"math/bits"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables/netfields"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// A float that is a small whole number is sent in 13 bits: MSG_ReadDeltaEntity and MSG_ReadDeltaPlayerstate in
// code/qcommon/msg.c.
const (
	floatIntBits = 13
	floatIntBias = 1 << (floatIntBits - 1)
)

// readFloat reads a float: a small whole number in 13 bits, or all 32 bits of it.
func readFloat(r *huffcodec.Reader) uint32 {
	if r.Bit() {
		return r.Bits(32)
	}
	return math.Float32bits(float32(int32(r.Bits(floatIntBits)) - floatIntBias))
}

// readValue reads a changed field's value.
func readValue(r *huffcodec.Reader, width int8) uint32 {
	switch {
	case width > 0:
		return r.Bits(int(width))
	case width == 0:
		return readFloat(r)
	}
	return uint32(signExtend(r.Bits(int(-width)), int(-width)))
}

func signExtend(v uint32, width int) int32 {
	shift := 32 - width
	return int32(v<<shift) >> shift
}

// readPrefix reads a delta of the counted kind (66 and later): the number of leading fields, then each
// one's changed bit and value. It returns the mask of the changed fields.
func readPrefix(t *tables.Layout, d *decode.Decoder, v *tables.Values, span *huffcodec.DeltaSpan) uint64 {
	r := d.Reader()
	start := r.Pos()
	n := int(r.Byte())
	if n > len(t.Coded) {
		d.Malformed(nil, start, "%d fields announced, the table has %d", n, len(t.Coded))
		return 0
	}
	tree, first := d.Tree(), 0
	if tree == nil {
		span = nil
	} else if tree.Framing {
		first = r.Pos()
		tree.Add(&highestChanged, uint64(n), start, first-start)
	}
	changed, read := r.Delta(t.Coded[:n], v[:], span)
	if first > 0 {
		framePrefix(t, d, first, 0, read, span, func(i int) bool { return changed>>t.Wire[i].Output&1 != 0 })
	}
	if read < n {
		d.Check(t.Wire[read].Field)
	} else {
		d.Check(nil)
	}
	return changed
}

// readChosen reads the values of the chosen fields, in the form of 43 and 48: without a field count, and with
// zeros written out.
func readChosen(t *tables.Layout, d *decode.Decoder, v *tables.Values, span *huffcodec.DeltaSpan,
	chosen func(i int) bool,
) uint64 {
	r := d.Reader()
	var changed uint64
	for i := range t.Wire {
		if !chosen(i) {
			continue
		}
		w, at := &t.Wire[i], r.Pos()
		value := readValue(r, w.Bits)
		if r.Failed() {
			d.Check(w.Field)
			return changed
		}
		if w.Bits == 0 && d.Framed() {
			d.IndicateBool(&decode.FullFloat, d.BitAt(at), at)
		}
		v[i] = value
		span.Bit[i], span.Size[i] = uint32(at), uint8(r.Pos()-at)
		changed |= 1 << w.Output
	}
	return changed
}

// presetMasks is the first selector that means a mask written out.
const presetMasks = len(netfields.Presets{})

// readMasked reads an entity's delta of 43 and 48: the number of a preset mask, or one that is written
// out, then the values of its fields.
func readMasked(t *tables.Layout, d *decode.Decoder, v *tables.Values, span *huffcodec.DeltaSpan,
	gen *tables.Generation,
) uint64 {
	var mask uint64
	at := d.Pos()
	preset := d.Bits(5)
	if preset < uint32(presetMasks)-1 {
		for i, b := range gen.Presets[preset] {
			mask |= uint64(b) << (8 * i)
		}
	} else {
		mask = uint64(d.Bits(24)) | uint64(d.Bits(24))<<24 | uint64(d.Bits(gen.MaskTail))<<48
	}
	if d.Framed() {
		frameMask(d, t, at, uint64(preset), mask)
		return readChosen(t, d, v, span, func(i int) bool { return mask>>i&1 != 0 && frameChosen(d, t, i) })
	}
	return readChosen(t, d, v, span, func(i int) bool { return mask>>i&1 != 0 })
}

// readWide reads a delta of the counted kind against a wide layout into state, page by page. Afterwards w.spans
// has the positions of the changed fields. count is the field of their number.
func readWide(t *tables.Layout, d *decode.Decoder, state *tables.State, w *wideDelta, count *dissect.Field) {
	clear(w.spans[:])
	r := d.Reader()
	start := r.Pos()
	n := int(r.Byte())
	if n > len(t.Coded) {
		d.Malformed(nil, start, "%d fields announced, the table has %d", n, len(t.Coded))
		return
	}
	framed := d.Framed()
	at := r.Pos()
	if framed {
		d.Tree().Add(count, uint64(n), start, at-start)
	}
	if t.Values != nil {
		readCoded(t, d, state, w, n)
		return
	}
	for first := 0; first < n; first += len(w.values) {
		page := t.Coded[first:min(n, first+len(w.values))]
		changed, read := r.Delta(page, w.values[:], &w.span)
		if framed {
			at = framePrefix(t, d, at, first, read, &w.span, func(i int) bool { return changed>>i&1 != 0 })
		}
		for ; changed != 0; changed &= changed - 1 {
			i := bits.TrailingZeros64(changed)
			place := t.Wire[first+i].Output
			state.Put(place, w.values[i])
			w.spans[place] = tables.Span{Bit: w.span.Bit[i], Size: w.span.Size[i]}
		}
		if read < len(page) {
			d.Check(t.Wire[first+read].Field)
			return
		}
		if !d.Check(nil) {
			return
		}
	}
}

// A wideDelta is the memory for reading against a wide layout.
type wideDelta struct {
	values tables.Values
	span   huffcodec.DeltaSpan
	spans  tables.Spans

	frameTime float32 // of the server, seconds
}

func (r *Reader) wideMemory() *wideDelta {
	if r.wide == nil {
		r.wide = new(wideDelta)
	}
	r.wide.frameTime = r.FrameTime
	return r.wide
}

// addWide appends the fields of a state of a wide layout: those in spans, or all that are known if it is nil.
func addWide(tree *dissect.Tree, t *tables.Layout, state *tables.State, spans *tables.Spans, names tables.Context) {
	if tree == nil {
		return
	}
	var in nesting
	for i := range t.Output {
		o := &t.Output[i]
		v, known := state.At(o.Wire)
		var span tables.Span
		if spans != nil {
			span = spans[o.Wire]
			known = span.Size > 0
		}
		if known {
			in.add(tree, o, v, int(span.Bit), int(span.Size), names)
		}
	}
	in.close(tree)
}

// addAbsolute appends every field of a state that is known.
func addAbsolute(tree *dissect.Tree, t *tables.Layout, state *tables.State, names tables.Context) {
	if t.Wide {
		addWide(tree, t, state, nil, names)
		return
	}
	addFields(tree, t, &state.Values, state.Known, nil, names)
}

// addFields appends the fields of a mask to the tree, in output order. span may be nil: the values were not
// read from this message.
func addFields(tree *dissect.Tree, t *tables.Layout, v *tables.Values, mask uint64, span *huffcodec.DeltaSpan,
	names tables.Context,
) {
	if tree == nil {
		return
	}
	var in nesting
	for ; mask != 0; mask &= mask - 1 {
		o := &t.Output[bits.TrailingZeros64(mask)]
		var bit, size int
		if span != nil {
			bit, size = int(span.Bit[o.Wire]), int(span.Size[o.Wire])
		}
		in.add(tree, o, v[o.Wire], bit, size, names)
	}
	in.close(tree)
}

// A nesting holds the objects that are open while fields are appended in output order.
type nesting struct{ outer, inner *dissect.Field }

// add appends a field in the objects that contain it.
func (n *nesting) add(tree *dissect.Tree, o *tables.OutputField, v uint32, bit, size int, names tables.Context) {
	if o.Outer != n.outer || o.Inner != n.inner {
		n.move(tree, o)
	}
	f := o.Field
	if o.InContext != nil && o.InContext[names] != nil {
		f = o.InContext[names]
	}
	value := uint64(v)
	if f.Kind == dissect.Int {
		value = uint64(int64(int32(v)))
	}
	tree.AddAt(f, int(max(o.Key, 0)), value, bit, size)
}

// move closes the objects that do not contain a field and opens the field's own.
func (n *nesting) move(tree *dissect.Tree, o *tables.OutputField) {
	if n.inner != nil && (o.Inner != n.inner || o.Outer != n.outer) {
		tree.Close(0)
		n.inner = nil
	}
	if n.outer != nil && o.Outer != n.outer {
		tree.Close(0)
	}
	if o.Outer != nil && o.Outer != n.outer {
		tree.Open(o.Outer, 0)
	}
	if o.Inner != nil && o.Inner != n.inner {
		tree.Open(o.Inner, 0)
	}
	n.outer, n.inner = o.Outer, o.Inner
}

// close closes the open objects.
func (n *nesting) close(tree *dissect.Tree) {
	if n.inner != nil {
		tree.Close(0)
	}
	if n.outer != nil {
		tree.Close(0)
	}
}
