package quake3

import (
	"math/bits"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// Fields of the player state.
var (
	playerField = dissect.Field{
		Key: "player_state", Name: "playerState_t", Kind: dissect.Object, Source: "MSG_ReadDeltaPlayerstate, code/qcommon/msg.c",
		Doc:      "the player whose view it is: the fields whose changed bit is set",
		Children: slices.Concat(playerOutput.children, statFields(), []*dissect.Field{&playerStateField, &dissect.Undecoded}),
	}
	playerStateField = dissect.Field{
		Key: "state", Kind: dissect.Object, Doc: "with --state: every field of the player whose value is known",
		Children: slices.Concat(playerOutput.children, statFields()),
	}
	playerArrays = [statArrays]dissect.Field{
		statArray("stats", 16, &statNames, "health, armor and the like, by index"),
		statArray("persistant", 16, &persistantNames, "what outlives a respawn: score, rank, team, ... by index"),
		statArray("ammo", 16, &weaponNames, "ammunition by weapon number; -1 is without limit"),
		statArray("powerups", 32, &powerupNames, "server time until which a powerup lasts, by powerup number"),
	}
	allArrays = [statArrays]uint16{0xffff, 0xffff, 0xffff, 0xffff}
)

func statArray(key string, width int, index *dissect.Enum, doc string) dissect.Field {
	return dissect.Field{
		Key: key, Kind: dissect.Sparse, Enum: index, Doc: doc, Source: "MSG_ReadDeltaPlayerstate, code/qcommon/msg.c",
		Children: []*dissect.Field{{Name: key + "[]", Kind: dissect.Int, Bits: width, Doc: doc}},
	}
}

func statFields() []*dissect.Field {
	fields := make([]*dissect.Field, statArrays)
	for i := range playerArrays {
		fields[i] = &playerArrays[i]
	}
	return fields
}

// readPlayer reads the player state's delta into p, which holds what it is a delta of.
func (r *snapshotReader) readPlayer(d *dissect.Decoder, p *playerState) {
	tree := d.Tree()
	d.Enter(&playerField)
	defer d.Leave()
	var changed uint64
	if r.gen.old {
		changed = readChosen(r.gen.player, d, &p.values, &r.span, func(int) bool { return d.Bit() })
	} else {
		changed = readPrefix(r.gen.player, d, &p.values, &r.span)
	}
	p.known |= changed
	if tree != nil {
		addFields(tree, r.gen.player, &p.values, changed, &r.span, r.playerContext(p))
	}
	if r.gen.old || d.Bit() {
		for i := range playerArrays {
			if d.Bit() {
				p.readArray(d, i)
			}
		}
	}
	d.Check(nil)
	if r.all && tree != nil {
		r.addPlayerState(tree, p)
	}
}

// readArray reads the changed elements of one of the four arrays: a mask, then a value for each of its
// bits, lowest first. Values are signed shorts, but for powerups, which are 32 bits wide.
func (p *playerState) readArray(d *dissect.Decoder, i int) {
	array := &playerArrays[i]
	element := array.Children[0]
	d.Enter(array)
	defer d.Leave()
	mask := uint16(d.Bits(arrayLength))
	for m := mask; m != 0; m &= m - 1 {
		at, index := d.Pos(), bits.TrailingZeros16(m)
		v := signExtend(d.Bits(element.Bits), element.Bits)
		if !d.Check(array) {
			return
		}
		p.arrays[i][index] = v
		p.arraysKnown[i] |= 1 << index
		d.Tree().AddAt(element, index, uint64(int64(v)), at, d.Pos()-at)
	}
}

// addPlayerState shows the absolute state of the player.
func (r *snapshotReader) addPlayerState(tree *dissect.Tree, p *playerState) {
	tree.Open(&playerStateField, 0)
	addFields(tree, r.gen.player, &p.values, p.known, nil, r.playerContext(p))
	for i := range playerArrays {
		if p.arraysKnown[i] == 0 {
			continue
		}
		tree.Open(&playerArrays[i], 0)
		for m := p.arraysKnown[i]; m != 0; m &= m - 1 {
			index := bits.TrailingZeros16(m)
			tree.AddAt(playerArrays[i].Children[0], index, uint64(int64(p.arrays[i][index])), 0, 0)
		}
		tree.Close(0)
	}
	tree.Close(0)
}

// playerContext says what the parameter of the external event means.
func (r *snapshotReader) playerContext(p *playerState) context {
	table := r.gen.player
	if p.known&table.eventMask == 0 {
		return plain
	}
	return eventContext(eventNames.Name(*r.names, uint64(p.values[table.event])))
}
