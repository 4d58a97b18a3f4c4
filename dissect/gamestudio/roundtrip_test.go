package gamestudio_test

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
)

// keyOf are the reference's names where the record has another key.
var keyOf = map[string]string{"pos": "position", "flags_8_23": "flags1"}

// drawValue draws the raw value of a field, of the width of its type.
func drawValue(t *rapid.T, f *wire.Field, c wire.Coding) any {
	switch f.Type {
	case "String":
		return rapid.StringMatching(`[a-z]{0,12}(\.mdl)?`).Draw(t, f.Name)
	case "Float":
		return rapid.Float32Range(-1e6, 1e6).Draw(t, f.Name)
	}
	bits := 8 * wire.Size(f.Type, c)
	low, high := -int64(1)<<(bits-1), int64(1)<<(bits-1)-1
	if f.Type == "Byte" || f.Type == "Scale" {
		low, high = 0, 255
	}
	number := rapid.Int64Range(low, high)
	switch {
	case f.CountFrom != "":
		return rapid.SliceOfN(number, 0, 9).Draw(t, f.Name)
	case f.Count > 0:
		return rapid.SliceOfN(number, f.Count, f.Count).Draw(t, f.Name)
	}
	return number.Draw(t, f.Name)
}

// nearest is how a record shows a number: the shortest decimal of the nearest single.
func nearest(n float64) float64 {
	n, _ = strconv.ParseFloat(strconv.FormatFloat(n, 'g', -1, 32), 64)
	return n
}

// expectValue puts what the record shall say of a value into an object, by the types of the reference.
func expectValue(o map[string]any, f *wire.Field, v wire.Values, c wire.Coding) {
	key, value := f.Name, v[f.Name]
	if k := keyOf[key]; k != "" {
		key = k
	}
	single := nearest
	fixed := func(n int64) any { return map[string]any{"value": single(float64(n) / 1024), "raw": float64(n)} }
	vector := func(list []int64, unit float64) any {
		o := map[string]any{}
		for i, axis := range []string{"x", "y", "z"} {
			o[axis] = float64(list[i]) / unit
			if unit != 1 { // numbers of the wire are exact
				o[axis] = single(float64(list[i]) / unit)
			}
		}
		return o
	}
	switch f.Type {
	case "String":
		o[key] = value
	case "Float":
		o[key] = nearest(float64(value.(float32)))
	case "Position":
		o[key] = vector(value.([]int64), 128)
	case "CPosition":
		if c.FixedCoordinates {
			o[key], o[key+"_fixed"] = vector(value.([]int64), 1024), vector(value.([]int64), 1)
			break
		}
		o[key] = vector(value.([]int64), 128)
	case "Angle":
		n := value.(int64)
		low, high := byte(n), byte(n>>8)
		angle := map[string]any{
			"degrees": single(float64(n) * 360 / 65535), "raw": float64(n),
			"bytes": hex.EncodeToString([]byte{low, high}),
		}
		if low != high {
			angle["degrees_swapped"] = single(float64(int(low)<<8|int(high)) * 360 / 65535)
			angle["angle_order"] = "undetermined"
		}
		o[key] = angle
	case "Scale":
		n := value.(int64)
		o[key] = map[string]any{"value": single(float64(n) * float64(f.X) / 255), "raw": float64(n)}
	case "Fixed":
		switch list := value.(type) {
		case int64:
			o[key] = fixed(list)
		case []int64:
			if key == "vel" {
				o[key], o["vel_fixed"] = vector(list, 1024), vector(list, 1)
				break
			}
			elements := []any{}
			for _, n := range list {
				elements = append(elements, fixed(n))
			}
			o[key] = elements
		}
	case "Short":
		if f.Count == 3 {
			o[key], o[key+"_inferred"] = vector(value.([]int64), 1), vector(value.([]int64), 256)
			break
		}
		n := value.(int64)
		if strings.HasPrefix(key, "flags") {
			n &= 0xffff
		}
		o[key] = float64(n)
	case "Byte", "Long":
		if f.Value != "" {
			o[key] = float64(0x11191218)
			break
		}
		o[key] = float64(value.(int64))
	}
}

// expectUpdate is expectValue for a parameter of an update: some are objects of their own.
func expectUpdate(o map[string]any, p *wire.Parameter, v wire.Values, c wire.Coding) {
	into := o
	switch p.Name {
	case "frame", "uv":
		into = map[string]any{}
		o[p.Name] = into
	case "color":
		b := []byte{}
		listed := map[string]any{}
		for _, f := range p.Fields {
			b = append(b, byte(v[f.Name].(int64)))
			listed[f.Name] = float64(v[f.Name].(int64))
		}
		o["color"] = map[string]any{"bytes": hex.EncodeToString(b), "channel_order": "undetermined", "as_listed": listed}
		return
	}
	for i := range p.Fields {
		f := p.Fields[i]
		if p.Name == "uv" && f.Type == "Short" {
			into[f.Name+"_short"] = float64(v[f.Name].(int64))
			continue
		}
		if p.Name == "flags1" || p.Name == "flags2" {
			n := v[f.Name].(int64)
			if f.Type == "Short" {
				n &= 0xffff
			}
			into[p.Name] = float64(n)
			continue
		}
		expectValue(into, &f, v, c)
	}
}

// disordered reports whether an update has skin together with ambient or albedo, whose order in the late
// edition is undetermined.
func disordered(edition string, group int, bits byte) bool {
	return edition == wire.Late && group == 1 && bits&(1<<2) != 0 && bits&(1<<3|1<<4) != 0
}

