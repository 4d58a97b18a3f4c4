// Package demos selects the messages of a conversation that make a demo, and rewrites the messages that a demo
// cannot contain as the server sent them.
package demos

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/speech"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// A Reader decides which messages of a conversation belong to demos, and where demos begin.
//
// It acts like a client that records from the start. A demo begins with the gamestate as it was sent; live
// messages follow from the first full snapshot on (demowaiting, CL_ParseSnapshot in code/client/cl_parse.c),
// and from then on all of them, as they were sent. If commands came before that snapshot, or a part is cut out,
// the gamestate is rebuilt from the known state, like CL_Record_f in code/client/cl_main.c does. Messages that
// a client drops are left out: repeated or late ones, and those with a wrong checksum.
type Reader struct {
	wanted extract.DemoRange
	parts  []extract.DemoPart // of the stream, those that are not over; with DemoRange.Parts
	within bool               // the message that was read last is in the first of them
	phase  phase
	ended  bool // a session has ended, and its demo with it
	again  bool // the gamestate supersedes the demo that is being written

	// The game, as a client knows it.
	strings         *[tables.MaxConfigstrings][]byte // nil before a gamestate
	commandSequence int32                            // number of the last command
	serverID        int32
	sent            sentGamestate
	midgame         bool  // the session began before the input
	clientAck       int32 // number of the server's command that the client acknowledged last

	// The demo that is being written.
	first  uint32 // sequence number of its first message after the gamestate
	active bool   // the client is in the game

	// The message that was read last.
	m         *observe.Message
	gamestate *observe.Change // its last gamestate, if that is complete
	taken     bool            // takeOver was called

	snapshots int // in the message
	end       int // position after the last of them

	writer huffcodec.Writer
	out    []byte
}

type phase uint8

const (
	noGame  phase = iota // no gamestate was seen
	waiting              // for a full snapshot
	writing
	past // after the wanted part
)

// A sentGamestate is the gamestate at the beginning of the game.
type sentGamestate struct {
	sequence        uint32
	frame           uint64
	body            []byte
	commandSequence int32
	client, feed    int32
}

// New returns a Reader of demos, or of a range of each.
func New(part extract.DemoRange) *Reader {
	if part.Parts != nil { // they are cut out like a range
		part.From, part.HasFrom, part.HasTo = math.MinInt32, true, false
	}
	return &Reader{wanted: part}
}

// Restart forgets the session.
func (d *Reader) Restart(greeted bool) {
	d.ended, d.phase, d.midgame = true, noGame, !greeted
	d.strings, d.commandSequence, d.clientAck = nil, 0, 0
}

// Idle frees memory. Without the baselines, which are freed, a gamestate cannot be rebuilt; one that was sent
// can still be the beginning.
func (d *Reader) Idle() {
	d.out, d.writer = nil, huffcodec.Writer{}
	if d.phase != waiting {
		d.strings, d.sent.body = nil, nil
	}
}

// OutOfBand ignores out-of-band packets.
func (d *Reader) OutOfBand(*observe.Session, *oob.Packet, *dissect.Record) {}

// Message decides what a message adds to a demo.
func (d *Reader) Message(m *observe.Message, rec *dissect.Record) {
	if m.FromClient {
		d.readAcknowledged(m)
		return
	}
	p := &rec.Demo
	*p = extract.Demo{Message: true, Session: max(m.Number, 0), Sequence: m.Sequence, Left: m.Left}
	if m.Refused {
		p.Left = cmp.Or(p.Left, extract.DemoDamaged)
		return
	}
	p.End, d.ended = d.ended, false
	if p.Left != "" {
		return
	}
	if d.wanted.Parts != nil {
		p.End = d.findPart(rec) || p.End
	}
	d.m, d.taken = m, false
	snap := d.findChanges()
	if snap != nil && inGame(snap) && !snap.Untimed {
		p.ServerTime, p.HasTime = snap.Time(), true
	}
	begins, repeated := d.gamestate != nil, false
	if begins {
		repeated = d.takeGamestate(rec)
	}
	switch {
	case repeated:
		d.write(p, d.body())
	case begins && snap == nil && d.phase == waiting: // it is written when the demo begins
	case d.phase == noGame && d.midgame && snap != nil && m.Reader.Delta == 0 && inGame(snap) && !d.wanted.HasFrom &&
		!d.isAfterWanted(snap):
		d.beginOfPieces(p, snap)
	case d.phase == noGame && d.midgame:
		p.Left = extract.DemoNoSnapshot
	case d.phase == noGame:
		p.Left = extract.DemoNoGame
	case d.phase == past || snap == nil && d.phase == waiting:
		p.Left = d.reasonWithoutSnapshot()
	case d.phase == writing && (snap == nil || !d.isAfterWanted(snap)):
		d.continueDemo(p, snap)
	default:
		d.beginOrEnd(p, snap)
	}
	d.takeOver()
	if d.phase == writing && p.Left == "" {
		d.active = d.active || p.HasTime
		p.Reordered = m.Reordered
	}
}

