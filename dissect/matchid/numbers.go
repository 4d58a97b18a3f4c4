// Package matchid numbers the matches of an input.
//
// A conversation numbers those of its own stream, from 0. [Numbers] makes them numbers within the input: matches are
// numbered as they begin, and streams of one server that show the same match have the same number. That takes the
// records in order, as the InOrder of an engine's Config gets them.
package matchid

import (
	"cmp"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
)

// SameStart is how far apart streams of a server may see the start of the same match on the same map, in milliseconds
// of the game's clock.
const SameStart = 2000

// sameClock is how far apart the moments may be at which a server's clock was 0, as two streams show them, in
// milliseconds: the clock begins anew with every map, and so do starts of matches. Servers that lag let their clock
// fall behind.
const sameClock = 30_000

const (
	// maxGames is the most matches of an input that are remembered for streams that show them later.
	maxGames = 100_000
	// maxOfServer is the most of one server: then the older half is forgotten.
	maxOfServer = 1000
)

// Numbers replaces the numbers of matches in the events of records: those of a stream become those of the input. It
// is for one goroutine, which passes the records in their order. The zero value is ready to use.
type Numbers struct {
	// Part and Parts are those of convert.Options, of an input whose streams are divided. Each part numbers its own
	// matches, and no two matches of the input have the same number: 1, 4, 7 … in the second part of three. A match
	// whose streams are in several parts has a number in each.
	Part, Parts int

	inputs map[string]*input // by Record.File
}

// An input has matches, and streams that show them.
type input struct {
	count   uint64
	known   int // matches in servers
	servers map[string][]matchStart
	streams map[int]*stream
}

// A matchStart is the start of a match, with its number.
type matchStart struct {
	mapName string // "": not known
	start   int64  // server time in ms; of a late match that of its first sign
	late    bool   // it began before the input, nobody knows when
	over    bool   // a stream has shown its end
	zero    int64  // capture time in ms at which the server's clock was 0
	timed   bool   // zero is known
	number  uint64
}

// same reports whether a stream that shows the start c now may show the same match.
func (b *matchStart) same(c *matchStart) bool {
	if b.late || c.late {
		return !b.over && (b.mapName == c.mapName || b.mapName == "" || c.mapName == "") && b.timed && c.timed &&
			distance(b.zero, c.zero) <= sameClock && b.goesOn(c)
	}
	return b.mapName == c.mapName && distance(b.start, c.start) <= SameStart &&
		(!b.timed || !c.timed || distance(b.zero, c.zero) <= sameClock)
}

// goesOn reports whether one of two matches, whose start is not known, may be the other one: it showed its first sign
// after the start of the other.
func (b *matchStart) goesOn(c *matchStart) bool {
	switch {
	case b.late && c.late:
		return true
	case b.late:
		return c.start <= b.start+SameStart
	}
	return b.start <= c.start+SameStart
}

func distance(a, b int64) int64 { return max(a-b, b-a) }

// A stream shows one match after the other.
type stream struct {
	own    uint64 // number of the present match in the stream
	number uint64 // and in the input
	shown  bool   // there was a match
}

// Number replaces the numbers in the events of a record.
func (n *Numbers) Number(rec *dissect.Record) {
	nodes := rec.Events.Nodes
	for at := 0; at < len(nodes); at = int(nodes[at].End) {
		if node := rec.Events.Find(at, "match"); node >= 0 {
			in := n.of(rec)
			number := in.number(rec, at, nodes[node].Uint())
			if e := rec.Events.At(at); e.Get(dissect.EventKind.Key).String() == event.MatchEnd && !rec.Recorded() {
				in.ends(rec, e, number)
			}
			if n.Parts > 1 && !rec.Recorded() { // a recording has one stream
				number = number*uint64(n.Parts) + uint64(n.Part)
			}
			rec.Events.Replace(node, number)
		}
	}
}

func (n *Numbers) of(rec *dissect.Record) *input {
	in := n.inputs[rec.File]
	if in == nil {
		if n.inputs == nil {
			n.inputs = map[string]*input{}
		}
		in = &input{servers: map[string][]matchStart{}, streams: map[int]*stream{}}
		n.inputs[rec.File] = in
	}
	return in
}

// number returns the number of an event's match in the input. own is that in the stream.
func (in *input) number(rec *dissect.Record, at int, own uint64) uint64 {
	s := in.streams[rec.Stream]
	if s == nil {
		s = &stream{}
		in.streams[rec.Stream] = s
	}
	if s.shown && s.own == own {
		return s.number
	}
	before, had := s.number, s.shown
	s.own, s.shown = own, true
	e := rec.Events.At(at)
	if e.Get(dissect.EventKind.Key).String() != event.MatchStart || rec.Recorded() {
		// The only stream of a recording numbers as the input does.
		s.number = max(in.count, own)
		in.count = s.number + 1
		return s.number
	}
	server, ok := rec.Server()
	now := startOf(rec, e)
	now.number = in.count
	if best := in.best(server.String(), &now, before, had); ok && best != nil {
		if best.late && !now.late {
			best.start, best.late = now.start, false
		}
		best.mapName = cmp.Or(best.mapName, now.mapName)
		s.number = best.number
		return s.number
	}
	s.number = in.count
	in.count++
	if ok && in.known < maxGames {
		in.remember(server.String(), now)
	}
	return s.number
}

// startOf returns the start of the match that an event is about.
func startOf(rec *dissect.Record, e dissect.Value) matchStart {
	b := matchStart{mapName: e.Get("map").String(), start: e.Get("start_time").Int(), late: !e.Get("start_time").Exists()}
	clock := e.Get(dissect.EventServerTime.Key)
	if clock.Exists() && rec.HasTime {
		b.zero, b.timed = rec.Time/1e6-clock.Int(), true
	}
	if b.late {
		b.start = clock.Int()
	}
	return b
}

// best returns the match that a stream shows now and another one has shown: the one with the nearest start, of equal
// ones the latest; nil: there is none. before is the number of the stream's match before, if it had one.
func (in *input) best(server string, now *matchStart, before uint64, had bool) (best *matchStart) {
	list := in.servers[server]
	for i := range list {
		b := &list[i]
		if b.same(now) && !(had && b.number == before) &&
			(best == nil || distance(b.start, now.start) <= distance(best.start, now.start)) {
			best = b
		}
	}
	return best
}

// ends notes that a match is over. A stream that ends is no end of the match.
func (in *input) ends(rec *dissect.Record, e dissect.Value, number uint64) {
	switch e.Get("reason").String() {
	case event.ReasonClientLeft, event.ReasonRecordingEnd:
		return
	}
	server, _ := rec.Server()
	list := in.servers[server.String()]
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].number == number {
			list[i].over = true
			return
		}
	}
}

// remember keeps a match for streams that show it later.
func (in *input) remember(server string, b matchStart) {
	list := in.servers[server]
	if len(list) >= maxOfServer {
		list = slices.Delete(list, 0, len(list)/2)
		in.known -= maxOfServer - len(list)
	}
	in.known++
	in.servers[server] = append(list, b)
}
