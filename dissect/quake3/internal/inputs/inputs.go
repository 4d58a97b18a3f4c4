// Package inputs finds out what the players of a conversation do: from the client's user commands, and from the
// player and the entities of snapshots. A Reader is an observer of the conversation; its results go to
// Record.Inputs.
package inputs

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

// A Reader follows one conversation.
type Reader struct {
	client  int // number of the client itself; -1: not known
	physics tables.Physics
	slots   slots
	own     own
	viewed  int // the player whose view the last snapshot was; -1: none
	riders  [tables.MaxPlayers]rider
	seen    uint32 // snapshots looked at
	others  []vector
}

// own is the state of the player in the last snapshot.
type own struct {
	known    bool
	client   int
	sequence uint32
	hits     int32
}

// A rider is the last event of a player entity.
type rider struct {
	snapshot uint32 // number of the last snapshot with it
	event    uint32
}

type vector struct{ x, y, z float64 }

// New returns a Reader.
func New() *Reader { return &Reader{client: -1, viewed: -1} }

// Restart forgets the session.
func (r *Reader) Restart(bool) { *r = Reader{client: -1, viewed: -1, others: r.others[:0]} }

// Idle forgets the snapshots.
func (r *Reader) Idle() { r.own, r.riders, r.seen = own{}, [tables.MaxPlayers]rider{}, 0 }

// OutOfBand ignores out-of-band packets.
func (r *Reader) OutOfBand(*observe.Session, *oob.Packet, *dissect.Record) {}

// Message appends the players' inputs in a message.
func (r *Reader) Message(m *observe.Message, rec *dissect.Record) {
	if !m.Keeps {
		return
	}
	if m.FromClient {
		r.commands(m, rec)
		return
	}
	for i := range m.Changes {
		switch c := &m.Changes[i]; c.Kind {
		case observe.Configstring:
			if c.Index == 0 {
				r.physics = tables.PhysicsOf(m.Family, m.Text(c))
			}
		case observe.Gamestate:
			r.Idle()
			r.client = int(c.Client)
		case observe.Snapshot:
			if s := m.World.Base(c.Number); s != nil && s.Flags&world.SnapNotActive == 0 && !s.Untimed {
				r.look(m, s, rec)
			}
		}
	}
}

// Buttons of a user command, code/game/q_shared.h.
const buttonAttack = 1

// commands reads the user commands that are new.
func (r *Reader) commands(m *observe.Message, rec *dissect.Record) {
	var received *world.Snapshot
	if m.World != nil && len(m.Commands) > 0 {
		received = m.World.Base(m.Received)
	}
	for i := range m.Commands {
		c := &m.Commands[i]
		in := extract.Input{Kind: extract.InputCommand, Player: r.client, Time: int64(c.Time)}
		if c.Known {
			in.Pitch, in.Yaw, in.HasView = turn16(c.Pitch), turn16(c.Yaw), true
			in.Attack, in.HasAttack = c.Buttons&buttonAttack != 0, true
		}
		in.Jump, in.HasJump = c.Up > 0, c.KnownUp
		if received != nil && !received.Untimed {
			in.Lead, in.HasLead = c.Time-received.ServerTime, true
		}
		rec.Inputs = append(rec.Inputs, in)
	}
}

// turn16 converts an angle of 65536 to the circle to degrees, SHORT2ANGLE in code/game/q_shared.h.
func turn16(v uint16) float32 { return float32(v) * (360.0 / 65536) }

// look reads a snapshot.
func (r *Reader) look(m *observe.Message, s *world.Snapshot, rec *dissect.Record) {
	if r.slots.gen != m.Reader.Generation {
		r.slots = slotsOf(m.Reader.Generation)
	}
	n := tables.NumbersOf(m.Family)
	r.seen++
	at := len(rec.Inputs)
	rec.Inputs = append(rec.Inputs, extract.Input{})
	r.others = r.others[:0]
	for _, ref := range s.Entities {
		if int(ref.Number) >= tables.NumPlayers[m.Family] {
			break // entities are in the order of their numbers, and bodies are copies of players
		}
		state := m.World.Pool.At(ref.State)
		if in, ok := r.entity(n, int(ref.Number), state); ok {
			in.Time = int64(s.ServerTime)
			rec.Inputs = append(rec.Inputs, in)
		}
	}
	in, ok := r.player(n, &s.Player)
	in.Time = int64(s.ServerTime)
	rec.Inputs[at] = in
	if !ok {
		rec.Inputs = append(rec.Inputs[:at], rec.Inputs[at+1:]...)
	}
}

