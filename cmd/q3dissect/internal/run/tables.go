package run

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"github.com/q3dissect/q3dissect/cmd/internal/parquet"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/manifest"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/output"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/version"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/export"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/quantity"
	"github.com/q3dissect/q3dissect/dissect/rows"
)

// ManyFlags declares the flags about many inputs.
func (s *Settings) ManyFlags(f *pflag.FlagSet) {
	f.BoolVarP(&s.Recursive, "recursive", "R", false, "read all captures and demos in folders, recursively")
	f.Var(&s.Manifest, "manifest",
		"`FILE` with a line per finished input; with -T parquet it is manifest.ndjson in the folder")
	f.BoolVar(&s.Resume, "resume", false,
		"skip inputs that the manifest lists as finished; standard output is cut back to these")
	s.flags = f
}

// TableFlags declares the flags of -T parquet.
func (s *Settings) TableFlags(f *pflag.FlagSet) {
	s.Output.Files, s.Output.Own = []string{manifestFile}, parquet.Owns
	f.VarP(&s.Output, "output", "o", "`DIR` for the files of -T parquet; created if missing")
}

// saveMemory sets how much garbage there may be beside what is in use, in percent of that, unless the user has chosen
// it. It is for large inputs: rows that wait to be written take a large part of their memory, and so does what a report
// shows. Small ones have little memory, and need it.
func saveMemory(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// manifestFile is the manifest in a folder of tables.
const manifestFile = "manifest.ndjson"

// checkTables checks the flags about many inputs and tables.
func (pl *plan) checkTables() error {
	tables := pl.form.folder
	switch {
	case isPreference(pl.Output.Name):
		return exit.Usagef("-o is the folder of -T parquet here. There are no preferences like %s: "+
			"games are recognised by their packets, and -d assigns a port to one", pl.Output.Name)
	case tables && pl.Output.Name == "":
		return exit.Usagef("-T parquet needs a folder: -o DIR")
	case !tables && pl.Output.Name != "":
		return exit.Usagef("-o is the folder of -T parquet; add that, or leave -o out")
	case tables && pl.query != nil:
		return exit.Usagef("-T parquet has tables of its own, which contradicts --jq")
	case tables && !pl.apart():
		return exit.Usagef("-T parquet takes each input for itself: no --continue, -c, -z, -w, -l, --evidence or --anonymize")
	}
	if tables && pl.Manifest == "" {
		pl.Manifest = output.Name(filepath.Join(pl.Output.Name, manifestFile))
	}
	switch {
	case pl.Resume && pl.Manifest == "":
		return exit.Usagef("--resume goes on with a manifest: name it with --manifest FILE")
	case pl.Manifest != "" && !pl.apart():
		return exit.Usagef("--manifest takes each input for itself: no --continue, -c, -z, -w, -l, --evidence or --anonymize")
	case pl.Manifest != "" && pl.form.array:
		return exit.Usagef("--manifest notes whole inputs, and an array holds all of them: use --json")
	}
	if !tables {
		return nil
	}
	var err error
	pl.schema, err = rows.New(pl.protocols, rows.Options{
		Events: true, State: pl.State,
		Link: pl.Link, NoNames: pl.NoNames, CommunityID: pl.CommunityID,
	})
	return err
}

// isPreference reports whether a value of -o is one of tshark's preferences: ip.defragment:FALSE.
func isPreference(value string) bool {
	name, _, ok := strings.Cut(value, ":")
	return ok && strings.Contains(name, ".") && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_-.") == ""
}

// expand returns the files of the inputs.
func (r *pass) expand(inputs []string) []open.Path {
	if !r.Recursive {
		var list []open.Path
		for _, name := range inputs {
			list = append(list, open.Path{Name: name, Given: true})
		}
		return list
	}
	complain := r.Complain
	if r.Quiet {
		complain = nil
	}
	list, err := input.Files(r.Console, inputs, complain)
	if err != nil {
		r.Complain(err.Error())
		r.status = exit.Unreadable
	}
	return list
}

// options are the flags that the results depend on.
func (s *Settings) options() []string {
	list := []string{}
	if s.flags == nil {
		return list
	}
	s.flags.Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "workers", "memory", "recursive", "manifest", "resume", "output", "read-file", "quiet", "exit-status", "color":
		default:
			list = append(list, "--"+f.Name+"="+f.Value.String())
		}
	})
	if s.Filter != "" && !s.flags.Changed("display-filter") {
		list = append(list, "--display-filter="+s.Filter)
	}
	return list
}

