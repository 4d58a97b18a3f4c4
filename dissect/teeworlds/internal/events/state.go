package events

import (
	"strconv"

	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
)

// Bits of game_flags, and of game_state_flags in 0.7 and 0.6: GAMEFLAG_* and GAMESTATEFLAG_*, datasrc/network.py.
const (
	teamsFlag    = 1 << 0
	survivalFlag = 1 << 2 // 0.7: LMS and LTS, which are played in rounds
	raceFlag     = 1 << 3 // 0.7

	warmup07, sudden07, roundOver07, over07, paused07, countdown07 = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5
	over06, sudden06, paused06                                     = 1 << 0, 1 << 1, 1 << 2

	raceTime06 = 1 << 3 // DDNet: the timer of the warm-up is the start of a race, negative

	raceInfoFlag = 1 << 1 // of GameInfoEx: GAMEINFOFLAG_GAMETYPE_RACE, DDNet's datasrc/network.py
)

// A gameState is the state of the match in a snapshot.
//
// GameData and GameDataTeam (0.7), GameInfo and GameData (0.6), PlayerInfo, datasrc/network.py; how the server fills
// them in: IGameController::Snap, src/game/server/gamecontroller.cpp.
type gameState struct {
	known bool
	tick  int32
	start int32 // tick at which the match began, or the round of a survival game; a pause moves it
	end   int32 // 0.7: tick at which a warm-up or countdown ends; once match or round is over, its length in ticks

	warm, counting, paused, sudden, roundOver, over bool

	teams     [2]int32 // scores of red and blue
	hasTeams  bool
	standings [maxPlayers]playerScore
}

// A playerScore is a player's line of the scoreboard.
type playerScore struct {
	score, ping int32
	known       bool
}

// A ruleSet has the rules of the game, as the server announced them.
type ruleSet struct {
	known                 bool
	flags                 int32
	scoreLimit, timeLimit int32 // timeLimit in minutes; 0: no limit
	race                  bool  // DDNet and its like: a race, which has no end and no winner
	extended              bool  // the server is DDNet's or one of its like

	reported [2]int32 // limits that events show
	settled  bool     // reported has been set
}

// settleSettings adds the limits that have changed on this map.
func (g *gameView) settleSettings(w *writer) {
	r := &g.rules
	if !r.known {
		return
	}
	for i, limit := range [...]int32{r.scoreLimit, r.timeLimit} {
		if r.settled && limit != r.reported[i] {
			w.Begin(event.Settings)
			w.Text(&eventtree.Setting, []byte([...]string{"scorelimit", "timelimit"}[i]))
			w.Text(&eventtree.SettingBefore, strconv.AppendInt(nil, int64(r.reported[i]), 10))
			w.Text(&eventtree.SettingAfter, strconv.AppendInt(nil, int64(limit), 10))
			w.End()
		}
		r.reported[i] = limit
	}
	r.settled = true
}

func (r *ruleSet) teams() bool    { return r.flags&teamsFlag != 0 }
func (r *ruleSet) survival() bool { return r.flags&survivalFlag != 0 }

func (r *ruleSet) races() bool { return r.race || r.flags&raceFlag != 0 }

// contests reports whether the game has matches.
func (r *ruleSet) contests() bool { return r.known && !r.races() }

// set copies flags and limits from a message or an object.
func (r *ruleSet) set(number func(key string) int32) {
	r.known, r.flags = true, number("game_flags")
	r.scoreLimit, r.timeLimit = number("score_limit"), number("time_limit")
}

// seeData copies GameData of 0.7.
func (s *gameState) seeData(it *sceneItem) {
	flags := it.number("game_state_flags")
	s.known, s.start, s.end = true, it.number("game_start_tick"), it.number("game_state_end_tick")
	s.warm, s.counting, s.paused = flags&warmup07 != 0, flags&countdown07 != 0, flags&paused07 != 0
	s.sudden, s.roundOver, s.over = flags&sudden07 != 0, flags&roundOver07 != 0, flags&over07 != 0
}

// seeInfo copies GameInfo of 0.6. In DDNet a negative timer is the start of the player's race.
func (s *gameState) seeInfo(it *sceneItem) {
	flags := it.number("game_state_flags")
	s.known, s.start, s.warm = true, it.number("round_start_tick"), it.number("warmup_timer") > 0
	s.paused, s.sudden, s.over = flags&paused06 != 0, flags&sudden06 != 0, flags&over06 != 0
}

// seeTeams copies the scores of the teams.
func (s *gameState) seeTeams(it *sceneItem) {
	s.teams, s.hasTeams = [2]int32{it.number("teamscore_red"), it.number("teamscore_blue")}, true
}

// seePlayer copies PlayerInfo.
func (s *gameState) seePlayer(it *sceneItem, client int) {
	if client >= 0 && client < maxPlayers {
		s.standings[client] = playerScore{score: it.number("score"), ping: it.number("latency"), known: true}
	}
}

// clock returns the time of the match, or of the round, in ticks.
func (s *gameState) clock() int32 {
	if (s.over || s.roundOver) && s.end > 0 {
		return s.end
	}
	return max(s.tick-s.start, 0)
}

// noScore is the score of a player without a finish time, DDNet's src/game/server/player.cpp.
const noScore = -9999

// teamSpectators is TEAM_SPECTATORS, datasrc/network.py.
const teamSpectators = -1

// plays reports whether a client has a score and is no spectator, as far as that is known.
func (s *gameState) plays(players *roster, client int) bool {
	if !s.standings[client].known || s.standings[client].score == noScore {
		return false
	}
	p := players.at(client)
	return p == nil || p.team != teamSpectators
}

// A scorePair holds the scores of red and blue, or those of the best two players.
type scorePair struct {
	scores [2]int32
	has    [2]bool
}

func (s *gameState) pair(players *roster, teams bool) (p scorePair) {
	if teams {
		return scorePair{s.teams, [2]bool{s.hasTeams, s.hasTeams}}
	}
	for i := range s.standings {
		if !s.plays(players, i) {
			continue
		}
		switch score := s.standings[i].score; {
		case !p.has[0] || score > p.scores[0]:
			p.scores[1], p.has[1] = p.scores[0], p.has[0]
			p.scores[0], p.has[0] = score, true
		case !p.has[1] || score > p.scores[1]:
			p.scores[1], p.has[1] = score, true
		}
	}
	return p
}
