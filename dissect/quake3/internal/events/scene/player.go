package scene

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

// ownEvents are the events of the player state.
type ownEvents struct {
	known              bool
	client             int
	sequence, external uint32
	revived            int32
}

// lookAtPlayer looks at the player state: who it is, its score and position, and its events.
func (sc *Scene) lookAtPlayer(p *world.Player) {
	if sc.numbers.view != nil {
		sc.viewPlayer(p)
		return
	}
	sc.seeIntermission(p)
	at, v := &sc.slots, &p.Values
	if at.number.Mask != 0 && p.Known&at.number.Mask != 0 && sc.followsNobody(p) {
		sc.Seen.Player.Own, sc.Seen.Player.Itself = true, int(at.number.Value(v))
	}
	needed := at.sequence.Mask | at.external.Mask | at.number.Mask | at.externalParm.Mask
	for i := range at.events {
		needed |= at.events[i].Mask | at.parms[i].Mask
	}
	if p.Known&needed != needed {
		sc.own.known = false
		return
	}
	before := sc.own
	sc.own = ownEvents{
		known: true, client: int(at.number.Value(v)), sequence: at.sequence.Value(v),
		external: at.external.Value(v),
	}
	const persistant, score = 1, 0 // of the player state's arrays; PERS_SCORE, code/game/bg_public.h
	to := &sc.Seen.Player
	to.Known, to.Client = true, sc.own.client
	to.Score, to.HasScore = p.Arrays[persistant][score], p.ArraysKnown[persistant]&(1<<score) != 0
	place := Point{at.originX.Value(v), at.originY.Value(v), at.originZ.Value(v)}
	origin := at.originX.Mask | at.originY.Mask | at.originZ.Mask
	knowsPlace := p.Known&origin == origin
	if knowsPlace && sc.own.client >= 0 && sc.own.client < tables.MaxPlayers {
		sc.place(sc.own.client, place)
		sc.seeOwnFlags(p)
	}
	if n := sc.numbers.revived; n >= 0 {
		sc.own.revived = p.Arrays[persistant][n]
	}
	if before.known && before.client == sc.own.client {
		to.Revived = sc.own.revived == before.revived+1
		sc.lookAtOwnEvents(p, before, place, knowsPlace)
	}
}

// viewPlayer is lookAtPlayer for games whose player state has no events. It always is that of the client itself, whose
// place is another player's while it watches.
func (sc *Scene) viewPlayer(p *world.Player) {
	at, v, to := &sc.slots, &p.Values, &sc.Seen.Player
	if p.Known&at.number.Mask == 0 || p.Known&at.pmFlags.Mask == 0 {
		return
	}
	view, flags, client := sc.numbers.view, at.pmFlags.Value(v), int(at.number.Value(v))
	to.Known, to.Client, to.Own, to.Itself = true, client, true, client
	to.HasMovement, to.Intermission = true, flags&view.Scores != 0
	to.Score, to.HasScore = p.Stat(view.Kills)
	to.Best, to.HasBest = p.Stat(view.Best)
	place := at.originX.Mask | at.originY.Mask | at.originZ.Mask
	if flags&view.Watches == 0 && p.Known&place == place && client < tables.MaxPlayers {
		sc.place(client, Point{at.originX.Value(v), at.originY.Value(v), at.originZ.Value(v)})
	}
}

// seeFlags stores the flags that a player in view carries.
func (sc *Scene) seeFlags(client int, powerups uint32) {
	for i, bit := range sc.numbers.flags {
		if bit >= 0 && powerups&(1<<bit) != 0 {
			sc.Seen.Carriers[i] = client
		}
	}
}

// seeOwnFlags stores the flags that the player of the player state carries.
func (sc *Scene) seeOwnFlags(p *world.Player) {
	const powerups = 3 // of the player state's arrays
	for i, bit := range sc.numbers.flags {
		if bit >= 0 && p.ArraysKnown[powerups]&(1<<bit) != 0 && p.Arrays[powerups][bit] != 0 {
			sc.Seen.Carriers[i] = sc.own.client
		}
	}
}

