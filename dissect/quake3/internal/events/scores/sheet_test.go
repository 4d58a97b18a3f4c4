package scores

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// columnNames are the columns' names in this test.
var columnNames = [Columns]string{
	"score", "ping", "minutes", "kills", "deaths", "suicides", "accuracy", "damage_given", "damage_received",
	"team_kills",
}

// TestScoreCommands reads commands from recordings, cut to their first players. The expected values were read
// off by hand, and agree with the tables that the mods print and with UberDemoTools' statistics of the
// recordings.
func TestScoreCommands(t *testing.T) {
	quakeLive90 := tables.FamilyQuakeLive91 - 1
	for _, tt := range []struct {
		name, command string
		family        uint8
		want          []map[string]int32
	}{
		{
			"OSP 1.03a, dm_68_osp__duel_1: czm 55, and cooller 8",
			"scores 2 0 0 2 55 0 15 0 0 23 12 0 0 0 0 0 0 0 8 0 15 0 0 22 0 0 0 0 0 0 0",
			tables.FamilyOSP,
			[]map[string]int32{
				{"client": 2, "score": 55, "ping": 0, "minutes": 15, "accuracy": 23},
				{"client": 0, "score": 8, "ping": 0, "minutes": 15, "accuracy": 22},
			},
		},
		{
			"protocol 43, dm3__duel", "scores 2 0 0 3 7 14 15 0 0 1 2 7 15 0 0", tables.FamilyOSP,
			[]map[string]int32{
				{"client": 3, "score": 7, "ping": 14, "minutes": 15},
				{"client": 1, "score": 2, "ping": 7, "minutes": 15},
			},
		},
		{
			"CPMA 1.48, 2v2_xscores_1: myT 38 of the printed table's first line",
			"xscores 2 0 38 abavaqayaaaa 15 2 35 0 1 23 abbababiaaaa 15 0 10 0",
			tables.FamilyCPMA,
			[]map[string]int32{{"client": 0, "score": 38, "minutes": 15}, {"client": 1, "score": 23, "minutes": 15}},
		},
		{
			// Printed: "naper  11  25   1   10  59  28 5571 5346  10"; 380 is six weapons.
			"CPMA 1.48, 36_kills_2_suicides",
			"mstats 1 380 16 93 0 0 0 3 0 0 0 1 0 0 4 38 0 0 10 3 64 204 7 8 36 15 170 555 4 16 17 5 0 1 0 0 2 0 5571 5346 " +
				"2510 1040 7 3 19 0 0 2 " +
				"acaFaFaFaa 10 11 25 1 0 0 0 3567 16 0 0 0 0",
			tables.FamilyCPMA,
			[]map[string]int32{{
				"client": 1, "score": 10, "kills": 11, "deaths": 25, "suicides": 1, "damage_given": 5571,
				"damage_received": 5346, "team_kills": 0,
			}},
		},
		{
			"Quake Live 73, duel_scores: Terifire 24 kills, 19 deaths",
			"scores 2 0 0 1 24 35 10 0 0 36 0 0 0 0 0 0 0 0 24 19 5 0 19 29 10 0 0 28 1 0 0 0 0 0 0 0 19 24 5",
			tables.FamilyQuakeLive73,
			[]map[string]int32{
				{"client": 1, "score": 24, "ping": 35, "minutes": 10, "accuracy": 36, "kills": 24, "deaths": 19},
				{"client": 0, "score": 19, "ping": 29, "minutes": 10, "accuracy": 28, "kills": 19, "deaths": 24},
			},
		},
		{
			"Quake Live 73, rr_rrscores: PERPETUUMMOBILE 22, 59 kills, 37 deaths",
			"rrscores 1 5 5 4 22 1 110 26 0 0 23 10 3 0 0 0 0 0 0 59 37 5",
			tables.FamilyQuakeLive73,
			[]map[string]int32{{
				"client": 4, "score": 22, "ping": 110, "minutes": 26, "accuracy": 23,
				"kills": 59, "deaths": 37,
			}},
		},
		{
			"Quake Live 90, ca: koucz_lechia 56, 13 kills, 8 deaths, damage 4333",
			"scores_ca 1 5 10 2 2 0 56 40 12 13 8 24 5 25 4333 2 0 0 0 0", quakeLive90,
			[]map[string]int32{{
				"client": 2, "score": 56, "ping": 40, "minutes": 12, "kills": 13, "deaths": 8, "accuracy": 24,
				"damage_given": 4333,
			}},
		},
		{
			"Quake Live 90, ctf: fAiRyCaKe 866, 15 kills, 6 deaths",
			"scores_ctf 0 25 0 4 0 0 2 4 0 12 4 0 0 57 111 0 206 0 16 0 7 0 0 0 0 0 11 3 0 0 0 5 0 120 1 8 1 8 1 0 866 28 6 " +
				"15 6 0 42 5 0 0 1 2 1 7 0 0", quakeLive90,
			[]map[string]int32{{"client": 8, "score": 866, "ping": 28, "minutes": 6, "kills": 15, "deaths": 6, "accuracy": 42}},
		},
		{
			"Quake Live 90, tdm_forfeit_while_winning: Anarki 0, 2 deaths, damage 40",
			"scores_tdm 1 0 0 0 0 0 0 0 0 0 0 0 0 0 1 4 0 1 1 0 0 0 0 14 0 0 0 0 1 0 -999 1 1 0 0 0 0 0 2 25 7 0 0 0 0 0 40",
			quakeLive90,
			[]map[string]int32{{
				"client": 1, "score": 0, "ping": 0, "minutes": 0, "kills": 0, "deaths": 2,
				"accuracy": 25, "damage_given": 40, "team_kills": 0,
			}},
		},
		{
			"Quake Live 90, rr: mejtisson 6, 7 kills, 1 death", "scores_rr 1 2 3 0 6 2 1 2 7 1 0 43 6 42 0 0 0 0 0 0 0 0",
			quakeLive90,
			[]map[string]int32{{
				"client": 0, "score": 6, "ping": 1, "minutes": 2, "kills": 7,
				"deaths": 1, "accuracy": 43,
			}},
		},
		{
			"Quake Live 73, tdm_tdmscores2: damage 3444, and 1143 with a team mate killed",
			"tdmscores2 9 9 0 1 2 0 0 0 0 30 0 0 0 0 4 10 0 2 1 0 0 0 0 4 0 0 0 0 1 1 1 0 1 3444 2 1 1 1 0 1143",
			tables.FamilyQuakeLive73,
			[]map[string]int32{
				{"client": 1, "team_kills": 0, "damage_given": 3444},
				{"client": 2, "team_kills": 1, "damage_given": 1143},
			},
		},
		{
			"OSP of 2001, 2001_-_Duel_3_WCG: damage 5502 and 3598",
			"xstats1 2 428 78 300 2 1 0 0 0 1 49 188 10 1 17 37 4 6 19 233 3 0 5502 3598", tables.FamilyOSP,
			[]map[string]int32{{"client": 2, "damage_given": 5502, "damage_received": 3598}},
		},

		// Of these no recording is at hand. A player's numbers are score 25, ping 40, 12 minutes, 13 kills, 8 deaths,
		// accuracy 24, damage 4333, in the orders of the sources of the layouts; the words between have the numbers of other
		// things.
		{
			"Quake Live 91, scores_tdm",
			"scores_tdm 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 50 60 7 1 25 40 12 13 8 24 5 1 2 3 4 6 4333",
			tables.FamilyQuakeLive91,
			[]map[string]int32{{
				"client": 7, "score": 25, "ping": 40, "minutes": 12, "kills": 13, "deaths": 8, "accuracy": 24,
				"team_kills": 4, "damage_given": 4333,
			}},
		},
		{
			"Quake Live 91, scores_ctf",
			"scores_ctf 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 5 6 7 1 25 40 12 13 8 24 5 1 2 " +
				"3 4 6 9 0 1", tables.FamilyQuakeLive91,
			[]map[string]int32{{"client": 7, "score": 25, "ping": 40, "minutes": 12, "kills": 13, "deaths": 8, "accuracy": 24}},
		},
		{
			"Quake Live 91, scores_ca", "scores_ca 1 5 6 7 1 25 40 12 13 8 24 5 55 4333 1 2 3 4 1", tables.FamilyQuakeLive91,
			[]map[string]int32{{
				"client": 7, "score": 25, "ping": 40, "minutes": 12, "kills": 13, "deaths": 8, "accuracy": 24,
				"damage_given": 4333,
			}},
		},
		{
			"Quake Live 91, scores_ft", "scores_ft 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 5 6 7 1 25 40 12 " +
				"13 8 24 5 1 2 3 9 6 11 4333 1",
			tables.FamilyQuakeLive91,
			[]map[string]int32{{
				"client": 7, "score": 25, "ping": 40, "minutes": 12, "kills": 13, "deaths": 8, "accuracy": 24,
				"damage_given": 4333,
			}},
		},
		{
			"Quake Live 91, scores_rr", "scores_rr 1 5 6 7 25 3 40 12 13 8 24 5 55 1 2 3 4 6 9 0 1", tables.FamilyQuakeLive91,
			[]map[string]int32{{"client": 7, "score": 25, "ping": 40, "minutes": 12, "kills": 13, "deaths": 8, "accuracy": 24}},
		},
		{
			"Quake Live 91, scores_ffa", "scores_ffa 1 25 20 7 25 40 12 24 1 2 3 4 6 0 0 1 13 8 5 0 4333",
			tables.FamilyQuakeLive91,
			[]map[string]int32{{
				"client": 7, "score": 25, "ping": 40, "minutes": 12, "kills": 13,
				"deaths": 8, "accuracy": 24, "damage_given": 4333,
			}},
		},
		{
			"Quake Live 90, scores of everybody for himself",
			"scores 2 25 20 7 25 40 12 0 0 24 1 2 3 4 6 0 0 1 13 8 5 3 20 30 11 0 0 31 0 0 0 0 0 0 0 1 21 9 7", quakeLive90,
			[]map[string]int32{
				{"client": 7, "score": 25, "ping": 40, "minutes": 12, "kills": 13, "deaths": 8, "accuracy": 24},
				{"client": 3, "score": 20, "ping": 30, "minutes": 11, "kills": 21, "deaths": 9, "accuracy": 31},
			},
		},
		{
			"Quake Live 91, scores_race: one who plays, and a spectator", "scores_race 1 7 31234 40 12 3 -1 30 2",
			tables.FamilyQuakeLive91,
			[]map[string]int32{
				{"client": 7, "score": 31234, "ping": 40, "minutes": 12},
				{"client": 3, "score": -1, "ping": 30, "minutes": 2},
			},
		},
		{
			"Quake Live 90, scores_race", "scores_race 1 7 0 31234 40 12", quakeLive90,
			[]map[string]int32{{"client": 7, "score": 31234, "ping": 40, "minutes": 12}},
		},
		{
			"Quake Live 91, smscores", "smscores 1 5 6 7 25 40 12 0 1 13 8", tables.FamilyQuakeLive91,
			[]map[string]int32{{"client": 7, "score": 25, "ping": 40, "minutes": 12, "kills": 13, "deaths": 8}},
		},
		{
			"Quake Live 73, cascores", "cascores 7 1 0 4333 24 3 2 0 900 11", tables.FamilyQuakeLive73,
			[]map[string]int32{
				{"client": 7, "accuracy": 24, "damage_given": 4333},
				{"client": 3, "accuracy": 11, "damage_given": 900},
			},
		},
		{
			"Quake Live 73, tdmscores", "tdmscores 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 7 1 4 6 4333", tables.FamilyQuakeLive73,
			[]map[string]int32{{"client": 7, "team_kills": 4, "damage_given": 4333}},
		},
		{
			"Quake Live 73 of early 2013, scores_tdm without the scores of the teams",
			"scores_tdm 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 7 1 0 25 40 12 13 8 24 5 1 2 3 4 6 4333",
			tables.FamilyQuakeLive73,
			[]map[string]int32{{
				"client": 7, "score": 25, "ping": 40, "minutes": 12, "kills": 13,
				"deaths": 8, "accuracy": 24, "team_kills": 4, "damage_given": 4333,
			}},
		},
		{
			"OpenArena 0.8.8, with as many words as in 68-kicked.dm_68",
			"scores 2 0 0 7000 1 1 0 0 0 0 9 0 0 0 0 0 0 0 0 0 0 50 3 0 0 12 0 0 0 0 0 0 0 0", tables.FamilyOpenArena,
			[]map[string]int32{
				{"client": 1, "score": 1, "ping": 0, "minutes": 0, "accuracy": 9},
				{"client": 0, "score": 0, "ping": 50, "minutes": 3, "accuracy": 12},
			},
		},
		{
			"Quake Live 90, scores_ft",
			"scores_ft" + zeros(28) + " 1 5 6 7 1 0 25 40 12 13 8 24 5 1 2 3 9 6 11 4333 1", quakeLive90,
			[]map[string]int32{{
				"client": 7, "score": 25, "ping": 40, "minutes": 12, "kills": 13, "deaths": 8, "accuracy": 24,
				"damage_given": 4333,
			}},
		},
		{
			"Quake Live 73 of early 2013, scores_ca without the scores of the teams",
			"scores_ca 1 2 2 0 56 40 12 13 8 24 5 25 4333 2 0 0 0 0", tables.FamilyQuakeLive73,
			[]map[string]int32{{
				"client": 2, "score": 56, "ping": 40, "minutes": 12, "kills": 13, "deaths": 8, "accuracy": 24,
				"damage_given": 4333,
			}},
		},
		{
			"Quake Live 91 of later, scores_rr", "scores_rr 1 5 6 7 25 3 40 12 13 8 24 5 55 1 2 3 4 6 9 0 1 1",
			tables.FamilyQuakeLive91,
			[]map[string]int32{{
				"client": 7, "score": 25, "ping": 40, "minutes": 12, "kills": 13,
				"deaths": 8, "accuracy": 24,
			}},
		},
		{"the scores of rounds have no players", "adscores 0 1 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 2 1", tables.FamilyQuakeLive73, nil},
		{"another length", "scores_rr 1 2 3 0 6 2 1 2 7 1 0 43 6 42 0 0 0 0 0 0 0", quakeLive90, nil},
		{"another game", "scores_rr 1 2 3 0 6 2 1 2 7 1 0 43 6 42 0 0 0 0 0 0 0 0", tables.FamilyOSP, nil},
		{"no number", "scores x 0 0 2 55 0 15 0 0 23 12 0 0 0 0 0 0 0", tables.FamilyOSP, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var s Sheet
			var words token.Words
			words.Split([]byte(tt.command))
			s.Read(tt.family, &words)
			var got []map[string]int32
			for _, l := range s.Lines {
				m := map[string]int32{"client": int32(l.Client)}
				for c, name := range columnNames {
					if l.Has[c] {
						m[name] = l.Values[c]
					}
				}
				got = append(got, m)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
