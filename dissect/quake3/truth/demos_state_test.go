package truth_test

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// A fullState holds the fields of a structure in the order of its layout: numbers as 32 bits, floats as
// their bits.
type fullState []uint32

// A layout is the fields of one structure in one protocol, by the engine's names; elements of arrays are
// stats[0].
type layout struct {
	names  []string
	index  map[string]int
	floats []bool
	nodes  map[nodeName]int // index by what is in a tree
}

type nodeName struct {
	field *dissect.Field
	index int32
}

// A worldState is what a snapshot shows with --state.
type worldState struct {
	player   fullState
	entities map[int]fullState
}

// How many messages of a demo have their states compared, the later ones being of the same kind, and how many of them
// by go test.
const (
	statesCompared = 4000
	statesOfTest   = 400
)

// TestRecordedStates compares the absolute states with a model that applies another decoder's account of
// the changes: the delta rules of CL_ParseSnapshot and CL_ParsePacketEntities in code/client/cl_parse.c.
func TestRecordedStates(t *testing.T) {
	t.Parallel()
	for _, name := range recordingsWithTruth(t) {
		if reference.Base(filepath.Base(name)) == "truncated" || strings.HasPrefix(filepath.Base(name), "invalid") {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			m := newWorldModel(t, versionOf(name))
			truth := openDemoTruth(t, name)
			compared, differences := 0, 0
			run := reftest.Run{State: true, Most: min(statesCompared, reference.Most(statesOfTest))}
			run.Finish = func(_ int, dst []byte, rec *dissect.Record) []byte {
				line := truth.line
				truth.next()
				got, ok := m.shown(rec.Tree)
				want, count := m.apply(line)
				if !ok || want == nil {
					if ok || want != nil {
						t.Errorf("message %d: a snapshot in the truth: %v, in the record: %v", line.Index, want != nil, ok)
					}
					return dst
				}
				compared++
				if len(want.entities) != count {
					t.Errorf("message %d: the model has %d entities, the truth %d", line.Index, len(want.entities), count)
				}
				if !want.equal(&got) {
					if differences++; differences <= *shown {
						t.Errorf("message %d (-want +got):\n%s", line.Index, cmp.Diff(m.named(want), m.named(&got)))
					}
				}
				return dst
			}
			dissectDemo(t, name, run)
			if compared == 0 || differences > 0 {
				t.Errorf("%d of %d snapshots differ", differences, compared)
			}
		})
	}
}

func (w *worldState) equal(other *worldState) bool {
	return slices.Equal(w.player, other.player) && maps.EqualFunc(w.entities, other.entities, slices.Equal[fullState])
}

// A worldModel follows the states of a demo.
type worldModel struct {
	testing.TB
	version        int
	player, entity *layout
	baselines      map[int]fullState
	ring           [32]struct { // PACKET_BACKUP
		sequence uint32
		worldState
	}
}

// The arrays of a player state, each of 16 elements.
var stateArrays = []string{"stats", "persistant", "ammo", "powerups"}

func newWorldModel(tb testing.TB, version int) *worldModel {
	tb.Helper()
	m := &worldModel{
		TB: tb, version: version, player: layoutOf(tb, version, "playerState"),
		entity: layoutOf(tb, version, "entityState"),
	}
	for _, array := range stateArrays {
		for i := range 16 {
			m.player.add(fmt.Sprintf("%s[%d]", array, i), false)
		}
	}
	return m
}

func (l *layout) add(name string, float bool) {
	l.index[name] = len(l.names)
	l.names, l.floats = append(l.names, name), append(l.floats, float)
}

func (l *layout) zero() fullState { return make(fullState, len(l.names)) }

// named makes a state readable.
func (l *layout) named(s fullState) map[string]uint32 {
	m := map[string]uint32{}
	for i, v := range s {
		m[l.names[i]] = v
	}
	return m
}

func (m *worldModel) named(w *worldState) map[string]any {
	entities := map[int]any{}
	for n, s := range w.entities {
		entities[n] = m.entity.named(s)
	}
	return map[string]any{"player": m.player.named(w.player), "entities": entities}
}

// layoutOf returns every field of a structure in a protocol.
func layoutOf(tb testing.TB, version int, structure string) *layout {
	tb.Helper()
	type state struct {
		SameAs string
		Fields []struct {
			Name string
			Bits int
		}
	}
	var sources struct {
		Protocols map[string]struct {
			SameAs                   string
			EntityState, PlayerState state
		}
	}
	reference.Decode(tb, filepath.Join(samples, "truth", "fields.json.gz"), &sources)
	for name := strconv.Itoa(version); ; {
		p := sources.Protocols[name]
		s := p.EntityState
		if structure == "playerState" {
			s = p.PlayerState
		}
		if len(s.Fields) == 0 {
			name = p.SameAs + s.SameAs
			continue
		}
		l := &layout{index: map[string]int{}, nodes: map[nodeName]int{}}
		for _, f := range s.Fields {
			l.add(f.Name, f.Bits == 0)
		}
		return l
	}
}

