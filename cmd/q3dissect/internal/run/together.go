package run

import (
	"os"
	"sync"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/inorder"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/output"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/dissect/keys"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// apart reports whether each input can be dissected by itself: nothing is counted, collected or written across
// inputs.
func (pl *plan) apart() bool {
	return !pl.ContinueInputs && pl.Count.Value == 0 && len(pl.statistics) == 0 && pl.follow == nil &&
		pl.merge == nil && pl.export == nil &&
		pl.Write == "" && !pl.rewrites() && pl.Evidence == "" && !pl.LineBuffered
}

// manyWorkers is the size of an input, in bytes, from which on it gets all workers. Smaller ones are dissected by
// one goroutine each, several at the same time.
const manyWorkers = 64 << 20

// isSmall reports whether an input is known to be smaller than that.
func isSmall(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular() && info.Size() < manyWorkers
}

// concurrently dissects several inputs at the same time. The output is in their order, and the same as if they were
// dissected one after the other.
func (r *pass) concurrently(inputs []open.Path) {
	if len(inputs) > 1 && !r.Quiet && terminal.Is(r.Stderr) && (r.form.folder || !terminal.Is(r.Stdout)) {
		r.bar = input.NewFileProgress(r.Stderr, len(inputs))
	}
	t, shares := inorder.New(r.out.Records), make([]*keys.Share, len(inputs))
	wanted := func(i int) (begin, more bool) {
		switch {
		case i >= len(inputs):
			return false, false
		case r.done != nil && r.isFinished(inputs[i].Name):
			r.bar.Tick()
			return false, true
		}
		if more = r.wantsMore(); more {
			shares[i] = r.KeyShare()
		}
		return more, more
	}
	var working sync.WaitGroup
	for range r.Workers.Value {
		working.Go(func() {
			for one := t.Begin(wanted); one != nil; one = t.Begin(wanted) {
				r.one(one, inputs[one.Index], shares[one.Index])
			}
		})
	}
	working.Wait()
	r.endShared()
	r.bar.Clear()
}

// one dissects one input, and adds its results to those of the earlier ones when it is its turn.
func (r *pass) one(t *inorder.Turn, in open.Path, share *keys.Share) {
	s := r.single(in, t)
	s.searches = share
	defer share.End()
	if len(r.sources) == 1 {
		s.progress = r.progress
	}
	s.input(in.Name)
	s.endEngine(nil)
	s.progress.Clear()
	t.End(func() { r.join(s, in) })
}

// single makes a pass over one input.
func (r *pass) single(in open.Path, t *inorder.Turn) *pass {
	settings, pl := *r.Settings, *r.plan
	pl.Settings = &settings
	small := isSmall(in.Name)
	if small {
		settings.Workers.Value = 1
	}
	return &pass{
		plan: &pl, out: output.Stream{File: t}, interrupt: r.interrupt, many: r.many, alone: true,
		small: small, found: !in.Given,
	}
}

// join adds the results of an input. Inputs that were begun after the one at which the run ends add nothing.
func (r *pass) join(s *pass, in open.Path) {
	if r.stopped {
		return
	}
	r.total.Add(&s.total)
	r.packets += s.packets
	r.begun += s.begun
	r.lacks = append(r.lacks, s.lacks...)
	r.seen++
	r.status = max(r.status, s.status)
	r.stopped = s.stopped || r.out.Err != nil
	r.bar.Tick()
	for _, complaint := range s.complaints {
		r.bar.Clear()
		r.Complain(complaint)
	}
	r.noteDone(s, in.Name)
}
