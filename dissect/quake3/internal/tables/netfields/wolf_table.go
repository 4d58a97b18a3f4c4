package netfields

// The delta tables of Return to Castle Wolfenstein (protocols 57 to 61) and Wolfenstein: Enemy Territory (82 to 84 and
// 284). The order is the format: do not sort.

// Source: entityStateFields, MP/code/qcommon/msg.c of iortcw.
var EntityFieldsRTCW = []NetField{
	{"eType", 8}, {"eFlags", 24}, {"pos.trType", 8}, {"pos.trTime", 32}, {"pos.trDuration", 32}, // 0
	{"pos.trBase[0]", 0}, {"pos.trBase[1]", 0}, {"pos.trBase[2]", 0}, {"pos.trDelta[0]", 0}, // 5
	{"pos.trDelta[1]", 0}, {"pos.trDelta[2]", 0}, {"apos.trType", 8}, {"apos.trTime", 32}, // 9
	{"apos.trDuration", 32}, {"apos.trBase[0]", 0}, {"apos.trBase[1]", 0}, {"apos.trBase[2]", 0}, // 13
	{"apos.trDelta[0]", 0}, {"apos.trDelta[1]", 0}, {"apos.trDelta[2]", 0}, {"time", 32}, {"time2", 32}, // 17
	{"origin[0]", 0}, {"origin[1]", 0}, {"origin[2]", 0}, {"origin2[0]", 0}, {"origin2[1]", 0}, // 22
	{"origin2[2]", 0}, {"angles[0]", 0}, {"angles[1]", 0}, {"angles[2]", 0}, {"angles2[0]", 0}, // 27
	{"angles2[1]", 0}, {"angles2[2]", 0}, {"otherEntityNum", 10}, {"otherEntityNum2", 10}, // 32
	{"groundEntityNum", 10}, {"loopSound", 8}, {"constantLight", 32}, {"dl_intensity", 32}, {"modelindex", 9}, // 36
	{"modelindex2", 9}, {"frame", 16}, {"clientNum", 8}, {"solid", 24}, {"event", 10}, {"eventParm", 8}, // 41
	{"eventSequence", 8}, {"events[0]", 8}, {"events[1]", 8}, {"events[2]", 8}, {"events[3]", 8}, // 47
	{"eventParms[0]", 8}, {"eventParms[1]", 8}, {"eventParms[2]", 8}, {"eventParms[3]", 8}, {"powerups", 16}, // 52
	{"weapon", 8}, {"legsAnim", 10}, {"torsoAnim", 10}, {"density", 10}, {"dmgFlags", 32}, {"onFireStart", 32}, // 57
	{"onFireEnd", 32}, {"aiChar", 8}, {"teamNum", 8}, {"effect1Time", 32}, {"effect2Time", 32}, // 63
	{"effect3Time", 32}, {"aiState", 2}, {"animMovetype", 4}, // 68
}

// Source: entityStateFields, src/qcommon/msg.c of ET: Legacy.
var EntityFieldsET = Derived(EntityFieldsRTCW, Changes{
	"aiChar":       {{"nextWeapon", 8}},
	"effect3Time":  {{"effect3Time", 32}, {"animMovetype", 4}},
	"animMovetype": {},
})

// Source: playerStateFields, MP/code/qcommon/msg.c of iortcw.
var PlayerFieldsRTCW = []NetField{
	{"commandTime", 32}, {"pm_type", 8}, {"bobCycle", 8}, {"pm_flags", 16}, {"pm_time", -16}, {"origin[0]", 0}, // 0
	{"origin[1]", 0}, {"origin[2]", 0}, {"velocity[0]", 0}, {"velocity[1]", 0}, {"velocity[2]", 0}, // 6
	{"weaponTime", -16}, {"weaponDelay", -16}, {"grenadeTimeLeft", -16}, {"gravity", 16}, {"leanf", 0}, // 11
	{"speed", 16}, {"delta_angles[0]", 16}, {"delta_angles[1]", 16}, {"delta_angles[2]", 16}, // 16
	{"groundEntityNum", 10}, {"legsTimer", 16}, {"torsoTimer", 16}, {"legsAnim", 10}, {"torsoAnim", 10}, // 20
	{"movementDir", 8}, {"eFlags", 24}, {"eventSequence", 8}, {"events[0]", 8}, {"events[1]", 8}, // 25
	{"events[2]", 8}, {"events[3]", 8}, {"eventParms[0]", 8}, {"eventParms[1]", 8}, {"eventParms[2]", 8}, // 30
	{"eventParms[3]", 8}, {"clientNum", 8}, {"weapons[0]", 32}, {"weapons[1]", 32}, {"weapon", 7}, // 35
	{"weaponstate", 4}, {"weapAnim", 10}, {"viewangles[0]", 0}, {"viewangles[1]", 0}, {"viewangles[2]", 0}, // 40
	{"viewheight", -8}, {"damageEvent", 8}, {"damageYaw", 8}, {"damagePitch", 8}, {"damageCount", 8}, // 45
	{"mins[0]", 0}, {"mins[1]", 0}, {"mins[2]", 0}, {"maxs[0]", 0}, {"maxs[1]", 0}, {"maxs[2]", 0}, // 50
	{"crouchMaxZ", 0}, {"crouchViewHeight", 0}, {"standViewHeight", 0}, {"deadViewHeight", 0}, // 56
	{"runSpeedScale", 0}, {"sprintSpeedScale", 0}, {"crouchSpeedScale", 0}, {"friction", 0}, {"viewlocked", 8}, // 60
	{"viewlocked_entNum", 16}, {"aiChar", 8}, {"teamNum", 8}, {"gunfx", 8}, {"onFireStart", 32}, // 65
	{"curWeapHeat", 8}, {"sprintTime", 16}, {"aimSpreadScale", 8}, {"aiState", 2}, {"serverCursorHint", 8}, // 70
	{"serverCursorHintVal", 8}, {"classWeaponTime", 32}, // 75
}

// Source: playerStateFields, src/qcommon/msg.c of ET: Legacy.
var PlayerFieldsET = Derived(PlayerFieldsRTCW, Changes{
	"aiChar":     {{"nextWeapon", 8}},
	"gunfx":      {},
	"sprintTime": {},
	"aiState":    {},
	atEnd:        {{"identifyClient", 8}, {"identifyClientHealth", 8}, {"aiState", 2}},
})

// SharedFieldsETTV are what a TV server is sent beside an entity; "shared." is ours, the engine has them in a structure
// of their own.
//
// Source: ettventitySharedFields, src/qcommon/msg.c of ET: Legacy.
var SharedFieldsETTV = []NetField{
	{"shared.currentOrigin[0]", 0}, {"shared.currentOrigin[1]", 0}, {"shared.currentOrigin[2]", 0}, // 0
	{"shared.currentAngles[0]", 0}, {"shared.currentAngles[1]", 0}, {"shared.currentAngles[2]", 0}, // 3
	{"shared.svFlags", 32}, {"shared.mins[0]", 0}, {"shared.mins[1]", 0}, {"shared.mins[2]", 0}, // 6
	{"shared.maxs[0]", 0}, {"shared.maxs[1]", 0}, {"shared.maxs[2]", 0}, {"shared.singleClient", 8}, // 10
}
