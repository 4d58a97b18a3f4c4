package match

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
)

// The fields of the events of the test.
var (
	numberField = dissect.Field{Key: "client_num", Kind: dissect.Int}
	teamField   = dissect.Field{Key: "team", Kind: dissect.Label}
	scoreField  = dissect.Field{Key: "score", Kind: dissect.Int}
	killerField = dissect.Field{Key: "killer", Kind: dissect.Object, Children: []*dissect.Field{&numberField, &teamField}}
	victimField = dissect.Field{Key: "victim", Kind: dissect.Object, Children: []*dissect.Field{&numberField, &teamField}}
	whoField    = dissect.Field{Key: "client", Kind: dissect.Object, Children: []*dissect.Field{&numberField, &teamField}}
	lineField   = dissect.Field{Kind: dissect.Object, Children: []*dissect.Field{&numberField, &teamField, &scoreField}}
	linesField  = dissect.Field{Key: "scores", Kind: dissect.List, Children: []*dissect.Field{&lineField}}
)

// A scene is a match whose events are written by hand.
type scene struct {
	match *Match
	clock int64
}

// event passes the match an event at the next millisecond.
func (s *scene) event(write func(*dissect.Tree), read func(dissect.Value, int64)) {
	var t dissect.Tree
	write(&t)
	s.clock++
	read(t.Top(), s.clock)
}

func person(t *dissect.Tree, f *dissect.Field, number int, team string) {
	t.Open(f, 0)
	t.Add(&numberField, uint64(number), 0, 0)
	t.AddLabel(&teamField, team, 0, 0)
	t.Close(0)
}

// list has one line.
func (s *scene) list(number int, team string, score int) {
	s.event(func(t *dissect.Tree) {
		t.Open(&linesField, 0)
		t.Open(&lineField, 0)
		t.Add(&numberField, uint64(number), 0, 0)
		t.AddLabel(&teamField, team, 0, 0)
		t.Add(&scoreField, uint64(score), 0, 0)
		t.Close(0)
		t.Close(0)
	}, s.match.scoreboard)
}

func (s *scene) kill(killer, victim int, team string) {
	s.event(func(t *dissect.Tree) {
		person(t, &killerField, killer, team)
		person(t, &victimField, victim, team)
	}, s.match.kill)
}

func (s *scene) join(number int, team string) {
	s.event(func(t *dissect.Tree) { person(t, &whoField, number, team) }, func(e dissect.Value, clock int64) {
		s.match.comeOrGo("team", e, clock)
	})
}

// TestScores: whose the score of a line is, and what kills after it add. Client 1 is looked at.
func TestScores(t *testing.T) {
	for _, tt := range []struct {
		name, mode string
		play       func(*scene)
		want       int64 // -1: not known
	}{
		{"a list", "ffa", func(s *scene) { s.list(1, "free", 22) }, 22},
		{"a list of a spectator", "ffa", func(s *scene) { s.list(1, "spectator", 50) }, -1},
		{"a list, then as a spectator", "ffa", func(s *scene) { s.list(1, "free", 22); s.list(1, "spectator", 50) }, 22},
		{"a kill after the list", "ffa", func(s *scene) { s.list(1, "free", 22); s.kill(1, 2, "free") }, 23},
		{"a kill with the list", "ffa", func(s *scene) { s.list(1, "free", 22); s.clock--; s.kill(1, 2, "free") }, 22},
		{"a suicide", "ffa", func(s *scene) { s.list(1, "free", 22); s.kill(1, 1, "free") }, 21},
		{"a death", "ffa", func(s *scene) { s.list(1, "free", 22); s.kill(2, 1, "free") }, 22},
		{"a kill of the own team", "team", func(s *scene) { s.list(1, "red", 22); s.kill(1, 2, "red") }, 21},
		{"where kills are not the score", "ctf", func(s *scene) { s.list(1, "red", 22); s.kill(1, 2, "") }, 22},
		{
			"the death of leaving", "ffa",
			func(s *scene) { s.list(1, "free", 22); s.join(1, "spectator"); s.kill(1, 1, "spectator") }, 22,
		},
		{"from joining on", "ffa", func(s *scene) { s.join(1, "free"); s.kill(1, 2, "free") }, 1},
		{"after a return", "ffa", func(s *scene) {
			s.join(1, "free")
			s.list(1, "free", 22)
			s.join(1, "spectator")
			s.join(1, "free")
			s.kill(1, 2, "free")
		}, 22},
	} {
		s := scene{match: &Match{Facts: Facts{Mode: tt.mode}, Players: map[int64]*Player{}}}
		tt.play(&s)
		got := int64(-1)
		if q := s.match.Players[1]; q != nil && q.Scored {
			got = q.Score
		}
		if got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}
