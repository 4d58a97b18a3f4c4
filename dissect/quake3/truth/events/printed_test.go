package events_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// TestEventsOfPrintedLines compares the events of Medal of Honor's captures and demos with the commands that
// OpenMoHAA's own code read in the same messages: each command once, in the order of the first message with it. The
// number of lines shows that all of them are compared.
func TestEventsOfPrintedLines(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		folder, name string
		lines        int
	}{
		{"captures", "mohaa-6-play.pcap", 39},
		{"captures", "mohaa-8-play.pcap", 71},
		{"captures", "mohaa-15-play.pcap", 39},
		{"captures", "mohaa-17-play.pcap", 71},
		{"demos", "mohaa-6-play.client1.dm_6", 1},
		{"demos", "mohaa-8-play.client1.dm_8", 13},
		{"demos", "mohaa-15-play.client1.dm_15", 1},
		{"demos", "mohaa-17-play.client1.dm_17", 13},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			name := filepath.Join(reference.Folder(t, tt.folder, "mohaa"), tt.name)
			want, got := printedLines(t, strings.TrimSuffix(name, ".pcap")+".truth.jsonl.gz"), map[int][]string{}
			if tt.folder == "demos" { // whose first gamestate has no players: one who changes the team there connects
				want[0] = slices.DeleteFunc(want[0], func(line string) bool { return line == "joined Söldner: Axis" })
			}
			keep := func(stream int, e reftest.Event) {
				if line := printedEvent(e); line != "" {
					got[stream] = append(got[stream], line)
				}
			}
			if tt.folder == "demos" {
				eventsOfDemo(t, name, func(e reftest.Event) { keep(0, e) })
			} else {
				dissectEvents(t, name, func(int, int) {}, keep)
			}
			count := 0
			for _, lines := range got {
				count += len(lines)
			}
			if diff := cmp.Diff(want, got); diff != "" || count != tt.lines {
				t.Errorf("%d lines (-truth +events):\n%s", count, diff)
			}
		})
	}
}

// labPlayer is a name of the players in these captures.
const labPlayer = `(Pvt\. Ryan|Sgt\. Ryan|\[LAB\]Otto \x{81}\.d|Söldner)`

// printedForms are the commands, and what events are in common with them.
var printedForms = []struct {
	form *regexp.Regexp
	line string
}{
	{regexp.MustCompile(`^printdeathmsg "(.*?)""(.*?)""x""(.*?)" [sS]$`), "kill none > $3 suicide"},
	{regexp.MustCompile(`^printdeathmsg "(.*?)""(.*?)""(.*?)""(.*?)" [pP]$`), "kill $3 > $4"},
	{regexp.MustCompile(`^print "\x04` + labPlayer + ` (took himself out of commission)\n"$`), "kill none > $1 suicide"},
	{regexp.MustCompile(`^print "\x04` + labPlayer + ` (.*) ` + labPlayer + `\n"$`), "kill $3 > $1"},
	{regexp.MustCompile(`^print "\x02(?: |\(all\) )` + labPlayer + `: (.*)\n"\n$`), "say $1: $2"},
	{regexp.MustCompile(`^print "\x02\(team\) ` + labPlayer + `: (.*)\n"\n$`), "team $1: $2"},
	{regexp.MustCompile(`^print "\x02\(private\) ` + labPlayer + `: (.*)\n"\n$`), "tell $1: $2"},
	{regexp.MustCompile(`^print "\x02Message to player 2:\n"$`), "tell Pvt. Ryan: psst"},
	{regexp.MustCompile(`^print "\x03` + labPlayer + ` has entered the battle\n"$`), "enter $1"},
	{regexp.MustCompile(`^print "\x03` + labPlayer + ` has joined the (Axis|Allies)\n"$`), "joined $1: $2"},
	{regexp.MustCompile(`^print "\x03` + labPlayer + ` has changed name to ` + labPlayer + `\n"$`), "rename $1 to $2"},
	{regexp.MustCompile(`^print "\x03` + labPlayer + ` called a vote\n"$`), "vote called $1"},
	{regexp.MustCompile(`^voteresult (passed|failed)$`), "vote $1"},
	{regexp.MustCompile(`^scores `), "scores"},
	{regexp.MustCompile(`^print "` + labPlayer + ` disconnected\n"$`), "left $1"},
}

// printedLines reads a truth file: the lines of each session.
func printedLines(t *testing.T, name string) map[int][]string {
	t.Helper()
	lines, seen, called := map[int][]string{}, map[string]bool{}, map[int]bool{}
	s := reference.Lines(t, name)
	for s.Scan() {
		var row struct {
			Session int    `json:"sess"`
			Dir     string `json:"dir"`
			Ops     []struct {
				Op   string `json:"op"`
				Num  int    `json:"num"`
				Text string `json:"text"`
			} `json:"ops"`
		}
		if err := json.Unmarshal(s.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		for _, op := range row.Ops {
			id := fmt.Sprint(row.Session, op.Num)
			if op.Op != "servercommand" || seen[id] {
				continue
			}
			seen[id] = true
			for _, f := range printedForms {
				m := f.form.FindStringSubmatchIndex(op.Text)
				if m == nil {
					continue
				}
				line := string(f.form.ExpandString(nil, f.line, op.Text, m))
				switch {
				case strings.HasPrefix(line, "vote called"):
					called[row.Session] = true
				case strings.HasPrefix(line, "vote"):
					if !called[row.Session] { // the lab's server announces a second outcome
						line = ""
					}
					called[row.Session] = false
				}
				if line != "" {
					lines[row.Session] = append(lines[row.Session], line)
				}
				break
			}
		}
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}

// printedEvent returns an event as printedLines has it.
func printedEvent(e reftest.Event) string {
	name := func(key string) string { return e.Text(key, "name") }
	switch e.Kind() {
	case "kill":
		killer, suicide := "none", ""
		if _, ok := e.Value("killer", "name"); ok {
			killer = name("killer")
		}
		if _, ok := e.Value("suicide"); ok {
			suicide = " suicide"
		}
		return "kill " + killer + " > " + name("victim") + suicide
	case "chat":
		return e.Text("channel") + " " + name("client") + ": " + e.Text("text")
	case "enter":
		return "enter " + name("client")
	case "team":
		team := e.Text("team_name")
		return "joined " + name("client") + ": " + strings.ToUpper(team[:1]) + team[1:]
	case "rename":
		return "rename " + e.Text("old_name") + " to " + name("client")
	case "vote":
		if action := e.Text("action"); action == "called" {
			return "vote called " + name("client")
		} else if action != "cast" {
			return "vote " + action
		}
	case "scoreboard":
		return "scores"
	case "disconnect":
		return "left " + name("client")
	}
	return ""
}
