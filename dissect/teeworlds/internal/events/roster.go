package events

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
)

// maxPlayers is the most clients that a game has: MAX_CLIENTS of DDNet; 64 in 0.7, 16 in 0.6.
const maxPlayers = 128

// teamUnknown is the team of a player whose team is not known.
const teamUnknown = -128

// A roster is who is in the game.
type roster struct {
	own     int // number of the client whose stream it is; -1: not known
	players [maxPlayers]player
}

// A player is one entry of the roster. Name and team of a player who has left are kept until the number is
// assigned again: the game kills players who leave.
type player struct {
	known   bool // name and team have been set
	present bool
	before  bool // was in the game on the previous map
	untold  bool // is in the game, and no event has said so
	team    int
	name    []byte
}

// at returns the player with a client number, or nil if nothing is known of it.
func (r *roster) at(number int) *player {
	if number < 0 || number >= maxPlayers || !r.players[number].known {
		return nil
	}
	return &r.players[number]
}

// changeMap marks all players as players of the previous map.
func (r *roster) changeMap() {
	for i := range r.players {
		p := &r.players[i]
		p.before, p.present = p.present, false
	}
}

// named finds the player with a name. number is -1 if there is none, or more than one.
func (r *roster) named(name []byte) int {
	found := -1
	for i := range r.players {
		if p := &r.players[i]; p.present && bytes.Equal(p.name, name) {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

// arrive stores name and team of a client. It adds a change of the name, and unless quiet the arrival of a new
// client.
func (g *gameView) arrive(w *writer, number int, name []byte, team int, quiet bool) {
	if number < 0 || number >= maxPlayers {
		return
	}
	if isPlaceholder(name) {
		g.players.players[number] = player{known: true, team: team, name: append([]byte{}, name...)}
		return
	}
	p := &g.players.players[number]
	was := *p
	if !p.known || !bytes.Equal(p.name, name) {
		p.name = append([]byte{}, name...)
	}
	p.known, p.present, p.before = true, true, false
	if team != teamUnknown || !was.present {
		p.team = team
	}
	switch same := was.known && bytes.Equal(was.name, name); {
	case was.present && !same:
		w.Begin(event.Rename)
		w.client(&evClient, &g.players, number)
		w.Flag(&evOwn, number == g.players.own)
		w.Both(&eventtree.OldName, &evOldNameClean, was.name)
		w.End()
	case was.present:
	case quiet:
		p.untold = true
	case was.before && same:
		g.addArrival(w, event.Enter, number)
	default:
		g.addArrival(w, event.Connect, number)
	}
}

// introduce adds who was in the game when the input or the map began, unless a match has listed them.
func (g *gameView) introduce(w *writer) {
	for i := range g.players.players {
		if p := &g.players.players[i]; p.untold && p.present && !g.contest.open {
			w.Begin(event.Enter)
			w.client(&evClient, &g.players, i)
			w.Flag(&evOwn, i == g.players.own)
			w.Flag(&eventtree.InProgress, true)
			w.End()
		}
		g.players.players[i].untold = false
	}
}

func (g *gameView) addArrival(w *writer, kind string, number int) {
	g.players.players[number].untold = false
	w.Begin(kind)
	w.client(&evClient, &g.players, number)
	w.Flag(&evOwn, number == g.players.own)
	w.End()
}

// join stores the team of a client and adds the change.
func (g *gameView) join(w *writer, number, team int) {
	p := g.players.at(number)
	if p == nil {
		if number < 0 || number >= maxPlayers {
			return
		}
		p = &g.players.players[number] // the capture begins in the middle: the name is not known
		p.known, p.team = true, teamUnknown
	}
	old := p.team
	p.team = team
	if old == team {
		return
	}
	w.Begin(event.Team)
	w.client(&evClient, &g.players, number)
	w.Flag(&evOwn, number == g.players.own)
	w.number(&evTeam, team)
	if old != teamUnknown {
		w.number(&evOldTeam, old)
	}
	if g.rules.known {
		w.Tree.AddBool(&evTeamGame, g.rules.teams(), 0, 0)
	}
	w.End()
}

// depart adds that a client left.
func (g *gameView) depart(w *writer, number int, reason []byte) {
	if number < 0 || number >= maxPlayers {
		return
	}
	g.addDisconnect(w, number, reason)
	g.players.players[number].present = false
}

// addDisconnect adds that a client left; for the own client only once. Its number may not be known.
func (g *gameView) addDisconnect(w *writer, number int, reason []byte) {
	own := number == g.players.own
	if own {
		g.left = true
	}
	w.Begin(event.Disconnect)
	if number >= 0 {
		w.client(&evClient, &g.players, number)
	}
	w.Flag(&evOwn, own)
	if len(reason) > 0 {
		w.Text(&evReason, reason)
	}
	w.Flag(&evKicked, bytes.HasPrefix(reason, []byte(kickReason)))
	w.End()
	if number >= 0 && string(reason) == reclaimReason {
		g.addTimeout(w, event.TimeoutReclaimed, number)
	}
}

// kickReason is the beginning of the reason of a kick: CServerBan and CServer::ConKick in
// src/engine/server/server.cpp, votes in src/game/server/gamecontext.cpp.
const kickReason = "Kicked"

// clientInfo handles Sv_ClientInfo. Those before the own client's describe players who were there already.
//
// CGameClient::OnMessage, src/game/client/gameclient.cpp.
func (g *gameView) clientInfo(w *writer, m *decodedMessage) {
	number := m.number("client_id")
	if m.number("local") != 0 {
		g.players.own, g.inGame, g.fresh = number, true, false
	}
	listed := g.mapped && !g.inGame
	g.arrive(w, number, m.text("name"), m.number("team"), listed || m.number("silent") != 0)
}

// clientDrop handles Sv_ClientDrop. It is silent if a client changes name or look, which drops the client and
// adds it again.
func (g *gameView) clientDrop(w *writer, m *decodedMessage) {
	if m.number("silent") == 0 {
		g.depart(w, m.number("client_id"), m.text("reason"))
	}
}

// setTeam handles Sv_Team.
func (g *gameView) setTeam(w *writer, m *decodedMessage) {
	if number := m.number("client_id"); number >= 0 {
		g.join(w, number, m.number("team"))
	}
}

// demoEnter handles a player who joins while a demo is recorded.
func (g *gameView) demoEnter(w *writer, m *decodedMessage) {
	if number := m.number("client_id"); number >= 0 && number < maxPlayers {
		g.players.players[number].present = false
		g.arrive(w, number, m.text("name"), m.number("team"), false)
	}
}

// demoLeave handles a player who leaves while a demo is recorded. Servers do not set the number.
func (g *gameView) demoLeave(w *writer, m *decodedMessage) {
	name := m.text("name")
	number := m.number("client_id")
	if p := g.players.at(number); p == nil || !bytes.Equal(p.name, name) {
		number = g.players.named(name)
	}
	g.depart(w, number, m.text("reason"))
}

// gameInfo handles Sv_GameInfo.
func (g *gameView) gameInfo(_ *writer, m *decodedMessage) {
	g.rules.set(func(key string) int32 { return int32(m.number(key)) })
}

// A leaver is a player whose leaving, with the reason, the server announced in words; the snapshot without the
// player comes with the words or later.
type leaver struct{ name, reason string }
