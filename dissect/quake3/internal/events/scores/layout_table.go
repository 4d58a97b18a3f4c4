package scores

import "github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"

// A layout describes where the numbers of a score command are: leading words, then the same number of
// words for each player, of which the first is the client.
type layout struct {
	name     string
	families []uint8 // nil: all but Quake Live and CPMA
	count    int     // word with the number of players; 0: there is none, or it does not count all of them
	teams    int     // word with the score of the red team, before that of the blue one; 0: there are none
	head     int     // words before the first player
	each     int     // words of a player
	weapons  int     // place of the weapons, which are the last words of a player; 0: none
	places   [Columns]int8
}

var (
	quakeLive73    = []uint8{tables.FamilyQuakeLive73}
	upTo90         = []uint8{tables.FamilyQuakeLive73, tables.FamilyQuakeLive91 - 1}
	quakeLive91    = []uint8{tables.FamilyQuakeLive91}
	enemyTerritory = []uint8{tables.FamilyET}
	quakeLive      = []uint8{tables.FamilyQuakeLive73, tables.FamilyQuakeLive91 - 1, tables.FamilyQuakeLive91}
)

// layouts are the commands whose layout is known. A command of another length is skipped.
//
// Wolfenstein: SendScore, MP/code/game/g_cmds.c of iortcw; G_SendScore and G_SendScore_Add, src/game/g_cmds.c, and CG_ParseScore,
// src/cgame/cg_servercmds.c of ET: Legacy; captures, which have no sc1.
// Jedi Outcast and Academy have the layout of 1.27.
//
// The game, Team Arena and OSP: DeathmatchScoreboardMessage in code/game/g_cmds.c; protocol 43:
// protocol_conversion.cpp of uberdemotools; OpenArena 0.8.8: captures of it. Accuracy is in percent there. CPMA
// and Quake Live: recordings, compared with the final scores, kills and deaths that uberdemotools finds in
// them, and with the scoreboards that CPMA prints. Quake Live's commands that no recording at hand has (scores_ffa,
// scores_race, smscores, tdmscores, cascores, and those of 91 but scores_duel): the names and orders of the fields in
// udtParserPlugInStats, plug_in_stats.cpp of uberdemotools, and in CG_Parse*Scores, code/cgame/cg_servercmds.c of wolfcamql,
// which agree where both have a command; where they do not (team kills of scores_ft, a last word of scores_rr of 91) the
// word is not read. 90 has "scores" where everybody plays for himself: both sources read it as that of 73 (CG_ParseScores,
// ParseQLScoresOld).
var layouts = [...]layout{
	{name: "scores", count: 1, teams: 2, head: 4, each: 14, places: [Columns]int8{Score: 1, Ping: 2, Minutes: 3, Accuracy: 6}},
	{name: "scores", count: 1, teams: 2, head: 5, each: 15, places: [Columns]int8{Score: 1, Ping: 2, Minutes: 3, Accuracy: 6}},
	{name: "scores", count: 1, teams: 2, head: 4, each: 6, places: [Columns]int8{Score: 1, Ping: 2, Minutes: 3}},

	// Wolfenstein has the class and the lives that are left after the powerups, Enemy Territory no flags of the score. Players
	// for whom sc0 has no room are in sc1, which follows it.
	{
		name: "scores", families: []uint8{tables.FamilyRTCW}, count: 1, teams: 2, head: 4, each: 8,
		places: [Columns]int8{Score: 1, Ping: 2, Minutes: 3},
	},
	{
		name: "sc0", families: enemyTerritory, count: 3, teams: 1, head: 4, each: 7,
		places: [Columns]int8{Score: 1, Ping: 2, Minutes: 3},
	},
	{
		name: "sc1", families: enemyTerritory, count: 1, head: 2, each: 7,
		places: [Columns]int8{Score: 1, Ping: 2, Minutes: 3},
	},
	{name: "xscores", families: []uint8{tables.FamilyCPMA}, count: 1, head: 2, each: 7, places: [Columns]int8{Score: 1, Minutes: 3}},

	{
		name: "scores", families: quakeLive, count: 1, teams: 2, head: 4, each: 18,
		places: [Columns]int8{Score: 1, Ping: 2, Minutes: 3, Accuracy: 6, Kills: 15, Deaths: 16},
	},
	{
		name: "rrscores", families: quakeLive73, count: 1, head: 4, each: 19,
		places: [Columns]int8{Score: 1, Ping: 3, Minutes: 4, Accuracy: 7, Kills: 16, Deaths: 17},
	},
	{
		name: "cascores", families: quakeLive73, head: 1, each: 5,
		places: [Columns]int8{Given: 3, Accuracy: 4},
	},
	{name: "tdmscores", families: quakeLive73, head: 17, each: 5, places: [Columns]int8{TeamKills: 2, Given: 4}},
	{name: "tdmscores2", families: quakeLive73, head: 29, each: 6, places: [Columns]int8{TeamKills: 3, Given: 5}},

	// Up to 90 a player's line has words that 91 left out: whether he subscribes, and in some commands the powerups. Servers
	// of early 2013 have the new commands without the scores of the teams, two words fewer before the players.
	{name: "scores_ca", families: upTo90, count: 1, teams: 2, head: 4, each: 17, places: clanArena90},
	{name: "scores_ca", families: upTo90, count: 1, head: 2, each: 17, places: clanArena90},
	{name: "scores_ca", families: quakeLive, count: 1, teams: 2, head: 4, each: 16, places: clanArena91},
	{name: "scores_ctf", families: upTo90, count: 35, teams: 36, head: 38, each: 19, places: flags90},
	{name: "scores_ctf", families: upTo90, count: 35, head: 36, each: 19, places: flags90},
	{name: "scores_ctf", families: quakeLive91, count: 35, teams: 36, head: 38, each: 17, places: flags91},
	{name: "scores_tdm", families: upTo90, count: 29, teams: 30, head: 32, each: 16, places: team90},
	{name: "scores_tdm", families: upTo90, count: 29, head: 30, each: 16, places: team90},
	{name: "scores_tdm", families: quakeLive91, count: 29, teams: 30, head: 32, each: 15, places: team91},
	{name: "scores_ft", families: upTo90, count: 29, teams: 30, head: 32, each: 18, places: freeze90},
	{name: "scores_ft", families: upTo90, count: 29, head: 30, each: 18, places: freeze90},
	{name: "scores_ft", families: quakeLive91, count: 29, teams: 30, head: 32, each: 17, places: freeze91},
	{
		name: "scores_rr", families: upTo90, count: 1, head: 4, each: 19,
		places: [Columns]int8{Score: 1, Ping: 3, Minutes: 4, Kills: 5, Deaths: 6, Accuracy: 8},
	},
	{name: "scores_rr", families: quakeLive91, count: 1, head: 4, each: 18, places: redRover91},
	{name: "scores_rr", families: quakeLive91, count: 1, head: 4, each: 19, places: redRover91},
	{
		name: "scores_duel", families: quakeLive, count: 1, head: 2, each: 91, weapons: 21,
		places: [Columns]int8{Score: 1, Ping: 2, Minutes: 3, Kills: 4, Deaths: 5, Accuracy: 6, Given: 8},
	},
	{
		name: "scores_ffa", families: quakeLive, count: 1, head: 4, each: 18,
		places: [Columns]int8{Score: 1, Ping: 2, Minutes: 3, Accuracy: 4, Kills: 13, Deaths: 14, Given: 17},
	},
	// The lines of spectators follow those of the players, and are not counted. The score is a time in milliseconds.
	{name: "scores_race", families: upTo90, head: 2, each: 5, places: [Columns]int8{Score: 2, Ping: 3, Minutes: 4}},
	{name: "scores_race", families: quakeLive91, head: 2, each: 4, places: [Columns]int8{Score: 1, Ping: 2, Minutes: 3}},
	{name: "smscores", families: quakeLive91, count: 1, head: 4, each: 8, places: [Columns]int8{Score: 1, Ping: 2, Minutes: 3, Kills: 6, Deaths: 7}},
}

