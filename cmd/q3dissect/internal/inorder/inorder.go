// Package inorder lets several goroutines work on a list of inputs, with the output in the order of the list.
package inorder

import "sync"

// Turns orders the output of many inputs. Whoever completes or fills what is next prints it, and what follows from
// that, while the others continue: nothing else is done by one at a time, and nobody waits for a goroutine that prints.
type Turns struct {
	print func([]byte) error

	mu       sync.Mutex
	moved    *sync.Cond
	open     map[int]*Turn // that were begun
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

// New returns the turns of a list. Output goes to print.
func New(print func([]byte) error) *Turns {
	t := &Turns{print: print, open: map[int]*Turn{}}
	t.moved = sync.NewCond(&t.mu)
	return t
}

// Begin begins the next input that is wanted, and waits first while too many are unfinished. nil: there is none. wanted
// is called with the index of each input in turn, while no results are added.
func (t *Turns) Begin(wanted func(index int) (begin, more bool)) *Turn {
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
		one := &Turn{Turns: t, Index: t.begun}
		t.open[one.Index] = one
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
func (t *Turns) sheet() []byte {
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
func (t *Turns) move() {
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
func (t *Turns) show(one *Turn) {
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

// A Turn is the output of one input. It is for one goroutine.
type Turn struct {
	*Turns
	Index int
	text  []byte   // the sheet that is being filled; nil: none
	ready [][]byte // sheets that wait to be printed
	err   error    // of printing
	over  func()   // the input is complete; called when it is its turn
}

// Write collects output, and hands it on when there is enough. Its error is that of earlier output.
func (one *Turn) Write(b []byte) (int, error) {
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
func (one *Turn) flushSheet() error {
	one.mu.Lock()
	defer one.mu.Unlock()
	one.queueText()
	one.move()
	for one.kept > keptSheets && (one.Index != one.next || one.printing) {
		one.moved.Wait()
	}
	one.move()
	return one.err
}

// queueText puts what was collected with what waits. The lock is held.
func (one *Turn) queueText() {
	if one.text != nil {
		one.ready = append(one.ready, one.text)
		one.text = nil
		one.kept++
	}
}

// End completes the input. over is called when it is its turn, after its output was printed.
func (one *Turn) End(over func()) {
	one.mu.Lock()
	defer one.mu.Unlock()
	one.queueText()
	one.over = over
	one.move()
}
