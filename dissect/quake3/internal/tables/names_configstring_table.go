package tables

import "slices"

// Names of configstrings by index. Where mods put their own strings above the game's is known only for the
// indices listed; 0 and 1 are the engine's and added to every family.

// configSpansCommon come first in every game.
var configSpansCommon = []configSpan{
	{2, 2, "music"},
	{3, 3, "message"},
	{4, 4, "motd"},
	{5, 5, "warmup"},
	{6, 6, "scores1"},
	{7, 7, "scores2"},
	{8, 8, "vote_time"},
	{9, 9, "vote_string"},
	{10, 10, "vote_yes"},
	{11, 11, "vote_no"},
}

// configSpansMods are those of the game that its mods keep.
//
// Source: CS_*, code/game/bg_public.h, with MAX_MODELS, MAX_SOUNDS, MAX_CLIENTS and MAX_LOCATIONS of code/qcommon/q_shared.h.
var configSpansMods = slices.Concat(configSpansCommon, []configSpan{
	{12, 13, "teamvote_time"},
	{14, 15, "teamvote_string"},
	{16, 17, "teamvote_yes"},
	{18, 19, "teamvote_no"},
	{20, 20, "game_version"},
	{21, 21, "level_start_time"},
	{22, 22, "intermission"},
	{23, 23, "flagstatus"},
	{24, 24, "shaderstate"},
	{25, 25, "botinfo"},
	{27, 27, "items"},
	{32, 287, "models"},
	{288, 543, "sounds"},
	{544, 607, "players"},
	{608, 671, "locations"},
})

// configSpansQ3 are those of the game. The few recordings of protocol 48 that declare 43 in serverinfo have 128
// players, as protocol 43 has; they cannot be distinguished.
var configSpansQ3 = slices.Concat(configSpansMods, []configSpan{{672, 735, "particles"}})

// configSpansQuakeLive hold in all three protocols. 17 to 656 lie as in the game, 15 lower: the first sound of
// recordings is 274, the first location 593.
//
// Source: ConfigStringIndices_73_90 and _91, UDT_DLL/src/look_up_tables.cpp of uberdemotools; 661 to 665: CS_*,
// code/game/bg_public.h of wolfcamql.
var configSpansQuakeLive = slices.Concat(configSpansCommon, []configSpan{
	{12, 12, "game_version"},
	{13, 13, "level_start_time"},
	{14, 14, "intermission"},
	{15, 15, "items"},
	{17, 272, "models"},
	{273, 528, "sounds"},
	{529, 592, "players"},
	{593, 656, "locations"},
	{658, 658, "flagstatus"},
	{659, 659, "first_place_player_name"},
	{660, 660, "second_place_player_name"},
	{661, 661, "round_status"},
	{662, 662, "round_time"},
	{663, 663, "red_players_left"},
	{664, 664, "blue_players_left"},
	{665, 665, "shaderstate"},
	{669, 669, "pause_start"},
	{670, 670, "pause_end"},
	{671, 671, "red_timeouts_left"},
	{672, 672, "blue_timeouts_left"},
})

// configSpansQuakeLive73 leave out what moved by one within protocol 73, at the turn of 2011.
var configSpansQuakeLive73 = slices.Concat(configSpansQuakeLive, []configSpan{
	{679, 679, "author"},
	{680, 680, "author2"},
	{681, 681, "advert_delay"},
	{682, 682, "pmoveinfo"},
	{693, 693, "red_team_clan_name"},
	{694, 694, "blue_team_clan_name"},
	{695, 695, "red_team_clan_tag"},
	{696, 696, "blue_team_clan_tag"},
})

var configSpans = [NumFamilies][]configSpan{
	FamilyRTCW:        configSpansRTCW,
	FamilyET:          configSpansET,
	FamilyOutcast:     configSpansOutcast,
	FamilyAcademy:     configSpansAcademy,
	familyBaseQ3:      configSpansQ3,
	familyMissionPack: configSpansQ3,
	// In captures of 0.8.8: 2 to 11, 20, 21, 23, 27, sounds from 289, players from 544, locations from 608. The rest:
	// OpenArena's code/game/bg_public.h.
	FamilyOpenArena: configSpansQ3,
	// Source: uberdemotools. Both mods use what is particles in the game for their own.
	FamilyCPMA: slices.Concat(configSpansMods, []configSpan{{672, 672, "game_info"}, {710, 710, "round_info"}}),
	FamilyOSP:  slices.Concat(configSpansMods, []configSpan{{806, 806, "gameplay"}}),
	// MAX_CLIENTS is 128. Source: ConvertConfigStringIndex3to68, UDT_DLL/src/protocol_conversion.cpp of uberdemotools.
	familyDM3: slices.Concat(configSpansCommon, []configSpan{
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
	FamilyQuakeLive73: configSpansQuakeLive73,
	// Source: the second set of CS_*, code/game/bg_public.h of wolfcamql, as a recording has them.
	familyQuakeLive90: slices.Concat(configSpansQuakeLive73, []configSpan{
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
	// Source: CS91_*, code/game/bg_public.h of wolfcamql, as a recording has them.
	FamilyQuakeLive91: slices.Concat(configSpansQuakeLive, []configSpan{
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
}
