package outliers

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
)

// A flight of 500 ms in which the keys push 10 degrees from the best direction, or 5 with the jump key; one of 350 ms
// is too short.
func TestStrafeError(t *testing.T) {
	t.Parallel()
	s := newGame()
	for i := range 40 {
		in := me(0, 0)
		in.HasGround, in.Ground, in.HasSpeed, in.Speed = true, i < 2 || i == 13 || i > 21, true, 400
		in.HasStrafe, in.Strafe = true, [2]float32{10, 4}
		if i%2 == 0 {
			in.Strafe = [2]float32{-10, -6}
		}
		s.add(1000+int64(i)*50, in)
	}
	got, _ := s.values(t, extract.InputView, "strafe_error")
	want(t, "strafe_error", got, (6*6+5*4)/11.0) // eleven moments in the air
}

// Commands 8 ms apart for four seconds, as of a client with com_maxfps 125, then 16 ms apart for two. Every packet has
// two.
func TestPace(t *testing.T) {
	t.Parallel()
	s := newGame()
	time := int64(1000)
	for i := 0; time < 7_050; i++ {
		step := int64(8)
		if time >= 5_000 {
			step = 16
		}
		rec := dissect.NewRecord()
		rec.Frame, rec.Stream, rec.Time, rec.HasTime = uint64(i), 0, (time+2*step)*1e6, true
		for range 2 {
			rec.Inputs = append(rec.Inputs, extract.Input{Kind: extract.InputCommand, Time: time})
			time += step
		}
		s.c.Add(rec)
	}
	got, _ := s.values(t, extract.InputCommand, "frame_rate")
	want(t, "frame_rate", got, 125, 125, 62)
	got, _ = s.values(t, extract.InputCommand, "frame_share")
	want(t, "frame_share", got, 100, 100, 100)
	got, _ = s.values(t, extract.InputCommand, "frame_step")
	want(t, "frame_step", got, 100, 0)
	got, _ = s.values(t, extract.InputCommand, "packet_interval")
	if len(got) < maxMoments || got[0] != 16 {
		t.Errorf("packet_interval: %d values, the first %v", len(got), got[:1])
	}
}

// Who is behind a wall and is heard is no target that nobody knows of; a noise is forgotten after two seconds, and too
// far away it is not heard.
func TestHeard(t *testing.T) {
	t.Parallel()
	play := func(noise func(i int) bool, far float32) []float64 {
		s := newGame()
		s.c = New(func(string) Clear { return func(_, _ [3]float64) bool { return false } })
		s.c.scene(streamKey{"", 0}).clear = s.c.walls("")
		for i := range 480 {
			target := other(90)
			target.Place[1] = far
			target.Noise = noise(i)
			s.add(1000+int64(i)*50, me(90, 0), target)
		}
		got, _ := s.values(t, extract.InputView, "hidden_aim")
		return got
	}
	want(t, "silent", play(func(int) bool { return false }, 100), 100)
	want(t, "heard all the time", play(func(i int) bool { return i%40 == 0 }, 100))
	want(t, "heard, and too far away", play(func(i int) bool { return i%40 == 0 }, 1331), 100)
	want(t, "just near enough", play(func(i int) bool { return i%40 == 0 }, 1329))
	want(t, "heard a third of the time", play(func(i int) bool { return i%123 == 0 }, 100), 100)
}
