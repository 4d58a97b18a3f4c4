package events_test

import (
	"bufio"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// A gameLog is what a server wrote of its games.
type gameLog struct {
	hostname string
	sections []*logSection
}

// A logSection is one map, its restarts included.
type logSection struct {
	mapName string
	lines   []logLine
}

// A logLine is one line: "  1:05 Kill: 0 2 10: Sarge killed Sergei by MOD_RAILGUN" is second 65, what "Kill"
// and text "0 2 10: Sarge killed Sergei by MOD_RAILGUN".
type logLine struct {
	second int
	what   string
	text   string
	need   bool // of a comparison: the client must have heard of it
}

var logLineForm = regexp.MustCompile(`^ *(\d+):(\d\d) (\w+): ?(.*)$`)

// readGameLogs reads the logs of servers.
func readGameLogs(t *testing.T, files []string) []*gameLog {
	t.Helper()
	var logs []*gameLog
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		l := &gameLog{}
		for s := bufio.NewScanner(f); s.Scan(); {
			if m := logLineForm.FindStringSubmatch(s.Text()); m != nil {
				minutes, _ := strconv.Atoi(m[1])
				seconds, _ := strconv.Atoi(m[2])
				l.add(logLine{second: minutes*60 + seconds, what: m[3], text: m[4]})
			}
		}
		logs = append(logs, l)
	}
	return logs
}

// add adds a line; a game that begins at time 0 is another map, one that begins later the same, restarted.
func (l *gameLog) add(line logLine) {
	if line.what == "InitGame" {
		info := []byte(line.text)
		l.hostname = string(dissect.InfoValue(info, "sv_hostname"))
		if line.second == 0 || len(l.sections) == 0 {
			l.sections = append(l.sections, &logSection{mapName: string(dissect.InfoValue(info, "mapname"))})
		}
		return
	}
	if n := len(l.sections); n > 0 {
		s := l.sections[n-1]
		s.lines = append(s.lines, line)
	}
}

// compare compares everything that the log and the visit both have, and counts it.
func (v *visit) compare(t *testing.T, count *loggedCounts) {
	t.Helper()
	if v.last == 0 {
		return // the client was gone before it was in the game
	}
	const late = 6 // seconds that a command may wait for a connection to come back
	count.kills += v.match(t, "kills", 1, v.logged("Kill", killOfLog), v.reported("kill", func(e reftest.Event) string {
		killer := e.Number("killer", "client_num")
		if e.Text("world") == "true" {
			killer = 1022
		}
		return strings.Join([]string{
			strconv.Itoa(killer), strconv.Itoa(e.Number("victim", "client_num")), strconv.Itoa(e.Number("means_of_death")),
			e.Text("victim", "name"), "MOD_" + strings.ToUpper(e.Text("means_of_death_name")),
		}, " ")
	}))
	count.chat += v.match(t, "chat", late, v.loggedChat(), v.reported("chat", func(e reftest.Event) string {
		switch {
		case e.Text("voice") != "" || e.Text("channel") == "console" || e.Text("client", "name") == "":
			return "" // not in the log
		case e.Text("channel") == "tell":
			return "tell " + e.Text("client", "name") + " to " + e.Text("target", "name") + ": " + e.Text("text")
		}
		return e.Text("channel") + " " + e.Text("client", "name") + ": " + e.Text("text")
	}))
	count.renames += v.match(t, "renames", late, v.loggedNames(), v.reported("rename", func(e reftest.Event) string {
		return e.Text("client", "client_num") + " " + e.Text("old_name") + " > " + e.Text("client", "name")
	}))
	count.flags += v.match(t, "flags", late, v.logged("CTF", flagOfLog), v.reported("flag", func(e reftest.Event) string {
		if e.Text("client", "client_num") == "" {
			return "" // dropped: not in the log
		}
		return e.Text("client", "client_num") + " " + e.Text("action") + " " + e.Text("flag")
	}))
	count.players += v.match(t, "comings and goings", late, v.loggedPlayers(), v.reportedPlayers())
	count.items += v.compareItems(t)
}

// killOfLog reads "0 2 10: Sarge killed Sergei by MOD_RAILGUN". Only players have an attacker's number.
func killOfLog(text string) string {
	numbers, words, _ := strings.Cut(text, ": ")
	_, words, _ = strings.Cut(words, " killed ")
	victim, means, _ := strings.Cut(words, " by ")
	return numbers + " " + victim + " " + means
}

var flagLog = regexp.MustCompile(`^(\d+) .* (got|captured|returned) the (RED|BLUE) flag!$`)

// flagOfLog reads "1 2 0: Gargoyle got the BLUE flag!".
func flagOfLog(text string) string {
	m := flagLog.FindStringSubmatch(text)
	if m == nil {
		return "" // a carrier was killed
	}
	action := map[string]string{"got": "taken"}[m[2]]
	if action == "" {
		action = m[2]
	}
	return m[1] + " " + action + " " + strings.ToLower(m[3])
}

