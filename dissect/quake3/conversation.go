package quake3

import (
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/keys"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/attacks"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/demos"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/files"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/gamespy"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/gate"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/inputs"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/operation"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/router"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/shots"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/sights"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
	"github.com/q3dissect/q3dissect/reassembly"
)

// Codes of expert entries, docs/expert.md.
const (
	expertTruncated       = "truncated"
	expertKeyUnknown      = operation.ExpertKeyUnknown
	expertBaseMissing     = "base_missing"
	expertOrder           = "order_impossible"
	expertFragmentLost    = "fragment_lost"
	expertFragmentOrder   = "fragment_out_of_order"
	expertFragmentBad     = "fragment_malformed"
	expertFragmentChanged = "fragment_conflict"
	expertOversize        = "message_oversize"
	expertChecksum        = "checksum_mismatch"
	expertForeignEngine   = oob.ExpertForeignEngine
)

// A conversation is one stream: a client of a server, in all its sessions.
type conversation struct {
	opts      dissect.Options
	worlds    *sync.Pool // nil: memory is not reused
	oobs      *sync.Pool // of *oob.Packet, the same
	oob       *oob.Packet
	rewriter  *rewriter      // nil unless it is wanted
	passwords *oob.Passwords // nil before the first rcon
	observers []observe.Observer
	finders   *finders // nil: no keys are recovered
	candidate candidate
	gate      gate.Gate

	agreement
	*play // nil before the first sequenced packet: most streams of a public server are a query or two
}

// A play is the state that a session has beyond its handshake.
type play struct {
	sides          [2]side  // by message.fromClient
	server, client commands // reliable commands of each
	feeds          feedTable
	serverID, feed int32 // of the newest gamestate
	clientServerID int32 // in the last client message
	gamename       []byte
	fsGame         []byte
	gameVersion    []byte
	order          order // of a recording

	world     *world.World  // nil before the first message, and while idle
	packed    *world.Packed // of a conversation at rest; otherwise nil
	snapshots world.Reader
	downloads operation.Download
	moves     operation.Moves

	// Memory that decoding one message uses.
	dec          decode.Decoder
	reader       commandReader
	found        []attacks.Found // of the message
	log          observe.Log     // effects of the message; they count when it is known to be good
	shown        observe.Message
	body         []byte
	clear        int // bytes of body that can be read
	endOp        int // position of an operation that ends the others, in bits; 0: none
	lastOp       int // position of the operation of a server that was begun last, in bits
	text, joined []byte
	unscrambled  []byte // the last packet of a scrambled session
	scrambler    netchan.Scrambler
	cut          int // bytes of the message that the capture does not have

	effects effects // of the message that is read
	endings endings

	dialects   *dialects   // nil unless it is not known which scrambled protocol the session has
	choice     *gameChoice // nil unless the session's game is not known
	recovery   *recovery   // nil unless keys are missing, and looked for
	sought     bool        // they were looked for
	deciphered int         // enciphered messages that were read without them
	greeted    bool        // the handshake was seen
	proven     bool        // messages have shown that the encoding and the challenge are right
	ident      struct {    // what identifies the session, from its first packet on
		set bool
		key keys.Key
	}
}

// A side is one direction of the conversation.
type side struct {
	fragments reassembly.Messages
	arrivals  netchan.Arrivals
	replays   replays // of a client
	packets   int     // sequenced packets of the session
	heard     int64   // time of the last one, Unix nanoseconds
	timed     bool    // heard is known
	cut       bool    // the capture lacks bytes of its packets
	reads     credit  // of messages that could be read
	acks      acks    // of those that could not
	held      message // the message that waits for a later packet; rec is nil if there is none
}

