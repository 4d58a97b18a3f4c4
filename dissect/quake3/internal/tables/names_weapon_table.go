package tables

// Names of weapons, means of death, powerups and holdable items.

// Source: weapon_t, code/game/bg_public.h.
var (
	weaponsQ3 = []string{
		"none", "gauntlet", "machinegun", "shotgun", "grenade_launcher", "rocket_launcher", "lightning", "railgun",
		"plasmagun", "bfg", "grappling_hook",
	}
	weaponsMissionPack = withNames(weaponsQ3, "nailgun", "prox_launcher", "chaingun")
)

var weaponTables = familyTables{
	FamilyRTCW:        weaponsRTCW,
	FamilyET:          weaponsET,
	FamilyOutcast:     weaponsOutcast,
	FamilyAcademy:     weaponsAcademy,
	familyBaseQ3:      weaponsQ3,
	familyMissionPack: weaponsMissionPack,
	// In captures of 0.8.8: the pick-up of a weapon sets the bit of its number in the player's stat 3 (3 to 8), and
	// only who has picked a nailgun up, by the server's log, ever holds 11. The rest: weapon_t of OpenArena's
	// code/game/bg_public.h.
	FamilyOpenArena: weaponsMissionPack,
	familyDM3:       weaponsQ3, // Weapons_3_68, UDT_DLL/src/look_up_tables.cpp of uberdemotools
	// Weapons_73p, the same file; weapon_t, quake_common.h of minqlx, adds the bare hands.
	FamilyQuakeLive73: withNames(weaponsMissionPack, "heavy_machine_gun", "hands"),
}

// Source: meansOfDeath_t, code/game/bg_public.h. Team Arena's come before the grapple.
var (
	meansOfDeathCommon = []string{
		"unknown", "shotgun", "gauntlet", "machinegun", "grenade", "grenade_splash", "rocket", "rocket_splash", // 0
		"plasma", "plasma_splash", "railgun", "lightning", "bfg", "bfg_splash", "water", "slime", "lava", "crush", // 8
		"telefrag", "falling", "suicide", "target_laser", "trigger_hurt", // 18
	}
	meansOfDeathQ3          = withNames(meansOfDeathCommon, "grapple")
	meansOfDeathMissionPack = withNames(meansOfDeathCommon, "nail", "chaingun", "proximity_mine", "kamikaze", "juiced", "grapple")
)

var meansOfDeathTables = familyTables{
	FamilyRTCW:        meansOfDeathRTCW,
	FamilyET:          meansOfDeathET,
	FamilyOutcast:     meansOfDeathOutcast,
	FamilyAcademy:     meansOfDeathAcademy,
	familyBaseQ3:      meansOfDeathQ3,
	familyMissionPack: meansOfDeathMissionPack,
	// The server's log of captures of 0.8.8 gives name and number of 1, 3 to 8, 10, 11, 16, 20 and 23 (MOD_NAIL, where
	// the game without Team Arena has the grapple), and the obituaries carry the same numbers. The rest:
	// meansOfDeath_t of OpenArena's code/game/bg_public.h.
	FamilyOpenArena: meansOfDeathMissionPack,
	familyDM3:       meansOfDeathQ3, // MeansOfDeath_3_68, UDT_DLL/src/look_up_tables.cpp of uberdemotools
	// MeansOfDeath_73p, the same file; 31 and 33: meansOfDeath_t, code/game/bg_public.h of wolfcamql.
	FamilyQuakeLive73: withNames(meansOfDeathMissionPack,
		"team_switch", "thaw", "lightning_discharge", "heavy_machine_gun", "railgun_headshot"),
}

// powerupsQ3 name the elements of playerState_t.powerups and the bits of entityState_t.powerups.
//
// Source: powerup_t, code/game/bg_public.h.
var powerupsQ3 = []string{
	"none", "quad", "battlesuit", "haste", "invis", "regen", "flight", "redflag", "blueflag", "neutralflag",
	"scout", "guard", "doubler", "ammoregen", "invulnerability",
}

// powerupsQuakeLiveNew follow the flags in every Quake Live.
//
// Source: comment on the conversion of powerups, UDT_DLL/src/protocol_conversion.cpp of uberdemotools; powerup_t,
// code/game/bg_public.h of wolfcamql. In a recording of freeze tag (90) frozen players have bit 15.
var powerupsQuakeLiveNew = []string{"invulnerability", "scout", "guard", "doubler", "armor_regeneration", "frozen"}

var powerupTables = familyTables{
	FamilyRTCW:    powerupsRTCW,
	FamilyET:      powerupsET,
	FamilyOutcast: powerupsOutcast,
	FamilyAcademy: powerupsAcademy,
	familyBaseQ3:  powerupsQ3,
	familyDM3:     powerupsQ3[:9], // PowerUps_3_90, UDT_DLL/src/look_up_tables.cpp of uberdemotools
	// Captures of 0.8.8 have elements 7 and 8 while the player carries the red and the blue flag, by the server's
	// log. The rest: powerup_t of OpenArena's code/game/bg_public.h.
	FamilyOpenArena: powerupsQ3,
	// Number 0 is no powerup but the protection after a spawn (PW_SPAWNARMOR, quake_common.h of minqlx); a
	// recording (73) has it for up to half a second after every spawn of the player.
	FamilyQuakeLive73: withNames(withName(powerupsQ3[:10], 0, "spawnarmor"), powerupsQuakeLiveNew...),
	// The flags moved to the front: powerup_t, quake_common.h of minqlx, powerupQldm91_t of wolfcamql and
	// ConvertPowerUpIndex73or90to91 of uberdemotools agree. PowerUps_91 of the latter is one too high throughout.
	FamilyQuakeLive91: withNames([]string{
		"spawnarmor", "redflag", "blueflag", "neutralflag", "quad", "battlesuit", "haste", "invis", "regen", "flight",
	}, powerupsQuakeLiveNew...),
}
