package tables

import "slices"

// gameQuakeLive73 is Quake Live of protocol 73. "The same file" is UDT_DLL/src/look_up_tables.cpp of uberdemotools.
var gameQuakeLive73 = Game{
	Names: Names{
		EntityTypes: entityTypesQ3,
		Events:      eventsQuakeLive,
		// Weapons_73p, the same file; weapon_t, quake_common.h of minqlx, adds the bare hands.
		Weapons: withNames(weaponsMissionPack, "heavy_machine_gun", "hands"),
		// MeansOfDeath_73p, the same file; 31 and 33: meansOfDeath_t, code/game/bg_public.h of wolfcamql.
		MeansOfDeath: withNames(meansOfDeathMissionPack,
			"team_switch", "thaw", "lightning_discharge", "heavy_machine_gun", "railgun_headshot"),
		Items: itemsQuakeLive73,
		// Number 0 is no powerup but the protection after a spawn (PW_SPAWNARMOR, quake_common.h of minqlx); a
		// recording (73) has it for up to half a second after every spawn of the player.
		Powerups: withNames(withName(powerupsQ3[:10], 0, "spawnarmor"), powerupsQuakeLiveNew...),
		// LifeStats_73p, the same file as above, has 0, 1, 3, 4 and 7; the others: statIndex_t, quake_common.h of
		// minqlx.
		Stats: []string{
			"health", "holdable_item", "rune", "weapons", "armor", "bskill", "clients_ready", "max_health", "spinup",
			"flight_thrust", "max_flight_fuel", "cur_flight_fuel", "flight_refuel", "quadkills", "armortype", "key",
		},
		// 15 counts the player's frags in recordings (73, 90), one by one with the score of team deathmatch.
		Persistant:   withNames(persistantQuakeLive, "attackee_armor", "frags"),
		PmTypes:      pmTypesQ3[:6],
		PmFlags:      pmFlagsQ3,
		EFlags:       eFlagsMissionPack, // EntityFlagBits_66_90, as above; wolfcamql's code/game/bg_public.h
		Animations:   animationsQ3,      // animNumber_t of wolfcamql; recordings (73, 91) have 32 and 33
		WeaponStates: weaponStatesQ3,    // weaponstate_t, quake_common.h of minqlx
		// Source: GameTypes_73p, the same file; but 11 is Attack & Defend, "ad" to players and in lists of servers,
		// where that file has CTFS, its name in CPMA.
		Gametypes: []string{
			"ffa", "tournament", "race", "team", "ca", "ctf", "1fctf", "obelisk", "harvester", "ft", "domination", "ad",
			"red_rover",
		},
		Teams: teamsQ3,
		// Source: global_team_sound_t, code/game/bg_public.h of wolfcamql; uberdemotools says that 73 to 91 are the
		// same.
		TeamSounds: withNames(globalTeamSoundsQ3,
			"red_wins", "blue_wins", "red_wins_round", "blue_wins_round", "round_draw", "last_standing", "round_over", // 14
			"denied", "enemy_team_killed", "domination_point_capture", // 21
		),
		Configstrings: configSpansQuakeLive73,
	},
	Text:        Text{ClientDigits: true},
	Match:       Match{Scores: scoresQuakeLive73, IndexedStats: true},
	PlayerEvent: 1 << 4,
}

// gameQuakeLive90 is Quake Live of protocol 90.
var gameQuakeLive90 = Game{
	Parent: FamilyQuakeLive73,
	Names: Names{
		// Source: idItem90 and idItem91, uberdemotools. The keys are 91's.
		Items: withNames(itemsQuakeLive73,
			"item_spawn_armor", "weapon_hmg", "ammo_hmg", "ammo_pack", "item_key_silver", "item_key_gold", "item_key_master", // 53
		),
		// Source: the second set of CS_*, code/game/bg_public.h of wolfcamql, as a recording has them.
		Configstrings: slices.Concat(configSpansQuakeLive73, []configSpan{
			{683, 683, "armorinfo"},
			{684, 684, "weaponinfo"},
			{685, 685, "playerinfo"},
			{686, 686, "clientnum1stplayer"},
			{687, 687, "clientnum2ndplayer"},
			{688, 688, "score1stplayer"},
			{689, 689, "score2ndplayer"},
			{691, 691, "most_damagedealt_plyr"},
			{692, 692, "most_accurate_plyr"},
			{697, 697, "best_itemcontrol_plyr"},
			{699, 699, "most_valuable_offensive_plyr"},
			{700, 700, "most_valuable_defensive_plyr"},
			{701, 701, "most_valuable_plyr"},
			{705, 705, "round_winner"},
			{706, 706, "custom_settings"},
			{707, 707, "rotationmaps"},
			{708, 708, "rotationvotes"},
			{709, 709, "disable_vote_ui"},
			{710, 710, "allready_time"},
		}),
	},
	Text:        Text{ClientDigits: true},
	Match:       Match{Scores: scoresQuakeLive90, IndexedStats: true},
	PlayerEvent: 1 << 4,
}