// Places of the numbers in lines that several commands have, or one command of servers of several versions.
var (
	clanArena90 = [Columns]int8{Score: 3, Ping: 4, Minutes: 5, Kills: 6, Deaths: 7, Accuracy: 8, Given: 11}
	clanArena91 = [Columns]int8{Score: 2, Ping: 3, Minutes: 4, Kills: 5, Deaths: 6, Accuracy: 7, Given: 10}
	flags90     = [Columns]int8{Score: 3, Ping: 4, Minutes: 5, Kills: 6, Deaths: 7, Accuracy: 9}
	flags91     = [Columns]int8{Score: 2, Ping: 3, Minutes: 4, Kills: 5, Deaths: 6, Accuracy: 7}
	team90      = [Columns]int8{Score: 3, Ping: 4, Minutes: 5, Kills: 6, Deaths: 7, Accuracy: 8, TeamKills: 13, Given: 15}
	team91      = [Columns]int8{Score: 2, Ping: 3, Minutes: 4, Kills: 5, Deaths: 6, Accuracy: 7, TeamKills: 12, Given: 14}
	freeze90    = [Columns]int8{Score: 3, Ping: 4, Minutes: 5, Kills: 6, Deaths: 7, Accuracy: 8, Given: 16}
	freeze91    = [Columns]int8{Score: 2, Ping: 3, Minutes: 4, Kills: 5, Deaths: 6, Accuracy: 7, Given: 15}
	redRover91  = [Columns]int8{Score: 1, Ping: 3, Minutes: 4, Kills: 5, Deaths: 6, Accuracy: 7}
)

// holds reports whether a family has the layout.
func (l *layout) holds(family uint8) bool {
	if l.families == nil {
		return family != tables.FamilyCPMA && family != tables.FamilyRTCW && family != tables.FamilyET && (family < tables.FamilyQuakeLive73 || family > tables.FamilyQuakeLive91)
	}
	for _, f := range l.families {
		if f == family {
			return true
		}
	}
	return false
}
