package world

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// A written message is put together bit by bit, as MSG_WriteBits of code/qcommon/msg.c does.
type written struct {
	huffcodec.Writer
	gen *tables.Generation
}

func write(protocol int) *written {
	w := &written{gen: tables.GenerationOf(protocol)}
	w.Reset(w.gen.Coding)
	return w
}

// bits appends a number in so many bits, and gives w.
func (w *written) bits(v uint32, n int) *written {
	w.Bits(v, n)
	return w
}

// reader returns a reader of what was written, with a tree.
func (w *written) reader() (*Reader, *decode.Decoder) {
	d := &decode.Decoder{}
	d.Reset("quake3", slices.Clone(w.Data()), w.gen.Coding, &dissect.Tree{})
	return &Reader{Generation: w.gen, World: &World{BaselinesKnown: true}, Family: new(uint8)}, d
}

// wantFault compares the kind of an error and the last part of its path.
func wantFault(t *testing.T, name string, d *decode.Decoder, want error, field string) {
	t.Helper()
	err := d.Err()
	if err == nil || !errors.Is(err, want) || !strings.HasSuffix(err.Field, field) {
		t.Errorf("%s: %v, want %v at %s", name, err, want, field)
	}
}

// A baseline is an entity that is there: MSG_ReadDeltaEntity knows removed ones, CL_ParseGamestate has no use for them.
func TestBaselineFaults(t *testing.T) {
	for _, keep := range []bool{false, true} {
		r, d := write(68).bits(9, EntityNumBits).bits(0, 1).bits(0, 1).bits(0, 8).reader()
		if r.ReadBaseline(d, 0, keep); d.Err() != nil || keep != (r.World.Baselines.At(9) >= 0) {
			t.Errorf("keep %v: slot %d, %v", keep, r.World.Baselines.At(9), d.Err())
		}
	}
	r, d := write(68).bits(9, EntityNumBits).bits(1, 1).bits(0, 8).reader()
	r.ReadBaseline(d, 0, true)
	wantFault(t, "removed", d, dissect.ErrMalformed, "number")
	if r.World.Baselines.At(9) >= 0 {
		t.Error("a removed baseline is kept")
	}
	// Cut in the middle of the delta: nothing of it may be a base.
	w := write(68).bits(9, EntityNumBits).bits(0, 1).bits(1, 1).bits(20, 8).bits(1, 1).bits(1, 1)
	r, d = w.reader()
	d.Reset("quake3", w.Data()[:2], w.gen.Coding, &dissect.Tree{})
	if r.ReadBaseline(d, 0, true); !errors.Is(d.Err(), dissect.ErrTruncated) || r.World.Baselines.At(9) >= 0 {
		t.Errorf("cut: slot %d, %v", r.World.Baselines.At(9), d.Err())
	}
}

// More fields than the table has are a fault, and none of them is known. lc is a byte, MSG_ReadDeltaEntity.
func TestTooManyFields(t *testing.T) {
	for _, protocol := range []int{68, 60, 26} {
		r, d := write(protocol).bits(250, 8).bits(1, 1).bits(1, 32).reader()
		var state tables.State
		r.readFields(d, &state)
		wantFault(t, "entity", d, dissect.ErrMalformed, "")
		if state.Known != 0 || len(d.Tree().Nodes) > 0 {
			t.Errorf("protocol %d: fields %#x are known, %d are shown", protocol, state.Known, len(d.Tree().Nodes))
		}
		w := write(protocol)
		if w.gen.Pilot != nil {
			w.bits(0, 1) // the player is no pilot
		}
		r, d = w.bits(250, 8).bits(1, 1).bits(1, 32).reader()
		var p Player
		r.readPlayer(d, &p)
		wantFault(t, "player", d, dissect.ErrMalformed, "")
		if p.Known != 0 {
			t.Errorf("protocol %d: fields %#x of the player are known", protocol, p.Known)
		}
	}
}

