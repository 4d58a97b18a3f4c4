package scores

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// TestTeams: most commands have the scores of red and blue after the number of players, here 3 and 4, as
// DeathmatchScoreboardMessage, code/game/g_cmds.c, writes them; in Quake Live's after the pick-ups of the teams. A
// player is client 7 with as many words as each command has.
func TestTeams(t *testing.T) {
	const quakeLive90 = tables.FamilyQuakeLive91 - 1
	player := func(words int) string { return " 7" + zeros(words-1) }
	for _, tt := range []struct {
		name, command string
		family        uint8
		teams         bool
	}{
		{"the game", "scores 1 3 4" + player(14), 0, true},
		{"with the winner's name", "scores 1 3 4 0" + player(15), tables.FamilyOSP, true},
		{"before 1.27", "scores 1 3 4" + player(6), 0, true},
		{"Wolfenstein", "scores 1 3 4" + player(8), tables.FamilyRTCW, true},
		{"Enemy Territory", "sc0 3 4 1" + player(7), tables.FamilyET, true},
		{"Enemy Territory, the players that sc0 has no room for", "sc1 1" + player(7), tables.FamilyET, false},
		{"CPMA", "xscores 1" + player(7), tables.FamilyCPMA, false},
		{"Quake Live 73", "scores 1 3 4" + player(18), tables.FamilyQuakeLive73, true},
		{"everybody for himself, 90", "scores 1 3 4" + player(18), quakeLive90, true},
		{"red rover of 73", "rrscores 1 3 4" + player(19), tables.FamilyQuakeLive73, false},
		{"clan arena", "scores_ca 1 3 4" + player(17), quakeLive90, true},
		{"clan arena of 91", "scores_ca 1 3 4" + player(16), tables.FamilyQuakeLive91, true},
		{"clan arena of early 2013", "scores_ca 1" + player(17), tables.FamilyQuakeLive73, false},
		{"flags", "scores_ctf" + zeros(34) + " 1 3 4" + player(19), quakeLive90, true},
		{"flags of 91", "scores_ctf" + zeros(34) + " 1 3 4" + player(17), tables.FamilyQuakeLive91, true},
		{"flags of early 2013", "scores_ctf" + zeros(34) + " 1" + player(19), tables.FamilyQuakeLive73, false},
		{"team deathmatch", "scores_tdm" + zeros(28) + " 1 3 4" + player(16), quakeLive90, true},
		{"team deathmatch of 91", "scores_tdm" + zeros(28) + " 1 3 4" + player(15), tables.FamilyQuakeLive91, true},
		{"team deathmatch of early 2013", "scores_tdm" + zeros(28) + " 1" + player(16), tables.FamilyQuakeLive73, false},
		{"freeze tag", "scores_ft" + zeros(28) + " 1 3 4" + player(18), quakeLive90, true},
		{"freeze tag of 91", "scores_ft" + zeros(28) + " 1 3 4" + player(17), tables.FamilyQuakeLive91, true},
		{"freeze tag of early 2013", "scores_ft" + zeros(28) + " 1" + player(18), tables.FamilyQuakeLive73, false},
		{"red rover", "scores_rr 1 3 4" + player(19), quakeLive90, false},
		{"red rover of 91", "scores_rr 1 3 4" + player(18), tables.FamilyQuakeLive91, false},
		{"red rover of later 91", "scores_rr 1 3 4" + player(19), tables.FamilyQuakeLive91, false},
		{"everybody for himself", "scores_ffa 1 3 4" + player(18), quakeLive90, false},
		{"no number", "scores 1 x 4" + player(14), 0, false},
		{"no second number", "scores 1 3 x" + player(14), 0, false},
	} {
		s := read(tt.family, tt.command)
		want := [2]int32{}
		if tt.teams {
			want = [2]int32{3, 4}
		}
		if len(s.Lines) != 1 || s.Lines[0].Client != 7 || s.HasTeams != tt.teams || tt.teams && s.Teams != want {
			t.Errorf("%s: %v %d, lines %+v", tt.name, s.HasTeams, s.Teams, s.Lines)
		}
		if s.Clear(); s.HasTeams || len(s.Lines) > 0 {
			t.Errorf("%s: the next message begins with %+v", tt.name, s)
		}
	}
}
