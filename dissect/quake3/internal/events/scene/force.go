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

	thrown   uint32 // number of the last snapshot with it
	throwing uint32 // the powerups of a push and a pull
	ends     int32  // when these end, of the own player; 0: there are none
}

// forceSlots are places in wide layouts, of Jedi Outcast and Academy.
type forceSlots struct {
	known                              bool
	style, powers, ownStyle, ownPowers uint8
	powerups                           uint8
}

func forceSlotsOf(e, p *tables.Layout) (s forceSlots) {
	if !e.Wide || e.Place("forcePowersActive") == 0 { // as Enemy Territory, which is wide too
		return s
	}
	return forceSlots{
		known: true,
		style: e.Place("fireflag"), powers: e.Place("forcePowersActive"), powerups: e.Place("powerups"),
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
	j.snapshot, j.powers, j.style = sc.snapshots, now, level
}

// Numbers of powers of the Force: forcePowers_t, codemp/qcommon/q_shared.h of OpenJK.
const (
	forcePush = 3
	forcePull = 4
)

// throws are the powerups that a player has for about a second after a push or a pull (disint_4), and after a pull
// alone.
type throws struct{ any, pull int }

// bits returns the powerups of throws among bits of powerups.
func (t throws) bits(powerups uint32) uint32 { return powerups & (1<<t.any | 1<<t.pull) }

// seeThrow looks for the beginning of a push or a pull, which are no powers in use: the game gives the player powerups.
// again means that one begins although the powerups are the same as before. Of other players a push within a second
// after a push does not show.
//
// Source: ForceThrow, codemp/game/w_force.c of OpenJK.
func (sc *Scene) seeThrow(client int, powerups uint32, again bool) {
	t, j := sc.numbers.throws, &sc.force[client]
	now := t.bits(powerups)
	if j.thrown != 0 && j.thrown == sc.snapshots-1 && now>>t.any&1 != 0 && (now != j.throwing || again) {
		power := forcePush
		if now>>t.pull&1 != 0 {
			power = forcePull
		}
		sc.Seen.Powers = append(sc.Seen.Powers, Power{client, power})
	}
	j.thrown, j.throwing = sc.snapshots, now
}

// seeEntityThrow does so for a player in view.
func (sc *Scene) seeEntityThrow(client int, state *tables.State) {
	if powerups, known := state.At(sc.slots.force.powerups); known && sc.numbers.throws.any > 0 {
		sc.seeThrow(client, powerups, false)
	}
}

// seeOwnThrow does so for the player whose view the snapshot is. The powerups have the times at which they end.
func (sc *Scene) seeOwnThrow(client int, p *world.Player) {
	const powerups = 3 // of the player state's arrays
	t := sc.numbers.throws
	if t.any <= 0 || p.ArraysKnown[powerups]>>t.any&1 == 0 || p.ArraysKnown[powerups]>>t.pull&1 == 0 {
		return
	}
	var bits uint32
	for _, i := range [...]int{t.any, t.pull} {
		if p.Arrays[powerups][i] != 0 {
			bits |= 1 << i
		}
	}
	j, ends := &sc.force[client], p.Arrays[powerups][t.any]
	sc.seeThrow(client, bits, ends > j.ends && j.ends != 0)
	j.ends = ends
}

// seeOwnForce does the same for the player whose view the snapshot is.
func (sc *Scene) seeOwnForce(p *world.Player) {
	if client := sc.own.client; sc.own.known && client >= 0 && client < tables.MaxPlayers {
		sc.seeForce(client, &p.State, sc.slots.force.ownStyle, sc.slots.force.ownPowers)
		sc.seeOwnThrow(client, p)
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
