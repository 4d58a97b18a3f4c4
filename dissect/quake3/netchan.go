package quake3

import (
	"encoding/binary"
	"fmt"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/reassembly"
)

// The netchan header, code/qcommon/net_chan.c.
const (
	fragmentBit  = 1 << 31 // FRAGMENT_BIT, high bit of the sequence number
	fragmentSize = 1300    // FRAGMENT_SIZE, MAX_PACKETLEN - 100

	netchanSource = "Netchan_Process, code/qcommon/net_chan.c"
)

// Fields of the netchan header.
var (
	netchanField = dissect.Field{
		Key: "netchan", Kind: dissect.Object, Scope: dissect.Datagram, Source: netchanSource, Doc: "header of a sequenced packet",
		Children: []*dissect.Field{
			&netchanSequence, &netchanFragmented, &netchanQport, &netchanChecksum, &netchanChecksumOK, &netchanFragment,
			&netchanReassembled, &netchanDuplicate, &netchanLate, &netchanLostBefore, &dissect.Undecoded,
		},
	}
	netchanSequence = dissect.Field{
		Key: "sequence", Kind: dissect.Uint, Bits: 32, Source: netchanSource,
		Doc: "number of the message, without the fragment bit; counts from 1 in each direction",
	}
	netchanFragmented = dissect.Field{
		Key: "fragmented", Name: "FRAGMENT_BIT", Kind: dissect.Bool, Bits: 1, Source: netchanSource, Doc: "the packet holds a fragment of its message",
	}
	netchanQport = dissect.Field{
		Key: "qport", Kind: dissect.Uint, Bits: 16, Source: netchanSource,
		Doc: "number by which the server knows the client whatever its UDP port is",
	}
	netchanChecksum = dissect.Field{
		Key: "checksum", Kind: dissect.Uint, Bits: 32, Source: "NETCHAN_GENCHECKSUM, code/qcommon/qcommon.h",
		Doc: "challenge and sequence mixed (native encoding only)",
	}
	netchanChecksumOK = dissect.Field{
		Key: "checksum_ok", Kind: dissect.Bool, Doc: "the checksum is the one of the session's challenge; a receiver drops others",
	}
	netchanFragment = dissect.Field{
		Key: "fragment", Kind: dissect.Object, Source: netchanSource, Doc: "the fragment's place",
		Children: []*dissect.Field{&fragmentStart, &fragmentLength, &fragmentLast},
	}
	fragmentStart = dissect.Field{
		Key: "start", Name: "fragmentStart", Kind: dissect.Uint, Bits: 16, Unit: "bytes", Source: netchanSource, Doc: "where it begins in the message",
	}
	fragmentLength = dissect.Field{
		Key: "length", Name: "fragmentLength", Kind: dissect.Uint, Bits: 16, Unit: "bytes", Source: netchanSource, Doc: "its length",
	}
	fragmentLast = dissect.Field{
		Key: "last", Kind: dissect.Bool, Source: netchanSource, Doc: "it is not of the full length of 1300, so the message ends with it",
	}
	netchanReassembled = dissect.Field{
		Key: "reassembled_from", Kind: dissect.List, Doc: "frames whose fragments make up the message that this packet completes",
		Children: []*dissect.Field{{Kind: dissect.Uint}},
	}
	netchanDuplicate = dissect.Field{
		Key: "duplicate", Kind: dissect.Bool, Doc: "true: the message was seen before; a receiver drops it; absent otherwise",
	}
	netchanLate = dissect.Field{
		Key: "late", Kind: dissect.Bool, Doc: "true: the message was not seen before, but one with a higher number was; a receiver drops it; absent otherwise",
	}
	netchanLostBefore = dissect.Field{
		Key: "lost_before", Kind: dissect.Uint, Unit: "messages", Doc: "sequence numbers skipped before this one; absent when none",
	}
)

// An encoding is how the messages of a session are protected.
type encoding uint8

