package tables

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables/names"
)

// SteamName and SteamFolder are of the game whose servers answer Steam's queries, as the answers have them.
const (
	SteamName   = "Quake Live"
	SteamFolder = "baseq3"
)

// gameQuakeLive73 is Quake Live of protocol 73. "The same file" is UDT_DLL/src/look_up_tables.cpp of uberdemotools.
var gameQuakeLive73 = Game{
	Air: true,
	Names: Names{
		EntityTypes: names.EntityTypesQ3,
		Events:      names.EventsQuakeLive,
		// Weapons_73p, the same file; weapon_t, quake_common.h of minqlx, adds the bare hands.
		Weapons: names.WithNames(names.WeaponsMissionPack, "heavy_machine_gun", "hands"),
		// MeansOfDeath_73p, the same file; 31 and 33: meansOfDeath_t, code/game/bg_public.h of wolfcamql.
		MeansOfDeath: names.WithNames(names.MeansOfDeathMissionPack,
			"team_switch", "thaw", "lightning_discharge", "heavy_machine_gun", "railgun_headshot"),
		Items: names.ItemsQuakeLive73,
		// Number 0 is no powerup but the protection after a spawn (PW_SPAWNARMOR, quake_common.h of minqlx); a
		// recording (73) has it for up to half a second after every spawn of the player.
		Powerups: names.WithNames(names.WithName(names.PowerupsQ3[:10], 0, "spawnarmor"), names.PowerupsQuakeLiveNew...),
		// LifeStats_73p, the same file as above, has 0, 1, 3, 4 and 7; the others: statIndex_t, quake_common.h of
		// minqlx.
		Stats: []string{
			"health", "holdable_item", "rune", "weapons", "armor", "bskill", "clients_ready", "max_health", "spinup",
			"flight_thrust", "max_flight_fuel", "cur_flight_fuel", "flight_refuel", "quadkills", "armortype", "key",
		},
		// 15 counts the player's frags in recordings (73, 90), one by one with the score of team deathmatch.
		Persistant:   names.WithNames(names.PersistantQuakeLive, "attackee_armor", "frags"),
		PmTypes:      names.PmTypesQ3[:6],
		PmFlags:      names.PmFlagsQ3,
		EFlags:       names.EFlagsMissionPack, // EntityFlagBits_66_90, as above; wolfcamql's code/game/bg_public.h
		Animations:   names.AnimationsQ3,      // animNumber_t of wolfcamql; recordings (73, 91) have 32 and 33
		WeaponStates: names.WeaponStatesQ3,    // weaponstate_t, quake_common.h of minqlx
		// Source: GameTypes_73p, the same file; but 11 is Attack & Defend, "ad" to players and in lists of servers,
		// where that file has CTFS, its name in CPMA.
		Gametypes: []string{
			"ffa", "tournament", "race", "team", "ca", "ctf", "1fctf", "obelisk", "harvester", "ft", "domination", "ad",
			"red_rover",
		},
		Teams: names.TeamsQ3,
		// Source: global_team_sound_t, code/game/bg_public.h of wolfcamql; by uberdemotools, 73 to 91 are the
		// same.
		TeamSounds: names.WithNames(names.GlobalTeamSoundsQ3,
			"red_wins", "blue_wins", "red_wins_round", "blue_wins_round", "round_draw", "last_standing", "round_over", // 14
			"denied", "enemy_team_killed", "domination_point_capture", // 21
		),
		Configstrings: names.ConfigSpansQuakeLive73,
	},
	Text:        Text{ClientDigits: true},
	Match:       Match{Scores: scoresQuakeLive73, IndexedStats: true},
	PlayerEvent: 1 << 4,
}

// gameQuakeLive90 is Quake Live of protocol 90.
var gameQuakeLive90 = Game{
	Air:    true,
	Parent: FamilyQuakeLive73,
	Names: Names{
		// Source: idItem90 and idItem91, uberdemotools. The keys are 91's.
		Items: names.WithNames(names.ItemsQuakeLive73,
			"item_spawn_armor", "weapon_hmg", "ammo_hmg", "ammo_pack", "item_key_silver", "item_key_gold", "item_key_master", // 53
		),
		// Source: the second set of CS_*, code/game/bg_public.h of wolfcamql, as a recording has them.
		Configstrings: slices.Concat(names.ConfigSpansQuakeLive73, []names.ConfigSpan{
			{First: 683, Last: 683, Name: "armorinfo"},
			{First: 684, Last: 684, Name: "weaponinfo"},
			{First: 685, Last: 685, Name: "playerinfo"},
			{First: 686, Last: 686, Name: "clientnum1stplayer"},
			{First: 687, Last: 687, Name: "clientnum2ndplayer"},
			{First: 688, Last: 688, Name: "score1stplayer"},
			{First: 689, Last: 689, Name: "score2ndplayer"},
			{First: 691, Last: 691, Name: "most_damagedealt_plyr"},
			{First: 692, Last: 692, Name: "most_accurate_plyr"},
			{First: 697, Last: 697, Name: "best_itemcontrol_plyr"},
			{First: 699, Last: 699, Name: "most_valuable_offensive_plyr"},
			{First: 700, Last: 700, Name: "most_valuable_defensive_plyr"},
			{First: 701, Last: 701, Name: "most_valuable_plyr"},
			{First: 705, Last: 705, Name: "round_winner"},
			{First: 706, Last: 706, Name: "custom_settings"},
			{First: 707, Last: 707, Name: "rotationmaps"},
			{First: 708, Last: 708, Name: "rotationvotes"},
			{First: 709, Last: 709, Name: "disable_vote_ui"},
			{First: 710, Last: 710, Name: "allready_time"},
		}),
	},
	Text:        Text{ClientDigits: true},
	Match:       Match{Scores: scoresQuakeLive90, IndexedStats: true},
	PlayerEvent: 1 << 4,
}

