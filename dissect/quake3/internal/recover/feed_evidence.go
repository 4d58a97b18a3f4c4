package recover

import (
	"maps"
	"math"
	"slices"
)

// A feedEvidence is what distinguishes feeds in the user commands and snapshots of a game. What a player keeps doing
// reads the same in many commands and counts once: each different value, and each turn.
type feedEvidence struct {
	m              *model
	buttons        map[uint16]sighting
	moves          map[uint8]sighting
	weapons        map[uint8]sighting
	turns          []turn
	anchors        []anchor
	pressed, armed int // commands with buttons, and with a weapon
	yaws           []pose
	low            [256]int32 // evidence of the low bits by moves and weapons
	wideButtons    bool       // 16 bits wide, and those that exist are known
}

// A sighting is how a value was seen.
type sighting struct {
	count   int
	nonzero bool // it is certainly not zero
	ends    int  // times that the next command had zero: so it is zero itself, or a key was released just then
}

// Evidence of a value that is taken for zero, for each time that the next command has zero.
const (
	stayedZero = 3 * unit
	mostEnds   = 8
)

func see[V comparable](m map[V]sighting, v V, nonzero, ends bool) {
	s := m[v]
	s.count++
	s.nonzero = s.nonzero || nonzero
	if ends {
		s.ends++
	}
	m[v] = s
}

// zero weighs that a value is zero.
func (s sighting) zero() int32 {
	if s.nonzero {
		return noValue
	}
	return int32(min(s.ends, mostEnds)) * stayedZero
}

// A pose is a direction of the player on one axis as commanded, without the feed, and as seen.
type pose struct{ commanded, seen uint16 }

// A turn is two poses that follow each other.
type turn struct {
	from, to uint16 // commanded
	by       uint16 // seen
	even     int32  // its weight if the player was commanded to turn as much
}

// An anchor is a set of poses with a known offset between seen and commanded view: delta_angles is in the snapshot.
type anchor struct {
	offset uint16
	poses  []pose
}

// Evidence of turns and anchors.
var (
	otherTurn   = bitsOf(.1)              // the player was moved, or follows another
	evenAnchor  = bitsOf(.45 * 65536)     // for the first direction seen with the offset
	laterAnchor = bitsOf(.05 / 3 * 65536) // for one of the next
	otherAnchor = bitsOf(.5)
)

const (
	anchorPoses = 4         // poses after a new offset that are looked at
	noValue     = -1 << 24  // evidence of a value that does not exist
	fewTurns    = 30 * unit // what turns must be worth for some feed: else the player seen is another
)

// gather collects the evidence of a game.
func (in *inputs) gather(m *model, serverID int32) *feedEvidence {
	e := &feedEvidence{
		m: m, buttons: map[uint16]sighting{}, moves: map[uint8]sighting{}, weapons: map[uint8]sighting{},
		wideButtons: m.user[m.buttons] == 16 && m.weapon >= 0,
	}
	commands := slices.Sorted(maps.Keys(in.commands))
	for i, t := range commands {
		c := in.commands[t]
		if c.serverID != serverID {
			continue
		}
		var released uint16 // fields that the next command has not
		if i+1 < len(commands) && commands[i+1]-t < soon {
			released = ^in.commands[commands[i+1]].has
		}
		for f := range m.user {
			if c.has&(1<<f) != 0 {
				e.see(f, c.values[f], c.nonzero&(1<<f) != 0, released&(1<<f) != 0)
			}
		}
	}
	times := slices.Sorted(maps.Keys(in.views))
	for axis := range 2 {
		list, anchors := in.poses(times, serverID, axis)
		e.anchors = append(e.anchors, anchors...)
		if axis == yawAngle {
			e.yaws = list
		}
		for i := range len(list) - 1 {
			by := list[i+1].seen - list[i].seen
			e.turns = append(e.turns, turn{list[i].commanded, list[i+1].commanded, by, bitsOf(.9) - turnWeight(by)})
		}
	}
	return e
}

// soon is how many milliseconds after a command the next one is compared with it.
const soon = 100

// see takes a value of a user command.
func (e *feedEvidence) see(field int, v uint16, nonzero, ends bool) {
	switch {
	case field == e.m.buttons:
		e.pressed++
		see(e.buttons, v, nonzero, ends)
	case field == e.m.weapon:
		e.armed++
		see(e.weapons, uint8(v), nonzero, ends)
	case field >= 3 && field < 6:
		see(e.moves, uint8(v), nonzero, ends)
	}
}

