package teeworlds

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/snapshot"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// maxHeldParts limits the parts kept of one snapshot, duplicates included.
const maxHeldParts = 2 * snapshot.MaxParts

// A snapshotPart is a part of a snapshot in a datagram. It can be rewritten only once all parts
// have arrived, since the text of an item may begin in one and end in the next.
type snapshotPart struct {
	tick, base, crc int32
	num, index      int
	data            []byte // as received; aliases the payload until the part is kept

	dialect       tables.Dialect
	header        []byte // of the datagram
	compressed    bool
	before, after []byte // the message up to the sum, and from the next chunk on
	chunkAt       int    // where the chunk begins in it, in bytes
	chunkHeader   int    // length of its header, in bytes
}

// A heldSnapshot collects the parts of one snapshot.
type heldSnapshot struct {
	tick, base, crc int32
	num             int
	parts           []snapshotPart // in order of arrival
	have            uint64
	done            [][]byte // data of each part, once the snapshot is complete
	shift           int32
	whole           []byte // original data of the snapshot
}

// snapshot appends the message of a snapshot, which is in node body and has the bytes from <= i < to of the payload.
func (r *rewriter) snapshot(c *conversation, t *dissect.Tree, key string, body, from, to int) bool {
	src := c.packet.payload
	tick := nodeInt(t, body, "tick")
	base := tick - nodeInt(t, body, "delta_tick_offset")
	sum, data := t.Find(body, "crc"), t.Find(body, "data")
	if key == snapshot.KeySnapEmpty {
		r.snapshots.Same(tick, base)
		r.message = append(r.message, src[from:to]...)
		return true
	}
	if sum < 0 || data < 0 {
		return false
	}
	crc := int32(t.Nodes[sum].Int())
	r.message = append(r.message, src[from:int(t.Nodes[sum].Bit)>>3]...)
	num := int(nodeInt(t, body, "num_parts"))
	if key == snapshot.KeySnap && num > 1 {
		if r.gap >= 0 {
			return false // there are never two in one datagram
		}
		r.gap = len(r.message)
		r.part = snapshotPart{
			tick: tick, base: base, crc: crc, num: num, index: int(nodeInt(t, body, "part")), data: t.Bytes(&t.Nodes[data]),
			dialect: c.packet.dialect,
		}
		return true
	}
	out, shift, ok := r.snapshots.Append(r.data[:0], c.packet.dialect, tick, base, t.Bytes(&t.Nodes[data]))
	r.data = out
	r.message = appendSnapshotData(r.message, crc+shift, out)
	return ok && len(out) <= snapshot.MaxPartBytes
}

func nodeInt(t *dissect.Tree, parent int, key string) int32 {
	if n := t.Find(parent, key); n >= 0 {
		return int32(t.Nodes[n].Int())
	}
	return 0
}

// appendSnapshotData appends the end of the message of a snapshot: its sum, and the data with their length.
func appendSnapshotData(dst []byte, crc int32, data []byte) []byte {
	dst = message.AppendInt(dst, crc)
	return append(message.AppendInt(dst, int32(len(data))), data...)
}

// hold keeps the datagram of the snapshot part r.part. When the last part arrives it writes all of
// them.
func (r *rewriter) hold(c *conversation, rec *dissect.Record) {
	part, h := &r.part, &r.held
	if part.index < 0 || part.index >= part.num || part.num > snapshot.MaxParts ||
		len(part.data) > snapshot.MaxPartBytes || part.index < part.num-1 && len(part.data) != snapshot.MaxPartBytes {
		return
	}
	part.header, part.compressed = bytes.Clone(rec.Payload[:c.packet.header]), c.packet.has(flagCompression)
	part.before, part.after = bytes.Clone(r.message[:r.gap]), bytes.Clone(r.message[r.gap:])
	part.data = bytes.Clone(part.data)
	if h.num != part.num || h.tick != part.tick || h.base != part.base || h.crc != part.crc {
		*h = heldSnapshot{tick: part.tick, base: part.base, crc: part.crc, num: part.num}
	}
	if h.done != nil {
		r.rewriteRepeated(rec, part)
		return
	}
	if len(h.parts) == maxHeldParts {
		return
	}
	h.parts = append(h.parts, *part)
	h.have |= 1 << part.index
	rec.Rewritten = &dissect.Rewritten{State: dissect.RewritePart, Message: uint32(part.tick), Start: len(h.parts) - 1}
	if h.have == 1<<h.num-1 && r.finish(h) {
		rec.Rewritten.Datagrams = r.buildPackets(h)
		h.parts = nil
	}
}

// rewriteRepeated writes a repeated part of a finished snapshot.
func (r *rewriter) rewriteRepeated(rec *dissect.Record, part *snapshotPart) {
	h := &r.held
	from := part.index * snapshot.MaxPartBytes
	if !bytes.HasPrefix(h.whole[min(from, len(h.whole)):], part.data) {
		return
	}
	if b := r.buildPart(part, h); b != nil {
		rec.Rewritten = &dissect.Rewritten{State: dissect.RewriteDone, Payload: b}
	}
}

// buildPackets writes the datagrams of all parts; nil if one would be too long.
func (r *rewriter) buildPackets(h *heldSnapshot) (datagrams [][]byte) {
	for i := range h.parts {
		b := r.buildPart(&h.parts[i], h)
		if b == nil {
			return nil
		}
		datagrams = append(datagrams, bytes.Clone(b))
	}
	return datagrams
}

// finish rewrites the data of a complete snapshot and divides it into parts. It returns false if
// the data does not fit the original number of parts.
func (r *rewriter) finish(h *heldSnapshot) bool {
	whole := make([]byte, 0, h.num*snapshot.MaxPartBytes)
	for i := range h.num {
		for k := range h.parts {
			if h.parts[k].index == i {
				whole = append(whole, h.parts[k].data...)
				break
			}
		}
	}
	out, shift, ok := r.snapshots.Append(nil, h.parts[0].dialect, h.tick, h.base, whole)
	if !ok || len(out) > h.num*snapshot.MaxPartBytes || len(out) < (h.num-1)*snapshot.MaxPartBytes {
		return false
	}
	h.whole, h.shift = whole, shift
	for i := range h.num {
		from := i * snapshot.MaxPartBytes
		h.done = append(h.done, out[from:min(from+snapshot.MaxPartBytes, len(out))])
	}
	return true
}

// buildPart writes the datagram of a part; nil if it would be too long.
func (r *rewriter) buildPart(part *snapshotPart, h *heldSnapshot) []byte {
	r.message = append(r.message[:0], part.before...)
	r.message = appendSnapshotData(r.message, h.crc+h.shift, h.done[part.index])
	if !putChunkSize(r.message[part.chunkAt:], len(r.message)-part.chunkAt-part.chunkHeader, part.dialect) {
		return nil
	}
	r.message = append(r.message, part.after...)
	if len(r.message) > tables.MaxPayload {
		return nil
	}
	return r.buildPacket(part.header, part.compressed)
}
