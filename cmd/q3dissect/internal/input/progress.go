package input

import (
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
)

// A Progress shows the progress of a long run on standard error: packets, packets per second and, for a file of
// known size, the share that was read and the time left. It is silent if standard error is not a terminal, or
// if the records go to a terminal themselves.
type Progress struct {
	w     io.Writer // nil: silent
	next  time.Time // of the next line
	shown bool      // a line is there

	begun   time.Time // of the present input
	input   *Source
	packets uint64 // read before it
}

const (
	progressAfter  = 2 * time.Second // of a run, so that short ones show none
	progressEvery  = 500 * time.Millisecond
	progressChecks = 1 << 12 // packets between two looks at the clock; a power of two
	eraseLine      = "\r\x1b[K"
)

// NewProgress starts it, if there is a terminal to show it on. toFiles means that no records go to standard output.
func NewProgress(c *console.Console, toFiles bool) Progress {
	if !terminal.Is(c.Stderr) || terminal.Is(c.Stdout) && !toFiles {
		return Progress{}
	}
	return Progress{w: c.Stderr, next: time.Now().Add(progressAfter)}
}

// A FileProgress shows how many files of a long run are done, and how far the file is that was last worked on. It is
// safe for concurrent use; nil shows nothing.
type FileProgress struct {
	mu    sync.Mutex
	w     io.Writer // nil: silent
	total int
	files int
	next  time.Time
	shown bool
}

// NewFileProgress starts it, on w unless that is nil.
func NewFileProgress(w io.Writer, total int) *FileProgress {
	return &FileProgress{w: w, total: total, next: time.Now().Add(progressAfter)}
}

// Tick counts another file.
func (g *FileProgress) Tick() {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.files++
	g.show("")
}

// Record is called for every record of a file. count counts them.
func (g *FileProgress) Record(name string, count int) {
	if g == nil || g.w == nil || count&(progressChecks-1) != 0 {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.show(fmt.Sprintf("; %s: %d packets", terminal.Visible(filepath.Base(name)), count))
}

// show shows the line, unless it is not yet time.
func (g *FileProgress) show(more string) {
	if g.w == nil {
		return
	}
	if now := time.Now(); now.After(g.next) {
		g.next, g.shown = now.Add(progressEvery), true
		fmt.Fprintf(g.w, eraseLine+"%d of %d files%s", g.files, g.total, more)
	}
}

// Clear makes room for other text.
func (g *FileProgress) Clear() {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shown {
		fmt.Fprint(g.w, eraseLine)
		g.shown = false
	}
}

// Tick is called for every packet. packets counts those read so far.
func (g *Progress) Tick(src *Source, packets uint64) {
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
	fmt.Fprintf(g.w, eraseLine+"%s: %s", terminal.Visible(filepath.Base(src.Name)),
		progressText(packets, packets-g.packets, src.read, src.size, now.Sub(g.begun)))
}

// progressText returns "1200000 packets, 400000/s, 60 %, 2s left" for a run that took some time for a number of
// packets and bytes of its input; a size of 0 is unknown.
func progressText(packets, inInput uint64, read, size int64, took time.Duration) string {
	text := fmt.Sprintf("%d packets, %.0f/s", packets, float64(inInput)/max(took.Seconds(), 1e-3))
	if size <= 0 || read <= 0 {
		return text
	}
	read = min(read, size)
	left := time.Duration(float64(took) * float64(size-read) / float64(read))
	return fmt.Sprintf("%s, %d %%, %s left", text, 100*read/size, left.Round(time.Second))
}

// Clear makes room for other text.
func (g *Progress) Clear() {
	if g.shown {
		fmt.Fprint(g.w, eraseLine)
		g.shown = false
	}
}
