package world

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// A vector is a delta that an engine's own code wrote and read back.
type vector struct {
	Protocol int             `json:"protocol"`
	Kind     string          `json:"kind"`
	What     string          `json:"what"`
	Hex      string          `json:"hex"`
	Base     json.RawMessage `json:"base"`
	Vbase    json.RawMessage `json:"vbase"`
	Removed  bool            `json:"removed"`
	Vehicle  bool            `json:"vehicle"`
	Bits     int             `json:"bits"`
	Fields   json.RawMessage `json:"f"`         // on the wire
	To       json.RawMessage `json:"to"`        // Wolfenstein: the result
	Expected json.RawMessage `json:"expected"`  // Jedi Knight: the result
	Vehicles json.RawMessage `json:"vexpected"` // of the vehicle
}

// TestVectorsGames reads the deltas of entities, players and shared entities that the engines of Return to Castle
// Wolfenstein, Enemy Territory, Jedi Outcast and Jedi Academy wrote: the bits that are read, and the state after them.
func TestVectorsGames(t *testing.T) {
	for _, name := range []string{"wolf-vectors.jsonl.gz", "jk-vectors.jsonl.gz"} {
		t.Run(name, func(t *testing.T) {
			seen := map[string]int{}
			for i, v := range readVectors(t, name) {
				switch v.Kind {
				case "entity", "ettvshared":
					checkEntity(t, i, &v)
				case "player":
					checkPlayer(t, i, &v)
				default:
					continue
				}
				seen[fmt.Sprint(v.Protocol, " ", v.Kind)]++
			}
			t.Log(seen)
			if len(seen) < 4 {
				t.Errorf("vectors of %v alone", seen)
			}
		})
	}
}

