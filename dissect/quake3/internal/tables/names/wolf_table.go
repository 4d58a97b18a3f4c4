package names

// Names of the numbers of Return to Castle Wolfenstein and Enemy Territory.

// Source: MP/code/game/bg_public.h and MP/code/qcommon/q_shared.h of iortcw.
var EntityTypesRTCW = []string{
	"general", "player", "item", "missile", "mover", "beam", "portal", "speaker", "push_trigger", // 0
	"teleport_trigger", "invisible", "grapple", "concussive_trigger", "oid_trigger", "explosive_indicator", // 9
	"explosive", "ef_tesla", "ef_spotlight", "effect3", "alarmbox", "corona", "trap", "gamemodel", "footlocker", // 15
	"flamebarrel", "fp_parts", "fire_column", "fire_column_smoke", "ramjet", "flamethrower_chunk", "explo_part", // 24
	"prop", "bat", "ai_effect", "camera", "moverscaled", "corpse", "smoker", "temphead", "mg42_barrel", // 31
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of ET: Legacy.
var EntityTypesET = []string{
	"general", "player", "item", "missile", "mover", "beam", "portal", "speaker", "", "teleport_trigger", // 0
	"invisible", "", "oid_trigger", "explosive_indicator", "explosive", "", "alarmbox", "corona", "trap", // 10
	"gamemodel", "", "flamebarrel", "", "", "", "ramjet", "flamethrower_chunk", "", "prop", "", "camera", "", // 19
	"constructible_indicator", "constructible", "constructible_marker", "", "", "beam_2", "tank_indicator", // 32
	"tank_indicator_dead", "", "corpse", "smoker", "temphead", "mg42_barrel", "templegs", "trigger_multiple", // 39
	"trigger_flagonly", "trigger_flagonly_multiple", "gamemanager", "aagun", "cabinet_h", "cabinet_a", "healer", // 47
	"supplier", "", "", "ebs_fireteam", "ebs_shoutcast", "commandmap_marker", "wolf_objective", "airstrike_plane", // 54
}

// Source: MP/code/game/bg_public.h and MP/code/qcommon/q_shared.h of iortcw.
var EventsRTCW = []string{
	"none", "footstep", "footstep_metal", "footstep_wood", "footstep_grass", "footstep_gravel", "footstep_roof", // 0
	"footstep_snow", "footstep_carpet", "footsplash", "footwade", "swim", "step_4", "step_8", "step_12", // 7
	"step_16", "fall_short", "fall_medium", "fall_far", "fall_ndie", "fall_dmg_10", "fall_dmg_15", "fall_dmg_25", // 15
	"fall_dmg_50", "jump_pad", "jump", "water_touch", "water_leave", "water_under", "water_clear", "item_pickup", // 23
	"item_pickup_quiet", "global_item_pickup", "noitem", "noammo", "emptyclip", "fill_clip", "mg42_fixed", // 31
	"weap_overheat", "change_weapon", "fire_weapon", "fire_weaponb", "fire_weapon_lastshot", "fire_quickgren", // 38
	"nofire_underwater", "fire_weapon_mg42", "use_item0", "use_item1", "use_item2", "use_item3", "use_item4", // 44
	"use_item5", "use_item6", "use_item7", "use_item8", "use_item9", "use_item10", "use_item11", "use_item12", // 51
	"use_item13", "use_item14", "use_item15", "item_respawn", "item_pop", "player_teleport_in", // 59
	"player_teleport_out", "grenade_bounce", "general_sound", "global_sound", "global_client_sound", // 65
	"bullet_hit_flesh", "bullet_hit_wall", "missile_hit", "missile_miss", "railtrail", "venom", "venomfull", // 70
	"bullet", "lose_hat", "gib_head", "pain", "crouch_pain", "death1", "death2", "death3", "obituary", // 77
	"stopstreamingsound", "powerup_quad", "powerup_battlesuit", "powerup_regen", "gib_player", "debug_line", // 86
	"stoploopingsound", "taunt", "smoke", "sparks", "sparks_electric", "bats", "bats_updateposition", // 92
	"bats_death", "explode", "effect", "mortarefx", "spinup", "testid1", "testid2", "endtest", "snow_on", // 99
	"snow_off", "missile_miss_small", "missile_miss_large", "wolfkick_hit_flesh", "wolfkick_hit_wall", // 108
	"wolfkick_miss", "spit_hit", "spit_miss", "shard", "junk", "emitter", "oilparticles", "oilslick", // 113
	"oilslickremove", "mg42efx", "flamebarrel_bounce", "flakgun1", "flakgun2", "flakgun3", "flakgun4", "exert1", // 121
	"exert2", "exert3", "snowflurry", "concussive", "dust", "rumble_efx", "gunsparks", "flamethrower_effect", // 129
	"sniper_sound", "popup", "popupbook", "givepage", "mg42bullet_hit_flesh", "mg42bullet_hit_wall", // 137
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of ET: Legacy.
var EventsET = []string{
	"none", "footstep", "", "", "", "", "", "", "", "footsplash", "", "swim", "step_4", "step_8", "step_12", // 0
	"step_16", "fall_short", "fall_medium", "fall_far", "fall_ndie", "fall_dmg_10", "fall_dmg_15", "fall_dmg_25", // 15
	"fall_dmg_50", "water_touch", "water_leave", "water_under", "water_clear", "item_pickup", "item_pickup_quiet", // 23
	"global_item_pickup", "noammo", "weaponswitched", "", "fill_clip", "mg42_fixed", "weap_overheat", // 30
	"change_weapon", "change_weapon_2", "fire_weapon", "fire_weaponb", "fire_weapon_lastshot", // 37
	"nofire_underwater", "fire_weapon_mg42", "fire_weapon_mountedmg42", "", "", "", "", "grenade_bounce", // 42
	"general_sound", "general_sound_volume", "global_sound", "global_client_sound", "global_team_sound", // 50
	"fx_sound", "", "", "missile_hit", "missile_miss", "railtrail", "bullet", "lose_hat", "pain", "", "", "", "", // 55
	"obituary", "stopstreamingsound", "", "", "", "gib_player", "", "", "", "smoke", "sparks", "sparks_electric", // 68
	"explode", "rubble", "effect", "mortarefx", "spinup", "", "", "missile_miss_small", "missile_miss_large", // 80
	"mortar_impact", "mortar_miss", "", "", "shard", "junk", "emitter", "oilparticles", "oilslick", // 89
	"oilslickremove", "", "", "", "", "", "", "", "", "snowflurry", "", "dust", "rumble_efx", "gunsparks", // 98
	"flamethrower_effect", "", "", "", "", "", "shake", "disguise_sound", "builddecayed_sound", // 112
	"fire_weapon_aagun", "debris", "alert_speaker", "popupmessage", "artymessage", "airstrikemessage", // 121
	"medic_call", "shove_sound", "body_dp", "flag_indicator", "missile_falling", "player_hit", "player_revive", // 127
}

// Source: MP/code/game/bg_public.h and MP/code/qcommon/q_shared.h of iortcw.
var WeaponsRTCW = []string{
	"none", "knife", "luger", "mp40", "mauser", "fg42", "grenade_launcher", "panzerfaust", "venom", // 0
	"flamethrower", "tesla", "speargun", "knife2", "colt", "thompson", "garand", "bar", "grenade_pineapple", // 9
	"rocket_launcher", "sniperrifle", "snooperscope", "venom_full", "speargun_co2", "fg42scope", "bar2", "sten", // 18
	"medic_syringe", "ammo", "arty", "silencer", "akimbo", "cross", "dynamite", "dynamite2", "prox", // 26
	"monster_attack1", "monster_attack2", "monster_attack3", "smoketrail", "gauntlet", "sniper", "mortar", // 35
	"verybigexplosion", "medkit", "pliers", "smoke_grenade", "binoculars", // 42
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of ET: Legacy.
var WeaponsET = []string{
	"none", "knife", "luger", "mp40", "grenade_launcher", "panzerfaust", "flamethrower", "colt", "thompson", // 0
	"grenade_pineapple", "sten", "medic_syringe", "ammo", "arty", "silencer", "dynamite", "smoketrail", // 9
	"mapmortar", "verybigexplosion", "medkit", "binoculars", "pliers", "smoke_marker", "kar98", "carbine", // 17
	"garand", "landmine", "satchel", "satchel_det", "smoke_bomb", "mobile_mg42", "k43", "fg42", "dummy_mg42", // 25
	"mortar", "akimbo_colt", "akimbo_luger", "gpg40", "m7", "silenced_colt", "garand_scope", "k43_scope", // 34
	"fg42_scope", "mortar_set", "medic_adrenaline", "akimbo_silencedcolt", "akimbo_silencedluger", // 42
	"mobile_mg42_set", "knife_kabar", "mobile_browning", "mobile_browning_set", "mortar2", "mortar2_set", // 47
	"bazooka", "mp34", "airstrike", // 53
}

// Source: MP/code/game/bg_public.h and MP/code/qcommon/q_shared.h of iortcw.
var MeansOfDeathRTCW = []string{
	"unknown", "shotgun", "gauntlet", "machinegun", "grenade", "grenade_splash", "rocket", "rocket_splash", // 0
	"railgun", "lightning", "bfg", "bfg_splash", "knife", "knife2", "knife_stealth", "luger", "colt", "mp40", // 8
	"thompson", "sten", "mauser", "sniperrifle", "garand", "snooperscope", "silencer", "akimbo", "bar", "fg42", // 18
	"fg42scope", "panzerfaust", "rocket_launcher", "grenade_launcher", "venom", "venom_full", "flamethrower", // 28
	"tesla", "speargun", "speargun_co2", "grenade_pineapple", "cross", "mortar", "mortar_splash", "kicked", // 35
	"grabber", "dynamite", "dynamite_splash", "airstrike", "syringe", "ammo", "arty", "water", "slime", "lava", // 43
	"crush", "telefrag", "falling", "suicide", "target_laser", "trigger_hurt", "grapple", "explosive", // 53
	"poisongas", "zombiespit", "zombiespit_splash", "zombiespirit", "zombiespirit_splash", "loper_leap", // 61
	"loper_ground", "loper_hit", "lt_ammo", "lt_airstrike", "engineer", "medic", "bat", // 67
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of ET: Legacy.
var MeansOfDeathET = []string{
	"unknown", "machinegun", "browning", "mg42", "grenade", "knife", "luger", "colt", "mp40", "thompson", "sten", // 0
	"garand", "silencer", "fg42", "fg42scope", "panzerfaust", "grenade_launcher", "flamethrower", // 11
	"grenade_pineapple", "mapmortar", "mapmortar_splash", "kicked", "dynamite", "airstrike", "syringe", "ammo", // 18
	"arty", "water", "slime", "lava", "crush", "telefrag", "falling", "suicide", "target_laser", "trigger_hurt", // 26
	"explosive", "carbine", "kar98", "gpg40", "m7", "landmine", "satchel", "smokebomb", "mobile_mg42", // 36
	"silenced_colt", "garand_scope", "crush_construction", "crush_constructiondeath", // 45
	"crush_constructiondeath_noattacker", "k43", "k43_scope", "mortar", "akimbo_colt", "akimbo_luger", // 49
	"akimbo_silencedcolt", "akimbo_silencedluger", "smokegrenade", "swap_places", "switchteam", "shove", // 55
	"knife_kabar", "mobile_browning", "mortar2", "bazooka", "backstab", "mp34", // 61
}

// Source: MP/code/game/bg_public.h and MP/code/qcommon/q_shared.h of iortcw.
var PowerupsRTCW = []string{
	"none", "quad", "battlesuit", "haste", "invis", "regen", "flight", "invulnerable", "fire", "electric", // 0
	"breather", "nofatigue", "redflag", "blueflag", "ball", // 10
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of ET: Legacy.
var PowerupsET = []string{
	"none", "invulnerable", "", "", "nofatigue", "redflag", "blueflag", "ops_disguised", "ops_class_1", // 0
	"ops_class_2", "ops_class_3", "adrenaline", "", "", "blackout", // 9
}

// Source: MP/code/game/bg_public.h and MP/code/qcommon/q_shared.h of iortcw.
var StatsRTCW = []string{
	"health", "holdable_item", "armor", "keys", "dead_yaw", "clients_ready", "max_health", "player_class", // 0
	"capturehold_red", "capturehold_blue", // 8
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of ET: Legacy.
var StatsET = []string{
	"health", "keys", "dead_yaw", "max_health", "player_class", "xp", "ps_flags", "airleft", "sprinttime", // 0
	"antiwarp_delay", // 9
}

// Source: MP/code/game/bg_public.h and MP/code/qcommon/q_shared.h of iortcw.
var PersistantRTCW = []string{
	"score", "hits", "rank", "team", "spawn_count", "reward_count", "reward", "attacker", "killed", // 0
	"respawns_left", "accuracy_shots", "accuracy_hits", "hweapon_use", "wolfkick", // 9
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of ET: Legacy.
var PersistantET = []string{
	"score", "unused_01", "rank", "team", "spawn_count", "attacker", "killed", "respawns_left", // 0
	"respawns_penalty", "revive_count", "unused_10", "unused_11", "hweapon_use", "unused_13", "unused_14", // 8
	"unused_15", // 15
}

// Source: MP/code/game/bg_public.h and MP/code/qcommon/q_shared.h of iortcw.
var PmTypesRTCW = []string{
	"normal", "noclip", "spectator", "dead", "freeze", "intermission", // 0
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of ET: Legacy.
var PmTypesET = []string{
	"normal", "noclip", "spectator", "dead", "freeze", "intermission", // 0
}

// Source: MP/code/game/bg_public.h and MP/code/qcommon/q_shared.h of iortcw.
var WeaponStatesRTCW = []string{
	"ready", "raising", "dropping", "readying", "relaxing", "venom_rest", "firing", "firingalt", "reloading", // 0
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of ET: Legacy.
var WeaponStatesET = []string{
	"ready", "raising", "raising_toreload", "dropping", "dropping_toreload", "readying", "relaxing", "firing", // 0
	"firingalt", "reloading", // 8
}

// Source: MP/code/game/bg_public.h and MP/code/qcommon/q_shared.h of iortcw.
var GametypesRTCW = []string{
	"ffa", "tournament", "single_player", "team", "ctf", "wolf", "wolf_stopwatch", "wolf_cp", "wolf_cph", // 0
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of ET: Legacy.
var GametypesET = []string{
	"single_player", "coop", "wolf", "wolf_stopwatch", "wolf_campaign", "wolf_lms", "wolf_mapvote", // 0
}

// Source: MP/code/game/bg_public.h and MP/code/qcommon/q_shared.h of iortcw.
var TeamsRTCW = []string{
	"free", "red", "blue", "spectator", // 0
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of ET: Legacy.
var TeamsET = []string{
	"free", "axis", "allies", "spectator", // 0
}

// Source: MP/code/game/bg_public.h and MP/code/qcommon/q_shared.h of iortcw.
var PmFlagsRTCW = []string{
	"ducked", "jump_held", "ladder", "backwards_jump", "backwards_run", "time_land", "time_knockback", "", // 0
	"time_waterjump", "respawned", "use_item_held", "grapple_pull", "follow", "scoreboard", "limbo", // 8
	"time_lockplayer", // 15
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of ET: Legacy.
var PmFlagsET = []string{
	"ducked", "jump_held", "ladder", "backwards_jump", "backwards_run", "time_land", "time_knockback", "", // 0
	"time_waterjump", "respawned", "", "flailing", "follow", "", "limbo", "time_lockplayer", // 8
}

// Source: MP/code/game/bg_public.h and MP/code/qcommon/q_shared.h of iortcw.
var EFlagsRTCW = []string{
	"dead", "nonsolid_bmodel", "teleport_bit", "monster_effect", "capsule", "crouching", "mg42_active", "nodraw", // 0
	"firing", "bounce_heavy", "spinning", "melee_active", "talk", "connection", // 8
	"monster_effect2", "headshot", "monster_effect3", "headlook", // 14
	"stand_idle2", "tagconnect", "mover_blocked", "forced_angles", "zooming", "noswingangles", // 18
	"dummy_pmove", "", "bounce", "bounce_half", "mover_stop", // 24
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of ET: Legacy.
var EFlagsET = []string{
	"dead", "nonsolid_bmodel", "teleport_bit", "ready", "crouching", "mg42_active", "nodraw", // 0
	"firing", "spinning", "talk", "connection", "smokingblack", "headshot", "smoking", // 7
	"voted", "tagconnect", "fakebmodel", "path_link", "zooming", "prone", "prone_moving", // 14
	"viewing_camera", "aagun_active", "spare0", "spare1", "spare2", "bounce", "bounce_half", "mover_stop", // 21
	"mover_blocked", // 29
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of ET: Legacy.
var ItemsET = []string{
	"none", "health_small", "health", "health_large", "health_cabinet", "health_turkey", "health_breadandmeat", // 0
	"health_wall", "weapon_knife", "weapon_knife_kabar", "weapon_luger", "weapon_akimbo_luger", // 7
	"weapon_akimbo_silenced_luger", "weapon_thompson", "weapon_dummy_mg42", "weapon_sten", "weapon_mp34", // 12
	"weapon_colt", "weapon_akimbo_colt", "weapon_akimbo_silenced_colt", "weapon_mp40", "weapon_panzerfaust", // 17
	"weapon_bazooka", "weapon_grenade_launcher", "weapon_grenade_pineapple", "weapon_smoke_marker", // 22
	"weapon_smoketrail", "weapon_medic_heal", "weapon_dynamite", "weapon_flamethrower", "weapon_mapmortar", // 26
	"weapon_pliers", "weapon_arty", "weapon_airstrike", "weapon_medic_syringe", "weapon_medic_adrenaline", // 31
	"weapon_magicammo", "weapon_magicammo2", "weapon_binoculars", "weapon_k43", "weapon_k43_scope", // 36
	"weapon_kar98", "weapon_gpg40", "weapon_m7", "weapon_carbine", "weapon_garand", "weapon_garand_scope", // 41
	"weapon_fg42", "weapon_fg42_scope", "weapon_mortar", "weapon_mortar_set", "weapon_mortar2", // 47
	"weapon_mortar2_set", "weapon_landmine", "weapon_satchel", "weapon_satcheldet", "weapon_smoke_bomb", // 52
	"weapon_mobile_mg42", "weapon_mobile_mg42_set", "weapon_mobile_browning_set", "weapon_mobile_browning", // 57
	"weapon_silencer", "weapon_silenced_colt", "ammo_syringe", "ammo_smoke_grenade", "ammo_dynamite", // 61
	"ammo_disguise", "ammo_airstrike", "ammo_landmine", "ammo_satchel_charge", "ammo_9mm_small", "ammo_9mm", // 66
	"ammo_9mm_large", "ammo_45cal_small", "ammo_45cal", "ammo_45cal_large", "ammo_30cal_small", "ammo_30cal", // 72
	"ammo_30cal_large", "red_flag", "blue_flag", // 78
}

// Source: MP/code/game/bg_public.h and MP/code/qcommon/q_shared.h of iortcw.
var TrTypesRTCW = []string{
	"stationary", "interpolate", "linear", "linear_stop", "linear_stop_back", "sine", "gravity", "gravity_low", // 0
	"gravity_float", "gravity_paused", "accelerate", "deccelerate", // 8
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of ET: Legacy.
var TrTypesET = []string{
	"stationary", "interpolate", "linear", "linear_stop", "linear_stop_back", "sine", "gravity", "gravity_low", // 0
	"gravity_float", "gravity_paused", "accelerate", "deccelerate", "spline", "linear_path", // 8
}

// Source: MP/code/game/bg_public.h and MP/code/qcommon/q_shared.h of iortcw.
var ButtonsRTCW = []string{
	"attack", "talk", "use_holdable", "gesture", "walking", "sprint", "activate", "any", // 0
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of ET: Legacy.
var ButtonsET = []string{
	"attack", "talk", "", "gesture", "walking", "sprint", "activate", "any", // 0
}

// Source: MP/code/game/bg_public.h and MP/code/qcommon/q_shared.h of iortcw.
var HoldablesRTCW = []string{
	"none", "medkit", "wine", "skull", "water", "electric", "fire", "stamina", "book1", "book2", "book3", "11", // 0
	"12", "13", "14", // 12
}

// Source: MP/code/game/bg_public.h and MP/code/qcommon/q_shared.h of iortcw.
var WbuttonsRTCW = []string{
	"attack2", "zoom", "quickgren", "reload", "leanleft", "leanright", "drop", "extra7", // 0
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of ET: Legacy.
var WbuttonsET = []string{
	"attack2", "zoom", "", "reload", "leanleft", "leanright", "drop", "prone", // 0
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of ET: Legacy.
var DoubleTapsET = []string{
	"none", "moveleft", "moveright", "forward", "back", "leanleft", "leanright", "up", // 0
}

// Source: MP/code/game/bg_public.h and MP/code/qcommon/q_shared.h of iortcw.
var AiStatesRTCW = []string{
	"relaxed", "query", "alert", "combat", // 0
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of ET: Legacy.
var AiStatesET = []string{
	"relaxed", "query", "alert", "combat", // 0
}

// Source: MP/code/game/bg_public.h and MP/code/qcommon/q_shared.h of iortcw.
var HintsRTCW = []string{
	"none", "forcenone", "player", "activate", "door", "door_rotating", "door_locked", "door_rotating_locked", // 0
	"mg42", "breakable", "breakable_dynamite", "chair", "alarm", "health", "treasure", "knife", "ladder", // 8
	"button", "water", "caution", "danger", "secret", "question", "exclamation", "clipboard", "weapon", "ammo", // 17
	"armor", "powerup", "holdable", "inventory", "scenaric", "exit", "plyr_friend", "plyr_neutral", "plyr_enemy", // 27
	"plyr_unknown", "build", "disarm", "revive", "dynamite", "bad_user", // 36
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of ET: Legacy.
var HintsET = []string{
	"none", "forcenone", "", "activate", "door", "door_rotating", "door_locked", "door_rotating_locked", "mg42", // 0
	"breakable", "breakable_dynamite", "chair", "", "health", "", "knife", "ladder", "button", "water", "", "", // 9
	"", "", "", "", "weapon", "ammo", "", "powerup", "holdable", "", "", "", "", "", "", "", "", "build", // 21
	"disarm", "revive", "dynamite", "constructible", "uniform", "landmine", "tank", "satchelcharge", "", // 39
	"restricted", "bad_user", "completed", "no_darm_first_revive", // 48
}

// Source: MP/code/game/bg_public.h and MP/code/qcommon/q_shared.h of iortcw.
var AiCharsRTCW = []string{
	"none", "soldier", "american", "zombie", "warzombie", "femzombie", "undead", "venom", "loper", "sealoper", // 0
	"eliteguard", "stimsoldier1", "stimsoldier2", "stimsoldier3", "supersoldier", "blackguard", "protosoldier", // 10
	"rejectx", "frogman", "helga", "heinrich", "partisan", "civilian", "chimp", // 17
}

// Source: MP/code/game/bg_public.h and MP/code/qcommon/q_shared.h of iortcw.
var AnimMoveTypesRTCW = []string{
	"unused", "idle", "idlecr", "walk", "walkbk", "walkcr", "walkcrbk", "run", "runbk", "swim", "swimbk", // 0
	"straferight", "strafeleft", "turnright", "turnleft", "climbup", "climbdown", "fallen", // 11
}

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of ET: Legacy.
var AnimMoveTypesET = []string{
	"unused", "idle", "idlecr", "walk", "walkbk", "walkcr", "walkcrbk", "run", "runbk", "swim", "swimbk", // 0
	"straferight", "strafeleft", "turnright", "turnleft", "climbup", "climbdown", "fallen", "prone", "pronebk", // 11
	"idleprone", "flailing", "radio", "radiocr", "radioprone", "dead", "jump", "jumpforward", "midair", // 20
}

// SkillsET are the skills of Enemy Territory.
//
// Source: skillType_t, src/game/bg_public.h of ET: Legacy.
var SkillsET = []string{
	"battle_sense", "explosives_and_construction", "first_aid", "signals", "light_weapons", "heavy_weapons",
	"military_intelligence_and_scoped_weapons",
}
