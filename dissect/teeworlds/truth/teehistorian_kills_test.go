package truth_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/teeworlds"
)

// A death is one of a player, by the server's clock.
type death struct {
	victim string
	time   int64 // ms
	team   bool  // of a team as a whole
}

// deathsIn returns the deaths in a file in order, each once, and when players left.
func deathsIn(t *testing.T, name string) (deaths []death, left []int64) {
	t.Helper()
	for rec, err := range open.Records(name, []*dissect.Protocol{teeworlds.New()}, dissect.Options{Events: true}) {
		if err != nil {
			if strings.Contains(name, "killed") {
				break
			}
			t.Fatal(err)
		}
		for i := 0; i < len(rec.Events.Nodes); i = int(rec.Events.Nodes[i].End) {
			e := rec.Events.At(i)
			at := e.Get("server_time").Int()
			switch e.Get("event").String() {
			case event.Disconnect:
				left = append(left, at)
			case event.Kill:
				d := death{e.Get("victim").Get("name_clean").String(), at, e.Get("killed_team").Exists()}
				if !slices.Contains(deaths, d) {
					deaths = append(deaths, d)
				}
			}
		}
	}
	slices.SortFunc(deaths, func(a, b death) int { return int(a.time-b.time)*2 + strings.Compare(a.victim, b.victim) })
	return deaths, left
}

// TestTeehistorianKills compares the deaths in teehistorian files of one map with those that the server announced in
// the captures. The server also announces those of players who leave; it announces a team's as one.
func TestTeehistorianKills(t *testing.T) {
	t.Parallel()
	const near = 80 // ms: a message travels with the next snapshot
	compared := 0
	for _, session := range []string{"th16-race", "th16-team", "th16-sixup", "th16-killed", "th20-race", "th20-team"} {
		folder := reference.Folder(t, "captures", "teehistorian", "sessions")
		recorded, left := deathsIn(t, filepath.Join(folder, session+".0.teehistorian"))
		announced, _ := deathsIn(t, filepath.Join(folder, session+".pcap"))
		var want, got []string
		for _, d := range announced {
			isNear := func(at int64) bool { return at-near <= d.time && d.time <= at+near }
			switch {
			case d.team:
				recorded = slices.DeleteFunc(recorded, func(r death) bool { return isNear(r.time) })
				compared++
			case !slices.ContainsFunc(left, isNear):
				want = append(want, d.victim)
				if !slices.ContainsFunc(recorded, func(r death) bool { return r.victim == d.victim && isNear(r.time) }) {
					t.Errorf("%s: %s died at %d", session, d.victim, d.time)
				}
			}
		}
		for _, r := range recorded {
			got = append(got, r.victim)
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-announced +recorded):\n%s", session, diff)
		}
		compared += len(want)
	}
	if compared < 25 {
		t.Error(fmt.Sprint(compared, " deaths"))
	}
	t.Log(compared, "deaths")
}
