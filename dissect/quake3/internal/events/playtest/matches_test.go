package playtest

import (
	"fmt"
	"testing"
)

// withInfo is a game whose gamestate has more configstrings, or others.
func withInfo(t testing.TB, protocol int, serverinfo string, more map[int]string) *stage {
	s := newStage(t, protocol)
	all := s.configstrings(serverinfo)
	for index, value := range more {
		all[index] = value
	}
	return s.gamestate(all)
}

// TestMatchBegins: a gamestate without a warm-up shows a match that is on; it begins with the first snapshot, at the
// time in the configstring of the level's start (CS_LEVEL_START_TIME). Up to two seconds after that nothing of it is
// missing.
func TestMatchBegins(t *testing.T) {
	const ctf = `\gamename\baseq3\mapname\arena\g_gametype\4`
	for _, tt := range []struct {
		name, serverinfo string
		more             map[int]string
		want             []string
	}{
		{"no time", ctf, nil, []string{"match_start{map=arena gametype=4 mod=baseq3 start_time=10050}"}},
		{"its time", ctf, map[int]string{21: "8050"}, []string{"match_start{map=arena gametype=4 mod=baseq3 start_time=8050}"}},
		{"longer ago", ctf, map[int]string{21: "8049"}, []string{"match_start{map=arena gametype=4 mod=baseq3 start_time=8049 in_progress=true}"}},
		{"a time to come", ctf, map[int]string{21: "10051"}, []string{"match_start{map=arena gametype=4 mod=baseq3 start_time=10050}"}},
		{"no number", ctf, map[int]string{21: "x"}, []string{"match_start{map=arena gametype=4 mod=baseq3 start_time=10050}"}},
		{"a warm-up", ctf, map[int]string{5: "-1"}, nil},
		{"the end of the warm-up", ctf, map[int]string{5: "0"}, []string{"match_start{map=arena gametype=4 mod=baseq3 start_time=10050}"}},
		{"intermission", ctf, map[int]string{22: "1"}, nil},
		{"no intermission", ctf, map[int]string{22: "0"}, []string{"match_start{map=arena gametype=4 mod=baseq3 start_time=10050}"}},
		{"no intermission, empty", ctf, map[int]string{22: ""}, []string{"match_start{map=arena gametype=4 mod=baseq3 start_time=10050}"}},
		{"no gametype", `\gamename\baseq3\mapname\arena`, nil, nil},
		{"a gametype of no game", `\gamename\baseq3\mapname\arena\g_gametype\99`, nil, nil},
		{"a negative one", `\gamename\baseq3\mapname\arena\g_gametype\-1`, nil, nil},
		{"the first one", `\gamename\baseq3\mapname\arena\g_gametype\0`, nil, []string{"match_start{map=arena gametype=0 mod=baseq3 start_time=10050}"}},
	} {
		if withInfo(t, 68, tt.serverinfo, tt.more).forget().say().wantObjects(tt.want...); t.Failed() {
			t.Fatal(tt.name)
		}
	}
	// What the game calls itself, where serverinfo does not say it, is in CS_GAME_VERSION: GAME_VERSION,
	// code/game/bg_public.h.
	withInfo(t, 91, `\mapname\arena\g_gametype\5`, map[int]string{12: "baseq3-1"}).forget().say().
		wantObjects("match_start{map=arena gametype=5 mod=baseq3 start_time=10050}")
	withInfo(t, 68, `\mapname\arena\g_gametype\4`, map[int]string{0: `\gamename\cpma\mapname\arena\g_gametype\4`, 20: "x"}).forget().say().
		wantObjects("match_start{map=arena gametype=4 mod=cpma start_time=10050}")
	// What changes before the next match holds for that.
	s := withInfo(t, 91, `\mapname\arena\g_gametype\5`, map[int]string{12: "baseq3-1"}).say().forget()
	s.say(`cs 0 "\mapname\other\g_gametype\3"`, "cs 12 frag-2").say("map_restart").wantObjects(
		"settings{setting=g_gametype before=5 after=3}", "map_restart{}",
		"match_end{map=arena gametype=5 mod=baseq3 start_time=10050 end_time=10150 duration=100 reason=restart overtimes=0 "+
			"players{{client_num=0 name=Anna team=1 distance=0 seen_time=50}} complete=true}",
		"match_start{map=other gametype=3 mod=frag start_time=10150}")
	withInfo(t, 91, `\mapname\arena\g_gametype\5`, nil).say().end().wantObjects(
		"map_start{client{client_num=1 name=^1Bo^7b team=2} map=arena gametype=5 hostname= players{{client_num=0 name=Anna "+
			"team=1} {client_num=1 name=^1Bo^7b team=2} {client_num=2 name=Carl team=1}}}",
		"match_start{map=arena gametype=5 start_time=10050}",
		"match_end{map=arena gametype=5 start_time=10050 end_time=10050 duration=0 reason=recording_end overtimes=0 "+
			"complete=false}")
	// The start of the next match comes with the restart; the time of the one before counts from its own.
	s = withInfo(t, 68, ctf, map[int]string{21: "10000"}).say().forget().pause(60000)
	s.say("cs 21 70100", "map_restart").wantObjects("map_restart{}",
		"match_end{map=arena gametype=4 mod=baseq3 start_time=10000 end_time=70100 duration=60100 reason=restart "+
			"overtimes=0 complete=true}",
		"match_start{map=arena gametype=4 mod=baseq3 start_time=70100}")
	// CPMA has the start in an infostring.
	withInfo(t, 68, `\gamename\cpma\mapname\arena\g_gametype\4`, map[int]string{21: "9000", 672: `\tw\0\ts\9500`}).forget().say().
		wantObjects("match_start{map=arena gametype=4 mod=cpma start_time=9500}")
	withInfo(t, 68, `\gamename\cpma\mapname\arena\g_gametype\4`, map[int]string{21: "9000"}).forget().say().
		wantObjects("match_start{map=arena gametype=4 mod=cpma start_time=10050}")
}

