package teeworlds

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/files"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// Bits of a chunk's first byte, NET_CHUNKFLAG_* in src/engine/shared/network.h, and the lengths of its header.
const (
	chunkResend = 0x80
	chunkVital  = 0x40
	chunkHeader = 2 // bytes; a vital one has one more
)

// Fields of a chunk. Which message it holds is in messages.go.
var (
	chunksField = dissect.Field{
		Key: "chunks", Kind: dissect.List, Scope: dissect.Message, Children: []*dissect.Field{&chunkField},
		Doc:    "the messages of the packet, one in each chunk",
		Source: "CNetRecvUnpacker::FetchChunk, src/engine/shared/network.cpp",
	}
	chunkField = dissect.Field{
		Kind: dissect.Object, Doc: "one message with its transport header",
		Source: "CNetChunkHeader::Unpack, src/engine/shared/network.cpp",
		Frame:  []*dissect.Field{&sequenceHigh, &unusedBits, &sizeLow, &paddingZeros},
	}
	vitalField = dissect.Field{
		Key: "vital", Name: "NET_CHUNKFLAG_VITAL", Kind: dissect.Bool, Bits: 1,
		Source: "CNetChunkHeader::Unpack, src/engine/shared/network.cpp", Doc: "sent again until it is acknowledged",
	}
	resendField = dissect.Field{
		Key: "resend", Name: "NET_CHUNKFLAG_RESEND", Kind: dissect.Bool, Bits: 1,
		Source: "CNetChunkHeader::Unpack, src/engine/shared/network.cpp", Doc: "this is sent again",
	}
	sizeField = dissect.Field{
		Key: "size", Name: "m_Size", Kind: dissect.Uint, Bits: 12, Unit: "bytes",
		Source: "CNetChunkHeader::Unpack, src/engine/shared/network.cpp", Doc: "length of the message, without this header",
	}
	sequenceField = dissect.Field{
		Key: "sequence", Name: "m_Sequence", Kind: dissect.Uint, Bits: 10,
		Source: "CNetChunkHeader::Unpack, src/engine/shared/network.cpp",
		Doc:    "number of a vital chunk, modulo 1024; the first is 1",
	}
	stateField = dissect.Field{
		Key: "state", Kind: dissect.Label, Source: "CNetRecvUnpacker::FetchChunk, src/engine/shared/network.cpp",
		Doc: "what a receiver of all that was captured does with a vital chunk: ok: takes it; duplicate: it had it " +
			"already; gap: one before it is missing, so this one is dropped and asked for again",
	}
)

// A chunkHead is the header of a chunk.
type chunkHead struct {
	vital, resend bool
	size          int // of what follows
	sequence      int
	length        int // of the header itself
}

// parse reads a header. It reports whether it is all there.
func (h *chunkHead) parse(b []byte, d tables.Dialect) bool {
	if len(b) < chunkHeader {
		return false
	}
	*h = chunkHead{vital: b[0]&chunkVital != 0, resend: b[0]&chunkResend != 0, length: chunkHeader}
	if d == tables.V07 {
		h.size = int(b[0]&0x3f)<<6 | int(b[1]&0x3f)
	} else {
		h.size = int(b[0]&0x3f)<<4 | int(b[1]&0x0f)
	}
	if !h.vital {
		return true
	}
	if len(b) < chunkHeader+1 {
		return false
	}
	h.length++
	if d == tables.V07 {
		h.sequence = int(b[1]&0xc0)<<2 | int(b[2])
	} else {
		h.sequence = int(b[1]&0xf0)<<2 | int(b[2])
	}
	return true
}

// show adds the header's fields; it begins at bit position at.
func (h *chunkHead) show(t *dissect.Tree, at int) {
	t.AddBool(&vitalField, h.vital, at+1, 1)
	t.AddBool(&resendField, h.resend, at, 1)
	t.Add(&sizeField, uint64(h.size), at+2, 14)
	if h.vital {
		t.Add(&sequenceField, uint64(h.sequence), at+8, 16)
	}
}

// A chunkState is how the receiver treats a vital chunk.
type chunkState uint8

const (
	chunkOK chunkState = iota
	chunkDuplicate
	chunkGap
)

var chunkStateNames = [...]string{"ok", "duplicate", "gap"}

