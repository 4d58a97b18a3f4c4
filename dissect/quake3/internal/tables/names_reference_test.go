package tables

import (
	"cmp"
	"encoding/json"
	"io"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
)

var (
	quake3Families    = []uint8{familyBaseQ3, familyMissionPack, FamilyOSP}
	quakeLiveFamilies = []uint8{FamilyQuakeLive73, familyQuakeLive90, FamilyQuakeLive91}
	gameFamilies      = []uint8{
		familyBaseQ3, familyMissionPack, FamilyOSP, FamilyCPMA, FamilyOpenArena,
		FamilyQuakeLive73, familyQuakeLive90, FamilyQuakeLive91,
	}
	allFamilies = append([]uint8{familyUnknown, familyDM3}, gameFamilies...)
)

// referenceTables lists the families of each table of the reference, and the prefix of its constants. With
// more, ours has names that the reference lacks.
var referenceTables = []struct {
	table, key string
	families   []uint8
	prefix     string
	more       bool
}{
	{"entityType", "baseq3_48_71", append(quakeLiveFamilies, quake3Families...), "ET_", true}, // events after
	{"entityType", "dm3_43", []uint8{familyDM3}, "", true},
	{"event", "baseq3_48_71", []uint8{familyBaseQ3, familyMissionPack, FamilyOSP, FamilyOpenArena}, "EV_", false},
	{"event", "dm3_43", []uint8{familyDM3}, "EV_", false},
	{"event", "quakelive_73_91_partial", quakeLiveFamilies, "", true},
	{"weapon", "baseq3_48_71", []uint8{familyBaseQ3, FamilyOSP, FamilyCPMA, familyDM3}, "WP_", false},
	{"weapon", "missionpack_48_71", []uint8{familyMissionPack, FamilyOpenArena}, "WP_", false},
	{"weapon", "quakelive_73_91", quakeLiveFamilies, "", true},
	{"meansOfDeath", "baseq3_48_71", []uint8{familyBaseQ3, FamilyOSP, FamilyCPMA, familyDM3}, "MOD_", false},
	{"meansOfDeath", "missionpack_48_71", []uint8{familyMissionPack, FamilyOpenArena}, "MOD_", false},
	{"meansOfDeath", "quakelive_73_91", quakeLiveFamilies, "", true},
	{"powerup", "baseq3_48_71", []uint8{familyBaseQ3, familyMissionPack, FamilyOSP, FamilyCPMA, FamilyOpenArena}, "PW_", false},
	{"powerup", "quakelive_91", []uint8{FamilyQuakeLive91}, "", true},
	{"statIndex", "baseq3_48_71", []uint8{familyBaseQ3, FamilyOSP, FamilyCPMA}, "STAT_", false},
	{"statIndex", "missionpack_48_71", []uint8{familyMissionPack, FamilyOpenArena}, "STAT_", false},
	{"statIndex", "quakelive_73_91", quakeLiveFamilies, "", true},
	{"persistantIndex", "baseq3_48_71", []uint8{familyBaseQ3, familyMissionPack, FamilyOSP, FamilyCPMA, FamilyOpenArena}, "PERS_", false},
	{"persistantIndex", "dm3_43", []uint8{familyDM3}, "", false},
	{"persistantIndex", "quakelive_73_91", quakeLiveFamilies, "", true},
	{"pmType", "baseq3_48_71", quake3Families, "PM_", false},
	{"weaponState", "baseq3_48_71", allFamilies[1:], "WEAPON_", false},
	{"gametype", "baseq3_48_71", quake3Families, "GT_", false},
	{"gametype", "dm3_43", []uint8{familyDM3}, "", false},
	{"gametype", "quakelive_73_91", quakeLiveFamilies, "", false},
	{"gametype", "cpma_68", []uint8{FamilyCPMA}, "", false},
	{"team", "baseq3_48_71", allFamilies[1:], "TEAM_", false},
	{"globalTeamSound", "baseq3_48_71", gameFamilies, "GTS_", true},
	{"animation", "baseq3_48_71", gameFamilies, "", false},
	{"trType", "all", allFamilies, "TR_", false},
	{"eFlags", "baseq3_48_71", quake3Families, "EF_", false},
	{"eFlags", "quakelive_91_changes", []uint8{FamilyQuakeLive91}, "EF_", true},
	{"pmFlags", "baseq3_48_71", append(quake3Families, FamilyQuakeLive73, familyQuakeLive90), "PMF_", false},
	{"pmFlags", "quakelive_91_changes", []uint8{FamilyQuakeLive91}, "PMF_", true},
	{"buttons", "all", allFamilies, "BUTTON_", false},
	{"snapFlags", "all", allFamilies, "SNAPFLAG_", false},
	{"item", "baseq3_and_missionpack_48_71", []uint8{familyBaseQ3, familyMissionPack}, "", false},
	{"item", "quakelive_73", []uint8{FamilyQuakeLive73}, "", false},
	{"item", "quakelive_90_91", []uint8{familyQuakeLive90, FamilyQuakeLive91}, "", false},
	{"item", "cpma_68_extra", []uint8{FamilyCPMA}, "", true},
	{"voipFlags", "71", allFamilies, "VOIP_", false},
	{"configstring", "baseq3_48_71", []uint8{familyBaseQ3, familyMissionPack, FamilyOpenArena}, "CS_", false},
	{"configstring", "dm3_43", []uint8{familyDM3}, "CS_", false},
	{"configstring", "quakelive_73_90", []uint8{FamilyQuakeLive73, familyQuakeLive90}, "CS_", true},
	{"configstring", "quakelive_91", []uint8{FamilyQuakeLive91}, "CS_", true},
	{"configstring", "cpma_68_extra", []uint8{FamilyCPMA}, "", true},
	{"configstring", "osp_68_extra", []uint8{FamilyOSP}, "", true},
}

