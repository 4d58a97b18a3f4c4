package teeworlds

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/teehistorian"
)

// addInputs adds the input of the datagram's client: the crosshair is at target_x, target_y from the tee, and the
// lowest bit of fire is the button (CNetObj_PlayerInput; CountInput in src/game/server/entities/character.cpp).
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
		in := extract.Input{
			Kind: extract.InputCommand, Player: -1, Time: message.Get("intended_tick").Int() * 1000 / ticksPerSecond,
			Attack: fire.Int()&1 != 0, HasAttack: true,
		}
		if x.Int() != 0 || y.Int() != 0 {
			in.Yaw, in.HasView = float32(math.Atan2(float64(y.Int()), float64(x.Int()))*180/math.Pi), true
		}
		var values [teehistorian.InputInts]int32
		n := 0
		for v := range input.Children() {
			if n < len(values) && v.Field().Kind.Number() {
				values[n] = int32(v.Int())
			}
			n++
		}
		if n == len(values) {
			in.Sum = teehistorian.InputSum(c.packet.dialect, values[:])
		}
		rec.Inputs = append(rec.Inputs, in)
	}
}

// addPlaces adds the positions of the players, once for each snapshot.
func (c *conversation) addPlaces(rec *dissect.Record) {
	if c.snapshots == nil {
		return
	}
	newest := c.snapshots.Latest()
	if newest < 0 || newest == c.placed {
		return
	}
	snap, ok := c.snapshots.At(newest)
	if !ok {
		return
	}
	c.placed = newest
	for i := range snap.Items {
		it := &snap.Items[i]
		def := c.snapshots.Object(c.packet.dialect, it.Key.Type())
		if def == nil || def.Key != "character" {
			continue
		}
		x, okX := partOf(def, snap.Values(it), "x")
		y, okY := partOf(def, snap.Values(it), "y")
		if okX && okY {
			in := extract.Input{
				Kind: extract.InputSeen, Player: it.Key.ID(), Time: int64(newest) * 1000 / ticksPerSecond,
				Place: [3]float32{float32(x), float32(y)}, HasPlace: true,
			}
			if tick, ok := partOf(def, snap.Values(it), "tick"); ok && tick > 0 && tick != newest {
				in.PlaceTime = int64(tick) * 1000 / ticksPerSecond
			}
			rec.Inputs = append(rec.Inputs, in)
		}
	}
}

// partOf returns a number of an object by its key.
func partOf(def *tables.Object, values []int32, key string) (number int32, ok bool) {
	at := 0
	for i := range def.Parts {
		p := &def.Parts[i]
		if at+p.Ints > len(values) {
			return 0, false
		}
		if p.Key == key {
			return values[at], true
		}
		at += p.Ints
	}
	return 0, false
}
