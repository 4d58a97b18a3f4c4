package tables

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables/names"
)

// GameOf returns the number of the game of a session in Games. gen is the generation that its messages are coded in,
// and protocol the number of it, or 0 while that is not known: not the one that serverinfo declares (.dm3 recordings
// declare up to 45, some .dm_48 recordings 43). gamename and version are keys of serverinfo, fsGame is fs_game of
// systeminfo; each may be empty.
//
// Most generations have one game. Where they do not, the module's own name decides, then the directory: Team Arena's
// module calls itself baseq3. An unknown directory does not outweigh a module that calls itself baseq3. A serverinfo
// without gamename comes from a module that removed the key; only id's own executables without a mod are then taken
// for baseq3.
func GameOf(gen *Generation, protocol int, gamename, fsGame, version []byte) uint8 {
	if gen.Game != familyUnknown {
		return gen.Game
	}
	game := Module(gamename)
	if game == familyUnknown || game == familyBaseQ3 {
		if mod := Module(fsGame); mod > familyBaseQ3 {
			game = mod
		} else if len(gamename) == 0 && len(fsGame) == 0 {
			game = bareOf(version)
		}
	}
	if protocol != 0 && protocol < 48 {
		return Games[game].Early
	}
	return game
}

// Module returns the game with a module of a name, ignoring case, or 0.
func Module(name []byte) uint8 {
	for game := range Games {
		for _, module := range Games[game].Modules {
			if bytes.EqualFold(name, []byte(module)) {
				return uint8(game)
			}
		}
	}
	return familyUnknown
}

// bareOf returns the game whose version begins so, or 0.
func bareOf(version []byte) uint8 {
	for game := range Games {
		if bare := Games[game].Bare; bare != "" && bytes.HasPrefix(version, []byte(bare)) {
			return uint8(game)
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
	TrTypeNames   = dissect.Enum{Tables: everyGame(names.TrTypeTable, func(n *Names) []string { return n.TrTypes })}
	SnapFlagNames = dissect.Enum{Mask: true, Tables: everyGame(names.SnapFlagTable, nil)}
	VoipFlagNames = dissect.Enum{Mask: true, Tables: everyGame(names.VoipFlagTable, nil)}
	ButtonNames   = dissect.Enum{Mask: true, Tables: everyGame(names.ButtonTable, func(n *Names) []string { return n.Buttons })}
)

// Names of the game, by family.
var (
	EntityTypeNames      = dissect.Enum{Tables: withEvents(inherit(func(n *Names) []string { return n.EntityTypes }), EventNames.Tables)}
	EventNames           = dissect.Enum{Ignore: EventToggleBits, Tables: inherit(func(n *Names) []string { return n.Events })}
	WeaponNames          = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.Weapons })}
	MeansOfDeathNames    = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.MeansOfDeath })}
	ItemNames            = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.Items })}                             // of an item's model index and a pick-up's parameter
	PowerupNames         = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.Powerups })}                          // index in playerState_t.powerups
	powerupBits          = dissect.Enum{Mask: true, Tables: withoutNone(inherit(func(n *Names) []string { return n.Powerups }))} // bits of entityState_t.powerups
	StatNames            = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.Stats })}                             // index in stats
	PersistantNames      = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.Persistant })}                        // index in persistant
	PmTypeNames          = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.PmTypes })}
	PmFlagNames          = dissect.Enum{Mask: true, Tables: inherit(func(n *Names) []string { return n.PmFlags })}
	EFlagNames           = dissect.Enum{Mask: true, Tables: inherit(func(n *Names) []string { return n.EFlags })}
	animationNames       = dissect.Enum{Ignore: animToggleBit, Tables: inherit(func(n *Names) []string { return n.Animations })}
	weaponStateNames     = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.WeaponStates })}
	PlayerClassNames     = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.PlayerClasses })}
	GametypeNames        = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.Gametypes })}
	TeamNames            = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.Teams })}
	GlobalTeamSoundNames = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.TeamSounds })}
	HoldableNames        = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.Holdables })} // index in playerState_t.holdable
	ConfigstringNames    = dissect.Enum{Make: sync.OnceValue(configstringTables)}
)

// inherit returns the tables of one enumeration by game. A game without one has its parent's.
func inherit(own func(*Names) []string) [][]string {
	tables := make([][]string, NumFamilies)
	for game := range tables {
		g := uint8(game)
		for own(&Games[g].Names) == nil && g != familyUnknown {
			g = Games[g].Parent
		}
		tables[game] = own(&Games[g].Names)
	}
	return tables
}

// everyGame returns the engine's table for every game except those with one of their own.
func everyGame(table []string, own func(*Names) []string) [][]string {
	tables := slices.Repeat([][]string{table}, int(NumFamilies))
	for game := range tables {
		if own == nil {
			break
		}
		if t := own(&Games[game].Names); t != nil {
			tables[game] = t
		}
	}
	return tables
}

// withEvents adds the events to the entity types: from ET_EVENTS on, the number of an entity type is that of an
// event for which the entity exists. Their names begin with "event_".
func withEvents(types, events [][]string) [][]string {
	tables := make([][]string, NumFamilies)
	for family := range tables {
		if types[family] == nil {
			continue
		}
		if parent := Games[family].Parent; sameTable(types[parent], types[family]) && sameTable(events[parent], events[family]) {
			tables[family] = tables[parent]
			continue
		}
		table := append(make([]string, 0, len(types[family])+len(events[family])), types[family]...)
		prefixed := EventEntityPrefix + strings.Join(events[family], EventEntityPrefix) // one text; the names are parts of it
		for _, name := range events[family] {
			part := prefixed[:len(EventEntityPrefix)+len(name)]
			prefixed = prefixed[len(part):]
			if name == "" {
				part = ""
			}
			table = append(table, part)
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
			tables[family] = names.WithName(table, 0, "")
		}
	}
	return tables
}

// configstringTables expands the spans of every family. The first two configstrings are the engine's.
func configstringTables() [][]string {
	tables := make([][]string, NumFamilies)
	for family := range Games {
		spans := Games[family].Names.Configstrings
		size := 2
		for _, span := range spans {
			size = max(size, span.Last+1)
		}
		table := make([]string, size)
		table[0], table[1] = "serverinfo", "systeminfo"
		for _, span := range spans {
			for i := span.First; i <= span.Last; i++ {
				table[i] = span.Name
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
	for family := range Games {
		spans := Games[family].Names.Configstrings
		most[family] = maxClients
		for _, span := range spans {
			if span.Name == "players" {
				most[family] = span.Last - span.First + 1
			}
		}
	}
	return most
}()

// maxClients is MAX_CLIENTS in code/qcommon/q_shared.h.
const maxClients = 64

// firstOf returns the first configstring of a name in each family, or -1.
func firstOf(name string) (first [NumFamilies]int) {
	for family := range Games {
		spans := Games[family].Names.Configstrings
		first[family] = -1
		for _, span := range spans {
			if span.Name == name {
				first[family] = span.First
			}
		}
	}
	return first
}
