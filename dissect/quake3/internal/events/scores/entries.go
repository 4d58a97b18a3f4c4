package scores

import (
	"bytes"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// Words of an entry in a list of scores, from the first one on.
const (
	entryTeam  = 1 // of games with teams; all later words are one earlier in games without
	entryKills = 2
	entryDeath = 3 // or all kills, in games with rounds
	entryTime  = 4
	entryPing  = 5
	entryWords = 6
)

// entryHead is how many words precede the entries in some game types: the states of the objectives.
var entryHead = map[string]int{"tow": 10, "liberation": 2}

// ReadEntries reads "scores" of games that list teams and players together: the number of entries, then the entries.
// That of a player has the client, the team (negative for a dead player, not in games without teams), kills, deaths (in
// games with rounds all kills, after those of this round), the time in the game, the ping or "bot". A client of -1 is a
// team, other negative ones are lines between the parts of the list.
//
// Source: DM_Manager::Score, code/fgame/dm_manager.cpp, and CG_ParseScores, code/cgame/cg_scoreboard.cpp of openmohaa.
func (s *Sheet) ReadEntries(m *tables.Match, gametype string, words *token.Words) {
	if m.TeamEntry == 0 || string(words.At(0)) != "scores" || gametype == "" {
		return
	}
	e := entries{words: words, at: 2 + entryHead[gametype], match: m}
	e.teams = gametype != "ffa"
	e.rounds = slices.Contains(m.RoundTypes, gametype)
	if count, ok := token.Atoi(words.At(1)); !ok || !e.read(int(count)) {
		return
	}
	for i := range e.lines {
		*s.line(e.lines[i].Client) = e.lines[i]
	}
	if e.hasTeam == [2]bool{true, true} {
		s.Teams, s.HasTeams = e.team, true
	}
}

// entries is a list that is being read.
type entries struct {
	words         *token.Words
	at            int
	match         *tables.Match
	teams, rounds bool

	lines   []Line
	team    [2]int32
	hasTeam [2]bool
}

// read reads all entries and reports whether the command has them and nothing else.
func (e *entries) read(count int) bool {
	for ; count > 0 && e.at < e.words.Len(); count-- {
		client, ok := token.Atoi(e.words.At(e.at))
		switch {
		case !ok || client >= tables.MaxPlayers:
			return false
		case client >= 0:
			if !e.player(int(client)) {
				return false
			}
		default:
			e.head(client)
		}
	}
	return count == 0 && e.at == e.words.Len()
}

// size is how many words a player has.
func (e *entries) size() int {
	if e.teams {
		return entryWords
	}
	return entryWords - 1
}

// head reads a line that is no player's. Lines without a team have more or fewer empty words.
func (e *entries) head(client int32) {
	team, _ := token.Atoi(e.words.At(e.at + entryTeam))
	if i := slices.Index(e.match.Teams[:], int(team)); e.teams && client == -1 && i >= 0 {
		place := e.match.TeamEntry - entryWords + entryKills
		if e.rounds {
			place = e.match.Wins
		}
		e.team[i], e.hasTeam[i] = token.Atoi(e.words.At(e.at + place))
		e.at += e.match.TeamEntry
		return
	}
	e.at++
	if e.teams && client == -1 && e.at < e.words.Len() && len(e.words.At(e.at)) > 0 {
		e.at++
	}
	for e.at < e.words.Len() && len(e.words.At(e.at)) == 0 {
		e.at++
	}
}

// player reads a player's entry.
func (e *entries) player(client int) bool {
	at := e.at + e.size() - entryWords // where the entry would begin if it had a team
	minutes, ok := wholeMinutes(e.words.At(at + entryTime))
	if e.at += e.size(); !ok || e.at > e.words.Len() {
		return false
	}
	l := Line{Client: client}
	l.set(Kills, e.words, at+entryKills)
	if l.set(Score, e.words, at+entryKills); e.rounds {
		l.set(Score, e.words, at+entryDeath)
	} else {
		l.set(Deaths, e.words, at+entryDeath)
	}
	l.Values[Minutes], l.Has[Minutes] = minutes, true
	if token.Decimal(e.words.At(at + entryPing)) {
		l.set(Ping, e.words, at+entryPing)
	}
	e.lines = append(e.lines, l)
	return true
}

// wholeMinutes returns the minutes of a time: hours, minutes and seconds, or the last two of them.
func wholeMinutes(time []byte) (minutes int32, ok bool) {
	parts := bytes.Split(time, []byte{':'})
	if len(parts) != 2 && len(parts) != 3 {
		return 0, false
	}
	for _, part := range parts[:len(parts)-1] {
		n, isNumber := token.Atoi(part)
		if !isNumber || n < 0 || n > 1<<20 {
			return 0, false
		}
		minutes = minutes*60 + n
	}
	return minutes, true
}
