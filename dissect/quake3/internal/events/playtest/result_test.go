package playtest

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3"
)

// duelCPMA is a duel of CPMA between Anna and Bob that has just begun; the texts are those of the recording
// dm_68_cpma__forfeit_with_comebacks.
func duelCPMA(t testing.TB) *testGame {
	g := newTestGame(t).gamestate(map[int]string{
		0: `\gamename\cpma\mapname\cpm3a\g_gametype\1\sv_hostname\lab`, 1: `\sv_serverid\7`,
		544: `n\Anna\t\0`, 545: `n\Bob\t\0`, 672: `sb\0\sr\0\tw\20000\ts\0\td\0\te\0\to\2\tl\10\sl\0`, 710: `sb\0\sr\0`,
	})
	g.forget().pause(9900)
	return g.say(`cs 672 "sb\0\sr\0\tw\0\ts\20000\td\0\te\0\to\2\tl\10\sl\0"`).want("match_start: the match starts").say(`cs 710 "sb\0\sr\0"`).forget()
}

// own shows the player state of Bob with a score.
func own(score int32) testState {
	return testState{player: map[string]uint32{"clientNum": 1}, score: &score}
}

func TestForfeit(t *testing.T) {
	g := duelCPMA(t).frame(own(6), `cs 710 "sb\6\sr\5"`).forget().pause(60000)
	// Bob, who leads, goes to the spectators. His scores are reset before the match is called off.
	g.frame(own(6), `cs 545 "n\Bob\t\3"`, `cs 710 "sb\5\sr\-9999"`, `cs 545 "n\Bob\t\0"`).forget()
	g.say(`cs 672 "sb\5\sr\0\tw\-1\ts\20000\td\0\te\0\to\2\tl\10\sl\0"`).want(
		"match_end: the match is over: Anna won, Bob 6, Anna 5, forfeit after 1:00",
		"warmup: warm-up, waiting for players", "score: first 5, second 0",
	)
}

func TestTimeIsUp(t *testing.T) {
	g := duelCPMA(t).frame(own(1), `cs 710 "sb\2\sr\1"`).forget()
	// A pause of 30 s: te is the time on the match clock at which it began, td its length.
	g.pause(100000).say(`cs 672 "sb\2\sr\1\tw\0\ts\20000\td\0\te\100000\to\2\tl\10\sl\0"`).want()
	g.pause(29900).say(`cs 672 "sb\2\sr\1\tw\0\ts\20000\td\30000\te\0\to\2\tl\10\sl\0"`).want()
	still := own(1)
	still.player["pm_type"] = 5
	g.pause(250000).say().pause(250000).frame(still, "print \"Timelimit hit\n\"")
	g.want("intermission: intermission: Timelimit hit")
	g.pause(600).say().want("match_end: the match is over: Anna won, Anna 2, Bob 1, timelimit after 10:00")
}

func TestRecordingEnds(t *testing.T) {
	g := duelCPMA(t).frame(own(1), `cs 710 "sb\2\sr\1"`).forget()
	rec := dissect.NewRecord()
	if !quake3.New().End(g.c, rec) {
		t.Fatal("nothing is said at the end")
	}
	var got []string
	for e := range rec.Events.Top().Children() {
		for _, key := range []string{"event", "reason", "complete"} {
			got = append(got, e.Get(key).String())
		}
	}
	if diff := cmp.Diff([]string{"match_end", "recording_end", "false"}, got); diff != "" {
		t.Error(diff)
	}
	if quake3.New().End(g.c, dissect.NewRecord()) {
		t.Error("the end is reported twice")
	}
}