// An error names the field whose value is not all there, in the form of 43 and 48 too, where masks choose the fields.
func TestCutInField(t *testing.T) {
	for _, protocol := range []int{43, 48} {
		if gen := tables.GenerationOf(protocol); 48+gen.MaskTail != len(gen.Entity.Wire) {
			t.Errorf("protocol %d: a mask of 6 bytes and %d bits for %d fields", protocol, gen.MaskTail, len(gen.Entity.Wire))
		}
		w := write(protocol).bits(31, 5).bits(1<<4, 24).bits(0, 24).bits(0, tables.GenerationOf(protocol).MaskTail)
		want := w.gen.Entity.Wire[4]
		w.bits(0, 3) // less than any field has
		r, d := w.reader()
		var state tables.State
		r.readFields(d, &state)
		if len(w.Data())*8-d.Pos() >= int(max(want.Bits, -want.Bits)) && want.Bits != 0 {
			t.Fatalf("the field has room after bit %d", d.Pos())
		}
		wantFault(t, "entity", d, dissect.ErrTruncated, want.Field.Key)
		if state.Known != 0 {
			t.Errorf("protocol %d: fields %#x are known", protocol, state.Known)
		}
	}
}

// entity appends an entity of protocol 68 with values of the first fields; nil: that is not sent.
func (w *written) entity(number uint32, values map[string]uint32) *written {
	w.bits(number, EntityNumBits).bits(0, 1)
	if values == nil {
		return w.bits(0, 1)
	}
	w.bits(1, 1)
	return w.fields(w.gen.Entity, values, true)
}

// fields appends a delta: the number of fields, then for each a bit and, if it changed, its value. zeroBit means that a
// bit before the value is 0 for zero, as in entities.
func (w *written) fields(layout *tables.Layout, values map[string]uint32, zeroBit bool) *written {
	count := 0
	for i, f := range layout.Wire {
		if _, ok := values[f.Name]; ok {
			count = i + 1
		}
	}
	w.bits(uint32(count), 8)
	for _, f := range layout.Wire[:count] {
		v, ok := values[f.Name]
		if !ok {
			w.bits(0, 1)
			continue
		}
		if w.bits(1, 1); zeroBit {
			w.bits(1, 1)
		}
		if f.Bits == 0 {
			w.bits(1, 1).bits(v, 32)
			continue
		}
		w.bits(v, int(max(f.Bits, -f.Bits)))
	}
	return w
}

// base begins a snapshot, and gives one that it is a delta of, with the entities 4 and 6.
func base(r *Reader) *Snapshot {
	r.World.begin(7)
	s := &Snapshot{Valid: true, Sequence: 6}
	for _, number := range []int32{4, 6} {
		slot, state := r.World.Take()
		state.Set(r.Generation.Entity.Zero)
		s.Entities = append(s.Entities, entityRef{number, slot})
		r.World.Ring[s.Sequence] = s
	}
	return s
}

func listed(s *Snapshot) (numbers []int32) {
	for _, e := range s.Entities {
		numbers = append(numbers, e.Number)
	}
	return numbers
}

// TestEntityList reads lists as CL_ParsePacketEntities does: entities that are not listed stay, those without a delta
// stay as they were, removed ones go, and numbers rise.
func TestEntityList(t *testing.T) {
	w := write(68).entity(2, map[string]uint32{"eType": 3}).entity(4, nil).bits(6, EntityNumBits).bits(1, 1).
		entity(8, map[string]uint32{"eType": 1})
	r, d := w.bits(EntityNumNone, EntityNumBits).bits(0, 8).reader()
	old := base(r)
	r.readEntities(d, old)
	if got := listed(r.World.scratch); d.Err() != nil || !slices.Equal(got, []int32{2, 4, 8}) {
		t.Errorf("entities %v, %v", got, d.Err())
	} else if r.World.scratch.Entities[1].State != old.Entities[0].State {
		t.Error("an entity without a delta has another state than in the base")
	}
	// The first entity of the base stays, and the list ends there.
	r, d = write(68).bits(EntityNumNone, EntityNumBits).bits(0, 8).reader()
	if r.readEntities(d, base(r)); d.Err() != nil || !slices.Equal(listed(r.World.scratch), []int32{4, 6}) {
		t.Errorf("nothing listed: %v, %v", listed(r.World.scratch), d.Err())
	}
	for _, second := range []uint32{3, 5} {
		r, d = write(68).entity(5, map[string]uint32{"eType": 3}).entity(second, map[string]uint32{"eType": 3}).
			bits(EntityNumNone, EntityNumBits).reader()
		r.readEntities(d, base(r))
		wantFault(t, "not rising", d, dissect.ErrMalformed, "number")
	}
}

