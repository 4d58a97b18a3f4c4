package tables

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables/names"
)

// gameBaseQ3 is Quake III Arena, protocols 48 to 71.
var gameBaseQ3 = Game{
	Air:     true,
	Modules: []string{"baseq3"}, Bare: "Q3 1.", Early: familyDM3,
	Shots: &shotsQuake3,
	Names: Names{
		EntityTypes:   names.EntityTypesQ3,
		Events:        names.EventsQ3,
		Weapons:       names.WeaponsQ3,
		MeansOfDeath:  names.MeansOfDeathQ3,
		Items:         names.ItemsMissionPack, // later builds have all of them in every game
		Powerups:      names.PowerupsQ3,
		Stats:         names.StatsQ3,
		Persistant:    names.PersistantQ3,
		PmTypes:       names.PmTypesQ3,
		PmFlags:       names.PmFlagsQ3,
		EFlags:        names.EFlagsQ3,
		Animations:    names.AnimationsQ3,
		WeaponStates:  names.WeaponStatesQ3,
		Gametypes:     names.GametypesQ3,
		Teams:         names.TeamsQ3,
		TeamSounds:    names.GlobalTeamSoundsQ3, // 43 has no such event
		Configstrings: names.ConfigSpansQ3,
	},
	PlayerEvent: 1 << 4,
}

// gameMissionPack is Team Arena. Its module calls itself baseq3 in the sources of 1.32; its directory is missionpack.
var gameMissionPack = Game{
	Air:     true,
	Modules: []string{"missionpack"}, Parent: familyBaseQ3,
	Shots: &shotsQuake3,
	Names: Names{
		Weapons:       names.WeaponsMissionPack,
		MeansOfDeath:  names.MeansOfDeathMissionPack,
		Stats:         names.StatsMissionPack,
		EFlags:        names.EFlagsMissionPack,
		Configstrings: names.ConfigSpansQ3,
	},
	PlayerEvent: 1 << 4,
}

// gameDM3 is Quake III Arena before 1.27, protocol 43.
var gameDM3 = Game{
	Air: true,
	Names: Names{
		// No "team". Source: EntityTypes_3, UDT_DLL/src/look_up_tables.cpp of uberdemotools.
		EntityTypes:  names.EntityTypesQ3[:12],
		Events:       names.EventsDM3,
		Weapons:      names.WeaponsQ3,      // Weapons_3_68, UDT_DLL/src/look_up_tables.cpp of uberdemotools
		MeansOfDeath: names.MeansOfDeathQ3, // MeansOfDeath_3_68, UDT_DLL/src/look_up_tables.cpp of uberdemotools
		Items:        names.ItemsQ3,
		Powerups:     names.PowerupsQ3[:9], // PowerUps_3_90, UDT_DLL/src/look_up_tables.cpp of uberdemotools
		Stats:        names.StatsQ3,        // LifeStats_3_68, UDT_DLL/src/look_up_tables.cpp of uberdemotools
		// Source: PersStats_3, UDT_DLL/src/look_up_tables.cpp of uberdemotools.
		Persistant: []string{
			0: "score", 1: "hits", 2: "rank", 3: "team", 4: "spawn_count", 7: "attacker", 8: "killed",
			9: "impressive_count", 10: "excellent_count", 11: "gauntlet_frag_count",
		},
		PmTypes: names.PmTypesQ3,      // uberdemotools converts 43 to 68 without touching it
		PmFlags: names.PmFlagsQ3[:14], // uberdemotools converts 43 to 68 without touching them; the last is Team Arena's
		// Source: EntityFlagBits_3, UDT_DLL/src/look_up_tables.cpp of uberdemotools; bit 5 is set on missiles and
		// dropped items of a recording, as it is in every later protocol.
		EFlags: []string{
			0: "dead", 2: "teleport_bit", 3: "award_excellent", 5: "bounce_half", 6: "award_gauntlet", 7: "nodraw",
			8: "firing", 11: "award_cap", 12: "talk", 13: "connection", 14: "voted", 15: "award_impressive",
		},
		Animations:   names.AnimationsQ3[:25], // without Team Arena's; a recording has none above 23
		WeaponStates: names.WeaponStatesQ3,    // uberdemotools converts 43 to 68 without touching it
		// Source: GameTypes_3, UDT_DLL/src/look_up_tables.cpp of uberdemotools.
		Gametypes: []string{0: "ffa", 1: "tournament", 3: "team", 4: "ctf"},
		Teams:     names.TeamsQ3, // Teams, UDT_DLL/src/look_up_tables.cpp of uberdemotools, holds in every protocol
		// MAX_CLIENTS is 128. Source: ConvertConfigStringIndex3to68, UDT_DLL/src/protocol_conversion.cpp of
		// uberdemotools.
		Configstrings: slices.Concat(names.ConfigSpansCommon, []names.ConfigSpan{
			{First: 12, Last: 12, Name: "game_version"},
			{First: 13, Last: 13, Name: "level_start_time"},
			{First: 14, Last: 14, Name: "intermission"},
			{First: 15, Last: 15, Name: "flagstatus"},
			{First: 27, Last: 27, Name: "items"},
			{First: 32, Last: 287, Name: "models"},
			{First: 288, Last: 543, Name: "sounds"},
			{First: 544, Last: 671, Name: "players"},
			{First: 672, Last: 735, Name: "locations"},
		}),
	},
	PlayerEvent: 1 << 4,
}
