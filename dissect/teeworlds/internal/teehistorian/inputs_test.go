package teehistorian

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
)

// A crosshair in the middle of the tee is no direction, in scenes as in inputs.
func TestNoView(t *testing.T) {
	t.Parallel()
	r := NewReader(Options{Scenes: true, Inputs: true})
	r.rec, r.timed = dissect.NewRecord(), true
	var aims client
	aims.alive, aims.hasInput = true, true
	middle := aims
	aims.input[inputTargetY] = -5
	r.clients = []client{middle, aims}
	r.addScene()
	for number := range r.clients {
		r.addInput(int32(number), &r.clients[number])
	}
	for i, want := range []extract.Thing{{}, {Yaw: -90, HasView: true}} {
		if got := r.rec.Scene.Things[i]; got.Yaw != want.Yaw || got.HasView != want.HasView {
			t.Errorf("scene: player %d looks %v, %t", i, got.Yaw, got.HasView)
		}
		if got := r.rec.Inputs[i]; got.Yaw != want.Yaw || got.HasView != want.HasView {
			t.Errorf("input: player %d looks %v, %t", i, got.Yaw, got.HasView)
		}
	}
}
