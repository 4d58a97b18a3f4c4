package quake3

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/dissect"
	_ "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/internal/leap"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/demos"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// demoSamples are demos that clients of ioquake3 wrote.
func demoSamples(t testing.TB) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob("../../samples/quake3/*.dm_??")
	if err != nil || len(names) == 0 {
		t.Fatalf("no demos among the samples: %v", err)
	}
	samples := map[string][]byte{}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		samples[filepath.Base(name)] = b
	}
	return samples
}

// playDemo passes a demo's messages to a conversation, and each one to a function. The error is io.EOF for a demo
// that is whole.
func playDemo(file []byte, name string, opts dissect.Options, each func(c *conversation, rec *dissect.Record)) error {
	demo, ok := source{}.openRecording(bytes.NewReader(file), file[:min(len(file), dissect.RecordingHead)], name, 0)
	if !ok {
		return errors.New("no demo")
	}
	c := newConversation(opts)
	for {
		packet, err := demo.Next()
		if err != nil {
			return err
		}
		rec := dissect.NewRecord()
		rec.Packet, rec.Hint, rec.Direction, rec.Final = *packet, packet.RecorderHint, dissect.ServerToClient, true
		c.Dissect(rec)
		each(c, rec)
	}
}

// demosOf returns the conversation's reader of demos.
func demosOf(c *conversation) *demos.Reader {
	for _, o := range c.observers {
		if d, ok := o.(*demos.Reader); ok {
			return d
		}
	}
	return nil
}

