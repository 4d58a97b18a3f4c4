package teeworlds

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect"
)

// addInputs adds the input of the datagram's client: the crosshair is at target_x, target_y from the tee, and the lowest
// bit of fire is the button (CNetObj_PlayerInput; CountInput in src/game/server/entities/character.cpp).
func (c *conversation) addInputs(rec *dissect.Record) {
	for chunk := range rec.Root().Get("chunks").Children() {
		if chunk.Get("state").String() == "duplicate" {
			continue
		}
		message := chunk.Get("input")
		input := message.Get("input")
		x, y, fire := input.Get("target_x"), input.Get("target_y"), input.Get("fire")
		if !x.Exists() || !y.Exists() || !fire.Exists() {
			continue
		}
		in := dissect.Input{
			Kind: dissect.InputCommand, Player: -1, Time: message.Get("intended_tick").Int() * 1000 / ticksPerSecond,
			Attack: fire.Int()&1 != 0, HasAttack: true,
		}
		if x.Int() != 0 || y.Int() != 0 {
			in.Yaw, in.HasView = float32(math.Atan2(float64(y.Int()), float64(x.Int()))*180/math.Pi), true
		}
		rec.Inputs = append(rec.Inputs, in)
	}
}
