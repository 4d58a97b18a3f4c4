package tables

// The delta tables of Medal of Honor: Allied Assault (protocol 8) and of Spearhead and Breakthrough (15 to 17). The
// order is the format: do not sort. That of the entities of 6 lacks a few rows, see generation_mohaa.go.

// entityFieldsMOHAA has the entities of 8 and of 15 to 17.
//
// Source: code/qcommon/msg.cpp of openmohaa, like the other tables.
var entityFieldsMOHAA = []codedField{
	{"netorigin[0]", 0, codedCoord}, {"netorigin[1]", 0, codedCoord}, {"netangles[1]", 12, codedAngle}, // 0
	{"frameInfo[0].time", 15, codedTime}, {"frameInfo[1].time", 15, codedTime}, // 3
	{"bone_angles[0][0]", -13, codedAngle}, {"bone_angles[3][0]", -13, codedAngle}, // 5
	{"bone_angles[1][0]", -13, codedAngle}, {"bone_angles[2][0]", -13, codedAngle}, // 7
	{"netorigin[2]", 0, codedCoord}, {"frameInfo[0].weight", 8, codedFraction}, // 9
	{"frameInfo[1].weight", 8, codedFraction}, {"frameInfo[2].time", 15, codedTime}, // 11
	{"frameInfo[3].time", 15, codedTime}, {"frameInfo[0].index", 12, codedPlain}, // 13
	{"frameInfo[1].index", 12, codedPlain}, {"actionWeight", 8, codedFraction}, // 15
	{"frameInfo[2].weight", 8, codedFraction}, {"frameInfo[3].weight", 8, codedFraction}, // 17
	{"frameInfo[2].index", 12, codedPlain}, {"frameInfo[3].index", 12, codedPlain}, {"eType", 8, codedPlain}, // 19
	{"modelindex", 16, codedPlain}, {"parent", 16, codedPlain}, {"constantLight", 32, codedPlain}, // 22
	{"renderfx", 32, codedPlain}, {"bone_tag[0]", -8, codedPlain}, {"bone_tag[1]", -8, codedPlain}, // 25
	{"bone_tag[2]", -8, codedPlain}, {"bone_tag[3]", -8, codedPlain}, {"bone_tag[4]", -8, codedPlain}, // 28
	{"scale", 10, codedScale}, {"alpha", 8, codedFraction}, {"usageIndex", 16, codedPlain}, // 31
	{"eFlags", 16, codedPlain}, {"solid", 32, codedPlain}, {"netangles[2]", 12, codedAngle}, // 34
	{"netangles[0]", 12, codedAngle}, {"tag_num", 10, codedPlain}, {"bone_angles[1][2]", -13, codedAngle}, // 37
	{"attach_use_angles", 1, codedPlain}, {"origin2[1]", 0, codedCoord}, {"origin2[0]", 0, codedCoord}, // 40
	{"origin2[2]", 0, codedCoord}, {"bone_angles[0][2]", -13, codedAngle}, // 43
	{"bone_angles[2][2]", -13, codedAngle}, {"bone_angles[3][2]", -13, codedAngle}, // 45
	{"surfaces[0]", 8, codedPlain}, {"surfaces[1]", 8, codedPlain}, {"surfaces[2]", 8, codedPlain}, // 47
	{"surfaces[3]", 8, codedPlain}, {"bone_angles[0][1]", -13, codedAngle}, {"surfaces[4]", 8, codedPlain}, // 50
	{"surfaces[5]", 8, codedPlain}, {"pos.trTime", 32, codedPlain}, {"pos.trDelta[0]", 0, codedVelocity}, // 53
	{"pos.trDelta[1]", 0, codedVelocity}, {"pos.trDelta[2]", 0, codedVelocity}, {"loopSound", 16, codedPlain}, // 56
	{"loopSoundVolume", 0, codedPlain}, {"loopSoundMinDist", 0, codedPlain}, // 59
	{"loopSoundMaxDist", 0, codedPlain}, {"loopSoundPitch", 0, codedPlain}, {"loopSoundFlags", 8, codedPlain}, // 61
	{"attach_offset[0]", 0, codedPlain}, {"attach_offset[1]", 0, codedPlain}, // 64
	{"attach_offset[2]", 0, codedPlain}, {"beam_entnum", 16, codedPlain}, {"skinNum", 16, codedPlain}, // 66
	{"wasframe", 10, codedPlain}, {"frameInfo[4].index", 12, codedPlain}, // 69
	{"frameInfo[5].index", 12, codedPlain}, {"frameInfo[6].index", 12, codedPlain}, // 71
	{"frameInfo[7].index", 12, codedPlain}, {"frameInfo[8].index", 12, codedPlain}, // 73
	{"frameInfo[9].index", 12, codedPlain}, {"frameInfo[10].index", 12, codedPlain}, // 75
	{"frameInfo[11].index", 12, codedPlain}, {"frameInfo[12].index", 12, codedPlain}, // 77
	{"frameInfo[13].index", 12, codedPlain}, {"frameInfo[14].index", 12, codedPlain}, // 79
	{"frameInfo[15].index", 12, codedPlain}, {"frameInfo[4].time", 15, codedTime}, // 81
	{"frameInfo[5].time", 15, codedTime}, {"frameInfo[6].time", 15, codedTime}, // 83
	{"frameInfo[7].time", 15, codedTime}, {"frameInfo[8].time", 15, codedTime}, // 85
	{"frameInfo[9].time", 15, codedTime}, {"frameInfo[10].time", 15, codedTime}, // 87
	{"frameInfo[11].time", 15, codedTime}, {"frameInfo[12].time", 15, codedTime}, // 89
	{"frameInfo[13].time", 15, codedTime}, {"frameInfo[14].time", 15, codedTime}, // 91
	{"frameInfo[15].time", 15, codedTime}, {"frameInfo[4].weight", 8, codedFraction}, // 93
	{"frameInfo[5].weight", 8, codedFraction}, {"frameInfo[6].weight", 8, codedFraction}, // 95
	{"frameInfo[7].weight", 8, codedFraction}, {"frameInfo[8].weight", 8, codedFraction}, // 97
	{"frameInfo[9].weight", 8, codedFraction}, {"frameInfo[10].weight", 8, codedFraction}, // 99
	{"frameInfo[11].weight", 8, codedFraction}, {"frameInfo[12].weight", 8, codedFraction}, // 101
	{"frameInfo[13].weight", 8, codedFraction}, {"frameInfo[14].weight", 8, codedFraction}, // 103
	{"frameInfo[15].weight", 8, codedFraction}, {"bone_angles[1][1]", -13, codedAngle}, // 105
	{"bone_angles[2][1]", -13, codedAngle}, {"bone_angles[3][1]", -13, codedAngle}, // 107
	{"bone_angles[4][0]", -13, codedAngle}, {"bone_angles[4][1]", -13, codedAngle}, // 109
	{"bone_angles[4][2]", -13, codedAngle}, {"clientNum", 8, codedPlain}, {"groundEntityNum", 10, codedPlain}, // 111
	{"shader_data[0]", 0, codedPlain}, {"shader_data[1]", 0, codedPlain}, {"shader_time", 0, codedPlain}, // 114
	{"eyeVector[0]", 0, codedPlain}, {"eyeVector[1]", 0, codedPlain}, {"eyeVector[2]", 0, codedPlain}, // 117
	{"surfaces[6]", 8, codedPlain}, {"surfaces[7]", 8, codedPlain}, {"surfaces[8]", 8, codedPlain}, // 120
	{"surfaces[9]", 8, codedPlain}, {"surfaces[10]", 8, codedPlain}, {"surfaces[11]", 8, codedPlain}, // 123
	{"surfaces[12]", 8, codedPlain}, {"surfaces[13]", 8, codedPlain}, {"surfaces[14]", 8, codedPlain}, // 126
	{"surfaces[15]", 8, codedPlain}, {"surfaces[16]", 8, codedPlain}, {"surfaces[17]", 8, codedPlain}, // 129
	{"surfaces[18]", 8, codedPlain}, {"surfaces[19]", 8, codedPlain}, {"surfaces[20]", 8, codedPlain}, // 132
	{"surfaces[21]", 8, codedPlain}, {"surfaces[22]", 8, codedPlain}, {"surfaces[23]", 8, codedPlain}, // 135
	{"surfaces[24]", 8, codedPlain}, {"surfaces[25]", 8, codedPlain}, {"surfaces[26]", 8, codedPlain}, // 138
	{"surfaces[27]", 8, codedPlain}, {"surfaces[28]", 8, codedPlain}, {"surfaces[29]", 8, codedPlain}, // 141
	{"surfaces[30]", 8, codedPlain}, {"surfaces[31]", 8, codedPlain}, // 144
}

