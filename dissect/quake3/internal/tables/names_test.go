package tables

import (
	"regexp"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
)

// gameEnums are the enumerations of the game module, engineEnums those of the engine.
var (
	gameEnums = map[string]*dissect.Enum{
		"entityType": &EntityTypeNames, "event": &EventNames, "weapon": &WeaponNames, "meansOfDeath": &MeansOfDeathNames,
		"item": &ItemNames, "powerup": &PowerupNames,
		"powerupBits": &powerupBits, "statIndex": &StatNames, "persistantIndex": &PersistantNames,
		"pmType": &PmTypeNames, "pmFlags": &PmFlagNames, "eFlags": &EFlagNames,
		"animation": &animationNames, "weaponState": &weaponStateNames, "gametype": &GametypeNames, "team": &TeamNames,
		"globalTeamSound": &GlobalTeamSoundNames, "configstring": &ConfigstringNames,
	}
	mohaaEnums = map[string]*dissect.Enum{
		"viewAnimation": &viewAnimationNames, "weaponCommand": &WeaponCommandNames, "cgameType": &CGameTypeNames,
	}
	engineEnums = map[string]*dissect.Enum{
		"trType": &TrTypeNames, "snapFlags": &SnapFlagNames,
		"voipFlags": &VoipFlagNames, "buttons": &ButtonNames,
	}
)

