package events_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// A finalScores is the last score command of a stream: the scores of the teams and of the players.
type finalScores struct {
	time   int64 // server time of the message
	scores map[string]string
}

// readFinalScores reads a score command by its words: where the teams' scores are, the first player, and a player's
// score. DeathmatchScoreboardMessage in code/game/g_cmds.c has the number of players, red, blue, and for each player
// the client and the score first; Quake Live's later commands have words about the teams before them.
func readFinalScores(words []string) (s finalScores, ok bool) {
	at := func(i int) int {
		if i >= len(words) {
			return -1
		}
		n, _ := strconv.Atoi(words[i])
		return n
	}
	count, teams, head, score := 1, 2, 4, 1
	switch words[0] {
	case "scores", "rrscores":
		if n := at(1); n > 0 && (len(words)-5)%n == 0 && (len(words)-5)/n == 15 {
			head = 5 // OpenArena
		}
	case "scores_rr":
	case "scores_ca":
		score = 3
	case "scores_tdm", "scores_ft":
		count, teams, head, score = 29, 30, 32, 3
	case "scores_ctf":
		count, teams, head, score = 35, 36, 38, 3
	case "scores_duel":
		teams, head = -1, 2
	case "xstats2": // CPMA's, one for each player: the score follows the word of letters
		i := slices.IndexFunc(words[2:], func(w string) bool { return len(w) >= 8 && w[0] >= 'a' })
		if i < 0 {
			return s, false
		}
		s.scores = map[string]string{"client " + words[1]: words[2+i+1]}
		return s, true
	default:
		return s, false
	}
	n := at(count)
	if n <= 0 || (len(words)-head)%n != 0 {
		return s, false
	}
	each := (len(words) - head) / n
	s.scores = map[string]string{}
	for i := range n {
		s.scores["client "+words[head+i*each]] = words[head+i*each+score]
	}
	if teams > 0 {
		s.scores["team 1"], s.scores["team 2"] = words[teams], words[teams+1]
	}
	return s, true
}

// TestFinalScores compares the scores of every match in the reference captures and demos with the last score command
// that the server sent once the match was over, word by word. go test has the smaller files.
func TestFinalScores(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("all captures and demos")
	}
	names := slices.Concat(
		reference.Glob(t, "captures", "quake3", "*.pcap"), reference.Glob(t, "captures", "quake3", "*.dm_[0-9][0-9]"),
		reference.Glob(t, "captures", "idtech3", "*.pcap"), reference.Glob(t, "demos", "quake3", "*.dm_[0-9][0-9]"),
		reference.Glob(t, "demos", "matches", "*.dm_[0-9][0-9]"), reference.Glob(t, "demos", "idtech3", "*.dm_[0-9][0-9]"),
	)
	compared, byTeam := 0, 0
	for _, name := range reference.UpTo(t, 600_000, names) {
		last, ended := map[int]finalScores{}, map[int]endedScores{} // by stream
		compare := func(stream int) {
			e, ok := ended[stream]
			want := map[string]string{}
			for key := range e.scores {
				want[key] = last[stream].scores[key]
			}
			delete(ended, stream)
			if !ok || len(want) == 0 || last[stream].time < e.at || last[stream].time > e.until ||
				slices.Contains(slices.Collect(maps.Values(want)), "") {
				return // no command came after the end, or not about all who played
			}
			if filepath.Base(name) == "q3-68-download.pcap" {
				e.scores["client 0"] = "1" // Sarge gets a frag for the client who leaves, as it leaves
			}
			if diff := cmp.Diff(want, e.scores); diff != "" {
				t.Errorf("%s: (-last command +match_end):\n%s", filepath.Base(name), diff)
			}
			if compared++; want["team 1"] != "" {
				byTeam++
			}
		}
		for rec, err := range open.Records(name, all.Protocols(), dissect.Options{Events: true}) {
			if err != nil {
				break // the broken ones are there for others
			}
			for e := range rec.Events.Top().Children() {
				switch e.Get("event").String() {
				case "map_start", "match_start":
					compare(rec.Stream)
					delete(last, rec.Stream)
				case "match_end":
					if e.Get("reason").String() != "forfeit" { // its scores are those before it
						const soon, scoreWait = 100, 10_000 // ms: the game continues for the others when a client leaves
						end := endedScores{at: e.Get("end_time").Int(), scores: scoresOf(e)}
						if end.until = end.at + scoreWait; e.Get("reason").String() == "client_left" {
							end.until = end.at + soon
						}
						ended[rec.Stream] = end
					}
				}
			}
			collectScores(rec, last)
		}
		for _, stream := range slices.Sorted(maps.Keys(ended)) {
			compare(stream)
		}
	}
	least, leastByTeam := min(30, reference.Most(8)), min(11, reference.Most(2))
	if t.Logf("%d matches, %d of them of teams", compared, byTeam); compared < least || byTeam < leastByTeam {
		t.Errorf("%d matches were compared, %d of them of teams", compared, byTeam)
	}
}

// endedScores are the scores of a match that is over.
type endedScores struct {
	at     int64 // server time of the end
	until  int64 // of the last command that is about them
	scores map[string]string
}

// scoresOf returns the scores of a match_end by player and team.
func scoresOf(e dissect.Value) map[string]string {
	scores := map[string]string{}
	for s := range e.Get("scores").Children() {
		key := "team " + s.Get("team").String()
		if n := s.Get("client_num"); n.Exists() {
			key = "client " + n.String()
		}
		if s.Get("score").Exists() { // else it is not known
			scores[key] = s.Get("score").String()
		}
	}
	return scores
}

// collectScores keeps the last score command of a record's stream.
func collectScores(rec *dissect.Record, last map[int]finalScores) {
	now := int64(-1)
	for t := range rec.All("quake3.server_message.ops.snapshot.server_time") {
		now = t.Int()
	}
	for c := range rec.All("quake3.server_message.ops.server_command") {
		if c.Get("repeat").Bool() || !strings.Contains(c.Get("name").String(), "scores") &&
			c.Get("name").String() != "xstats2" {
			continue
		}
		words := []string{c.Get("name").String()}
		for w := range c.Get("arguments").Children() {
			words = append(words, w.String())
		}
		if s, ok := readFinalScores(words); ok {
			if before, more := last[rec.Stream]; words[0] == "xstats2" && more {
				maps.Copy(before.scores, s.scores)
				s = before
			}
			s.time = now
			last[rec.Stream] = s
		}
	}
}
