package netfields

// The delta tables of Jedi Knight II: Jedi Outcast (protocols 15 and 16) and Jedi Knight: Jedi Academy (25 and 26). The
// order is the format: do not sort.

// Source: entityStateFields of 1.02, api and src/qcommon/msg.cpp of jk2mv.
var EntityFieldsJO15 = []NetField{
	{"pos.trTime", 32}, {"pos.trBase[0]", 0}, {"pos.trBase[1]", 0}, {"pos.trDelta[0]", 0}, {"pos.trDelta[1]", 0}, // 0
	{"pos.trBase[2]", 0}, {"apos.trBase[1]", 0}, {"pos.trDelta[2]", 0}, {"apos.trBase[0]", 0}, {"event", 10}, // 5
	{"angles2[1]", 0}, {"eType", 8}, {"torsoAnim", 16}, {"forceFrame", 16}, {"eventParm", 8}, {"legsAnim", 16}, // 10
	{"groundEntityNum", 10}, {"pos.trType", 8}, {"eFlags", 32}, {"bolt1", 8}, {"bolt2", 10}, // 16
	{"trickedentindex", 16}, {"trickedentindex2", 16}, {"trickedentindex3", 16}, {"trickedentindex4", 16}, // 21
	{"speed", 0}, {"fireflag", 2}, {"genericenemyindex", 32}, {"activeForcePass", 6}, {"emplacedOwner", 32}, // 25
	{"otherEntityNum", 10}, {"weapon", 8}, {"clientNum", 8}, {"angles[1]", 0}, {"pos.trDuration", 32}, // 30
	{"apos.trType", 8}, {"origin[0]", 0}, {"origin[1]", 0}, {"origin[2]", 0}, {"solid", 24}, {"owner", 10}, // 35
	{"teamowner", 8}, {"shouldtarget", 1}, {"powerups", 16}, {"modelGhoul2", 4}, {"g2radius", 8}, // 41
	{"modelindex", -8}, {"otherEntityNum2", 10}, {"loopSound", 8}, {"generic1", 8}, {"origin2[2]", 0}, // 46
	{"origin2[0]", 0}, {"origin2[1]", 0}, {"modelindex2", 8}, {"angles[0]", 0}, {"time", 32}, // 51
	{"apos.trTime", 32}, {"apos.trDuration", 32}, {"apos.trBase[2]", 0}, {"apos.trDelta[0]", 0}, // 56
	{"apos.trDelta[1]", 0}, {"apos.trDelta[2]", 0}, {"time2", 32}, {"angles[2]", 0}, {"angles2[0]", 0}, // 60
	{"angles2[2]", 0}, {"constantLight", 32}, {"frame", 16}, {"saberInFlight", 1}, {"saberEntityNum", 10}, // 65
	{"saberMove", 8}, {"forcePowersActive", 32}, {"isJediMaster", 1}, // 70
}

