package names

// Names of items: what entityState_t.modelindex of an item and the parameter of a pick-up event count. They
// are the class names of map entities, in small letters.

// ItemsQ3 are those of the game itself; Team Arena appends its own.
//
// Source: bg_itemlist, code/game/bg_misc.c.
var ItemsQ3 = []string{
	"",
	"item_armor_shard", "item_armor_combat", "item_armor_body", // 1
	"item_health_small", "item_health", "item_health_large", "item_health_mega", // 4
	"weapon_gauntlet", "weapon_shotgun", "weapon_machinegun", "weapon_grenadelauncher", "weapon_rocketlauncher", // 8
	"weapon_lightning", "weapon_railgun", "weapon_plasmagun", "weapon_bfg", "weapon_grapplinghook", // 13
	"ammo_shells", "ammo_bullets", "ammo_grenades", "ammo_cells", "ammo_lightning", "ammo_rockets", "ammo_slugs", "ammo_bfg", // 18
	"holdable_teleporter", "holdable_medkit", // 26
	"item_quad", "item_enviro", "item_haste", "item_invis", "item_regen", "item_flight", // 28
	"team_ctf_redflag", "team_ctf_blueflag", // 34
}

// ItemsMissionPack are those of Team Arena.
var ItemsMissionPack = WithNames(ItemsQ3,
	"holdable_kamikaze", "holdable_portal", "holdable_invulnerability", // 36
	"ammo_nails", "ammo_mines", "ammo_belt", // 39
	"item_scout", "item_guard", "item_doubler", "item_ammoregen", // 42
	"team_ctf_neutralflag", "item_redcube", "item_bluecube", // 46
	"weapon_nailgun", "weapon_prox_launcher", "weapon_chaingun", // 49
)

// ItemsQuakeLive73 are Team Arena's with one armor more.
//
// Source: idItem73, uberdemotools.
var ItemsQuakeLive73 = WithNames(WithNames(ItemsQ3[:4], "item_armor_jacket"), ItemsMissionPack[4:]...)
