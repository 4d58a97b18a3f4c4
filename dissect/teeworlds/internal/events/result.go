package events

import (
	"cmp"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
)

// A rank is the score of a player or of a team.
type rank struct {
	who   int // client or team
	score int32
}

// endMatch adds the scoreboard and the result of the match that is on, by the last snapshot with its scores. reason is
// "" if the match went to its end; seen means that the end was seen.
func (g *gameView) endMatch(w *writer, reason string, s *gameState, seen bool) {
	c := &g.contest
	if !c.open {
		return
	}
	players := s.ranks(&g.players)
	g.addScoreboard(w, s, players)
	full := reason == ""
	if full {
		reason = g.whyOver(s)
	}
	w.Begin(event.MatchEnd)
	g.addGame(w)
	switch {
	case !c.late:
		w.number(&eventtree.EndTime, int(s.start+s.clock())*tickMsec)
		w.number(&evDuration, int(c.elapsed())*tickMsec)
	case w.Timed:
		w.number(&eventtree.EndTime, int(w.Time))
	}
	w.Label(&evReason, reason)
	switch {
	case !g.rules.known:
	case g.rules.teams():
		g.addTeams(w, s, full)
	default:
		g.addWinners(w, players, full)
	}
	c.writeWalks(w, &g.players)
	w.Tree.AddBool(&eventtree.Complete, c.whole && seen, 0, 0)
	w.End()
	c.open = false
}

// whyOver finds why a match that went to its end is over: the server does not send the reason.
//
// IGameController::DoWincheckMatch of 0.7 and IGameController::DoWincheck of 0.6, src/game/server/gamecontroller.cpp.
func (g *gameView) whyOver(s *gameState) string {
	pair := s.pair(&g.players, g.rules.teams())
	const second = 1000 / tickMsec
	limit := g.rules.timeLimit * 60 * second
	switch {
	case g.contest.sudden:
		return event.ReasonSuddenDeath
	case g.rules.scoreLimit > 0 && pair.has[0] && max(pair.scores[0], pair.scores[1]) >= g.rules.scoreLimit:
		return event.ReasonScorelimit
	case limit > 0 && g.contest.clock >= limit-second:
		return event.ReasonTimelimit
	}
	return event.ReasonUnknown
}

// ranks returns the players, best first.
func (s *gameState) ranks(players *roster) (list []rank) {
	for i := range s.standings {
		if s.plays(players, i) {
			list = append(list, rank{i, s.standings[i].score})
		}
	}
	sortRanks(list)
	return list
}

func sortRanks(list []rank) {
	slices.SortStableFunc(list, func(a, b rank) int { return cmp.Compare(b.score, a.score) })
}

// addScoreboard adds the players' scores.
func (g *gameView) addScoreboard(w *writer, s *gameState, players []rank) {
	if len(players) == 0 {
		return
	}
	w.Begin(event.Scoreboard)
	w.Tree.Open(&evScores, 0)
	for _, p := range players {
		w.Tree.Open(evScores.Children[0], 0)
		w.clientFields(&g.players, p.who)
		w.number(&evScore, int(p.score))
		w.number(&evPing, int(s.standings[p.who].ping))
		w.Tree.Close(0)
	}
	w.Tree.Close(0)
	w.End()
}

// addTeams adds the team that won and the scores of both.
func (g *gameView) addTeams(w *writer, s *gameState, full bool) {
	if !s.hasTeams {
		return
	}
	list := []rank{{0, s.teams[0]}, {1, s.teams[1]}}
	sortRanks(list)
	if full && list[0].score > list[1].score {
		w.Tree.Open(&evWinner, 0)
		w.number(&evPlayerTeam, list[0].who)
		w.Tree.Close(0)
	}
	w.Tree.Open(&evScores, 0)
	for _, team := range list {
		w.Tree.Open(evScores.Children[0], 0)
		w.number(&evPlayerTeam, team.who)
		w.number(&evScore, int(team.score))
		w.Tree.Close(0)
	}
	w.Tree.Close(0)
}

// addWinners adds the player who won and the scores of all.
func (g *gameView) addWinners(w *writer, players []rank, full bool) {
	if len(players) == 0 {
		return
	}
	if full && (len(players) == 1 || players[0].score > players[1].score) {
		w.Tree.Open(&evWinner, 0)
		w.identity(&g.players, players[0].who)
		w.Tree.Close(0)
	}
	w.Tree.Open(&evScores, 0)
	for _, p := range players {
		w.Tree.Open(evScores.Children[0], 0)
		w.identity(&g.players, p.who)
		w.number(&evScore, int(p.score))
		w.Tree.Close(0)
	}
	w.Tree.Close(0)
}

// End adds the match that is still on when the input ends. It reports whether there is one.
func (e *Reader) End(rec *dissect.Record) bool {
	if e == nil || e.game == nil || !e.game.contest.open {
		return false
	}
	e.last.Restore(rec)
	w := &e.out
	w.Tree = &rec.Events
	rec.Events.Family = uint8(e.game.dialect)
	e.game.leaveMatch(w, event.ReasonRecordingEnd)
	return true
}
