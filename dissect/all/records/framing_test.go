package records_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/piece"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
)

// TestFramingOfWorkedExamples compares the leaves of messages with what the pages about the protocols say of their
// bits, one by one: the second example of a scrambled packet (a snapshot), and the two messages of a legacy session.
// Their widths are those of the static Huffman code.
func TestFramingOfWorkedExamples(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ kind, version, hex, want string }{
		{"quake3.packet", "43", "01000000 0700 aa2308b3034546d7b840faa52e9f2cf160da44e1543d06", `
netchan.sequence 31 1
netchan.fragmented 1 false
netchan.message_part 200 25
op 8 7
client_command_sequence 32 0
server_time 32 4300
delta_num 8 0
snap_flags 8 6
area_mask_size 8 1
area_mask 8 00
indicators.unchanged 45
indicators.changed 1 stats
indicators.mask 16 128
stats.7 16 100
indicators.unchanged 3 persistant, ammo, powerups
end_of_entities 10 1023
padding 5 00
`},
		{"quake3.server_message", "68", "bf1a31835a7884c290bd8970304cccd93bf6443f4dc45d01", `
reliable_acknowledge 12 7
op 8 5
sequence 16 42
command 137 print "hello 50.
"
terminator 2 0
op 5 1
op 5 8
padding 7 00
`},
		{"quake3.client_message", "68", "87cdc19782ad33a8a155cd7b3c7b041389f49cc9f695677c8a2f2b324e17b8b6f7f870693a1100", `
server_id 29 1234567
message_acknowledge 19 299
reliable_acknowledge 16 42
op 8 4
sequence 11 8
command 40 score
terminator 2 0
op 7 2
count 7 2
time_is_delta 1 false
server_time 25 123456
any_changed 1 true
indicators.changed 1 angles[0]
indicators.enciphered 20 22424
indicators.changed 1 angles[1]
indicators.enciphered 16 51248
indicators.unchanged 1 angles[2]
indicators.changed 1 forwardmove
indicators.enciphered 9 15
indicators.unchanged 2 rightmove, upmove
indicators.changed 1 buttons
indicators.enciphered 18 21617
indicators.changed 1 weapon
indicators.enciphered 7 117
time_is_delta 1 true
server_time 5 123464
any_changed 1 true
indicators.unchanged 1 angles[0]
indicators.changed 1 angles[1]
indicators.enciphered 19 51420
indicators.unchanged 4 angles[2], forwardmove, rightmove, upmove
indicators.changed 1 buttons
indicators.enciphered 18 21624
indicators.unchanged 1 weapon
op 8 5
padding 8 00
`},
	} {
		data, err := piece.Parse(tt.hex)
		if err != nil {
			t.Fatal(err)
		}
		rec := piece.Find(all.Protocols(), tt.kind).Decode(data, dissect.PieceOptions{Version: tt.version, Framing: true})
		rec.Tree.Separate()
		if diff := cmp.Diff(strings.TrimSpace(tt.want), leaves(rec)); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", tt.kind, tt.hex, diff)
		}
	}
}

// leaves lists the leaves that have bits in the order of the wire: the end of the path, bits, value.
func leaves(rec *dissect.Record) string {
	cells := slices.DeleteFunc(render.FieldCells(rec), func(c render.FieldCell) bool {
		return c.Bits == 0 || c.Field.Kind.Container()
	})
	slices.SortStableFunc(cells, func(a, b render.FieldCell) int {
		if a.In != b.In {
			return int(a.In) - int(b.In)
		}
		return int(a.Bit) - int(b.Bit)
	})
	short := strings.NewReplacer("quake3.server_message.ops.", "", "quake3.client_message.ops.", "",
		"quake3.server_message.", "",
		"quake3.client_message.", "", "quake3.", "", "snapshot.", "", "player_state.", "", "server_command.", "",
		"client_command.", "", "nop.", "", "eof.", "", "move.user_commands.", "", "move.", "")
	var lines []string
	for i := range cells {
		c := &cells[i]
		value := c.Value
		if c.Field.Kind == dissect.Text {
			value = string(c.Text)
		}
		if strings.Count(value, ", ") > 40 {
			value = ""
		}
		lines = append(lines, strings.TrimSpace(fmt.Sprint(short.Replace(c.Name), " ", c.Bits, " ", value)))
	}
	return strings.Join(lines, "\n")
}

// TestFramedRecordsFitTheSchema validates records with framing, and compares them with those without: the same, but for
// framing. What Unframe leaves is the same to the byte, with all positions.
func TestFramedRecordsFitTheSchema(t *testing.T) {
	t.Parallel()
	compiled := reftest.Schema(t, schema.Records(all.Protocols(), true))
	files, err := filepath.Glob(filepath.FromSlash("../../../samples/quake3/*.[pd]*"))
	if err != nil || len(files) == 0 {
		t.Fatal("no samples", err)
	}
	seen := map[string]bool{}
	opts := render.JSON{Bits: true}
	for _, name := range files {
		var plain [][]byte
		for rec, err := range open.Records(name, all.Protocols(), dissect.Options{}) {
			if err != nil {
				break
			}
			plain = append(plain, render.AppendJSON(nil, rec, opts))
		}
		count := 0
		for rec, err := range open.Records(name, all.Protocols(), dissect.Options{Framing: true}) {
			if err != nil {
				break
			}
			nodes := slices.Clone(rec.Tree.Nodes)
			rec.Tree.Unframe()
			if line := render.AppendJSON(nil, rec, opts); string(line) != string(plain[count]) {
				t.Fatalf("%s, packet %d: without its framing %s, want %s", name, rec.Frame, line, plain[count])
			}
			rec.Tree.Nodes = nodes
			rec.Tree.Separate()
			for i := range rec.Tree.Nodes {
				twice(t, name, rec, i)
			}
			if count++; count%7 == 0 || count < 40 {
				line := render.AppendJSON(nil, rec, opts)
				var v any
				if err := json.Unmarshal(line, &v); err != nil {
					t.Fatal(err)
				}
				if err := compiled.Validate(v); err != nil {
					t.Fatalf("%s, packet %d: %v", name, rec.Frame, err)
				}
				for _, c := range render.FieldCells(rec) {
					if c.Field.Framing != dissect.NoFraming {
						seen[c.Name] = true
					}
				}
			}
		}
		if count != len(plain) {
			t.Errorf("%s: %d records with framing, %d without", name, count, len(plain))
		}
	}
	names := filter.Records(all.Protocols())
	for name := range seen {
		if f, err := names.Compile(name); err != nil || !f.NeedsFraming() {
			t.Errorf("%s is no framing in filters: %v", name, err)
		}
	}
	if len(seen) < 80 {
		t.Errorf("only %d fields of framing in the samples", len(seen))
	}
}

// twice reports an object with two members of one key.
func twice(t *testing.T, name string, rec *dissect.Record, node int) {
	if rec.Tree.Nodes[node].Field.Kind != dissect.Object {
		return
	}
	keys := map[string]bool{}
	for i := range rec.Tree.Children(node) {
		if key := rec.Tree.Nodes[i].Field.Key; keys[key] {
			t.Errorf("%s, packet %d: %s has %s twice", name, rec.Frame, rec.Tree.Nodes[node].Field.Key, key)
		} else {
			keys[key] = true
		}
	}
}
