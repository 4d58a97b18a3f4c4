package events

import (
	"cmp"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// playsObjectives reports whether the game is won by objectives, as those of Wolfenstein and the sieges of Jedi Academy are:
// the scores decide nothing.
func (m *match) playsObjectives() bool {
	return m.family == tables.FamilyAcademy && m.gametypeName() == "siege" || (m.family == tables.FamilyRTCW || m.family == tables.FamilyET) && strings.HasPrefix(m.gametypeName(), "wolf")
}

// setMapWinner reads which side wins as things stand: 0 for the axis, 1 for the allies, -1 for nobody.
//
// Source: CS_MULTI_MAPWINNER, G_ScriptAction_SetWinner in src/game/g_script_actions.c of ET: Legacy, whose key is w; that of
// iortcw and of the original game is winner.
func (m *match) setMapWinner(info []byte) {
	value := dissect.InfoValue(info, "w")
	if len(value) == 0 {
		value = dissect.InfoValue(info, "winner")
	}
	m.mapWinner = 0
	if side, ok := token.Atoi(value); ok && (side == 0 || side == 1) {
		m.mapWinner = teamRed + int(side)
	}
}

// whyObjectives says why a match of Wolfenstein ended: the time was up, or the objectives were done.
func (m *match) whyObjectives(reason string) string {
	if m.playsObjectives() && m.mapWinner > 0 {
		return cmp.Or(reason, reasonObjectives)
	}
	return reason
}
