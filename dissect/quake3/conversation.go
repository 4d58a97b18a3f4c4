package quake3

import (
	"errors"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/files"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
	"github.com/q3dissect/q3dissect/reassembly"
)

// Codes of expert entries, docs/expert.md.
const (
	expertTruncated       = "truncated"
	expertKeyUnknown      = "key_unknown"
	expertBaseMissing     = "base_missing"
	expertFragmentLost    = "fragment_lost"
	expertFragmentOrder   = "fragment_out_of_order"
	expertFragmentBad     = "fragment_malformed"
	expertFragmentChanged = "fragment_conflict"
	expertOversize        = "message_oversize"
	expertChecksum        = "checksum_mismatch"
	expertForeignEngine   = "foreign_engine"
)

// A conversation is one stream: a client of a server, through all its sessions.
type conversation struct {
	opts           dissect.Options
	worlds         *sync.Pool // of *world; nil: nothing is used again
	oobs           *sync.Pool // of *oob.Packet, the same
	parked         bool       // there is a session, and play is nil
	offered        offer
	session        int // -1 before the first
	encoding       encoding
	version        int // protocol number, 0: unknown
	challenge      int32
	challengeKnown bool
	candidate      candidate
	family         uint8
	oob            *oob.Packet
	rewriter       *rewriter // nil unless it is wanted
	passwords      oob.Passwords
	observers      []observe.Observer
	finders        *finders // nil: no keys are recovered

	*play // nil before the first sequenced packet: most streams of a public server are a query or two
}

// A play is what a session needs beyond its handshake.
type play struct {
	sides          [2]side  // by message.fromClient
	server, client commands // reliable commands of each
	feeds          feedTable
	serverID, feed int32 // of the newest gamestate
	gamename       []byte
	fsGame         []byte
	gameVersion    []byte

	world     *world.World // nil before the first message, and while idle
	snapshots world.Reader
	downloads downloadState
	recent    recentCommands
	moved     [maxUserCommands]userCommand

	// Memory that decoding one message uses.
	dec          dissect.Decoder
	reader       commandReader
	log          observe.Log // what the message does; counts when it is known to be good
	shown        observe.Message
	body         []byte
	clear        int // bytes of body that can be read
	text, joined []byte
	cut          int // bytes of the message that the capture does not have

	recovery *recovery // nil unless the session began before the input, and its key is looked for
	sought   bool      // it was looked for
	greeted  bool      // the handshake was seen
	ident    struct {  // what identifies the session, from its first packet on
		set bool
		key dissect.SessionKey
	}
}

// A side is one direction of the conversation.
type side struct {
	fragments reassembly.Messages
	arrivals  arrivals
	packets   int     // sequenced packets of the session
	held      message // the one that waits for a later packet; rec is nil if none does
}

// A message is a complete message behind the netchan, before it is deciphered.
type message struct {
	rec        *dissect.Record
	fromClient bool
	header     header
	arrival    arrival
	checksumOK bool
	body       []byte
	frames     []uint64 // of its fragments
	cut        int      // bytes missing at its end
	entries    []entry  // about the packet, for the netchan object
}

// An entry is an expert entry that waits for its place in the tree.
type entry struct {
	severity dissect.Severity
	code     string
	text     string
}

func newConversation(opts dissect.Options) *conversation {
	c := &conversation{opts: opts, session: -1, rewriter: newRewriter(opts.Rewriting)}
	if opts.Events {
		c.observers = append(c.observers, events.New(opts))
	}
	if opts.Files {
		c.observers = append(c.observers, files.New())
	}
	if opts.Demos != nil {
		c.observers = append(c.observers, newDemoReader(*opts.Demos))
	}
	return c
}