// Source: playerStateFields of 1.02, api and src/qcommon/msg.cpp of jk2mv.
var PlayerFieldsJO15 = []NetField{
	{"commandTime", 32}, {"origin[0]", 0}, {"origin[1]", 0}, {"bobCycle", 8}, {"velocity[0]", 0}, // 0
	{"velocity[1]", 0}, {"viewangles[1]", 0}, {"viewangles[0]", 0}, {"weaponTime", -16}, // 5
	{"weaponChargeTime", 32}, {"weaponChargeSubtractTime", 32}, {"origin[2]", 0}, {"velocity[2]", 0}, // 9
	{"pm_time", -16}, {"eventSequence", 16}, {"torsoAnim", 16}, {"torsoTimer", 16}, {"legsAnim", 16}, // 13
	{"legsTimer", 16}, {"movementDir", 4}, {"events[0]", 10}, {"events[1]", 10}, {"pm_flags", 16}, // 18
	{"groundEntityNum", 10}, {"weaponstate", 4}, {"eFlags", 32}, {"externalEvent", 10}, {"gravity", 16}, // 23
	{"speed", 16}, {"basespeed", 16}, {"delta_angles[1]", 16}, {"externalEventParm", 8}, {"viewheight", -8}, // 28
	{"damageEvent", 8}, {"damageYaw", 8}, {"damagePitch", 8}, {"damageCount", 8}, {"damageType", 2}, // 33
	{"generic1", 8}, {"pm_type", 8}, {"delta_angles[0]", 16}, {"delta_angles[2]", 16}, {"eventParms[0]", -16}, // 38
	{"eventParms[1]", 8}, {"clientNum", 8}, {"weapon", 5}, {"viewangles[2]", 0}, {"jumppad_ent", 10}, // 43
	{"loopSound", 16}, {"zoomMode", 2}, {"zoomTime", 32}, {"zoomLocked", 1}, {"zoomFov", 8}, // 48
	{"fd.forcePowersActive", 32}, {"fd.forceMindtrickTargetIndex", 16}, {"fd.forceMindtrickTargetIndex2", 16}, // 53
	{"fd.forceMindtrickTargetIndex3", 16}, {"fd.forceMindtrickTargetIndex4", 16}, {"fd.forceJumpZStart", 0}, // 56
	{"fd.forcePowerSelected", 8}, {"fd.forcePowersKnown", 32}, {"fd.forcePower", 8}, {"fd.forceSide", 2}, // 59
	{"fd.sentryDeployed", 1}, {"fd.forcePowerLevel[FP_LEVITATION]", 2}, {"fd.forcePowerLevel[FP_SEE]", 2}, // 63
	{"genericEnemyIndex", 32}, {"activeForcePass", 6}, {"hasDetPackPlanted", 1}, {"emplacedIndex", 10}, // 66
	{"fd.forceRageRecoveryTime", 32}, {"rocketLockIndex", 8}, {"rocketLockTime", 32}, {"rocketTargetTime", 32}, // 70
	{"holocronBits", 32}, {"isJediMaster", 1}, {"fallingToDeath", 32}, {"electrifyTime", 32}, // 74
	{"fd.forcePowerDebounce[FP_LEVITATION]", 32}, {"saberMove", 32}, {"saberActive", 1}, {"saberInFlight", 1}, // 78
	{"saberBlocked", 8}, {"saberEntityNum", 10}, {"saberCanThrow", 1}, {"forceHandExtend", 8}, // 82
	{"forceDodgeAnim", 16}, {"fd.saberAnimLevel", 2}, {"fd.saberDrawAnimLevel", 2}, // 86
	{"saberAttackChainCount", 4}, {"saberHolstered", 1}, {"usingATST", 1}, {"atstAltFire", 1}, // 89
	{"duelIndex", 10}, {"duelTime", 32}, {"duelInProgress", 1}, {"saberLockTime", 32}, {"saberLockEnemy", 10}, // 93
	{"saberLockFrame", 16}, {"saberLockAdvance", 1}, {"inAirAnim", 1}, {"dualBlade", 1}, {"lastHitLoc[2]", 0}, // 98
	{"lastHitLoc[0]", 0}, {"lastHitLoc[1]", 0}, // 103
}

// Source: entityStateFields of 1.04, src/qcommon/msg.cpp of jk2mv.
var EntityFieldsJO16 = Derived(EntityFieldsJO15, Changes{
	"modelGhoul2": {{"modelGhoul2", 5}},
})

// Source: playerStateFields of 1.04, src/qcommon/msg.cpp of jk2mv.
var PlayerFieldsJO16 = Derived(PlayerFieldsJO15, Changes{
	"isJediMaster": {{"isJediMaster", 1}, {"forceRestricted", 1}, {"trueJedi", 1}, {"trueNonJedi", 1}},
})

