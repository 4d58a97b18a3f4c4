package playtest

import (
	"fmt"
	"strings"
	"testing"
)

// TestScoreboards has a score command of each kind: docs/matches.md has their layouts.
func TestScoreboards(t *testing.T) {
	zeros := func(n int) string { return strings.Repeat(" 0", n) }
	const anna = "client_num=0 name=Anna team=1"
	for _, tt := range []struct {
		name     string
		protocol int
		gamename string
		commands []string
		want     string
	}{
		{"score, ping, minutes, accuracy", 68, "baseq3", []string{"scores 1 0 0 0 21 48 5 0 0 33" + zeros(7)}, "scoreboard{scores{{" + anna + " score=21 ping=48 minutes=5 accuracy=33}}}"},
		{"a player who is not there", 68, "baseq3", []string{"scores 1 0 0 9 21 48 5 0 0 33" + zeros(7)}, "scoreboard{scores{{client_num=9 score=21 ping=48 minutes=5 accuracy=33}}}"},
		{"kills and deaths", 73, "", []string{"scores 1 0 0 0 21 48 5 0 0 33" + zeros(8) + " 13 8 0"}, "scoreboard{scores{{" + anna + " score=21 ping=48 minutes=5 kills=13 deaths=8 accuracy=33}}}"},
		{"hits, shots and deaths by weapon", 68, "cpma", []string{"mstats 0 2 1 2 3 4 5 6 100 200 7 8 aaaaaaaa 10 11 12 13 14 15 16"}, "scoreboard{scores{{" + anna + " score=10 kills=11 deaths=12 suicides=13 damage_given=100 damage_received=200 team_kills=16 weapons{{weapon=1 hits=1 shots=2 kills=3 deaths=4}}}}}"},
		{"accuracy by weapon", 90, "", []string{"scores_rr 1 0 0 0" + zeros(18), "castats 0 900 800 40 2" + zeros(26)}, "scoreboard{scores{{" + anna + " score=0 ping=0 minutes=0 kills=0 deaths=0 accuracy=0 damage_given=900 damage_received=800 weapons{{weapon=1 accuracy=40 kills=2}}}}}"},
		{"damage by weapon", 73, "", []string{"scores 1 0 0 0" + zeros(17), "tdmstats 0" + zeros(11) + " 3 4 5 6 7"}, "scoreboard{scores{{" + anna + " score=0 ping=0 minutes=0 kills=0 deaths=0 suicides=0 accuracy=0 damage_given=0 damage_received=0 team_kills=0 weapons{{weapon=1 hits=3 shots=4 kills=7 damage_given=6}}}}}"},
		{"another command", 68, "baseq3", []string{"tinfo 1 0 0"}, ""},
	} {
		s := game(t, tt.protocol, tt.gamename, captureFlags).say().forget()
		var want []string
		if tt.want != "" {
			want = []string{tt.want}
		}
		if s.say(tt.commands...).wantObjects(want...); t.Failed() {
			t.Fatal(tt.name)
		}
		s.say().want() // once
	}
	// The scores of teams that come with them count as those of the configstrings do.
	s := game(t, 68, "baseq3", captureFlags).say().say("scores 1 5 3 0 21 48 5" + zeros(10)).end()
	if got := s.result(); got != "red 5, blue 3, recording_end" {
		t.Error(got)
	}
	et := func() *stage {
		return game(t, 84, "", 2).say().say("sc0 50 23 1 0 21 48 5 0 0 0", "sc1 1 1 4 48 5 0 0 0")
	}
	for end, s := range map[string]*stage{
		"recording_end": et().end(), "restart": et().say("map_restart"),
		"unknown": et().say("cs 12 1").pause(11000).say(),
	} {
		if got := s.result(); got != "axis 50, allies 23, "+end {
			t.Errorf("%s: %q", end, got)
		}
	}
	eight := game(t, 90, "", freeForAll)
	s = eight.gamestate(eight.configstrings(`\mapname\arena\g_gametype\0`, `n\Dora\t\0`, `n\Emil\t\0`, `n\Fred\t\0`, `n\Gerd\t\0`, `n\Hans\t\0`)).say()
	lines := ""
	for client := range 8 {
		lines += fmt.Sprintf(" %d %d 40 12 0 0 24 0 0 0 0 0 0 0 1 13 8 5", client, 20-client)
	}
	s.say("scores 8 20 19" + lines).end()
	if got := s.result(); got != "Anna 20, Bob 19, Carl 18, Dora 17, Emil 16, Fred 15, Gerd 14, Hans 13, recording_end" {
		t.Error(got)
	}
	// of players they mean nothing
	s = game(t, 68, "baseq3", freeForAll).say().say("scores 1 5 3 0 21 48 5" + zeros(10)).end()
	if got := s.result(); got != "Anna 21, Bob ?, Carl ?, recording_end" {
		t.Error(got)
	}
	s = game(t, 68, "cpma", freeForAll).say().say("xscores 1 0 21 a 5 0 0 0").end() // a score without ping
	if got := s.result(); got != "Anna 21, Bob ?, Carl ?, recording_end" {
		t.Error(got)
	}
	s = game(t, 68, "baseq3", freeForAll).say().say(scoresOf(5, -999, 3)).end() // of nobody
	if got := s.result(); got != "Anna 5, Carl 3, Bob ?, recording_end" {
		t.Error(got)
	}
}

