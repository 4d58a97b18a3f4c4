package events

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/scene"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

// findTime takes the server time from the message's snapshot: commands are executed with the snapshot that they
// arrive with, CG_ProcessSnapshots in code/cgame/cg_snapshot.c. It reports whether there is one.
//
// To a client that loads another map the server sends the time of the map before and that of the new one added up, so
// that its clock does not go back: oldServerTime, SV_WriteSnapshotToClient in code/server/sv_snapshot.c of ioquake3.
// Such a sum is ignored.
func (e *Reader) findTime(m *observe.Message) (found bool) {
	for i := range m.Changes {
		if m.Changes[i].Kind != observe.Snapshot {
			continue
		}
		s := m.World.Base(m.Changes[i].Number)
		switch {
		case s == nil:
		case e.game.moving && s.Flags&world.SnapNotActive != 0:
			e.game.timed = false
		default:
			e.game.time, e.game.timed, found = s.Time(), !s.Untimed, !s.Untimed
			e.game.moving = false
		}
	}
	return found
}

// look reports the events of a snapshot that no earlier one showed.
func (g *gameView) look(w *eventWriter, gen *tables.Generation, pool *world.Pool, s *world.Snapshot) {
	sc := &g.scene
	if g.rules().Match.Timer {
		g.seeTimer(w, gen, &s.Player)
	}
	if !sc.Look(g.family, gen, pool, s) {
		return
	}
	g.highlights.look(g, gen, pool, s)
	g.seePlayer(&sc.Seen.Player)
	for i := range sc.Seen.Moves {
		g.match.contest.move(&sc.Seen.Moves[i])
	}
	if g.flags.active() || g.races() {
		g.flags.ways.add(sc.Seen.Moves, g.time)
		g.flags.seeCarriers(&sc.Seen.Carriers)
	}
	g.noteDeeds()
	if sc.Seen.Late {
		g.match.contest.board.missKills(g.time)
	}
	kills := sc.Seen.Kills()
	for i := range sc.Seen.Events {
		switch e := &sc.Seen.Events[i]; e.Kind {
		case scene.Kill:
			g.joinMatch(w)
			g.countFrag(e.Killer, e.Client)
			if kills == 1 {
				g.seeLead(e.Killer, e.Client)
			}
			g.reportKill(w, e)
			g.highlights.kill(w, g, e)
		case scene.Pickup:
			g.reportPickup(w, e)
		case scene.TeamSound:
			g.flags.sound(tables.GlobalTeamSoundNames.Name(g.family, uint64(e.Value)))
		case scene.FlagMessage:
			g.flags.message(e)
		case scene.Siege:
			g.reportSiege(w, e)
		case scene.Popup:
			g.reportObjective(w, &e.Popup)
		}
	}
	if p := &sc.Seen.Player; p.HasMovement && !(p.Intermission && g.match.showsRound()) {
		g.enterIntermission(w, p.Intermission, sc.Seen.First)
	}
}

// seePlayer stores the score of the player whose state the snapshot has. It is the client's own unless the client
// follows another player: then it also is the client's number, if no gamestate contained it (before 1.29, and in
// mid-session).
func (g *gameView) seePlayer(p *scene.Player) {
	if g.own < 0 && p.Own {
		g.own = p.Itself
	}
	if !p.Known {
		return
	}
	if team, known := g.match.teamGame(); p.HasBest && known && !team && !g.match.contest.over {
		g.match.scores[0], g.match.scored[0] = p.Best, true
		g.match.contest.keep(0, p.Best, g.time)
	}
	if p.HasScore && g.roster.plays(p.Client) && !g.match.contest.over && !g.match.intermission {
		g.setPlayerScore(p.Client, p.Score, false)
	}
}

// reportKill reports an obituary. Values that the capture does not show are left out.
func (g *gameView) reportKill(w *eventWriter, e *scene.Event) {
	w.Begin(event.Kill)
	world := e.Killer >= tables.NumPlayers[g.family]
	if e.Killer >= 0 && !world {
		g.fighter(w, &evKiller, e.Killer)
	}
	if e.Client >= 0 {
		g.fighter(w, &evVictim, e.Client)
	}
	w.Flag(&evWorld, world)
	w.Flag(&eventtree.Suicide, e.Killer >= 0 && e.Killer == e.Client)
	if e.KnowsValue {
		w.Tree.Add(&evMeans, uint64(e.Value), 0, 0)
		means := tables.MeansOfDeathNames.Name(g.family, uint64(e.Value))
		if style, known := g.scene.Style(e.Killer); known && means == saber {
			w.Tree.Add(&evStyle, uint64(style), 0, 0)
		}
	}
	if e.KnowsAt {
		w.position(e.At.X, e.At.Y, e.At.Z)
	}
	w.Flag(&evInferred, e.Inferred)
	w.End()
}

// fighter adds a player, with the position if the snapshot shows it.
func (g *gameView) fighter(w *eventWriter, f *dissect.Field, number int) {
	g.fighterNamed(w, f, number, nil)
}

// fighterNamed is fighter for a player whom a sentence names; the number may be unknown.
func (g *gameView) fighterNamed(w *eventWriter, f *dissect.Field, number int, name []byte) {
	w.Tree.Open(f, 0)
	mentioned := knownName{}
	if name != nil {
		mentioned = g.roster.mention(name, fromPrint)
	}
	w.clientFields(&g.roster, number, mentioned)
	if at, ok := g.scene.Position(number); ok {
		w.position(at.X, at.Y, at.Z)
	}
	w.Tree.Close(0)
}

func (g *gameView) reportPickup(w *eventWriter, e *scene.Event) {
	w.Begin(event.Pickup)
	if e.Client >= 0 {
		w.client(&evClient, &g.roster, e.Client, nil)
	}
	if e.KnowsValue {
		w.Tree.Add(&evItem, uint64(e.Value), 0, 0)
	}
	w.Flag(&evGlobal, e.Announced)
	w.Flag(&evLate, g.scene.Seen.Late)
	if e.KnowsAt {
		w.position(e.At.X, e.At.Y, e.At.Z)
	}
	w.End()
}

// A walk is the distance that a player covered while snapshots showed him.
type walk struct {
	distance float64
	seen     int32 // ms
}

// move adds to the distance of a player while the match is on and its clock runs.
func (c *contest) move(m *scene.Move) {
	if !c.open || c.over || c.clock.paused {
		return
	}
	if c.walks == nil {
		c.walks = new([tables.MaxPlayers]walk)
	}
	w := &c.walks[m.Client]
	w.distance += m.Distance
	w.seen += m.Time
}
