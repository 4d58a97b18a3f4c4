package tables

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables/names"
)

// gameSmokinGuns is Smokin' Guns 1.1, with the tables of protocol 68.
//
// Source: src/game/bg_public.h of the game's sources.
var gameSmokinGuns = Game{
	Modules: []string{"smokinguns"},
	Names: Names{
		EntityTypes: []string{
			"general", "player", "item", "missile", "mover", "beam", "portal", "speaker", "push_trigger", // 0
			"teleport_trigger", "invisible", "fly", "grapple", "team", "breakable", "intermission", "flare", // 9
			"smoke", "turret", "escape", // 17
		},
		Events: slices.Concat([]string{
			"none", "footstep", "footstep_metal", "footstep_cloth", "footstep_grass", "footstep_snow", "footstep_sand", // 0
			"footsplash", "footwade", "swim", "step_4", "step_8", "step_12", "step_16", // 7
			"fall_very_short", "fall_short", "fall_medium", "fall_far", "fall_very_far", "jump_pad", "jump", // 14
			"water_touch", "water_leave", "water_under", "water_clear", "item_pickup", "money_pickup", // 21
			"noammo", "choose_weapon", "change_weapon", "change_weapon_noanim", "changeto_sound", "change_to_weapon", // 27
			"fire_weapon", "fire_weapon_delay", "fire_weapon2", "alt_fire_weapon", "anim_weapon", "alt_weapon_mode", // 33
			"build_turret", "dism_turret", "scope_put", "light_dynamite", "reload", "reload2", // 39
			"gatling_notplanar", "gatling_nospace", "gatling_toodeep", "marked_item", "underwater", // 45
			"dburn", "knifehit", "noammo_clip", // 50
		}, names.EventsQ3[24:45], []string{ // use_item0 to grenade_bounce: 53
			"general_sound", "global_sound", "global_team_sound", "round_start", "round_time", "duel_intro", "duel_won", // 74
			"hit_check", "funcbreakable", "bullet_hit_flesh", "bullet_hit_wall", "bullet_hit_boiler", "boiler_hit", // 81
			"whiskey_burns", "missile_alcohol", "missile_fire", "missile_hit", "missile_miss", "missile_miss_metal", // 87
			"shotgun", "bullet", "smoke", "pain", "death_default", "death_head", "death_arm_l", "death_arm_r", // 93
			"death_chest", "death_stomach", "death_leg_l", "death_leg_r", "death_fall", "death_fall_back", // 101
			"obituary", "hit_message", "powerup_quad", "powerup_battlesuit", "powerup_regen", "gib_player", // 107
			"debug_line", "stoploopingsound", "taunt", "debug_bullet", "hit_far", "nothing", // 113
		}),
		Weapons: []string{
			"none", "knife", "rem58", "schofield", "peacemaker", "winchester66", "lightning", "sharps", "remington_gauge", // 0
			"sawedoff", "winch97", "gatling", "dynamite", "molotov", "", "akimbo", // 9
		},
		MeansOfDeath: []string{
			"unknown", "knife", "rem58", "schofield", "peacemaker", "winchester66", "lightning", "sharps", "remington_gauge", // 0
			"sawedoff", "winch97", "gatling", "dynamite", "molotov", "water", "slime", "lava", "crush", "telefrag", // 9
			"falling", "suicide", "target_laser", "trigger_hurt", "boiler", // 19
		},
		Powerups: []string{
			"none", "scope", "belt", "gold", "head_1", "head_2", "torso_1", "torso_2", "legs_1", "legs_2", "gatling", "burn",
			"burnbit",
		},
		Stats: []string{
			"health", "holdable_item", "weapons", "armor", "clients_ready", "max_health", "wp_mode", "gatling_mode", // 0
			"chaseclient", "delay_time", "idle_timer", "money", "oldweapon", "knocktime", "flags", "wins", // 8
		},
		Persistant: names.WithNames(names.PersistantQ3[:9], "robber"),
		PmTypes:    names.WithNames(names.PmTypesQ3, "chasecam"),
		PmFlags:    names.WithNames(names.PmFlagsQ3, "suicide"),
		EFlags: []string{
			0: "dead", 2: "teleport_bit", 3: "award_excellent_or_same_team", 4: "bounce", 5: "bounce_half", 6: "award_gauntlet",
			7: "nodraw", 8: "firing", 9: "kamikaze", 10: "mover_stop", 11: "award_cap", 12: "talk", 13: "connection", 14: "voted",
			15: "award_impressive", 16: "award_defend", 17: "award_assist", 18: "award_denied",
		},
		WeaponStates:  names.WithNames(names.WeaponStatesQ3, "reloading", "jumping"),
		Gametypes:     []string{"ffa", "duel", "single_player", "team", "rtp", "br"},
		Teams:         names.WithNames(names.TeamsQ3, "red_spectator", "blue_spectator"),
		TeamSounds:    names.GlobalTeamSoundsQ3,
		Configstrings: slices.Concat(names.ConfigSpansQ3, []names.ConfigSpan{{First: 29, Last: 29, Name: "mapcycles"}}),
	},
}
