package events

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
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
