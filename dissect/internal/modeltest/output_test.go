package modeltest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
)

var errFull = errors.New("disk full")

// An error of Output or Flush is returned, stops everything, and nothing is written after it.
func TestOutputErrorStopsEverything(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{0, 1, 3} {
		for _, at := range []int{0, 1, 5} {
			for _, flush := range []bool{false, true} {
				t.Run(fmt.Sprintf("%d workers, call %d, flush %t", workers, at, flush), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) { outputError(t, workers, at, flush) })
				})
			}
		}
	}
}

func outputError(t *testing.T, workers, at int, flush bool) {
	calls, failed := 0, false
	fails := func() error {
		if failed {
			t.Error("called after the error")
		}
		if calls++; calls > at {
			failed = true
			return errFull
		}
		return nil
	}
	cfg := engine.Config{
		Protocols: toys(), Workers: workers,
		Finish: func(_ int, dst []byte, _ *dissect.Record) ([]byte, error) {
			return append(dst, make([]byte, 200)...), nil
		},
	}
	if flush {
		cfg.Output, cfg.Flush = func([]byte) error { return nil }, fails
	} else {
		cfg.Output = func([]byte) error { return fails() }
	}
	e, err := engine.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	sent := 0
	for ; err == nil && sent < 100_000; sent++ {
		// Some records wait for ever, so that others wait in the writer.
		p := c2s.with(func(d *toyDatagram) { d.conv = byte(sent % 7); d.needs = byte(sent%501) / 250 }).packet(1)
		if err = e.Packet(&p); err == nil && sent%256 == 255 {
			e.Idle()
			synctest.Wait()
		}
	}
	if !errors.Is(err, errFull) || sent > 20_000 {
		t.Errorf("after %d packets: %v", sent, err)
	}
	e.Idle()
	e.File("next")
	if _, err := e.Close(); !errors.Is(err, errFull) {
		t.Errorf("Close: %v", err)
	}
	if _, err := e.Close(); !errors.Is(err, errFull) {
		t.Errorf("second Close: %v", err)
	}
}

// An error of Finish, FinishTo or InOrder ends the run: everything before it is written, whatever order the
// records were dissected in, and nothing of it or after it.
func TestFinishErrorEndsTheRun(t *testing.T) {
	t.Parallel()
	// Frame 3 waits for frame 900, so it is finished after many later ones.
	ins := sequence(sent{c2s, 0, 2}, sent{c2s.with(func(d *toyDatagram) { d.conv, d.needs = 2, 9 }), 0, 1},
		sent{c2s, 0, 100},
		sent{c2s.with(func(d *toyDatagram) { d.conv = 4 }), 0, 700})
	whole, _ := runEngine(t, engine.Config{Protocols: toys(), Finish: toyLine}, ins)
	lines := strings.SplitAfter(whole, "\n")
	frames := []int{1, 2, 3, 4, 300, 803}
	for i, frame := range slices.Concat(frames, frames, frames) {
		for _, workers := range []int{0, 1, 2, 5} {
			way := []string{"Finish", "FinishTo", "InOrder"}[i/len(frames)]
			t.Run(fmt.Sprintf("%s, %d workers, frame %d", way, workers, frame), func(t *testing.T) {
				t.Parallel()
				var got strings.Builder
				flushed := 0
				fault := func(n uint64) error {
					if n >= uint64(frame) && (n-uint64(frame))%50 == 0 { // the first of many counts
						return fmt.Errorf("frame %d: %w", n, errFull)
					}
					return nil
				}
				cfg := engine.Config{
					Batch:     engine.BatchSize{Packets: 16, Bytes: 1 << 20},
					Protocols: toys(), Workers: workers,
					Output: func(b []byte) error { got.Write(b); return nil },
					Flush:  func() error { flushed = got.Len(); return nil },
				}
				switch way {
				case "Finish":
					cfg.Finish = func(worker int, dst []byte, rec *dissect.Record) ([]byte, error) {
						dst, _ = toyLine(worker, dst, rec)
						return dst, fault(rec.Frame)
					}
				case "FinishTo":
					cfg.FinishTo = func(out *engine.Out, rec *dissect.Record) error {
						out.Bytes, _ = toyLine(out.Worker, out.Bytes, rec)
						return fault(rec.Frame)
					}
				case "InOrder":
					cfg.FinishTo = keepLine
					cfg.InOrder = func(dst []byte, k *engine.Kept) ([]byte, error) { return append(dst, k.Bytes...), fault(k.Frame) }
				}
				e, err := engine.New(cfg)
				if err != nil {
					t.Fatal(err)
				}
				for i := range ins {
					if e.Packet(&ins[i].Packet) != nil {
						break
					}
				}
				_, err = e.Close()
				if want := fmt.Sprintf("frame %d: disk full", frame); !errors.Is(err, errFull) || err.Error() != want {
					t.Errorf("Close: %v, want %s", err, want)
				}
				if want := strings.Join(lines[:frame-1], ""); got.String() != want || flushed != len(want) {
					t.Errorf("%d bytes were written, %d flushed, want the %d of the records before", got.Len(), flushed, len(want))
				}
			})
		}
	}
}

// keepLine is a FinishTo that leaves the line of a record to InOrder.
func keepLine(out *engine.Out, rec *dissect.Record) error {
	k := out.Keep(rec)
	k.Bytes, _ = toyLine(out.Worker, k.Bytes, rec)
	return nil
}

