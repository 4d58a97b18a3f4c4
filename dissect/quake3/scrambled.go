package quake3

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// Sessions of the engines before Huffman coding, protocols 43 and 24: each packet is scrambled by itself, so that it is
// read without a key, and messages end with their last operation.

// plain returns a packet as it was before it was scrambled, valid until the next call; of another session as it is.
func (c *conversation) plain(payload []byte) []byte {
	if c.encoding != netchan.Scrambled {
		return payload
	}
	c.unscrambled = append(c.unscrambled[:0], payload...)
	c.scrambler.Unscramble(c.unscrambled)
	return c.unscrambled
}

// receiveCut shows what is clear in a scrambled packet that was captured in part. The other bytes are at places of
// bytes that are missing.
func (c *conversation) receiveCut(rec *dissect.Record, s *side, m *message) {
	var h netchan.Header
	if h.Parse(rec.Payload, m.fromClient, netchan.Scrambled); h.Length > 0 && !h.Fragmented {
		m.arrival = s.arrivals.Arrive(h.Sequence, false)
	}
	h.Cut, h.Start, h.Size = true, 0, 0
	h.Length = min(h.Length, netchan.HeaderSize(m.fromClient))
	m.header = h
	m.addEntry(dissect.Warning, oob.ExpertTruncatedByCapture,
		"the capture has %d of %d bytes, and scrambled packets are read whole", len(rec.Payload), rec.Length)
}

// ended reports whether a message without a mark of its end has come to it: less than a byte is left, of zeros.
func ended(d *decode.Decoder) bool {
	left := d.Len() - d.Pos()
	if left > 7 || d.Failed() {
		return false
	}
	if r := *d.Reader(); r.Bits(left) != 0 {
		d.Malformed(nil, d.Pos(), "bits that are not zero after the last operation")
	}
	return true
}

// alignOp moves to the next byte if no operation begins at the present bit, but one there. Operations of live sessions
// begin at any bit, but no capture of the original program shows it.
func alignOp(d *decode.Decoder, gen *tables.Generation) {
	if d.Pos()&7 == 0 {
		return
	}
	begins := func(op uint32) bool {
		switch gen.Op(op) {
		case tables.OpNop, tables.OpGamestate, tables.OpServerCommand, tables.OpDownload, tables.OpSnapshot:
			return true
		}
		return false
	}
	here := *d.Reader()
	there := here
	there.Align()
	if !begins(here.Bits(8)) && begins(there.Bits(8)) && !there.Failed() {
		d.Align()
	}
}

// chooseScrambled finds the protocol of a scrambled session whose handshake is not in the capture: 43 or 24, by which
// tables its messages can be read with. It returns true if the message should wait for others: both can read it, and
// read it differently.
func (c *conversation) chooseScrambled(m *message) (undecided bool) {
	const enough = 2 // messages more that only one of them can read
	if c.encoding != netchan.Scrambled || c.version != 0 || m.fromClient || m.arrival.Duplicate {
		return false
	}
	if c.dialects == nil {
		c.dialects = &dialects{}
	}
	t := c.dialects
	var meanings [len(tables.ScrambledCandidates)][]dissect.Node
	for i, version := range tables.ScrambledCandidates {
		if tree := t.probe.tree(version, m.body, false); tree != nil {
			meanings[i] = slices.Clone(tree.Nodes)
		}
	}
	a, b := meanings[0] != nil, meanings[1] != nil
	if a != b {
		if t.votes++; b {
			t.votes -= 2
		}
	}
	best := tables.ScrambledCandidates[0]
	if t.votes < 0 {
		best = tables.ScrambledCandidates[1]
	}
	if t.votes >= enough || t.votes <= -enough {
		c.setVersion(best)
		c.dialects = nil
		return false
	}
	c.adopt(tables.GenerationOf(best))
	return t.votes == 0 && a && b && !slices.Equal(meanings[0], meanings[1])
}

// dialects count for which protocol the messages of a session speak.
type dialects struct {
	votes int // messages that only the first can read, less those that only the second can
	probe probe
}

// appendScrambledWire is appendWire for a message whose bytes are not in the order of the packets.
func appendScrambledWire(dst []dissect.WirePiece, rec *dissect.Record, frames []uint64,
	datagram func(frame uint64) []byte,
) []dissect.WirePiece {
	var scrambler netchan.Scrambler
	for _, frame := range frames {
		payload := rec.Payload
		if frame != rec.Frame {
			payload = datagram(frame)
		}
		packet := slices.Clone(payload)
		scrambler.Unscramble(packet)
		var h netchan.Header
		if !h.Parse(packet, rec.Direction == dissect.ClientToServer, netchan.Scrambled) {
			continue
		}
		places := scrambler.AppendPlaces(nil, packet)
		for i, place := range places[min(h.Length, len(places)):] {
			if h.Start+i < len(rec.Message) {
				dst = append(dst, piece(frame, place, h.Start+i, 1))
			}
		}
	}
	return dst
}

// showsScrambled reports whether one of the first packets of a session whose connect is not in the capture is
// scrambled. No message of a legacy session, as far as was measured, can be read to its end as a scrambled one.
func (c *conversation) showsScrambled(payload []byte, fromClient bool) bool {
	const beginning, leastServer, leastClient = 8, 8, 13 // the shortest ones are read as anything
	if c.version != 0 || c.sides[0].packets+c.sides[1].packets > beginning {
		return false
	}
	packet := append(c.unscrambled[:0], payload...)
	c.unscrambled = packet
	c.scrambler.Unscramble(packet)
	var h netchan.Header
	if !h.Parse(packet, fromClient, netchan.Scrambled) || h.Fragmented {
		return false
	}
	body, least := packet[h.Length:], leastServer
	if fromClient {
		least = leastClient
	}
	return len(body) >= least && (fromClient || tables.BeginsScrambled(body[0])) &&
		(&probe{}).decodes(netchan.Scrambled, body, fromClient)
}