// dissectChunks decodes the chunks of the packet.
func (c *conversation) dissectChunks(rec *dissect.Record, t *dissect.Tree) {
	p := c.packet
	cut := rec.Truncated()
	if cut {
		p.cutTail()
	}
	b, pos := p.payload, 0
	t.Open(&chunksField, 0)
	for i := range p.numChunks {
		if pos == len(b) {
			c.noChunk(rec, i, pos, cut)
			break
		}
		t.Open(&chunkField, pos<<3)
		pos = c.dissectChunk(rec, t, b, pos, cut)
		t.Close(pos << 3)
	}
	t.Close(pos << 3)
	if rest := b[pos:]; len(rest) > 0 {
		t.AddBytes(&trailingField, rest, pos<<3, len(rest)<<3)
		if c.packet.fault != nil {
			return
		}
		rec.Expert(dissect.Warning, message.ExpertTrailing, &trailingField, pos<<3,
			"%d bytes follow the last chunk", len(rest))
	}
}

// noChunk adds an entry that there are fewer chunks than announced.
func (c *conversation) noChunk(rec *dissect.Record, index, pos int, cut bool) {
	switch {
	case c.packet.fault != nil: // reported already
	case cut:
		rec.Expert(dissect.Warning, message.ExpertTruncatedByCapture, nil, pos<<3,
			"the capture has %d of the packet's %d chunks", index, c.packet.numChunks)
	default:
		rec.Expert(dissect.Fault, message.ExpertTruncated, nil, pos<<3, "the packet holds %d chunks, its header says %d",
			index, c.packet.numChunks)
	}
}

// dissectChunk decodes the chunk at a byte position into the open chunk, and returns the position
// after it.
func (c *conversation) dissectChunk(rec *dissect.Record, t *dissect.Tree, b []byte, pos int, cut bool) int {
	var h chunkHead
	at := pos << 3
	if !h.parse(b[pos:], c.packet.dialect) {
		t.AddBytes(&dissect.Undecoded, b[pos:], at, (len(b)-pos)<<3)
		c.chunkFault(rec, &sizeField, at, cut, dissect.ErrTruncated)
		return len(b)
	}
	h.show(t, at)
	h.frame(t, b[pos:], at, c.packet.dialect)
	state := chunkOK
	if h.vital {
		state = c.windowOf(c.fromClient).arrive(h.sequence, h.resend)
		t.AddLabel(&stateField, chunkStateNames[state], 0, 0)
	}
	pos += h.length
	end := pos + h.size
	if end > len(b) {
		if c.packet.fault == nil && !cut { // the game stops here
			t.AddBytes(&dissect.Undecoded, b[pos:], pos<<3, (len(b)-pos)<<3)
			c.chunkFault(rec, &sizeField, at, false, dissect.ErrTruncated)
			return len(b)
		}
		end = len(b)
	}
	c.reader.Cut = cut || c.packet.fault != nil && end == len(b)
	damaged := rec.Damaged
	m := c.reader.Decode(t, rec, c.packet.dialect, c.fromClient, b[pos:end], pos<<3)
	if state != chunkOK { // the receiver does not read it
		rec.Damaged = damaged
	}
	if m.Failed && !c.reader.Cut || h.vital && m.Def == nil {
		c.unreadable = true
		if h.vital && state == chunkOK {
			c.windowOf(c.fromClient).doubt()
		}
	}
	if rec.Refused {
		return end
	}
	if h.vital && state != chunkDuplicate && !c.fromClient {
		c.files.Take(rec, files.Chunk{
			Dialect: c.packet.dialect, Sequence: h.sequence, Gap: state == chunkGap,
			Cut: c.reader.Cut,
		}, &m)
	}
	c.learn(rec, t, &h, state, &m, b[pos:end], pos<<3)
	if state == chunkOK {
		c.events.Add(&m, c.fromClient, b[pos:end])
	}
	return end
}

// chunkFault reports why a chunk cannot be read.
func (c *conversation) chunkFault(rec *dissect.Record, f *dissect.Field, at int, cut bool, err error) {
	switch {
	case cut:
		rec.Expert(dissect.Warning, message.ExpertTruncatedByCapture, f, at, "the capture ends within the chunk")
	case c.packet.fault != nil: // reported already
	default:
		rec.Expert(dissect.Fault, message.ExpertTruncated, f, at, "%v: the chunk is longer than the packet", err)
	}
}
