package tables

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
