package truth_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/view/catalogue"
)

// countedDuels are duels whose games counted frags; UberDemoTools passes the counts on. In each of them nobody left.
var countedDuels = []string{
	"36_kills_2_suicides.dm_68",
	"dm_66_67__2004_-_Duel_2__Quakecon_.dm_67",
	"dm_68_cpma__forfeit_with_comebacks.dm_68",
	"dm_68_cpma__forfeit_with_neg_score.dm_68",
	"dm_68_cpma__no_over_time_tied.dm_68",
	"dm_68_osp__duel_1.dm_68",
	"dm_73__duel_scores.dm_73",
	"dm_73__duel_timeout.dm_73",
	"dm_90__duel_forfeit_spectator.dm_90",
	"dm_91__duel.dm_91",
}

// TestMatchStatistic compares kills, deaths and damage of players with what their games counted.
func TestMatchStatistic(t *testing.T) {
	t.Parallel()
	dir := reference.Folder(t, "demos", "matches")
	for _, short := range countedDuels {
		t.Run(short, func(t *testing.T) {
			t.Parallel()
			name := filepath.Join(dir, short)
			type counts struct{ kills, deaths int }
			got, want := map[int]counts{}, map[int]counts{}
			// whose deaths are all of a player's
			quakeLive := strings.HasPrefix(short, "dm_7") || strings.HasPrefix(short, "dm_9")
			rows := statistic(t, name, "match")
			for _, r := range rows {
				c := counts{r.int("kills"), r.int("deaths")}
				if quakeLive {
					c.deaths += r.int("suicides")
				}
				got[r.int("client_num")] = c
			}
			for _, p := range countedPlayers(t, name) {
				if p.Kills == nil || p.Deaths == nil || *p.Kills+*p.Deaths == 0 && len(countedPlayers(t, name)) > 2 {
					continue // a spectator's line
				}
				want[p.ClientNumber] = counts{*p.Kills, *p.Deaths}
			}
			for client := range got {
				if _, ok := want[client]; !ok {
					delete(got, client) // not counted: OSP's are of the recording player alone
				}
			}
			// Going to the spectators killed the player, which came after the last count.
			if short == "dm_90__duel_forfeit_spectator.dm_90" {
				c := got[1]
				c.deaths--
				got[1] = c
			}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(counts{})); diff != "" || len(want) == 0 {
				t.Errorf("kills and deaths by client (-want +got):\n%s", diff)
			}
		})
	}
}

// A countedPlayer is a player's line in UberDemoTools' analysis.
type countedPlayer struct {
	ClientNumber  int
	Kills, Deaths *int
}

func countedPlayers(t *testing.T, name string) []countedPlayer {
	t.Helper()
	var a struct {
		MatchStats []struct{ PlayerStats []countedPlayer }
	}
	reference.Decode(t, name+".udt.json.gz", &a)
	if len(a.MatchStats) != 1 {
		t.Fatalf("%d matches", len(a.MatchStats))
	}
	return a.MatchStats[0].PlayerStats
}

// TestCatalogueSchema validates every line about every sample and reference demo.
func TestCatalogueSchema(t *testing.T) {
	t.Parallel()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(catalogue.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("catalogue.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("catalogue.json")
	if err != nil {
		t.Fatal(err)
	}
	folders := []string{"../../../samples"}
	if demos, there := reference.Or(t, "", "demos"); there && !testing.Short() {
		folders = append(folders, demos)
	}
	paths, err := open.Files(folders[:1])
	if err != nil || len(paths) == 0 {
		t.Fatal(len(paths), err)
	}
	if more, err := open.Files(folders[1:]); err == nil {
		for _, p := range more {
			if !p.Given {
				paths = append(paths, p)
			}
		}
	}
	lines := 0
	for _, p := range paths {
		if len(reference.UpTo(t, 250_000, []string{p.Name})) == 0 {
			continue
		}
		in, err := open.File(p.Name, open.Options{Protocols: all.Protocols()})
		if err != nil {
			continue // no capture, no demo
		}
		c := catalogue.New()
		for rec, err := range engine.Records(in.Packets(), engine.Config{
			Protocols: all.Protocols(), NoTree: true, Options: dissect.Options{Events: true},
		}) {
			if err == nil {
				c.Add(rec)
			}
		}
		_, demo := in.Recording()
		in.Close()
		for _, l := range c.Listings(catalogue.File{Name: p.Name, Demo: demo}) {
			var v any
			if err := json.Unmarshal(l.AppendJSON(nil), &v); err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(v); err != nil {
				t.Errorf("%s: %v", p.Name, err)
			}
			lines++
		}
	}
	if lines < 5 {
		t.Errorf("%d lines", lines)
	}
}
