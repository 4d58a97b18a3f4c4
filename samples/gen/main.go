// Command gen makes captures out of captures: the samples beside it and the large files of the benchmarks.
//
//	go run ./samples/gen cut -o OUT [-frames 1-200,300] [-drop 7] [-ports 27960,27965] [-without TEXT] IN
//	go run ./samples/gen truth -o OUT [-frames 1-200,300] [-drop 7] [-lines 1-20] IN
//	go run ./samples/gen repeat -o OUT -size 200M [-foreign 99] IN
//	go run ./samples/gen repeat -o OUT -first 44 -copies 20000 [-every 1ms] IN
//	go run ./samples/gen flood -o OUT -kind connect -n 1000000 [-usec 100]
//	go run ./samples/gen foreign -o OUT [-kind quake2] [-seeds 8] [-usec 100]
//
// cut takes packets out of a capture and changes nothing in them. truth takes what a game said of those packets out of
// a file of JSON lines, or lines out of a log; samples/truth has made all that the samples need. repeat writes a
// capture, or its beginning, again and again, later each time and between other addresses, so that every copy is
// another set of conversations. flood makes handshakes and the like between endpoints of their own, foreign the traffic
// of programs that are not dissected.
//
// cut and repeat read and write pcap; link type, byte order and resolution stay those of the input. The same input and
// flags give the same bytes.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(2)
	}
}

var errUsage = errors.New("want cut, truth, repeat, flood or foreign, see go doc ./samples/gen")

// run executes the command line.
func run(args []string) error {
	if len(args) == 0 {
		return errUsage
	}
	switch args[0] {
	case "truth":
		return cutTruth(args[1:])
	case "flood":
		return flood(args[1:])
	case "foreign":
		return foreignFlows(args[1:])
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	out := flags.String("o", "", "file to write")
	var change func(in *source, out *sink) error
	switch args[0] {
	case "cut":
		var c cut
		c.flags(flags)
		change = c.run
	case "repeat":
		var r repeat
		r.flags(flags)
		change = r.run
	default:
		return errUsage
	}
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if *out == "" || flags.NArg() != 1 {
		return errors.New("want -o OUT and one input")
	}
	return convert(flags.Arg(0), *out, change)
}

// convert opens both files and lets change pass the packets on.
func convert(from, to string, change func(*source, *sink) error) (err error) {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	in, err := newSource(f)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	g, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	out, err := newSink(g, in)
	if err != nil {
		return err
	}
	if err := change(in, out); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	return out.end()
}

// A byteSize is a flag: a number of bytes with an optional K, M or G of 1000.
type byteSize int64

func (b *byteSize) String() string { return strconv.FormatInt(int64(*b), 10) }

// Set reads 200M.
func (b *byteSize) Set(s string) error {
	unit := int64(1)
	for i, letter := range [...]string{"K", "M", "G"} {
		if number, ok := strings.CutSuffix(s, letter); ok {
			s, unit = number, [...]int64{1e3, 1e6, 1e9}[i]
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n <= 0 || n > 1<<40/unit {
		return errors.New("want a number of bytes, as in 200M")
	}
	*b = byteSize(n * unit)
	return nil
}