// logged returns the log's lines of one kind in the form of a visit's; "" is left out.
func (v *visit) logged(what string, line func(text string) string) []logLine {
	var list []logLine
	for _, l := range v.section.lines {
		if l.what == what {
			if text := line(l.text); text != "" {
				list = append(list, logLine{second: l.second, text: text, need: true})
			}
		}
	}
	return list
}

// loggedChat returns the lines of chat that the client may have seen.
func (v *visit) loggedChat() []logLine {
	var list []logLine
	names := map[string]bool{}
	for _, e := range v.events {
		if e.Text("own") == "true" || e.Kind() == "map_start" {
			names[e.Text("client", "name")] = true
		}
	}
	for _, l := range v.section.lines {
		speaker, _, _ := strings.Cut(l.text, ": ")
		switch l.what {
		case "say":
			list = append(list, logLine{second: l.second, text: "say " + l.text, need: true})
		case "sayteam": // to team mates alone
			list = append(list, logLine{second: l.second, text: "team " + l.text, need: names[speaker]})
		case "tell":
			from, to, _ := strings.Cut(speaker, " to ")
			if names[from] || names[to] {
				list = append(list, logLine{second: l.second, text: "tell " + l.text, need: true})
			}
		}
	}
	return list
}

// loggedNames returns the changes of names.
func (v *visit) loggedNames() []logLine {
	var list []logLine
	names := map[string]string{} // by client number
	for _, l := range v.section.lines {
		client, info, _ := strings.Cut(l.text, " ")
		switch l.what {
		case "ClientDisconnect":
			delete(names, client)
		case "ClientUserinfoChanged":
			name := string(dissect.InfoValue([]byte(info), "n"))
			if old, ok := names[client]; ok && old != name {
				list = append(list, logLine{second: l.second, text: client + " " + old + " > " + name, need: true})
			}
			names[client] = name
		}
	}
	return list
}

// loggedPlayers returns who came and went. The log connects everybody again when a map is restarted.
func (v *visit) loggedPlayers() []logLine {
	var list []logLine
	there := map[string]bool{}
	for _, l := range v.section.lines {
		switch {
		case l.what == "ClientConnect" && !there[l.text]:
			there[l.text] = true
			list = append(list, logLine{second: l.second, text: l.text + " connect", need: true})
		case l.what == "ClientDisconnect":
			delete(there, l.text)
			list = append(list, logLine{second: l.second, text: l.text + " disconnect", need: true})
		}
	}
	return list
}

func (v *visit) reportedPlayers() []logLine {
	var list []logLine
	for _, e := range v.events {
		second := e.Number("server_time")
		if second < 0 || e.Kind() != "connect" && e.Kind() != "disconnect" || e.Text("reason") == "Server quit" {
			continue // the client's own coming shows in the gamestate, before its game's clock runs
		}
		list = append(list, logLine{second: second / 1000, text: e.Text("client", "client_num") + " " + e.Kind()})
	}
	return list
}

// compareItems compares what was picked up, player by player. The client sees its own pick-ups and those
// of others in its view; what it does show must be true.
func (v *visit) compareItems(t *testing.T) (compared int) {
	t.Helper()
	byPlayer := func(list []logLine) map[string][]logLine {
		m := map[string][]logLine{}
		for _, l := range list {
			client, _, _ := strings.Cut(l.text, " ")
			m[client] = append(m[client], l)
		}
		return m
	}
	reported := byPlayer(v.reported("pickup", func(e reftest.Event) string {
		if e.Text("global") == "true" {
			return ""
		}
		return e.Text("client", "client_num") + " " + e.Text("item_name")
	}))
	logged := byPlayer(v.logged("Item", strings.ToLower))
	for client, list := range reported {
		want := logged[client]
		for i, l := range want {
			// The queue of the player state holds two events. Where the connection stood still the client runs
			// through more than that in one step of the game.
			want[i].need = client == strconv.Itoa(v.own) && v.seen(l.second-1) && v.seen(l.second-2)
		}
		compared += v.match(t, "items of "+client, 1, want, list)
	}
	return compared
}

// match compares two lists in their order. Log lines are left out freely outside of the time that the
// client is in the game, where it may have missed them, and where there is no need for them. The log's clock
// is that of the game's last step, up to a second before; events may come so many seconds late.
func (v *visit) match(t *testing.T, what string, late int, logged, reported []logLine) (compared int) {
	t.Helper()
	skip := func(l logLine) {
		if l.need && v.seen(l.second) {
			t.Errorf("stream %d, %s, %s: second %d is not reported: %s", v.stream, v.section.mapName, what, l.second, l.text)
		}
	}
	for _, got := range reported {
		same := slices.IndexFunc(logged, func(l logLine) bool {
			return l.text == got.text && l.second >= got.second-late && l.second <= got.second+late
		})
		if same < 0 {
			t.Errorf("stream %d, %s, %s: the log does not have second %d: %s", v.stream, v.section.mapName,
				what, got.second, got.text)
			continue
		}
		for _, l := range logged[:same] {
			skip(l)
		}
		compared++
		logged = logged[same+1:]
	}
	for _, l := range logged {
		skip(l)
	}
	return compared
}
