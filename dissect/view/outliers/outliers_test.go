package outliers

import (
	"math"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
)

// A script makes the records of a game: one player at the origin who looks along x, and one target.
type script struct {
	c     *Collector
	frame uint64
}

func newGame() *script { return &script{c: New(nil)} }

// add adds a record with inputs of one time.
func (s *script) add(time int64, inputs ...extract.Input) {
	s.frame++
	rec := dissect.NewRecord()
	rec.Frame, rec.Stream, rec.Time, rec.HasTime = s.frame, 0, time*1e6, true
	for _, in := range inputs {
		in.Time = time
		rec.Inputs = append(rec.Inputs, in)
	}
	s.c.Add(rec)
}

// me is the player whose view the snapshots are.
func me(yaw float32, shots int) extract.Input {
	return extract.Input{Kind: extract.InputView, HasView: true, Yaw: yaw, Shots: shots, HasPlace: true}
}

// other is a player 100 units from the origin.
func other(bearing float64) extract.Input {
	sin, cos := math.Sincos(bearing * math.Pi / 180)
	return extract.Input{
		Kind: extract.InputSeen, Player: 1, HasView: true, HasPlace: true,
		Place: [3]float32{float32(100 * cos), float32(100 * sin)},
	}
}

// values returns the values of a measure of the player 0, the most unusual first, with the frame of the first one.
func (s *script) values(t *testing.T, kind extract.InputKind, key string) (list []float64, frame uint64) {
	t.Helper()
	for _, p := range s.c.Players() {
		for _, v := range p.Values {
			if p.Kind == kind && p.Number == 0 && v.Key == key && len(v.Moments) > 0 {
				for _, m := range s.c.players[playerKey{streamKey{"", 0}, kind, 0}].series[measureOf(t, key)].extremes {
					list = append(list, m.Value)
				}
				return list, v.Moments[0].Frame
			}
		}
	}
	return nil, 0
}

func measureOf(t *testing.T, key string) measure {
	t.Helper()
	for m := range measures {
		if Measures[m].Key == key {
			return m
		}
	}
	t.Fatalf("no measure %s", key)
	return 0
}

// want compares values within a thousandth of a degree.
func want(t *testing.T, what string, got []float64, want ...float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %v, want %v", what, got, want)
		return
	}
	for i := range got {
		if math.Abs(got[i]-want[i]) > 1e-3 {
			t.Errorf("%s: %v, want %v", what, got, want)
			return
		}
	}
}

// A crosshair goes 30 degrees onto the target in one snapshot of 50 ms, shoots, and goes 20 degrees back.
func TestSnap(t *testing.T) {
	t.Parallel()
	s := newGame()
	for time, yaw := range []float32{0, 0, 0, 0, 30, 10, 10, 10, 10} {
		shots := 0
		if yaw == 30 {
			shots = 1
		}
		s.add(1000+int64(time)*50, me(yaw, shots), other(30))
	}
	got, frame := s.values(t, extract.InputView, "turn_speed")
	want(t, "turn_speed", got, 600, 400, 0, 0, 0, 0, 0, 0)
	if frame != 5 {
		t.Errorf("turn_speed: frame %d, want 5", frame)
	}
	for key, value := range map[string]float64{
		"shot_turn": 30, "snap_gain": 30, "shot_off_target": 0,
		"snap_return":    (30 + 20 - 10) / 2, // there, back, and what is left
		"time_on_target": 0,
	} {
		got, frame := s.values(t, extract.InputView, key)
		want(t, key, got, value)
		if frame != 5 {
			t.Errorf("%s: frame %d, want 5", key, frame)
		}
	}
}

// TestSwitched: nothing turns between the views before and after another player's.
func TestSwitched(t *testing.T) {
	t.Parallel()
	s := newGame()
	s.add(1000, me(0, 0))
	s.add(1050, me(10, 0))
	other := me(200, 0)
	other.Player, other.Switched = 3, true
	s.add(1100, other)
	back := me(90, 0)
	back.Switched = true
	s.add(1150, back)
	s.add(1200, me(95, 0))
	got, _ := s.values(t, extract.InputView, "turn_speed")
	want(t, "turn_speed", got, 200, 100)
}

