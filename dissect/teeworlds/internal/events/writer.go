package events

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/snapshot"
)

// tickMsec is how long a tick takes: SERVER_TICK_SPEED in src/engine/shared/protocol.h is 50.
const tickMsec = 20

// A writer adds the events of one datagram to its record.
type writer struct {
	tree  *dissect.Tree
	time  int64 // the game's clock, in ms
	timed bool  // time has been set
	clean []byte

	contest *contest // the match; nil: none is known
}

// setTime takes the time of the newest snapshot.
func (w *writer) setTime(p *snapshot.Reader) {
	tick := p.Latest()
	if w.timed = tick >= 0; w.timed {
		w.time = int64(tick) * tickMsec
	}
}

// begin opens an event; end closes it.
func (w *writer) begin(kind string) {
	w.tree.Open(&Root, 0)
	w.tree.AddLabel(&dissect.EventKind, kind, 0, 0)
	if w.timed {
		w.tree.AddInt(&dissect.EventServerTime, w.time, 0, 0)
	}
	if w.contest == nil {
		return
	}
	if number, clock := w.contest.stamp(); number >= 0 {
		w.tree.Add(&eventtree.Match, uint64(number), 0, 0)
		w.tree.AddInt(&evMatchTime, clock, 0, 0)
	}
}

func (w *writer) end() { w.tree.Close(0) }

func (w *writer) label(f *dissect.Field, s string) { w.tree.AddLabel(f, s, 0, 0) }
func (w *writer) text(f *dissect.Field, b []byte)  { w.tree.AddBytes(f, b, 0, 0) }
func (w *writer) number(f *dissect.Field, v int)   { w.tree.AddInt(f, int64(v), 0, 0) }

// flag adds a boolean that is absent when it is false.
func (w *writer) flag(f *dissect.Field, v bool) {
	if v {
		w.tree.AddBool(f, true, 0, 0)
	}
}

// both adds a text and the same without control characters.
func (w *writer) both(f, cleaned *dissect.Field, b []byte) {
	w.text(f, b)
	w.clean = w.clean[:0]
	for _, c := range b {
		if c >= ' ' && c != 0x7f {
			w.clean = append(w.clean, c)
		}
	}
	w.text(cleaned, w.clean)
}

// password adds a password, or the mask.
func (w *writer) password(b []byte, show bool) {
	if show {
		w.text(&evPassword, b)
		return
	}
	w.label(&evPassword, dissect.SecretMask)
}

// client adds a player by number, with what is known about the player.
func (w *writer) client(f *dissect.Field, r *roster, number int) {
	w.tree.Open(f, 0)
	w.clientFields(r, number)
	w.tree.Close(0)
}

// clientFields adds what an object about a player has.
func (w *writer) clientFields(r *roster, number int) {
	w.identity(r, number)
	if p := r.at(number); p != nil && p.team != teamUnknown {
		w.number(&evPlayerTeam, p.team)
	}
}

// identity adds number and name of a player.
func (w *writer) identity(r *roster, number int) {
	w.tree.Add(&evClientNum, uint64(number), 0, 0)
	if p := r.at(number); p != nil && p.name != nil {
		w.both(&evName, &evNameClean, p.name)
	}
}

// speaker is client for a player who must be in the game: DDNet lets the server speak with a number that no
// player has.
func (w *writer) speaker(f *dissect.Field, r *roster, number int) {
	if p := r.at(number); p != nil && !p.present {
		r = &roster{}
	}
	w.client(f, r, number)
}

func (w *writer) position(at place) {
	w.tree.Open(&evPosition, 0)
	w.number(&evPositionX, int(at.x))
	w.number(&evPositionY, int(at.y))
	w.tree.Close(0)
}
