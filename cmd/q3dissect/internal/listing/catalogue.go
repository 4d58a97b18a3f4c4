// Package listing lists what is in many files, several at a time, in the order of the files: matches, people, moments.
package listing

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/cache"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/inorder"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/view/catalogue"
	"github.com/q3dissect/q3dissect/dissect/view/collect"
	"github.com/q3dissect/q3dissect/dissect/view/highlights"
	"github.com/q3dissect/q3dissect/dissect/view/people"
)

// A Run processes files.
type Run struct {
	Protocols []*dissect.Protocol
	Workers   int                 // files at a time; 0: one for each processor
	Memory    int                 // engine.Config.Memory, for each file
	Each      func(*Found) error  // gets what is in a file; the error is that of the output
	Rules     *extract.Highlights // of moments, which are found in place of matches and people; nil: they are not
	Copies    bool                // matches name an earlier file with the same bytes
	Complain  func(string)
	Progress  io.Writer       // nil: silent
	Cache     *cache.Cache    // what was found before; nil: none
	Lacks     incomplete.List // what the files did not give, after Files
	Skipped   int             // files of folders that are of no known kind, after Files
	Named     bool            // Complain about each of them
	NoRecover bool            // no keys of sessions that began before the capture are recovered

	bar       *input.FileProgress
	copies    map[string]string // files with the bytes of an earlier one
	interrupt input.Interrupt   // a signal ends the reading: what was read is shown
}

// CacheOf returns the cache of what is found in files with these options, or says why it is not used. rules are those
// of the moments that are found in place of matches; nil: they are not.
func CacheOf(noRecover bool, memory int, rules *extract.Highlights) (c *cache.Cache, why string) {
	options := fmt.Sprintf("no-recover=%t memory=%d", noRecover, memory)
	if rules != nil {
		return cache.Open(fmt.Sprintf("highlights %s rules=%+v", options, *rules))
	}
	return cache.Open("catalogue " + options)
}

// A task is one file with its result.
type task struct {
	path     open.Path
	found    Found
	complain string
	status   int
	skipped  bool // it is of no known kind
}

// Clear makes room for what Each prints.
func (r *Run) Clear() { r.bar.Clear() }

// Files reads all files and passes on what is in each, in the order of the paths. The status is the highest of any
// file. The error is that of Each.
func (r *Run) Files(paths []open.Path) (status int, err error) {
	workers := r.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	defer r.interrupt.Watch(false)()
	if r.Copies {
		r.copies = copiesOf(paths)
	}
	stopped, seen := false, 0
	bar := input.NewFileProgress(r.Progress, len(paths))
	r.bar = bar
	over := func(t *task) {
		bar.Tick()
		if seen++; stopped {
			return
		}
		status = max(status, t.status)
		r.Lacks = append(r.Lacks, t.found.Lacks...)
		if t.skipped {
			r.Skipped++
		}
		if t.complain != "" {
			bar.Clear()
			r.Complain(t.complain)
		}
		err = r.Each(&t.found)
		stopped = err != nil
	}
	order := inorder.New(nil)
	wanted := func(i int) (begin, more bool) {
		more = i < len(paths) && !stopped && !r.interrupt.Happened()
		return more, more
	}
	var working sync.WaitGroup
	for range workers {
		working.Go(func() {
			for one := order.Begin(wanted); one != nil; one = order.Begin(wanted) {
				t := &task{path: paths[one.Index]}
				t.read(r)
				one.End(func() { over(t) })
			}
		})
	}
	working.Wait()
	bar.Clear()
	if signal := r.interrupt.Status(); signal != 0 {
		status = signal
		for _, path := range paths[seen:] {
			lacks := incomplete.Account{File: path.Name}
			lacks.Interrupt(0, 0)
			r.Lacks = append(r.Lacks, lacks.List()...)
		}
	}
	return status, err
}

// A Found is what is found in a file. The cache has it without the file's name.
type Found struct {
	Lines   []catalogue.Listing
	Who     []people.Cast
	Moments []highlights.Highlight // remarkable moments
	Left    int64                  // moments beyond those
	Fault   string                 // why the file could not be read to its end
	Lacks   incomplete.List

	interrupted bool // it is not all that there is, and nothing for the cache
	text        bool // it has hex dumps, and is read only where it is named
}

// read goes through the file, or takes what was found before.
func (t *task) read(r *Run) {
	name, f := t.path.Name, &t.found
	seen := r.Cache.Look(name)
	if !seen.Get(f) {
		if !t.find(r, f) {
			return
		}
		if !f.text && !f.interrupted {
			seen.Put(f)
		}
	}
	if f.Fault != "" {
		t.status, t.complain = exit.BrokenOff, name+": "+f.Fault
	}
	var modified time.Time
	if info, err := os.Stat(name); err == nil {
		modified = info.ModTime()
	}
	for i := range f.Lines {
		f.Lines[i].Locate(name, modified)
		f.Lines[i].CopyOf = r.copies[name]
	}
	for i := range f.Who {
		f.Who[i].Locate(name, modified)
	}
	for i := range f.Moments {
		f.Moments[i].File = name
	}
	for i := range f.Lacks {
		f.Lacks[i].File = name
	}
}

// find dissects the file, and reports whether it is of a known kind.
func (t *task) find(r *Run, f *Found) bool {
	name := t.path.Name
	in, err := collect.Read(r.interrupt.Working(), name, collect.Options{
		Protocols: r.Protocols, Memory: r.Memory, NoRecover: r.NoRecover, NoText: !t.path.Given,
		Each: func(count int) { r.bar.Record(name, count) }, Highlights: r.Rules,
	})
	if err != nil {
		var fault *dissect.FileError
		if errors.As(err, &fault) && fault.Code == dissect.UnknownFormat && !t.path.Given {
			if t.skipped = true; r.Named {
				t.complain = name + ": of no known kind"
			}
			return false
		}
		lacks := incomplete.Account{File: name}
		if r.interrupt.Happened() { // the status is that of the signal
			lacks.Interrupt(0, 0)
		} else {
			t.status, t.complain = exit.Unreadable, name+": "+exit.Reason(err)
			lacks.Fault(err)
		}
		f.Lacks = lacks.List()
		return false
	}
	f.Lines, f.Who, f.Lacks, f.text = in.Matches, in.Casts, in.Lacks, in.Text
	f.Moments, f.Left = in.Moments, in.Left
	switch {
	case in.Err == nil:
	case r.interrupt.Happened():
		f.interrupted = true
	default:
		f.Fault = exit.Reason(in.Err)
	}
	return true
}