// TestMapStart has everything that a gamestate contains.
func TestMapStart(t *testing.T) {
	s := newStage(t, 68)
	s.client = 0
	s.reader.Restart(true)
	s.gamestate(map[int]string{0: `\gamename\baseq3\mapname\arena\g_gametype\4\sv_hostname\lab`, 5: "30000", 544: `n\Anna\t\1`}).wantObjects(
		"map_start{client{client_num=0 name=Anna team=1} map=arena gametype=4 game=baseq3 hostname=lab starts_at=30000 "+
			"players{{client_num=0 name=Anna team=1}}}",
		"connect{client{client_num=0 name=Anna team=1} own=true}",
	)
	s.want()
	s = newStage(t, 68)
	s.client = -1
	s.reader.Restart(true)
	s.gamestate(map[int]string{0: `\mapname\arena`, 5: "-1"}).wantObjects("map_start{map=arena hostname= players{}}")
}

// TestWarmups: CS_WARMUP is -1 while players are missing, or the time at which the match starts: CheckTournament in
// code/game/g_main.c.
func TestWarmups(t *testing.T) {
	const ctf = `\gamename\baseq3\mapname\arena\g_gametype\4`
	waiting, starts := "warmup: warm-up, waiting for players", "match_start: the match starts"
	restart := "map_restart: the map starts again"
	for _, tt := range []struct {
		name   string
		warmup string // in the gamestate
		then   [][]string
		want   []string
	}{
		{"players are missing, and come", "-1", [][]string{{"cs 5 20000"}, {"cs 5 0", "map_restart"}}, []string{"warmup: warm-up, the match starts at 20.000", restart, starts}},
		{"the same again", "-1", [][]string{{"cs 5 -1"}}, nil},
		{"a player leaves the countdown", "20000", [][]string{{"cs 5 -1"}, {"cs 5 21000"}}, []string{waiting, "warmup: warm-up, the match starts at 21.000"}},
		{"there and back in one message", "20000", [][]string{{"cs 5 -1", "cs 5 20000"}}, nil},
		{"without restart", "20000", [][]string{{"cs 5 0"}}, []string{starts}},
		{"a restart without warm-up", "", [][]string{{"map_restart"}}, []string{starts, restart, "match_end: the match is over: restart after 0:00", starts}},
		{"a restart in the warm-up", "-1", [][]string{{"map_restart"}}, []string{restart}},
		{"a countdown in the match", "", [][]string{{"cs 5 20000"}}, []string{starts, "match_end: the match is over: aborted after 0:00", "warmup: warm-up, the match starts at 20.000"}},
		{"missing players in the match", "", [][]string{{"cs 5 -1"}}, []string{starts, "match_end: the match is over: aborted after 0:00", waiting}},
	} {
		s := withInfo(t, 68, ctf, map[int]string{5: tt.warmup}).forget().say()
		for _, commands := range tt.then {
			s.say(commands...)
		}
		if s.want(tt.want...); t.Failed() {
			t.Fatal(tt.name)
		}
	}
	withInfo(t, 68, `\gamename\baseq3\mapname\arena`, map[int]string{5: "-1"}).forget().say("map_restart").want(restart)
	withInfo(t, 68, ctf, map[int]string{5: "20000"}).forget().say("cs 5 -1").say("cs 5 30000").
		wantObjects("warmup{action=waiting}", "warmup{action=countdown starts_at=30000}")
}

