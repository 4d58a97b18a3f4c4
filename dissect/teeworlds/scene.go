package teeworlds

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// addScene adds who and what is where, once for each snapshot.
func (c *conversation) addScene(rec *dissect.Record) {
	if c.snapshots == nil {
		return
	}
	newest := c.snapshots.Latest()
	if newest < 0 || newest == c.staged {
		return
	}
	snap, ok := c.snapshots.At(newest)
	if !ok {
		return
	}
	c.staged = newest
	s := &rec.Scene
	s.Reset()
	s.Known, s.Time = true, int64(newest)*1000/ticksPerSecond
	for i := range snap.Items {
		it := &snap.Items[i]
		if def := c.snapshots.Object(c.packet.dialect, it.Key.Type()); def != nil {
			o := object{def, snap.Values(it), c.packet.dialect, newest}
			o.add(s, int32(it.Key.ID()), int32(it.Key.Type()))
		}
	}
}

// An object is an item of a snapshot.
type object struct {
	def     *tables.Object
	values  []int32
	dialect tables.Dialect
	tick    int32 // of the snapshot
}

// of returns a number of the object by its key, 0 if it has none.
func (o *object) of(key string) int32 {
	n, _ := partOf(o.def, o.values, key)
	return n
}

// name returns the name of a number of the object.
func (o *object) name(key string) string {
	n, ok := partOf(o.def, o.values, key)
	if !ok {
		return ""
	}
	for i := range o.def.Parts {
		if p := &o.def.Parts[i]; p.Key == key && p.Field.Enum != nil {
			return p.Field.Enum.Name(uint8(o.dialect), uint64(n))
		}
	}
	return ""
}

func (o *object) at(x, y string) [3]float32 { return [3]float32{float32(o.of(x)), float32(o.of(y))} }

// blasts are the events of snapshots that are seen on the map.
var blasts = map[string]bool{"explosion": true, "hammerhit": true, "spawn": true, "death": true}

// add adds what an object shows. Objects of a type have numbers of their own.
func (o *object) add(s *extract.Scene, id, kind int32) {
	const types = 1 << 16 // more than there are numbers
	t := extract.Thing{Number: id + kind*types, Owner: -1, Place: o.at("x", "y")}
	switch o.def.Key {
	case "character":
		o.addCharacter(s, id)
		return
	case "projectile", "ddnet_projectile":
		t.Kind, t.What = extract.ThingMissile, o.name("type")
		if !o.fly(&t) {
			return
		}
	case "laser":
		t.Kind, t.What = extract.ThingBeam, "laser"
		t.Place, t.To = o.at("from_x", "from_y"), t.Place
	case "ddnet_laser":
		t.Kind, t.What, t.Owner = extract.ThingBeam, "laser", o.of("owner")
		t.Place, t.To = o.at("from_x", "from_y"), o.at("to_x", "to_y")
	case "pickup", "ddnet_pickup":
		t.Kind, t.What = extract.ThingItem, o.name("type")
	case "flag":
		t.Kind, t.What = extract.ThingItem, [...]string{"redflag", "blueflag"}[o.of("team")&1]
	default:
		if !blasts[o.def.Key] {
			return
		}
		t.Kind, t.What = extract.ThingBlast, o.def.Key
	}
	s.Things = append(s.Things, t)
}

// shotTicks is how long a shot shows: ticks since it was fired.
const shotTicks = 6

// addCharacter adds a tee, and its hook where it is out. Angles are in 256ths of a radian: CCharacterCore::Write in
// src/game/gamecore.cpp.
func (o *object) addCharacter(s *extract.Scene, client int32) {
	const parts256 = 256
	t := extract.Thing{
		Kind: extract.ThingPlayer, Number: client, Owner: client, Place: o.at("x", "y"), What: o.name("weapon"),
		Yaw: float32(float64(o.of("angle")) / parts256 * 180 / math.Pi), HasView: true,
	}
	if tick, ok := partOf(o.def, o.values, "tick"); ok && tick > 0 && tick != o.tick {
		t.PlaceTime = int64(tick) * 1000 / ticksPerSecond
	}
	if since := o.tick - o.of("attack_tick"); since >= 0 && since < shotTicks && o.of("attack_tick") > 0 {
		t.Firing = true
	}
	// The server sends health and armor of the player whose view it is, and zeros of the others: CCharacter::Snap in
	// src/game/server/entities/character.cpp. Who is seen lives.
	if health := o.of("health"); health > 0 {
		t.Health, t.HasHealth, t.Armor, t.HasArmor, t.OfView = health, true, o.of("armor"), true, true
	}
	s.Things = append(s.Things, t)
	const flying = 4 // HOOK_FLYING; HOOK_GRABBED is next. What comes before is idle, or comes back
	if o.of("hook_state") >= flying {
		s.Things = append(s.Things, extract.Thing{
			Kind: extract.ThingHook, Number: client, Owner: client, Place: o.at("hook_x", "hook_y"),
		})
	}
}

// A flight is how a weapon's projectile flies where the server has not tuned it: CTuningParams, src/game/tuning.h.
type flight struct{ curvature, speed float64 }

var flights = map[string]flight{"gun": {1.25, 2200}, "shotgun": {1.25, 2750}, "grenade": {7, 1000}}

// fly finds where a projectile is at the tick of its snapshot: CalcPos, src/game/gamecore.h. false: it is not known.
func (o *object) fly(t *extract.Thing) bool {
	f, ok := flights[t.What]
	if !ok {
		return false
	}
	x, y := float64(o.of("x")), float64(o.of("y"))
	var dx, dy float64
	switch o.def.Key {
	case "projectile":
		dx, dy = float64(o.of("vel_x"))/100, float64(o.of("vel_y"))/100
	case "ddnet_projectile": // hundredths of a unit, and millionths
		x, y, dx, dy = x/100, y/100, float64(o.of("vel_x"))/1e6, float64(o.of("vel_y"))/1e6
		if length := math.Hypot(dx, dy); o.of("flags")&normalized != 0 && length > 0 {
			dx, dy = dx/length, dy/length
		}
		t.Owner = o.of("owner")
	}
	passed := max(0, float64(o.tick-o.of("start_tick"))/ticksPerSecond*f.speed)
	t.Place = [3]float32{float32(x + dx*passed), float32(y + dy*passed + f.curvature/10000*passed*passed)}
	return true
}

// normalized is PROJECTILEFLAG_NORMALIZE_VEL, datasrc/network.py of DDNet.
const normalized = 1 << 4
