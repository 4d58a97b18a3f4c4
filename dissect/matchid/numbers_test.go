package matchid_test

import (
	"net/netip"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/matchid"
)

var (
	match     = dissect.Field{Key: "match", Kind: dissect.Uint}
	mapName   = dissect.Field{Key: "map", Kind: dissect.Text}
	startTime = dissect.Field{Key: "start_time", Kind: dissect.Int}
	event     = dissect.Field{Kind: dissect.Object, Children: []*dissect.Field{&dissect.EventKind, &dissect.EventServerTime, &match, &mapName, &startTime}}
)

// A happening is an event of a stream.
type happening struct {
	file   string
	server string // "": the record is of a recording
	stream int
	kind   string
	own    uint64
	name   string // of the map
	start  int64
	late   bool // start is not known

	captured, clock int64 // times of the capture and of the server, in ms; 0: none
}

func (h happening) record() *dissect.Record {
	rec := dissect.NewRecord()
	rec.File, rec.Stream, rec.UDP = h.file, h.stream, true
	rec.Time, rec.HasTime = h.captured*1e6, h.captured != 0
	if h.server == "" {
		rec.Recorder = "game"
	} else {
		rec.Src, rec.Direction = netip.MustParseAddrPort(h.server), dissect.ServerToClient
	}
	e := &rec.Events
	e.Open(&event, 0)
	e.AddLabel(&dissect.EventKind, h.kind, 0, 0)
	if h.clock != 0 {
		e.AddInt(&dissect.EventServerTime, h.clock, 0, 0)
	}
	e.Add(&match, h.own, 0, 0)
	if h.kind == "match_start" {
		e.AddBytes(&mapName, []byte(h.name), 0, 0)
		if !h.late {
			e.AddInt(&startTime, h.start, 0, 0)
		}
	}
	e.Close(0)
	return rec
}

func number(rec *dissect.Record) uint64 { return rec.Events.At(0).Get("match").Uint() }

func TestNumbers(t *testing.T) {
	const x, y = "10.0.0.1:27960", "10.0.0.2:27960"
	list := []struct {
		happening
		want uint64
	}{
		{happening{server: x, stream: 0, kind: "match_start", own: 0, name: "q3dm6", start: 5000}, 0},
		{happening{server: y, stream: 1, kind: "match_start", own: 0, name: "q3dm6", start: 5000}, 1}, // another server
		{happening{server: x, stream: 2, kind: "match_start", own: 0, name: "q3dm6", start: 6999}, 0}, // the same match
		{happening{server: x, stream: 2, kind: "kill", own: 0}, 0},
		{happening{server: y, stream: 1, kind: "kill", own: 0}, 1},
		{happening{server: x, stream: 0, kind: "match_start", own: 1, name: "q3dm6", start: 6500}, 2}, // started anew at once
		{happening{server: x, stream: 0, kind: "match_end", own: 1}, 2},
		{happening{server: x, stream: 2, kind: "match_end", own: 0}, 0},
		{happening{server: x, stream: 2, kind: "match_start", own: 1, name: "q3dm6", start: 6500}, 2},
		{happening{server: x, stream: 3, kind: "match_start", own: 0, name: "q3dm7", start: 5000}, 3}, // another map
		// A server's clock begins anew with every map: whether a start is the same, the time of the capture shows.
		{happening{server: y, stream: 4, kind: "match_start", own: 0, name: "q3dm1", captured: 1_000_000, clock: 6000}, 4},
		{happening{server: y, stream: 4, kind: "match_start", own: 1, name: "q3dm2", captured: 1_300_000, clock: 1000}, 5},
		{happening{server: y, stream: 5, kind: "match_start", own: 0, name: "q3dm2", captured: 1_400_000, clock: 101_500}, 5},
		{happening{server: y, stream: 4, kind: "match_start", own: 2, name: "q3dm1", captured: 1_600_000, clock: 1000}, 6},
		{happening{server: y, stream: 6, kind: "match_start", own: 0, name: "q3dm1", captured: 1_700_000, clock: 101_000}, 6},
		{happening{server: y, stream: 7, kind: "match_start", own: 0, name: "q3dm1", captured: 9_000_000, clock: 1000}, 7}, // another client, much later
		// Matches that began before the capture: the same server, whose clock shows the same moment.
		{happening{file: "d", server: x, stream: 0, kind: "match_start", own: 0, late: true, captured: 1_000_000, clock: 90_000}, 0},
		{happening{file: "d", server: x, stream: 1, kind: "match_start", own: 0, late: true, captured: 1_000_100, clock: 90_050}, 0},
		{happening{file: "d", server: y, stream: 2, kind: "match_start", own: 0, late: true, captured: 1_000_100, clock: 90_050}, 1},
		{happening{file: "d", server: x, stream: 3, kind: "match_start", own: 0, name: "q3dm6", start: 5000, captured: 1_002_000, clock: 92_000}, 0}, // a client that comes now is told of the start
		{happening{file: "d", server: x, stream: 4, kind: "match_start", own: 0, name: "q3dm7", late: true, captured: 1_003_000, clock: 93_000}, 2},  // another map
		{happening{file: "d", server: x, stream: 0, kind: "match_end", own: 0}, 0},
		{happening{file: "d", server: x, stream: 5, kind: "match_start", own: 0, late: true, captured: 1_004_000, clock: 94_000}, 2},                   // match 0 is over
		{happening{file: "d", server: y, stream: 6, kind: "match_start", own: 0, name: "q3dm6", start: 93_500, captured: 1_005_000, clock: 95_000}, 3}, // it began later
		{happening{file: "b", server: x, stream: 0, kind: "match_start", own: 0, name: "q3dm6", start: 5000}, 0},
		{happening{file: "c", stream: 0, kind: "kill", own: 4}, 4}, // a recording whose beginning was left out
		{happening{file: "c", stream: 0, kind: "match_start", own: 5, start: 1}, 5},
	}
	var whole, again matchid.Numbers
	part := matchid.Numbers{Part: 1, Parts: 3}
	for i, c := range list {
		rec := c.record()
		if whole.Number(rec); number(rec) != c.want {
			t.Errorf("event %d: match %d, want %d", i, number(rec), c.want)
		}
		if again.Number(rec); number(rec) != c.want { // by another reader of the record
			t.Errorf("event %d numbered again: match %d, want %d", i, number(rec), c.want)
		}
		want := c.want
		if c.server != "" {
			want = 3*c.want + 1
		}
		if rec := c.record(); c.file != "c" {
			if part.Number(rec); number(rec) != want {
				t.Errorf("event %d of a part: match %d, want %d", i, number(rec), want)
			}
		}
	}
}