// TestWriteGamestate rewrites the gamestates that clients wrote when they began to record: the result must be
// the same, apart from the last byte, which the engine leaves undefined.
func TestWriteGamestate(t *testing.T) {
	for name, file := range demoSamples(t) {
		err := playDemo(file, name, dissect.Options{Demos: &extract.DemoRange{}}, func(c *conversation, rec *dissect.Record) {
			if rec.Frame != 1 {
				return
			}
			var w huffcodec.Writer
			r := huffcodec.NewReader(rec.Message, huffcodec.Static)
			known := demosOf(c).Known()
			known.Acknowledge = int32(r.Bits(32))
			got := demos.WriteGamestate(&w, c.snapshots.Generation, &known, c.world)
			if end := len(got) - 1; len(got) != len(rec.Message) || !bytes.Equal(got[:end], rec.Message[:end]) {
				t.Errorf("%s:\n got %x\nwant %x", name, got, rec.Message)
			}
		})
		if err != io.EOF {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWriteFull codes every snapshot of the samples in full. For a client that has only the gamestate each must
// be the same as in the whole demo.
func TestWriteFull(t *testing.T) {
	for name, file := range demoSamples(t) {
		var gamestate []byte
		count := 0
		err := playDemo(file, name, dissect.Options{Demos: &extract.DemoRange{}}, func(c *conversation, rec *dissect.Record) {
			if rec.Frame == 1 {
				gamestate = bytes.Clone(rec.Payload)
				return
			}
			sequence := rec.Demo.Sequence
			want := c.world.Base(int32(sequence))
			if want == nil {
				return
			}
			body := demosOf(c).Recode(&c.shown, want)
			if body == nil {
				t.Fatalf("%s: message %d cannot be coded in full", name, sequence)
			}
			other := newConversation(dissect.Options{})
			for _, payload := range [][]byte{gamestate, demos.AppendRecord(nil, sequence, body)} {
				r := dissect.NewRecord()
				r.Packet = dissect.Packet{UDP: true, Recorder: protocolName, Payload: payload, Length: len(payload) - recordHeader}
				r.Hint, r.Direction, r.Final = rec.Hint, dissect.ServerToClient, true
				if other.Dissect(r); r.Damaged || len(r.Experts) > 0 {
					t.Fatalf("%s: message %d: %v", name, sequence, r.Experts)
				}
			}
			if diff := cmp.Diff(stateText(c, want), stateText(other, other.world.Base(int32(sequence)))); diff != "" {
				t.Fatalf("%s: message %d (-want +got):\n%s", name, sequence, diff)
			}
			count++
		})
		if err != io.EOF || count == 0 {
			t.Errorf("%s: %d snapshots, %v", name, count, err)
		}
	}
}

// stateText returns everything in a snapshot as text.
func stateText(c *conversation, s *world.Snapshot) []string {
	if s == nil {
		return nil
	}
	lines := []string{fmt.Sprint(s.ServerTime, s.Flags, s.Partial), fmt.Sprint(s.Player)}
	for _, e := range s.Entities {
		lines = append(lines, fmt.Sprint(e.Number, *c.world.Pool.At(e.State)))
	}
	return lines
}

// drawValues draws a state of a table's fields, half of them zero.
func drawValues(t *rapid.T, table *tables.Layout) *tables.State {
	s := &tables.State{}
	s.Set(table.Zero)
	for i := range table.Wire {
		if rapid.Bool().Draw(t, "zero") {
			continue
		}
		value, width := rapid.Uint32().Draw(t, "value"), int(table.Wire[i].Bits)
		switch {
		case table.Values != nil:
			r := huffcodec.NewReader(rapid.SliceOfN(rapid.Byte(), 8, 8).Draw(t, "coded"), huffcodec.Raw)
			value, _ = world.ReadValue(&r, table.Values[i], 0, true, 0)
		case width < 0:
			value = uint32(int32(value<<(32+width)) >> (32 + width))
		case width > 0:
			value &= 1<<width - 1
		}
		if table.Wide {
			s.Put(table.Wire[i].Output, value)
		} else {
			s.Values[i] = value
		}
	}
	return s
}

// TestWriteMessages reads back a gamestate and a full snapshot of every generation.
func TestWriteMessages(t *testing.T) {
	for i := range tables.NumGenerations {
		gen := tables.GenerationAt(i)
		t.Run(fmt.Sprint(gen.Version), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				c := newConversation(dissect.Options{Demos: &extract.DemoRange{}})
				c.restart(false)
				c.encoding = netchan.Recorded
				c.setGeneration(gen)
				text := rapid.SliceOfN(rapid.ByteRange(1, 255), 1, 20)
				strings := rapid.MapOfN(rapid.IntRange(2, gen.MaxConfigstrings-1), text, 0, 8).Draw(t, "strings")
				states := rapid.MapOfN(rapid.IntRange(0, world.EntityNumNone-1),
					rapid.Custom(func(t *rapid.T) *tables.State { return drawValues(t, gen.Entity) }), 0, 4).Draw(t, "baselines")
				var all [tables.MaxConfigstrings][]byte
				for i, s := range strings {
					all[i] = s
				}
				var other world.World
				for i, v := range states {
					slot, state := other.Take()
					state.Set(v)
					other.Baselines.Set(int32(i), slot)
				}
				var w huffcodec.Writer
				g := demos.Gamestate{Acknowledge: 3, CommandSequence: 17, ClientNum: 5, Feed: -9, Strings: &all}
				c.give(t, 41, demos.WriteGamestate(&w, gen, &g, &other))
				known := demosOf(c).Known()
				if known.CommandSequence != 17 || !gen.Old && (known.ClientNum != 5 || known.Feed != -9) {
					t.Fatalf("command %d, client %d, feed %d", known.CommandSequence, known.ClientNum, known.Feed)
				}
				for i := range all { // all generations with a thousand strings a hundred times would take too long
					if !bytes.Equal(all[i], known.Strings[i]) {
						t.Fatalf("string %d: %q, want %q", i, known.Strings[i], all[i])
					}
				}
				for i := range world.MaxEntities {
					slot := c.world.Baselines.At(int32(i))
					if want, ok := states[i]; ok != (slot >= 0) || ok && !c.world.Pool.At(slot).Equal(want) {
						t.Fatalf("baseline %d: %v", i, ok)
					}
				}
				// A snapshot: reading the rewritten one gives the same state.
				message := drawSnapshot(t, gen, c.world)
				c.give(t, 42, message)
				snap := c.world.Base(42)
				if again := demosOf(c).Recode(&c.shown, snap); !bytes.Equal(again, message) {
					t.Fatalf("written again\n%x, was\n%x", again, message)
				}
			})
		})
	}
}

