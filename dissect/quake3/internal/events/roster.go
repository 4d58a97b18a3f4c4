package events

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// A roster is who is in the game, as the players' configstrings tell.
type roster struct {
	players [tables.MaxPlayers]player
	known   bool // a gamestate was seen: who is not listed is not there

	own  int    // the client whose stream it is; -1: not known
	guid []byte // of that client; nil: not seen
}

// A player is one entry of the roster.
type player struct {
	present bool
	bot     bool
	team    int // -1: not told
	name    []byte
	left    int32 // server time at which an entry that is not present any more was
	lingers bool  // left means something
}

// at gives who has a client number, or nil.
func (r *roster) at(number int) *player {
	if number < 0 || number >= tables.MaxPlayers || !r.players[number].present {
		return nil
	}
	return &r.players[number]
}

// teamSpectator is TEAM_SPECTATOR in code/game/bg_public.h.
const teamSpectator = 3

// plays reports whether a client is in the game and no spectator.
func (r *roster) plays(number int) bool {
	p := r.at(number)
	return p != nil && p.team != teamSpectator
}

// farewell is how long the name of a player who left is remembered, in milliseconds: the game kills who
// leaves.
const farewell = 1000

// lately is at, and gives who left just before a server time too.
func (r *roster) lately(number int, now int32) *player {
	if p := r.at(number); p != nil || number < 0 || number >= tables.MaxPlayers {
		return p
	}
	if p := &r.players[number]; p.lingers && now-p.left >= 0 && now-p.left <= farewell {
		return p
	}
	return nil
}

// clear forgets everybody.
func (r *roster) clear() {
	for i := range r.players {
		r.players[i].present, r.players[i].lingers = false, false
	}
	r.known = false
}

// set takes over a configstring of a player and gives what was there before.
func (r *roster) set(number int, info []byte) (before, now *player) {
	p := &r.players[number]
	old := *p
	p.present, p.lingers = len(info) > 0, false
	if !p.present {
		return &old, p
	}
	p.name = append([]byte(nil), dissect.InfoValue(info, "n")...)
	p.team = -1
	if t, ok := token.Atoi(dissect.InfoValue(info, "t")); ok {
		p.team = int(t)
	}
	p.bot = len(dissect.InfoValue(info, "skill")) > 0
	return &old, p
}

// named finds who has a name. Where it is nobody, or several have it, the number is -1.
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

// subject finds who a sentence of the game begins with: the longest name of a player that ends where
// the sentence switches back to white or goes on after a blank. rest is what is said of him. ok is
// false where it is about nobody; number is -1 where several have the name.
func (r *roster) subject(sentence []byte) (number int, rest []byte, ok bool) {
	longest := -1
	for i := range r.players {
		p := &r.players[i]
		if !p.present || len(p.name) == 0 || len(p.name) < longest || !bytes.HasPrefix(sentence, p.name) {
			continue
		}
		after := bytes.TrimPrefix(sentence[len(p.name):], []byte(whiteCode))
		if len(after) == 0 || after[0] != ' ' {
			continue
		}
		number, rest, ok = i, after[1:], true
		if len(p.name) == longest {
			number = -1
		}
		longest = len(p.name)
	}
	return number, rest, ok
}

// setPlayer takes over a configstring of a player and tells what it means. In a gamestate it tells
// nothing: it is how the client learns who is there.
func (g *gameView) setPlayer(w *eventWriter, number int, info []byte, quiet bool) {
	before, now := g.roster.set(number, info)
	if quiet || !before.present && !g.roster.known {
		return
	}
	if before.present && !g.roster.plays(number) {
		g.playerLeaves(number, before)
	}
	switch {
	case !before.present && now.present:
		g.tellConnect(w, number)
	case before.present && !now.present:
		now.left, now.lingers = g.time, g.timed
		g.tellDisconnect(w, number, before, g.reasonFor(number))
	case !now.present:
	default:
		if !bytes.Equal(before.name, now.name) {
			w.begin(kindRename)
			w.client(&evClient, &g.roster, number, nil)
			w.true(&evOwn, number == g.own)
			w.both(&evOldName, &evOldNameClean, before.name)
			w.end()
		}
		if before.team != now.team && before.team >= 0 && now.team >= 0 {
			w.begin(kindTeam)
			w.client(&evClient, &g.roster, number, nil)
			w.true(&evOwn, number == g.own)
			w.tree.Add(&evTeam, uint64(now.team), 0, 0)
			w.tree.Add(&evOldTeam, uint64(before.team), 0, 0)
			w.end()
		}
	}
}

func (g *gameView) tellConnect(w *eventWriter, number int) {
	w.begin(kindConnect)
	w.client(&evClient, &g.roster, number, nil)
	w.true(&evOwn, number == g.own)
	if p := g.roster.at(number); p != nil {
		w.true(&evBot, p.bot)
	}
	w.end()
}

// kickReason is what the server says of who was kicked, SV_Kick_f in code/server/sv_ccmds.c.
const kickReason = "was kicked"

// tellDisconnect tells that a player left, the own one once only: the client says so, the server too,
// in a command and in a configstring.
func (g *gameView) tellDisconnect(w *eventWriter, number int, p *player, reason []byte) {
	if number >= 0 && number == g.own {
		if g.left {
			return
		}
		g.left = true
	}
	if number == g.own && number >= 0 {
		g.leaveMatch(w)
	}
	w.begin(kindDisconnect)
	w.tree.Open(&evClient, 0)
	if number >= 0 {
		w.tree.Add(&evClientNum, uint64(number), 0, 0)
	}
	if p != nil {
		w.both(&evName, &evNameClean, p.name)
	}
	w.tree.Close(0)
	w.true(&evOwn, number == g.own)
	if len(reason) > 0 {
		w.text(&evReason, reason)
	}
	w.true(&evKicked, string(reason) == kickReason)
	w.end()
}

// tellOwnDisconnect is tellDisconnect for the client whose stream it is. Its number may not be known.
func (g *gameView) tellOwnDisconnect(w *eventWriter, reason []byte) {
	if g.left {
		return
	}
	if g.own >= 0 {
		g.tellDisconnect(w, g.own, g.roster.at(g.own), reason)
		return
	}
	g.left = true
	g.leaveMatch(w)
	w.begin(kindDisconnect)
	w.true(&evOwn, true)
	if len(reason) > 0 {
		w.text(&evReason, reason)
	}
	w.true(&evKicked, string(reason) == kickReason)
	w.end()
}
