package names

// Configstrings of the games that are made from Quake III.

// Source: CS_*, MP/code/game/bg_public.h and MP/code/qcommon/q_shared.h of iortcw.
var ConfigSpansRTCW = []ConfigSpan{
	{2, 2, "music"}, {3, 3, "message"}, {4, 4, "motd"}, {5, 5, "warmup"}, {6, 6, "scores1"}, {7, 7, "scores2"},
	{8, 8, "vote_time"}, {9, 9, "vote_string"}, {10, 10, "vote_yes"}, {11, 11, "vote_no"}, {12, 12, "game_version"},
	{13, 13, "level_start_time"}, {14, 14, "intermission"}, {15, 15, "multi_info"}, {16, 16, "multi_mapwinner"},
	{17, 17, "multi_mapdesc"}, {18, 18, "multi_objective1"}, {19, 19, "multi_objective2"},
	{20, 20, "multi_objective3"}, {21, 21, "multi_objective4"}, {22, 22, "multi_objective5"},
	{23, 23, "multi_objective6"}, {24, 24, "multi_obj1_status"}, {25, 25, "multi_obj2_status"},
	{26, 26, "multi_obj3_status"}, {27, 27, "multi_obj4_status"}, {28, 28, "multi_obj5_status"},
	{29, 29, "multi_obj6_status"}, {30, 30, "shaderstate"}, {31, 31, "items"}, {32, 32, "screenfade"},
	{33, 33, "fogvars"}, {34, 34, "skyboxorg"}, {35, 35, "targeteffect"}, {36, 36, "wolfinfo"}, {64, 319, "models"},
	{320, 575, "sounds"}, {576, 639, "players"}, {640, 703, "locations"}, {704, 831, "particles"},
	{832, 847, "multi_spawntargets"}, {848, 863, "oid_triggers"}, {864, 991, "dlights"}, {992, 1055, "clipboards"},
	{1056, 1119, "splines"}, {1120, 1151, "tagconnects"},
}

// Source: CS_*, src/game/bg_public.h and src/qcommon/q_shared.h of ET: Legacy.
var ConfigSpansET = []ConfigSpan{
	{2, 2, "music"}, {3, 3, "message"}, {4, 4, "motd"}, {5, 5, "warmup"}, {6, 6, "vote_time"}, {7, 7, "vote_string"},
	{8, 8, "vote_yes"}, {9, 9, "vote_no"}, {10, 10, "game_version"}, {11, 11, "level_start_time"},
	{12, 12, "intermission"}, {13, 13, "multi_info"}, {14, 14, "multi_mapwinner"}, {15, 15, "multi_objective"},
	{17, 17, "screenfade"}, {18, 18, "fogvars"}, {19, 19, "skyboxorg"}, {20, 20, "targeteffect"},
	{21, 21, "wolfinfo"}, {22, 22, "firstblood"}, {23, 23, "roundscores1"}, {24, 24, "roundscores2"},
	{25, 25, "main_axis_objective"}, {26, 26, "main_allies_objective"}, {27, 27, "music_queue"},
	{28, 28, "script_mover_names"}, {29, 29, "construction_names"}, {30, 30, "versioninfo"}, {31, 31, "reinfseeds"},
	{32, 32, "servertoggles"}, {33, 33, "globalfogvars"}, {34, 34, "axis_maps_xp"}, {35, 35, "allied_maps_xp"},
	{36, 36, "intermission_start_time"}, {37, 37, "endgame_stats"}, {38, 38, "chargetimes"}, {39, 39, "filtercams"},
	{40, 40, "modinfo"}, {41, 41, "svcvar"}, {42, 42, "configname"}, {43, 43, "teamrestrictions"},
	{44, 44, "upgraderange"}, {64, 319, "models"}, {320, 575, "sounds"}, {576, 607, "shaders"},
	{608, 608, "shaderstate"}, {609, 672, "skins"}, {673, 688, "characters"}, {689, 752, "players"},
	{753, 768, "multi_spawntargets"}, {769, 786, "oid_triggers"}, {787, 804, "oid_data"}, {805, 820, "dlights"},
	{821, 828, "splines"}, {829, 892, "tagconnects"}, {893, 904, "fireteams"}, {905, 910, "custmotd"},
	{911, 942, "strings"},
}

// Source: CS_*, src/game/bg_public.h and src/qcommon/q_shared.h of jk2mv.
var ConfigSpansOutcast = []ConfigSpan{
	{2, 2, "music"}, {3, 3, "message"}, {4, 4, "motd"}, {5, 5, "warmup"}, {6, 6, "scores1"}, {7, 7, "scores2"},
	{8, 8, "vote_time"}, {9, 9, "vote_string"}, {10, 10, "vote_yes"}, {11, 11, "vote_no"}, {12, 13, "teamvote_time"},
	{14, 15, "teamvote_string"}, {16, 17, "teamvote_yes"}, {18, 19, "teamvote_no"}, {20, 20, "game_version"},
	{21, 21, "level_start_time"}, {22, 22, "intermission"}, {23, 23, "flagstatus"}, {24, 24, "shaderstate"},
	{25, 25, "botinfo"}, {27, 27, "items"}, {28, 28, "client_jedimaster"}, {29, 29, "client_duelwinner"},
	{30, 30, "client_duelists"}, {32, 287, "models"}, {288, 543, "sounds"}, {544, 575, "players"},
	{576, 639, "charskins"}, {640, 703, "locations"}, {704, 767, "particles"}, {768, 831, "effects"},
	{832, 1023, "light_styles"}, {1024, 1053, "string_packages"},
}

// Source: CS_*, codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var ConfigSpansAcademy = []ConfigSpan{
	{2, 2, "music"}, {3, 3, "message"}, {4, 4, "motd"}, {5, 5, "warmup"}, {6, 6, "scores1"}, {7, 7, "scores2"},
	{8, 8, "vote_time"}, {9, 9, "vote_string"}, {10, 10, "vote_yes"}, {11, 11, "vote_no"}, {12, 13, "teamvote_time"},
	{14, 15, "teamvote_string"}, {16, 17, "teamvote_yes"}, {18, 19, "teamvote_no"}, {20, 20, "game_version"},
	{21, 21, "level_start_time"}, {22, 22, "intermission"}, {23, 23, "flagstatus"}, {24, 24, "shaderstate"},
	{25, 25, "botinfo"}, {27, 27, "items"}, {28, 28, "client_jedimaster"}, {29, 29, "client_duelwinner"},
	{30, 30, "client_duelists"}, {31, 31, "client_duelhealths"}, {32, 32, "global_ambient_set"},
	{36, 36, "legacy_fixes"}, {37, 292, "ambient_set"}, {293, 293, "siege_state"}, {294, 294, "siege_objectives"},
	{295, 295, "siege_timeoverride"}, {296, 296, "siege_winteam"}, {297, 297, "siege_icons"}, {298, 809, "models"},
	{810, 810, "skyboxorg"}, {811, 1066, "sounds"}, {1067, 1130, "icons"}, {1131, 1162, "players"},
	{1163, 1226, "g2bones"}, {1227, 1290, "locations"}, {1291, 1354, "particles"}, {1355, 1418, "effects"},
	{1419, 1610, "light_styles"}, {1611, 1611, "terrains"}, {1612, 1643, "bsp_models"},
}
