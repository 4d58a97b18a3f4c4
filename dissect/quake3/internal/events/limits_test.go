package events

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// Gametypes of the game, gametype_t in code/game/bg_public.h.
const (
	ffa  = 0
	duel = 1
	tdm  = 3
	ctf  = 4
)

// TestWhyOver: a match that ran to its end is over by the limit in the server's words, and without words by the limit
// that the best score or the time has reached: CheckExitRules in code/game/g_main.c, whose frag limit is for games of
// players and for team deathmatch, and whose capture limit is for capture the flag.
func TestWhyOver(t *testing.T) {
	const minute, end = 60000, 10 * 60000
	ten := limits{time: 10, frags: 20, captures: 8, mercy: 15, overtime: 120}
	both := [2]bool{true, true}
	for _, tt := range []struct {
		name      string
		gametype  int32
		limits    limits
		kept      [2]int32
		has       [2]bool
		words     string
		sudden    bool
		length    int32
		want      string
		overtimes int
	}{
		{"the time", ffa, ten, [2]int32{19, 3}, both, "", false, end, "timelimit", 0},
		{"a second before it", ffa, ten, [2]int32{19, 3}, both, "", false, end - 1000, "timelimit", 0},
		{"more than a second before it", ffa, ten, [2]int32{19, 3}, both, "", false, end - 1001, "", 0},
		{"no limit of the time", ffa, limits{frags: 20}, [2]int32{19, 3}, both, "", false, end, "", 0},
		{"no limit of the time, with overtimes", ffa, limits{frags: 20, overtime: 120}, [2]int32{19, 3}, both, "", false, end, "", 0},
		{"a frag limit of 1", ffa, limits{frags: 1}, [2]int32{1, 0}, both, "", false, minute, "fraglimit", 0},
		{"the frag limit", ffa, ten, [2]int32{20, 3}, both, "", false, minute, "fraglimit", 0},
		{"of a duel", duel, ten, [2]int32{20, 3}, both, "", false, minute, "fraglimit", 0},
		{"of teams", tdm, ten, [2]int32{3, 20}, both, "", false, minute, "fraglimit", 0},
		{"below it", tdm, ten, [2]int32{19, 10}, both, "", false, minute, "", 0},
		{"no frag limit", ffa, limits{time: 10}, [2]int32{20, 3}, both, "", false, minute, "", 0},
		{"both, at the same time", ffa, ten, [2]int32{20, 3}, both, "", false, end, "fraglimit", 0},
		{"frags do not end capture the flag", ctf, limits{frags: 5, captures: 8}, [2]int32{6, 5}, both, "", false, minute, "", 0},
		{"the capture limit", ctf, ten, [2]int32{2, 8}, both, "", false, minute, "capturelimit", 0},
		{"captures do not end team deathmatch", tdm, limits{captures: 8}, [2]int32{9, 8}, both, "", false, minute, "", 0},
		{"a limit of the scores", ctf, limits{scores: 9}, [2]int32{9, 0}, both, "", false, minute, "scorelimit", 0},
		{"it is for teams", ffa, limits{scores: 9}, [2]int32{9, 0}, both, "", false, minute, "", 0},
		{"mercy", tdm, limits{mercy: 15}, [2]int32{-5, 10}, both, "", false, minute, "mercy", 0},
		{"a lead of less", tdm, limits{mercy: 15}, [2]int32{2, 16}, both, "", false, minute, "", 0},
		{"mercy with one score alone", tdm, limits{mercy: 15}, [2]int32{0, 16}, [2]bool{false, true}, "", false, minute, "", 0},
		{"no mercy with players", ffa, limits{mercy: 15}, [2]int32{30, 0}, both, "", false, minute, "", 0},
		{"no mercy without its limit", tdm, limits{time: 10}, [2]int32{30, 0}, both, "", false, minute, "", 0},

		{"words about the time", ffa, ten, [2]int32{20, 3}, both, "Timelimit hit.", false, minute, "timelimit", 0},
		{"words about frags", ffa, ten, [2]int32{0, 0}, both, "Sarge hit the fraglimit.", false, end, "fraglimit", 0},
		{"words about captures", ctf, ten, [2]int32{0, 0}, both, "Red hit the capturelimit.", false, end, "capturelimit", 0},
		{"words about rounds", tdm, ten, [2]int32{0, 0}, both, "Red hit the roundlimit.", false, end, "roundlimit", 0},
		{"words about scores", tdm, ten, [2]int32{0, 0}, both, "Blue hit the scorelimit.", false, end, "scorelimit", 0},
		{"words about mercy", tdm, ten, [2]int32{0, 0}, both, "Blue hit the mercylimit.", false, end, "mercy", 0},
		{"words about a forfeit", tdm, ten, [2]int32{0, 0}, both, "Game has been forfeited.", false, end, "forfeit", 0},

		{"the intermission comes late", ffa, ten, [2]int32{2, 3}, both, "", false, end + 5000, "timelimit", 0},
		{"an overtime", ffa, ten, [2]int32{2, 3}, both, "", false, end + 5001, "overtime", 1},
		{"a whole one", ffa, ten, [2]int32{2, 3}, both, "", false, end + 125000, "overtime", 1},
		{"two", ffa, ten, [2]int32{2, 3}, both, "", false, end + 125001, "overtime", 2},
		{"overtimes of a second", ffa, limits{time: 10, overtime: 1}, [2]int32{2, 3}, both, "", false, end + 6001, "overtime", 2},
		{"the frag limit in an overtime", ffa, ten, [2]int32{20, 3}, both, "", false, end + 6000, "fraglimit", 1},
		{"without overtimes", ffa, limits{time: 10}, [2]int32{2, 3}, both, "", false, end + 9000, "timelimit", 0},
		{"sudden death", ffa, ten, [2]int32{2, 3}, both, "", true, end + 300000, "sudden_death", 0},
		{"sudden death, by the frag limit", ffa, ten, [2]int32{20, 3}, both, "", true, end + 300000, "fraglimit", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := match{family: tables.FamilyOSP, gametype: tt.gametype, hasGametype: true, limits: tt.limits}
			m.contest.kept, m.contest.has, m.contest.suddenDeath = tt.kept, tt.has, tt.sudden
			m.contest.announcement = []byte(tt.words)
			if got := m.whyOver(tt.length); got != tt.want || m.contest.overtimes != tt.overtimes {
				t.Errorf("%q with %d overtimes, want %q with %d", got, m.contest.overtimes, tt.want, tt.overtimes)
			}
		})
	}
}

