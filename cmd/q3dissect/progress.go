package main

import (
	"fmt"
	"io"
	"path/filepath"
	"time"
)

// A progress tells on standard error how far a long run is. It is silent where that is no terminal or
// where the records go to a terminal themselves.
type progress struct {
	w     io.Writer // nil: silent
	next  time.Time // of the next line
	shown bool      // a line stands there
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
	if g.w == nil || packets&(progressChecks-1) != 0 {
		return
	}
	now := time.Now()
	if now.Before(g.next) {
		return
	}
	g.next = now.Add(progressEvery)
	g.shown = true
	share := ""
	if src.size > 0 {
		share = fmt.Sprintf(", %d %%", min(100*src.read/src.size, 100))
	}
	fmt.Fprintf(g.w, eraseLine+"%s: %d packets%s", visible(filepath.Base(src.name)), packets, share)
}

// clear makes room for other text.
func (g *progress) clear() {
	if g.shown {
		fmt.Fprint(g.w, eraseLine)
		g.shown = false
	}
}
