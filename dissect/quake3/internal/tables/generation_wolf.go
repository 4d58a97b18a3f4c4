package tables

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables/netfields"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// The fields of the states of Return to Castle Wolfenstein and Enemy Territory. Their tables have more fields
// than a page.
var (
	entityStructureRTCW = wolfEntity("MSG_ReadDeltaEntity, MP/code/qcommon/msg.c of iortcw", netfields.EntityFieldsRTCW)
	playerStructureRTCW = wolfPlayer("MSG_ReadDeltaPlayerstate, MP/code/qcommon/msg.c of iortcw",
		netfields.PlayerFieldsRTCW)
	entityStructureET = wolfEntity("MSG_ReadDeltaEntity, src/qcommon/msg.c of ET: Legacy", netfields.EntityFieldsET)
	playerStructureET = wolfPlayer("MSG_ReadDeltaPlayerstate, src/qcommon/msg.c of ET: Legacy", netfields.PlayerFieldsET)

	// entityStructureETTV has the fields that a TV server is sent in addition for each entity.
	entityStructureETTV = func() *Structure {
		s := wolfEntity("MSG_ETTV_ReadDeltaSharedEntity, src/qcommon/msg.c of ET: Legacy",
			slices.Concat(netfields.EntityFieldsET, netfields.SharedFieldsETTV))
		s.union, s.prefix = true, "shared."
		return s
	}()
)

func wolfEntity(source string, table []netfields.NetField) *Structure {
	return &Structure{
		enums: wolfEntityEnums, docs: netfields.GameEntityDocs, source: source, tables: [][]netfields.NetField{table},
		wide: true, first: netfields.EntityFields68, zeroBit: true, contexts: entityContexts,
	}
}

func wolfPlayer(source string, table []netfields.NetField) *Structure {
	return &Structure{
		enums: wolfPlayerEnums, docs: netfields.GamePlayerDocs, source: source, tables: [][]netfields.NetField{table},
		wide: true, first: netfields.PlayerFields68, contexts: playerContexts,
	}
}

// wolfGenerations are the protocols of Return to Castle Wolfenstein and Enemy Territory. The tables of 57 to 59, 82 and
// 83 are assumed: uberdemotools reads the recordings of 57 to 60 alike, and ET: Legacy plays those of 83 with the
// tables of 84; 60, 61 and 84 are from the engines' sources.
func wolfGenerations() (rows []Generation) {
	rtcw := Generation{
		Game: FamilyRTCW, Rules: &rulesRTCW, Entity: entityStructureRTCW.table(netfields.EntityFieldsRTCW),
		Player: playerStructureRTCW.table(netfields.PlayerFieldsRTCW),
	}
	for version := 57; version <= 61; version++ {
		rtcw.Version, rtcw.Voip, rtcw.Native = version, version == 61, version == 61
		rows = append(rows, rtcw)
	}
	et := Generation{
		Game: FamilyET, Rules: &rulesET, Entity: entityStructureET.table(netfields.EntityFieldsET),
		Player: playerStructureET.table(netfields.PlayerFieldsET),
	}
	for version := 82; version <= 84; version++ {
		et.Version = version
		rows = append(rows, et)
	}
	et.Version, et.ServerOps = 284, &opsETTV
	et.Entity, et.Shared = entityStructureETTV.table(netfields.EntityFieldsET),
		entityStructureETTV.table(netfields.SharedFieldsETTV)
	return append(rows, et)
}

// The rules of the two engines.
var (
	rulesRTCW = Rules{
		Ops: &opsQuake3, UserCommand: UserCommandKick, Arrays: ArraysGrouped,
		MaxMessage: 32768, MaxConfigstrings: 2048, CommandWindow: 256,
		Corpus: CorpusObjectives, Counted: 84, Weapons: 32,
	}
	rulesET = Rules{
		Ops: &opsQuake3, UserCommand: UserCommandDoubleTap, Arrays: ArraysGrouped,
		Kept: token.KeptHigh, WebDownload: true, BinaryTail: true, Ciphered: true,
		MaxMessage: 32768, MaxConfigstrings: 1024, CommandWindow: 256,
		Corpus: CorpusObjectives, Counted: 84, Weapons: 64,
	}
)

// wolfEntityEnums are the names of the entity fields' values, by the engine's spelling.
var wolfEntityEnums = map[string]*dissect.Enum{
	"eType": &EntityTypeNames, "eFlags": &EFlagNames, "pos.trType": &TrTypeNames, "apos.trType": &TrTypeNames,
	"event": &EventNames, "events": &EventNames, "weapon": &WeaponNames, "powerups": &powerupBits, "teamNum": &TeamNames,
	"aiState": &aiStateNames, "aiChar": &aiCharNames, "animMovetype": &animMoveTypeNames,
}

// wolfPlayerEnums are the names of the player fields' values.
var wolfPlayerEnums = map[string]*dissect.Enum{
	"pm_type": &PmTypeNames, "pm_flags": &PmFlagNames, "eFlags": &EFlagNames, "weapon": &WeaponNames,
	"weaponstate": &weaponStateNames, "events": &EventNames, "externalEvent": &EventNames, "teamNum": &TeamNames,
	"aiState": &aiStateNames, "aiChar": &aiCharNames, "serverCursorHint": &hintNames,
}
