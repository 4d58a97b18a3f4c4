package tables

// Names of what stands in a player's state and of the flags of entities.

// Source: statIndex_t, code/game/bg_public.h. Team Arena's stands in the middle.
var (
	statsQ3          = []string{"health", "holdable_item", "weapons", "armor", "dead_yaw", "clients_ready", "max_health"}
	statsMissionPack = []string{
		"health", "holdable_item", "persistant_powerup", "weapons", "armor", "dead_yaw", "clients_ready", "max_health",
	}
)

var statTables = familyTables{
	FamilyRTCW:        statsRTCW,
	FamilyET:          statsET,
	FamilyOutcast:     statsOutcast,
	FamilyAcademy:     statsAcademy,
	familyBaseQ3:      statsQ3,
	familyMissionPack: statsMissionPack,
	familyDM3:         statsQ3, // LifeStats_3_68, UDT_DLL/src/look_up_tables.cpp of uberdemotools
	// In captures of 0.8.8 element 3 gains the bit of a weapon with its pick-up, 4 rises with armor, 5 is the yaw
	// of the dead, 7 the handicap, as in the userinfo (100, 90, 70). Builds after 0.8.8 put
	// STAT_PERSISTANT_POWERUP last.
	FamilyOpenArena: statsMissionPack,
	// LifeStats_73p, the same file as above, has 0, 1, 3, 4 and 7; the others: statIndex_t, quake_common.h of minqlx.
	FamilyQuakeLive73: {
		"health", "holdable_item", "rune", "weapons", "armor", "bskill", "clients_ready", "max_health", "spinup",
		"flight_thrust", "max_flight_fuel", "cur_flight_fuel", "flight_refuel", "quadkills", "armortype", "key",
	},
}

// Source: persEnum_t, code/game/bg_public.h.
var persistantQ3 = []string{
	"score", "hits", "rank", "team", "spawn_count", "playerevents", "attacker", "attackee_armor", "killed", // 0
	"impressive_count", "excellent_count", "defend_count", "assist_count", "gauntlet_frag_count", "captures", // 9
}

// persistantQuakeLive are shared by the protocols up to 13.
//
// Source: PersStats_73p, UDT_DLL/src/look_up_tables.cpp of uberdemotools; 5: code/game/bg_public.h of wolfcamql.
var persistantQuakeLive = []string{
	"score", "hits", "rank", "team", "spawn_count", "playerevents", "attacker", "killed", // 0
	"impressive_count", "excellent_count", "defend_count", "assist_count", "gauntlet_frag_count", "captures", // 8
}

var persistantTables = familyTables{
	FamilyRTCW:    persistantRTCW,
	FamilyET:      persistantET,
	FamilyOutcast: persistantOutcast,
	FamilyAcademy: persistantAcademy,
	familyBaseQ3:  persistantQ3,
	// Source: PersStats_3, UDT_DLL/src/look_up_tables.cpp of uberdemotools.
	familyDM3: {
		0: "score", 1: "hits", 2: "rank", 3: "team", 4: "spawn_count", 7: "attacker", 8: "killed",
		9: "impressive_count", 10: "excellent_count", 11: "gauntlet_frag_count",
	},
	// Seen in captures of 0.8.8, against the server's log: 0, 2 (with the bit for a tie), 3, 4, 6 (1022 is
	// the world), 7 (health and armor, a byte each), 8, and 9, 11, 14 with its awards. The rest: persEnum_t of
	// OpenArena's code/game/bg_public.h.
	FamilyOpenArena: persistantQ3,
	// 15 counts the player's frags in recordings (73, 90), one by one with the score of team deathmatch.
	FamilyQuakeLive73: withNames(persistantQuakeLive, "attackee_armor", "frags"),
	// Source: comment on the conversion of persistant, UDT_DLL/src/protocol_conversion.cpp of uberdemotools, which
	// its own PersStats_73p forgets; 14 goes with the score in a recording of a duel.
	FamilyQuakeLive91: withNames(persistantQuakeLive, "frags", "xp"),
}

// Source: pmtype_t, code/game/bg_public.h.
var pmTypesQ3 = []string{"normal", "noclip", "spectator", "dead", "freeze", "intermission", "spintermission"}

var pmTypeTables = familyTables{
	FamilyRTCW:    pmTypesRTCW,
	FamilyET:      pmTypesET,
	FamilyOutcast: pmTypesOutcast,
	FamilyAcademy: pmTypesAcademy,
	familyBaseQ3:  pmTypesQ3,
	familyDM3:     pmTypesQ3, // uberdemotools converts 43 to 68 without touching it
	// 0, 2 and 3 in captures of 0.8.8 with playing, spectating and dead clients; pmtype_t of OpenArena's bg_public.h.
	FamilyOpenArena:   pmTypesQ3,
	FamilyQuakeLive73: pmTypesQ3[:6],
	FamilyQuakeLive91: withNames(pmTypesQ3[:6], "tutorial"), // pmtype_t, quake_common.h of minqlx
}

// Source: PMF_*, code/game/bg_public.h. By bit.
var pmFlagsQ3 = []string{
	0: "ducked", 1: "jump_held", 3: "backwards_jump", 4: "backwards_run", 5: "time_land", 6: "time_knockback",
	8: "time_waterjump", 9: "respawned", 10: "use_item_held", 11: "grapple_pull", 12: "follow", 13: "scoreboard",
	14: "invulexpand",
}

