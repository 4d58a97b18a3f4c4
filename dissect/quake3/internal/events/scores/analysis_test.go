package scores

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// An analysis is the last commands with scores of a recording, and what UberDemoTools finds in it:
// samples/gen/truth.sh.
type analysis struct {
	Demo, Game string
	Commands   []string
	Players    []map[string]float64
}

var analysedGames = map[string]uint8{
	"osp": tables.FamilyOSP, "cpma": tables.FamilyCPMA, "quakelive73": tables.FamilyQuakeLive73,
	"quakelive90": tables.FamilyQuakeLive91 - 1, "quakelive91": tables.FamilyQuakeLive91,
}

// analysedColumns are the columns by the names of the analysis.
var analysedColumns = map[string]Column{
	"score": Score, "ping": Ping, "playTime": Minutes, "kills": Kills, "deaths": Deaths, "suicides": Suicides,
	"accuracy": Accuracy, "teamKills": TeamKills, "damageGiven": Given, "damageReceived": Received,
}

// analysedWeapons are weapon_t, code/game/bg_public.h, by the names of the analysis.
var analysedWeapons = map[int]string{
	1: "gauntlet", 2: "machinegun", 3: "shotgun", 4: "grenadeLauncher", 5: "rocketLauncher",
	6: "lightningGun", 7: "railgun", 8: "plasmaGun", 9: "bfg", 10: "grapplingHook", 11: "nailGun",
	12: "proximityMineLauncher", 13: "chainGun",
}

// compared is how many numbers of a recording are compared.
var compared = map[string]int{
	"36_kills_2_suicides.dm_68":              62,
	"dm_68_cpma__2v2_xscores_1.dm_68":        42,
	"dm_68_cpma__no_over_time_tied.dm_68":    46,
	"dm_68_osp__duel_1.dm_68":                20,
	"dm_66_67__2004_-_TDM_1__QLAN2_.dm_67":   58,
	"dm_73__duel_timeout.dm_73":              59,
	"dm_73__tdm_tdmscores2.dm_73":            40,
	"dm_73__rr_rrscores.dm_73":               60,
	"dm_90__ca.dm_90":                        148,
	"dm_90__ctf.dm_90":                       144,
	"dm_90__rr.dm_90":                        24,
	"dm_90__tdm_forfeit_while_winning.dm_90": 20,
	"dm_90__duel_forfeit_spectator.dm_90":    35,
	"dm_91__duel.dm_91":                      50,
}

// TestAnalysis compares what the commands say of players and their weapons with the analysis. It has nothing about the
// heavy machine gun.
func TestAnalysis(t *testing.T) {
	for lines := reference.Lines(t, "../../../../../samples/quake3/truth/scores.jsonl.gz"); lines.Scan(); {
		var a analysis
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		t.Run(a.Demo, func(t *testing.T) {
			var s Sheet
			var words token.Words
			for _, command := range a.Commands {
				words.Split([]byte(command))
				s.Read(analysedGames[a.Game], &words)
			}
			var got, want []string
			for _, l := range s.Lines {
				i := slices.IndexFunc(a.Players, func(p map[string]float64) bool { return int(p["clientNumber"]) == l.Client })
				if i < 0 {
					got = append(got, fmt.Sprintf("client %d is not analysed", l.Client))
					continue
				}
				got, want = l.compare(a.Players[i], got, want)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-analysis +commands):\n%s", diff)
			}
			if len(got) != compared[a.Demo] {
				t.Errorf("%d numbers are compared, want %d", len(got), compared[a.Demo])
			}
		})
	}
}

// compare lists the numbers of a line, and those of the analysis.
func (l *Line) compare(p map[string]float64, got, want []string) ([]string, []string) {
	add := func(key string, v int32) {
		if theirs, ok := p[key]; ok {
			got = append(got, fmt.Sprintf("%d: %s %d", l.Client, key, v))
			want = append(want, fmt.Sprintf("%d: %s %d", l.Client, key, int(math.Round(theirs))))
		}
	}
	for key, c := range analysedColumns {
		if l.Has[c] {
			add(key, l.Values[c])
		}
	}
	for _, n := range l.Weapons {
		name := analysedWeapons[n.Number]
		if n.HasAccuracy {
			add(name+"Accuracy", n.Accuracy)
		} else {
			add(name+"Hits", n.Hits)
			add(name+"Shots", n.Shots)
		}
		add(name+"Kills", n.Kills)
		if n.HasDeaths {
			add(name+"Deaths", n.Deaths)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	return got, want
}
