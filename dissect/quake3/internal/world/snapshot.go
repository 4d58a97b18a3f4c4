package world

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

const snapSource = "CL_ParseSnapshot, code/client/cl_parse.c"

// Fields of svc_snapshot.
var (
	SnapshotField = dissect.Field{
		Key: "snapshot", Name: "svc_snapshot", Kind: dissect.Object, Source: snapSource,
		Doc:   "the state of the world for this client",
		Frame: []*dissect.Field{&decode.Alignment, &decode.Op, &areaMaskSize, &endOfEntities, &soundsFollow, &soundCount},
		Children: []*dissect.Field{
			&snapCommandSequence, &SnapServerTime, &snapResidual, &SnapDeltaNum, &snapBaseSequence, &snapFlagsField,
			&AreaMask, &playerField, &vehicleField, &EntitiesField, &soundsField, &dissect.Undecoded,
		},
	}
	snapCommandSequence = dissect.Field{
		Key: "client_command_sequence", Name: "clientCommandSequence", Kind: dissect.Int, Bits: 32, Source: snapSource,
		Doc: "number of the last client command executed (protocols 24 and 43 only)",
	}
	SnapServerTime = dissect.Field{
		Key: "server_time", Name: "serverTime", Kind: dissect.Int, Bits: 32, Unit: "ms", Source: snapSource,
		Doc: "time of the game that the snapshot shows",
	}
	SnapDeltaNum = dissect.Field{
		Key: "delta_num", Name: "deltaNum", Kind: dissect.Uint, Bits: 8, Unit: "messages", Source: snapSource,
		Doc: "how many messages back the base snapshot is; 0: no base, a full snapshot",
	}
	snapBaseSequence = dissect.Field{
		Key: "base_sequence", Name: "deltaNum", Kind: dissect.Int, Source: snapSource,
		Doc: "sequence number of the base snapshot's message; absent for a full snapshot",
	}
	snapFlagsField = dissect.Field{
		Key: "snap_flags", Name: "snapFlags", Kind: dissect.Uint, Bits: 8, Enum: &tables.SnapFlagNames, Source: snapSource,
		Doc: "rate delayed, not active, server count (toggles at a map restart)",
	}
	AreaMask = dissect.Field{
		Key: "area_mask", Name: "areamask", Kind: dissect.Hex, Source: snapSource,
		Doc: "areas of the map that are NOT visible, one bit each, after their count of bytes",
	}
	EntitiesField = dissect.Field{
		Key: "entities", Kind: dissect.List, Source: "CL_ParsePacketEntities, code/client/cl_parse.c",
		Doc:      "entities that differ from the base, by rising number; those left out are unchanged",
		Children: []*dissect.Field{&entityField},
	}
)

// maxAreaBytes is MAX_MAP_AREA_BYTES in code/qcommon/q_shared.h.
const maxAreaBytes = 32

// A Reader reads svc_snapshot bodies of one conversation.
type Reader struct {
	Generation   *tables.Generation
	World        *World
	ShowState    bool   // --state
	Family       *uint8 // the conversation's family
	span         huffcodec.DeltaSpan
	sequence     int32      // of the snapshot read last
	vehiclePlace uint8      // of m_iVehicleNum; 0: not looked up
	wide         *wideDelta // nil before the first delta against a wide layout
	area         []byte
	endAt        int // position of the number that ends the entities, in bits

	// FrameTime are the seconds of one frame of the server, from the last gamestate of a game that has it, or
	// UnknownFrameTime.
	FrameTime float32

	AssumeVehicle bool // a vehicle follows a player for whom it is not known whether one is ridden
	Assumed       bool // this was not known in the last snapshot

	// Of the last snapshot, for a demo that does not have its base.
	Delta             int32 // 0: full
	DeltaAt, PlayerAt int   // positions of the base and of the player state, in bits
	EntitiesEnd       int   // after the entities; sounds may follow
}

