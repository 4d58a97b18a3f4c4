package names

// Names of the values in a player's state and of the flags of entities.

// Source: statIndex_t, code/game/bg_public.h. Team Arena's is in the middle.
var (
	StatsQ3          = []string{"health", "holdable_item", "weapons", "armor", "dead_yaw", "clients_ready", "max_health"}
	StatsMissionPack = []string{
		"health", "holdable_item", "persistant_powerup", "weapons", "armor", "dead_yaw", "clients_ready", "max_health",
	}
)

// Source: persEnum_t, code/game/bg_public.h.
var PersistantQ3 = []string{
	"score", "hits", "rank", "team", "spawn_count", "playerevents", "attacker", "attackee_armor", "killed", // 0
	"impressive_count", "excellent_count", "defend_count", "assist_count", "gauntlet_frag_count", "captures", // 9
}

// PersistantDamage are those of mods that count points of damage where the game counts hits: in recordings of OSP and
// CPMA, 10 for a hit of the lightning gun and 100 for one of the railgun or a rocket, and the sum over a span of CPMA is
// what the scoreboard's damage given grows by.
var PersistantDamage = WithName(PersistantQ3, 1, "damage")

// PersistantQuakeLive are shared by the protocols up to 13.
//
// Source: PersStats_73p, UDT_DLL/src/look_up_tables.cpp of uberdemotools; 5: code/game/bg_public.h of wolfcamql.
var PersistantQuakeLive = []string{
	"score", "hits", "rank", "team", "spawn_count", "playerevents", "attacker", "killed", // 0
	"impressive_count", "excellent_count", "defend_count", "assist_count", "gauntlet_frag_count", "captures", // 8
}

// Source: pmtype_t, code/game/bg_public.h.
var PmTypesQ3 = []string{"normal", "noclip", "spectator", "dead", "freeze", "intermission", "spintermission"}

// Source: PMF_*, code/game/bg_public.h. By bit.
var PmFlagsQ3 = []string{
	0: "ducked", 1: "jump_held", 3: "backwards_jump", 4: "backwards_run", 5: "time_land", 6: "time_knockback",
	8: "time_waterjump", 9: "respawned", 10: "use_item_held", 11: "grapple_pull", 12: "follow", 13: "scoreboard",
	14: "invulexpand",
}

// EFlagsQ3 are by bit. Bit 4 is EF_PLAYER_EVENT of an event that a player's prediction makes and EF_BOUNCE of a missile.
//
// Source: EF_*, code/game/bg_public.h.
var EFlagsQ3 = []string{
	0: "dead", 2: "teleport_bit", 3: "award_excellent", 4: "player_event_or_bounce", 5: "bounce_half",
	6: "award_gauntlet", 7: "nodraw", 8: "firing", 9: "kamikaze", 10: "mover_stop", 11: "award_cap", 12: "talk",
	13: "connection", 14: "voted", 15: "award_impressive", 16: "award_defend", 17: "award_assist", 18: "award_denied",
	19: "teamvoted",
}

// EFlagsMissionPack are those of Team Arena.
var EFlagsMissionPack = WithName(EFlagsQ3, 1, "ticking")

// AnimationsQ3 name legsAnim and torsoAnim. 31 and 37 are only markers.
//
// Source: animNumber_t, code/game/bg_public.h.
var AnimationsQ3 = []string{
	0: "both_death1", 1: "both_dead1", 2: "both_death2", 3: "both_dead2", 4: "both_death3", 5: "both_dead3",
	6: "torso_gesture", 7: "torso_attack", 8: "torso_attack2", 9: "torso_drop", 10: "torso_raise", 11: "torso_stand",
	12: "torso_stand2", 13: "legs_walkcr", 14: "legs_walk", 15: "legs_run", 16: "legs_back", 17: "legs_swim",
	18: "legs_jump", 19: "legs_land", 20: "legs_jumpb", 21: "legs_landb", 22: "legs_idle", 23: "legs_idlecr",
	24: "legs_turn", 25: "torso_getflag", 26: "torso_guardbase", 27: "torso_patrol", 28: "torso_followme",
	29: "torso_affirmative", 30: "torso_negative", 32: "legs_backcr", 33: "legs_backwalk", 34: "flag_run",
	35: "flag_stand", 36: "flag_stand2run",
}

// Source: weaponstate_t, code/game/bg_public.h.
var WeaponStatesQ3 = []string{"ready", "raising", "dropping", "firing"}
