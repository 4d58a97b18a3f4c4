package tables

// Names of the engine's own numbers.

// svcOpTable holds the ops of server messages. Between 2008 and 2011 some servers of protocol 68 sent 9 as a
// prefix for ops that the original does not know, and voice as 10; until December 2013 9 was
// voice of the only codec there was.
//
// Source: svc_ops_e, code/qcommon/qcommon.h.
var svcOpTable = []string{
	"bad", "nop", "gamestate", "configstring", "baseline", "server_command", "download", "snapshot", "eof",
	"voip_speex", "voip_opus",
}

// clcOpTable holds the ops of client messages.
//
// Source: clc_ops_e, code/qcommon/qcommon.h.
var clcOpTable = []string{
	"bad", "nop", "move", "move_no_delta", "client_command", "eof", "voip_speex", "voip_opus",
}

// Source: trType_t, code/qcommon/q_shared.h.
var trTypeTable = []string{"stationary", "interpolate", "linear", "linear_stop", "sine", "gravity"}

// Source: SNAPFLAG_*, code/qcommon/q_shared.h.
var snapFlagTable = []string{"rate_delayed", "not_active", "servercount"}

// Source: VOIP_SPATIAL and VOIP_DIRECT, code/qcommon/qcommon.h.
var voipFlagTable = []string{"spatial", "direct"}

// buttonTable is the engine's, which generates many of the buttons itself.
//
// Source: BUTTON_*, code/qcommon/q_shared.h.
var buttonTable = []string{
	"attack", "talk", "use_holdable", "gesture", "walking", "affirmative", "negative", "getflag", "guardbase",
	"patrol", "followme", "any",
}
