package truth_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/teeworlds"
)

// TestTeeworldsEventsAgainstLogs compares the events of the captures with what the servers wrote into their logs, for
// the time that each client was in the game. No vote was held in them: DDNet's server refused those that were called.
func TestTeeworldsEventsAgainstLogs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		log  string // folder of the server's log; empty: that of the capture
		want map[string]int
	}{
		"tw07-ctf3": {want: map[string]int{"kill": 87, "flag": 57, "team": 57, "team chat": 3, "leave": 6}},
		"tw07-admin": {want: map[string]int{
			"kill": 5, "team": 4, "console": 2, "leave": 8,
			"rcon": 16, "authed": 2,
		}},
		"tw07-join-chat":       {want: map[string]int{"kill": 1, "say": 4, "team chat": 1, "console": 1, "leave": 2}},
		"tw07-ipv6":            {want: map[string]int{"kill": 1, "say": 1, "leave": 1}},
		"tw07-var-full":        {want: map[string]int{"kill": 1, "say": 2, "console": 1, "leave": 1}},
		"tw07-loss-serverside": {want: map[string]int{"kill": 2, "say": 12, "console": 12, "leave": 1}},
		"tw07-loss-clientside": {
			log:  "tw07-loss-serverside",
			want: map[string]int{"kill": 2, "say": 12, "console": 12, "leave": 1},
		},
		"dd06-full": {want: map[string]int{"say": 5, "team chat": 1, "console": 18, "rcon": 23, "authed": 2}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log := c.log
			if log == "" {
				log = name
			}
			compareTeeworldsEvents(t, filepath.Join(teeworldsFolder(t), name+".pcap"),
				filepath.Join(teeworldsFolder(t), log+".d", "srv.log.gz"), c.want)
		})
	}
}

// compareTeeworldsEvents compares the events of a capture with a server's log, and the number of those that are in
// both.
func compareTeeworldsEvents(t *testing.T, capture, log string, want map[string]int) {
	t.Helper()
	logged := readTeeworldsLog(t, log)
	got := map[string]int{}
	kinds := []string{"say", "team chat", "console", "rcon", "authed"}
	if !strings.HasPrefix(filepath.Base(capture), "dd") { // DDNet's log has the others in part or not at all
		kinds = append(kinds, "kill", "flag", "team", "leave")
	}
	for _, v := range teeworldsVisits(t, capture) {
		v.compare(t, logged, kinds, got)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what the log has too (-want +got):\n%s", diff)
	}
}

// A teeLine is one thing that happened: in a log, or in the events.
type teeLine struct {
	at   float64 // seconds of the day
	kind string
	who  int    // client
	text string // what else there is
}

func (l teeLine) String() string { return fmt.Sprintf("%s of %d: %s", l.kind, l.who, l.text) }

// teeLogForms are the lines of logs: 0.7 first, then DDNet.
var teeLogForms = []struct {
	kind string
	form *regexp.Regexp // client, then what else there is
}{
	{"say", regexp.MustCompile(`\[chat\]: 1:(\d+):[^:]*: (.*)$`)},
	{"team chat", regexp.MustCompile(`\[teamchat\]: 2:-?\d+:(\d+):[^:]*: (.*)$`)},
	{"console", regexp.MustCompile(`\[chat\]: ()\*\*\* (.*)$`)},
	{"kill", regexp.MustCompile(`kill killer='.*' victim='(\d+):.*(weapon=.*)$`)},
	{"flag", regexp.MustCompile(`flag_(?:grab|capture) player='(\d+):.*()$`)},
	{"team", regexp.MustCompile(`team_join player='(\d+):.*' team=(.*->.*)$`)},
	{"leave", regexp.MustCompile(`leave player='(\d+):.*()$`)},
	{"rcon", regexp.MustCompile(`ClientID=(\d+) rcon='(.*)'$`)},
	{"authed", regexp.MustCompile(`ClientID=(\d+) authed()`)},
	{"say", regexp.MustCompile(`I chat: (\d+):-2:[^:]*: (.*)$`)},
	{"team chat", regexp.MustCompile(`I teamchat: (\d+):0:[^:]*: (.*)$`)},
	{"console", regexp.MustCompile(`I chat: ()\*\*\* (.*)$`)},
}

var teeKillers = regexp.MustCompile(`killer='(-?\d+):`)

// readTeeworldsLog reads the log of a server.
func readTeeworldsLog(t *testing.T, name string) []teeLine {
	t.Helper()
	var list []teeLine
	for s := reference.Lines(t, name); s.Scan(); {
		line := strings.TrimPrefix(s.Text(), "[")
		for _, form := range teeLogForms {
			m := form.form.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			at, err := time.Parse(time.DateTime, line[:len(time.DateTime)])
			if err != nil {
				t.Fatal(err)
			}
			l := teeLine{at: float64(at.Hour()*3600 + at.Minute()*60 + at.Second()), kind: form.kind, who: -1, text: m[2]}
			if m[1] != "" {
				l.who, _ = strconv.Atoi(m[1])
			}
			switch {
			case l.kind == "kill":
				l.text = "killer=" + teeKillers.FindStringSubmatch(line)[1] + " " + l.text
			case strings.Contains(line, "flag_grab"):
				l.text = "taken"
			case l.kind == "flag":
				l.text = "captured"
			}
			list = append(list, l)
			break
		}
	}
	return list
}

