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

// manyWorkers is the size of an input, in bytes, from which on it gets all workers. Smaller ones are dissected by
// one goroutine each, several at the same time.
const manyWorkers = 64 << 20

// concurrently dissects several inputs at the same time. The output is in their order, and the same as if they were
// dissected one after the other.
func (r *pass) concurrently(inputs []open.Path) {
	t := newTurns(r.out.Records)
	wanted := func(i int) (begin, more bool) {
		switch {
		case i >= len(inputs):
			return false, false
		case r.Resume && r.done.Has(inputs[i].Name, r.Output):
			return false, true
		}
		more = r.wantsMore()
		return more, more
	}
	var working sync.WaitGroup
	for range r.Workers.Value {
		working.Go(func() {
			for one := t.begin(wanted); one != nil; one = t.begin(wanted) {
				r.one(one, inputs[one.index])
			}
		})
	}
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
	info, err := os.Stat(in.Name)
	small := err == nil && info.Mode().IsRegular() && info.Size() < manyWorkers
	if small {
		settings.Workers.Value = 1
	}
	return &pass{plan: &pl, out: output.Stream{File: t}, interrupt: r.interrupt, many: r.many, alone: true, small: small, found: !in.Given}
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

// A turns orders the output of many inputs. Whoever completes or fills what is next prints it, and what follows from
// that, while the others go on: nothing else is done by one at a time.
type turns struct {
	print func([]byte) error

	mu       sync.Mutex
	moved    *sync.Cond
	open     map[int]*turn // that were begun
	begun    int           // index of the input that is begun next
	over     bool          // none is
	next     int           // whose turn it is
	kept     int           // sheets that wait to be printed
	printing bool
	spare    [][]byte // sheets to be filled again
}

const (
	// sheetBytes is how much output an input collects before it hands it on.
	sheetBytes = 64 << 10
	// keptSheets bounds the output that waits for its turn: 32 MiB.
	keptSheets = 512
	// keptTurns bounds how many inputs wait.
	keptTurns = 1000
)

func newTurns(print func([]byte) error) *turns {
	t := &turns{print: print, open: map[int]*turn{}}
	t.moved = sync.NewCond(&t.mu)
	return t
}

// begin begins the next input that is wanted, and waits first while too many are unfinished. nil: there is none. wanted
// is called with the index of each input in turn, while no results are added.
func (t *turns) begin(wanted func(index int) (begin, more bool)) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	for !t.over {
		for t.begun >= t.next+keptTurns || t.kept >= keptSheets {
			t.moved.Wait()
		}
		begin, more := wanted(t.begun)
		t.over = t.over || !more
		if !more {
			break
		}
		one := &turn{turns: t, index: t.begun}
		t.open[one.index] = one
		t.begun++
		if begin {
			return one
		}
		one.over = func() {}
		t.move()
	}
	return nil
}

// sheet returns an empty sheet.
func (t *turns) sheet() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := len(t.spare); n > 0 {
		b := t.spare[n-1]
		t.spare = t.spare[:n-1]
		return b
	}
	return make([]byte, 0, sheetBytes)
}

// move prints what waits as far as possible, unless another does. The lock is held, but not while printing.
func (t *turns) move() {
	if t.printing {
		return
	}
	t.printing = true
	for one := t.open[t.next]; one != nil; one = t.open[t.next] {
		if len(one.ready) > 0 {
			t.show(one)
			continue
		}
		if one.over == nil {
			break // not finished yet
		}
		one.over()
		delete(t.open, t.next)
		t.next++
		t.moved.Broadcast()
	}
	t.printing = false
	t.moved.Broadcast()
}

// show prints what an input has handed on.
func (t *turns) show(one *turn) {
	b, err := one.ready[0], one.err
	one.ready = one.ready[1:]
	t.mu.Unlock()
	if err == nil {
		err = t.print(b)
	}
	t.mu.Lock()
	one.err = err
	t.kept--
	t.spare = append(t.spare, b[:0])
	t.moved.Broadcast()
}

// A turn is the output of one input.
type turn struct {
	*turns
	index int
	text  []byte   // the sheet that is being filled; nil: none
	ready [][]byte // sheets that wait to be printed
	err   error    // of printing
	over  func()   // the input is complete; called when it is its turn
}

// Write collects output, and hands it on when there is enough. Its error is that of earlier output.
func (one *turn) Write(b []byte) (int, error) {
	for rest := b; len(rest) > 0; {
		if one.text == nil {
			one.text = one.sheet()
		}
		n := min(len(rest), sheetBytes-len(one.text))
		one.text, rest = append(one.text, rest[:n]...), rest[n:]
		if len(one.text) < sheetBytes {
			break
		}
		if err := one.flushSheet(); err != nil {
			return len(b) - len(rest), err
		}
	}
	return len(b), nil
}

// flushSheet hands on a full sheet, and waits while too much waits.
func (one *turn) flushSheet() error {
	one.mu.Lock()
	defer one.mu.Unlock()
	one.queueText()
	one.move()
	for one.kept > keptSheets && (one.index != one.next || one.printing) {
		one.moved.Wait()
	}
	one.move()
	return one.err
}

// queueText puts what was collected with what waits. The lock is held.
func (one *turn) queueText() {
	if one.text != nil {
		one.ready = append(one.ready, one.text)
		one.text = nil
		one.kept++
	}
}

// end completes the input.
func (one *turn) end(over func()) {
	one.mu.Lock()
	defer one.mu.Unlock()
	one.queueText()
	one.over = over
	one.move()
}
