package tables

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables/names"
)

// gameAllied is Medal of Honor: Allied Assault.
var gameAllied = Game{
	Label: "mohaa",
	Names: Names{
		EntityTypes:    names.EntityTypesMOHAA,
		MeansOfDeath:   names.MeansOfDeathMOHAA,
		Stats:          names.StatsMOHAA,
		PmTypes:        names.PmTypesMOHAA,
		PmFlags:        names.PmFlagsAllied,
		EFlags:         names.EFlagsMOHAA,
		Gametypes:      names.GametypesMOHAA,
		Teams:          names.TeamsMOHAA,
		Buttons:        names.ButtonsMOHAA,
		WeaponCommands: names.WeaponCommandsMOHAA,
		ViewAnimations: names.ViewAnimationsAllied,
		CGameTypes:     names.CgameTypesAllied,
		Configstrings:  names.ConfigSpansAllied,
	},
	Text: textMOHAA, Match: matchMOHAA(6, 3), View: viewMOHAA(2),
}

// gameSpearhead are its expansions, Spearhead and Breakthrough.
var gameSpearhead = Game{
	Label:  "mohaa",
	Parent: FamilyAllied,
	Names: Names{
		PmFlags:        names.PmFlagsSpearhead,
		Buttons:        names.ButtonsMOHAA,
		ViewAnimations: names.ViewAnimationsSpearhead,
		CGameTypes:     names.CgameTypesSpearhead,
		Configstrings:  names.ConfigSpansSpearhead,
	},
	Text: textMOHAA, Match: matchMOHAA(7, 3), View: viewMOHAA(0),
}

// SenderNames are the bytes before the text of an out-of-band packet.
var SenderNames = dissect.Enum{Tables: everyGame([]string{"", "server", "client"}, nil)}

// Names of the numbers that only Medal of Honor has.
var (
	WeaponCommandNames = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.WeaponCommands })}
	CGameTypeNames     = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.CGameTypes })}
	viewAnimationNames = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.ViewAnimations })}
)

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
