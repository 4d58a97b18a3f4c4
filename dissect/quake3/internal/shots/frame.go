package shots

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

// A frame is a state of the game: a frame of the server whose snapshot is in the input.
type frame struct {
	message int32 // number of its message
	time    int64 // of the game, in milliseconds
	sent    int64 // of the capture, Unix nanoseconds
	timed   bool
	bodies  []body // by number
}

// A body is another living player in a frame.
type body struct {
	number   int
	place    [3]float32
	velocity [3]float32
	box      box
	boxed    bool
	teleport uint32
}

// A mark is an entity of an event or a missile.
type mark struct {
	number, kind  int
	place, second [3]float32
	other, killer int
	client, parm  int
	weapon        int
}

// body returns a player of a frame; nil: the snapshot does not have the player, alive.
func (f *frame) body(number int) *body {
	for i := range f.bodies {
		if f.bodies[i].number == number {
			return &f.bodies[i]
		}
	}
	return nil
}

// newest returns the last frame.
func (r *Reader) newest() *frame { return &r.frames[len(r.frames)-1] }

// addFrame keeps a snapshot.
func (r *Reader) addFrame(n *tables.Numbers, m *observe.Message, s *world.Snapshot, rec *dissect.Record) {
	f := frame{message: s.Sequence, time: int64(s.ServerTime), sent: rec.Time, timed: rec.HasTime}
	if k := len(r.frames); k >= maxFrames {
		f.bodies = r.frames[0].bodies[:0]
		r.frames = append(r.frames[:0], r.frames[1:]...)
	}
	if k := len(r.frames); k > 0 {
		if passed := f.time - r.frames[k-1].time; r.interval == 0 || passed < r.interval {
			r.interval = passed
		}
	}
	before := r.marks
	r.marks, r.fresh = nil, r.fresh[:0]
	for _, ref := range s.Entities {
		state := m.World.Pool.At(ref.State)
		if int(ref.Number) < tables.NumPlayers[m.Family] {
			if b, ok := r.slots.body(n, int(ref.Number), state); ok {
				f.bodies = append(f.bodies, b)
			}
			continue
		}
		if e, ok := r.slots.mark(n, int(ref.Number), state); ok {
			r.marks = append(r.marks, e)
			old := func(b mark) bool { return b.number == e.number && b.kind == e.kind }
			if !slices.ContainsFunc(before, old) {
				r.fresh = append(r.fresh, e)
			}
		}
	}
	r.frames = append(r.frames, f)
}

func (at *slots) body(n *tables.Numbers, number int, state *tables.State) (b body, ok bool) {
	v := &state.Values
	need := masks(at.eType, at.eFlags, at.base[0], at.base[1], at.base[2])
	if state.Known&need != need || int(at.eType.Value(v)) != n.Player || at.eFlags.Value(v)&flagDead != 0 {
		return b, false
	}
	b = body{
		number: number, place: vector(at.base, v), velocity: vector(at.speed, v),
		teleport: at.eFlags.Value(v) & flagTeleport,
	}
	if state.Known&at.solid.Mask != 0 && at.solid.Mask != 0 {
		b.box, b.boxed = boxOf(at.solid.Value(v))
	}
	return b, true
}

func (at *slots) mark(n *tables.Numbers, number int, state *tables.State) (e mark, ok bool) {
	v := &state.Values
	kind := int(at.eType.Value(v))
	switch {
	case state.Known&at.eType.Mask == 0 || kind < 0:
		return e, false
	case kind != n.Flesh && kind != n.Wall && kind != n.Rail && kind != n.Pellets && kind != n.Obituary &&
		kind != n.Missile:
		return e, false
	}
	need := masks(at.base[0], at.base[1], at.base[2], at.second[0], at.second[1], at.second[2], at.other, at.killer,
		at.client, at.parm, at.weapon)
	return mark{
		number: number, kind: kind, place: vector(at.base, v), second: vector(at.second, v),
		other: int(at.other.Value(v)), killer: int(at.killer.Value(v)), client: int(at.client.Value(v)),
		parm: int(at.parm.Value(v)), weapon: int(at.weapon.Value(v)),
	}, state.Known&need == need
}

// measureLag measures how far the capture is from the server: how long after its last command a snapshot was captured.
// At the server that is less than a frame; at the client the time to the server and back is added.
func (r *Reader) measureLag(o *own, rec *dissect.Record) {
	if !o.known || o.follows || !rec.HasTime || o.time == r.before.time {
		return
	}
	for i := len(r.commands) - 1; i >= 0; i-- {
		if c := &r.commands[i]; c.time == o.time && c.timed {
			r.noteLag(rec.Time - c.at)
			return
		}
	}
}

// noteLag notes a time between something of the client and the server's answer: the capture is not farther away.
func (r *Reader) noteLag(lag int64) {
	if lag >= 0 && (!r.hasLag || lag < r.lag) {
		r.lag, r.hasLag = lag, true
	}
}

// distance returns the time from the capture to the server and back, in milliseconds, at most; known is false if that
// is not known yet.
func (r *Reader) distance() (ms float64, known bool) { return float64(r.lag) / 1e6, r.hasLag }