// Source: entityStateFields, codemp/qcommon/msg.cpp of OpenJK.
var EntityFieldsJA = []NetField{
	{"pos.trTime", 32}, {"pos.trBase[1]", 0}, {"pos.trBase[0]", 0}, {"apos.trBase[1]", 0}, {"pos.trBase[2]", 0}, // 0
	{"apos.trBase[0]", 0}, {"pos.trDelta[0]", 0}, {"pos.trDelta[1]", 0}, {"eType", 8}, {"angles[1]", 0}, // 5
	{"pos.trDelta[2]", 0}, {"origin[0]", 0}, {"origin[1]", 0}, {"origin[2]", 0}, {"weapon", 8}, // 10
	{"apos.trType", 8}, {"legsAnim", 16}, {"torsoAnim", 16}, {"genericenemyindex", 32}, {"eFlags", 32}, // 15
	{"pos.trDuration", 32}, {"teamowner", 8}, {"groundEntityNum", 10}, {"pos.trType", 8}, {"angles[2]", 0}, // 20
	{"angles[0]", 0}, {"solid", 24}, {"fireflag", 2}, {"event", 10}, {"customRGBA[3]", 8}, {"customRGBA[0]", 8}, // 25
	{"speed", 0}, {"clientNum", 10}, {"apos.trBase[2]", 0}, {"apos.trTime", 32}, {"customRGBA[1]", 8}, // 31
	{"customRGBA[2]", 8}, {"saberEntityNum", 10}, {"g2radius", 8}, {"otherEntityNum2", 10}, {"owner", 10}, // 36
	{"modelindex2", 8}, {"eventParm", 8}, {"saberMove", 8}, {"apos.trDelta[1]", 0}, {"boneAngles1[1]", 0}, // 41
	{"modelindex", -16}, {"emplacedOwner", 32}, {"apos.trDelta[0]", 0}, {"apos.trDelta[2]", 0}, // 46
	{"torsoFlip", 1}, {"angles2[1]", 0}, {"lookTarget", 10}, {"origin2[2]", 0}, {"modelGhoul2", 8}, // 50
	{"loopSound", 8}, {"origin2[0]", 0}, {"shouldtarget", 1}, {"trickedentindex", 16}, {"otherEntityNum", 10}, // 55
	{"origin2[1]", 0}, {"time2", 32}, {"legsFlip", 1}, {"bolt2", 10}, {"constantLight", 32}, {"time", 32}, // 60
	{"hasLookTarget", 1}, {"boneAngles1[2]", 0}, {"activeForcePass", 6}, {"health", 10}, {"loopIsSoundset", 1}, // 66
	{"saberHolstered", 2}, {"npcSaber1", 9}, {"maxhealth", 10}, {"trickedentindex2", 16}, // 71
	{"forcePowersActive", 32}, {"iModelScale", 10}, {"powerups", 16}, {"soundSetIndex", 8}, {"brokenLimbs", 8}, // 75
	{"csSounds_Std", 8}, {"saberInFlight", 1}, {"angles2[0]", 0}, {"frame", 16}, {"angles2[2]", 0}, // 80
	{"forceFrame", 16}, {"generic1", 8}, {"boneIndex1", 6}, {"NPC_class", 8}, {"apos.trDuration", 32}, // 85
	{"boneOrient", 9}, {"bolt1", 8}, {"trickedentindex3", 16}, {"m_iVehicleNum", 10}, {"trickedentindex4", 16}, // 90
	{"surfacesOff", 32}, {"eFlags2", 10}, {"isJediMaster", 1}, {"isPortalEnt", 1}, {"heldByClient", 6}, // 95
	{"ragAttach", 10}, {"boltToPlayer", 6}, {"npcSaber2", 9}, {"csSounds_Combat", 8}, {"csSounds_Extra", 8}, // 100
	{"csSounds_Jedi", 8}, {"surfacesOn", 32}, {"boneIndex2", 6}, {"boneIndex3", 6}, {"boneIndex4", 6}, // 105
	{"boneAngles1[0]", 0}, {"boneAngles2[0]", 0}, {"boneAngles2[1]", 0}, {"boneAngles2[2]", 0}, // 110
	{"boneAngles3[0]", 0}, {"boneAngles3[1]", 0}, {"boneAngles3[2]", 0}, {"boneAngles4[0]", 0}, // 114
	{"boneAngles4[1]", 0}, {"boneAngles4[2]", 0}, {"userInt1", 1}, {"userInt2", 1}, {"userInt3", 1}, // 118
	{"userFloat1", 1}, {"userFloat2", 1}, {"userFloat3", 1}, {"userVec1[0]", 1}, {"userVec1[1]", 1}, // 123
	{"userVec1[2]", 1}, {"userVec2[0]", 1}, {"userVec2[1]", 1}, {"userVec2[2]", 1}, // 128
}