// TestMatchClock: the clock of a match begins with the configstring of the level's start if that is less than a day
// old, a pause stops it, and the configstring that ends a pause moves its beginning.
func TestMatchClock(t *testing.T) {
	level := func(at int32) func(*matchClock) { return func(c *matchClock) { c.setLevel(at) } }
	for _, tt := range []struct {
		name      string
		before    func(*matchClock)
		now, want int32 // when it begins
		announced bool  // that it begins now
	}{
		{"nothing is known", func(*matchClock) {}, 5000, 5000, false},
		{"the level's start", level(3000), 5000, 3000, false},
		{"the level starts now", level(5000), 5000, 5000, true},
		{"the level starts later", level(5001), 5000, 5000, false},
		{"of the clock before", level(-1), 5000, 5000, false},
		{"at the clock's beginning", level(0), 5000, 0, false},
		{"a day ago", level(1), 24*3600*1000 + 1, 24*3600*1000 + 1, false},
		{"less than a day ago", level(2), 24*3600*1000 + 1, 2, false},
		{"CPMA's start", func(c *matchClock) { c.start = 4000; c.setLevel(3000) }, 5000, 4000, false},
		{"CPMA's start is later", func(c *matchClock) { c.start = 6000; c.setLevel(3000) }, 5000, 5000, false},
		{"CPMA's start is none", func(c *matchClock) { c.start = -1; c.setLevel(3000) }, 5000, 5000, false},
	} {
		var c matchClock
		tt.before(&c)
		if at, announced := c.begin(tt.now); at != tt.want || announced != (at < tt.now || tt.announced) {
			t.Errorf("%s: begins at %d, announced %v, want %d", tt.name, at, announced, tt.want)
		}
	}

	var c matchClock
	c.setLevel(1000)
	c.begin(1000)
	c.pause(true, 61000)
	c.pause(true, 65000) // the same pause
	elapsed := []int32{c.elapsed(61000), c.elapsed(71000)}
	c.setLevel(11000) // it lasted for ten seconds
	c.pause(false, 0)
	elapsed = append(elapsed, c.elapsed(71000), c.elapsed(500))
	c.pausedFor = 5000 // CPMA's sum of the pauses
	elapsed = append(elapsed, c.elapsed(71000))
	if diff := cmp.Diff([]int32{60000, 60000, 60000, 0, 55000}, elapsed); diff != "" {
		t.Errorf("elapsed (-want +got):\n%s", diff)
	}
}

