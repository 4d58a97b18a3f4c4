package all_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
)

// A restless conversation rests after every datagram.
type restless struct {
	dissect.Conversation
	rest func(dissect.Conversation)
}

func (r *restless) Dissect(rec *dissect.Record) bool {
	done := r.Conversation.Dissect(rec)
	r.rest(r.Conversation)
	return done
}

func (r *restless) Shrink() any {
	if kept := r.Conversation.Shrink(); kept != any(r.Conversation) {
		return kept
	}
	return r
}

// resting returns the protocols, whose conversations rest after every datagram.
func resting() (list []*dissect.Protocol) {
	for _, p := range all.Protocols() {
		if q := *p; q.Rest != nil {
			wrap := func(c dissect.Conversation) dissect.Conversation { return &restless{c, p.Rest} }
			q.NewConversation = func(o dissect.Options) dissect.Conversation { return wrap(p.NewConversation(o)) }
			q.Save, q.Rest = nil, nil
			if p.Restore != nil {
				q.Restore = func(o dissect.Options, state any) dissect.Conversation { return wrap(p.Restore(o, state)) }
			}
			if p.End != nil {
				q.End = func(c dissect.Conversation, rec *dissect.Record) bool {
					return p.End(c.(*restless).Conversation, rec)
				}
			}
			list = append(list, &q)
			continue
		}
		list = append(list, p)
	}
	return list
}

// A conversation that rests between its datagrams is read as one that does not.
func TestRest(t *testing.T) {
	names, err := filepath.Glob("../../samples/*/*.pcap")
	if err != nil || len(names) < 40 {
		t.Fatal(names, err)
	}
	most := 60
	if os.Getenv("Q3DISSECT_LONG") != "" {
		most = math.MaxInt
	}
	for i, name := range names {
		f, ok := loadFlood(t, name, 0)
		if !ok {
			continue
		}
		var want []byte
		for _, protocols := range [][]*dissect.Protocol{all.Protocols(), resting()} {
			var got []byte
			o := dissect.Options{State: i%2 == 0, Events: true, Inputs: true, Scenes: true, Files: true, Shots: true}
			e := begin(t, engine.Config{
				Protocols: protocols, Options: o,
				Finish: func(_ int, b []byte, rec *dissect.Record) ([]byte, error) {
					b = fmt.Appendf(b, "%d %v %v %v %v\n", rec.Frame, rec.Damaged, rec.Tree.Nodes, rec.Experts, rec.Events)
					return fmt.Appendf(b, "%v %v %v\n", rec.Inputs, rec.Scene, rec.Shots), nil
				},
				Output: func(b []byte) error { got = append(got, b...); return nil },
			})
			for i := range f.genuine[:min(most, len(f.genuine))] {
				p := f.genuine[i]
				p.Frame = uint64(i + 1)
				if err := e.Packet(&p); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := e.Close(); err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s: a conversation that rests is read otherwise", name)
			}
		}
	}
}

func begin(t *testing.T, cfg engine.Config) *engine.Engine {
	t.Helper()
	e, err := engine.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// What a session keeps of the beginning of every sample: little while it rests, as all but the busiest do.
func TestSessionMemory(t *testing.T) {
	const (
		copies     = 12
		mostBusy   = 256 << 10
		mostAtRest = 40 << 10
	)
	names, err := filepath.Glob("../../samples/*/*.pcap")
	if err != nil || len(names) < 40 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		f, ok := loadFlood(t, name, 0)
		if !ok {
			continue
		}
		busy, rest := f.each(t, all.Protocols(), copies), f.each(t, resting(), copies)
		t.Logf("%-55s %4d KB, %3d KB at rest", name, busy>>10, rest>>10)
		if busy > mostBusy || rest > mostAtRest {
			t.Errorf("%s: a session takes %d KB, and %d KB at rest", name, busy>>10, rest>>10)
		}
	}
}

// each returns how many bytes each of many copies of the session's beginning takes.
func (f *flood) each(t *testing.T, protocols []*dissect.Protocol, copies int) int {
	t.Helper()
	e := begin(t, engine.Config{Protocols: protocols, NoWait: true})
	frame, before := uint64(0), 0
	for client := range 2 * copies {
		if client == copies { // what all share is there
			before = heapNow(e)
		}
		for i := range min(replayed, len(f.genuine)) {
			p := f.from(&f.genuine[i], client)
			frame++
			p.Frame, p.Time = frame, f.genuine[0].Time+int64(frame) // no session is idle for long
			if e.Packet(&p) != nil {
				t.Fatal(e.Err())
			}
		}
	}
	after := heapNow(e)
	if _, err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return max(after-before, 0) / copies
}

// heapNow returns the bytes in use when the engine has done all that it was given.
func heapNow(e *engine.Engine) int {
	e.Idle()
	runtime.GC()
	runtime.GC() // pools are emptied in two steps
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