// Shrink drops what only snapshots need. Challenge, feeds and commands stay: they are keys. A stream of
// queries has none.
func (c *conversation) Shrink() bool {
	c.oob = nil
	if c.play == nil {
		return c.offered.known || c.parked
	}
	c.reportKey()
	if c.recovery != nil {
		c.recovery.session.Idle()
	}
	c.leaveWorld()
	for i := range c.sides {
		c.sides[i].fragments = reassembly.Messages{}
	}
	c.body, c.text, c.joined = nil, nil, nil
	for _, o := range c.observers {
		o.Idle()
	}
	return true
}

// enterWorld gives the conversation an empty world, if it has none.
func (c *conversation) enterWorld() {
	if c.world != nil {
		return
	}
	if c.worlds == nil {
		c.world = new(world.World)
	} else {
		c.world = c.worlds.Get().(*world.World)
	}
	c.snapshots.World = c.world
}

// leaveWorld takes the world away: whatever comes next knows nothing of it.
func (c *conversation) leaveWorld() {
	if c.world == nil {
		return
	}
	if c.worlds != nil {
		c.world.Reset()
		c.worlds.Put(c.world)
	}
	c.world, c.snapshots.World = nil, nil
}

// Dissect decodes one datagram.
func (c *conversation) Dissect(rec *dissect.Record) bool {
	if rec.Recorded() {
		c.dissectRecorded(rec)
		return true
	}
	if oob.HasMarker(rec.Payload) {
		c.dissectOOB(rec)
		return true
	}
	switch {
	case c.play != nil:
	case c.parked:
		c.resume()
	default:
		c.restart(false)
	}
	fromClient := rec.Direction == dissect.ClientToServer
	s := &c.sides[sideIndex(fromClient)]
	if s.held.rec != rec {
		c.beginUnanswered(rec.Payload)
		c.learnEncoding(rec.Payload, fromClient, sessionHint(rec.Hint))
		if !c.ident.set && c.opts.KeyFound != nil && c.encoding != encodingUnknown {
			c.ident.key, c.ident.set = c.identify(rec), true
			c.ident.key.First = rec.Frame
		}
		if !c.receive(rec, s, fromClient) {
			if !c.opts.KeysOnly {
				c.showPacket(rec, &s.held)
				c.rewriter.fragment(rec, &s.held.header)
			}
			return true
		}
		if c.opts.KeysOnly {
			c.collect(rec, &s.held)
			return true
		}
		s.held.rec = rec
	}
	if !rec.Final && c.mustWait(&s.held) {
		s.held.body = append([]byte(nil), s.held.body...) // it belongs to the packet or the assembler
		s.held.frames = append([]uint64(nil), s.held.frames...)
		return false
	}
	s.held.rec = nil
	c.dissectMessage(rec, &s.held)
	return true
}

func sideIndex(fromClient bool) int {
	if fromClient {
		return 1
	}
	return 0
}

// dissectOOB decodes an out-of-band packet and learns from it.
func (c *conversation) dissectOOB(rec *dissect.Record) {
	if c.oobs != nil {
		c.oob = c.oobs.Get().(*oob.Packet)
	} else if c.oob == nil {
		c.oob = &oob.Packet{}
	}
	c.oob.Parse(rec.Payload)
	c.passwords.Follow(c.oob)
	c.handshake(c.oob)
	for _, o := range c.observers {
		s := c.observed()
		o.OutOfBand(&s, c.oob, rec)
	}
	tree := rec.Decoding()
	c.open(tree, rec)
	c.oob.Dissect(tree, rec)
	c.rewriter.outOfBand(rec, c.oob)
	c.close(tree)
	if c.oobs != nil {
		c.oobs.Put(c.oob)
		c.oob = nil
	}
	c.park()
}

// park gives back what only a session that is played needs, until it is: servers see far more handshakes than
// players. Nothing was learnt that a handshake does not leave in the conversation itself.
func (c *conversation) park() {
	if c.play != nil && c.sides[0].packets+c.sides[1].packets == 0 && c.world == nil {
		c.play, c.parked = nil, true
	}
}

