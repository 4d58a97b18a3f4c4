package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/q3dissect/q3dissect/cmd/internal/parquet"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/convert"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
	"github.com/q3dissect/q3dissect/dissect/rows"
)

// A Done is the result of an input, or of a part of it.
type Done struct {
	Input    string   `json:"input"`
	Parts    int      `json:"parts"`
	Packets  uint64   `json:"packets"`
	Game     uint64   `json:"game_datagrams"`
	Messages uint64   `json:"messages"`
	Damaged  uint64   `json:"damaged"`
	Broken   string   `json:"broken,omitempty"` // why it ends early
	Files    []string `json:"files"`            // in the output folder
}

// convertFn dissects inputs.
type convertFn struct{ Job job }

// ProcessElement writes the results of a task under their final names and reports what was done. An error is
// one of the output: the runner may try again, on another machine. A fault of the input is a dead letter.
func (f *convertFn) ProcessElement(ctx context.Context, t Task, done func(string, Done), dead func(DeadLetter),
	player, source func(string, Sighting),
) error {
	folder, err := f.Job.temporary()
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	w := worker{job: &f.Job, task: t, folder: folder, player: player, source: source}
	d, err := w.run(ctx)
	var fault *inputError
	if errors.As(err, &fault) {
		dead(fault.letter)
		count(ctx, "dead_letters", 1)
		if !fault.letter.Partial {
			return nil
		}
		err = nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", t.Input, err)
	}
	count(ctx, "tasks", 1)
	count(ctx, "packets", d.Packets)
	count(ctx, "game_datagrams", d.Game)
	count(ctx, "messages", d.Messages)
	count(ctx, "damaged", d.Damaged)
	count(ctx, "files", uint64(len(d.Files)))
	done(t.Input, d)
	return nil
}

// countersNamespace is that of the counters of a job.
const countersNamespace = "q3dissect"

func count(ctx context.Context, name string, n uint64) {
	beam.NewCounter(countersNamespace, name).Inc(ctx, int64(n))
}

// An inputError is a fault of the input.
type inputError struct{ letter DeadLetter }

func (e *inputError) Error() string { return e.letter.Reason }

// A worker does one task.
type worker struct {
	job            *job
	task           Task
	folder         string // for unfinished files
	player, source func(string, Sighting)
	made           []madeFile
}

// A madeFile is complete, and has no final name yet.
type madeFile struct{ local, final string }

// run dissects the input. Its error is an *inputError, or one of the output.
func (w *worker) run(ctx context.Context) (Done, error) {
	fsys, err := filesystem.New(ctx, w.task.Input)
	if err != nil {
		return Done{}, err
	}
	defer fsys.Close()
	in, err := fsys.OpenRead(ctx, w.task.Input)
	if err != nil {
		return Done{}, w.fault("unreadable", err, false)
	}
	defer in.Close()
	result, runErr := w.convert(in)
	var fault *dissect.FileError
	if runErr != nil && !errors.As(runErr, &fault) {
		return Done{}, runErr
	}
	partial := result.Capture.Packets > 0 || result.Messages > 0
	if fault != nil && !partial {
		return Done{}, w.fault(fault.Code, fault, false)
	}
	d := Done{
		Input: w.task.Input, Parts: w.task.Parts, Packets: result.Stats.Packets,
		Game: result.Stats.Game - result.Stats.LeftOut, Messages: result.Stats.Messages, Damaged: result.Stats.Damaged,
	}
	for _, f := range w.made {
		if err := publish(ctx, f.local, join2(w.job.Output, f.final)); err != nil {
			return Done{}, err
		}
		d.Files = append(d.Files, f.final)
	}
	if fault != nil {
		d.Broken = fault.Error()
		return d, w.fault(fault.Code, fault, true)
	}
	return d, nil
}

func (w *worker) fault(code string, err error, partial bool) error {
	var p *fs.PathError
	reason := err.Error()
	if errors.As(err, &p) {
		reason = p.Err.Error()
	}
	return &inputError{DeadLetter{Input: w.task.Input, Code: code, Reason: reason, Partial: partial}}
}

