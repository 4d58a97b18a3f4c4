package events

import (
	"strconv"
	"strings"

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
	killer, victim, weapon := m.number("killer"), m.number("victim"), m.number("weapon")
	world := weapon == weaponWorld || weapon == weaponGame
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
	if special := m.number("mode_special"); special != 0 {
		w.number(&evSpecial, special)
	}
	g.addDeathPlace(w, victim)
	w.End()
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
		news.action, news.flag = event.FlagTaken, m.element("params", 0)
	case "ctf_capture":
		news.action, news.flag, news.client = event.FlagCaptured, m.element("params", 0), m.element("params", 1)
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
	w.Begin(event.Flag)
	w.Label(&evAction, n.action)
	if n.client >= 0 {
		w.client(&evClient, &g.players, n.client)
		w.Flag(&evOwn, n.client == g.players.own)
	}
	if n.flag >= 0 && n.flag < 2 {
		w.Label(&evFlag, tables.Teams.Name(uint8(g.dialect), uint64(n.flag)))
	}
	w.End()
}

// A race holds the finishes of this datagram and the last one that was added: the server's words and several
// messages report the same finish.
type race struct {
	pending []finish
	last    finish
	lastAt  int64
}

// A finish is one client's finish.
type finish struct {
	client           int // -1: the own client, whose number is not known
	msec, diff       int
	precise          bool // from Sv_RaceFinish: in ms; the others in hundredths
	personal, server bool
}

// same reports whether both are the same finish.
func (f finish) same(o finish) bool {
	return f.client == o.client && f.msec-o.msec < 20 && o.msec-f.msec < 20
}

func (r *race) add(f finish) {
	for i := range r.pending {
		if r.pending[i].same(f) {
			if f.precise {
				r.pending[i] = f
			}
			return
		}
	}
	r.pending = append(r.pending, f)
}

// finishEcho is how much later another report of the same finish may arrive, in ms.
const finishEcho = 2000

// settle adds the finishes of a datagram.
func (r *race) settle(w *writer, players *roster) {
	for _, f := range r.pending {
		if f.same(r.last) && r.lastAt > 0 && w.Timed && w.Time-r.lastAt < finishEcho {
			continue
		}
		r.last, r.lastAt = f, w.Time
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
	r.pending = r.pending[:0]
}

// raceFinish handles Sv_RaceFinish.
func (g *gameView) raceFinish(_ *writer, m *decodedMessage) {
	if t := m.number("time"); t >= 0 {
		g.race.add(finish{
			m.number("client_id"), t, m.number("diff"), true, m.number("record_personal") != 0,
			m.number("record_server") != 0,
		})
	}
}

// raceTime handles Sv_DDRaceTime, which is about the own client and in hundredths of a second.
func (g *gameView) raceTime(_ *writer, m *decodedMessage) {
	if m.number("finish") != 0 {
		g.race.add(finish{client: g.players.own, msec: m.number("time") * 10})
	}
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
