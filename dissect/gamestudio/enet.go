package gamestudio

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/q3dissect/q3dissect/dissect"
)

// Where ENet is written.
const (
	enetSource    = "include/enet/protocol.h of ENet"
	enetProtocolC = "protocol.c of ENet"
)

// Fields of the record's object.
var (
	enetField = dissect.Field{
		Key: enetName, Kind: dissect.Object, Scope: dissect.Datagram, Doc: "ENet transport",
		Children: []*dissect.Field{
			&enetVersion, &enetChecksumOld, &enetPeer, &enetTimed, &enetPacked, &enetSession, &enetFlags, &enetCommandCount, &enetTime,
			&enetChallenge, &enetChecksum, &enetChecksumOK, &enetMethod, &enetPlainSize, &enetCommandsField, &enetCommandsPacked,
			&enetPackedData, &dissect.Undecoded,
		},
	}
	enetVersion = dissect.Field{
		Key: "version", Kind: dissect.Label, Source: enetSource, Doc: "generation of the wire format: 1.3, 1.2 for that of 1.1 and 1.2, or 1.0",
	}
	enetChecksumOld = dissect.Field{
		Key: "checksum_or_session", Name: "checksum", Kind: dissect.Uint, Bits: 32, Source: enetSource,
		Doc: "in 1.1 the number of the session, in 1.2 a CRC where the application wants one",
	}
	enetPeer = dissect.Field{
		Key: "peer_id", Name: "peerID", Kind: dissect.Uint, Bits: 16, Source: enetSource,
		Doc: "number of the peer at the receiver; all bits set: none yet",
	}
	enetTimed  = dissect.Field{Key: "timed", Name: "ENET_PROTOCOL_HEADER_FLAG_SENT_TIME", Kind: dissect.Bool, Bits: 1, Source: enetSource, Doc: "the header has a time"}
	enetPacked = dissect.Field{
		Key: "compressed", Name: "ENET_PROTOCOL_HEADER_FLAG_COMPRESSED", Kind: dissect.Bool, Bits: 1, Source: enetSource,
		Doc: "what follows the header is compressed",
	}
	enetSession    = dissect.Field{Key: "session_id", Name: "sessionID", Kind: dissect.Uint, Bits: 2, Source: enetSource, Doc: "counts the connections of a peer number"}
	enetTime       = dissect.Field{Key: "sent_time", Name: "sentTime", Kind: dissect.Uint, Unit: "ms", Source: enetSource, Doc: "lower half of the sender's clock; in 1.0 all 32 bits of it"}
	enetChecksum   = dissect.Field{Key: "checksum", Kind: dissect.Uint, Bits: 32, Source: enetProtocolC, Doc: "CRC of the packet, where the application wants one"}
	enetChecksumOK = dissect.Field{
		Key: "checksum_ok", Kind: dissect.Bool, Doc: "the checksum is the CRC, before compression, with the connection's number in its place; absent where that is not known",
	}
	enetMethod = dissect.Field{
		Key: "compression", Kind: dissect.Label, Source: "compress.c of ENet",
		Doc: "how the commands are compressed: range_coder, the library's own; found by trying, since the packet does not tell",
	}
	enetPlainSize  = dissect.Field{Key: "decompressed_length", Kind: dissect.Uint, Unit: "bytes", Doc: "of the commands"}
	enetPackedData = dissect.Field{Key: "compressed_data", Kind: dissect.Hex, Doc: "commands that are compressed by a method that the application chose, and not the library's own"}

	// Of 1.0 alone.
	enetFlags        = dissect.Field{Key: "flags", Kind: dissect.Uint, Bits: 8, Source: enetSource, Doc: "of the packet; 1.0 alone"}
	enetCommandCount = dissect.Field{Key: "command_count", Name: "commandCount", Kind: dissect.Uint, Bits: 8, Source: enetSource, Doc: "commands in the packet; 1.0 alone"}
	enetChallenge    = dissect.Field{Key: "challenge", Kind: dissect.Hex, Bits: 32, Source: enetSource, Doc: "number of the connection, in every packet; 1.0 alone"}
)

