package events

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// A match is what the configstrings contain about the map and the match.
type match struct {
	mapName, game, hostname []byte
	gametype                int32
	hasGametype             bool

	warmup, warmupTold             warmupState
	on, halted                     bool // a match is on; it is halted, by a pause or between two rounds
	inRound                        bool
	waited                         bool     // players were missing at some time in this message
	haltScores                     [2]int32 // when it was halted
	intermission, intermissionTold bool
	scores, scoresTold             [2]int32
	scored                         [2]bool // a score has been announced
	reason                         []byte  // the server's last sentence about a limit that was hit
	reasonAt                       int32   // the time of that sentence
	mapWinner                      int     // Wolfenstein: team of the side that has won by what is done so far; 0: none
	forfeited                      bool    // the server has announced a forfeit

	family  uint8
	now     int32  // server time
	version []byte // the game's version, which contains its name
	limits  limits
	rounds  rounds // Quake Live's
	contest contest
}

// A warmupState is the content of CS_WARMUP: nothing while the match is on, -1 while players are missing, or
// the time at which the match starts. CheckTournament in code/game/g_main.c.
type warmupState struct {
	on bool
	at int32
}

const waitingForPlayers = -1

// scoreNotPresent is the score where there is no player or team, SCORE_NOT_PRESENT in code/game/bg_public.h.
const scoreNotPresent = -9999

// setServerinfo reads configstring 0.
func (m *match) setServerinfo(value []byte) {
	m.mapName = append(m.mapName[:0], dissect.InfoValue(value, "mapname")...)
	m.game = append(m.game[:0], dissect.InfoValue(value, "gamename")...)
	m.hostname = append(m.hostname[:0], dissect.InfoValue(value, "sv_hostname")...)
	m.gametype, m.hasGametype = token.Atoi(dissect.InfoValue(value, "g_gametype"))
	m.limits.setServerinfo(value)
}

// mod returns the name that the game gives itself.
func (m *match) mod() []byte {
	if len(m.game) > 0 {
		return m.game
	}
	name, _, _ := bytes.Cut(m.version, []byte("-")) // GAME_VERSION, code/game/bg_public.h: "baseq3-1"
	return name
}

