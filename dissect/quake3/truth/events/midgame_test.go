package events_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/keys"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// TestEventsOfMidgame compares the names of players in captures that begin in mid-game, from a frame on, with the log
// of the server: every player with a number has a name that the log gives that number, the log of ET: Legacy without
// colours. from counts the names by what they are from: at least so many. named is a frame after which every player has
// a name.
func TestEventsOfMidgame(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		folder, capture, log string
		first, named         int
		from                 map[string]int
		mapFrom              string
	}{
		// The answer to rcon status has the number and name of every player; one packet later all are known.
		{"quake3", "q3-68-connect-play-mid", "q3-68-connect-play.server.games", 1, 1985, map[string]int{"status": 15, "chat": 4}, "serverinfo"},
		{"quake3", "q3-71-connect-play-mid", "q3-71-connect-play.server.games", 1, 1985, map[string]int{"status": 10, "chat": 2}, "serverinfo"},
		{"idtech3", "et-84-play-mid", "et-84-play.server", 1, 0, map[string]int{"chat": 2, "print": 6}, ""},
		{"idtech3", "et-84-play", "et-84-play.server", 500, 0, map[string]int{"key": 1, "print": 1}, "status"},
		{"idtech3", "rtcw-60-61-play", "rtcw-60-61-play.server", 500, 1812, map[string]int{"status": 1}, "status"},
	} {
		t.Run(tt.capture+" from "+strconv.Itoa(tt.first), func(t *testing.T) {
			t.Parallel()
			folder := reference.Folder(t, "captures", tt.folder)
			l := readNames(t, filepath.Join(folder, tt.log+".log"))
			from, mapFrom, numbered := map[string]int{}, "", 0
			eventsFrom(t, filepath.Join(folder, tt.capture+".pcap"), tt.first, func(e reftest.Event) {
				if m, ok := e.Value("map_from"); ok && mapFrom == "" {
					if mapFrom = m; e.Text("map") == "" || !bytes.Contains(l.text, []byte(e.Text("map"))) ||
						e.Text("in_progress") != "true" {
						t.Errorf("not in the log, or not in progress: %v", e)
					}
				}
				for _, p := range playersOf(e) {
					name, clean, number := p.Text("name"), p.Text("name_clean"), p.Number("client_num")
					if f := p.Text("name_from"); f != "" {
						from[f]++
					}
					switch {
					case name != "" && !l.anybody[name] && !l.anybody[clean], number >= 0 && name != "" && !l.names[number][name] &&
						!l.names[number][clean]:
						t.Errorf("client %d is %q in %v, the log has %v", number, name, e, l.names[number])
					case number >= 0 && name == "" && tt.named > 0 && e.Number("frame") > tt.named && e.Number("stream") == 0:
						t.Errorf("client %d has no name in %v", number, e)
					case number >= 0 && name != "":
						numbered++
					}
				}
			})
			for f, least := range tt.from {
				if from[f] < least {
					t.Errorf("%d names are from %s, want %d", from[f], f, least)
				}
			}
			if mapFrom != tt.mapFrom || numbered == 0 {
				t.Errorf("the map is from %q, want %q; %d players have number and name", mapFrom, tt.mapFrom, numbered)
			}
			t.Logf("%v, %d with a number", from, numbered)
		})
	}
}

// loggedNames are the names that players had, by number, and the log.
type loggedNames struct {
	names   map[int]map[string]bool
	anybody map[string]bool
	text    []byte
}

var userinfoChanged = regexp.MustCompile(`(?m)ClientUserinfoChanged: (\d+) (.*)$`)

func readNames(t *testing.T, name string) loggedNames {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	l := loggedNames{map[int]map[string]bool{}, map[string]bool{}, text}
	for _, m := range userinfoChanged.FindAllSubmatch(text, -1) {
		number, _ := strconv.Atoi(string(m[1]))
		if l.names[number] == nil {
			l.names[number] = map[string]bool{}
		}
		name := string(dissect.InfoValue(append([]byte{'\\'}, m[2]...), "n"))
		l.names[number][name], l.anybody[name] = true, true
	}
	return l
}

// playersOf returns the players that an event is about.
func playersOf(e reftest.Event) (list []reftest.Event) {
	for _, key := range []string{"client", "target", "killer", "victim", "winner"} {
		if p, ok := e[key].(map[string]any); ok {
			list = append(list, p)
		}
	}
	for _, key := range []string{"scores", "players"} {
		players, _ := e[key].([]any)
		for _, p := range players {
			if p, ok := p.(map[string]any); ok {
				list = append(list, p)
			}
		}
	}
	return list
}

// eventsFrom passes on the events of a capture from a frame on. Keys of enciphered sessions are recovered first, as the
// program does.
func eventsFrom(t *testing.T, name string, first int, each func(e reftest.Event)) {
	t.Helper()
	found := map[[2]int]keys.Key{}
	run := func(opts dissect.Options, output func([]byte) error) {
		e, err := engine.New(engine.Config{
			Protocols: all.Protocols(), Workers: 1, NoTree: true, Options: opts, Output: output,
			Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
				return render.AppendEventsJSON(dst, rec, render.JSON{}), nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		reftest.Packets(t, name, func(p *dissect.Packet) {
			if int(p.Frame) < first {
				return
			}
			if err := e.Packet(p); err != nil {
				t.Error(err)
			}
		})
		reftest.Close(t, e)
	}
	run(dissect.Options{KeysOnly: true, KeyFound: func(k keys.Key) { found[[2]int{k.Stream, k.Session}] = k }},
		reftest.Discard)
	lookup := func(k keys.Key) *keys.Key {
		if k, ok := found[[2]int{k.Stream, k.Session}]; ok {
			return &k
		}
		return nil
	}
	run(dissect.Options{Events: true, Keys: lookup}, reftest.Lines(func(line []byte) {
		e, err := reftest.Object(line)
		if err != nil {
			t.Errorf("%v in %s", err, line)
		}
		each(e)
	}))
}