// An enet is the state of a connection.
type enet struct {
	generation generation
	checksums  bool    // packets have them
	ranged     bool    // compressed packets are the range coder's
	id         [4]byte // number of the connection, as its bytes travel
	hasID      bool
	challenge  [4]byte // of the packet, in 1.0
	slot       [4]byte // what stands for the checksum while it is computed
	sides      [2]enetSide
	scan       enetScan

	asked, ended bool // the packet asked for a connection, or ended it
}

// An enetSide is one direction.
type enetSide struct {
	channels  map[uint8]*enetChannel
	assembled []enetMessage // fragmented messages in the making, the oldest first
	size      int           // bytes of them
}

// An enetChannel is the window of a channel's reliable sequence numbers.
type enetChannel struct {
	newest  uint16
	arrived uint64 // bit k: newest-k was seen
}

// arrive notes a reliable sequence number, and reports whether it was seen before.
func (s *enetSide) arrive(channel uint8, sequence uint16) (duplicate bool) {
	c := s.channels[channel]
	if c == nil {
		if s.channels == nil {
			s.channels = map[uint8]*enetChannel{}
		}
		s.channels[channel] = &enetChannel{newest: sequence, arrived: 1}
		return false
	}
	switch ahead := int16(sequence - c.newest); {
	case ahead >= 64:
		c.newest, c.arrived = sequence, 1
	case ahead > 0:
		c.newest, c.arrived = sequence, c.arrived<<ahead|1
	case ahead > -64:
		bit := uint64(1) << -ahead
		duplicate = c.arrived&bit != 0
		c.arrived |= bit
	}
	return duplicate
}

// dissectENet decodes one packet of ENet into an object of its own, and leaves the application's packets
// in parts.
func (c *conversation) dissectENet(rec *dissect.Record, tree *dissect.Tree, h hint) {
	if c.enet == nil {
		c.enet = &enet{generation: h.generation()}
	}
	e := c.enet
	e.asked, e.ended = false, false
	l, explained := e.layout(rec.Payload, h, rec.Truncated())
	e.generation = l.generation
	var r reader
	r.reset(enetName, rec.Payload, 0, len(rec.Payload), tree)
	r.cut = rec.Truncated()
	r.enter(&enetField)
	tree.AddLabel(&enetVersion, generationNames[l.generation], 0, 0)
	var head enetHeader
	r.enetHeader(&head, l)
	if l.generation == enet10 && !r.failed() {
		e.challenge = [4]byte(rec.Payload[enetFirstHeader-4:])
	}
	if l.checksum && !r.failed() && (explained || !head.packed) {
		e.check(rec, tree, &head)
	}
	switch {
	case r.failed():
	case !head.packed:
		count := c.enetCommands(rec, &r, &enetCommandsField, l.generation, h)
		if head.count >= 0 && head.count != count && !r.failed() && !r.cut {
			rec.Expert(dissect.Fault, expertMalformed, &enetCommandCount, 3<<3, "the header tells of %d commands, and there are %d", head.count, count)
		}
	case explained:
		c.enetUnpacked(rec, &r, h)
	case r.rest() > 0:
		e.undecodable(rec, &r)
	}
	r.report(rec)
	r.leave()
	tree.CloseAll(len(rec.Payload) << 3)
}

// enetUnpacked reads the commands that the range coder gave. They and what fragments make up are the record's
// message, in which places count.
func (c *conversation) enetUnpacked(rec *dissect.Record, r *reader, h hint) {
	e := c.enet
	e.ranged = true
	c.buffer = append(c.buffer[:0], e.scan.plain...)
	c.space, c.joined, c.unpacked = c.buffer, true, true
	r.tree.AddLabel(&enetMethod, "range_coder", r.at<<3, r.rest()<<3)
	r.tree.Add(&enetPlainSize, uint64(len(c.buffer)), 0, 0)
	r.at = r.end
	var in reader
	in.reset(enetName, c.buffer, 0, len(c.buffer), r.tree)
	c.enetCommands(rec, &in, &enetCommandsPacked, e.generation, h)
	in.report(rec)
	rec.Message = c.space
}

