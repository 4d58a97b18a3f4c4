package snapshot

import (
	"testing"
	"unsafe"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// TestPlacesOfValues: every number of these snapshots is one byte long, so the first value of the first item follows
// the three numbers of the head, the type and the id.
func TestPlacesOfValues(t *testing.T) {
	t.Parallel()
	data := packed(0, 1, 0, typeExplosion, 0, 1, 2)
	show := func(p *Reader, m *message.Message, payload []byte, at int) dissect.Value {
		rec := dissect.NewRecord()
		p.Take(rec, rec.Tree, tables.V07, m, payload, at)
		return rec.Tree.Top().Get("snapshot")
	}
	place := func(v dissect.Value) [2]int { return [2]int{int(v.Node().Bit), int(v.Node().Bits)} }
	first := func(v dissect.Value) (at [2]int) { // of the first value of the first item
		for item := range v.Get("items").Children() {
			for part := range item.Children() {
				for part.Field().Kind.Container() {
					for part = range part.Children() {
						break
					}
					at = place(part)
				}
			}
		}
		return at
	}
	const value = 5 << 3

	v := show(NewReader(false), single(20, 3, data), data, 0)
	if got := first(v); got != [2]int{value, 8} {
		t.Errorf("in a message of nothing else: %d", got)
	}
	if v.Get("parts").Int() != 1 || v.Get("crc").Int() != 3 || !v.Get("crc_ok").Bool() || v.Get("tick").Int() != 20 ||
		v.Get("base_tick").Int() != -1 {
		t.Errorf("parts %s, crc %s %s, tick %s, base %s", v.Get("parts"), v.Get("crc"), v.Get("crc_ok"),
			v.Get("tick"), v.Get("base_tick"))
	}
	payload := append([]byte{1, 2}, data...)
	m := single(20, 3, nil)
	m.Data = payload[2:]
	if got := first(show(NewReader(false), m, payload, 100)); got != [2]int{100 + 2<<3 + value, 8} {
		t.Errorf("after two bytes of a message at bit 100: %d", got)
	}
	// Without its base the differences have the places of the values.
	m = single(20, 3, data)
	m.Ints[tables.KeepDelta] = 2
	v = show(NewReader(false), m, data, 0)
	if got := first(v); got != [2]int{value, 8} || !v.Get("base_missing").Bool() ||
		v.Lookup("items.update").String() != "unknown" {
		t.Errorf("without a base: %d, %s", got, v.Lookup("items.update"))
	}
	rec := dissect.NewRecord()
	NewReader(false).TakeRecorded(rec, rec.Tree, tables.V07, 20, true, packed(12, 1, 0, typeExplosion<<16, 1, 2))
	if got := first(rec.Tree.Top().Get("snapshot")); got != [2]int{(3 + 4) << 3, 8} { // its key takes four bytes
		t.Errorf("in a demo: %d", got)
	}
}

// TestObjectsOfUUIDs: a number from 0x4000 on means the object of the UUID that an item of type 0 declares; the
// number counts from 0x7fff downward. CSnapshot::GetExternalItemType, src/engine/shared/snapshot.cpp of DDNet.
func TestObjectsOfUUIDs(t *testing.T) {
	t.Parallel()
	p := NewReader(false)
	character := []int32{1993229659, -102024632, -1378361269, -1810037668} // character@netobj.ddnet.tw
	for _, number := range []int32{0x7fff, 0x4000} {
		p.learnTypes(&delta{updates: []update{{key: makeKey(0, number), size: tables.UUIDInts}}, values: character})
	}
	for number, known := range map[int]bool{0x7fff: true, 0x7ffe: false, 0x4000: true, 0x4001: false, 0x8000: false} {
		if o := p.Object(tables.DDNet, number); (o != nil) != known || known && o.Key != "ddnet_character" {
			t.Errorf("%#x is %v", number, o)
		}
	}
	if o := p.Object(tables.DDNet, typeClient); o == nil || o.Key != "clientinfo" {
		t.Errorf("%d is %v", typeClient, o)
	}
}

// TestNear: what takes the place of a missing base is at most 25 ticks away, and the nearest of its kind.
func TestNear(t *testing.T) {
	t.Parallel()
	var h history
	var l partials
	for _, tick := range []int32{100, 110, 150, 160} {
		s := h.empty()
		s.add(makeKey(typeExplosion, 0), []int32{tick, 0})
		h.put(tick, s)
		l.put(l.empty(tick))
	}
	for tick, want := range map[int32][3]int32{ // the complete one before and after, the partial before
		111: {110, -1, 110}, 110: {100, -1, 100}, 125: {110, 150, 110}, 135: {110, 150, 110},
		136: {-1, 150, -1}, 124: {110, -1, 110}, 149: {-1, 150, -1}, 185: {160, -1, 160}, 186: {-1, -1, -1},
		100: {-1, 110, -1}, 75: {-1, 100, -1}, 74: {-1, -1, -1},
	} {
		got := [3]int32{-1, -1, -1}
		before, after := h.near(tick)
		for i, s := range []*snapshot{before, after} {
			if s != nil {
				got[i] = s.ints[0]
			}
		}
		if p := l.near(tick); p != nil {
			got[2] = p.tick
		}
		if got != want {
			t.Errorf("tick %d: %d, want %d", tick, got, want)
		}
	}
}

// TestRecover: a snapshot takes the place of the base if the sum of the server is right with it, all that is removed is
// there, and all values are possible. What is only assumed does so while its own sum was right.
func TestRecover(t *testing.T) {
	t.Parallel()
	flag, explosion := makeKey(typeFlag, 0), makeKey(typeExplosion, 0)
	for _, v := range []struct {
		name   string
		known  int32 // the tick of the complete snapshot; 0: none
		tick   int32 // that of the assumed one; 0: none
		hasOff bool
		data   []byte
		crc    int32
		want   int32 // the tick of what takes the place; 0: nothing does
	}{
		{"a complete one before", 16, 0, false, packed(0, 1, 0, typeFlag, 0, 1, 1, 0), 312 + 2, 16},
		{"a complete one after", 20, 0, false, packed(0, 1, 0, typeFlag, 0, 1, 1, 0), 312 + 2, 20},
		{"another sum", 16, 0, false, packed(0, 1, 0, typeFlag, 0, 1, 1, 0), 312 + 3, 0},
		{"the assumed one itself", 0, 18, false, packed(0, 1, 0, typeFlag, 0, 1, 1, 0), 312 + 2, 18},
		{"its own sum was wrong", 0, 18, true, packed(0, 1, 0, typeFlag, 0, 1, 1, 0), 312 + 2, 0},
		{"an assumed one before", 0, 14, false, packed(0, 1, 0, typeFlag, 0, 1, 1, 0), 312 + 2, 14},
		{"whose own sum was wrong", 0, 14, true, packed(0, 1, 0, typeFlag, 0, 1, 1, 0), 312 + 2, 0},
		{"the complete one before the assumed one", 16, 14, false, packed(0, 1, 0, typeFlag, 0, 1, 1, 0), 312 + 2, 16},
		{"an item that is removed", 16, 0, false, packed(1, 0, 0, int32(explosion)), 150, 16},
		{"the first item", 16, 0, false, packed(1, 0, 0, int32(flag)), 162, 16},
		{"one that is not there", 16, 0, false, packed(1, 0, 0, typeFlag<<16|1), 312, 0},
		{"an impossible value", 16, 0, false, packed(0, 1, 0, typeFlag, 0, 0, 0, 2), 312 + 2, 0},
		{"a possible one", 16, 0, false, packed(0, 1, 0, typeFlag, 0, 0, 0, 1), 312 + 1, 16},
		{"a new item", 16, 0, false, packed(0, 1, 0, typeFlag, 1, 5, 6, 1), 312 + 12, 16},
		{"a new item with an impossible value", 16, 0, false, packed(0, 1, 0, typeFlag, 1, 5, 6, 2), 312 + 13, 0},
	} {
		p := NewReader(false)
		fill := func(s *snapshot) {
			s.add(flag, []int32{100, 50, 0})
			s.add(explosion, []int32{90, 72})
		}
		ticks := map[*snapshot]int32{}
		if v.known > 0 {
			s := p.history.empty()
			fill(s)
			p.history.put(v.known, s)
			ticks[s] = v.known
		}
		if v.tick > 0 {
			l := p.partials.empty(v.tick)
			fill(&l.snap)
			l.hasOff = v.hasOff
			p.partials.put(l)
			ticks[&l.snap] = v.tick
		}
		p.delta.reset(&p.none, tables.V07, false)
		p.delta.read(v.data, 0)
		if got := ticks[p.recover(&snapshotHead{tick: 20, offset: 2, crc: v.crc, data: v.data, parts: 1},
			tables.V07)]; got != v.want {
			t.Errorf("%s: the one of tick %d, want %d", v.name, got, v.want)
		}
	}
	if p := NewReader(false); !p.possible(tables.V07, flag, nil, []int32{1, 2}) ||
		p.possible(tables.V07, flag, nil, []int32{1, 2, 2}) ||
		!p.possible(tables.V07, makeKey(typeDynamic, 0), nil, []int32{9}) {
		t.Error("what is possible: an item that is shorter than its object, and one of no known object")
	}
}

// TestMemoryOfSnapshots: what is kept is counted by the bytes that it holds, and the memory of what is dropped is
// used again.
func TestMemoryOfSnapshots(t *testing.T) {
	t.Parallel()
	s := &snapshot{Items: make([]item, 1, 5), ints: make([]int32, 2, 7)}
	if got, want := s.bytes(), int(unsafe.Sizeof(item{}))+2*int(unsafe.Sizeof(int32(0))); got != want {
		t.Errorf("a snapshot takes %d bytes, want %d", got, want)
	}
	p := &partial{snap: *s, trust: make([]trust, 3), absent: make([]Key, 0, 4)}
	if got, want := p.bytes(), 5*int(unsafe.Sizeof(item{}))+7*int(unsafe.Sizeof(int32(0)))+
		3*int(unsafe.Sizeof(trust(0)))+4*int(unsafe.Sizeof(Key(0))); got != want {
		t.Errorf("a partial takes %d bytes, want %d", got, want)
	}

	var h history
	for tick := range int32(historyTicks) {
		h.put(tick, h.empty())
	}
	first := h.snaps[0]
	h.put(historyTicks, new(snapshot)) // takes the place of tick 0
	if len(h.spare) != 1 || h.empty() != first {
		t.Error("the memory of the snapshot that was dropped is not used again")
	}
	for tick := range int32(20) {
		h.put(2*historyTicks+tick, new(snapshot))
	}
	if len(h.spare) != historySpare {
		t.Errorf("%d snapshots are spare", len(h.spare))
	}

	var l partials
	huge := l.empty(1)
	huge.snap.ints = make([]int32, maxPartialsBytes/4+1)
	if l.put(huge); l.find(1) != huge {
		t.Error("one that is too large is not kept")
	}
	next := l.empty(2)
	if l.put(next); l.find(1) != nil || l.find(2) != next {
		t.Error("it is kept beside another one")
	}
	if l.empty(3) != huge {
		t.Error("its memory is not used again")
	}
}