// apply applies a message, and gives the state of its snapshot and how many entities the truth counts.
func (m *worldModel) apply(line *demoLine) (w *worldState, count int) {
	for i := range line.Ops {
		switch op := &line.Ops[i]; op.Op {
		case "gamestate":
			m.baselines = map[int]fullState{}
			for _, b := range op.Baselines {
				signed(b.Fields, signedFields[m.version].entity)
				m.baselines[reftest.Number(b.Number)] = m.changed(m.entity, m.entity.zero(), b.Fields)
			}
		case "snapshot":
			w, count = m.snapshot(line.Sequence, op), op.EntityCount
		}
	}
	return w, count
}

func (m *worldModel) snapshot(sequence uint32, op *demoOp) *worldState {
	base := worldState{player: m.player.zero()}
	if delta := uint32(reftest.Number(op.Delta)); delta != 0 && delta < sequence {
		slot := &m.ring[(sequence-delta)%32]
		if slot.sequence != sequence-delta {
			m.Fatalf("message %d: its base %d is not there", sequence, sequence-delta)
		}
		base = slot.worldState
	}
	signed(op.Player.Fields, signedFields[m.version].player)
	slot := &m.ring[sequence%32]
	slot.sequence = sequence
	slot.worldState = worldState{
		player:   slices.Clone(m.changed(m.player, base.player, op.Player.Fields)),
		entities: maps.Clone(base.entities),
	}
	for i, array := range []truthFields{op.Player.Stats, op.Player.Persistant, op.Player.Ammo, op.Player.Powerups} {
		for index, v := range array {
			slot.player[m.player.index[stateArrays[i]+"["+index+"]"]] = uint32(reftest.Number(v))
		}
	}
	if slot.entities == nil {
		slot.entities = map[int]fullState{}
	}
	for i := range op.Entities {
		e := &op.Entities[i]
		n := reftest.Number(e.Number)
		from, old := base.entities[n]
		if old != (e.Kind == "delta") && e.Kind != "removed" {
			m.Errorf("message %d: entity %d is a %s, in the base: %v", sequence, n, e.Kind, old)
		}
		if e.Kind == "removed" {
			delete(slot.entities, n)
			continue
		}
		if !old {
			if from = m.baselines[n]; from == nil {
				from = m.entity.zero()
			}
		}
		signed(e.Fields, signedFields[m.version].entity)
		slot.entities[n] = m.changed(m.entity, from, e.Fields)
	}
	return &slot.worldState
}

// changed returns a state with new values for some fields.
func (m *worldModel) changed(l *layout, from fullState, fields truthFields) fullState {
	if len(fields) == 0 {
		return from
	}
	s := slices.Clone(from)
	for name, v := range fields {
		i, ok := l.index[name]
		if !ok {
			m.Errorf("protocol %d has no field %s", m.version, name)
		} else if l.floats[i] {
			f, err := strconv.ParseFloat(string(v), 32)
			if err != nil {
				m.Error(err)
			}
			s[i] = math.Float32bits(float32(f))
		} else {
			s[i] = uint32(reftest.Number(v))
		}
	}
	return s
}

// shown takes the absolute states out of a record. There is at most one snapshot in it.
func (m *worldModel) shown(t *dissect.Tree) (w worldState, ok bool) {
	snapshot := slices.IndexFunc(t.Nodes, func(n dissect.Node) bool { return n.Field.Key == "snapshot" })
	if snapshot < 0 {
		return w, false
	}
	w.player = m.take(m.player, t, t.Find(t.Find(snapshot, "player_state"), "state"))
	w.entities = map[int]fullState{}
	entities := t.Find(snapshot, "entities")
	for i := entities + 1; i < int(t.Nodes[entities].End); i = int(t.Nodes[i].End) {
		n := int(t.Nodes[t.Find(i, "number")].Uint())
		update := string(t.Bytes(&t.Nodes[t.Find(i, "update")]))
		state := t.Find(i, "state")
		if (state < 0) != (update == "removed") {
			m.Errorf("entity %d is %s and has a state: %v", n, update, state >= 0)
		}
		if state >= 0 {
			w.entities[n] = m.take(m.entity, t, state)
		}
	}
	return w, true
}

// take takes the values inside a node. Every field must be there, once.
func (m *worldModel) take(l *layout, t *dissect.Tree, parent int) fullState {
	s, count := make(fullState, len(l.names)), 0
	for i := parent + 1; i < int(t.Nodes[parent].End); i++ {
		n := &t.Nodes[i]
		if n.Field.Aside { // the same values under their names
			i = int(n.End) - 1
			continue
		}
		if n.Field.Kind.Container() {
			continue
		}
		key := nodeName{n.Field, n.Index}
		at, ok := l.nodes[key]
		if !ok {
			name := elementName(n.Field.EngineName(), n)
			if at, ok = l.index[name]; !ok {
				m.Errorf("protocol %d has no field %s", m.version, name)
				continue
			}
			l.nodes[key] = at
		}
		s[at] = uint32(n.Uint())
		count++
	}
	if count != len(s) {
		m.Errorf("a state has %d fields, want %d", count, len(s))
	}
	return s
}
