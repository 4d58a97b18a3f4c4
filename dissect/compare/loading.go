package compare

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/extract"
)

// A loader finds when a client connects and loads maps. Neither side sends steadily then: the server loads the map
// too, and waits for the client.
type loader struct {
	began    bool // the conversation has datagrams
	playing  bool // the client sends user commands
	connects bool // its connecting was seen, and no map since
	moving   bool // commands of the map before may still arrive
	loadedAt int64
	last     int64 // the datagram before
	lastSent int64 // the client's datagram before
	bigFrom  int64 // of the run of large datagrams from the server, the first and the last
	bigLast  int64
	spans    []span
}

const (
	// bigLength is the least length of a datagram with a part of a gamestate: FRAGMENT_SIZE in code/qcommon/net_chan.c.
	bigLength = 1300
	// bigApart is how far apart such datagrams of one gamestate are at most, in nanoseconds: servers send one with
	// each snapshot, and clients ask again after a second.
	bigApart = 1.5e9
	// loadedLate is how long commands of the map before may still arrive, in nanoseconds.
	loadedLate = 3e9
)

// add reads the next datagram of a conversation.
func (l *loader) add(rec *dissect.Record) {
	if !l.began {
		l.began, l.last = true, rec.Time
	}
	if rec.Direction == dissect.ServerToClient && rec.Length >= bigLength {
		if rec.Time-l.bigLast > bigApart {
			l.bigFrom = rec.Time
		}
		l.bigLast = rec.Time
	}
	for e := range rec.Events.Top().Children() {
		switch e.Get(dissect.EventKind.Key).String() {
		case event.ConnectRequest:
			if l.playing || !l.connects { // what lies between two sessions is nobody's pause
				l.start(l.last)
			}
			l.connects = true
		case event.MapStart:
			from := rec.Time
			if from-l.bigLast <= bigApart {
				from = l.bigFrom
			}
			if !l.connects {
				l.start(from)
			}
			l.connects, l.loadedAt = false, rec.Time
		}
	}
	if rec.Direction == dissect.ClientToServer {
		l.sent(rec)
	}
	l.last = rec.Time
}

// sent ends the span with the first user commands of the new map. Those of the map before come without a silence of
// the client.
func (l *loader) sent(rec *dissect.Record) {
	if rec.Time-max(l.lastSent, l.loadedAt) >= pauseLength || rec.Time-l.loadedAt >= loadedLate {
		l.moving = false
	}
	l.lastSent = rec.Time
	if l.playing || l.moving || !commands(rec) {
		return
	}
	l.playing, l.connects = true, false
	if n := len(l.spans); n > 0 {
		l.spans[n-1].to = rec.Time
	}
}

// start begins a span, which lasts until the client sends user commands.
func (l *loader) start(from int64) {
	const most = 100_000
	if n := len(l.spans); l.playing || n == 0 {
		if n == most {
			return
		}
		l.spans = append(l.spans, span{from, 1<<63 - 1})
	}
	l.moving, l.playing = l.playing, false
}

// commands reports whether a record has user commands.
func commands(rec *dissect.Record) bool {
	for i := range rec.Inputs {
		if rec.Inputs[i].Kind == extract.InputCommand {
			return true
		}
	}
	return false
}

// loading returns when the client of a pair connected and loaded, as both captures show it, by the clock of A.
func (r *Result) loading(p *Pair) []span {
	list := append([]span{}, p.A.loader.spans...)
	for _, s := range p.B.loader.spans {
		s.from = r.Clock.ToA(s.from)
		if s.to != 1<<63-1 {
			s.to = r.Clock.ToA(s.to)
		}
		list = append(list, s)
	}
	return list
}
