// Package scores reads the commands with which servers send the scores of the players, in the layouts of the
// games.
package scores

import (
	"bytes"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// A Column is a number of a player in score commands.
type Column = tables.ScoreColumn

// The columns.
const (
	Score     = tables.ColumnScore
	Ping      = tables.ColumnPing
	Minutes   = tables.ColumnMinutes
	Kills     = tables.ColumnKills
	Deaths    = tables.ColumnDeaths
	Suicides  = tables.ColumnSuicides
	Accuracy  = tables.ColumnAccuracy
	Given     = tables.ColumnGiven
	Received  = tables.ColumnReceived
	TeamKills = tables.ColumnTeamKills
	XP        = tables.ColumnXP
	Columns   = tables.ScoreColumns
)

// A Line has the values of a player in the commands of a message.
type Line struct {
	Client  int
	Values  [Columns]int32
	Has     [Columns]bool // which of the values were sent
	Weapons []Weapon      // those that the player used
}

func (l *Line) set(c Column, words *token.Words, at int) {
	l.Values[c], l.Has[c] = token.Atoi(words.At(at))
}

// A Sheet collects the lines of a message's score commands. The zero value is an empty sheet.
type Sheet struct {
	Lines []Line // in the order of the commands, one for each player

	Teams    [2]int32 // the scores of red and blue; of games without teams they mean nothing
	HasTeams bool     // a command has them

	order []int     // clients of the last command with all players: later commands name them by their place in it
	seen  [2][]byte // the last commands of the message, which come more than once at the end of a match
}

// Clear empties the sheet, at the end of a message. The order of the players stays.
func (s *Sheet) Clear() {
	s.Lines, s.HasTeams = s.Lines[:0], false
	for i := range s.seen {
		s.seen[i] = s.seen[i][:0]
	}
}

// Repeats reports whether a command is one of the last two of the message.
func (s *Sheet) Repeats(text []byte) bool {
	for _, seen := range s.seen {
		if bytes.Equal(seen, text) {
			return true
		}
	}
	s.seen[0], s.seen[1] = append(s.seen[1][:0], text...), s.seen[0]
	return false
}

// Read adds the scores of a command if its layout is known.
func (s *Sheet) Read(family uint8, words *token.Words) {
	name := string(words.At(0))
	game := &tables.Games[family]
	layouts := game.ScoreLayouts()
	for i := range layouts {
		if l := &layouts[i]; l.Name == name && s.readLayout(l, words) {
			break
		}
	}
	if slices.Contains(game.Match.WeaponStats, name) {
		s.readPlayerStats(words)
	}
	if game.Match.IndexedStats {
		s.readIndexed(name, words)
	}
	if game.Match.Arsenal != "" && game.Match.Arsenal == name {
		s.readArsenal(words)
	}
}

// line returns the line of a player, a new one if the message has none yet.
func (s *Sheet) line(client int) *Line {
	for i := range s.Lines {
		if s.Lines[i].Client == client {
			return &s.Lines[i]
		}
	}
	s.Lines = append(s.Lines, Line{Client: client})
	return &s.Lines[len(s.Lines)-1]
}

// readLayout reads the players of a command, and reports whether it has the layout.
func (s *Sheet) readLayout(l *tables.ScoreLayout, words *token.Words) bool {
	count := int32((words.Len() - l.Head) / l.Each)
	if l.Count > 0 {
		var ok bool
		if count, ok = token.Atoi(words.At(l.Count)); !ok {
			return false
		}
	}
	if count < 1 || count > tables.MaxPlayers || words.Len() != l.Head+int(count)*l.Each {
		return false
	}
	if l.Teams > 0 {
		red, ok := token.Atoi(words.At(l.Teams))
		blue, ok2 := token.Atoi(words.At(l.Teams + 1))
		s.Teams, s.HasTeams = [2]int32{red, blue}, ok && ok2
	}
	ordered := l.Places[Score] > 0
	if ordered {
		s.order = s.order[:0]
	}
	for i := range int(count) {
		at := l.Head + i*l.Each
		client, ok := token.Atoi(words.At(at))
		if !ok || client < 0 || client >= tables.MaxPlayers {
			continue
		}
		to := s.line(int(client))
		if ordered {
			s.order = append(s.order, int(client))
		}
		if l.Weapons > 0 {
			to.readWeapons(words, at+l.Weapons, (l.Each-l.Weapons)/weaponWords)
		}
		for c, place := range l.Places {
			if place > 0 {
				to.set(Column(c), words, at+int(place))
			}
		}
	}
	return true
}

// readPlayerStats reads CPMA's mstats and xstats2: the client, a mask of the weapons, six numbers for each
// weapon (hits, shots, kills, deaths, picked up, dropped), damage given and received, what was picked up, and
// after a word of letters score, kills, deaths, suicides, telefrags, team damage and team kills. The word of letters
// identifies the command.
//
// Source: recordings, compared with the scoreboards that they print and with uberdemotools' statistics.
func (s *Sheet) readPlayerStats(words *token.Words) {
	client, ok := token.Atoi(words.At(1))
	if !ok || client < 0 || client >= tables.MaxPlayers {
		return
	}
	for i := 2; i+4 < words.Len(); i++ {
		if w := words.At(i); len(w) < 8 || token.Lower(w[0]) < 'a' {
			continue
		}
		l := s.line(int(client))
		for j, c := range [...]Column{Score, Kills, Deaths, Suicides} {
			l.set(c, words, i+1+j)
		}
		l.set(TeamKills, words, i+7)
		l.readArms(words, i)
		return
	}
}
