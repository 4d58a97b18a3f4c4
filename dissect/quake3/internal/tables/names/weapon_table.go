package names

// Names of weapons, means of death, powerups and holdable items.

// Source: weapon_t, code/game/bg_public.h.
var (
	WeaponsQ3 = []string{
		"none", "gauntlet", "machinegun", "shotgun", "grenade_launcher", "rocket_launcher", "lightning", "railgun",
		"plasmagun", "bfg", "grappling_hook",
	}
	WeaponsMissionPack = WithNames(WeaponsQ3, "nailgun", "prox_launcher", "chaingun")
)

// Source: meansOfDeath_t, code/game/bg_public.h. Team Arena's come before the grapple.
var (
	meansOfDeathCommon = []string{
		"unknown", "shotgun", "gauntlet", "machinegun", "grenade", "grenade_splash", "rocket", "rocket_splash", // 0
		"plasma", "plasma_splash", "railgun", "lightning", "bfg", "bfg_splash", "water", "slime", "lava", "crush", // 8
		"telefrag", "falling", "suicide", "target_laser", "trigger_hurt", // 18
	}
	MeansOfDeathQ3          = WithNames(meansOfDeathCommon, "grapple")
	MeansOfDeathMissionPack = WithNames(meansOfDeathCommon, "nail", "chaingun", "proximity_mine", "kamikaze", "juiced", "grapple")
)

// PowerupsQ3 name the elements of playerState_t.powerups and the bits of entityState_t.powerups.
//
// Source: powerup_t, code/game/bg_public.h.
var PowerupsQ3 = []string{
	"none", "quad", "battlesuit", "haste", "invis", "regen", "flight", "redflag", "blueflag", "neutralflag",
	"scout", "guard", "doubler", "ammoregen", "invulnerability",
}

// PowerupsQuakeLiveNew follow the flags in every Quake Live.
//
// Source: comment on the conversion of powerups, UDT_DLL/src/protocol_conversion.cpp of uberdemotools; powerup_t,
// code/game/bg_public.h of wolfcamql. In a recording of freeze tag (90) frozen players have bit 15.
var PowerupsQuakeLiveNew = []string{"invulnerability", "scout", "guard", "doubler", "armor_regeneration", "frozen"}