// TestCutShort: nobody wins a match that was cut short, whatever the scores are.
func TestCutShort(t *testing.T) {
	for _, tt := range []struct {
		name string
		then [][]string
		want string
	}{
		{"aborted", [][]string{{"cs 5 -1"}}, "red 3, blue 1, aborted"},
		{"restart", [][]string{{"map_restart"}}, "red 3, blue 1, restart"},
		{"restart that resets the scores", [][]string{{"cs 6 0", "cs 7 0", "map_restart"}}, "red 3, blue 1, restart"},
		{"restart after a score of nobody", [][]string{{"cs 7 -999"}, {"map_restart"}}, "red 3, blue 1, restart"},
		{"the client leaves", [][]string{{"disconnect"}}, "red 3, blue 1, client_left"},
		{"over", [][]string{{"cs 22 1"}}, "red won, red 3, blue 1, unknown"},
		{"a draw", [][]string{{"cs 7 3", "cs 22 1"}}, "red 3, blue 3, unknown"},
		{"blue wins", [][]string{{"cs 7 4", "cs 22 1"}}, "blue won, blue 4, red 3, unknown"},
	} {
		s := game(t, 68, "baseq3", captureFlags).say("cs 6 3", "cs 7 1")
		for _, commands := range tt.then {
			s.say(commands...)
		}
		s.pause(11000).say()
		if got := s.result(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestKnownBefore: scores of the gamestate count from the start of the match, and a match whose game is not known any
// more has none to wait for.
func TestKnownBefore(t *testing.T) {
	s := withInfo(t, 68, `\gamename\baseq3\mapname\arena\g_gametype\4`, map[int]string{6: "3", 7: "1"}).say().end()
	if got := s.result(); got != "red 3, blue 1, recording_end" {
		t.Error(got)
	}
	s = game(t, 68, "baseq3", freeForAll).say().say(`cs 0 "\gamename\baseq3\mapname\arena"`).say("cs 22 1").pause(450).say()
	if got := s.result(); got != "unknown" {
		t.Error(got)
	}
}

// TestForfeits: who leaves a match forfeits it, if it is called off at once; of teams Quake Live has scores of -999.
func TestForfeits(t *testing.T) {
	type frames = []string
	leaves := `cs 545 "n\Bob\t\3"` // to the spectators
	for _, tt := range []struct {
		name     string
		gametype int
		leave    string
		pause    int32
		want     string
	}{
		{"at once", tournament, leaves, 0, "Anna won, Bob 6, Anna 5, forfeit"},
		{"within 1.5 s", tournament, leaves, 1450, "Anna won, Bob 6, Anna 5, forfeit"},
		{"later", tournament, leaves, 1451, "Anna 5, aborted"},
		{"he trails", tournament, `cs 544 "n\Anna\t\3"`, 0, "Bob won, Bob 6, Anna 5, forfeit"},
		{"a spectator leaves", tournament, `cs 546 ""`, 0, "Bob 6, Anna 5, aborted"},
		{"he is gone", tournament, `cs 545 ""`, 0, "Anna won, Bob 6, Anna 5, forfeit"},
		{"nobody leaves", tournament, "", 0, "Bob 6, Anna 5, aborted"},
		{"another name", tournament, `cs 545 "n\Rob\t\0"`, 0, "Rob 6, Anna 5, aborted"},
	} {
		s := newStage(t, 68)
		s.client = 0
		s.gamestate(map[int]string{0: fmt.Sprintf(`\gamename\baseq3\mapname\arena\g_gametype\%d`, tt.gametype), 544: `n\Anna\t\0`, 545: `n\Bob\t\0`, 546: `n\Carl\t\3`})
		s.say("cs 6 6", "cs 7 5", "scores 2 0 0 1 6 50 3 0 0 0 0 0 0 0 0 0 0 0 5 50 3 0 0 0 0 0 0 0 0 0 0")
		s.say(tt.leave).pause(tt.pause).say("cs 5 -1").pause(11000).say()
		if got := s.result(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	s := withInfo(t, 68, `\gamename\baseq3\mapname\arena\g_gametype\1`, map[int]string{544: `n\Anna\t\0`, 545: `n\Bob\t\0`, 546: ""})
	s.say("cs 6 6", "cs 7 5", "scores 2 0 0 1 6 50 3 0 0 0 0 0 0 0 0 0 0 0 5 50 3 0 0 0 0 0 0 0 0 0 0").
		say(leaves, "cs 5 -1").pause(11000).say()
	if got := s.result(); got != "Anna won, Bob 6, Anna 5, forfeit" {
		t.Errorf("in one message: %q", got)
	}
	// Who comes back forfeits nothing, and of two who leave one after the other it is the first.
	back := []string{`cs 545 "n\Bob\t\3"`, `cs 545 "n\Bob\t\0"`}
	for _, tt := range []struct {
		name  string
		pause int32
		want  string
	}{
		{"another leaves later", 3000, "Bob won, Bob 6, Anna 5, forfeit"},
		{"another leaves at the same time", 0, "Anna won, Bob 6, Anna 5, forfeit"},
	} {
		s := withInfo(t, 68, `\gamename\baseq3\mapname\arena\g_gametype\1`, map[int]string{544: `n\Anna\t\0`, 545: `n\Bob\t\0`, 546: ""})
		s.say("cs 6 6", "cs 7 5", "scores 2 0 0 1 6 50 3 0 0 0 0 0 0 0 0 0 0 0 5 50 3 0 0 0 0 0 0 0 0 0 0")
		s.say(back...).pause(tt.pause).say(`cs 544 "n\Anna\t\3"`).say("cs 5 -1").pause(11000).say()
		if got := s.result(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	// Of three players nobody wins by it, and of two whose scores are not known only what is known is said.
	s = withInfo(t, 68, `\gamename\baseq3\mapname\arena\g_gametype\0`, map[int]string{544: `n\Anna\t\0`, 545: `n\Bob\t\0`, 546: `n\Carl\t\0`})
	s.say(scoresOf(5, 6, 1)).say(`cs 546 ""`).say("cs 5 -1").pause(11000).say()
	if got := s.result(); got != "Bob 6, Anna 5, Carl 1, forfeit" {
		t.Errorf("of three: %q", got)
	}
	s = withInfo(t, 68, `\gamename\baseq3\mapname\arena\g_gametype\1`, map[int]string{544: `n\Anna\t\0`, 545: `n\Bob\t\0`, 546: ""})
	s.frame(own(6)).say("cs 6 6", "cs 7 -999").say(`cs 544 "n\Anna\t\3"`).say("cs 5 -1").pause(11000).say()
	if got := s.result(); got != "Bob won, Bob 6, Anna ?, forfeit" {
		t.Errorf("a score of nobody: %q", got)
	}
	s = withInfo(t, 68, `\gamename\baseq3\mapname\arena\g_gametype\1`, map[int]string{544: `n\Anna\t\0`, 545: `n\Bob\t\0`, 546: ""})
	s.frame(own(5)).say("cs 6 -999", "cs 7 5").say(`cs 544 "n\Anna\t\3"`).say("cs 5 -1").pause(11000).say()
	if got := s.result(); got != "Bob won, Bob 5, Anna ?, forfeit" {
		t.Errorf("the best score of nobody: %q", got)
	}

	words := `print "Game has been forfeited."`
	for _, tt := range []struct {
		name string
		end  frames
		want string
	}{
		{"red", frames{"cs 7 5", "cs 6 -999", words, "cs 14 1"}, "blue won, blue 5, red 0, forfeit"},
		{"blue", frames{"cs 6 3", "cs 7 -999", words, "cs 14 1"}, "red won, red 3, blue 0, forfeit"},
		{"both", frames{"cs 6 -999", "cs 7 -999", words, "cs 14 1"}, "red 0, blue 0, forfeit"},
		{"neither", frames{"cs 6 3", words, "cs 14 1"}, "red 3, blue 0, forfeit"},
		{"without words", frames{"cs 6 3", "cs 7 -999", "cs 14 1"}, "red won, red 3, blue 0, unknown"},
	} {
		s := withInfo(t, 91, `\g_gametype\3`, nil).say("cs 6 0", "cs 7 0").say(tt.end...).pause(11000).say()
		if got := s.result(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestLastScores: CPMA shows the intermission before the scores of the last round, which come within half a second;
// what comes later is of the warm-up. A result waits ten seconds for the scores of the players.
func TestLastScores(t *testing.T) {
	for _, tt := range []struct {
		name  string
		pause int32
		want  string
	}{
		{"in time", 450, "red won, red 5, blue 1, unknown"},
		{"too late", 451, "red won, red 3, blue 1, unknown"},
	} {
		s := game(t, 68, "cpma", captureFlags).say(`cs 672 "\tw\0\sr\3\sb\1"`).say("cs 22 1").pause(tt.pause).say(`cs 672 "\tw\0\sr\5\sb\1"`).pause(11000).say()
		if got := s.result(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	for pause, want := range map[int32]string{
		9950: "", 9951: "Anna 5, Bob 3, Carl 0, unknown",
		-2000: "Anna 5, Bob 3, Carl 0, unknown",
	} {
		s := game(t, 68, "baseq3", freeForAll).say().say(scoresOf(5, 3, 0)).say("cs 22 1").pause(pause).say()
		if got := s.result(); got != want {
			t.Errorf("after %d ms: %q, want %q", pause, got, want)
		}
	}
	s := game(t, 68, "baseq3", freeForAll).say().say("cs 22 1").pause(500).say(scoresOf(5, 3, 0))
	if got := s.result(); got != "Anna won, Anna 5, Bob 3, Carl 0, unknown" {
		t.Errorf("scores after the end: %q", got)
	}
	// The scores of teams are sure when half a second has passed.
	s = game(t, 68, "baseq3", captureFlags).say("cs 6 3", "cs 7 1").say("cs 22 1").pause(399).say()
	if got := s.result(); got != "" {
		t.Errorf("before half a second: %q", got)
	}
	if got := s.pause(1).say().result(); got != "red won, red 3, blue 1, unknown" {
		t.Errorf("after half a second: %q", got)
	}
}
