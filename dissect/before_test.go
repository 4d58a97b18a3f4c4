package dissect

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// With Before the records that are shown are the same as without, whatever happens to the others.
func TestBefore(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ins := drawInputs(t)
		cfg := Config{
			Protocols: toys(), Finish: toyLine, Workers: rapid.IntRange(1, 3).Draw(t, "workers"),
			All: rapid.Bool().Draw(t, "all"), NoWait: rapid.Bool().Draw(t, "no wait"),
		}
		size := batchSize{packets: rapid.IntRange(1, 9).Draw(t, "packets"), bytes: 1 << 20}
		all, whole := runEngine(t, cfg, size, ins)
		frames, streams := rapid.IntRange(1, 4).Draw(t, "frames"), rapid.IntRange(1, 4).Draw(t, "streams")
		cfg.Before = func(r *Routed) Fate {
			switch {
			case r.Stream >= 0 && r.Stream%streams != 0:
				return LeftOut
			case r.Frame%uint64(frames) != 0:
				return StateOnly
			}
			return Shown
		}
		got, stats := runEngine(t, cfg, size, ins)

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
	even := toyDatagram{kind: toyMine, direction: ClientToServer}
	other := even.with(func(d *toyDatagram) { d.conv = 2 })
	dissected := map[uint64]bool{}
	cfg := Config{
		Protocols: []Protocol{&toy{name: "even", dissected: func(r *Record, _ bool) { dissected[r.Frame] = true }}},
		Finish:    toyLine,
		Before: func(r *Routed) Fate {
			if r.Stream == 0 && r.Frame < 3 || r.Stream == 1 && r.Frame > 4 {
				return LeftOut
			}
			return Shown
		},
	}
	out, stats := runEngine(t, cfg, usualBatch, sequence(sent{even, 0, 2}, sent{other, 0, 2}, sent{other, 0, 1}, sent{even, 0, 1}))
	if diff := cmp.Diff(map[uint64]bool{3: true, 4: true, 5: true}, dissected); diff != "" {
		t.Error("dissected (-want +got):", diff)
	}
	if n := strings.Count(out, "\n"); n != 2 || stats.LeftOut != 3 || stats.Game != 6 {
		t.Errorf("%d lines, %d left out of %d:\n%s", n, stats.LeftOut, stats.Game, out)
	}
}
