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

// An entityState is an entity as far as it is known: a capture may begin after its first mention.
type entityState struct {
	values deltaValues
	known  uint64 // mask of the fields whose value is known, in output order
}

// entityPool holds the entity states of one conversation. Snapshots and baselines refer to them by
// index and share what did not change.
type entityPool struct {
	states []entityState
	refs   []uint16
	free   []int32
}

// take gives an unused state with one reference. Its content is left over.
func (p *entityPool) take() int32 {
	if n := len(p.free); n > 0 {
		i := p.free[n-1]
		p.free = p.free[:n-1]
		p.refs[i] = 1
		return i
	}
	p.states = append(p.states, entityState{})
	p.refs = append(p.refs, 1)
	return int32(len(p.states) - 1)
}

func (p *entityPool) share(i int32) int32 {
	p.refs[i]++
	return i
}

func (p *entityPool) release(i int32) {
	if p.refs[i]--; p.refs[i] == 0 {
		p.free = append(p.free, i)
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
			w.drop(s)
		}
	}
	for i, state := range w.baselines {
		if state != 0 {
			w.pool.release(state - 1)
			w.baselines[i] = 0
		}
	}
	w.baselinesKnown = false
}

// drop empties a snapshot.
func (w *world) drop(s *snapshot) {
	for _, e := range s.entities {
		w.pool.release(e.state)
	}
	s.entities = s.entities[:0]
	s.valid = false
}

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
	w.drop(w.scratch)
	w.scratch.sequence = sequence
	return w.scratch
}

// store keeps the snapshot that was read for later ones to delta from.
func (w *world) store() {
	slot := &w.ring[w.scratch.sequence&(packetBackup-1)]
	*slot, w.scratch = w.scratch, *slot
	(*slot).valid = true
	if w.scratch != nil {
		w.drop(w.scratch)
	}
}

// baseline gives the state an entity starts from when it is not in the base snapshot: its baseline,
// all zero if it has none, and nothing known while no gamestate was seen.
func (w *world) baseline(number int32, table *deltaTable) *entityState {
	if i := w.baselines[number]; i != 0 {
		return &w.pool.states[i-1]
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

// What the states of all generations can show. The order is that of the structures, which 43 and 48
// also have on the wire.
var (
	entityOutput = func() *stateFields {
		s := newStateFields(entityEnums, entityDocs, "entityState_t, code/qcommon/q_shared.h; MSG_ReadDeltaEntity, code/qcommon/msg.c",
			entityFields48[:], entityFields68[:], entityFields91[:], entityFields43[:])
		s.twin("modelindex", ofItem, &itemNames)
		return withTwins(s, "eventParm")
	}()
	playerOutput = withTwins(newStateFields(playerEnums, playerDocs,
		"playerState_t, code/qcommon/q_shared.h; MSG_ReadDeltaPlayerstate, code/qcommon/msg.c",
		playerFields48[:], playerFields68[:], playerFields91[:], playerFields43[:]), "externalEventParm")
)

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