// A flick that stays where it went is no snap and back.
func TestFlick(t *testing.T) {
	t.Parallel()
	s := newGame()
	for time, yaw := range []float32{0, 0, 0, 15, 30, 30, 30, 30} {
		s.add(1000+int64(time)*50, me(yaw, time/4%2), other(30))
		if time == 4 {
			s.add(1000+int64(time)*50+1, me(yaw, 0), other(30))
		}
	}
	got, _ := s.values(t, extract.InputView, "snap_return")
	for _, v := range got {
		if v > 1e-3 {
			t.Errorf("snap_return: %v, want nothing", got)
		}
	}
}

// A target appears from beside the player's view, and is shot at 200 ms later; a second shot is not the first.
func TestFirstShot(t *testing.T) {
	t.Parallel()
	s := newGame()
	for i := range 40 {
		bearing, shots := 90.0, 0
		if i >= 20 {
			bearing = 2
		}
		if i == 24 || i == 26 {
			shots = 1
		}
		s.add(1000+int64(i)*50, me(0, shots), other(bearing))
	}
	got, frame := s.values(t, extract.InputView, "first_shot_time")
	want(t, "first_shot_time", got, 200)
	if frame != 25 {
		t.Errorf("frame %d, want 25", frame)
	}
	got, _ = s.values(t, extract.InputView, "time_on_target") // 18 units at 100 are 10 degrees
	want(t, "time_on_target", got, 200, 300)
	got, _ = s.values(t, extract.InputView, "shot_interval")
	want(t, "shot_interval", got, 100)
}

// A crosshair three degrees beside a target that goes round the player.
func TestTracking(t *testing.T) {
	t.Parallel()
	s := newGame()
	for i := range 12 {
		s.add(1000+int64(i)*50, me(float32(i)*2+3, 0), other(float64(i)*2))
	}
	got, _ := s.values(t, extract.InputView, "tracking_error")
	want(t, "tracking_error", got, 3)
}

// Commands of a client whose clock is a tenth too fast, with the attack button held for one command of 10 ms.
func TestCommands(t *testing.T) {
	t.Parallel()
	s := newGame()
	for i := range int64(2500) {
		rec := dissect.NewRecord()
		rec.Frame, rec.Stream, rec.Time, rec.HasTime = uint64(i+1), 0, i*10e6, true
		rec.Inputs = []extract.Input{{
			Time: 5000 + i*11, HasView: true, HasAttack: true, Attack: i%50 == 1, HasJump: true, Jump: i%100 < 3,
			Lead: 7, HasLead: true,
		}}
		s.c.Add(rec)
	}
	for key, value := range map[string]float64{
		"clock_rate": 110, "press_time": 11, "press_rhythm": 0, "command_interval": 11, "jump_time": 33, "shot_interval": 550,
	} {
		series := &s.c.players[playerKey{streamKey{"", 0}, extract.InputCommand, 0}].series[measureOf(t, key)]
		if series.count == 0 || math.Abs(series.percentile(50)-value) > 1e-3 {
			t.Errorf("%s: %v of %d values, want %v", key, series.percentile(50), series.count, value)
		}
	}
}

// Landing and jumping again after 100 ms, and 50 units per second faster after half a second in the air.
func TestMovement(t *testing.T) {
	t.Parallel()
	s := newGame()
	ground := []bool{false, true, true, false, false, false, false, false, false, false, false, false, false, false, true}
	for i, g := range ground {
		in := me(0, 0)
		in.HasGround, in.Ground, in.HasSpeed, in.Speed = true, g, true, 300
		if i == 13 {
			in.Speed = 350
		}
		s.add(1000+int64(i)*50, in)
	}
	got, _ := s.values(t, extract.InputView, "ground_time")
	want(t, "ground_time", got, 100)
	got, _ = s.values(t, extract.InputView, "air_gain")
	want(t, "air_gain", got, 100)
}

