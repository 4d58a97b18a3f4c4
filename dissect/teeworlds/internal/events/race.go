package events

import (
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// A race has the finishes of this datagram and the last one that was added: the server's words and several
// messages report the same finish.
type race struct {
	pending []finish
	last    finish
	lastAt  int64

	starts      [maxPlayers]int32 // tick at which the player's race began; 0: none is known
	checkpoints [maxPlayers]uint8 // of that race
	teams       [maxPlayers]uint8 // DDRace's teams
	teamed      bool              // teams has been set
	ways        [maxPlayers]*eventtree.Way
}

// A finish is one client's finish.
type finish struct {
	client           int // -1: the own client, whose number is not known
	msec, diff       int
	precise          bool // from Sv_RaceFinish: in ms; the others in hundredths
	personal, server bool
	team             uint8 // of the player when the finish was announced
}

// same reports whether both are the same finish.
func (f finish) same(o finish) bool {
	return f.client == o.client && f.msec-o.msec < 20 && o.msec-f.msec < 20
}

func (r *race) add(f finish) {
	f.team = r.team(f.client)
	for i := range r.pending {
		if r.pending[i].same(f) {
			if f.precise {
				f.team = r.pending[i].team
				r.pending[i] = f
			}
			return
		}
	}
	r.pending = append(r.pending, f)
}

// team returns the number of a player's team; 0: none, or not known.
func (r *race) team(client int) uint8 {
	if client < 0 || client >= maxPlayers {
		return 0
	}
	return r.teams[client]
}

// finishEcho is how much later another report of the same finish may arrive, in ms.
const finishEcho = 2000

// settle adds the finishes of a datagram.
func (r *race) settle(w *writer, players *roster) {
	if len(r.pending) == 0 {
		return
	}
	fresh := r.pending[:0]
	for _, f := range r.pending {
		if f.same(r.last) && r.lastAt > 0 && w.Timed && w.Time-r.lastAt < finishEcho {
			continue
		}
		r.last, r.lastAt = f, w.Time
		r.addFinish(w, players, f)
		fresh = append(fresh, f)
	}
	for _, f := range fresh {
		r.addRun(w, players, f)
	}
	r.addTeamFinishes(w, players, fresh)
	r.pending = r.pending[:0]
}

func (r *race) addFinish(w *writer, players *roster, f finish) {
	w.Begin(event.RaceFinish)
	if f.client >= 0 {
		w.client(&evClient, players, f.client)
	}
	w.Flag(&evOwn, f.client == players.own)
	w.number(&evTime, f.msec)
	if f.precise {
		w.number(&evDiff, f.diff)
		w.Flag(&evRecordPersonal, f.personal)
		w.Flag(&evRecordServer, f.server)
	}
	w.End()
}

// addRun adds how far and how fast the player went from start to finish, if snapshots showed it.
func (r *race) addRun(w *writer, players *roster, f finish) {
	if f.client < 0 || !w.Timed {
		return
	}
	checkpoints, way := r.checkpoints[f.client], r.ways[f.client].Since(w.Time-int64(f.msec))
	r.starts[f.client], r.checkpoints[f.client] = 0, 0
	if checkpoints == 0 && way.Seen == 0 {
		return
	}
	w.Begin(event.Run)
	w.Label(&eventtree.Course, event.CourseRace)
	w.Label(&evAction, event.RunFinished)
	w.client(&evClient, players, f.client)
	w.Flag(&evOwn, f.client == players.own)
	r.addTeam(w, f.client, f.team)
	w.number(&eventtree.RunTime, f.msec)
	if checkpoints > 0 {
		w.number(&evCheckpoints, int(checkpoints))
	}
	w.Pace(way)
	w.End()
}

// addTeam adds the number of a team other than 0.
func (r *race) addTeam(w *writer, client int, team uint8) {
	if team != 0 && client >= 0 {
		w.number(&evRaceTeam, int(team))
	}
}

// addTeamFinishes adds the finishes of teams: of at least two players of one team with the same time.
//
// CGameTeams::OnTeamFinish, DDNet's src/game/server/teams.cpp: a team finishes when its last player does.
func (r *race) addTeamFinishes(w *writer, players *roster, finishes []finish) {
	for i, f := range finishes {
		members, first := 0, true
		for j, o := range finishes {
			if o.team == f.team && o.msec == f.msec {
				members++
				first = first && j >= i
			}
		}
		if f.team == 0 || members < 2 || !first {
			continue
		}
		w.Begin(event.TeamFinish)
		w.number(&evRaceTeam, int(f.team))
		w.number(&evTime, f.msec)
		w.Tree.Open(&evPlayers, 0)
		for _, o := range finishes {
			if o.team == f.team && o.msec == f.msec {
				w.Tree.Open(evPlayers.Children[0], 0)
				w.clientFields(players, o.client)
				w.Tree.Close(0)
			}
		}
		w.Tree.Close(0)
		w.End()
	}
}

// raceFinish handles Sv_RaceFinish.
func (g *gameView) raceFinish(_ *writer, m *decodedMessage) {
	if t := m.number("time"); t >= 0 {
		g.race.add(finish{
			client: m.number("client_id"), msec: t, diff: m.number("diff"), precise: true,
			personal: m.number("record_personal") != 0, server: m.number("record_server") != 0,
		})
	}
}

// raceTime handles Sv_DDRaceTime, which is about the own client and in hundredths of a second: of a finish, or of a
// checkpoint.
func (g *gameView) raceTime(w *writer, m *decodedMessage) {
	if m.number("finish") != 0 {
		g.race.add(finish{client: g.players.own, msec: m.number("time") * 10})
		return
	}
	time := m.number("time")
	ms := time * 10
	if ran, ok := g.ran(); ok && !near(ms, ran) && near(time*1000, ran) {
		ms = time * 1000 // of older servers: whole seconds
	}
	g.checkpoint(w, ms, true, m.number("check")*10)
}

// near reports whether two times are the same but for the message's delay, in ms.
func near(a, b int) bool { return a-b < 1500 && b-a < 1500 }

// ran returns how long the race of the own client has lasted, in ms.
func (g *gameView) ran() (ms int, ok bool) {
	own := g.players.own
	if own < 0 || own >= maxPlayers || g.race.starts[own] == 0 || g.tick < 0 {
		return 0, false
	}
	return int(g.tick-g.race.starts[own]) * tickMsec, true
}

// checkpointDiff handles Sv_Checkpoint of 0.7, which is about the own client and has the difference alone.
func (g *gameView) checkpointDiff(w *writer, m *decodedMessage) {
	ms, ok := g.ran()
	g.checkpoint(w, ms, ok, m.number("diff"))
}

// broadcast reads the words about a checkpoint, for clients that understand no message about it.
//
// CCharacter::HandleBroadcast, DDNet's src/game/server/entities/character.cpp.
func (g *gameView) broadcast(w *writer, m *decodedMessage) {
	_, rest, ok := strings.Cut(string(m.text("message")), "Checkpoint | Diff : ")
	seconds, err := strconv.ParseFloat(strings.TrimSpace(rest), 64)
	if !ok || err != nil || seconds < -maxDiff || seconds > maxDiff {
		return
	}
	ms, known := g.ran()
	g.checkpoint(w, ms, known, int(seconds*1000))
}

// maxDiff is a difference in seconds that no race has.
const maxDiff = 1e6

// checkpoint adds a checkpoint of the own client. A difference of 0 is also what servers send if there is nothing to
// compare with.
func (g *gameView) checkpoint(w *writer, ms int, timed bool, diff int) {
	own := g.players.own
	w.Begin(event.Checkpoint)
	if own >= 0 {
		w.client(&evClient, &g.players, own)
	}
	w.Flag(&evOwn, true)
	if own >= 0 && own < maxPlayers {
		if g.race.checkpoints[own] < 255 {
			g.race.checkpoints[own]++
		}
		w.number(&eventtree.RaceCheckpoint, int(g.race.checkpoints[own]))
		w.placeOf(g.now.chars[own])
	}
	if timed {
		w.number(&eventtree.RaceTime, ms)
	}
	if diff != 0 {
		w.number(&eventtree.RaceDiff, diff)
	}
	w.End()
}

// announce reads the line "NAME finished in: 1 minute(s) 2.34 second(s)".
//
// CGameTeams::OnFinish, DDNet's src/game/server/teams.cpp.
func (r *race) announce(line string, players *roster) {
	name, rest, ok := strings.Cut(line, " finished in: ")
	minutes, rest, ok2 := strings.Cut(rest, " minute(s) ")
	seconds, _, ok3 := strings.Cut(strings.TrimSpace(rest), " second(s)")
	if !ok || !ok2 || !ok3 {
		return
	}
	m, err1 := strconv.ParseUint(strings.TrimSpace(minutes), 10, 16)
	s, err2 := strconv.ParseFloat(strings.TrimSpace(seconds), 64)
	client := players.named([]byte(name))
	if err1 != nil || err2 != nil || s < 0 || s >= 60 || client < 0 {
		return
	}
	r.add(finish{client: client, msec: int(m)*60_000 + int(s*1000+0.5)})
}

// teamsState handles Sv_TeamsState: the teams of all players, by number.
func (g *gameView) teamsState(w *writer, m *decodedMessage) {
	r := &g.race
	quiet := !r.teamed && !(g.mapped && g.settled) // the teams of before the client, or the capture, came
	r.teamed = true
	client := 0
	m.each("teams", func(team int) {
		if client < maxPlayers && team >= 0 && team <= 255 && r.teams[client] != uint8(team) {
			r.teams[client] = uint8(team)
			if p := g.players.at(client); p != nil && p.present && !quiet {
				w.Begin(event.RaceTeam)
				w.client(&evClient, &g.players, client)
				w.Flag(&evOwn, client == g.players.own)
				w.number(&evRaceTeam, team)
				w.End()
			}
		}
		client++
	})
}

// lateStart is how old a race may be when a snapshot first shows it, in ticks, if the start was not missed.
const lateStart = 2000 / tickMsec

// settleStarts adds the starts of races: the own client's or that of the player whom it watches, in 0.7 everybody's.
// A race starts anew as long as the player is at the start, so a start counts when two snapshots agree on it.
func (g *gameView) settleStarts(w *writer) {
	if of := g.now.raceOf; of >= 0 && of < maxPlayers && of == g.before.raceOf && g.now.raceStart == g.before.raceStart {
		g.start(w, of, g.now.raceStart)
	}
	if g.dialect != tables.V07 {
		return
	}
	for i, start := range g.now.raceStarts {
		if start == g.before.raceStarts[i] {
			g.start(w, i, start)
		}
	}
}

// start adds the start of a race, unless it is known.
func (g *gameView) start(w *writer, client int, tick int32) {
	r := &g.race
	if tick <= 0 || r.starts[client] == tick {
		return
	}
	r.starts[client], r.checkpoints[client] = tick, 0
	w.Begin(event.RaceStart)
	w.client(&evClient, &g.players, client)
	w.Flag(&evOwn, client == g.players.own)
	r.addTeam(w, client, r.teams[client])
	w.number(&evStartTime, int(tick)*tickMsec)
	w.Flag(&eventtree.InProgress, g.now.game.tick-tick > lateStart)
	w.placeOf(g.now.chars[client])
	w.End()
}
