package quake3

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// A unit is a line of the vectors of protocols 43 and 24: what one of the engines' own writers wrote.
type unit struct {
	Kind        string
	Plain, Wire string // scramble
	Number      int32  // entity
	Skipbits    int
	Nbits       int
	Hex         string
	From, To    map[string]any
	Fields      [][2]uint32 // bits
}

// TestScrambledUnits reads all unit vectors of both protocols.
func TestScrambledUnits(t *testing.T) {
	t.Parallel()
	for version, want := range map[int]int{43: 598, 24: 601} {
		count := 0
		name := fmt.Sprintf("%s/units-%d.jsonl.gz", reference.Folder(t, "reference", "quake3", "vectors-43-24"), version)
		for lines := reference.Lines(t, name); lines.Scan(); count++ {
			var u unit
			d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
			d.UseNumber()
			if err := d.Decode(&u); err != nil {
				t.Fatal(err)
			}
			switch u.Kind {
			case "scramble":
				u.scramble(t)
			case "bits":
				u.bits(t)
			case "usercmd":
				u.userCommand(t, version)
			default:
				u.delta(t, version)
			}
		}
		if count != want {
			t.Errorf("%d units of protocol %d, want %d", count, version, want)
		}
	}
}

func (u *unit) scramble(t *testing.T) {
	var s netchan.Scrambler
	plain, wire := unhex(t, u.Plain), unhex(t, u.Wire)
	places := s.AppendPlaces(nil, wire)
	got := bytes.Clone(wire)
	s.Unscramble(got)
	if !bytes.Equal(got, plain) {
		t.Errorf("%x is %x, want %x", wire, got, plain)
	}
	s.Scramble(got)
	if !bytes.Equal(got, wire) {
		t.Errorf("%x is %x on the wire, want %x", plain, got, wire)
	}
	for i := range min(6, len(plain)) {
		if places[i] != i {
			t.Errorf("byte %d is at %d, and it is clear", i, places[i])
		}
	}
}

func (u *unit) bits(t *testing.T) {
	r := huffcodec.NewReader(unhex(t, u.Hex), huffcodec.Raw)
	for _, f := range u.Fields {
		if got := r.Bits(int(f[0])); got != f[1] {
			t.Errorf("%d bits are %d, want %d", f[0], got, f[1])
		}
	}
	if r.Pos() != u.Nbits {
		t.Errorf("%d bits, want %d", r.Pos(), u.Nbits)
	}
}

// A scrambledPeer gives a conversation the packets of one side.
type scrambledPeer struct {
	*testing.T
	c        *conversation
	sequence uint32
}

func newScrambledPeer(t *testing.T, version int) *scrambledPeer {
	c := newConversation(dissect.Options{})
	c.restart(false)
	c.setVersion(version)
	c.encoding = netchan.Scrambled
	return &scrambledPeer{T: t, c: c}
}

// give scrambles a message and gives it to the conversation.
func (p *scrambledPeer) give(w *huffcodec.Writer, fromClient bool) *dissect.Record {
	p.Helper()
	p.sequence++
	packet := binary.LittleEndian.AppendUint32(nil, p.sequence)
	rec := dissect.NewRecord()
	rec.Direction = dissect.ServerToClient
	if fromClient {
		packet = append(packet, 7, 7)
		rec.Direction = dissect.ClientToServer
	}
	w.Align()
	packet = append(packet, w.Data()[:w.Pos()>>3]...)
	var scrambler netchan.Scrambler
	scrambler.Scramble(packet)
	rec.Packet = dissect.Packet{UDP: true, Payload: packet, Length: len(packet)}
	if rec.Final = true; !p.c.Dissect(rec) || rec.Damaged {
		p.Errorf("message %d: %v", p.sequence, rec.Experts)
	}
	return rec
}

// beginSnapshot writes a snapshot up to its player.
func beginSnapshot(w *huffcodec.Writer, delta uint32) {
	w.Reset(huffcodec.Raw)
	for _, v := range [...][2]uint32{{tables.SvcSnapshot, 8}, {0, 32}, {5000, 32}, {delta, 8}, {0, 8}, {0, 8}} {
		w.Bits(v[0], int(v[1]))
	}
}

// state makes a state of fields by the engine's names; others are zero.
func state(layout *tables.Layout, fields map[string]any) *tables.State {
	s := &tables.State{}
	s.Set(layout.Zero)
	for i := range layout.Wire {
		w := &layout.Wire[i]
		v, ok := fields[w.Name].(json.Number)
		if !ok {
			continue
		}
		if w.Bits == 0 {
			f, _ := strconv.ParseFloat(string(v), 32)
			s.Values[i] = math.Float32bits(float32(f))
			continue
		}
		n, _ := v.Int64()
		s.Values[i] = uint32(n)
	}
	return s
}

// arrays are the arrays of a player, in the order of world.Player.
func arrays(player map[string]any, into *world.Player) {
	into.ArraysKnown = world.AllArrays
	for i, key := range [...]string{"stats", "persistant", "ammo", "powerups"} {
		values, _ := player[key].(map[string]any)
		for index, v := range values {
			at, _ := strconv.Atoi(index)
			n, _ := v.(json.Number).Int64()
			into.Arrays[i][at] = int32(n)
		}
	}
}

