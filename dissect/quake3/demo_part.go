package quake3

import (
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

import (
	"fmt"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// A demoReader says which messages of a conversation belong into demos, and where those begin. A nil
// reader does nothing.
//
// It plays the client that records from the start. A demo begins with the gamestate as it was sent; live
// messages follow from the first snapshot on that is no delta, as CL_ParseSnapshot in code/client/cl_parse.c
// has it (demowaiting), and from then on all of them, each as it was sent. If commands went by before,
// or a part is cut out, the gamestate is put together from what is known instead, as by CL_Record_f in
// code/client/cl_main.c. What a client drops is left out: what comes twice or late, or with a wrong checksum.
//
// Like the eventReader it notes what a message does and takes it over when the message is known to be good.
type demoReader struct {
	wanted dissect.DemoRange
	phase  demoPhase
	ended  bool // a session ended, and its demo
	again  bool // the demo that is being written is superseded by the gamestate

	// The game, as a client knows it.
	strings         *[maxConfigstrings][]byte // nil before a gamestate
	commandSequence int32                     // number of the last command
	serverID        int32
	sent            sentGamestate

	// The demo that is being written.
	first  uint32 // sequence number of its first message behind the gamestate
	active bool   // the client is in the game

	// The message that is being read.
	staged    []stagedString
	values    []byte
	gamestate int // number of staged strings before the gamestate, -1: none
	ready     bool
	client    int32
	feed      int32
	sequence  int32 // of commands, in the gamestate
	snapshots int
	end       int // position behind the last snapshot

	writer huffcodec.Writer
	out    []byte
}

type demoPhase uint8

const (
	demoNoGame  demoPhase = iota // no gamestate was seen
	demoWaiting                  // for a snapshot that needs no other
	demoWriting
	demoPast // the part that is wanted
)

// A sentGamestate is the gamestate that the game began with.
type sentGamestate struct {
	sequence        uint32
	frame           uint64
	body            []byte
	commandSequence int32
	client, feed    int32
}

// A stagedString is a configstring that a message sets.
type stagedString struct {
	index, start, end int // of its value in values
}

func newDemoReader(opts dissect.Options) *demoReader {
	if opts.Demos == nil {
		return nil
	}
	return &demoReader{wanted: *opts.Demos, gamestate: -1}
}

// forget drops what was noted of a message that is being read again.
func (d *demoReader) forget() {
	if d != nil {
		d.staged, d.values = d.staged[:0], d.values[:0]
		d.gamestate, d.ready, d.snapshots = -1, false, 0
	}
}

// restart forgets the session.
func (d *demoReader) restart() {
	if d != nil {
		d.ended, d.phase = true, demoNoGame
		d.forget()
	}
}

// rest gives memory back, after a pause. Without the baselines, which are gone, a gamestate cannot be put
// together; one that was sent can still be the beginning.
func (d *demoReader) rest() {
	if d == nil {
		return
	}
	d.staged, d.values, d.out, d.writer = nil, nil, nil, huffcodec.Writer{}
	if d.phase != demoWaiting {
		d.strings, d.sent.body = nil, nil
	}
}

func (d *demoReader) noteConfigstring(index int, value []byte) {
	if d != nil {
		start := len(d.values)
		d.values = append(d.values, value...)
		d.staged = append(d.staged, stagedString{index, start, len(d.values)})
	}
}

// noteGamestate notes that a gamestate begins.
func (d *demoReader) noteGamestate() {
	if d != nil {
		d.gamestate, d.ready = len(d.staged), false
	}
}

// noteGame notes that a gamestate was read whole.
func (d *demoReader) noteGame(commandSequence, client, feed int32) {
	if d != nil {
		d.ready, d.sequence, d.client, d.feed = true, commandSequence, client, feed
	}
}

// noteSnapshot notes that a snapshot was read, up to a position.
func (d *demoReader) noteSnapshot(end int) {
	if d != nil {
		d.snapshots++
		d.end = end
	}
}

// tell says what the message that was just read adds to a demo.
func (d *demoReader) tell(c *conversation, rec *dissect.Record, m *message, err *dissect.Error, known bool) {
	if d == nil || m.fromClient {
		return
	}
	p := &rec.Demo
	*p = dissect.DemoPart{Message: true, Session: max(c.session, 0), Sequence: m.header.sequence, End: d.ended}
	d.ended = false
	if p.Left = leftOut(c, m, err, known); p.Left != "" {
		return
	}
	var snap *world.Snapshot
	if d.snapshots > 0 {
		if snap = c.world.Base(int32(m.header.sequence)); snap != nil && inGame(snap) {
			p.ServerTime, p.HasTime = snap.ServerTime, true
		}
	}
	begins, through := d.ready, false
	if begins {
		through = d.begin(c, rec, m)
	}
	switch {
	case through:
		d.write(p, m.header.sequence, c.body)
	case begins && snap == nil && d.phase == demoWaiting: // it is written when the demo begins
	case d.phase == demoNoGame:
		p.Left = dissect.DemoNoGame
	case d.phase == demoPast || snap == nil && d.phase == demoWaiting:
		p.Left = d.silent()
	case d.phase == demoWriting && (snap == nil || !d.beyond(snap)):
		d.goOn(c, m, p, snap)
	default:
		d.consider(c, m, p, snap)
	}
	d.takeOver(c)
	if d.phase == demoWriting && p.Left == "" {
		d.active = d.active || p.HasTime
		for i := range m.notes {
			p.Reordered = p.Reordered || m.notes[i].code == expertFragmentOrder
		}
	}
}

// leftOut says why a client does not take a message, or why it cannot be given to one.
func leftOut(c *conversation, m *message, err *dissect.Error, known bool) dissect.DemoLeft {
	switch {
	case c.encoding == native && !m.checksumOK:
		return dissect.DemoChecksum
	case m.arrival.duplicate:
		return dissect.DemoDuplicate
	case m.arrival.late:
		return dissect.DemoLate
	case !known:
		return dissect.DemoNoKey
	case m.cut > 0:
		return dissect.DemoCut
	case err != nil:
		return dissect.DemoDamaged
	}
	return ""
}

// begin takes over a gamestate. It reports whether that is to be written into the demo that goes on: the
// server repeated it to a client that is in the game.
func (d *demoReader) begin(c *conversation, rec *dissect.Record, m *message) (through bool) {
	same := d.phase != demoNoGame && d.serverID != 0 && d.serverID == c.serverID
	if d.phase == demoWriting && same && d.active {
		return true
	}
	if d.phase != demoPast || !same {
		d.again = (d.phase == demoWriting || d.again) && same
		rec.Demo.End = rec.Demo.End || !same
		d.phase = demoWaiting
	}
	d.sent.frame = rec.Frame
	d.sent.sequence, d.sent.body = m.header.sequence, append(d.sent.body[:0], c.body...)
	d.sent.commandSequence, d.sent.client, d.sent.feed = d.sequence, d.client, d.feed
	d.takeOver(c)
	return false
}

// takeOver makes what the message says part of what is known.
func (d *demoReader) takeOver(c *conversation) {
	if d.ready {
		d.strings, d.commandSequence = new([maxConfigstrings][]byte), d.sequence
	}
	for i, s := range d.staged {
		if d.strings == nil || i < d.gamestate {
			continue // nobody asks, or the gamestate takes its place
		}
		d.strings[s.index] = append(d.strings[s.index][:0:0], d.values[s.start:s.end]...)
	}
	for _, s := range c.reader.staged {
		d.commandSequence = max(d.commandSequence, s.number)
	}
	d.serverID = c.serverID
	d.staged, d.values, d.gamestate, d.ready = d.staged[:0], d.values[:0], -1, false
}

// silent says why a message without a snapshot is left out, or one when the part is past.
func (d *demoReader) silent() dissect.DemoLeft {
	if d.phase == demoPast || d.wanted.HasFrom {
		return dissect.DemoOutside
	}
	return dissect.DemoNoSnapshot
}

// inGame reports whether a snapshot shows the game to a client that is in it. Before, the server sends
// snapshots of whatever its clock says, the one of the map before among it.
func inGame(s *world.Snapshot) bool { return s.Flags&world.SnapNotActive == 0 }

// beyond reports whether a snapshot is behind the part that is wanted.
func (d *demoReader) beyond(s *world.Snapshot) bool {
	return d.wanted.HasTo && inGame(s) && s.ServerTime > d.wanted.To
}

// goOn writes another message into a demo.
func (d *demoReader) goOn(c *conversation, m *message, p *dissect.DemoPart, snap *world.Snapshot) {
	body := c.body
	if snap != nil && d.wanted.HasFrom && !d.holdsBase(c, m) {
		if full := d.recode(c, snap); full != nil {
			body, p.Recoded = full, true
		}
	}
	d.write(p, m.header.sequence, body)
}

func (d *demoReader) write(p *dissect.DemoPart, sequence uint32, body []byte) {
	d.out = appendDemoRecord(d.out[:0], sequence, body)
	p.Data, p.Messages = d.out, 1
}

// holdsBase reports whether the demo holds what the snapshot just read is a delta of.
func (d *demoReader) holdsBase(c *conversation, m *message) bool {
	delta := c.snapshots.Delta
	return delta == 0 || int32(m.header.sequence)-delta >= int32(d.first)
}

// recode gives the message just read with a full snapshot, or nil if too little is known or it would be too
// long.
func (d *demoReader) recode(c *conversation, snap *world.Snapshot) []byte {
	f := fullSnapshot{
		message: c.body, deltaAt: c.snapshots.DeltaAt, playerAt: c.snapshots.PlayerAt, end: d.end, stop: c.dec.Pos(), snapshot: snap,
	}
	if d.snapshots != 1 || !f.complete(c.snapshots.Generation, c.world) {
		return nil
	}
	if body := writeFull(&d.writer, c.snapshots.Generation, &f, c.world); len(body) <= maxMessage {
		return body
	}
	return nil
}

// consider looks whether a demo begins with the message that was just read, or one ends before it.
func (d *demoReader) consider(c *conversation, m *message, p *dissect.DemoPart, snap *world.Snapshot) {
	switch {
	case d.beyond(snap):
		p.End = p.End || d.phase == demoWriting
		d.phase = demoPast
		p.Left = dissect.DemoOutside
		return
	case d.wanted.HasFrom && (!inGame(snap) || snap.ServerTime < d.wanted.From):
		p.Left = dissect.DemoOutside
		return
	}
	head := &dissect.DemoHead{Again: d.again}
	messages := 1
	d.out = d.out[:0]
	if d.sent.sequence != m.header.sequence {
		if head.Rebuilt = !d.unbroken(c); head.Rebuilt {
			gamestate := d.rebuild(c, m)
			if len(gamestate) == 0 || len(gamestate) > maxMessage {
				if p.Left = dissect.DemoTooLarge; len(gamestate) == 0 {
					p.Left = dissect.DemoNoGame
				}
				return
			}
			d.out = appendDemoRecord(d.out, m.header.sequence-1, gamestate)
		} else {
			d.out = appendDemoRecord(d.out, d.sent.sequence, d.sent.body)
			head.Frame = d.sent.frame
		}
		messages++
	}
	body := c.body
	if full := c.snapshots.Delta == 0; !full {
		body = nil
		if d.wanted.HasFrom {
			body = d.recode(c, snap)
		}
		if p.Recoded = true; body == nil {
			p.Recoded, p.Left = false, dissect.DemoNoSnapshot
			return
		}
	}
	d.out = appendDemoRecord(d.out, m.header.sequence, body)
	d.describe(c, head)
	p.Begin, p.Data, p.Messages = head, d.out, messages
	d.phase, d.first, d.active, d.again = demoWriting, m.header.sequence, false, false
}

// unbroken reports whether a client that knows the gamestate as it was sent, and then the message just
// read, misses no command.
func (d *demoReader) unbroken(c *conversation) bool {
	if d.commandSequence == d.sent.commandSequence {
		return true
	}
	for _, s := range c.reader.staged {
		if s.number <= d.sent.commandSequence+1 {
			return true
		}
	}
	return false
}

// rebuild puts a gamestate together from what is known before the message just read, or nil: after a long
// pause not everything is.
func (d *demoReader) rebuild(c *conversation, m *message) []byte {
	if !c.world.BaselinesKnown {
		return nil
	}
	gen := c.snapshots.Generation
	g := demoGamestate{
		commandSequence: d.commandSequence, clientNum: d.sent.client, feed: d.sent.feed, strings: d.strings,
	}
	if !gen.NoAcknowledge {
		r := huffcodec.NewReader(c.body, gen.Coding)
		g.acknowledge = int32(r.Bits(32))
	}
	if c.client.known {
		g.acknowledge = max(g.acknowledge, c.client.newest)
	}
	return writeGamestate(&d.writer, gen, &g, c.world)
}

// describe says what the demo is that begins.
func (d *demoReader) describe(c *conversation, head *dissect.DemoHead) {
	head.Protocol = c.version
	if c.version == 0 {
		head.Protocol = lastLegacy
		if c.encoding == native {
			head.Protocol = nativeVersion
		}
	}
	head.Extension = fmt.Sprintf("dm_%d", head.Protocol)
	if head.Protocol == 43 {
		head.Extension = "dm3"
	}
	head.Map = string(dissect.InfoValue(d.strings[csServerinfo], "mapname"))
	head.Client = int(d.sent.client)
	if at := tables.PlayersAt[c.family]; at >= 0 && head.Client >= 0 && head.Client < tables.MaxPlayers && at+head.Client < maxConfigstrings {
		head.Player = append([]byte(nil), dissect.InfoValue(d.strings[at+head.Client], "n")...)
	}
}

// nativeVersion is the protocol of sessions with a checksum whose number is not known: PROTOCOL_VERSION in
// code/qcommon/qcommon.h.
const nativeVersion = 71
