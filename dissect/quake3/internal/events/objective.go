package events

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/scene"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// Types of popup messages of Enemy Territory, popupMessageType_t in src/game/bg_public.h of ET: Legacy.
const (
	popupDynamite     = 0
	popupConstruction = 1
	popupObjective    = 5
	popupDestruction  = 6
	popupConnect      = 11
	popupDisconnect   = 14
)

// stringsAt and objectsAt are the first configstrings of the texts that popup messages are about, CS_STRINGS and
// CS_OID_TRIGGERS in src/game/bg_public.h of ET: Legacy.
const (
	objectsAt = 769
	stringsAt = 911
)

// setName keeps a configstring with the name of something in the map, for Enemy Territory's popup messages.
func (g *gameView) setName(index int, name []byte) {
	if !g.rules().Text.Popups {
		return
	}
	if g.names == nil {
		g.names = map[int][]byte{}
	}
	g.names[index] = append([]byte(nil), name...)
}

// reportObjective reports a popup message about an objective. Messages about players repeat other events, and those
// about mines are sent to one team only.
//
// Source: CG_GetPMItemText and CG_GetPMItemIcon, src/cgame/cg_popupmessages.c of ET: Legacy; captures have messages
// about teams alone.
func (g *gameView) reportObjective(w *eventWriter, popup *[4]int32) {
	what, which, side := popup[1], popup[2], popup[3]
	action, team, at := "", int32(0), objectsAt
	switch popup[0] {
	case popupDynamite:
		action = pick(what, event.ObjectivePlanted, event.ObjectiveDefused)
	case popupConstruction:
		if action, team = event.ObjectiveConstructed, side; what < 0 {
			at = stringsAt
		}
	case popupDestruction:
		action, team = pick(what, event.ObjectiveDamaged, event.ObjectiveDestroyed), side
	case popupObjective:
		action, team, at = pick(side, event.ObjectiveStolen, event.ObjectiveReturned), what, stringsAt
	}
	name := bytes.TrimSpace(g.names[at+int(which)])
	if action == "" || which < 0 {
		return
	}
	w.Begin(event.Objective)
	w.Label(&evAction, action)
	if len(name) > 0 {
		w.Text(&evObjective, name)
	}
	if team == teamRed || team == teamRed+1 {
		w.Tree.Add(&evTeam, uint64(team), 0, 0)
	}
	w.End()
}

// setObjective reports that an objective is completed, for games that keep the objectives in configstrings.
//
// Source: objective_flags_t, code/fgame/bg_public.h of openmohaa.
func (g *gameView) setObjective(w *eventWriter, index int, value []byte) {
	const completed = 4
	flags, _ := token.Atoi(dissect.InfoValue(value, "flags"))
	was, is := g.done[index], flags&completed != 0
	if was == is {
		return
	}
	if g.done == nil {
		g.done = map[int]bool{}
	}
	if g.done[index] = is; !is || g.loading {
		return
	}
	w.Begin(event.Objective)
	w.Label(&evAction, event.ObjectiveCompleted)
	w.Text(&evObjective, dissect.InfoValue(value, "text"))
	w.End()
}

// pick returns the word of a number.
func pick(number int32, words ...string) string {
	if number < 0 || int(number) >= len(words) {
		return ""
	}
	return words[number]
}

// announce reports a sentence that the map's script has for everybody. It differs from other sentences in the number of
// its icon, which is a type of popup message; ET: Legacy announces with those of players that one connected.
//
// Source: G_ScriptAction_Announce_Icon, src/game/g_script_actions.c of ET: Legacy (cpm "text" icon) and of the original
// game (cpmi icon "text").
func (g *gameView) announce(w *eventWriter, text, icon []byte) bool {
	number, ok := token.Atoi(icon)
	if !ok || len(text) == 0 || number == popupConnect || number == popupDisconnect {
		return false
	}
	w.Begin(event.Objective)
	w.Label(&evAction, event.ObjectiveAnnounced)
	w.Both(&evText, &evTextClean, bytes.TrimRight(text, "\n"))
	w.End()
	return true
}

// reportSiege reports an objective that a team has completed in a siege of Jedi Academy, and keeps the winner of the
// round for the result.
//
// Source: SiegeBroadcast_OBJECTIVECOMPLETE and SiegeBroadcast_ROUNDOVER, codemp/game/g_saga.c of OpenJK; no reference
// recording has a siege.
func (g *gameView) reportSiege(w *eventWriter, e *scene.Event) {
	if e.Team != teamRed && e.Team != teamRed+1 {
		return
	}
	if !e.KnowsValue {
		g.match.mapWinner = e.Team
		return
	}
	w.Begin(event.Objective)
	w.Label(&evAction, event.ObjectiveCompleted)
	if e.Client >= 0 && e.Client < tables.MaxPlayers {
		w.client(&evClient, &g.roster, e.Client, nil)
	}
	w.Text(&evObjective, strconv.AppendUint(nil, uint64(e.Value), 10))
	w.Tree.Add(&evTeam, uint64(e.Team), 0, 0)
	w.End()
}

// playsObjectives reports whether the game is won by objectives, as those of Wolfenstein and the sieges of Jedi Academy
// are: the scores decide nothing.
func (m *match) playsObjectives() bool {
	beginning := m.rules().Match.Objectives
	return beginning != "" && strings.HasPrefix(m.gametypeName(), beginning)
}

// setMapWinner reads which side would win now: 0 for the axis, 1 for the allies, -1 for nobody.
//
// Source: CS_MULTI_MAPWINNER, G_ScriptAction_SetWinner in src/game/g_script_actions.c of ET: Legacy, whose key is w;
// that of iortcw and of the original game is winner.
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

// whyObjectives returns why a match of Wolfenstein ended: the time was up, or the objectives were done.
func (m *match) whyObjectives(reason string) string {
	if m.playsObjectives() && m.mapWinner > 0 {
		return cmp.Or(reason, event.ReasonObjectives)
	}
	return reason
}
