package all_test

import (
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// BenchmarkSequential reads captures with one worker and reports what the goroutine that reads and routes takes:
// front-s/op, and front-%, its share of the program's processor time. It is the part that more processors do not make
// faster: docs/performance.md predicts from it what they are worth.
func BenchmarkSequential(b *testing.B) {
	for _, bb := range []struct {
		name, capture string
		finish        reftest.Finish
	}{
		{"state", "play.pcap", reftest.Ways[0].Finish},
		{"list", "play.pcap", reftest.Ways[3].Finish},
		{"json", "play.pcap", reftest.Ways[2].Finish},
		{"foreign", "foreign.pcap", reftest.Ways[0].Finish},
	} {
		b.Run(bb.name, func(b *testing.B) {
			path := benchCapture(b, bb.capture)
			runtime.LockOSThread() // the thread's time is that of this goroutine
			defer runtime.UnlockOSThread()
			var front, whole time.Duration
			for b.Loop() {
				frontBegan, wholeBegan := processorTime(b, thread), processorTime(b, syscall.RUSAGE_SELF)
				reftest.Dissect(b, path, reftest.Run{Finish: bb.finish, Output: reftest.Discard})
				front += processorTime(b, thread) - frontBegan
				whole += processorTime(b, syscall.RUSAGE_SELF) - wholeBegan
			}
			b.ReportMetric(front.Seconds()/float64(b.N), "front-s/op")
			b.ReportMetric(100*front.Seconds()/whole.Seconds(), "front-%")
		})
	}
}

// thread is RUSAGE_THREAD of getrusage(2), which package syscall does not name.
const thread = 1

// processorTime returns the processor time of the process or the thread until now.
func processorTime(b *testing.B, who int) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(who, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
