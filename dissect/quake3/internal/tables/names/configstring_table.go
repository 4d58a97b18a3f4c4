package names

import "slices"

// Names of configstrings by index. Where mods put their own strings above the game's is known only for the
// indices listed; 0 and 1 are the engine's and added to every family.

// ConfigSpansCommon come first in every game.
var ConfigSpansCommon = singly(2,
	"music", "message", "motd", "warmup", "scores1", "scores2", "vote_time", "vote_string", "vote_yes", "vote_no",
)

// ConfigSpansMods are those of the game that its mods keep.
//
// Source: CS_*, code/game/bg_public.h, with MAX_MODELS, MAX_SOUNDS, MAX_CLIENTS and MAX_LOCATIONS of code/qcommon/q_shared.h.
var ConfigSpansMods = slices.Concat(
	ConfigSpansCommon,
	[]ConfigSpan{
		{12, 13, "teamvote_time"},
		{14, 15, "teamvote_string"},
		{16, 17, "teamvote_yes"},
		{18, 19, "teamvote_no"},
	},
	singly(20,
		"game_version", "level_start_time", "intermission", "flagstatus", "shaderstate", "botinfo",
	),
	[]ConfigSpan{
		{27, 27, "items"},
		{32, 287, "models"},
		{288, 543, "sounds"},
		{544, 607, "players"},
		{608, 671, "locations"},
	},
)

// ConfigSpansQ3 are those of the game. The few recordings of protocol 48 that declare 43 in serverinfo have 128
// players, as protocol 43 has; they cannot be distinguished.
var ConfigSpansQ3 = slices.Concat(ConfigSpansMods, []ConfigSpan{{672, 735, "particles"}})

// ConfigSpansQuakeLive hold in all three protocols. 17 to 656 lie as in the game, 15 lower: the first sound of
// recordings is 274, the first location 593.
//
// Source: ConfigStringIndices_73_90 and _91, UDT_DLL/src/look_up_tables.cpp of uberdemotools; 661 to 665: CS_*,
// code/game/bg_public.h of wolfcamql.
var ConfigSpansQuakeLive = slices.Concat(
	ConfigSpansCommon,
	singly(12,
		"game_version", "level_start_time", "intermission", "items",
	),
	[]ConfigSpan{
		{17, 272, "models"},
		{273, 528, "sounds"},
		{529, 592, "players"},
		{593, 656, "locations"},
	},
	singly(658,
		"flagstatus", "first_place_player_name", "second_place_player_name", "round_status", "round_time",
		"red_players_left", "blue_players_left", "shaderstate",
	),
	singly(669,
		"pause_start", "pause_end", "red_timeouts_left", "blue_timeouts_left",
	),
)

// ConfigSpansQuakeLive73 leave out what moved by one within protocol 73, at the turn of 2011.
var ConfigSpansQuakeLive73 = slices.Concat(
	ConfigSpansQuakeLive,
	singly(679,
		"author", "author2", "advert_delay", "pmoveinfo",
	),
	singly(693,
		"red_team_clan_name", "blue_team_clan_name", "red_team_clan_tag", "blue_team_clan_tag",
	),
)
