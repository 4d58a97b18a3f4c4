package scene

import (
	"math/bits"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

// ForcePowers is NUM_FORCE_POWERS, codemp/qcommon/q_shared.h of OpenJK.
const ForcePowers = 18

// A Power is a power of the Force that a player began to use.
type Power struct{ Client, Power int }

// A jedi is the style and the powers of a player in a snapshot.
type jedi struct {
	snapshot uint32 // number of the last snapshot with the player; 0: none
	powers   uint32 // in use, a bit each
	style    uint32
}

// forceSlots are places in wide layouts, of Jedi Outcast and Academy.
type forceSlots struct {
	known                              bool
	style, powers, ownStyle, ownPowers uint8
}

func forceSlotsOf(e, p *tables.Layout) (s forceSlots) {
	if !e.Wide || e.Place("forcePowersActive") == 0 { // as Enemy Territory, which is wide too
		return s
	}
	return forceSlots{
		known: true,
		style: e.Place("fireflag"), powers: e.Place("forcePowersActive"),
		ownStyle: p.Place("fd.saberAnimLevel"), ownPowers: p.Place("fd.forcePowersActive"),
	}
}

// seeForce looks at the powers that a player uses, in his entity or in the player state.
//
// Source: BG_PlayerStateToEntityState, codemp/game/bg_misc.c of OpenJK: fireflag of a player is the style.
func (sc *Scene) seeForce(client int, state *tables.State, style, powers uint8) {
	j := &sc.force[client]
	now, known := state.At(powers)
	level, knowsLevel := state.At(style)
	if !known || !knowsLevel {
		return
	}
	if j.snapshot != 0 && j.snapshot == sc.snapshots-1 {
		for begun := now &^ j.powers & (1<<ForcePowers - 1); begun != 0; begun &= begun - 1 {
			sc.Seen.Powers = append(sc.Seen.Powers, Power{client, bits.TrailingZeros32(begun)})
		}
	}
	*j = jedi{sc.snapshots, now, level}
}

// seeOwnForce does the same for the player whose view the snapshot is.
func (sc *Scene) seeOwnForce(p *world.Player) {
	if client := sc.own.client; sc.own.known && client >= 0 && client < tables.MaxPlayers {
		sc.seeForce(client, &p.State, sc.slots.force.ownStyle, sc.slots.force.ownPowers)
	}
}

// Style returns the style of a player's light saber, if the last snapshot shows the player.
func (sc *Scene) Style(client int) (style uint32, known bool) {
	if client < 0 || client >= tables.MaxPlayers || !sc.slots.force.known {
		return 0, false
	}
	j := &sc.force[client]
	return j.style, j.snapshot != 0 && j.snapshot == sc.snapshots
}
