package quake3_test

import (
	"encoding/binary"
	"os"
	"slices"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// recordedMessages splits a demo of the Quake III family into its messages; the end is the last one.
func recordedMessages(t *testing.T, demo []byte) (list [][]byte) {
	t.Helper()
	for len(demo) >= 8 {
		size := 8 + max(0, int(int32(binary.LittleEndian.Uint32(demo[4:]))))
		list, demo = append(list, demo[:size:size]), demo[size:]
	}
	if len(demo) > 0 {
		t.Fatalf("%d bytes after the last message", len(demo))
	}
	return list
}

// TestOrder edits a recording of a client. What cannot come in that order is noted once for each place; what a client
// could have recorded, as after a loss, is not.
func TestOrder(t *testing.T) {
	t.Parallel()
	demo, err := os.ReadFile("../../samples/quake3/71-duel.dm_71")
	if err != nil {
		t.Fatal(err)
	}
	whole := recordedMessages(t, demo)
	last := len(whole) - 1 // the end
	for _, tt := range []struct {
		name string
		edit func() [][]byte
		want map[string]int // entries by field
	}{
		{"as recorded", func() [][]byte { return whole }, nil},
		{"two swapped", func() [][]byte {
			list := slices.Clone(whole)
			list[50], list[51] = list[51], list[50]
			return list
		}, map[string]int{"quake3.netchan.sequence": 1, "quake3.server_message.ops.snapshot": 1}},
		{"the last twenty again", func() [][]byte {
			return slices.Concat(whole[:last], whole[last-20:])
		}, map[string]int{"quake3.netchan.sequence": 1, "quake3.server_message.ops.snapshot": 1}},
		{"a part moved", func() [][]byte {
			return slices.Concat(whole[:20], whole[40:60], whole[20:40], whole[60:])
		}, map[string]int{"quake3.netchan.sequence": 1, "quake3.server_message.ops.snapshot": 1}},
		{"cut", func() [][]byte { return slices.Concat(whole[:30], whole[50:]) }, nil},
		{"one twice, as clients write their voice", func() [][]byte { return slices.Concat(whole[:30], whole[29:]) }, nil},
		{"another recording after it", func() [][]byte {
			return slices.Concat(whole[:last], whole)
		}, map[string]int{"quake3.netchan.sequence": 1}},
	} {
		name := t.TempDir() + "/edited.dm_71"
		if err := os.WriteFile(name, slices.Concat(tt.edit()...), 0o600); err != nil {
			t.Fatal(err)
		}
		got := map[string]int{}
		for rec, err := range open.Records(name, all.Protocols(), dissect.Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range rec.Experts {
				if e.Code == "order_impossible" && e.Severity == dissect.Warning {
					got[e.Field]++
				}
			}
		}
		if len(got) != len(tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
		for field, n := range tt.want {
			if got[field] != n {
				t.Errorf("%s: %d of %s, want %d", tt.name, got[field], field, n)
			}
		}
	}
}