// Read reads a snapshot from the message with a sequence number into World.scratch; World.Store then keeps it.
// at is the position of the op. It reports whether the base snapshot is missing.
func (r *Reader) Read(d *decode.Decoder, at int, sequence int32) (baseMissing bool) {
	d.EnterOp(&SnapshotField, at)
	defer d.Leave()
	s := r.World.begin(sequence)
	r.sequence = sequence
	if r.Generation.CommandSequence {
		d.Int(&snapCommandSequence)
	}
	s.ServerTime = d.Int(&SnapServerTime)
	if r.Generation.Sounds {
		d.Uint(&snapResidual)
	}
	r.DeltaAt = d.Pos()
	delta := int32(d.Uint(&SnapDeltaNum))
	full := delta == 0 || sequence-delta <= 0
	if r.Delta = delta; full {
		r.Delta = 0
	}
	if !full {
		d.Tree().AddInt(&snapBaseSequence, int64(sequence-delta), d.Pos(), 0)
	}
	s.Flags = d.Uint(&snapFlagsField)
	r.World.follow(s.Flags)
	r.readAreaMask(d)
	if d.Failed() {
		return false
	}
	var base *Snapshot
	if !full {
		base = r.World.Base(sequence - delta)
	}
	baseMissing = !full && base == nil
	s.Partial = baseMissing || base != nil && base.Partial
	switch {
	case full:
		zero := zeroPlayer(r.Generation)
		s.Player.Set(&zero)
	case base != nil:
		s.Player.Set(&base.Player)
	default:
		s.Player.Set(&Player{})
	}
	r.PlayerAt = d.Pos()
	r.readPlayer(d, &s.Player)
	if r.Generation.Vehicle != nil {
		r.readVehicle(d, &s.Player)
	}
	r.readEntities(d, base)
	r.EntitiesEnd = d.Pos()
	if d.Framed() && !d.Failed() {
		d.Tree().Add(&endOfEntities, EntityNumNone, r.endAt, r.EntitiesEnd-r.endAt)
	}
	if r.Generation.Sounds {
		readSounds(d)
	}
	return baseMissing
}

// Judge reports whether the time of the snapshot that was read can be. captured is when that was, or 0. A player's last
// command was executed a moment before the snapshot: a clock that was set sets its time as well.
func (r *Reader) Judge(captured int64) bool {
	w := r.World
	s := w.scratch
	at, passed := int64(s.ServerTime), int64(0)
	if w.seen != 0 && captured > w.seen {
		passed = (captured - w.seen) / 1e6
	}
	w.judged, w.judgedAt = w.clock, captured
	s.Untimed = false
	loads := s.Flags&SnapNotActive != 0 && !w.clock.Started() // the time may be that of two maps added up
	if loads || w.judged.Goes(at, passed) {
		return true
	}
	command := r.Generation.Player.Slot("commandTime")
	witness := int64(int32(command.Value(&s.Player.Values)))
	known := witness != 0 && command.Mask != 0 && s.Player.Known&command.Mask == command.Mask
	if s.Untimed = !w.judged.Take(at, passed, witness, known); s.Untimed {
		s.near = int32(w.judged.Last())
	}
	return !s.Untimed
}

// readAreaMask reads the area bytes, count first.
func (r *Reader) readAreaMask(d *decode.Decoder) {
	at := d.Pos()
	n := int(d.Reader().Byte())
	if n > maxAreaBytes {
		d.Malformed(&AreaMask, at, "area mask of %d bytes, at most %d are possible", n, maxAreaBytes)
		return
	}
	sized := d.Pos()
	r.area = d.Reader().AppendBytes(r.area[:0], n)
	if d.Check(&AreaMask) {
		if d.Framed() {
			d.Tree().Add(&areaMaskSize, uint64(n), at, sized-at)
		}
		d.Tree().AddBytes(&AreaMask, r.area, at, d.Pos()-at)
	}
}
