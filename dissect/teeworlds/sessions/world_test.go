package sessions

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/snapshot"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/wiretest"
)

// snapshotKeys are the messages that carry snapshots.
var snapshotKeys = map[string]bool{snapshot.KeySnap: true, snapshot.KeySnapSingle: true, snapshot.KeySnapEmpty: true}

// Types of items that mean UUIDs count downwards from the highest; items of type 0 declare them.
const highestType = 0x7fff

// A state is the values of every item of a snapshot, by type and id.
type state map[int32][]int32

// A world is the snapshots of a server.
type world struct {
	tick    int32
	now     state
	sent    map[int32]state
	types   []objectType
	toMake  int // of the types, which comes next
	started bool
}

// An objectType is a type of items and the ranges of their values.
type objectType struct {
	number int32
	ranges [][2]int32
	more   int // values after those that are known: of types whose size is sent
}

func newWorld(w *writer) world {
	v := world{tick: int32(100 + w.IntN(1000)), now: state{}, sent: map[int32]state{}}
	seen := map[*tables.Object]bool{}
	for number := range 40 {
		if def := tables.LookupObject(w.dialect, number); def != nil {
			_, static := tables.ObjectSize(w.dialect, number)
			v.types = append(v.types, objectType{int32(number), flat(nil, def.Parts), 0})
			if !static && w.one(3) {
				v.types[len(v.types)-1].more = 2
			}
			seen[def] = true
		}
	}
	extended := 0
	for _, def := range tables.AllObjects() {
		if def.UUID == (tables.UUID{}) || seen[def] {
			continue
		}
		number := int32(highestType - extended)
		extended++
		v.types = append(v.types, objectType{number, flat(nil, def.Parts), w.IntN(2)})
		uuid := make([]int32, tables.UUIDInts)
		for i := range uuid {
			uuid[i] = int32(binary.BigEndian.Uint32(def.UUID[4*i:]))
		}
		v.now[key(0, number)] = uuid
	}
	v.types = append(v.types, objectType{100, [][2]int32{{-5, 5}, {0, 9}}, 0}) // which no table has
	w.Shuffle(len(v.types), func(i, j int) { v.types[i], v.types[j] = v.types[j], v.types[i] })
	return v
}

func key(itemType, id int32) int32 { return itemType<<16 | id }

// step changes the world: items of the types that come next, new and changed values, items that go.
func (w *writer) step() {
	v := &w.world
	v.tick += 2
	v.now = maps.Clone(v.now)
	for range w.IntN(8) * (1 + 20*w.IntN(20)/19) {
		made := &v.types[v.toMake%len(v.types)]
		v.toMake++
		values := make([]int32, len(made.ranges)+made.more)
		k := key(made.number, int32(w.IntN(64)))
		if old := v.now[k]; old != nil {
			values = values[:0]
			values = append(values, old...)
		}
		for i := range values {
			if i < len(made.ranges) && !w.one(4) {
				values[i] = w.number(made.ranges[i][0], made.ranges[i][1])
			} else if i < len(made.ranges) && (values[i] < made.ranges[i][0] || values[i] > made.ranges[i][1]) {
				values[i] = made.ranges[i][0]
			}
		}
		v.now[k] = values
	}
	for _, k := range slices.Sorted(maps.Keys(v.now)) {
		if k>>16 != 0 && w.one(25) {
			delete(v.now, k)
		}
	}
	v.sent[v.tick] = v.now
}

// snapshot sends the world as it is now: nothing, a difference to an earlier one, or all of it. Some are lost before
// the capture, with what they are the base of.
//
// CServer::DoSnapshot in src/engine/server/server.cpp.
func (w *writer) snapshot() {
	v := &w.world
	w.step()
	lost := v.started && w.one(7)
	if before := v.sent[v.tick-2]; before != nil && w.one(3) {
		lost = w.one(2)
		v.now = before
		v.sent[v.tick] = v.now
	}
	base := v.tick - 2*int32(1+w.IntN(3))
	if v.sent[base] == nil || w.one(10) {
		base = -1
	}
	data, crc := difference(w.dialect, v.sent[base], v.now)
	before := len(w.list)
	switch {
	case data == nil && base >= 0:
		w.snap(snapshot.KeySnapEmpty, base, crc, nil, 1, 0, true)
	case len(data) <= snapshot.MaxPartBytes:
		w.snap(snapshot.KeySnapSingle, base, crc, data, 1, 0, true)
	default:
		count := (len(data) + snapshot.MaxPartBytes - 1) / snapshot.MaxPartBytes
		part := 0
		for piece := range slices.Chunk(data, snapshot.MaxPartBytes) {
			w.snap(snapshot.KeySnap, base, crc, piece, count, part, part == count-1)
			part++
		}
	}
	if lost {
		w.list = w.list[:before]
	}
	v.started = true
}

// snap sends a message of a snapshot.
func (w *writer) snap(name string, base, crc int32, data []byte, parts, part int, whole bool) {
	i := slices.IndexFunc(tables.AllMessages(w.dialect), func(def *tables.Message) bool { return def.Key == name })
	def := tables.AllMessages(w.dialect)[i]
	kept := [tables.NumKept]int32{}
	kept[tables.KeepTick], kept[tables.KeepDelta], kept[tables.KeepCRC] = w.world.tick, w.world.tick-base, crc
	kept[tables.KeepParts], kept[tables.KeepPart], kept[tables.KeepCount] = int32(parts), int32(part), int32(len(data))
	b := wiretest.AppendInt(nil, head(def))
	for i := range def.Parts {
		if p := &def.Parts[i]; p.Kind == tables.KindRaw {
			b = append(b, data...)
		} else {
			b = wiretest.AppendInt(b, kept[p.Keep])
		}
	}
	if whole {
		name += " whole"
	}
	w.send(false, w.packet(false, 0, w.server.ack, 1, w.chunk(nil, b, false, false, 0)), name)
}

// difference returns the data of a snapshot, nil where nothing has changed, and the sum of all values.
//
// CSnapshotDelta::CreateDelta and CSnapshot::Crc in src/engine/shared/snapshot.cpp.
func difference(d tables.Dialect, base, now state) (data []byte, crc int32) {
	var gone, changed []int32
	for _, k := range slices.Sorted(maps.Keys(base)) {
		if now[k] == nil {
			gone = append(gone, k)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(now)) {
		for _, v := range now[k] {
			crc += v
		}
		if !slices.Equal(base[k], now[k]) {
			changed = append(changed, k)
		}
	}
	if len(gone)+len(changed) == 0 {
		return nil, crc
	}
	data = wiretest.AppendInt(wiretest.AppendInt(wiretest.AppendInt(nil, int32(len(gone))), int32(len(changed))), 0)
	for _, k := range gone {
		data = wiretest.AppendInt(data, k)
	}
	for _, k := range changed {
		data = wiretest.AppendInt(wiretest.AppendInt(data, k>>16), k&0xffff)
		if _, static := tables.ObjectSize(d, int(k>>16)); !static {
			data = wiretest.AppendInt(data, int32(len(now[k])))
		}
		for i, v := range now[k] {
			if base[k] != nil {
				v -= base[k][i]
			}
			data = wiretest.AppendInt(data, v)
		}
	}
	return data, crc
}
