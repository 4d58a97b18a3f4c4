package piece_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/piece"
)

// A unit is a delta that two engines of protocols 43 and 24 wrote alike. It begins after some bits of a byte.
type unit struct {
	Kind     string
	Skipbits int
	Number   int
	Nbits    int
	Hex      string
	From, To map[string]json.RawMessage
}

// TestUnits reads the deltas of empty states as pieces: all values, and no bytes left over.
func TestUnits(t *testing.T) {
	t.Parallel()
	protocols := all.Protocols()
	for _, version := range []string{"43", "24"} {
		seen := map[string]int{}
		name := fmt.Sprintf("%s/units-%s.jsonl.gz", reference.Folder(t, "reference", "quake3", "vectors-43-24"), version)
		for lines := reference.Lines(t, name); lines.Scan(); {
			var u unit
			if err := json.Unmarshal(lines.Bytes(), &u); err != nil {
				continue // of bits alone
			}
			kind := map[string]string{
				"entity": "quake3.entity", "player": "quake3.player_state", "usercmd": "quake3.usercmd",
			}[u.Kind]
			if kind == "" || !empty(u.From) {
				continue
			}
			seen[u.Kind]++
			rec := piece.Find(protocols, kind).Decode(u.bytes(t), dissect.PieceOptions{
				Version: version, Direction: dissect.ClientToServer,
			})
			if len(rec.Experts) > 0 {
				t.Fatalf("%s: %s: %v", version, lines.Bytes(), rec.Experts)
			}
			got, want := map[string]float64{}, map[string]float64{}
			for i := range rec.Tree.Nodes {
				if n := &rec.Tree.Nodes[i]; n.Field.Kind.Number() || n.Field.Kind == dissect.Float {
					number(n, got)
				}
			}
			for _, key := range []string{"protocol", "number"} {
				delete(got, key)
			}
			flatten(t, "", u.To, want)
			if u.Kind == "usercmd" {
				for old, name := range map[string]string{
					"time": "serverTime", "forward": "forwardmove", "right": "rightmove", "up": "upmove",
				} {
					if v, ok := want[old]; ok {
						delete(want, old)
						want[name] = v
					}
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s: %s (-want +got):\n%s", version, lines.Bytes(), diff)
			}
		}
		if seen["entity"] < 50 || seen["player"] < 40 || seen["usercmd"] < 3 {
			t.Errorf("%s: %v", version, seen)
		}
	}
}

// empty reports whether a state is of zeros.
func empty(state map[string]json.RawMessage) bool {
	for _, v := range state {
		if strings.Trim(string(v), "0[]{}\"f:, ") != "" {
			return false
		}
	}
	return true
}

// bytes returns the delta from its first bit on.
func (u *unit) bytes(t *testing.T) []byte {
	src, err := hex.DecodeString(u.Hex)
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]byte, (u.Nbits+7)/8)
	for i := range u.Nbits {
		at := i + u.Skipbits
		dst[i>>3] |= src[at>>3] >> (at & 7) & 1 << (i & 7)
	}
	return dst
}

// number adds the value of a node that is not zero, under the engine's name.
func number(n *dissect.Node, to map[string]float64) {
	v := float64(n.Int())
	switch {
	case n.Field.Kind == dissect.Float:
		v, _ = strconv.ParseFloat(strconv.FormatFloat(float64(n.Float()), 'g', 9, 32), 64)
	case n.Field.Kind == dissect.Uint:
		v = float64(n.Uint())
	}
	if name := n.Field.EngineName(); v != 0 {
		to[strings.Replace(name, "[]", fmt.Sprintf("[%d]", n.Index), 1)] = v
	}
}

// flatten adds the numbers of a state that are not zero.
func flatten(t *testing.T, prefix string, state map[string]json.RawMessage, to map[string]float64) {
	for name, raw := range state {
		var v any
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Fatal(err)
		}
		switch v := v.(type) {
		case float64:
			if v != 0 {
				to[prefix+name] = v
			}
		case []any:
			for i, e := range v {
				if n := e.(float64); n != 0 {
					to[fmt.Sprintf("%s[%d]", name, i)] = n
				}
			}
		case map[string]any:
			var inner map[string]json.RawMessage
			if err := json.Unmarshal(raw, &inner); err != nil {
				t.Fatal(err)
			}
			if name == "f" {
				flatten(t, "", inner, to)
				continue
			}
			for i, raw := range inner { // stats and the like, by number
				flatten(t, name, map[string]json.RawMessage{"[" + i + "]": raw}, to)
			}
		}
	}
}
