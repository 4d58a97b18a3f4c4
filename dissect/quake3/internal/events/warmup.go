package events

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// A warmupState is the content of CS_WARMUP: nothing while the match is on, -1 while players are missing, or
// the time at which the match starts. CheckTournament in code/game/g_main.c.
type warmupState struct {
	on bool
	at int32
}

const waitingForPlayers = -1

func (m *match) setWarmup(value []byte) {
	m.warmup = readWarmup(value)
	m.waited = m.waited || m.warmup.on && m.warmup.at == waitingForPlayers
}

// readWarmup reads CS_WARMUP: a number, or in Quake Live an infostring with one.
func readWarmup(value []byte) warmupState {
	if len(value) > 0 && value[0] == '\\' {
		value = dissect.InfoValue(value, "time")
	}
	at, _ := token.Atoi(value)
	return warmupState{on: at != 0, at: at}
}

// settleWarmup reports changes of warm-up, match and intermission in a message. A warm-up that begins and ends
// within one message, as in a restart of Quake Live, does not count.
func (g *gameView) settleWarmup(w *eventWriter, restarted bool) {
	m, before := &g.match, g.match.contest.count
	if restarted {
		g.cutShort(w)
		m.halted = false
	}
	if m.warmupReported != m.warmup {
		m.warmupReported = m.warmup
		g.reportWarmup(w, restarted || m.waited)
	}
	if _, known := m.teamGame(); restarted && (known || !g.roster.known) && !m.warmup.on && m.contest.count == before {
		m.on = true
		g.startMatch(w, true) // without a warm-up
	}
	m.waited = false
	if restarted {
		m.intermission, m.intermissionReported = false, false
	}
	if m.intermission && !m.intermissionReported {
		g.reportIntermission(w)
	}
	m.intermissionReported = m.intermission
}

// reportWarmup reports what a change of CS_WARMUP means. While a match is on, a countdown does not begin
// another: OSP counts down to the end of a pause, CPMA to the next round. A new match begins with waiting for
// players, with a restart of the map, or with reset scores. In games that do not count down to the end of a pause or to
// the next round, a countdown while a match is on is that of a restart, SV_MapRestart_f in code/server/sv_ccmds.c.
func (g *gameView) reportWarmup(w *eventWriter, anew bool) {
	m := &g.match
	switch {
	case !m.warmup.on:
		kept := m.halted && !anew && (m.scores != [2]int32{} || m.scores == m.haltScores)
		m.on, m.halted = true, false
		if g.rules().Match.LevelPauses {
			m.contest.clock.pause(false, 0)
		}
		if !kept {
			g.startMatch(w, true)
		}
		if m.inRound = m.hasRounds(); m.inRound {
			w.Begin(event.RoundStart)
			w.End()
		}
	case m.warmup.at == waitingForPlayers:
		m.endRound(w)
		m.on, m.halted = false, false
		g.callOff(w)
		w.Begin(event.Warmup)
		w.Label(&evAction, event.WarmupWaiting)
		w.End()
	case m.on && !anew && tables.Games[w.Tree.Family].Match.CountsToPlay:
		m.on, m.halted, m.haltScores = false, true, m.scores
		m.contest.clock.pause(g.rules().Match.LevelPauses, g.time)
		m.endRound(w)
	case m.halted && !anew: // the countdown is set again
	default:
		m.on, m.halted = false, false
		g.callOff(w)
		w.Begin(event.Warmup)
		w.Label(&evAction, event.WarmupCountdown)
		w.Number(&evStartsAt, int64(m.warmup.at))
		w.End()
	}
}

// enterIntermission handles the player state's intermission flag, the only sign of it in games that do not set
// the configstring. The first snapshot's flag makes no event: it may have been set long before.
func (g *gameView) enterIntermission(w *eventWriter, on, first bool) {
	m := &g.match
	switch {
	case !on || m.intermissionReported:
	case first:
		m.intermission, m.intermissionReported = true, true
		m.on, m.inRound = false, false
	default:
		m.intermission, m.intermissionReported = true, true
		g.reportIntermission(w)
	}
}

func (g *gameView) reportIntermission(w *eventWriter) {
	m := &g.match
	m.endRound(w)
	m.on, m.halted = false, false
	m.rounds.on = false
	g.settleRounds(w)
	if g.time-m.reasonAt > reasonTime {
		m.reason = m.reason[:0]
	}
	ending := ""
	if m.forfeited {
		ending = event.ReasonForfeit
	}
	g.endMatch(ending, true)
	w.Begin(event.Intermission)
	if len(m.reason) > 0 {
		w.Text(&evReason, m.reason)
	}
	w.End()
	m.reason, m.forfeited = m.reason[:0], false
}

// callOff ends a match before its end: a player who leaves forfeits it.
func (g *gameView) callOff(w *eventWriter) {
	c := &g.match.contest
	reason := event.ReasonAborted
	if since := g.time - c.leave.at; c.leave.known && since >= 0 && since <= forfeitTime {
		reason = event.ReasonForfeit
	}
	g.endMatch(reason, true)
	g.reportMatch(w, false)
}
