package names

import "slices"

// Names of the numbers of Medal of Honor: Allied Assault, Spearhead and Breakthrough.
//
// Source of all lists that name no other: code/fgame/bg_public.h of openmohaa.

// EntityTypesMOHAA are the kinds of entities.
var EntityTypesMOHAA = []string{
	"modelanim_skel", "modelanim", "vehicle", "player", "item", "general", "missile", "mover", "beam", "multibeam", // 0
	"portal", "event_only", "rain", "leaf", "speaker", "push_trigger", "teleport_trigger", "decal", "emitter", // 10
	"rope", "events", "exec_commands", // 19
}

// StatsMOHAA are the elements of stats. Those of vehicles, the next health and the second ammunition are used from 2.0
// on.
var StatsMOHAA = []string{
	"health", "maxhealth", "weapons", "equipped_weapon", "ammo", "maxammo", "clipammo", "maxclipammo", "inzoom", // 0
	"crosshair", "last_pain", "nexthealth", "bosshealth", "cinematic", "addfade", "letterbox", "compassnorth", // 9
	"objectiveleft", "objectiveright", "objectivecenter", "team", "kills", "deaths", "vehicle_health", // 17
	"vehicle_max_health", "highest_score", "attackerclient", "infoclient", "infoclient_health", "damagedir", // 24
	"secondary_ammo", // 30
}

// MeansOfDeathMOHAA are not on the wire: the game words them, see package events.
var MeansOfDeathMOHAA = []string{
	"none", "suicide", "crush", "crush_every_frame", "telefrag", "lava", "slime", "falling", "last_self_inflicted", // 0
	"explosion", "explodewall", "electric", "electricwater", "thrownobject", "grenade", "beam", "rocket", "impact", // 9
	"bullet", "fast_bullet", "vehicle", "fire", "flashbang", "on_fire", "gib", "impale", "bash", "shotgun", // 18
	"aagun", "landmine", // 28
}

// Kinds of movement, teams and game types.
var (
	PmTypesMOHAA   = []string{"normal", "climbwall", "noclip", "dead"}
	TeamsMOHAA     = []string{"none", "spectator", "freeforall", "allies", "axis"}
	GametypesMOHAA = []string{"single_player", "ffa", "team", "team_rounds", "objective", "tow", "liberation"}
)

// EFlagsMOHAA are those that the game uses; 16 bits are on the wire.
var EFlagsMOHAA = []string{
	"", "ticking", "teleport_bit", "everyframe", "climbwall", "unarmed", "linkangles", "allies", "axis", "dead", // 0
	"player_in_menu", "player_talking", "no_lerp", "player_artillery", "voted", // 10
}

// The flags of movement. Most of those of Allied Assault are two bits higher than those of its expansions.
//
// Source: code/qcommon/bg_compat.cpp of openmohaa.
var (
	PmFlagsAllied = []string{
		"ducked", "", "", "damage_angles", "spectating", "respawned", "no_prediction", "frozen", "intermission", // 0
		"camera_view", "no_move", "view_duck_run", "view_jump_start", "levelexit", "turret", "no_hud", // 9
	}
	PmFlagsSpearhead = []string{
		"ducked", "damage_angles", "spectating", "respawned", "no_prediction", "frozen", "intermission", // 0
		"camera_view", "no_move", "view_duck_run", "view_jump_start", "levelexit", "turret", "", "no_weaponbar", // 7
		"no_hud", // 15
	}
)

// The animations of the weapon in the view, vmAnim_e. Those of Allied Assault are one less on the wire:
// code/qcommon/bg_compat.cpp.
var (
	ViewAnimationsAllied    = ViewAnimationsSpearhead[1:]
	ViewAnimationsSpearhead = []string{
		"disabled", "idle", "charge", "fire", "fire_secondary", "rechamber", "reload", "reload_single", "reload_end", // 0
		"pullout", "putaway", "ladderstep", "idle_0", "idle_1", "idle_2", // 9
	}
)

