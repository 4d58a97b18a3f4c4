package events

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// Matches and their results.
var (
	evMatchTime = dissect.Field{
		Key: "match_time", Kind: dissect.Int, Unit: "ms", Doc: "time of the match, without pauses and what is between rounds",
		Source: "GameData (0.7), GameInfo (0.6), datasrc/network.py",
	}
	evGametype = dissect.Field{
		Key: "gametype", Name: "m_GameFlags", Kind: dissect.Int, Enum: &tables.Gametypes,
		Source: "Sv_GameInfo (0.7), GameInfo (0.6), datasrc/network.py",
		Doc:    "match_start, match_end: the flags of the game; the name is that of the original game that has them",
	}
	evScore1 = dissect.Field{
		Key: "score1", Kind: dissect.Int, Doc: "score: of the red team, or of the best player; absent without one",
		Source: "GameDataTeam (0.7), GameData (0.6), PlayerInfo, datasrc/network.py",
	}
	evScore2 = dissect.Field{
		Key: "score2", Kind: dissect.Int, Doc: "score: of the blue team, or of the second player; absent without one",
		Source: "GameDataTeam (0.7), GameData (0.6), PlayerInfo, datasrc/network.py",
	}
	evScores = dissect.Field{
		Key: "scores", Kind: dissect.List, Doc: "scoreboard: players, best first; match_end: players or teams, best first",
		Source: "PlayerInfo, GameDataTeam (0.7), GameData (0.6), datasrc/network.py",
		Children: []*dissect.Field{{
			Kind:     dissect.Object,
			Children: slices.Concat(evPlayerFields, []*dissect.Field{&evScore, &evPing}),
		}},
	}
	evScore   = eventtree.Field(eventtree.Score, "m_Score", "")
	evPing    = dissect.Field{Key: "ping", Name: "m_Latency", Kind: dissect.Int, Unit: "ms", Doc: "scoreboard: the player's ping"}
	evPlayers = dissect.Field{
		Key: "players", Kind: dissect.List, Doc: "match_start: who is in the game; match_end: who was seen in the match",
		Children: []*dissect.Field{{
			Kind:     dissect.Object,
			Children: slices.Concat(evPlayerFields, []*dissect.Field{&eventtree.Distance, &eventtree.SeenTime}),
		}},
	}
	evStartsAt = dissect.Field{
		Key: "starts_at", Name: "m_GameStateEndTick", Kind: dissect.Int, Unit: "ms",
		Doc: "warmup: server time at which it ends", Source: "GameData, datasrc/network.py",
	}
	evStartTime = eventtree.Field(eventtree.StartTime, "m_GameStartTick",
		"GameData (0.7), GameInfo (0.6), datasrc/network.py")
	evDuration = dissect.Field{Key: "duration", Kind: dissect.Int, Unit: "ms", Doc: "match_end: length of the match, without pauses and what is between rounds"}
	evWinner   = eventtree.Winner(&evClientNum, &evName, &evNameClean, &evPlayerTeam)
)
