package tables

import "github.com/q3dissect/q3dissect/dissect"

// WWWBlock is the block of a download that gives an address to download from, in Enemy Territory: -1 in 16 bits.
//
// CL_ParseDownload, src/client/cl_parse.c, and SV_WriteDownloadToClient, src/server/sv_client.c of ET: Legacy, which
// call it a www download (sv_wwwDownload); it has no constant.
const WWWBlock = 0xffff

// Names of these numbers.
var (
	WbuttonNames        = dissect.Enum{Mask: true, Tables: inherit(func(n *Names) []string { return n.Wbuttons })}
	DoubleTapNames      = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.DoubleTaps })}
	aiStateNames        = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.AIStates })}
	hintNames           = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.Hints })}
	aiCharNames         = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.AIChars })}
	animMoveTypeNames   = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.AnimMoveTypes })}
	saberMoveNames      = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.SaberMoves })}
	forcePowerBits      = dissect.Enum{Mask: true, Tables: inherit(func(n *Names) []string { return n.ForcePowers })}
	ForcePowerNames     = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.ForcePowers })}
	GenericCommandNames = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.GenericCommands })}
	handExtendNames     = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.HandExtends })}
	SaberStyleNames     = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.SaberStyles })}
	SkillNames          = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.Skills })}
	saberBlockedNames   = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.SaberBlocked })}
	npcClassNames       = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.NPCClasses })}
	duelTeamNames       = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.DuelTeams })}
	eFlag2Names         = dissect.Enum{Mask: true, Tables: inherit(func(n *Names) []string { return n.EFlags2 })}
	brokenLimbNames     = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.BrokenLimbs })}
	DownloadBlockNames  = dissect.Enum{
		First:  WWWBlock,
		Tables: inherit(func(n *Names) []string { return n.DownloadBlocks }),
	}
	DownloadFlagNames = dissect.Enum{Mask: true, Tables: everyGame([]string{"disconnect", "url"}, nil)}

	// Animations of Jedi Outcast have a bit that changes when the same one starts over: ANIM_TOGGLEBIT 2048 in
	// src/game/bg_public.h of jk2mv. Those of Jedi Academy do not.
	outcastAnimationNames = dissect.Enum{Ignore: 0x800, Tables: inherit(func(n *Names) []string { return n.Animations })}
	academyAnimationNames = dissect.Enum{Tables: inherit(func(n *Names) []string { return n.Animations })}
)
