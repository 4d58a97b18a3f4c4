package events

import (
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
)

// match is write for what is about a match.
func (s *sentence) match(kind string) {
	switch kind {
	case kindScore:
		s.score()
	case kindScoreboard:
		s.scoreboard()
	case kindWarmup:
		s.Add("warm-up, waiting for players")
		if n := s.Child(&evStartsAt); n != nil {
			s.Dst = append(s.Dst[:len(s.Dst)-len("waiting for players")], "the match starts at "...)
			s.Dst = strconv.AppendFloat(s.Dst, float64(n.Int())/1000, 'f', 3, 64)
		}
	case kindMatch:
		s.Add("the match starts")
		if s.Child(&evInProgress) != nil {
			s.Dst = append(s.Dst[:len(s.Dst)-len("starts")], "is in progress"...)
		}
	case kindMatchEnd:
		s.matchEnd()
	case kindRoundStart:
		s.Add("a round starts")
	case kindRoundEnd:
		s.Add("the round is over")
	default:
		s.rcon(kind)
	}
}

func (s *sentence) score() {
	labels := [...]string{"first ", ", second "}
	if n := s.Child(&evTeamGame); n != nil && n.Bool() {
		labels = [...]string{"red ", ", blue "}
	}
	for i, f := range [...]*dissect.Field{&evScore1, &evScore2} {
		s.Add(labels[i])
		if s.Number("", f); s.Child(f) == nil {
			s.Add("-")
		}
	}
}

// matchEnd adds who won, the scores, why and after what time.
func (s *sentence) matchEnd() {
	s.Add("the match is over: ")
	if i := s.Tree.Child(s.Node, &evWinner); i >= 0 {
		s.playerOrTeam(i)
		s.Add(" won, ")
	}
	if s.Child(&evScores) != nil {
		s.scoreboard()
		s.Add(", ")
	}
	s.Text("", &evReason)
	if n := s.Child(&evDuration); n != nil {
		seconds := n.Int() / 1000
		s.Add(" after " + strconv.FormatInt(seconds/60, 10) + ":")
		s.Dst = append(s.Dst, byte('0'+seconds%60/10), byte('0'+seconds%10))
	}
	if n := s.Child(&evComplete); n != nil && !n.Bool() {
		s.Add(" (not all of it is there)")
	}
}

func (s *sentence) scoreboard() {
	list := s.Tree.Child(s.Node, &evScores)
	if list < 0 {
		return
	}
	for i, end := list+1, int(s.Tree.Nodes[list].End); i < end; i = int(s.Tree.Nodes[i].End) {
		if i > list+1 {
			s.Add(", ")
		}
		s.playerOrTeam(i)
		if n := s.Tree.Child(i, &evScore); n >= 0 {
			s.Add(" ")
			s.Dst = strconv.AppendInt(s.Dst, s.Tree.Nodes[n].Int(), 10)
		}
	}
}
