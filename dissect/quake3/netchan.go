package quake3

import (
	"fmt"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/reassembly"
)

const netchanSource = "Netchan_Process, code/qcommon/net_chan.c"

// Fields of the netchan header.
var (
	netchanField = dissect.Field{
		Key: "netchan", Kind: dissect.Object, Scope: dissect.Datagram, Source: netchanSource,
		Doc: "header of a sequenced packet",
		Children: []*dissect.Field{
			&netchanHeader, &netchanSequence, &netchanFragmented, &netchanQport, &netchanChecksum, &netchanChecksumOK,
			&netchanFragment, &netchanReassembled, &netchanDuplicate, &netchanLate, &netchanLostBefore, &dissect.Undecoded,
		},
		Frame: []*dissect.Field{&messageLength, &messagePart},
	}
	netchanSequence = dissect.Field{
		Key: "sequence", Kind: dissect.Uint, Bits: 32, Source: netchanSource,
		Doc: "number of the message, without the fragment bit; counts from 1 in each direction",
	}
	netchanFragmented = dissect.Field{
		Key: "fragmented", Name: "FRAGMENT_BIT", Kind: dissect.Bool, Bits: 1, Source: netchanSource,
		Doc: "the packet holds a fragment of its message",
	}
	netchanQport = dissect.Field{
		Key: "qport", Kind: dissect.Uint, Bits: 16, Source: netchanSource,
		Doc: "number by which the server recognises the client when its UDP port changes",
	}
	netchanChecksum = dissect.Field{
		Key: "checksum", Kind: dissect.Uint, Bits: 32, Source: "NETCHAN_GENCHECKSUM, code/qcommon/qcommon.h",
		Doc: "challenge and sequence mixed (native encoding only)",
	}
	netchanChecksumOK = dissect.Field{
		Key: "checksum_ok", Kind: dissect.Bool,
		Doc: "the checksum is the one of the session's challenge; a receiver drops others",
	}
	netchanFragment = dissect.Field{
		Key: "fragment", Kind: dissect.Object, Source: netchanSource, Doc: "the fragment's place",
		Children: []*dissect.Field{&fragmentStart, &fragmentLength, &fragmentLast},
	}
	fragmentStart = dissect.Field{
		Key: "start", Name: "fragmentStart", Kind: dissect.Uint, Bits: 16, Unit: "bytes", Source: netchanSource,
		Doc: "where it begins in the message",
	}
	fragmentLength = dissect.Field{
		Key: "length", Name: "fragmentLength", Kind: dissect.Uint, Bits: 16, Unit: "bytes",
		Source: netchanSource, Doc: "its length",
	}
	fragmentLast = dissect.Field{
		Key: "last", Kind: dissect.Bool, Source: netchanSource,
		Doc: "it is not of the full length of 1300, so the message ends with it",
	}
	netchanReassembled = dissect.Field{
		Key: "reassembled_from", Kind: dissect.List,
		Doc:      "frames whose fragments make up the message that this packet completes",
		Children: []*dissect.Field{{Kind: dissect.Uint}},
	}
	netchanDuplicate = dissect.Field{
		Key: "duplicate", Kind: dissect.Bool, Doc: "true: the message was seen before; a receiver drops it; absent otherwise",
	}
	netchanLate = dissect.Field{
		Key: "late", Kind: dissect.Bool, Doc: "true: the message was not seen before, but one with a higher number was; a " +
			"receiver drops it; absent otherwise",
	}
	netchanLostBefore = dissect.Field{
		Key: "lost_before", Kind: dissect.Uint, Unit: "messages",
		Doc: "sequence numbers skipped before this one; absent when none",
	}
)

// addHeader shows a header.
func addHeader(tree *dissect.Tree, h *netchan.Header) {
	tree.Add(&netchanSequence, uint64(h.Sequence), 0, 31)
	tree.AddBool(&netchanFragmented, h.Fragmented, 31, 1)
	bit := 32
	if h.FromClient {
		tree.Add(&netchanQport, uint64(h.Qport), bit, 16)
		bit += 16
	}
	if h.HasChecksum {
		tree.Add(&netchanChecksum, uint64(h.Checksum), bit, 32)
	}
}

// addFragment shows the place of a fragment.
func addFragment(tree *dissect.Tree, h *netchan.Header) {
	if !h.Fragmented || h.Cut {
		return
	}
	bits := 16 // of the start
	if h.LongStart {
		bits = 32
	}
	end := h.Length << 3
	bit := end - 16 - bits
	tree.Open(&netchanFragment, bit)
	tree.Add(&fragmentStart, uint64(h.Start), bit, bits)
	tree.Add(&fragmentLength, uint64(h.Size), end-16, 16)
	tree.AddBool(&fragmentLast, h.Size != netchan.FragmentSize, end-16, 0)
	tree.Close(end)
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
		m.addEntry(dissect.Warning, expertFragmentLost,
			"message %d was never complete: the bytes from %d on are missing, %s; frames %v held %d bytes of it",
			a.Sequence, a.Missing, total, a.Frames, a.Held)
	}
}

// showNetchan adds the netchan object.
func (c *conversation) showNetchan(tree *dissect.Tree, rec *dissect.Record, m *message) {
	if m.alone {
		return
	}
	tree.Open(&netchanField, 0)
	h := &m.header
	if c.encoding == netchan.Recorded {
		tree.Add(&netchanSequence, uint64(h.Sequence), 0, 32)
		if tree.Framed() {
			frameRecorded(tree, rec.Payload)
		}
	} else if h.Length == 0 { // too short for a header
		tree.AddBytes(&dissect.Undecoded, rec.Payload, 0, len(rec.Payload)<<3)
	} else {
		addHeader(tree, h)
		if h.HasChecksum && !m.uncompared {
			tree.AddBool(&netchanChecksumOK, m.checksumOK, 0, 0)
		}
		addFragment(tree, h)
		if tree.Framed() {
			framePacket(tree, h, len(rec.Payload), c.encoding)
		}
		if rest := rec.Payload[h.Length:]; h.Cut && len(rest) > 0 {
			tree.AddBytes(&dissect.Undecoded, rest, h.Length<<3, len(rest)<<3)
		}
	}
	if len(m.frames) > 0 {
		tree.Open(&netchanReassembled, 0)
		for _, f := range m.frames {
			tree.Add(netchanReassembled.Children[0], f, 0, 0)
		}
		tree.Close(0)
	}
	if m.arrival.Duplicate {
		tree.AddBool(&netchanDuplicate, true, 0, 0)
	}
	if m.arrival.Late {
		tree.AddBool(&netchanLate, true, 0, 0)
	}
	if n := m.arrival.LostBefore; n > 0 {
		tree.Add(&netchanLostBefore, uint64(n), 0, 0)
	}
	for i := range m.entries {
		n := &m.entries[i]
		rec.Expert(n.severity, n.code, &netchanSequence, 0, "%s", n.text)
	}
	tree.Close(h.Length << 3)
}

// showPacket shows a packet without a complete message: a fragment, or one that cannot be used.
func (c *conversation) showPacket(rec *dissect.Record, m *message) {
	tree := rec.Decoding()
	c.open(tree, rec)
	c.showNetchan(tree, rec, m)
	if c.encoding == netchan.Unknown && m.header.Length > 0 && m.header.Length < len(rec.Payload) {
		rest := rec.Payload[m.header.Length:]
		tree.AddBytes(&dissect.Undecoded, rest, m.header.Length<<3, len(rest)<<3)
	}
	refuse(rec, m.refusal)
	c.close(tree)
}