// TestPauses: OSP counts down to the end of a pause as to a match, Quake Live has the time at which a pause began, and
// CPMA the sum of the pauses. The time of the match leaves them out.
func TestPauses(t *testing.T) {
	s := withInfo(t, 68, `\gamename\osp\mapname\arena\g_gametype\3`, map[int]string{21: "10050"}).forget().say().pause(950)
	s.say("cs 5 30000").pause(4950).say()
	wantStamps(t, "in the pause", s.say(`cs 546 ""`), "disconnect 16100 0 1000")
	wantStamps(t, "after it", s.say("cs 5 0", "cs 21 15100").say(`cs 546 "n\Dora"`), "connect 16200 0 1100")

	s.forget().say("map_restart").wantObjects("map_restart{}",
		"match_end{map=arena gametype=3 mod=osp start_time=10050 end_time=16250 duration=1150 reason=restart overtimes=0 "+
			"players{{client_num=0 name=Anna team=1 distance=0 seen_time=100}} complete=true}",
		"match_start{map=arena gametype=3 mod=osp start_time=15100}")

	// In a time-out OSP puts the start of the level far ahead, and counts down to its end: the demo of the QLAN2 in 2004.
	for _, countdown := range [][]string{{"cs 5 21150"}, nil} {
		s = withInfo(t, 68, `\gamename\osp\mapname\arena\g_gametype\3`, map[int]string{21: "10050"}).forget().say().pause(950)
		wantStamps(t, "a time-out", s.say("cs 21 221050").pause(4950).say(`cs 546 ""`), "disconnect 16050 0 1000")
		wantStamps(t, "its end is near", s.say(append(countdown, `cs 546 "n\Dora"`)...), "connect 16100 0 1000")
		wantStamps(t, "after it", s.say("cs 5 0", "cs 21 15150").say(`cs 546 ""`), "disconnect 16200 0 1050")
		s.forget().say("map_restart").wantObjects("map_restart{}",
			"match_end{map=arena gametype=3 mod=osp start_time=10050 end_time=16250 duration=1100 reason=restart overtimes=0 "+
				"players{{client_num=0 name=Anna team=1 distance=0 seen_time=100}} complete=true}",
			"match_start{map=arena gametype=3 mod=osp start_time=15150}")
	}

	// Quake Live's CS_PAUSE_START and CS_LEVEL_START_TIME are configstrings 669 and 13.
	s = withInfo(t, 91, `\mapname\arena\g_gametype\3`, map[int]string{13: "10050"}).forget().say().pause(950)
	s.say("cs 669 11050").pause(4950).say()
	wantStamps(t, "in the pause of Quake Live", s.say(`cs 531 ""`), "disconnect 16100 0 1000")
	wantStamps(t, "after it", s.say("cs 669 0", "cs 13 15100", `cs 531 "n\Dora"`), "connect 16150 0 1050")

	s = withInfo(t, 68, `\gamename\cpma\mapname\arena\g_gametype\3`, map[int]string{672: `\tw\0\ts\10050\td\0\te\0`}).forget().say().pause(950)
	s.say(`cs 672 "\tw\0\ts\10050\td\0\te\1000"`).pause(4950).say()
	wantStamps(t, "in the pause of CPMA", s.say(`cs 546 ""`), "disconnect 16100 0 1000")
	wantStamps(t, "after it", s.say(`cs 672 "\tw\0\ts\10050\td\5050\te\0"`, `cs 546 "n\Dora"`), "connect 16150 0 1050")
}

