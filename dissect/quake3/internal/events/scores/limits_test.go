package scores

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// read passes a sheet the commands of a message.
func read(family uint8, commands ...string) (s Sheet) {
	var words token.Words
	for _, c := range commands {
		words.Split([]byte(c))
		s.Read(family, &words)
	}
	return s
}

// clients are those of the lines of a sheet.
func clients(s *Sheet) (list []int) {
	for i := range s.Lines {
		list = append(list, s.Lines[i].Client)
	}
	return list
}

// zeros are so many words.
func zeros(n int) string { return strings.Repeat(" 0", n) }

// TestClients: a command that names a client beyond the most that a game has, 128 in protocol 43, or a negative one,
// has no entry for it; one whose length does not match the number of players is ignored.
func TestClients(t *testing.T) {
	const quakeLive90 = tables.FamilyQuakeLive91 - 1
	line := func(client string) string { return " " + client + zeros(18) } // of scores_rr
	arms := " 0 1 2 3 4 0 0 aaaaaaaa 5 6 7 8"                              // of mstats: no weapon
	for _, tt := range []struct {
		name     string
		family   uint8
		commands []string
		want     []int
	}{
		{"the first and the last client", quakeLive90, []string{"scores_rr 2 0 0" + line("0") + line("127")}, []int{0, 127}},
		{"none is beyond", quakeLive90, []string{"scores_rr 3 0 0" + line("5") + line("128") + line("-1")}, []int{5}},
		{"no player", quakeLive90, []string{"scores_rr 0 0 0"}, nil},
		{"a negative number of players", quakeLive90, []string{"scores_rr -1 0 0"}, nil},
		{"128 players", quakeLive90, []string{"scores_rr 128 0 0" + strings.Repeat(line("1"), 128)}, []int{1}},
		{"129 players", quakeLive90, []string{"scores_rr 129 0 0" + strings.Repeat(line("1"), 129)}, nil},
		{"a word too much", quakeLive90, []string{"scores_rr 1 0 0" + line("1") + " 0"}, nil},
		{"no number", quakeLive90, []string{"scores_rr one 0 0" + line("1")}, nil},
		{"CPMA, the first client", tables.FamilyCPMA, []string{"mstats 0" + arms}, []int{0}},
		{"CPMA, the last client", tables.FamilyCPMA, []string{"xstats2 127" + arms}, []int{127}},
		{"CPMA, none", tables.FamilyCPMA, []string{"mstats 128" + arms, "mstats -1" + arms, "mstats x" + arms}, nil},
		{"CPMA, without the letters", tables.FamilyCPMA, []string{"mstats 1 0 1 2 3 4 0 0 aaaaaaa 5 6 7 8"}, nil},
		{"CPMA, without the last number", tables.FamilyCPMA, []string{"mstats 1 0 1 2 3 4 0 0 aaaaaaaa 5 6 7"}, nil},
		{"of another game", tables.FamilyOSP, []string{"mstats 0" + arms, "scores_rr 1 0 0" + line("1")}, nil},
		{"by place", quakeLive90, []string{"scores_rr 2 0 0" + line("9") + line("4"), "ctfstats 1" + zeros(12)}, []int{9, 4}},
		{"a place that does not exist", quakeLive90, []string{"ctfstats 0" + zeros(12)}, nil},
		{"a negative place", quakeLive90, []string{"ctfstats -1" + zeros(12)}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := read(tt.family, tt.commands...)
			if diff := cmp.Diff(tt.want, clients(&s)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestFamilies: the layouts of the game and those of the games derived from it, by the functions that layouts names. A
// player's words are the client, the score, the ping and the minutes in all of them.
func TestFamilies(t *testing.T) {
	player := func(rest int) string { return " 7 21 48 5" + zeros(rest) }
	for _, tt := range []struct {
		name, command string
		family        uint8
		known         bool
	}{
		{"the game", "scores 1 0 0" + player(10), 0, true},
		{"with the winner's name", "scores 1 0 0 0" + player(11), tables.FamilyOSP, true},
		{"before 1.27", "scores 1 0 0" + player(2), 0, true},
		{"Wolfenstein", "scores 1 0 0" + player(4), tables.FamilyRTCW, true},
		{"Wolfenstein, as the game", "scores 1 0 0" + player(10), tables.FamilyRTCW, false},
		{"the game, as Wolfenstein", "scores 1 0 0" + player(4), 0, false},
		{"Enemy Territory", "sc0 0 0 1" + player(3), tables.FamilyET, true},
		{"Enemy Territory, the rest", "sc1 1" + player(3), tables.FamilyET, true},
		{"the rest, as sc0", "sc1 0 0 1" + player(3), tables.FamilyET, false},
		{"Enemy Territory, as the game", "scores 1 0 0" + player(10), tables.FamilyET, false},
		{"the game, as Enemy Territory", "sc0 0 0 1" + player(3), 0, false},
		{"CPMA, as the game", "scores 1 0 0" + player(10), tables.FamilyCPMA, false},
		{"Quake Live, as the game", "scores 1 0 0" + player(10), tables.FamilyQuakeLive73, false},
		{"Quake Live 91, as the game", "scores 1 0 0" + player(10), tables.FamilyQuakeLive91, false},
		{"Jedi Academy", "scores 1 0 0" + player(10), tables.FamilyAcademy, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := read(tt.family, tt.command)
			if !tt.known {
				if len(s.Lines) > 0 {
					t.Errorf("read: %+v", s.Lines)
				}
				return
			}
			if len(s.Lines) != 1 {
				t.Fatalf("%d lines", len(s.Lines))
			}
			l := &s.Lines[0]
			if got, want := []int32{int32(l.Client), l.Values[Score], l.Values[Ping], l.Values[Minutes]}, []int32{
				7, 21, 48,
				5,
			}; !slices.Equal(got, want) {
				t.Errorf("client, score, ping, minutes: %d, want %d", got, want)
			}
		})
	}
}

// TestRepeats: at the end of a match servers send two commands in turn, again and again. A message's sheet forgets
// them.
func TestRepeats(t *testing.T) {
	var s Sheet
	for _, step := range []struct {
		command string
		want    bool
	}{
		{"a", false},
		{"a", true},
		{"b", false},
		{"a", true},
		{"b", true},
		{"c", false},
		{"b", true},
		{"a", false},
		{"c", true},
	} {
		if got := s.Repeats([]byte(step.command)); got != step.want {
			t.Errorf("%s: repeated %v, want %v", step.command, got, step.want)
		}
	}
	s.Clear()
	for _, command := range []string{"a", "c"} {
		if s.Repeats([]byte(command)) {
			t.Errorf("%s: repeated in the next message", command)
		}
	}
}

// TestWeapons: a weapon is listed if the player did anything with it, and a later command replaces an earlier one. The
// numbers of a weapon are as in package scores' sources: dscores has hits, shots, accuracy, damage, kills after 18
// words; mstats hits, shots, kills, deaths and two more after the mask; castats accuracy and kills; tdmstats as
// dscores.
func TestWeapons(t *testing.T) {
	const quakeLive90 = tables.FamilyQuakeLive91 - 1
	place := "scores_rr 1 0 0 3" + zeros(18)
	duel := func(weapons string) string {
		return "dscores 20 7 5 31 900" + zeros(13) + weapons + " 10 5 7 22 600" + zeros(13) + zeros(65)
	}
	two := "scores 2 0 0 3" + zeros(17) + " 8" + zeros(17)
	for _, tt := range []struct {
		name     string
		family   uint8
		commands []string
		want     []Weapon
	}{
		{"a hit", tables.FamilyQuakeLive73, []string{two, duel(" 1 0 0 0 0" + zeros(60))}, []Weapon{{Number: 1, Hits: 1, HasDamage: true}}},
		{"damage alone, the last weapon", tables.FamilyQuakeLive73, []string{two, duel(zeros(60) + " 0 0 50 9 0")}, []Weapon{{Number: 13, Damage: 9, HasDamage: true}}},
		{"shots and a kill", tables.FamilyQuakeLive73, []string{two, duel(zeros(30) + " 0 7 0 0 2" + zeros(30))}, []Weapon{{Number: 7, Shots: 7, Kills: 2, HasDamage: true}}},
		{"an accuracy alone is nothing", tables.FamilyQuakeLive73, []string{two, duel(" 0 0 9 0 0" + zeros(60))}, nil},
		{"replaced", tables.FamilyQuakeLive73, []string{two, duel(" 1 0 0 0 0" + zeros(60)), duel(zeros(65))}, nil},
		{"CPMA, a death by it", tables.FamilyCPMA, []string{"mstats 3 2 0 0 0 1 0 0 10 20 30 40 aaaaaaaa 5 6 7 8"}, []Weapon{{Number: 1, Deaths: 1, HasDeaths: true}}},
		{"CPMA, the lowest bit", tables.FamilyCPMA, []string{"mstats 3 1 1 2 3 4 5 6 10 20 30 40 aaaaaaaa 5 6 7 8"}, []Weapon{{Hits: 1, Shots: 2, Kills: 3, Deaths: 4, HasDeaths: true}}},
		{"CPMA, picked up alone is nothing", tables.FamilyCPMA, []string{"mstats 3 2 0 0 0 0 5 6 10 20 30 40 aaaaaaaa 5 6 7 8"}, nil},
		{"CPMA, more weapons than words", tables.FamilyCPMA, []string{"mstats 3 6 1 2 3 4 5 6 7 8 9 aaaaaaaa 5 6 7 8"}, nil},
		{"clan arena, a weapon missing", quakeLive90, []string{place, "castats 0 900 800 40 2" + zeros(24)}, nil},
		{"clan arena, a kill with the last weapon", quakeLive90, []string{place, "castats 0 900 800" + zeros(26) + " 0 1"}, []Weapon{{Number: 14, Kills: 1, HasAccuracy: true}}},
		{"clan arena, a word too much", quakeLive90, []string{place, "castats 0 900 800 40 2" + zeros(27)}, nil},
		{"clan arena, the first", quakeLive90, []string{place, "castats 0 900 800 40 2" + zeros(26)}, []Weapon{{Number: 1, Kills: 2, Accuracy: 40, HasAccuracy: true}}},
		{"team deathmatch", tables.FamilyQuakeLive73, []string{two, "tdmstats 0" + zeros(11) + " 3 4 5 6 7"}, []Weapon{{Number: 1, Hits: 3, Shots: 4, Damage: 6, Kills: 7, HasDamage: true}}},
		{"team deathmatch, a word too much", tables.FamilyQuakeLive73, []string{two, "tdmstats 0" + zeros(11) + " 3 4 5 6 7 8"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := read(tt.family, tt.commands...)
			i := slices.IndexFunc(s.Lines, func(l Line) bool { return l.Client == 3 })
			if i < 0 {
				t.Fatal("the player has no line")
			}
			if got := s.Lines[i].Weapons; !slices.Equal(got, tt.want) {
				t.Errorf("%+v, want %+v", got, tt.want)
			}
		})
	}
}
