package modeltest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/dissect"
	_ "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
	"github.com/q3dissect/q3dissect/dissect/engine"
)

func toys() []*dissect.Protocol {
	return []*dissect.Protocol{(&toy{name: "even"}).protocol(), (&toy{name: "odd", odd: 1, forgets: true}).protocol()}
}

// An input is what a test feeds: a packet, or the beginning of a file, or an Idle.
type input struct {
	dissect.Packet
	file string
	idle bool
}

// A failer is a test, or a run of a rapid property.
type failer interface {
	Helper()
	Fatal(args ...any)
}

// runEngine feeds an engine from one buffer that is overwritten for every packet, as a reader does.
func runEngine(t failer, cfg engine.Config, ins []input) (string, engine.Stats) {
	t.Helper()
	var out strings.Builder
	cfg.Output = func(b []byte) error {
		out.Write(b)
		return nil
	}
	e, err := engine.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	var buf []byte
	for _, in := range ins {
		switch {
		case in.file != "":
			e.File(in.file)
		case in.idle:
			e.Idle()
		default:
			p := in.Packet
			buf = append(buf[:0], p.Payload...)
			p.Payload = buf
			if err := e.Packet(&p); err != nil {
				t.Fatal(err)
			}
			clear(buf)
		}
	}
	stats, err := e.Close()
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), stats
}

func runModel(cfg engine.Config, ins []input) (string, engine.Stats) {
	m := newModel(cfg)
	for i := range ins {
		switch {
		case ins[i].file != "":
			m.open(ins[i].file)
		case !ins[i].idle:
			m.packet(&ins[i].Packet)
		}
	}
	m.end()
	return m.output(), m.stats
}

// drawInputs draws captures in which things wait, are undecided, get lost in other traffic, fall silent
// and come back.
func drawInputs(t *rapid.T) []input {
	var ins []input
	frame, now := uint64(0), int64(1e18)
	convs := rapid.IntRange(1, 12).Draw(t, "conversations")
	kinds := rapid.SampledFrom([]string{"M", "MMMMW", "MWWD", "MWDFF", "WWWWWWM", "MMWWG"}).Draw(t, "kinds")
	steps := rapid.SampledFrom([][]int64{
		{1e6}, {0, 1e6, -5e6, 3e8}, {1e6, 1e6, 1e6, 2e9}, {1e6, 5e8, 1e9, 61e9, 121e9}, {0},
	}).Draw(t, "steps")
	sizes := rapid.SampledFrom([][]int{{40}, {toyHeader, 60000}, {60000}}).Draw(t, "sizes")
	large := 12 << 20 // bytes to come in large datagrams
	for range rapid.IntRange(1, 40).Draw(t, "segments") {
		switch rapid.IntRange(0, 40).Draw(t, "what") {
		case 0:
			ins = append(ins, input{file: fmt.Sprint("file", len(ins))})
			frame = 0
			continue
		case 1:
			ins = append(ins, input{idle: true})
			continue
		case 2:
			frame++
			ins = append(ins, input{Packet: dissect.Packet{Frame: frame, Time: now, HasTime: true, Length: 60, Note: "ARP"}})
			continue
		}
		d := toyDatagram{
			kind: rapid.SampledFrom([]byte(kinds)).Draw(t, "kind"),
			conv: byte(rapid.IntRange(0, convs-1).Draw(t, "conversation")),
			direction: rapid.SampledFrom([]dissect.Direction{
				dissect.ClientToServer, dissect.ServerToClient,
				dissect.ClientToServer, dissect.ServerToClient, dissect.Undecidable,
			}).Draw(t, "direction"),
			brings: byte(rapid.IntRange(0, 6).Draw(t, "brings")),
			needs:  byte(max(0, rapid.IntRange(-12, 6).Draw(t, "needs"))),
			flags:  byte(rapid.IntRange(0, 3).Draw(t, "flags")),
			size:   rapid.SampledFrom(sizes).Draw(t, "size"),
		}
		step := rapid.SampledFrom(steps).Draw(t, "step")
		timed := rapid.IntRange(0, 9).Draw(t, "timed") > 0
		for range rapid.SampledFrom([]int{1, 1, 1, 2, 7, 150, 256}).Draw(t, "times") {
			frame++
			now += step
			if large -= d.size; large < 0 {
				d.size = toyHeader
			}
			p := d.packet(frame)
			if timed {
				p.Time, p.HasTime = now, true
			}
			ins = append(ins, input{Packet: p})
		}
	}
	return ins
}

func TestEngineDoesWhatTheModelDoes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cfg := engine.Config{
			Protocols: toys(),
			Finish:    toyLine,
			NoWait:    rapid.IntRange(0, 9).Draw(t, "no wait") == 0,
			All:       rapid.Bool().Draw(t, "all"),
		}
		if every := rapid.Uint64Range(0, 3).Draw(t, "select"); every > 0 {
			cfg.Select = func(frame uint64) bool { return frame%every == 0 }
		}
		ins := drawInputs(t)
		want, wantStats := runModel(cfg, ins)
		for _, workers := range []int{0, 1, 2, 3, 8} {
			cfg.Workers = workers
			cfg.Batch.Packets = rapid.SampledFrom([]int{1, 5, 256}).Draw(t, "batch")
			got, stats := runEngine(t, cfg, ins)
			if got != want {
				t.Fatalf("%d workers: output (-want +got):\n%s", workers,
					cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
			}
			if diff := cmp.Diff(wantStats, stats); diff != "" {
				t.Fatalf("%d workers: stats (-want +got):\n%s", workers, diff)
			}
		}
	})
}

// At the end of each input conversations are heard in the order of their streams, whoever has them.
func TestEndsComeInOrder(t *testing.T) {
	t.Parallel()
	var ins []input
	for i := range 40 {
		ins = append(ins, input{Packet: toyDatagram{
			kind: toyMine, conv: byte(i), direction: dissect.ClientToServer,
			size: toyHeader,
		}.packet(uint64(i + 1))})
	}
	line := func(_ int, dst []byte, r *dissect.Record) ([]byte, error) {
		return fmt.Appendf(dst, "%d %t\n", r.Stream, r.Closing), nil
	}
	var want []byte
	for i := range 40 {
		want = fmt.Appendf(want, "%d false\n", i)
	}
	for i := 1; i < 40; i += 2 {
		want = fmt.Appendf(want, "%d true\n", i)
	}
	cfg := engine.Config{Protocols: []*dissect.Protocol{
		(&toy{name: "even", ends: true}).protocol(),
		(&toy{name: "odd", odd: 1, ends: true}).protocol(),
	}, Finish: line, Options: dissect.Options{Events: true}}
	for _, workers := range []int{0, 1, 2, 3, 8} {
		cfg.Workers = workers
		got, stats := runEngine(t, cfg, ins)
		if diff := cmp.Diff(string(want), got); diff != "" || stats.Game != 40 {
			t.Errorf("%d workers, %d datagrams (-want +got):\n%s", workers, stats.Game, diff)
		}
	}
	var got []byte
	packets := func(yield func(*dissect.Packet, error) bool) {
		for i := range ins {
			if !yield(&ins[i].Packet, nil) {
				return
			}
		}
	}
	for rec, err := range engine.Records(packets, cfg) {
		if err != nil {
			t.Fatal(err)
		}
		got, _ = line(0, got, rec)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("Records (-want +got):\n%s", diff)
	}
}
