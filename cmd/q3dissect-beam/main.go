// The command q3dissect-beam dissects many captures and recordings as a job of Apache Beam: on one machine with
// Beam's own runner Prism, which it starts itself, or on a cluster of Flink, Spark or Dataflow.
//
//	q3dissect-beam --input 'captures/*.pcap' --output out --format events
//	q3dissect-beam --input gs://bucket/2026/*.pcap --output gs://bucket/out --format parquet --runner dataflow ...
//
// docs/scale.md describes how it is used, what it costs and what happens when something fails.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

// Exit statuses, as those of q3dissect.
const (
	statusUsage  = 2
	statusFailed = 3 // the job failed
	statusDead   = 4 // it is done, and there are dead letters
)

var (
	inputs = flag.String("input", "", "files, as `GLOB`s with commas between them: paths, gs:// or s3://")
	output = flag.String("output", "", "`FOLDER` for the results: a path, gs:// or s3://")
	format = flag.String("format", formatRecords, "what is written: ndjson (records), events or parquet")
	join   = flag.String("join", "", "what is joined over all inputs: players, sources or both, with a comma between them")
	state  = flag.Bool("state", false, "records with absolute values and unchanged entities")
	names  = flag.Bool("names", true, "records and events with the names of numbers")
	split  = flag.Int64("split", 1<<30, "an input of more than so many `BYTES` is divided by stream; 0: none is")
	debug  = flag.Bool("debug", false, "messages of Beam on standard error")
)

func main() {
	flag.Parse()
	beam.Init() // a worker that a runner started does its work here and does not return
	if !*debug {
		slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})))
		log.SetOutput(io.Discard)
	}
	os.Exit(run(context.Background()))
}

// run builds the job from the flags, runs it and returns the exit status.
func run(ctx context.Context) int {
	j, err := newJob()
	if err != nil {
		fmt.Fprintln(os.Stderr, "q3dissect-beam:", err)
		return statusUsage
	}
	if err = j.checkFiles(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "q3dissect-beam:", err)
		return statusUsage
	}
	folder, err := j.lock()
	if err != nil {
		fmt.Fprintln(os.Stderr, "q3dissect-beam:", err)
		return statusFailed
	}
	defer folder.Close() // unlocks it
	err = j.begin(ctx)
	var result beam.PipelineResult
	if err == nil {
		p, s := beam.NewPipelineWithRoot()
		j.build(s)
		result, err = beamx.RunWithMetrics(ctx, p)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "q3dissect-beam: the job failed; run it again, nothing is there twice:", err)
		return statusFailed
	}
	total := counted(result)
	fmt.Fprintln(os.Stderr, "q3dissect-beam:", total)
	if total.dead > 0 {
		fmt.Fprintf(os.Stderr, "q3dissect-beam: %d of the inputs are in %s\n", total.dead, deadLetters)
		return statusDead
	}
	return 0
}

// newJob interprets the flags.
func newJob() (*job, error) {
	j := &job{
		Output: strings.TrimSuffix(*output, "/"), Format: *format, State: *state, NoNames: !*names, Split: *split,
	}
	for glob := range strings.SplitSeq(*inputs, ",") {
		if glob != "" {
			j.globs = append(j.globs, glob)
		}
	}
	for what := range strings.SplitSeq(*join, ",") {
		switch what {
		case "":
		case "players":
			j.Players = true
		case "sources":
			j.Sources = true
		default:
			return nil, fmt.Errorf("--join %s: want players or sources", what)
		}
	}
	switch {
	case flag.NArg() > 0:
		return nil, fmt.Errorf("%q is no flag; name inputs with --input", flag.Arg(0))
	case len(j.globs) == 0:
		return nil, errors.New("no input: name files with --input")
	case j.Output == "":
		return nil, errors.New("name a folder for the results with --output")
	case j.Format != formatRecords && j.Format != formatEvents && j.Format != formatParquet:
		return nil, fmt.Errorf("--format %s: want %s, %s or %s", j.Format, formatRecords, formatEvents, formatParquet)
	}
	return j, nil
}
