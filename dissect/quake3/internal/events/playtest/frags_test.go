package playtest

import (
	"fmt"
	"strings"
	"testing"
)

// Gametypes, gametype_t in code/game/bg_public.h.
const (
	freeForAll   = 0
	tournament   = 1
	teamGame     = 3
	captureFlags = 4
)

// scoresOf is the score command of a game, DeathmatchScoreboardMessage in code/game/g_cmds.c: of three players here.
func scoresOf(anna, bob, carl int) string {
	line := func(client, score int) string {
		return fmt.Sprintf(" %d %d 50 3 0 0 0 0 0 0 0 0 0 0", client, score)
	}
	return "scores 3 0 0" + line(0, anna) + line(1, bob) + line(2, carl)
}

// result is the text of match_end, up to the time.
func (s *stage) result() string {
	for _, l := range s.lines {
		if words, ok := strings.CutPrefix(l, "match_end: the match is over: "); ok {
			words, _, _ = strings.Cut(words, " after ")
			return words
		}
	}
	return ""
}

// TestFragsChangeScores shows an obituary after the last score command. A kill is a frag, any other death one less:
// player_die, code/game/g_combat.c. OpenArena takes none of who has none while three or more play.
func TestFragsChangeScores(t *testing.T) {
	const anna, bob, carl, world, nobody = 0, 1, 2, 1022, 5
	for _, tt := range []struct {
		name           string
		gamename       string
		gametype       int
		before         [3]int
		killer, victim uint32
		want           string
	}{
		{"a kill", "baseq3", freeForAll, [3]int{5, 3, 0}, bob, anna, "Anna 5, Bob 4, Carl 0"},
		{"of the first client", "baseq3", freeForAll, [3]int{5, 3, 0}, anna, bob, "Anna 6, Bob 3, Carl 0"},
		{"a suicide", "baseq3", freeForAll, [3]int{5, 3, 0}, bob, bob, "Anna 5, Bob 2, Carl 0"},
		{"the world", "baseq3", freeForAll, [3]int{5, 3, 0}, world, anna, "Anna 4, Bob 3, Carl 0"},
		{"below none", "baseq3", freeForAll, [3]int{5, 3, 0}, world, carl, "Anna 5, Bob 3, Carl -1"},
		{"in a tournament", "baseq3", tournament, [3]int{5, 3, 0}, bob, anna, "Anna 5, Bob 4, Carl 0"},
		{"teams have other rules", "baseq3", teamGame, [3]int{5, 3, 0}, bob, anna, "red 0, blue 0"},
		{"nobody whom the scores list", "baseq3", freeForAll, [3]int{5, 3, 0}, nobody, anna, "Anna 5, Bob 3, Carl 0"},
		{"a victim that is no player", "baseq3", freeForAll, [3]int{5, 3, 0}, world, 128, "Anna 5, Bob 3, Carl 0"},

		{"OpenArena, a kill", "baseoa", freeForAll, [3]int{5, 3, 0}, carl, anna, "Anna 5, Bob 3, Carl 1"},
		{"OpenArena, with one frag", "baseoa", freeForAll, [3]int{5, 3, 1}, carl, carl, "Anna 5, Bob 3, Carl 0"},
		{"OpenArena, without frags", "baseoa", freeForAll, [3]int{5, 3, 0}, carl, carl, "Anna 5, Bob 3, Carl 0"},
		{"OpenArena, below none", "baseoa", freeForAll, [3]int{5, 3, -2}, world, carl, "Anna 5, Bob 3, Carl -2"},
	} {
		s := game(t, 71, tt.gamename, tt.gametype).say().say(scoresOf(tt.before[0], tt.before[1], tt.before[2]))
		s.frame(shown(entities{80: obituary(tt.killer, tt.victim, 1)})).end()
		if got, _ := strings.CutSuffix(s.result(), ", recording_end"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}

	// While two play OpenArena takes one more.
	s := newStage(t, 71)
	two := s.configstrings(`\gamename\baseoa\mapname\arena\g_gametype\1`)
	two[546] = `n\Carl\t\3`
	s.gamestate(two).say().say(scoresOf(5, 0, 0)).frame(shown(entities{80: obituary(1, 1, 1)})).end()
	if got := s.result(); got != "Anna 5, Bob -1, recording_end" {
		t.Error(got)
	}
	// The player state of the same snapshot, and a command of the same message, have the frag already.
	s = game(t, 71, "baseq3", freeForAll).say().say(scoresOf(5, 3, 0))
	killed := own(4)
	killed.entities = entities{80: obituary(1, 0, 1)}
	if s.frame(killed).end(); s.result() != "Anna 5, Bob 4, Carl 0, recording_end" {
		t.Error(s.result())
	}
	// All scores are known from the start of a match on. If it is on already, one that is not known does not become
	// known, but that of the only killer when the best score rises. The score of a spectator does not count.
	fresh := func() *stage { // the game says when the level began
		s := newStage(t, 71)
		all := s.configstrings(`\gamename\baseq3\mapname\arena\g_gametype\0`)
		all[21] = "10000"
		return s.gamestate(all)
	}
	s = fresh().say().frame(own(3)).frame(shown(entities{80: obituary(0, 2, 1)})).end()
	if got := s.result(); got != "Bob 3, Anna 1, Carl 0, recording_end" {
		t.Error(got)
	}
	underway := func() *stage { return fresh().pause(500).say().frame(own(3)) }
	s = underway().frame(shown(entities{80: obituary(0, 2, 1)})).end()
	if got := s.result(); got != "Bob 3, Anna ?, Carl ?, recording_end" {
		t.Error(got)
	}
	s = underway().say("cs 6 7").frame(shown(entities{80: obituary(0, 2, 1)}), "cs 6 8").end()
	if got := s.result(); got != "Anna 8, Bob 3, Carl ?, recording_end" {
		t.Error(got)
	}
	s = underway().say("cs 6 7").
		frame(shown(entities{80: obituary(0, 2, 1), 81: obituary(1, 2, 1)}), "cs 6 8").end() // either made it rise
	if got := s.result(); got != "Bob 4, Anna ?, Carl ?, recording_end" {
		t.Error(got)
	}
	// A hole in the snapshots may have held a kill.
	s = fresh().say().frame(own(3)).pause(301).frame(own(3)).end()
	if got := s.result(); got != "Bob 3, Anna ?, Carl ?, recording_end" {
		t.Error(got)
	}
	s = game(t, 71, "baseq3", freeForAll).say().say(`cs 545 "n\Bob\t\3"`).frame(own(3)).end()
	if got := s.result(); got != "Anna ?, Carl ?, recording_end" {
		t.Error(got)
	}
	// Who follows a player is listed with the score of the followed. In the game it is not his own.
	s = game(t, 71, "baseq3", freeForAll).say().say(`cs 546 "n\Carl\t\3"`).say(scoresOf(5, 3, 5)).
		say(`cs 546 "n\Carl\t\0"`).frame(own(3)).end()
	if got := s.result(); got != "Anna 5, Bob 3, Carl ?, recording_end" {
		t.Error(got)
	}
	// A list counts for the team that a player had when it was sent.
	s = game(t, 71, "baseq3", freeForAll).say().say(`cs 546 "n\Carl\t\3"`).
		say(scoresOf(5, 3, 5), `cs 546 "n\Carl\t\0"`).frame(own(3)).end()
	if got := s.result(); got != "Anna 5, Bob 3, Carl ?, recording_end" {
		t.Error(got)
	}
	// What happens after the match changes nothing.
	s = game(t, 71, "baseq3", freeForAll).say().say(scoresOf(5, 3, 0)).say("cs 22 1").
		frame(shown(entities{80: obituary(1, 0, 1)}))
	s.frame(own(9)).pause(11000).say()
	if got := s.result(); got != "Anna 5, Bob 3, Carl 0, unknown" {
		t.Error(got)
	}
	// The duels of Jedi Academy are of players, and so are power duels: gametype_t, codemp/game/bg_public.h of OpenJK.
	for gametype, want := range map[int]string{
		0: "Bob 4, Anna ?, Carl ?, recording_end", 3: "Bob 4, Anna ?, Carl ?, recording_end",
		4: "Bob 4, Anna ?, Carl ?, recording_end", 6: "recording_end",
	} {
		s := game(t, 26, "", gametype).say().frame(own(3)).
			frame(shown(entities{80: {"eType": 18 + 93, "otherEntityNum": 0, "otherEntityNum2": 1}})).end()
		if got := s.result(); got != want {
			t.Errorf("gametype %d: %q", gametype, got)
		}
	}
}
