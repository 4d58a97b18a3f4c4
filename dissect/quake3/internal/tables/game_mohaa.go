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
