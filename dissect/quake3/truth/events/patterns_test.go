package events_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// A pattern is a finding of UberDemoTools' pattern search, which looks at the player in view alone.
type pattern struct {
	Demo, Pattern string
	From, To      int64 // server time, a second before the first event and after the last one
}

// onGround are findings of midairs whose victim stood on the ground in every snapshot before the kill, by the number of
// the entity under him. All of them were torn to pieces: their entity is no player's any more when the kill is seen.
var onGround = map[pattern]bool{
	{"dm_68_osp__duel_1.dm_68", "midair", 1472132, 1474132}:  true,
	{"dm_68_osp__duel_1.dm_68", "midair", 1548098, 1550098}:  true,
	{"dm_68_osp__duel_1.dm_68", "midair", 1689470, 1691470}:  true,
	{"dm_90__ctf.dm_90", "midair", 1570150, 1572150}:         true,
	{"dm_73__rr_rrscores.dm_73", "midair", 3569500, 3571500}: true,
}

// TestPatterns compares moments with what UberDemoTools finds: each of its findings is an event, unless it is known to
// be wrong; and multikills of all players with runs in its list of all kills.
func TestPatterns(t *testing.T) {
	t.Parallel()
	folder := filepath.Dir(reference.Glob(t, "demos", "matches", "patterns.udt.jsonl")[0])
	byDemo := map[string][]pattern{}
	findings, err := os.ReadFile(filepath.Join(folder, "patterns.udt.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(findings) {
		var p pattern
		if err := json.Unmarshal(line, &p); err != nil {
			t.Fatal(err)
		}
		byDemo[p.Demo] = append(byDemo[p.Demo], p)
	}
	kinds := map[string]string{"frag_run": event.Multikill, "midair": event.Midair, "flag_capture": event.Run}
	right, wrong, runs := 0, 0, 0
	for demo, patterns := range byDemo {
		name := filepath.Join(folder, demo)
		found := momentsOf(t, name)
		for _, p := range patterns {
			has := slices.ContainsFunc(found, func(m moment) bool {
				const frame = 50 // the flag's configstring comes up to a frame before the player has it
				near := math.Abs(float64(m.from-p.From-1000)) <= frame && m.to == p.To-1000
				return m.kind == kinds[p.Pattern] && near && (m.viewed || m.kind == event.Run)
			})
			switch {
			case onGround[p] && !has:
				wrong++
			case !onGround[p] && has:
				right++
			default:
				t.Errorf("%v: found is %v", p, has)
			}
		}
		want := runsOf(t, name)
		var got []string
		for _, m := range found {
			if m.kind == event.Multikill {
				got = append(got, fmt.Sprintf("%09d to %d: %d of client %d", m.from, m.to, m.kills, m.client))
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-analysis +events):\n%s", demo, diff)
		}
		runs += len(want)
	}
	if right < 7 || wrong != len(onGround) || runs < 8 {
		t.Errorf("%d findings are right, %d are wrong; %d runs of kills", right, wrong, runs)
	}
}

type moment struct {
	kind          string
	from, to      int64
	viewed        bool
	client, kills int
}

// momentsOf returns the moments of a demo. A midair counts from the kill, as the analysis has it.
func momentsOf(t *testing.T, name string) (list []moment) {
	t.Helper()
	rules := extract.UsualHighlights()
	for e, err := range open.Events(name, all.Protocols(), dissect.Options{Highlights: &rules}) {
		if err != nil {
			t.Fatal(err)
		}
		m := moment{
			kind: e.Kind, from: e.Get("start_time").Int(), to: e.Get("end_time").Int(), viewed: e.Get("viewed").Bool(),
			client: e.Player("client").Client, kills: int(e.Get("kills").Int()),
		}
		switch e.Kind {
		case event.Midair:
			m.from = m.to
		case event.Run:
			m.to = e.ServerTime().Milliseconds()
			m.from = m.to - e.Get("run_time").Int()
		case event.Multikill:
		default:
			continue
		}
		list = append(list, m)
	}
	return list
}

// runsOf finds runs of kills in the analysis' list of them: at least three, at most five seconds apart, without a
// death, a suicide or the death of a team mate between them; or two at once by a shot that can kill two.
func runsOf(t *testing.T, name string) (runs []string) {
	t.Helper()
	var a struct {
		Obituaries []struct {
			ServerTime               int64
			AttackerClientNumber     *int
			TargetClientNumber       int
			AttackerTeam, TargetTeam string
		}
	}
	if err := json.Unmarshal(reference.Read(t, name+".udt.json.gz"), &a); err != nil {
		t.Fatal(err)
	}
	times := map[int][]int64{}
	end := func(client int) {
		if list := times[client]; len(list) >= 3 {
			runs = append(runs, fmt.Sprintf("%09d to %d: %d of client %d", list[0], list[len(list)-1], len(list), client))
		}
		delete(times, client)
	}
	for _, o := range a.Obituaries {
		end(o.TargetClientNumber)
		if o.AttackerClientNumber == nil || *o.AttackerClientNumber == o.TargetClientNumber {
			continue
		}
		killer := *o.AttackerClientNumber
		if o.AttackerTeam == o.TargetTeam && (o.AttackerTeam == "red" || o.AttackerTeam == "blue") {
			end(killer)
			continue
		}
		if list := times[killer]; len(list) > 0 && o.ServerTime-list[len(list)-1] > 5000 {
			end(killer)
		}
		times[killer] = append(times[killer], o.ServerTime)
	}
	for client := range times {
		end(client)
	}
	slices.Sort(runs)
	return runs
}
