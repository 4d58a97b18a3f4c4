package quake3

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

// An order is how far a recording has come. A client writes messages as it accepts them: none has a lower number than
// the one before (Netchan_Process, code/qcommon/net_chan.c), and no server's clock goes back within a map. Some clients
// write two with one number: ioquake3 adds its own voice, recordings of CPMA have a gamestate twice.
type order struct {
	sequence uint32
	time     int32
	numbered bool
	timed    bool

	now       int32 // server time of the message that is read
	snapshot  bool  // it has a snapshot for a client in the game
	gamestate bool  // it has a gamestate
}

// begin begins a message, and reports a number that cannot come after those before it.
func (o *order) begin(m *message) {
	if o.numbered && m.header.Sequence < o.sequence {
		m.addEntry(dissect.Warning, expertOrder, "message %d follows message %d: no client records them so",
			m.header.Sequence, o.sequence)
	}
	o.sequence, o.numbered = m.header.Sequence, true
	o.snapshot, o.gamestate = false, false
}

// see is called for each snapshot of the message, and reports a time that cannot come after those before it. A message
// may be read more than once: the time counts at its end.
func (o *order) see(now int32, at int, rec *dissect.Record) {
	if o.timed && !o.gamestate && now < o.time {
		rec.Expert(dissect.Warning, expertOrder, &world.SnapshotField, at,
			"the server time is %d, after %d: no server's clock goes back", now, o.time)
	}
	o.now, o.snapshot = now, true
}

// end makes the message that was read count.
func (o *order) end() {
	o.timed = o.timed && !o.gamestate
	if o.snapshot {
		o.time, o.timed = o.now, true
	}
}