// playerFieldsMOHAA15 has the players of 15 to 17.
var playerFieldsMOHAA15 = []codedField{
	{"commandTime", 32, codedPlain}, {"origin[0]", 0, codedCoordExtra}, {"origin[1]", 0, codedCoordExtra}, // 0
	{"viewangles[1]", 0, codedPlain}, {"velocity[1]", 0, codedVelocity}, {"velocity[0]", 0, codedVelocity}, // 3
	{"viewangles[0]", 0, codedPlain}, {"origin[2]", 0, codedCoordExtra}, {"velocity[2]", 0, codedVelocity}, // 6
	{"iViewModelAnimChanged", 2, codedPlain}, {"damage_angles[0]", -13, codedAngle}, // 9
	{"damage_angles[1]", -13, codedAngle}, {"damage_angles[2]", -13, codedAngle}, {"speed", 16, codedPlain}, // 11
	{"delta_angles[1]", 16, codedPlain}, {"viewheight", -8, codedPlain}, {"groundEntityNum", 10, codedPlain}, // 14
	{"delta_angles[0]", 16, codedPlain}, {"iNetViewModelAnim", 4, codedPlain}, {"fov", 0, codedPlain}, // 17
	{"current_music_mood", 8, codedPlain}, {"gravity", 16, codedPlain}, {"fallback_music_mood", 8, codedPlain}, // 20
	{"music_volume", 0, codedPlain}, {"net_pm_flags", 16, codedPlain}, {"clientNum", 8, codedPlain}, // 23
	{"fLeanAngle", 0, codedPlain}, {"blend[3]", 0, codedPlain}, {"blend[0]", 0, codedPlain}, // 26
	{"pm_type", 8, codedPlain}, {"feetfalling", 8, codedPlain}, {"radarInfo", 26, codedPlain}, // 29
	{"camera_angles[0]", 16, codedAngle}, {"camera_angles[1]", 16, codedAngle}, // 32
	{"camera_angles[2]", 16, codedAngle}, {"camera_origin[0]", 0, codedCoordExtra}, // 34
	{"camera_origin[1]", 0, codedCoordExtra}, {"camera_origin[2]", 0, codedCoordExtra}, // 36
	{"camera_posofs[0]", 0, codedCoordExtra}, {"camera_posofs[2]", 0, codedCoordExtra}, // 38
	{"camera_time", 0, codedPlain}, {"voted", 1, codedPlain}, {"bobCycle", 8, codedPlain}, // 40
	{"delta_angles[2]", 16, codedPlain}, {"viewangles[2]", 0, codedPlain}, // 43
	{"music_volume_fade_time", 0, codedPlain}, {"reverb_type", 6, codedPlain}, {"reverb_level", 0, codedPlain}, // 45
	{"blend[1]", 0, codedPlain}, {"blend[2]", 0, codedPlain}, {"camera_offset[0]", 0, codedPlain}, // 48
	{"camera_offset[1]", 0, codedPlain}, {"camera_offset[2]", 0, codedPlain}, // 51
	{"camera_posofs[1]", 0, codedCoordExtra}, {"camera_flags", 16, codedPlain}, // 53
}