// A teeVisit is the time of a client on one map.
type teeVisit struct {
	stream      int
	own         int
	first, last float64 // seconds of the day: when the client is in the game
	reported    []teeLine
}

// teeworldsVisits finds the visits of a capture.
func teeworldsVisits(t *testing.T, name string) []*teeVisit {
	t.Helper()
	var visits []*teeVisit
	current := map[int]*teeVisit{} // by stream
	teeworldsEvents(t, name, func(e reftest.Event) {
		stream := e.Number("stream")
		at, err := time.Parse(time.RFC3339Nano, e.Text("time"))
		if err != nil {
			t.Fatal(err)
		}
		second := at.Sub(at.Truncate(24 * time.Hour)).Seconds()
		v := current[stream]
		switch {
		case e.Kind() == "map_start":
			v = &teeVisit{stream: stream, own: -1}
			current[stream] = v
			visits = append(visits, v)
		case v == nil:
			return
		case v.own < 0 && e.Text("own") == "true" && (e.Kind() == "connect" || e.Kind() == "enter"):
			v.own, v.first = e.Number("client", "client_num"), second
		}
		if e.Kind() != "map_start" {
			v.last = second
		}
		if l, ok := teeLineOf(e); ok {
			l.at = second
			v.reported = append(v.reported, l)
		}
		if e.Kind() == "disconnect" && e.Text("own") == "true" {
			delete(current, stream)
		}
	})
	return visits
}

// teeLineOf returns an event as the log has it; ok is false for what it does not have.
func teeLineOf(e reftest.Event) (l teeLine, ok bool) {
	l.who, l.text = e.Number("client", "client_num"), e.Text("text")
	switch e.Kind() {
	case "chat":
		l.kind = map[string]string{"say": "say", "team": "team chat", "console": "console"}[e.Text("channel")]
		if strings.HasPrefix(l.text, "Do you know someone who uses a bot?") {
			return l, false // DDNet's server marks it by the number of nobody
		}
	case "kill":
		l.kind, l.who = "kill", e.Number("victim", "client_num")
		killer, special := e.Number("killer", "client_num"), max(0, e.Number("mode_special"))
		if e.Text("world") == "true" {
			killer = l.who
		}
		weapon, _ := strconv.Atoi(e.Text("means_of_death"))
		l.text = fmt.Sprintf("killer=%d weapon=%d special=%d", killer, weapon, special)
	case "flag":
		if l.text = e.Text("action"); l.text == "taken" || l.text == "captured" {
			l.kind = "flag"
		}
	case "team":
		l.kind, l.text = "team", e.Text("old_team")+"->"+e.Text("team")
	case "disconnect":
		l.kind, l.text = "leave", ""
	case "rcon":
		if _, auth := e.Value("password"); !auth {
			l.kind, l.text = "rcon", e.Text("command")
		}
	case "rcon_granted":
		l.kind, l.text = "authed", ""
	}
	return l, l.kind != ""
}

// compare compares what a visit and the log have of some kinds, and counts it.
func (v *teeVisit) compare(t *testing.T, log []teeLine, kinds []string, count map[string]int) {
	t.Helper()
	const late = 7 // seconds until a lost message is there
	used := make([]bool, len(log))
	for _, got := range v.reported {
		if !slices.Contains(kinds, got.kind) || got.who < 0 && got.kind == "authed" { // the client does not know itself yet
			continue
		}
		same := -1
		for i, l := range log {
			if !used[i] && l.String() == got.String() && got.at > l.at-1 && got.at < l.at+late {
				same = i
				break
			}
		}
		switch {
		case same >= 0:
			used[same] = true
			count[got.kind]++
		case got.kind == "console": // said to this client alone
		case got.kind == "rcon" && got.text == "crashmeplx": // how DDNet's client sends its version; not in the log
		default:
			t.Errorf("stream %d: the log does not have %.1f %v", v.stream, got.at, got)
		}
	}
	for i, l := range log {
		needed := l.who == v.own && (l.kind == "rcon" || l.kind == "authed")
		if l.kind != "team chat" && l.kind != "rcon" && l.kind != "authed" {
			needed = slices.Contains(kinds, l.kind)
		}
		if needed && !used[i] && v.own >= 0 && l.at > v.first+1 && l.at < v.last-1 {
			t.Errorf("stream %d: not reported: %.1f %v", v.stream, l.at, l)
		}
	}
}

// teeworldsEvents returns the events of a capture.
func teeworldsEvents(t *testing.T, name string, each func(e reftest.Event)) {
	t.Helper()
	e := reftest.NewEventEngine(t, each, teeworlds.New())
	reftest.Packets(t, name, func(p *dissect.Packet) {
		if err := e.Packet(p); err != nil {
			t.Error(err)
		}
	})
	reftest.Close(t, e)
}
