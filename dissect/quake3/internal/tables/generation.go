// Package tables holds what differs between the protocols and games of the Quake III family: the fields of
// entityState_t and playerState_t in wire order, their documentation, and the names of numbers.
//
// A Generation is one protocol number: a row with its tables and the few rules that differ. A family is one
// game module: its number tables. Nothing here reads a message.
package tables

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// A Generation holds the tables and rules of one protocol number. To add one, add a row to Generations.
type Generation struct {
	Version        int
	Game           Game
	Coding         huffcodec.Coding
	Entity, Player *Layout
	// Old means the messages of engines before 1.29: fields are chosen by masks; every operation ends on a
	// whole byte, and a message with its data; a gamestate ends with operation 0, without client number and
	// checksum feed.
	Old             bool
	MaskTail        int  // Old: bits of an entity's mask after its first six bytes
	NoAcknowledge   bool // messages begin without the number of the client's last command
	CommandSequence bool // an extra long precedes the server time of a snapshot
	Voip            bool // operations for voice follow the others

	Arrays           Arrays
	Pilot, Vehicle   *Layout // player states of a vehicle's pilot, and of the vehicle; nil: none
	Shared           *Layout // fields after the delta of every entity, for TV servers; nil: none
	ServerOps        *[numOps]Op
	UserCommand      UserCommand
	MaxMessage       int  // MAX_MSGLEN, bytes
	MaxConfigstrings int  // MAX_CONFIGSTRINGS
	CommandWindow    int  // MAX_RELIABLE_COMMANDS
	EightBit         bool // texts keep bytes above 127, also as keys
	SignedHash       bool // the hash of a command adds characters with their sign, as they are
	RandomMap        bool // a gamestate ends with the data of a random map
	WebDownload      bool // a block of -1 gives the address to download from
	BinaryTail       bool // bytes of the game's module may follow the end of a message
}

// A Game is the engine that a protocol belongs to. Protocols of different games have different numbers.
type Game uint8

// The games.
const (
	Quake3 Game = iota
	RTCW        // Return to Castle Wolfenstein
	ET          // Wolfenstein: Enemy Territory
	JediOutcast
	JediAcademy
)

func (g Game) String() string { return [...]string{"quake3", "rtcw", "et", "jo", "jka"}[g] }

// Arrays is the format of the arrays after the fields of a player state.
type Arrays uint8

// The formats.
const (
	ArraysQuake3      Arrays = iota // stats, persistant, ammo, powerups
	ArraysWolf                      // with holdable and ammoclip, ammo by four groups
	ArraysJediAcademy               // as Quake III, stats[4] has 19 bits
)

var (
	entityTable68 = EntityStructure.table(EntityFields68)
	playerTable68 = PlayerStructure.table(PlayerFields68)
)

// Generations are the protocols whose messages are decoded. 66 to 68 are the same on the wire; 43, 48
// and those of Quake Live (73, 90, 91) are known from recordings.
//
// Source: PROTOCOL_VERSION and demo_protocols in code/qcommon; msg.c for the tables, message.cpp and
// parser.cpp of uberdemotools for 43, 48, 73, 90 and 91.
var Generations = complete(slices.Concat([]Generation{
	{
		Version: 43, Coding: huffcodec.Raw, Entity: EntityStructure.table(entityFields43), Player: PlayerStructure.table(playerFields43),
		Old: true, MaskTail: 2, NoAcknowledge: true, CommandSequence: true,
	},
	{
		Version: 48, Coding: huffcodec.Raw, Entity: EntityStructure.table(entityFields48), Player: PlayerStructure.table(playerFields48),
		Old: true, MaskTail: 3,
	},
	{Version: 66, Coding: huffcodec.Static, Entity: entityTable68, Player: playerTable68},
	{Version: 67, Coding: huffcodec.Static, Entity: entityTable68, Player: playerTable68},
	{Version: 68, Coding: huffcodec.Static, Entity: entityTable68, Player: playerTable68},
	{Version: 73, Coding: huffcodec.Static, Entity: EntityStructure.table(entityFields73), Player: playerTable68},
	{Version: 90, Coding: huffcodec.Static, Entity: EntityStructure.table(entityFields90), Player: PlayerStructure.table(playerFields90)},
	{Version: 91, Coding: huffcodec.Static, Entity: EntityStructure.table(entityFields91), Player: PlayerStructure.table(playerFields91)},
}, wolfGenerations(), jediGenerations(), []Generation{
	{Version: 71, Coding: huffcodec.Static, Entity: entityTable68, Player: playerTable68, Voip: true},
}))

