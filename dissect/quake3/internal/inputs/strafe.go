package inputs

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

// A frame of the game's physics is taken to be as long as that of a client at 125 frames a second: with 11 ms the
// angles differ by less than a degree.
const frameSeconds = 0.008

// The physics in the air: a player's speed in the direction of the keys grows up to the speed that the keys ask for, so
// the gain is largest where it is just not cut off.
//
// Source: PM_AirMove, PM_CmdScale, PM_Accelerate, pm_airaccelerate in code/game/bg_pmove.c. In ProMode's physics keys
// to the side alone ask for a speed of 30 and accelerate 70 times as much, and forward alone turns the direction
// without a gain: CPM_UpdateSettings in bg_promode.c of its public documents for developers (mirrored in GPP-1-1).
const (
	airAccelerate    = 1
	runSpeed         = 320 // g_speed, code/game/g_main.c
	strafeSpeed      = 30
	strafeAccelerate = 70
)

// jumpShare is what remains of the speed that keys ask for while the jump key is held with two others, or with one:
// PM_CmdScale counts its move as one of the axes.
var jumpShare = [2]float64{math.Sqrt(1.0 / 2), math.Sqrt(2.0 / 3)}

// bestAngle returns the angle between movement and keys that gains most speed, in degrees.
func bestAngle(speed, wish, accelerate float64) float64 {
	gain := accelerate * wish * frameSeconds
	return math.Acos(max(-1, min(1, (wish-gain)/speed))) * 180 / math.Pi
}

// strafe sets what the direction of the movement keys shows, of a player who moves at vx, vy. direction is movementDir:
// eighths of a circle to the left of the view, PM_SetMovementDir in code/game/bg_pmove.c.
func (r *Reader) strafe(in *extract.Input, vx, vy float32, run float64, direction uint32) {
	speed := math.Hypot(float64(vx), float64(vy))
	flies := in.HasGround && !in.Ground && speed > run && speed <= 10*run // false for NaN
	if r.physics == tables.PhysicsUnknown || !flies || direction > 7 || run <= 0 {
		return
	}
	const eighth = 45
	heading := math.Atan2(float64(vy), float64(vx)) * 180 / math.Pi
	off := math.Abs(math.Remainder(float64(in.Yaw)+eighth*float64(direction)-heading, 360))
	if r.physics == tables.PhysicsProMode {
		switch direction {
		case 0, 4:
			return
		case 2, 6:
			best := float32(off - bestAngle(speed, strafeSpeed, strafeAccelerate))
			in.Strafe, in.HasStrafe = [2]float32{best, best}, true
			return
		}
	}
	share := jumpShare[direction%2]
	in.Strafe[0] = float32(off - bestAngle(speed, run, airAccelerate))
	in.Strafe[1] = float32(off - bestAngle(speed, run*share, airAccelerate))
	in.HasStrafe = true
}

// strafeOwn is strafe for the player whose view the snapshot is.
func (r *Reader) strafeOwn(in *extract.Input, p *world.Player) {
	at, v := &r.slots, &p.Values
	if need := at.velocity[0].Mask | at.velocity[1].Mask | at.direction.Mask | at.speed.Mask; p.Known&need == need {
		r.strafe(in, number32(at.velocity[0], v), number32(at.velocity[1], v), float64(int32(at.speed.Value(v))),
			at.direction.Value(v))
	}
}

// strafeSeen is strafe for another player, whose entity has the direction in angles2: BG_PlayerStateToEntityState in
// code/game/bg_misc.c.
func (r *Reader) strafeSeen(in *extract.Input, state *tables.State) {
	at, v := &r.slots, &state.Values
	need := at.delta[0].Mask | at.delta[1].Mask | at.seenDirection.Mask
	if state.Known&need != need {
		return
	}
	if direction := number32(at.seenDirection, v); direction >= 0 && direction <= 7 {
		r.strafe(in, number32(at.delta[0], v), number32(at.delta[1], v), runSpeed, uint32(direction))
	}
}
