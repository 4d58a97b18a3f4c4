package quake3

import (
	"encoding/binary"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// Sessions and recordings of protocol numbers whose packets, or messages, no public source describes: only the
// beginning of each packet is shown.

// expertUnsupported reports a packet that is not read, docs/expert.md.
const expertUnsupported = "unsupported_protocol"

var netchanHeader = dissect.Field{
	Key: "header", Kind: dissect.Hex, Bits: 32, Source: netchanSource,
	Doc: "the first four bytes of a packet whose format is not known; absent otherwise",
}

// headerBytes is the size of netchanHeader: a number and, in most protocols, the mark of a fragment.
const headerBytes = 4

// skip returns true after showing a packet of a session whose framing is not known, without reading it.
func (c *conversation) skip(rec *dissect.Record, s *side) bool {
	if c.encoding != netchan.Unread {
		return false
	}
	s.packets++
	c.showUnread(rec, c.version, "the framing")
	return true
}

// showUnread shows a packet or message without reading it. what is the part of the protocol that is not known.
func (c *conversation) showUnread(rec *dissect.Record, version int, what string) {
	tree := rec.Decoding()
	c.open(tree, rec)
	tree.Open(&netchanField, 0)
	size := min(headerBytes, len(rec.Payload))
	if rec.Recorded() {
		size = recordHeader
		tree.Add(&netchanSequence, uint64(binary.LittleEndian.Uint32(rec.Payload)), 0, 32)
	} else {
		tree.AddBytes(&netchanHeader, rec.Payload[:size], 0, size<<3)
	}
	tree.Close(size << 3)
	if rest := rec.Payload[size:]; len(rest) > 0 {
		tree.AddBytes(&dissect.Undecoded, rest, size<<3, len(rest)<<3)
	}
	game := tables.UnreadGame(version)
	if game != "" {
		game = " (" + game + ")"
	}
	rec.Unsupported = true
	rec.Expert(dissect.Warning, expertUnsupported, &netchanField, 0,
		"%s of protocol %d%s is not known: nothing of the packet is read", what, version, game)
	c.close(tree)
}

// A demo that is not read has its protocol number above this bit in its hint.
const unreadShift = 24

// unreadDemo returns the protocol number of a demo that is not read: the one that its server information declares, or
// its name, if no row has it. chosen is what the user wants it to be read as.
func unreadDemo(first []byte, name string, chosen int) (version int, ok bool) {
	if tables.HasRow(chosen) {
		return 0, false
	}
	version, _ = declaredBy(first)
	if version == 0 {
		version = versionOfName(name)
	}
	return version, version > 0 && version < 1<<16 && !tables.HasRow(version)
}

// dissectUnread shows a message of a demo that is not read.
func (c *conversation) dissectUnread(rec *dissect.Record, version int) {
	c.encoding, c.version = netchan.Recorded, version
	c.showUnread(rec, version, "the format")
}

// endings count the messages of a session that could be read to their ends, and those that could not. Other games have
// the family's words and numbers, and messages of their own.
type endings struct{ whole, broken int }

// foreign reports whether so few messages end where the protocol's do that what is read of the others means nothing.
func (e *endings) foreign() bool {
	const enough, share = 4, 2
	return e.broken >= enough && e.broken > share*e.whole
}

// note counts a message. The shortest are read with any key, and show nothing.
func (e *endings) note(t *attempt) {
	const enough = netchan.ClientClearBytes + 4
	switch {
	case !t.ours || t.m.cut > 0 || t.rec.Recorded() || len(t.m.body) <= enough:
	case t.known && t.err == nil:
		e.whole++
	case t.known || uint32(t.m.prefix().reliableAck) > mostCommands:
		e.broken++
	}
}

// mostCommands is more than the reliable commands of a session: a message that acknowledges more is none.
const mostCommands = 1 << 20

// skipForeign returns true after showing a message of a session whose messages are not those of its protocol, without
// reading it, unless this one is.
func (c *conversation) skipForeign(rec *dissect.Record, m *message) bool {
	if !c.endings.foreign() || c.reads(m, m.body) {
		return false
	}
	c.endings.broken++
	c.showUnread(rec, c.version, "its messages do not end where those of the known format do: the one")
	return true
}
