package snapshot

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/wiretest"
)

func packed(ints ...int32) (b []byte) {
	for _, n := range ints {
		b = wiretest.AppendInt(b, n)
	}
	return b
}

// single is a complete snapshot in one message.
func single(tick, crc int32, data []byte) *message.Message {
	ints := [tables.NumKept]int32{}
	ints[tables.KeepTick], ints[tables.KeepDelta], ints[tables.KeepCRC] = tick, tick+1, crc
	return &message.Message{Def: &tables.Message{Key: KeySnapSingle}, Ints: ints, Data: data}
}

// codes takes messages and gives the severities and codes of all entries.
func codes(p *Reader, list ...*message.Message) (got []string) {
	for _, m := range list {
		rec := dissect.NewRecord()
		p.Take(rec, rec.Tree, tables.V07, m, m.Data, 0)
		for _, e := range rec.Experts {
			got = append(got, fmt.Sprint(e.Severity, " ", e.Code))
		}
	}
	return got
}

// TestLimits has data at the limits of snapshots, and just beyond: 1024 items and 65536 bytes (CSnapshot::MAX_ITEMS and
// MAX_SIZE), 15 bits of type and 16 of id, which the key of an item has room for.
func TestLimits(t *testing.T) {
	t.Parallel()
	const malformed, truncated = "error malformed", "error truncated"
	many := func(head []int32, n int, item func(i int32) []int32) []byte {
		b := packed(head...)
		for i := range int32(n) {
			b = append(b, packed(item(i)...)...)
		}
		return b
	}
	key := func(i int32) []int32 { return []int32{i} }
	empty := func(i int32) []int32 { return []int32{typeDynamic, i, 0} }
	large := func(n int) []byte {
		b := packed(0, 1, 0, typeDynamic, 1, int32(n))
		return append(b, make([]byte, n)...)
	}
	for _, v := range []struct {
		name string
		data []byte
		want string // "": no entry
	}{
		{"nothing", packed(0, 0, 0), ""},
		{"-1 removed", packed(-1, 0, 0), malformed},
		{"-1 changed", packed(0, -1, 0), malformed},
		{"1024 removed", many([]int32{1024, 0, 0}, 1024, key), ""},
		{"1025 removed", many([]int32{1025, 0, 0}, 1025, key), malformed},
		{"1024 changed", many([]int32{0, 1024, 0}, 1024, empty), ""},
		{"1025 changed", many([]int32{0, 1025, 0}, 1025, empty), malformed},
		{"no third number", packed(0, 0), truncated},
		{"a key is missing", packed(2, 0, 0, 5<<16), truncated},
		{"an item is missing", packed(0, 2, 0, typeFlag, 0, 0, 0, 0), truncated},
		{"a value is missing", packed(0, 1, 0, typeFlag, 0, 0, 0), truncated},
		{"a size is missing", packed(0, 1, 0, typeDynamic, 0), truncated},
		{"type -1", packed(0, 1, 0, -1, 0, 0), malformed},
		{"type 0", packed(0, 1, 0, 0, 0, 0), ""},
		{"type 32767", packed(0, 1, 0, 0x7fff, 0, 0), ""},
		{"type 32768", packed(0, 1, 0, 0x8000, 0, 0), malformed},
		{"id -1", packed(0, 1, 0, typeDynamic, -1, 0), malformed},
		{"id 65535", packed(0, 1, 0, typeDynamic, 0xffff, 0), ""},
		{"id 65536", packed(0, 1, 0, typeDynamic, 0x10000, 0), malformed},
		{"size -1", packed(0, 1, 0, typeDynamic, 0, -1), truncated},
		{"more values than bytes", packed(0, 1, 0, typeDynamic, 0, 3, 0, 0), truncated},
		{"as many values as bytes", packed(0, 1, 0, typeDynamic, 0, 3, 0, 0, 0), ""},
		{"65536 bytes", large(maxSnapshotBytes / 4), ""},
		{"65540 bytes", large(maxSnapshotBytes/4 + 1), malformed},
		{"a byte is left", packed(0, 0, 0, 7), "note trailing_bytes"},
	} {
		got := strings.Join(codes(NewReader(false), single(20, 0, v.data)), ", ")
		if got != v.want {
			t.Errorf("%s: %q, want %q", v.name, got, v.want)
		}
	}
}

// TestTwice: of an item that is sent twice the later values count, and 1024 items and as many more are too many
// together.
func TestTwice(t *testing.T) {
	t.Parallel()
	p := NewReader(false)
	if got := codes(p, single(20, 9, packed(0, 3, 0, typeExplosion, 1, 1, 2, typeExplosion, 1, 3, 4, typeExplosion,
		0, 1, 1))); len(got) > 0 {
		t.Error(got)
	}
	if diff := cmp.Diff(state{makeKey(typeExplosion, 0): {1, 1}, makeKey(typeExplosion, 1): {3, 4}},
		kept(p, 20)); diff != "" {
		t.Errorf("(-want +kept)\n%s", diff)
	}
}

