package events

import (
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
)

// A contest is one match: from its start, or from the first snapshot that shows it, until its result is added.
type contest struct {
	count        int  // matches so far; the present one has the number count-1
	open         bool // there is one
	whole        bool // its start was seen
	late         bool // it began before the input, and no snapshot showed when
	began        int32
	earlierTicks int32 // ticks of the rounds before
	clock        int32 // of the match, or of the present round

	round    int // number of the present one or the last; 0: none was seen
	inRound  bool
	sudden   bool
	reported scorePair
	walks    *[maxPlayers]walk // nil: nobody was seen
}

// startTicks is how much later than the start of a match the first snapshot may be for the match to be whole.
const startTicks = 2000 / tickMsec

// Stamp implements eventtree.Clock.
func (c *contest) Stamp(int64, bool) (number int, clock int64, timed bool) {
	if !c.open {
		return -1, 0, false
	}
	return c.count - 1, int64(c.elapsed()) * tickMsec, !c.late
}

// elapsed returns the time of the match in ticks, without pauses and what is between rounds.
func (c *contest) elapsed() int32 { return c.earlierTicks + c.clock }

// settleMatch adds the changes of the match in a snapshot.
func (g *gameView) settleMatch(w *writer) {
	s, before, c := &g.now.game, &g.before.game, &g.contest
	if !s.known || !g.rules.contests() {
		c.open = c.open && c.late && !g.rules.races() // DDNet shows late that it is a race
		return
	}
	if c.open && s.restarted(before) {
		if g.rules.survival() {
			g.endRound(w)
			c.earlierTicks, c.clock = c.earlierTicks+before.clock(), 0
		} else {
			g.endMatch(w, event.ReasonRestart, before, true)
		}
	}
	if c.open && !s.warm {
		c.clock, c.sudden = s.clock(), c.sudden || s.sudden
	}
	switch {
	case s.over:
		g.endRound(w)
		g.addScore(w, s)
		g.endMatch(w, "", s, true)
	case s.warm, s.counting && !c.open:
		g.endRound(w)
		g.endMatch(w, event.ReasonAborted, before, true)
		g.addWarmup(w, before, s)
	default:
		if !c.open {
			g.startMatch(w, s, before.known)
		}
		g.settleRound(w, s)
	}
	g.addScore(w, s)
}

// restarted reports whether the clock began anew after another snapshot. A pause moves its start too, by as much as the
// ticks advance.
func (s *gameState) restarted(before *gameState) bool {
	return before.known && s.start > before.tick && s.start-before.start > s.tick-before.tick
}

// addWarmup adds a warm-up that was not there before.
func (g *gameView) addWarmup(w *writer, before, s *gameState) {
	waits, waited := s.end == 0, before.end == 0
	if before.known && before.warm == s.warm && before.counting == s.counting && waits == waited {
		return
	}
	w.Begin(event.Warmup)
	if waits {
		w.Label(&evAction, event.WarmupWaiting)
	} else {
		w.Label(&evAction, event.WarmupCountdown)
		w.number(&evStartsAt, int(s.end)*tickMsec)
	}
	w.End()
}

// startMatch begins a match and adds it. seen means that a snapshot without it was seen.
func (g *gameView) startMatch(w *writer, s *gameState, seen bool) {
	c := &g.contest
	*c = contest{count: c.count + 1, open: true, began: s.start, clock: s.clock()}
	c.whole, c.reported = seen || s.tick-s.start <= startTicks, s.pair(&g.players, g.rules.teams())
	w.Begin(event.MatchStart)
	g.addGame(w)
	w.Flag(&eventtree.InProgress, !c.whole)
	w.Tree.AddBool(&evTeamGame, g.rules.teams(), 0, 0)
	w.Tree.Open(&evPlayers, 0)
	for i := range s.standings {
		if p := g.players.at(i); s.standings[i].known || p != nil && p.present {
			w.Tree.Open(evPlayers.Children[0], 0)
			w.clientFields(&g.players, i)
			w.Tree.Close(0)
		}
	}
	w.Tree.Close(0)
	w.End()
}

// joinMatch begins a match that no snapshot has shown, when a player kills another one or takes a flag: without the
// snapshot that it is based on, a snapshot of a session that began before the input has no objects.
func (g *gameView) joinMatch(w *writer) {
	if g.contest.open || g.now.game.known || g.rules.known || g.mapped || !w.Timed {
		return
	}
	g.contest = contest{count: g.contest.count + 1, open: true, late: true}
	w.Begin(event.MatchStart)
	g.addGame(w)
	w.Flag(&eventtree.InProgress, true)
	w.End()
}

// addGame adds map, game type and start of the match.
func (g *gameView) addGame(w *writer) {
	if len(g.mapName) > 0 {
		w.Text(&evMap, g.mapName)
	}
	if g.rules.known {
		w.number(&evGametype, int(g.rules.flags))
	}
	if !g.contest.late {
		w.number(&evStartTime, int(g.contest.began)*tickMsec)
	}
}

// settleRound adds the beginning and the end of rounds, which survival games have.
func (g *gameView) settleRound(w *writer, s *gameState) {
	c := &g.contest
	switch {
	case !g.rules.survival():
	case s.roundOver:
		g.endRound(w)
	case !c.inRound && !s.counting && !s.paused:
		c.inRound = true
		c.round++
		w.Begin(event.RoundStart)
		w.End()
	}
}

func (g *gameView) endRound(w *writer) {
	if c := &g.contest; c.open && c.inRound {
		c.inRound = false
		w.Begin(event.RoundEnd)
		w.End()
	}
}

// addScore adds the scores of the teams, or of the best two players, where they change during a match.
func (g *gameView) addScore(w *writer, s *gameState) {
	c := &g.contest
	now := s.pair(&g.players, g.rules.teams())
	if !c.open || now == c.reported {
		return
	}
	c.reported = now
	w.Begin(event.Score)
	if now.has[0] {
		w.number(&evScore1, int(now.scores[0]))
	}
	if now.has[1] {
		w.number(&evScore2, int(now.scores[1]))
	}
	w.Tree.AddBool(&evTeamGame, g.rules.teams(), 0, 0)
	w.End()
}

// leaveMatch adds the result so far of a match that the server cuts short or whose rest is not in the input.
func (g *gameView) leaveMatch(w *writer, reason string) {
	if !g.contest.open {
		return
	}
	if g.now.game.known {
		w.Time, w.Timed = int64(g.now.game.tick)*tickMsec, true
	}
	g.endRound(w)
	g.endMatch(w, reason, &g.now.game, reason == event.ReasonMapChange)
}
