package quake3

import (
	"encoding/binary"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// Fields that frame others, see dissect.Framing.
var (
	endOfList = dissect.Field{
		Key: "end_of_list", Name: "svc_EOF", Kind: dissect.Uint, Bits: 8, Framing: dissect.Apart, Source: gamestateSource,
		Doc: "code of the operation that ends the lists of the gamestate",
	}
	endOfOps = dissect.Field{
		Key: "end_of_ops", Name: "svc_bad", Kind: dissect.Uint, Bits: 8, Framing: dissect.Apart, Source: serverSource,
		Doc: "the code 0 that ends the operations (recordings before protocol 66)",
	}
	secondEnd = dissect.Field{
		Key: "second_end", Name: "svc_EOF", Kind: dissect.Uint, Bits: 8, Framing: dissect.Apart,
		Source: "SV_SendDownloadMessages, code/server/sv_client.c",
		Doc:    "a second code of the end, after a part of a download",
	}
	messageLength = dissect.Field{
		Key: "message_length", Kind: dissect.Int, Bits: 32, Unit: "bytes", Framing: dissect.Apart,
		Source: "CL_ReadDemoMessage, code/client/cl_main.c", Doc: "length of the message (recordings)",
	}
	messagePart = dissect.Field{
		Key: "message_part", Kind: dissect.Uint, Unit: "bytes", Framing: dissect.Apart, Source: netchanSource,
		Doc: "how much of the message follows the header: all of it, or a fragment",
	}
)

// Frames of objects of this package.
var (
	opFrame      = []*dissect.Field{&decode.Alignment, &decode.Op}
	textFrame    = []*dissect.Field{&decode.Alignment, &decode.Op, &decode.Terminator}
	messageFrame = []*dissect.Field{&endOfOps, &secondEnd, &decode.Padding}
)

// framePadding shows what fills the last byte of a message, or of its part up to a byte.
func (c *conversation) framePadding(d *decode.Decoder, from, end int) {
	if !d.Framed() || d.Failed() {
		return
	}
	if from = d.Unused(from); c.endOp > 0 {
		from = d.Unused(c.endOp)
		d.Tree().Add(&endOfOps, 0, from, d.Pos()-from)
		from = d.Pos()
	}
	d.AddPadding(from, end)
}

// frameTail shows what follows the end of a message, up to bytes that are ignored: a second end, which ends at a
// position, and padding. tail is the number of bytes after those of the end.
func (c *conversation) frameTail(d *decode.Decoder, end, tail int, ignored bool) {
	if at := d.Pos(); at < end {
		d.Tree().Add(&secondEnd, uint64(c.snapshots.Generation.Code(tables.OpEOF)), at, end-at)
	}
	stop := c.clear
	if ignored {
		stop -= tail
	}
	c.framePadding(d, end, stop)
}

// frameRecorded shows the length of a message of a recording.
func frameRecorded(tree *dissect.Tree, payload []byte) {
	tree.AddInt(&messageLength, int64(int32(binary.LittleEndian.Uint32(payload[4:]))), 32, 32)
	framePart(tree, recordHeader, len(payload))
}

// framePacket shows where the message, or a fragment of it, is in a packet.
func framePacket(tree *dissect.Tree, h *netchan.Header, length int, encoding netchan.Encoding) {
	if encoding != netchan.Unknown && !h.Cut {
		framePart(tree, h.Length, length)
	}
}

func framePart(tree *dissect.Tree, header, length int) {
	if header < length {
		tree.Add(&messagePart, uint64(length-header), header<<3, (length-header)<<3)
	}
}
