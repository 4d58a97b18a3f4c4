package timeline

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/view/replay"
)

// replays keep what the states of all games show, where Options.Replay asks for it.
type replays struct{ budget replay.Budget }

// add adds the scene of a record.
func (s *replays) add(g *Game, rec *dissect.Record, now float64) {
	if s.budget.Full() {
		return
	}
	mapNumber := len(g.Maps) - 1
	if len(g.recorders) == 0 || g.recorded != mapNumber {
		g.recorders = append(g.recorders, replay.New(mapNumber, g.View == "above", &s.budget))
		g.recorded = mapNumber
	}
	g.recorders[len(g.recorders)-1].Add(rec.Stream, now, rec.Number(), &rec.Scene, func(client int32) (int, bool) {
		if client < 0 {
			return g.own - 1, g.own > 0
		}
		return g.numbered(int64(client))
	})
}

// play makes the replays. to has the player that each is, or is nil.
func (g *Game) play(to []int) {
	for _, r := range g.recorders {
		if d := r.Data(to); d != nil {
			g.Replays = append(g.Replays, d)
		}
	}
	g.recorders = nil
}

// note says what was left out.
func (s *replays) note(n *notes) {
	if h := s.budget.Halved(); h > 0 {
		n.add("Of the replay so many places were left out that at its end players have %v a second.", 20/float64(int(1)<<h))
	}
	if s.budget.Full() {
		n.add("The replay ends early: there are more places than fit.")
	}
}