// TestNames has rows of every table, from the headers of the games or, for OpenArena, from its server's log or
// its clients, compared with the numbers on the wire.
func TestNames(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		enum   *dissect.Enum
		family uint8
		number uint64
		want   string
	}{
		{&EntityTypeNames, familyBaseQ3, 1, "player"},
		{&EntityTypeNames, familyBaseQ3, 12, "team"},
		{&EntityTypeNames, familyBaseQ3, 13, "event_none"},
		{&EntityTypeNames, familyBaseQ3, 13 + 60, "event_obituary"},
		{&EntityTypeNames, familyDM3, 12, "event_none"},
		{&EntityTypeNames, familyDM3, 12 + 58, "event_obituary"},
		{&EntityTypeNames, familyQuakeLive90, 13 + 58, "event_obituary"},
		{&EntityTypeNames, FamilyCPMA, 13 + 66, ""},
		{&EntityTypeNames, familyBaseQ3, 255, ""},
		{&EntityTypeNames, familyUnknown, 1, ""},

		{&EventNames, familyBaseQ3, 0x300 | 23, "fire_weapon"}, // toggle bits
		{&EventNames, FamilyOpenArena, 531, "item_pickup"},     // as in a capture: 512 + 19
		{&EventNames, FamilyOpenArena, 47, "global_team_sound"},
		{&EventNames, familyDM3, 48, "bullet_hit_wall"},
		{&EventNames, familyDM3, 64, "taunt"},
		{&EventNames, FamilyQuakeLive91, 84, "overtime"},
		{&EventNames, FamilyQuakeLive73, 16, "global_item_pickup"},
		{&EventNames, FamilyCPMA, 65, "scoreplum"},
		{&EventNames, FamilyCPMA, 76, ""},
		{&EventNames, FamilyCPMA, 78, "taunt"},
		{&EventNames, FamilyOSP, 76, "taunt"},

		{&WeaponNames, familyBaseQ3, 5, "rocket_launcher"},
		{&WeaponNames, familyBaseQ3, 11, ""},
		{&WeaponNames, familyMissionPack, 11, "nailgun"},
		{&WeaponNames, FamilyOpenArena, 11, "nailgun"},
		{&WeaponNames, familyQuakeLive90, 14, "heavy_machine_gun"},

		{&MeansOfDeathNames, familyBaseQ3, 23, "grapple"},
		{&MeansOfDeathNames, familyMissionPack, 28, "grapple"},
		{&MeansOfDeathNames, FamilyOpenArena, 23, "nail"}, // "Kill: ... 23: ... by MOD_NAIL"
		{&MeansOfDeathNames, FamilyOpenArena, 7, "rocket_splash"},
		{&MeansOfDeathNames, FamilyQuakeLive91, 29, "team_switch"},

		{&ItemNames, familyBaseQ3, 7, "item_health_mega"},
		{&ItemNames, familyBaseQ3, 35, "team_ctf_blueflag"},
		{&ItemNames, familyDM3, 36, ""},
		{&ItemNames, FamilyCPMA, 36, "item_armor_jacket"},
		{&ItemNames, FamilyOSP, 36, "item_armor_jacket"},
		{&ItemNames, FamilyOSP, 37, ""},
		{&ItemNames, familyMissionPack, 51, "weapon_chaingun"},
		{&ItemNames, FamilyOpenArena, 49, "weapon_nailgun"},
		{&ItemNames, FamilyOpenArena, 60, "team_dom_pointblue"}, // the last of 61 digits of configstring 27
		{&ItemNames, FamilyQuakeLive73, 4, "item_armor_jacket"},
		{&ItemNames, FamilyQuakeLive73, 52, "weapon_chaingun"},
		{&ItemNames, FamilyQuakeLive73, 53, ""},
		{&ItemNames, FamilyQuakeLive91, 54, "weapon_hmg"},
		{&ItemNames, familyBaseQ3, 0, ""},

		{&PowerupNames, familyBaseQ3, 0, "none"},
		{&powerupBits, familyBaseQ3, 0, ""},
		{&powerupBits, familyBaseQ3, 1, "quad"},
		{&PowerupNames, FamilyOpenArena, 8, "blueflag"}, // while a red player carried it
		{&PowerupNames, FamilyQuakeLive73, 1, "quad"},   // a recording has it for 29 s after item 29
		{&powerupBits, familyQuakeLive90, 15, "frozen"}, // a recording of freeze tag
		{&PowerupNames, FamilyQuakeLive91, 4, "quad"},
		{&powerupBits, FamilyQuakeLive91, 0, "spawnarmor"},

		{&StatNames, familyBaseQ3, 2, "weapons"},
		{&StatNames, FamilyOpenArena, 3, "weapons"},
		{&StatNames, FamilyOpenArena, 7, "max_health"},
		{&StatNames, FamilyQuakeLive73, 7, "max_health"},
		{&PersistantNames, familyBaseQ3, 6, "attacker"},
		{&PersistantNames, familyDM3, 7, "attacker"},
		{&PersistantNames, familyDM3, 5, ""},
		{&PersistantNames, familyQuakeLive90, 14, "attackee_armor"},
		{&PersistantNames, FamilyQuakeLive91, 14, "frags"},

		{&PmTypeNames, familyBaseQ3, 5, "intermission"},
		{&PmFlagNames, familyBaseQ3, 12, "follow"},
		{&PmFlagNames, familyBaseQ3, 2, ""},
		{&PmFlagNames, FamilyOpenArena, 15, "elimwarmup"},
		{&PmFlagNames, FamilyQuakeLive91, 7, "time_waterjump"},
		{&PmFlagNames, FamilyQuakeLive91, 13, ""},
		{&EFlagNames, familyBaseQ3, 4, "player_event_or_bounce"},
		{&EFlagNames, familyBaseQ3, 1, ""},
		{&EFlagNames, familyMissionPack, 1, "ticking"},
		{&EFlagNames, familyQuakeLive90, 14, "voted"},
		{&EFlagNames, FamilyQuakeLive91, 14, "global_spectator"},
		{&animationNames, familyBaseQ3, 128 | 15, "legs_run"}, // toggle bit
		{&animationNames, familyBaseQ3, 31, ""},
		{&animationNames, familyDM3, 25, ""},
		{&weaponStateNames, familyDM3, 3, "firing"},

		{&GametypeNames, familyBaseQ3, 5, "1fctf"},
		{&GametypeNames, FamilyCPMA, 7, "ctfs"}, // a recording with g_gametype 7 has mode_current CTFS
		{&GametypeNames, familyQuakeLive90, 9, "ft"},
		{&GametypeNames, FamilyQuakeLive73, 11, "ad"}, // a demo of it has the score command adscores
		{&GametypeNames, FamilyOpenArena, 12, "domination"},
		{&TeamNames, familyDM3, 3, "spectator"},
		{&GlobalTeamSoundNames, FamilyOpenArena, 4, "red_taken"},
		{&GlobalTeamSoundNames, familyDM3, 4, ""},

		// The last number of each list in the games' sources, and those around which a list was put together.
		{&EventNames, FamilyTremulous, 73, "lev2_zap"},
		{&EventNames, FamilyTremulous, 51, "obituary"},
		{&EntityTypeNames, FamilyTremulous, 20 + 51, "event_obituary"},
		{&MeansOfDeathNames, FamilyTremulous, 47, "nocreep"},
		{&WeaponNames, FamilyTremulous, 26, "hbuild"},
		{&PmFlagNames, FamilyTremulous, 16, "sprintheld"},
		{&EventNames, FamilyPadman, 24, "imperius_explode"},
		{&EventNames, FamilyPadman, 25, "use_item0"},
		{&EventNames, FamilyPadman, 44, "player_teleport_out"},
		{&EventNames, FamilyPadman, 65, "obituary"},
		{&EventNames, FamilyPadman, 88, "taunt_patrol"},
		{&EntityTypeNames, FamilyPadman, 18 + 65, "event_obituary"},
		{&MeansOfDeathNames, FamilyPadman, 27, "boomies"},
		{&PersistantNames, FamilyPadman, 1, "team"},
		{&animationNames, FamilyPadman, 36, "legs_backcr"},
		{&EventNames, FamilySmokinGuns, 25, "item_pickup"}, // the comments of its source count
		{&EventNames, FamilySmokinGuns, 65, "use_item12"},
		{&EventNames, FamilySmokinGuns, 75, "global_sound"},
		{&EventNames, FamilySmokinGuns, 100, "death_arm_r"},
		{&EventNames, FamilySmokinGuns, 107, "obituary"},
		{&MeansOfDeathNames, FamilySmokinGuns, 23, "boiler"},
		{&MeansOfDeathNames, FamilyUrbanTerror40, 35, "negev"},
		{&MeansOfDeathNames, FamilyUrbanTerror40, 40, "goomba"},
		{&MeansOfDeathNames, FamilyUrbanTerror42, 33, "smited"},
		{&MeansOfDeathNames, FamilyUrbanTerror42, 44, "melt"},
		{&MeansOfDeathNames, FamilyUrbanTerror42, 49, "frf1"},
		{&ConfigstringNames, FamilyTremulous, 670, "players"},
		{&ConfigstringNames, FamilyUrbanTerror42, 544, "players"},

		// The first and last number of each list, and those that Allied Assault and its expansions have elsewhere.
		{&EntityTypeNames, FamilyAllied, 0, "modelanim_skel"},
		{&EntityTypeNames, FamilySpearhead, 21, "exec_commands"},
		{&StatNames, FamilyAllied, 20, "team"},
		{&StatNames, FamilySpearhead, 30, "secondary_ammo"},
		{&MeansOfDeathNames, FamilyAllied, 29, "landmine"},
		{&TeamNames, FamilySpearhead, 4, "axis"},
		{&GametypeNames, FamilySpearhead, 6, "liberation"},
		{&PmTypeNames, FamilyAllied, 3, "dead"},
		{&PmFlagNames, FamilyAllied, 8, "intermission"},
		{&PmFlagNames, FamilyAllied, 14, "turret"},
		{&PmFlagNames, FamilySpearhead, 6, "intermission"},
		{&PmFlagNames, FamilySpearhead, 15, "no_hud"},
		{&EFlagNames, FamilyAllied, 7, "allies"},
		{&EFlagNames, FamilySpearhead, 9, "dead"},
		{&viewAnimationNames, FamilyAllied, 2, "fire"},
		{&viewAnimationNames, FamilySpearhead, 14, "idle_2"},
		{&ButtonNames, FamilyAllied, 15, "mouse"},
		{&WeaponCommandNames, FamilySpearhead, 15, "drop"},
		{&CGameTypeNames, FamilyAllied, 37, "voice_chat"},
		{&CGameTypeNames, FamilySpearhead, 41, "fencepost"},
		{&ConfigstringNames, FamilyAllied, 8, "music"},
		{&ConfigstringNames, FamilyAllied, 12, "level_start_time"},
		{&ConfigstringNames, FamilySpearhead, 26, "match_end"},
		{&ConfigstringNames, FamilySpearhead, 1684, "players"},

		{&ConfigstringNames, familyUnknown, 0, "serverinfo"},
		{&ConfigstringNames, familyUnknown, 1, "systeminfo"},
		{&ConfigstringNames, familyUnknown, 2, ""},
		{&ConfigstringNames, familyBaseQ3, 26, ""},
		{&ConfigstringNames, familyBaseQ3, 289, "sounds"},
		{&ConfigstringNames, familyBaseQ3, 543, "sounds"},
		{&ConfigstringNames, familyBaseQ3, 544, "players"},
		{&ConfigstringNames, familyBaseQ3, 607, "players"},
		{&ConfigstringNames, familyBaseQ3, 608, "locations"},
		{&ConfigstringNames, familyBaseQ3, 736, ""},
		{&ConfigstringNames, familyDM3, 15, "flagstatus"},
		{&ConfigstringNames, familyDM3, 671, "players"},
		{&ConfigstringNames, FamilyCPMA, 672, "game_info"},
		{&ConfigstringNames, FamilyCPMA, 673, ""},
		{&ConfigstringNames, FamilyOSP, 806, "gameplay"},
		{&ConfigstringNames, FamilyQuakeLive73, 274, "sounds"},
		{&ConfigstringNames, familyQuakeLive90, 529, "players"},
		{&ConfigstringNames, FamilyQuakeLive91, 690, "name2ndplayer"},

		{&TrTypeNames, familyUnknown, 5, "gravity"},
		{&SnapFlagNames, FamilyQuakeLive91, 2, "servercount"},
		{&VoipFlagNames, familyUnknown, 1, "direct"},
		{&ButtonNames, familyUnknown, 11, "any"},
	} {
		if got := test.enum.Name(test.family, test.number); got != test.want {
			t.Errorf("%s, family %d, number %d: %q, want %q", enumName(test.enum), test.family, test.number, got, test.want)
		}
	}
}