// For a TV server every entity is followed by a shared part, a removed one too: MSG_ETTV_ReadDeltaSharedEntity, after
// MSG_ReadDeltaEntity, in src/qcommon/msg.c of ET: Legacy.
func TestSharedPartOfRemovedEntity(t *testing.T) {
	w := write(284).bits(4, EntityNumBits).bits(1, 1).bits(sharedMagic, 8).bits(1, 1) // removed, and its shared part is
	w.bits(6, EntityNumBits).bits(1, 1).bits(sharedMagic, 8).bits(0, 1).bits(0, 1)
	r, d := w.bits(EntityNumNone, EntityNumBits).bits(0, 8).reader()
	if r.readEntities(d, base(r)); d.Err() != nil || len(r.World.scratch.Entities) > 0 {
		t.Errorf("entities %v, %v", listed(r.World.scratch), d.Err())
	}
	r, d = write(284).bits(4, EntityNumBits).bits(1, 1).bits(sharedMagic+1, 8).bits(0, 8).reader()
	r.readEntities(d, base(r))
	wantFault(t, "another magic", d, dissect.ErrMalformed, "")
}

// An area mask has at most MAX_MAP_AREA_BYTES, 32 bytes: CL_ParseSnapshot drops a longer one.
func TestAreaMask(t *testing.T) {
	for n, fits := range map[int]bool{0: true, 32: true, 33: false} {
		w := write(68).bits(uint32(n), 8)
		for range n + 1 {
			w.bits(0xff, 8)
		}
		r, d := w.reader()
		if r.readAreaMask(d); fits != (d.Err() == nil) {
			t.Errorf("%d bytes: %v", n, d.Err())
		} else if !fits {
			wantFault(t, "too long", d, dissect.ErrMalformed, "area_mask")
		}
	}
}

// What stood before a gamestate is no base any more: CL_ParseGamestate clears the snapshots.
func TestReset(t *testing.T) {
	var w World
	w.begin(5)
	w.Store()
	w.Baselines.Set(3, 0)
	w.BaselinesKnown = true
	if w.Base(5) == nil || w.Base(5+packetBackup) != nil || w.Base(4) != nil {
		t.Error("a snapshot is not found by its number alone")
	}
	if w.Reset(); w.Base(5) != nil || w.Baselines.At(3) >= 0 || w.BaselinesKnown {
		t.Error("something is left")
	}
}

// named returns the names that hold for a field in the tree.
func named(tree *dissect.Tree, key string) *dissect.Enum {
	for i := range tree.Nodes {
		if tree.Nodes[i].Field.Key == key {
			return tree.Nodes[i].Field.Enum
		}
	}
	return nil
}