// TestPauseKeepsTheMatch: at the end of OSP's pause the scores are those before it, or show that something was scored;
// a match that starts anew has none.
func TestPauseKeepsTheMatch(t *testing.T) {
	for _, tt := range []struct {
		name          string
		before, after []string
		anew          bool
	}{
		{"the same scores", []string{"cs 6 3", "cs 7 1"}, nil, false},
		{"no scores", nil, nil, false},
		{"more", []string{"cs 6 3", "cs 7 1"}, []string{"cs 6 4"}, false},
		{"none any more", []string{"cs 6 3", "cs 7 1"}, []string{"cs 6 0", "cs 7 0"}, true},
		{"the countdown is set again", []string{"cs 6 3"}, []string{"cs 5 40000"}, false},
		{"players are missing", []string{"cs 6 3"}, []string{"cs 5 -1"}, true},
		{"players were missing in the same message", []string{"cs 6 3"}, []string{"cs 5 -1", "cs 5 50000"}, true},
		{"a restart", nil, []string{"map_restart"}, true},
	} {
		// Players were missing before the match: that is long over.
		s := withInfo(t, 68, `\gamename\osp\mapname\arena\g_gametype\3`, map[int]string{5: "20000"}).say("cs 5 -1").say("cs 5 20000").say("cs 5 0").say(tt.before...).say("cs 5 30000").say(tt.after...).say("cs 5 0").end()
		matches := 0
		for _, l := range s.lines {
			if l == "match_start: the match starts" {
				matches++
			}
		}
		if want := map[bool]int{false: 1, true: 2}[tt.anew]; matches != want {
			t.Errorf("%s: %d matches, want %d: %q", tt.name, matches, want, s.lines)
		}
	}
}

// TestPauseAfterRestart: a match that began with a restart is paused like any other.
func TestPauseAfterRestart(t *testing.T) {
	s := withInfo(t, 68, `\gamename\osp\mapname\arena\g_gametype\3`, nil).say().say("cs 22 1").say("map_restart", "cs 22 0").forget()
	s.say("cs 5 30000").say("cs 5 0").want()
}

// TestIntermissions: the end of a match is announced by a configstring, or shown by the player's movement; the server's
// words about the limit come up to three seconds before it.
func TestIntermissions(t *testing.T) {
	still := func(pm uint32) testState { return testState{player: map[string]uint32{"pm_type": pm}} }
	for _, tt := range []struct {
		name string
		play func(*stage)
		want []string
	}{
		{"configstring", func(s *stage) { s.say("cs 22 1").say("cs 22 1") }, []string{"intermission: intermission"}},
		{"movement", func(s *stage) { s.frame(still(5)).frame(still(5)) }, []string{"intermission: intermission"}},
		{"of a single player", func(s *stage) { s.frame(still(6)) }, []string{"intermission: intermission"}},
		{"both", func(s *stage) { s.frame(still(5), "cs 22 1").frame(still(5)) }, []string{"intermission: intermission"}},
		{"frozen", func(s *stage) { s.frame(still(4)) }, nil},
		{"over", func(s *stage) { s.say("cs 22 1").say("cs 22 0").say("cs 22 1") }, []string{"intermission: intermission", "intermission: intermission"}},
		{"a restart ends it", func(s *stage) { s.say("cs 22 1").forget().say("map_restart").frame(still(5)) }, []string{
			"map_restart: the map starts again", "match_end: the match is over: unknown after 0:00",
			"match_start: the match starts", "intermission: intermission",
		}},
		{"with words", func(s *stage) { s.say(`print "Timelimit hit."`).pause(2950).say("cs 22 1") }, []string{"intermission: intermission: Timelimit hit."}},
		{"longer ago", func(s *stage) { s.say(`print "Timelimit hit."`).pause(2951).say("cs 22 1") }, []string{"intermission: intermission"}},
		{"of another end", func(s *stage) { s.say(`print "Timelimit hit."`, "cs 22 1").forget().say("cs 22 0").say("cs 22 1") }, []string{"intermission: intermission"}},
		{"of a player", func(s *stage) { s.say(`print "Anna hit the fraglimit."`, "cs 22 1") }, []string{"intermission: intermission: Anna hit the fraglimit."}},
		{"of CPMA", func(s *stage) { s.say(`print "Timelimit hit"`, "cs 22 1") }, []string{"intermission: intermission: Timelimit hit"}},
		{"of no end", func(s *stage) { s.say(`print "Timelimit changed"`, "cs 22 1") }, []string{"intermission: intermission"}},
	} {
		s := game(t, 68, "baseq3", captureFlags).say().forget()
		tt.play(s)
		if s.want(tt.want...); t.Failed() {
			t.Fatal(tt.name)
		}
	}
	// A recording that begins in the intermission shows no end of a match.
	game(t, 68, "baseq3", captureFlags).forget().frame(still(5)).frame(still(5)).want("match_start: the match starts")
	withInfo(t, 68, `\gamename\cpma\mapname\arena\g_gametype\5`, map[int]string{672: `\tw\0`}).forget().frame(still(5)).say(`cs 672 "\tw\-1"`).
		want("match_start: the match starts", "match_end: the match is over: aborted after 0:00",
			"warmup: warm-up, waiting for players")
}