func enumName(e *dissect.Enum) string {
	for _, enums := range []map[string]*dissect.Enum{gameEnums, engineEnums, mohaaEnums} {
		for name, other := range enums {
			if e == other {
				return name
			}
		}
	}
	return "?"
}

// TestNameTables checks what holds for every table: words in snake_case, one number to a name, nothing
// of the game without a known game and everything of the engine in every family.
func TestNameTables(t *testing.T) {
	t.Parallel()
	word := regexp.MustCompile(`^[a-z0-9]+(_[a-z0-9]+)*$`)
	check := func(name string, e *dissect.Enum) {
		if len(e.All()) != int(NumFamilies) {
			t.Errorf("%s: %d tables, %d families", name, len(e.All()), NumFamilies)
		}
		for family, table := range e.All() {
			seen := map[string]int{}
			for number, got := range table {
				if got == "" {
					continue
				}
				if !word.MatchString(got) && name != "animation" { // BOTH_V6__R_S6
					t.Errorf("%s, family %d, number %d: %q is not snake_case", name, family, number, got)
				}
				if other, ok := seen[got]; ok && name != "configstring" {
					t.Errorf("%s, family %d: %q is %d and %d", name, family, got, other, number)
				}
				seen[got] = number
			}
			if len(table) > 0 && len(seen) == 0 {
				t.Errorf("%s, family %d: a table without names", name, family)
			}
			if e.Mask && len(table) > 32 {
				t.Errorf("%s, family %d: %d bits", name, family, len(table))
			}
		}
	}
	for name, e := range gameEnums {
		check(name, e)
		if e.Known(familyUnknown) && name != "configstring" {
			t.Errorf("%s: a table for an unknown game", name)
		}
		for family := familyBaseQ3; family < NumFamilies; family++ {
			if known := e.Known(family); known == (knownGaps[name][family] || unpublished[family] && !logged[name] ||
				family == FamilyEliteForce && name != "configstring") {
				t.Errorf("%s, family %d: a table is known: %v", name, family, known)
			}
		}
	}
	for name, e := range mohaaEnums {
		check(name, e)
	}
	for name, e := range engineEnums {
		check(name, e)
		for family := range NumFamilies {
			if !e.Known(family) {
				t.Errorf("%s, family %d: no table", name, family)
			}
		}
	}
}

