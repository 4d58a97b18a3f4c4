package quake3

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// A generation is what one protocol number does differently: its tables and a few named rules. Adding
// one is adding a row to generations.
type generation struct {
	version        int
	coding         huffcodec.Coding
	entity, player *deltaTable
	// old says that messages are as before 1.29: fields are chosen by masks, every operation ends on a whole byte, a message with its
	// data, and a gamestate with operation 0, without client number and checksum feed.
	old             bool
	maskTail        int  // old: bits of an entity's mask behind its first six bytes
	noAcknowledge   bool // messages begin without the number of the client's last command
	commandSequence bool // an extra long stands before the server time of a snapshot
	voip            bool // operations for voice follow the others
}

var (
	entityTable68 = entityOutput.table(entityFields68)
	playerTable68 = playerOutput.table(playerFields68)
)

// generations are the protocols whose messages are decoded. 66 to 68 are the same on the wire; 43, 48
// and those of Quake Live (73, 90, 91) are known from recordings.
//
// Source: PROTOCOL_VERSION and demo_protocols in code/qcommon; msg.c for the tables, message.cpp and
// parser.cpp of uberdemotools for 43, 48, 73, 90 and 91.
var generations = [...]generation{
	{
		version: 43, coding: huffcodec.Raw, entity: entityOutput.table(entityFields43), player: playerOutput.table(playerFields43),
		old: true, maskTail: 2, noAcknowledge: true, commandSequence: true,
	},
	{
		version: 48, coding: huffcodec.Raw, entity: entityOutput.table(entityFields48), player: playerOutput.table(playerFields48),
		old: true, maskTail: 3,
	},
	{version: 66, coding: huffcodec.Static, entity: entityTable68, player: playerTable68},
	{version: 67, coding: huffcodec.Static, entity: entityTable68, player: playerTable68},
	{version: 68, coding: huffcodec.Static, entity: entityTable68, player: playerTable68},
	{version: 73, coding: huffcodec.Static, entity: entityOutput.table(entityFields73), player: playerTable68},
	{version: 90, coding: huffcodec.Static, entity: entityOutput.table(entityFields90), player: playerOutput.table(playerFields90)},
	{version: 91, coding: huffcodec.Static, entity: entityOutput.table(entityFields91), player: playerOutput.table(playerFields91)},
	{version: 71, coding: huffcodec.Static, entity: entityTable68, player: playerTable68, voip: true},
}

// generationOf finds the rules of a protocol number. What is not listed, and what is not known yet,
// is read by those of 71, the last row.
func generationOf(version int) *generation {
	for i := range generations {
		if generations[i].version == version {
			return &generations[i]
		}
	}
	return &generations[len(generations)-1]
}

// What the states of all generations can show. The order is that of the structures, which 43 and 48
// also have on the wire.
var (
	entityOutput = func() *stateFields {
		s := newStateFields(entityEnums, entityDocs, "entityState_t, code/qcommon/q_shared.h; MSG_ReadDeltaEntity, code/qcommon/msg.c",
			entityFields48[:], entityFields68[:], entityFields91[:], entityFields43[:])
		s.zeroBit = true
		s.twin("modelindex", ofItem, &itemNames)
		return withTwins(s, "eventParm")
	}()
	playerOutput = withTwins(newStateFields(playerEnums, playerDocs,
		"playerState_t, code/qcommon/q_shared.h; MSG_ReadDeltaPlayerstate, code/qcommon/msg.c",
		playerFields48[:], playerFields68[:], playerFields91[:], playerFields43[:]), "externalEventParm")
)

// entityEnums are the names of the entity fields' values, by the engine's spelling.
var entityEnums = map[string]*dissect.Enum{
	"eType": &entityTypeNames, "eFlags": &eFlagNames, "pos.trType": &trTypeNames, "apos.trType": &trTypeNames,
	"event": &eventNames, "weapon": &weaponNames, "powerups": &powerupBits,
	"legsAnim": &animationNames, "torsoAnim": &animationNames,
}

// playerEnums are the names of the player fields' values.
var playerEnums = map[string]*dissect.Enum{
	"pm_type": &pmTypeNames, "pm_flags": &pmFlagNames, "eFlags": &eFlagNames, "weapon": &weaponNames,
	"weaponstate": &weaponStateNames, "events": &eventNames, "externalEvent": &eventNames,
	"legsAnim": &animationNames, "torsoAnim": &animationNames, "weaponPrimary": &weaponNames,
}

// withTwins gives the parameters of events the names that hold beside an event.
func withTwins(s *stateFields, parameter string) *stateFields {
	s.twin(parameter, ofPickup, &itemNames)
	s.twin(parameter, ofObituary, &meansOfDeathNames)
	s.twin(parameter, ofTeamSound, &globalTeamSoundNames)
	return s
}

// eventEntityPrefix begins the name of an entity type that is an event of its own.
const eventEntityPrefix = "event_"

// eventContext is the context that an event gives its parameter.
func eventContext(event string) context {
	switch event {
	case "item_pickup", "global_item_pickup":
		return ofPickup
	case "obituary":
		return ofObituary
	case "global_team_sound":
		return ofTeamSound
	}
	return plain
}
