package events_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// TestEventsAgainstLogs compares the captures' events about kills, chat, names, players, flags and items with
// what the servers wrote into their logs, for the time that each client was in the game.
func TestEventsAgainstLogs(t *testing.T) {
	t.Parallel()
	logs := readGameLogs(t, reference.Glob(t, "captures", "quake3", "*.games.log"))
	for name, want := range map[string]loggedCounts{
		"q3-68-connect-play":         {kills: 17, chat: 11, renames: 1, players: 1, items: 58},
		"q3-71-connect-play":         {kills: 17, chat: 12, renames: 1, players: 2, items: 69},
		"q3-71-ipv6":                 {kills: 8, chat: 10, renames: 1, players: 1, items: 27},
		"q3-oa-wrapper-71legacy":     {kills: 5, chat: 7, renames: 1, players: 1, items: 32},
		"q3-68-download":             {chat: 1, players: 1, items: 8},
		"q3-68-ipfrag-mtu576":        {kills: 25, chat: 11, players: 1, items: 43},
		"q3-68-natrebind-clientside": {chat: 4, players: 1, items: 9},
		"q3-68-natrebind-serverside": {chat: 4, players: 1, items: 9},
		"q3-68-loss-clientside":      {kills: 19, chat: 21, renames: 3, players: 1, items: 40},
		"q3-68-loss-serverside":      {kills: 19, chat: 21, renames: 3, players: 1, items: 40},
		"q3-multi-3clients-2servers": {kills: 15, chat: 14, renames: 3, flags: 8, players: 12, items: 137},
		"q3-71-voip":                 {players: 4},
		"q3-oob":                     {kills: 1, chat: 1, players: 3, items: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compareEvents(t, reference.Capture(t, "quake3", name), logs, want)
		})
	}
}

// compareEvents compares the events of a capture with the logs.
func compareEvents(t *testing.T, capture string, logs []*gameLog, want loggedCounts) {
	t.Helper()
	var got loggedCounts
	for _, v := range visitsOf(t, capture, logs) {
		v.compare(t, &got)
	}
	if got != want {
		t.Errorf("of the reported events the log has %+v, want %+v", got, want)
	}
}

// loggedCounts are how many events were found in the log.
type loggedCounts struct{ kills, chat, renames, flags, players, items int }

// A visit is the time of one client on one map: from a gamestate to the next, or to the end.
type visit struct {
	section     *logSection
	stream      int
	own         int
	first, last int // server times of the snapshots in which the client is in the game, in ms; last is 0 without any
	gaps        []gap
	events      []reftest.Event
}

// A gap is a time without snapshots that is long enough for an event to be missed: between the server times
// of two that follow each other, in ms.
type gap struct{ from, to int }

// longestGap is how far snapshots may be apart for none to miss an event: those last for 300 ms, to the next
// step of the game, which takes 50.
const longestGap = 250

// seen reports whether the client must have seen what happened in a second of the server's time.
func (v *visit) seen(second int) bool {
	if second <= v.first/1000 || second >= v.last/1000 {
		return false
	}
	from, to := second*1000, (second+1)*1000
	return !slices.ContainsFunc(v.gaps, func(g gap) bool { return g.from < to && g.to > from })
}

// visitsOf finds the visits of a capture whose servers have a log.
func visitsOf(t *testing.T, name string, logs []*gameLog) []*visit {
	t.Helper()
	var visits []*visit
	current := map[int]*visit{} // by stream
	snapshot := func(stream, serverTime int) {
		if v := current[stream]; v != nil {
			if v.last == 0 {
				v.first = serverTime
			} else if serverTime-v.last > longestGap {
				v.gaps = append(v.gaps, gap{v.last, serverTime})
			}
			v.last = serverTime
		}
	}
	event := func(stream int, e reftest.Event) {
		if e.Kind() == "map_start" {
			v := &visit{stream: stream, own: e.Number("client", "client_num")}
			if v.section = sectionOf(logs, current[stream], e.Text("hostname"), e.Text("map")); v.section == nil {
				t.Errorf("stream %d: no log has map %s of %q", stream, e.Text("map"), e.Text("hostname"))
				return
			}
			current[stream] = v
			visits = append(visits, v)
		}
		if v := current[stream]; v != nil {
			v.events = append(v.events, e)
		}
	}
	dissectEvents(t, name, snapshot, event)
	return visits
}

// sectionOf finds the log of a map: of the server with that name, the first one that is not before the
// map that the client was on.
func sectionOf(logs []*gameLog, before *visit, hostname, mapName string) *logSection {
	for _, l := range logs {
		if l.hostname != hostname {
			continue
		}
		from := 0
		if before != nil {
			from = max(0, slices.Index(l.sections, before.section))
		}
		for _, s := range l.sections[from:] {
			if s.mapName == mapName {
				return s
			}
		}
	}
	return nil
}