// openTables begins the folder of tables and the manifest. A manifest that is to be continued is checked before
// anything is written.
func (r *pass) openTables() error {
	v := version.Read()
	about := manifest.Run{Version: v.Version, SchemaVersion: v.SchemaVersion, Options: r.options()}
	if r.Events {
		about.Options = append(about.Options, "events")
	}
	if err := r.lockTables(); err != nil {
		return err
	}
	if r.Manifest != "" {
		r.done = manifest.New(r.Manifest, about, r.form.folder)
	}
	if r.Resume {
		if err := r.checkDone(); err != nil {
			return err
		}
	}
	if r.form.folder {
		if err := r.openSet(strings.Join(about.Options, " ")); err != nil {
			return err
		}
	}
	if r.done == nil {
		return nil
	}
	var stale []parquet.Stored
	if r.form.folder {
		var err error
		if stale, err = r.chooseInputs(); err != nil {
			return err
		}
	}
	if err := r.done.Begin(r.Console); err != nil {
		return manifestFault(err)
	}
	for i := range stale {
		if err := stale[i].Remove(); err != nil {
			return exit.Unwritable(r.Output.Name, err)
		}
	}
	return r.cutBack()
}

// openSet opens the data set, and removes what an earlier run left unfinished in it.
func (r *pass) openSet(options string) error {
	var err error
	r.set, err = parquet.Open(r.Output.Name, r.schema, map[string]string{
		"q3dissect.version": strings.TrimSpace(string(version.Text(false))), "q3dissect.options": options,
		"q3dissect.schema_version": "1",
	}, int(r.Workers.Value))
	if err == nil {
		if err = r.lockTables(); err != nil {
			return err
		}
		err = r.set.Clean()
	}
	if err != nil {
		return exit.Unwritable(r.Output.Name, err)
	}
	return nil
}

// lockTables locks the folder of tables for this run, if it is there and is not locked yet.
func (r *pass) lockTables() error {
	if !r.form.folder || r.folder != nil {
		return nil
	}
	folder, err := os.Open(r.Output.Name)
	if err != nil {
		return nil // it is made, or that reports the error
	}
	if err := export.Lock(folder); err != nil {
		folder.Close() // nothing was written
		return &exit.Error{Status: exit.Unreadable, Text: r.Output.Name + ": " + exit.Sentence(err)}
	}
	r.folder = folder // open as long as the program runs
	return nil
}

// manifestFault is the error of a manifest.
func manifestFault(err error) error {
	return &exit.Error{Status: exit.Unreadable, Text: "manifest: " + exit.Sentence(err)}
}

// checkDone reads the manifest of an earlier run, and compares it with what is there.
func (r *pass) checkDone() error {
	err := r.done.Resume()
	if err == nil && !r.form.folder {
		info, fault := r.Stdout.Stat()
		if fault != nil || !info.Mode().IsRegular() {
			return exit.Usagef("--resume goes on in a file: append standard output to it, >> FILE")
		}
		content := r.printed()
		if content != nil {
			defer content.Close() // it was only read
			err = r.done.CheckOutput(info.Size(), content)
		} else {
			err = r.done.CheckOutput(info.Size(), nil)
		}
		for i := 0; err == nil && i < len(r.sources); i++ {
			err = r.done.CheckInput(r.sources[i])
		}
	}
	if err != nil {
		return manifestFault(err)
	}
	return nil
}

// printed opens the file that standard output goes to, to read it; nil where the system has no name for it.
func (r *pass) printed() *os.File {
	f, err := os.Open("/proc/self/fd/" + strconv.FormatUint(uint64(r.Stdout.Fd()), 10))
	if err != nil {
		return nil
	}
	return f
}

// cutBack removes from standard output what an earlier run wrote about an input in which it was killed.
func (r *pass) cutBack() error {
	if r.form.folder {
		return nil
	}
	r.sum = sha256.New()
	r.out.Copy = r.sum
	if !r.Resume {
		if info, err := r.Stdout.Stat(); err == nil && info.Mode().IsRegular() {
			r.written = info.Size()
		}
	} else {
		r.written = r.done.Output
		err := r.Stdout.Truncate(r.written)
		if err == nil {
			_, err = r.Stdout.Seek(r.written, io.SeekStart)
		}
		if err != nil {
			return exit.Unwritable("standard output", err)
		}
	}
	r.noted = r.written
	return nil
}

