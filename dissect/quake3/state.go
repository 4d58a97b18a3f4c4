package quake3

import "github.com/q3dissect/q3dissect/dissect"

// Limits of the engine, code/qcommon/q_shared.h and qcommon.h.
const (
	entityNumBits = 10
	maxEntities   = 1 << entityNumBits
	entityNumNone = maxEntities - 1 // ENTITYNUM_NONE, ends an entity list
	packetBackup  = 32              // PACKET_BACKUP, snapshots kept to delta from
	statArrays    = 4               // stats, persistant, ammo, powerups
	arrayLength   = 16              // elements of each
)

// An entityPool holds the entity states of one conversation. Snapshots and baselines refer to them by index
// and share what did not change. Nobody counts the references, which would be most of the work of a quiet
// snapshot: the world looks for states that nothing refers to when it has no other left.
type entityPool struct {
	blocks []*[statesPerBlock]entityState
	free   []int32
	used   []bool // while looking
}

const statesPerBlock = 64

// at gives the state of an index.
func (p *entityPool) at(i int32) *entityState {
	return &p.blocks[uint32(i)/statesPerBlock][uint32(i)%statesPerBlock]
}

// take gives an unused state, whose content is left over. It stays the caller's until the next take, and
// from then on only if a snapshot or a baseline refers to it.
func (w *world) take() (int32, *entityState) {
	p := &w.pool
	if len(p.free) == 0 {
		w.collect()
	}
	last := len(p.free) - 1
	i := p.free[last]
	p.free = p.free[:last]
	return i, p.at(i)
}

// collect finds the states that nothing refers to, and makes more unless those are a third of all.
func (w *world) collect() {
	p := &w.pool
	clear(p.used)
	p.mark(w.scratch)
	for _, s := range w.ring {
		p.mark(s)
	}
	for _, i := range w.baselines {
		if i != 0 {
			p.used[i-1] = true
		}
	}
	for i, used := range p.used {
		if !used {
			p.free = append(p.free, int32(i))
		}
	}
	for n := len(p.used); len(p.free) <= n/3; {
		p.blocks = append(p.blocks, new([statesPerBlock]entityState))
		for range statesPerBlock {
			p.free = append(p.free, int32(len(p.used)))
			p.used = append(p.used, false)
		}
	}
}

func (p *entityPool) mark(s *snapshot) {
	if s == nil {
		return
	}
	for _, e := range s.entities {
		p.used[e.state] = true
	}
}

// An entityRef is one entity of a snapshot.
type entityRef struct {
	number int32
	state  int32 // in the pool
}

// A playerState is a player state as far as it is known.
type playerState struct {
	values      deltaValues
	known       uint64
	arrays      [statArrays][arrayLength]int32
	arraysKnown [statArrays]uint16
}

// A snapshot is what a server said of the world in one message.
type snapshot struct {
	valid      bool
	partial    bool // its base was never seen: there may be entities that are not listed
	sequence   int32
	serverTime int32
	flags      uint32 // snapFlags
	player     playerState
	entities   []entityRef // by rising number
}

// snapNotActive marks the snapshots that come before the client is in the game, SNAPFLAG_NOT_ACTIVE in
// code/qcommon/q_shared.h. The client's game does not look at them, and their entities may come from
// baselines that it has not been sent.
const snapNotActive = 2

// A world is what snapshots are decoded against: the baselines of the last gamestate and the snapshots
// that a later one can be a delta of.
type world struct {
	pool           entityPool
	baselines      [maxEntities]int32 // index in the pool plus one; 0: none
	baselinesKnown bool               // a gamestate was seen whole
	ring           [packetBackup]*snapshot
	scratch        *snapshot // the one that is being read
}

// reset forgets everything, as a gamestate makes the client do, CL_ParseGamestate in cl_parse.c.
func (w *world) reset() {
	for _, s := range w.ring {
		if s != nil {
			s.drop()
		}
	}
	w.baselines = [maxEntities]int32{}
	w.baselinesKnown = false
}

// drop empties a snapshot.
func (s *snapshot) drop() { s.entities, s.valid = s.entities[:0], false }

// base finds the snapshot of a sequence number, or nil.
func (w *world) base(sequence int32) *snapshot {
	s := w.ring[sequence&(packetBackup-1)]
	if s == nil || !s.valid || s.sequence != sequence {
		return nil
	}
	return s
}

// begin gives the snapshot to read into, empty.
func (w *world) begin(sequence int32) *snapshot {
	if w.scratch == nil {
		w.scratch = &snapshot{}
	}
	w.scratch.drop()
	w.scratch.sequence = sequence
	return w.scratch
}

// store keeps the snapshot that was read for later ones to delta from.
func (w *world) store() {
	slot := &w.ring[w.scratch.sequence&(packetBackup-1)]
	*slot, w.scratch = w.scratch, *slot
	(*slot).valid = true
	if w.scratch != nil {
		w.scratch.drop()
	}
}

// baseline gives the state an entity starts from when it is not in the base snapshot: its baseline,
// all zero if it has none, and nothing known while no gamestate was seen.
func (w *world) baseline(number int32, table *deltaTable) *entityState {
	if i := w.baselines[number]; i != 0 {
		return w.pool.at(i - 1)
	}
	if w.baselinesKnown {
		return table.zero
	}
	return &unknownEntity
}

var unknownEntity entityState

// An update says what an entity of a snapshot was coded against.
type update uint8

const (
	updateDelta update = iota
	updateBaseline
	updateRemoved
	updateUnknown
	updateUnchanged
)

var updateNames = [...]string{"delta", "baseline", "removed", "unknown", "unchanged"}

// Fields that entities and baselines share.
var (
	entityNumber = dissect.Field{
		Key: "number", Kind: dissect.Uint, Bits: entityNumBits, Doc: "entity number", Source: "MSG_ReadDeltaEntity, code/qcommon/msg.c",
	}
	entityUpdate = dissect.Field{
		Key: "update", Kind: dissect.Label,
		Doc: "what the entity was coded against: delta (its state in the base snapshot), baseline, " +
			"unknown (the base was never seen); removed; unchanged (with --state)",
	}
)
