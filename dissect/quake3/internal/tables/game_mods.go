package tables

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables/names"
)

// gameCPMA is Challenge ProMode Arena.
var gameCPMA = Game{
	Air:     true,
	Modules: []string{"cpma"}, Parent: familyBaseQ3,
	Names: Names{
		Events:     names.EventsCPMA,
		Persistant: names.PersistantDamage,
		// Source: bg_itemlistCpma of wolfcamql; the jacket is an item of recordings of CPMA 1.48.
		Items: names.WithNames(names.ItemsQ3, "item_armor_jacket", "item_backpack", "team_ctf_neutralflag"),
		// Source: uberdemotools. Hoony mode is -1 and has no place in a table.
		Gametypes: []string{"ffa", "tournament", "single_player", "team", "ctf", "ca", "ft", "ctfs", "ntf", "two_vs_two"},
		// Source: uberdemotools. Both mods use what is particles in the game for their own.
		Configstrings: slices.Concat(names.ConfigSpansMods, []names.ConfigSpan{
			{First: 672, Last: 672, Name: "game_info"},
			{First: 710, Last: 710, Name: "round_info"},
		}),
	},
	Text: Text{LongColours: true, PlaceNumbers: true},
	Match: Match{
		CountsToPlay: true, OwnClock: true, Rounds: []string{"ca", "ctfs"},
		Scores: scoresCPMA, WeaponStats: []string{"mstats", "xstats2"},
	},
	PlayerEvent: 1 << 4,
}

// gameDefrag is DeFRaG. Its numbers are not public; the players are where Quake III has them.
//
// Source: Q3Const.cs of DemoCleaner3.
var gameDefrag = Game{
	Air:     true,
	Modules: []string{"defrag"},
	Names: Names{Configstrings: slices.Concat(names.ConfigSpansCommon, []names.ConfigSpan{
		{First: 544, Last: 544 + 63, Name: "players"},
	})},
	Match: Match{Timer: true},
}

// gameOSP is OSP. Before protocol 48 it has the numbers of the game, as its recordings show. Item 36 is the jacket, as in
// CPMA: in a recording of OSP 1.03a on a map for both it comes back after 25 seconds, and each of eight adds 25 to the
// armor of the player who is seen.
var gameOSP = Game{
	Air:     true,
	Modules: []string{"osp"}, Parent: familyBaseQ3, Early: familyDM3,
	Names: Names{
		Items:         names.WithNames(names.ItemsQ3, "item_armor_jacket"),
		Persistant:    names.PersistantDamage,
		Configstrings: slices.Concat(names.ConfigSpansMods, []names.ConfigSpan{{First: 806, Last: 806, Name: "gameplay"}}),
	},
	Text:        Text{LongColours: true},
	Match:       Match{CountsToPlay: true, LevelPauses: true, Arsenal: "xstats1"},
	PlayerEvent: 1 << 4,
}

// gameOpenArena43 is OpenArena 0.8.8 on an engine that speaks protocol 43, which gives its events the numbers of
// that time: in captures of ioQuake3-PS4's server, obituaries are 70 (12 + 58) and carry the victims and means of death
// of the server's log.
var gameOpenArena43 = Game{
	Air: true, Parent: FamilyOpenArena,
	Names: Names{
		EntityTypes: names.EntityTypesQ3[:12], Events: names.EventsDM3,
		Configstrings: names.ConfigSpansQ3,
	},
	Match:       Match{FreeSuicides: true},
	PlayerEvent: 1 << 4,
}