// The target is behind a wall for 24 seconds, and the crosshair within 5 degrees of it in a quarter of the moments.
// Then it comes into view 20 degrees beside the crosshair.
func TestHidden(t *testing.T) {
	t.Parallel()
	wall := true
	s := newGame()
	s.c = New(func(name string) Clear {
		if name != "walled" {
			return nil
		}
		return func(_, _ [3]float64) bool { return !wall }
	})
	s.c.scene(streamKey{"", 0}).clear = s.c.walls("walled")
	for i := range 480 {
		bearing, yaw := 90.0, float32(30)
		if i >= 240 {
			bearing = 20
		}
		if i%4 == 0 {
			yaw = float32(bearing) + 2
		}
		s.add(1000+int64(i)*50, me(yaw, 0), other(bearing))
	}
	got, _ := s.values(t, extract.InputView, "hidden_aim")
	want(t, "hidden_aim", got, 25) // 50 of 200 moments between 10 and 20 s
	got, _ = s.values(t, extract.InputView, "hidden_control")
	// known from 11 s on, 180 moments; to 13 s the target was where it is, then 70 degrees away
	want(t, "hidden_control", got, 100.0*10/180)
	wall = false
	s.add(25_000, me(0, 0), other(20))
	got, frame := s.values(t, extract.InputView, "appear_off")
	want(t, "appear_off", got, 20)
	if frame != 481 {
		t.Errorf("frame %d, want 481", frame)
	}
}

// Moments of a measure are a second apart, and ranks count all values, those of others too. Turns of i/10 degrees,
// there and back, from i = 1 to 99; the other player turns by 7 degrees, 140 a second.
func TestRanks(t *testing.T) {
	t.Parallel()
	s := newGame()
	for i := range 100 {
		mine, theirs := me(0, 0), other(90)
		if i%2 == 1 {
			mine.Yaw, theirs.Yaw = float32(i)/10, 7
		}
		s.add(1000+int64(i)*50, mine, theirs)
	}
	var v Values
	for _, p := range s.c.Players() {
		if p.Number == 0 {
			v = p.Values[0]
		}
	}
	if v.Key != "turn_speed" || v.Count != 99 || len(v.Moments) != 3 {
		t.Fatalf("%+v", v)
	}
	for i, row := range []struct {
		frame         uint64
		value         float64
		rank, rankAll int64
	}{{100, 198, 1, 1}, {80, 158, 20, 20}, {60, 118, 40, 40 + 99}} { // what is lower is not above the median
		m := v.Moments[i]
		if m.Frame != row.frame || math.Abs(m.Value-row.value) > 1e-3 || m.Rank != row.rank || m.RankAll != row.rankAll ||
			m.CountOther != 99 {
			t.Errorf("%+v, want %+v", m, row)
		}
	}
}

// The sample of a series stays even, and its memory bounded.
func TestSeriesIsBounded(t *testing.T) {
	t.Parallel()
	var s series
	const n = 1_000_000
	for i := range n {
		s.add(High, Moment{Game: int64(i), Value: float64(i)})
	}
	if len(s.sample) > maxSample || len(s.extremes) > maxExtremes || len(s.moments()) > maxMoments {
		t.Fatalf("%d, %d, %d", len(s.sample), len(s.extremes), len(s.moments()))
	}
	for _, percent := range []int{5, 50, 95, 99} {
		if exact, got := float64(n*percent/100), s.percentile(percent); math.Abs(got-exact) > n/1000 {
			t.Errorf("%d %%: %v, exactly %v", percent, got, exact)
		}
	}
	if got := s.above(High, n-11); got != 10 {
		t.Errorf("%d values are above the eleventh", got)
	}
	if got := s.above(High, n/2); math.Abs(float64(got)-n/2) > n/1000 {
		t.Errorf("%d values are above the median", got)
	}
}

// TestNames: a player is found by every name that he had, whatever its case and colours.
func TestNames(t *testing.T) {
	t.Parallel()
	p := Player{Number: 3, Name: "^1Bob", Clean: "Bob", Names: []string{"^2Al", "Al", "^1Bob", "Bob"}}
	for name, want := range map[string][2]bool{ // had, and has
		"bob": {true, true}, "^1BOB": {true, true}, "al": {true, false}, "^2al": {true, false}, "#3": {true, true},
		"^7b^1ob": {true, true}, "^7AL": {true, false}, "#4": {}, "Alb": {}, "": {},
	} {
		if got := [2]bool{p.Is(name), p.IsNow(name)}; got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}