// TestOtherSize: an item has the size that it had before; the game does not expect anything else.
func TestOtherSize(t *testing.T) {
	t.Parallel()
	p := NewReader(false)
	next := single(22, 3, packed(0, 1, 0, typeDynamic, 0, 3, 1, 1, 1))
	next.Ints[tables.KeepDelta] = 2
	got := codes(p, single(20, 3, packed(0, 1, 0, typeDynamic, 0, 2, 1, 2)), next)
	if diff := cmp.Diff([]string{"warning " + message.ExpertSizeDiffers}, got); diff != "" || kept(p, 22) != nil {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestWrongSum: a client drops a snapshot whose values do not add up, so later ones are no differences to it.
func TestWrongSum(t *testing.T) {
	t.Parallel()
	p := NewReader(false)
	got := codes(p, single(20, 4, packed(0, 1, 0, typeExplosion, 0, 1, 2)))
	if diff := cmp.Diff([]string{"warning " + message.ExpertSnapshotCRC}, got); diff != "" || kept(p, 20) != nil {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestRecordedLimits has whole snapshots of demos at their limits: size of the data, number of items, where each
// begins.
func TestRecordedLimits(t *testing.T) {
	t.Parallel()
	for _, v := range []struct {
		name string
		data []byte
		want string
	}{
		{"nothing", packed(0, 0), ""},
		{"size -1", packed(-1, 0), "error malformed"},
		{"65536 bytes", packed(maxSnapshotBytes, 0), ""},
		{"65537 bytes", packed(maxSnapshotBytes+1, 0), "error malformed"},
		{"-1 items", packed(0, -1), "error malformed"},
		{"one item", packed(12, 1, 0, typeExplosion<<16, 1, 2), ""},
		{"an item without values", packed(4, 1, 0, typeExplosion<<16), ""},
		{"more items than bytes", packed(12, 100, 0, typeExplosion<<16, 1, 2), "error malformed"},
		{"an item that ends where it begins", packed(0, 1, 0, typeExplosion<<16, 1, 2), "error malformed"},
		{"an item that ends after the data", packed(200, 1, 0, typeExplosion<<16, 1, 2), "error malformed"},
		{"two items", packed(20, 2, 0, 12, typeExplosion<<16, 1, 2, typeDynamic<<16, 5), ""},
		{"1024 items", recorded(1024), ""},
		{"1025 items", recorded(1025), "error malformed"},
		{"a value is cut", append(packed(12, 1, 0, typeExplosion<<16, 1), 0x80), "error truncated"},
		{"a byte is left", packed(0, 0, 9), "note " + message.ExpertTrailing},
	} {
		p, rec := NewReader(false), dissect.NewRecord()
		p.TakeRecorded(rec, rec.Tree, tables.V07, 20, true, v.data)
		var got []string
		for _, e := range rec.Experts {
			got = append(got, fmt.Sprint(e.Severity, " ", e.Code))
		}
		if g := strings.Join(got, ", "); g != v.want {
			t.Errorf("%s: %q, want %q", v.name, g, v.want)
		}
		if at := rec.Tree.Top().Get("snapshot").Get("base_tick"); at.Int() != -1 {
			t.Errorf("%s: a complete snapshot is a difference to %d", v.name, at.Int())
		}
		if whole := kept(p, 20) != nil; whole != !strings.HasPrefix(v.want, "error") {
			t.Errorf("%s: kept %v", v.name, whole)
		}
	}
	p, rec := NewReader(false), dissect.NewRecord()
	p.TakeRecorded(rec, rec.Tree, tables.V07, 20, false, packed(0, 0, 0))
	if got := see(rec.Tree.Top().Get("snapshot")); !got.missing || len(rec.Experts) != 1 ||
		rec.Experts[0].Code != message.ExpertBaseMissing {
		t.Errorf("a difference to nothing: %+v, %v", got, rec.Experts)
	}
}

// recorded is a whole snapshot of so many items without values, as a demo has it.
func recorded(items int32) []byte {
	data := packed(4*items, items)
	for i := range items {
		data = append(data, packed(4*i)...)
	}
	for i := range items {
		data = append(data, packed(typeDynamic<<16|i)...)
	}
	return data
}

// part is a part of a snapshot.
func part(tick int32, number, of int, crc int32, data []byte) *message.Message {
	m := single(tick, crc, data)
	m.Def = &tables.Message{Key: KeySnap}
	m.Ints[tables.KeepPart], m.Ints[tables.KeepParts] = int32(number), int32(of)
	return m
}

// TestParts puts parts together as CClient::ProcessServerPacket does: in any order, of one tick, all but the last of
// 900 bytes, at most 64.
func TestParts(t *testing.T) {
	t.Parallel()
	data := packed(0, 1, 0, typeDynamic, 1, 2000)
	data = append(data, make([]byte, 2000)...)
	data[len(data)-1] = 5
	a, b, c := data[:900], data[900:1800], data[1800:]
	for _, v := range []struct {
		name string
		list []*message.Message
		want string
		kept []int32 // ticks
	}{
		{"in order", []*message.Message{part(20, 0, 3, 5, a), part(20, 1, 3, 5, b), part(20, 2, 3, 5, c)}, "", []int32{20}},
		{"in another order", []*message.Message{part(20, 2, 3, 5, c), part(20, 0, 3, 5, a), part(20, 1, 3, 5, b)}, "", []int32{20}},
		{"one of them twice", []*message.Message{part(20, 2, 3, 5, c), part(20, 2, 3, 5, c), part(20, 0, 3, 5, a), part(20, 1, 3, 5, b)}, "", []int32{20}},
		{"one is missing", []*message.Message{part(20, 0, 3, 5, a), part(20, 2, 3, 5, c)}, "", nil},
		{"one is missing, then another snapshot", []*message.Message{
			part(20, 0, 3, 5, a), part(20, 2, 3, 5, c), part(22, 0, 3, 5, a), part(22, 2, 3, 5, c), part(22, 1, 3, 5, b),
		}, "note " + message.ExpertSnapshotLost, []int32{22}},
		{"an older one in between", []*message.Message{
			part(22, 0, 3, 5, a), part(20, 1, 3, 5, b), part(22, 1, 3, 5, b), part(22, 2, 3, 5, c),
		}, "note " + message.ExpertSnapshotStale, []int32{22}},
		{"899 bytes in the middle", []*message.Message{part(20, 0, 3, 5, a), part(20, 1, 3, 5, b[1:]), part(20, 2, 3, 5, c)}, "warning " + message.ExpertSnapshotPart, nil},
		{"901 bytes at the end", []*message.Message{part(20, 0, 2, 5, a), part(20, 1, 2, 5, data[900:1801])}, "warning " + message.ExpertSnapshotPart, nil},
		{"none of none", []*message.Message{part(20, 0, 0, 5, c)}, "", nil},
		{"65 parts", []*message.Message{part(20, 64, 65, 5, c)}, "", nil},
		{"part 3 of 3", []*message.Message{part(20, 3, 3, 5, c)}, "", nil},
		{"part -1 of 3", []*message.Message{part(20, -1, 3, 5, a)}, "", nil},
		{"a small one", []*message.Message{part(20, 0, 1, 3, packed(0, 1, 0, typeExplosion, 0, 1, 2))}, "", []int32{20}},
	} {
		p := NewReader(false)
		if got := strings.Join(codes(p, v.list...), ", "); got != v.want {
			t.Errorf("%s: %q, want %q", v.name, got, v.want)
		}
		for _, tick := range []int32{20, 22} {
			if got, want := kept(p, tick) != nil, slices.Contains(v.kept, tick); got != want {
				t.Errorf("%s: tick %d kept %v", v.name, tick, got)
			}
		}
	}
}

// TestTicksBeginAnew: ticks that step back far are those of another game, a little those of packets out of order.
func TestTicksBeginAnew(t *testing.T) {
	t.Parallel()
	for tick, want := range map[int32]string{
		1000: "", 998: "note " + message.ExpertSnapshotStale, 500: "note " + message.ExpertSnapshotStale, 499: "",
	} {
		p := NewReader(false)
		snapshot := packed(0, 1, 0, typeExplosion, 0, 1, 2)
		got := strings.Join(codes(p, single(1000, 3, snapshot), single(tick, 3, snapshot)), ", ")
		if got != want || (kept(p, 1000) == nil) != (tick == 499) ||
			p.Latest() != max(tick, 1000)-map[bool]int32{true: 501}[tick == 499] {
			t.Errorf("tick %d: %q, want %q, latest %d", tick, got, want, p.Latest())
		}
		if p.Forget(); kept(p, tick) != nil || p.Latest() != -1 {
			t.Errorf("tick %d is there after Forget", tick)
		}
	}
}

// TestPlaceOfTheRest: what follows the last item has a place in its message, and none if the snapshot came in several.
func TestPlaceOfTheRest(t *testing.T) {
	t.Parallel()
	data := packed(0, 1, 0, typeDynamic, 1, 1000)
	data = append(data, make([]byte, 1000)...)
	data = append(data, 7, 7)
	for _, v := range []struct {
		list      []*message.Message
		bit, bits int
	}{
		{[]*message.Message{single(20, 0, packed(0, 0, 0, 7))}, 3 << 3, 8},
		{[]*message.Message{part(20, 0, 2, 0, data[:900]), part(20, 1, 2, 0, data[900:])}, 0, 0},
	} {
		p, found := NewReader(false), false
		for _, m := range v.list {
			rec := dissect.NewRecord()
			p.Take(rec, rec.Tree, tables.V07, m, m.Data, 0)
			if rest := rec.Tree.Top().Get("snapshot").Get("rest"); rest.Exists() {
				n := rest.Node()
				if found = true; int(n.Bit) != v.bit || int(n.Bits) != v.bits {
					t.Errorf("%d parts: at bit %d, %d bits, want %d, %d", len(v.list), n.Bit, n.Bits, v.bit, v.bits)
				}
			}
		}
		if !found {
			t.Errorf("%d parts: nothing follows", len(v.list))
		}
	}
}

// TestFaultsNameTheirPlace: an item that cannot be is undecoded from its own first byte on.
func TestFaultsNameTheirPlace(t *testing.T) {
	t.Parallel()
	for _, v := range []struct {
		data []byte
		want int // bytes before what is undecoded
	}{
		{packed(-1, 0, 0), 0},
		{packed(0, 1, 0, 1<<15, 0, 0), 3},
		{packed(0, 1, 0, typeDynamic, -1, 0), 3},
		{packed(0, 2, 0, typeExplosion, 0, 1, 2, typeDynamic, -1, 0), 7},
	} {
		p, rec := NewReader(false), dissect.NewRecord()
		p.Take(rec, rec.Tree, tables.V07, single(20, 0, v.data), v.data, 0)
		got := rec.Tree.Top().Get("snapshot").Get("undecoded")
		if want := len(v.data) - v.want; !got.Exists() || len(got.Bytes()) != want || int(got.Node().Bit) != v.want<<3 {
			t.Errorf("%x: %x is undecoded, want the last %d bytes", v.data, got.Bytes(), want)
		}
	}
	// And one with another size than before.
	p, rec := NewReader(false), dissect.NewRecord()
	codes(p, single(20, 3, packed(0, 1, 0, typeDynamic, 0, 2, 1, 2)))
	next := single(22, 3, packed(0, 1, 0, typeDynamic, 0, 3, 1, 1, 1))
	next.Ints[tables.KeepDelta] = 2
	p.Take(rec, rec.Tree, tables.V07, next, next.Data, 0)
	if got := rec.Tree.Top().Get("snapshot").Get("undecoded"); int(got.Node().Bit) != 3<<3 {
		t.Errorf("undecoded from bit %d on", got.Node().Bit)
	}
}

// TestExtendedTypes: items of type 0 declare the objects that numbers from 0x7fff downward mean: CSnapshotBuilder in
// src/engine/shared/snapshot.cpp of DDNet. Numbers below 0x4000 are no such objects.
func TestExtendedTypes(t *testing.T) {
	t.Parallel()
	p := NewReader(false)
	for _, number := range []int32{0x7fff, 0x7ffd, 0x4000} {
		p.learnTypes(&delta{
			updates: []update{{key: makeKey(0, number), size: tables.UUIDInts}},
			values:  make([]int32, tables.UUIDInts),
		})
		if got, want := len(p.extended), int(0x8000-number); got != want {
			t.Errorf("type %#x: %d are known, want %d", number, got, want)
		}
	}
	p = NewReader(false)
	p.learnTypes(&delta{updates: []update{
		{key: makeKey(0, 0x3fff), size: 4},
		{key: makeKey(1, 0x7fff), size: 4},
		{key: makeKey(0, 0x7fff), size: 3},
	}, values: make([]int32, 4)})
	if len(p.extended) > 0 {
		t.Errorf("%d types are known", len(p.extended))
	}
}

// TestNearTicks: ticks step ahead by at most 100, since a server that has lost the base sends every 50, and back by at
// most 500.
func TestNearTicks(t *testing.T) {
	t.Parallel()
	for tick, want := range map[int32]bool{1000: true, 1100: true, 1101: false, 500: true, 499: false} {
		if near(tick, 1000) != want {
			t.Errorf("%d after 1000: %v", tick, !want)
		}
	}
}

// TestCalm: of the last 16 snapshots four must be empty.
func TestCalm(t *testing.T) {
	t.Parallel()
	for empty, want := range map[int]bool{3: false, 4: true} {
		p := NewReader(false)
		for i := range 16 {
			p.seen(i < empty)
		}
		if p.calm() != want {
			t.Errorf("%d empty ones: %v", empty, !want)
		}
		if p.seen(false); want && p.calm() {
			t.Error("the seventeenth counts")
		}
	}
}
