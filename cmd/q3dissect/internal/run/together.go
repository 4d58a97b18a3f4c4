package run

import (
	"os"
	"sync"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/output"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// apart reports whether each input can be dissected by itself: nothing is counted, collected or written across
// inputs.
func (pl *plan) apart() bool {
	return !pl.ContinueInputs && pl.Count.Value == 0 && len(pl.statistics) == 0 && pl.follow == nil && pl.merge == nil && pl.export == nil &&
		pl.Write == "" && pl.Anonymize == "" && pl.Evidence == "" && !pl.LineBuffered
}

// manyWorkers is the size of an input, in bytes, from which on it gets all workers. Smaller ones get one each,
// and several are dissected at the same time.
const manyWorkers = 64 << 20

// together dissects several inputs at the same time. The output is in their order, and the same as if they were
// dissected one after the other.
func (r *pass) together(inputs []open.Path) {
	t := newTurns(r.out.Records)
	next := make(chan int)
	var working sync.WaitGroup
	for range r.Workers.Value {
		working.Go(func() {
			for i := range next {
				r.one(t.begin(i), inputs[i])
			}
		})
	}
	for i := range inputs {
		if r.Resume && r.done.Has(inputs[i].Name, r.Output) {
			t.skip(i)
			continue
		}
		if !t.do(func() bool { return r.wantsMore() }) {
			break
		}
		next <- i
	}
	close(next)
	working.Wait()
}

// one dissects one input, and adds its results to those of the earlier ones when it is its turn.
func (r *pass) one(t *turn, in open.Path) {
	s := r.single(in, t)
	s.input(in.Name)
	s.endEngine(nil)
	t.end(func() { r.join(s, in) })
}

// single makes a pass over one input.
func (r *pass) single(in open.Path, t *turn) *pass {
	settings, pl := *r.Settings, *r.plan
	pl.Settings = &settings
	if info, err := os.Stat(in.Name); err == nil && info.Size() < manyWorkers {
		settings.Workers.Value = 1
	}
	return &pass{plan: &pl, out: output.Stream{File: t}, interrupt: r.interrupt, many: r.many, alone: true, found: !in.Given}
}

// join adds the results of an input. Inputs that were begun after the one at which the run ends add nothing.
func (r *pass) join(s *pass, in open.Path) {
	if r.stopped {
		return
	}
	r.total.Add(&s.total)
	r.packets += s.packets
	r.status = max(r.status, s.status)
	r.stopped = s.stopped || r.out.Err != nil
	for _, complaint := range s.complaints {
		r.Complain(complaint)
	}
	r.noteDone(s, in.Name)
}

// A turns orders the output of many inputs.
type turns struct {
	print func([]byte) error

	mu    sync.Mutex
	moved *sync.Cond
	open  map[int]*turn // that were begun, or skipped
	next  int           // whose turn it is
	kept  int           // bytes that wait for their turn
}

const (
	// keptBytes bounds the output that waits for its turn, in bytes.
	keptBytes = 32 << 20
	// keptTurns bounds how many inputs wait.
	keptTurns = 1000
)

func newTurns(print func([]byte) error) *turns {
	t := &turns{print: print, open: map[int]*turn{}}
	t.moved = sync.NewCond(&t.mu)
	return t
}

// do calls f while nothing is printed.
func (t *turns) do(f func() bool) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return f()
}

// begin begins an input, and waits first while too many are unfinished. Inputs are begun in their order.
func (t *turns) begin(index int) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	for index >= t.next+keptTurns {
		t.moved.Wait()
	}
	one := &turn{turns: t, index: index}
	t.open[index] = one
	return one
}

// skip skips an input.
func (t *turns) skip(index int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open[index] = &turn{turns: t, index: index, over: func() {}}
	t.move()
}

// move prints what waits as far as possible. The lock is held.
func (t *turns) move() {
	for one := t.open[t.next]; one != nil; one = t.open[t.next] {
		one.flush()
		if one.over == nil {
			break // not finished yet
		}
		one.over()
		delete(t.open, t.next)
		t.next++
	}
	t.moved.Broadcast()
}

// A turn is the output of one input.
type turn struct {
	*turns
	index int
	text  []byte // waits
	err   error
	over  func() // it is complete; called when it is its turn
}

// Write prints, or keeps what is to be printed later. When too much is kept it blocks.
func (one *turn) Write(b []byte) (int, error) {
	t := one.turns
	t.mu.Lock()
	defer t.mu.Unlock()
	for one.index != t.next && t.kept+len(b) > keptBytes {
		t.moved.Wait()
	}
	if one.index != t.next {
		one.text = append(one.text, b...)
		t.kept += len(b)
		return len(b), nil
	}
	one.flush()
	if one.err == nil {
		one.err = t.print(b)
	}
	return len(b), one.err
}

// flush prints what was kept.
func (one *turn) flush() {
	if len(one.text) > 0 && one.err == nil {
		one.err = one.print(one.text)
	}
	one.kept -= len(one.text)
	one.text = nil
}

// end completes the input.
func (one *turn) end(over func()) {
	one.mu.Lock()
	defer one.mu.Unlock()
	one.over = over
	one.move()
}