// Source: playerStateFields, codemp/qcommon/msg.cpp of OpenJK.
var PlayerFieldsJA = []NetField{
	{"commandTime", 32}, {"origin[1]", 0}, {"origin[0]", 0}, {"viewangles[1]", 0}, {"viewangles[0]", 0}, // 0
	{"origin[2]", 0}, {"velocity[0]", 0}, {"velocity[1]", 0}, {"velocity[2]", 0}, {"bobCycle", 8}, // 5
	{"weaponTime", -16}, {"delta_angles[1]", 16}, {"speed", 0}, {"legsAnim", 16}, {"delta_angles[0]", 16}, // 10
	{"torsoAnim", 16}, {"groundEntityNum", 10}, {"eFlags", 32}, {"fd.forcePower", 8}, {"eventSequence", 16}, // 15
	{"torsoTimer", 16}, {"legsTimer", 16}, {"viewheight", -8}, {"fd.saberAnimLevel", 4}, // 20
	{"rocketLockIndex", 10}, {"fd.saberDrawAnimLevel", 4}, {"genericEnemyIndex", 32}, {"events[0]", 10}, // 24
	{"events[1]", 10}, {"customRGBA[0]", 8}, {"movementDir", 4}, {"saberEntityNum", 10}, {"customRGBA[3]", 8}, // 28
	{"weaponstate", 4}, {"saberMove", 32}, {"standheight", 10}, {"crouchheight", 10}, {"basespeed", -16}, // 33
	{"pm_flags", 16}, {"jetpackFuel", 8}, {"cloakFuel", 8}, {"pm_time", -16}, {"customRGBA[1]", 8}, // 38
	{"clientNum", 10}, {"duelIndex", 10}, {"customRGBA[2]", 8}, {"gravity", 16}, {"weapon", 8}, // 43
	{"delta_angles[2]", 16}, {"saberCanThrow", 1}, {"viewangles[2]", 0}, {"fd.forcePowersKnown", 32}, // 48
	{"fd.forcePowerLevel[FP_LEVITATION]", 2}, {"fd.forcePowerDebounce[FP_LEVITATION]", 32}, // 52
	{"fd.forcePowerSelected", 8}, {"torsoFlip", 1}, {"externalEvent", 10}, {"damageYaw", 8}, {"damageCount", 8}, // 54
	{"inAirAnim", 1}, {"eventParms[1]", 8}, {"fd.forceSide", 2}, {"saberAttackChainCount", 4}, {"pm_type", 8}, // 59
	{"externalEventParm", 8}, {"eventParms[0]", -16}, {"lookTarget", 10}, {"weaponChargeSubtractTime", 32}, // 64
	{"weaponChargeTime", 32}, {"legsFlip", 1}, {"damageEvent", 8}, {"rocketTargetTime", 32}, // 68
	{"activeForcePass", 6}, {"electrifyTime", 32}, {"fd.forceJumpZStart", 0}, {"loopSound", 16}, // 72
	{"hasLookTarget", 1}, {"saberBlocked", 8}, {"damageType", 2}, {"rocketLockTime", 32}, // 76
	{"forceHandExtend", 8}, {"saberHolstered", 2}, {"fd.forcePowersActive", 32}, {"damagePitch", 8}, // 80
	{"m_iVehicleNum", 10}, {"generic1", 8}, {"jumppad_ent", 10}, {"hasDetPackPlanted", 1}, {"saberInFlight", 1}, // 84
	{"forceDodgeAnim", 16}, {"zoomMode", 2}, {"hackingTime", 32}, {"zoomTime", 32}, {"brokenLimbs", 8}, // 89
	{"zoomLocked", 1}, {"zoomFov", 0}, {"fd.forceRageRecoveryTime", 32}, {"fallingToDeath", 32}, // 94
	{"fd.forceMindtrickTargetIndex", 16}, {"fd.forceMindtrickTargetIndex2", 16}, {"lastHitLoc[2]", 0}, // 98
	{"fd.forceMindtrickTargetIndex3", 16}, {"lastHitLoc[0]", 0}, {"eFlags2", 10}, // 101
	{"fd.forceMindtrickTargetIndex4", 16}, {"lastHitLoc[1]", 0}, {"fd.sentryDeployed", 1}, // 104
	{"saberLockTime", 32}, {"saberLockFrame", 16}, {"fd.forcePowerLevel[FP_SEE]", 2}, {"saberLockEnemy", 10}, // 107
	{"fd.forceGripCripple", 1}, {"emplacedIndex", 10}, {"holocronBits", 32}, {"isJediMaster", 1}, // 111
	{"forceRestricted", 1}, {"trueJedi", 1}, {"trueNonJedi", 1}, {"duelTime", 32}, {"duelInProgress", 1}, // 115
	{"saberLockAdvance", 1}, {"heldByClient", 6}, {"ragAttach", 10}, {"iModelScale", 10}, // 120
	{"hackingBaseTime", 16}, {"userInt1", 1}, {"userInt2", 1}, {"userInt3", 1}, {"userFloat1", 1}, // 124
	{"userFloat2", 1}, {"userFloat3", 1}, {"userVec1[0]", 1}, {"userVec1[1]", 1}, {"userVec1[2]", 1}, // 129
	{"userVec2[0]", 1}, {"userVec2[1]", 1}, {"userVec2[2]", 1}, // 134
}

