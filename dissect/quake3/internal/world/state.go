// Package world reads a server's description of its world: baselines, and snapshots of a player and entities,
// each coded as a delta of an earlier one. A World keeps what later snapshots are deltas of; a Reader reads one
// conversation's snapshots into it. The package also writes snapshots, for demos that begin without their base.
package world

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/leap"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// Limits of the engine, code/qcommon/q_shared.h and qcommon.h.
const (
	EntityNumBits = 10
	MaxEntities   = 1 << EntityNumBits
	EntityNumNone = MaxEntities - 1 // ENTITYNUM_NONE, ends an entity list
	packetBackup  = 32              // PACKET_BACKUP, snapshots kept to delta from
	statArrays    = 4               // stats, persistant, ammo, powerups
	arrayLength   = 16              // elements of each
	extraArrays   = 8               // of Wolfenstein: holdable, the other 48 of ammo, 64 of ammoclip
)

// A Pool holds the entity states of one conversation. Snapshots and baselines refer to them by index and share
// unchanged ones. References are not counted, which would be most of the work of a quiet snapshot: when no
// unused state is left, the world looks for states without a reference.
type Pool struct {
	blocks []*[statesPerBlock]tables.State
	free   []int32
	used   []bool // used by collect
}

const statesPerBlock = 16

// At returns the state of an index.
func (p *Pool) At(i int32) *tables.State {
	return &p.blocks[uint32(i)/statesPerBlock][uint32(i)%statesPerBlock]
}

// Take returns an unused state with arbitrary content. It is the caller's until the next Take, and afterwards
// only if a snapshot or a baseline refers to it.
func (w *World) Take() (int32, *tables.State) {
	p := &w.Pool
	if len(p.free) == 0 {
		w.collect()
	}
	last := len(p.free) - 1
	i := p.free[last]
	p.free = p.free[:last]
	return i, p.At(i)
}

// collect finds the states without a reference. If they are fewer than a third of all, it adds more.
func (w *World) collect() {
	p := &w.Pool
	clear(p.used)
	p.mark(w.scratch)
	for _, s := range w.Ring {
		p.mark(s)
	}
	for _, i := range w.Baselines.All() {
		p.used[i] = true
	}
	for i, used := range p.used {
		if !used {
			p.free = append(p.free, int32(i))
		}
	}
	for n := len(p.used); len(p.free) <= n/3; {
		p.blocks = append(p.blocks, new([statesPerBlock]tables.State))
		for range statesPerBlock {
			p.free = append(p.free, int32(len(p.used)))
			p.used = append(p.used, false)
		}
	}
}

func (p *Pool) mark(s *Snapshot) {
	if s == nil {
		return
	}
	for _, e := range s.Entities {
		p.used[e.State] = true
	}
}

// An entityRef is one entity of a snapshot.
type entityRef struct {
	Number int32
	State  int32 // in the pool
}

// A Player is a player state, as far as it is known.
type Player struct {
	tables.State
	Arrays      [statArrays][arrayLength]int32
	ArraysKnown [statArrays]uint16
	Extra       *ExtraArrays // nil: the generation has none, or nothing of them is known
	Vehicle     *Player      // what the player rides or drives, in Jedi Academy; nil: nothing
}

// ExtraArrays are the arrays of Wolfenstein's player state beside those of Quake III.
type ExtraArrays struct {
	Values [extraArrays][arrayLength]int32
	Known  [extraArrays]uint16
}

// Set makes p equal to another player state, with copies of what its pointers refer to.
func (p *Player) Set(from *Player) {
	p.State.Set(&from.State)
	p.Arrays, p.ArraysKnown = from.Arrays, from.ArraysKnown
	switch {
	case from.Extra != nil:
		if p.Extra == nil {
			p.Extra = new(ExtraArrays)
		}
		*p.Extra = *from.Extra
	case p.Extra != nil:
		*p.Extra = ExtraArrays{}
	}
	if p.Vehicle = nil; from.Vehicle != nil {
		p.Vehicle = new(Player)
		p.Vehicle.Set(from.Vehicle)
	}
}

// zeroPlayer is a generation's all-zero player state, everything known.
func zeroPlayer(gen *tables.Generation) Player {
	p := Player{State: *gen.Player.Zero, ArraysKnown: AllArrays}
	if gen.Arrays == tables.ArraysGrouped || gen.Arrays == tables.ArraysActive {
		p.Extra = &allExtraZero
	}
	return p
}

// allExtraZero must not be changed.
var allExtraZero = ExtraArrays{Known: [extraArrays]uint16{
	0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff,
}}

// A Snapshot is the state of the world in one message.
type Snapshot struct {
	Valid      bool
	Partial    bool // its base was never seen: entities may be missing from the list
	Sequence   int32
	ServerTime int32
	Untimed    bool   // ServerTime leaps: it is not known when the snapshot was made
	near       int32  // of an Untimed one: the server time before it
	Flags      uint32 // snapFlags
	Player     Player
	Entities   []entityRef       // by rising number
	Players    map[uint8]*Player // of all clients, for a TV server; nil otherwise
}