// eFlagDead marks a dead player: EF_DEAD in code/game/bg_public.h.
const eFlagDead = 1

// entity reads another player. A shot shows as the event on the entity, which changes with every event; an
// event on a player who comes into view may be old.
func (r *Reader) entity(n *tables.Numbers, number int, state *tables.State) (in extract.Input, ok bool) {
	at, v := &r.slots, &state.Values
	need := at.eType.Mask | at.apos[0].Mask | at.apos[1].Mask
	if state.Known&need != need || int(at.eType.Value(v)) != n.Player {
		return in, false
	}
	if flags := at.eFlags; state.Known&flags.Mask != 0 && flags.Value(v)&eFlagDead != 0 {
		return in, false // or the remains of one
	}
	in = extract.Input{
		Kind: extract.InputSeen, Player: number, HasView: true, Pitch: number32(at.apos[0], v),
		Yaw: number32(at.apos[1], v),
	}
	if moves := at.delta[0].Mask | at.delta[1].Mask; state.Known&moves == moves {
		in.Speed, in.HasSpeed = float32(math.Hypot(float64(number32(at.delta[0], v)),
			float64(number32(at.delta[1], v)))), true
	}
	if place := at.base[0].Mask | at.base[1].Mask | at.base[2].Mask; state.Known&place == place {
		r.others = append(r.others, vectorOf(at.base, v))
		in.Place, in.HasPlace = placeOf(at.base, v), true
		in.Eye, in.Middle = standing, middle
	}
	in.Ground, in.HasGround = at.ground.Value(v) != nothing, state.Known&at.ground.Mask != 0
	r.strafeSeen(&in, state)
	last := &r.riders[number]
	if state.Known&at.event.Mask == 0 {
		*last = rider{}
		return in, true
	}
	event := at.event.Value(v)
	fresh := last.snapshot != 0 && last.snapshot == r.seen-1 && last.event != event
	*last = rider{r.seen, event}
	what := event &^ tables.EventToggleBits
	if fresh && int(what) == n.Fire {
		in.Shots = 1
	}
	in.Noise = fresh && what != 0 && !n.Silent(what)
	return in, true
}

// player reads the player whose view it is. The player's events are in a queue of two with a counter, and hits
// are counted.
func (r *Reader) player(n *tables.Numbers, p *world.Player) (in extract.Input, ok bool) {
	at, v := &r.slots, &p.Values
	need := at.number.Mask | at.view[0].Mask | at.view[1].Mask
	if p.Known&need != need {
		r.own = own{}
		return in, false
	}
	in = extract.Input{
		Kind: extract.InputView, Player: int(at.number.Value(v)), HasView: true, Pitch: number32(at.view[0], v),
		Yaw: number32(at.view[1], v),
	}
	in.Switched = r.viewed >= 0 && r.viewed != in.Player
	r.viewed = in.Player
	if pm := at.pmType; p.Known&pm.Mask == 0 || int(pm.Value(v)) != n.Normal && !r.follows(n, p) {
		r.own = own{}
		return in, false // dead, or spectating
	}
	if moves := at.velocity[0].Mask | at.velocity[1].Mask; p.Known&moves == moves {
		in.Speed, in.HasSpeed = float32(math.Hypot(float64(number32(at.velocity[0], v)),
			float64(number32(at.velocity[1], v)))), true
	}
	if place := at.origin[0].Mask | at.origin[1].Mask | at.origin[2].Mask; p.Known&place == place {
		in.Place, in.HasPlace = placeOf(at.origin, v), true
		in.Eye, in.Middle = standing, middle
		if p.Known&at.viewheight.Mask != 0 {
			in.Eye = float32(int32(at.viewheight.Value(v)))
		}
	}
	in.Ground, in.HasGround = at.onto.Value(v) != nothing, p.Known&at.onto.Mask != 0
	r.strafeOwn(&in, p)
	r.shots(n, p, &in)
	r.target(p, &in)
	return in, true
}