// convert dissects into files of the folder, and lists them.
func (w *worker) convert(in io.Reader) (convert.Result, error) {
	o := convert.Options{
		Protocols: all.Protocols(), Name: w.task.Input, File: w.task.Input, State: w.job.State,
		JSON: render.JSON{NoNames: w.job.NoNames}, Part: w.task.Part, Parts: w.task.Parts,
	}
	seen := newSeen(&w.task, w.player, w.source)
	var out convert.Outputs
	var sinks tee
	var set *parquet.Input
	var err error
	switch {
	case w.job.Format == formatParquet:
		if set, err = w.parquet(&o); err != nil {
			return convert.Result{}, err
		}
		sinks = append(sinks, set)
	case w.job.Format == formatEvents:
		out.Events, err = w.lines("events")
	default:
		out.Records, err = w.lines("records")
	}
	if err != nil {
		return convert.Result{}, err
	}
	if w.job.Players || w.job.Sources {
		out.Events = seen.events(out.Events)
	}
	if w.job.Sources {
		if len(sinks) == 0 {
			if seen.schema, err = rows.New(nil, rows.Options{}); err != nil {
				return convert.Result{}, err
			}
		} else {
			seen.schema = set.Schema()
		}
		sinks = append(sinks, seen)
	}
	if len(sinks) > 0 {
		out.Rows = sinks
	}
	result, err := convert.Run(in, out, o)
	return result, w.finish(err, set, out, seen)
}

// lines begins a file of lines.
func (w *worker) lines(kind string) (*lineFile, error) {
	final := kind + "/" + url.PathEscape(w.task.Input) + ".ndjson"
	if w.task.Parts > 1 {
		final = fmt.Sprintf("%s/%s.part-%d-of-%d.ndjson", kind, url.PathEscape(w.task.Input), w.task.Part, w.task.Parts)
	}
	f, err := os.Create(filepath.Join(w.folder, kind))
	if err != nil {
		return nil, err
	}
	w.made = append(w.made, madeFile{f.Name(), final})
	return &lineFile{Writer: bufio.NewWriterSize(f, 64<<10), file: f}, nil
}

// A lineFile is a file that is written.
type lineFile struct {
	*bufio.Writer
	file *os.File
}

func (f *lineFile) close() error { return errors.Join(f.Flush(), f.file.Close()) }

// parquet begins a data set with only this task.
func (w *worker) parquet(o *convert.Options) (*parquet.Input, error) {
	tables, err := rows.New(o.Protocols, rows.Options{Events: true, State: o.State, NoNames: o.JSON.NoNames})
	if err != nil {
		return nil, err
	}
	set, err := parquet.Open(w.folder, tables, w.job.metadata(), 1)
	if err != nil {
		return nil, err
	}
	return set.InputPart(w.task.Input, w.task.Part, w.task.Parts), nil
}

// metadata returns the metadata of every Parquet file.
func (j *job) metadata() map[string]string {
	return map[string]string{
		"q3dissect.version": "q3dissect-beam", "q3dissect.schema_version": strconv.Itoa(schema.Version),
		"q3dissect.options": fmt.Sprintf("--state=%t --names=%t", j.State, !j.NoNames),
	}
}

// finish completes the files. err is that of the dissection: the files of an input that ends early are complete
// too.
func (w *worker) finish(err error, set *parquet.Input, out convert.Outputs, seen *seen) error {
	var fault *dissect.FileError
	if err != nil && !errors.As(err, &fault) {
		if set != nil {
			set.Abort()
		}
		return err
	}
	for _, f := range []io.Writer{out.Records, seen.file(out.Events)} {
		if f, ok := f.(*lineFile); ok {
			if err := f.close(); err != nil {
				return err
			}
		}
	}
	if set != nil {
		files, err := set.Commit()
		if err != nil {
			return err
		}
		for _, f := range files {
			w.made = append(w.made, madeFile{filepath.Join(w.folder, filepath.FromSlash(f.Path)), f.Path})
		}
	}
	seen.emit()
	return err
}

// A tee passes rows to several sinks, which have the schema of the first.
type tee []rows.Sink

func (t tee) Schema() *rows.Schema { return t[0].Schema() }

func (t tee) Rows(b []byte) error {
	for _, sink := range t {
		if err := sink.Rows(b); err != nil {
			return err
		}
	}
	return nil
}
