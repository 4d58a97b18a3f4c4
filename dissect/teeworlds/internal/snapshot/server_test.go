package snapshot

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/wiretest"
)

// A server is a model of what a server of 0.7 does with snapshots: it keeps those of all ticks whole, and sends one as
// the difference to one that the client has.
//
// CServer::DoSnapshot in src/engine/server/server.cpp; CSnapshotDelta::CreateDelta and CSnapshot::Crc in
// src/engine/shared/snapshot.cpp.
type server struct {
	rng   *rand.Rand
	tick  int32
	world state
	snaps map[int32]state
	full  int // one in so many snapshots is complete
}

// A state is the values of every item of a snapshot.
type state map[Key][]int32

// Types of items: of the first two the game knows the size, and the ranges of some values; of the third the size is
// sent.
const (
	typeFlag      = 5  // x, y, team
	typeExplosion = 17 // x, y
	typeDynamic   = 100
)

func newServer(seed uint64) *server {
	s := &server{rng: rand.New(rand.NewPCG(seed, 7)), tick: 10, world: state{}, snaps: map[int32]state{}, full: 20}
	s.world[makeKey(typeFlag, 0)], s.world[makeKey(typeFlag, 1)] = []int32{100, 50, 0}, []int32{-200, 50, 1}
	s.world[makeKey(typeDynamic, 0xffff)] = []int32{1, 2, 3}
	return s
}

// step is the next snapshot, with so many changes.
func (s *server) step(changes int) {
	s.tick += 2
	s.world = maps.Clone(s.world)
	for range changes {
		key := makeKey([]int32{typeFlag, typeExplosion, typeDynamic}[s.rng.IntN(3)], int32(s.rng.IntN(5)))
		old, there := s.world[key]
		switch {
		case there && key.Type() != typeFlag && s.rng.IntN(3) == 0:
			delete(s.world, key)
			continue
		case there:
			old = slices.Clone(old)
			old[s.rng.IntN(2)] += int32(s.rng.IntN(2000)) - 1000
			s.world[key] = old
			continue
		}
		size := map[int]int{typeFlag: 3, typeExplosion: 2, typeDynamic: 4}[key.Type()]
		values := make([]int32, size)
		for i := range values {
			values[i] = int32(s.rng.IntN(100_000)) - 50_000
		}
		if key.Type() == typeFlag {
			values[2] = int32(s.rng.IntN(2))
		}
		s.world[key] = values
	}
	s.snaps[s.tick] = s.world
}

// base chooses one of the last snapshots, or none.
func (s *server) base() int32 {
	tick := s.tick - 2*int32(1+s.rng.IntN(4))
	if s.snaps[tick] == nil || s.rng.IntN(s.full) == 0 {
		return -1
	}
	return tick
}

func sorted(s state) []Key { return slices.Sorted(maps.Keys(s)) }

// delta returns the data of the difference to a base, its meaning, and the sum of all values.
func (s *server) delta(base state) (data []byte, said, removed []string, crc int32) {
	var gone, changed []Key
	for _, key := range sorted(base) {
		if s.world[key] == nil {
			gone = append(gone, key)
			removed = append(removed, fmt.Sprint(key.Type(), " ", key.ID()))
		}
	}
	for _, key := range sorted(s.world) {
		for _, v := range s.world[key] {
			crc += v
		}
		if !slices.Equal(base[key], s.world[key]) {
			changed = append(changed, key)
		}
	}
	if len(gone)+len(changed) == 0 {
		return nil, nil, nil, crc
	}
	data = wiretest.AppendInt(wiretest.AppendInt(wiretest.AppendInt(nil, int32(len(gone))), int32(len(changed))), 0)
	for _, key := range gone {
		data = wiretest.AppendInt(data, int32(key))
	}
	for _, key := range changed {
		data = wiretest.AppendInt(wiretest.AppendInt(data, int32(key.Type())), int32(key.ID()))
		if key.Type() == typeDynamic {
			data = wiretest.AppendInt(data, int32(len(s.world[key])))
		}
		update := "new"
		for i, v := range s.world[key] {
			if base[key] != nil {
				v -= base[key][i]
				update = "delta"
			}
			data = wiretest.AppendInt(data, v)
		}
		said = append(said, fmt.Sprint(key.Type(), " ", key.ID(), " ", update, " ", s.world[key]))
	}
	return data, said, removed, crc
}

