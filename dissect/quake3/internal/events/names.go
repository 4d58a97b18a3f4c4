package events

import (
	"bytes"
	"cmp"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/speech"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// Where the name of a player is from, if not from the players' configstrings: those of a session that began before the
// capture are not known until they change.
const (
	fromChat     = "chat"     // a line of chat
	fromPrint    = "print"    // a sentence of the server
	fromUserinfo = "userinfo" // the client's own
	fromStatus   = "status"   // what the server answers to rcon status
	fromKey      = "key"      // a command that is not in the capture, known because messages are enciphered with it
)

// Where the map is from, if no gamestate was seen.
const (
	fromServerinfo = "serverinfo" // the configstring, which was sent again
	fromInfo       = "info"       // the server's answer to getinfo; fromStatus: to getstatus and rcon status
)

// A knownName is a name and its origin.
type knownName struct {
	name []byte
	from string
}

// keepName keeps the name of a player whose configstring is not known.
func (r *roster) keepName(number int, name []byte, from string) {
	if r.known || len(name) == 0 || number < 0 || number >= tables.MaxPlayers || r.players[number].present {
		return
	}
	if r.names == nil {
		r.names = map[int]knownName{}
	}
	if h := r.names[number]; !bytes.Equal(h.name, name) {
		r.names[number] = knownName{bytes.Clone(name), from}
	}
}

// mention returns a name that a text mentions. Its origin matters only while the players' configstrings are not known.
func (r *roster) mention(name []byte, from string) knownName {
	if r == nil || r.known {
		from = ""
	}
	return knownName{name, from}
}

// nameOwn keeps the name of the client's userinfo.
func (e *Reader) nameOwn() {
	e.game.roster.keepName(e.game.own, e.name, cmp.Or(e.nameFrom, fromUserinfo))
}

// readKey reads the known beginning of a command of the other side, which is not in the capture: it was recovered
// because the message is enciphered with it. A dot replaces characters that the cipher does not distinguish.
func (e *Reader) readKey(fromClient bool, text []byte) {
	const userinfo, configstring, name = `userinfo "`, "cs ", ` "n\`
	if fromClient {
		if info, ok := bytes.CutPrefix(text, []byte(userinfo)); ok && len(e.name) == 0 {
			e.name, e.nameFrom = bytes.Clone(closedValue(info, "name")), fromKey
		}
		return
	}
	rest, ok := bytes.CutPrefix(text, []byte(configstring))
	index, value, quoted := bytes.Cut(rest, []byte(name))
	number, err := strconv.Atoi(string(index))
	if !ok || !quoted || err != nil || tables.ConfigstringNames.Name(e.game.family, uint64(number)) != "players" {
		return
	}
	e.game.roster.keepName(number-tables.PlayersAt[e.game.family], closedValue(append([]byte(`\n\`), value...), "n"), fromKey)
}

// closedValue returns the value of a key in the beginning of an infostring, if it is known to its end.
func closedValue(info []byte, key string) []byte {
	end := bytes.LastIndexByte(info, '\\')
	if end < 0 {
		return nil
	}
	value := dissect.InfoValue(info[:end], key)
	if bytes.IndexByte(value, '.') >= 0 {
		return nil
	}
	return value
}

// unknownSubject finds the name at the beginning of a sentence by the sentence's end, while the players are not known,
// or come to be known later than the sentence.
func (r *roster) unknownSubject(line []byte) (name, rest []byte, ok bool) {
	if r.known && !tables.Games[r.family].Text.LateNames {
		return nil, nil, false
	}
	name, rest, ok = speech.Subject(line)
	return name, rest, ok
}

// reportUnseenLeaving reports that a player left whose configstring was not known.
func (g *gameView) reportUnseenLeaving(w *eventWriter, number int) {
	who := g.roster.names[number]
	delete(g.roster.names, number)
	p, reason := (*player)(nil), []byte(nil)
	if g.remark.unknown.name != nil {
		who, reason = g.remark.unknown, g.remark.what
		g.remark = remark{}
	}
	if who.name != nil {
		p = &player{name: who.name, nameFrom: who.from}
	}
	g.reportDisconnect(w, number, p, reason)
}

// knowsMap reports whether the map was reported, or is about to be.
func (g *gameView) knowsMap() bool { return g.mapped || g.roster.known || g.loading }

// reportMapUnderway reports the map of a session whose gamestate is not in the capture, once.
func (g *gameView) reportMapUnderway(w *eventWriter, from string) {
	if g.knowsMap() || len(g.match.mapName) == 0 {
		return
	}
	g.mapped = true
	w.Begin(event.MapStart)
	g.writeMap(w)
	w.Flag(&eventtree.InProgress, true)
	w.Label(&evMapFrom, from)
	w.End()
}

// readServer reads the map from what the server answers to anybody. Its answer to getstatus is the same infostring as
// configstring 0; that to getinfo has other keys for some of it.
func (g *gameView) readServer(w *eventWriter, info []byte, status bool) {
	if g.knowsMap() {
		return
	}
	if status {
		g.match.setServerinfo(info)
		g.reportMapUnderway(w, fromStatus)
		return
	}
	m := &g.match
	m.mapName = append(m.mapName[:0], dissect.InfoValue(info, "mapname")...)
	m.hostname = append(m.hostname[:0], dissect.InfoValue(info, "hostname")...)
	g.reportMapUnderway(w, fromInfo)
}