// resume makes again what park gave back: the state that begin leaves.
func (c *conversation) resume() {
	c.play, c.parked = &play{}, false
	c.snapshots = world.Reader{ShowState: c.opts.State, Family: &c.family}
	c.server.reset()
	c.client.reset()
	c.recent.reset()
	c.beginCounting()
	c.setVersion(c.version)
}

// open begins the record's object with what holds for the session.
func (c *conversation) open(tree *dissect.Tree, rec *dissect.Record) {
	tree.Open(&rootField, 0)
	if c.version != 0 {
		tree.Add(&versionField, uint64(c.version), 0, 0)
	}
	if c.encoding != encodingUnknown {
		tree.AddLabel(&encodingField, c.encoding.String(), 0, 0)
	}
	if c.session >= 0 {
		tree.AddInt(&sessionField, int64(c.session), 0, 0)
	}
	tellGivenUp(rec)
}

func (c *conversation) close(tree *dissect.Tree) {
	tree.CloseAll(0)
	if tree != nil {
		tree.Family = c.family
	}
}

// receive takes a sequenced packet through the netchan into s.held. It reports whether that is a
// complete message; otherwise only the header is to be shown.
func (c *conversation) receive(rec *dissect.Record, s *side, fromClient bool) bool {
	m := &s.held
	*m = message{fromClient: fromClient, entries: m.entries[:0]}
	s.packets++
	if !m.header.parse(rec.Payload, fromClient, c.encoding) {
		code, severity := expertTruncated, dissect.Fault
		if rec.Truncated() {
			code, severity = oob.ExpertTruncatedByCapture, dissect.Warning
		}
		m.addEntry(severity, code, "packet of %d bytes ends within its netchan header", len(rec.Payload))
		return false
	}
	if c.encoding == encodingUnknown {
		m.addEntry(dissect.Note, expertKeyUnknown, "the session's handshake is not in the capture, and too little of it to tell how it is encoded")
		return false
	}
	m.checksumOK = m.header.hasChecksum && (m.header.checksum == checksum(c.challenge, m.header.sequence) || c.confirmChallenge(&m.header))
	if m.header.hasChecksum && !m.checksumOK {
		m.addEntry(dissect.Warning, expertChecksum, "the checksum does not fit the challenge %d: a receiver drops the packet", c.challenge)
	}
	m.body = rec.Payload[m.header.length:]
	if rec.Truncated() {
		m.cut = rec.Length - len(rec.Payload)
	}
	if m.header.hasChecksum && !m.checksumOK {
		return !m.header.fragmented
	}
	if m.header.fragmented {
		if !c.assemble(rec, s, m) {
			return false
		}
	} else {
		m.addLost(s.fragments.Advance(m.header.sequence))
	}
	m.arrival = s.arrivals.arrive(m.header.sequence)
	return true
}

// assemble adds a fragment to its message and reports whether that is complete now.
func (c *conversation) assemble(rec *dissect.Record, s *side, m *message) bool {
	h := &m.header
	r, err := s.fragments.Add(reassembly.Fragment{
		Sequence: h.sequence, Start: h.start, Length: h.size, Data: m.body, Frame: rec.Frame, Truncated: rec.Truncated(),
	})
	if err != nil {
		m.addEntry(dissect.Fault, expertFragmentBad, "%v", err)
		return false
	}
	m.addLost(r.Abandoned)
	m.arrival.duplicate = r.Duplicate
	if r.Conflict {
		m.addEntry(dissect.Warning, expertFragmentChanged, "the fragment differs from one of the same place that came before, which counts")
	}
	if r.Message == nil {
		if rec.Truncated() {
			m.addEntry(dissect.Warning, oob.ExpertTruncatedByCapture, "the capture has %d of the fragment's %d bytes", len(m.body), h.size)
		}
		return false
	}
	if r.ReceiverDropped {
		m.addEntry(dissect.Warning, expertFragmentOrder, "fragments came out of order: a receiver that saw them like this dropped the message")
	}
	if r.Length > maxMessage {
		m.addEntry(dissect.Note, expertOversize, "message of %d bytes, the original engine takes at most %d", r.Length, maxMessage)
	}
	m.body, m.frames, m.cut = r.Message, r.Frames, 0
	if r.Truncated {
		m.cut = r.Length - len(r.Message)
	}
	return true
}