// TestPlayerPlaces: scores of players are given as far as they agree with the best and the second score, which
// configstrings have: CalculateRanks in code/game/g_main.c.
func TestPlayerPlaces(t *testing.T) {
	both := [2]bool{true, true}
	score := func(v int32) playerScore { return playerScore{known: true, score: v} }
	counted := func(v int32) playerScore { return playerScore{known: true, counted: true, score: v} }
	listed := func(v, at int32) playerScore { return playerScore{known: true, fromCommand: true, score: v, at: at} }
	for _, tt := range []struct {
		name  string
		board map[int]playerScore
		plays []int
		pair  [2]int32
		has   [2]bool
		want  []place
		sure  bool
	}{
		{"a command after the end", map[int]playerScore{1: listed(3, 100), 2: listed(9, 100)}, []int{1, 2}, [2]int32{8, 3}, both, []place{{2, 9, true}, {1, 3, true}}, true},
		{"a command before it, older than the pair", map[int]playerScore{1: listed(3, 99), 2: listed(9, 100), 3: listed(1, 99)}, []int{1, 2, 3}, [2]int32{9, 4}, both, []place{{2, 9, true}, {1, 3, true}, {3, 1, true}}, false},
		{"they agree", map[int]playerScore{1: score(3), 2: score(9), 3: score(1)}, []int{1, 2, 3}, [2]int32{9, 3}, both, []place{{2, 9, true}, {1, 3, true}, {3, 1, true}}, true},
		{"one of them not of a command", map[int]playerScore{1: {known: true, score: 3, at: 100}, 2: listed(9, 100)}, []int{1, 2}, [2]int32{}, [2]bool{}, []place{{2, 9, true}, {1, 3, true}}, false},
		{"the best does not", map[int]playerScore{1: score(3), 2: score(8), 3: score(1)}, []int{1, 2, 3}, [2]int32{9, 3}, both, []place{{2, 8, true}, {1, 3, true}, {3, 1, true}}, false},
		{"a player without a score", map[int]playerScore{1: score(3), 2: score(9)}, []int{1, 2, 3}, [2]int32{9, 3}, both, []place{{2, 9, true}, {1, 3, true}, {who: 3}}, false},
		{"a spectator with a score", map[int]playerScore{1: score(9), 5: score(7)}, []int{1}, [2]int32{9, 0}, [2]bool{true, false}, []place{{1, 9, true}}, true},
		{"nobody", nil, nil, [2]int32{9, 3}, both, nil, false},
		{"a duel, one score is not known", map[int]playerScore{1: score(3)}, []int{1, 2}, [2]int32{9, 3}, both, []place{{2, 9, true}, {1, 3, true}}, true},
		{"the other one", map[int]playerScore{1: score(9)}, []int{1, 2}, [2]int32{9, 3}, both, []place{{1, 9, true}, {2, 3, true}}, true},
		{"an old score fits neither", map[int]playerScore{1: score(5)}, []int{1, 2}, [2]int32{9, 3}, both, []place{{1, 5, true}, {who: 2}}, false},
		{"a tie without scores", nil, []int{1, 2}, [2]int32{4, 4}, both, []place{{1, 4, true}, {2, 4, true}}, true},
		{"a tie, an old score", map[int]playerScore{1: score(3), 2: score(4)}, []int{1, 2}, [2]int32{4, 4}, both, []place{{1, 4, true}, {2, 4, true}}, true},
		{"one of the two is old", map[int]playerScore{1: score(9), 2: score(2)}, []int{1, 2}, [2]int32{9, 3}, both, []place{{1, 9, true}, {2, 3, true}}, true},
		{"the better one is old", map[int]playerScore{1: score(3), 2: score(8)}, []int{1, 2}, [2]int32{9, 3}, both, []place{{2, 9, true}, {1, 3, true}}, true},
		{"counted from the start", map[int]playerScore{1: counted(1), 2: counted(2), 3: counted(0)}, []int{1, 2, 3}, [2]int32{2, 1}, both, []place{{2, 2, true}, {1, 1, true}, {3, 0, true}}, true},
		{"counted, without the best", map[int]playerScore{1: counted(1), 2: counted(2), 3: score(0)}, []int{1, 2, 3}, [2]int32{3, 1}, both, []place{{3, 0, true}, {who: 1}, {who: 2}}, false},
		{"counted, without the second", map[int]playerScore{1: counted(1), 2: score(2), 3: counted(0)}, []int{1, 2, 3}, [2]int32{2, 2}, both, []place{{2, 2, true}, {who: 1}, {who: 3}}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b board
			for client, s := range tt.board {
				b[client] = s
			}
			plays := func(client int) bool {
				for _, c := range tt.plays {
					if c == client {
						return true
					}
				}
				return false
			}
			got, sure := playerPlaces(&b, tt.pair, tt.has, 100, plays)
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(place{})); diff != "" || sure != tt.sure {
				t.Errorf("sure %v, want %v (-want +got):\n%s", sure, tt.sure, diff)
			}
		})
	}
}

func TestReadWarmup(t *testing.T) {
	for value, want := range map[string]warmupState{
		"": {}, "0": {}, `\time\0`: {}, "-1": {true, -1}, `\time\-1`: {true, -1}, `\time\48950`: {true, 48950},
	} {
		if got := readWarmup([]byte(value)); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}