// beginTables makes the engine of an input write tables.
func (r *pass) beginTables(cfg *engine.Config, name string) {
	if !r.small {
		saveMemory(tablesGCPercent)
	}
	r.sheet = r.set.Input(rowName(name))
	r.finishTables(cfg, r.sheet.Rows)
}

// tablesFailed ends the run: an error of the folder concerns all inputs.
func (r *pass) tablesFailed(err error) {
	r.complain(r.Output.Name + ": " + exit.Sentence(err))
	r.status, r.stopped = exit.Unreadable, true
}

// endTables completes the tables of an input whose engine is closed, with or without an error. The rows of a small one
// wait for its turn.
func (r *pass) endTables(err error, lacks incomplete.List) {
	if r.sheet != nil {
		r.sheet.Lacks(lacks)
	}
	switch {
	case r.sheet == nil:
	case err != nil:
		r.sheet.Abort()
		r.tablesFailed(err)
		r.sheet = nil
	case r.sheet.Large():
		if r.files, err = r.sheet.Commit(); err != nil {
			r.tablesFailed(err)
		}
		r.sheet = nil
	}
}

// noteDone adds an input to the manifest, once its results are written.
func (r *pass) noteDone(s *pass, name string) {
	if r.done == nil || s.stopped {
		return
	}
	e := manifest.Describe(name)
	e.Status, e.Reason, e.Packets, e.Files = manifest.Done, s.reason, s.packets, s.files
	e.Incomplete = s.lacks
	switch {
	case r.interrupt.Happened():
		e.Status = manifest.Interrupted
	case s.status == exit.BrokenOff:
		e.Status = manifest.Broken
	case s.status != exit.Done:
		e.Status = manifest.Failed
	case s.noInput:
		e.Status = manifest.NoInput
	}
	switch {
	case !r.form.folder:
		r.noteOutput(&e)
	case s.sheet != nil && !s.sheet.Empty():
		r.share(s.sheet, e)
		return
	}
	r.addDone(e)
}

// addDone adds an entry to the manifest.
func (r *pass) addDone(e manifest.Entry) {
	if err := r.done.Add(e); err != nil {
		r.Complain(string(r.Manifest) + ": " + exit.Sentence(err))
		r.status, r.stopped = exit.Unreadable, true
	}
}

// noteOutput notes what an input added to the output. That of one that is to be read again does not count.
func (r *pass) noteOutput(e *manifest.Entry) {
	from, to := r.noted, r.written+r.out.Bytes
	if e.Status != manifest.Interrupted && e.Status != manifest.Failed {
		if e.From, e.Output = from, to; to > from {
			e.SHA256 = hex.EncodeToString(r.sum.Sum(nil))
		}
	}
	r.noted = to
	r.sum.Reset()
}

// endManifest completes the manifest, unless the run is to be continued later.
func (r *pass) endManifest(inputs []open.Path) error {
	switch {
	case r.done == nil:
		return nil
	case r.stopped || r.interrupt.Happened():
		r.done.Close()
		return nil
	}
	var names []string
	for _, in := range inputs {
		names = append(names, in.Name)
	}
	if err := r.done.End(r.Console, names); err != nil {
		return exit.Unwritable(string(r.Manifest), err)
	}
	if r.set != nil {
		_ = r.set.Clean() // an empty folder
		if !r.Quiet {
			r.reportWritten()
		}
	}
	return nil
}

// reportWritten prints on standard error what was written.
func (r *pass) reportWritten() {
	var rows, bytes int64
	files := 0
	tables := r.done.Tables()
	for _, t := range tables {
		rows, bytes, files = rows+t.Rows, bytes+t.Bytes, files+t.Files
	}
	r.Complain(r.Output.Name + ": " + quantity.Count(len(tables), "table") + ", " + quantity.Count(rows, "row") + ", " +
		quantity.Count(int64(files), "file") + ", " + quantity.Count(bytes, "byte"))
}

// recordRows returns the function that appends the rows of a record without its events and secrets. It is safe for
// concurrent use.
func (pl *plan) recordRows() appender {
	spare := sync.Pool{New: func() any { return pl.schema.NewShredder() }}
	return func(dst []byte, rec *dissect.Record) []byte {
		s := spare.Get().(*rows.Shredder)
		defer spare.Put(s)
		rec.MaskSecrets()
		return s.AppendPacket(dst, rec)
	}
}