// SnapNotActive marks the snapshots before the client is in the game, SNAPFLAG_NOT_ACTIVE in
// code/qcommon/q_shared.h. The client's game ignores them, and their entities may refer to baselines that the
// client has not been sent.
const SnapNotActive = 2

// Time returns the server time, and of an Untimed snapshot the one before.
func (s *Snapshot) Time() int32 {
	if s.Untimed {
		return s.near
	}
	return s.ServerTime
}

// A World is the context of snapshots: the baselines of the last gamestate and the snapshots that a later one
// can be a delta of.
type World struct {
	Pool           Pool
	Baselines      Baselines
	BaselinesKnown bool // a complete gamestate was seen
	Ring           [packetBackup]*Snapshot
	clock          leap.Clock
	judged         leap.Clock // after the snapshot that is read
	judgedAt       int64      // when that was captured, or 0
	seen           int64      // when the last snapshot was captured; 0: it was not captured
	Restarted      bool       // the server announced that it restarts the map, which keeps the baselines
	scratch        *Snapshot  // the one being read
	count          uint32     // snapServerCount of the newest snapshot
	counted        bool       // count is set
	otherGame      bool       // the snapshot that is read is of a game whose gamestate was not seen
}

// snapServerCount changes whenever the server begins a game: with a gamestate, or where it restarts a map.
// SNAPFLAG_SERVERCOUNT in code/qcommon/q_shared.h.
const snapServerCount = 4

// Reset forgets everything, as the client does on a gamestate, CL_ParseGamestate in cl_parse.c.
func (w *World) Reset() {
	for _, s := range w.Ring {
		if s != nil {
			s.drop()
		}
	}
	w.LoseBaselines()
	w.counted, w.Restarted, w.otherGame = false, false, false
	w.clock, w.seen = leap.Clock{}, 0
}

// LoseBaselines forgets the baselines: the server has sent others, which were not seen.
func (w *World) LoseBaselines() {
	w.Baselines.clear()
	w.BaselinesKnown = false
}

// follow notes by a snapshot's flags whether it is of the game whose baselines are known.
func (w *World) follow(flags uint32) {
	w.otherGame = w.counted && !w.Restarted && (flags^w.count)&snapServerCount != 0
}

// drop empties a snapshot.
func (s *Snapshot) drop() { s.Entities, s.Valid, s.Players = s.Entities[:0], false, nil }

// Base finds the snapshot of a sequence number, or nil.
func (w *World) Base(sequence int32) *Snapshot {
	s := w.Ring[sequence&(packetBackup-1)]
	if s == nil || !s.Valid || s.Sequence != sequence {
		return nil
	}
	return s
}

// begin returns an empty snapshot to read into.
func (w *World) begin(sequence int32) *Snapshot {
	if w.scratch == nil {
		w.scratch = &Snapshot{}
	}
	w.scratch.drop()
	w.scratch.Sequence = sequence
	return w.scratch
}

// Newest returns the server time of the snapshot that was read last. active is false if it came before the client was
// in the game: some servers have another clock until then.
func (w *World) Newest() (time int32, active bool) {
	return w.scratch.ServerTime, w.scratch.Flags&SnapNotActive == 0
}

// Store keeps the snapshot that was read as a base for later ones.
func (w *World) Store() {
	w.clock, w.seen = w.judged, w.judgedAt
	if w.otherGame {
		w.LoseBaselines()
	}
	if count := w.scratch.Flags & snapServerCount; !w.counted || count != w.count {
		w.count, w.counted, w.Restarted = count, true, false
	}
	slot := &w.Ring[w.scratch.Sequence&(packetBackup-1)]
	*slot, w.scratch = w.scratch, *slot
	(*slot).Valid = true
	if w.scratch != nil {
		w.scratch.drop()
	}
}

// Baseline returns the state that an entity is a delta of if it is not in the base snapshot: its baseline, all
// zero if it has none, and unknown if the gamestate was not seen.
func (w *World) Baseline(number int32, table *tables.Layout) *tables.State {
	if w.otherGame {
		return &unknownEntity
	}
	if i := w.Baselines.At(number); i >= 0 {
		return w.Pool.At(i)
	}
	if w.BaselinesKnown {
		return table.Zero
	}
	return &unknownEntity
}

var unknownEntity tables.State

// An update is the kind of state that an entity of a snapshot is a delta of.
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
		Key: "number", Kind: dissect.Uint, Bits: EntityNumBits, Doc: "entity number",
		Source: "MSG_ReadDeltaEntity, code/qcommon/msg.c",
	}
	entityUpdate = dissect.Field{
		Key: "update", Kind: dissect.Label,
		Doc: "what the entity was coded against: delta (its state in the base snapshot), baseline, " +
			"unknown (the base was never seen); removed; unchanged (with --state)",
	}
)
