package tables

// Names of items: what entityState_t.modelindex of an item and the parameter of a pick-up event count. They
// are the class names of map entities, in small letters.

// itemsQ3 are those that the game itself has; the list goes on with Team Arena's.
//
// Source: bg_itemlist, code/game/bg_misc.c.
var itemsQ3 = []string{
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

var itemsMissionPack = withNames(itemsQ3,
	"holdable_kamikaze", "holdable_portal", "holdable_invulnerability", // 36
	"ammo_nails", "ammo_mines", "ammo_belt", // 39
	"item_scout", "item_guard", "item_doubler", "item_ammoregen", // 42
	"team_ctf_neutralflag", "item_redcube", "item_bluecube", // 46
	"weapon_nailgun", "weapon_prox_launcher", "weapon_chaingun", // 49
)

// itemsQuakeLive73 are Team Arena's with one armor more.
//
// Source: idItem73, uberdemotools.
var itemsQuakeLive73 = withNames(withNames(itemsQ3[:4], "item_armor_jacket"), itemsMissionPack[4:]...)

var itemTables = familyTables{
	FamilyET:      itemsET,
	FamilyOutcast: itemsOutcast,
	FamilyAcademy: itemsAcademy,
	familyBaseQ3:  itemsMissionPack, // later builds have all of them in every game
	familyDM3:     itemsQ3,
	FamilyOSP:     itemsQ3,
	// Source: bg_itemlistCpma of wolfcamql; the jacket is an item of recordings of CPMA 1.48.
	FamilyCPMA: withNames(itemsQ3, "item_armor_jacket", "item_backpack", "team_ctf_neutralflag"),
	// The server's log of captures of 0.8.8 names what players pick up, in the order of the pick-up events' parameters:
	// 1 to 5, 7, 9, 11 to 15, 18 to 24, 34, 35, 39 and 49. Configstring "items" has 61 digits, as many as bg_itemlist
	// of OpenArena's code/game/bg_misc.c, which adds its own after Team Arena's.
	FamilyOpenArena: withNames(itemsMissionPack,
		"team_dd_pointablue", "team_dd_pointbblue", "team_dd_pointared", "team_dd_pointbred", // 52
		"team_dd_pointawhite", "team_dd_pointbwhite", // 56
		"team_dom_pointwhite", "team_dom_pointred", "team_dom_pointblue", // 58
	),
	FamilyQuakeLive73: itemsQuakeLive73,
	// Source: idItem90 and idItem91, uberdemotools. The keys are 91's.
	familyQuakeLive90: withNames(itemsQuakeLive73,
		"item_spawn_armor", "weapon_hmg", "ammo_hmg", "ammo_pack", "item_key_silver", "item_key_gold", "item_key_master", // 53
	),
}
