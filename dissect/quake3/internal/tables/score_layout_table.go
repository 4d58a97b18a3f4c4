package tables

import "slices"

// The score commands whose layout is known, by game. A command of another length is skipped.
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
var (
	scoresQuake3 = []ScoreLayout{
		{
			Name: "scores", Count: 1, Teams: 2, Head: 4, Each: 14,
			Places: ScorePlaces{ColumnScore: 1, ColumnPing: 2, ColumnMinutes: 3, ColumnAccuracy: 6},
		},
		{
			Name: "scores", Count: 1, Teams: 2, Head: 5, Each: 15,
			Places: ScorePlaces{ColumnScore: 1, ColumnPing: 2, ColumnMinutes: 3, ColumnAccuracy: 6},
		},
		{
			Name: "scores", Count: 1, Teams: 2, Head: 4, Each: 6,
			Places: ScorePlaces{ColumnScore: 1, ColumnPing: 2, ColumnMinutes: 3},
		},
	}
	scoresRTCW = []ScoreLayout{
		// Wolfenstein has the class and the lives that are left after the powerups, Enemy Territory no flags of the score. Players
		// for whom sc0 has no room are in sc1, which follows it.
		{
			Name: "scores", Count: 1, Teams: 2, Head: 4, Each: 8,
			Places: ScorePlaces{ColumnScore: 1, ColumnPing: 2, ColumnMinutes: 3},
		},
	}
	scoresET = []ScoreLayout{
		{
			Name: "sc0", Count: 3, Teams: 1, Head: 4, Each: 7,
			Places: ScorePlaces{ColumnScore: 1, ColumnPing: 2, ColumnMinutes: 3, ColumnXP: 1},
		},
		{
			Name: "sc1", Count: 1, Head: 2, Each: 7,
			Places: ScorePlaces{ColumnScore: 1, ColumnPing: 2, ColumnMinutes: 3, ColumnXP: 1},
		},
	}
	scoresCPMA = []ScoreLayout{
		{Name: "xscores", Count: 1, Head: 2, Each: 7, Places: ScorePlaces{ColumnScore: 1, ColumnMinutes: 3}},
	}

	// scoresQuakeLive are those of all three protocols.
	scoresQuakeLive = []ScoreLayout{
		{
			Name: "scores", Count: 1, Teams: 2, Head: 4, Each: 18,
			Places: ScorePlaces{ColumnScore: 1, ColumnPing: 2, ColumnMinutes: 3, ColumnAccuracy: 6, ColumnKills: 15, ColumnDeaths: 16},
		},
		{
			Name: "scores_duel", Count: 1, Head: 2, Each: 91, Weapons: 21,
			Places: ScorePlaces{ColumnScore: 1, ColumnPing: 2, ColumnMinutes: 3, ColumnKills: 4, ColumnDeaths: 5, ColumnAccuracy: 6, ColumnGiven: 8},
		},
		{
			Name: "scores_ffa", Count: 1, Head: 4, Each: 18,
			Places: ScorePlaces{ColumnScore: 1, ColumnPing: 2, ColumnMinutes: 3, ColumnAccuracy: 4, ColumnKills: 13, ColumnDeaths: 14, ColumnGiven: 17},
		},
	}
	scoresQuakeLive73 = slices.Concat(scoresQuakeLive90, []ScoreLayout{
		{
			Name: "rrscores", Count: 1, Head: 4, Each: 19,
			Places: ScorePlaces{ColumnScore: 1, ColumnPing: 3, ColumnMinutes: 4, ColumnAccuracy: 7, ColumnKills: 16, ColumnDeaths: 17},
		},
		{Name: "cascores", Head: 1, Each: 5, Places: ScorePlaces{ColumnGiven: 3, ColumnAccuracy: 4}},
		{Name: "tdmscores", Head: 17, Each: 5, Places: ScorePlaces{ColumnTeamKills: 2, ColumnGiven: 4}},
		{Name: "tdmscores2", Head: 29, Each: 6, Places: ScorePlaces{ColumnTeamKills: 3, ColumnGiven: 5}},
	})
	scoresQuakeLive90 = slices.Concat(scoresQuakeLive, []ScoreLayout{
		// Up to 90 a player's line has words that 91 left out: whether he subscribes, and in some commands the powerups. Servers
		// of early 2013 have the new commands without the scores of the teams, two words fewer before the players.
		{Name: "scores_ca", Count: 1, Teams: 2, Head: 4, Each: 17, Places: clanArena90},
		{Name: "scores_ca", Count: 1, Head: 2, Each: 17, Places: clanArena90},
		{Name: "scores_ca", Count: 1, Teams: 2, Head: 4, Each: 16, Places: clanArena91},
		{Name: "scores_ctf", Count: 35, Teams: 36, Head: 38, Each: 19, Places: flags90},
		{Name: "scores_ctf", Count: 35, Head: 36, Each: 19, Places: flags90},
		{Name: "scores_tdm", Count: 29, Teams: 30, Head: 32, Each: 16, Places: team90},
		{Name: "scores_tdm", Count: 29, Head: 30, Each: 16, Places: team90},
		{Name: "scores_ft", Count: 29, Teams: 30, Head: 32, Each: 18, Places: freeze90},
		{Name: "scores_ft", Count: 29, Head: 30, Each: 18, Places: freeze90},
		{
			Name: "scores_rr", Count: 1, Head: 4, Each: 19,
			Places: ScorePlaces{ColumnScore: 1, ColumnPing: 3, ColumnMinutes: 4, ColumnKills: 5, ColumnDeaths: 6, ColumnAccuracy: 8},
		},
		// The lines of spectators follow those of the players, and are not counted. The score is a time in milliseconds.
		{Name: "scores_race", Head: 2, Each: 5, Places: ScorePlaces{ColumnScore: 2, ColumnPing: 3, ColumnMinutes: 4}},
	})
	scoresQuakeLive91 = slices.Concat(scoresQuakeLive, []ScoreLayout{
		{Name: "scores_ca", Count: 1, Teams: 2, Head: 4, Each: 16, Places: clanArena91},
		{Name: "scores_ctf", Count: 35, Teams: 36, Head: 38, Each: 17, Places: flags91},
		{Name: "scores_tdm", Count: 29, Teams: 30, Head: 32, Each: 15, Places: team91},
		{Name: "scores_ft", Count: 29, Teams: 30, Head: 32, Each: 17, Places: freeze91},
		{Name: "scores_rr", Count: 1, Head: 4, Each: 18, Places: redRover91},
		{Name: "scores_rr", Count: 1, Head: 4, Each: 19, Places: redRover91},
		{Name: "scores_race", Head: 2, Each: 4, Places: ScorePlaces{ColumnScore: 1, ColumnPing: 2, ColumnMinutes: 3}},
		{
			Name: "smscores", Count: 1, Head: 4, Each: 8,
			Places: ScorePlaces{ColumnScore: 1, ColumnPing: 2, ColumnMinutes: 3, ColumnKills: 6, ColumnDeaths: 7},
		},
	})
)

