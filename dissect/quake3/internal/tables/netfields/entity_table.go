package netfields

// The delta tables of entityState_t. The order is the format: do not sort.

// EntityFields43 is the order of protocol 43 (Quake III 1.11 to 1.17, .dm3 recordings).
//
// Source: MSG_ReadDeltaEntity of uberdemotools, UDT_DLL/src/message.cpp; there is no engine source of that age.
var EntityFields43 = []NetField{
	{"eType", 8}, {"eFlags", 16}, {"pos.trType", 8}, {"pos.trTime", 32}, {"pos.trDuration", 32}, // 0
	{"pos.trBase[0]", 0}, {"pos.trBase[1]", 0}, {"pos.trBase[2]", 0}, {"pos.trDelta[0]", 0}, // 5
	{"pos.trDelta[1]", 0}, {"pos.trDelta[2]", 0}, {"apos.trType", 8}, {"apos.trTime", 32}, // 9
	{"apos.trDuration", 32}, {"apos.trBase[0]", 0}, {"apos.trBase[1]", 0}, {"apos.trBase[2]", 0}, // 13
	{"apos.trDelta[0]", 0}, {"apos.trDelta[1]", 0}, {"apos.trDelta[2]", 0}, {"time", 32}, {"time2", 32}, // 17
	{"origin[0]", 0}, {"origin[1]", 0}, {"origin[2]", 0}, {"origin2[0]", 0}, {"origin2[1]", 0}, // 22
	{"origin2[2]", 0}, {"angles[0]", 0}, {"angles[1]", 0}, {"angles[2]", 0}, {"angles2[0]", 0}, // 27
	{"angles2[1]", 0}, {"angles2[2]", 0}, {"otherEntityNum", 10}, {"otherEntityNum2", 10}, // 32
	{"groundEntityNum", 10}, {"loopSound", 8}, {"constantLight", 32}, {"modelindex", 8}, {"modelindex2", 8}, // 36
	{"frame", 16}, {"clientNum", 8}, {"solid", 24}, {"event", 10}, {"eventParm", 8}, {"powerups", 16}, // 41
	{"weapon", 8}, {"legsAnim", 8}, {"torsoAnim", 8}, // 47
}

// EntityFields48 is the order of protocol 48 (Quake III 1.27): eFlags is wider, generic1 is new.
//
// Source: as EntityFields43; its authors compared it with the 1.27g executable.
var EntityFields48 = Derived(EntityFields43, Changes{
	"eFlags": {{"eFlags", 19}},
	atEnd:    {{"generic1", 8}},
})

// EntityFields68 is the order of protocols 66, 67, 68 and 71: by how often a field changes.
//
// Source: entityStateFields, code/qcommon/msg.c.
var EntityFields68 = []NetField{
	{"pos.trTime", 32}, {"pos.trBase[0]", 0}, {"pos.trBase[1]", 0}, {"pos.trDelta[0]", 0}, {"pos.trDelta[1]", 0}, // 0
	{"pos.trBase[2]", 0}, {"apos.trBase[1]", 0}, {"pos.trDelta[2]", 0}, {"apos.trBase[0]", 0}, {"event", 10}, // 5
	{"angles2[1]", 0}, {"eType", 8}, {"torsoAnim", 8}, {"eventParm", 8}, {"legsAnim", 8}, // 10
	{"groundEntityNum", 10}, {"pos.trType", 8}, {"eFlags", 19}, {"otherEntityNum", 10}, {"weapon", 8}, // 15
	{"clientNum", 8}, {"angles[1]", 0}, {"pos.trDuration", 32}, {"apos.trType", 8}, {"origin[0]", 0}, // 20
	{"origin[1]", 0}, {"origin[2]", 0}, {"solid", 24}, {"powerups", 16}, {"modelindex", 8}, // 25
	{"otherEntityNum2", 10}, {"loopSound", 8}, {"generic1", 8}, {"origin2[2]", 0}, {"origin2[0]", 0}, // 30
	{"origin2[1]", 0}, {"modelindex2", 8}, {"angles[0]", 0}, {"time", 32}, {"apos.trTime", 32}, // 35
	{"apos.trDuration", 32}, {"apos.trBase[2]", 0}, {"apos.trDelta[0]", 0}, {"apos.trDelta[1]", 0}, // 40
	{"apos.trDelta[2]", 0}, {"time2", 32}, {"angles[2]", 0}, {"angles2[0]", 0}, {"angles2[2]", 0}, // 44
	{"constantLight", 32}, {"frame", 16}, // 49
}

// EntityFields73 is the order of protocol 73 (Quake Live), that of 68 with a gravity for each trajectory.
// They hold floats in the engine and travel as plain integers of 32 bits.
//
// Source: MSG_ReadDeltaEntity of uberdemotools, UDT_DLL/src/message.cpp.
var EntityFields73 = Derived(EntityFields68, Changes{
	"apos.trBase[0]":  {{"apos.trBase[0]", 0}, {"pos_gravity", 32}},
	"apos.trDelta[2]": {{"apos.trDelta[2]", 0}, {"apos_gravity", 32}},
})

// EntityFields90 is the order of protocol 90 (Quake Live).
//
// Source: as EntityFields73.
var EntityFields90 = Derived(EntityFields73, Changes{
	atEnd: {{"jumpTime", 32}, {"doubleJumped", 1}},
})

// EntityFields91 is the order of protocol 91 (Quake Live, 2014 and later). uberdemotools reads health
// unsigned; it is a signed number in the game (a corpse's 65506 is -30), and is read as one here.
//
// Source: as EntityFields73.
var EntityFields91 = Derived(EntityFields90, Changes{
	atEnd: {{"health", -16}, {"armor", 16}, {"location", 8}},
})
