package events_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// weaponKeys are the weapons as UberDemoTools and as the game calls them.
var weaponKeys = map[string]string{
	"gauntlet": "gauntlet", "machinegun": "machinegun", "shotgun": "shotgun", "grenadeLauncher": "grenade_launcher",
	"rocketLauncher": "rocket_launcher", "lightningGun": "lightning", "railgun": "railgun",
	"plasmaGun": "plasmagun", "bfg": "bfg",
}

// TestWeaponsOfDemos compares hits, shots, kills, deaths and damage by weapon in the last score commands with
// UberDemoTools' analysis.
func TestWeaponsOfDemos(t *testing.T) {
	t.Parallel()
	for short, players := range map[string]int{
		"36_kills_2_suicides.dm_68":                2,
		"dm_68_cpma__2v2_xscores_1.dm_68":          1,
		"dm_68_cpma__no_over_time_tied.dm_68":      2,
		"dm_73__duel_timeout.dm_73":                2,
		"dm_90__duel_forfeit_spectator.dm_90":      2,
		"dm_91__duel.dm_91":                        2,
		"dm_68_cpma__forfeit_with_comebacks.dm_68": 2,
		"dm_66_67__2004_-_TDM_1__QLAN2_.dm_67":     1, // OSP's xstats1
	} {
		t.Run(short, func(t *testing.T) {
			t.Parallel()
			name := filepath.Join(reference.Folder(t, "demos", "matches"), short)
			var a struct {
				MatchStats []struct{ PlayerStats []map[string]any }
			}
			if err := json.Unmarshal(reference.Read(t, name+".udt.json.gz"), &a); err != nil {
				t.Fatal(err)
			}
			got, want := map[int][]string{}, map[int][]string{}
			eventsOfDemo(t, name, func(e reftest.Event) {
				if e.Kind() != "scoreboard" {
					return
				}
				for _, s := range reftest.List(e["scores"]) {
					o := reftest.Event(s.(map[string]any))
					if _, ok := o["weapons"]; ok {
						got[o.Number("client_num")] = weaponLines(o)
					}
				}
			})
			for _, p := range a.MatchStats[len(a.MatchStats)-1].PlayerStats {
				client := reftest.Event(p).Number("clientNumber")
				if _, ok := got[client]; !ok {
					continue
				}
				for theirs, ours := range weaponKeys {
					count := func(what string) int { v, _ := p[theirs+what].(float64); return int(v) }
					if count("Hits")+count("Shots")+count("Kills")+count("Deaths") == 0 {
						continue
					}
					want[client] = append(want[client], fmt.Sprintf("%s: %d of %d, %d kills", ours, count("Hits"),
						count("Shots"), count("Kills")))
				}
				slices.Sort(want[client])
			}
			if diff := cmp.Diff(want, got); diff != "" || len(got) != players {
				t.Errorf("weapons of %d players (-analysis +events):\n%s", len(got), diff)
			}
		})
	}
}

// weaponLines lists the weapons of a line of a scoreboard.
func weaponLines(o reftest.Event) (lines []string) {
	for _, v := range reftest.List(o["weapons"]) {
		n := reftest.Event(v.(map[string]any))
		lines = append(lines, fmt.Sprintf("%s: %d of %d, %d kills", n.Text("weapon_name"), n.Number("hits"),
			n.Number("shots"), n.Number("kills")))
	}
	slices.Sort(lines)
	return lines
}

// TestDamageOfTeamGames compares damage and suicides of Quake Live's tdmstats and ctfstats with UberDemoTools'
// analysis.
func TestDamageOfTeamGames(t *testing.T) {
	t.Parallel()
	for _, short := range []string{"dm_73__tdm_tdmscores2.dm_73", "dm_90__ctf.dm_90"} {
		name := filepath.Join(reference.Folder(t, "demos", "matches"), short)
		var a struct {
			MatchStats []struct{ PlayerStats []map[string]any }
		}
		if err := json.Unmarshal(reference.Read(t, name+".udt.json.gz"), &a); err != nil {
			t.Fatal(err)
		}
		got, want := map[int]string{}, map[int]string{}
		eventsOfDemo(t, name, func(e reftest.Event) {
			for _, s := range reftest.List(e["scores"]) {
				o := reftest.Event(s.(map[string]any))
				if _, ok := o["damage_received"]; ok {
					got[o.Number("client_num")] = o.Text("suicides") + " " + o.Text("damage_given") + " " + o.Text("damage_received")
				}
			}
		})
		for _, p := range a.MatchStats[0].PlayerStats {
			o := reftest.Event(p)
			if _, ok := p["damageReceived"]; ok {
				want[o.Number("clientNumber")] = o.Text("suicides") + " " + o.Text("damageGiven") + " " + o.Text("damageReceived")
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || len(got) < 4 {
			t.Errorf("%s: suicides, damage given and received of %d players (-analysis +events):\n%s", short, len(got), diff)
		}
	}
}

// TestClanArenaStatistics compares damage, and kills and accuracy by weapon of castats with UberDemoTools' analysis.
func TestClanArenaStatistics(t *testing.T) {
	t.Parallel()
	name := filepath.Join(reference.Folder(t, "demos", "matches"), "dm_90__ca.dm_90")
	var a struct {
		MatchStats []struct{ PlayerStats []map[string]any }
	}
	reference.Decode(t, name+".udt.json.gz", &a)
	got, want := map[int][]string{}, map[int][]string{}
	eventsOfDemo(t, name, func(e reftest.Event) {
		for _, s := range reftest.List(e["scores"]) {
			o := reftest.Event(s.(map[string]any))
			if _, ok := o["damage_received"]; !ok || o.Number("damage_given") == 0 {
				continue
			}
			lines := []string{"damage " + o.Text("damage_given") + " " + o.Text("damage_received")}
			for _, v := range reftest.List(o["weapons"]) {
				n := reftest.Event(v.(map[string]any))
				if n.Text("weapon_name") != "heavy_machine_gun" { // the analysis has no kills of it
					lines = append(lines, fmt.Sprintf("%s: %d %%, %d kills", n.Text("weapon_name"),
						n.Number("accuracy"), n.Number("kills")))
				}
			}
			slices.Sort(lines)
			got[o.Number("client_num")] = lines
		}
	})
	for _, p := range a.MatchStats[0].PlayerStats {
		o := reftest.Event(p)
		client := o.Number("clientNumber")
		if got[client] == nil {
			continue
		}
		lines := []string{"damage " + o.Text("damageGiven") + " " + o.Text("damageReceived")}
		for theirs, ours := range weaponKeys {
			accuracy, _ := p[theirs+"Accuracy"].(float64)
			kills, _ := p[theirs+"Kills"].(float64)
			if accuracy+kills > 0 {
				lines = append(lines, fmt.Sprintf("%s: %d %%, %d kills", ours, int(accuracy), int(kills)))
			}
		}
		slices.Sort(lines)
		want[client] = lines
	}
	if diff := cmp.Diff(want, got); diff != "" || len(got) != 8 {
		t.Errorf("of %d players (-analysis +events):\n%s", len(got), diff)
	}
}