const (
	encodingUnknown encoding = iota
	legacy                   // the body is ciphered
	native                   // the header has a checksum
	recorded                 // neither: a message of a recording
)

func (e encoding) String() string { return [...]string{"", "legacy", "native", "demo"}[e] }

// A header is a parsed netchan header.
type header struct {
	sequence    uint32 // without the fragment bit
	fragmented  bool
	fromClient  bool
	qport       uint16
	checksum    uint32
	hasChecksum bool
	start, size int  // of a fragment: its position in the message, and its announced length
	length      int  // of the header, in bytes
	cut         bool // of a fragment: fewer bytes than position and length announce
}

// parse parses the header of a packet. It returns false if the packet is too short for one.
func (h *header) parse(p []byte, fromClient bool, enc encoding) bool {
	*h = header{fromClient: fromClient, hasChecksum: enc == native}
	need := 4
	if fromClient {
		need += 2
	}
	if h.hasChecksum {
		need += 4
	}
	if len(p) < need {
		return false
	}
	word := binary.LittleEndian.Uint32(p)
	h.sequence, h.fragmented = word&^fragmentBit, word&fragmentBit != 0
	h.length = 4
	if fromClient {
		h.qport = binary.LittleEndian.Uint16(p[h.length:])
		h.length += 2
	}
	if h.hasChecksum {
		h.checksum = binary.LittleEndian.Uint32(p[h.length:])
		h.length += 4
	}
	if h.fragmented {
		if h.cut = len(p) < need+4; h.cut {
			return false
		}
		h.start = int(binary.LittleEndian.Uint16(p[h.length:]))
		h.size = int(binary.LittleEndian.Uint16(p[h.length+2:]))
		h.length += 4
	}
	return true
}

// add shows the header.
func (h *header) add(tree *dissect.Tree) {
	tree.Add(&netchanSequence, uint64(h.sequence), 0, 31)
	tree.AddBool(&netchanFragmented, h.fragmented, 31, 1)
	bit := 32
	if h.fromClient {
		tree.Add(&netchanQport, uint64(h.qport), bit, 16)
		bit += 16
	}
	if h.hasChecksum {
		tree.Add(&netchanChecksum, uint64(h.checksum), bit, 32)
	}
}

// addFragment shows the place of a fragment.
func (h *header) addFragment(tree *dissect.Tree) {
	if !h.fragmented || h.cut {
		return
	}
	bit := (h.length - 4) << 3
	tree.Open(&netchanFragment, bit)
	tree.Add(&fragmentStart, uint64(h.start), bit, 16)
	tree.Add(&fragmentLength, uint64(h.size), bit+16, 16)
	tree.AddBool(&fragmentLast, h.size != fragmentSize, bit+16, 0)
	tree.Close(bit + 32)
}

// checksum is what a native packet of a challenge and sequence carries, NETCHAN_GENCHECKSUM in
// code/qcommon/qcommon.h.
func checksum(challenge int32, sequence uint32) uint32 {
	return uint32(challenge) ^ sequence*uint32(challenge)
}

// solveChallenge finds the challenge of a native packet whose sequence number is even: bit k of the
// product depends on lower bits of the challenge alone, so they come out one after the other.
func solveChallenge(sum, sequence uint32) int32 {
	var c uint32
	for k := range 32 {
		c |= (sum ^ sequence*c) & (1 << k)
	}
	return int32(c)
}

// An arrivals window distinguishes new messages of a direction from repeated ones.
type arrivals struct {
	newest uint32
	seen   uint64 // bit i: message newest-i was seen
	far    uint32 // a number too far ahead to be believed until another follows it; 0: none
}

// maxJump is how many messages can be missing at once: an hour of play. A single number further ahead is
// damage, and must not make every later message late.
const maxJump = 1 << 17

// An arrival is what the sequence number shows about a message.
type arrival struct {
	duplicate, late bool
	lostBefore      uint32
}

