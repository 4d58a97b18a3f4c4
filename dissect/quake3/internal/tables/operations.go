package tables

import (
	"slices"
)

// Operations of server messages of Quake III, svc_ops_e in code/qcommon/qcommon.h. Generation.Op translates the
// numbers of all games.
const (
	SvcBad           = 0 // ends lists in 43 and 48
	SvcNop           = 1
	SvcGamestate     = 2
	SvcConfigstring  = 3
	SvcBaseline      = 4
	SvcServerCommand = 5
	SvcDownload      = 6
	SvcSnapshot      = 7
	SvcEOF           = 8
	SvcVoipSpeex     = 9
	SvcVoipOpus      = 10
)

// Operations of client messages, clc_ops_e in code/qcommon/qcommon.h.
const (
	ClcNop           = 1
	ClcMove          = 2
	ClcMoveNoDelta   = 3
	ClcClientCommand = 4
	ClcEOF           = 5
	ClcVoipSpeex     = 6
	ClcVoipOpus      = 7
)

// Limits and numbers of the protocol.
const (
	MaxMessage       = 16384 // MAX_MSGLEN in bytes, code/qcommon/qcommon.h
	MaxConfigstrings = 2736  // the most of any game; Quake III has 1024, MAX_CONFIGSTRINGS in code/qcommon/q_shared.h
	ServerinfoIndex  = 0     // CS_SERVERINFO
	SysteminfoIndex  = 1     // CS_SYSTEMINFO
)

// LastLegacy is the highest protocol without a checksum, PROTOCOL_LEGACY_VERSION in code/qcommon/qcommon.h.
const LastLegacy = 68

// An Op is an operation of a server message, independent of its number in a game.
type Op uint8

// The operations. The order is that of svc_ops_e, code/qcommon/qcommon.h.
const (
	OpBad Op = iota // ends lists in 43 and 48
	OpNop
	OpGamestate
	OpConfigstring
	OpBaseline
	OpServerCommand
	OpDownload
	OpSnapshot
	OpEOF
	OpVoipSpeex
	OpVoipOpus
	OpSetGame      // Jedi Academy
	OpMapChange    // Jedi Outcast, Jedi Academy
	OpPlayerStates // the players of a snapshot for a TV server of Enemy Territory
	OpCurrentState // an entity in the gamestate of a TV recording
	OpCenterPrint  // Medal of Honor, like the next two
	OpLocPrint
	OpCGame
	OpNone // no operation has the number
)

// numOps is how many numbers are used for operations in any game.
const numOps = 12

// Numbers of the operations by game. Between 2008 and 2011 some servers of protocol 68 sent 9 as a prefix of
// operations that the original does not have, and voice as 10; until December 2013 9 was voice of the only
// codec there was.
//
// Source: svc_ops_e in code/qcommon/qcommon.h (Quake III, iortcw), src/qcommon/qcommon.h of ET: Legacy and
// jk2mv, codemp/qcommon/qcommon.h of OpenJK.
var (
	opsQuake3 = [numOps]Op{
		OpBad, OpNop, OpGamestate, OpConfigstring, OpBaseline, OpServerCommand, OpDownload, OpSnapshot, OpEOF, OpNone, OpNone,
		OpNone,
	}
	opsVoip = [numOps]Op{
		OpBad, OpNop, OpGamestate, OpConfigstring, OpBaseline, OpServerCommand, OpDownload, OpSnapshot, OpEOF,
		OpVoipSpeex, OpVoipOpus, OpNone,
	}
	opsETTV = [numOps]Op{
		OpBad, OpNop, OpGamestate, OpConfigstring, OpBaseline, OpServerCommand, OpDownload, OpSnapshot, OpEOF,
		OpPlayerStates, OpCurrentState, OpNone,
	}
	opsJediOutcast = [numOps]Op{
		OpBad, OpNop, OpGamestate, OpConfigstring, OpBaseline, OpServerCommand, OpDownload, OpSnapshot,
		OpMapChange, OpEOF, OpNone, OpNone,
	}
	opsJediAcademy = [numOps]Op{
		OpBad, OpNop, OpGamestate, OpConfigstring, OpBaseline, OpServerCommand, OpDownload, OpSnapshot,
		OpSetGame, OpMapChange, OpEOF, OpNone,
	}
	opsMOHAA = [numOps]Op{
		OpBad, OpNop, OpGamestate, OpConfigstring, OpBaseline, OpServerCommand, OpDownload, OpSnapshot,
		OpCenterPrint, OpLocPrint, OpCGame, OpEOF,
	}
)

// Op returns the operation of a number.
func (g *Generation) Op(number uint32) Op {
	if number >= numOps {
		return OpNone
	}
	return g.ServerOps[number]
}

// Code returns the number of an operation, which must be one of the generation's.
func (g *Generation) Code(op Op) uint32 {
	return uint32(slices.Index(g.ServerOps[:], op))
}

// A UserCommand is the format of usercmd_t: its fields in the order of the wire, after the time.
type UserCommand uint8

// The formats of usercmd_t: angles and moves are the same in all.
const (
	UserCommandShort     UserCommand = iota // buttons 16, weapon
	UserCommandKick                         // buttons 8, wbuttons, weapon, holdable, wolfkick, mpSetup, identClient
	UserCommandDoubleTap                    // buttons 8, wbuttons, weapon, flags, doubleTap, identClient
	UserCommandForce                        // buttons 16, weapon, forcesel, invensel, generic_cmd
	UserCommandButtons                      // buttons 16
	UserCommandUnkeyed                      // buttons 8, weapon; without a key, and without a bit for any change
)