// findChanges finds the message's gamestate and returns its snapshot, or nil.
func (d *Reader) findChanges() *world.Snapshot {
	d.gamestate, d.snapshots = nil, 0
	for i := range d.m.Changes {
		switch c := &d.m.Changes[i]; c.Kind {
		case observe.GamestateHead:
			d.gamestate = nil
		case observe.Gamestate:
			d.gamestate = c
		case observe.Snapshot:
			d.snapshots++
			d.end = c.End
		}
	}
	if d.snapshots == 0 {
		return nil
	}
	return d.m.World.Base(int32(d.m.Sequence))
}

// takeGamestate stores a gamestate. It reports whether the gamestate belongs into the demo that is being
// written: the server repeated it to a client that is in the game.
func (d *Reader) takeGamestate(rec *dissect.Record) (repeated bool) {
	m := d.m
	same := d.phase != noGame && d.serverID != 0 && d.serverID == m.ServerID
	if d.phase == writing && same && d.active {
		return true
	}
	if d.phase != past || !same {
		d.again = (d.phase == writing || d.again) && same
		rec.Demo.End = rec.Demo.End || !same
		d.phase = waiting
	}
	d.sent = sentGamestate{
		frame: rec.Frame, sequence: m.Sequence, body: append(d.sent.body[:0], d.body()...),
		commandSequence: d.gamestate.Number, client: d.gamestate.Client, feed: d.gamestate.Feed,
	}
	d.takeOver()
	return false
}

// takeOver applies the message to the known state.
func (d *Reader) takeOver() {
	if d.taken {
		return
	}
	d.taken = true
	if d.gamestate != nil {
		d.strings, d.commandSequence = new([tables.MaxConfigstrings][]byte), d.gamestate.Number
	}
	head := -1 // the state before a gamestate is void
	for i := range d.m.Changes {
		if d.m.Changes[i].Kind == observe.GamestateHead {
			head = i
		}
	}
	for i := range d.m.Changes {
		switch c := &d.m.Changes[i]; c.Kind {
		case observe.Configstring:
			if d.strings == nil && d.midgame {
				d.strings = new([tables.MaxConfigstrings][]byte)
			}
			if d.strings != nil && i > head {
				d.strings[c.Index] = append(d.strings[c.Index][:0:0], d.m.Text(c)...)
			}
		case observe.Command:
			d.commandSequence = max(d.commandSequence, c.Number)
		}
	}
	d.serverID = d.m.ServerID
}

// reasonWithoutSnapshot returns the reason why a message without a snapshot is left out, or one after the part.
func (d *Reader) reasonWithoutSnapshot() extract.DemoLeft {
	if d.phase == past || d.wanted.HasFrom {
		return extract.DemoOutside
	}
	return extract.DemoNoSnapshot
}

// inGame reports whether a snapshot was sent to a client that is in the game. Before that, the server sends
// snapshots of any state, even of the previous map.
func inGame(s *world.Snapshot) bool { return s.Flags&world.SnapNotActive == 0 }

// continueDemo adds another message to a demo.
func (d *Reader) continueDemo(p *extract.Demo, snap *world.Snapshot) {
	body := d.m.Body
	if snap != nil && d.wanted.HasFrom && !d.holdsBase() {
		if full := d.Recode(d.m, snap); full != nil {
			body, p.Recoded = full, true
		}
	}
	d.write(p, body)
}

// body returns the message as demos have it: without the checksum feed of a gamestate, in protocols whose demos lack
// it.
func (d *Reader) body() []byte {
	gen := d.m.Reader.Generation
	if d.gamestate == nil || !gen.Scrambled || d.m.Recorded {
		return d.m.Body
	}
	d.writer.Reset(gen.Coding)
	d.writer.Copy(d.m.Body, 0, d.gamestate.End-feedBits)
	d.writer.Align()
	d.writer.Copy(d.m.Body, d.gamestate.End, d.m.End)
	d.writer.Align()
	return slices.Clone(d.writer.Data()[:d.writer.Pos()>>3])
}

// feedBits is the size of a checksum feed.
const feedBits = 32

func (d *Reader) write(p *extract.Demo, body []byte) {
	d.out = AppendRecord(d.out[:0], d.m.Sequence, body)
	p.Data, p.Messages = d.out, 1
}

// holdsBase reports whether the demo contains the base of the last snapshot.
func (d *Reader) holdsBase() bool {
	delta := d.m.Reader.Delta
	return delta == 0 || int32(d.m.Sequence)-delta >= int32(d.first)
}