// dissectMessage decodes a complete message and takes over what it says.
func (c *conversation) dissectMessage(rec *dissect.Record, m *message) {
	tree := rec.Decoding()
	known, recovered := c.decipherMessage(m, 0), false
	if !known && c.encoding == legacy && !c.challengeKnown {
		c.startRecovery(rec)
		known = c.recovered(m, rec)
		recovered = known
	}
	c.open(tree, rec)
	if recovered {
		tree.AddLabel(&keyField, string(c.recovery.origin), 0, 0)
	}
	c.showNetchan(tree, rec, m)
	ours := c.encoding != native || m.checksumOK
	keep := ours && !m.arrival.duplicate && !m.arrival.late
	c.cut = m.cut
	start, entries, damaged := tree.Mark(), len(rec.Experts), rec.Damaged // with those about the packet itself
	err := c.read(rec, tree, m, keep && known)
	used := int32(0)
	for skip := int32(1); err != nil && known && skip <= c.alternatives(m); skip++ {
		if c.decipherMessage(m, skip) {
			used = skip
			tree.Rollback(start)
			rec.Experts, rec.Damaged = rec.Experts[:entries], damaged
			err = c.read(rec, tree, m, keep)
		}
	}
	c.rewrite(rec, m, used, known && ours && err == nil && !recovered)
	c.report(rec, m, err, known)
	if recovered {
		c.noteRecovered(rec)
	}
	if known && ours && (err == nil || m.cut > 0) {
		c.commit(m.fromClient)
	}
	if len(c.observers) > 0 {
		c.showObservers(rec, m, err, known)
	}
	if known {
		rec.Message = c.body
	}
	rec.MessageDone = true
	c.close(tree)
}

// read decodes the message in c.body.
func (c *conversation) read(rec *dissect.Record, tree *dissect.Tree, m *message, keep bool) *dissect.Error {
	c.enterWorld()
	c.log.Reset()
	c.dec.Reset(protocolName, c.body[:c.clear], c.snapshots.Generation.Coding, tree)
	if c.clear < len(c.body) {
		c.dec.Within(c.body)
	}
	if m.fromClient {
		c.readClientMessage(&c.dec, keep, rec)
	} else {
		c.readServerMessage(&c.dec, int32(m.header.sequence), keep, rec)
	}
	return c.dec.Err()
}

// commit stores the reliable commands of the message that was read.
func (c *conversation) commit(fromClient bool) {
	window := &c.server
	if fromClient {
		window = &c.client
	}
	for i := range c.log.Changes {
		if s := &c.log.Changes[i]; s.Kind == observe.Command {
			window.put(s.Number, c.log.Text(s))
		}
	}
}

// report says what stopped the decoding.
func (c *conversation) report(rec *dissect.Record, m *message, err *dissect.Error, known bool) {
	switch {
	case err == nil:
	case !known:
		err.Err = errors.New(c.missingKey(m))
		rec.ExpertError(dissect.Warning, expertKeyUnknown, err)
	case m.cut > 0 && errors.Is(err, dissect.ErrTruncated):
		rec.ExpertError(dissect.Warning, oob.ExpertTruncatedByCapture, err)
	case errors.Is(err, dissect.ErrTruncated):
		rec.ExpertError(dissect.Fault, expertTruncated, err)
	default:
		rec.ExpertError(dissect.Fault, oob.ExpertMalformed, err)
	}
}
