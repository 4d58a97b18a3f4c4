package enet

import (
	"encoding/binary"
	"hash/crc32"
	"hash/crc64"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/cursor"
	"github.com/q3dissect/q3dissect/dissect/flows"
	"github.com/q3dissect/q3dissect/dissect/internal/payloads"
)

// The sources of ENet.
const (
	headerSource   = "include/enet/protocol.h of ENet"
	protocolSource = "protocol.c of ENet"
)

// Fields of the record's object.
var (
	rootField = dissect.Field{
		Key: protocolName, Kind: dissect.Object, Scope: dissect.Datagram, Doc: "ENet transport",
		Children: []*dissect.Field{
			&versionField, &checksumOldField, &peerField, &timedField, &packedField, &sessionField, &flagsField,
			&commandCountField, &timeField, &challengeField, &checksumField, &checksum64Field, &checksumOKField,
			&methodField, &plainSizeField, &commandsField, &furtherField,
			&commandsPackedField, &packedDataField, &encryptedField, &dissect.Undecoded,
		},
	}
	versionField = dissect.Field{
		Key: "version", Kind: dissect.Label, Source: headerSource,
		Doc: "generation of the wire format: 1.3, 1.2 for that of 1.1 and 1.2, 1.0, 2.0 for ENet-CSharp 2, or photon for " +
			"the dialect of Photon",
	}
	checksumOldField = dissect.Field{
		Key: "checksum_or_session", Name: "checksum", Kind: dissect.Uint, Bits: 32, Source: headerSource,
		Doc: "in 1.1 the number of the session, in 1.2 a CRC where the application wants one",
	}
	peerField = dissect.Field{
		Key: "peer_id", Name: "peerID", Kind: dissect.Uint, Bits: 16, Source: headerSource,
		Doc: "number of the peer at the receiver; all bits set: none yet",
	}
	timedField  = dissect.Field{Key: "timed", Name: "ENET_PROTOCOL_HEADER_FLAG_SENT_TIME", Kind: dissect.Bool, Bits: 1, Source: headerSource, Doc: "the header has a time"}
	packedField = dissect.Field{
		Key: "compressed", Name: "ENET_PROTOCOL_HEADER_FLAG_COMPRESSED", Kind: dissect.Bool, Bits: 1, Source: headerSource,
		Doc: "what follows the header is compressed",
	}
	sessionField    = dissect.Field{Key: "session_id", Name: "sessionID", Kind: dissect.Uint, Bits: 2, Source: headerSource, Doc: "counts the connections of a peer number"}
	timeField       = dissect.Field{Key: "sent_time", Name: "sentTime", Kind: dissect.Uint, Unit: "ms", Source: headerSource, Doc: "lower half of the sender's clock; in 1.0 and Photon all 32 bits of it"}
	checksumField   = dissect.Field{Key: "checksum", Kind: dissect.Uint, Bits: 32, Source: protocolSource, Doc: "CRC of the packet, where the application wants one"}
	checksum64Field = dissect.Field{
		Key: "checksum64", Kind: dissect.Hex, Bits: 64, Source: "enet.h of ENet-CSharp",
		Doc: "2.0: CRC of 64 bits, where the application wants one",
	}
	checksumOKField = dissect.Field{
		Key: "checksum_ok", Kind: dissect.Bool, Doc: "the checksum is the CRC, before compression, with the connection's " +
			"number in its place; absent where that is not known",
	}
	methodField = dissect.Field{
		Key: "compression", Kind: dissect.Label, Source: "compress.c of ENet",
		Doc: "how the commands are compressed: range_coder, the library's own; found by trying, since the packet does not " +
			"name it",
	}
	plainSizeField  = dissect.Field{Key: "decompressed_length", Kind: dissect.Uint, Unit: "bytes", Doc: "of the commands"}
	packedDataField = dissect.Field{Key: "compressed_data", Kind: dissect.Hex, Doc: "commands that are compressed by a method that the application chose, and not the library's own"}

	// Only in 1.0 and Photon.
	flagsField = dissect.Field{
		Key: "flags", Kind: dissect.Uint, Bits: 8, Source: headerSource,
		Doc:  "of the packet; 1.0 and Photon, which has names for them",
		Enum: &dissect.Enum{Tables: [][]string{photonFamily: {photonEncrypted: "encrypted", photonChecksum: "checksum"}}},
	}
	commandCountField = dissect.Field{Key: "command_count", Name: "commandCount", Kind: dissect.Uint, Bits: 8, Source: headerSource, Doc: "commands in the packet; 1.0 and Photon"}
	challengeField    = dissect.Field{Key: "challenge", Kind: dissect.Hex, Bits: 32, Source: headerSource, Doc: "number of the connection, in every packet; 1.0 and Photon"}
	encryptedField    = dissect.Field{Key: "encrypted_data", Kind: dissect.Hex, Source: photonSource, Doc: "commands that are encrypted, with what belongs to the cipher; Photon alone"}
)