// PilotFieldsJA are the player state of who sits inside a vehicle.
//
// Source: pilotPlayerStateFields, codemp/qcommon/msg.cpp of OpenJK.
var PilotFieldsJA = []NetField{
	{"commandTime", 32}, {"origin[1]", 0}, {"origin[0]", 0}, {"viewangles[1]", 0}, {"viewangles[0]", 0}, // 0
	{"origin[2]", 0}, {"weaponTime", -16}, {"delta_angles[1]", 16}, {"delta_angles[0]", 16}, {"eFlags", 32}, // 5
	{"eventSequence", 16}, {"rocketLockIndex", 10}, {"events[0]", 10}, {"events[1]", 10}, {"weaponstate", 4}, // 10
	{"pm_flags", 16}, {"pm_time", -16}, {"clientNum", 10}, {"weapon", 8}, {"delta_angles[2]", 16}, // 15
	{"viewangles[2]", 0}, {"externalEvent", 10}, {"eventParms[1]", 8}, {"pm_type", 8}, {"externalEventParm", 8}, // 20
	{"eventParms[0]", -16}, {"weaponChargeSubtractTime", 32}, {"weaponChargeTime", 32}, // 25
	{"rocketTargetTime", 32}, {"fd.forceJumpZStart", 0}, {"rocketLockTime", 32}, {"m_iVehicleNum", 10}, // 28
	{"generic1", 8}, {"eFlags2", 10}, {"legsAnim", 16}, {"torsoAnim", 16}, {"torsoTimer", 16}, // 32
	{"legsTimer", 16}, {"jetpackFuel", 8}, {"cloakFuel", 8}, {"saberCanThrow", 1}, // 37
	{"fd.forcePowerDebounce[FP_LEVITATION]", 32}, {"torsoFlip", 1}, {"legsFlip", 1}, // 41
	{"fd.forcePowersActive", 32}, {"hasDetPackPlanted", 1}, {"fd.forceRageRecoveryTime", 32}, // 44
	{"saberInFlight", 1}, {"fd.forceMindtrickTargetIndex", 16}, {"fd.forceMindtrickTargetIndex2", 16}, // 47
	{"fd.forceMindtrickTargetIndex3", 16}, {"fd.forceMindtrickTargetIndex4", 16}, {"fd.sentryDeployed", 1}, // 50
	{"fd.forcePowerLevel[FP_SEE]", 2}, {"holocronBits", 32}, {"fd.forcePower", 8}, {"velocity[0]", 0}, // 53
	{"velocity[1]", 0}, {"velocity[2]", 0}, {"bobCycle", 8}, {"speed", 0}, {"groundEntityNum", 10}, // 57
	{"viewheight", -8}, {"fd.saberAnimLevel", 4}, {"fd.saberDrawAnimLevel", 4}, {"genericEnemyIndex", 32}, // 62
	{"customRGBA[0]", 8}, {"movementDir", 4}, {"saberEntityNum", 10}, {"customRGBA[3]", 8}, {"saberMove", 32}, // 66
	{"standheight", 10}, {"crouchheight", 10}, {"basespeed", -16}, {"customRGBA[1]", 8}, {"duelIndex", 10}, // 71
	{"customRGBA[2]", 8}, {"gravity", 16}, {"fd.forcePowersKnown", 32}, // 76
	{"fd.forcePowerLevel[FP_LEVITATION]", 2}, {"fd.forcePowerSelected", 8}, {"damageYaw", 8}, // 79
	{"damageCount", 8}, {"inAirAnim", 1}, {"fd.forceSide", 2}, {"saberAttackChainCount", 4}, {"lookTarget", 10}, // 82
	{"moveDir[1]", 0}, {"moveDir[0]", 0}, {"damageEvent", 8}, {"moveDir[2]", 0}, {"activeForcePass", 6}, // 87
	{"electrifyTime", 32}, {"damageType", 2}, {"loopSound", 16}, {"hasLookTarget", 1}, {"saberBlocked", 8}, // 92
	{"forceHandExtend", 8}, {"saberHolstered", 2}, {"damagePitch", 8}, {"jumppad_ent", 10}, // 97
	{"forceDodgeAnim", 16}, {"zoomMode", 2}, {"hackingTime", 32}, {"zoomTime", 32}, {"brokenLimbs", 8}, // 101
	{"zoomLocked", 1}, {"zoomFov", 0}, {"fallingToDeath", 32}, {"lastHitLoc[2]", 0}, {"lastHitLoc[0]", 0}, // 106
	{"lastHitLoc[1]", 0}, {"saberLockTime", 32}, {"saberLockFrame", 16}, {"saberLockEnemy", 10}, // 111
	{"fd.forceGripCripple", 1}, {"emplacedIndex", 10}, {"isJediMaster", 1}, {"forceRestricted", 1}, // 115
	{"trueJedi", 1}, {"trueNonJedi", 1}, {"duelTime", 32}, {"duelInProgress", 1}, {"saberLockAdvance", 1}, // 119
	{"heldByClient", 6}, {"ragAttach", 10}, {"iModelScale", 10}, {"hackingBaseTime", 16}, {"userInt1", 1}, // 124
	{"userInt2", 1}, {"userInt3", 1}, {"userFloat1", 1}, {"userFloat2", 1}, {"userFloat3", 1}, // 129
	{"userVec1[0]", 1}, {"userVec1[1]", 1}, {"userVec1[2]", 1}, {"userVec2[0]", 1}, {"userVec2[1]", 1}, // 134
	{"userVec2[2]", 1}, // 139
}

