package replay

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect/extract"
)

// A track packs the places of one player.
type track struct {
	player  int
	heights bool
	watches int   // streams whose last state shows the player
	due     int64 // when the next place is wanted, in milliseconds
	placed  int64 // PlaceTime of the last place
	// placedNow is the time of the state of the last place. The place is shown again until againNow.
	placedNow, againNow int64
	againRecord         uint64
	again               extract.Thing
	open                bool // a run goes on
	count               int
	runs                packed
	steps               packed
	stepped             bool // a step is not 0
	places              [3]packed
	yaws                packed
	changes             packed

	end      int // the state after the last one of a run
	begun    int // states that the present run began after the last one
	inRun    int
	last     [3]int32
	speed    [3]int32
	yaw      int32
	values   [numKeys]int64
	changed  int // place of the last change
	lastStep int // state of the last place
}

func (t *track) size() int {
	places := len(t.places[0]) + len(t.places[1]) + len(t.places[2])
	return len(t.runs) + len(t.steps) + places + len(t.yaws) + len(t.changes)
}

// axes is how many numbers a place has.
func (t *track) axes() int {
	if t.heights {
		return 3
	}
	return 2
}

// cut ends the present run.
func (t *track) cut() {
	if !t.open {
		return
	}
	t.open = false
	t.runs.add(int64(t.begun))
	t.runs.add(int64(t.inRun))
	t.end = t.lastStep + 1
}

// add adds the place in a state.
func (t *track) add(state int, s *extract.Thing, name int64) {
	if !t.open {
		t.open, t.begun, t.inRun, t.speed = true, state-t.end, 0, [3]int32{}
	} else {
		step := state - t.lastStep - 1
		t.steps.add(int64(step))
		t.stepped = t.stepped || step != 0
	}
	t.lastStep = state
	t.inRun++
	for i := range t.axes() {
		v := whole(s.Place[i])
		moved := v - t.last[i]
		t.places[i].add(int64(moved - t.speed[i]))
		t.last[i], t.speed[i] = v, moved
		if t.inRun == 1 {
			t.speed[i] = 0
		}
	}
	yaw, known := t.yaw, s.HasView && math.Abs(float64(s.Yaw)) < 1e6 // another angle is none
	if known {
		yaw = int32(math.Round(float64(s.Yaw)*256/360)) & 255
	}
	t.yaws.add(int64(int8(yaw - t.yaw)))
	t.yaw = yaw
	has := int64(0)
	for i, is := range [...]bool{s.Dead, s.Firing, s.RedFlag, s.BlueFlag, s.OtherFlag, s.OfView, !known} {
		if is {
			has |= 1 << i
		}
	}
	health, armor := int64(-1), int64(-1)
	if s.HasHealth {
		health = int64(s.Health)
	}
	if s.HasArmor {
		armor = int64(s.Armor)
	}
	for key, v := range [numKeys]int64{name, health, armor, has} {
		if v != t.values[key] {
			t.changes.add(int64(t.count - t.changed))
			t.changes.add(int64(key))
			t.changes.add(v)
			t.values[key], t.changed = v, t.count
		}
	}
	t.count++
}

// data ends the track.
func (t *track) data() Track {
	t.cut()
	d := Track{
		Player: t.player, Count: t.count, Runs: string(t.runs), X: string(t.places[0]), Y: string(t.places[1]),
		Z: string(t.places[2]), Yaw: string(t.yaws), Changes: string(t.changes),
	}
	if t.stepped {
		d.Steps = string(t.steps)
	}
	return d
}

// whole rounds a coordinate. Worlds are smaller than a million units; what is larger is not a place.
func whole(f float32) int32 {
	const most = 1 << 20
	if !(f > -most && f < most) {
		return 0
	}
	return int32(math.Round(float64(f)))
}
