package tables

import (
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables/names"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables/netfields"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// gameTremulous is Tremulous of protocols 70 (1.2, "gpp") and 71 (1.3).
//
// Source: src/game/bg_public.h of darklegion/tremulous for the numbers, src/qcommon/q_shared.h for the sizes of
// configstrings, G_SayTo in src/game/g_cmds.c for chat.
var gameTremulous = Game{
	Label: "tremulous",
	Names: Names{
		EntityTypes: []string{
			"general", "player", "item", "buildable", "location", "missile", "mover", "beam", "portal", "speaker", // 0
			"push_trigger", "teleport_trigger", "invisible", "grapple", "corpse", "particle_system", "animmapobj", // 10
			"modeldoor", "lightflare", "lev2_zap_chain", // 17
		},
		Events: []string{
			"none", "footstep", "footstep_metal", "footstep_squelch", "footsplash", "footwade", "swim", // 0
			"step_4", "step_8", "step_12", "step_16", "stepdn_4", "stepdn_8", "stepdn_12", "stepdn_16", // 7
			"fall_short", "fall_medium", "fall_far", "falling", "jump", // 15
			"water_touch", "water_leave", "water_under", "water_clear", // 20
			"noammo", "change_weapon", "fire_weapon", "fire_weapon2", "fire_weapon3", // 24
			"player_respawn", "player_teleport_in", "player_teleport_out", "grenade_bounce", // 29
			"general_sound", "global_sound", "bullet_hit_flesh", "bullet_hit_wall", "shotgun", "mass_driver", // 33
			"missile_hit", "missile_miss", "missile_miss_metal", "teslatrail", "bullet", // 39
			"lev1_grab", "lev4_trample_prepare", "lev4_trample_start", // 44
			"pain", "death1", "death2", "death3", "obituary", "gib_player", // 47
			"build_construct", "build_destroy", "build_delay", "build_repair", "build_repaired", // 53
			"human_buildable_explosion", "alien_buildable_explosion", "alien_acidtube", "medkit_used", // 58
			"alien_evolve", "alien_evolve_failed", "debug_line", "stoploopingsound", "taunt", // 62
			"overmind_attack", "overmind_dying", "overmind_spawns", "dcc_attack", "mgturret_spinup", // 67
			"rptuse_sound", "lev2_zap", // 72
		},
		Weapons: []string{
			"none", "alevel0", "alevel1", "alevel1_upg", "alevel2", "alevel2_upg", "alevel3", "alevel3_upg", "alevel4", // 0
			"blaster", "machinegun", "pain_saw", "shotgun", "las_gun", "mass_driver", "chaingun", "flamer", // 9
			"pulse_rifle", "lucifer_cannon", "grenade", "lockblob_launcher", "hive", "teslagen", "mgturret", // 17
			"abuild", "abuild2", "hbuild", // 24
		},
		MeansOfDeath: []string{
			"unknown", "shotgun", "blaster", "painsaw", "machinegun", "chaingun", "prifle", "mdriver", "lasgun", // 0
			"lcannon", "lcannon_splash", "flamer", "flamer_splash", "grenade", "water", "slime", "lava", "crush", // 9
			"telefrag", "falling", "suicide", "target_laser", "trigger_hurt", // 18
			"abuilder_claw", "level0_bite", "level1_claw", "level1_pcloud", "level3_claw", "level3_pounce", // 23
			"level3_bounceball", "level2_claw", "level2_zap", "level4_claw", "level4_trample", "level4_crush", // 29
			"slowblob", "poison", "swarm", "hspawn", "teslagen", "mgturret", "reactor", // 35
			"aspawn", "atube", "overmind", "deconstruct", "replace", "nocreep", // 42
		},
		Stats: []string{
			"health", "items", "activeitems", "weapon", "max_health", "class", "team", "stamina", "state", "misc", // 0
			"buildable", "falldist", "viewlock", // 10
		},
		Persistant: []string{
			"score", "hits", "spawns", "specstate", "spawn_count", "attacker", "killed", // 0
			"state", "credit", "queuepos", "newweapon", "bp", "markedbp", // 7
		},
		PmTypes: []string{"normal", "noclip", "spectator", "jetpack", "grabbed", "dead", "freeze", "intermission"},
		PmFlags: []string{
			"ducked", "jump_held", "crouch_held", "backwards_jump", "backwards_run", "time_land", "time_knockback", // 0
			"time_waterjump", "respawned", "use_item_held", "weapon_reload", "follow", "queued", "time_walljump", // 7
			"charge", "weapon_switch", "sprintheld", // 14
		},
		// 3 to 5 are bounce, half bounce and no sound of a missile, and spawned, powered and marked of a building.
		EFlags: []string{
			0: "dead", 1: "teleport_bit", 2: "player_event", 6: "wallclimb", 7: "wallclimbceiling", 8: "nodraw", 9: "firing",
			10: "firing2", 11: "firing3", 12: "mover_stop", 13: "poisonclouded", 14: "connection", 15: "bloblocked",
		},
		WeaponStates: []string{"ready", "raising", "dropping", "firing", "reloading", "needs_reset"},
		Teams:        []string{"none", "aliens", "humans"},
		Configstrings: []names.ConfigSpan{
			{First: 2, Last: 2, Name: "music"},
			{First: 3, Last: 3, Name: "message"},
			{First: 4, Last: 4, Name: "motd"},
			{First: 5, Last: 5, Name: "warmup"},
			{First: 6, Last: 8, Name: "vote_time"}, // for each team
			{First: 9, Last: 11, Name: "vote_string"},
			{First: 12, Last: 14, Name: "vote_yes"},
			{First: 15, Last: 17, Name: "vote_no"},
			{First: 18, Last: 20, Name: "vote_caller"},
			{First: 21, Last: 21, Name: "game_version"},
			{First: 22, Last: 22, Name: "level_start_time"},
			{First: 23, Last: 23, Name: "intermission"},
			{First: 24, Last: 24, Name: "winner"},
			{First: 25, Last: 25, Name: "shaderstate"},
			{First: 26, Last: 26, Name: "botinfo"},
			{First: 27, Last: 27, Name: "clients_ready"},
			{First: 28, Last: 28, Name: "alien_stages"},
			{First: 29, Last: 29, Name: "human_stages"},
			{First: 30, Last: 285, Name: "models"},
			{First: 286, Last: 541, Name: "sounds"},
			{First: 542, Last: 605, Name: "shaders"},
			{First: 606, Last: 669, Name: "particle_systems"},
			{First: 670, Last: 733, Name: "players"},
			{First: 734, Last: 797, Name: "locations"},
		},
	},
	Text:        Text{Chat: ChatNumbered},
	PlayerEvent: 1 << 2,
}

// rulesTremulous are those of src/qcommon/qcommon.h, and of MSG_ReadString and MSG_HashKey in src/qcommon/msg.cpp:
// '%' stays.
var rulesTremulous = Rules{
	Ops: &opsQuake3, Arrays: ArraysMisc, MaxMessage: 16384, MaxConfigstrings: 1024, CommandWindow: 128, Kept: token.KeptPercent,
	Counted: LastLegacy, Weapons: 32,
}

var (
	entityStructureTremulous = &Structure{
		enums: entityEnums, docs: netfields.GameEntityDocs, source: "MSG_ReadDeltaEntity, src/qcommon/msg.cpp of tremulous",
		tables: [][]netfields.NetField{entityFieldsTremulous}, zeroBit: true, contexts: entityContexts,
	}
	playerStructureTremulous = &Structure{
		enums: playerEnums, docs: netfields.GamePlayerDocs, source: "MSG_ReadDeltaPlayerstate, src/qcommon/msg.cpp of tremulous",
		tables: [][]netfields.NetField{playerFieldsTremulous}, contexts: playerContexts,
	}
)

// tremulousGenerations are the protocols of Tremulous. Other games have the same numbers; 69, that of 1.1, has other
// tables.
//
// Source: PROTOCOL_VERSION and alternateProtocol in src/qcommon/qcommon.h: 70 is enciphered and has no checksum, and
// its servers send voice without flags.
func tremulousGenerations() []Generation {
	row := Generation{
		Version: -70, Game: FamilyTremulous, Rules: &rulesTremulous,
		Entity: entityStructureTremulous.table(entityFieldsTremulous), Player: playerStructureTremulous.table(playerFieldsTremulous),
		Signs: []Sign{{"version", "tremulous"}, {"com_gamename", "tremulous"}, {"com_gamename", "Tremulous"}},
	}
	native := row
	native.Version, native.Native, native.Voip = -71, true, true
	return []Generation{row, native}
}

// entityFieldsTremulous is the order of protocols 70 and 71.
//
// Source: entityStateFields, src/qcommon/msg.cpp of darklegion/tremulous.
var entityFieldsTremulous = netfields.Derived(netfields.EntityFields68, netfields.Changes{
	"torsoAnim": {{Name: "torsoAnim", Bits: 8}, {Name: "weaponAnim", Bits: 8}},
	"powerups":  {{Name: "misc", Bits: 16}},
	"generic1":  {{Name: "generic1", Bits: 10}},
})

// playerFieldsTremulous is the order of protocols 70 and 71.
//
// Source: playerStateFields, src/qcommon/msg.cpp of darklegion/tremulous.
var playerFieldsTremulous = netfields.Derived(netfields.PlayerFields68, netfields.Changes{
	"torsoAnim":   {{Name: "torsoAnim", Bits: 8}, {Name: "weaponAnim", Bits: 8}},
	"pm_flags":    {{Name: "pm_flags", Bits: 24}},
	"gravity":     {{Name: "gravity", Bits: -16}},
	"speed":       {{Name: "speed", Bits: -16}},
	"damageCount": {{Name: "damageCount", Bits: 8}, {Name: "ammo", Bits: 12}, {Name: "clips", Bits: 4}},
	"generic1":    {{Name: "generic1", Bits: 10}},
	"torsoTimer":  {{Name: "torsoTimer", Bits: 12}, {Name: "tauntTimer", Bits: 12}},
	"jumppad_ent": {{Name: "otherEntityNum", Bits: 10}},
})
