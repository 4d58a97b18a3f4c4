package events

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/settings"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// rounds are Quake Live's configstrings about the rounds of clan arena, freeze tag, attack and defend, and red
// rover: round_status has the number of the round; round_time is the time at which the present round began, or -1
// between two rounds.
//
// Source: CS_ROUND_STATUS and CS_ROUND_TIME, code/game/bg_public.h of wolfcamql; recordings.
type rounds struct {
	number    int32 // of the last round; 0: not known
	on, wasOn bool  // a round is being played now; was at the end of the last message

	// Of games that restart the map for every round: when it began in seconds; whether players are missing; and the
	// server time of the line that announced a winner, if there was one.
	began           int32
	waits, waitsWas bool
	won             int32
	hasWon          bool
}

func (r *rounds) setStatus(info []byte) {
	if n, ok := token.Atoi(dissect.InfoValue(info, "round")); ok {
		r.number = n
	}
}

func (r *rounds) setTime(value []byte, quiet bool) {
	began, ok := token.Atoi(value)
	if r.on = ok && began > 0; quiet {
		r.wasOn = r.on
	}
}

// settleRounds reports rounds of Quake Live that began or ended in a message.
func (g *gameView) settleRounds(w *eventWriter) {
	r := &g.match.rounds
	if r.on == r.wasOn {
		return
	}
	r.wasOn = r.on
	kind := event.RoundEnd
	if r.on {
		kind = event.RoundStart
	}
	w.Begin(kind)
	if r.number > 0 {
		w.Number(&evRound, int64(r.number))
	}
	w.End()
}

// inRounds reports whether the game restarts the map for each round of this match.
func (m *match) inRounds() bool {
	return slices.Contains(m.rules().Match.RoundTypes, m.gametypeName())
}

// setRoundClock reads the configstring with the time at which a round began.
//
// Source: DM_Manager::GetMatchStartTime and StartRound, code/fgame/dm_manager.cpp of openmohaa.
func (m *match) setRoundClock(value []byte, quiet bool) {
	r := &m.rounds
	began, ok := token.Atoi(value)
	r.waits = ok && began < 0
	r.on = ok && began > 0 && m.inRounds()
	if r.on && r.wasOn && began != r.began {
		r.wasOn = false
	}
	if r.began = began; quiet {
		r.wasOn, r.waitsWas = r.on, r.waits
	}
}

// roundWon reports the end of a round by the line that announces it. team is 0 for a draw.
func (m *match) roundWon(w *eventWriter, team int) {
	r := &m.rounds
	if !m.inRounds() {
		return
	}
	r.on, r.wasOn, r.won, r.hasWon = false, false, m.now, true
	w.Begin(event.RoundEnd)
	if team > 0 {
		w.Tree.Open(&evWinner, 0)
		w.Tree.Add(&evPlayerTeam, uint64(team), 0, 0)
		w.Tree.Close(0)
	}
	w.End()
}

// settleWaiting reports that a round waits for players.
func (m *match) settleWaiting(w *eventWriter) {
	r := &m.rounds
	if r.waits && !r.waitsWas {
		w.Begin(event.Warmup)
		w.Label(&evAction, event.WarmupWaiting)
		w.End()
	}
	r.waitsWas = r.waits
}

// settle reports the settings that an infostring changes, and keeps it.
func (g *gameView) settle(w *eventWriter, known *[]byte, info []byte) {
	if !g.loading {
		var room [8]settings.Change
		for _, c := range settings.Compare(room[:0], *known, info) {
			w.Begin(event.Settings)
			w.Text(&eventtree.Setting, c.Name)
			if c.Before != nil {
				w.Text(&eventtree.SettingBefore, c.Before)
			}
			if c.After != nil {
				w.Text(&eventtree.SettingAfter, c.After)
			}
			w.End()
		}
	}
	*known = append((*known)[:0], info...)
}

// setSystem handles a change of systeminfo: in some games a new server id is all that announces a restart of the map.
func (g *gameView) setSystem(w *eventWriter, info []byte) {
	id, ok := token.Atoi(dissect.InfoValue(info, "sv_serverid"))
	before := g.system
	if g.system = id; g.loading || !ok || !g.quiet || before == 0 || before == id {
		return
	}
	g.serverID, g.restarted = id, true
	w.Begin(event.MapRestart)
	w.End()
}

// nextRound reports whether a restart of the map begins the next round of the same match.
func (g *gameView) nextRound() bool {
	m := &g.match
	if !g.restarted || !m.inRounds() || !m.contest.open || m.contest.over {
		return false
	}
	m.intermission, m.intermissionReported, m.rounds.hasWon = false, false, false
	return true
}

// showsRound reports whether scores that are shown to everybody are those of a round, not of the match: they come two
// seconds after the line about its winner and stay until the map is restarted.
func (m *match) showsRound() bool {
	const shown = 10_000 // milliseconds, more than the three seconds that pass before the restart
	return m.inRounds() && m.rounds.hasWon && m.now-m.rounds.won >= 0 && m.now-m.rounds.won < shown
}

// hasRounds reports whether the game plays rounds that it announces in the same way as matches.
func (m *match) hasRounds() bool {
	return slices.Contains(m.rules().Match.Rounds, m.gametypeName())
}

// endRound reports the end of a round, and the start of the next one if that is known.
func (m *match) endRound(w *eventWriter) {
	if !m.inRound {
		return
	}
	m.inRound = false
	w.Begin(event.RoundEnd)
	if m.halted {
		w.Number(&evStartsAt, int64(m.warmup.at))
	}
	w.End()
}
