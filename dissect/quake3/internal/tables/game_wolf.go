package tables

import "github.com/q3dissect/q3dissect/dissect/quake3/internal/tables/names"

// gameRTCW is Return to Castle Wolfenstein.
var gameRTCW = Game{
	Label: "rtcw",
	Names: Names{
		EntityTypes:   names.EntityTypesRTCW,
		Events:        names.EventsRTCW,
		Weapons:       names.WeaponsRTCW,
		MeansOfDeath:  names.MeansOfDeathRTCW,
		Powerups:      names.PowerupsRTCW,
		Stats:         names.StatsRTCW,
		Persistant:    names.PersistantRTCW,
		PmTypes:       names.PmTypesRTCW,
		PmFlags:       names.PmFlagsRTCW,
		EFlags:        names.EFlagsRTCW,
		WeaponStates:  names.WeaponStatesRTCW,
		PlayerClasses: []string{"soldier", "medic", "engineer", "lieutenant"},
		Gametypes:     names.GametypesRTCW,
		Teams:         names.TeamsRTCW,
		TrTypes:       names.TrTypesRTCW,
		Buttons:       names.ButtonsRTCW,
		Holdables:     names.HoldablesRTCW,
		Wbuttons:      names.WbuttonsRTCW,
		AIStates:      names.AiStatesRTCW,
		Hints:         names.HintsRTCW,
		AIChars:       names.AiCharsRTCW,
		AnimMoveTypes: names.AnimMoveTypesRTCW,
		Configstrings: names.ConfigSpansRTCW,
	},
	Text:  Text{Chat: ChatMarked, Marks: true},
	Match: Match{Objectives: "wolf", Scores: scoresRTCW},
}

// gameET is Wolfenstein: Enemy Territory.
var gameET = Game{
	Label: "et",
	Names: Names{
		EntityTypes:    names.EntityTypesET,
		Events:         names.EventsET,
		Weapons:        names.WeaponsET,
		MeansOfDeath:   names.MeansOfDeathET,
		Items:          names.ItemsET,
		Powerups:       names.PowerupsET,
		Stats:          names.StatsET,
		Persistant:     names.PersistantET,
		PmTypes:        names.PmTypesET,
		PmFlags:        names.PmFlagsET,
		EFlags:         names.EFlagsET,
		WeaponStates:   names.WeaponStatesET,
		PlayerClasses:  []string{"soldier", "medic", "engineer", "fieldops", "covertops"},
		Skills:         names.SkillsET,
		Gametypes:      names.GametypesET,
		Teams:          names.TeamsET,
		TrTypes:        names.TrTypesET,
		Buttons:        names.ButtonsET,
		Wbuttons:       names.WbuttonsET,
		DoubleTaps:     names.DoubleTapsET,
		AIStates:       names.AiStatesET,
		Hints:          names.HintsET,
		AnimMoveTypes:  names.AnimMoveTypesET,
		DownloadBlocks: []string{"www_download"},
		Configstrings:  names.ConfigSpansET,
	},
	Text:  Text{Chat: ChatClient, Marks: true, Popups: true, ClassKey: "c", SkillKey: "s"},
	Match: Match{Objectives: "wolf", Scores: scoresET},
}