// A connection is the state of one connection.
type connection struct {
	generation generation        // of the packet
	usual      generation        // of the connection
	strange    [generations]bool // a packet was only of that generation, other than the connection's
	checksums  bool              // packets have them
	ranged     bool              // compressed packets use the library's range coder
	id         [4]byte           // number of the connection, in the byte order of the wire
	hasID      bool
	challenge  [4]byte // of the packet, in 1.0
	slot       [8]byte // bytes in the checksum's place while it is computed
	sides      [2]side
	scan       scanner
	carries    bool     // there were other commands than those that ask for the connection
	next       *request // for another connection, while this one carries commands; nil: none
	asked      uint32   // number of the peer that asked for the connection
	names      [2]name  // in the packets of each side
	worded     bool     // 1.2: packets have the number of the connection
	proven     bool     // a checksum was right
	sound      uint8    // packets that could be read, up to enoughSound

	begins, ended bool // a connection begins with the packet, or ends with it
}

// A request asks for another connection. Anybody can send one: it counts when the other side answers.
type request struct {
	id    [4]byte
	by    int // the side that asks
	sides [2]side
}

// A side is one direction.
type side struct {
	channels  []channel // in the order of their first commands
	assembled []message // fragmented messages being reassembled, the oldest first
	size      int       // bytes of these messages
}

// A channel has the reliable sequence numbers of one channel. Connections use few, and 256 at most.
type channel struct {
	number   uint16 // see commandHead.line
	seen     flows.Numbers
	answer   uint16 // the highest number that was acknowledged
	answered bool   // there is one
}

// arrive records a reliable sequence number, and reports whether the command with it was seen before.
func (s *side) arrive(number uint16, sequence uint16, command []byte) (duplicate bool) {
	i := slices.IndexFunc(s.channels, func(c channel) bool { return c.number == number })
	if i < 0 {
		i = len(s.channels)
		s.channels = append(s.channels, channel{number: number})
	}
	_, same := s.channels[i].seen.Arrive(uint32(sequence), 16, flows.Fingerprint(0, command))
	return same
}

// A conversation is the traffic between two endpoints.
type conversation struct {
	conn    connection
	begun   bool // there was a packet
	carried payloads.Collector
	read    bool // a reader takes the payloads of the current packet
}

// Shrink drops everything: a connection that resumes is counted from its next packet.
func (c *conversation) Shrink() (kept any) { return nil }

// Dissect decodes one packet. The application's packets are left to their reader, or shown as
// bytes.
func (c *conversation) Dissect(rec *dissect.Record) bool {
	if !c.begun {
		c.begun, c.conn.usual = true, generation(rec.Hint&^hintGoesOn)
	}
	c.carried.Begin(rec)
	c.read = rec.Reading != nil
	e := &c.conn
	e.begins, e.ended = false, false
	l, explained := e.layout(rec.Payload, c.read, rec.Truncated())
	usual, strange := e.usual, e.strange
	e.meet(l.generation)
	if why := e.refusal(rec, l, explained); why != "" {
		defer func() { e.usual, e.strange = usual, strange }()
		c.refuse(rec, l, explained, why)
		return true
	}
	if explained {
		e.checksums = l.checksum
	}
	c.dissect(rec, l, explained)
	if !rec.Damaged && explained {
		e.sound += min(1, enoughSound-e.sound)
	} else if b := rec.Payload; rec.Damaged && e.sound == enoughSound && !rec.Truncated() &&
		len(b) > 0 && b[0]&(packedFlag>>8) == 0 {
		rec.Refuse(nil, noCommands)
	}
	return true
}

