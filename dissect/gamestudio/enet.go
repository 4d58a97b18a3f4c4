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
			&enetVersion, &enetChecksumOld, &enetPeer, &enetTimed, &enetPacked, &enetSession, &enetTime, &enetChecksum, &enetChecksumOK,
			&enetCommandsField, &enetPackedData, &dissect.Undecoded,
		},
	}
	enetVersion = dissect.Field{
		Key: "version", Kind: dissect.Label, Source: enetSource, Doc: "generation of the wire format: 1.3, or 1.2 for that of 1.1 and 1.2",
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
	enetTime       = dissect.Field{Key: "sent_time", Name: "sentTime", Kind: dissect.Uint, Bits: 16, Unit: "ms", Source: enetSource, Doc: "lower half of the sender's clock"}
	enetChecksum   = dissect.Field{Key: "checksum", Kind: dissect.Uint, Bits: 32, Source: enetProtocolC, Doc: "CRC of the packet, where the application wants one"}
	enetChecksumOK = dissect.Field{
		Key: "checksum_ok", Kind: dissect.Bool, Doc: "the checksum is the CRC with the connection's number in its place; absent where that number is not known",
	}
	enetPackedData = dissect.Field{Key: "compressed_data", Kind: dissect.Hex, Doc: "compressed commands; the application chooses the method"}
)

// Bits of the peer number. 1.1 and 1.2 have the first one alone.
const (
	enetTimeFlag   = 1 << 15
	enetPackedFlag = 1 << 14
	enetPeerNew    = 1<<12 - 1
	enetPeerOld    = 1<<15 - 1
)

// A layout is how a packet of ENet is put together.
type layout struct {
	old      bool // 1.1 and 1.2
	checksum bool // 1.3 with a checksum
}

// An enetHeader is the header of a packet taken apart.
type enetHeader struct {
	peer   uint16
	packed bool
	timed  bool
	time   uint16
	size   int // bytes of the header
}

// parse takes the header off a packet.
func (h *enetHeader) parse(b []byte, l layout) bool {
	*h = enetHeader{}
	if l.old {
		h.size = 4
	}
	if len(b) < h.size+2 {
		return false
	}
	word := binary.BigEndian.Uint16(b[h.size:])
	h.size += 2
	h.timed = word&enetTimeFlag != 0
	h.peer = word & enetPeerOld
	if !l.old {
		h.packed = word&enetPackedFlag != 0
		h.peer = word & enetPeerNew
	}
	if h.timed {
		if len(b) < h.size+2 {
			return false
		}
		h.time = binary.BigEndian.Uint16(b[h.size:])
		h.size += 2
	}
	if l.checksum {
		h.size += 4
	}
	return len(b) >= h.size
}

// An enet is the state of a connection.
type enet struct {
	old       bool
	checksums bool    // packets have them
	id        [4]byte // number of the connection, as its bytes travel
	hasID     bool
	slot      [4]byte // what stands for the checksum while it is computed
	sides     [2]enetSide
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
		c.enet = &enet{old: h&oldENet != 0}
	}
	e := c.enet
	l := e.layout(rec.Payload, h, rec.Truncated())
	e.old = l.old
	var r reader
	r.reset(enetName, rec.Payload, 0, len(rec.Payload), tree)
	r.cut = rec.Truncated()
	r.enter(&enetField)
	version := "1.3"
	if l.old {
		version = "1.2"
	}
	tree.AddLabel(&enetVersion, version, 0, 0)
	var head enetHeader
	r.enetHeader(&head, l)
	if !r.failed() && l.checksum {
		e.check(rec, tree, &head)
	}
	switch {
	case r.failed():
	case head.packed:
		if r.rest() > 0 {
			at := r.at
			r.hex(&enetPackedData, r.rest())
			rec.Expert(dissect.Note, expertPacked, &enetPackedData, at<<3,
				"compressed by a method that the application chose: the packet does not tell which")
		}
	default:
		c.enetCommands(rec, &r, l, h)
	}
	r.report(rec)
	r.leave()
	tree.CloseAll(len(rec.Payload) << 3)
}

// layout finds out how a packet is put together: as the session's others, unless only another layout
// explains it to its end.
func (e *enet) layout(b []byte, h hint, cut bool) layout {
	usual := layout{old: e.old, checksum: e.checksums && !e.old}
	var s enetScan
	if s.scan(b, usual) || cut {
		if !usual.old && !usual.checksum && s.scan(b, layout{checksum: true}) && e.checksummed(b) {
			e.checksums = true
			return layout{checksum: true}
		}
		return usual
	}
	for _, l := range [...]layout{{}, {checksum: true}, {old: true}} {
		if l != usual && s.scan(b, l) && s.commands > 0 && (h&isGame != 0 || l.old == usual.old) {
			e.checksums = l.checksum
			return l
		}
	}
	return usual
}

// checksummed reports whether a packet has a checksum that is right: then it is one.
func (e *enet) checksummed(b []byte) bool {
	var head enetHeader
	return head.parse(b, layout{checksum: true}) && e.sum(b, &head) == binary.BigEndian.Uint32(b[head.size-4:])
}

// sum is the checksum that a packet of the connection has: the CRC of all of it, with the number of the
// connection where the checksum goes, and 0 there while the receiver has no number.
func (e *enet) sum(b []byte, head *enetHeader) uint32 {
	e.slot = [4]byte{}
	if head.peer != enetPeerNew {
		e.slot = e.id
	}
	at := head.size - 4
	crc := crc32.Update(0, crc32.IEEETable, b[:at])
	crc = crc32.Update(crc, crc32.IEEETable, e.slot[:])
	return crc32.Update(crc, crc32.IEEETable, b[head.size:])
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
	at := 0
	if l.old {
		r.network(&enetChecksumOld)
		at = 4
	}
	r.tree.AddBool(&enetTimed, h.timed, at<<3, 1)
	if l.old {
		r.tree.Add(&enetPeer, uint64(h.peer), at<<3+1, 15)
	} else {
		r.tree.AddBool(&enetPacked, h.packed, at<<3+1, 1)
		r.tree.Add(&enetSession, uint64(r.b[at]>>4&3), at<<3+2, 2)
		r.tree.Add(&enetPeer, uint64(h.peer), at<<3+4, 12)
	}
	r.at = at + 2
	if h.timed {
		r.network(&enetTime)
	}
	if l.checksum {
		r.network(&enetChecksum)
	}
}
