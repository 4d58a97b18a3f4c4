package operation

import (
	"encoding/hex"
	"encoding/json"
	"math"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// eyes are the values of a vector.
type eyes struct {
	Offset [eyeOffsets]int32                    `json:"ofs"`
	Angles [len(eyeFields) - eyeOffsets]float32 `json:"angles"`
}

func (e *eyes) info() (i EyeInfo) {
	i.Known = 1<<len(eyeFields) - 1
	for n, v := range e.Offset {
		i.Values[n] = uint32(v)
	}
	for n, v := range e.Angles {
		i.Values[eyeOffsets+n] = math.Float32bits(v)
	}
	return i
}

// TestVectorsMOHAAMoves reads the user commands and the eyes that OpenMoHAA wrote: all vectors where the reference
// folder is at hand, and otherwise one in eight, which are cut out of them.
func TestVectorsMOHAAMoves(t *testing.T) {
	name, whole := reference.Or(t, "quake3/truth/mohaa-vectors.jsonl.gz", "reference", "idtech3", "mohaa-vectors.jsonl.gz")
	forms := map[int]tables.UserCommand{}
	for _, g := range tables.Rows() {
		if g.Label() == "mohaa" {
			forms[g.Number()] = g.UserCommand
		}
	}
	commands, infos := 0, 0
	lines := reference.Lines(t, name)
	for lines.Scan() {
		var v struct {
			usercmdVector
			Base json.RawMessage `json:"base"`
			To   eyes            `json:"to"`
		}
		var kind struct {
			Kind string `json:"kind"`
		}
		if err := json.Unmarshal(lines.Bytes(), &kind); err != nil {
			t.Fatal(err)
		}
		if kind.Kind != "usercmd" && kind.Kind != "eyeinfo" {
			continue
		}
		var base eyes
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		if v.Kind == "usercmd" {
			commands++
			if err := json.Unmarshal(v.Base, &v.usercmdVector.Base); err != nil {
				t.Fatal(err)
			}
			v.checkAs(t, forms[v.Protocol])
			continue
		}
		infos++
		if err := json.Unmarshal(v.Base, &base); err != nil {
			t.Fatal(err)
		}
		message, err := hex.DecodeString(v.Hex)
		if err != nil {
			t.Fatal(err)
		}
		var d decode.Decoder
		d.Reset("quake3", message, huffcodec.Static, &dissect.Tree{})
		got := base.info()
		ReadEyeInfo(&d, &got)
		if want := v.To.info(); got != want || d.Err() != nil || d.Pos() != v.Bits {
			t.Errorf("%d %s: %v in %d bits, want %v in %d: %v", v.Protocol, v.Hex, got, d.Pos(), want, v.Bits, d.Err())
		}
		shown := EyeInfo{}
		for i, f := range eyeFields {
			for _, n := range d.Tree().Nodes {
				if n.Field == f {
					shown.Values[i], shown.Known = uint32(n.Uint()), shown.Known|1<<i
				}
			}
		}
		if shown != got {
			t.Errorf("%d %s: shown %v, want %v", v.Protocol, v.Hex, shown, got)
		}
	}
	wantCommands, wantInfos := 180, 60
	if !whole {
		wantCommands, wantInfos = 22, 8
	}
	if lines.Err() != nil || commands != wantCommands || infos != wantInfos {
		t.Errorf("%d user commands and %d eyes: %v", commands, infos, lines.Err())
	}
}
