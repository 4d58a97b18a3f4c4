package quake3

import (
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/gate"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/handshake"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/operation"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/router"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

// setConfigstring keeps what later messages depend on. It stores no configstring: views that need them read
// them from the records.
func (c *conversation) setConfigstring(index int, value []byte) {
	c.logChange(observe.Change{Kind: observe.Configstring, Index: index}, value)
	switch index {
	case tables.ServerinfoIndex:
		c.gamename = append(c.gamename[:0], dissect.InfoValue(value, "gamename")...)
		c.gameVersion = append(c.gameVersion[:0], dissect.InfoValue(value, "version")...)
		if c.version == 0 {
			c.setServerVersion(value)
		}
	case tables.SysteminfoIndex:
		if id, ok := token.Atoi(dissect.InfoValue(value, "sv_serverid")); ok {
			c.serverID = id
		}
		c.fsGame = append(c.fsGame[:0], dissect.InfoValue(value, "fs_game")...)
	default:
		return
	}
	c.setFamily()
}

// setFamily decides which names apply. A session of another game may be known by its messages alone.
func (c *conversation) setFamily() {
	c.family = tables.GameOf(c.snapshots.Generation, c.version, c.gamename, c.fsGame, c.gameVersion)
}

// setServerVersion learns the protocol from the server information of a session whose handshake is not in the
// capture. A server that supports several protocols always has its own there, so the number counts only if the
// encoding fits it.
func (c *conversation) setServerVersion(serverinfo []byte) {
	text := dissect.InfoValue(serverinfo, "com_protocol")
	if len(text) == 0 {
		text = dissect.InfoValue(serverinfo, "protocol")
	}
	v, game := token.Positive(text), tables.GameOfInfo(serverinfo)
	switch {
	case v == 0:
	case c.encoding == encodingOf(v):
		c.setVersion(v)
		c.setTables(serverinfo)
	case game != 0 && c.snapshots.Generation.Game == game: // its number means another encoding elsewhere
		c.version = v
	}
}

// encodingOf returns the encoding of a protocol number.
func encodingOf(version int) netchan.Encoding {
	switch tables.FramingOf(version) {
	case tables.FramingChecksum:
		return netchan.Native
	case tables.FramingCiphered:
		return netchan.Legacy
	case tables.FramingScrambled:
		return netchan.Scrambled
	}
	return netchan.Unread
}

func (c *conversation) setVersion(v int) {
	c.version = v
	c.snapshots.Generation = c.generationOf(v)
	c.server.widen(c.snapshots.Generation.CommandWindow)
	c.client.widen(c.snapshots.Generation.CommandWindow)
	c.setFamily()
}

// generationOf returns the generation of a protocol number: that of the game of the server's information, if several games have
// the number.
func (c *conversation) generationOf(version int) *tables.Generation {
	return tables.GenerationOf(version).Variant(version, c.Declared)
}

// setGeneration is setVersion for a recording, whose generation is known by other means.
func (c *conversation) setGeneration(gen *tables.Generation) {
	c.version, c.snapshots.Generation = gen.Number(), gen
	c.setFamily()
}

// handshake updates the session from an out-of-band packet.
func (c *conversation) handshake(p *oob.Packet) {
	step := c.See(p, handshake.Session{
		Begun: c.session >= 0, Challenge: c.challenge, Version: c.version, Plays: c.play != nil,
	})
	switch {
	case step.Begins:
		c.begin(step.Version)
	case step.Version != 0:
		c.setVersion(step.Version)
	}
}

// begin starts a session with the challenge offered. agreed is the protocol of connectResponse, or 0.
func (c *conversation) begin(agreed int) {
	c.Offered.Fresh = false
	c.gate.Begin(c.Offered.Qport, c.Offered.HasQport)
	c.session++
	if agreed == 0 {
		agreed = c.Offered.Protocol
	}
	if c.play == nil {
		c.beginParked(agreed)
	} else {
		c.restart(true)
		c.beginCounting()
		c.setVersion(agreed)
	}
	c.challenge, c.challengeKnown = c.Offered.Challenge, true
}

// beginParked is restart without the memory for play: servers see far more handshakes than players. resume does
// the rest at the first packet of the session.
func (c *conversation) beginParked(version int) {
	c.parked = true
	c.encoding, c.version = netchan.Unknown, version
	c.family = tables.GameOf(c.generationOf(version), version, nil, nil, nil)
	for _, o := range c.observers {
		o.Restart(true)
	}
}

// beginCounting marks the session as seen from its first message and command on.
func (c *conversation) beginCounting() {
	c.server.known, c.client.known = true, true
	c.feeds.put(0, 0, true) // the feed of a client before its first gamestate
	for i := range c.sides {
		c.sides[i].arrivals = netchan.FromFirst()
	}
}

// beginUnanswered starts a session whose connectResponse is not in the capture, for example if only the
// client's side was captured: its first messages have the lowest numbers, which the session before is past.
func (c *conversation) beginUnanswered(payload []byte, fromClient bool) {
	const first = 4
	var h netchan.Header
	if !c.Offered.Known || !c.Offered.Fresh || !h.Parse(payload, false, netchan.Legacy) {
		return
	}
	arrivals := &c.sides[netchan.SideIndex(fromClient)].arrivals
	over := h.Sequence <= first && !arrivals.Ahead(h.Sequence) && !arrivals.Fills(h.Sequence)
	if c.session < 0 || c.play != nil && over {
		c.begin(0)
	}
}

// distrust forgets what was offered and agreed on if the first packet of play shows, by its number, that the session
// began before: anybody can send a part of a handshake in its middle. The router has found the session by its packets.
func (c *conversation) distrust(payload []byte, hint router.Hint) {
	const beginning = 64
	var h netchan.Header
	if enc, _ := hint.Unpack(); enc == netchan.Unknown || !c.Offered.Known && !c.greeted {
		return
	}
	if h.Parse(payload, false, netchan.Legacy) && h.Sequence > beginning && c.sides[0].packets+c.sides[1].packets == 0 {
		c.Forget()
		c.restart(false)
	}
}

// restart forgets the session. greeted reports whether the handshake of the next one was seen.
func (c *conversation) restart(greeted bool) {
	if c.parked = false; c.play == nil {
		c.play = &play{}
		c.snapshots = world.Reader{ShowState: c.opts.State, Family: &c.family}
	}
	c.reportKey()
	c.choice, c.dialects, c.recovery, c.sought, c.deciphered = nil, nil, nil, false, 0
	c.greeted, c.ident.set = greeted, false
	c.encoding, c.version, c.challengeKnown, c.proven = netchan.Unknown, 0, false, false
	c.endings = endings{}
	c.leaveWorld()
	c.server.reset()
	c.client.reset()
	c.feeds, c.serverID, c.feed, c.snapshots.FrameTime = feedTable{}, 0, 0, 0
	if !greeted { // a gamestate may have said it before
		c.snapshots.FrameTime = world.UnknownFrameTime
	}
	c.downloads = operation.Download{}
	c.moves.Reset()
	for _, o := range c.observers {
		o.Restart(greeted)
	}
	c.gamename, c.fsGame, c.gameVersion = c.gamename[:0], c.fsGame[:0], c.gameVersion[:0]
	c.setVersion(0)
	for i := range c.sides {
		s := &c.sides[i]
		s.fragments.Reset()
		s.arrivals, s.replays, s.packets = netchan.Arrivals{}, replays{}, 0
		s.timed, s.reads, s.acks = false, newCredit, acks{}
	}
}

// learnEncoding decides between legacy and native by the checksum, not by the protocol's number: there are
// servers that announce 71 and send the encoding of 68. hint is the router's finding about a session whose
// handshake is not in the capture.
func (c *conversation) learnEncoding(payload []byte, fromClient bool, hint router.Hint) {
	switch {
	case c.proven:
	case c.challengeKnown:
		c.testChecksum(payload, fromClient)
	case c.encoding == netchan.Unknown:
		enc, challenge := hint.Unpack()
		if enc == netchan.Unknown {
			return
		}
		c.session++
		c.encoding = enc
		switch enc {
		case netchan.Native:
			c.challenge, c.challengeKnown = challenge, true
		case netchan.Scrambled:
			c.adopt(tables.GenerationOf(tables.ScrambledCandidates[0]))
		}
		c.proven = true
	}
}

// testChecksum decides by one packet of a session whose challenge is known. A right checksum decides, even if
// a damaged or forged first packet made the session look like legacy; a packet too short for a checksum shows
// nothing.
func (c *conversation) testChecksum(payload []byte, fromClient bool) {
	var h netchan.Header
	was := c.encoding
	switch {
	case c.version != 0 && encodingOf(c.version) == netchan.Unread:
		c.encoding = netchan.Unread
	case c.version != 0 && encodingOf(c.version) == netchan.Scrambled, c.version == 0 && was == netchan.Scrambled:
		c.encoding = netchan.Scrambled
	case c.snapshots.Generation.Ciphered && !c.hasChecksum(payload, fromClient):
		c.encoding = netchan.Legacy // it has no other encoding
	case !h.Parse(payload, fromClient, netchan.Native):
	case h.Checksum == netchan.Checksum(c.challenge, h.Sequence):
		// a number without evidence leaves it to what was agreed on
		c.proven, c.encoding = gate.Shows(c.challenge, h.Sequence), netchan.Native
		if !c.proven && c.version != 0 && encodingOf(c.version) != netchan.Native {
			c.encoding = netchan.Legacy
		}
	case c.acceptByChecksum(&h):
		c.encoding, c.proven = netchan.Native, true
	case c.showsScrambled(payload, fromClient):
		c.encoding = netchan.Scrambled
		c.adopt(tables.GenerationOf(tables.ScrambledCandidates[0]))
	default:
		c.encoding = netchan.Legacy
	}
	if c.encoding == was {
		return
	}
	for i := range c.sides {
		c.sides[i].fragments.Reset() // cut off after the wrong header
	}
	if v := c.Offered.ServerProtocol; c.version == 0 && c.encoding == encodingOf(v) {
		c.setVersion(v)
	}
}

// hasChecksum reports whether a packet shows that a session of a number of two engines is the one's whose packets have
// a checksum, and continues with its tables. The checksum of the first message is 0 whatever the challenge is.
func (c *conversation) hasChecksum(payload []byte, fromClient bool) bool {
	gen := c.snapshots.Generation.ChecksumVariant()
	var h netchan.Header
	if gen == nil || !h.Parse(payload, fromClient, netchan.Native) || !gate.Shows(c.challenge, h.Sequence) ||
		h.Checksum != netchan.Checksum(c.challenge, h.Sequence) {
		return false
	}
	c.adopt(gen)
	return true
}

// A candidate is a challenge for which packets with a wrong checksum would be right: that of a new session
// whose handshake is not in the capture.
type candidate struct {
	challenge int32
	solved    bool
	confirmed int
	last      [2]uint32 // number of the last packet that it is right for, by message.fromClient
}

// quiet is how long nothing of a session has come, at least, when another one without a handshake replaces it.
const quiet = time.Second

// confirmChallenge examines a packet with a wrong checksum. It returns true, and begins a session, when enough
// of them agree on another challenge while nothing of the session at hand comes. Copies are one witness.
func (c *conversation) confirmChallenge(h *netchan.Header, rec *dissect.Record) bool {
	s := &c.candidate
	last := &s.last[netchan.SideIndex(h.FromClient)]
	switch {
	case s.solved && netchan.Checksum(s.challenge, h.Sequence) == h.Checksum:
		if h.Sequence <= *last || !gate.Shows(s.challenge, h.Sequence) {
			return false
		}
		*last = h.Sequence
		if s.confirmed++; s.confirmed < router.NativeEvidence || !c.isQuiet(rec) {
			return false
		}
		c.session++
		c.restart(false)
		c.encoding, c.challenge, c.challengeKnown, c.proven = netchan.Native, s.challenge, true, true
		c.candidate = candidate{}
		return true
	case h.Sequence&1 == 0:
		*s = candidate{challenge: netchan.SolveChallenge(h.Checksum, h.Sequence), solved: true}
		s.last[netchan.SideIndex(h.FromClient)] = h.Sequence
	}
	return false
}

// isQuiet reports whether nothing of the session has come for some time.
func (c *conversation) isQuiet(rec *dissect.Record) bool {
	for i := range c.sides {
		if s := &c.sides[i]; s.timed && rec.HasTime && time.Duration(rec.Time-s.heard) < quiet {
			return false
		}
	}
	return true
}