// ButtonsMOHAA leave out bits 7 to 11, which are a number: WeaponCommandsMOHAA.
//
// Source: BUTTON_* and WEAPON_COMMAND_* in code/qcommon/q_shared.h of openmohaa.
var (
	ButtonsMOHAA = []string{
		"attack", "attack2", "run", "use", "lean_left", "lean_right", "talk", "", "", "", "", "", "", "", // 0
		"any", "mouse", // 14
	}
	WeaponCommandsMOHAA = []string{
		"none", "use_pistol", "use_rifle", "use_smg", "use_mg", "use_grenade", "use_heavy", "use_item1", "use_item2", // 0
		"use_item3", "use_item4", "use_prev_weapon", "use_next_weapon", "use_last_weapon", "holster", "drop", // 9
	}
)

// The messages for the game's module, CGM6_* and CGM_*.
var (
	CgameTypesAllied = []string{
		"none", "bullet_1", "bullet_2", "bullet_3", "bullet_4", "bullet_5", "bullet_6", "bullet_7", "bullet_8", // 0
		"bullet_9", "bullet_10", "melee_impact", "explosion_effect_1", "explosion_effect_2", "padding_1", // 9
		"make_effect_1", "make_effect_2", "make_effect_3", "make_effect_4", "make_effect_5", "make_effect_6", // 15
		"make_effect_7", "make_effect_8", "make_crate_debris", "make_window_debris", "bullet_no_barrel_1", // 21
		"bullet_no_barrel_2", "huddraw_shader", "huddraw_align", "huddraw_rect", "huddraw_virtualsize", // 26
		"huddraw_color", "huddraw_alpha", "huddraw_string", "huddraw_font", "notify_hit", "notify_kill", // 31
		"voice_chat", // 37
	}
	CgameTypesSpearhead = []string{
		"none", "bullet_1", "bullet_2", "bullet_3", "bullet_4", "bullet_5", "bullet_6", "bullet_7", "bullet_8", // 0
		"bullet_9", "bullet_10", "bullet_11", "melee_impact", "explosion_effect_1", "explosion_effect_2", // 9
		"explosion_effect_3", "explosion_effect_4", "padding_1", "make_effect_1", "make_effect_2", "make_effect_3", // 15
		"make_effect_4", "make_effect_5", "make_effect_6", "make_effect_7", "make_effect_8", "make_crate_debris", // 21
		"make_window_debris", "bullet_no_barrel_1", "bullet_no_barrel_2", "huddraw_shader", "huddraw_align", // 27
		"huddraw_rect", "huddraw_virtualsize", "huddraw_color", "huddraw_alpha", "huddraw_string", "huddraw_font", // 32
		"notify_hit", "notify_kill", "voice_chat", "fencepost", // 38
	}
)

// The configstrings. Those of Allied Assault from the music to the votes are two higher than those of its expansions:
// code/qcommon/bg_compat.cpp of openmohaa.
var (
	ConfigSpansAllied    = slices.Concat(singly(8, movingMOHAA...), configSpansMOHAA)
	ConfigSpansSpearhead = slices.Concat(singly(6, WithNames(movingMOHAA, "match_end")...), configSpansMOHAA)

	movingMOHAA = []string{
		"music", "fog", "sky", "game_version", "level_start_time", "current_objective", "rain_density", "rain_speed",
		"rain_speedvary", "rain_slant", "rain_length", "rain_mindist", "rain_width", "rain_shader", "rain_numshaders",
		"vote_time", "vote_string", "vote_yes", "vote_no", "vote_undecided",
	}
	configSpansMOHAA = slices.Concat(
		singly(2, "message", "savename", "motd", "warmup"),
		[]ConfigSpan{
			{32, 1055, "models"},
			{1056, 1075, "objectives"},
			{1076, 1587, "sounds"},
			{1588, 1651, "images"},
			{1652, 1683, "lightstyles"},
			{1684, 1747, "players"},
			{1748, 1880, "weapons"},
			{1881, 1881, "soundtrack"},
		},
		singly(1892, "teams", "general_strings", "spectators", "allies", "axis"),
	)
)
