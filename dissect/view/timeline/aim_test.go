package timeline

import (
	"math"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
)

// A view that turns a quarter in a second up to a shot, and does not move from then on, has that speed before the shot
// and none after it.
func TestAim(t *testing.T) {
	t.Parallel()
	list := aims{}
	c := clock{known: true}
	var n notes
	const shots = 3
	for shot := range int64(shots) {
		yaw := float32(170) // it passes from 180 to -180
		for ms := int64(0); ms <= 1000; ms += 20 {
			in := extract.Input{Kind: extract.InputView, Player: 4, Time: shot*5000 + ms, HasView: true, Yaw: yaw}
			if ms == 500 {
				in.Shots = 2 // of one frame: one shot to look at
			}
			if ms < 500 {
				if yaw += 90 * 0.02; yaw > 180 {
					yaw -= 360
				}
			}
			c.now = float64(in.Time) / 1000
			// in two records of one state
			rec := &dissect.Record{Packet: dissect.Packet{Frame: uint64(in.Time)}, Stream: 7, Inputs: []extract.Input{in, in}}
			if seen := list.add(nil, rec, &c, &n); seen != (ms == 500) {
				t.Errorf("at %d a shot is seen: %v", ms, seen)
			}
		}
	}
	// Moments are 20 ms apart: the one at 500 is that of the shot.
	data := list.data(map[int]string{7: "Sarge"}, nil)
	if len(data) != 1 || data[0].Count != shots || data[0].Name != "Sarge" {
		t.Fatalf("%+v", data)
	}
	a := data[0]
	for i, mean := range a.Mean {
		want := 90.0
		if i >= len(a.Mean)/2 {
			want = 0
		}
		if mean == nil || math.Abs(*mean-want) > 0.5 {
			t.Errorf("from %d ms on: %v degrees a second, want %v", -a.Reach+i*a.Step, mean, want)
		}
	}
	for i, turn := range a.Turns {
		if math.Abs(turn-9) > 0.1 || a.Frames[i] != uint64(i*5000+500) {
			t.Errorf("shot %d: %v degrees before it, frame %d", i, turn, a.Frames[i])
		}
	}
	if math.Abs(a.Usual-45) > 0.5 {
		t.Errorf("usual are %v degrees a second", a.Usual)
	}
}

// A press of the button counts where commands show it, not that it is held.
func TestAimOfCommands(t *testing.T) {
	t.Parallel()
	list := aims{}
	var n notes
	for ms := int64(0); ms <= 1000; ms += 10 {
		in := extract.Input{
			Kind: extract.InputCommand, Player: -1, Time: ms, HasView: true, HasAttack: true,
			Attack: ms >= 300 && ms < 400 || ms >= 600,
		}
		list.add(nil, &dissect.Record{Inputs: []extract.Input{in}}, &clock{known: true}, &n)
	}
	if data := list.data(nil, nil); len(data) != 1 || data[0].Count != 2 {
		t.Errorf("%+v", data)
	}
}