// referenceWords are the game's words where the reference has uberdemotools' words, or a sentence. A word that
// is not listed is its snake_case form.
var referenceWords = map[string]map[string]string{
	"event": {
		"WeaponFired": "fire_weapon", "RailTrail": "railtrail", "PowerUpQuad": "powerup_quad",
		"PowerUpBattleSuit": "powerup_battlesuit", "PowerUpRegen": "powerup_regen",
		"QL_Overtime": "overtime", "QL_GameOver": "game_over",
	},
	"weapon": {
		"MachineGun": "machinegun", "LightningGun": "lightning", "PlasmaGun": "plasmagun", "NailGun": "nailgun",
		"ProximityMineLauncher": "prox_launcher", "ChainGun": "chaingun",
	},
	"meansOfDeath": {
		"MachineGun": "machinegun", "BFGSplash": "bfg_splash", "TeleFrag": "telefrag", "Fall": "falling",
		"NailGun": "nail", "ChainGun": "chaingun",
	},
	"powerup": {
		"RedFlag": "redflag", "BlueFlag": "blueflag", "NeutralFlag": "neutralflag", "QuadDamage": "quad",
		"BattleSuit": "battlesuit", "Invisibility": "invis", "Regeneration": "regen",
	},
	"persistantIndex": {
		"DamageGiven": "hits", "LastAttacker": "attacker", "Deaths": "killed", "Impressives": "impressive_count",
		"Excellents": "excellent_count", "Humiliations": "gauntlet_frag_count", "Defends": "defend_count",
		"Assists": "assist_count", "FlagCaptures": "captures", "LastTargetHealthAndArmor": "attackee_armor",
	},
	"gametype": {"Duel": "tournament", "TDM": "team", "OneFlagCTF": "1fctf", "SP": "single_player"},
	"item": {
		"WeaponGrenadeLauncher": "weapon_grenadelauncher", "WeaponRocketLauncher": "weapon_rocketlauncher",
		"WeaponLightningGun": "weapon_lightning", "WeaponPlasmaGun": "weapon_plasmagun", "WeaponBFG": "weapon_bfg",
		"WeaponGrapplingHook": "weapon_grapplinghook", "AmmoBFG": "ammo_bfg", "FlagRed": "team_ctf_redflag",
		"FlagBlue": "team_ctf_blueflag", "FlagNeutral": "team_ctf_neutralflag", "ItemAmmoRegen": "item_ammoregen",
		"ItemRedCube": "item_redcube", "ItemBlueCube": "item_bluecube",
	},
	"eFlags": {
		"EF_PLAYER_EVENT|EF_BOUNCE": "player_event_or_bounce", "EF_GLOBAL_SPECTATOR (replaces EF_VOTED)": "global_spectator",
	},
	"pmFlags": {"PMF_TIME_WATERJUMP (moved from 0x100)": "time_waterjump", "PMF_SCOREBOARD removed": ""},
	"configstring": {
		"CS_PLAYERS (128 clients)": "players", "pause/timeout start time": "pause_start",
		"pause/timeout end time": "pause_end", "CPMA game info": "game_info", "CPMA round info": "round_info",
		"OSP gameplay": "gameplay",
	},
}

