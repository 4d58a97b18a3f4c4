package events

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// A board is the last known score of every player.
type board [tables.MaxPlayers]standing

// A standing is one player's score.
type standing struct {
	known       bool // score has been set
	fromCommand bool // of a score command, which lists everybody
	score       int32
	at          int32 // server time
}

// A column is a number that score commands give for a player.
type column uint8

const (
	colScore column = iota
	colPing
	colMinutes
	colKills
	colDeaths
	colSuicides
	colAccuracy
	colGiven
	colReceived
	columns
)

var columnFields = [columns]*dissect.Field{
	&evScore, &evPing, &evMinutes, &evKills, &evDeaths, &evSuicides, &evAccuracy, &evGiven, &evReceived,
}

// A line is a player's line of a score command.
type line struct {
	client  int
	values  [columns]int32
	has     [columns]bool
	weapons []weaponLine
}

func (l *line) set(c column, words *token.Words, at int) {
	l.values[c], l.has[c] = token.Atoi(words.At(at))
}

// A sheet collects the lines of a message's score commands, in their order.
type sheet struct {
	lines []line
	order []int     // clients of the last command with all players: later commands name them by their place in it
	seen  [2][]byte // the last commands of the message, which come more than once at the end of a match
}

// add returns the line of a player, a new one if the message has none yet.
func (s *sheet) add(client int) *line {
	for i := range s.lines {
		if s.lines[i].client == client {
			return &s.lines[i]
		}
	}
	s.lines = append(s.lines, line{client: client})
	return &s.lines[len(s.lines)-1]
}

// isRepeated reports whether the message has just contained the same command.
func (s *sheet) isRepeated(text []byte) bool {
	for _, seen := range s.seen {
		if bytes.Equal(seen, text) {
			return true
		}
	}
	s.seen[0], s.seen[1] = append(s.seen[1][:0], text...), s.seen[0]
	return false
}

// readScores reads a command with scores if its layout is known.
func (g *gameView) readScores(words *token.Words) {
	name := string(words.At(0))
	for i := range scoreLayouts {
		if l := &scoreLayouts[i]; l.name == name && l.holds(g.family) && l.read(&g.sheet, words) {
			break
		}
	}
	if g.family == tables.FamilyCPMA && (name == "mstats" || name == "xstats2") {
		g.sheet.readPlayerStats(words)
	}
	if g.family >= tables.FamilyQuakeLive73 && g.family <= tables.FamilyQuakeLive91 {
		g.sheet.readIndexed(name, words)
	}
	for i := range g.sheet.lines {
		if l := &g.sheet.lines[i]; l.has[colScore] {
			g.setStanding(l.client, l.values[colScore], true)
		}
	}
}

// read reads the players of a command that has this layout, and reports whether it has.
func (l *scoreLayout) read(s *sheet, words *token.Words) bool {
	count, ok := token.Atoi(words.At(l.count))
	if !ok || count < 1 || count > tables.MaxPlayers || words.Len() != l.head+int(count)*l.each {
		return false
	}
	s.order = s.order[:0]
	for i := range int(count) {
		at := l.head + i*l.each
		client, ok := token.Atoi(words.At(at))
		if !ok || client < 0 || client >= tables.MaxPlayers {
			continue
		}
		to := s.add(int(client))
		s.order = append(s.order, int(client))
		if l.weapons > 0 {
			to.readWeapons(words, at+l.weapons, (l.each-l.weapons)/weaponWords)
		}
		for c, place := range l.places {
			if place > 0 {
				to.set(column(c), words, at+int(place))
			}
		}
	}
	return true
}

// readPlayerStats reads CPMA's mstats and xstats2: the client, a mask of the weapons, six numbers for each
// weapon (hits, shots, kills, deaths, picked up, dropped), damage given and received, what was picked up, and
// after a word of letters score, kills, deaths and suicides. The word of letters identifies the command.
//
// Source: recordings, compared with the scoreboards that they print and with uberdemotools' statistics.
func (s *sheet) readPlayerStats(words *token.Words) bool {
	client, ok := token.Atoi(words.At(1))
	if !ok || client < 0 || client >= tables.MaxPlayers {
		return false
	}
	for i := 2; i+4 < words.Len(); i++ {
		if w := words.At(i); len(w) < 8 || token.Lower(w[0]) < 'a' {
			continue
		}
		l := s.add(int(client))
		for j, c := range [...]column{colScore, colKills, colDeaths, colSuicides} {
			l.set(c, words, i+1+j)
		}
		l.readArms(words, i)
		return true
	}
	return false
}

// settleScoreboard reports the scores of a message's commands, and keeps them.
func (g *gameView) settleScoreboard(w *eventWriter) {
	s := &g.sheet
	if len(s.lines) == 0 {
		return
	}
	w.begin(kindScoreboard)
	w.tree.Open(&evScores, 0)
	for i := range s.lines {
		l := &s.lines[i]
		w.tree.Open(evScores.Children[0], 0)
		w.clientFields(&g.roster, l.client, nil)
		for c, f := range columnFields {
			if l.has[c] {
				w.number(f, int64(l.values[c]))
			}
		}
		l.writeWeapons(w)
		w.tree.Close(0)
	}
	w.tree.Close(0)
	w.end()
	s.lines = s.lines[:0]
	for i := range s.seen {
		s.seen[i] = s.seen[i][:0]
	}
}

// setStanding keeps a player's score.
func (g *gameView) setStanding(client int, score int32, fromCommand bool) {
	if score > scoreForfeit {
		g.match.contest.board[client] = standing{known: true, fromCommand: fromCommand, score: score, at: g.time}
	}
}
