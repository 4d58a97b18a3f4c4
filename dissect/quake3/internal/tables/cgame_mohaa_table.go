package tables

// CGameMessages are the bodies of the messages of the game's module, by type: a letter for each value, see package
// operation.
type CGameMessages []string

// CGameUnknown is the body of a type whose body is not known.
const CGameUnknown = "?"

// CGameAllied are the bodies of Allied Assault (6, 8).
//
// Source: code/cgame/cg_parsemsg.cpp and CGM6_* in code/fgame/bg_public.h of openmohaa.
var CGameAllied = CGameMessages{
	CGameUnknown,
	"PPPs", "PPs", "PvPsn", "Psn", "PPs", // bullets
	"Pds", "Pds", "Pds", "Pds", "Pds", // impacts
	"PP",     // melee
	"P", "P", // explosions
	CGameUnknown,
	"Pd", "Pd", "Pd", "Pd", "Pd", "Pd", "Pd", "Pd", // effects
	"Pk", "Pk", // debris of a crate, of a window
	"PPPs", "PPs", // tracers
	"it", "ihj", "ixywz", "if", "irgb", "io", "it", "it", // head-up display
	"", "", // hit, kill
	"Plct", // voice chat
}

// CGameSpearhead are the bodies of Spearhead and Breakthrough (15 to 17).
//
// Source: code/cgame/cg_parsemsg.cpp and CGM_* in code/fgame/bg_public.h of openmohaa.
var CGameSpearhead = CGameMessages{
	CGameUnknown,
	"PPPSa", "PPSa", "PvPSan", "PSan", "PPSa", // bullets
	"PdS", "PdS", "PdS", "PdS", "PdS", "PdS", // impacts
	"PP",               // melee
	"P", "P", "P", "P", // explosions
	CGameUnknown,
	"Pd", "Pd", "Pd", "Pd", "Pd", "Pd", "Pd", "Pd", // effects
	"Pk", "Pk", // debris of a crate, of a window
	"PPPSa", "PPSa", // tracers
	"it", "ihj", "ixywz", "if", "irgb", "io", "it", "it", // head-up display
	"", "", // hit, kill
	"Plct", // voice chat
	"PPkm", // fence post
}
