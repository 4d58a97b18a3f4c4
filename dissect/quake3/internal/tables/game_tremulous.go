package tables

import "github.com/q3dissect/q3dissect/dissect/quake3/internal/token"

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
		Configstrings: []configSpan{
			{2, 2, "music"},
			{3, 3, "message"},
			{4, 4, "motd"},
			{5, 5, "warmup"},
			{6, 8, "vote_time"}, // for each team
			{9, 11, "vote_string"},
			{12, 14, "vote_yes"},
			{15, 17, "vote_no"},
			{18, 20, "vote_caller"},
			{21, 21, "game_version"},
			{22, 22, "level_start_time"},
			{23, 23, "intermission"},
			{24, 24, "winner"},
			{25, 25, "shaderstate"},
			{26, 26, "botinfo"},
			{27, 27, "clients_ready"},
			{28, 28, "alien_stages"},
			{29, 29, "human_stages"},
			{30, 285, "models"},
			{286, 541, "sounds"},
			{542, 605, "shaders"},
			{606, 669, "particle_systems"},
			{670, 733, "players"},
			{734, 797, "locations"},
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
	entityStructureTremulous = quakeEntity("MSG_ReadDeltaEntity, src/qcommon/msg.cpp of tremulous", entityFieldsTremulous)
	playerStructureTremulous = quakePlayer("MSG_ReadDeltaPlayerstate, src/qcommon/msg.cpp of tremulous", playerFieldsTremulous)
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
var entityFieldsTremulous = derived(EntityFields68, changes{
	"torsoAnim": {{"torsoAnim", 8}, {"weaponAnim", 8}},
	"powerups":  {{"misc", 16}},
	"generic1":  {{"generic1", 10}},
})

// playerFieldsTremulous is the order of protocols 70 and 71.
//
// Source: playerStateFields, src/qcommon/msg.cpp of darklegion/tremulous.
var playerFieldsTremulous = derived(PlayerFields68, changes{
	"torsoAnim":   {{"torsoAnim", 8}, {"weaponAnim", 8}},
	"pm_flags":    {{"pm_flags", 24}},
	"gravity":     {{"gravity", -16}},
	"speed":       {{"speed", -16}},
	"damageCount": {{"damageCount", 8}, {"ammo", 12}, {"clips", 4}},
	"generic1":    {{"generic1", 10}},
	"torsoTimer":  {{"torsoTimer", 12}, {"tauntTimer", 12}},
	"jumppad_ent": {{"otherEntityNum", 10}},
})
