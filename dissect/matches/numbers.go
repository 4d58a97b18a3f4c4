// Package matches numbers the matches of an input.
//
// A conversation numbers those of its own stream, from 0. [Numbers] makes them numbers within the input: matches are
// numbered as they begin, and streams of one server that show the same match have the same number. That takes the
// records in order, as the InOrder of an engine's Config gets them.
package matches

import (
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
	// maxOfGame is the most of one map on one server: then the older half is forgotten.
	maxOfGame = 1000
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
	known   int // matches in games
	games   map[game][]matchStart
	streams map[int]*stream
}

// A game is a map on a server.
type game struct{ server, mapName string }

// A matchStart is the start of a match, with its number.
type matchStart struct {
	start  int64 // server time in ms
	zero   int64 // capture time in ms at which the server's clock was 0
	timed  bool  // zero is known
	number uint64
}

// same reports whether a stream may show the same match.
func (b *matchStart) same(c *matchStart) bool {
	return distance(b.start, c.start) <= SameStart && (!b.timed || !c.timed || distance(b.zero, c.zero) <= sameClock)
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
			number := n.of(rec).number(rec, at, nodes[node].Uint())
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
		in = &input{games: map[game][]matchStart{}, streams: map[int]*stream{}}
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
	g, now := game{server.String(), e.Get("map").String()}, matchStart{start: e.Get("start_time").Int(), number: in.count}
	if clock := e.Get(dissect.EventServerTime.Key); clock.Exists() && rec.HasTime {
		now.zero, now.timed = rec.Time/1e6-clock.Int(), true
	}
	var best *matchStart // the one with the nearest start, of equal ones the latest
	for i := range in.games[g] {
		b := &in.games[g][i]
		if ok && b.same(&now) && !(had && b.number == before) &&
			(best == nil || distance(b.start, now.start) <= distance(best.start, now.start)) {
			best = b
		}
	}
	if best != nil {
		s.number = best.number
		return s.number
	}
	s.number = in.count
	in.count++
	if ok && in.known < maxGames {
		in.remember(g, now)
	}
	return s.number
}

// remember keeps a match for streams that show it later.
func (in *input) remember(g game, b matchStart) {
	list := in.games[g]
	if len(list) >= maxOfGame {
		list = slices.Delete(list, 0, len(list)/2)
		in.known -= maxOfGame - len(list)
	}
	in.known++
	in.games[g] = append(list, b)
}
