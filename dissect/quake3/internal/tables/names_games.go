package tables

import "github.com/q3dissect/q3dissect/dissect"

// Numbers that only the games made from Quake III have, or have renumbered.
var (
	trTypeTables         = familyTables{FamilyRTCW: trTypesRTCW, FamilyET: trTypesET, FamilyOutcast: trTypesOutcast, FamilyAcademy: trTypesAcademy}
	buttonTables         = familyTables{FamilyRTCW: buttonsRTCW, FamilyET: buttonsET, FamilyOutcast: buttonsOutcast, FamilyAcademy: buttonsAcademy}
	holdableTables       = familyTables{FamilyRTCW: holdablesRTCW, FamilyOutcast: holdablesOutcast, FamilyAcademy: holdablesAcademy}
	wbuttonTables        = familyTables{FamilyRTCW: wbuttonsRTCW, FamilyET: wbuttonsET}
	doubleTapTables      = familyTables{FamilyET: doubleTapsET}
	aiStateTables        = familyTables{FamilyRTCW: aiStatesRTCW, FamilyET: aiStatesET}
	hintTables           = familyTables{FamilyRTCW: hintsRTCW, FamilyET: hintsET}
	aiCharTables         = familyTables{FamilyRTCW: aiCharsRTCW}
	animMoveTypeTables   = familyTables{FamilyRTCW: animMoveTypesRTCW, FamilyET: animMoveTypesET}
	saberMoveTables      = familyTables{FamilyOutcast: saberMovesOutcast, FamilyAcademy: saberMovesAcademy}
	forcePowerTables     = familyTables{FamilyOutcast: forcePowersOutcast, FamilyAcademy: forcePowersAcademy}
	genericCommandTables = familyTables{FamilyOutcast: genericCommandsOutcast, FamilyAcademy: genericCommandsAcademy}
	handExtendTables     = familyTables{FamilyOutcast: handExtendsOutcast, FamilyAcademy: handExtendsAcademy}
	saberStyleTables     = familyTables{FamilyOutcast: saberStylesOutcast, FamilyAcademy: saberStylesAcademy}
	saberBlockedTables   = familyTables{FamilyAcademy: saberBlockedAcademy}
	npcClassTables       = familyTables{FamilyAcademy: npcClassesAcademy}
	duelTeamTables       = familyTables{FamilyAcademy: duelTeamsAcademy}
	eFlag2Tables         = familyTables{FamilyAcademy: eFlags2Academy}
	brokenLimbTables     = familyTables{FamilyAcademy: brokenLimbsAcademy}
	downloadBlockTables  = familyTables{FamilyET: {"www_download"}}
)

// WWWBlock is the block of a download that gives an address to download from, in Enemy Territory: -1 in 16 bits.
//
// CL_ParseDownload, src/client/cl_parse.c, and SV_WriteDownloadToClient, src/server/sv_client.c of ET: Legacy, which call it a
// www download (sv_wwwDownload); it has no constant.
const WWWBlock = 0xffff

// Names of these numbers.
var (
	WbuttonNames        = dissect.Enum{Mask: true, Tables: inherit(wbuttonTables)}
	DoubleTapNames      = dissect.Enum{Tables: inherit(doubleTapTables)}
	aiStateNames        = dissect.Enum{Tables: inherit(aiStateTables)}
	hintNames           = dissect.Enum{Tables: inherit(hintTables)}
	aiCharNames         = dissect.Enum{Tables: inherit(aiCharTables)}
	animMoveTypeNames   = dissect.Enum{Tables: inherit(animMoveTypeTables)}
	saberMoveNames      = dissect.Enum{Tables: inherit(saberMoveTables)}
	forcePowerBits      = dissect.Enum{Mask: true, Tables: inherit(forcePowerTables)}
	forcePowerNames     = dissect.Enum{Tables: inherit(forcePowerTables)}
	GenericCommandNames = dissect.Enum{Tables: inherit(genericCommandTables)}
	handExtendNames     = dissect.Enum{Tables: inherit(handExtendTables)}
	saberStyleNames     = dissect.Enum{Tables: inherit(saberStyleTables)}
	saberBlockedNames   = dissect.Enum{Tables: inherit(saberBlockedTables)}
	npcClassNames       = dissect.Enum{Tables: inherit(npcClassTables)}
	duelTeamNames       = dissect.Enum{Tables: inherit(duelTeamTables)}
	eFlag2Names         = dissect.Enum{Mask: true, Tables: inherit(eFlag2Tables)}
	brokenLimbNames     = dissect.Enum{Tables: inherit(brokenLimbTables)}
	DownloadBlockNames  = dissect.Enum{First: WWWBlock, Tables: inherit(downloadBlockTables)}
	DownloadFlagNames   = dissect.Enum{Mask: true, Tables: everyFamily([]string{"disconnect", "url"}, familyTables{})}

	// Animations of Jedi Outcast have a bit that changes when the same one starts over: ANIM_TOGGLEBIT 2048 in
	// src/game/bg_public.h of jk2mv. Those of Jedi Academy do not.
	outcastAnimationNames = dissect.Enum{Ignore: 0x800, Tables: inherit(animationTables)}
	academyAnimationNames = dissect.Enum{Tables: inherit(animationTables)}
)