// poses returns the directions on an axis in a game, oldest first, and those whose offset is known.
func (in *inputs) poses(times []int32, serverID int32, axis int) (list []pose, anchors []anchor) {
	offsets := map[uint16]bool{}
	open := false // the last anchor takes more poses
	for _, t := range times {
		v := in.views[t]
		c, ok := in.commands[t]
		if !ok || c.serverID != serverID {
			continue
		}
		if o := v.angles[axis+pitchOffset]; v.has&(1<<(axis+pitchOffset)) != 0 {
			if open = !offsets[o]; open {
				offsets[o] = true
				anchors = append(anchors, anchor{offset: o})
			}
		}
		if v.has&(1<<axis) == 0 || c.has&(1<<axis) == 0 {
			continue
		}
		p := pose{c.values[axis], v.angles[axis]}
		if open {
			a := &anchors[len(anchors)-1]
			a.poses = append(a.poses, p)
			open = len(a.poses) < anchorPoses
		}
		if n := len(list); len(list) < maxPoses && (n == 0 || list[n-1] != p) {
			list = append(list, p)
		}
	}
	return list, anchors
}

// turnWeight is how likely a turn of a player is, if nothing is known about it: small ones are more likely.
func turnWeight(by uint16) int32 {
	const near = 8
	far := math.Abs(float64(int16(by)))
	return bitsOf(1 / (far + near) / (2 * math.Log((32768+near)/near)))
}

// weighLow weighs the low 8 bits by moves and weapons.
func (e *feedEvidence) weighLow() {
	most := e.m.gen.Weapons - 1
	for k := range e.low {
		for v, s := range e.moves {
			e.low[k] += moveWeight(v^uint8(k), s)
		}
		for v, s := range e.weapons {
			e.low[k] += weaponWeight(int(v^uint8(k)), most, s)
		}
		e.low[k] = max(e.low[k], noValue)
	}
}

// heldMove is how often a move must be seen to be one of a key that is held down.
const heldMove = 8

// moveWeight weighs a move: forward, sideways or up. Keys give 127 while they are held, and parts of it when pressed or
// released.
func moveWeight(v uint8, s sighting) int32 {
	full, rest := .12, .54/251
	if s.count >= heldMove {
		full, rest = .30, .18/251
	}
	switch {
	case v == 0:
		return bitsOf(.12*256) + s.zero()
	case v == 127 || v == 256-127:
		return bitsOf(full * 256)
	case v == 64 || v == 256-64:
		return bitsOf(.05 * 256)
	}
	return bitsOf(rest * 256)
}

// weaponWeight weighs a weapon's number.
func weaponWeight(v, most int, s sighting) int32 {
	switch {
	case v > most:
		return noValue
	case v == 0:
		return bitsOf(.02*256) + s.zero()
	case v <= 10:
		return bitsOf(.5 / 10 * 256)
	}
	return bitsOf(.48 / float64(most-10) * 256)
}

// buttonBits are the existing ones: code/game/q_shared.h.
const buttonBits = 1<<12 - 1

// frequentButtons returns the different buttons, the most frequent first.
func (e *feedEvidence) frequentButtons() []uint16 {
	if !e.wideButtons {
		return nil
	}
	list := slices.Sorted(maps.Keys(e.buttons))
	slices.SortStableFunc(list, func(a, b uint16) int { return e.buttons[b].count - e.buttons[a].count })
	return list[:min(len(list), maxButtons)]
}

// A buttonWeights is what buttons are worth that exist, by their value. The highest, BUTTON_ANY, is set while a key is
// down, but not when commands press the buttons.
type buttonWeights [buttonBits + 1]int32

func newButtonWeights() *buttonWeights {
	w := new(buttonWeights)
	for v := range w {
		w[v] = (16 - 12) * unit
		for bit := 1; bit <= buttonBits; bit <<= 1 {
			p := .15
			switch bit {
			case 1:
				p = .4
			case (buttonBits + 1) / 2:
				p = .5
			}
			if v&bit == 0 {
				p = 1 - p
			}
			w[v] += bitsOf(p * 2)
		}
	}
	return w
}

// weigh weighs all bits by the buttons.
func (w *buttonWeights) weigh(k uint16, values []uint16, seen map[uint16]sighting) (sum int32) {
	for _, v := range values {
		v ^= k
		if v&^buttonBits != 0 {
			return noValue
		}
		if sum += w[v]; v == 0 {
			sum += seen[k].zero()
		}
	}
	return max(sum, noValue)
}

// weighTurns weighs all bits by the turns of the player.
func (e *feedEvidence) weighTurns(k uint16) (sum int32) {
	for i := range e.turns {
		if t := &e.turns[i]; (t.to^k)-(t.from^k) == t.by {
			sum += t.even
		} else {
			sum += otherTurn
		}
	}
	return sum
}

// weighAnchors weighs all bits by the directions whose offset is known. It alone finds the highest bit where no field
// of 16 bits leaves it unused.
func (e *feedEvidence) weighAnchors(k uint16) (sum int32) {
	for i := range e.anchors {
		a := &e.anchors[i]
		if len(a.poses) == 0 {
			continue
		}
		switch slices.IndexFunc(a.poses, func(p pose) bool { return (p.commanded^k)+a.offset == p.seen }) {
		case -1:
			sum += otherAnchor
		case 0:
			sum += evenAnchor
		default:
			sum += laterAnchor
		}
	}
	return sum
}