// What FinishTo writes to lanes, and keeps, is in the order of the packets, like the output of Finish.
func TestFinishTo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ins := drawInputs(t)
		cfg := engine.Config{
			Protocols: toys(), Workers: rapid.IntRange(0, 3).Draw(t, "workers"), All: true,
			Batch: engine.BatchSize{Packets: rapid.IntRange(1, 9).Draw(t, "packets"), Bytes: 1 << 20},
		}
		ways := uint64(rapid.IntRange(1, 4).Draw(t, "ways")) // by frame: Output, InOrder and lanes
		var want [2]string
		for n := range want {
			cfg.Finish = func(worker int, dst []byte, rec *dissect.Record) ([]byte, error) {
				if (rec.Frame%ways > 1) == (n == 1) {
					return toyLine(worker, dst, rec)
				}
				return dst, nil
			}
			want[n], _ = runEngine(t, cfg, ins)
		}
		var lane strings.Builder
		write := func(b []byte) error { lane.Write(b); return nil }
		cfg.Lanes = []func([]byte) error{write, write}
		cfg.InOrder = func(dst []byte, k *engine.Kept) ([]byte, error) { return append(dst, k.Bytes...), nil }
		cfg.FinishTo = func(out *engine.Out, rec *dissect.Record) error {
			way := int(rec.Frame % ways)
			if way == 1 {
				return keepLine(out, rec)
			}
			out.Bytes, _ = toyLine(out.Worker, out.Bytes, rec)
			if way > 1 {
				out.Lane(way - 1)
			}
			return nil
		}
		got, _ := runEngine(t, cfg, ins)
		if diff := cmp.Diff(want[:], []string{got, lane.String()}); diff != "" {
			t.Fatalf("(-Finish +FinishTo):\n%.2000s", diff)
		}
	})
}

// With Before the records that are shown are the same as without, whatever happens to the others.
func TestBefore(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ins := drawInputs(t)
		cfg := engine.Config{
			Protocols: toys(), Finish: toyLine, Workers: rapid.IntRange(0, 3).Draw(t, "workers"),
			All: rapid.Bool().Draw(t, "all"), NoWait: rapid.Bool().Draw(t, "no wait"),
		}
		cfg.Batch = engine.BatchSize{Packets: rapid.IntRange(1, 9).Draw(t, "packets"), Bytes: 1 << 20}
		all, whole := runEngine(t, cfg, ins)
		frames, streams := rapid.IntRange(1, 4).Draw(t, "frames"), rapid.IntRange(1, 4).Draw(t, "streams")
		cfg.Before = func(r *engine.Routed) engine.Fate {
			switch {
			case r.Stream >= 0 && r.Stream%streams != 0:
				return engine.LeftOut
			case r.Frame%uint64(frames) != 0:
				return engine.StateOnly
			}
			return engine.Shown
		}
		got, stats := runEngine(t, cfg, ins)

		var want strings.Builder
		for line := range strings.Lines(all) {
			var frame, stream int
			var file, protocol string
			head, rest, _ := strings.Cut(line, "#")
			file = head
			if _, err := fmt.Sscanf(rest, "%d %s %d", &frame, &protocol, &stream); err != nil {
				t.Fatal(err, file)
			}
			if frame%frames == 0 && (stream < 0 || stream%streams == 0) {
				want.WriteString(line)
			}
		}
		if diff := cmp.Diff(want.String(), got); diff != "" {
			t.Fatal("(-want +got):", diff)
		}
		if diff := cmp.Diff(whole.ByProtocol, stats.ByProtocol); diff != "" || whole.Game != stats.Game {
			t.Fatal("counts (-want +got):", diff, whole.Game, stats.Game)
		}
		if streams == 1 && stats.LeftOut != 0 {
			t.Fatal("left out:", stats.LeftOut)
		}
	})
}

// A conversation that is left out at its beginning is never dissected, one that is left out later still is.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	even := toyDatagram{kind: toyMine, direction: dissect.ClientToServer}
	other := even.with(func(d *toyDatagram) { d.conv = 2 })
	dissected := map[uint64]bool{}
	cfg := engine.Config{
		Protocols: []*dissect.Protocol{(&toy{
			name:      "even",
			dissected: func(r *dissect.Record, _ bool) { dissected[r.Frame] = true },
		}).protocol()},
		Finish: toyLine,
		Before: func(r *engine.Routed) engine.Fate {
			if r.Stream == 0 && r.Frame < 3 || r.Stream == 1 && r.Frame > 4 {
				return engine.LeftOut
			}
			return engine.Shown
		},
	}
	out, stats := runEngine(t, cfg, sequence(sent{even, 0, 2}, sent{other, 0, 2}, sent{other, 0, 1}, sent{even, 0, 1}))
	if diff := cmp.Diff(map[uint64]bool{3: true, 4: true, 5: true}, dissected); diff != "" {
		t.Error("dissected (-want +got):", diff)
	}
	if n := strings.Count(out, "\n"); n != 2 || stats.LeftOut != 3 || stats.Game != 6 {
		t.Errorf("%d lines, %d left out of %d:\n%s", n, stats.LeftOut, stats.Game, out)
	}
}