// gameOpenArena is OpenArena 0.8.8.
var gameOpenArena = Game{
	Air:     true,
	Modules: []string{"baseoa"}, Parent: familyMissionPack, Early: familyOpenArena43,
	Shots: &shotsOpenArena,
	Names: Names{
		// In captures of 0.8.8: entities of type 13+60 have victim, attacker and means of death of lines "Kill" of the
		// server's log (78 of 78), 19 and 20 the items of lines "Item", 47 comes with flags taken and captured (lines
		// "CTF"). Others seen: 1, 6 to 11, 13 to 15, 17, 21 to 23, 40, 42 to 46, 48 to 54, 56 to 59, 64, 65, 76. The
		// rest: entity_event_t, code/game/bg_public.h of OpenArena's sources of that release, Team Arena's list.
		Events: names.EventsQ3,
		// In captures of 0.8.8: the pick-up of a weapon sets the bit of its number in the player's stat 3 (3 to 8), and
		// only who has picked a nailgun up, by the server's log, ever holds 11. The rest: weapon_t of OpenArena's
		// code/game/bg_public.h.
		Weapons: names.WeaponsMissionPack,
		// The server's log of captures of 0.8.8 gives name and number of 1, 3 to 8, 10, 11, 16, 20 and 23 (MOD_NAIL,
		// where the game without Team Arena has the grapple), and the obituaries carry the same numbers. The rest:
		// meansOfDeath_t of OpenArena's code/game/bg_public.h.
		MeansOfDeath: names.MeansOfDeathMissionPack,
		// The server's log of captures of 0.8.8 names what players pick up, in the order of the pick-up events'
		// parameters: 1 to 5, 7, 9, 11 to 15, 18 to 24, 34, 35, 39 and 49. Configstring "items" has 61 digits, as
		// many as bg_itemlist of OpenArena's code/game/bg_misc.c, which adds its own after Team Arena's.
		Items: names.WithNames(names.ItemsMissionPack,
			"team_dd_pointablue", "team_dd_pointbblue", "team_dd_pointared", "team_dd_pointbred", // 52
			"team_dd_pointawhite", "team_dd_pointbwhite", // 56
			"team_dom_pointwhite", "team_dom_pointred", "team_dom_pointblue", // 58
		),
		// Captures of 0.8.8 have elements 7 and 8 while the player carries the red and the blue flag, by the server's
		// log. The rest: powerup_t of OpenArena's code/game/bg_public.h.
		Powerups: names.PowerupsQ3,
		// In captures of 0.8.8 element 3 gains the bit of a weapon with its pick-up, 4 rises with armor, 5 is the yaw
		// of the dead, 7 the handicap, as in the userinfo (100, 90, 70). Builds after 0.8.8 put
		// STAT_PERSISTANT_POWERUP last.
		Stats: names.StatsMissionPack,
		// Seen in captures of 0.8.8, against the server's log: 0, 2 (with the bit for a tie), 3, 4, 6 (1022 is
		// the world), 7 (health and armor, a byte each), 8, and 9, 11, 14 with its awards. The rest: persEnum_t of
		// OpenArena's code/game/bg_public.h.
		Persistant: names.PersistantQ3,
		// 0, 2 and 3 in captures of 0.8.8 with playing, spectating and dead clients; pmtype_t of OpenArena's
		// bg_public.h.
		PmTypes: names.PmTypesQ3,
		// Seen in captures of 0.8.8: 0, 1, 3 to 6, 9, and 12 while following. The rest: OpenArena's
		// code/game/bg_public.h, where clients that wait for a round to begin have bit 15.
		PmFlags: names.WithNames(names.PmFlagsQ3, "elimwarmup"),
		// Seen in captures of 0.8.8: 0 on the dead, 2, 4 on events of players, 5 on missiles and dropped items, 8
		// with shots, 14 after votes, 3, 11, 15 and 16 (awards, as in the server's log), 12, 13. The rest:
		// OpenArena's code/game/bg_public.h.
		EFlags: names.EFlagsMissionPack,
		// Seen in captures of 0.8.8: 0 to 5 on the dead and on both halves of the body, 6, 7, 9 to 22, 13 while
		// ducked, and 32 while ducked and going back. The rest: animNumber_t of OpenArena's code/game/bg_public.h of
		// that release; later builds have more from 31 on.
		Animations:   names.AnimationsQ3,
		WeaponStates: names.WeaponStatesQ3, // in captures of 0.8.8: 1 torso_raise, 2 torso_drop, 3 torso_attack
		// Captures of 0.8.8 are of 0, 3 and 4, and its servers offer 0, 1 and 3 to 12 to votes. The names: gametype_t
		// of OpenArena's code/game/bg_public.h of that release.
		Gametypes: names.WithNames(names.GametypesQ3, "elimination", "ctf_elimination", "lms", "double_d", "domination"),
		Teams:     names.TeamsQ3, // in captures of 0.8.8: persistant 3 and key t of players, against the log's flags
		// In a capture of 0.8.8 with flags: 4 and 5 when the log has one taken, 0 and 1 captured, with 10 and 12 as the
		// score changes. The rest: global_team_sound_t of OpenArena's code/game/bg_public.h.
		TeamSounds: names.GlobalTeamSoundsQ3,
		// In captures of 0.8.8: 2 to 11, 20, 21, 23, 27, sounds from 289, players from 544, locations from 608. The
		// rest: OpenArena's code/game/bg_public.h.
		Configstrings: names.ConfigSpansQ3,
	},
	Match:       Match{FreeSuicides: true},
	PlayerEvent: 1 << 4,
}
