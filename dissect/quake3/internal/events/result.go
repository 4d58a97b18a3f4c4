package events

import (
	"cmp"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// A result is how a match ended.
type result struct {
	teams  bool
	scores []place // best first, then those that are not known
	winner int     // client or team; -1: nobody, or not known
}

// A place is the score of a player or of a team.
type place struct {
	who   int
	score int32
	known bool // score has been set
}

// result finds how the match ended. sure means that no later command can change it. A match that was
// cut short has no winner.
func (g *gameView) result() (r result, sure bool) {
	r, sure = g.ending()
	switch c := &g.match.contest; {
	case c.cut, c.reason == event.ReasonAborted, c.reason == event.ReasonRestart, c.reason == event.ReasonMapChange:
		r.winner = -1
	}
	return r, sure
}

// ending is result for a match that ran to its end.
func (g *gameView) ending() (r result, sure bool) {
	m, c := &g.match, &g.match.contest
	r.winner = -1
	team, known := m.teamGame()
	if !known {
		return r, true
	}
	if team {
		return g.teamResult(), true
	}
	if m.playsRace() {
		return g.raceResult(), true
	}
	b, pair, has, at := &c.board, c.kept, c.has, c.end
	plays := g.roster.plays
	if !g.roster.known { // who has a score plays
		plays = func(client int) bool {
			return g.roster.plays(client) || !g.roster.players[client].present && c.board[client].known
		}
	}
	if left := c.reason == event.ReasonClientLeft && c.leave.client == g.own; c.leave.known &&
		(left || c.reason == event.ReasonForfeit) {
		b, pair, at = &c.leave.board, c.leave.pair, c.leave.at
		has = [2]bool{pair[0] > scoreForfeit, pair[1] > scoreForfeit}
		plays = func(client int) bool { return c.leave.in[client] }
	}
	r.scores, sure = playerPlaces(b, pair, has, at, plays)
	switch n := len(r.scores); {
	case c.reason == event.ReasonForfeit && c.leave.known:
		for _, p := range r.scores {
			if n == duelists && p.who != c.leave.client {
				r.winner = p.who
			}
		}
	case !sure: // the best player may be one whose score is not known
	case n == 1 || n > 1 && r.scores[0].score > r.scores[1].score:
		r.winner = r.scores[0].who
	}
	return r, sure
}

const duelists = 2

// teamResult finds how a match of teams ended.
func (g *gameView) teamResult() (r result) {
	m, c := &g.match, &g.match.contest
	r.teams, r.winner = true, -1
	teams := m.teams()
	for i, score := range c.kept {
		if c.has[i] {
			r.scores = append(r.scores, place{teams[i], score, true})
		}
	}
	sortPlaces(r.scores)
	switch {
	case m.playsObjectives():
		if m.mapWinner > 0 {
			r.winner = m.mapWinner
		}
	case c.reason == event.ReasonForfeit:
		for i := range m.scores {
			if m.scores[1-i] == scoreForfeit && m.scores[i] != scoreForfeit {
				r.winner = teams[i]
			}
		}
	case len(r.scores) == 2 && r.scores[0].score > r.scores[1].score:
		r.winner = r.scores[0].who
	}
	return r
}

// playerPlaces sorts the players by their scores. pair is the best and the second score, as far as they are
// known: they complete the score of one player whose own is not known, and show whether all scores fit
// together. Scores of a command that lists everybody, received at the time at or later, are newer than the
// pair. Scores that were counted from the start of the match alone are not known where they contradict the pair.
func playerPlaces(b *board, pair [2]int32, has [2]bool, at int32, plays func(int) bool) (list []place, sure bool) {
	list, sure = announcedPlaces(b, pair, has, at, plays)
	if agrees(list, pair, has) {
		return list, sure
	}
	without, counts := *b, false
	for i := range without {
		counts = counts || without[i].counted && plays(i)
		without[i].known = without[i].known && !without[i].counted
	}
	if !counts {
		return list, sure
	}
	return announcedPlaces(&without, pair, has, at, plays)
}

// agrees reports whether the two best of a list of places have the scores of the pair.
func agrees(list []place, pair [2]int32, has [2]bool) bool {
	for i := range pair {
		if has[i] && len(list) > i && list[i].known && list[i].score != pair[i] {
			return false
		}
	}
	return true
}

// announcedPlaces is playerPlaces for scores that are all trusted.
func announcedPlaces(b *board, pair [2]int32, has [2]bool, at int32, plays func(int) bool) (list []place, sure bool) {
	var open []int
	last := true
	for i := range tables.MaxPlayers {
		switch {
		case !plays(i):
		case b[i].known:
			last = last && b[i].fromCommand && b[i].at >= at
			list = append(list, place{i, b[i].score, true})
		default:
			open = append(open, i)
		}
	}
	if last = last && len(open) == 0 && len(list) > 0; last {
		sortPlaces(list)
		return list, true
	}
	if has == [2]bool{true, true} && len(list)+len(open) == duelists {
		list = duelPlaces(list, open, pair)
		open = slices.DeleteFunc(open, func(client int) bool {
			return slices.ContainsFunc(list, func(p place) bool { return p.who == client })
		})
	}
	sortPlaces(list)
	sure = len(open) == 0 && len(list) > 0 && (!has[0] || list[0].score == pair[0]) &&
		(!has[1] || len(list) > 1 && list[1].score == pair[1])
	for _, client := range open {
		list = append(list, place{who: client})
	}
	return list, sure && has[0]
}

// duelPlaces assigns the two scores to two players. The known score of one may be older than the pair; if neither
// player's matches, nothing is known.
func duelPlaces(list []place, open []int, pair [2]int32) []place {
	switch {
	case pair[0] == pair[1]:
		for i := range list {
			list[i].score = pair[0]
		}
		for _, client := range open {
			list = append(list, place{client, pair[0], true})
		}
	case len(list) == duelists:
		a, b := &list[0], &list[1]
		switch {
		case a.score == pair[0] && b.score != pair[0] || b.score == pair[1] && a.score != pair[1]:
			a.score, b.score = pair[0], pair[1]
		case a.score == pair[1] && b.score != pair[1] || b.score == pair[0] && a.score != pair[0]:
			a.score, b.score = pair[1], pair[0]
		}
	case len(list) == 1:
		switch other := open[0]; list[0].score {
		case pair[0]:
			list = append(list, place{other, pair[1], true})
		case pair[1]:
			list = append(list, place{other, pair[0], true})
		}
	}
	return list
}

func sortPlaces(list []place) {
	slices.SortStableFunc(list, func(a, b place) int { return cmp.Compare(b.score, a.score) })
}

// write adds winner and scores to an event.
func (r *result) write(w *eventWriter, roster *roster) {
	if r.winner >= 0 {
		r.open(w, &evWinner, r.winner, roster)
		w.Tree.Close(0)
	}
	if len(r.scores) == 0 {
		return
	}
	w.Tree.Open(&evScores, 0)
	for _, p := range r.scores {
		r.open(w, evScores.Children[0], p.who, roster)
		if p.known {
			w.Number(&evScore, int64(p.score))
		}
		w.Tree.Close(0)
	}
	w.Tree.Close(0)
}

// open opens an object about a team, or about a player without the team: a winner has none.
func (r *result) open(w *eventWriter, f *dissect.Field, who int, roster *roster) {
	w.Tree.Open(f, 0)
	if r.teams {
		w.Tree.Add(&evPlayerTeam, uint64(who), 0, 0)
		return
	}
	w.Tree.Add(&evClientNum, uint64(who), 0, 0)
	if p := roster.lately(who, int32(w.Time)); p != nil {
		w.Both(&evName, &evNameClean, p.name)
	} else if p := &roster.players[who]; p.leftKnown {
		w.Both(&evName, &evNameClean, p.name)
	} else {
		w.named(roster.names[who])
	}
}