// messages returns the messages that carry a snapshot: one without data, a single one, or parts of 900 bytes.
func (s *server) messages(base int32, data []byte, crc int32, inParts bool) (list []*message.Message) {
	ints := [tables.NumKept]int32{}
	ints[tables.KeepTick], ints[tables.KeepDelta], ints[tables.KeepCRC] = s.tick, s.tick-base, crc
	if data == nil {
		return []*message.Message{{Def: &tables.Message{Key: KeySnapEmpty}, Ints: ints}}
	}
	if len(data) <= MaxPartBytes && !inParts {
		return []*message.Message{{Def: &tables.Message{Key: KeySnapSingle}, Ints: ints, Data: data}}
	}
	ints[tables.KeepParts] = int32((len(data) + MaxPartBytes - 1) / MaxPartBytes)
	for part := range slices.Chunk(data, MaxPartBytes) {
		list = append(list, &message.Message{Def: &tables.Message{Key: KeySnap}, Ints: ints, Data: part})
		ints[tables.KeepPart]++
	}
	return list
}

// A seen snapshot is what a reader shows of one.
type seen struct {
	items, removed   []string
	unknown          int
	missing, assumed bool
	crcOK            string
	whole            bool // there is a snapshot in the tree
}

// take has a reader take messages, and returns what it shows of the snapshot that they complete.
func take(p *Reader, list []*message.Message) (got seen) {
	for _, m := range list {
		rec := dissect.NewRecord()
		p.Take(rec, rec.Tree, tables.V07, m, m.Data, 0)
		if v := rec.Tree.Top().Get("snapshot"); v.Exists() {
			got = see(v)
		}
	}
	return got
}

func see(v dissect.Value) seen {
	got := seen{whole: true, missing: v.Get("base_missing").Bool(), assumed: v.Get("base_assumed").Bool()}
	if ok := v.Get("crc_ok"); ok.Exists() {
		got.crcOK = fmt.Sprint(ok.Bool())
	}
	for it := range v.Get("removed").Children() {
		got.removed = append(got.removed, fmt.Sprint(it.Get("type").Int(), " ", it.Get("id").Int()))
	}
	for it := range v.Get("items").Children() {
		update := it.Get("update").String()
		if update == "unknown" {
			got.unknown++
			continue
		}
		var values []int32
		for child := range it.Children() {
			if child.Field().Kind.Container() {
				values = leaves(values, child)
			}
		}
		got.items = append(got.items, fmt.Sprint(it.Get("type").Int(), " ", it.Get("id").Int(), " ", update, " ", values))
	}
	return got
}

// leaves appends the numbers in a value.
func leaves(list []int32, v dissect.Value) []int32 {
	for child := range v.Children() {
		if child.Field().Kind.Container() {
			list = leaves(list, child)
		} else {
			list = append(list, int32(child.Int()))
		}
	}
	return list
}

// kept returns a snapshot that a reader keeps.
func kept(p *Reader, tick int32) state {
	s, ok := p.At(tick)
	if !ok {
		return nil
	}
	all := state{}
	for i := range s.Items {
		all[s.Items[i].Key] = slices.Clone(s.Values(&s.Items[i]))
	}
	return all
}

// TestSession reads sessions of the model: every snapshot has what the server sent, and is kept as the server has it.
func TestSession(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		s, p := newServer(seed), NewReader(false)
		for step := range 300 {
			s.step(s.rng.IntN(4) * (1 + 40*(step%50/49))) // at times many, which take several parts
			base := s.base()
			data, items, removed, crc := s.delta(s.snaps[base])
			if data == nil && base < 0 {
				continue
			}
			want := seen{items: items, removed: removed, crcOK: "true", whole: true}
			if data == nil {
				want.crcOK = ""
			}
			list := s.messages(base, data, crc, s.rng.IntN(3) == 0)
			got := take(p, list)
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(seen{})); diff != "" {
				t.Fatalf("seed %d, tick %d to %d (-want +got):\n%s", seed, base, s.tick, diff)
			}
			if diff := cmp.Diff(s.world, kept(p, s.tick)); diff != "" || p.Latest() != s.tick {
				t.Fatalf("seed %d, tick %d, latest %d (-server +kept):\n%s", seed, s.tick, p.Latest(), diff)
			}
		}
	}
}

// TestUnchanged shows with --state what stayed: the items that are shown and those of the server are the same.
func TestUnchanged(t *testing.T) {
	t.Parallel()
	s, p := newServer(5), NewReader(true)
	for range 100 {
		s.step(s.rng.IntN(4))
		base := s.base()
		data, _, _, crc := s.delta(s.snaps[base])
		if data == nil && base < 0 {
			continue
		}
		var want, items []string
		for _, key := range sorted(s.world) {
			update := "unchanged"
			if old := s.snaps[base][key]; old == nil {
				update = "new"
			} else if !slices.Equal(old, s.world[key]) {
				update = "delta"
			}
			want = append(want, fmt.Sprint(key.Type(), " ", key.ID(), " ", update, " ", s.world[key]))
		}
		items = take(p, s.messages(base, data, crc, false)).items
		slices.Sort(want)
		slices.Sort(items)
		if diff := cmp.Diff(want, items); diff != "" {
			t.Fatalf("tick %d to %d (-want +got):\n%s", base, s.tick, diff)
		}
	}
}

