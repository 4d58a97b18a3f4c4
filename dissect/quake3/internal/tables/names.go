package tables

import (
	"bytes"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// A family determines which of a game's number tables apply. The engine's numbers (ops, trajectories, snapshot
// flags, buttons) are the same in every family; a game module and the mods made from it number the rest.
const (
	familyUnknown     uint8 = iota // a mod whose tables are not known, or no serverinfo seen: the engine's own names only
	familyBaseQ3                   // Quake III Arena, protocols 48 to 71
	familyMissionPack              // Team Arena
	familyDM3                      // Quake III Arena before 1.27, protocol 43
	FamilyQuakeLive73
	familyQuakeLive90
	FamilyQuakeLive91
	FamilyCPMA
	FamilyOSP
	FamilyOpenArena // OpenArena 0.8.8; builds after it have another order of stats and more animations
	FamilyRTCW
	FamilyET
	FamilyOutcast
	FamilyAcademy
	NumFamilies
)

// familyParents is the family whose tables apply where a family has none of its own. DM3 and the first Quake
// Live have no parent: what they share with baseq3 is in each table. A parent stands before its children.
var familyParents = [NumFamilies]uint8{
	familyMissionPack: familyBaseQ3,
	FamilyCPMA:        familyBaseQ3,
	FamilyOSP:         familyBaseQ3,
	FamilyOpenArena:   familyMissionPack,
	familyQuakeLive90: FamilyQuakeLive73,
	FamilyQuakeLive91: familyQuakeLive90,
}

// gameModules are those with tables, by the name that the module gives itself in serverinfo
// ("gamename"), which for all of them is also the directory it is loaded from ("fs_game").
var gameModules = [...]struct {
	name   string
	family uint8
}{
	{"baseq3", familyBaseQ3},
	{"missionpack", familyMissionPack},
	{"cpma", FamilyCPMA},
	{"osp", FamilyOSP},
	{"baseoa", FamilyOpenArena},
}

// FamilyOf returns the family of a game. protocol is the one that the messages are coded in, not the one that
// serverinfo declares (.dm3 recordings declare up to 45, some .dm_48 recordings 43). gamename and version are
// keys of serverinfo, fsGame is fs_game of systeminfo; each may be empty.
//
// Quake Live is recognised by its protocols (91 sends no gamename). Otherwise the module's own name decides,
// then the directory: Team Arena's module calls itself baseq3 in the sources of 1.32, its directory is
// missionpack. An unknown directory does not outweigh a module that calls itself baseq3. A serverinfo without
// gamename comes from a module that removed the key; only id's own executables without a mod are then taken for
// baseq3.
func FamilyOf(protocol int, gamename, fsGame, version []byte) uint8 {
	switch GenerationOf(protocol).Game {
	case RTCW:
		return FamilyRTCW
	case ET:
		return FamilyET
	case JediOutcast:
		return FamilyOutcast
	case JediAcademy:
		return FamilyAcademy
	}
	switch protocol {
	case 73:
		return FamilyQuakeLive73
	case 90:
		return familyQuakeLive90
	case 91:
		return FamilyQuakeLive91
	}
	family := gameOf(gamename)
	if family == familyUnknown || family == familyBaseQ3 {
		if mod := gameOf(fsGame); mod > familyBaseQ3 {
			family = mod
		} else if len(gamename) == 0 && len(fsGame) == 0 && bytes.HasPrefix(version, []byte("Q3 1.")) {
			family = familyBaseQ3
		}
	}
	if protocol != 0 && protocol < 48 {
		// OSP of that time has the numbers of the game, as its recordings show.
		if family == familyBaseQ3 || family == FamilyOSP {
			return familyDM3
		}
		return familyUnknown
	}
	return family
}

func gameOf(name []byte) uint8 {
	for _, g := range gameModules {
		if bytes.EqualFold(name, []byte(g.name)) {
			return g.family
		}
	}
	return familyUnknown
}

// Bits of an event or animation number that are not part of the number: they change whenever the same one
// starts over.
//
// Source: EV_EVENT_BITS and ANIM_TOGGLEBIT, code/game/bg_public.h.
const (
	EventToggleBits = 0x300
	animToggleBit   = 0x80
)

// Names of the engine, the same in every family.
var (
	trTypeNames   = dissect.Enum{Tables: everyFamily(trTypeTable, trTypeTables)}
	SnapFlagNames = dissect.Enum{Mask: true, Tables: everyFamily(snapFlagTable, familyTables{})}
	VoipFlagNames = dissect.Enum{Mask: true, Tables: everyFamily(voipFlagTable, familyTables{})}
	ButtonNames   = dissect.Enum{Mask: true, Tables: everyFamily(buttonTable, buttonTables)}
)

// Names of the game, by family.
var (
	EntityTypeNames      = dissect.Enum{Tables: withEvents(inherit(entityTypeTables), EventNames.Tables)}
	EventNames           = dissect.Enum{Ignore: EventToggleBits, Tables: inherit(eventTables)}
	WeaponNames          = dissect.Enum{Tables: inherit(weaponTables)}
	MeansOfDeathNames    = dissect.Enum{Tables: inherit(meansOfDeathTables)}
	ItemNames            = dissect.Enum{Tables: inherit(itemTables)}                             // of an item's model index and a pick-up's parameter
	PowerupNames         = dissect.Enum{Tables: inherit(powerupTables)}                          // index in playerState_t.powerups
	powerupBits          = dissect.Enum{Mask: true, Tables: withoutNone(inherit(powerupTables))} // bits of entityState_t.powerups
	StatNames            = dissect.Enum{Tables: inherit(statTables)}                             // index in stats
	PersistantNames      = dissect.Enum{Tables: inherit(persistantTables)}                       // index in persistant
	PmTypeNames          = dissect.Enum{Tables: inherit(pmTypeTables)}
	pmFlagNames          = dissect.Enum{Mask: true, Tables: inherit(pmFlagTables)}
	eFlagNames           = dissect.Enum{Mask: true, Tables: inherit(eFlagTables)}
	animationNames       = dissect.Enum{Ignore: animToggleBit, Tables: inherit(animationTables)}
	weaponStateNames     = dissect.Enum{Tables: inherit(weaponStateTables)}
	PlayerClassNames     = dissect.Enum{Tables: inherit(playerClassTables)}
	GametypeNames        = dissect.Enum{Tables: inherit(gametypeTables)}
	TeamNames            = dissect.Enum{Tables: inherit(teamTables)}
	GlobalTeamSoundNames = dissect.Enum{Tables: inherit(globalTeamSoundTables)}
	HoldableNames        = dissect.Enum{Tables: inherit(holdableTables)} // index in playerState_t.holdable
	ConfigstringNames    = dissect.Enum{Tables: configstringTables()}
)

// familyTables are the tables of one enumeration by family. A family without a table has its parent's.
type familyTables [NumFamilies][]string

// inherit fills in the parent's table for every family without one.
func inherit(own familyTables) [][]string {
	tables := make([][]string, NumFamilies)
	for family := range tables {
		f := uint8(family)
		for own[f] == nil && f != familyUnknown {
			f = familyParents[f]
		}
		tables[family] = own[f]
	}
	return tables
}

// everyFamily fills in the engine's table for every family except those of games with an engine of their own.
func everyFamily(table []string, own familyTables) [][]string {
	tables := slices.Repeat([][]string{table}, int(NumFamilies))
	for family, t := range own {
		if t != nil {
			tables[family] = t
		}
	}
	return tables
}

// withNames returns a copy of a table with more names at its end.
func withNames(table []string, names ...string) []string {
	return slices.Concat(table, names)
}

// withName returns a table with another name for one number; "" removes the name.
func withName(table []string, number int, name string) []string {
	table = slices.Clone(table)
	if number >= len(table) {
		table = withNames(table, make([]string, number+1-len(table))...)
	}
	table[number] = name
	return table
}

// withEvents adds the events to the entity types: from ET_EVENTS on, the number of an entity type is that of an
// event for which the entity exists. Their names begin with "event_".
func withEvents(types, events [][]string) [][]string {
	tables := make([][]string, NumFamilies)
	for family := range tables {
		if types[family] == nil {
			continue
		}
		if parent := familyParents[family]; sameTable(types[parent], types[family]) && sameTable(events[parent], events[family]) {
			tables[family] = tables[parent]
			continue
		}
		table := append(make([]string, 0, len(types[family])+len(events[family])), types[family]...)
		for _, name := range events[family] {
			if name != "" {
				name = EventEntityPrefix + name
			}
			table = append(table, name)
		}
		tables[family] = table
	}
	return tables
}

// sameTable reports whether two tables are one.
func sameTable(a, b []string) bool { return len(a) > 0 && len(a) == len(b) && &a[0] == &b[0] }

// withoutNone removes the name of number 0 if it is "none": it is not the name of a bit.
func withoutNone(tables [][]string) [][]string {
	for family, table := range tables {
		if len(table) > 0 && table[0] == "none" {
			tables[family] = withName(table, 0, "")
		}
	}
	return tables
}

// A configSpan is a run of configstrings of one kind, last included.
type configSpan struct {
	first, last int
	name        string
}

// configstringTables expands the spans of every family. The first two configstrings are the engine's.
func configstringTables() [][]string {
	tables := make([][]string, NumFamilies)
	for family, spans := range configSpans {
		size := 2
		for _, span := range spans {
			size = max(size, span.last+1)
		}
		table := make([]string, size)
		table[0], table[1] = "serverinfo", "systeminfo"
		for _, span := range spans {
			for i := span.first; i <= span.last; i++ {
				table[i] = span.name
			}
		}
		tables[family] = table
	}
	return tables
}

// MaxPlayers is the largest of NumPlayers, that of protocol 43: the size of what is kept for each client.
const MaxPlayers = 128

// PlayersAt is the configstring of client 0 in each family, or -1; LocationsAt that of place 0.
var (
	PlayersAt   = firstOf("players")
	LocationsAt = firstOf("locations")
)

// NumPlayers is how many clients each family has: MAX_CLIENTS, as many as configstrings of players. The
// entities of players have the lowest numbers; bodies have higher ones.
var NumPlayers = func() (most [NumFamilies]int) {
	for family, spans := range configSpans {
		most[family] = maxClients
		for _, span := range spans {
			if span.name == "players" {
				most[family] = span.last - span.first + 1
			}
		}
	}
	return most
}()

// maxClients is MAX_CLIENTS in code/qcommon/q_shared.h.
const maxClients = 64

// firstOf returns the first configstring of a name in each family, or -1.
func firstOf(name string) (first [NumFamilies]int) {
	for family, spans := range configSpans {
		first[family] = -1
		for _, span := range spans {
			if span.name == name {
				first[family] = span.first
			}
		}
	}
	return first
}
