package names

import "slices"

// Names of configstrings by index. Where mods put their own strings above the game's is known only for the
// indices listed; 0 and 1 are the engine's and added to every family.

// ConfigSpansCommon come first in every game.
var ConfigSpansCommon = []ConfigSpan{
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

// ConfigSpansMods are those of the game that its mods keep.
//
// Source: CS_*, code/game/bg_public.h, with MAX_MODELS, MAX_SOUNDS, MAX_CLIENTS and MAX_LOCATIONS of code/qcommon/q_shared.h.
var ConfigSpansMods = slices.Concat(ConfigSpansCommon, []ConfigSpan{
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

// ConfigSpansQ3 are those of the game. The few recordings of protocol 48 that declare 43 in serverinfo have 128
// players, as protocol 43 has; they cannot be distinguished.
var ConfigSpansQ3 = slices.Concat(ConfigSpansMods, []ConfigSpan{{672, 735, "particles"}})

// ConfigSpansQuakeLive hold in all three protocols. 17 to 656 lie as in the game, 15 lower: the first sound of
// recordings is 274, the first location 593.
//
// Source: ConfigStringIndices_73_90 and _91, UDT_DLL/src/look_up_tables.cpp of uberdemotools; 661 to 665: CS_*,
// code/game/bg_public.h of wolfcamql.
var ConfigSpansQuakeLive = slices.Concat(ConfigSpansCommon, []ConfigSpan{
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

// ConfigSpansQuakeLive73 leave out what moved by one within protocol 73, at the turn of 2011.
var ConfigSpansQuakeLive73 = slices.Concat(ConfigSpansQuakeLive, []ConfigSpan{
	{679, 679, "author"},
	{680, 680, "author2"},
	{681, 681, "advert_delay"},
	{682, 682, "pmoveinfo"},
	{693, 693, "red_team_clan_name"},
	{694, 694, "blue_team_clan_name"},
	{695, 695, "red_team_clan_tag"},
	{696, 696, "blue_team_clan_tag"},
})
