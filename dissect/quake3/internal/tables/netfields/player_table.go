package netfields

// The delta tables of playerState_t. The order is the format: do not sort. The arrays that follow the
// fields (stats, persistant, ammo, powerups) are the same in all protocols and not listed.

// PlayerFields43 is the order of protocol 43 (Quake III 1.11 to 1.17, .dm3 recordings).
// uberdemotools reads pm_time, weaponTime and viewheight unsigned; the engine's are signed, as in every
// later table (a dead player's viewheight of 240 is -16), and are read so here.
//
// Source: MSG_ReadDeltaPlayerstate of uberdemotools, UDT_DLL/src/message.cpp; there is no engine source of that age.
var PlayerFields43 = []NetField{
	{"commandTime", 32}, {"pm_type", 8}, {"bobCycle", 8}, {"pm_flags", 16}, {"pm_time", -16}, {"origin[0]", 0}, // 0
	{"origin[1]", 0}, {"origin[2]", 0}, {"velocity[0]", 0}, {"velocity[1]", 0}, {"velocity[2]", 0}, // 6
	{"weaponTime", -16}, {"gravity", 16}, {"speed", 16}, {"delta_angles[0]", 16}, {"delta_angles[1]", 16}, // 11
	{"delta_angles[2]", 16}, {"groundEntityNum", 10}, {"legsTimer", 8}, {"torsoTimer", 12}, {"legsAnim", 8}, // 16
	{"torsoAnim", 8}, {"movementDir", 4}, {"eFlags", 16}, {"eventSequence", 16}, {"events[0]", 8}, // 21
	{"events[1]", 8}, {"eventParms[0]", 8}, {"eventParms[1]", 8}, {"externalEvent", 8}, // 26
	{"externalEventParm", 8}, {"clientNum", 8}, {"weapon", 5}, {"weaponstate", 4}, {"viewangles[0]", 0}, // 30
	{"viewangles[1]", 0}, {"viewangles[2]", 0}, {"viewheight", -8}, {"damageEvent", 8}, {"damageYaw", 8}, // 35
	{"damagePitch", 8}, {"damageCount", 8}, {"grapplePoint[0]", 0}, {"grapplePoint[1]", 0}, // 40
	{"grapplePoint[2]", 0}, // 44
}

// PlayerFields48 is the order of protocol 48 (Quake III 1.27): externalEvent is wider, the last three are new.
//
// Source: as PlayerFields43; its authors compared it with the 1.27g executable.
var PlayerFields48 = Derived(PlayerFields43, Changes{
	"externalEvent": {{"externalEvent", 10}},
	atEnd:           {{"jumppad_ent", 10}, {"loopSound", 16}, {"generic1", 8}},
})

// PlayerFields68 is the order of protocols 66, 67, 68, 71 and 73: by how often a field changes.
//
// Source: playerStateFields, code/qcommon/msg.c; for 73 uberdemotools, UDT_DLL/src/message.cpp.
var PlayerFields68 = []NetField{
	{"commandTime", 32}, {"origin[0]", 0}, {"origin[1]", 0}, {"bobCycle", 8}, {"velocity[0]", 0}, // 0
	{"velocity[1]", 0}, {"viewangles[1]", 0}, {"viewangles[0]", 0}, {"weaponTime", -16}, {"origin[2]", 0}, // 5
	{"velocity[2]", 0}, {"legsTimer", 8}, {"pm_time", -16}, {"eventSequence", 16}, {"torsoAnim", 8}, // 10
	{"movementDir", 4}, {"events[0]", 8}, {"legsAnim", 8}, {"events[1]", 8}, {"pm_flags", 16}, // 15
	{"groundEntityNum", 10}, {"weaponstate", 4}, {"eFlags", 16}, {"externalEvent", 10}, {"gravity", 16}, // 20
	{"speed", 16}, {"delta_angles[1]", 16}, {"externalEventParm", 8}, {"viewheight", -8}, {"damageEvent", 8}, // 25
	{"damageYaw", 8}, {"damagePitch", 8}, {"damageCount", 8}, {"generic1", 8}, {"pm_type", 8}, // 30
	{"delta_angles[0]", 16}, {"delta_angles[2]", 16}, {"torsoTimer", 12}, {"eventParms[0]", 8}, // 35
	{"eventParms[1]", 8}, {"clientNum", 8}, {"weapon", 5}, {"viewangles[2]", 0}, {"grapplePoint[0]", 0}, // 39
	{"grapplePoint[1]", 0}, {"grapplePoint[2]", 0}, {"jumppad_ent", 10}, {"loopSound", 16}, // 44
}

// PlayerFields90 is the order of protocol 90 (Quake Live): pm_flags is wider, the last two are new.
//
// Source: MSG_ReadDeltaPlayerstate of uberdemotools, UDT_DLL/src/message.cpp.
var PlayerFields90 = Derived(PlayerFields68, Changes{
	"pm_flags": {{"pm_flags", 24}},
	atEnd:      {{"jumpTime", 32}, {"doubleJumped", 1}},
})

// PlayerFields91 is the order of protocol 91 (Quake Live, 2014 and later): weaponPrimary comes after weapon,
// the last seven are new. uberdemotools reads the three moves unsigned; they are the signed bytes of the
// user command (129 is -127), and are read so here.
//
// Source: as PlayerFields90.
var PlayerFields91 = Derived(PlayerFields90, Changes{
	"weapon": {{"weapon", 5}, {"weaponPrimary", 8}},
	atEnd:    {{"crouchTime", 32}, {"crouchSlideTime", 32}, {"location", 8}, {"fov", 8}, {"forwardmove", -8}, {"rightmove", -8}, {"upmove", -8}},
})