// TestObjectivesDecide: games that are won by objectives have the side in a configstring (CS_MULTI_MAPWINNER) or, in a
// siege, in an event. In all others the scores decide.
func TestObjectivesDecide(t *testing.T) {
	siegeOver := shown(entities{80: {"eType": 18 + 101, "eventParm": 1, "weapon": 0}})
	for _, tt := range []struct {
		name     string
		protocol int
		gametype int
		scene    testState
		before   []string
		over     string
		want     string
	}{
		{"Enemy Territory, allies", 84, 2, testState{}, []string{`cs 14 "\w\1"`}, "cs 12 1", "allies won, objectives"},
		{"Enemy Territory, axis", 84, 2, testState{}, []string{`cs 14 "\w\0"`}, "cs 12 1", "axis won, objectives"},
		{"Enemy Territory, nobody", 84, 2, testState{}, []string{`cs 14 "\w\-1"`}, "cs 12 1", "unknown"},
		{"Enemy Territory, no side", 84, 2, testState{}, []string{`cs 14 "\w\2"`}, "cs 12 1", "unknown"},
		{"Enemy Territory, no longer", 84, 2, testState{}, []string{`cs 14 "\w\1"`, `cs 14 ""`}, "cs 12 1", "unknown"},
		{"Enemy Territory, the original game", 84, 4, testState{}, []string{`cs 14 "\winner\1"`}, "cs 12 1", "allies won, objectives"},
		{"RTCW", 60, 5, testState{}, []string{`cs 16 "\winner\0"`, "cs 6 1", "cs 7 5"}, "cs 14 1", "red won, blue 5, red 1, objectives"},
		{"RTCW, flags", 60, 4, testState{}, []string{`cs 16 "\winner\0"`, "cs 6 1", "cs 7 5"}, "cs 14 1", "blue won, blue 5, red 1, unknown"},
		{"a siege", 26, 7, siegeOver, []string{"cs 6 1", "cs 7 5"}, "cs 22 1", "red won, blue 5, red 1, objectives"},
		{"flags, and the event of a siege", 26, 8, siegeOver, []string{"cs 6 1", "cs 7 5"}, "cs 22 1", "blue won, blue 5, red 1, unknown"},
		{"flags of the game", 68, 4, testState{}, []string{"cs 6 1", "cs 7 5"}, "cs 22 1", "blue won, blue 5, red 1, unknown"},
	} {
		s := game(t, tt.protocol, "baseq3", tt.gametype).say().frame(tt.scene, tt.before...).say(tt.over).pause(11000).say()
		if got := s.result(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestWords has the sentences that the list shows, of events with and without what can be missing.
func TestWords(t *testing.T) {
	ctf := func() *stage { return game(t, 68, "baseq3", captureFlags).say().forget() }
	et := func() *stage { return game(t, 84, "", 2).say("cs 770 \"the Door\"").forget() }
	popup := func(what, happened, which, side uint32) testState {
		return shown(entities{80: {
			"eType": 62 + 124, "effect1Time": what, "effect2Time": happened,
			"effect3Time": which, "density": side,
		}})
	}
	for _, tt := range []struct {
		s    *stage
		want []string
	}{
		{et().say(`cs 689 "n\Anna\t\1\c\0"`).say(`cs 689 "n\Anna\t\1\c\1"`), []string{"class: Anna is now medic"}},
		{et().frame(popup(0, 0, 1, 0)), []string{"objective: dynamite planted at the Door"}},
		{et().say(`cs 770 "^1the ^7Gate"`).forget().frame(popup(0, 0, 1, 0)), []string{"objective: dynamite planted at the Gate"}},
		{et().frame(popup(0, 1, 9, 0)), []string{"objective: dynamite defused"}},
		{et().frame(popup(6, 1, 1, 2)), []string{"objective: allies: the Door destroyed"}},
		{et().frame(popup(6, 0, 9, 3)), []string{"objective: something damaged"}},
		{et().say(`cpm "^1Go" 2`), []string{"objective: Go"}},
		{et().say("vtchat 0 0 Medic"), []string{"chat: (Anna): voice Medic"}},
		{et().say("vbchat 0 0 Medic"), []string{"chat: (Anna): voice Medic"}},
		{game(t, 60, "", 4).say().forget().say(`lchat "[lof]Anna^7: ^2hello" 1`), []string{"chat: (Anna): hello"}},
		{ctf().say(`chat "console: ^1hello"`), []string{"chat: console: hello"}},
		{ctf().say("tchat \"\x19(Anna^7\x19) (^1Base)\x19: ^5mine\""), []string{"chat: (Anna) (Base): mine"}},
		{ctf().say("cs 5 -1"), []string{"match_end: the match is over: aborted after 0:00", "warmup: warm-up, waiting for players"}},
		{ctf().frame(shown(entities{80: obituary(1, 0, 99)})), []string{"kill: Bob killed Anna (99)"}},
		{ctf().frame(shown(entities{80: {"eType": 13 + 20, "eventParm": 28}})), []string{"pickup: somebody picked up item_quad"}},
		{game(t, 91, "", 4).say().forget().say(`cs 661 "\round\3"`, "cs 662 12000"), []string{"round_start: a round starts: 3"}},
		{withInfo(t, 68, `\gamename\cpma\g_gametype\5`, map[int]string{672: `\tw\0`}).say().forget().say(`cs 672 "\tw\20500"`), []string{"round_end: the round is over, the next one starts at 20.500"}},
		{withInfo(t, 68, `\gamename\baseq3\mapname\arena\sv_hostname\^1lab`, map[int]string{544: "", 546: ""}), []string{"map_start: arena on lab, 1 player"}},
		{withInfo(t, 68, `\gamename\baseq3\mapname\arena\sv_hostname\`, map[int]string{544: "", 546: ""}), []string{"map_start: arena, 1 player"}},
		{withInfo(t, 68, `\gamename\baseq3\mapname\arena\sv_hostname\^1`, map[int]string{544: "", 546: ""}), []string{"map_start: arena, 1 player"}},
		{ctf().say(`cs 546 "n\^1\t\1"`), []string{"rename: Carl is now client 2"}},
		{ctf().say("vchat 0 9 50 yes"), []string{"chat: client 9: voice yes"}},
	} {
		tt.s.want(tt.want...)
	}
}
