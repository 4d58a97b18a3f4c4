package events

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/speech"
)

// An eventWriter adds the events of one datagram to its record.
type eventWriter struct {
	tree  *dissect.Tree
	time  int32 // server time
	timed bool  // time has been set
	clean []byte

	contest *contest // the match; nil: none is known
}

// use points the writer at a record and its game.
func (w *eventWriter) use(rec *dissect.Record, g *gameView) {
	w.tree, w.time, w.timed, w.contest = &rec.Events, g.time, g.timed, &g.match.contest
}

// begin opens an event; end closes it.
func (w *eventWriter) begin(kind string) {
	w.tree.Open(&Field, 0)
	w.tree.AddLabel(&dissect.EventKind, kind, 0, 0)
	if w.timed {
		w.tree.AddInt(&dissect.EventServerTime, int64(w.time), 0, 0)
	}
	if w.contest == nil {
		return
	}
	if number, clock, clocked := w.contest.stamp(w.time, w.timed); number >= 0 {
		w.tree.Add(&eventtree.Match, uint64(number), 0, 0)
		if clocked {
			w.number(&evMatchTime, int64(clock))
		}
	}
}

func (w *eventWriter) end() { w.tree.Close(0) }

func (w *eventWriter) label(f *dissect.Field, s string) { w.tree.AddLabel(f, s, 0, 0) }
func (w *eventWriter) text(f *dissect.Field, b []byte)  { w.tree.AddBytes(f, b, 0, 0) }
func (w *eventWriter) number(f *dissect.Field, v int64) { w.tree.AddInt(f, v, 0, 0) }

// flag adds a boolean that is absent when it is false.
func (w *eventWriter) flag(f *dissect.Field, v bool) {
	if v {
		w.tree.AddBool(f, true, 0, 0)
	}
}

// both adds a text and the same without colours.
func (w *eventWriter) both(f, cleaned *dissect.Field, b []byte) {
	w.text(f, b)
	w.clean = speech.AppendClean(w.clean[:0], b, w.tree.Family)
	w.text(cleaned, w.clean)
}

// client adds a player by number, with what is known about the player, or by the name alone if the number is
// negative: a name that a sentence of the server mentions.
func (w *eventWriter) client(f *dissect.Field, roster *roster, number int, name []byte) {
	w.clientHeard(f, roster, number, roster.unknown(name, fromPrint))
}

// clientHeard is client with a name that is from elsewhere.
func (w *eventWriter) clientHeard(f *dissect.Field, roster *roster, number int, name heard) {
	w.tree.Open(f, 0)
	w.clientFields(roster, number, name)
	w.tree.Close(0)
}

func (w *eventWriter) clientFields(roster *roster, number int, name heard) {
	var p *player
	if number >= 0 {
		w.tree.Add(&evClientNum, uint64(number), 0, 0)
		if p = roster.lately(number, w.time); p != nil {
			name = heard{p.name, p.nameFrom}
		} else if name.name == nil {
			name = roster.heard[number]
		}
	}
	w.named(name)
	if p != nil && p.team >= 0 {
		w.tree.Add(&evPlayerTeam, uint64(p.team), 0, 0)
	}
	if number >= 0 && number == roster.own && len(roster.guid) > 0 {
		w.text(&evGUID, roster.guid)
	}
}

// named adds a name, if it is known, and where it is from.
func (w *eventWriter) named(name heard) {
	if name.name == nil {
		return
	}
	w.both(&evName, &evNameClean, name.name)
	if name.from != "" {
		w.label(&evNameFrom, name.from)
	}
}

func (w *eventWriter) position(x, y, z uint32) {
	w.tree.Open(&evPosition, 0)
	w.tree.Add(&evPositionX, uint64(x), 0, 0)
	w.tree.Add(&evPositionY, uint64(y), 0, 0)
	w.tree.Add(&evPositionZ, uint64(z), 0, 0)
	w.tree.Close(0)
}
