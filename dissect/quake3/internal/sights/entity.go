package sights

import (
	"math"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// entity adds an entity, if it is something that is seen.
func (r *Reader) entity(n *tables.Numbers, number int32, state *tables.State, scene *extract.Scene) {
	at, v := &r.slots.entity, &state.Values
	if at.eType.Mask == 0 || state.Known&at.eType.Mask == 0 {
		return
	}
	known := func(s tables.Slot) bool { return s.Mask != 0 && state.Known&s.Mask != 0 }
	place := at.base[0].Mask | at.base[1].Mask | at.base[2].Mask
	if place == 0 || state.Known&place != place {
		return
	}
	t := extract.Thing{Number: number, Owner: -1}
	switch eType := int(at.eType.Value(v)); {
	case eType == n.Player:
		if int(number) >= tables.NumPlayers[n.Family] {
			return // a body that is left: a copy of the player's entity
		}
		t.Kind, t.Owner = extract.ThingPlayer, number
		if slices.ContainsFunc(scene.Things, func(o extract.Thing) bool { return o.Kind == t.Kind && o.Number == number }) {
			return // a player state shows him
		}
		if known(at.yaw) {
			t.Yaw, t.HasView = float(at.yaw, v), true
		}
		if known(at.weapon) {
			t.What = tables.WeaponNames.Name(n.Family, uint64(at.weapon.Value(v)))
		}
		if known(at.powerups) {
			carries := at.powerups.Value(v)
			for i, flag := range [...]*bool{&t.RedFlag, &t.BlueFlag, &t.OtherFlag} {
				*flag = n.Flags[i] >= 0 && carries>>n.Flags[i]&1 != 0
			}
		}
		r.flags(n, at.flags, state.Known, v, &t)
	case eType == n.Missile, eType == n.Grapple:
		t.Kind = extract.ThingMissile
		if eType == n.Grapple {
			t.Kind = extract.ThingHook
		}
		if known(at.weapon) {
			t.What = tables.WeaponNames.Name(n.Family, uint64(at.weapon.Value(v)))
		}
		t.Owner = r.owner(n, state)
		if t.Kind == extract.ThingHook && known(at.other) { // the grapple names its owner so
			t.Owner = int32(at.other.Value(v))
		}
	case eType == n.Item:
		if n.NoDraw >= 0 && known(at.flags) && at.flags.Value(v)>>n.NoDraw&1 != 0 {
			return // taken, and not there again yet
		}
		t.Kind = extract.ThingItem
		if known(at.model) {
			t.What = tables.ItemNames.Name(n.Family, uint64(at.model.Value(v)))
		}
	default:
		event := eType - n.FirstEvent
		if n.FirstEvent < 0 || event < 0 { // the event of what flew is on it
			if !known(at.event) || eType != n.General {
				return
			}
			event = int(at.event.Value(v) &^ tables.EventToggleBits)
		}
		events := shownOf(n.Family)
		if event >= len(events) || !events[event].is {
			return
		}
		t.Kind, t.What, t.Owner = events[event].kind, tables.EventNames.Name(n.Family, uint64(event)), r.owner(n, state)
	}
	t.Place = r.place(n, state, scene.Time)
	if t.Kind == extract.ThingBeam {
		from := at.origin2[0].Mask | at.origin2[1].Mask | at.origin2[2].Mask
		if from == 0 || state.Known&from != from {
			return
		}
		t.Place, t.To = vector(&at.origin2, v), t.Place
	}
	scene.Things = append(scene.Things, t)
}

// owner returns the client whose shot an entity is; -1: it does not say.
func (r *Reader) owner(n *tables.Numbers, state *tables.State) int32 {
	at := r.slots.entity.client
	if at.Mask == 0 || state.Known&at.Mask == 0 {
		return -1
	}
	if c := int32(at.Value(&state.Values)); int(c) < tables.NumPlayers[n.Family] {
		return c
	}
	return -1
}

// gravity is DEFAULT_GRAVITY, code/game/bg_public.h: that of what flies, whatever the server has for players.
const gravity = 800

// place returns where an entity is at a time: BG_EvaluateTrajectory, code/game/bg_misc.c.
func (r *Reader) place(n *tables.Numbers, state *tables.State, now int64) [3]float32 {
	at, v := &r.slots.entity, &state.Values
	place := vector(&at.base, v)
	need := at.moves.Mask | at.since.Mask | at.lasts.Mask | at.delta[0].Mask | at.delta[1].Mask | at.delta[2].Mask
	if at.moves.Mask == 0 || at.since.Mask == 0 || state.Known&need != need {
		return place
	}
	delta := vector(&at.delta, v)
	passed := float32(int32(now)-int32(at.since.Value(v))) / 1000
	lasts := float32(int32(at.lasts.Value(v))) / 1000
	fall := float32(0)
	switch move := int(at.moves.Value(v)); move {
	case n.Linear:
	case n.LinearStop:
		passed = max(0, min(passed, lasts))
	case n.Gravity:
		fall = 0.5 * gravity * passed * passed
	case n.Sine:
		if lasts <= 0 {
			return place
		}
		passed = float32(math.Sin(float64(passed/lasts) * 2 * math.Pi))
	default:
		return place
	}
	for i := range place {
		place[i] += delta[i] * passed
	}
	place[2] -= fall
	return place
}
