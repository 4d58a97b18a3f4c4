package events

import (
	"bytes"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// A match is the state of map and match in the configstrings.
type match struct {
	mapName, game, hostname []byte
	gametype                int32
	hasGametype             bool
	physics, mode           string // of DeFRaG

	warmup, warmupReported             warmupState
	on, halted                         bool // a match is on; it is halted, by a pause or between two rounds
	inRound                            bool
	waited                             bool     // players were missing at some time in this message
	haltScores                         [2]int32 // when it was halted
	intermission, intermissionReported bool
	scores, scoresReported             [2]int32
	scored                             [2]bool // a score has been announced
	reason                             []byte  // the server's last sentence about a limit that was hit
	reasonAt                           int32   // the time of that sentence
	// Wolfenstein: team of the side that has won by what is done so far; 0: none
	mapWinner int
	forfeited bool // the server has announced a forfeit

	levelStart int32 // Unix time at which the level was started, by the server's clock; 0: not said

	family  uint8
	now     int32  // server time
	version []byte // the game's version, which contains its name
	limits  limits
	rounds  rounds // Quake Live's
	contest contest
}

// rules returns how the game announces matches.
func (m *match) rules() *tables.Game { return &tables.Games[m.family] }

// scoreNotPresent is the score where there is no player or team, SCORE_NOT_PRESENT in code/game/bg_public.h.
const scoreNotPresent = -9999

// setServerinfo reads configstring 0.
func (m *match) setServerinfo(value []byte) {
	m.mapName = append(m.mapName[:0], dissect.InfoValue(value, "mapname")...)
	m.game = append(m.game[:0], dissect.InfoValue(value, "gamename")...)
	if m.rules().Match.VersionName && len(m.game) == 0 {
		m.game = append(m.game, nameOf(dissect.InfoValue(value, "version"))...)
	}
	m.hostname = append(m.hostname[:0], dissect.InfoValue(value, "sv_hostname")...)
	m.levelStart, _ = token.Atoi(dissect.InfoValue(value, "g_levelStartTime"))
	m.gametype, m.hasGametype = token.Atoi(dissect.InfoValue(value, "g_gametype"))
	m.physics, m.mode = tables.RunOf(m.family, value)
	m.limits.setServerinfo(value)
}

// mod returns the name of the game or mod, of its own configstrings.
func (m *match) mod() []byte {
	if len(m.game) > 0 {
		return m.game
	}
	name, _, _ := bytes.Cut(m.version, []byte("-")) // GAME_VERSION, code/game/bg_public.h: "baseq3-1"
	return name
}

// configstring handles a configstring by its name. quiet means that it is part of a gamestate.
func (m *match) configstring(name string, value []byte, quiet bool) {
	switch name {
	case "warmup":
		if len(m.rules().Match.RoundTypes) > 0 {
			m.setRoundClock(value, quiet)
			break
		}
		m.setWarmup(value)
	case "multi_mapwinner":
		m.setMapWinner(value)
	case "intermission":
		m.intermission = len(value) > 0 && string(value) != "0"
	case "scores1":
		m.setScore(0, value)
	case "scores2":
		m.setScore(1, value)
	case "game_info", "round_info": // CPMA keeps all of it in one infostring
		m.setGameInfo(value)
	case "game_version":
		m.version = append(m.version[:0], value...)
	case "level_start_time":
		if v, ok := token.Atoi(value); ok && !m.rules().Match.OwnClock {
			m.setLevelStart(v)
		}
	case "pause_start":
		v, ok := token.Atoi(value)
		m.contest.clock.pause(ok && v > 0, v)
	case "round_status":
		m.rounds.setStatus(value)
	case "round_time":
		m.rounds.setTime(value, quiet)
	default:
		return
	}
	if quiet {
		m.warmupReported, m.intermissionReported, m.scoresReported = m.warmup, m.intermission, m.scores
	}
}

// farAhead is how far ahead OSP puts the start of the level in a time-out, at least, in milliseconds; recordings have
// 210 seconds.
const farAhead = 10_000

// setLevelStart handles the server time at which the level began. OSP begins a time-out with one that is far ahead, and
// ends it with the start moved by how long it was.
func (m *match) setLevelStart(v int32) {
	clock := &m.contest.clock
	if m.inRounds() && m.contest.open { // the next round of the match
		return
	}
	if m.rules().Match.LevelPauses && m.contest.open {
		ahead := v > m.now && v-m.now > farAhead
		if clock.pause(ahead, m.now); ahead {
			return
		}
	}
	clock.setLevel(v)
}

// begin takes the state of the match from a complete gamestate.
func (m *match) begin() {
	m.on = !m.warmup.on && !m.intermission
	m.inRound = m.on && m.hasRounds()
	if _, known := m.teamGame(); known && !m.contest.open {
		m.contest.pending = m.on
	}
}

// nameOf returns the words of a version before its number: "Medal of Honor Allied Assault 1.11 linux-i386".
func nameOf(version []byte) []byte {
	for i, c := range version {
		if c >= '0' && c <= '9' && i > 0 && version[i-1] == ' ' {
			return version[:i-1]
		}
	}
	return version
}

// teams are the numbers of the two teams.
func (m *match) teams() [2]int {
	if teams := m.rules().Match.Teams; teams[0] != 0 {
		return teams
	}
	return [2]int{teamRed, teamRed + 1}
}

func (m *match) setScore(i int, value []byte) {
	if v, ok := token.Atoi(value); ok {
		m.scores[i], m.scored[i] = v, true
		m.contest.keep(i, v, m.now)
	}
}

// setGameInfo reads CPMA's account of the match: tw is the time at which it starts, -1 in the warm-up, 0 once
// it has begun; sr and sb are the scores of the teams; in games without teams sb is the best player's and sr
// the second's. Between two rounds tw is the time at which the next one starts.
//
// Source: ProcessCpmaGameInfo and related functions of uberdemotools; agrees with recordings.
func (m *match) setGameInfo(value []byte) {
	if tw := dissect.InfoValue(value, "tw"); len(tw) > 0 {
		m.setWarmup(tw)
	}
	m.setGameClock(value)
	keys := [2]string{"sr", "sb"}
	if team, ok := m.teamGame(); ok && !team {
		keys = [2]string{"sb", "sr"}
	}
	m.setScore(0, dissect.InfoValue(value, keys[0]))
	m.setScore(1, dissect.InfoValue(value, keys[1]))
}

// setGameClock reads the beginning of the match, its pauses and the limits from CPMA's account.
func (m *match) setGameClock(value []byte) {
	c := &m.contest.clock
	if start, ok := token.Atoi(dissect.InfoValue(value, "ts")); ok {
		c.start = start
	}
	if away, ok := token.Atoi(dissect.InfoValue(value, "td")); ok {
		at, _ := token.Atoi(dissect.InfoValue(value, "te"))
		if c.pause(at != 0, c.start+at); at == 0 {
			c.pausedFor = away
		}
	}
	m.limits.setGameInfo(value)
}

// teamGame reports whether the scores are those of teams; ok is false while that is not known.
func (m *match) teamGame() (team, ok bool) {
	switch m.gametypeName() {
	case "":
		return false, false
	case "ffa", "tournament", "single_player", "race", "red_rover", "holocron", "jedimaster", "duel", "powerduel":
		return false, true
	}
	return true, true
}

func (m *match) gametypeName() string {
	if !m.hasGametype || m.gametype < 0 {
		return ""
	}
	return tables.GametypeNames.Name(m.family, uint64(m.gametype))
}

// rose reports which of the two scores rose in this message.
func (m *match) rose() (rose [2]bool) {
	for i := range rose {
		rose[i] = m.scored[i] && m.scores[i] > m.scoresReported[i]
	}
	return rose
}

// settleScores reports the scores if a message changed them.
func (m *match) settleScores(w *eventWriter) {
	if m.scores == m.scoresReported {
		return
	}
	m.scoresReported = m.scores
	w.Begin(event.Score)
	for i, f := range [...]*dissect.Field{&evScore1, &evScore2} {
		if m.scored[i] && m.scores[i] != scoreNotPresent {
			w.Number(f, int64(m.scores[i]))
		}
	}
	if team, ok := m.teamGame(); ok {
		w.Tree.AddBool(&evTeamGame, team, 0, 0)
	}
	w.End()
}

// isResent reports whether a gamestate is of a map that has been reported.
func (e *Reader) isResent(serverID int32) bool {
	return e.game.mapped && e.game.serverID == serverID && serverID != 0 && !e.fresh
}

// reportMap reports the map of a gamestate, and that the client connected if this is its first one. A gamestate
// that is sent again, because the client did not acknowledge it, is not reported again.
func (e *Reader) reportMap(serverID int32) {
	g, w := e.game, &e.out
	if e.isResent(serverID) {
		return
	}
	g.mapped, g.serverID = true, serverID
	w.Begin(event.MapStart)
	g.writeMap(w)
	w.Tree.Open(&evPlayers, 0)
	for i := range g.roster.players {
		if p := g.roster.at(i); p != nil {
			w.Tree.Open(evPlayers.Children[0], 0)
			w.clientFields(&g.roster, i, knownName{})
			w.Flag(&evBot, p.bot)
			w.Tree.Close(0)
		}
	}
	w.Tree.Close(0)
	w.End()
	if late := g.rules().Text.LateNames && g.roster.at(g.own) == nil; e.fresh && g.own >= 0 && !late {
		g.reportConnect(w, g.own)
	}
	e.fresh = false
}

// writeDate adds when the level was started: a restart, as at the beginning of a match, is another start.
func (m *match) writeDate(w *eventWriter) {
	if m.levelStart > 0 {
		var date [len(time.RFC3339)]byte
		w.Text(&evDate, time.Unix(int64(m.levelStart), 0).UTC().AppendFormat(date[:0], time.RFC3339))
	}
}

// writeMap adds what is known of the map.
func (g *gameView) writeMap(w *eventWriter) {
	m := &g.match
	if g.own >= 0 {
		w.client(&evClient, &g.roster, g.own, nil)
	}
	w.Text(&evMap, m.mapName)
	m.writeDate(w)
	if m.hasGametype {
		w.Number(&evGametype, int64(m.gametype))
	}
	if m.physics != "" {
		w.Label(&evPhysics, m.physics)
	}
	if m.mode != "" {
		w.Label(&evMode, m.mode)
	}
	if len(m.game) > 0 {
		w.Text(&evGame, m.game)
	}
	if len(m.hostname) > 0 || g.roster.known {
		w.Text(&evHostname, m.hostname)
	}
	if m.warmup.on && m.warmup.at != waitingForPlayers {
		w.Number(&evStartsAt, int64(m.warmup.at))
	}
}
