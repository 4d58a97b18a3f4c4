package quake3

import (
	"fmt"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/reassembly"
)

// note keeps an expert entry about the packet until the netchan object is open.
func (m *message) note(s dissect.Severity, code, format string, args ...any) {
	m.notes = append(m.notes, note{s, code, fmt.Sprintf(format, args...)})
}

// lost notes the messages that were given up because fragments are missing.
func (m *message) lost(abandoned []reassembly.Abandoned) {
	for _, a := range abandoned {
		total := "its end was not seen either"
		if a.Total >= 0 {
			total = fmt.Sprintf("it has %d", a.Total)
		}
		m.note(dissect.Warning, expertFragmentLost, "message %d was never complete: the bytes from %d on are missing, %s; frames %v held %d bytes of it",
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
	for i := range m.notes {
		n := &m.notes[i]
		rec.Expert(n.severity, n.code, &netchanSequence, 0, "%s", n.text)
	}
	tree.Close(h.length << 3)
}

// showPacket shows a packet that completes no message: a fragment, or one that cannot be used.
func (c *conversation) showPacket(rec *dissect.Record, m *message) {
	tree := rec.Decoding()
	c.open(tree)
	c.showNetchan(tree, rec, m)
	if c.encoding == encodingUnknown && m.header.length > 0 && m.header.length < len(rec.Payload) {
		rest := rec.Payload[m.header.length:]
		tree.AddBytes(&dissect.Undecoded, rest, m.header.length<<3, len(rest)<<3)
	}
	c.close(tree)
}
