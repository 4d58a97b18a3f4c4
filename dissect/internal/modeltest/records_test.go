package modeltest

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/extract"
)

// packetsOf returns packets from one buffer that is overwritten for every packet, and an error at the end.
func packetsOf(ins []input, end error) iter.Seq2[*dissect.Packet, error] {
	return func(yield func(*dissect.Packet, error) bool) {
		var buf []byte
		for i := range ins {
			p := ins[i].Packet
			buf = append(buf[:0], p.Payload...)
			p.Payload = buf
			if !yield(&p, nil) {
				return
			}
			clear(buf)
		}
		if end != nil {
			yield(nil, end)
		}
	}
}

// Records are those of the engine, in the same order, whatever waits.
func TestRecordsAreTheEngines(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ins := slices.DeleteFunc(drawInputs(t), func(in input) bool { return in.file != "" || in.idle })
		for i := range ins {
			ins[i].Frame = uint64(i + 1)
		}
		cfg := engine.Config{
			Protocols: toys(), Finish: toyLine, All: rapid.Bool().Draw(t, "all"),
			NoWait: rapid.IntRange(0, 4).Draw(t, "wait") == 0,
		}
		if rapid.Bool().Draw(t, "select") {
			cfg.Select = func(frame uint64) bool { return frame%3 != 0 }
		}
		want, _ := runEngine(t, cfg, ins)
		cfg.Protocols = toys()
		var got []byte
		for rec, err := range engine.Records(packetsOf(ins, nil), cfg) {
			if err != nil {
				t.Fatal(err)
			}
			got, _ = toyLine(0, got, rec)
		}
		if diff := cmp.Diff(strings.SplitAfter(want, "\n"), strings.SplitAfter(string(got), "\n")); diff != "" {
			t.Fatalf("(-engine +Records):\n%s", diff)
		}
	})
}

// What a record lent from its conversation and its packet is still there when it has waited for its turn.
func TestRecordsOwnWhatTheyLent(t *testing.T) {
	t.Parallel()
	var (
		scratch []byte
		head    extract.DemoHead
	)
	lend := func(r *dissect.Record, _ bool) {
		scratch = fmt.Appendf(scratch[:0], "of %04d", r.Frame)
		head = extract.DemoHead{Player: scratch, Frame: r.Frame}
		r.Message = scratch
		r.Demo = extract.Demo{Data: scratch[3:], Begin: &head}
		r.Files = append(r.Files[:0], extract.File{Data: scratch[:2]}, extract.File{Refused: scratch})
	}
	// Of three conversations the first waits for what comes last, so the records of the others wait too.
	ins := sequence(sent{c2s.with(func(d *toyDatagram) { d.needs = 9 }), 0, 1},
		sent{c2s.with(func(d *toyDatagram) { d.conv = 2 }), 0, 90},
		sent{c2s.with(func(d *toyDatagram) { d.conv = 4 }), 0, 90},
		sent{c2s.with(func(d *toyDatagram) { d.direction, d.brings = dissect.ServerToClient, 9 }), 0, 1})
	ins[5].IPFragments, ins[5].Link = []uint64{6, 7}, &dissect.Link{Interface: "eth0", VLAN: []uint16{3}}
	for i := range ins {
		ins[i].Payload = append(ins[i].Payload, byte(i), 'x')
	}
	for round := range 2 { // the second with memory of the first
		frames := 0
		for rec, err := range engine.Records(packetsOf(slices.Concat(ins, ins), nil),
			engine.Config{Protocols: []*dissect.Protocol{(&toy{name: "even", dissected: lend}).protocol()}}) {
			if err != nil {
				t.Fatal(err)
			}
			in := &ins[frames%len(ins)]
			frames++
			want := fmt.Sprintf("of %04d", rec.Frame)
			if rec.Frame != in.Frame || string(rec.Payload) != string(in.Payload) {
				t.Fatalf("round %d: record %d is of frame %d with payload %q, want %d and %q", round, frames, rec.Frame,
					rec.Payload, in.Frame, in.Payload)
			}
			if len(rec.Files) != 2 {
				t.Fatalf("frame %d: %d parts of files", rec.Frame, len(rec.Files))
			}
			got := []string{
				string(rec.Message), "of " + string(rec.Demo.Data), string(rec.Demo.Begin.Player),
				string(rec.Files[0].Data) + want[2:], string(rec.Files[1].Refused), fmt.Sprintf("of %04d", rec.Demo.Begin.Frame),
			}
			if diff := cmp.Diff(slices.Repeat([]string{want}, len(got)), got); diff != "" {
				t.Fatalf("frame %d (-want +got):\n%s", rec.Frame, diff)
			}
			if diff := cmp.Diff(in.IPFragments, rec.IPFragments); diff != "" {
				t.Errorf("frame %d: fragments (-want +got):\n%s", rec.Frame, diff)
			}
			if diff := cmp.Diff(in.Link, rec.Link); diff != "" {
				t.Errorf("frame %d: link (-want +got):\n%s", rec.Frame, diff)
			}
			if len(rec.Tree.Nodes) != 2 {
				t.Errorf("frame %d: %d nodes", rec.Frame, len(rec.Tree.Nodes))
			}
		}
		if frames != 2*len(ins) {
			t.Errorf("%d records, want %d", frames, 2*len(ins))
		}
	}
}

var errBroken = errors.New("breaks off")

// An error of the input comes after the records of everything before it, and a loop can be left anywhere.
func TestRecordsEnd(t *testing.T) {
	t.Parallel()
	ins := sequence(sent{c2s.with(func(d *toyDatagram) { d.needs = 9 }), 0, 1},
		sent{c2s.with(func(d *toyDatagram) { d.conv = 2 }), 0, 9})
	for leave := range 12 {
		var frames []uint64
		var failure error
		for rec, err := range engine.Records(packetsOf(ins, errBroken), engine.Config{Protocols: toys()}) {
			if failure != nil {
				t.Fatal("the loop goes on after an error")
			}
			if failure = err; err == nil {
				frames = append(frames, rec.Frame)
			}
			if len(frames) == leave && leave > 0 {
				break
			}
		}
		want := []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
		if leave > 0 && leave <= 10 {
			want = want[:leave]
		} else if failure != errBroken {
			t.Errorf("ended with %v", failure)
		}
		if diff := cmp.Diff(want, frames); diff != "" {
			t.Errorf("left after %d (-want +got):\n%s", leave, diff)
		}
	}
	for rec, err := range engine.Records(packetsOf(ins, nil),
		engine.Config{Protocols: toys(), DecodeAs: []engine.DecodeAs{{Port: 1, Name: "nobody"}}}) {
		if rec != nil || err == nil || !strings.Contains(err.Error(), `"nobody"`) {
			t.Errorf("a dissector that nobody knows: %v, %v", rec, err)
		}
	}
}
