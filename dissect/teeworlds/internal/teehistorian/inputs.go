package teehistorian

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect/extract"
)

// tickMsec is how long a tick takes: SERVER_TICK_SPEED in src/engine/shared/protocol.h is 50.
const tickMsec = 20

// addPlace adds where a player is after the tick.
func (r *Reader) addPlace(number int32, cl *client) {
	if !r.timed {
		return
	}
	r.rec.Inputs = append(r.rec.Inputs, extract.Input{
		Kind: extract.InputSeen, Player: int(number), Time: int64(r.tick) * tickMsec,
		Place: [3]float32{float32(cl.x), float32(cl.y)}, HasPlace: true,
	})
}

// view returns the direction of the crosshair in degrees. ok is false where it is in the tee: there is none.
func (cl *client) view() (yaw float32, ok bool) {
	x, y := cl.input[inputTargetX], cl.input[inputTargetY]
	if x == 0 && y == 0 {
		return 0, false
	}
	return float32(math.Atan2(float64(y), float64(x)) * 180 / math.Pi), true
}

// addInput adds an input, which the server applies in the tick after the one that it is recorded in: the crosshair is
// at target_x, target_y from the tee, and the lowest bit of fire is the button (CNetObj_PlayerInput; CountInput in
// src/game/server/entities/character.cpp).
func (r *Reader) addInput(number int32, cl *client) {
	if !r.timed {
		return
	}
	fire := cl.input[inputFire]
	in := extract.Input{
		Kind: extract.InputCommand, Player: int(number), Time: (int64(r.tick) + 1) * tickMsec,
		Attack: fire&1 != 0, HasAttack: true, Sum: InputSum(cl.dialect, cl.input[:]),
	}
	in.Yaw, in.HasView = cl.view()
	r.rec.Inputs = append(r.rec.Inputs, in)
}

// addScene adds where everybody is after the tick. The file has a tick only if something changed in it.
func (r *Reader) addScene() {
	s := &r.rec.Scene
	s.Reset()
	s.Known, s.Still, s.Time = true, true, int64(r.tick)*tickMsec
	for number := range r.clients {
		cl := &r.clients[number]
		if !cl.alive {
			continue
		}
		t := extract.Thing{
			Kind: extract.ThingPlayer, Number: int32(number), Owner: int32(number),
			Place: [3]float32{float32(cl.x), float32(cl.y)},
		}
		if cl.hasInput {
			t.Yaw, t.HasView = cl.view()
			t.Firing = cl.input[inputFire]&1 != 0
		}
		s.Things = append(s.Things, t)
	}
}