// A refRow is a row of the reference, for one family; number -1 is all rows for all families.
type refRow struct {
	table, key string
	family     uint8
	number     int
}

// nameDepartures are the rows in which we differ from the reference, with the reason.
var nameDepartures = map[refRow]string{
	{"powerup", "quakelive_91", 0, -1}: "one too high, like PowerUps_91 of uberdemotools that it is from; " +
		"that program's own conversion code, minqlx and wolfcamql agree on the others",
	{"persistantIndex", "quakelive_73_91", FamilyQuakeLive91, 14}: "holds for 73 and 90; " +
		"frags in 91 by protocol_conversion.cpp of uberdemotools, and so it is in a recording",
	{"persistantIndex", "baseq3_48_71", FamilyCPMA, 1}:     countsDamage,
	{"persistantIndex", "baseq3_48_71", FamilyOSP, 1}:      countsDamage,
	{"gametype", "quakelive_73_91", FamilyQuakeLive73, 11}: attackAndDefend,
	{"gametype", "quakelive_73_91", familyQuakeLive90, 11}: attackAndDefend,
	{"gametype", "quakelive_73_91", FamilyQuakeLive91, 11}: attackAndDefend,
	{"eFlags", "baseq3_48_71", familyBaseQ3, 1}:            "Team Arena's, as the reference says beside the table",
	{"eFlags", "baseq3_48_71", FamilyOSP, 1}:               "Team Arena's, as the reference says beside the table",
}

const countsDamage = "hits of id's game; points of damage in these mods: TestDamageByName of quake3/truth"

const attackAndDefend = "the reference has CPMA's name for Attack & Defend, as uberdemotools; its demo has the " +
	"command adscores, and " +
	"lists of servers have AD"

// TestNamesReference compares every table with the reference, which was made from the sources of the games by
// other hands.
func TestNamesReference(t *testing.T) {
	t.Parallel()
	var truth struct {
		Tables map[string]map[string]any
	}
	reference.Decode(t, filepath.Join(reference.Repository(t), "samples", "quake3", "truth", "names.json.gz"), &truth)
	compared, departed := map[string]bool{}, map[refRow]bool{}
	for _, rt := range referenceTables {
		table, ok := truth.Tables[rt.table][rt.key].(map[string]any)
		if !ok {
			t.Errorf("the reference has no %s %s", rt.table, rt.key)
			continue
		}
		compared[rt.table+" "+rt.key] = true
		enum := cmp.Or(gameEnums[rt.table], engineEnums[rt.table])
		for _, family := range rt.families {
			listed := map[uint64]bool{}
			for key, value := range table {
				first, last, ok := referenceRange(key, enum.Mask)
				if !ok {
					continue // -1, CPMA's hoony mode
				}
				for number := first; number <= last; number++ {
					listed[number] = true
					want, got := referenceName(rt.table, rt.prefix, value.(string)), enum.Name(family, number)
					if got == want || eventsBegin(rt.table, want) {
						continue
					}
					all, row := refRow{rt.table, rt.key, 0, -1}, refRow{rt.table, rt.key, family, int(number)}
					if nameDepartures[all] != "" || nameDepartures[row] != "" {
						departed[all], departed[row] = true, true
						continue
					}
					t.Errorf("%s %s, family %d, number %d: %q, the reference has %q", rt.table, rt.key, family, number, got, want)
				}
			}
			for number, name := range enum.All()[family] {
				if name != "" && !listed[uint64(number)] && !rt.more {
					t.Errorf("%s %s, family %d, number %d: %q, the reference has nothing", rt.table, rt.key, family, number, name)
				}
			}
		}
	}
	for row := range nameDepartures {
		if !departed[row] {
			t.Errorf("%+v: no departure, or not in the reference", row)
		}
	}
	for name, tables := range truth.Tables {
		if gameEnums[name] == nil && engineEnums[name] == nil {
			continue // numbers that no field has
		}
		for key := range tables {
			if key != "_note" && !compared[name+" "+key] {
				t.Errorf("%s %s of the reference is not compared", name, key)
			}
		}
	}
}

// referenceRange reads the key of a row: a number, a range, or a mask of one bit.
func referenceRange(key string, mask bool) (first, last uint64, ok bool) {
	from, to, ranged := strings.Cut(key, "-")
	if from == "" {
		return 0, 0, false
	}
	first, _ = strconv.ParseUint(from, 0, 32)
	if mask {
		first = uint64(bits.TrailingZeros64(first))
	}
	if last = first; ranged {
		last, _ = strconv.ParseUint(to, 0, 32)
	}
	return first, last, true
}

