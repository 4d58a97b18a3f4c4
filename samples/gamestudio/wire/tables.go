// Package wire builds GameStudio messages, and the frames of the transports that may carry them, for tests
// and for the samples. It is written from the tables of the reference (messages.json, made from the public
// manuals) and from the public descriptions of DirectPlay and ENet, not from the dissector, and shares no
// code with it: what both get wrong in the same way, the reference has wrong.
package wire

import (
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
)

//go:embed messages.json
var reference []byte

// Tables are the reference: both editions' messages and its test vectors.
type Tables struct {
	Messages   []Message                  `json:"messages"`
	Parameters map[string]json.RawMessage `json:"update_parameters"`
	Vectors    []Vector                   `json:"test_vectors"`

	updates map[string][]Parameter // by edition
}

// A Message is a row of the reference.
type Message struct {
	Edition   string  `json:"edition"`
	Direction string  `json:"direction"`
	Name      string  `json:"name"`
	Code      string  `json:"code"`
	Group     int     `json:"update_group"`
	Fields    []Field `json:"fields"` // nil: no public text shows them
	Status    string  `json:"status"`
}

// A Field is one argument, or several in a row.
type Field struct {
	Name      string `json:"name"`
	Type      string `json:"type"`
	Count     int    `json:"count"`
	CountFrom string `json:"count_from"`
	X         int    `json:"x"`
	Value     string `json:"value"`
}

// A Parameter is what a bit of an update selects.
type Parameter struct {
	Group  int     `json:"group"`
	Bit    int     `json:"bit"`
	Name   string  `json:"name"`
	Fields []Field `json:"fields"`
}

// A Vector is a test vector of the reference.
type Vector struct {
	Name      string         `json:"name"`
	Edition   string         `json:"edition"`
	Direction string         `json:"direction"`
	Hex       string         `json:"hex"`
	Expect    map[string]any `json:"expect"`
}

// Editions of the protocol.
const (
	Late    = "late"
	Old2002 = "a5-2002"
)

// Reference reads the tables.
func Reference() (*Tables, error) {
	t := &Tables{updates: map[string][]Parameter{}}
	if err := json.Unmarshal(reference, t); err != nil {
		return nil, err
	}
	for _, edition := range []string{Late, Old2002} {
		var p []Parameter
		if err := json.Unmarshal(t.Parameters[edition], &p); err != nil {
			return nil, err
		}
		slices.SortFunc(p, func(a, b Parameter) int { return (a.Group-b.Group)*8 + a.Bit - b.Bit })
		t.updates[edition] = p
	}
	return t, nil
}

// Find returns the row of a message.
func (t *Tables) Find(edition, name string) *Message {
	for i := range t.Messages {
		if m := &t.Messages[i]; m.Edition == edition && m.Name == name {
			return m
		}
	}
	return nil
}

// Update returns the parameters of an update's group in the order of their bits.
func (t *Tables) Update(edition string, group int) []Parameter {
	var list []Parameter
	for _, p := range t.updates[edition] {
		if p.Group == group {
			list = append(list, p)
		}
	}
	return list
}

// Values are the raw numbers of a message's fields by name: an int64 for every number but Float (float32),
// a string for String, and []int64 where a field has a count.
type Values map[string]any

// A Coding is what a message's bytes depend on beside its values.
type Coding struct {
	FixedCoordinates bool // CPosition is Fixed
	ShortRemove      bool // CLS_REMOVE has a Short
}

// Append appends the message. Of an update those parameters are sent whose fields have values.
func (t *Tables) Append(dst []byte, m *Message, v Values, c Coding) ([]byte, error) {
	code, err := t.code(m, v)
	if err != nil {
		return nil, err
	}
	dst = append(dst, code)
	for _, f := range m.Fields {
		if f.Type == "UpdateParameters" {
			for _, p := range t.Update(m.Edition, m.Group) {
				if code>>p.Bit&1 == 0 {
					continue
				}
				for _, pf := range p.Fields {
					if dst, err = appendField(dst, &pf, v, c); err != nil {
						return nil, fmt.Errorf("%s: %w", m.Name, err)
					}
				}
			}
			continue
		}
		if m.Name == "CLS_REMOVE" && c.ShortRemove {
			f.Type = "Short"
		}
		if dst, err = appendField(dst, &f, v, c); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	return dst, nil
}

// code is the command byte.
func (t *Tables) code(m *Message, v Values) (byte, error) {
	if m.Group == 0 {
		code, err := strconv.ParseUint(m.Code, 0, 8)
		return byte(code), err
	}
	code := byte(m.Group) << 6
	for _, p := range t.Update(m.Edition, m.Group) {
		for _, f := range p.Fields {
			if _, ok := v[f.Name]; ok {
				code |= 1 << p.Bit
			}
		}
	}
	return code, nil
}

func appendField(dst []byte, f *Field, v Values, c Coding) ([]byte, error) {
	if f.Value != "" {
		n, err := strconv.ParseUint(f.Value, 0, 32)
		return binary.LittleEndian.AppendUint32(dst, uint32(n)), err
	}
	value, ok := v[f.Name]
	if f.CountFrom != "" || f.Count > 0 {
		list, ok := value.([]int64)
		if !ok || f.Count > 0 && len(list) != f.Count {
			return nil, fmt.Errorf("%s is %v", f.Name, value)
		}
		for _, n := range list {
			dst = appendNumber(dst, f.Type, n, c)
		}
		return dst, nil
	}
	switch value := value.(type) {
	case string:
		return append(append(dst, value...), 0), nil
	case float32:
		return binary.LittleEndian.AppendUint32(dst, math.Float32bits(value)), nil
	case int64:
		return appendNumber(dst, f.Type, value, c), nil
	}
	return nil, fmt.Errorf("%s is %v (%v)", f.Name, value, ok)
}

func appendNumber(dst []byte, typ string, n int64, c Coding) []byte {
	size := Size(typ, c)
	for i := range size {
		dst = append(dst, byte(n>>(8*i)))
	}
	return dst
}

// Size is the length of a number in bytes.
func Size(typ string, c Coding) int {
	switch typ {
	case "Byte", "Scale":
		return 1
	case "Short", "Angle":
		return 2
	case "Position":
		return 3
	case "CPosition":
		if c.FixedCoordinates {
			return 4
		}
		return 3
	}
	return 4
}
