// Package sights finds who and what is where in snapshots: players, missiles, items, hooks, shots and explosions. A
// Reader is an observer of the conversation; its results go to Record.Scene.
package sights

import (
	"math"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

// A Reader follows one conversation.
type Reader struct {
	slots     slots
	teleports map[int32]teleport // by client
	looks     uint32             // snapshots looked at
	clients   []uint8
}

// A teleport is the state of a player's bit that changes when a teleporter or a new life moves the player.
type teleport struct {
	look uint32
	bit  bool
}

// New returns a Reader.
func New() *Reader { return &Reader{teleports: map[int32]teleport{}} }

// Restart forgets the session.
func (r *Reader) Restart(bool) { clear(r.teleports) }

// Idle forgets the snapshots.
func (r *Reader) Idle() { clear(r.teleports) }

// OutOfBand ignores out-of-band packets.
func (r *Reader) OutOfBand(*observe.Session, *oob.Packet, *dissect.Record) {}

// Message puts the newest snapshot of a message into the record.
func (r *Reader) Message(m *observe.Message, rec *dissect.Record) {
	if !m.Keeps || m.FromClient {
		return
	}
	for i := range m.Changes {
		switch c := &m.Changes[i]; c.Kind {
		case observe.Gamestate:
			clear(r.teleports)
		case observe.Snapshot:
			if s := m.World.Base(c.Number); s != nil && s.Flags&world.SnapNotActive == 0 && !s.Untimed {
				r.look(m, s, &rec.Scene)
			}
		}
	}
}

// look reads a snapshot.
func (r *Reader) look(m *observe.Message, s *world.Snapshot, scene *extract.Scene) {
	if r.slots.gen != m.Reader.Generation {
		r.slots = slotsOf(m.Reader.Generation)
	}
	n := tables.NumbersOf(m.Family)
	r.looks++
	scene.Reset()
	scene.Known, scene.Time = true, int64(s.ServerTime)
	r.player(n, &s.Player, scene, true)
	r.clients = r.clients[:0]
	for client := range s.Players {
		r.clients = append(r.clients, client)
	}
	slices.Sort(r.clients)
	for _, client := range r.clients {
		r.player(n, s.Players[client], scene, false)
	}
	for _, ref := range s.Entities {
		r.entity(n, ref.Number, m.World.Pool.At(ref.State), scene)
	}
}

// powerupsArray is the place of the powerups in a player state's arrays.
const powerupsArray = 3

// player adds the player of a player state, unless nobody's body is there: of one who watches, or when the match is
// over.
func (r *Reader) player(n *tables.Numbers, p *world.Player, scene *extract.Scene, view bool) {
	at, v := &r.slots.player, &p.Values
	place := at.origin[0].Mask | at.origin[1].Mask | at.origin[2].Mask
	need := at.number.Mask | place
	if place == 0 || p.Known&need != need || r.bodiless(n, p) {
		return
	}
	t := extract.Thing{Kind: extract.ThingPlayer, OfView: view, Place: vector(&at.origin, v)}
	t.Number = int32(at.number.Value(v))
	if slices.ContainsFunc(scene.Things, func(o extract.Thing) bool {
		return o.Kind == extract.ThingPlayer && o.Number == t.Number
	}) {
		return // the player state of the view shows him too
	}
	t.Owner = t.Number
	if at.yaw.Mask != 0 && p.Known&at.yaw.Mask != 0 {
		t.Yaw, t.HasView = float(at.yaw, v), true
	}
	t.Health, t.HasHealth = stat(p, n.Health)
	t.Armor, t.HasArmor = stat(p, n.Armor)
	t.Dead = t.HasHealth && t.Health <= 0 || at.pmType.Mask != 0 && p.Known&at.pmType.Mask != 0 &&
		int(at.pmType.Value(v)) == n.Dead
	if at.weapon.Mask != 0 && p.Known&at.weapon.Mask != 0 {
		t.What = tables.WeaponNames.Name(n.Family, uint64(at.weapon.Value(v)))
	}
	for i, flag := range [...]*bool{&t.RedFlag, &t.BlueFlag, &t.OtherFlag} {
		bit := n.Flags[i]
		*flag = bit >= 0 && p.ArraysKnown[powerupsArray]>>bit&1 != 0 && p.Arrays[powerupsArray][bit] != 0
	}
	r.flags(n, at.flags, p.Known, v, &t)
	scene.Things = append(scene.Things, t)
}

// bodiless reports whether a player state is that of somebody without a body in the game.
func (r *Reader) bodiless(n *tables.Numbers, p *world.Player) bool {
	at, v := &r.slots.player, &p.Values
	if n.View != nil {
		return p.Known&at.viewFlags.Mask == 0 || at.viewFlags.Value(v)&(n.View.Watches|n.View.Scores) != 0
	}
	if at.pmType.Mask == 0 || p.Known&at.pmType.Mask == 0 {
		return true
	}
	flags, known := at.pmFlags.Value(v), p.Known&at.pmFlags.Mask != 0 && at.pmFlags.Mask != 0
	if n.Limbo >= 0 && known && flags>>n.Limbo&1 != 0 {
		return true
	}
	switch pm := int(at.pmType.Value(v)); pm {
	case n.Intermission[0], n.Intermission[1]:
		return true
	case n.Spectator:
		// Quake Live sends the follower's own type of movement with the state of the player who is followed.
		health, ok := stat(p, n.Health)
		return !(n.Follow >= 0 && known && flags>>n.Follow&1 != 0 && ok && health > 0)
	}
	return false
}

// flags reads what the flags of a player or of his entity say.
func (r *Reader) flags(n *tables.Numbers, at tables.Slot, known uint64, v *tables.Values, t *extract.Thing) {
	if at.Mask == 0 || known&at.Mask == 0 {
		return
	}
	flags := at.Value(v)
	has := func(bit int) bool { return bit >= 0 && flags>>bit&1 != 0 }
	t.Dead = t.Dead || has(n.DeadBit)
	t.Firing = has(n.Firing)
	before, seen := r.teleports[t.Number]
	now := teleport{r.looks, has(n.Teleport)}
	t.Jump = seen && before.look != r.looks && before.bit != now.bit
	r.teleports[t.Number] = now
}

// stat returns a number of a player's stats.
func stat(p *world.Player, index int) (value int32, known bool) {
	if index < 0 {
		return 0, false
	}
	return p.Stat(index)
}

// float returns the value of a field that is a float.
func float(s tables.Slot, v *tables.Values) float32 { return math.Float32frombits(s.Value(v)) }

func vector(s *[3]tables.Slot, v *tables.Values) [3]float32 {
	return [3]float32{float(s[0], v), float(s[1], v), float(s[2], v)}
}
