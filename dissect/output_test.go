package dissect

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
)

var errFull = errors.New("disk full")

// An error of Output or Flush is returned, stops everything, and nothing is written after it.
func TestOutputErrorStopsEverything(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{1, 3} {
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
	cfg := Config{Protocols: toys(), Workers: workers, Finish: func(_ int, dst []byte, _ *Record) ([]byte, error) {
		return append(dst, make([]byte, 200)...), nil
	}}
	if flush {
		cfg.Output, cfg.Flush = func([]byte) error { return nil }, fails
	} else {
		cfg.Output = func([]byte) error { return fails() }
	}
	e, err := NewEngine(cfg)
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

// An error of Finish ends the run at its record: everything before it is written, whatever order the
// records were dissected in, and nothing of it or after it.
func TestFinishErrorEndsTheRun(t *testing.T) {
	t.Parallel()
	// Frame 3 waits for frame 900, so it is finished after many later ones.
	ins := sequence(sent{c2s, 0, 2}, sent{c2s.with(func(d *toyDatagram) { d.conv, d.needs = 2, 9 }), 0, 1}, sent{c2s, 0, 100},
		sent{c2s.with(func(d *toyDatagram) { d.conv = 4 }), 0, 700})
	whole, _ := runEngine(t, Config{Protocols: toys(), Finish: toyLine}, usualBatch, ins)
	lines := strings.SplitAfter(whole, "\n")
	for _, workers := range []int{1, 2, 5} {
		for _, frame := range []int{1, 2, 3, 4, 300, 803} {
			t.Run(fmt.Sprintf("%d workers, frame %d", workers, frame), func(t *testing.T) {
				t.Parallel()
				var got strings.Builder
				flushed := 0
				e, err := newEngine(Config{
					Protocols: toys(), Workers: workers,
					Finish: func(worker int, dst []byte, rec *Record) ([]byte, error) {
						dst, _ = toyLine(worker, dst, rec)
						if rec.Frame >= uint64(frame) && (rec.Frame-uint64(frame))%50 == 0 { // the first of many counts
							return dst, fmt.Errorf("frame %d: %w", rec.Frame, errFull)
						}
						return dst, nil
					},
					Output: func(b []byte) error { got.Write(b); return nil },
					Flush:  func() error { flushed = got.Len(); return nil },
				}, batchSize{packets: 16, bytes: 1 << 20})
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
