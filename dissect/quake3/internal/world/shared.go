package world

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

const (
	sharedSource = "MSG_ETTV_ReadDeltaSharedEntity, src/qcommon/msg.c of ET: Legacy"
	sharedMagic  = 0x77
)

// Fields that follow the delta of an entity for a TV server. Their values are in the object "shared", among the
// entity's own.
var (
	sharedRemoved = dissect.Field{
		Key: "shared_removed", Kind: dissect.Bool, Source: sharedSource,
		Doc: "true: the shared part of the entity is removed; absent otherwise",
	}
)

// readShared reads the shared part of an entity, which follows its delta in protocol 284. state is nil for an entity
// that was removed.
func (r *Reader) readShared(d *decode.Decoder, state *tables.State) {
	if d.Failed() {
		return
	}
	at := d.Pos()
	if magic := d.Bits(8); !d.Failed() && magic != sharedMagic {
		d.Malformed(nil, at, "the shared part of an entity begins with %#x, not with %#x", magic, sharedMagic)
		return
	} else if d.Framed() && !d.Failed() {
		d.Tree().Add(&sharedMagicField, uint64(magic), at, d.Pos()-at)
	}
	if d.Bit() {
		d.Tree().AddBool(&sharedRemoved, true, at, d.Pos()-at)
		return
	}
	frameBit(d, &sharedKept, true)
	changed := d.Bit()
	frameBit(d, &sharedChanged, changed)
	if !changed || d.Failed() {
		return
	}
	var gone tables.State
	if state == nil {
		state = &gone
	}
	readWide(r.Generation.Shared, d, state, r.wideMemory(), &sharedHighest)
	addWide(d.Tree(), r.Generation.Shared, state, &r.wide.spans, tables.NoContext)
}

// Fields of the players that a TV server is sent with each snapshot, and of the entities as they are when a TV
// recording begins.
var (
	PlayersField = dissect.Field{
		Key: "ettv_playerstates", Name: "svc_ettv_playerstates", Kind: dissect.Object, Source: PlayersSource,
		Doc:      "the states of all active players, for a TV server (Enemy Territory)",
		Children: []*dissect.Field{&playersList, &dissect.Undecoded},
		Frame:    []*dissect.Field{&decode.Alignment, &decode.Op, &endOfPlayers},
	}
	playersList = dissect.Field{
		Key: "players", Kind: dissect.List, Source: PlayersSource, Doc: "one for each player",
		Children: []*dissect.Field{&playersEntry},
	}
	playersEntry = dissect.Field{
		Kind: dissect.Object, Source: PlayersSource, Doc: "a player",
		Children: []*dissect.Field{&playersClient, &tvPlayerField, &dissect.Undecoded},
	}
	tvPlayerField = dissect.Field{
		Key: "player_state", Name: "playerState_t", Kind: dissect.Object, Source: PlayersSource,
		Doc: "the player: the fields whose changed bit is set", Frame: stateFrame,
	}
	tvPlayerStateField = dissect.Field{
		Key: "state", Kind: dissect.Object, Doc: "with --state: every field of the player whose value is known",
	}
	playersClient = dissect.Field{
		Key: "client", Kind: dissect.Uint, Bits: 8, Source: PlayersSource, Doc: "client number",
	}
	CurrentStatesField = dissect.Field{
		Key: "current_states", Kind: dissect.List, Source: "svc_ettv_currentstate, src/server/sv_cl_parse.c of ET: Legacy",
		Doc:      "entities as they are when a TV recording begins, coded against their baselines (Enemy Territory)",
		Children: []*dissect.Field{&currentStateField},
	}
	currentStateField = dissect.Field{
		Kind: dissect.Object, Name: "svc_ettv_currentstate",
		Source: "svc_ettv_currentstate, src/server/sv_cl_parse.c of ET: Legacy",
		Doc:    "an entity as it is: the fields that differ from its baseline", Frame: listedFrame,
	}
)

// PlayersSource is where the players of a snapshot for a TV server are read.
const PlayersSource = "SV_ParseETTVPlayerstates, src/server/sv_cl_parse.c of ET: Legacy"

// noPlayer ends the list of players.
const noPlayer = 255

// ReadPlayers reads svc_ettv_playerstates, which follows the snapshot in its message: players as deltas of
// their states in the base of the snapshot.
func (r *Reader) ReadPlayers(d *decode.Decoder, at int) {
	d.EnterOp(&PlayersField, at)
	defer d.Leave()
	d.Enter(&playersList)
	s := r.World.Base(r.sequence) // nil if it was not kept
	if s == nil {
		s = r.World.scratch
	}
	var base *Snapshot
	if s != nil && r.Delta != 0 {
		base = r.World.Base(s.Sequence - r.Delta)
	}
	players := map[uint8]*Player{}
	for !d.Failed() {
		at = d.Pos()
		client := uint8(d.Bits(8))
		if d.Failed() || client == noPlayer {
			break
		}
		d.EnterAt(&playersEntry, at)
		d.Tree().Add(&playersClient, uint64(client), at, d.Pos()-at)
		p := &Player{}
		switch {
		case base != nil && base.Players[client] != nil:
			p.Set(base.Players[client])
		case base != nil || r.Delta == 0:
			zero := zeroPlayer(r.Generation)
			p.Set(&zero)
		}
		r.readPlayerAs(d, &tvPlayerField, &tvPlayerStateField, p)
		players[client] = p
		d.Leave()
	}
	d.Leave()
	if d.Framed() && !d.Failed() {
		d.Tree().Add(&endOfPlayers, noPlayer, at, d.Pos()-at)
	}
	if s != nil && !d.Failed() {
		s.Players = players
	}
}

// ReadCurrentState reads svc_ettv_currentstate after its op.
func (r *Reader) ReadCurrentState(d *decode.Decoder, at int) {
	d.EnterOp(&currentStateField, at)
	defer d.Leave()
	number := int32(d.Uint(&entityNumber))
	removed := d.Bit()
	if frameBit(d, &entityRemoved, removed); d.Failed() || removed {
		return
	}
	var state tables.State
	state.Set(r.World.Baseline(number, r.Generation.Entity))
	changed := d.Bit()
	if frameBit(d, &entityChanged, changed); changed {
		r.readFields(d, &state)
	}
	if r.Generation.Shared != nil {
		r.readShared(d, &state)
	}
	d.AddIndicators()
}
