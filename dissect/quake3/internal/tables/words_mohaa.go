package tables

// textMOHAA is how Medal of Honor and its expansions word what happens.
//
// Source: g_client.cpp, player.cpp and gamecmds.cpp in code/fgame of openmohaa; its captures.
var textMOHAA = Text{
	Chat: ChatPrinted, NameKey: "name", TeamKey: "team", LateNames: true, VoteResult: true,
	Sentences: []Sentence{
		{" has entered the battle", " entered the game"},
		{" called a vote", " called a vote."},
	},
	Deaths: deathsMOHAA, BodyParts: bodyPartsMOHAA,
}

// matchMOHAA returns how it announces rounds and scores: a team has an entry of as many words in the list of scores.
//
// Source: teamtype_t, code/fgame/bg_public.h; DM_Manager, code/fgame/dm_manager.cpp of openmohaa.
func matchMOHAA(teamEntry, wins int) Match {
	return Match{
		Teams: [2]int{4, 3}, Spectators: 1, TeamLimit: true, VersionName: true,
		Scores: []ScoreLayout{}, TeamEntry: teamEntry, Wins: wins,
		RoundTypes: []string{"team_rounds", "objective", "tow", "liberation"},
		RoundWins:  []RoundWin{{"Allies win!", 3}, {"Axis win!", 4}, {"It's a draw!", 0}},
	}
}

// viewMOHAA returns how its states show the players. The flags of Allied Assault are two bits higher than those of its
// expansions.
//
// Source: PMF_*, code/fgame/bg_public.h, and code/qcommon/bg_compat.cpp of openmohaa.
func viewMOHAA(shift int) *View {
	return &View{
		Origin: "netorigin", Flags: "net_pm_flags", Kills: 21, Best: 25,
		Watches: (1<<2 | 1<<7) << shift, Scores: 1 << 6 << shift,
	}
}