// gameQuakeLive91 is Quake Live of protocol 91.
var gameQuakeLive91 = Game{
	Parent: familyQuakeLive90,
	Names: Names{
		// The flags moved to the front: powerup_t, quake_common.h of minqlx, powerupQldm91_t of wolfcamql and
		// ConvertPowerUpIndex73or90to91 of uberdemotools agree. PowerUps_91 of the latter is one too high throughout.
		Powerups: withNames([]string{
			"spawnarmor", "redflag", "blueflag", "neutralflag", "quad", "battlesuit", "haste", "invis", "regen", "flight",
		}, powerupsQuakeLiveNew...),
		// Source: comment on the conversion of persistant, UDT_DLL/src/protocol_conversion.cpp of uberdemotools, which
		// its own PersStats_73p forgets; 14 goes with the score in a recording of a duel.
		Persistant: withNames(persistantQuakeLive, "frags", "xp"),
		PmTypes:    withNames(pmTypesQ3[:6], "tutorial"), // pmtype_t, quake_common.h of minqlx
		// Source: ConvertPMoveIndex73or90to91, UDT_DLL/src/protocol_conversion.cpp of uberdemotools.
		PmFlags: withName(withName(withName(pmFlagsQ3, 7, "time_waterjump"), 8, ""), 13, ""),
		// Source: EntityFlagBits_91, as above.
		EFlags: withName(eFlagsMissionPack, 14, "global_spectator")[:19],
		// Source: CS91_*, code/game/bg_public.h of wolfcamql, as a recording has them.
		Configstrings: slices.Concat(configSpansQuakeLive, []configSpan{
			{666, 666, "nextmap"},
			{667, 667, "practice"},
			{668, 668, "freecam"},
			{673, 673, "model_override"},
			{674, 674, "player_cylinders"},
			{675, 675, "debugflags"},
			{676, 676, "enablebreath"},
			{677, 677, "dmgthroughdepth"},
			{678, 678, "author"},
			{679, 679, "author2"},
			{680, 680, "advert_delay"},
			{681, 681, "pmoveinfo"},
			{682, 682, "armorinfo"},
			{683, 683, "weaponinfo"},
			{684, 684, "playerinfo"},
			{685, 685, "score1stplayer"},
			{686, 686, "score2ndplayer"},
			{687, 687, "clientnum1stplayer"},
			{688, 688, "clientnum2ndplayer"},
			{689, 689, "name1stplayer"},
			{690, 690, "name2ndplayer"},
			{691, 691, "atmoseffect"},
			{692, 692, "most_damagedealt_plyr"},
			{693, 693, "most_accurate_plyr"},
			{694, 694, "redteambase"},
			{695, 695, "blueteambase"},
			{696, 696, "best_itemcontrol_plyr"},
			{697, 697, "most_valuable_offensive_plyr"},
			{698, 698, "most_valuable_defensive_plyr"},
			{699, 699, "most_valuable_plyr"},
			{700, 700, "generic_count_red"},
			{701, 701, "generic_count_blue"},
			{702, 702, "ad_scores"},
			{703, 703, "round_winner"},
			{704, 704, "custom_settings"},
			{705, 705, "rotationmaps"},
			{706, 706, "rotationvotes"},
			{707, 707, "disable_vote_ui"},
			{708, 708, "allready_time"},
			{709, 709, "infected_survivor_minspeed"},
			{710, 710, "race_points"},
			{711, 711, "disable_loadout"},
			{712, 712, "match_guid"},
			{713, 713, "starting_weapons"},
			{714, 714, "steam_id"},
			{715, 715, "steam_workshop_ids"},
		}),
	},
	Text:        Text{ClientDigits: true},
	Match:       Match{Scores: scoresQuakeLive91, IndexedStats: true},
	PlayerEvent: 1 << 4,
}
