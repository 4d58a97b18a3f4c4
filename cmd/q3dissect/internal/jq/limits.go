package jq

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"reflect"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"

	"github.com/itchyny/gojq"
)

// The limits of a program, over one record or event. docs/limits.md has them.
const (
	maxDepth  = 10_000     // levels of arrays and objects in a value, as in decoders of JSON
	maxValues = 10_000_000 // numbers, texts, arrays and so on in a value, as it is printed
	maxText   = 64 << 20   // bytes of the texts in a value
	maxMemory = 256 << 20  // bytes by which the heap of the whole program may grow
)

var (
	errDepth  = fmt.Errorf("a value of more than %d levels", maxDepth)
	errValue  = fmt.Errorf("a value of more than %d parts or %d MB of text", maxValues, maxText>>20)
	errMemory = fmt.Errorf("it takes more than %d MB of memory", maxMemory>>20)
)

// A run is a program at work on a record or event. It is the context of gojq's machine, which calls Done before every
// step: that is where it is counted and stopped.
type run struct {
	context.Context // ends with the reading of the inputs
	slot            int

	steps  uint64
	fault  error
	before uint64 // bytes of the heap at the beginning
	sample [1]metrics.Sample

	calls, next int // of the guard
}

const (
	stepsPerCheck = 1 << 12 // from so many steps on; before that after 1, 2, 4 and so on
	firstCall     = 1 << 6
	callsPerCheck = 20_000 // of the guard, at most
)

// stopped is the channel of a run that must end.
var stopped = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// begin prepares for a record or event.
func (r *run) begin() {
	r.sample[0].Name = "/memory/classes/heap/objects:bytes"
	r.steps, r.fault, r.calls, r.next = 0, nil, 0, firstCall
	r.before = r.heap()
}

func (r *run) heap() uint64 {
	metrics.Read(r.sample[:])
	return r.sample[0].Value.Uint64()
}

// Done counts a step.
func (r *run) Done() <-chan struct{} {
	r.steps++
	if r.steps&(stepsPerCheck-1) == 0 || r.steps < stepsPerCheck && bits.OnesCount64(r.steps) == 1 {
		r.check()
	}
	if r.fault != nil {
		return stopped
	}
	return nil
}

// Err returns why the run was stopped.
func (r *run) Err() error { return r.fault }

// check looks at the memory, and for a signal. Garbage counts until it is twice the limit: then it is collected first.
func (r *run) check() {
	if r.fault == nil {
		r.fault = r.Context.Err()
	}
	if r.fault == nil && r.heap() > r.before+2*maxMemory {
		if runtime.GC(); r.heap() > r.before+maxMemory {
			r.fault = errMemory
		}
	}
}

// measure returns an error for a value that is too deep or too large: functions of gojq walk over values by recursion,
// and a value in which parts occur many times is larger than its memory.
func measure(v any) (values int, err error) {
	m := valueSize{}
	err = m.walk(v, 0)
	return m.values, err
}

// A valueSize is the size of a value.
type valueSize struct{ values, text int }

func (m *valueSize) walk(v any, depth int) error {
	m.values++
	if s, ok := v.(string); ok {
		m.text += len(s)
	}
	if m.values > maxValues || m.text > maxText {
		return errValue
	}
	if depth >= maxDepth {
		return errDepth
	}
	switch v := v.(type) {
	case []any:
		for _, each := range v {
			if err := m.walk(each, depth+1); err != nil {
				return err
			}
		}
	case map[string]any:
		for key, each := range v {
			m.text += len(key)
			if err := m.walk(each, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// guard is called with the values that loops of a program continue with. It measures few of them, the fewer the larger
// they are, so that it costs a small part of what the loop does.
func (r *run) guard(v any) error {
	if r.calls++; r.calls < r.next {
		return nil
	}
	values, err := measure(v)
	r.next = r.calls + min(firstCall+values/16, callsPerCheck)
	return err
}

// Names that no program has.
const (
	guardName = "_q3dissect_guard"
	wholeName = "_q3dissect_whole"
	slotName  = "$__q3dissect__"
)

// A runs has the runs of a program, one for each goroutine that uses it. Programs hand the number of theirs to the
// guard.
type runs struct {
	mu   sync.RWMutex
	all  []*run
	free []*run
}

// take returns a run that nobody uses.
func (s *runs) take(ctx context.Context) *run {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.free); n > 0 {
		r := s.free[n-1]
		s.free = s.free[:n-1]
		return r
	}
	r := &run{Context: ctx, slot: len(s.all)}
	s.all = append(s.all, r)
	return r
}

func (s *runs) give(r *run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, r)
}

func (s *runs) at(slot any) *run {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if n, ok := slot.(int); ok && n >= 0 && n < len(s.all) {
		return s.all[n]
	}
	return nil
}

// options are the compiler's options for a program that bounded has changed.
func (s *runs) options() []gojq.CompilerOption {
	return []gojq.CompilerOption{
		gojq.WithVariables([]string{slotName}),
		gojq.WithFunction(guardName, 1, 1, func(v any, args []any) any {
			if r := s.at(args[0]); r != nil {
				if err := r.guard(v); err != nil {
					return err
				}
			}
			return true
		}),
		gojq.WithFunction(wholeName, 0, 0, func(v any, _ []any) any {
			if _, err := measure(v); err != nil {
				return err
			}
			return true
		}),
	}
}

// bounded puts the guard before everything that a program may do again and again with its own result, and before the
// functions that make a text of a whole value. The condition of an if is no part of a path, so paths stay what they
// are.
func bounded(q *gojq.Query) error {
	guard, err := gojq.Parse("if " + guardName + "(" + slotName + ") then . else . end")
	whole, fault := gojq.Parse("if " + wholeName + " then . else . end")
	if err = errors.Join(err, fault); err != nil {
		return err
	}
	before := func(check, q *gojq.Query) *gojq.Query { return &gojq.Query{Left: check, Op: gojq.OpPipe, Right: q} }
	walk(reflect.ValueOf(q), func(node any) {
		switch n := node.(type) {
		case *gojq.FuncDef:
			n.Body = before(guard, n.Body)
		case *gojq.Reduce:
			n.Update = before(guard, n.Update)
		case *gojq.Foreach:
			n.Update = before(guard, n.Update)
		case *gojq.Func:
			for i, arg := range n.Args {
				if isMade(arg) {
					n.Args[i] = before(guard, arg)
				}
			}
		case *gojq.Query:
			if t := n.Term; t != nil && (t.Format != "" || t.Func != nil &&
				slices.Contains([]string{"tojson", "tostring"}, t.Func.Name)) {
				inner := *n
				*n = *before(whole, &inner)
			}
		}
	})
	return nil
}

// isMade reports whether a query may make a value, rather than choose one.
func isMade(q *gojq.Query) (made bool) {
	walk(reflect.ValueOf(q), func(node any) {
		switch node.(type) {
		case *gojq.Array, *gojq.Object, *gojq.Func, *gojq.Reduce, *gojq.Foreach:
			made = true
		}
	})
	return made || q.Op >= gojq.OpAssign
}

// walk calls visit for all nodes of a program, the inner ones first.
func walk(v reflect.Value, visit func(node any)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			walk(v.Elem(), visit)
			visit(v.Interface())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			walk(v.Field(i), visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), visit)
		}
	}
}