// knownGaps are the tables that are missing because nothing trustworthy is known.
var knownGaps = func() map[string]map[uint8]bool {
	gaps := map[string]map[uint8]bool{
		"globalTeamSound": {familyDM3: true, FamilyRTCW: true, FamilyET: true, FamilyTremulous: true},            // no such event
		"item":            {FamilyRTCW: true, FamilyTremulous: true, FamilyPadman: true, FamilySmokinGuns: true}, // from files, or not looked at
		"animation":       {FamilyRTCW: true, FamilyET: true, FamilyTremulous: true, FamilySmokinGuns: true},     // from scripts of the models, or several lists
		"powerup":         {FamilyTremulous: true},                                                               // none
		"powerupBits":     {FamilyTremulous: true},
		"gametype":        {FamilyTremulous: true}, // one
		"meansOfDeath":    {}, "team": {},
		"event": {}, "weapon": {}, "persistantIndex": {}, "weaponState": {},
	}
	for _, none := range []string{ // Medal of Honor has no such numbers on the wire, or they are from files
		"globalTeamSound", "item", "animation", "powerup", "powerupBits", "event", "weapon", "persistantIndex", "weaponState",
	} {
		gaps[none][FamilyAllied], gaps[none][FamilySpearhead] = true, true
	}
	for _, none := range []string{"meansOfDeath", "gametype", "team"} { // no server's log is at hand
		gaps[none][FamilyDefrag] = true
	}
	return gaps
}()

