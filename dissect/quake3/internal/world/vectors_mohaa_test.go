package world

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"strconv"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// mohaaVector is what a vector of Medal of Honor has besides vector.
type mohaaVector struct {
	vector
	Number    uint32           `json:"number"`
	FrameTime float32          `json:"frametime"`
	NoChange  bool             `json:"nochange"`
	Sounds    []map[string]any `json:"sounds"`
	Text      string           `json:"text_hex"`
}

// TestVectorsMOHAA reads the deltas of entities and players, the sounds and the texts that OpenMoHAA wrote, in
// protocols 6, 8 and 17: the bits that are read, and the values after them. All vectors are read where the reference
// folder is at hand, and otherwise one in eight, which are cut out of them.
func TestVectorsMOHAA(t *testing.T) {
	name, whole := reference.Or(t, "quake3/truth/mohaa-vectors.jsonl.gz", "reference", "idtech3", "mohaa-vectors.jsonl.gz")
	generations := map[int]*tables.Generation{}
	for i := range tables.NumGenerations {
		if g := tables.GenerationAt(i); g.Label() == "mohaa" {
			generations[g.Number()] = g
		}
	}
	seen, alone := map[string]int{}, map[string]bool{"entity": true, "player": true, "sounds": true, "string": true}
	lines := reference.Lines(t, name)
	for lines.Scan() {
		var v mohaaVector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil && alone[v.Kind] {
			t.Fatalf("%v in %.200s", err, lines.Bytes())
		}
		gen := generations[v.Protocol]
		switch v.Kind {
		case "entity":
			v.checkEntity(t, gen)
		case "player":
			v.checkPlayer(t, gen)
		case "sounds":
			v.checkSounds(t, gen)
		case "string":
			v.checkString(t, gen)
		default:
			continue
		}
		seen[v.Kind]++
	}
	want := map[string]int{"entity": 1516, "player": 506, "sounds": 60, "string": 18}
	if !whole {
		want = map[string]int{"entity": 189, "player": 64, "sounds": 7, "string": 3}
	}
	if lines.Err() != nil || !maps.Equal(seen, want) {
		t.Errorf("vectors %v, want %v: %v", seen, want, lines.Err())
	}
}

func (v *mohaaVector) checkEntity(t *testing.T, gen *tables.Generation) {
	t.Helper()
	var state tables.State
	state.Set(gen.Entity.Null)
	setFields(t, gen.Entity, &state, numbers(t, v.Base))
	r, d := readerOf(t, gen, v.Hex)
	r.FrameTime = v.FrameTime
	if number := (d.Bits(EntityNumBits) - gen.EntityBias) & (MaxEntities - 1); number != v.Number {
		t.Errorf("%d %s: entity %d, want %d", v.Protocol, v.Hex, number, v.Number)
	}
	if removed := d.Bit(); removed != v.Removed {
		t.Errorf("%d %s: removed %v", v.Protocol, v.Hex, removed)
	} else if !removed {
		changed := d.Bit()
		if changed == v.NoChange {
			t.Errorf("%d %s: delta %v", v.Protocol, v.Hex, changed)
		}
		if changed {
			r.readFields(d, &state)
		}
	}
	v.checkBits(t, d)
	if v.Removed {
		return
	}
	var want tables.State
	want.Set(gen.Entity.Null)
	setFields(t, gen.Entity, &want, numbers(t, v.To))
	if got, want := differing(gen.Entity, &state, nil), differing(gen.Entity, &want, nil); !sameFields(got, want) {
		t.Errorf("%d %s: got %v, want %v", v.Protocol, v.Hex, got, want)
	}
	r.addState(d.Tree(), &state)
	if got, want := shown(d.Tree(), &entityStateField), differing(gen.Entity, &want, nil); !sameFields(got, want) {
		t.Errorf("%d %s: shown %v, want %v", v.Protocol, v.Hex, got, want)
	}
}

func (v *mohaaVector) checkPlayer(t *testing.T, gen *tables.Generation) {
	t.Helper()
	read := func(raw json.RawMessage) (p Player) {
		zero := zeroPlayer(gen)
		p.Set(&zero)
		var parts map[string]json.RawMessage
		if json.Unmarshal(raw, &parts) != nil {
			t.Fatalf("%.200s", raw)
		}
		setFields(t, gen.Player, &p.State, numbers(t, parts["f"]))
		for i, a := range activeArrays {
			var values []int32
			if raw := parts[cmp.Or(a.field.Name, a.field.Key)]; raw != nil && json.Unmarshal(raw, &values) != nil {
				t.Fatalf("%s: %.200s", cmp.Or(a.field.Name, a.field.Key), raw)
			}
			for index, n := range values {
				group, _ := p.active(i, index)
				group[index%arrayLength] = n
			}
		}
		return p
	}
	if len(v.Base) == 0 {
		v.Base = json.RawMessage("{}")
	}
	p, want := read(v.Base), read(v.To)
	r, d := readerOf(t, gen, v.Hex)
	r.readPlayer(d, &p)
	v.checkBits(t, d)
	got, to := differing(gen.Player, &p.State, nil), differing(gen.Player, &want.State, nil)
	if !sameFields(got, to) {
		t.Errorf("%d %s: got %v, want %v", v.Protocol, v.Hex, got, to)
	}
	if p.Arrays != want.Arrays || p.Extra.Values != want.Extra.Values {
		t.Errorf("%d %s: arrays %v %v, want %v %v", v.Protocol, v.Hex,
			p.Arrays, p.Extra.Values, want.Arrays, want.Extra.Values)
	}
	for i, a := range activeArrays {
		for index := range a.count {
			if group, _ := want.active(i, index); group[index%arrayLength] != 0 {
				name := cmp.Or(a.field.Name, a.field.Key)
				to[fmt.Sprint(name, " ", index)] = json.Number(strconv.Itoa(int(group[index%arrayLength])))
			}
		}
	}
	if got := shown(d.Tree(), &playerStateField); !sameFields(got, to) {
		t.Errorf("%d %s: shown %v, want %v", v.Protocol, v.Hex, got, to)
	}
}

