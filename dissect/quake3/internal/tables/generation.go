// Package tables holds what differs between the protocols and games of the Quake III family: the fields of
// entityState_t and playerState_t in wire order, their documentation, and the names of numbers.
//
// A Generation is one protocol number: a row with its tables and the few rules that differ. A Game is one game or mod:
// a row with the names of its numbers and how its commands are worded. Rules are what all protocol numbers of an engine
// share. Nothing here reads a message.
package tables

import (
	"bytes"
	"iter"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables/netfields"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// A Generation holds the tables and rules of one protocol number. To add one, add a row to generations.
type Generation struct {
	Version int // the protocol number; negative: that of another row too, see Signs
	*Rules
	Game           uint8 // in Games; 0: the server's module decides
	Coding         huffcodec.Coding
	Native         bool // packets have a checksum; otherwise messages are enciphered
	Scrambled      bool // each packet is scrambled by its number and length, and messages are not enciphered
	Recorded       bool // known from recordings alone: no public source describes the packets
	Entity, Player *Layout
	// Old means the messages of engines before 1.29: fields are chosen by masks; every operation ends on a
	// whole byte, and a message with its data; a gamestate ends with operation 0, without client number and
	// checksum feed.
	Old             bool
	MaskTail        int // Old: bits of an entity's mask after its first six bytes
	Presets         *netfields.Presets
	Extension       string // of the names of demos; "": dm_ and the number
	NoAcknowledge   bool   // messages begin without the number of the client's last command
	CommandSequence bool   // an extra long precedes the server time of a snapshot
	Voip            bool   // operations for voice follow the others

	Pilot, Vehicle *Layout       // player states of a vehicle's pilot, and of the vehicle; nil: none
	Shared         *Layout       // fields after the delta of every entity, for TV servers; nil: none
	FrameTime      bool          // a gamestate ends with the time of one frame of the server
	CGame          CGameMessages // bodies of the messages of the game's module
	// EntityBias is what is added to the number of an entity, modulo MAX_GENTITIES, before it is written.
	EntityBias uint32
	// Scramble is what texts of configstrings and commands are written with: the byte on the wire for each byte of the
	// text, and Unscramble the reverse; nil: as they are.
	Scramble, Unscramble *[256]byte
	ServerOps            *[numOps]Op

	// Signs distinguish rows with one protocol number: a session has this one if its server information has one of
	// them. Without signs in it, the row whose Version is the number applies.
	Signs []Sign
}

// A Sign is a text that the value of a key of serverinfo contains.
type Sign struct{ Key, Text string }

// Rules are what all generations of an engine share.
type Rules struct {
	Ops              *[numOps]Op
	Arrays           Arrays
	UserCommand      UserCommand
	MaxMessage       int        // MAX_MSGLEN, bytes
	MaxConfigstrings int        // MAX_CONFIGSTRINGS
	CommandWindow    int        // MAX_RELIABLE_COMMANDS
	LongCommands     bool       // reliable commands have up to 2047 characters
	Kept             token.Kept // characters of commands that keys are made of
	SignedHash       bool       // the hash of a command adds characters with their sign, as they are
	RandomMap        bool       // a gamestate ends with the data of a random map
	WebDownload      bool       // a block of -1 gives the address to download from
	Sounds           bool       // snapshots have a rest of their time, and end with sounds
	QuietRestart     bool       // a restart of the map is announced by the new server id alone
	BinaryTail       bool       // bytes of the game's module may follow the end of a message
	Ciphered         bool       // no generation is native
	Sided            bool       // a byte for the sender precedes the text of out-of-band packets

	// What the recovery of keys expects.
	Corpus  Corpus // texts of commands
	Counted int    // protocol number of the recordings in which values were counted
	Weapons int    // how many numbers of weapons a user command has
}

// Arrays is the format of the arrays after the fields of a player state.
type Arrays uint8

// The formats.
const (
	ArraysFour        Arrays = iota // stats, persistant, ammo, powerups
	ArraysGrouped                   // with holdable and ammoclip, ammo by four groups
	ArraysWideWeapons               // four, stats[4] has 19 bits
	ArraysMisc                      // stats, persistant, and misc of 32 bits
	ArraysActive                    // 32 stats, activeItems, ammo_amount, ammo_name_index, max_ammo_amount
)

// Corpus is a set of commands that the recovery of keys knows.
type Corpus uint8

// The sets, beside the one that all games share.
const (
	CorpusShared Corpus = iota
	CorpusObjectives
	CorpusKeywords
	CorpusBattle
	NumCorpora
)

var (
	entityTable68 = EntityStructure.table(netfields.EntityFields68)
	playerTable68 = PlayerStructure.table(netfields.PlayerFields68)
)

// generations are the protocols whose messages are decoded. 66 to 68 are the same on the wire; 48 and those of Quake
// Live (73, 90, 91) are known from recordings.
//
// Source: PROTOCOL_VERSION and demo_protocols in code/qcommon; msg.c for the tables, message.cpp and
// parser.cpp of uberdemotools for 48, 73, 90 and 91.
var generations = complete(slices.Concat([]Generation{
	{
		Version: 48, Coding: huffcodec.Raw, Entity: EntityStructure.table(netfields.EntityFields48),
		Player: PlayerStructure.table(netfields.PlayerFields48), Old: true, MaskTail: 3, Recorded: true,
		Presets: &netfields.PresetMasks43,
	},
	{Version: 66, Entity: entityTable68, Player: playerTable68},
	{Version: 67, Entity: entityTable68, Player: playerTable68},
	{Version: 68, Entity: entityTable68, Player: playerTable68},
	{
		Version: 73, Game: FamilyQuakeLive73, Native: true, Recorded: true,
		Entity: EntityStructure.table(netfields.EntityFields73), Player: playerTable68,
	},
	{
		Version: 90, Game: familyQuakeLive90, Native: true, Recorded: true,
		Entity: EntityStructure.table(netfields.EntityFields90), Player: PlayerStructure.table(netfields.PlayerFields90),
	},
	{
		Version: 91, Game: FamilyQuakeLive91, Native: true, Recorded: true,
		Entity: EntityStructure.table(netfields.EntityFields91), Player: PlayerStructure.table(netfields.PlayerFields91),
	},
}, scrambledGenerations(), wolfGenerations(), jediGenerations(), mohaaGenerations(), tremulousGenerations(),
	padmanGenerations(), []Generation{
		{Version: 71, Native: true, Entity: entityTable68, Player: playerTable68, Voip: true},
	}))

// rulesQuake3 are the rules of Quake III's engine, and of those that have none of their own.
//
// Source of all Rules: qcommon.h and q_shared.h of each: code/qcommon of ioquake3, MP/code/qcommon of iortcw,
// src/qcommon of ET: Legacy and jk2mv, codemp/qcommon of OpenJK.
var rulesQuake3 = Rules{
	Ops: &opsQuake3, MaxMessage: 16384, MaxConfigstrings: 1024, CommandWindow: 64,
	Counted: LastLegacy, Weapons: 32,
}

// NumGenerations is how many rows there are.
var NumGenerations = len(generations)

// Rows are the rows and their places, as they are written: without layouts, which only GenerationAt and the functions
// that find a row by its number have made.
func Rows() iter.Seq2[int, *Generation] {
	return func(yield func(int, *Generation) bool) {
		for i := range generations {
			if !yield(i, &generations[i]) {
				return
			}
		}
	}
}

// GenerationAt returns a row by its place, from 0 to NumGenerations.
func GenerationAt(row int) *Generation { return rowOf(row) }

// rowOf returns a row with its layouts. What is not asked for is not made: most runs meet one game.
func rowOf(i int) *Generation {
	g := &generations[i]
	for _, t := range [...]*Layout{g.Entity, g.Player, g.Pilot, g.Vehicle, g.Shared} {
		t.make()
	}
	return g
}

// complete adds to each row what most rows have: the rules of Quake III and the static Huffman code.
func complete(rows []Generation) []Generation {
	for i := range rows {
		g := &rows[i]
		if g.Rules == nil {
			g.Rules = &rulesQuake3
		}
		if g.ServerOps == nil {
			g.ServerOps = g.Ops
		}
		if g.Voip {
			g.ServerOps = &opsVoip
		}
	}
	return rows
}

// Protocols that a session may have whose protocol number is not known: one for each game with messages of its own in
// each encoding, the most frequent first.
var (
	NativeCandidates = [...]int{71, 61}
	LegacyCandidates = [...]int{LastLegacy, 84, 60, 26, 16, 15}
	SidedCandidates  = [...]int{17, 8} // of games whose out-of-band packets name their sender
)

// IsNative reports whether sessions of a protocol number have a checksum: ioquake3 and iortcw use one; the original
// engines, and all of Enemy Territory and Jedi Knight, use a cipher.
func IsNative(version int) bool {
	if g := GenerationOf(version); g.Version == version {
		return g.Native
	}
	return version > LastLegacy
}

// Default reports whether a generation is of the engine that is assumed while nothing else is known: Quake III's.
func (g *Generation) Default() bool { return g.Rules == &rulesQuake3 }

// Label returns the name of the game in records; "" for Quake III.
func (g *Generation) Label() string { return Games[g.Game].Label }

// Number returns the protocol number that a generation's peers use.
func (g *Generation) Number() int { return max(g.Version, -g.Version) }

// Variant returns the generation of a protocol number that only the sessions of one game have, or g if there is none.
// The game is one of GameOfInfo.
func (g *Generation) Variant(number int, game uint8) *Generation {
	if game == familyUnknown {
		return g
	}
	for i := range generations {
		if v := &generations[i]; v.Number() == number && v.Game == game && v.Signs != nil {
			return rowOf(i)
		}
	}
	return g
}

// GameOfInfo returns the game whose signs a server information has, as a gamestate, infoResponse or statusResponse
// carry it; 0 if it has none.
func GameOfInfo(serverinfo []byte) uint8 {
	for i := range generations {
		for _, s := range generations[i].Signs {
			if bytes.Contains(dissect.InfoValue(serverinfo, s.Key), []byte(s.Text)) {
				return generations[i].Game
			}
		}
	}
	return familyUnknown
}

// GameOfWord is GameOfInfo for the name of a game in getchallenge.
func GameOfWord(name []byte) uint8 { return GameOfInfo(append([]byte(`\gamename\`), name...)) }

// ChecksumVariant returns the generation that a protocol number has in packets with a checksum, where the number is
// also that of an engine without one; nil: there is none.
func (g *Generation) ChecksumVariant() *Generation {
	if !g.Ciphered {
		return nil
	}
	for i := range generations {
		if v := &generations[i]; v.Number() == g.Number() && v.Native {
			return rowOf(i)
		}
	}
	return nil
}

// GameOfSided is the game of a session whose out-of-band packets name their sender.
var GameOfSided = func() uint8 {
	for i := range generations {
		if g := &generations[i]; g.Sided && g.Signs != nil { // the number alone determines the other rows
			return g.Game
		}
	}
	return familyUnknown
}()

// GenerationOf returns the rules of a protocol number. Numbers that are not listed, or not known yet, get those
// of 71, the last row.
func GenerationOf(version int) *Generation {
	for i := range generations {
		if generations[i].Version == version {
			return rowOf(i)
		}
	}
	return rowOf(len(generations) - 1)
}

// The fields that the states of any generation can have. The order is that of the structures, which 43 and 48
// also have on the wire.
var (
	EntityStructure = &Structure{
		enums: entityEnums, docs: netfields.EntityDocs, zeroBit: true, contexts: entityContexts,
		source: "entityState_t, code/qcommon/q_shared.h; MSG_ReadDeltaEntity, code/qcommon/msg.c",
		tables: [][]netfields.NetField{
			netfields.EntityFields48, netfields.EntityFields68, netfields.EntityFields91, netfields.EntityFields43,
			netfields.EntityFields24,
		},
	}
	PlayerStructure = &Structure{
		enums: playerEnums, docs: netfields.PlayerDocs, contexts: playerContexts,
		source: "playerState_t, code/qcommon/q_shared.h; MSG_ReadDeltaPlayerstate, code/qcommon/msg.c",
		tables: [][]netfields.NetField{
			netfields.PlayerFields48, netfields.PlayerFields68, netfields.PlayerFields91, netfields.PlayerFields43,
			netfields.PlayerFields24,
		},
	}
)

// EntityFields returns the fields of an entity in messages of any game. A field of the same name in two games is there
// twice, with the widths and names of each.
func EntityFields() []*dissect.Field {
	return fieldsOf(EntityStructure, entityStructureRTCW, entityStructureET, entityStructureETTV, entityStructureJO15,
		entityStructureJO16, entityStructureJA, entityStructureTremulous, entityStructureMOHAA)
}

// PlayerFields returns those of a player.
func PlayerFields() []*dissect.Field {
	return fieldsOf(PlayerStructure, playerStructureRTCW, playerStructureET, playerStructureJO15, playerStructureJO16,
		playerStructureJA, playerStructureTremulous, playerStructureMOHAA)
}

// VehicleFields returns the fields of the state of a vehicle, which only Jedi Academy has.
func VehicleFields() []*dissect.Field { return playerStructureJA.Fields() }

// TVPlayerFields returns those of a player for a TV server, which only Enemy Territory has.
func TVPlayerFields() []*dissect.Field { return playerStructureET.Fields() }

// TVEntityFields returns those of an entity for a TV server.
func TVEntityFields() []*dissect.Field { return entityStructureETTV.Fields() }

func fieldsOf(structures ...*Structure) (fields []*dissect.Field) {
	for _, s := range structures {
		fields = append(fields, s.Fields()...)
	}
	return fields
}

// entityEnums are the names of the entity fields' values, by the engine's spelling.
var entityEnums = map[string]*dissect.Enum{
	"eType": &EntityTypeNames, "eFlags": &EFlagNames, "pos.trType": &TrTypeNames, "apos.trType": &TrTypeNames,
	"event": &EventNames, "weapon": &WeaponNames, "powerups": &powerupBits,
	"legsAnim": &animationNames, "torsoAnim": &animationNames,
}

// playerEnums are the names of the player fields' values.
var playerEnums = map[string]*dissect.Enum{
	"pm_type": &PmTypeNames, "pm_flags": &PmFlagNames, "eFlags": &EFlagNames, "weapon": &WeaponNames,
	"weaponstate": &weaponStateNames, "events": &EventNames, "externalEvent": &EventNames,
	"legsAnim": &animationNames, "torsoAnim": &animationNames, "weaponPrimary": &WeaponNames,
}

// entityContexts and playerContexts are the names that parameters have for each kind of event, and model indices of
// items.
var (
	entityContexts = append([]contextNames{{"modelindex", ItemContext, &ItemNames}}, parameterOf("eventParm")...)
	playerContexts = parameterOf("externalEventParm")
)

func parameterOf(field string) []contextNames {
	return []contextNames{
		{field, PickupContext, &ItemNames},
		{field, ObituaryContext, &MeansOfDeathNames},
		{field, TeamSoundContext, &GlobalTeamSoundNames},
	}
}

// EventEntityPrefix is the prefix of the name of an entity type that is an event.
const EventEntityPrefix = "event_"

// EventContext returns the context of an event's parameter.
func EventContext(event string) Context {
	switch event {
	case "item_pickup", "global_item_pickup":
		return PickupContext
	case "obituary":
		return ObituaryContext
	case "global_team_sound":
		return TeamSoundContext
	}
	return NoContext
}