// unpublished are the games whose sources are not public, and logged what their servers' logs and clients show.
var (
	unpublished = map[uint8]bool{
		FamilyUrbanTerror40: true, FamilyUrbanTerror42: true, FamilyDefrag: true, FamilyEliteForce: true,
	}
	logged = map[string]bool{"meansOfDeath": true, "gametype": true, "team": true, "configstring": true}
)

func TestGameOf(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		protocol                  int
		gamename, fsGame, version string
		want                      uint8
	}{
		// Names from real servers, in recordings of 2000 to 2015 and captures of OpenArena 0.8.8.
		{43, "osp", "osp", "Q3 1.17 win-x86 Apr 27 2000", familyDM3},
		{48, "osp", "", "Q3 1.27g linux-i386 Dec 18 2000", FamilyOSP},
		{66, "osp", "osp", "Q3 1.30 win-x86 Aug 20 2001", FamilyOSP},
		{67, "osp", "osp", "Q3 1.31 win-x86 Dec 11 2001", FamilyOSP},
		{68, "baseq3", "", "Q3 1.32 win-x86 Oct  7 2002", familyBaseQ3},
		{68, "cpma", "cpma", "Q3 1.32e win_msvc-x86 Oct 26 2011", FamilyCPMA},
		{68, "osp", "osp", "Q3 1.32e win_msvc-x86 Oct 26 2011", FamilyOSP},
		{73, "baseqz", "", "QuakeLive  0.1.0.777 linux-i386 Jul 11 2013 11:43:52", FamilyQuakeLive73},
		{90, "baseqz", "", "Quake Live  0.1.0.1013 win-x86 Apr 28 2015 10:48:13", familyQuakeLive90},
		{91, "", "", "b1032 linux-i386 Jul 20 2015 05:19:10", FamilyQuakeLive91},
		{68, "baseoa", "", "ioq3 1.36+u20221123.70d07d9+dfsg-1/Debian linux-x86_64 Jan  8 2023", FamilyOpenArena},
		{71, "baseoa", "", "ioq3 1.36+u20221123.70d07d9+dfsg-1/Debian linux-x86_64 Jan  8 2023", FamilyOpenArena},
		// The directory decides where the module's name does not suffice.
		{68, "baseq3", "missionpack", "Q3 1.32 win-x86 Oct  7 2002", familyMissionPack},
		{68, "missionpack", "missionpack", "", familyMissionPack},
		{68, "baseq3", "ourmaps", "Q3 1.32 win-x86 Oct  7 2002", familyBaseQ3},
		{68, "BaseQ3", "CPMA", "", FamilyCPMA},
		{68, "", "cpma", "", FamilyCPMA},
		{68, "whatever", "osp", "", FamilyOSP},
		{71, "baseoa", "missionpack", "", FamilyOpenArena},
		{68, "q3ut4", "q3ut4", "ioq3 1.35 urt 4.1 linux-i386 May 10 2011", FamilyUrbanTerror40},
		{68, "q3urt42", "q3ut4", "ioQ3 1.35 urt 4.2.023 linux-x86_64", FamilyUrbanTerror42},
		{68, "q3urt43", "q3ut4", "", FamilyUrbanTerror42},
		{68, "smokinguns", "smokinguns", "Smokin' Guns 1.1 linux-x86_64 Jan  1 2012", FamilySmokinGuns},
		{71, "wop", "wop", "wop 1.6.2 linux-x86_64", familyUnknown}, // the numbers of 1.7 are not its
		// Mods, and no name at all.
		{68, "defrag", "defrag", "Q3 1.32 linux-i386 Oct  7 2002", FamilyDefrag},
		{43, "q3f", "q3f", "Q3 1.17 win-x86 Apr 27 2000", familyUnknown},
		{43, "baseoa", "", "", familyOpenArena43},
		{68, "", "", "Q3 1.32 linux-i386 Oct  7 2002", familyBaseQ3},
		{43, "", "", "Q3 1.17 win-x86 Apr 27 2000", familyDM3},
		{68, "", "excessive", "Q3 1.32 linux-i386 Oct  7 2002", familyUnknown},
		{71, "", "", "ioq3 1.36 linux-x86_64 Jan  8 2023", familyUnknown},
		{68, "", "", "", familyUnknown},
		{0, "", "", "", familyUnknown},
		{0, "baseq3", "", "", familyBaseQ3},
	} {
		got := GameOf(GenerationOf(test.protocol), test.protocol, []byte(test.gamename), []byte(test.fsGame),
			[]byte(test.version))
		if got != test.want {
			t.Errorf("gameOf(%d, %q, %q, %q) = %d, want %d", test.protocol, test.gamename, test.fsGame,
				test.version, got, test.want)
		}
	}
}

func TestGameOfAllocations(t *testing.T) {
	gamename, fsGame := []byte("defrag"), []byte("defrag")
	if n := testing.AllocsPerRun(100, func() { GameOf(GenerationOf(68), 68, gamename, fsGame, nil) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestNumPlayers has MAX_CLIENTS of families of every engine: 64, in protocol 43 128, of Jedi Outcast and Academy 32.
func TestNumPlayers(t *testing.T) {
	for family, want := range map[uint8]int{
		familyUnknown: 64, familyBaseQ3: 64, familyDM3: MaxPlayers, FamilyQuakeLive91: 64, FamilyRTCW: 64, FamilyET: 64,
		FamilyOutcast: 32, FamilyAcademy: 32,
	} {
		if NumPlayers[family] != want {
			t.Errorf("family %d: %d clients, want %d", family, NumPlayers[family], want)
		}
	}
	for family, n := range NumPlayers {
		if n > MaxPlayers {
			t.Errorf("family %d: %d clients, what is kept for them has %d places", family, n, MaxPlayers)
		}
	}
}
