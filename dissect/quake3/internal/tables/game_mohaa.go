package tables

import "github.com/q3dissect/q3dissect/dissect"

// gameAllied is Medal of Honor: Allied Assault.
var gameAllied = Game{
	Label: "mohaa",
	Names: Names{
		EntityTypes:    entityTypesMOHAA,
		MeansOfDeath:   meansOfDeathMOHAA,
		Stats:          statsMOHAA,
		PmTypes:        pmTypesMOHAA,
		PmFlags:        pmFlagsAllied,
		EFlags:         eFlagsMOHAA,
		Gametypes:      gametypesMOHAA,
		Teams:          teamsMOHAA,
		Buttons:        buttonsMOHAA,
		WeaponCommands: weaponCommandsMOHAA,
		ViewAnimations: viewAnimationsAllied,
		CGameTypes:     cgameTypesAllied,
		Configstrings:  configSpansAllied,
	},
	Text: textMOHAA, Match: matchMOHAA(6, 3), View: viewMOHAA(2),
}

// gameSpearhead are its expansions, Spearhead and Breakthrough.
var gameSpearhead = Game{
	Label:  "mohaa",
	Parent: FamilyAllied,
	Names: Names{
		PmFlags:        pmFlagsSpearhead,
		Buttons:        buttonsMOHAA,
		ViewAnimations: viewAnimationsSpearhead,
		CGameTypes:     cgameTypesSpearhead,
		Configstrings:  configSpansSpearhead,
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