// TestRoundsOfQuakeLive: CS_ROUND_STATUS has the number of the round, CS_ROUND_TIME when it began, -1 between two
// rounds: code/game/bg_public.h of wolfcamql.
func TestRoundsOfQuakeLive(t *testing.T) {
	const status, begins, intermission = "cs 661 ", "cs 662 ", "cs 14 1"
	for _, tt := range []struct {
		name  string
		round string // CS_ROUND_TIME in the gamestate
		then  [][]string
		want  []string
	}{
		{"a round", "", [][]string{{status + `\round\3\time\12000`}, {status + `\round\3`, begins + "12000"}, {begins + "-1"}}, []string{"round_start{round=3}", "round_end{round=3}"}},
		{"no number", "", [][]string{{begins + "12000"}}, []string{"round_start{}"}},
		{"number 0", "", [][]string{{status + `\round\0`}, {begins + "12000"}}, []string{"round_start{}"}},
		{"number 1", "", [][]string{{status + `\round\1`}, {begins + "12000"}}, []string{"round_start{round=1}"}},
		{"a round that is on", "9000", [][]string{{}, {begins + "-1"}}, []string{"round_end{}"}},
		{"the same time", "", [][]string{{begins + "12000"}, {begins + "12000"}}, []string{"round_start{}"}},
		{"at time 0", "", [][]string{{begins + "0"}}, nil},
		{"at time 1", "", [][]string{{begins + "1"}}, []string{"round_start{}"}},
		{"the match ends it", "9000", [][]string{{intermission}}, []string{"round_end{}", "intermission{}"}},
	} {
		s := withInfo(t, 91, `\mapname\arena\g_gametype\4`, map[int]string{662: tt.round}).say().forget()
		for _, commands := range tt.then {
			s.say(commands...)
		}
		if s.wantObjects(tt.want...); t.Failed() {
			t.Fatal(tt.name)
		}
	}
}

// TestRoundsOfCPMA: clan arena and capture strike have rounds, between which the game counts down as to a match.
func TestRoundsOfCPMA(t *testing.T) {
	for gametype, rounds := range map[int]bool{4: false, 5: true, 6: false, 7: true} {
		s := withInfo(t, 68, fmt.Sprintf(`\gamename\cpma\mapname\arena\g_gametype\%d`, gametype), map[int]string{672: `\tw\0\sr\0\sb\0`}).say().forget()
		s.say(`cs 672 "\tw\20000\sr\1\sb\0"`).say(`cs 672 "\tw\0\sr\1\sb\0"`)
		want := []string{"score{score1=1 score2=0 team_game=true}"}
		if rounds {
			want = []string{"round_end{starts_at=20000}", want[0], "round_start{}"}
		}
		if s.wantObjects(want...); t.Failed() {
			t.Fatal(gametype)
		}
	}
}

