package message

import (
	"reflect"
	"slices"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// Whatever the bytes are, a message is read the same with and without a tree, all positions are inside the payload,
// everything of it is in the tree once, and there is an entry if and only if something is wrong.
func FuzzMessage(f *testing.F) {
	for _, seed := range []string{
		"\x08\x00\x40\x00\x91\x3b", "\x030.7 802f1be60a05665f\x00\x00\x85\x1c", "\x12\x06\xde\xad",
		"\x2a\x09\x01\x01\xa9\x2f",
		"\x29\x40\x3c\x28\x40\xbf\xff\xff\xff\x0f\xff\xff\xff\xff\x0f\x01\x3f\x01\x02\x05\x80\x01\xc0\x01\x86\x01",
		"\x11\x0a\x0b\xa1\xde\x8c\x02\x02\x00\x01", "\x01" + string(rconType[:]) + "\x01",
		"\x24\x00\x01\x00ab\x00\x00\x40\x00\x00\x00\x00\x00\x00", "\x18\x02a\x00b\x00", "\x0e\x02\x00\x00\x00\x00\x00\x00",
		"\x3c\x00\x01\x02", "\xbf\x00", "\x40", "",
	} {
		for d := tables.V07; d < tables.NumDialects; d++ {
			f.Add([]byte(seed), uint8(d), false)
		}
	}
	f.Fuzz(func(t *testing.T, payload []byte, d uint8, fromClient bool) {
		dialect := tables.Dialect(d % uint8(tables.NumDialects))
		reader := Reader{Cut: d&0x80 != 0, Demo: d&0x40 != 0}
		got := readWith(&reader, dialect, fromClient, payload, 24)
		bare := reader.Decode(nil, nil, dialect, fromClient, payload, 24)
		if !reflect.DeepEqual(got.Message, bare) {
			t.Fatalf("with a tree %+v, without %+v", got.Message, bare)
		}
		state := dissect.NewRecord()
		state.NoTree = true
		if again := reader.Decode(state.Decoding(), state, dialect, fromClient, payload, 24); !reflect.DeepEqual(again,
			bare) || state.Damaged != got.rec.Damaged {
			t.Fatalf("for the state %+v, damaged %t", again, state.Damaged)
		}
		checkPlaces(t, got.rec, 24, len(payload))
		faults := 0
		for _, e := range got.rec.Experts {
			if e.BitOffset < 24 || e.BitOffset > 24+len(payload)<<3 {
				t.Fatalf("%+v is outside of %d bytes", e, len(payload))
			}
			if slices.Contains([]string{ExpertMalformed, ExpertTruncated, ExpertTruncatedByCapture}, e.Code) {
				faults++
			}
		}
		if (faults == 1) != got.Failed || faults > 1 {
			t.Fatalf("failed %t, entries %v", got.Failed, got.experts)
		}
		if limit := 6 + 2*len(payload); len(got.rec.Tree.Nodes) > limit {
			t.Fatalf("%d nodes for %d bytes", len(got.rec.Tree.Nodes), len(payload))
		}
	})
}

// Reading for the state alone allocates nothing, and neither does a tree once it has grown.
func TestMessageAllocations(t *testing.T) {
	payloads := [][]byte{
		[]byte("\x08\x00\x40\x00\x91\x3b"), []byte("\x11\x0a\x0b\xa1\xde\x8c\x02\x02\x00\x01"),
		[]byte("\x29\x40\x3c\x28\x40\xbf\xff\xff\xff\x0f\xff\xff\xff\xff\x0f\x01\x3f\x01\x02\x05\x80\x01\xc0\x01\x86\x01"),
	}
	var reader Reader
	rec := dissect.NewRecord()
	tree := rec.Decoding()
	ints := make([]int32, 22)
	for name, run := range map[string]func(){
		"state": func() {
			for _, p := range payloads {
				reader.Decode(nil, nil, tables.V07, false, p, 0)
			}
		},
		"tree": func() {
			tree.Reset()
			tree.Open(&payloadField, 0)
			for _, p := range payloads {
				reader.Decode(tree, rec, tables.V07, p[0] == 0x29, p, 0)
			}
			AddItem(tree, rec, tables.LookupObject(tables.V07, 10), ints, nil)
			tree.CloseAll(0)
		},
	} {
		run()
		if n := testing.AllocsPerRun(100, run); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	if len(rec.Experts) != 0 {
		t.Errorf("%v", rec.Experts)
	}
}