// VehicleFieldsJA are the state of a vehicle.
//
// Source: vehPlayerStateFields, codemp/qcommon/msg.cpp of OpenJK.
var VehicleFieldsJA = []NetField{
	{"commandTime", 32}, {"origin[1]", 0}, {"origin[0]", 0}, {"viewangles[1]", 0}, {"viewangles[0]", 0}, // 0
	{"origin[2]", 0}, {"velocity[0]", 0}, {"velocity[1]", 0}, {"velocity[2]", 0}, {"weaponTime", -16}, // 5
	{"delta_angles[1]", 16}, {"speed", 0}, {"legsAnim", 16}, {"delta_angles[0]", 16}, {"groundEntityNum", 10}, // 10
	{"eFlags", 32}, {"eventSequence", 16}, {"legsTimer", 16}, {"rocketLockIndex", 10}, {"events[0]", 10}, // 15
	{"events[1]", 10}, {"weaponstate", 4}, {"pm_flags", 16}, {"pm_time", -16}, {"clientNum", 10}, // 20
	{"gravity", 16}, {"weapon", 8}, {"delta_angles[2]", 16}, {"viewangles[2]", 0}, {"externalEvent", 10}, // 25
	{"eventParms[1]", 8}, {"pm_type", 8}, {"externalEventParm", 8}, {"eventParms[0]", -16}, // 30
	{"vehOrientation[0]", 0}, {"vehOrientation[1]", 0}, {"moveDir[1]", 0}, {"moveDir[0]", 0}, // 34
	{"vehOrientation[2]", 0}, {"moveDir[2]", 0}, {"rocketTargetTime", 32}, {"electrifyTime", 32}, // 38
	{"loopSound", 16}, {"rocketLockTime", 32}, {"m_iVehicleNum", 10}, {"vehTurnaroundTime", 32}, // 42
	{"hackingTime", 32}, {"brokenLimbs", 8}, {"vehWeaponsLinked", 1}, {"hyperSpaceTime", 32}, {"eFlags2", 10}, // 46
	{"hyperSpaceAngles[1]", 0}, {"vehBoarding", 1}, {"vehTurnaroundIndex", 10}, {"vehSurfaces", 16}, // 51
	{"hyperSpaceAngles[0]", 0}, {"hyperSpaceAngles[2]", 0}, {"userInt1", 1}, {"userInt2", 1}, {"userInt3", 1}, // 55
	{"userFloat1", 1}, {"userFloat2", 1}, {"userFloat3", 1}, {"userVec1[0]", 1}, {"userVec1[1]", 1}, // 60
	{"userVec1[2]", 1}, {"userVec2[0]", 1}, {"userVec2[1]", 1}, {"userVec2[2]", 1}, // 65
}
