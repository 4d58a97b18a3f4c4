// Package moments follows what kills are judged by: who is in the air, which missile hit whom and where it was shot,
// and how far views turned.
package moments

import (
	"cmp"
	"math"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

const (
	// kept is how many states are kept of a player: the present one and the two before, between which a view turns.
	kept = 3
	// longGap is the longest time between two states of one player that belong together, in milliseconds.
	longGap = 300
	// slotRests is how long the number of an entity is not used again, in milliseconds: G_Spawn, code/game/g_utils.c.
	slotRests = 1000
)

// A Reader follows the snapshots of one stream.
type Reader struct {
	rules    extract.Highlights
	slots    slots
	numbers  *tables.Numbers
	look     uint32 // number of the present snapshot
	time     int32  // its server time
	people   [tables.MaxPlayers]person
	missiles map[int32]*missile
	viewed   int // the player whose view it is, -1: not known
}

// A person is what is known of a player's last life.
type person struct {
	states [kept]state // the newest first
	up     int32       // since when the player is in the air
	// dead is the body in the snapshot that shows the death. It moved with the player's commands until then, and not
	// since: ClientEndFrame, code/game/g_active.c.
	dead state
}

type state struct {
	look       uint32 // 0: none
	time       int32
	flies      bool
	hasGround  bool
	place      [3]float32
	hasPlace   bool
	pitch, yaw float32
	hasView    bool
	teleport   bool
}

type missile struct {
	weapon   string
	from     [3]float32
	launched int32
	seen     int32  // time of the last snapshot with it
	hit      uint32 // number of the snapshot in which it was over; 0: it flies
	at       [3]float32
	victim   int // whom it hit, -1: something else, or somebody who is torn to pieces
}

// New returns a Reader.
func New(rules *extract.Highlights) *Reader {
	return &Reader{rules: *rules, missiles: map[int32]*missile{}, viewed: -1}
}

// Restart forgets the snapshots.
func (r *Reader) Restart() { r.people, r.viewed = [tables.MaxPlayers]person{}, -1; clear(r.missiles) }

// Viewed returns the player whose view the last snapshot is, -1: not known.
func (r *Reader) Viewed() int { return r.viewed }

// Look reads a snapshot.
func (r *Reader) Look(family uint8, gen *tables.Generation, pool *world.Pool, s *world.Snapshot) {
	if r.slots.gen != gen {
		r.slots = slotsOf(gen)
	}
	r.numbers = tables.NumbersOf(family)
	if s.Time() < r.time {
		r.Restart()
	}
	r.look++
	r.time = s.Time()
	r.seeOwn(&s.Player)
	for _, p := range s.Players {
		r.seePlayer(p)
	}
	for _, ref := range s.Entities {
		e := pool.At(ref.State)
		if e.Known&r.slots.eType.Mask == 0 || r.slots.eType.Mask == 0 {
			continue
		}
		if eType := int(r.slots.eType.Value(&e.Values)); int(ref.Number) >= tables.NumPlayers[family] {
			r.seeMissile(family, ref.Number, eType, e)
		} else if eType == r.numbers.Player || eType == r.numbers.Invisible { // torn to pieces
			r.seeEntity(int(ref.Number), e, eType != r.numbers.Player)
		}
	}
}

// seeOwn reads the player whose view it is.
func (r *Reader) seeOwn(p *world.Player) {
	r.viewed = -1
	if at := &r.slots; at.number.Mask != 0 && p.Known&at.number.Mask != 0 {
		r.viewed = int(at.number.Value(&p.Values))
		r.seePlayer(p)
	}
}

// seePlayer reads a player state. That of somebody without a body has no health.
func (r *Reader) seePlayer(p *world.Player) {
	at, v := &r.slots, &p.Values
	health, known := int32(0), false
	if r.numbers.Health >= 0 {
		health, known = p.Stat(r.numbers.Health)
	}
	if p.Known&at.number.Mask == 0 || !known || p.Known&at.pmType.Mask == 0 ||
		int(at.pmType.Value(v)) == r.numbers.Spectator && !r.follows(p) {
		return
	}
	s := state{}
	if has(p.Known, at.ownGround) {
		s.hasGround, s.flies = true, at.ownGround.Value(v) == world.EntityNumNone
	}
	if hasAll(p.Known, at.origin[:]) {
		s.hasPlace, s.place = true, vector(&at.origin, v)
	}
	if has(p.Known, at.ownPitch) && has(p.Known, at.ownYaw) {
		s.hasView, s.pitch, s.yaw = true, float(at.ownPitch, v), float(at.ownYaw, v)
	}
	if has(p.Known, at.ownFlags) && r.numbers.Teleport >= 0 {
		s.teleport = at.ownFlags.Value(v)>>r.numbers.Teleport&1 != 0
	}
	r.add(int(at.number.Value(v)), s, health <= 0)
}

// follows reports whether the client watches another player, whose state it is sent.
func (r *Reader) follows(p *world.Player) bool {
	return r.numbers.Follow >= 0 && has(p.Known, r.slots.pmFlags) &&
		r.slots.pmFlags.Value(&p.Values)>>r.numbers.Follow&1 != 0
}

// seeEntity reads the entity of a player.
func (r *Reader) seeEntity(number int, e *tables.State, dead bool) {
	at, v := &r.slots, &e.Values
	s := state{}
	if has(e.Known, at.flags) {
		flags := at.flags.Value(v)
		dead = dead || r.numbers.DeadBit >= 0 && flags>>r.numbers.DeadBit&1 != 0
		s.teleport = r.numbers.Teleport >= 0 && flags>>r.numbers.Teleport&1 != 0
	}
	if has(e.Known, at.ground) {
		s.hasGround, s.flies = true, at.ground.Value(v) == world.EntityNumNone
	}
	if hasAll(e.Known, at.base[:]) {
		s.hasPlace, s.place = true, vector(&at.base, v)
	}
	if has(e.Known, at.pitch) && has(e.Known, at.yaw) {
		s.hasView, s.pitch, s.yaw = true, float(at.pitch, v), float(at.yaw, v)
	}
	r.add(number, s, dead)
}

// add adds the state of a player in the present snapshot, unless it is known.
func (r *Reader) add(number int, s state, dead bool) {
	if number < 0 || number >= len(r.people) || r.people[number].states[0].look == r.look {
		return
	}
	p := &r.people[number]
	last := p.states[0]
	s.look, s.time = r.look, r.time
	if dead {
		p.dead = s
		return
	}
	if goesOn := last.look == r.look-1 && s.time-last.time <= longGap; !goesOn || !last.flies {
		p.up = s.time
		if !goesOn {
			p.states = [kept]state{}
		}
	}
	copy(p.states[1:], p.states[:kept-1])
	p.states[0] = s
}

// seeMissile reads what may be a missile, or what became of one: G_MissileImpact, code/game/g_missile.c.
func (r *Reader) seeMissile(family uint8, number int32, eType int, e *tables.State) {
	at, v := &r.slots, &e.Values
	m := r.missiles[number]
	if m != nil && r.time-m.seen > slotRests {
		m = nil
	}
	switch {
	case eType == r.numbers.Missile:
		if m != nil && m.hit == 0 {
			m.seen = r.time
			return
		}
		if !hasAll(e.Known, at.base[:]) || !has(e.Known, at.since) || !has(e.Known, at.weapon) {
			return
		}
		r.missiles[number] = &missile{
			weapon: tables.WeaponNames.Name(family, uint64(at.weapon.Value(v))), from: vector(&at.base, v),
			launched: int32(at.since.Value(v)), seen: r.time,
		}
	case m != nil && m.hit == 0:
		if !has(e.Known, at.event) || !has(e.Known, at.other) || !hasAll(e.Known, at.base[:]) {
			delete(r.missiles, number)
			return
		}
		m.hit, m.at, m.victim, m.seen = r.look, vector(&at.base, v), -1, r.time
		if int(at.event.Value(v)&^tables.EventToggleBits) == r.numbers.MissileHit {
			m.victim = int(at.other.Value(v))
		}
	}
}

// A Midair is a kill of somebody in the air.
type Midair struct {
	Distance float64 // from where it was shot to where it hit
	Launched int32   // server time of the shot
	Air      int32   // how long the victim had been in the air, in milliseconds
}

// Midair reports whether a kill of the last snapshot was by a projectile that hit the victim in the air. place is that
// of the obituary, if it has one.
func (r *Reader) Midair(victim int, means string, place *[3]float32) (found Midair, ok bool) {
	if victim < 0 || victim >= len(r.people) || strings.HasSuffix(means, splash) {
		return found, false
	}
	p := &r.people[victim]
	last, body := &p.states[0], &p.dead
	before := last.look > 0 && last.look+1 >= r.look && r.time-last.time <= longGap && last.hasGround && last.flies
	if body.look != r.look {
		body = last
	}
	if !before && (body.look != r.look || !body.hasGround || !body.flies) {
		return found, false
	}
	if before {
		found.Air = r.time - p.up
	}
	if place == nil && body.look == r.look && body.hasPlace {
		place = &body.place
	}
	m := r.hitBy(victim, means, place)
	if m == nil || int64(found.Air) < r.rules.Air.Milliseconds() {
		return found, false
	}
	found.Distance, found.Launched = apart(m.from, m.at), m.launched
	return found, r.rules.Distance <= found.Distance && found.Distance <= farthest
}

// farthest is a distance that no map has: MAX_WORLD_COORD is 131,072 in the engine, code/qcommon/qfiles.h.
const farthest = 1e6

// hitBy returns the missile that killed somebody in the present snapshot: it names him, unless it tore him to pieces;
// then it is the one that ended nearest to him, and of several the one that was shot last. nil: none is seen.
func (r *Reader) hitBy(victim int, means string, place *[3]float32) (found *missile) {
	const near = 100 // units: a player's height is 56
	best, at := 0.0, int32(0)
	for number, m := range r.missiles {
		off := -1.0
		switch {
		case m.hit != r.look || !ofWeapon(means, m.weapon):
			continue
		case m.victim == victim:
		case m.victim < 0 && place != nil:
			if off = apart(m.at, *place); !(off <= near) { // or no number
				continue
			}
		default:
			continue
		}
		if found == nil || cmp.Or(
			cmp.Compare(off, best), cmp.Compare(found.launched, m.launched), cmp.Compare(number, at),
		) < 0 {
			found, best, at = m, off, number
		}
	}
	return found
}

// ofWeapon reports whether a means of death is that of a weapon: "rocket" of "rocket_launcher".
func ofWeapon(means, weapon string) bool {
	const told = 4 // letters: "prox" of proximity_mine and prox_launcher
	return means != "" && len(weapon) >= 3 && strings.HasPrefix(weapon, means[:min(told, len(means), len(weapon))])
}

// A Flick is a kill after a quick turn.
type Flick struct {
	Angle float64 // in degrees
	Speed float64 // in degrees per second
	Since int32   // server time at which the turn began
}

// Flick reports whether the killer of the last snapshot turned quickly before an instant shot.
func (r *Reader) Flick(killer int, means string) (found Flick, ok bool) {
	if killer < 0 || killer >= len(r.people) || !instant[means] {
		return found, false
	}
	states := &r.people[killer].states
	now := &states[0]
	if now.look != r.look || !now.hasView {
		return found, false
	}
	for i := 1; i < kept; i++ {
		s := &states[i]
		if s.look != now.look-uint32(i) || !s.hasView || s.teleport != now.teleport || now.time <= s.time {
			break
		}
		angle := between(s, now)
		speed := angle * 1000 / float64(now.time-s.time)
		if angle >= r.rules.Angle && speed >= r.rules.Speed && angle > found.Angle {
			found, ok = Flick{angle, speed, s.time}, true
		}
	}
	return found, ok
}

// between returns the angle between two views, in degrees.
func between(a, b *state) float64 {
	const degree = math.Pi / 180
	ap, bp := float64(a.pitch)*degree, float64(b.pitch)*degree
	cos := math.Sin(ap)*math.Sin(bp) + math.Cos(ap)*math.Cos(bp)*math.Cos(float64(a.yaw-b.yaw)*degree)
	if angle := math.Acos(max(-1, min(1, cos))) / degree; angle >= 0 {
		return angle
	}
	return 0 // the numbers are none
}

func apart(a, b [3]float32) float64 {
	sum := 0.0
	for i := range a {
		d := float64(a[i]) - float64(b[i])
		sum += d * d
	}
	return math.Sqrt(sum)
}
