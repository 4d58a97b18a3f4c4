package events

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/scores"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// A board is the last known score of every player.
type board [tables.MaxPlayers]playerScore

// A playerScore is the last known score of a player.
type playerScore struct {
	known       bool // score has been set
	fromCommand bool // of a score command, which lists everybody
	counted     bool // by obituaries alone, from 0 or from the best score
	score       int32
	at          int32 // server time
}

// columnFields are the columns of score commands.
var columnFields = [scores.Columns]*dissect.Field{
	&evScore, &evPing, &evMinutes, &evKills, &evDeaths, &evSuicides, &evAccuracy, &evGiven, &evReceived, &evTeamKills,
	&evXP,
}

// readScores reads a command with scores if its layout is known.
func (g *gameView) readScores(words *token.Words) {
	g.sheet.Read(g.family, words)
	g.sheet.ReadEntries(&g.rules().Match, g.match.gametypeName(), words)
	if team, known := g.match.teamGame(); team && known && g.sheet.HasTeams {
		for i, score := range g.sheet.Teams { // the configstrings of a gamestate can be older
			g.match.contest.keep(i, score, g.time)
			if g.rules().Match.TeamEntry > 0 { // there are none
				g.match.scores[i], g.match.scored[i] = score, true
			}
		}
	}
	for i := range g.sheet.Lines {
		if l := &g.sheet.Lines[i]; l.Has[scores.Score] && !g.roster.spectates(l.Client) {
			g.setPlayerScore(l.Client, l.Values[scores.Score], true)
		}
	}
}

// setPlayerScore keeps a player's score.
func (g *gameView) setPlayerScore(client int, score int32, fromCommand bool) {
	if score > scoreForfeit {
		g.match.contest.board[client] = playerScore{known: true, fromCommand: fromCommand, score: score, at: g.time}
	} else if s := &g.match.contest.board[client]; s.counted {
		s.known = false
	}
}

// countsFrags reports whether everybody plays for himself and obituaries make the scores.
func (m *match) countsFrags() bool {
	return event.CountsFrags(m.gametypeName())
}

// startAtZero keeps that the score of a player is 0: the match begins, or the player comes into the game.
//
// Source: ClientBegin, code/game/g_client.c, clears the player state with its PERS_SCORE.
func (g *gameView) startAtZero(client int) {
	if c := &g.match.contest; c.open && !c.over && g.match.countsFrags() {
		c.board[client] = playerScore{known: true, counted: true, at: g.time}
	}
}

// missKills forgets scores that depend on every obituary: a hole in the snapshots, which ends now, may have held some.
func (b *board) missKills(now int32) {
	for i := range b {
		if s := &b[i]; s.counted && s.at < now {
			s.known = false
		}
	}
}

// seeLead finds the score of a killer whose own is not known: the best score rose with the only kill of a snapshot.
//
// Source: AddScore and CalculateRanks, code/game/g_combat.c and g_main.c: the configstring changes in the same frame.
func (g *gameView) seeLead(killer, victim int) {
	if killer == victim || !g.roster.plays(killer) || !g.match.countsFrags() || !g.match.rose()[0] ||
		g.match.contest.over || g.match.contest.board[killer].known {
		return
	}
	g.setPlayerScore(killer, g.match.scores[0], false)
	g.match.contest.board[killer].counted = true
}

// countFrag changes the known scores of the players of an obituary, as games without teams do: one more for the killer, or
// one less for a player who died without one. A score of the same snapshot already includes it.
//
// Source: player_die, code/game/g_combat.c. In OpenArena, while three or more play, a player without frags loses none by
// dying alone; its recordings confirm it.
func (g *gameView) countFrag(killer, victim int) {
	if !g.match.countsFrags() {
		return
	}
	client, change := killer, int32(1)
	if killer < 0 || killer >= tables.MaxPlayers || killer == victim {
		client, change = victim, -1
	}
	if client < 0 || client >= tables.MaxPlayers || !g.match.contest.open || g.match.contest.over {
		return
	}
	s := &g.match.contest.board[client]
	if !s.known || s.at >= g.time {
		return
	}
	if tables.Games[tables.Module(g.match.mod())].Match.FreeSuicides && change < 0 && s.score <= 0 && g.roster.players3() {
		change = 0
	}
	s.score, s.at, s.fromCommand = s.score+change, g.time, false
}

// settleScoreboard reports the scores of a message's commands, and keeps them.
func (g *gameView) settleScoreboard(w *eventWriter) {
	s := &g.sheet
	if len(s.Lines) == 0 {
		return
	}
	w.Begin(event.Scoreboard)
	w.Tree.Open(&evScores, 0)
	for i := range s.Lines {
		l := &s.Lines[i]
		w.Tree.Open(evScores.Children[0], 0)
		w.clientFields(&g.roster, l.Client, knownName{})
		for c, f := range columnFields {
			if l.Has[c] {
				w.Number(f, int64(l.Values[c]))
			}
		}
		w.weapons(l.Weapons)
		w.Tree.Close(0)
	}
	w.Tree.Close(0)
	w.End()
	s.Clear()
}

// weapons adds the weapons that a player used.
func (w *eventWriter) weapons(list []scores.Weapon) {
	if len(list) == 0 {
		return
	}
	w.Tree.Open(&evWeapons, 0)
	for i := range list {
		n := &list[i]
		w.Tree.Open(evWeapons.Children[0], 0)
		w.Tree.Add(&evWeapon, uint64(n.Number), 0, 0)
		if n.HasAccuracy {
			w.Number(&evAccuracy, int64(n.Accuracy))
		} else {
			w.Number(&evHits, int64(n.Hits))
			w.Number(&evShots, int64(n.Shots))
		}
		w.Number(&evKills, int64(n.Kills))
		if n.HasDeaths {
			w.Number(&evDeaths, int64(n.Deaths))
		}
		if n.HasDamage {
			w.Number(&evGiven, int64(n.Damage))
		}
		w.Tree.Close(0)
	}
	w.Tree.Close(0)
}
