package events

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/internal/streak"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/moments"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/scene"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

// highlights finds remarkable moments. A nil one finds none.
type highlights struct {
	watch   *moments.Reader
	streaks *streak.Tracker
	done    []streak.Streak // that ended and are not reported
}

func newHighlights(rules *extract.Highlights) *highlights {
	if rules == nil {
		return nil
	}
	runs := streak.Rules{Kills: rules.Kills, OneShot: rules.OneShot, Window: rules.Window}
	return &highlights{watch: moments.New(rules), streaks: streak.New(runs)}
}

// look reads a snapshot.
func (h *highlights) look(g *gameView, gen *tables.Generation, pool *world.Pool, s *world.Snapshot) {
	if h != nil && s.Flags&world.SnapNotActive == 0 {
		h.watch.Look(g.family, gen, pool, s)
	}
}

// idle forgets the snapshots.
func (h *highlights) idle() {
	if h != nil {
		h.watch.Restart()
	}
}

// open reports whether something would be reported at the end.
func (h *highlights) open() bool { return h != nil && h.streaks.Pending() }

// kill takes a kill of a snapshot, and reports what it shows.
func (h *highlights) kill(w *eventWriter, g *gameView, e *scene.Event) {
	if h == nil {
		return
	}
	means := ""
	if e.KnowsValue {
		means = tables.MeansOfDeathNames.Name(g.family, uint64(e.Value))
	}
	shot := moments.Shot(means)
	if g.scene.Seen.Late {
		shot = "" // kills of some time
	}
	h.count(w, g, e.Killer, e.Client, shot)
	if e.Killer < 0 || e.Killer >= tables.NumPlayers[g.family] || e.Client < 0 || e.Killer == e.Client ||
		g.mates(e.Killer, e.Client) {
		return
	}
	if m, ok := h.watch.Midair(e.Client, means, placeOf(e)); ok {
		h.begin(w, g, event.Midair, e, int64(m.Launched))
		w.Float(&eventtree.Distance, m.Distance)
		w.Number(&eventtree.AirTime, int64(m.Air))
		w.End()
	}
	if f, ok := h.watch.Flick(e.Killer, means); ok {
		h.begin(w, g, event.Flick, e, int64(f.Since))
		w.Float(&eventtree.Angle, f.Angle)
		w.Float(&eventtree.TurnSpeed, f.Speed)
		w.End()
	}
}

// count takes a kill, and reports the multikills that it ends. shot is what can kill several at once.
func (h *highlights) count(w *eventWriter, g *gameView, killer, victim int, shot string) {
	if h == nil || !g.timed {
		return
	}
	if killer >= tables.NumPlayers[g.family] {
		killer = -1 // the world
	}
	h.done = h.streaks.Kill(h.done, streak.Kill{
		Killer: killer, Victim: victim, Time: int64(g.time), Shot: shot,
		TeamKill: g.mates(killer, victim), Viewed: killer == h.watch.Viewed(),
	})
	h.report(w, g)
}

// begin opens an event about a kill.
func (h *highlights) begin(w *eventWriter, g *gameView, kind string, e *scene.Event, since int64) {
	w.Begin(kind)
	h.player(w, g, e.Killer, e.Killer == h.watch.Viewed())
	w.client(&evVictim, &g.roster, e.Client, nil)
	if e.KnowsValue {
		w.Tree.Add(&evMeans, uint64(e.Value), 0, 0)
	}
	w.Span(&evStartTime, &eventtree.EndTime, since, int64(g.time))
}

func (h *highlights) player(w *eventWriter, g *gameView, number int, viewed bool) {
	w.client(&evClient, &g.roster, number, nil)
	w.Flag(&eventtree.Own, number == g.own)
	w.Flag(&eventtree.Viewed, viewed)
}

// advance reports what is over at the time of a snapshot.
func (h *highlights) advance(w *eventWriter, g *gameView) {
	if h != nil {
		h.done = h.streaks.Advance(h.done, int64(g.time))
		h.report(w, g)
	}
}

// end reports what is open when a map or a match is over.
func (h *highlights) end(w *eventWriter, g *gameView) {
	if h != nil {
		h.done = h.streaks.End(h.done)
		h.report(w, g)
	}
}

// leave ends what a player began who leaves.
func (h *highlights) leave(w *eventWriter, g *gameView, number int) {
	if h != nil {
		h.done = h.streaks.Leave(h.done, number)
		h.report(w, g)
	}
}

// report adds the multikills that are over.
func (h *highlights) report(w *eventWriter, g *gameView) {
	for i := range h.done {
		s := &h.done[i]
		w.Begin(event.Multikill)
		h.player(w, g, s.Player, s.Viewed)
		w.Streak(s)
		w.Span(&evStartTime, &eventtree.EndTime, s.First, s.Last)
		w.End()
	}
	h.done = h.done[:0]
}

// mates reports whether two players are of one team.
func (g *gameView) mates(a, b int) bool {
	team, known := g.match.teamGame()
	p, q := g.roster.at(a), g.roster.at(b)
	return known && team && a != b && p != nil && q != nil && p.team > 0 && p.team == q.team
}

// placeOf returns the place of an obituary; nil: it has none.
func placeOf(e *scene.Event) *[3]float32 {
	if !e.KnowsAt {
		return nil
	}
	return &[3]float32{math.Float32frombits(e.At.X), math.Float32frombits(e.At.Y), math.Float32frombits(e.At.Z)}
}
