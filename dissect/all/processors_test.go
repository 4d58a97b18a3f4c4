package all_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkProcessors runs the program with one processor and with two, in turn. times-cpu is the processor time with
// two as a multiple of that with one: it grows with what workers share and write. times-speed is what the second
// processor gains, if nobody else uses it.
func BenchmarkProcessors(b *testing.B) {
	program := buildProgram(b)
	for _, bb := range []struct {
		name string
		args []string
	}{
		{"state", []string{"-q"}},
		{"list", nil},
		{"json", []string{"--json"}},
		{"bits", []string{"--json", "--bits"}},
		{"filter", []string{"-Y", "quake3.server_message.ops.snapshot.entities.weapon == 77"}},
		{"write", []string{"-w", filepath.Join(b.TempDir(), "out.pcap")}},
		{"events", []string{"events"}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			args := append(bb.args, benchCapture(b, "play.pcap"))
			var cpu, elapsed [2]time.Duration
			for b.Loop() {
				for i, processors := range []string{"1", "2"} {
					command := exec.Command(program, args...)
					command.Env = append(os.Environ(), "GOMAXPROCS="+processors)
					began := time.Now()
					if err := command.Run(); err != nil {
						b.Fatal(err)
					}
					elapsed[i] += time.Since(began)
					cpu[i] += command.ProcessState.UserTime() + command.ProcessState.SystemTime()
				}
			}
			b.ReportMetric(cpu[1].Seconds()/cpu[0].Seconds(), "times-cpu")
			b.ReportMetric(elapsed[0].Seconds()/elapsed[1].Seconds(), "times-speed")
		})
	}
}
