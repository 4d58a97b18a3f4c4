package truth_test

import (
	"encoding/json"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/view"
)

// udtWeapons are our names by those of UberDemoTools' analysis.
var udtWeapons = map[string]string{
	"gauntlet": "gauntlet", "machinegun": "machinegun", "shotgun": "shotgun", "grenade_launcher": "grenadeLauncher",
	"rocket_launcher": "rocketLauncher", "lightning": "lightningGun", "railgun": "railgun", "plasmagun": "plasmaGun",
	"bfg": "bfg",
}

// A playedRow is what -z match prints of a player, as far as it is compared here.
type playedRow struct {
	Match     int64
	ClientNum int64 `json:"client_num"`
	Accuracy  *float64
	Shots     float64  `json:"shots_seen"`
	Seen      *float64 `json:"accuracy_seen"`
	XP        int64
	Weapons   []struct {
		Weapon      string
		Shots, Hits *float64
		Accuracy    *float64
		Kills       *float64
	}
}

// playedRows returns the rows of -z match of a recording.
func playedRows(t *testing.T, name string) (rows []playedRow) {
	t.Helper()
	kind, _, err := view.Find("match")
	if err != nil {
		t.Fatal(err)
	}
	s, err := kind.New(nil, &view.Env{})
	if err != nil {
		t.Fatal(err)
	}
	for rec, err := range open.Records(name, all.Protocols(), dissect.Options{Events: true, Inputs: true}) {
		if err != nil {
			break // some end early
		}
		s.Add(rec)
	}
	table := s.Tables()[0]
	for d := json.NewDecoder(strings.NewReader(string(table.AppendJSON(nil)))); d.More(); {
		var r playedRow
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows
}

// TestAccuracyOfWeapons compares the accuracy of players and their weapons in -z match with what UberDemoTools reads in
// the games' commands, in every recording of one match that has both, and what is counted from snapshots with what the
// game announced.
func TestAccuracyOfWeapons(t *testing.T) {
	t.Parallel()
	recordings, players, weapons := 0, 0, 0
	var apart []float64
	for _, file := range reference.Glob(t, "demos", "matches", "*.udt.json.gz") {
		var udt struct {
			MatchStats []struct{ PlayerStats []map[string]any }
		}
		reference.Decode(t, file, &udt)
		if len(udt.MatchStats) != 1 {
			continue
		}
		demo := strings.TrimSuffix(file, ".udt.json.gz")
		differ := func(r playedRow, what string, got, want float64) {
			t.Errorf("%s: client %d: %s is %v, the game announced %v", filepath.Base(demo), r.ClientNum, what, got, want)
		}
		compared := weapons
		for _, r := range playedRows(t, demo) {
			i := slices.IndexFunc(udt.MatchStats[0].PlayerStats, func(p map[string]any) bool {
				return p["clientNumber"] == float64(r.ClientNum)
			})
			if i < 0 {
				continue
			}
			theirs := udt.MatchStats[0].PlayerStats[i]
			if want, ok := theirs["accuracy"].(float64); ok && r.Accuracy != nil {
				players++
				if want != *r.Accuracy {
					differ(r, "accuracy", *r.Accuracy, want)
				}
				if r.Seen != nil && r.Shots >= 500 {
					apart = append(apart, math.Abs(*r.Seen-want))
				}
			}
			for _, w := range r.Weapons {
				name := udtWeapons[w.Weapon]
				for key, got := range map[string]*float64{"Shots": w.Shots, "Hits": w.Hits, "Kills": w.Kills} {
					if want, ok := theirs[name+key].(float64); ok && got != nil && want != *got {
						differ(r, name+key, *got, want)
					}
				}
				if want, ok := theirs[name+"Accuracy"].(float64); ok && w.Accuracy != nil {
					weapons++
					if math.Trunc(*w.Accuracy) != want && math.Round(*w.Accuracy) != want {
						differ(r, name+"Accuracy", *w.Accuracy, want)
					}
				}
			}
		}
		if weapons > compared {
			recordings++
		}
	}
	if recordings < 10 || players < 74 || weapons < 107 {
		t.Errorf("%d recordings, %d players and %d weapons were compared", recordings, players, weapons)
	}
	slices.Sort(apart)
	if n := len(apart); n < 5 || apart[n-2] > 1.5 {
		t.Errorf("counted and announced are apart by %v", apart)
	}
	t.Logf("%d recordings, %d players, %d weapons; apart by %v", recordings, players, weapons, apart)
}

// TestExperienceIsTheLast compares the experience of players in Enemy Territory with the last score commands, as the
// engine's own code reads them: XP is the second of seven words of a player. A player who left has that of the last
// command with him.
func TestExperienceIsTheLast(t *testing.T) {
	t.Parallel()
	compared := 0
	for _, name := range []string{"scores_test.dm_84", "demo01_legacy.tv_84"} {
		demo := filepath.Join(reference.Folder(t, "demos", "idtech3"), name)
		want := map[int64]string{}
		for lines := reference.Lines(t, demo+".jsonl.gz"); lines.Scan(); {
			for _, text := range scoreCommand.FindAllStringSubmatch(lines.Text(), -1) {
				for words := strings.Fields(text[1]); len(words) >= 7; words = words[7:] {
					client, err := strconv.ParseInt(words[0], 10, 64)
					if err != nil {
						t.Fatal(err)
					}
					want[client] = words[1]
				}
			}
		}
		for _, r := range playedRows(t, demo) {
			compared++
			if got := strconv.FormatInt(r.XP, 10); got != want[r.ClientNum] {
				t.Errorf("%s: client %d has %s, the server's last command %s", name, r.ClientNum, got, want[r.ClientNum])
			}
		}
	}
	if compared != 23 {
		t.Errorf("%d players were compared", compared)
	}
}

// scoreCommand is a command with all players: the teams' scores, a count, the players.
var scoreCommand = regexp.MustCompile(`"sc0 -?\d+ -?\d+ \d+ ([-\d ]*)"`)
