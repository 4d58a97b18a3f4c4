package events

import (
	"bytes"
	"cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/speech"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// A roster is who is in the game according to the players' configstrings.
type roster struct {
	players [tables.MaxPlayers]player
	family  uint8
	known   bool // a gamestate was seen: players who are not listed are not there

	before map[int][]byte // who was in the game on the map before, for games that name the players late

	names map[int]knownName // names by number that are not from configstrings, while those are not known

	own  int    // the client whose stream it is; -1: not known
	guid []byte // of that client; nil: not seen
}

// A player is one entry of the roster.
type player struct {
	present   bool
	bot       bool
	class     int // ET; -1: none
	skills    [maxSkills]uint8
	team      int // -1: not known
	name      []byte
	nameFrom  string // "": the configstring
	left      int32  // server time at which a player who is not present any more left
	leftKnown bool   // left has been set
}

// at returns the player with a client number, or nil.
func (r *roster) at(number int) *player {
	if number < 0 || number >= tables.MaxPlayers || !r.players[number].present {
		return nil
	}
	return &r.players[number]
}

// teamSpectator is TEAM_SPECTATOR in code/game/bg_public.h.
const teamSpectator = 3

// spectators is the team of those who do not play.
func (r *roster) spectators() int {
	return cmp.Or(tables.Games[r.family].Match.Spectators, teamSpectator)
}

// plays reports whether a client is in the game and not a spectator.
func (r *roster) plays(number int) bool {
	p := r.at(number)
	return p != nil && p.team != r.spectators()
}

// spectates reports whether a client is known to be a spectator. The score of one who follows a player is that of the
// followed: SpectatorClientEndFrame, code/game/g_active.c.
func (r *roster) spectates(number int) bool { return r.at(number) != nil && !r.plays(number) }

// playerNames returns the names of those who are in the game; nil if they are not known.
func (r *roster) playerNames() (names [][]byte) {
	for i := range r.players {
		if r.known && r.players[i].present {
			names = append(names, r.players[i].name)
		}
	}
	return names
}

// players3 reports whether three or more play.
func (r *roster) players3() bool {
	n := 0
	for i := range r.players {
		if r.plays(i) {
			n++
		}
	}
	return n >= 3
}

// farewell is how long the name of a player who left is kept, in milliseconds: the game kills players who
// leave.
const farewell = 1000

// lately is at, but also returns a player who left just before a server time.
func (r *roster) lately(number int, now int32) *player {
	if p := r.at(number); p != nil || number < 0 || number >= tables.MaxPlayers {
		return p
	}
	if p := &r.players[number]; p.leftKnown && now-p.left >= 0 && now-p.left <= farewell {
		return p
	}
	return nil
}

// clear forgets everybody.
func (r *roster) clear() {
	clear(r.before)
	for i := range r.players {
		if p := &r.players[i]; p.present && tables.Games[r.family].Text.LateNames {
			if r.before == nil {
				r.before = map[int][]byte{}
			}
			r.before[i] = bytes.Clone(p.name)
		}
		r.players[i].present, r.players[i].leftKnown = false, false
	}
	clear(r.names)
}

// returns reports whether a player who is named now was in the game on the map before.
func (r *roster) returns(number int) bool {
	name, ok := r.before[number]
	delete(r.before, number)
	return ok && bytes.Equal(name, r.players[number].name)
}

// set stores a configstring of a player and returns the entries before and after.
func (r *roster) set(family uint8, number int, info []byte) (before, now *player) {
	p := &r.players[number]
	old := *p
	p.present = len(info) > 0
	if p.present {
		delete(r.names, number)
	} else {
		return &old, p
	}
	text := &tables.Games[family].Text
	p.name = append([]byte(nil), dissect.InfoValue(info, cmp.Or(text.NameKey, "n"))...)
	p.team = -1
	if t, ok := token.Atoi(dissect.InfoValue(info, cmp.Or(text.TeamKey, "t"))); ok {
		p.team = int(t)
	}
	p.class = -1
	if key := text.ClassKey; key != "" {
		if c, ok := token.Atoi(dissect.InfoValue(info, key)); ok {
			p.class = int(c)
		}
	}
	p.skills = [maxSkills]uint8{}
	if key := tables.Games[family].Text.SkillKey; key != "" {
		for i, digit := range dissect.InfoValue(info, key) {
			if i < maxSkills && digit >= '0' && digit <= '9' {
				p.skills[i] = digit - '0'
			}
		}
	}
	p.bot = len(dissect.InfoValue(info, "skill")) > 0
	return &old, p
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

// subject finds the player whom a sentence of the game begins with: the longest name that ends where the
// sentence switches back to white or continues after a blank. rest is the remainder of the sentence. ok is
// false if the sentence begins with no player's name; number is -1 if several players have the name.
func (r *roster) subject(sentence []byte) (number int, rest []byte, ok bool) {
	longest := 0
	for i := range r.players {
		p := &r.players[i]
		if !p.present || len(p.name) == 0 || len(p.name) < longest || !bytes.HasPrefix(sentence, p.name) {
			continue
		}
		after := bytes.TrimPrefix(sentence[len(p.name):], []byte(speech.White))
		after = bytes.TrimPrefix(after, []byte(speech.White)) // ET: Legacy writes it twice
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

// setPlayer stores a configstring of a player and reports what it means. In a gamestate it reports nothing: the
// players are there already.
func (g *gameView) setPlayer(w *eventWriter, number int, info []byte, quiet bool) {
	before, now := g.roster.set(g.family, number, info)
	if !quiet && !before.present && !now.present && !g.roster.known {
		g.reportUnseenLeaving(w, number)
		return
	}
	if quiet || !before.present && !g.roster.known {
		return
	}
	if before.present && !g.roster.plays(number) {
		g.playerLeaves(number, before)
	}
	switch {
	case !before.present && now.present:
		if g.startAtZero(number); !g.roster.returns(number) {
			g.reportConnect(w, number)
		}
	case before.present && !now.present:
		now.left, now.leftKnown = g.time, g.timed
		g.highlights.leave(w, g, number)
		g.reportDisconnect(w, number, before, g.reasonFor(number))
	case !now.present:
	default:
		if !bytes.Equal(before.name, now.name) {
			w.Begin(event.Rename)
			w.client(&evClient, &g.roster, number, nil)
			w.Flag(&eventtree.Own, number == g.own)
			w.Both(&eventtree.OldName, &evOldNameClean, before.name)
			w.End()
		}
		if before.team != now.team && before.team >= 0 && now.team >= 0 {
			g.settleScoreboard(w) // of the commands before
			w.Begin(event.Team)
			w.client(&evClient, &g.roster, number, nil)
			w.Flag(&eventtree.Own, number == g.own)
			w.Tree.Add(&evTeam, uint64(now.team), 0, 0)
			w.Tree.Add(&evOldTeam, uint64(before.team), 0, 0)
			w.End()
		}
		if before.class != now.class && before.class >= 0 && now.class >= 0 {
			w.Begin(event.Class)
			w.client(&evClient, &g.roster, number, nil)
			w.Flag(&eventtree.Own, number == g.own)
			w.Tree.Add(&evClass, uint64(now.class), 0, 0)
			w.Tree.Add(&evOldClass, uint64(before.class), 0, 0)
			w.End()
		}
	}
}

// CS_PLAYERS of code/game/bg_public.h, where most mods have it too, and how many there are.
const (
	usualPlayersAt = 544
	usualPlayers   = 64
)

// setUnknown stores a configstring of a mod whose numbers are not known, if it is where the game has a player's and
// has a name as such.
func (g *gameView) setUnknown(w *eventWriter, index int, value []byte) {
	number := index - usualPlayersAt
	if tables.PlayersAt[g.family] >= 0 || number < 0 || number >= usualPlayers {
		return
	}
	named := bytes.HasPrefix(value, []byte(`n\`)) || bytes.Contains(value, []byte(`\n\`))
	if named && bytes.Contains(value, []byte(`\t\`)) || len(value) == 0 && g.roster.players[number].present {
		g.setPlayer(w, number, value, g.loading)
	}
}

func (g *gameView) reportConnect(w *eventWriter, number int) {
	w.Begin(event.Connect)
	w.client(&evClient, &g.roster, number, nil)
	w.Flag(&eventtree.Own, number == g.own)
	if p := g.roster.at(number); p != nil {
		w.Flag(&evBot, p.bot)
	}
	w.End()
}

// kickReason is the server's sentence about a kicked player, SV_Kick_f in code/server/sv_ccmds.c.
const kickReason = "was kicked"

// reportDisconnect reports that a player left. The client whose stream it is leaves once only, although the
// client announces it, and the server in a command and in a configstring.
func (g *gameView) reportDisconnect(w *eventWriter, number int, p *player, reason []byte) {
	if number >= 0 && number == g.own {
		if g.left {
			return
		}
		g.left = true
	}
	if number == g.own && number >= 0 {
		g.leaveMatch(w)
	}
	w.Begin(event.Disconnect)
	w.Tree.Open(&evClient, 0)
	if number >= 0 {
		w.Tree.Add(&evClientNum, uint64(number), 0, 0)
	}
	if p != nil {
		w.named(knownName{p.name, p.nameFrom})
	}
	w.Tree.Close(0)
	w.Flag(&eventtree.Own, number == g.own)
	if len(reason) > 0 {
		w.Text(&evReason, reason)
	}
	w.Flag(&evKicked, string(reason) == kickReason)
	w.End()
}

// reportOwnDisconnect is reportDisconnect for the client whose stream it is. Its number may not be known.
func (g *gameView) reportOwnDisconnect(w *eventWriter, reason []byte) {
	reason = speech.Plain(g.family, reason)
	if g.left {
		return
	}
	if g.own >= 0 {
		g.reportDisconnect(w, g.own, g.roster.at(g.own), reason)
		return
	}
	g.left = true
	g.leaveMatch(w)
	w.Begin(event.Disconnect)
	w.Flag(&eventtree.Own, true)
	if len(reason) > 0 {
		w.Text(&evReason, reason)
	}
	w.Flag(&evKicked, string(reason) == kickReason)
	w.End()
}