// gameRules are the rules that all generations of a game have.
//
// Source: qcommon.h and q_shared.h of each: code/qcommon of ioquake3, MP/code/qcommon of iortcw, src/qcommon of
// ET: Legacy and jk2mv, codemp/qcommon of OpenJK.
var gameRules = [...]Generation{
	Quake3: {ServerOps: &opsQuake3, MaxMessage: 16384, MaxConfigstrings: 1024, CommandWindow: 64},
	RTCW: {
		ServerOps: &opsQuake3, UserCommand: UserCommandRTCW, Arrays: ArraysWolf,
		MaxMessage: 32768, MaxConfigstrings: 2048, CommandWindow: 256,
	},
	ET: {
		ServerOps: &opsQuake3, UserCommand: UserCommandET, Arrays: ArraysWolf, EightBit: true, WebDownload: true, BinaryTail: true,
		MaxMessage: 32768, MaxConfigstrings: 1024, CommandWindow: 256,
	},
	JediOutcast: {
		ServerOps: &opsJediOutcast, UserCommand: UserCommandJedi, MaxMessage: 16384, MaxConfigstrings: 1400, CommandWindow: 128,
	},
	JediAcademy: {
		ServerOps: &opsJediAcademy, UserCommand: UserCommandJedi, Arrays: ArraysJediAcademy, EightBit: true, SignedHash: true, RandomMap: true,
		MaxMessage: 49152, MaxConfigstrings: 2200, CommandWindow: 128, // 1700; mods of the OJP family have up to 2199
	},
}

// complete adds to each row the rules of its game.
func complete(rows []Generation) []Generation {
	for i := range rows {
		g, rules := &rows[i], &gameRules[rows[i].Game]
		if g.ServerOps == nil {
			g.ServerOps = rules.ServerOps
		}
		if g.Voip {
			g.ServerOps = &opsVoip
		}
		g.UserCommand, g.Arrays = rules.UserCommand, rules.Arrays
		g.EightBit, g.SignedHash, g.RandomMap = rules.EightBit, rules.SignedHash, rules.RandomMap
		g.WebDownload, g.BinaryTail = rules.WebDownload, rules.BinaryTail
		g.MaxMessage, g.MaxConfigstrings, g.CommandWindow = rules.MaxMessage, rules.MaxConfigstrings, rules.CommandWindow
	}
	return rows
}

// GenerationOf returns the rules of a protocol number. Numbers that are not listed, or not known yet, get those
// of 71, the last row.
func GenerationOf(version int) *Generation {
	for i := range Generations {
		if Generations[i].Version == version {
			return &Generations[i]
		}
	}
	return &Generations[len(Generations)-1]
}

// The fields that the states of any generation can have. The order is that of the structures, which 43 and 48
// also have on the wire.
var (
	EntityStructure = func() *Structure {
		s := newStructure(entityEnums, entityDocs, "entityState_t, code/qcommon/q_shared.h; MSG_ReadDeltaEntity, code/qcommon/msg.c",
			entityFields48[:], EntityFields68[:], entityFields91[:], entityFields43[:])
		s.zeroBit = true
		s.inContext("modelindex", ItemContext, &ItemNames)
		return withContexts(s, "eventParm")
	}()
	PlayerStructure = withContexts(newStructure(playerEnums, playerDocs,
		"playerState_t, code/qcommon/q_shared.h; MSG_ReadDeltaPlayerstate, code/qcommon/msg.c",
		playerFields48[:], PlayerFields68[:], playerFields91[:], playerFields43[:]), "externalEventParm")
)

// Children of the two states in messages of any game. A field of the same name in two games is there twice,
// with the widths and names of each.
var (
	EntityChildren = childrenOf(EntityStructure, entityStructureRTCW, entityStructureET, entityStructureETTV, entityStructureJO15, entityStructureJO16, entityStructureJA)
	PlayerChildren = childrenOf(PlayerStructure, playerStructureRTCW, playerStructureET, playerStructureJO15, playerStructureJO16, playerStructureJA)
)

// Children of the states that only one game has: of a vehicle, and of players for a TV server.
var (
	VehicleChildren  = playerStructureJA.Children
	TVPlayerChildren = playerStructureET.Children
	TVEntityChildren = entityStructureETTV.Children
)

func childrenOf(structures ...*Structure) (fields []*dissect.Field) {
	for _, s := range structures {
		fields = append(fields, s.Children...)
	}
	return fields
}

// entityEnums are the names of the entity fields' values, by the engine's spelling.
var entityEnums = map[string]*dissect.Enum{
	"eType": &EntityTypeNames, "eFlags": &eFlagNames, "pos.trType": &trTypeNames, "apos.trType": &trTypeNames,
	"event": &EventNames, "weapon": &WeaponNames, "powerups": &powerupBits,
	"legsAnim": &animationNames, "torsoAnim": &animationNames,
}

// playerEnums are the names of the player fields' values.
var playerEnums = map[string]*dissect.Enum{
	"pm_type": &PmTypeNames, "pm_flags": &pmFlagNames, "eFlags": &eFlagNames, "weapon": &WeaponNames,
	"weaponstate": &weaponStateNames, "events": &EventNames, "externalEvent": &EventNames,
	"legsAnim": &animationNames, "torsoAnim": &animationNames, "weaponPrimary": &WeaponNames,
}

// withContexts adds to the parameters of events the names that apply to each kind of event.
func withContexts(s *Structure, parameter string) *Structure {
	s.inContext(parameter, PickupContext, &ItemNames)
	s.inContext(parameter, ObituaryContext, &MeansOfDeathNames)
	s.inContext(parameter, TeamSoundContext, &GlobalTeamSoundNames)
	return s
}

// EventEntityPrefix is the prefix of the name of an entity type that stands for an event.
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