// TestSessionWithLoss loses messages of the model's sessions. Whatever is shown as known is what the server sent, and
// with the next complete snapshot everything is known again. Where little changes, sums show which bases are right.
func TestSessionWithLoss(t *testing.T) {
	t.Parallel()
	var known, unknown, assumed, wholeAfter int
	for seed := range uint64(12) {
		s, p := newServer(seed), NewReader(true)
		s.full = 150
		busy := int(seed % 3) // how much happens
		for range 300 {
			changes := 0
			if s.rng.IntN(4) < 1+busy {
				changes = s.rng.IntN(1 + busy)
			}
			s.step(changes)
			base := s.base()
			data, _, _, crc := s.delta(s.snaps[base])
			if data == nil && base < 0 || s.rng.IntN(10) == 0 {
				continue
			}
			got := take(p, s.messages(base, data, crc, false))
			wrong := slices.DeleteFunc(slices.Clone(got.items), func(line string) bool {
				var itemType, id int32
				var update string
				fmt.Sscan(line, &itemType, &id, &update)
				return line == fmt.Sprint(itemType, " ", id, " ", update, " ", s.world[makeKey(itemType, id)])
			})
			if len(wrong) > 0 || got.crcOK == "false" {
				t.Fatalf("seed %d, tick %d to %d: %v are not what the server has, %v", seed, base, s.tick, wrong, s.world)
			}
			if base < 0 && (got.missing || got.unknown > 0) {
				t.Fatalf("seed %d, tick %d: %+v of a complete snapshot", seed, s.tick, got)
			}
			if !got.missing && kept(p, s.tick) == nil {
				t.Fatalf("seed %d, tick %d is not kept", seed, s.tick)
			}
			if k := kept(p, s.tick); k != nil && !cmp.Equal(k, s.world) {
				t.Fatalf("seed %d, tick %d (-server +kept):\n%s", seed, s.tick, cmp.Diff(s.world, k))
			}
			known, unknown = known+len(got.items), unknown+got.unknown
			if got.assumed {
				assumed++
			}
			if !got.missing {
				wholeAfter++
			}
		}
	}
	t.Logf("%d items are known, %d are not; %d bases were found by their sums; %d snapshots are whole", known,
		unknown, assumed, wholeAfter)
	// How much that is has no other source; less of it would be a step back.
	if known < 14_090 || unknown > 1_175 || assumed < 70 || wholeAfter < 1_270 {
		t.Error("less is known than was")
	}
}

// TestRecordedSession reads the model's snapshots as a demo has them: the whole one as it is in memory, then
// differences to the one before.
func TestRecordedSession(t *testing.T) {
	t.Parallel()
	s, p := newServer(9), NewReader(false)
	before := int32(-1)
	for step := range 100 {
		s.step(s.rng.IntN(4))
		complete := step%20 == 0
		var data []byte
		var items, removed []string
		if complete {
			var offset int32
			keys := sorted(s.world)
			var body []byte
			var offsets []int32
			for _, key := range keys {
				offsets = append(offsets, offset)
				offset += 4 * int32(1+len(s.world[key]))
				body = wiretest.AppendInt(body, int32(key))
				for _, v := range s.world[key] {
					body = wiretest.AppendInt(body, v)
				}
				items = append(items, fmt.Sprint(key.Type(), " ", key.ID(), " new ", s.world[key]))
			}
			data = wiretest.AppendInt(wiretest.AppendInt(nil, offset), int32(len(keys)))
			for _, o := range offsets {
				data = wiretest.AppendInt(data, o)
			}
			data = append(data, body...)
		} else if data, items, removed, _ = s.delta(s.snaps[before]); data == nil {
			data = []byte{0, 0, 0}
		}
		before = s.tick
		rec := dissect.NewRecord()
		p.TakeRecorded(rec, rec.Tree, tables.V07, s.tick, complete, data)
		got := see(rec.Tree.Top().Get("snapshot"))
		if diff := cmp.Diff(seen{items: items, removed: removed, whole: true}, got,
			cmp.AllowUnexported(seen{})); diff != "" || len(rec.Experts) > 0 {
			t.Fatalf("tick %d (-want +got):\n%s%v", s.tick, diff, rec.Experts)
		}
		if diff := cmp.Diff(s.world, kept(p, s.tick)); diff != "" {
			t.Fatalf("tick %d (-server +kept):\n%s", s.tick, diff)
		}
	}
}