// Places of the numbers in lines that several commands have, or one command of servers of several versions.
var (
	clanArena90 = ScorePlaces{ColumnScore: 3, ColumnPing: 4, ColumnMinutes: 5, ColumnKills: 6, ColumnDeaths: 7, ColumnAccuracy: 8, ColumnGiven: 11}
	clanArena91 = ScorePlaces{ColumnScore: 2, ColumnPing: 3, ColumnMinutes: 4, ColumnKills: 5, ColumnDeaths: 6, ColumnAccuracy: 7, ColumnGiven: 10}
	flags90     = ScorePlaces{ColumnScore: 3, ColumnPing: 4, ColumnMinutes: 5, ColumnKills: 6, ColumnDeaths: 7, ColumnAccuracy: 9}
	flags91     = ScorePlaces{ColumnScore: 2, ColumnPing: 3, ColumnMinutes: 4, ColumnKills: 5, ColumnDeaths: 6, ColumnAccuracy: 7}
	team90      = ScorePlaces{ColumnScore: 3, ColumnPing: 4, ColumnMinutes: 5, ColumnKills: 6, ColumnDeaths: 7, ColumnAccuracy: 8, ColumnTeamKills: 13, ColumnGiven: 15}
	team91      = ScorePlaces{ColumnScore: 2, ColumnPing: 3, ColumnMinutes: 4, ColumnKills: 5, ColumnDeaths: 6, ColumnAccuracy: 7, ColumnTeamKills: 12, ColumnGiven: 14}
	freeze90    = ScorePlaces{ColumnScore: 3, ColumnPing: 4, ColumnMinutes: 5, ColumnKills: 6, ColumnDeaths: 7, ColumnAccuracy: 8, ColumnGiven: 16}
	freeze91    = ScorePlaces{ColumnScore: 2, ColumnPing: 3, ColumnMinutes: 4, ColumnKills: 5, ColumnDeaths: 6, ColumnAccuracy: 7, ColumnGiven: 15}
	redRover91  = ScorePlaces{ColumnScore: 1, ColumnPing: 3, ColumnMinutes: 4, ColumnKills: 5, ColumnDeaths: 6, ColumnAccuracy: 7}
)
