package directplay8

import "github.com/q3dissect/q3dissect/dissect"

// Fields that frame others, see dissect.Framing.
var (
	frameType = dissect.Field{
		Key: "frame_type", Kind: dissect.List, Framing: dissect.Apart, Source: reliableSource,
		Children: []*dissect.Field{{Kind: dissect.Uint, Framing: dissect.Apart}},
		Doc:      "the bits of the first byte before and after poll",
	}
	frameCode = dissect.Field{
		Key: "code", Kind: dissect.Uint, Bits: 8, Framing: dissect.Apart, Source: reliableSource,
		Doc: "which control frame it is",
	}
	frameZero = dissect.Field{
		Key: "zero", Kind: dissect.Hex, Bits: 16, Framing: dissect.Apart, Source: reliableSource, Doc: "two bytes of padding",
	}

	partHigh = dissect.Field{
		Key: "size_and_flags", Kind: dissect.Uint, Bits: 8, Framing: dissect.Apart, Source: reliableSource,
		Doc: "the byte with the upper bits of the size among the flags",
	}
	partPadding = dissect.Field{
		Key: "padding", Kind: dissect.Hex, Framing: dissect.Apart, Source: reliableSource,
		Doc: "zeros before the message, which begins a multiple of four bytes after the first",
	}
	messagePart = dissect.Field{
		Key: "message_part", Kind: dissect.Uint, Unit: "bytes", Framing: dissect.Apart, Source: reliableSource,
		Doc: "the part of a message that the frame completes",
	}
	discoveryHead = dissect.Field{
		Key: "head", Kind: dissect.Hex, Bits: 16, Framing: dissect.Apart, Source: discoverySource,
		Doc: "00, which no other frame begins with, and what it is: 02 asks, 03 answers",
	}

	controlFrame = []*dissect.Field{&frameType, &frameCode, &frameZero}
)

// frameHead shows the bits of the first two bytes of a control frame that no field has.
func (r *reader) frameHead(head []byte) {
	if !r.Tree.Framed() {
		return
	}
	r.Tree.Open(&frameType, 0)
	r.Tree.Add(frameType.Children[0], uint64(head[0]>>4), 0, 4)
	r.Tree.Add(frameType.Children[0], uint64(head[0]&7), 5, 3)
	r.Tree.Close(8)
	r.Tree.Add(&frameCode, uint64(head[1]), 8, 8)
}

// frameDiscovery shows the first two bytes of a datagram of the discovery.
func (r *reader) frameDiscovery(head []byte) {
	if r.Tree.Framed() {
		r.Tree.AddBytes(&discoveryHead, head, 0, 16)
	}
}