// delta reads an entity or a player as a delta of its state before, in the second of two snapshots.
func (u *unit) delta(t *testing.T, version int) {
	p, gen := newScrambledPeer(t, version), tables.GenerationOf(version)
	var w, zero huffcodec.Writer
	zero.Reset(huffcodec.Raw)
	world.WritePlayer(&zero, gen, &world.Player{})
	var from, to world.Player
	bits := unhex(t, u.Hex)
	beginSnapshot(&w, 0)
	layout, entity := gen.Entity, u.Kind == "entity"
	if entity {
		w.Copy(zero.Data(), 0, zero.Pos())
		world.WriteEntity(&w, gen, u.Number, gen.Entity.Null, state(layout, u.From))
		to.State = *state(layout, u.To)
	} else {
		layout = gen.Player
		fields := func(v map[string]any) map[string]any { f, _ := v["f"].(map[string]any); return f }
		from.State, to.State = *state(layout, fields(u.From)), *state(layout, fields(u.To))
		arrays(u.From, &from)
		arrays(u.To, &to)
		world.WritePlayer(&w, gen, &from)
	}
	world.WriteEnd(&w, gen)
	p.give(&w, false)
	beginSnapshot(&w, 1)
	if entity {
		w.Copy(zero.Data(), 0, zero.Pos())
	}
	w.Copy(bits, u.Skipbits, u.Skipbits+u.Nbits)
	world.WriteEnd(&w, gen)
	end := w.Pos()
	p.give(&w, false)
	got := p.c.world.Base(2)
	if p.c.dec.Pos() != end || got == nil {
		t.Fatalf("protocol %d: %d bits of %d were read of %+v", version, p.c.dec.Pos(), end, u)
	}
	values := &got.Player.Values
	if entity {
		if len(got.Entities) != 1 || got.Entities[0].Number != u.Number {
			t.Fatalf("entities %v, want %d", got.Entities, u.Number)
		}
		values = &p.c.world.Pool.At(got.Entities[0].State).Values
	} else if got.Player.Arrays != to.Arrays {
		t.Errorf("protocol %d: arrays %v, want %v", version, got.Player.Arrays, to.Arrays)
	}
	for i := range layout.Wire {
		if values[i] != to.Values[i] {
			t.Errorf("protocol %d: %s of %+v is %#x, want %#x", version, layout.Wire[i].Name, u, values[i], to.Values[i])
		}
	}
}

// userCommand reads a user command after the one before it.
func (u *unit) userCommand(t *testing.T, version int) {
	p := newScrambledPeer(t, version)
	var w huffcodec.Writer
	w.Reset(huffcodec.Raw)
	for range 3 {
		w.Bits(0, 32)
	}
	w.Bits(tables.ClcMove, 8)
	w.Bits(2, 8)
	number := func(of map[string]any, key string) int64 { n, _ := of[key].(json.Number).Int64(); return n }
	list := func(of map[string]any) (values []int64) {
		for _, a := range of["angles"].([]any) {
			n, _ := a.(json.Number).Int64()
			values = append(values, n)
		}
		for _, key := range [...]string{"forward", "right", "up", "buttons", "weapon"} {
			values = append(values, number(of, key))
		}
		return append(values, number(of, "time"))
	}
	first := list(u.From)
	w.Bit(false)
	w.Bits(uint32(first[len(first)-1]), 32)
	for i, v := range first[:len(first)-1] {
		w.Bit(true)
		w.Bits(uint32(v), map[bool]int{true: 16, false: 8}[i < 3])
	}
	w.Copy(unhex(t, u.Hex), u.Skipbits, u.Skipbits+u.Nbits)
	end := w.Pos()
	rec := p.give(&w, true)
	if p.c.dec.Pos() != end {
		t.Errorf("protocol %d: %d bits of %d were read of %+v", version, p.c.dec.Pos(), end, u)
	}
	var last dissect.Value
	for op := range rec.Tree.Top().Get("quake3").Get("client_message").Get("ops").Children() {
		for cmd := range op.Get("user_commands").Children() {
			last = cmd
		}
	}
	var got []int64
	for _, key := range [...]string{"pitch", "yaw", "roll"} {
		got = append(got, int64(last.Get("angles").Get(key).Uint()))
	}
	for _, key := range [...]string{"forwardmove", "rightmove", "upmove", "buttons", "weapon", "server_time"} {
		got = append(got, last.Get(key).Int())
	}
	if want := list(u.To); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("protocol %d: %v, want %v", version, got, want)
	}
}

// TestScrambledWithoutConnect: where the connect is not in the capture, the first packet that can be read as a
// scrambled one shows it.
func TestScrambledWithoutConnect(t *testing.T) {
	c := newConversation(dissect.Options{})
	for _, text := range []string{"challengeResponse 1266457919", "connectResponse"} {
		rec := dissect.NewRecord()
		rec.Packet = dissect.Packet{UDP: true, Payload: []byte("\xff\xff\xff\xff" + text)}
		rec.Direction = dissect.ServerToClient
		c.Dissect(rec)
	}
	p := &scrambledPeer{T: t, c: c}
	var w, zero huffcodec.Writer
	zero.Reset(huffcodec.Raw)
	world.WritePlayer(&zero, tables.GenerationOf(43), &world.Player{})
	beginSnapshot(&w, 0)
	w.Copy(zero.Data(), 0, zero.Pos())
	world.WriteEnd(&w, tables.GenerationOf(43))
	if rec := p.give(&w, false); c.encoding != netchan.Scrambled || !rec.MessageDone {
		t.Errorf("encoding %q: %v", c.encoding, rec.Experts)
	}
}
