package truth_test

import (
	"math"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// TestShotEvents: who asks for shots among the events gets those of the server's log, each with the record of its
// command, and who does not gets none.
func TestShotEvents(t *testing.T) {
	t.Parallel()
	want := tracedShots(t, reference.Lines(t, reference.Folder(t, "captures", "quake3")+
		"/oa-shots-full-rewind.games.log.gz"))
	name := reference.Capture(t, "quake3", "oa-shots-full-rewind-server")
	commands := map[uint64]map[int64]bool{} // times of user commands, by frame
	shots := map[int64]bool{}
	for rec, err := range open.Records(name, all.Protocols(), dissect.Options{Events: true, ShotEvents: true}) {
		if err != nil {
			t.Fatal(err)
		}
		for op := range rec.Tree.Top().Get("quake3").Get("client_message").Get("ops").Children() {
			for c := range op.Get("user_commands").Children() {
				if commands[rec.Number()] == nil {
					commands[rec.Number()] = map[int64]bool{}
				}
				commands[rec.Number()][c.Get("server_time").Int()] = true
			}
		}
		for e := range event.Of(rec) {
			if e.Kind != event.Shot || e.Get("weapon").String() != "machinegun" {
				continue
			}
			at := e.Get("command_time").Int()
			logged := want[at]
			if logged == nil {
				t.Fatalf("frame %d: command %d is not in the log", rec.Number(), at)
			}
			shots[at] = true
			if frame := uint64(e.Get("command_frame").Int()); !commands[frame][at] {
				t.Errorf("command %d is not in frame %d", at, frame)
			}
			checkShotEvent(t, e, logged)
		}
	}
	if len(shots) != len(want) {
		t.Errorf("%d of %d shots", len(shots), len(want))
	}
	for rec, err := range open.Records("../../../samples/quake3/68-natrebind.pcap", all.Protocols(),
		dissect.Options{Events: true, Shots: true}) {
		if err != nil {
			t.Fatal(err)
		}
		for e := range event.Of(rec) {
			if e.Kind == event.Shot {
				t.Fatalf("frame %d: a shot that nobody asked for", rec.Number())
			}
		}
	}
}

// checkShotEvent compares an event with the log's line.
func checkShotEvent(t *testing.T, e event.Event, logged *tracedShot) {
	t.Helper()
	place := func(v dissect.Value) [3]float64 {
		return [3]float64{v.Get("x").Float(), v.Get("y").Float(), v.Get("z").Float()}
	}
	const rounded = 1.8 // as in compareShot
	if off := apart(place(e.Get("muzzle")), logged.muzzle); off > e.Get("muzzle_error").Float()+rounded {
		t.Errorf("the muzzle is %.2f units off", off)
	}
	if e.Get("client").Get("client_num").Int() == e.Get("target").Get("client_num").Int() && e.Get("target").Exists() {
		t.Errorf("the shooter hit himself: %s", e.Text())
	}
	for p := range e.Get("players").Children() {
		traced := p.Get("traced")
		if !traced.Exists() {
			continue
		}
		if off := apart(place(p.Get("place")), logged.others[int(p.Get("client_num").Int())]); off > 0.01 || math.IsNaN(off) {
			t.Errorf("%s: a place is %.2f units off", e.Text(), off)
		}
	}
}