// dissect decodes a packet in a layout.
func (c *conversation) dissect(rec *dissect.Record, l layout, explained bool) {
	e, tree := &c.conn, rec.Decoding()
	var r reader
	first := rec.Payload[:e.firstPacket(rec.Payload, l)]
	r.Reset(protocolName, rec.Payload, 0, len(first), tree)
	r.Cut = rec.Truncated()
	r.Enter(&rootField)
	tree.AddLabel(&versionField, generationNames[l.generation], 0, 0)
	var head header
	r.readHeader(&head, l)
	if l.generation.long() && !r.Failed() && !head.encrypted {
		e.challenge = [4]byte(rec.Payload[headerLen10-4:])
	}
	if (l.checksum || head.summed) && !r.Failed() && (explained || !head.packed) {
		e.check(rec, tree, first, 0, &head)
	}
	switch {
	case r.Failed():
	case head.encrypted:
		r.readEncrypted()
	case !head.packed:
		count := c.dissectCommands(rec, &r, &commandsField, l.generation)
		if head.count >= 0 && head.count != count && !r.Failed() && !r.Cut {
			rec.Expert(dissect.Fault, cursor.Malformed, &commandCountField, 3<<3,
				"the header tells of %d commands, and there are %d", head.count, count)
		}
		if len(first) < len(rec.Payload) {
			c.dissectJoined(rec, &r, l)
		}
	case explained:
		c.dissectUnpacked(rec, &r)
	case r.Rest() > 0:
		e.undecodable(rec, &r)
	}
	r.Report(rec)
	r.Leave()
	tree.CloseAll(len(rec.Payload) << 3)
	if c.carried.Begins = e.begins; e.ended {
		c.carried.Ends = endDisconnect
	}
	if !c.read {
		cursor.ReportCut(rec)
	}
}

// endDisconnect is how a connection ends, as reported to payload readers: by the command.
const endDisconnect = "disconnect"

// dissectUnpacked reads the commands that the range coder decoded. They and reassembled messages
// are the record's message, from whose start positions count.
func (c *conversation) dissectUnpacked(rec *dissect.Record, r *reader) {
	e := &c.conn
	e.ranged = true
	c.carried.Unpack(e.scan.unpacked)
	plain := c.carried.Space
	r.Tree.AddLabel(&methodField, "range_coder", r.At<<3, r.Rest()<<3)
	r.Tree.Add(&plainSizeField, uint64(len(plain)), 0, 0)
	r.At = r.End
	var in reader
	in.Reset(protocolName, plain, 0, len(plain), r.Tree)
	c.dissectCommands(rec, &in, &commandsPackedField, e.generation)
	in.Report(rec)
	rec.Message = c.carried.Space
}

// undecodable shows a compressed packet as bytes.
func (e *connection) undecodable(rec *dissect.Record, r *reader) {
	at := r.At
	r.Hex(&packedDataField, r.Rest())
	switch {
	case e.ranged && !r.Cut:
		rec.Expert(dissect.Fault, cursor.Malformed, &packedDataField, at<<3,
			"the range coder, which compresses the connection's packets, does not make this of commands")
	case !r.Cut:
		rec.Expert(dissect.Note, expertPacked, &packedDataField, at<<3,
			"compressed by a method that the application chose: the packet does not name it, and it is not the library's own")
	}
}

// meet records the generation of a packet. The second packet of another one than the connection's makes that the
// connection's: a single one may be damaged or forged.
func (e *connection) meet(g generation) {
	if e.generation = g; g != e.usual && e.strange[g] {
		e.usual, e.strange = g, [generations]bool{}
	} else {
		e.strange[g] = g != e.usual
	}
}

// layout finds the layout of a packet: that of the session's other packets, unless the packet fits
// only another one. The scan then has the result for that layout.
func (e *connection) layout(b []byte, read, cut bool) (l layout, explained bool) {
	usual := layout{generation: e.usual, checksum: e.checksums && e.usual.recent()}
	if cut {
		return usual, false
	}
	if e.scan.scan(b, usual) {
		if usual != (layout{}) || e.scan.head.packed || !e.scan.scan(b, layout{checksum: true}) || !e.checksummed(b) {
			return usual, e.scan.scan(b, usual)
		}
		return layout{checksum: true}, true
	}
	for _, l := range layouts {
		if l != usual && (read || l.generation == usual.generation || l.generation.long() && usual.generation.long()) &&
			e.scan.explains(b, l) {
			return l, true
		}
	}
	return usual, false
}

