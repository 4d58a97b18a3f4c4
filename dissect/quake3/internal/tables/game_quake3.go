package tables

import "slices"

// gameBaseQ3 is Quake III Arena, protocols 48 to 71.
var gameBaseQ3 = Game{
	Modules: []string{"baseq3"}, Bare: "Q3 1.", Early: familyDM3,
	Names: Names{
		EntityTypes:   entityTypesQ3,
		Events:        eventsQ3,
		Weapons:       weaponsQ3,
		MeansOfDeath:  meansOfDeathQ3,
		Items:         itemsMissionPack, // later builds have all of them in every game
		Powerups:      powerupsQ3,
		Stats:         statsQ3,
		Persistant:    persistantQ3,
		PmTypes:       pmTypesQ3,
		PmFlags:       pmFlagsQ3,
		EFlags:        eFlagsQ3,
		Animations:    animationsQ3,
		WeaponStates:  weaponStatesQ3,
		Gametypes:     gametypesQ3,
		Teams:         teamsQ3,
		TeamSounds:    globalTeamSoundsQ3, // 43 has no such event
		Configstrings: configSpansQ3,
	},
	PlayerEvent: 1 << 4,
}

// gameMissionPack is Team Arena. Its module calls itself baseq3 in the sources of 1.32; its directory is missionpack.
var gameMissionPack = Game{
	Modules: []string{"missionpack"}, Parent: familyBaseQ3,
	Names: Names{
		Weapons:       weaponsMissionPack,
		MeansOfDeath:  meansOfDeathMissionPack,
		Stats:         statsMissionPack,
		EFlags:        eFlagsMissionPack,
		Configstrings: configSpansQ3,
	},
	PlayerEvent: 1 << 4,
}

// gameDM3 is Quake III Arena before 1.27, protocol 43.
var gameDM3 = Game{
	Names: Names{
		// No "team". Source: EntityTypes_3, UDT_DLL/src/look_up_tables.cpp of uberdemotools.
		EntityTypes:  entityTypesQ3[:12],
		Events:       eventsDM3,
		Weapons:      weaponsQ3,      // Weapons_3_68, UDT_DLL/src/look_up_tables.cpp of uberdemotools
		MeansOfDeath: meansOfDeathQ3, // MeansOfDeath_3_68, UDT_DLL/src/look_up_tables.cpp of uberdemotools
		Items:        itemsQ3,
		Powerups:     powerupsQ3[:9], // PowerUps_3_90, UDT_DLL/src/look_up_tables.cpp of uberdemotools
		Stats:        statsQ3,        // LifeStats_3_68, UDT_DLL/src/look_up_tables.cpp of uberdemotools
		// Source: PersStats_3, UDT_DLL/src/look_up_tables.cpp of uberdemotools.
		Persistant: []string{
			0: "score", 1: "hits", 2: "rank", 3: "team", 4: "spawn_count", 7: "attacker", 8: "killed",
			9: "impressive_count", 10: "excellent_count", 11: "gauntlet_frag_count",
		},
		PmTypes: pmTypesQ3,      // uberdemotools converts 43 to 68 without touching it
		PmFlags: pmFlagsQ3[:14], // uberdemotools converts 43 to 68 without touching them; the last is Team Arena's
		// Source: EntityFlagBits_3, UDT_DLL/src/look_up_tables.cpp of uberdemotools; bit 5 is set on missiles and
		// dropped items of a recording, as it is in every later protocol.
		EFlags: []string{
			0: "dead", 2: "teleport_bit", 3: "award_excellent", 5: "bounce_half", 6: "award_gauntlet", 7: "nodraw",
			8: "firing", 11: "award_cap", 12: "talk", 13: "connection", 14: "voted", 15: "award_impressive",
		},
		Animations:   animationsQ3[:25], // without Team Arena's; a recording has none above 23
		WeaponStates: weaponStatesQ3,    // uberdemotools converts 43 to 68 without touching it
		// Source: GameTypes_3, UDT_DLL/src/look_up_tables.cpp of uberdemotools.
		Gametypes: []string{0: "ffa", 1: "tournament", 3: "team", 4: "ctf"},
		Teams:     teamsQ3, // Teams, UDT_DLL/src/look_up_tables.cpp of uberdemotools, holds in every protocol
		// MAX_CLIENTS is 128. Source: ConvertConfigStringIndex3to68, UDT_DLL/src/protocol_conversion.cpp of
		// uberdemotools.
		Configstrings: slices.Concat(configSpansCommon, []configSpan{
			{12, 12, "game_version"},
			{13, 13, "level_start_time"},
			{14, 14, "intermission"},
			{15, 15, "flagstatus"},
			{27, 27, "items"},
			{32, 287, "models"},
			{288, 543, "sounds"},
			{544, 671, "players"},
			{672, 735, "locations"},
		}),
	},
	PlayerEvent: 1 << 4,
}