// playerFieldsMOHAA8 has the players of 6 and 8.
var playerFieldsMOHAA8 = []codedField{
	{"commandTime", 32, codedPlain}, {"origin[0]", 0, codedCoord}, {"origin[1]", 0, codedCoord}, // 0
	{"viewangles[1]", 0, codedPlain}, {"velocity[1]", 0, codedVelocity}, {"velocity[0]", 0, codedVelocity}, // 3
	{"viewangles[0]", 0, codedPlain}, {"pm_time", -16, codedPlain}, {"origin[2]", 0, codedCoord}, // 6
	{"velocity[2]", 0, codedVelocity}, {"iViewModelAnimChanged", 2, codedPlain}, // 9
	{"damage_angles[0]", -13, codedAngle}, {"damage_angles[1]", -13, codedAngle}, // 11
	{"damage_angles[2]", -13, codedAngle}, {"speed", 16, codedPlain}, {"delta_angles[1]", 16, codedPlain}, // 13
	{"viewheight", -8, codedPlain}, {"groundEntityNum", 10, codedPlain}, {"delta_angles[0]", 16, codedPlain}, // 16
	{"iNetViewModelAnim", 4, codedPlain}, {"fov", 0, codedPlain}, {"current_music_mood", 8, codedPlain}, // 19
	{"gravity", 16, codedPlain}, {"fallback_music_mood", 8, codedPlain}, {"music_volume", 0, codedPlain}, // 22
	{"net_pm_flags", 16, codedPlain}, {"clientNum", 8, codedPlain}, {"fLeanAngle", 0, codedPlain}, // 25
	{"blend[3]", 0, codedPlain}, {"blend[0]", 0, codedPlain}, {"pm_type", 8, codedPlain}, // 28
	{"feetfalling", 8, codedPlain}, {"camera_angles[0]", 16, codedAngle}, {"camera_angles[1]", 16, codedAngle}, // 31
	{"camera_angles[2]", 16, codedAngle}, {"camera_origin[0]", 0, codedCoord}, // 34
	{"camera_origin[1]", 0, codedCoord}, {"camera_origin[2]", 0, codedCoord}, // 36
	{"camera_posofs[0]", 0, codedCoord}, {"camera_posofs[2]", 0, codedCoord}, {"camera_time", 0, codedPlain}, // 38
	{"bobCycle", 8, codedPlain}, {"delta_angles[2]", 16, codedPlain}, {"viewangles[2]", 0, codedPlain}, // 41
	{"music_volume_fade_time", 0, codedPlain}, {"reverb_type", 6, codedPlain}, {"reverb_level", 0, codedPlain}, // 44
	{"blend[1]", 0, codedPlain}, {"blend[2]", 0, codedPlain}, {"camera_offset[0]", 0, codedPlain}, // 47
	{"camera_offset[1]", 0, codedPlain}, {"camera_offset[2]", 0, codedPlain}, // 50
	{"camera_posofs[1]", 0, codedCoord}, {"camera_flags", 16, codedPlain}, // 52
}

