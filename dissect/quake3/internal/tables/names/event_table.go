package names

// Names of entity types and events.

// EntityTypesQ3 ends where the events begin. Quake Live has the same types.
//
// Source: entityType_t, code/game/bg_public.h.
var EntityTypesQ3 = []string{
	"general", "player", "item", "missile", "mover", "beam", "portal", "speaker", "push_trigger",
	"teleport_trigger", "invisible", "grapple", "team",
}

// EventsQ3 are the events of Quake III from 1.27 on, Team Arena's among them in every build.
//
// Source: entity_event_t, code/game/bg_public.h.
var EventsQ3 = []string{
	"none", "footstep", "footstep_metal", "footsplash", "footwade", "swim", // 0
	"step_4", "step_8", "step_12", "step_16", // 6
	"fall_short", "fall_medium", "fall_far", "jump_pad", "jump", // 10
	"water_touch", "water_leave", "water_under", "water_clear", // 15
	"item_pickup", "global_item_pickup", "noammo", "change_weapon", "fire_weapon", // 19
	"use_item0", "use_item1", "use_item2", "use_item3", "use_item4", "use_item5", "use_item6", "use_item7", // 24
	"use_item8", "use_item9", "use_item10", "use_item11", "use_item12", "use_item13", "use_item14", "use_item15", // 32
	"item_respawn", "item_pop", "player_teleport_in", "player_teleport_out", "grenade_bounce", // 40
	"general_sound", "global_sound", "global_team_sound", "bullet_hit_flesh", "bullet_hit_wall", // 45
	"missile_hit", "missile_miss", "missile_miss_metal", "railtrail", "shotgun", "bullet", // 50
	"pain", "death1", "death2", "death3", "obituary", // 56
	"powerup_quad", "powerup_battlesuit", "powerup_regen", "gib_player", "scoreplum", // 61
	"proximity_mine_stick", "proximity_mine_trigger", "kamikaze", "obeliskexplode", "obeliskpain", // 66
	"invul_impact", "juiced", "lightningbolt", "debug_line", "stoploopingsound", // 71
	"taunt", "taunt_yes", "taunt_no", "taunt_followme", "taunt_getflag", "taunt_guardbase", "taunt_patrol", // 76
}

// EventsDM3 lack the global team sound, the miss on metal and the additions of Team Arena.
//
// Source: ConvertEntityEventNumber3to68, UDT_DLL/src/protocol_conversion.cpp of uberdemotools.
var EventsDM3 = WithNames(EventsQ3[:47],
	"bullet_hit_flesh", "bullet_hit_wall", "missile_hit", "missile_miss", "railtrail", "shotgun", "bullet", // 47
	"pain", "death1", "death2", "death3", "obituary", // 54
	"powerup_quad", "powerup_battlesuit", "powerup_regen", "gib_player", "debug_line", "taunt", // 59
)

// EventsQuakeLive have no steps, hence everything from 6 on moved. according to uberdemotools they are the same
// in 73, 90 and 91; its names for what it uses (EntityEvents_73p, UDT_DLL/src/look_up_tables.cpp) agree with
// the constants of the game that minqlx lists, which the others are from.
//
// Source: entity_event_t, quake_common.h of minqlx.
var EventsQuakeLive = []string{
	"none", "footstep", "footstep_metal", "footsplash", "footwade", "swim", // 0
	"fall_short", "fall_medium", "fall_far", "jump_pad", "jump", // 6
	"water_touch", "water_leave", "water_under", "water_clear", // 11
	"item_pickup", "global_item_pickup", "noammo", "change_weapon", "drop_weapon", "fire_weapon", // 15
	"use_item0", "use_item1", "use_item2", "use_item3", "use_item4", "use_item5", "use_item6", "use_item7", // 21
	"use_item8", "use_item9", "use_item10", "use_item11", "use_item12", "use_item13", "use_item14", "use_item15", // 29
	"item_respawn", "item_pop", "player_teleport_in", "player_teleport_out", "grenade_bounce", // 37
	"general_sound", "global_sound", "global_team_sound", "bullet_hit_flesh", "bullet_hit_wall", // 42
	"missile_hit", "missile_miss", "missile_miss_metal", "railtrail", "shotgun", "bullet", // 47
	"pain", "death1", "death2", "death3", "drown", "obituary", // 53
	"powerup_quad", "powerup_battlesuit", "powerup_regen", "powerup_armorregen", "gib_player", "scoreplum", // 59
	"proximity_mine_stick", "proximity_mine_trigger", "kamikaze", "obeliskexplode", "obeliskpain", // 65
	"invul_impact", "juiced", "lightningbolt", "debug_line", // 70
	"taunt", "taunt_yes", "taunt_no", "taunt_followme", "taunt_getflag", "taunt_guardbase", "taunt_patrol", // 74
	"footstep_snow", "footstep_wood", "item_pickup_spec", "overtime", "game_over", // 81
	"missile_miss_dmgthrough", "thaw_player", "thaw_tick", "shotgun_kill", "poi", "debug_hitbox", // 86
	"lightning_discharge", "race_start", "race_checkpoint", "race_finish", // 92
	"damageplum", "award", "infected", "new_high_score", // 96
}

// EventsCPMA are those of the game up to the score plum; after it come the mod's own; two are known.
//
// Source: EVCPMA_*, code/game/bg_public.h of wolfcamql. Recordings of CPMA 1.48 also have 66 from players
// where the game has a proximity mine.
var EventsCPMA = WithName(WithName(EventsQ3[:66], 67, "fire_grapple"), 78, "taunt")
