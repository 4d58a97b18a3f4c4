package tables

// Operations of server messages, svc_ops_e in code/qcommon/qcommon.h.
//
// Between 2008 and 2011 some servers of protocol 68 sent 9 as a prefix for operations that the original does not know,
// and voice as 10; until December 2013 9 was voice of the only codec there was.
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
	MaxConfigstrings = 1024  // MAX_CONFIGSTRINGS, code/qcommon/q_shared.h
	ServerinfoIndex  = 0     // CS_SERVERINFO
	SysteminfoIndex  = 1     // CS_SYSTEMINFO
)

// LastLegacy is the highest protocol that knows no checksum, PROTOCOL_LEGACY_VERSION in
// code/qcommon/qcommon.h.
const LastLegacy = 68