// scrambleMOHAA is the byte that is sent for each byte of a text, from protocol 15 on.
var scrambleMOHAA = [256]byte{
	254, 120, 89, 13, 27, 73, 103, 78, 74, 102, 21, 117, 76, 86, 238, 96,
	88, 62, 59, 60, 40, 84, 52, 119, 251, 51, 75, 121, 192, 85, 44, 54,
	114, 87, 25, 53, 35, 224, 67, 31, 82, 41, 45, 99, 233, 112, 255, 11,
	46, 115, 8, 32, 19, 100, 110, 95, 116, 48, 58, 107, 70, 91, 104, 81,
	118, 109, 36, 24, 17, 39, 43, 65, 49, 83, 56, 57, 33, 64, 80, 28,
	184, 160, 18, 105, 42, 20, 194, 38, 29, 26, 61, 50, 9, 90, 37, 128,
	79, 2, 108, 34, 4, 0, 47, 12, 101, 10, 92, 15, 5, 7, 22, 55,
	23, 14, 3, 1, 66, 16, 63, 30, 6, 97, 111, 248, 72, 197, 191, 122,
	176, 245, 250, 68, 195, 77, 232, 106, 228, 93, 240, 98, 208, 69, 164, 144,
	186, 222, 94, 246, 148, 170, 244, 190, 205, 234, 252, 202, 230, 239, 174, 225,
	226, 209, 236, 216, 237, 151, 149, 231, 129, 188, 200, 172, 204, 154, 168, 71,
	133, 217, 196, 223, 134, 253, 173, 177, 219, 235, 214, 182, 132, 227, 183, 175,
	137, 152, 158, 221, 243, 150, 210, 136, 167, 211, 179, 193, 218, 124, 140, 178,
	213, 249, 185, 113, 127, 220, 180, 145, 138, 198, 123, 162, 189, 203, 166, 126,
	159, 156, 212, 207, 146, 181, 247, 139, 142, 169, 242, 241, 171, 187, 153, 135,
	201, 155, 161, 125, 163, 130, 229, 206, 165, 157, 141, 147, 143, 199, 215, 131,
}
