package names

// Names of the engine's own numbers.

// Source: trType_t, code/qcommon/q_shared.h.
var TrTypeTable = []string{"stationary", "interpolate", "linear", "linear_stop", "sine", "gravity"}

// Source: SNAPFLAG_*, code/qcommon/q_shared.h.
var SnapFlagTable = []string{"rate_delayed", "not_active", "servercount"}

// Source: VOIP_SPATIAL and VOIP_DIRECT, code/qcommon/qcommon.h.
var VoipFlagTable = []string{"spatial", "direct"}

// ButtonTable is the engine's, which generates many of the buttons itself.
//
// Source: BUTTON_*, code/qcommon/q_shared.h.
var ButtonTable = []string{
	"attack", "talk", "use_holdable", "gesture", "walking", "affirmative", "negative", "getflag", "guardbase",
	"patrol", "followme", "any",
}
