package events

import "github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"

// A scoreLayout describes where the numbers of a score command are: leading words, then the same number of
// words for each player, of which the first is the client.
type scoreLayout struct {
	name     string
	families []uint8 // nil: all but Quake Live and CPMA
	count    int     // word with the number of players
	head     int     // words before the first player
	each     int     // words of a player
	weapons  int     // place of the weapons, which are the last words of a player; 0: none
	places   [columns]int8
}

var (
	quakeLive73 = []uint8{tables.FamilyQuakeLive73}
	quakeLive90 = []uint8{tables.FamilyQuakeLive91 - 1, tables.FamilyQuakeLive91}
)

// scoreLayouts are the commands whose layout is known. A command of another length is skipped.
//
// Wolfenstein: SendScore, MP/code/game/g_cmds.c of iortcw, G_SendScore, src/game/g_cmds.c of ET: Legacy; captures.
// Jedi Outcast and Academy have the layout of 1.27.
//
// The game, Team Arena and OSP: DeathmatchScoreboardMessage in code/game/g_cmds.c; protocol 43:
// protocol_conversion.cpp of uberdemotools; OpenArena 0.8.8: captures of it. Accuracy is in percent there. CPMA
// and Quake Live: recordings, compared with the final scores, kills and deaths that uberdemotools finds in
// them, and with the scoreboards that CPMA prints; the names of Quake Live's commands and the order of the
// first fields agree with CG_Parse*Scores, code/cgame/cg_servercmds.c of wolfcamql.
var scoreLayouts = [...]scoreLayout{
	{name: "scores", count: 1, head: 4, each: 14, places: [columns]int8{colScore: 1, colPing: 2, colMinutes: 3, colAccuracy: 6}},
	{name: "scores", count: 1, head: 5, each: 15, places: [columns]int8{colScore: 1, colPing: 2, colMinutes: 3, colAccuracy: 6}},
	{name: "scores", count: 1, head: 4, each: 6, places: [columns]int8{colScore: 1, colPing: 2, colMinutes: 3}},

	// Wolfenstein has the class and the lives that are left after the powerups, Enemy Territory no flags of the score.
	{
		name: "scores", families: []uint8{tables.FamilyRTCW}, count: 1, head: 4, each: 8,
		places: [columns]int8{colScore: 1, colPing: 2, colMinutes: 3},
	},
	{
		name: "sc0", families: []uint8{tables.FamilyET}, count: 3, head: 4, each: 7,
		places: [columns]int8{colScore: 1, colPing: 2, colMinutes: 3},
	},
	{name: "xscores", families: []uint8{tables.FamilyCPMA}, count: 1, head: 2, each: 7, places: [columns]int8{colScore: 1, colMinutes: 3}},

	{
		name: "scores", families: quakeLive73, count: 1, head: 4, each: 18,
		places: [columns]int8{colScore: 1, colPing: 2, colMinutes: 3, colAccuracy: 6, colKills: 15, colDeaths: 16},
	},
	{
		name: "rrscores", families: quakeLive73, count: 1, head: 4, each: 19,
		places: [columns]int8{colScore: 1, colPing: 3, colMinutes: 4, colAccuracy: 7, colKills: 16, colDeaths: 17},
	},
	{
		name: "scores_ca", families: quakeLive73, count: 1, head: 4, each: 17,
		places: [columns]int8{colScore: 3, colPing: 4, colMinutes: 5, colKills: 6, colDeaths: 7, colAccuracy: 8, colGiven: 11},
	},
	{
		name: "scores_ca", families: quakeLive90, count: 1, head: 4, each: 17,
		places: [columns]int8{colScore: 3, colPing: 4, colMinutes: 5, colKills: 6, colDeaths: 7, colAccuracy: 8, colGiven: 11},
	},
	{
		name: "scores_ctf", families: quakeLive90, count: 35, head: 38, each: 19,
		places: [columns]int8{colScore: 3, colPing: 4, colMinutes: 5, colKills: 6, colDeaths: 7, colAccuracy: 9},
	},
	{
		name: "scores_tdm", families: quakeLive90, count: 29, head: 32, each: 16,
		places: [columns]int8{colScore: 3, colPing: 4, colMinutes: 5, colKills: 6, colDeaths: 7, colAccuracy: 8, colGiven: 15},
	},
	{
		name: "scores_ft", families: quakeLive90, count: 29, head: 32, each: 18,
		places: [columns]int8{colScore: 3, colPing: 4, colMinutes: 5, colKills: 6, colDeaths: 7, colAccuracy: 8, colGiven: 16},
	},
	{
		name: "scores_rr", families: quakeLive90, count: 1, head: 4, each: 19,
		places: [columns]int8{colScore: 1, colPing: 3, colMinutes: 4, colKills: 5, colDeaths: 6, colAccuracy: 8},
	},
	{
		name: "scores_duel", families: quakeLive90, count: 1, head: 2, each: 91, weapons: 21,
		places: [columns]int8{colScore: 1, colPing: 2, colMinutes: 3, colKills: 4, colDeaths: 5, colAccuracy: 6, colGiven: 8},
	},
}

// holds reports whether a family has the layout.
func (l *scoreLayout) holds(family uint8) bool {
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
