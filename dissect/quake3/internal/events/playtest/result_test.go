package playtest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
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
	g.pause(500000).frame(still, "print \"Timelimit hit\n\"")
	g.want("intermission: intermission: Timelimit hit")
	g.pause(600).say().want("match_end: the match is over: Anna won, Anna 2, Bob 1, timelimit after 10:00")
}

func TestRecordingEnds(t *testing.T) {
	g := duelCPMA(t).frame(own(1), `cs 710 "sb\2\sr\1"`).forget()
	rec := dissect.NewRecord()
	if !g.c.(dissect.Ender).End(rec) {
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
	if g.c.(dissect.Ender).End(dissect.NewRecord()) {
		t.Error("the end is reported twice")
	}
}