func newConversation(opts dissect.Options) *conversation {
	c := &conversation{opts: opts, agreement: agreement{session: -1}, rewriter: newRewriter(opts.Rewriting)}
	if opts.Shots || opts.Events && opts.ShotEvents {
		c.observers = append(c.observers, shots.New()) // events are made of them
	}
	if opts.Events {
		c.observers = append(c.observers, events.New(opts))
	}
	if opts.Inputs {
		c.observers = append(c.observers, inputs.New())
	}
	if opts.Scenes {
		c.observers = append(c.observers, sights.New())
	}
	if opts.Files {
		c.observers = append(c.observers, files.New())
	}
	if opts.Demos != nil {
		c.observers = append(c.observers, demos.New(*opts.Demos))
	}
	return c
}

// end reports what is unfinished when the input ends.
func (c *conversation) end(rec *dissect.Record) (unfinished bool) {
	for _, o := range c.observers {
		if e, ok := o.(interface{ End(*dissect.Record) bool }); ok && e.End(rec) {
			unfinished = true
		}
	}
	return unfinished
}

// Shrink frees what only snapshots need. Challenge, feeds and commands stay: they are keys. A stream of queries
// has none, and of a handshake without a session only the agreement is kept.
func (c *conversation) Shrink() (kept any) {
	c.oob = nil
	if c.play == nil {
		if !c.Offered.Known && !c.parked {
			return nil
		}
		if c.rewriter != nil || c.passwords != nil || len(c.observers) > 0 {
			return c
		}
		if kept := c.agreement.compact(); kept.agreement() == c.agreement {
			return &kept
		}
		a := c.agreement
		return &a
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
	return c
}

// enterWorld creates an empty world for the conversation if it has none.
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

// leaveWorld removes the world: later messages have no context.
func (c *conversation) leaveWorld() {
	if c.packed = nil; c.world == nil {
		return
	}
	if c.worlds != nil && c.world.Small() {
		c.world.Reset()
		c.worlds.Put(c.world)
	}
	c.world, c.snapshots.World = nil, nil
}

// Dissect decodes one datagram.
func (c *conversation) Dissect(rec *dissect.Record) bool {
	c.wake()
	if rec.Recorded() {
		c.dissectRecorded(rec)
		return true
	}
	if oob.HasMarker(rec.Payload) {
		c.dissectOOB(rec)
		return true
	}
	if _, ok := gamespy.Direction(rec.Payload); ok && c.play == nil {
		c.dissectGameSpy(rec)
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
	s := &c.sides[netchan.SideIndex(fromClient)]
	if s.held.rec != rec {
		why := c.sender(rec.Payload, fromClient)
		if why == "" {
			c.distrust(rec.Payload, router.Hint(rec.Hint))
			c.beginUnanswered(rec.Payload, fromClient)
			c.learnEncoding(rec.Payload, fromClient, router.Hint(rec.Hint))
		}
		if c.skip(rec, s) {
			return true
		}
		if !c.ident.set && c.opts.KeyFound != nil && c.encoding != netchan.Unknown &&
			c.encoding != netchan.Scrambled { // which has no key
			c.ident.key, c.ident.set = c.identify(rec), true
			c.ident.key.First = rec.Frame
		}
		if !c.receive(rec, s, fromClient, why) {
			if !c.opts.KeysOnly {
				c.showPacket(rec, &s.held)
				c.rewriter.fragment(c, rec, &s.held.header)
			}
			return true
		}
		if c.opts.KeysOnly && c.collect(rec, &s.held) || c.skipForeign(rec, &s.held) {
			return true
		}
		s.held.rec = rec
	}
	if s.held.refusal == "" &&
		(!rec.Final && c.mustWait(&s.held) || (c.chooseGame(&s.held) || c.chooseScrambled(&s.held)) && !rec.Final) {
		s.held.body = append([]byte(nil), s.held.body...) // it belongs to the packet or the assembler
		s.held.frames = append([]uint64(nil), s.held.frames...)
		return false
	}
	s.held.rec = nil
	c.dissectMessage(rec, &s.held)
	return true
}

// dissectGameSpy decodes a query of GameSpy's server browsers, or an answer.
func (c *conversation) dissectGameSpy(rec *dissect.Record) {
	tree := rec.Decoding()
	c.open(tree, rec)
	gamespy.Dissect(tree, rec.Payload)
	if rec.Truncated() {
		rec.Expert(dissect.Warning, oob.ExpertTruncatedByCapture, nil, 8*len(rec.Payload),
			"the capture holds %d of %d bytes", len(rec.Payload), rec.Length)
	}
	c.close(tree)
}

// dissectOOB decodes an out-of-band packet and updates the session.
func (c *conversation) dissectOOB(rec *dissect.Record) {
	if c.oobs != nil {
		c.oob = c.oobs.Get().(*oob.Packet)
	} else if c.oob == nil {
		c.oob = &oob.Packet{}
	}
	c.oob.Parse(rec.Payload)
	if c.oob.Kind == oob.Rcon && c.passwords == nil {
		c.passwords = new(oob.Passwords)
	}
	if c.passwords != nil {
		c.passwords.Follow(c.oob)
	}
	why := c.admit(rec)
	if why == "" {
		c.handshake(c.oob)
		for _, o := range c.observers {
			s := c.observed()
			o.OutOfBand(&s, c.oob, rec)
		}
	}
	tree := rec.Decoding()
	c.open(tree, rec)
	c.oob.Dissect(tree, rec)
	refuse(rec, why)
	c.addFloods(rec)
	c.rewriter.outOfBand(rec, c.oob)
	c.close(tree)
	if c.oobs != nil {
		c.oobs.Put(c.oob)
		c.oob = nil
	}
	c.park()
}

// park frees what only a played session needs, until its first message: servers see far more handshakes than
// players. Everything that a handshake determines is in the conversation itself.
func (c *conversation) park() {
	if c.play != nil && c.sides[0].packets+c.sides[1].packets == 0 && c.world == nil {
		c.play, c.parked = nil, true
	}
}

// resume restores what park freed: the state that begin leaves.
func (c *conversation) resume() {
	c.play, c.parked = &play{greeted: true}, false
	c.snapshots = world.Reader{ShowState: c.opts.State, Family: &c.family}
	c.server.reset()
	c.client.reset()
	c.moves.Reset()
	for i := range c.sides {
		c.sides[i].reads = newCredit
	}
	c.beginCounting()
	c.setVersion(c.version)
}

// open begins the record's object with the values that hold for the whole session.
func (c *conversation) open(tree *dissect.Tree, rec *dissect.Record) {
	tree.Open(&rootField, 0)
	if c.version != 0 {
		tree.Add(&versionField, uint64(c.version), 0, 0)
	}
	if game := c.game(); game != "" {
		tree.AddLabel(&gameField, game, 0, 0)
	}
	if c.encoding != netchan.Unknown && c.encoding != netchan.Unread {
		tree.AddLabel(&encodingField, c.encoding.String(), 0, 0)
	}
	if c.session >= 0 {
		tree.AddInt(&sessionField, int64(c.session), 0, 0)
	}
	reportGivenUp(rec)
}

// game returns the name of the session's game, as far as the protocol determines it.
func (c *conversation) game() string {
	if c.play != nil {
		return c.snapshots.Generation.Label()
	}
	return c.generationOf(c.version).Label()
}

func (c *conversation) close(tree *dissect.Tree) {
	tree.CloseAll(0)
	if tree != nil {
		tree.Family = c.family
	}
}

// reportGivenUp adds the note that the stream is not decoded further, and why.
func reportGivenUp(rec *dissect.Record) {
	engine, ok := router.Hint(rec.Hint).GivenUp()
	switch {
	case !ok:
	case engine == oob.NoEngine:
		rec.Expert(dissect.Note, expertForeignEngine, nil, 0,
			"the packets between these endpoints are not of this engine's netchan: what follows is left alone")
	default:
		rec.Expert(dissect.Note, expertForeignEngine, nil, 0,
			"looks like %v: what follows between these endpoints is left alone", engine)
	}
}