// TestLimits: the limits of a match are keys of its serverinfo, CPMA's of an infostring; the match ends when one is
// reached. CheckExitRules, code/game/g_main.c; docs/matches.md.
func TestLimits(t *testing.T) {
	const over = "cs 14 1"
	for _, tt := range []struct {
		name       string
		protocol   int
		serverinfo string
		more       map[int]string
		pause      int32
		end        []string
		want       string
	}{
		{"time", 91, `\g_gametype\3\timelimit\10`, nil, 600000, []string{over}, "timelimit"},
		{"frags", 91, `\g_gametype\3\fraglimit\20`, nil, 0, []string{"cs 6 20", "cs 7 1", over}, "red won, red 20, blue 1, fraglimit"},
		{"captures", 91, `\g_gametype\5\capturelimit\8`, nil, 0, []string{"cs 6 3", "cs 7 8", over}, "blue won, blue 8, red 3, capturelimit"},
		{"rounds", 91, `\g_gametype\4\roundlimit\10`, nil, 0, []string{"cs 6 10", "cs 7 1", over}, "red won, red 10, blue 1, roundlimit"},
		{"rounds of freeze tag", 91, `\g_gametype\9\roundlimit\10`, nil, 0, []string{"cs 6 10", "cs 7 1", over}, "red won, red 10, blue 1, roundlimit"},
		{"rounds of another game", 91, `\g_gametype\5\roundlimit\10`, nil, 0, []string{"cs 6 10", "cs 7 1", over}, "red won, red 10, blue 1, unknown"},
		{"scores", 91, `\g_gametype\10\scorelimit\150`, nil, 0, []string{"cs 6 150", "cs 7 1", over}, "red won, red 150, blue 1, scorelimit"},
		{"mercy", 91, `\g_gametype\3\mercylimit\30`, nil, 0, []string{"cs 6 31", "cs 7 1", over}, "red won, red 31, blue 1, mercy"},
		{"overtime", 91, `\g_gametype\3\timelimit\10\g_overtime\120`, nil, 700000, []string{"cs 6 2", "cs 7 1", over}, "red won, red 2, blue 1, overtime"},
		{"no overtime in rounds", 91, `\g_gametype\4\timelimit\10\g_overtime\120`, nil, 700000, []string{"cs 6 2", "cs 7 1", over}, "red won, red 2, blue 1, timelimit"},
		{"CPMA's time", 68, `\gamename\cpma\g_gametype\3`, map[int]string{672: `\tw\0\tl\10`}, 600000, []string{`cs 672 "\tw\0\tl\10\sr\2\sb\1"`, "cs 22 1"}, "red won, red 2, blue 1, timelimit"},
		{"CPMA's overtime", 68, `\gamename\cpma\g_gametype\3`, map[int]string{672: `\tw\0\tl\10\to\2`}, 700000, []string{`cs 672 "\tw\0\tl\10\to\2\sr\2\sb\1"`, "cs 22 1"}, "red won, red 2, blue 1, overtime"},
		{"CPMA's scores", 68, `\gamename\cpma\g_gametype\4`, map[int]string{672: `\tw\0\sl\8`}, 0, []string{`cs 672 "\tw\0\sl\8\sr\8\sb\1"`, "cs 22 1"}, "red won, red 8, blue 1, scorelimit"},
		{"CPMA's sudden death", 68, `\gamename\cpma\g_gametype\3`, map[int]string{672: `\tw\0\tl\10`}, 700000, []string{`cp "^1Sudden Death Overtime!"`, `cs 672 "\tw\0\tl\10\sr\2\sb\1"`, "cs 22 1"}, "red won, red 2, blue 1, sudden_death"},
		{"another text on the screen", 68, `\gamename\cpma\g_gametype\3`, map[int]string{672: `\tw\0\tl\10`}, 600000, []string{`cp "Death Overtime!"`, `cs 672 "\tw\0\tl\10\sr\2\sb\1"`, "cs 22 1"}, "red won, red 2, blue 1, timelimit"},
	} {
		s := withInfo(t, tt.protocol, tt.serverinfo, tt.more).say().pause(tt.pause).say(tt.end...).pause(11000).say()
		if got := s.result(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
