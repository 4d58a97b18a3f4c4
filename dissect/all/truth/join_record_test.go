package truth_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/view/merge"
)

// raceSessions are the sessions of DDNet with what their servers recorded.
var raceSessions = []string{
	"th16-full", "th16-killed", "th16-race", "th16-sixup", "th16-team", "th20-full", "th20-race", "th20-team",
}

// TestJoinServerRecord joins captures with the servers' own records of the same sessions. Commands that both have are
// counted by an independent reader of both; it is beside the captures.
func TestJoinServerRecord(t *testing.T) {
	t.Parallel()
	dir := reference.Folder(t, "captures", "teehistorian", "sessions")
	for _, session := range raceSessions {
		t.Run(session, func(t *testing.T) {
			t.Parallel()
			records, err := filepath.Glob(filepath.Join(dir, session+".[0-9].teehistorian"))
			if err != nil || len(records) == 0 {
				t.Fatal(records, err)
			}
			list, summary := joinedWithRecords(t, filepath.Join(dir, session+".pcap"), records...)
			if len(summary) != len(records) {
				t.Errorf("%d records, %q", len(records), summary)
			}
			both := map[string]int{}
			for _, h := range list {
				if len(h.Recordings) > 1 && slices.Contains(h.Recordings, 0) {
					both[h.Kind]++
				}
			}
			want := crosschecked(t, filepath.Join(dir, session+".crosscheck.json"))
			if diff := cmp.Diff(want, map[string]int{"chat_command": both["chat_command"], "rcon": both["rcon"]}); diff != "" {
				t.Errorf("commands in both (-independent +joined):\n%s", diff)
			}
			if both["kill"] == 0 || both["connect"] == 0 {
				t.Errorf("in both: %v", both)
			}
		})
	}
}

// TestServerRecordOfAnotherSession: two sessions of one script, on one map by players of the same names, differ by some
// hundred milliseconds.
func TestServerRecordOfAnotherSession(t *testing.T) {
	t.Parallel()
	dir := reference.Folder(t, "captures", "teehistorian", "sessions")
	for _, capture := range raceSessions {
		for _, record := range raceSessions {
			if capture == record {
				continue
			}
			_, _, err := joinWithRecords(filepath.Join(dir, capture+".pcap"), filepath.Join(dir, record+".0.teehistorian"))
			if err == nil {
				t.Errorf("%s.pcap was joined with %s.0.teehistorian", capture, record)
			}
		}
	}
}

// joinedWithRecords joins a capture or demo with a server's records.
func joinedWithRecords(t *testing.T, view string, records ...string) (list []*merge.Joined, summary []string) {
	t.Helper()
	list, summary, err := joinWithRecords(view, records...)
	if err != nil {
		t.Fatal(err)
	}
	return list, summary
}

// joinWithRecords is joinedWithRecords with its error. One of the records may lack its end.
func joinWithRecords(view string, records ...string) ([]*merge.Joined, []string, error) {
	j := merge.NewJoin(func(*dissect.Record, int) ([]byte, int) { return nil, 0 }, nil)
	for _, name := range append([]string{view}, records...) {
		j.Begin(name)
		for rec, err := range open.Records(name, all.Protocols(), dissect.Options{Events: true}) {
			if err != nil {
				break
			}
			j.Add(rec)
		}
	}
	return j.Result()
}

// crosschecked returns how many commands are in a capture and in the server's record.
func crosschecked(t *testing.T, name string) map[string]int {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var check struct {
		Clients map[string]struct {
			Clients map[string]struct{ Chat, RCON struct{ Matched int } }
		}
	}
	if err := json.Unmarshal(text, &check); err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, file := range check.Clients {
		for _, c := range file.Clients {
			count["chat_command"] += c.Chat.Matched
			count["rcon"] += c.RCON.Matched
		}
	}
	return count
}

// TestJoinDemoWithServerRecord joins a demo of DDNet's client with what the server recorded: teams of the race, who
// came, kills.
func TestJoinDemoWithServerRecord(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(reference.Folder(t, "captures", "teeworlds"), "dd06-full.d")
	record := filepath.Join(dir, "srv.teehistorian__65c1aac0-1667-4d37-b8be-2eff60372c4d.teehistorian")
	list, summary := joinedWithRecords(t, filepath.Join(dir, "emil.labtsunami_2026-11-21_07-22-41.demo"), record)
	both := map[string]int{}
	for _, h := range list {
		if len(h.Recordings) > 1 {
			both[h.Kind]++
		}
		// the record has no kill of a player who becomes a spectator
		if (h.Kind == "kill" && !strings.HasSuffix(h.Info, "died (game)") || h.Kind == "race_team") &&
			slices.Equal(h.Recordings, []int{0}) {
			t.Errorf("only the demo has %s: %s", h.Kind, h.Info)
		}
	}
	if both["race_team"] < 2 || len(summary) != 1 {
		t.Errorf("in both: %v; %q", both, summary)
	}
}

// TestMergeTwoAddresses merges the streams of servers whose clients come over IPv4 and IPv6: each finish once, as in
// the server's log.
func TestMergeTwoAddresses(t *testing.T) {
	t.Parallel()
	finished := regexp.MustCompile(`I chat: \*\*\* (\S+) finished in:`)
	dir := reference.Folder(t, "captures", "teehistorian", "sessions")
	for _, session := range []string{"th16-race", "th16-team", "th20-race", "th20-team"} {
		var want, got []string
		for s := reference.Lines(t, filepath.Join(dir, session+".d", "srv.log.gz")); s.Scan(); {
			if m := finished.FindStringSubmatch(s.Text()); m != nil {
				want = append(want, m[1])
			}
		}
		m := merge.NewMerge()
		m.Render = func(rec *dissect.Record, event int) ([]byte, int) {
			return []byte(rec.Events.At(event).Get("client").Get("name").String()), 0
		}
		m.Show = func(dst []byte, h *merge.Happening) []byte {
			if h.Kind == "race_finish" {
				if got = append(got, string(h.Text)); !slices.Equal(h.Streams, []int{0, h.Streams[len(h.Streams)-1]}) {
					t.Errorf("%s: a finish that streams %v show", session, h.Streams)
				}
			}
			return dst
		}
		for rec, err := range open.Records(filepath.Join(dir, session+".pcap"), all.Protocols(),
			dissect.Options{Events: true}) {
			if err != nil {
				t.Fatal(err)
			}
			m.Add(nil, rec)
		}
		m.Flush(nil)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: finishes (-log +merged):\n%s", session, diff)
		}
	}
}
