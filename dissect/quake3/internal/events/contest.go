package events

import (
	"cmp"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/scores"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// A contest is one match: from its start, or from the gamestate that shows it, until its result is reported.
type contest struct {
	count   int  // matches so far, with the present one
	open    bool // a match is on
	pending bool // a gamestate shows a match, which begins with the first snapshot
	whole   bool // its start was seen
	late    bool // it began before the input, nobody knows when
	began   int32

	mapName, mod []byte
	gametype     int32
	hasGametype  bool

	clock       matchClock
	overtimes   int
	suddenDeath bool

	kept  [2]int32 // the last scores in the configstrings that belong to somebody
	has   [2]bool  // kept has been set
	board board    // of the players
	walks *[tables.MaxPlayers]walk
	deeds *deeds // nil: none

	leave        departure // the last player who left the game
	over         bool      // the match has ended; the result waits for the last scores
	end          int32     // server time
	length       int32     // on the match clock
	reason       string    // "": the match ran to its end; what is known when it is reported decides
	announcement []byte    // what the server said about it
	cut          bool      // the end was not seen
	timed        bool      // end and length have been set
}

// A departure is a player who leaves the game, with the scores before it: the game resets them.
type departure struct {
	known  bool
	client int
	at     int32
	pair   [2]int32
	board  board
	in     [tables.MaxPlayers]bool // who played
}

const (
	// forfeitTime is how soon a match is called off after the player who forfeits it has left, in milliseconds.
	forfeitTime = 1500
	// lastScores is how long after the end of a match its scores may still change, in milliseconds: CPMA shows the
	// intermission before the scores of the last round.
	lastScores = 500
	// scoreWait is how long the result waits for the scores that games send after the end, in milliseconds.
	scoreWait = 10000
	// startTime is how much later than the start of a match the first snapshot may be for the match to be
	// complete.
	startTime = 2000
	// unseenTime is how much later it may be for no kill to be missed, EVENT_VALID_MSEC in code/game/bg_public.h.
	unseenTime = 300
)

// Stamp implements eventtree.Clock.
func (c *contest) Stamp(now int64, known bool) (number int, clock int64, timed bool) {
	switch {
	case !c.open:
		return -1, 0, false
	case c.over:
		return c.count - 1, int64(c.length), c.timed && !c.late
	}
	return c.count - 1, int64(c.clock.elapsed(int32(now))), known && !c.late
}

// startMatch begins a match and reports it. whole means that the start was seen.
func (g *gameView) startMatch(w *eventWriter, whole bool) { g.beginMatch(w, whole, false) }

// beginMatch is startMatch, also of a match that began late: before the input, nobody knows when, unless the game has
// announced it.
func (g *gameView) beginMatch(w *eventWriter, whole, late bool) {
	g.cutShort(w)
	m, c := &g.match, &g.match.contest
	count, clock := c.count, c.clock
	*c = contest{count: count + 1, open: true, clock: clock, gametype: m.gametype, hasGametype: m.hasGametype}
	c.mapName, c.mod = append(c.mapName, m.mapName...), append(c.mod, m.mod()...)
	began, announced := c.clock.begin(g.time)
	c.began = began
	c.whole = whole || !late && g.time-c.began <= startTime
	for i, v := range m.scores {
		if m.scored[i] {
			c.keep(i, v, g.time)
		}
	}
	if whole || announced && g.time-c.began <= unseenTime {
		for i := range tables.MaxPlayers {
			if g.roster.plays(i) {
				g.startAtZero(i)
			}
		}
	}
	c.late = late && !announced || !w.Timed
	w.Begin(event.MatchStart)
	c.writeMap(w)
	m.writeDate(w)
	if c.hasGametype {
		w.Number(&evGametype, int64(c.gametype))
	}
	if len(c.mod) > 0 {
		w.Text(&evMod, c.mod)
	}
	if !c.late {
		w.Number(&evStartTime, int64(c.began))
	}
	w.Flag(&eventtree.InProgress, !c.whole)
	w.End()
}

// writeMap adds the map. Of a match that began late it may not be known.
func (c *contest) writeMap(w *eventWriter) {
	if !c.late || len(c.mapName) > 0 {
		w.Text(&evMap, c.mapName)
	}
}

// joinMatch begins a match that no gamestate has shown, when a score or a kill shows that one is on.
func (g *gameView) joinMatch(w *eventWriter) {
	m := &g.match
	if g.roster.known || m.contest.open || m.warmup.on || m.halted || m.intermission || m.playsRace() ||
		g.rules().Match.Timer || !g.timed {
		return
	}
	m.on = true
	g.beginMatch(w, false, true)
}

// joinByScore begins such a match where the commands of a message show that there are scores: nothing counts in a
// warm-up, AddScore in code/game/g_combat.c.
func (g *gameView) joinByScore(w *eventWriter) {
	if g.match.scores != g.match.scoresReported || slices.ContainsFunc(g.sheet.Lines, func(l scores.Line) bool {
		return l.Has[scores.Score] && l.Values[scores.Score] != 0
	}) {
		g.joinMatch(w)
	}
}

// keep stores a score of the configstrings.
func (c *contest) keep(i int, v int32, now int32) {
	late := c.over && (c.reason != "" || now-c.end > lastScores)
	if v > scoreForfeit && !late {
		c.kept[i], c.has[i] = v, true
	}
}

// scoreForfeit and lower scores belong to nobody: Quake Live has it for a player who forfeits, and
// scoreNotPresent.
const scoreForfeit = -999

// playerLeaves records that a player leaves the game, from the configstring before it.
func (g *gameView) playerLeaves(number int, before *player) {
	c := &g.match.contest
	if !c.open || c.over || before.team == g.roster.spectators() || c.leave.known && g.time-c.leave.at <= forfeitTime {
		return
	}
	c.leave = departure{known: true, client: number, at: g.time, pair: g.match.scoresReported, board: c.board}
	for i := range c.leave.in {
		c.leave.in[i] = i == number || g.roster.plays(i)
	}
}

// endMatch records that the match is over; the result is reported when the last scores are known. seen means
// that the end itself was seen.
func (g *gameView) endMatch(reason string, seen bool) {
	c := &g.match.contest
	if c.pending = false; !c.open || c.over {
		return
	}
	c.over, c.end, c.timed, c.cut = true, g.time, g.timed, !seen
	c.length = c.clock.elapsed(g.time)
	c.reason, c.announcement = reason, append(c.announcement[:0], g.match.reason...)
}

// cutShort ends and reports a match that is started anew. Its scores have been reset in the same message.
func (g *gameView) cutShort(w *eventWriter) {
	c := &g.match.contest
	if c.open && !c.over {
		if c.clock.moved { // by the start of the next match, which comes in the same message
			c.clock.zero = c.clock.zeroBefore
		}
		for i, v := range g.match.scoresReported {
			if g.match.scored[i] && c.has[i] && v > scoreForfeit {
				c.kept[i] = v
			}
		}
	}
	g.endMatch(event.ReasonRestart, true)
	g.reportMatch(w, true)
}

// leaveMatch reports the state of a match that the client leaves.
func (g *gameView) leaveMatch(w *eventWriter) {
	g.settleScoreboard(w)
	g.endMatch(event.ReasonClientLeft, false)
	g.reportMatch(w, true)
}

// settleMatch reports a match that has ended, once its scores are known or none are to be expected.
func (g *gameView) settleMatch(w *eventWriter) {
	c := &g.match.contest
	g.reportMatch(w, g.time-c.end > scoreWait || g.time < c.end)
}

// reportMatch reports the result of a match that has ended. With force it waits for no more scores.
func (g *gameView) reportMatch(w *eventWriter, force bool) {
	c := &g.match.contest
	if !c.open || !c.over {
		return
	}
	r, sure := g.result()
	if !force && (!sure || c.reason == "" && g.time-c.end < lastScores) {
		return
	}
	if c.reason == "" {
		c.reason = cmp.Or(g.match.whyObjectives(g.match.whyOver(c.length)), event.ReasonUnknown)
	}
	if m := &g.match; c.late && len(c.mapName) == 0 { // they may be known by now
		c.mapName, c.mod = append(c.mapName, m.mapName...), append(c.mod[:0], m.mod()...)
		c.gametype, c.hasGametype = m.gametype, m.hasGametype
	}
	w.Begin(event.MatchEnd)
	c.writeMap(w)
	if c.hasGametype {
		w.Number(&evGametype, int64(c.gametype))
	}
	if len(c.mod) > 0 {
		w.Text(&evMod, c.mod)
	}
	if !c.late {
		w.Number(&evStartTime, int64(c.began))
	}
	if c.timed {
		w.Number(&eventtree.EndTime, int64(c.end))
	}
	if c.timed && !c.late {
		w.Number(&evDuration, int64(c.length))
	}
	w.Label(&evReason, c.reason)
	w.Number(&evOvertimes, int64(c.overtimes))
	r.write(w, &g.roster)
	c.writePlayers(w, &g.roster)
	w.Tree.AddBool(&eventtree.Complete, c.whole && !c.cut, 0, 0)
	w.End()
	c.open = false
}