// checksummed reports whether the scanned packet's checksum is right, which proves that it has one.
func (e *connection) checksummed(b []byte) bool { return e.sums(b, &e.scan.head) }

// crc64Table is the one of ENet-CSharp's enet_crc64: the polynomial of Jones, reversed.
var crc64Table = crc64.MakeTable(0x95ac9329ac4bc9b5)

// sums reports whether the checksum of a packet is right: the CRC of the whole decompressed packet, with the
// connection's number in the checksum's place, or 0 while the receiver has no number.
func (e *connection) sums(b []byte, head *header) bool {
	if head.summed {
		return photonSum(b) == binary.BigEndian.Uint32(b[head.size-4:])
	}
	e.slot = [8]byte{}
	if head.peer != noPeer13 {
		copy(e.slot[:], e.id[:])
	}
	commands := b[head.size:]
	if head.wide {
		at := head.size - len(e.slot)
		crc := crc64.Update(0, crc64Table, b[:at])
		crc = crc64.Update(crc, crc64Table, e.slot[:])
		return crc64.Update(crc, crc64Table, commands) == binary.BigEndian.Uint64(b[at:])
	}
	if head.packed {
		commands = e.scan.unpacked
	}
	at := head.size - 4
	crc := crc32.Update(0, crc32.IEEETable, b[:at])
	crc = crc32.Update(crc, crc32.IEEETable, e.slot[:4])
	return crc32.Update(crc, crc32.IEEETable, commands) == binary.BigEndian.Uint32(b[at:])
}

// check compares the checksum of a packet, which begins at a byte of the datagram.
func (e *connection) check(rec *dissect.Record, tree *dissect.Tree, b []byte, at int, head *header) {
	if rec.Truncated() || !head.summed && head.peer != noPeer13 && !e.hasID {
		return
	}
	ok := e.sums(b, head)
	if !ok && e.sumsOrNext(b, head) {
		ok = true
		e.change()
	}
	tree.AddBool(&checksumOKField, ok, 0, 0)
	if !ok {
		f, size := &checksumField, 4
		if head.wide {
			f, size = &checksum64Field, 8
		}
		rec.Expert(dissect.Warning, expertChecksum, f, (at+head.size-size)<<3,
			"the checksum does not fit the packet: a receiver drops it")
	}
}

// readHeader reads the header of a packet.
func (r *reader) readHeader(h *header, l layout) {
	if !h.parse(r.B[r.At:r.End], l) {
		r.Fail(&peerField, 0, dissect.ErrTruncated)
		return
	}
	switch l.generation {
	case v10, photon:
		r.readLongHeader(h, l)
		return
	case v20:
		at := r.At
		r.Tree.AddBool(&timedField, h.timed, at<<3+1, 1)
		r.Tree.Add(&sessionField, uint64(r.B[at]>>4&3), at<<3+2, 2)
		r.Tree.Add(&peerField, uint64(h.peer), at<<3+4, 12)
	case v12:
		r.Network(&checksumOldField)
		at := r.At
		r.Tree.AddBool(&timedField, h.timed, at<<3, 1)
		r.Tree.Add(&peerField, uint64(h.peer), at<<3+1, 15)
	default:
		at := r.At
		r.Tree.AddBool(&timedField, h.timed, at<<3, 1)
		r.Tree.AddBool(&packedField, h.packed, at<<3+1, 1)
		r.Tree.Add(&sessionField, uint64(r.B[at]>>4&3), at<<3+2, 2)
		r.Tree.Add(&peerField, uint64(h.peer), at<<3+4, 12)
	}
	r.At += 2
	if h.timed {
		r.readSlot(slot{&timeField, 2})
	}
	switch {
	case l.checksum && l.generation == v20:
		r.Hex(&checksum64Field, l.checksumLen())
	case l.checksum:
		r.Network(&checksumField)
	}
}