// Recode returns a message with its snapshot coded in full, or nil if too little is known or the message would
// be too long.
func (d *Reader) Recode(m *observe.Message, snap *world.Snapshot) []byte {
	f := fullSnapshot{
		message: m.Body, deltaAt: m.Reader.DeltaAt, playerAt: m.Reader.PlayerAt, end: d.end, stop: m.End, snapshot: snap,
	}
	if d.snapshots != 1 || !f.complete(m.Reader.Generation, m.World) {
		return nil
	}
	if body := writeFull(&d.writer, m.Reader.Generation, &f, m.World); len(body) <= m.Reader.Generation.MaxMessage {
		return body
	}
	return nil
}

// begin begins a demo with the last message, after a gamestate.
func (d *Reader) begin(p *extract.Demo, snap *world.Snapshot) {
	head := &extract.DemoHead{Again: d.again}
	if d.within {
		head.Part = &d.parts[0]
	}
	messages := 1
	d.out = d.out[:0]
	if d.sent.sequence != d.m.Sequence {
		if p.Left = d.appendGamestate(head); p.Left != "" {
			return
		}
		messages++
	}
	body := d.body()
	if full := d.m.Reader.Delta == 0; !full {
		body = nil
		if d.wanted.HasFrom {
			body = d.Recode(d.m, snap)
		}
		if body == nil {
			p.Left = extract.DemoNoSnapshot
			return
		}
		p.Recoded = true
	}
	d.out = AppendRecord(d.out, d.m.Sequence, body)
	d.describe(head)
	p.Begin, p.Data, p.Messages = head, d.out, messages
	d.phase, d.first, d.active, d.again = writing, d.m.Sequence, false, false
}

// appendGamestate appends the gamestate before the last message: as it was sent, or rebuilt if the client got commands
// since that the demo lacks. It returns why that is not possible, or "".
func (d *Reader) appendGamestate(head *extract.DemoHead) extract.DemoLeft {
	if d.unbroken() {
		d.out = AppendRecord(d.out, d.sent.sequence, d.sent.body)
		head.Frame = d.sent.frame
		return ""
	}
	gamestate := d.rebuild()
	switch size := len(gamestate); {
	case size == 0:
		return extract.DemoNoGame
	case size > d.m.Reader.Generation.MaxMessage:
		return extract.DemoTooLarge
	}
	d.out = AppendRecord(d.out, d.m.Sequence-1, gamestate)
	head.Rebuilt = true
	return ""
}

// unbroken reports whether a client that has the gamestate as it was sent, and then gets the last message,
// misses no command.
func (d *Reader) unbroken() bool {
	if d.commandSequence == d.sent.commandSequence {
		return true
	}
	for i := range d.m.Changes {
		if c := &d.m.Changes[i]; c.Kind == observe.Command && c.Number <= d.sent.commandSequence+1 {
			return true
		}
	}
	return false
}

// rebuild writes a gamestate from the state before the last message. It returns nil if something is missing, as
// after a long pause.
func (d *Reader) rebuild() []byte {
	if !d.m.World.BaselinesKnown {
		return nil
	}
	gen := d.m.Reader.Generation
	g := d.Known()
	if !gen.NoAcknowledge {
		r := huffcodec.NewReader(d.m.Body, gen.Coding)
		g.Acknowledge = int32(r.Bits(32))
	}
	g.Acknowledge = max(g.Acknowledge, d.m.Acknowledged)
	return WriteGamestate(&d.writer, gen, &g, d.m.World)
}

// Known returns the gamestate of the present state, without the number of the client's last command.
func (d *Reader) Known() Gamestate {
	return Gamestate{
		CommandSequence: d.commandSequence, ClientNum: d.sent.client, Feed: d.sent.feed, FrameTime: d.m.Reader.FrameTime,
		Strings: d.strings,
	}
}

// describe fills in the description of a demo that begins.
func (d *Reader) describe(head *extract.DemoHead) {
	head.Protocol = d.m.Version
	if d.m.Version == 0 {
		head.Protocol = tables.LastLegacy
		if d.m.Native {
			head.Protocol = defaultNative
		}
		if gen := d.m.Reader.Generation; gen.Game != 0 || gen.Scrambled { // its messages show it
			head.Protocol = gen.Number()
		}
	}
	head.Extension = fmt.Sprintf("dm_%d", head.Protocol)
	if gen := d.m.Reader.Generation; gen.Extension != "" {
		head.Extension = gen.Extension
	}
	head.Map = string(dissect.InfoValue(d.strings[tables.ServerinfoIndex], "mapname"))
	head.Client = int(d.sent.client)
	if at := tables.PlayersAt[d.m.Family]; at >= 0 && head.Client >= 0 && head.Client < tables.MaxPlayers &&
		at+head.Client < tables.MaxConfigstrings {
		head.Player = append([]byte(nil), dissect.InfoValue(d.strings[at+head.Client], "n")...)
		head.Clean = speech.AppendClean(nil, head.Player, d.m.Family)
	}
}

// defaultNative is the protocol of sessions with a checksum whose number is not known: PROTOCOL_VERSION in
// code/qcommon/qcommon.h.
const defaultNative = 71