// give passes a valid message of a recording to a conversation.
func (c *conversation) give(t *rapid.T, sequence uint32, body []byte) {
	rec := dissect.NewRecord()
	rec.Packet = dissect.Packet{
		UDP: true, Recorder: protocolName, Payload: demos.AppendRecord(nil, sequence, body),
		RecorderHint: uint64(c.version),
	}
	c.Dissect(rec)
	for _, e := range rec.Experts {
		if e.Code != leap.ExpertTimeUnknown { // the player's command has any time
			t.Fatalf("message %d: %v", sequence, e)
		}
	}
}

// drawSnapshot writes a message with a full snapshot.
func drawSnapshot(t *rapid.T, gen *tables.Generation, known *world.World) []byte {
	var w huffcodec.Writer
	w.Reset(gen.Coding)
	if !gen.NoAcknowledge {
		w.Bits(3, 32)
	}
	w.Bits(tables.SvcSnapshot, 8)
	if gen.CommandSequence {
		w.Bits(12, 32)
	}
	w.Bits(5000, 32)
	if gen.Sounds {
		w.Bits(3, 8)
	}
	w.Bits(0, 8)
	w.Bits(4, 8)
	w.Bits(1, 8)
	w.Bits(0xfe, 8)
	p := world.Player{State: *drawValues(t, gen.Player)}
	if gen.Vehicle != nil {
		p.Put(gen.Player.Place("m_iVehicleNum"), 0)
	}
	world.WritePlayer(&w, gen, &p)
	for _, n := range slices.Sorted(slices.Values(rapid.SliceOfNDistinct(rapid.Int32Range(0, world.EntityNumNone-1), 0, 5,
		rapid.ID).Draw(t, "entities"))) {
		world.WriteEntity(&w, gen, n, known.Baseline(n, gen.Entity), drawValues(t, gen.Entity))
	}
	world.WriteEnd(&w, gen)
	if gen.Sounds {
		w.Bit(false)
	}
	if !gen.Old {
		w.Bits(gen.Code(tables.OpEOF), 8)
	}
	if gen.Old {
		w.Align()
		return w.Data()[:w.Pos()>>3]
	}
	return w.Data()
}

// A writtenDemo is a demo made of the parts in records.
type writtenDemo struct {
	extension string
	data      []byte
	messages  int
	states    map[uint32]uint64 // of the complete snapshots, by sequence number
}

// stateSum is a sum over everything in a snapshot.
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

// FuzzDemoParts writes demos from any input that is taken for a demo, and reads them back: each message must be
// good, and its snapshot the same.
func FuzzDemoParts(f *testing.F) {
	for _, file := range demoSamples(f) {
		f.Add(file[:min(len(file), 7000)], "x.dm_71", int32(0), int32(0), uint8(0))
		f.Add(file[:min(len(file), 7000)], "x.dm_68", int32(112000), int32(113000), uint8(3))
		f.Add(file[:min(len(file), 7000)], "x.dm_91", int32(132000), int32(0), uint8(1))
	}
	f.Fuzz(func(t *testing.T, data []byte, name string, from, to int32, has uint8) {
		part := extract.DemoRange{From: from, HasFrom: has&1 != 0, To: to, HasTo: has&2 != 0}
		var written []*writtenDemo
		// broken files are fine
		_ = playDemo(data, name, dissect.Options{Demos: &part}, func(c *conversation, rec *dissect.Record) {
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
			err := playDemo(append(w.data, New().DemoEnd...), "x."+w.extension, dissect.Options{},
				func(c *conversation, rec *dissect.Record) {
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