// follows reports whether a player state is that of a living player whom the receiver follows, in a game that sends the
// follower's own type of movement with it: Quake Live. In the others it is that of the followed.
//
// Source: recordings; SpectatorClientEndFrame, code/game/g_active.c, sets the flag.
func (r *Reader) follows(n *tables.Numbers, p *world.Player) bool {
	at, v := &r.slots, &p.Values
	need := at.pmType.Mask | at.pmFlags.Mask
	return n.Follow >= 0 && p.Known&need == need && int(at.pmType.Value(v)) == n.Spectator &&
		at.pmFlags.Value(v)>>n.Follow&1 != 0 && p.ArraysKnown[stats]&1 != 0 && p.Arrays[stats][health] > 0
}

// shots finds the shots and hits since the snapshot before.
func (r *Reader) shots(n *tables.Numbers, p *world.Player, in *extract.Input) {
	at, v := &r.slots, &p.Values
	need := at.sequence.Mask | at.events[0].Mask | at.events[1].Mask
	counter := max(n.Hits, n.Damage)
	if p.Known&need != need || counter < 0 || p.ArraysKnown[persistant]>>counter&1 == 0 {
		r.own = own{}
		return
	}
	before := r.own
	r.own = own{known: true, client: in.Player, sequence: at.sequence.Value(v), hits: p.Arrays[persistant][counter]}
	if !before.known || before.client != in.Player {
		return
	}
	const queue, wrap = 2, 1<<16 - 1 // MAX_PS_EVENTS, code/qcommon/q_shared.h; the counter has 16 bits
	for i := min((r.own.sequence-before.sequence)&wrap, queue); i > 0; i-- {
		if int(at.events[(r.own.sequence-i)&(queue-1)].Value(v)&^tables.EventToggleBits) == n.Fire {
			in.Shots++
		}
	}
	// Hits of team mates decrease the counter: G_Damage in code/game/g_combat.c.
	rise := max(0, int(r.own.hits-before.hits))
	if in.Struck = rise > 0; n.Hits >= 0 {
		in.Hits = rise
	}
}

// Heights above a player's origin: the middle of the box that can be hit, between mins of -24 and playerMaxs of
// 32, code/game/g_client.c.
const (
	middle   = (-24 + 32) / 2.0
	standing = 26 // of the eyes: DEFAULT_VIEWHEIGHT, code/game/bg_public.h
)

// nothing is the number of the entity under a player in the air: ENTITYNUM_NONE, code/qcommon/q_shared.h.
const nothing = 1<<10 - 1

// target measures the angle between the crosshair and the nearest player in sight.
func (r *Reader) target(p *world.Player, in *extract.Input) {
	at, v := &r.slots, &p.Values
	need := at.origin[0].Mask | at.origin[1].Mask | at.origin[2].Mask | at.viewheight.Mask
	if p.Known&need != need {
		return
	}
	eye := vectorOf(at.origin, v)
	eye.z += float64(int32(at.viewheight.Value(v)))
	best := math.Inf(1)
	for _, o := range r.others {
		best = min(best, angleTo(in.Pitch, in.Yaw, vector{o.x - eye.x, o.y - eye.y, o.z + middle - eye.z}))
	}
	if !math.IsInf(best, 1) && !math.IsNaN(best) {
		in.OffTarget, in.HasTarget = float32(best), true
	}
}

// angleTo returns the angle in degrees between a view and a direction: AngleVectors in code/qcommon/q_math.c,
// where a positive pitch looks down.
func angleTo(pitch, yaw float32, to vector) float64 {
	sp, cp := math.Sincos(float64(pitch) * math.Pi / 180)
	sy, cy := math.Sincos(float64(yaw) * math.Pi / 180)
	length := math.Sqrt(to.x*to.x + to.y*to.y + to.z*to.z)
	cos := (cp*cy*to.x + cp*sy*to.y - sp*to.z) / length
	return math.Acos(max(-1, min(1, cos))) * 180 / math.Pi
}
