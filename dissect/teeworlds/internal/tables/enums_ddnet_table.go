package tables

// Names of DDNet's own numbers. Its extended messages and objects travel in every dialect.

// Source: AUTHED_*, datasrc/network.py of DDNet 20.1.
var authLevels = numbers(everywhere(table{0, []string{"no", "helper", "mod", "admin"}}))

// Source: ENTITYCLASS_*, datasrc/network.py of DDNet 20.1.
var entityClasses = numbers(everywhere(table{0, []string{
	"projectile", "door", "dragger_weak", "dragger_normal", "dragger_strong", "gun_normal", "gun_explosive",
	"gun_freeze", "gun_unfreeze", "light", "pickup",
}}))

// Source: LASERTYPE_*, datasrc/network.py of DDNet 20.1.
var laserTypes = numbers(everywhere(table{0, []string{"rifle", "shotgun", "door", "freeze", "dragger", "gun", "plasma"}}))

// Source: SAVESTATE_*, datasrc/network.py of DDNet 20.1.
var SaveStates = numbers(everywhere(table{0, []string{"pending", "done", "fallbackfile", "warning", "error"}}))

// draggerTypes are the subtypes of lasers of type dragger.
//
// Source: LASERDRAGGERTYPE_*, datasrc/network.py of DDNet 20.1.
var draggerTypes = numbers(everywhere(table{0, []string{"weak", "weak_nw", "normal", "normal_nw", "strong", "strong_nw"}}))

// gunTypes are the subtypes of lasers of type gun.
//
// Source: LASERGUNTYPE_*, datasrc/network.py of DDNet 20.1.
var gunTypes = numbers(everywhere(table{0, []string{"unfreeze", "explosive", "freeze", "expfreeze"}}))

// Source: SERVERCAPFLAG_*, src/engine/shared/protocol_ex.h of DDNet 20.1.
var capabilityFlags = mask(everywhere(table{0, []string{
	"ddnet", "chattimeoutcode", "anyplayerflag", "pingex", "allowdummy", "syncweaponinput",
}}))

// Source: CHARACTERFLAG_*, datasrc/network.py of DDNet 20.1.
var characterFlags = mask(everywhere(table{0, []string{
	"solo", "jetpack", "collision_disabled", "endless_hook", "endless_jump", "super", "hammer_hit_disabled",
	"shotgun_hit_disabled", "grenade_hit_disabled", "laser_hit_disabled", "hook_hit_disabled", "telegun_gun",
	"telegun_grenade", "telegun_laser", "weapon_hammer", "weapon_gun", "weapon_shotgun", "weapon_grenade",
	"weapon_laser", "weapon_ninja", "movements_disabled", "in_freeze", "practice_mode", "lock_mode",
	"team0_mode", "invincible",
}}))

// Source: EXPLAYERFLAG_*, datasrc/network.py of DDNet 20.1.
var exPlayerFlags = mask(everywhere(table{0, []string{"afk", "paused", "spec"}}))

// Source: GAMEINFOFLAG_*, datasrc/network.py of DDNet 20.1.
var gameInfoFlags = mask(everywhere(table{0, []string{
	"timescore", "gametype_race", "gametype_fastcap", "gametype_fng", "gametype_ddrace", "gametype_ddnet",
	"gametype_block_worlds", "gametype_vanilla", "gametype_plus", "flag_starts_race", "race", "unlimited_ammo",
	"ddrace_record_message", "race_record_message", "allow_eye_wheel", "allow_hook_coll", "allow_zoom",
	"bug_ddrace_ghost", "bug_ddrace_input", "bug_fng_laser_range", "bug_vanilla_bounce", "predict_fng",
	"predict_ddrace", "predict_ddrace_tiles", "predict_vanilla", "entities_ddnet", "entities_ddrace",
	"entities_race", "entities_fng", "entities_vanilla", "dont_mask_entities", "entities_bw",
}}))

// Source: GAMEINFOFLAG2_*, datasrc/network.py of DDNet 20.1.
var gameInfoFlags2 = mask(everywhere(table{0, []string{
	"allow_x_skins", "gametype_city", "gametype_fddrace", "entities_fddrace", "hud_health_armor", "hud_ammo",
	"hud_ddrace", "no_weak_hook", "no_skin_change_for_frozen", "ddrace_team", "predict_events",
	"supports_128_teams",
}}))

// Source: PROJECTILEFLAG_*, datasrc/network.py of DDNet 20.1.
var projectileFlags = mask(everywhere(table{0, []string{
	"bounce_horizontal", "bounce_vertical", "explosive", "freeze", "normalize_vel",
}}))

// Source: LEGACYPROJECTILEFLAG_*, datasrc/network.py of DDNet 20.1.
var legacyProjectileFlags = mask(everywhere(table{0, []string{
	"clientid_bit0", "clientid_bit1", "clientid_bit2", "clientid_bit3", "clientid_bit4", "clientid_bit5",
	"clientid_bit6", "clientid_bit7", "no_owner", "is_ddnet", "bounce_horizontal", "bounce_vertical",
	"explosive", "freeze",
}}))

// Source: LASERFLAG_*, datasrc/network.py of DDNet 20.1.
var laserFlags = mask(everywhere(table{0, []string{"no_predict"}}))

// Source: PICKUPFLAG_*, datasrc/network.py of DDNet 20.1.
var pickupFlags = mask(everywhere(table{0, []string{"xflip", "yflip", "rotate", "no_predict"}}))
