package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/q3dissect/q3dissect/dissect/render/schema"
)

// The formats of the results.
const (
	formatRecords = "ndjson"
	formatEvents  = "events"
	formatParquet = "parquet"
)

// The files of the output folder apart from the results.
const (
	optionsFile = "job.json"            // how the results were made
	manifest    = "manifest.ndjson"     // a line for every input that was dissected
	deadLetters = "dead-letters.ndjson" // a line for every one that was not, or not to its end
	playersFile = "players.ndjson"      // --join players
	sourcesFile = "sources.ndjson"      // --join sources
)

// A job is what is done with every input. Its exported fields are sent to the workers.
type job struct {
	Output  string
	Format  string
	State   bool
	NoNames bool
	Split   int64
	Players bool
	Sources bool

	globs []string
}

func init() {
	register.DoFn3x1[context.Context, string, func(string), error](&expandFn{})
	register.DoFn4x0[context.Context, string, func(Task), func(DeadLetter)](&planFn{})
	register.DoFn6x1[context.Context, Task, func(string, Done), func(DeadLetter), func(string, Sighting),
		func(string, Sighting), error](&convertFn{})
	register.DoFn3x1[string, func(*Done) bool, func(string), error](&mergeFn{})
	register.DoFn3x1[context.Context, int, func(*string) bool, error](&linesFn{})
	register.DoFn3x1[string, Profile, func(string), error](&profileFn{})
	register.Combiner3[Profile, Sighting, Profile](&joinFn{})
	register.Function2x1(deadLine)
	register.Emitter1[string]()
	register.Emitter1[Task]()
	register.Emitter1[DeadLetter]()
	register.Emitter2[string, Done]()
	register.Emitter2[string, Sighting]()
	register.Iter1[Done]()
	register.Iter1[string]()
}

// build adds the steps of the job.
//
//	globs ─ names ─ tasks ─┬─ results (files of their own) and what was done ─ by input ─ manifest
//	                       ├─ dead letters
//	                       └─ sightings ─ by player or address ─ profiles
func (j *job) build(s beam.Scope) {
	globs := beam.CreateList(s, j.globs)
	files := beam.Reshuffle(s, beam.ParDo(s, &expandFn{}, globs))
	tasks, planned := beam.ParDo2(s, &planFn{Split: j.Split}, files)
	out := beam.ParDoN(s, &convertFn{Job: *j}, beam.Reshuffle(s, tasks))
	done, failed, players, sources := out[0], out[1], out[2], out[3]

	j.write(s.Scope("manifest"), manifest, beam.ParDo(s, &mergeFn{}, beam.GroupByKey(s, done)))
	j.write(s.Scope("dead letters"), deadLetters, beam.ParDo(s, deadLine, beam.Flatten(s, planned, failed)))
	if j.Players {
		j.join(s.Scope("players"), playersFile, "player", players)
	}
	if j.Sources {
		j.join(s.Scope("sources"), sourcesFile, "address", sources)
	}
}

// write puts lines into one file, sorted.
func (j *job) write(s beam.Scope, name string, lines beam.PCollection) {
	one := beam.AddFixedKey(s, lines)
	none := beam.AddFixedKey(s, beam.CreateList(s, []string{""})) // so that there is a file without lines
	beam.ParDo0(s, &linesFn{Name: join2(j.Output, name)}, beam.GroupByKey(s, beam.Flatten(s, one, none)))
}

// begin records how the results are made. It refuses a folder with results that were made in another way: their
// files would remain among the new ones.
func (j *job) begin(ctx context.Context) error {
	want, err := json.Marshal(struct {
		Version int    `json:"schema_version"`
		Format  string `json:"format"`
		State   bool   `json:"state"`
		NoNames bool   `json:"no_names"`
		Split   int64  `json:"split"`
	}{schema.Version, j.Format, j.State, j.NoNames, j.Split})
	if err != nil {
		return err
	}
	name := join2(j.Output, optionsFile)
	fs, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer fs.Close()
	if r, err := fs.OpenRead(ctx, name); err == nil {
		have, err := io.ReadAll(r)
		if err = errors.Join(err, r.Close()); err != nil {
			return err
		}
		if strings.TrimSpace(string(have)) != string(want) {
			return fmt.Errorf("%s has results of other options: %s", j.Output, have)
		}
		return nil
	}
	return publishBytes(ctx, append(want, '\n'), name)
}

// join2 joins a folder and a name, also in gs:// and s3://.
func join2(folder, name string) string { return folder + "/" + name }

// isLocal reports whether a path is one of this machine.
func isLocal(name string) bool { return !strings.Contains(name, "://") }

// temporary returns a folder for unfinished files: in the output folder if that is on this machine, so that
// renaming is enough to publish a file.
func (j *job) temporary() (string, error) {
	if !isLocal(j.Output) {
		return os.MkdirTemp("", "q3dissect-")
	}
	folder := filepath.Join(j.Output, ".writing")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return "", err
	}
	return os.MkdirTemp(folder, "")
}

// publish renames a local file to its name among the results. Only complete files have names: on this
// machine by renaming, and elsewhere because an object appears when it was written completely.
func publish(ctx context.Context, local, final string) error {
	if isLocal(final) {
		if err := os.MkdirAll(filepath.Dir(final), 0o777); err != nil {
			return err
		}
		return os.Rename(local, final)
	}
	f, err := os.Open(local)
	if err != nil {
		return err
	}
	defer f.Close()
	return upload(ctx, f, final)
}

// publishBytes is publish for data in memory.
func publishBytes(ctx context.Context, b []byte, final string) error {
	if !isLocal(final) {
		return upload(ctx, strings.NewReader(string(b)), final)
	}
	if err := os.MkdirAll(filepath.Dir(final), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(final), "."+path.Base(final))
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), final)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // it has no final name
	}
	return err
}

// upload writes an object. A write that is cancelled leaves none.
func upload(ctx context.Context, r io.Reader, final string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	fs, err := filesystem.New(ctx, final)
	if err != nil {
		return err
	}
	defer fs.Close()
	w, err := fs.OpenWrite(ctx, final)
	if err != nil {
		return err
	}
	if _, err := io.Copy(w, r); err != nil {
		cancel()
		_ = w.Close() // the error is there already
		return err
	}
	return w.Close()
}
