package tables

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables/netfields"
)

// The fields of the states of Medal of Honor: Allied Assault, Spearhead and Breakthrough.
var (
	entityStructureMOHAA = &Structure{
		enums: mohaaEntityEnums, docs: netfields.MohaaEntityDocs,
		source: "MSG_ReadDeltaEntity, code/qcommon/msg.cpp of openmohaa",
		tables: [][]netfields.NetField{netFields(entityFieldsMOHAA)},
		wide:   true, first: []netfields.NetField{{Name: "eType"}, {Name: "clientNum"}, {Name: "groundEntityNum"}},
	}
	playerStructureMOHAA = &Structure{
		enums: mohaaPlayerEnums, docs: netfields.MohaaPlayerDocs,
		source: "MSG_ReadDeltaPlayerstate, code/qcommon/msg.cpp of openmohaa",
		tables: [][]netfields.NetField{netFields(playerFieldsMOHAA15), netFields(playerFieldsMOHAA8)},
		wide:   true,
	}
)

// mohaaEntityEnums and mohaaPlayerEnums are the names of the fields' values, by the engine's spelling.
var (
	mohaaEntityEnums = map[string]*dissect.Enum{"eType": &EntityTypeNames, "eFlags": &EFlagNames}
	mohaaPlayerEnums = map[string]*dissect.Enum{
		"pm_type": &PmTypeNames, "net_pm_flags": &PmFlagNames, "iNetViewModelAnim": &viewAnimationNames,
	}
)

// entityRowsMOHAA6 are the rows of entities of the demo of Allied Assault, whose entities have no trajectory.
func entityRowsMOHAA6() (rows []codedField) {
	for _, row := range entityFieldsMOHAA {
		switch row.name {
		case "pos.trTime", "pos.trDelta[0]", "pos.trDelta[1]", "pos.trDelta[2]":
		default:
			rows = append(rows, row)
		}
	}
	return rows
}

// mohaaGenerations are the protocols of Medal of Honor: the demo of Allied Assault (6), Allied Assault (8), the demos
// of its expansions (15, 16), Spearhead and Breakthrough (17). Jedi Outcast has the numbers 15 and 16 too.
func mohaaGenerations() []Generation {
	allied := dialect{ints: ValueIntZero, floats: ValueFloatZero, others: [numFieldCodings]ValueCoding{
		codedAngle: ValueAngleSignFirst, codedCoord: ValueCoord, codedTime: ValueTime, codedFraction: ValueFraction,
		codedScale: ValueScale, codedVelocity: ValueVelocity,
	}}
	alliedPlayer := allied
	alliedPlayer.ints, alliedPlayer.floats = ValueInt, ValueFloat
	spearhead := dialect{ints: ValueIntZigzag, floats: ValueFloatRotated, others: [numFieldCodings]ValueCoding{
		codedAngle: ValueAngle, codedCoord: ValueCoordStep, codedCoordExtra: ValueCoordExtraStep, codedTime: ValueTimeFrame,
		codedFraction: ValueFraction, codedScale: ValueScale, codedVelocity: ValueVelocity,
	}}
	entity := func(rows []codedField, in *dialect) *Layout {
		return entityStructureMOHAA.coded(rows, in, mohaaNull)
	}
	old := Generation{
		Game: FamilyAllied, CGame: CGameAllied, Rules: &rulesMOHAA, ServerOps: rulesMOHAA.Ops,
		Player: playerStructureMOHAA.coded(playerFieldsMOHAA8, &alliedPlayer, nil),
	}
	v6, v8 := old, old
	v6.Version, v6.Entity = 6, entity(entityRowsMOHAA6(), &allied)
	v8.Version, v8.Entity = 8, entity(entityFieldsMOHAA, &allied)
	rows := []Generation{v6, v8}
	expansion := Generation{
		Game: FamilySpearhead, Rules: &rulesMOHAA, ServerOps: rulesMOHAA.Ops,
		EntityBias: 1, FrameTime: true, CGame: CGameSpearhead,
		Scramble: &scrambleMOHAA, Unscramble: &unscrambleMOHAA,
		Entity: entity(entityFieldsMOHAA, &spearhead),
		Player: playerStructureMOHAA.coded(playerFieldsMOHAA15, &spearhead, nil),
	}
	for _, version := range []int{17, -15, -16} {
		if expansion.Version = version; version < 0 {
			expansion.Signs = []Sign{{"version", "Medal of Honor"}}
		}
		rows = append(rows, expansion)
	}
	return rows
}

// unscrambleMOHAA is the reverse of scrambleMOHAA.
var unscrambleMOHAA = func() (reverse [256]byte) {
	for text, wire := range scrambleMOHAA {
		reverse[wire] = byte(text)
	}
	return reverse
}()

var rulesMOHAA = Rules{
	Ops: &opsMOHAA, Sided: true, Sounds: true, QuietRestart: true,
	UserCommand: UserCommandButtons, Arrays: ArraysActive, SignedHash: true, Ciphered: true,
	MaxMessage: 49152, MaxConfigstrings: 2736, CommandWindow: 512, LongCommands: true,
	Corpus: CorpusBattle, Counted: LastLegacy, Weapons: 32,
}

// mohaaNull returns the state that baselines are deltas of: code/qcommon/msg.cpp of openmohaa.
func mohaaNull(t *Layout) *State {
	null := &State{}
	null.Set(t.Zero)
	one := math.Float32bits(1)
	for name, v := range map[string]uint32{
		"alpha": one, "scale": one, "parent": 1023, "constantLight": 0xffffff, "renderfx": 16,
		"bone_tag[0]": ^uint32(0), "bone_tag[1]": ^uint32(0),
		"bone_tag[2]": ^uint32(0), "bone_tag[3]": ^uint32(0), "bone_tag[4]": ^uint32(0),
	} {
		for i := range t.Wire {
			if t.Wire[i].Name == name {
				null.Put(t.Wire[i].Output, v)
			}
		}
	}
	return null
}
