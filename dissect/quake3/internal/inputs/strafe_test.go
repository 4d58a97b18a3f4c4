package inputs

import (
	"math"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// gain is how much faster a player is after a frame of 8 ms: PM_Accelerate in code/game/bg_pmove.c.
func gain(speed, off, wish, accelerate float64) float64 {
	off *= math.Pi / 180
	add := wish - speed*math.Cos(off)
	if add <= 0 {
		return 0
	}
	add = min(add, accelerate*frameSeconds*wish)
	return math.Hypot(speed+add*math.Cos(off), add*math.Sin(off)) - speed
}

// The best angle is the one that gains most speed of all, tried one after the other.
func TestBestAngle(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ speed, wish, accelerate float64 }{
		{321, 320, 1},
		{400, 320, 1},
		{600, 320, 1},
		{1000, 320, 1},
		{500, 416, 1},
		{400, 320 * math.Sqrt(2.0/3), 1},
		{400, 30, 70},
		{800, 30, 70},
	} {
		best, most := 0.0, -1.0
		for off := 0.0; off < 180; off += 0.01 {
			if g := gain(row.speed, off, row.wish, row.accelerate); g > most+1e-12 {
				best, most = off, g
			}
		}
		if got := bestAngle(row.speed, row.wish, row.accelerate); math.Abs(got-best) > 0.02 {
			t.Errorf("%+v: %.2f, tried %.2f", row, got, best)
		}
	}
}

// A player who flies to the east at 400 units a second, and looks where his keys push him at the best angle.
func TestStrafe(t *testing.T) {
	t.Parallel()
	best := bestAngle(400, 320, 1)
	held := bestAngle(400, 320*math.Sqrt(2.0/3), 1)
	for _, row := range []struct {
		name      string
		yaw       float64
		direction uint32 // 1: forward and left, 7: forward and right, 2: left
		physics   tables.Physics
		ground    bool
		known     bool
		want      [2]float64
	}{
		{"forward and left", best - 45, 1, tables.PhysicsQuake3, false, true, [2]float64{0, best - held}},
		{"forward and right, the other way round", 45 - best, 7, tables.PhysicsQuake3, false, true, [2]float64{0, best - held}},
		{"five degrees more", best + 5 - 45, 1, tables.PhysicsQuake3, false, true, [2]float64{5, best + 5 - held}},
		{"the jump key is held", held - 45, 1, tables.PhysicsQuake3, false, true, [2]float64{held - best, 0}},
		{"full turns", best - 45 + 720, 1, tables.PhysicsQuake3, false, true, [2]float64{0, best - held}},
		{"left alone", bestAngle(400, 30, 70) - 90, 2, tables.PhysicsProMode, false, true, [2]float64{0, 0}},
		{"forward alone turns", 0, 0, tables.PhysicsProMode, false, false, [2]float64{}},
		{"on the ground", best - 45, 1, tables.PhysicsQuake3, true, false, [2]float64{}},
		{"another game", best - 45, 1, tables.PhysicsUnknown, false, false, [2]float64{}},
		{"no direction", best - 45, 8, tables.PhysicsQuake3, false, false, [2]float64{}},
	} {
		r := &Reader{physics: row.physics}
		in := extract.Input{Yaw: float32(row.yaw), HasGround: true, Ground: row.ground}
		r.strafe(&in, 400, 0, 320, row.direction)
		if in.HasStrafe != row.known {
			t.Errorf("%s: known %t", row.name, in.HasStrafe)
		}
		for i, want := range row.want {
			if got := float64(in.Strafe[i]); row.known && math.Abs(got-want) > 1e-3 {
				t.Errorf("%s: %v, want %v", row.name, in.Strafe, row.want)
			}
		}
	}
	r, in := &Reader{physics: tables.PhysicsQuake3}, extract.Input{HasGround: true}
	for _, v := range []float32{319, 0, 1e9, float32(math.NaN()), float32(math.Inf(1))} {
		if r.strafe(&in, v, 0, 320, 1); in.HasStrafe {
			t.Errorf("at %v there is no best direction", v)
		}
	}
}

// PhysicsOf asks the games, and the words of their serverinfos.
func TestPhysicsOf(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		family uint8
		info   string
		want   tables.Physics
	}{
		{tables.FamilyCPMA, `\server_gameplay\CPM`, tables.PhysicsProMode},
		{tables.FamilyCPMA, `\server_gameplay\VQ3`, tables.PhysicsQuake3},
		{tables.FamilyCPMA, `\server_gameplay\CQ3`, tables.PhysicsUnknown},
		{tables.FamilyOSP, `\server_promode\0`, tables.PhysicsQuake3},
		{tables.FamilyOSP, `\server_promode\1`, tables.PhysicsProMode},
		{tables.FamilyDefrag, `\df_promode\1`, tables.PhysicsProMode},
		{tables.FamilyQuakeLive91, ``, tables.PhysicsQuake3},
		{tables.FamilyET, ``, tables.PhysicsUnknown},
	} {
		if got := tables.PhysicsOf(row.family, []byte(row.info)); got != row.want {
			t.Errorf("%d, %s: %d, want %d", row.family, row.info, got, row.want)
		}
	}
}
