package run

import (
	"github.com/q3dissect/q3dissect/cmd/internal/parquet"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/manifest"
)

// Garbage is collected more often from the first large input on, or from the first tablesGCBytes of rows that wait to
// be written: where there is little memory that would cost more than it saves.
const (
	tablesGCPercent = 50
	tablesGCBytes   = 16 << 20
)

// A shared is small inputs whose rows go to the same files, in their order. They are in the manifest once the files
// have their names.
type shared struct {
	group   *parquet.Group
	entries []manifest.Entry
}

// share adds the rows of an input to those of the inputs before. Inputs that --resume reads again have files apart
// from others, which it need not read again then.
func (r *pass) share(in *parquet.Input, e manifest.Entry) {
	if s := &r.shared; s.group != nil && (s.group.Full() || s.entries[0].Final() != e.Final()) {
		if r.endShared(); r.stopped {
			return
		}
	}
	if r.shared.group == nil {
		r.shared.group = r.set.Group()
	}
	r.shared.entries = append(r.shared.entries, e)
	if err := r.shared.group.Add(in); err != nil {
		r.tablesFailed(err)
	}
	if r.shared.group.Kept() > tablesGCBytes {
		saveMemory(tablesGCPercent)
	}
}

// endShared completes the files of the small inputs so far. After a failure there are none.
func (r *pass) endShared() {
	s := r.shared
	r.shared = shared{}
	switch {
	case s.group == nil:
		return
	case r.stopped:
		s.group.Abort()
		return
	}
	files, err := s.group.Commit()
	if err != nil {
		r.tablesFailed(err)
		return
	}
	for i, e := range s.entries {
		if i == 0 {
			e.Files = files
		} else {
			e.With = s.entries[0].Input
		}
		r.addDone(e)
	}
}

// rowName is the name of an input in its rows.
func rowName(name string) string {
	if name == input.Standard {
		return "stdin"
	}
	return name
}

// chooseInputs decides which inputs are read: with --resume not those that are finished, unless they are in files with
// one that is not. It returns the files that are to be removed, since all of their inputs are read again.
func (r *pass) chooseInputs() (stale []parquet.Stored, err error) {
	stored, err := r.set.Stored()
	if err != nil {
		return nil, exit.Unwritable(r.Output.Name, err)
	}
	again := map[string]bool{} // by the name in rows; finished ones are false
	for _, name := range r.sources {
		again[rowName(name)] = !r.Resume || !r.done.Has(name, r.Output.Name)
	}
	for found := true; found; {
		found = false
		for i, g := range stored {
			if !anyOf(again, g.Inputs) {
				continue
			}
			for _, name := range g.Inputs {
				if _, given := again[name]; !given {
					return nil, &exit.Error{Status: exit.Unreadable, Text: r.Output.Name + ": files that this run would " +
						"replace have rows of " + name + " too, which it does not read; name that too, or write to another folder"}
				}
				again[name] = true
			}
			stale, stored[i] = append(stale, g), parquet.Stored{}
			found = true
		}
	}
	r.finished = map[string]bool{}
	for _, name := range r.sources {
		if r.finished[name] = !again[rowName(name)]; !r.finished[name] {
			r.done.Drop(name)
		}
	}
	return stale, nil
}

func anyOf(set map[string]bool, names []string) bool {
	for _, name := range names {
		if set[name] {
			return true
		}
	}
	return false
}

// isFinished reports whether an input is not to be read: an earlier run has finished it or, for tables, it is the same
// as one before it in the list.
func (r *pass) isFinished(name string) bool {
	if !r.form.folder {
		return r.Resume && r.done.Has(name, "")
	}
	was := r.finished[name]
	r.finished[name] = true
	return was
}
