package merge

import (
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// A game is what one recording shows of a map on a server, from its start to the next map: its clock is one.
type game struct {
	recording   int
	isRecord    bool   // what the server recorded itself, in other words than it sends
	server      string // of a capture; the name of a recording
	mapName     string
	hostname    string
	first, last int64 // of the game's clock, ms
	timed       bool
	list        []*Happening // in the order of the recording

	joint *joint // that it is part of; nil: not known yet
	ahead int64  // how far its clock is ahead of the joint's, ms
}

// A detail is what Join needs to know of a happening.
type detail struct {
	game     *game
	same     string // what is the same in all recordings
	proof    string // the same with the players' names, of what hardly happens twice; "": it proves nothing
	deed     string // who did what, in the words of server's records too; "": they do not have it
	match    int64  // number in the recording; -1: none
	start    int64  // match_start, match_end: the server's time, ms; of a late match that of its first sign
	late     bool   // the match began before the recording, nobody knows when
	selected bool
	at       int64 // of the game's clock, as that of the next happening that has one, ms
}

// games finds the game of each event of a recording.
type games struct {
	recording int
	selected  func() bool // whether the present event is wanted
	latest    map[string]*game
	streams   map[sourceStream]*gameStream
	list      []*game
}

// A gameStream is a stream, which shows one game after the other.
type gameStream struct {
	game     *game
	loading  bool // the clock of the map that was begun is not known yet
	mapName  string
	hostname string
	waiting  []*Happening // until it is
}

// backwards is by how much clocks of the streams of one game may differ, in milliseconds: one that is further back is
// that of another game.
const backwards = 5000

func newGames(recording int, selected func() bool) *games {
	return &games{
		recording: recording, selected: selected, latest: map[string]*game{}, streams: map[sourceStream]*gameStream{},
	}
}

// add finds the game of an event. same is what is the same in all streams.
func (g *games) add(key sourceStream, h *Happening, e dissect.Value, same string, isRecord bool) {
	same = sameEverywhere(h.Kind, same)
	d := &detail{same: same, proof: proofOf(h, e, same), deed: deedOf(h.Kind, e), match: -1, selected: g.selected()}
	h.detail = d
	if v := e.Get("match"); v.Exists() {
		d.match = v.Int()
	}
	if h.Kind == event.MatchStart || h.Kind == event.MatchEnd {
		d.same, d.start = h.Kind, e.Get("start_time").Int()
		if d.late = !e.Get("start_time").Exists(); d.late {
			d.start = h.Time
		}
	}
	s := g.streams[key]
	if s == nil {
		s = &gameStream{loading: true}
		g.streams[key] = s
	}
	if h.Kind == event.MapStart {
		s.loading = true
		s.mapName, s.hostname = wiretext.String(e.Get("map").Bytes()), wiretext.String(e.Get("hostname").Bytes())
	}
	if s.loading {
		s.waiting = append(s.waiting, h)
		if h.Timed && h.Kind != event.MapStart {
			g.begin(s, h.server, h.Time, true)
			s.game.isRecord = isRecord
		}
		return
	}
	d.game = s.game
	if h.Timed {
		s.game.note(h.Time)
	}
}

func (g *game) note(time int64) {
	if !g.timed {
		g.first, g.last, g.timed = time, time, true
	}
	g.first, g.last = min(g.first, time), max(g.last, time)
}

// begin gives a stream the game that it shows from now on.
func (g *games) begin(s *gameStream, server string, time int64, timed bool) {
	now := g.latest[server]
	if now == nil || s.mapName != "" && now.mapName != "" && now.mapName != s.mapName ||
		timed && now.timed && time < now.last-backwards {
		now = &game{recording: g.recording, server: server}
		g.latest[server] = now
		g.list = append(g.list, now)
	}
	if now.mapName == "" {
		now.mapName = s.mapName
	}
	if now.hostname == "" {
		now.hostname = s.hostname
	}
	if timed {
		now.note(time)
	}
	for _, h := range s.waiting {
		h.detail.game = now
	}
	s.game, s.waiting, s.loading = now, nil, false
}

// end places the events of streams whose clock was never known.
func (g *games) end() {
	for _, s := range g.streams {
		if len(s.waiting) > 0 {
			g.begin(s, s.waiting[0].server, 0, false)
		}
	}
}

// sameEverywhere leaves out whom a line of chat was said to: a demo of the sender does not have it.
func sameEverywhere(kind, same string) string {
	if kind != event.Chat {
		return same
	}
	before, after, ok := strings.Cut(same, "target=")
	if _, rest, end := strings.Cut(after, ";"); ok && end {
		return before + rest
	}
	return same
}

// proofs are the kinds of events that two recordings of one game have at the same time, and those of others do not.
var proofs = map[string]bool{
	event.Kill: true, event.Chat: true, event.Rename: true, event.Team: true, event.Connect: true, event.Disconnect: true,
	event.Flag: true, event.RaceFinish: true, event.Vote: true,
}

// proofOf returns what the event is with the names of its players.
func proofOf(h *Happening, e dissect.Value, same string) string {
	if !proofs[h.Kind] {
		return ""
	}
	for _, key := range [...]string{"client", "killer", "victim"} {
		same += "\x00" + wiretext.String(e.Lookup(key+".name_clean").Bytes())
	}
	return same
}

// Proof returns what proves that another recording shows the same event; "": nothing, as it may happen again.
func Proof(kind string, e dissect.Value) string {
	h := Happening{Kind: kind}
	return proofOf(&h, e, sameEverywhere(kind, identity(&h, e)))
}
