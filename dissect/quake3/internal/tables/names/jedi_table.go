package names

// Names of the numbers of Jedi Outcast and Jedi Academy.

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of jk2mv.
var EntityTypesOutcast = []string{
	"general", "player", "item", "missile", "special", "holocron", "mover", "beam", "portal", "speaker", // 0
	"push_trigger", "teleport_trigger", "invisible", "grapple", "team", "body", // 10
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var EntityTypesAcademy = []string{
	"general", "player", "item", "missile", "special", "holocron", "mover", "beam", "portal", "speaker", // 0
	"push_trigger", "teleport_trigger", "invisible", "npc", "team", "body", "terrain", "fx", // 10
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of jk2mv.
var EventsOutcast = []string{
	"none", "clientjoin", "footstep", "footstep_metal", "footsplash", "footwade", "swim", "step_4", "step_8", // 0
	"step_12", "step_16", "fall", "jump_pad", "private_duel", "jump", "roll", "water_touch", "water_leave", // 9
	"water_under", "water_clear", "item_pickup", "global_item_pickup", "noammo", "change_weapon", "fire_weapon", // 18
	"alt_fire", "saber_attack", "saber_hit", "saber_block", "saber_unholster", "become_jedimaster", // 25
	"disruptor_main_shot", "disruptor_sniper_shot", "disruptor_sniper_miss", "disruptor_hit", // 31
	"disruptor_zoomsound", "predefsound", "team_power", "screenshake", "use", "use_item0", "use_item1", // 35
	"use_item2", "use_item3", "use_item4", "use_item5", "use_item6", "use_item7", "use_item8", "use_item9", // 42
	"use_item10", "use_item11", "use_item12", "use_item13", "use_item14", "use_item15", "itemusefail", // 50
	"item_respawn", "item_pop", "player_teleport_in", "player_teleport_out", "grenade_bounce", "missile_stick", // 57
	"play_effect", "play_effect_id", "mute_sound", "general_sound", "global_sound", "global_team_sound", // 63
	"entity_sound", "play_roff", "glass_shatter", "debris", "missile_hit", "missile_miss", "missile_miss_metal", // 69
	"bullet", "pain", "death1", "death2", "death3", "obituary", "powerup_quad", "powerup_battlesuit", // 76
	"force_drained", "gib_player", "scoreplum", "ctfmessage", "saga_roundover", "saga_objectivecomplete", // 84
	"destroy_ghoul2_instance", "destroy_weapon_model", "give_new_rank", "set_free_saber", "set_force_disable", // 90
	"weapon_charge", "weapon_charge_alt", "shield_hit", "debug_line", "testline", "stoploopingsound", // 95
	"startloopingsound", "taunt", "taunt_yes", "taunt_no", "taunt_followme", "taunt_getflag", "taunt_guardbase", // 101
	"taunt_patrol", "body_queue_copy", // 108
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var EventsAcademy = []string{
	"none", "clientjoin", "footstep", "footstep_metal", "footsplash", "footwade", "swim", "step_4", "step_8", // 0
	"step_12", "step_16", "fall", "jump_pad", "ghoul2_mark", "global_duel", "private_duel", "jump", "roll", // 9
	"water_touch", "water_leave", "water_under", "water_clear", "item_pickup", "global_item_pickup", "veh_fire", // 18
	"noammo", "change_weapon", "fire_weapon", "alt_fire", "saber_attack", "saber_hit", "saber_block", // 25
	"saber_clashflare", "saber_unholster", "become_jedimaster", "disruptor_main_shot", "disruptor_sniper_shot", // 32
	"disruptor_sniper_miss", "disruptor_hit", "disruptor_zoomsound", "predefsound", "team_power", "screenshake", // 37
	"localtimer", "use", "use_item0", "use_item1", "use_item2", "use_item3", "use_item4", "use_item5", // 43
	"use_item6", "use_item7", "use_item8", "use_item9", "use_item10", "use_item11", "use_item12", "use_item13", // 51
	"use_item14", "use_item15", "itemusefail", "item_respawn", "item_pop", "player_teleport_in", // 59
	"player_teleport_out", "grenade_bounce", "missile_stick", "play_effect", "play_effect_id", // 65
	"play_portal_effect_id", "playdoorsound", "playdoorloopsound", "bmodel_sound", "mute_sound", "voicecmd_sound", // 70
	"general_sound", "global_sound", "global_team_sound", "entity_sound", "play_roff", "glass_shatter", "debris", // 76
	"misc_model_exp", "conc_alt_impact", "missile_hit", "missile_miss", "missile_miss_metal", "bullet", "pain", // 83
	"death1", "death2", "death3", "obituary", "powerup_quad", "powerup_battlesuit", "force_drained", "gib_player", // 90
	"scoreplum", "ctfmessage", "bodyfade", "siege_roundover", "siege_objectivecomplete", // 98
	"destroy_ghoul2_instance", "destroy_weapon_model", "give_new_rank", "set_free_saber", "set_force_disable", // 103
	"weapon_charge", "weapon_charge_alt", "shield_hit", "debug_line", "testline", "stoploopingsound", // 108
	"startloopingsound", "taunt", "anger1", "anger2", "anger3", "victory1", "victory2", "victory3", "confuse1", // 114
	"confuse2", "confuse3", "pushed1", "pushed2", "pushed3", "choke1", "choke2", "choke3", "ffwarn", "ffturn", // 123
	"chase1", "chase2", "chase3", "cover1", "cover2", "cover3", "cover4", "cover5", "detected1", "detected2", // 133
	"detected3", "detected4", "detected5", "lost1", "outflank1", "outflank2", "escaping1", "escaping2", // 143
	"escaping3", "giveup1", "giveup2", "giveup3", "giveup4", "look1", "look2", "sight1", "sight2", "sight3", // 151
	"sound1", "sound2", "sound3", "suspicious1", "suspicious2", "suspicious3", "suspicious4", "suspicious5", // 161
	"combat1", "combat2", "combat3", "jdetected1", "jdetected2", "jdetected3", "taunt1", "taunt2", "taunt3", // 169
	"jchase1", "jchase2", "jchase3", "jlost1", "jlost2", "jlost3", "deflect1", "deflect2", "deflect3", "gloat1", // 178
	"gloat2", "gloat3", "pushfail", "siegespec", // 188
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of jk2mv.
var WeaponsOutcast = []string{
	"none", "stun_baton", "saber", "bryar_pistol", "blaster", "disruptor", "bowcaster", "repeater", "demp2", // 0
	"flechette", "rocket_launcher", "thermal", "trip_mine", "det_pack", "emplaced_gun", "turret", // 9
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var WeaponsAcademy = []string{
	"none", "stun_baton", "melee", "saber", "bryar_pistol", "blaster", "disruptor", "bowcaster", "repeater", // 0
	"demp2", "flechette", "rocket_launcher", "thermal", "trip_mine", "det_pack", "concussion", "bryar_old", // 9
	"emplaced_gun", "turret", // 17
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of jk2mv.
var MeansOfDeathOutcast = []string{
	"unknown", "stun_baton", "melee", "saber", "bryar_pistol", "bryar_pistol_alt", "blaster", "disruptor", // 0
	"disruptor_splash", "disruptor_sniper", "bowcaster", "repeater", "repeater_alt", "repeater_alt_splash", // 8
	"demp2", "demp2_alt", "flechette", "flechette_alt_splash", "rocket", "rocket_splash", "rocket_homing", // 14
	"rocket_homing_splash", "thermal", "thermal_splash", "trip_mine_splash", "timed_mine_splash", // 21
	"det_pack_splash", "force_dark", "sentry", "water", "slime", "lava", "crush", "telefrag", "falling", // 26
	"suicide", "target_laser", "trigger_hurt", // 35
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var MeansOfDeathAcademy = []string{
	"unknown", "stun_baton", "melee", "saber", "bryar_pistol", "bryar_pistol_alt", "blaster", "turblast", // 0
	"disruptor", "disruptor_splash", "disruptor_sniper", "bowcaster", "repeater", "repeater_alt", // 8
	"repeater_alt_splash", "demp2", "demp2_alt", "flechette", "flechette_alt_splash", "rocket", "rocket_splash", // 14
	"rocket_homing", "rocket_homing_splash", "thermal", "thermal_splash", "trip_mine_splash", "timed_mine_splash", // 21
	"det_pack_splash", "vehicle", "conc", "conc_alt", "force_dark", "sentry", "water", "slime", "lava", "crush", // 27
	"telefrag", "falling", "suicide", "target_laser", "trigger_hurt", "team_change", // 37
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of jk2mv.
var PowerupsOutcast = []string{
	"none", "quad", "battlesuit", "haste", "redflag", "blueflag", "neutralflag", "shieldhit", "speedburst", // 0
	"disint_4", "speed", "force_lightning", "force_enlightened_light", "force_enlightened_dark", "force_boon", // 9
	"ysalamiri", // 15
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var PowerupsAcademy = []string{
	"none", "quad", "battlesuit", "pull", "redflag", "blueflag", "neutralflag", "shieldhit", "speedburst", // 0
	"disint_4", "speed", "cloaked", "force_enlightened_light", "force_enlightened_dark", "force_boon", // 9
	"ysalamiri", // 15
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of jk2mv.
var StatsOutcast = []string{
	"health", "holdable_item", "holdable_items", "persistant_powerup", "weapons", "armor", "dead_yaw", // 0
	"clients_ready", "max_health", // 7
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var StatsAcademy = []string{
	"health", "holdable_item", "holdable_items", "persistant_powerup", "weapons", "armor", "dead_yaw", // 0
	"clients_ready", "max_health", // 7
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of jk2mv.
var PersistantOutcast = []string{
	"score", "hits", "rank", "team", "spawn_count", "playerevents", "attacker", "attackee_armor", "killed", // 0
	"impressive_count", "excellent_count", "defend_count", "assist_count", "gauntlet_frag_count", "captures", // 9
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var PersistantAcademy = []string{
	"score", "hits", "rank", "team", "spawn_count", "playerevents", "attacker", "attackee_armor", "killed", // 0
	"impressive_count", "excellent_count", "defend_count", "assist_count", "gauntlet_frag_count", "captures", // 9
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of jk2mv.
var PmTypesOutcast = []string{
	"normal", "float", "noclip", "spectator", "dead", "freeze", "intermission", "spintermission", // 0
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var PmTypesAcademy = []string{
	"normal", "jetpack", "float", "noclip", "spectator", "dead", "freeze", "intermission", "spintermission", // 0
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of jk2mv.
var WeaponStatesOutcast = []string{
	"ready", "raising", "dropping", "firing", "charging", "charging_alt", "idle", // 0
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var WeaponStatesAcademy = []string{
	"ready", "raising", "dropping", "firing", "charging", "charging_alt", "idle", // 0
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of jk2mv.
var GametypesOutcast = []string{
	"ffa", "holocron", "jedimaster", "tournament", "single_player", "team", "saga", "ctf", "cty", // 0
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var GametypesAcademy = []string{
	"ffa", "holocron", "jedimaster", "duel", "powerduel", "single_player", "team", "siege", "ctf", "cty", // 0
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of jk2mv.
var TeamsOutcast = []string{
	"free", "red", "blue", "spectator", // 0
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var TeamsAcademy = []string{
	"free", "red", "blue", "spectator", // 0
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of jk2mv.
var TeamSoundsOutcast = []string{
	"red_capture", "blue_capture", "red_return", "blue_return", "red_taken", "blue_taken", "redteam_scored", // 0
	"blueteam_scored", "redteam_took_lead", "blueteam_took_lead", "teams_are_tied", // 7
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var TeamSoundsAcademy = []string{
	"red_capture", "blue_capture", "red_return", "blue_return", "red_taken", "blue_taken", "redteam_scored", // 0
	"blueteam_scored", "redteam_took_lead", "blueteam_took_lead", "teams_are_tied", // 7
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of jk2mv.
var PmFlagsOutcast = []string{
	"ducked", "jump_held", "rolling", "backwards_jump", "backwards_run", "time_land", "time_knockback", "", // 0
	"time_waterjump", "respawned", "use_item_held", "update_anim", "follow", "scoreboard", // 8
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var PmFlagsAcademy = []string{
	"ducked", "jump_held", "rolling", "backwards_jump", "backwards_run", "time_land", "time_knockback", // 0
	"fix_mins", "time_waterjump", "respawned", "use_item_held", "update_anim", "follow", "scoreboard", // 7
	"stuck_to_wall", // 14
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of jk2mv.
var EFlagsOutcast = []string{
	"dead", "bounce_shrapnel", "teleport_bit", "award_excellent", "player_event", "bounce_half", // 0
	"award_gauntlet", "nodraw", "firing", "alt_firing", "mover_stop", "award_cap", "talk", "connection", "voted", // 6
	"award_impressive", "award_defend", "award_assist", "award_denied", "teamvoted", "seekerdrone", // 15
	"missile_stick", "itemplaceholder", "soundtracker", "droppedweapon", "disintegration", "invulnerable", // 21
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var EFlagsAcademy = []string{
	"g2animating", "dead", "radarobject", "teleport_bit", "shader_anim", "player_event", "rag", "permanent", // 0
	"nodraw", "firing", "alt_firing", "jetpack_active", "not_used_1", "talk", "connection", "not_used_6", // 8
	"not_used_2", "not_used_3", "not_used_4", "bodypush", "double_ammo", "seekerdrone", "missile_stick", // 16
	"itemplaceholder", "soundtracker", "droppedweapon", "disintegration", "invulnerable", "clientsmooth", // 23
	"jetpack", "jetpack_flaming", "not_used_5", // 29
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of jk2mv.
var ItemsOutcast = []string{
	"", "item_shield_sm_instant", "item_shield_lrg_instant", "item_medpak_instant", "item_seeker", "item_shield", // 0
	"item_medpac", "item_datapad", "item_binoculars", "item_sentry_gun", "item_force_enlighten_light", // 6
	"item_force_enlighten_dark", "item_force_boon", "item_ysalimari", "weapon_stun_baton", "weapon_saber", // 11
	"weapon_bryar_pistol", "weapon_blaster", "weapon_disruptor", "weapon_bowcaster", "weapon_repeater", // 16
	"weapon_demp2", "weapon_flechette", "weapon_rocket_launcher", "ammo_thermal", "ammo_tripmine", "ammo_detpack", // 21
	"weapon_thermal", "weapon_trip_mine", "weapon_det_pack", "weapon_emplaced", "weapon_turretwp", "ammo_force", // 27
	"ammo_blaster", "ammo_powercell", "ammo_metallic_bolts", "ammo_rockets", "team_ctf_redflag", // 33
	"team_ctf_blueflag", "team_ctf_neutralflag", "item_redcube", "item_bluecube", // 38
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var ItemsAcademy = []string{
	"", "item_shield_sm_instant", "item_shield_lrg_instant", "item_medpak_instant", "item_seeker", "item_shield", // 0
	"item_medpac", "item_medpac_big", "item_binoculars", "item_sentry_gun", "item_jetpack", "item_healthdisp", // 6
	"item_ammodisp", "item_eweb_holdable", "item_cloak", "item_force_enlighten_light", // 12
	"item_force_enlighten_dark", "item_force_boon", "item_ysalimari", "weapon_stun_baton", "weapon_melee", // 16
	"weapon_saber", "weapon_blaster_pistol", "weapon_concussion_rifle", "weapon_bryar_pistol", "weapon_blaster", // 21
	"weapon_disruptor", "weapon_bowcaster", "weapon_repeater", "weapon_demp2", "weapon_flechette", // 26
	"weapon_rocket_launcher", "ammo_thermal", "ammo_tripmine", "ammo_detpack", "weapon_thermal", // 31
	"weapon_trip_mine", "weapon_det_pack", "weapon_emplaced", "weapon_turretwp", "ammo_force", "ammo_blaster", // 36
	"ammo_powercell", "ammo_metallic_bolts", "ammo_rockets", "ammo_all", "team_ctf_redflag", "team_ctf_blueflag", // 42
	"team_ctf_neutralflag", "item_redcube", "item_bluecube", // 48
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of jk2mv.
var TrTypesOutcast = []string{
	"stationary", "interpolate", "linear", "linear_stop", "sine", "gravity", // 0
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var TrTypesAcademy = []string{
	"stationary", "interpolate", "linear", "linear_stop", "nonlinear_stop", "sine", "gravity", // 0
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of jk2mv.
var ButtonsOutcast = []string{
	"attack", "talk", "use_holdable", "gesture", "walking", "use", "forcegrip", // 0
	"alt_attack", "any", "forcepower", // 7
	"force_lightning", "force_drain", // 10
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var ButtonsAcademy = []string{
	"attack", "talk", "use_holdable", "gesture", "walking", "use", "forcegrip", // 0
	"alt_attack", "any", "forcepower", // 7
	"force_lightning", "force_drain", // 10
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of jk2mv.
var HoldablesOutcast = []string{
	"none", "seeker", "shield", "medpac", "datapad", "binoculars", "sentry_gun", // 0
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var HoldablesAcademy = []string{
	"none", "seeker", "shield", "medpac", "medpac_big", "binoculars", "sentry_gun", "jetpack", "healthdisp", // 0
	"ammodisp", "eweb", "cloak", // 9
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of jk2mv.
var SaberMovesOutcast = []string{
	"none", "ready", "draw", "putaway", "a_tl2br", "a_l2r", "a_bl2tr", "a_br2tl", "a_r2l", "a_tr2bl", "a_t2b", // 0
	"a_backstab", "a_back", "a_back_cr", "a_lunge", "a_jump_t__b_", "a_flip_stab", "a_flip_slash", "s_tl2br", // 11
	"s_l2r", "s_bl2tr", "s_br2tl", "s_r2l", "s_tr2bl", "s_t2b", "r_tl2br", "r_l2r", "r_bl2tr", "r_br2tl", "r_r2l", // 19
	"r_tr2bl", "r_t2b", "t1_br__r", "t1_br_tr", "t1_br_t_", "t1_br_tl", "t1_br__l", "t1_br_bl", "t1__r_br", // 30
	"t1__r_tr", "t1__r_t_", "t1__r_tl", "t1__r__l", "t1__r_bl", "t1_tr_br", "t1_tr__r", "t1_tr_t_", "t1_tr_tl", // 39
	"t1_tr__l", "t1_tr_bl", "t1_t__br", "t1_t___r", "t1_t__tr", "t1_t__tl", "t1_t___l", "t1_t__bl", "t1_tl_br", // 48
	"t1_tl__r", "t1_tl_tr", "t1_tl_t_", "t1_tl__l", "t1_tl_bl", "t1__l_br", "t1__l__r", "t1__l_tr", "t1__l_t_", // 57
	"t1__l_tl", "t1__l_bl", "t1_bl_br", "t1_bl__r", "t1_bl_tr", "t1_bl_t_", "t1_bl_tl", "t1_bl__l", "b1_br", // 66
	"b1__r", "b1_tr", "b1_t_", "b1_tl", "b1__l", "b1_bl", "d1_br", "d1__r", "d1_tr", "d1_t_", "d1_tl", "d1__l", // 75
	"d1_bl", "d1_b_", "v1_br", "v1__r", "v1_tr", "v1_t_", "v1_tl", "v1__l", "v1_bl", "v1_b_", "h1_t_", "h1_tr", // 87
	"h1_tl", "h1_br", "h1_b_", "h1_bl", "k1_t_", "k1_tr", "k1_tl", "k1_br", "k1_bl", "parry_up", "parry_ur", // 99
	"parry_ul", "parry_lr", "parry_ll", "reflect_up", "reflect_ur", "reflect_ul", "reflect_lr", "reflect_ll", // 110
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var SaberMovesAcademy = []string{
	"none", "ready", "draw", "putaway", "a_tl2br", "a_l2r", "a_bl2tr", "a_br2tl", "a_r2l", "a_tr2bl", "a_t2b", // 0
	"a_backstab", "a_back", "a_back_cr", "roll_stab", "a_lunge", "a_jump_t__b_", "a_flip_stab", "a_flip_slash", // 11
	"jumpattack_dual", "jumpattack_arial_left", "jumpattack_arial_right", "jumpattack_cart_left", // 19
	"jumpattack_cart_right", "jumpattack_staff_left", "jumpattack_staff_right", "butterfly_left", // 23
	"butterfly_right", "a_backflip_atk", "spinattack_dual", "spinattack", "leap_attack", "swoop_attack_right", // 27
	"swoop_attack_left", "tauntaun_attack_right", "tauntaun_attack_left", "kick_f", "kick_b", "kick_r", "kick_l", // 33
	"kick_s", "kick_bf", "kick_rl", "kick_f_air", "kick_b_air", "kick_r_air", "kick_l_air", "stabdown", // 40
	"stabdown_staff", "stabdown_dual", "dual_spin_protect", "staff_soulcal", "a1_special", "a2_special", // 48
	"a3_special", "upside_down_attack", "pull_attack_stab", "pull_attack_swing", "spinattack_alora", "dual_fb", // 54
	"dual_lr", "hilt_bash", "s_tl2br", "s_l2r", "s_bl2tr", "s_br2tl", "s_r2l", "s_tr2bl", "s_t2b", "r_tl2br", // 60
	"r_l2r", "r_bl2tr", "r_br2tl", "r_r2l", "r_tr2bl", "r_t2b", "t1_br__r", "t1_br_tr", "t1_br_t_", "t1_br_tl", // 70
	"t1_br__l", "t1_br_bl", "t1__r_br", "t1__r_tr", "t1__r_t_", "t1__r_tl", "t1__r__l", "t1__r_bl", "t1_tr_br", // 80
	"t1_tr__r", "t1_tr_t_", "t1_tr_tl", "t1_tr__l", "t1_tr_bl", "t1_t__br", "t1_t___r", "t1_t__tr", "t1_t__tl", // 89
	"t1_t___l", "t1_t__bl", "t1_tl_br", "t1_tl__r", "t1_tl_tr", "t1_tl_t_", "t1_tl__l", "t1_tl_bl", "t1__l_br", // 98
	"t1__l__r", "t1__l_tr", "t1__l_t_", "t1__l_tl", "t1__l_bl", "t1_bl_br", "t1_bl__r", "t1_bl_tr", "t1_bl_t_", // 107
	"t1_bl_tl", "t1_bl__l", "b1_br", "b1__r", "b1_tr", "b1_t_", "b1_tl", "b1__l", "b1_bl", "d1_br", "d1__r", // 116
	"d1_tr", "d1_t_", "d1_tl", "d1__l", "d1_bl", "d1_b_", "v1_br", "v1__r", "v1_tr", "v1_t_", "v1_tl", "v1__l", // 127
	"v1_bl", "v1_b_", "h1_t_", "h1_tr", "h1_tl", "h1_br", "h1_b_", "h1_bl", "k1_t_", "k1_tr", "k1_tl", "k1_br", // 139
	"k1_bl", "parry_up", "parry_ur", "parry_ul", "parry_lr", "parry_ll", "reflect_up", "reflect_ur", "reflect_ul", // 151
	"reflect_lr", "reflect_ll", // 160
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of jk2mv.
var ForcePowersOutcast = []string{
	"heal", "levitation", "speed", "push", "pull", "telepathy", "grip", "lightning", "rage", "protect", "absorb", // 0
	"team_heal", "team_force", "drain", "see", "saberattack", "saberdefend", "saberthrow", // 11
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var ForcePowersAcademy = []string{
	"heal", "levitation", "speed", "push", "pull", "telepathy", "grip", "lightning", "rage", "protect", "absorb", // 0
	"team_heal", "team_force", "drain", "see", "saber_offense", "saber_defense", "saberthrow", // 11
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of jk2mv.
var GenericCommandsOutcast = []string{
	"", "saberswitch", "engage_duel", "force_heal", "force_speed", "force_throw", "force_pull", "force_distract", // 0
	"force_rage", "force_protect", "force_absorb", "force_healother", "force_forcepowerother", "force_seeing", // 8
	"use_seeker", "use_field", "use_bacta", "use_electrobinoculars", "zoom", "use_sentry", "saberattackcycle", // 14
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var GenericCommandsAcademy = []string{
	"", "saberswitch", "engage_duel", "force_heal", "force_speed", "force_throw", "force_pull", "force_distract", // 0
	"force_rage", "force_protect", "force_absorb", "force_healother", "force_forcepowerother", "force_seeing", // 8
	"use_seeker", "use_field", "use_bacta", "use_electrobinoculars", "zoom", "use_sentry", "use_jetpack", // 14
	"use_bactabig", "use_healthdisp", "use_ammodisp", "use_eweb", "use_cloak", "saberattackcycle", "taunt", "bow", // 21
	"meditate", "flourish", "gloat", // 29
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of jk2mv.
var HandExtendsOutcast = []string{
	"none", "forcepush", "forcepull", "forcegrip", "saberpull", "choke", "weaponready", "dodge", "knockdown", // 0
	"duelchallenge", "taunt", // 9
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var HandExtendsAcademy = []string{
	"none", "forcepush", "forcepull", "force_hold", "saberpull", "choke", "weaponready", "dodge", "knockdown", // 0
	"duelchallenge", "taunt", "prethrow", "postthrow", "prethrown", "postthrown", "dragging", "jeditaunt", // 9
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of jk2mv.
var SaberStylesOutcast = []string{
	"", "fast", "medium", "strong", // 0
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var SaberStylesAcademy = []string{
	"none", "fast", "medium", "strong", "desann", "tavion", "dual", "staff", // 0
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var SaberBlockedAcademy = []string{
	"none", "bounce_move", "parry_broken", "atk_bounce", "upper_right", "upper_left", "lower_right", "lower_left", // 0
	"top", "upper_right_proj", "upper_left_proj", "lower_right_proj", "lower_left_proj", "top_proj", // 8
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var NpcClassesAcademy = []string{
	"none", "atst", "bartender", "bespin_cop", "claw", "commando", "desann", "fish", "flier2", "galak", "glider", // 0
	"gonk", "gran", "howler", "imperial", "impworker", "interrogator", "jan", "jedi", "kyle", "lando", "lizard", // 11
	"luke", "mark1", "mark2", "galakmech", "minemonster", "monmotha", "morgankatarn", "mouse", "murjj", // 22
	"prisoner", "probe", "protocol", "r2d2", "r5d2", "rebel", "reborn", "reelo", "remote", "rodian", "seeker", // 31
	"sentry", "shadowtrooper", "stormtrooper", "swamp", "swamptrooper", "tavion", "trandoshan", "ugnaught", // 42
	"jawa", "weequay", "bobafett", "vehicle", "rancor", "wampa", // 50
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var DuelTeamsAcademy = []string{
	"free", "lone", "double", "single", // 0
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var EFlags2Academy = []string{
	"held_by_monster", "use_alt_anim", "alerted", "generic_npc_flag", "flying", "hyperspace", "bracket_entity", // 0
	"ship_death", "not_used_1", // 7
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var BrokenLimbsAcademy = []string{
	"none", "larm", "rarm", // 0
}