// dissectEvents reads a capture and gives its events, and the server times of the snapshots that a
// client's game looks at.
func dissectEvents(t *testing.T, name string, snapshot func(stream, serverTime int),
	event func(stream int, e reftest.Event),
) {
	t.Helper()
	const mark = "snapshot "
	e, err := engine.New(engine.Config{
		Protocols: all.Protocols(), Workers: 1, Options: dissect.Options{Events: true},
		Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
			if serverTime, flags, ok := snapshotOf(rec.Tree); ok && flags&2 == 0 {
				dst = fmt.Appendf(dst, "%s%d %d\n", mark, rec.Stream, serverTime)
			}
			return render.AppendEventsJSON(dst, rec, render.JSON{}), nil
		},
		Output: reftest.Lines(func(line []byte) {
			if rest, ok := strings.CutPrefix(string(line), mark); ok {
				var stream, serverTime int
				if _, err := fmt.Sscan(rest, &stream, &serverTime); err != nil {
					t.Error(err)
				}
				snapshot(stream, serverTime)
				return
			}
			o, err := reftest.Object(line)
			if err != nil {
				t.Fatalf("%v in %s", err, line)
			}
			ev := reftest.Event(o)
			event(ev.Number("stream"), ev)
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	reftest.Packets(t, name, func(p *dissect.Packet) {
		if err := e.Packet(p); err != nil {
			t.Error(err)
		}
	})
	reftest.Close(t, e)
}

// snapshotOf finds server time and flags of the snapshot of a message.
func snapshotOf(tree *dissect.Tree) (serverTime, flags int, ok bool) {
	snapshot := tree.Top().Lookup("quake3.server_message.ops.snapshot")
	return int(snapshot.Get("server_time").Int()), int(snapshot.Get("snap_flags").Int()), snapshot.Exists()
}

// reported returns the events of a kind as lines that can be compared with the log's; "" is left out.
func (v *visit) reported(kind string, line func(e reftest.Event) string) []logLine {
	var list []logLine
	for _, e := range v.events {
		if e.Kind() == kind {
			if text := line(e); text != "" {
				list = append(list, logLine{second: e.Number("server_time") / 1000, text: text})
			}
		}
	}
	return list
}

// TestEventsCountedOnDemos counts events of recordings whose numbers the wire or the mod gives.
func TestEventsCountedOnDemos(t *testing.T) {
	t.Parallel()
	is := func(kind, key, value string) func(e reftest.Event) bool {
		return func(e reftest.Event) bool { return e.Kind() == kind && (key == "" || e.Text(key) == value) }
	}
	captured := func(flag string) func(e reftest.Event) bool {
		return func(e reftest.Event) bool {
			return e.Kind() == "flag" && e.Text("action") == "captured" && e.Text("flag") == flag
		}
	}
	for _, tt := range []struct {
		demo, what string
		counts     func(e reftest.Event) bool
		want       int
	}{
		{"demo_pack_1__CTFS-myT-ojfc-09-2014_11_21-23_35_49.dm_68", "one match of many rounds", is("match_start", "", ""), 1},
		{"dm_66_67__2004_-_TDM_1__QLAN2_.dm_67", "the end of a pause is no match", is("match_start", "", ""), 1},
		{"dm_68_cpma__2v2_xscores_1.dm_68", "commands mm2", is("chat", "channel", "team"), 31},
		{"dm_68_cpma__team_chat.dm_68", "commands mm2", is("chat", "channel", "team"), 4},
		{"36_kills_2_suicides.dm_68", "kills and suicides, by its name and the mod's table", is("kill", "", ""), 38},
		{"dm_90__ctf.dm_90", "captures by red, who wins 8 to 1", captured("blue"), 8},
		{"dm_90__ctf.dm_90", "captures by blue", captured("red"), 1},
		{"36_kills_2_suicides.dm_68", "score1 is the best player's, who ends with 24", is("score", "score1", "24"), 1},
		{"dm_90__ca.dm_90", "rounds that end: it begins at 1 to 1 and ends 10 to 5", is("round_end", "", ""), 13},
	} {
		got, found := 0, false
		for _, name := range reference.Glob(t, "demos", "matches", tt.demo) {
			found = filepath.Base(name) == tt.demo
			eventsOfDemo(t, name, func(e reftest.Event) {
				if tt.counts(e) {
					got++
				}
			})
		}
		if !found || got != tt.want {
			t.Errorf("%s: %s: %d, want %d", tt.demo, tt.what, got, tt.want)
		}
	}
}