// drawMessage draws values of a message, encodes it, and returns what the record's object shall be.
func drawMessage(t *rapid.T, tables *wire.Tables, m *wire.Message, c wire.Coding) (encoded []byte,
	want map[string]any,
) {
	v, want := wire.Values{}, map[string]any{}
	for i := range m.Fields {
		f := m.Fields[i]
		if m.Name == "CLS_REMOVE" && c.ShortRemove {
			f.Type = "Short"
		}
		if f.Type == "UpdateParameters" {
			continue
		}
		if f.Value == "" && f.Name != "var_length" {
			v[f.Name] = drawValue(t, &f, c)
		}
	}
	if list, ok := v["var"].([]int64); ok {
		v["var_length"] = int64(len(list))
	}
	for i := range m.Fields {
		f := m.Fields[i]
		if f.Type != "UpdateParameters" {
			expectValue(want, &f, v, c)
		}
	}
	if m.Group > 0 {
		parameters := tables.Update(m.Edition, m.Group)
		var bits byte
		for bits == 0 || disordered(m.Edition, m.Group, bits) {
			bits = 0
			for _, p := range parameters {
				if rapid.Bool().Draw(t, p.Name) {
					bits |= 1 << p.Bit
				}
			}
			if bits == 0 {
				break
			}
		}
		for _, p := range parameters {
			if bits>>p.Bit&1 == 0 {
				continue
			}
			for i := range p.Fields {
				f := p.Fields[i]
				// Both flag bytes of the 2002 edition are called flags; only one of them is in a group.
				v[f.Name] = drawValue(t, &f, c)
			}
			expectUpdate(want, &p, v, c)
		}
	}
	encoded, err := tables.Append(nil, m, v, c)
	if err != nil {
		t.Fatal(err)
	}
	return encoded, want
}

// TestRoundTrip encodes every message of both editions from the reference's table, with values of all kinds,
// and compares what is read with what was put in, exactly.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	reference, tried := tables(t), map[string]bool{}
	for i := range reference.Messages {
		m := &reference.Messages[i]
		if m.Fields == nil {
			continue
		}
		for _, c := range []wire.Coding{{}, {FixedCoordinates: true}, {ShortRemove: true}} {
			if c.ShortRemove && (m.Name != "CLS_REMOVE" || m.Edition != wire.Late) || c.FixedCoordinates && m.Group == 0 {
				continue
			}
			tried[m.Edition+m.Name] = true
			t.Run(fmt.Sprintf("%s %s %v", m.Edition, m.Name, c), func(t *testing.T) {
				t.Parallel()
				rapid.Check(t, func(t *rapid.T) {
					encoded, want := drawMessage(t, reference, m, c)
					r := readOne(t, m, c, encoded, want)
					if diff := cmp.Diff(want, r); diff != "" {
						t.Fatalf("%x (-want +got):\n%s", encoded, diff)
					}
				})
			})
		}
	}
	if len(tried) != 20+22 {
		t.Errorf("%d messages were tried", len(tried))
	}
}

// readOne returns the object of the only message of a packet. Where a packet can be read with coordinates of
// either width, which rarely happens, the wanted reading counts.
func readOne(t enginetest.Fataler, m *wire.Message, c wire.Coding, encoded []byte, want map[string]any) map[string]any {
	d := enginetest.Datagram{FromClient: m.Direction == "client_to_server", Payload: encoded}
	r := dissectQuietly(asEdition(m.Edition), d)
	if strings.Contains(r.Codes(), "malformed") || strings.Contains(r.Line, "undecoded") ||
		r.Gamestudio["undetermined"] != nil {
		t.Fatalf("%x: %s", encoded, r.Line)
	}
	for _, e := range r.Expert {
		if strings.Contains(e.Message, "several readings") {
			return want
		}
	}
	if names := r.Names(); len(names) != 1 || names[0] != strings.ToLower(m.Name) {
		t.Fatalf("%x read as %v", encoded, names)
	}
	return r.Message(0)
}

// TestSizes holds the lengths that the reference gives for messages without strings and arrays.
func TestSizes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		bytes int
	}{
		{"CLS_PING", 1},
		{"CLS_SKILL", 9},
		{"CLS_SKILL3", 17},
		{"SVC_CREATE", 5},
		{"SVC_REMOVE", 3},
		{"SVC_ENTSOUND", 10},
		{"SVC_EFFECT", 26},
		{"SVC_INFO", 6},
		{"SVC_SKILL", 9},
		{"SVC_SKILL3", 17},
		{"SVC_LOCAL", 5},
	} {
		m := tables(t).Find(wire.Late, tt.name)
		code := enginetest.Unhex(t, m.Code[2:])
		packet := append(code, make([]byte, tt.bytes-1)...)
		// A packet of the length that the manual implies is read whole; one byte less is not.
		for _, cut := range []int{0, 1} {
			if cut == len(packet) {
				continue
			}
			r := dissectQuietly("gamestudio", enginetest.Datagram{
				FromClient: m.Direction == "client_to_server",
				Payload:    packet[:len(packet)-cut],
			})
			if whole := len(r.Expert) == 0 && len(r.Names()) == 1; whole != (cut == 0) {
				t.Errorf("%s of %d bytes: %s", tt.name, len(packet)-cut, r.Line)
			}
		}
	}
}

// TestNotFinite reads clocks that are NaN or infinite.
func TestNotFinite(t *testing.T) {
	t.Parallel()
	for text, bits := range map[string]uint32{
		"nan": math.Float32bits(float32(math.NaN())), "inf": 0x7f800000,
		"-inf": 0xff800000,
	} {
		payload := append([]byte{7, 1}, byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24))
		if got := dissectQuietly("gamestudio", enginetest.Datagram{Payload: payload}).Message(0)["server_time"]; got != text {
			t.Errorf("%x: %v", payload, got)
		}
	}
}
