package names

import "slices"

// Configstrings of the games that are made from Quake III.

// Source: CS_*, MP/code/game/bg_public.h and MP/code/qcommon/q_shared.h of iortcw.
var ConfigSpansRTCW = slices.Concat(
	singly(2,
		"music", "message", "motd", "warmup", "scores1", "scores2", "vote_time", "vote_string", "vote_yes", "vote_no",
		"game_version", "level_start_time", "intermission", "multi_info", "multi_mapwinner", "multi_mapdesc",
		"multi_objective1", "multi_objective2", "multi_objective3", "multi_objective4", "multi_objective5",
		"multi_objective6", "multi_obj1_status", "multi_obj2_status", "multi_obj3_status", "multi_obj4_status",
		"multi_obj5_status", "multi_obj6_status", "shaderstate", "items", "screenfade", "fogvars", "skyboxorg",
		"targeteffect", "wolfinfo",
	),
	[]ConfigSpan{
		{64, 319, "models"},
		{320, 575, "sounds"},
		{576, 639, "players"},
		{640, 703, "locations"},
		{704, 831, "particles"},
		{832, 847, "multi_spawntargets"},
		{848, 863, "oid_triggers"},
		{864, 991, "dlights"},
		{992, 1055, "clipboards"},
		{1056, 1119, "splines"},
		{1120, 1151, "tagconnects"},
	},
)

// Source: CS_*, src/game/bg_public.h and src/qcommon/q_shared.h of ET: Legacy.
var ConfigSpansET = slices.Concat(
	singly(2,
		"music", "message", "motd", "warmup", "vote_time", "vote_string", "vote_yes", "vote_no", "game_version",
		"level_start_time", "intermission", "multi_info", "multi_mapwinner", "multi_objective",
	),
	singly(17,
		"screenfade", "fogvars", "skyboxorg", "targeteffect", "wolfinfo", "firstblood", "roundscores1", "roundscores2",
		"main_axis_objective", "main_allies_objective", "music_queue", "script_mover_names", "construction_names",
		"versioninfo", "reinfseeds", "servertoggles", "globalfogvars", "axis_maps_xp", "allied_maps_xp",
		"intermission_start_time", "endgame_stats", "chargetimes", "filtercams", "modinfo", "svcvar", "configname",
		"teamrestrictions", "upgraderange",
	),
	[]ConfigSpan{
		{64, 319, "models"},
		{320, 575, "sounds"},
		{576, 607, "shaders"},
		{608, 608, "shaderstate"},
		{609, 672, "skins"},
		{673, 688, "characters"},
		{689, 752, "players"},
		{753, 768, "multi_spawntargets"},
		{769, 786, "oid_triggers"},
		{787, 804, "oid_data"},
		{805, 820, "dlights"},
		{821, 828, "splines"},
		{829, 892, "tagconnects"},
		{893, 904, "fireteams"},
		{905, 910, "custmotd"},
		{911, 942, "strings"},
	},
)

// Source: CS_*, src/game/bg_public.h and src/qcommon/q_shared.h of jk2mv.
var ConfigSpansOutcast = slices.Concat(
	singly(2,
		"music", "message", "motd", "warmup", "scores1", "scores2", "vote_time", "vote_string", "vote_yes", "vote_no",
	),
	[]ConfigSpan{
		{12, 13, "teamvote_time"},
		{14, 15, "teamvote_string"},
		{16, 17, "teamvote_yes"},
		{18, 19, "teamvote_no"},
	},
	singly(20,
		"game_version", "level_start_time", "intermission", "flagstatus", "shaderstate", "botinfo",
	),
	singly(27,
		"items", "client_jedimaster", "client_duelwinner", "client_duelists",
	),
	[]ConfigSpan{
		{32, 287, "models"},
		{288, 543, "sounds"},
		{544, 575, "players"},
		{576, 639, "charskins"},
		{640, 703, "locations"},
		{704, 767, "particles"},
		{768, 831, "effects"},
		{832, 1023, "light_styles"},
		{1024, 1053, "string_packages"},
	},
)

// Source: CS_*, codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var ConfigSpansAcademy = slices.Concat(
	singly(2,
		"music", "message", "motd", "warmup", "scores1", "scores2", "vote_time", "vote_string", "vote_yes", "vote_no",
	),
	[]ConfigSpan{
		{12, 13, "teamvote_time"},
		{14, 15, "teamvote_string"},
		{16, 17, "teamvote_yes"},
		{18, 19, "teamvote_no"},
	},
	singly(20,
		"game_version", "level_start_time", "intermission", "flagstatus", "shaderstate", "botinfo",
	),
	singly(27,
		"items", "client_jedimaster", "client_duelwinner", "client_duelists", "client_duelhealths", "global_ambient_set",
	),
	[]ConfigSpan{
		{36, 36, "legacy_fixes"},
		{37, 292, "ambient_set"},
	},
	singly(293,
		"siege_state", "siege_objectives", "siege_timeoverride", "siege_winteam", "siege_icons",
	),
	[]ConfigSpan{
		{298, 809, "models"},
		{810, 810, "skyboxorg"},
		{811, 1066, "sounds"},
		{1067, 1130, "icons"},
		{1131, 1162, "players"},
		{1163, 1226, "g2bones"},
		{1227, 1290, "locations"},
		{1291, 1354, "particles"},
		{1355, 1418, "effects"},
		{1419, 1610, "light_styles"},
		{1611, 1611, "terrains"},
		{1612, 1643, "bsp_models"},
	},
)
