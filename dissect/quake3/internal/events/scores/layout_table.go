package scores

import "github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"

// A layout describes where the numbers of a score command are: leading words, then the same number of
// words for each player, of which the first is the client.
type layout struct {
	name     string
	families []uint8 // nil: all but Quake Live and CPMA
	count    int     // word with the number of players
	head     int     // words before the first player
	each     int     // words of a player
	weapons  int     // place of the weapons, which are the last words of a player; 0: none
	places   [Columns]int8
}

var (
	quakeLive73 = []uint8{tables.FamilyQuakeLive73}
	quakeLive90 = []uint8{tables.FamilyQuakeLive91 - 1, tables.FamilyQuakeLive91}
)

// layouts are the commands whose layout is known. A command of another length is skipped.
//
// Wolfenstein: SendScore, MP/code/game/g_cmds.c of iortcw, G_SendScore, src/game/g_cmds.c of ET: Legacy; captures.
// Jedi Outcast and Academy have the layout of 1.27.
//
// The game, Team Arena and OSP: DeathmatchScoreboardMessage in code/game/g_cmds.c; protocol 43:
// protocol_conversion.cpp of uberdemotools; OpenArena 0.8.8: captures of it. Accuracy is in percent there. CPMA
// and Quake Live: recordings, compared with the final scores, kills and deaths that uberdemotools finds in
// them, and with the scoreboards that CPMA prints; the names of Quake Live's commands and the order of the
// first fields agree with CG_Parse*Scores, code/cgame/cg_servercmds.c of wolfcamql.
var layouts = [...]layout{
	{name: "scores", count: 1, head: 4, each: 14, places: [Columns]int8{Score: 1, Ping: 2, Minutes: 3, Accuracy: 6}},
	{name: "scores", count: 1, head: 5, each: 15, places: [Columns]int8{Score: 1, Ping: 2, Minutes: 3, Accuracy: 6}},
	{name: "scores", count: 1, head: 4, each: 6, places: [Columns]int8{Score: 1, Ping: 2, Minutes: 3}},

	// Wolfenstein has the class and the lives that are left after the powerups, Enemy Territory no flags of the score.
	{
		name: "scores", families: []uint8{tables.FamilyRTCW}, count: 1, head: 4, each: 8,
		places: [Columns]int8{Score: 1, Ping: 2, Minutes: 3},
	},
	{
		name: "sc0", families: []uint8{tables.FamilyET}, count: 3, head: 4, each: 7,
		places: [Columns]int8{Score: 1, Ping: 2, Minutes: 3},
	},
	{name: "xscores", families: []uint8{tables.FamilyCPMA}, count: 1, head: 2, each: 7, places: [Columns]int8{Score: 1, Minutes: 3}},

	{
		name: "scores", families: quakeLive73, count: 1, head: 4, each: 18,
		places: [Columns]int8{Score: 1, Ping: 2, Minutes: 3, Accuracy: 6, Kills: 15, Deaths: 16},
	},
	{
		name: "rrscores", families: quakeLive73, count: 1, head: 4, each: 19,
		places: [Columns]int8{Score: 1, Ping: 3, Minutes: 4, Accuracy: 7, Kills: 16, Deaths: 17},
	},
	{
		name: "scores_ca", families: quakeLive73, count: 1, head: 4, each: 17,
		places: [Columns]int8{Score: 3, Ping: 4, Minutes: 5, Kills: 6, Deaths: 7, Accuracy: 8, Given: 11},
	},
	{
		name: "scores_ca", families: quakeLive90, count: 1, head: 4, each: 17,
		places: [Columns]int8{Score: 3, Ping: 4, Minutes: 5, Kills: 6, Deaths: 7, Accuracy: 8, Given: 11},
	},
	{
		name: "scores_ctf", families: quakeLive90, count: 35, head: 38, each: 19,
		places: [Columns]int8{Score: 3, Ping: 4, Minutes: 5, Kills: 6, Deaths: 7, Accuracy: 9},
	},
	{
		name: "scores_tdm", families: quakeLive90, count: 29, head: 32, each: 16,
		places: [Columns]int8{Score: 3, Ping: 4, Minutes: 5, Kills: 6, Deaths: 7, Accuracy: 8, Given: 15},
	},
	{
		name: "scores_ft", families: quakeLive90, count: 29, head: 32, each: 18,
		places: [Columns]int8{Score: 3, Ping: 4, Minutes: 5, Kills: 6, Deaths: 7, Accuracy: 8, Given: 16},
	},
	{
		name: "scores_rr", families: quakeLive90, count: 1, head: 4, each: 19,
		places: [Columns]int8{Score: 1, Ping: 3, Minutes: 4, Kills: 5, Deaths: 6, Accuracy: 8},
	},
	{
		name: "scores_duel", families: quakeLive90, count: 1, head: 2, each: 91, weapons: 21,
		places: [Columns]int8{Score: 1, Ping: 2, Minutes: 3, Kills: 4, Deaths: 5, Accuracy: 6, Given: 8},
	},
}

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