var pmFlagTables = familyTables{
	FamilyRTCW:    pmFlagsRTCW,
	FamilyET:      pmFlagsET,
	FamilyOutcast: pmFlagsOutcast,
	FamilyAcademy: pmFlagsAcademy,
	familyBaseQ3:  pmFlagsQ3,
	familyDM3:     pmFlagsQ3[:14], // uberdemotools converts 43 to 68 without touching them; the last is Team Arena's
	// Seen in captures of 0.8.8: 0, 1, 3 to 6, 9, and 12 while following. The rest: OpenArena's code/game/bg_public.h,
	// where clients that wait for a round to begin have bit 15.
	FamilyOpenArena:   withNames(pmFlagsQ3, "elimwarmup"),
	FamilyQuakeLive73: pmFlagsQ3,
	// Source: ConvertPMoveIndex73or90to91, UDT_DLL/src/protocol_conversion.cpp of uberdemotools.
	FamilyQuakeLive91: withName(withName(withName(pmFlagsQ3, 7, "time_waterjump"), 8, ""), 13, ""),
}

// eFlagsQ3 are by bit. Bit 4 is EF_PLAYER_EVENT of an event that a player's prediction makes and EF_BOUNCE of a missile.
//
// Source: EF_*, code/game/bg_public.h.
var eFlagsQ3 = []string{
	0: "dead", 2: "teleport_bit", 3: "award_excellent", 4: "player_event_or_bounce", 5: "bounce_half",
	6: "award_gauntlet", 7: "nodraw", 8: "firing", 9: "kamikaze", 10: "mover_stop", 11: "award_cap", 12: "talk",
	13: "connection", 14: "voted", 15: "award_impressive", 16: "award_defend", 17: "award_assist", 18: "award_denied",
	19: "teamvoted",
}

var eFlagsMissionPack = withName(eFlagsQ3, 1, "ticking")

var eFlagTables = familyTables{
	FamilyRTCW:        eFlagsRTCW,
	FamilyET:          eFlagsET,
	FamilyOutcast:     eFlagsOutcast,
	FamilyAcademy:     eFlagsAcademy,
	familyBaseQ3:      eFlagsQ3,
	familyMissionPack: eFlagsMissionPack,
	// Source: EntityFlagBits_3, UDT_DLL/src/look_up_tables.cpp of uberdemotools; bit 5 is set on missiles and
	// dropped items of a recording, as it is in every later protocol.
	familyDM3: {
		0: "dead", 2: "teleport_bit", 3: "award_excellent", 5: "bounce_half", 6: "award_gauntlet", 7: "nodraw",
		8: "firing", 11: "award_cap", 12: "talk", 13: "connection", 14: "voted", 15: "award_impressive",
	},
	// Seen in captures of 0.8.8: 0 on the dead, 2, 4 on events of players, 5 on missiles and dropped items, 8 with shots,
	// 14 after votes, 3, 11, 15 and 16 (awards, as in the server's log), 12, 13. The rest: OpenArena's code/game/bg_public.h.
	FamilyOpenArena:   eFlagsMissionPack,
	FamilyQuakeLive73: eFlagsMissionPack, // EntityFlagBits_66_90, as above; wolfcamql's code/game/bg_public.h
	// Source: EntityFlagBits_91, as above.
	FamilyQuakeLive91: withName(eFlagsMissionPack, 14, "global_spectator")[:19],
}

// animationsQ3 name legsAnim and torsoAnim. 31 and 37 are only markers.
//
// Source: animNumber_t, code/game/bg_public.h.
var animationsQ3 = []string{
	0: "both_death1", 1: "both_dead1", 2: "both_death2", 3: "both_dead2", 4: "both_death3", 5: "both_dead3",
	6: "torso_gesture", 7: "torso_attack", 8: "torso_attack2", 9: "torso_drop", 10: "torso_raise", 11: "torso_stand",
	12: "torso_stand2", 13: "legs_walkcr", 14: "legs_walk", 15: "legs_run", 16: "legs_back", 17: "legs_swim",
	18: "legs_jump", 19: "legs_land", 20: "legs_jumpb", 21: "legs_landb", 22: "legs_idle", 23: "legs_idlecr",
	24: "legs_turn", 25: "torso_getflag", 26: "torso_guardbase", 27: "torso_patrol", 28: "torso_followme",
	29: "torso_affirmative", 30: "torso_negative", 32: "legs_backcr", 33: "legs_backwalk", 34: "flag_run",
	35: "flag_stand", 36: "flag_stand2run",
}

var animationTables = familyTables{
	FamilyOutcast: animationsOutcast,
	FamilyAcademy: animationsAcademy,
	familyBaseQ3:  animationsQ3,
	familyDM3:     animationsQ3[:25], // without Team Arena's; a recording has none above 23
	// Seen in captures of 0.8.8: 0 to 5 on the dead and on both halves of the body, 6, 7, 9 to 22, 13 while ducked, and
	// 32 while ducked and going back. The rest: animNumber_t of OpenArena's code/game/bg_public.h of that release;
	// later builds have more from 31 on.
	FamilyOpenArena:   animationsQ3,
	FamilyQuakeLive73: animationsQ3, // animNumber_t of wolfcamql; recordings (73, 91) have 32 and 33
}

// Source: weaponstate_t, code/game/bg_public.h.
var weaponStatesQ3 = []string{"ready", "raising", "dropping", "firing"}

var weaponStateTables = familyTables{
	FamilyRTCW:        weaponStatesRTCW,
	FamilyET:          weaponStatesET,
	FamilyOutcast:     weaponStatesOutcast,
	FamilyAcademy:     weaponStatesAcademy,
	familyBaseQ3:      weaponStatesQ3,
	familyDM3:         weaponStatesQ3, // uberdemotools converts 43 to 68 without touching it
	FamilyOpenArena:   weaponStatesQ3, // in captures of 0.8.8: 1 with torso_raise, 2 with torso_drop, 3 with torso_attack
	FamilyQuakeLive73: weaponStatesQ3, // weaponstate_t, quake_common.h of minqlx
}
