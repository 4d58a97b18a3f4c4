package events_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// TestEventsOfDerivedGames compares what the first client of a capture heard, which was there all the time, with the
// server's log: kills, chat, items, votes, comings. The number of lines shows that all of the log is compared.
func TestEventsOfDerivedGames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		lines int
	}{
		{"et-84-play", 11},
		{"rtcw-60-61-play", 20},
		{"jka-26-play", 17},
		{"jka-26-vehicle", 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			folder := reference.Folder(t, "captures", "idtech3")
			want := derivedLog(t, filepath.Join(folder, tt.name+".server.log"), tt.name[:3])
			var got []string
			dissectEvents(t, filepath.Join(folder, tt.name+".pcap"), func(int, int) {}, func(stream int, e reftest.Event) {
				if line := derivedLine(e, tt.name[:3]); line != "" && stream == 0 {
					got = append(got, line)
				}
			})
			if diff := cmp.Diff(want, got); diff != "" || len(got) != tt.lines {
				t.Errorf("%d lines (-log +events):\n%s", len(got), diff)
			}
		})
	}
}

// derivedLogForms are the lines of the logs, and what they are in common. Academy logs what it broadcasts.
var derivedLogForms = []struct {
	form *regexp.Regexp
	line string
}{
	{regexp.MustCompile(`(?:^| )Kill: (\d+ \d+ \d+): `), "kill $1"},
	{regexp.MustCompile(`(?:^| )say: (.*)$`), "say $1"},
	{regexp.MustCompile(`(?:^| )sayteam: (.*)$`), "team $1"},
	{regexp.MustCompile(`(?:^| )saybuddy: (.*)$`), "fireteam $1"},
	{regexp.MustCompile(`(?:^| )say_limbo: (.*)$`), "limbo $1"},
	{regexp.MustCompile(`(?:^| )tell: (.*)$`), "tell $1"},
	{regexp.MustCompile(`(?:^| )Item: (.*)$`), "item $1"},
	{regexp.MustCompile(`broadcast: print "(.*)\^7 @@@PLCALLEDVOTE \((.*)\)`), "vote called $1: $2"},
	{regexp.MustCompile(`broadcast: print "(.*) called a vote\.`), "vote called $1: map_restart"},
	{regexp.MustCompile(`broadcast: print "@@@VOTEPASSED \((.*)\)`), "vote passed: $1"},
	{regexp.MustCompile(`broadcast: print "Vote failed\.`), "vote failed: map_restart"},
	{regexp.MustCompile(`ClientRename: \d+ .*\(NOGUID\) "(.*)\^7" -> "(.*)\^7"`), "rename $1 to $2"},
}

// derivedLog reads a log.
func derivedLog(t *testing.T, name, game string) (lines []string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		text := s.Text()
		if game == "jka" { // Latin-1
			text = ""
			for _, b := range s.Bytes() {
				text += string(rune(b))
			}
		}
		for _, l := range derivedLogForms {
			if m := l.form.FindStringSubmatchIndex(text); m != nil {
				lines = append(lines, string(l.form.ExpandString(nil, l.line, text, m)))
				break
			}
		}
	}
	return lines
}

// derivedLine returns an event as derivedLog has it. Enemy Territory's log has kills and items of matches alone.
func derivedLine(e reftest.Event, game string) string {
	_, inMatch := e["match"]
	name := func(key string) string {
		if game == "et-" { // its log has no colours
			return e.Text(key, "name_clean")
		}
		return e.Text(key, "name")
	}
	switch kind := e.Kind(); {
	case game == "et-" && !inMatch && (kind == "kill" || kind == "pickup"):
	case kind == "kill":
		killer := e.Number("killer", "client_num")
		if e.Text("world") == "true" {
			killer = 1022
		}
		return fmt.Sprintf("kill %d %d %d", killer, e.Number("victim", "client_num"), e.Number("means_of_death"))
	case kind == "chat" && (e.Text("voice") != "" || e.Text("channel") == "console"):
	case kind == "chat" && e.Text("channel") == "tell":
		return fmt.Sprintf("tell %s to %s: %s", name("client"), name("target"), e.Text("text"))
	case kind == "chat":
		return fmt.Sprintf("%s %s: %s", e.Text("channel"), name("client"), e.Text("text"))
	case kind == "pickup":
		return fmt.Sprintf("item %d item_%s", e.Number("client", "client_num"),
			strings.TrimPrefix(e.Text("item_name"), "item_"))
	case kind == "vote" && e.Text("action") == "called":
		return fmt.Sprintf("vote called %s: %s", name("client"), e.Text("text"))
	case kind == "vote" && e.Text("action") != "cast":
		return fmt.Sprintf("vote %s: %s", e.Text("action"), e.Text("text"))
	case kind == "rename" && game == "jka":
		return fmt.Sprintf("rename %s to %s", e.Text("old_name"), name("client"))
	}
	return ""
}