// configstring handles a configstring by its name. quiet means that it is part of a gamestate.
func (m *match) configstring(name string, family uint8, value []byte, quiet bool) {
	switch name {
	case "warmup":
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
		m.setGameInfo(value, family)
	case "game_version":
		m.version = append(m.version[:0], value...)
	case "level_start_time":
		if v, ok := token.Atoi(value); ok && family != tables.FamilyCPMA {
			m.contest.clock.setLevel(v)
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
		m.warmupTold, m.intermissionTold, m.scoresTold = m.warmup, m.intermission, m.scores
	}
}

// begin takes the state of the match from a complete gamestate.
func (m *match) begin(family uint8) {
	m.family = family
	m.on, m.halted, m.waited = !m.warmup.on && !m.intermission, false, false
	m.inRound = m.on && m.hasRounds(family)
	if _, known := m.teamGame(family); known && !m.contest.open {
		m.contest.pending = m.on
	}
}

func (m *match) setWarmup(value []byte) {
	m.warmup = readWarmup(value)
	m.waited = m.waited || m.warmup.on && m.warmup.at == waitingForPlayers
}

// readWarmup reads CS_WARMUP: a number, or in Quake Live an infostring with one.
func readWarmup(value []byte) warmupState {
	if len(value) > 0 && value[0] == '\\' {
		value = dissect.InfoValue(value, "time")
	}
	at, _ := token.Atoi(value)
	return warmupState{on: at != 0, at: at}
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
func (m *match) setGameInfo(value []byte, family uint8) {
	if tw := dissect.InfoValue(value, "tw"); len(tw) > 0 {
		m.setWarmup(tw)
	}
	m.setGameClock(value)
	keys := [2]string{"sr", "sb"}
	if team, ok := m.teamGame(family); ok && !team {
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
			c.away = away
		}
	}
	m.limits.setGameInfo(value)
}

// teamGame reports whether the scores are those of teams; ok is false while that is not known.
func (m *match) teamGame(family uint8) (team, ok bool) {
	if !m.hasGametype || m.gametype < 0 {
		return false, false
	}
	m.family = family
	switch m.gametypeName() {
	case "":
		return false, false
	case "ffa", "tournament", "single_player", "race", "red_rover", "holocron", "jedimaster", "duel", "powerduel":
		return false, true
	}
	return true, true
}

// settleWarmup reports changes of warm-up, match and intermission in a message. A warm-up that begins and ends
// within one message, as in a restart of Quake Live, does not count.
func (g *gameView) settleWarmup(w *eventWriter, restarted bool) {
	m, before := &g.match, g.match.contest.count
	if restarted {
		g.cutShort(w)
	}
	if m.warmupTold != m.warmup {
		m.warmupTold = m.warmup
		g.reportWarmup(w, restarted || m.waited)
	}
	if _, known := m.teamGame(g.family); restarted && known && !m.warmup.on && m.contest.count == before {
		m.on = true
		g.startMatch(w, true) // without a warm-up
	}
	m.waited = false
	if restarted {
		m.intermission, m.intermissionTold = false, false
	}
	if m.intermission && !m.intermissionTold {
		g.reportIntermission(w)
	}
	m.intermissionTold = m.intermission
}

// hasRounds reports whether CPMA plays rounds, which it announces in the same way as matches.
func (m *match) hasRounds(family uint8) bool {
	if family != tables.FamilyCPMA || !m.hasGametype || m.gametype < 0 {
		return false
	}
	m.family = family
	name := m.gametypeName()
	return name == "ca" || name == "ctfs"
}

func (m *match) gametypeName() string {
	if !m.hasGametype || m.gametype < 0 {
		return ""
	}
	return tables.GametypeNames.Name(m.family, uint64(m.gametype))
}

// countsToPlay reports whether a game counts down to the end of a pause or to the next round in the same way as
// to a match. In others a countdown while a match is on is that of a restart, SV_MapRestart_f in
// code/server/sv_ccmds.c.
func countsToPlay(family uint8) bool {
	return family == tables.FamilyCPMA || family == tables.FamilyOSP
}

// reportWarmup reports what a change of CS_WARMUP means. While a match is on, a countdown does not begin
// another: OSP counts down to the end of a pause, CPMA to the next round. A new match begins with waiting for
// players, with a restart of the map, or with reset scores.
func (g *gameView) reportWarmup(w *eventWriter, anew bool) {
	m := &g.match
	switch {
	case !m.warmup.on:
		kept := m.halted && !anew && (m.scores != [2]int32{} || m.scores == m.haltScores)
		m.on, m.halted = true, false
		if g.family == tables.FamilyOSP {
			m.contest.clock.pause(false, 0)
		}
		if !kept {
			g.startMatch(w, true)
		}
		if m.inRound = m.hasRounds(w.tree.Family); m.inRound {
			w.begin(kindRoundStart)
			w.end()
		}
	case m.warmup.at == waitingForPlayers:
		m.endRound(w)
		m.on, m.halted = false, false
		g.callOff(w)
		w.begin(kindWarmup)
		w.label(&evAction, warmupWaiting)
		w.end()
	case m.on && !anew && countsToPlay(w.tree.Family):
		m.on, m.halted, m.haltScores = false, true, m.scores
		m.contest.clock.pause(g.family == tables.FamilyOSP, g.time)
		m.endRound(w)
	case m.halted && !anew: // the countdown is set again
	default:
		m.on, m.halted = false, false
		g.callOff(w)
		w.begin(kindWarmup)
		w.label(&evAction, warmupCountdown)
		w.number(&evStartsAt, int64(m.warmup.at))
		w.end()
	}
}

// endRound reports the end of a round, and the start of the next one if that is known.
func (m *match) endRound(w *eventWriter) {
	if !m.inRound {
		return
	}
	m.inRound = false
	w.begin(kindRoundEnd)
	if m.halted {
		w.number(&evStartsAt, int64(m.warmup.at))
	}
	w.end()
}

// enterIntermission handles the player state's intermission flag, the only sign of it in games that do not set
// the configstring. The first snapshot's flag is no event: it may have been set for long.
func (g *gameView) enterIntermission(w *eventWriter, on, first bool) {
	m := &g.match
	switch {
	case !on || m.intermissionTold:
	case first:
		m.intermission, m.intermissionTold = true, true
		m.on, m.inRound = false, false
	default:
		m.intermission, m.intermissionTold = true, true
		g.reportIntermission(w)
	}
}

func (g *gameView) reportIntermission(w *eventWriter) {
	m := &g.match
	m.endRound(w)
	m.on, m.halted = false, false
	m.rounds.on = false
	g.settleRounds(w)
	if g.time-m.reasonAt > reasonTime {
		m.reason = m.reason[:0]
	}
	ending := ""
	if m.forfeited {
		ending = reasonForfeit
	}
	g.endMatch(ending, true)
	w.begin(kindIntermission)
	if len(m.reason) > 0 {
		w.text(&evReason, m.reason)
	}
	w.end()
	m.reason, m.forfeited = m.reason[:0], false
}

// callOff ends a match before its end: a player who leaves forfeits it.
func (g *gameView) callOff(w *eventWriter) {
	c := &g.match.contest
	reason := reasonAborted
	if since := g.time - c.leave.at; c.leave.known && since >= 0 && since <= forfeitTime {
		reason = reasonForfeit
	}
	g.endMatch(reason, true)
	g.reportMatch(w, false)
}

// rose reports which of the two scores rose in this message.
func (m *match) rose() (rose [2]bool) {
	for i := range rose {
		rose[i] = m.scored[i] && m.scores[i] > m.scoresTold[i]
	}
	return rose
}

// settleScores reports the scores if a message changed them.
func (m *match) settleScores(w *eventWriter) {
	if m.scores == m.scoresTold {
		return
	}
	m.scoresTold = m.scores
	w.begin(kindScore)
	for i, f := range [...]*dissect.Field{&evScore1, &evScore2} {
		if m.scored[i] && m.scores[i] != scoreNotPresent {
			w.number(f, int64(m.scores[i]))
		}
	}
	if team, ok := m.teamGame(w.tree.Family); ok {
		w.tree.AddBool(&evTeamGame, team, 0, 0)
	}
	w.end()
}

// limitHit remembers the reason for which the match ends, LogExit and CheckExitRules in code/game/g_main.c:
// "Timelimit hit.", "Red hit the capturelimit.", "Sarge hit the fraglimit."; Quake Live adds a forfeit.
func (m *match) limitHit(sentence []byte, now int32) {
	if bytes.HasSuffix(sentence, []byte("limit.")) || bytes.HasSuffix(sentence, []byte("limit hit.")) ||
		bytes.HasSuffix(sentence, []byte("has been forfeited.")) || bytes.HasSuffix(sentence, []byte("limit hit")) {
		m.reason, m.reasonAt = append(m.reason[:0], sentence...), now
		m.forfeited = bytes.HasSuffix(sentence, []byte("has been forfeited."))
	}
}

// suddenDeath is CPMA's announcement that the next frag decides, shown in the middle of the screen.
const suddenDeath = "Sudden Death Overtime!"

// announce reads a text that the game shows in the middle of the screen.
func (m *match) announce(line []byte) {
	if bytes.Contains(line, []byte(suddenDeath)) {
		m.contest.suddenDeath = true
	}
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
	m := &g.match
	w.begin(kindMap)
	if g.own >= 0 {
		w.client(&evClient, &g.roster, g.own, nil)
	}
	w.text(&evMap, m.mapName)
	if m.hasGametype {
		w.number(&evGametype, int64(m.gametype))
	}
	if len(m.game) > 0 {
		w.text(&evGame, m.game)
	}
	w.text(&evHostname, m.hostname)
	if m.warmup.on && m.warmup.at != waitingForPlayers {
		w.number(&evStartsAt, int64(m.warmup.at))
	}
	w.tree.Open(&evPlayers, 0)
	for i := range g.roster.players {
		if g.roster.at(i) != nil {
			w.tree.Open(evPlayers.Children[0], 0)
			w.clientFields(&g.roster, i, nil)
			w.tree.Close(0)
		}
	}
	w.tree.Close(0)
	w.end()
	if e.fresh && g.own >= 0 {
		g.reportConnect(w, g.own)
	}
	e.fresh = false
}