// undecodable shows a compressed packet as it is.
func (e *enet) undecodable(rec *dissect.Record, r *reader) {
	at := r.at
	r.hex(&enetPackedData, r.rest())
	switch {
	case e.ranged && !r.cut:
		rec.Expert(dissect.Fault, expertMalformed, &enetPackedData, at<<3, "the range coder, which compresses the connection's packets, does not make this of commands")
	case !r.cut:
		rec.Expert(dissect.Note, expertPacked, &enetPackedData, at<<3,
			"compressed by a method that the application chose: the packet does not tell which, and the library's own it is not")
	}
}

// layout finds out how a packet is put together: as the session's others, unless only another layout
// explains it to its end. The scan is that of the layout then.
func (e *enet) layout(b []byte, h hint, cut bool) (l layout, explained bool) {
	usual := layout{generation: e.generation, checksum: e.checksums && e.generation == enet13}
	if cut {
		return usual, false
	}
	if e.scan.scan(b, usual) {
		if usual != (layout{}) || e.scan.head.packed || !e.scan.scan(b, layout{checksum: true}) || !e.checksummed(b) {
			return usual, true
		}
		e.checksums = true
		return layout{checksum: true}, true
	}
	for _, l := range enetLayouts {
		if l != usual && (h&isGame != 0 || l.generation == usual.generation) && e.scan.explains(b, l) {
			e.checksums = l.checksum
			return l, true
		}
	}
	return usual, false
}

// checksummed reports whether the packet that was scanned has a checksum that is right: then it is one.
func (e *enet) checksummed(b []byte) bool {
	head := &e.scan.head
	return e.sum(b, head) == binary.BigEndian.Uint32(b[head.size-4:])
}

// sum is the checksum that a packet of the connection has: the CRC of all of it, decompressed, with the number of
// the connection where the checksum goes, and 0 there while the receiver has no number.
func (e *enet) sum(b []byte, head *enetHeader) uint32 {
	e.slot = [4]byte{}
	if head.peer != enetPeerNew {
		e.slot = e.id
	}
	at, commands := head.size-4, b[head.size:]
	if head.packed {
		commands = e.scan.plain
	}
	crc := crc32.Update(0, crc32.IEEETable, b[:at])
	crc = crc32.Update(crc, crc32.IEEETable, e.slot[:])
	return crc32.Update(crc, crc32.IEEETable, commands)
}

// check compares the checksum of a packet.
func (e *enet) check(rec *dissect.Record, tree *dissect.Tree, head *enetHeader) {
	if rec.Truncated() || head.peer != enetPeerNew && !e.hasID {
		return
	}
	ok := e.sum(rec.Payload, head) == binary.BigEndian.Uint32(rec.Payload[head.size-4:])
	tree.AddBool(&enetChecksumOK, ok, 0, 0)
	if !ok {
		rec.Expert(dissect.Warning, expertChecksum, &enetChecksum, (head.size-4)<<3, "the checksum does not fit the packet: a receiver drops it")
	}
}

// enetHeader reads the header of a packet.
func (r *reader) enetHeader(h *enetHeader, l layout) {
	if !h.parse(r.b[:r.end], l) {
		r.fail(&enetPeer, 0, dissect.ErrTruncated)
		return
	}
	switch l.generation {
	case enet10:
		r.network(&enetPeer)
		r.network(&enetFlags)
		r.network(&enetCommandCount)
		r.slot(enetSlot{&enetTime, 4})
		r.hex(&enetChallenge, 4)
		return
	case enet12:
		r.network(&enetChecksumOld)
		at := r.at
		r.tree.AddBool(&enetTimed, h.timed, at<<3, 1)
		r.tree.Add(&enetPeer, uint64(h.peer), at<<3+1, 15)
	default:
		at := r.at
		r.tree.AddBool(&enetTimed, h.timed, at<<3, 1)
		r.tree.AddBool(&enetPacked, h.packed, at<<3+1, 1)
		r.tree.Add(&enetSession, uint64(r.b[at]>>4&3), at<<3+2, 2)
		r.tree.Add(&enetPeer, uint64(h.peer), at<<3+4, 12)
	}
	r.at += 2
	if h.timed {
		r.slot(enetSlot{&enetTime, 2})
	}
	if l.checksum {
		r.network(&enetChecksum)
	}
}
