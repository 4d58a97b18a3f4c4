package main

import (
	"fmt"
	"io"
	"path/filepath"
	"time"
)

// A progress shows on standard error how far a long run is: packets, packets per second and, of a file whose size
// is known, the share that was read and the time left. It is silent where standard error is not a terminal and where
// the records go to a terminal themselves.
type progress struct {
	w     io.Writer // nil: silent
	next  time.Time // of the next line
	shown bool      // a line is there

	begun   time.Time // of the present input
	input   *source
	packets uint64 // read before it
}

const (
	progressAfter  = 2 * time.Second // of a run, so that short ones stay calm
	progressEvery  = 500 * time.Millisecond
	progressChecks = 1 << 12 // packets between two looks at the clock; a power of two
	eraseLine      = "\r\x1b[K"
)

func (pl *plan) newProgress() progress {
	if pl.quiet || !isTerminal(pl.stderr) || isTerminal(pl.stdout) {
		return progress{}
	}
	return progress{w: pl.stderr, next: time.Now().Add(progressAfter)}
}

// tick is called for every packet. packets counts those read so far.
func (g *progress) tick(src *source, packets uint64) {
	if g.w == nil {
		return
	}
	if g.input != src {
		g.input, g.begun, g.packets = src, time.Now(), packets-1
	}
	if packets&(progressChecks-1) != 0 {
		return
	}
	now := time.Now()
	if now.Before(g.next) {
		return
	}
	g.next = now.Add(progressEvery)
	g.shown = true
	fmt.Fprintf(g.w, eraseLine+"%s: %s", visible(filepath.Base(src.name)), progressText(packets, packets-g.packets, src.read, src.size, now.Sub(g.begun)))
}

// progressText says "1200000 packets, 400000/s, 60 %, 2s left" of a run that took some time for so many of its
// packets and so many bytes of its input; a size of 0 is unknown.
func progressText(packets, inInput uint64, read, size int64, took time.Duration) string {
	text := fmt.Sprintf("%d packets, %.0f/s", packets, float64(inInput)/max(took.Seconds(), 1e-3))
	if size <= 0 || read <= 0 {
		return text
	}
	read = min(read, size)
	left := time.Duration(float64(took) * float64(size-read) / float64(read))
	return fmt.Sprintf("%s, %d %%, %s left", text, 100*read/size, left.Round(time.Second))
}

// clear makes room for other text.
func (g *progress) clear() {
	if g.shown {
		fmt.Fprint(g.w, eraseLine)
		g.shown = false
	}
}
