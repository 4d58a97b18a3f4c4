package quake3

import (
	"encoding/binary"
	"hash/fnv"
	"io"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

// A writtenDemo is a demo put together from the parts that records hold.
type writtenDemo struct {
	extension string
	data      []byte
	messages  int
	states    map[uint32]uint64 // of the snapshots that are known whole, by sequence number
}

// stateSum is a sum over all that a snapshot says.
func stateSum(c *conversation, s *world.Snapshot) uint64 {
	h := fnv.New64a()
	add := func(data any) { _ = binary.Write(h, binary.LittleEndian, data) } // it takes anything
	add([2]uint32{uint32(s.ServerTime), s.Flags})
	add(s.Player.Values)
	add(s.Player.Arrays)
	for _, e := range s.Entities {
		add(e.Number)
		add(c.world.Pool.At(e.State).Values)
	}
	return h.Sum64()
}

// FuzzDemoParts writes demos out of anything that is taken for a demo, and reads them back: each message must
// be good, and its snapshot show what it shows there.
func FuzzDemoParts(f *testing.F) {
	for _, file := range demoSamples(f) {
		f.Add(file[:min(len(file), 7000)], "x.dm_71", int32(0), int32(0), uint8(0))
		f.Add(file[:min(len(file), 7000)], "x.dm_68", int32(112000), int32(113000), uint8(3))
		f.Add(file[:min(len(file), 7000)], "x.dm_91", int32(132000), int32(0), uint8(1))
	}
	f.Fuzz(func(t *testing.T, data []byte, name string, from, to int32, has uint8) {
		part := dissect.DemoRange{From: from, HasFrom: has&1 != 0, To: to, HasTo: has&2 != 0}
		var written []*writtenDemo
		_ = playDemo(data, name, dissect.Options{Demos: &part}, func(c *conversation, rec *dissect.Record) { // broken files are fine
			p := &rec.Demo
			if p.Begin != nil {
				if !p.Begin.Again {
					written = append(written, nil)
				}
				written[len(written)-1] = &writtenDemo{extension: p.Begin.Extension, states: map[uint32]uint64{}}
			}
			if len(p.Data) == 0 {
				return
			}
			if len(written) == 0 || p.Left != "" {
				t.Fatalf("message %d is written, and left for %q", p.Sequence, p.Left)
			}
			w := written[len(written)-1]
			w.data, w.messages = append(w.data, p.Data...), w.messages+p.Messages
			delete(w.states, p.Sequence)
			if s := c.world.Base(int32(p.Sequence)); s != nil && !s.Partial {
				w.states[p.Sequence] = stateSum(c, s)
			}
		})
		for i, w := range written {
			messages, seen := 0, map[uint32]uint64{}
			err := playDemo(append(w.data, Protocol{}.DemoEnd()...), "x."+w.extension, dissect.Options{}, func(c *conversation, rec *dissect.Record) {
				messages++
				if rec.Damaged {
					t.Fatalf("demo %d, message %d: %v", i, messages, rec.Experts)
				}
				sequence := binary.LittleEndian.Uint32(rec.Payload)
				delete(seen, sequence)
				if s := c.world.Base(int32(sequence)); s != nil && !s.Partial {
					seen[sequence] = stateSum(c, s)
				}
			})
			if err != io.EOF || messages != w.messages {
				t.Fatalf("demo %d: %d messages, want %d: %v", i, messages, w.messages, err)
			}
			for sequence, got := range seen {
				if want, ok := w.states[sequence]; ok && want != got {
					t.Fatalf("demo %d: snapshot %d shows something else", i, sequence)
				}
			}
		}
	})
}