// What a model index or the parameter of an event counts follows from the entity's type or the event: bg_itemlist for
// items (EV_ITEM_PICKUP), meansOfDeath_t for obituaries (EV_OBITUARY). Numbers are those of code/game/bg_public.h.
func TestContexts(t *testing.T) {
	const etGeneral, etItem, etEvents = 0, 2, 13
	const evItemPickup, evObituary, evGlobalTeamSound = 19, 60, 47
	engine := map[string]string{"modelindex": "modelindex", "event_parm": "eventParm"}
	for _, row := range []struct {
		name   string
		values map[string]uint32
		key    string
		want   *dissect.Enum
	}{
		{"an item", map[string]uint32{"eType": etItem, "modelindex": 5}, "modelindex", &tables.ItemNames},
		{"a model", map[string]uint32{"eType": etGeneral, "modelindex": 5}, "modelindex", nil},
		{"a pick-up", map[string]uint32{"event": evItemPickup, "eventParm": 5}, "event_parm", &tables.ItemNames},
		{"a pick-up, sent a second time", map[string]uint32{"event": 0x100 | evItemPickup, "eventParm": 5}, "event_parm", &tables.ItemNames},
		{"an obituary", map[string]uint32{"eType": etEvents + evObituary, "eventParm": 5}, "event_parm", &tables.MeansOfDeathNames},
		{"a team sound", map[string]uint32{"eType": etEvents + evGlobalTeamSound, "eventParm": 5}, "event_parm", &tables.GlobalTeamSoundNames},
		{"a parameter of no event", map[string]uint32{"eventParm": 5}, "event_parm", nil},
	} {
		r, d := write(68).fields(tables.GenerationOf(68).Entity, row.values, true).bits(0, 8).reader()
		*r.Family = tables.GameOf(tables.GenerationOf(68), 68, []byte("baseq3"), nil, nil)
		state := *r.Generation.Entity.Zero
		r.readFields(d, &state)
		if got := named(d.Tree(), row.key); d.Err() != nil || got != row.want {
			t.Errorf("%s: another table of names, %v", row.name, d.Err())
		}
		// Nothing is known of the rest of an entity whose base was not seen.
		r, d = write(68).fields(tables.GenerationOf(68).Entity, map[string]uint32{engine[row.key]: 5},
			true).bits(0, 8).reader()
		var unknown tables.State
		r.readFields(d, &unknown)
		if got := named(d.Tree(), row.key); d.Err() != nil || got != nil {
			t.Errorf("%s, type not known: names, %v", row.name, d.Err())
		}
	}
	for event, want := range map[uint32]*dissect.Enum{evItemPickup: &tables.ItemNames, 0: nil} {
		layout := tables.GenerationOf(68).Player
		w := write(68).fields(layout, map[string]uint32{"externalEvent": event, "externalEventParm": 5}, false)
		r, d := w.bits(0, 1).bits(0, 8).reader()
		*r.Family = tables.GameOf(tables.GenerationOf(68), 68, []byte("baseq3"), nil, nil)
		p := zeroPlayer(r.Generation)
		r.readPlayer(d, &p)
		if got := named(d.Tree(), "external_event_parm"); d.Err() != nil || got != want {
			t.Errorf("external event %d: another table of names, %v", event, d.Err())
		}
	}
}

// Of a player whose base was not seen, those elements of the arrays are known that were sent, and no others.
func TestArraysKnown(t *testing.T) {
	w := write(68).bits(0, 8).bits(1, 1).bits(1, 1).bits(1<<0|1<<3|1<<15, 16).bits(100, 16).bits(0xffff, 16).
		bits(7, 16).bits(0, 3)
	r, d := w.bits(0, 8).reader()
	r.ShowState = true
	var p Player
	r.readPlayer(d, &p)
	if d.Err() != nil || p.ArraysKnown[0] != 1<<0|1<<3|1<<15 || p.ArraysKnown[1] != 0 {
		t.Errorf("known %#x, %v", p.ArraysKnown, d.Err())
	}
	want := map[int]int64{0: 100, 3: -1, 15: 7}
	tree := d.Tree()
	for i := range tree.Nodes {
		if n := &tree.Nodes[i]; n.Field.Name == "stats[]" && want[int(n.Index)] != n.Int() {
			t.Errorf("stats[%d] is %d", n.Index, n.Int())
		}
	}
}