// arrive records a message's number.
func (a *arrivals) arrive(sequence uint32) (r arrival) {
	if a.seen == 0 { // the first message of the session that was seen
		a.newest, a.seen = sequence, 1
		return r
	}
	if sequence > a.newest {
		step := sequence - a.newest
		r.lostBefore = step - 1
		if step > maxJump && (sequence <= a.far || sequence-a.far > maxJump) {
			a.far = sequence
			return r
		}
		a.newest, a.far = sequence, 0
		if step < 64 {
			a.seen = a.seen<<step | 1
		} else {
			a.seen = 1
		}
		return r
	}
	back := a.newest - sequence
	if back < 64 && a.seen&(1<<back) == 0 {
		a.seen |= 1 << back
		r.late = true
		return r
	}
	r.duplicate = back < 64
	r.late = !r.duplicate
	return r
}

// addEntry keeps an expert entry about the packet until the netchan object is open.
func (m *message) addEntry(s dissect.Severity, code, format string, args ...any) {
	m.entries = append(m.entries, entry{s, code, fmt.Sprintf(format, args...)})
}

// addLost adds the messages that were given up because fragments are missing.
func (m *message) addLost(abandoned []reassembly.Abandoned) {
	for _, a := range abandoned {
		total := "its end was not seen either"
		if a.Total >= 0 {
			total = fmt.Sprintf("it has %d", a.Total)
		}
		m.addEntry(dissect.Warning, expertFragmentLost, "message %d was never complete: the bytes from %d on are missing, %s; frames %v held %d bytes of it",
			a.Sequence, a.Missing, total, a.Frames, a.Held)
	}
}

// showNetchan adds the netchan object.
func (c *conversation) showNetchan(tree *dissect.Tree, rec *dissect.Record, m *message) {
	tree.Open(&netchanField, 0)
	h := &m.header
	if c.encoding == recorded {
		tree.Add(&netchanSequence, uint64(h.sequence), 0, 32)
	} else if h.length == 0 { // too short for a header
		tree.AddBytes(&dissect.Undecoded, rec.Payload, 0, len(rec.Payload)<<3)
	} else {
		h.add(tree)
		if h.hasChecksum {
			tree.AddBool(&netchanChecksumOK, m.checksumOK, 0, 0)
		}
		h.addFragment(tree)
		if rest := rec.Payload[h.length:]; h.cut && len(rest) > 0 {
			tree.AddBytes(&dissect.Undecoded, rest, h.length<<3, len(rest)<<3)
		}
	}
	if len(m.frames) > 0 {
		tree.Open(&netchanReassembled, 0)
		for _, f := range m.frames {
			tree.Add(netchanReassembled.Children[0], f, 0, 0)
		}
		tree.Close(0)
	}
	if m.arrival.duplicate {
		tree.AddBool(&netchanDuplicate, true, 0, 0)
	}
	if m.arrival.late {
		tree.AddBool(&netchanLate, true, 0, 0)
	}
	if n := m.arrival.lostBefore; n > 0 {
		tree.Add(&netchanLostBefore, uint64(n), 0, 0)
	}
	for i := range m.entries {
		n := &m.entries[i]
		rec.Expert(n.severity, n.code, &netchanSequence, 0, "%s", n.text)
	}
	tree.Close(h.length << 3)
}

// showPacket shows a packet without a complete message: a fragment, or one that cannot be used.
func (c *conversation) showPacket(rec *dissect.Record, m *message) {
	tree := rec.Decoding()
	c.open(tree, rec)
	c.showNetchan(tree, rec, m)
	if c.encoding == encodingUnknown && m.header.length > 0 && m.header.length < len(rec.Payload) {
		rest := rec.Payload[m.header.length:]
		tree.AddBytes(&dissect.Undecoded, rest, m.header.length<<3, len(rest)<<3)
	}
	c.close(tree)
}