func (v *mohaaVector) checkSounds(t *testing.T, gen *tables.Generation) {
	t.Helper()
	_, d := readerOf(t, gen, v.Hex)
	readSounds(d)
	v.checkBits(t, d)
	var got []map[string]any
	var origin []any
	for _, n := range d.Tree().Nodes {
		switch f := n.Field; {
		case f == &soundField:
			got, origin = append(got, map[string]any{}), nil
		case f == &soundX || f == &soundY || f == &soundZ:
			origin = append(origin, float64(n.Float()))
			got[len(got)-1]["origin"] = origin
		case f.Kind == dissect.Bool:
			got[len(got)-1][f.Key] = n.Uint() != 0
		case f.Kind == dissect.Float:
			got[len(got)-1][f.Key] = float64(n.Float())
		case f.Kind == dissect.Uint:
			got[len(got)-1][f.Key] = float64(n.Uint())
		}
	}
	if len(got) != len(v.Sounds) {
		t.Errorf("%d %s: %d sounds, want %d", v.Protocol, v.Hex, len(got), len(v.Sounds))
		return
	}
	for i, want := range v.Sounds {
		if want["streamed"] != nil {
			want["streamed"] = want["streamed"] != 0.
		}
		defaults := map[string]any{"volume": -1., "min_dist": -1., "pitch": 1., "origin": []any{0., 0., 0.}}
		for name, value := range want {
			is := got[i][name]
			if is == nil {
				is = defaults[name]
			}
			if !sameSound(is, value) {
				t.Errorf("%d %s: sound %d: %s is %v, want %v", v.Protocol, v.Hex, i, name, is, value)
			}
		}
	}
}

// sameSound compares values of a sound, floats as they are in 32 bits.
func sameSound(a, b any) bool {
	if x, ok := a.(float64); ok {
		y, ok := b.(float64)
		return ok && float32(x) == float32(y)
	}
	return fmt.Sprint(a) == fmt.Sprint(b)
}

// checkString reads a text with the permutation of its protocol.
func (v *mohaaVector) checkString(t *testing.T, gen *tables.Generation) {
	t.Helper()
	_, d := readerOf(t, gen, v.Hex)
	field := dissect.Field{Key: "text", Kind: dissect.Text}
	got := fmt.Sprintf("%x", d.Scrambled(&field, gen.Unscramble, nil))
	v.checkBits(t, d)
	if got != v.Text {
		t.Errorf("%d %s: text %s, want %s", v.Protocol, v.Hex, got, v.Text)
	}
}

func (v *mohaaVector) checkBits(t *testing.T, d *decode.Decoder) {
	t.Helper()
	if d.Err() != nil || d.Pos() != v.Bits {
		t.Errorf("%d %s: read to bit %d, want %d: %v", v.Protocol, v.Hex, d.Pos(), v.Bits, d.Err())
	}
}

// TestStepWithoutBase reads a step of a coordinate whose base is not known: the field stays unknown until it is sent
// whole. The entities are those of two vectors of OpenMoHAA.
func TestStepWithoutBase(t *testing.T) {
	gen := tables.GenerationOf(17)
	var state tables.State
	place := gen.Entity.Place("netorigin[0]")
	read := func(data string) (float32, bool) {
		r, d := readerOf(t, gen, data)
		d.Bits(EntityNumBits)
		d.Bit()
		d.Bit()
		r.readFields(d, &state)
		v, known := state.At(place)
		if got := len(shown(d.Tree(), gen.Entity.Output[0].Outer)); known != (got == 1) || d.Err() != nil {
			t.Errorf("%s: %d values are shown: %v", data, got, d.Err())
		}
		return math.Float32frombits(v), known
	}
	if v, known := read("f474df10"); known {
		t.Errorf("a step from nothing gives %v", v)
	}
	if v, known := read("5de3ee614c"); !known || v != 4001 {
		t.Errorf("a whole coordinate gives %v, %v", v, known)
	}
	if v, known := read("f474df10"); !known || v != 4001+3522.5-3495.75 {
		t.Errorf("a step from a coordinate gives %v, %v", v, known)
	}
}
