package truth_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// shotLines returns the shots of a file in words, sorted.
func shotLines(t *testing.T, name string) (list []string) {
	t.Helper()
	for rec, err := range open.Records(name, all.Protocols(), dissect.Options{Shots: true}) {
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range rec.Shots.All() {
			list = append(list, fmt.Sprintf("player %d at %d: weapon %d %q, hits %d %v, %s", s.Shooter, s.Time, s.Number,
				s.Weapon, s.Hits, s.HasHits, s.Why))
		}
	}
	slices.Sort(list)
	return list
}

// TestShotsOfGames compares a capture of Jedi Academy with the demos that its clients recorded of the same shots: one
// of them follows the other. The game has no rule here, so a shot has the server's answer alone.
func TestShotsOfGames(t *testing.T) {
	t.Parallel()
	folder := reference.Folder(t, "captures", "idtech3")
	var want []string
	for _, client := range [...]string{"client1", "client2", "client3"} {
		want = append(want, shotLines(t, folder+"/jka-26-play."+client+".dm_26")...)
	}
	slices.Sort(want)
	if got := shotLines(t, folder+"/jka-26-play.pcap"); len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("capture: %q\ndemos: %q", got, want)
	}
	for _, name := range [...]string{"jka-26-play", "ettv-284"} { // ettv: Enemy Territory
		list := shotLines(t, folder+"/"+name+".pcap")
		if len(list) == 0 {
			t.Errorf("%s: no shot", name)
		}
		for _, line := range list {
			const why = ", the game's rule is not known"
			if !strings.HasSuffix(line, why) {
				t.Errorf("%s: %s", name, line)
			}
		}
	}
}

// TestShotsCountHits: id's counter of hits is one for an enemy and one less for a team mate. OSP, CPMA and Enemy
// Territory count damage in it (G_Damage), so their shots have no hits.
func TestShotsCountHits(t *testing.T) {
	t.Parallel()
	matches := reference.Folder(t, "demos", "matches")
	games := reference.Folder(t, "captures", "idtech3")
	for name, counted := range map[string]bool{
		"../../../samples/quake3/68-natrebind.pcap":           true,  // OpenArena
		"../../../samples/quake3/71-duel.dm_71":               true,  // OpenArena
		matches + "/dm_68_osp__duel_1.dm_68":                  false, // a railgun's hit is 100
		matches + "/dm_66_67__2004_-_Duel_2__Quakecon_.dm_67": false, // OSP
		matches + "/36_kills_2_suicides.dm_68":                false, // CPMA
		games + "/ettv-284.pcap":                              false,
	} {
		shots := 0
		for rec, err := range open.Records(name, all.Protocols(), dissect.Options{Shots: true}) {
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range rec.Shots.All() {
				if shots++; s.HasHits != counted || !counted && s.Hits != 0 {
					t.Fatalf("%s: %s at %d: hits %d %v", name, s.Weapon, s.Time, s.Hits, s.HasHits)
				}
			}
		}
		if shots == 0 {
			t.Errorf("%s: no shot", name)
		}
	}
}
