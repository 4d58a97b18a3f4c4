package truth_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/teeworlds"
)

// logRows find in a server's log what events of its teehistorian file say too, as "kind values".
var logRows = []struct {
	line *regexp.Regexp
	kind string
}{
	{regexp.MustCompile(`chat: \*\*\* '(.*)' entered and joined the game$`), "connect"},
	{regexp.MustCompile(`chat: \*\*\* '(.*)' changed name to '(.*)'$`), "rename"},
	{regexp.MustCompile(`server: Client[Ii][Dd]=(\d+) authed with key=`), "rcon_granted"},
	{regexp.MustCompile(`chat: \*\*\* (.*) finished in: (\d+) minute\(s\) +([0-9.]+) second\(s\)$`), "race_finish"},
	{regexp.MustCompile(`game: leave player='\d+:(.*)'$`), "disconnect"},
	{regexp.MustCompile(`rcon='kick \d+ (.*)'$`), "kicked"},
}

// TestTeehistorianEvents compares events with the servers' logs: who came, was renamed, logged in to rcon, finished and
// left. 16.4 does not record finishes.
func TestTeehistorianEvents(t *testing.T) {
	t.Parallel()
	for session, files := range map[string]int{
		"th16-full": 2, "th16-sixup": 1, "th16-race": 1, "th16-team": 1,
		"th20-full": 2, "th20-race": 1, "th20-team": 1,
	} {
		t.Run(session, func(t *testing.T) {
			t.Parallel()
			folder := reference.Folder(t, "captures", "teehistorian", "sessions")
			want := map[string][]string{}
			for line := range bytes.Lines(reference.Read(t, filepath.Join(folder, session+".d", "srv.log.gz"))) {
				for _, row := range logRows {
					if m := row.line.FindStringSubmatch(strings.TrimRight(string(line), "\n")); m != nil {
						want[row.kind] = append(want[row.kind], logWords(row.kind, m[1:]))
					}
				}
			}
			if strings.HasPrefix(session, "th16") {
				delete(want, "race_finish")
			}
			got := map[string][]string{}
			for i := range files {
				addHistorianEvents(t, want, got, filepath.Join(folder, fmt.Sprintf("%s.%d.teehistorian", session, i)), i > 0)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-log +events):\n%s", diff)
			}
		})
	}
}

func logWords(kind string, m []string) string {
	if kind == "race_finish" {
		minutes, _ := strconv.Atoi(m[1])
		seconds, _ := strconv.ParseFloat(m[2], 64)
		return fmt.Sprint(m[0], " ", int(float64(minutes)*60_000+seconds*1000+0.5))
	}
	return strings.TrimSpace(strings.Join(m, " "))
}

// addHistorianEvents adds the events that the log has too. In the files of later maps those who were in the game come
// and are logged in again.
func addHistorianEvents(t *testing.T, want, got map[string][]string, name string, later bool) {
	t.Helper()
	for rec, err := range open.Records(name, []*dissect.Protocol{teeworlds.New()}, dissect.Options{Events: true}) {
		if err != nil {
			t.Fatal(err)
		}
		for e := range rec.Events.Top().Children() {
			kind, client := e.Get("event").String(), e.Get("client")
			words := client.Get("name").String()
			switch kind {
			case "connect":
				if later {
					continue
				}
			case "rename":
				words = e.Get("old_name").String() + " " + words
			case "rcon_granted":
				if words = client.Get("client_num").String(); later {
					continue
				}
			case "race_finish":
				words += " " + e.Get("finish_time").String()
			case "disconnect":
				// Of a kick by rcon the log has the command, and no line about who left.
				if e.Get("kicked").Bool() && len(want["kicked"]) > 0 {
					kind, words = "kicked", strings.TrimSuffix(strings.TrimPrefix(e.Get("reason").String(), "Kicked ("), ")")
				}
			default:
				continue
			}
			got[kind] = append(got[kind], words)
		}
	}
}