func referenceName(table, prefix, constant string) string {
	if word, ok := referenceWords[table][constant]; ok {
		return word
	}
	name := strings.TrimPrefix(constant, prefix)
	if strings.IndexFunc(name, unicode.IsLower) < 0 {
		return strings.ToLower(name)
	}
	var snake strings.Builder
	last := ' '
	for _, r := range strings.ReplaceAll(name, " ", "_") {
		if unicode.IsLower(last) && unicode.IsUpper(r) {
			snake.WriteByte('_')
		}
		snake.WriteRune(unicode.ToLower(r))
		last = r
	}
	return snake.String()
}

// eventsBegin reports whether a row of the entity types is that of the first event.
func eventsBegin(table, want string) bool {
	return table == "entityType" && (want == "events" || want == "event")
}

// TestOpenArenaNames compares OpenArena's numbers on the wire with the names that its server wrote to its log at
// the same time: who killed whom with what, and who picked up what. The entities of players are numbered
// like the clients.
func TestOpenArenaNames(t *testing.T) {
	t.Parallel()
	dir := reference.Folder(t, "captures", "quake3")
	captures := map[string][]string{
		"q3-68-connect-play":         {"q3-68-connect-play.server"},
		"q3-71-connect-play":         {"q3-71-connect-play.server"},
		"q3-68-loss-serverside":      {"q3-68-loss.server"},
		"q3-68-ipfrag-mtu576":        {"q3-68-ipfrag-mtu576.server"},
		"q3-multi-3clients-2servers": {"q3-multi.serverX", "q3-multi.serverY"},
	}
	const maxClients = 64
	kills, items := 0, 0
	for capture, servers := range captures {
		log := serverLog{}
		for _, server := range servers {
			log.read(t, filepath.Join(dir, server+".games.log"))
		}
		for _, e := range entityRecords(t, filepath.Join(dir, capture+".truth.jsonl.gz")) {
			parm, hasParm := e.F["eventParm"]
			if e.Kind == "baseline" && EntityTypeNames.Name(FamilyOpenArena, uint64(e.F["eType"])) == "event_obituary" {
				kills++
				mod := MeansOfDeathNames.Name(FamilyOpenArena, uint64(parm))
				if line := (killLine{int(e.F["otherEntityNum2"]), int(e.F["otherEntityNum"]), mod}); !slices.Contains(log.kills,
					line) {
					t.Errorf("%s: %+v is not in the log", capture, line)
				}
			}
			if e.Num < maxClients && hasParm && EventNames.Name(FamilyOpenArena, uint64(e.F["event"])) == "item_pickup" {
				items++
				item := ItemNames.Name(FamilyOpenArena, uint64(parm))
				if line := (itemLine{e.Num, item}); !slices.Contains(log.items, line) {
					t.Errorf("%s: %+v is not in the log", capture, line)
				}
			}
		}
	}
	if kills == 0 || items == 0 {
		t.Errorf("%d kills and %d items compared", kills, items)
	}
}

type (
	killLine struct {
		killer, victim int
		mod            string
	}
	itemLine struct {
		client int
		item   string
	}
	serverLog struct {
		kills []killLine
		items []itemLine
	}
)

// read reads lines such as "0:12 Kill: 0 2 10: Sarge killed Sergei by MOD_RAILGUN" and "0:05 Item: 0 ammo_cells".
func (l *serverLog) read(t *testing.T, name string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Skip("no reference captures; see Q3DISSECT_REFERENCE")
	}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) < 4 {
			continue
		}
		switch a, _ := strconv.Atoi(words[2]); words[1] {
		case "Kill:":
			b, _ := strconv.Atoi(words[3])
			_, mod, _ := strings.Cut(words[len(words)-1], "MOD_")
			l.kills = append(l.kills, killLine{a, b, strings.ToLower(mod)})
		case "Item:":
			l.items = append(l.items, itemLine{a, strings.ToLower(words[3])})
		}
	}
}

// An entityRecord is an entity of a snapshot as a truth file has it: the fields on the wire. Those of kind
// baseline that have no baseline, as events do, are complete.
type entityRecord struct {
	Num  int
	Kind string
	F    map[string]float64
}

func entityRecords(t *testing.T, name string) []entityRecord {
	t.Helper()
	z := reference.Unpack(t, name)
	var records []entityRecord
	for r := json.NewDecoder(z); ; {
		var line struct {
			Ops []struct{ Ents []entityRecord }
		}
		err := r.Decode(&line)
		if err == io.EOF {
			return records
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, op := range line.Ops {
			records = append(records, op.Ents...)
		}
	}
}
