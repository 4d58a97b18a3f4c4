package events

import (
	"strconv"

	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/internal/prose"
)

// matchSentences are about matches.
var matchSentences = prose.Match{
	TeamGame: &evTeamGame, Score1: &evScore1, Score2: &evScore2,
	Winner: &evWinner, Scores: &evScores, Score: &evScore, Reason: &evReason, Duration: &evDuration, Complete: &eventtree.Complete,
}

// match is write for what is about a match.
func (s *sentence) match(kind string) {
	switch kind {
	case event.Score:
		matchSentences.AddScore(&s.Event)
	case event.Scoreboard:
		matchSentences.AddScores(&s.Event, s.playerOrTeam)
	case event.Warmup:
		s.Add("warm-up, waiting for players")
		if n := s.Child(&evStartsAt); n != nil {
			s.Dst = append(s.Dst[:len(s.Dst)-len("waiting for players")], "the match starts at "...)
			s.Dst = strconv.AppendFloat(s.Dst, float64(n.Int())/1000, 'f', 3, 64)
		}
	case event.MatchStart:
		s.Add("the match starts")
		if s.Child(&eventtree.InProgress) != nil {
			s.Dst = append(s.Dst[:len(s.Dst)-len("starts")], "is in progress"...)
		}
	case event.MatchEnd:
		matchSentences.AddEnd(&s.Event, s.playerOrTeam)
	case event.RoundStart:
		s.Add("a round starts")
	case event.RoundEnd:
		s.Add("the round is over")
	default:
		s.rcon(kind)
	}
}