// readVectors reads all vectors where the reference folder is at hand, and otherwise those that are cut out of them.
func readVectors(t *testing.T, name string) (all []vector) {
	t.Helper()
	file, _ := reference.Or(t, "quake3/truth/"+name, "reference", "idtech3", name)
	lines := reference.Lines(t, file)
	for lines.Scan() {
		var v vector
		var kind struct {
			Kind string `json:"kind"`
		}
		if err := json.Unmarshal(lines.Bytes(), &kind); err != nil {
			t.Fatal(err)
		}
		if kind.Kind == "entity" || kind.Kind == "player" || kind.Kind == "ettvshared" {
			if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
				t.Fatalf("%v in %.200s", err, lines.Bytes())
			}
		}
		all = append(all, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func checkEntity(t *testing.T, line int, v *vector) {
	t.Helper()
	gen := tables.GenerationOf(v.Protocol)
	layout, want := gen.Entity, v.Expected
	if want == nil {
		want = v.To
	}
	var state tables.State
	state.Set(layout.Zero)
	setFields(t, layout, &state, numbers(t, v.Base))
	r, d := readerOf(t, gen, v.Hex)
	if v.Kind == "ettvshared" {
		r.readShared(d, &state)
		want = nil
		if got := differing(gen.Shared, &state, numbers(t, v.Base)); !v.Removed &&
			!sameFields(got, withPrefix(numbers(t, v.Fields))) {
			t.Errorf("line %d: shared %v, want %v", line, got, string(v.Fields))
		}
	} else {
		d.Bits(EntityNumBits)
		if removed := d.Bit(); removed != v.Removed {
			t.Errorf("line %d: removed %v, want %v", line, removed, v.Removed)
		} else if !removed && d.Bit() {
			r.readFields(d, &state)
		}
	}
	if d.Err() != nil || d.Pos() != v.Bits {
		t.Errorf("line %d: read to bit %d, want %d: %v", line, d.Pos(), v.Bits, d.Err())
	}
	if want != nil && !v.Removed {
		if got := differing(layout, &state, nil); !sameFields(got, numbers(t, want)) {
			t.Errorf("line %d (%s): got %v, want %s", line, v.What, got, want)
		}
		r.addState(d.Tree(), &state)
		if got := shown(d.Tree(), &entityStateField); !sameFields(got, numbers(t, want)) {
			t.Errorf("line %d (%s): shown %v, want %s", line, v.What, got, want)
		}
	}
}

func checkPlayer(t *testing.T, line int, v *vector) {
	t.Helper()
	gen := tables.GenerationOf(v.Protocol)
	want := v.Expected
	if want == nil {
		want = v.To
	}
	p := playerFrom(t, gen, v.Base)
	if len(v.Vbase) > 0 && string(v.Vbase) != "null" {
		vehicle := playerFrom(t, gen, v.Vbase)
		p.Vehicle = &vehicle
	}
	r, d := readerOf(t, gen, v.Hex)
	r.readPlayer(d, &p)
	if gen.Vehicle != nil && v.Vehicle {
		r.readVehicle(d, &p)
	}
	if d.Err() != nil || d.Pos() != v.Bits {
		t.Errorf("line %d: read to bit %d, want %d: %v", line, d.Pos(), v.Bits, d.Err())
	}
	if got, want := playerValues(gen, &p), wantPlayer(t, want); !sameFields(got, want) {
		t.Errorf("line %d (%s): got %v, want %v", line, v.What, got, want)
	} else if got := shown(d.Tree(), &playerStateField); !sameFields(got, want) {
		t.Errorf("line %d (%s): shown %v, want %v", line, v.What, got, want)
	}
	if v.Vehicle && len(v.Vehicles) > 0 {
		if got, want := playerValues(gen, p.Vehicle), wantPlayer(t, v.Vehicles); !sameFields(got, want) {
			t.Errorf("line %d (%s): vehicle %v, want %v", line, v.What, got, want)
		}
	}
}

func readerOf(t *testing.T, gen *tables.Generation, data string) (*Reader, *decode.Decoder) {
	t.Helper()
	b, err := hex.DecodeString(data)
	if err != nil {
		t.Fatal(err)
	}
	d := &decode.Decoder{}
	d.Reset("quake3", b, gen.Coding, &dissect.Tree{})
	return &Reader{Generation: gen, World: &World{}, Family: new(uint8), ShowState: true}, d
}

// shown returns what the object of a field in the tree shows, at any depth, by the engine's names: "pos.trBase[0]" and,
// of the arrays after a player's fields, "stats 3". Zeros are left out.
func shown(tree *dissect.Tree, field *dissect.Field) map[string]json.Number {
	got := map[string]json.Number{}
	at := slices.IndexFunc(tree.Nodes, func(n dissect.Node) bool { return n.Field == field })
	if at < 0 {
		return got
	}
	for i := at + 1; i < int(tree.Nodes[at].End); i++ {
		n := &tree.Nodes[i]
		if n.Field.Kind.Container() || n.Uint() == 0 {
			continue
		}
		name, array, element := n.Field.Name, "", false
		if array, element = strings.CutSuffix(name, "[]"); element {
			if name = fmt.Sprintf("%s[%d]", array, n.Index); slices.Contains([]string{
				"stats", "persistant", "ammo", "powerups",
				"holdable", "ammoclip",
				"activeItems", "ammo_amount", "ammo_name_index", "max_ammo_amount",
			}, array) {
				name = fmt.Sprint(array, " ", n.Index)
			}
		}
		name = strings.Replace(name, "[].", fmt.Sprintf("[%d].", n.Index), 1)
		switch n.Field.Kind {
		case dissect.Float:
			got[name] = json.Number(strconv.FormatFloat(float64(n.Float()), 'g', -1, 32))
		case dissect.Int:
			got[name] = json.Number(strconv.FormatInt(n.Int(), 10))
		default:
			got[name] = json.Number(strconv.FormatUint(n.Uint(), 10))
		}
	}
	return got
}

// numbers reads a JSON object of fields; null and nothing are none.
func numbers(t *testing.T, raw json.RawMessage) map[string]json.Number {
	t.Helper()
	all := map[string]json.Number{}
	if len(raw) == 0 || raw[0] != '{' {
		return all
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&all); err != nil {
		t.Fatalf("%v in %.200s", err, raw)
	}
	return all
}

func withPrefix(fields map[string]json.Number) map[string]json.Number {
	all := map[string]json.Number{}
	for name, v := range fields {
		all["shared."+name] = v
	}
	return all
}

// names returns the engine's name of each place of a layout, and whether it is a float.
func names(layout *tables.Layout) (byPlace map[uint8]string, float map[string]bool) {
	byPlace, float = map[uint8]string{}, map[string]bool{}
	for i := range layout.Wire {
		name := layout.Wire[i].Name
		byPlace[layout.Wire[i].Output] = name
		float[name] = layout.Wire[i].Bits == 0
	}
	return byPlace, float
}

func setFields(t *testing.T, layout *tables.Layout, s *tables.State, fields map[string]json.Number) {
	t.Helper()
	byPlace, float := names(layout)
	for place, name := range byPlace {
		v, ok := fields[name]
		if !ok {
			continue
		}
		if float[name] {
			f, _ := strconv.ParseFloat(string(v), 32)
			s.Put(place, math.Float32bits(float32(f)))
			continue
		}
		n, err := strconv.ParseInt(string(v), 10, 64)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		s.Put(place, uint32(n))
	}
}

// differing returns the fields of a layout that differ from base, or from zero.
func differing(layout *tables.Layout, s *tables.State, base map[string]json.Number) map[string]json.Number {
	got := map[string]json.Number{}
	byPlace, float := names(layout)
	for place, name := range byPlace {
		v, _ := s.At(place)
		text := json.Number(strconv.Itoa(int(int32(v))))
		if float[name] {
			text = json.Number(strconv.FormatFloat(float64(math.Float32frombits(v)), 'g', -1, 32))
		}
		was := base[strings.TrimPrefix(name, "shared.")]
		if was == "" {
			was = "0"
		}
		if v != 0 && base == nil || base != nil && !sameValue(text, was) {
			got[name] = text
		}
	}
	return got
}

// sameFields compares fields by value; zeros may be left out.
func sameFields(a, b map[string]json.Number) bool {
	for name := range b {
		if _, ok := a[name]; !ok && !sameValue(b[name], "0") {
			return false
		}
	}
	for name, v := range a {
		other, ok := b[name]
		if !ok {
			other = "0"
		}
		if !sameValue(v, other) {
			return false
		}
	}
	return true
}

func sameValue(a, b json.Number) bool {
	if a == b {
		return true
	}
	x, err := strconv.ParseFloat(string(a), 64)
	y, err2 := strconv.ParseFloat(string(b), 64)
	return err == nil && err2 == nil && (x == y || float32(x) == float32(y) || math.IsNaN(x) && math.IsNaN(y))
}

// playerArraysOf are the arrays of a player by the vectors' names.
func playerArraysOf(p *Player) map[string][]*[arrayLength]int32 {
	arrays := map[string][]*[arrayLength]int32{
		"stats": {&p.Arrays[0]}, "persistant": {&p.Arrays[1]}, "ammo": {&p.Arrays[2]}, "powerups": {&p.Arrays[3]},
	}
	if x := p.Extra; x != nil {
		arrays["holdable"] = []*[arrayLength]int32{&x.Values[extraHoldable]}
		for i := range weaponGroups - 1 {
			arrays["ammo"] = append(arrays["ammo"], &x.Values[extraAmmo+i])
		}
		for i := range weaponGroups {
			arrays["ammoclip"] = append(arrays["ammoclip"], &x.Values[extraClip+i])
		}
	}
	return arrays
}

func playerFrom(t *testing.T, gen *tables.Generation, raw json.RawMessage) (p Player) {
	t.Helper()
	zero := zeroPlayer(gen)
	p.Set(&zero)
	var parts map[string]json.RawMessage
	if len(raw) == 0 || json.Unmarshal(raw, &parts) != nil {
		return p
	}
	for _, layout := range []*tables.Layout{gen.Player, gen.Pilot, gen.Vehicle} {
		if layout != nil {
			setFields(t, layout, &p.State, numbers(t, parts["f"]))
		}
	}
	for name, groups := range playerArraysOf(&p) {
		for index, v := range numbers(t, parts[name]) {
			i, _ := strconv.Atoi(index)
			n, _ := strconv.ParseInt(string(v), 10, 64)
			groups[i/arrayLength][i%arrayLength] = int32(n)
		}
	}
	return p
}

// playerValues returns fields and elements that are not zero: of arrays as "stats 3".
func playerValues(gen *tables.Generation, p *Player) map[string]json.Number {
	got := map[string]json.Number{}
	for _, layout := range []*tables.Layout{gen.Player, gen.Pilot, gen.Vehicle} {
		if layout != nil {
			for name, v := range differing(layout, &p.State, nil) {
				got[name] = v
			}
		}
	}
	for name, groups := range playerArraysOf(p) {
		for group, values := range groups {
			for i, v := range values {
				if v != 0 {
					got[fmt.Sprint(name, " ", group*arrayLength+i)] = json.Number(strconv.Itoa(int(v)))
				}
			}
		}
	}
	return got
}

func wantPlayer(t *testing.T, raw json.RawMessage) map[string]json.Number {
	t.Helper()
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(raw, &parts); err != nil {
		t.Fatalf("%v in %.200s", err, raw)
	}
	want := numbers(t, parts["f"])
	for name, part := range parts {
		if name != "f" {
			for index, v := range numbers(t, part) {
				want[name+" "+index] = v
			}
		}
	}
	return want
}
