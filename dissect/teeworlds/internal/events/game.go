package events

import (
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// Causes of a death other than another player: WEAPON_*, src/game/server/entities/character.h.
const (
	weaponGame  = -3 // the game: the player left, or changed the team
	weaponWorld = -1 // the map
)

// kill adds Sv_KillMsg.
func (g *gameView) kill(w *writer, m *decodedMessage) {
	k := killing{m.number("killer"), m.number("victim"), m.number("weapon"), m.number("mode_special")}
	if k.weapon == weaponGame && g.contest.open && g.contest.late {
		g.together = append(g.together, k)
		return
	}
	g.addKill(w, k)
}

// A killing is the contents of a Sv_KillMsg.
type killing struct{ killer, victim, weapon, special int }

// settleTogether adds the deaths by the game in a datagram, during a match whose snapshots are not known. If several
// players died, the game began anew.
func (g *gameView) settleTogether(w *writer) {
	if len(g.together) > 1 {
		g.endMatch(w, event.ReasonUnknown, &g.now.game, true) // it ran to its end, or was started anew
	}
	for _, k := range g.together {
		g.addKill(w, k)
	}
	g.together = g.together[:0]
}

// addKill adds a death.
func (g *gameView) addKill(w *writer, k killing) {
	killer, victim, weapon := k.killer, k.victim, k.weapon
	world := weapon == weaponWorld || weapon == weaponGame
	if !world && killer >= 0 && killer != victim {
		g.joinMatch(w)
	}
	w.Begin(event.Kill)
	switch {
	case world:
	case killer >= 0:
		w.client(&evKiller, &g.players, killer)
	default: // the killer has left: only the team is known, as -1 or -2
		w.Tree.Open(&evKiller, 0)
		w.number(&evPlayerTeam, -1-killer)
		w.Tree.Close(0)
	}
	w.client(&evVictim, &g.players, victim)
	w.Flag(&evWorld, world)
	w.Flag(&eventtree.Suicide, !world && killer == victim)
	w.number(&evMeans, weapon)
	if k.special != 0 {
		w.number(&evSpecial, k.special)
	}
	g.addDeathPlace(w, victim)
	if world {
		g.blame(w, victim)
	}
	w.End()
	g.die(victim)
}

// die remembers that a player died: who is somewhere else at once has not been teleported.
func (g *gameView) die(client int) {
	if client >= 0 && client < maxPlayers {
		g.died[client] = max(g.now.game.tick, 1)
		g.touches[client] = touch{}
	}
}

// diedSince reports whether a player died after a snapshot of a tick, or with it.
func (g *gameView) diedSince(client int, tick int32) bool {
	return g.died[client] > 0 && g.died[client] >= tick
}

// killTeam adds Sv_KillMsgTeam: DDNet kills a whole team when one of its players dies.
func (g *gameView) killTeam(w *writer, m *decodedMessage) {
	w.Begin(event.Kill)
	first := m.number("first")
	if first >= 0 {
		w.client(&evVictim, &g.players, first)
	}
	w.Flag(&evWorld, true)
	w.number(&evKilledTeam, m.number("team"))
	for i, team := range g.race.teams {
		if team != 0 && int(team) == m.number("team") {
			g.die(i)
		}
	}
	if first >= 0 {
		g.addDeathPlace(w, first)
	}
	w.End()
}

// addDeathPlace adds the position of a death: the one in the snapshot, else the player's last one.
func (g *gameView) addDeathPlace(w *writer, victim int) {
	if victim < 0 || victim >= maxPlayers {
		return
	}
	for _, at := range [...]place{g.now.deaths[victim], g.before.chars[victim], g.now.chars[victim]} {
		if at.known {
			w.position(at)
			return
		}
	}
}

// A flagNews is a message's information about a flag.
type flagNews struct {
	action       string
	flag, client int // -1: not in the message
}

// maxFlagNews is how many can wait for a snapshot.
const maxFlagNews = 16

// gameMsg handles Sv_GameMsg. For a flag that was dropped or returned it does not name the flag.
func (g *gameView) gameMsg(w *writer, m *decodedMessage) {
	news := flagNews{flag: -1, client: -1}
	switch tables.GameMsgs.Name(uint8(tables.V07), uint64(m.number("game_msg_id"))) {
	case "ctf_drop":
		news.action = event.FlagDropped
	case "ctf_return":
		news.action = event.FlagReturned
	case "ctf_grab":
		news.action, news.flag = event.FlagTaken, m.number("team")
	case "ctf_capture":
		news.action, news.flag, news.client = event.FlagCaptured, m.number("flag_team"), m.number("client_id")
	default:
		return
	}
	g.addFlagNews(w, news)
}

// sound handles Sv_SoundGlobal: with this sound, a flag that goes back to its stand was captured.
func (g *gameView) sound(w *writer, m *decodedMessage) {
	if tables.Sounds.Name(uint8(tables.V06), uint64(m.number("sound_id"))) == "ctf_capture" {
		g.addFlagNews(w, flagNews{event.FlagCaptured, -1, -1})
	}
}

func (g *gameView) addFlagNews(w *writer, news flagNews) {
	if g.flags = append(g.flags, news); len(g.flags) > maxFlagNews {
		g.settleFlags(w)
	}
}

// settleFlags adds the events of flags: the contents of messages, completed by the snapshots; in 0.6 the
// changes between snapshots.
func (g *gameView) settleFlags(w *writer) {
	was, now := g.before.flags, g.now.flags
	known := g.before.flagged && g.now.flagged
	if g.dialect != tables.V07 {
		if known {
			g.showFlags(w, was, now)
		}
		g.flags = g.flags[:0]
		return
	}
	for _, news := range g.flags {
		if known {
			news = news.complete(&was, now)
		}
		g.addFlag(w, news)
	}
	g.flags = g.flags[:0]
}

// complete finds the flag or the client that a message left out, from the flags before and after, and updates
// was.
func (n flagNews) complete(was *[2]int32, now [2]int32) flagNews {
	if n.flag < 0 {
		for _, changed := range [...]bool{true, false} { // if several fit, one that has changed comes first
			for i := range was {
				fits := n.action == event.FlagDropped && was[i] >= 0 || n.action == event.FlagReturned && was[i] == flagLying
				if n.flag < 0 && fits && (was[i] != now[i] || !changed) {
					n.flag = i
				}
			}
		}
	}
	if n.flag < 0 || n.flag >= len(was) {
		return n
	}
	switch n.action {
	case event.FlagDropped:
		n.client, was[n.flag] = int(was[n.flag]), flagLying
	case event.FlagTaken:
		if now[n.flag] >= 0 {
			n.client = int(now[n.flag])
		}
		was[n.flag] = now[n.flag]
	default:
		was[n.flag] = flagAtStand
	}
	return n
}

// showFlags adds the changes between two snapshots.
func (g *gameView) showFlags(w *writer, was, now [2]int32) {
	captured := len(g.flags) > 0
	for i := range was {
		from, to := was[i], now[i]
		if from == to {
			continue
		}
		if from >= 0 {
			switch {
			case to == flagAtStand && captured:
				g.addFlag(w, flagNews{event.FlagCaptured, i, int(from)})
			case to != flagAtStand:
				g.addFlag(w, flagNews{event.FlagDropped, i, int(from)})
			default:
				g.addFlag(w, flagNews{event.FlagReturned, i, -1})
			}
		}
		if from == flagLying && to == flagAtStand {
			g.addFlag(w, flagNews{event.FlagReturned, i, -1})
		}
		if to >= 0 {
			g.addFlag(w, flagNews{event.FlagTaken, i, int(to)})
		}
	}
}

func (g *gameView) addFlag(w *writer, n flagNews) {
	g.joinMatch(w)
	w.Begin(event.Flag)
	w.Label(&evAction, n.action)
	if n.client >= 0 {
		w.client(&evClient, &g.players, n.client)
		w.Flag(&evOwn, n.client == g.players.own)
	}
	if n.flag >= 0 && n.flag < 2 {
		w.Label(&evFlag, flagName(g.dialect, n.flag))
	}
	w.End()
	g.followFlag(w, n)
}

func flagName(d tables.Dialect, flag int) string { return tables.Teams.Name(uint8(d), uint64(flag)) }
