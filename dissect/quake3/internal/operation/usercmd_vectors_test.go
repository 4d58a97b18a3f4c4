package operation

import (
	"encoding/hex"
	"encoding/json"
	"maps"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// A usercmdVector is a user command that an engine's writer made and its reader read back.
type usercmdVector struct {
	Protocol int            `json:"protocol"`
	Kind     string         `json:"kind"`
	Key      int64          `json:"key"` // before the time is mixed in
	Base     map[string]any `json:"base"`
	Result   map[string]any `json:"cmd"`
	Expected map[string]any `json:"expected"`
	Hex      string         `json:"hex"`
	Bits     int            `json:"bits"`
}

// TestVectorsGamesUserCommands reads the user commands of the games made from Quake III: all vectors where the
// reference folder is at hand, and otherwise one in eight, which are cut out of them.
func TestVectorsGamesUserCommands(t *testing.T) {
	for file, protocols := range map[string][]int{"wolf-vectors.jsonl.gz": {60, 84}, "jk-vectors.jsonl.gz": {15, 16, 26}} {
		each := 80
		name, whole := reference.Or(t, "quake3/truth/"+file, "reference", "idtech3", file)
		if !whole {
			each = 10
		}
		count := map[int]int{}
		lines := reference.Lines(t, name)
		for lines.Scan() {
			v := usercmdVector{}
			if err := json.Unmarshal(lines.Bytes(), &v); v.Kind != "usercmd" {
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			count[v.Protocol]++
			v.check(t)
		}
		want := map[int]int{}
		for _, protocol := range protocols {
			want[protocol] = each
		}
		if lines.Err() != nil || !maps.Equal(count, want) {
			t.Errorf("%s: vectors %v, want %v: %v", file, count, want, lines.Err())
		}
	}
}

func (v *usercmdVector) check(t *testing.T) {
	t.Helper()
	v.checkAs(t, tables.GenerationOf(v.Protocol).UserCommand)
}

func (v *usercmdVector) checkAs(t *testing.T, form tables.UserCommand) {
	t.Helper()
	fields := UserCommandForms[form]
	cmd := v.command(v.Base, fields)
	var d decode.Decoder
	message, err := hex.DecodeString(v.Hex)
	if err != nil {
		t.Fatal(err)
	}
	d.Reset("quake3", message, huffcodec.Static, nil)
	new(Moves).read(&d, &cmd, Key{Key: uint32(v.Key), Known: true}, form)
	result := v.Result
	if result == nil {
		result = v.Expected
	}
	if want := v.command(result, fields); cmd != want || d.Failed() || d.Pos() != v.Bits {
		t.Errorf("protocol %d, %s: read %v in %d bits, want %v in %d", v.Protocol, v.Hex, cmd, d.Pos(), want, v.Bits)
	}
}

// command makes a user command of the members of a vector.
func (v *usercmdVector) command(from map[string]any, fields []*dissect.Field) (cmd UserCommand) {
	number := func(name string) int32 { n, _ := from[name].(float64); return int32(n) }
	cmd.Time = number("serverTime")
	angles, _ := from["angles"].([]any)
	for i, f := range fields {
		if i < len(angles) {
			cmd.Values[i] = int32(angles[i].(float64))
			continue
		}
		name := f.Name
		if name == "" {
			name = f.Key
		}
		cmd.Values[i] = number(name)
	}
	return cmd
}