// lookAtOwnEvents looks for pick-ups in the player state's queue of events, and beside it.
func (sc *Scene) lookAtOwnEvents(p *world.Player, before ownEvents, place Point, knows bool) {
	at, v := &sc.slots, &p.Values
	queue, wrap := at.queue, uint32(1<<16-1) // the counter has 16 bits, in Wolfenstein 8
	if queue == maxQueue {
		wrap = 1<<8 - 1
	}
	for i := min((sc.own.sequence-before.sequence)&wrap, queue); i > 0; i-- {
		slot := (sc.own.sequence - i) & (queue - 1)
		if int(at.events[slot].Value(v)&^tables.EventToggleBits) == sc.numbers.pickup {
			sc.picked = append(sc.picked, sc.pickup(sc.own.client, at.parms[slot].Value(v), place, knows))
		}
	}
	if e := sc.own.external; at.external.Mask != 0 && e != before.external &&
		int(e&^tables.EventToggleBits) == sc.numbers.pickup {
		sc.picked = append(sc.picked, sc.pickup(sc.own.client, at.externalParm.Value(v), place, knows))
	}
}

// followsNobody reports whether the player state is known to be that of the client itself.
func (sc *Scene) followsNobody(p *world.Player) bool {
	const follow = 1 << 12 // PMF_FOLLOW, code/game/bg_public.h
	flags := sc.slots.pmFlags
	return p.Known&flags.Mask != 0 && flags.Value(&p.Values)&follow == 0
}

// seeIntermission finds whether the player is frozen because the match is over.
func (sc *Scene) seeIntermission(p *world.Player) {
	if at := sc.slots.pmType; p.Known&at.Mask != 0 {
		pm := int(at.Value(&p.Values))
		sc.Seen.Player.HasMovement = true
		sc.Seen.Player.Intermission = pm == sc.numbers.intermission[0] || pm == sc.numbers.intermission[1]
	}
}

// A spot is the position of a player in a snapshot.
type spot struct {
	snapshot uint32 // number of the last snapshot with the player; 0: none
	time     int32
	at       Point
}

const (
	// maxStep is the longest time between two snapshots of one way, in milliseconds.
	maxStep = 250
	// maxSpeed is more than players reach, in units per second: a faster move is a teleporter or a respawn.
	maxSpeed = 3000
)

// place records the position of a player in the present snapshot.
func (sc *Scene) place(client int, at Point) {
	before := sc.places[client]
	sc.places[client] = spot{snapshot: sc.snapshots, time: sc.time, at: at}
	if before.snapshot == 0 || before.snapshot != sc.snapshots-1 {
		return
	}
	if m, ok := step(&before.at, &at, sc.time-before.time); ok {
		m.Client = client
		sc.Seen.Moves = append(sc.Seen.Moves, m)
	}
}

// step returns the move of a player from one place to another in a time of milliseconds. ok is false for a teleporter
// or respawn, and for times between which the path is not known.
func step(from, to *Point, time int32) (m Move, ok bool) {
	if time <= 0 || time > maxStep {
		return m, false
	}
	d := from.distance(to)
	return Move{Time: time, Distance: d}, d*1000 <= maxSpeed*float64(time) // false for NaN
}

// Step is step for places that are numbers.
func Step(from, to [3]float32, time int32) (m Move, ok bool) {
	return step(pointOf(from), pointOf(to), time)
}

func pointOf(at [3]float32) *Point {
	return &Point{math.Float32bits(at[0]), math.Float32bits(at[1]), math.Float32bits(at[2])}
}

func (p *Point) distance(to *Point) float64 {
	axis := func(a, b uint32) float64 { return float64(math.Float32frombits(b)) - float64(math.Float32frombits(a)) }
	x, y, z := axis(p.X, to.X), axis(p.Y, to.Y), axis(p.Z, to.Z)
	return math.Sqrt(x*x + y*y + z*z)
}
