package tables

import (
	"maps"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables/netfields"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// The fields of the states of Jedi Outcast and Jedi Academy. Their tables have more fields than a page.
var (
	entityStructureJO15 = jediEntity(&outcastAnimationNames, "MSG_ReadDeltaEntity, src/qcommon/msg.cpp of jk2mv",
		netfields.EntityFieldsJO15)
	playerStructureJO15 = jediPlayer(&outcastAnimationNames, "MSG_ReadDeltaPlayerstate, src/qcommon/msg.cpp of jk2mv",
		netfields.PlayerFieldsJO15)
	entityStructureJO16 = jediEntity(&outcastAnimationNames, "MSG_ReadDeltaEntity, src/qcommon/msg.cpp of jk2mv",
		netfields.EntityFieldsJO16)
	playerStructureJO16 = jediPlayer(&outcastAnimationNames, "MSG_ReadDeltaPlayerstate, src/qcommon/msg.cpp of jk2mv",
		netfields.PlayerFieldsJO16)
	entityStructureJA = jediEntity(&academyAnimationNames, "MSG_ReadDeltaEntity, codemp/qcommon/msg.cpp of OpenJK",
		netfields.EntityFieldsJA)

	// playerStructureJA serves players, pilots and vehicles, whose tables are different parts of one structure.
	playerStructureJA = func() *Structure {
		s := jediPlayer(&academyAnimationNames, "MSG_ReadDeltaPlayerstate, codemp/qcommon/msg.cpp of OpenJK",
			netfields.PlayerFieldsJA, netfields.PilotFieldsJA, netfields.VehicleFieldsJA)
		s.union = true
		return s
	}()
)

func jediEntity(animations *dissect.Enum, source string, tables ...[]netfields.NetField) *Structure {
	return &Structure{
		enums: withAnimations(jediEntityEnums, animations), docs: netfields.GameEntityDocs, source: source, tables: tables,
		wide: true, first: netfields.EntityFields68, zeroBit: true, contexts: entityContexts,
	}
}

func jediPlayer(animations *dissect.Enum, source string, tables ...[]netfields.NetField) *Structure {
	return &Structure{
		enums: withAnimations(jediPlayerEnums, animations), docs: netfields.GamePlayerDocs, source: source, tables: tables,
		wide: true, first: netfields.PlayerFields68, contexts: playerContexts,
	}
}

// jediGenerations are the protocols of Jedi Outcast and Jedi Academy. 15 is the number of 1.02, and of 1.03,
// which has the tables of 16 and its version in serverinfo as its sign. The tables of 25 are
// those of 26 in every recording seen.
func jediGenerations() []Generation {
	rows := []Generation{
		{Version: 15, Game: FamilyOutcast, Rules: &rulesOutcast, Entity: entityStructureJO15.table(netfields.EntityFieldsJO15), Player: playerStructureJO15.table(netfields.PlayerFieldsJO15)},
		{Version: 16, Game: FamilyOutcast, Rules: &rulesOutcast, Entity: entityStructureJO16.table(netfields.EntityFieldsJO16), Player: playerStructureJO16.table(netfields.PlayerFieldsJO16)},
		{
			Version: 25, Game: FamilyAcademy, Rules: &rulesAcademy,
			Entity: entityStructureJA.table(netfields.EntityFieldsJA), Player: playerStructureJA.table(netfields.PlayerFieldsJA),
			Pilot: playerStructureJA.table(netfields.PilotFieldsJA), Vehicle: playerStructureJA.table(netfields.VehicleFieldsJA),
		},
	}
	rows = append(rows, rows[2], rows[1])
	rows[3].Version, rows[4].Version = 26, Outcast103
	rows[4].Signs = []Sign{{"version", "v1.03"}} // CL_ParseGamestate, src/client/cl_parse.cpp of jk2mv
	return rows
}

// The rules of the two engines.
var (
	rulesOutcast = Rules{
		Ops: &opsJediOutcast, UserCommand: UserCommandForce, MaxMessage: 16384, MaxConfigstrings: 1400, CommandWindow: 128,
		Ciphered: true, Corpus: CorpusKeywords, Counted: 26, Weapons: 32,
	}
	rulesAcademy = Rules{
		Ops: &opsJediAcademy, UserCommand: UserCommandForce, Arrays: ArraysWideWeapons,
		Kept: token.KeptHigh, SignedHash: true, RandomMap: true, Ciphered: true,
		MaxMessage: 49152, MaxConfigstrings: 2200, CommandWindow: 128, // 1700; mods of the OJP family have up to 2199
		Corpus: CorpusKeywords, Counted: 26, Weapons: 32,
	}
)

// Outcast103 is the row of Jedi Outcast 1.03, whose protocol number is 15 like that of 1.02. It is not a
// protocol number.
const Outcast103 = -15

// jediEntityEnums are the names of the entity fields' values, by the engine's spelling.
var jediEntityEnums = map[string]*dissect.Enum{
	"eType": &EntityTypeNames, "eFlags": &EFlagNames, "pos.trType": &TrTypeNames, "apos.trType": &TrTypeNames,
	"event": &EventNames, "weapon": &WeaponNames, "powerups": &powerupBits,
	"saberMove": &saberMoveNames, "forcePowersActive": &forcePowerBits, "NPC_class": &npcClassNames,
	"eFlags2":     &eFlag2Names,
	"brokenLimbs": &brokenLimbNames,
}

// jediPlayerEnums are the names of the player fields' values.
var jediPlayerEnums = map[string]*dissect.Enum{
	"pm_type": &PmTypeNames, "pm_flags": &PmFlagNames, "eFlags": &EFlagNames, "weapon": &WeaponNames,
	"weaponstate": &weaponStateNames, "events": &EventNames, "externalEvent": &EventNames,
	"saberMove": &saberMoveNames, "saberBlocked": &saberBlockedNames, "forceHandExtend": &handExtendNames,
	"duelTeam": &duelTeamNames, "fd.forcePowersActive": &forcePowerBits, "fd.forcePowersKnown": &forcePowerBits,
	"fd.forcePowerSelected": &ForcePowerNames, "fd.saberAnimLevel": &SaberStyleNames,
	"fd.saberDrawAnimLevel": &SaberStyleNames, "eFlags2": &eFlag2Names,
	"brokenLimbs": &brokenLimbNames,
}

// withAnimations returns names with those of the animations added.
func withAnimations(names map[string]*dissect.Enum, animations *dissect.Enum) map[string]*dissect.Enum {
	names = maps.Clone(names)
	names["legsAnim"], names["torsoAnim"] = animations, animations
	return names
}
