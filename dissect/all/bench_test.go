package all_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// The benchmarks of this file take a whole capture through the program: make bench makes large ones and
// runs each once per count. Without them a sample is read.

// benchCapture returns the path of a benchmark's capture.
func benchCapture(b *testing.B, name string) string {
	b.Helper()
	dir := os.Getenv("Q3DISSECT_BENCH")
	if dir == "" {
		return filepath.Join(root, "samples", "quake3", "68-natrebind.pcap")
	}
	return filepath.Join(dir, name)
}

// BenchmarkPlay decodes game traffic with one worker, from the file to nowhere.
func BenchmarkPlay(b *testing.B) {
	for _, way := range reftest.Ways {
		b.Run(way.Name, func(b *testing.B) { benchEngine(b, benchCapture(b, "play.pcap"), way.Finish) })
	}
}

// BenchmarkForeign reads a capture in which one packet in a hundred belongs to a game.
func BenchmarkForeign(b *testing.B) {
	benchEngine(b, benchCapture(b, "foreign.pcap"), reftest.Ways[2].Finish)
}

func benchEngine(b *testing.B, path string, finish reftest.Finish) {
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	b.ReportAllocs()
	var packets uint64
	for b.Loop() {
		_, n := reftest.Dissect(b, path, reftest.Run{Finish: finish, Output: reftest.Discard})
		packets += n
	}
	b.ReportMetric(float64(packets)/b.Elapsed().Seconds(), "packets/s")
}

// BenchmarkCommand runs the program itself with one worker and its output thrown away: time, processor
// time and, on Linux, the most memory that it had at once.
func BenchmarkCommand(b *testing.B) {
	program := buildProgram(b)
	commands := []struct {
		name, capture string
		args          []string
	}{
		{"json", "play.pcap", []string{"--json"}},
		{"list", "play.pcap", nil},
		{"foreign", "foreign.pcap", nil},
	}
	for _, c := range commands {
		b.Run(c.name, func(b *testing.B) {
			path := benchCapture(b, c.capture)
			info, err := os.Stat(path)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(info.Size())
			_, packets := reftest.Dissect(b, path, reftest.Run{})
			var used time.Duration
			var peak int64
			for b.Loop() {
				command := exec.Command(program, append(c.args, "-j", "1", path)...)
				if err := command.Start(); err != nil {
					b.Fatal(err)
				}
				done := make(chan int64)
				go func() { done <- peakMemory(command.Process.Pid) }()
				if err := command.Wait(); err != nil {
					b.Fatal(err)
				}
				used += command.ProcessState.UserTime() + command.ProcessState.SystemTime()
				peak = max(peak, <-done)
			}
			b.ReportMetric(float64(packets)*float64(b.N)/b.Elapsed().Seconds(), "packets/s")
			b.ReportMetric(used.Seconds()/float64(b.N), "cpu-s/op")
			if peak > 0 {
				b.ReportMetric(float64(peak)/1e6, "peak-MB")
			}
		})
	}
}

// buildProgram returns the path of the program.
func buildProgram(b *testing.B) string {
	b.Helper()
	program := filepath.Join(b.TempDir(), "q3dissect")
	build := exec.Command("go", "build", "-o", program, "./cmd/q3dissect")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return program
}

// peakMemory watches a process until it ends and gives the most memory in bytes that it had, 0 where the
// system does not say (VmHWM of proc_pid_status(5)). The number of getrusage(2) would not do: it begins with
// what the parent has.
func peakMemory(pid int) int64 {
	var peak int64
	for {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			return peak
		}
		_, after, found := strings.Cut(string(status), "VmHWM:")
		if !found { // it has ended and is not waited for yet, or this is not Linux
			return peak
		}
		if kib, err := strconv.ParseInt(strings.Fields(after)[0], 10, 64); err == nil {
			peak = max(peak, kib<<10)
		}
		time.Sleep(2 * time.Millisecond)
	}
}
