package truth_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/quake3"
)

// BenchmarkDemos decodes demos from memory on one goroutine, each from its first message to its last: for
// their state alone, into a tree, and into JSON, whose bytes are counted then. Demos are small: each is
// decoded many times, and best-MB/s takes the fastest time of each, which is what a machine does that is
// left alone.
func BenchmarkDemos(b *testing.B) {
	const repeats = 50
	p := quake3.New()
	for _, suffix := range []string{"dm3", "dm_66", "dm_68", "dm_71", "dm_91"} {
		demos := intactDemos(b, suffix)
		for _, way := range reftest.Ways[:3] {
			b.Run(suffix+"/"+way.Name, func(b *testing.B) {
				best := make([]time.Duration, len(demos))
				sizes := make([]int, len(demos))
				b.ReportAllocs()
				for b.Loop() {
					for range repeats {
						for i := range demos {
							began := time.Now()
							sizes[i] = demos[i].decode(b, p, way.Finish)
							if took := time.Since(began); best[i] == 0 || took < best[i] {
								best[i] = took
							}
						}
					}
				}
				var size int
				var quick time.Duration
				for i := range demos {
					size += sizes[i]
					quick += best[i]
				}
				b.SetBytes(int64(repeats * size))
				b.ReportMetric(float64(size)/quick.Seconds()/1e6, "best-MB/s")
			})
		}
	}
}

type demoFile struct {
	name  string
	bytes []byte
}

// intactDemos reads the demos of one kind: the players', and those that clients of the captures recorded.
func intactDemos(tb testing.TB, suffix string) (demos []demoFile) {
	tb.Helper()
	for _, dir := range []string{recordings(tb), reference.Folder(tb, "captures", "quake3")} {
		names, err := filepath.Glob(filepath.Join(dir, "*."+suffix))
		if err != nil {
			tb.Fatal(err)
		}
		for _, name := range names {
			if base := filepath.Base(name); strings.HasPrefix(base, "invalid_") || strings.HasPrefix(base, "truncated") {
				continue
			}
			content, err := os.ReadFile(name)
			if err != nil {
				tb.Fatal(err)
			}
			demos = append(demos, demoFile{name, content})
		}
	}
	if len(demos) == 0 {
		tb.Fatalf("no reference demo ends in .%s", suffix)
	}
	return demos
}

// decode decodes the demo and gives how many bytes it has, or how many were made of it where finish writes.
func (d *demoFile) decode(b *testing.B, p *dissect.Protocol, finish reftest.Finish) (size int) {
	demo, ok := p.OpenRecording(bytes.NewReader(d.bytes), d.bytes[:min(len(d.bytes), dissect.RecordingHead)], d.name, 0)
	if !ok {
		b.Fatalf("%s is no demo", d.name)
	}
	c, rec := p.NewConversation(dissect.Options{}), dissect.NewRecord()
	var out []byte
	for {
		packet, err := demo.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			b.Fatalf("%s: %v", d.name, err)
		}
		rec.Tree.Reset()
		rec.Packet, rec.Hint, rec.NoTree = *packet, packet.RecorderHint, finish == nil
		rec.Protocol, rec.Direction, rec.Final = p, dissect.ServerToClient, true
		if c.Dissect(rec); rec.Damaged || len(rec.Experts) > 0 {
			b.Fatalf("%s: message %d is damaged: %v", d.name, packet.Frame, rec.Experts)
		}
		if finish != nil {
			out = finish(0, out[:0], rec)
			size += len(out)
		}
	}
	c.Shrink() // as the engine does at the end of an input
	if size == 0 {
		return len(d.bytes)
	}
	return size
}
