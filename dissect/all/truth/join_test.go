package truth_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/view/merge"
)

// joinedOf joins recordings, whose clocks are moved by some milliseconds.
func joinedOf(t *testing.T, names []string, moved ...int64) ([]*merge.Joined, []string, error) {
	t.Helper()
	j := merge.NewJoin(func(rec *dissect.Record, event int) ([]byte, int) {
		return render.AppendMergedEvent(nil, rec, event, render.JSON{})
	}, nil)
	for i, name := range names {
		j.Begin(name)
		for rec, err := range open.Records(name, all.Protocols(), dissect.Options{Events: true}) {
			if err != nil {
				t.Fatal(name, err)
			}
			if i < len(moved) {
				move(rec, moved[i])
			}
			j.Add(rec)
		}
	}
	return j.Result()
}

// move moves the clock of the game in the events of a record.
func move(rec *dissect.Record, by int64) {
	for at := 0; at < len(rec.Events.Nodes); at = int(rec.Events.Nodes[at].End) {
		for _, key := range []string{"server_time", "start_time", "end_time", "starts_at"} {
			if n := rec.Events.Find(at, key); n >= 0 {
				rec.Events.Replace(n, uint64(rec.Events.Nodes[n].Int()+by))
			}
		}
	}
}

// lines are what the happenings say, without what depends on the recording.
func lines(list []*merge.Joined) (text []string) {
	for _, h := range list {
		var e struct {
			Match *int64 `json:"match"`
			Time  *int64 `json:"server_time"`
		}
		if err := json.Unmarshal(h.Text, &e); err != nil {
			return []string{err.Error() + ": " + string(h.Text)}
		}
		match, time := int64(-1), int64(-1)
		if e.Match != nil {
			match = *e.Match
		}
		if e.Time != nil {
			time = *e.Time
		}
		text = append(text, fmt.Sprint(h.Kind, " ", time, " match ", match, ": ", h.Info))
	}
	slices.Sort(text)
	return text
}

// TestJoinEqualsCapture: a capture together with the demos of all its clients is the game that the capture alone shows,
// and every event of a demo is one of the capture's.
func TestJoinEqualsCapture(t *testing.T) {
	t.Parallel()
	dir := reference.Folder(t, "captures", "quake3")
	for capture, demos := range map[string]string{
		"q3-multi-3clients-2servers.pcap": "q3-multi.client*.dm_*[0-9]",
		"q3-71-connect-play.pcap":         "q3-71-connect-play.client.demo*.dm_71",
		"q3-68-loss-serverside.pcap":      "q3-68-loss.client.demo1.dm_68",
	} {
		names, err := filepath.Glob(filepath.Join(dir, demos))
		if err != nil || len(names) == 0 {
			t.Fatal(names, err)
		}
		capture = filepath.Join(dir, capture)
		want, _, err := joinedOf(t, []string{capture})
		if err != nil {
			t.Fatal(err)
		}
		for _, moved := range [][]int64{nil, {0, 7000}} {
			got, summary, err := joinedOf(t, append([]string{capture}, names...), moved...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(lines(want), lines(got)); diff != "" {
				t.Errorf("%s, clocks moved by %v (-capture +with demos)\n%s", capture, moved, diff)
			}
			if moved != nil && !strings.Contains(summary[0], "its clock +7000 ms") {
				t.Errorf("the clock that was moved by 7 s: %q", summary)
			}
			alone := 0
			for _, h := range got {
				if len(h.Recordings) == 1 && h.Recordings[0] != 0 {
					alone++
					t.Errorf("only %v has %s: %s", h.Recordings, h.Kind, h.Info)
				}
			}
			if len(summary) != len(names) {
				t.Errorf("%d demos: %q", len(names), summary)
			}
		}
	}
}

// TestJoinDemos: demos of three clients together have what the capture shows of these clients: kills, chat, teams, what
// was picked up. What one of them alone was told is there too.
func TestJoinDemos(t *testing.T) {
	t.Parallel()
	dir := reference.Folder(t, "captures", "quake3")
	server := "127.0.0.1:28100" // the first of two
	var names []string
	for _, name := range []string{"client1.demo1.dm_71", "client2.demo1.dm_71", "client3.demo1.dm_68"} {
		names = append(names, filepath.Join(dir, "q3-multi."+name))
	}
	capture, _, err := joinedOf(t, []string{filepath.Join(dir, "q3-multi-3clients-2servers.pcap")})
	if err != nil {
		t.Fatal(err)
	}
	demos, _, err := joinedOf(t, names)
	if err != nil {
		t.Fatal(err)
	}
	kinds := []string{"kill", "chat", "team", "pickup", "score", "rename", "vote", "scoreboard"}
	chosen := func(list []*merge.Joined, from int64) (text []string) {
		var some []*merge.Joined
		for _, h := range list {
			// A demo does not have what its client is sent after it has left, which is of no match.
			if slices.Contains(kinds, h.Kind) && h.Time >= from && strings.Contains(string(h.Text), `"match":`) &&
				(len(h.Recordings) > 1 || !strings.Contains(string(h.Text), `"server":"`) ||
					strings.Contains(string(h.Text), `"server":"`+server)) {
				some = append(some, h)
			}
		}
		for _, line := range lines(some) {
			text = append(text, strings.Replace(line, " → MultiTwo", "", 1)) // a demo has no target of a tell
		}
		return text
	}
	const begun = 9_080 // ms: after the first snapshot of the first demo
	want, got := chosen(capture, begun), chosen(demos, begun)
	if diff := cmp.Diff(want, got); diff != "" || len(want) < 50 {
		t.Errorf("%d events (-capture +demos)\n%s", len(want), diff)
	}
}

// TestJoinRefused: recordings of other matches are not joined, also of the same map and the same players.
func TestJoinRefused(t *testing.T) {
	t.Parallel()
	dir := reference.Folder(t, "captures", "quake3")
	for _, c := range []struct{ a, b, want string }{
		{"q3-68-connect-play.pcap", "q3-71-connect-play.client.demo1.dm_71", "do not show one match: another server"},
		{"q3-68-natrebind.client.demo1.dm_68", "q3-multi.client1.demo1.dm_71", "do not show one match: another map (aggressor, pul1duel-oa)"},
		{"q3-multi.client1.demo1.dm_71", "q3-multi.client4.demo1.dm_68", "do not show one match: another map"},
		{"q3-68-loss.client.demo1.dm_68", "q3-68-loss.client.demo2.dm_68", "do not show one match: "},
	} {
		_, _, err := joinedOf(t, []string{filepath.Join(dir, c.a), filepath.Join(dir, c.b)})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: %v", c.a, c.b, err)
		}
	}
}
