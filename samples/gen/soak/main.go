//go:build unix

// Command soak streams made traffic through q3dissect and measures what it takes: floods of handshakes, lone datagrams
// and fragments, many pairs of endpoints, and play without end. It fails where a bound of docs/limits.md does not hold.
//
//	go run ./samples/gen/soak [-only NAME] [-play 10G] [-pairs 1000000] [-program ./q3dissect] [-capture FILE] [-files PATTERNS]
//
// Nothing is written to the disk but the two programs: the generator writes into a pipe.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Bounds of docs/limits.md.
const (
	mostMemory = 300 // MB, at the peak
	evenness   = 1.25
)

// A trial is one run of the program.
type trial struct {
	name string
	gen  []string // arguments of the generator
}

// A group of trials belongs together: what is measured of the last is compared with the first.
type group struct {
	name   string
	trials []trial
	// What must not grow from the first to the last by more than evenness.
	flatTime, flatMemory bool
}

// A result is what a trial took.
type result struct {
	packets int
	user    time.Duration // of the processor, by the program alone
	peak    int           // MB
}

func (r result) perPacket() float64 {
	return float64(r.user.Microseconds()) / float64(max(r.packets, 1))
}

func main() {
	s := soak{}
	flag.StringVar(&s.program, "program", "", "the program to run; built when it is not given")
	flag.StringVar(&s.only, "only", "", "groups whose names begin so")
	flag.StringVar(&s.capture, "capture", "samples/quake3/68-natrebind.pcap", "play that is repeated")
	flag.StringVar(&s.play, "play", "1G,3G,10G", "sizes to which play is repeated")
	flag.IntVar(&s.pairs, "pairs", 1_000_000, "pairs of endpoints in each flood")
	flag.StringVar(&s.files, "files", "samples/*/*.*", "files that each verb reads, as patterns with commas")
	flag.Parse()
	if err := s.run(); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

type soak struct {
	program, only, capture, play, files string
	pairs                               int
	gen                                 string
}

func (s *soak) groups() []group {
	flood := func(kind string, n, rounds int) trial {
		return trial{fmt.Sprintf("%s × %d", kind, n*rounds), []string{
			"flood", "-kind", kind, "-n", strconv.Itoa(n),
			"-rounds", strconv.Itoa(rounds),
		}}
	}
	var list []group
	for _, kind := range []string{"query", "enet"} {
		known := group{name: "known pairs of " + kind, flatTime: true}
		for _, n := range []int{10_000, 50_000} {
			t := flood(kind, n, max(1, s.pairs/n))
			t.name = fmt.Sprintf("%d pairs, again and again, %s", n, kind)
			known.trials = append(known.trials, t)
		}
		fresh := group{name: "new pairs of " + kind, flatTime: true}
		for n := 100_000; n <= s.pairs; n *= 10 {
			t := flood(kind, n, 1)
			t.name = fmt.Sprintf("%d pairs, each once, %s", n, kind)
			fresh.trials = append(fresh.trials, t)
		}
		list = append(list, known, fresh)
	}
	for _, kind := range []string{
		"connect", "challenge", "token", "enet", "directplay8", "netchan", "query",
		"fragment", "ipfragment",
	} {
		list = append(list, group{name: kind, trials: []trial{flood(kind, s.pairs, 1)}})
	}
	play := group{name: "play", flatTime: true, flatMemory: true}
	for _, size := range strings.Split(s.play, ",") {
		play.trials = append(play.trials, trial{"play, " + size, []string{"repeat", "-size", size, s.capture}})
	}
	return append(list, play)
}

func (s *soak) run() error {
	folder, err := os.MkdirTemp("", "soak")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if s.gen, err = build(folder, "./samples/gen"); err != nil {
		return err
	}
	if s.program == "" {
		if s.program, err = build(folder, "./cmd/q3dissect"); err != nil {
			return err
		}
	}
	fmt.Printf("%-44s %12s %10s %12s %8s\n", "", "packets", "user s", "µs/packet", "peak MB")
	var failures []error
	for _, g := range s.groups() {
		if strings.HasPrefix(g.name, s.only) {
			failures = append(failures, s.measure(g))
		}
	}
	if strings.HasPrefix("files", s.only) {
		failures = append(failures, s.measureFiles())
	}
	return errors.Join(failures...)
}

// measure runs the trials of a group and reports what does not hold.
func (s *soak) measure(g group) error {
	var failures []error
	var first result
	for i, t := range g.trials {
		r, err := s.try(t)
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		fmt.Printf("%-44s %12d %10.2f %12.2f %8d\n", t.name, r.packets, r.user.Seconds(), r.perPacket(), r.peak)
		if r.peak > mostMemory {
			failures = append(failures, fmt.Errorf("%s takes %d MB, %d are allowed", t.name, r.peak, mostMemory))
		}
		if i == 0 {
			first = r
			continue
		}
		if g.flatTime && r.perPacket() > evenness*first.perPacket() {
			failures = append(failures, fmt.Errorf("%s takes %.2f µs for a packet, %s %.2f", t.name, r.perPacket(),
				g.trials[0].name, first.perPacket()))
		}
		if g.flatMemory && float64(r.peak) > evenness*float64(first.peak) {
			failures = append(failures, fmt.Errorf("%s takes %d MB, %s %d", t.name, r.peak, g.trials[0].name, first.peak))
		}
	}
	return errors.Join(failures...)
}

var packetsOf = regexp.MustCompile(`(\d+) packets`)

// try pipes what the generator writes into the program.
func (s *soak) try(t trial) (r result, err error) {
	read, write, err := os.Pipe()
	if err != nil {
		return r, err
	}
	at := len(t.gen)
	if t.gen[0] == "repeat" { // its input comes last
		at--
	}
	args := append(append(t.gen[:at:at], "-o", "/dev/stdout"), t.gen[at:]...)
	gen := exec.Command(s.gen, args...)
	var said, wrote strings.Builder
	gen.Stdout, gen.Stderr = write, &wrote
	program := exec.Command(s.program, "-", "-q", "-j", "1")
	program.Stdin, program.Stderr = read, &said
	if err := gen.Start(); err != nil {
		return r, err
	}
	err = program.Start()
	write.Close()
	read.Close()
	if err != nil {
		return r, errors.Join(err, gen.Process.Kill(), gen.Wait())
	}
	if err := errors.Join(program.Wait(), gen.Wait()); err != nil {
		return r, fmt.Errorf("%w: %s%s", err, wrote.String(), said.String())
	}
	if m := packetsOf.FindStringSubmatch(wrote.String()); m != nil {
		r.packets, _ = strconv.Atoi(m[1])
	}
	r.user = program.ProcessState.UserTime()
	r.peak = int(program.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) >> 10
	if runtime.GOOS == "darwin" { // in bytes there
		r.peak >>= 10
	}
	return r, nil
}

func build(folder, pkg string) (string, error) {
	name := filepath.Join(folder, filepath.Base(pkg))
	out, err := exec.Command("go", "build", "-o", name, pkg).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return name, nil
}