// gameQuakeLive91 is Quake Live of protocol 91.
var gameQuakeLive91 = Game{
	Air:    true,
	Parent: familyQuakeLive90,
	Names: Names{
		// The flags moved to the front: powerup_t, quake_common.h of minqlx, powerupQldm91_t of wolfcamql and
		// ConvertPowerUpIndex73or90to91 of uberdemotools agree. PowerUps_91 of the latter is one too high throughout.
		Powerups: names.WithNames([]string{
			"spawnarmor", "redflag", "blueflag", "neutralflag", "quad", "battlesuit", "haste", "invis", "regen", "flight",
		}, names.PowerupsQuakeLiveNew...),
		// Source: comment on the conversion of persistant, UDT_DLL/src/protocol_conversion.cpp of uberdemotools, which
		// its own PersStats_73p forgets; 14 goes with the score in a recording of a duel.
		Persistant: names.WithNames(names.PersistantQuakeLive, "frags", "xp"),
		PmTypes:    names.WithNames(names.PmTypesQ3[:6], "tutorial"), // pmtype_t, quake_common.h of minqlx
		// Source: ConvertPMoveIndex73or90to91, UDT_DLL/src/protocol_conversion.cpp of uberdemotools.
		PmFlags: names.WithName(names.WithName(names.WithName(names.PmFlagsQ3, 7, "time_waterjump"), 8, ""), 13, ""),
		// Source: EntityFlagBits_91, as above.
		EFlags: names.WithName(names.EFlagsMissionPack, 14, "global_spectator")[:19],
		// Source: CS91_*, code/game/bg_public.h of wolfcamql, as a recording has them.
		Configstrings: slices.Concat(names.ConfigSpansQuakeLive, []names.ConfigSpan{
			{First: 666, Last: 666, Name: "nextmap"},
			{First: 667, Last: 667, Name: "practice"},
			{First: 668, Last: 668, Name: "freecam"},
			{First: 673, Last: 673, Name: "model_override"},
			{First: 674, Last: 674, Name: "player_cylinders"},
			{First: 675, Last: 675, Name: "debugflags"},
			{First: 676, Last: 676, Name: "enablebreath"},
			{First: 677, Last: 677, Name: "dmgthroughdepth"},
			{First: 678, Last: 678, Name: "author"},
			{First: 679, Last: 679, Name: "author2"},
			{First: 680, Last: 680, Name: "advert_delay"},
			{First: 681, Last: 681, Name: "pmoveinfo"},
			{First: 682, Last: 682, Name: "armorinfo"},
			{First: 683, Last: 683, Name: "weaponinfo"},
			{First: 684, Last: 684, Name: "playerinfo"},
			{First: 685, Last: 685, Name: "score1stplayer"},
			{First: 686, Last: 686, Name: "score2ndplayer"},
			{First: 687, Last: 687, Name: "clientnum1stplayer"},
			{First: 688, Last: 688, Name: "clientnum2ndplayer"},
			{First: 689, Last: 689, Name: "name1stplayer"},
			{First: 690, Last: 690, Name: "name2ndplayer"},
			{First: 691, Last: 691, Name: "atmoseffect"},
			{First: 692, Last: 692, Name: "most_damagedealt_plyr"},
			{First: 693, Last: 693, Name: "most_accurate_plyr"},
			{First: 694, Last: 694, Name: "redteambase"},
			{First: 695, Last: 695, Name: "blueteambase"},
			{First: 696, Last: 696, Name: "best_itemcontrol_plyr"},
			{First: 697, Last: 697, Name: "most_valuable_offensive_plyr"},
			{First: 698, Last: 698, Name: "most_valuable_defensive_plyr"},
			{First: 699, Last: 699, Name: "most_valuable_plyr"},
			{First: 700, Last: 700, Name: "generic_count_red"},
			{First: 701, Last: 701, Name: "generic_count_blue"},
			{First: 702, Last: 702, Name: "ad_scores"},
			{First: 703, Last: 703, Name: "round_winner"},
			{First: 704, Last: 704, Name: "custom_settings"},
			{First: 705, Last: 705, Name: "rotationmaps"},
			{First: 706, Last: 706, Name: "rotationvotes"},
			{First: 707, Last: 707, Name: "disable_vote_ui"},
			{First: 708, Last: 708, Name: "allready_time"},
			{First: 709, Last: 709, Name: "infected_survivor_minspeed"},
			{First: 710, Last: 710, Name: "race_points"},
			{First: 711, Last: 711, Name: "disable_loadout"},
			{First: 712, Last: 712, Name: "match_guid"},
			{First: 713, Last: 713, Name: "starting_weapons"},
			{First: 714, Last: 714, Name: "steam_id"},
			{First: 715, Last: 715, Name: "steam_workshop_ids"},
		}),
	},
	Text:        Text{ClientDigits: true},
	Match:       Match{Scores: scoresQuakeLive91, IndexedStats: true},
	PlayerEvent: 1 << 4,
}
