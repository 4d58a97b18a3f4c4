package world

import (
	"math/bits"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// Fields of the player state.
var (
	playerField = dissect.Field{
		Key: "player_state", Name: "playerState_t", Kind: dissect.Object, Source: "MSG_ReadDeltaPlayerstate, code/qcommon/msg.c",
		Doc:      "the player whose view it is: the fields whose changed bit is set",
		Children: slices.Concat(tables.PlayerStructure.Children, statFields(), []*dissect.Field{&playerStateField, &dissect.Undecoded}),
	}
	playerStateField = dissect.Field{
		Key: "state", Kind: dissect.Object, Doc: "with --state: every field of the player whose value is known",
		Children: slices.Concat(tables.PlayerStructure.Children, statFields()),
	}
	playerArrays = [statArrays]dissect.Field{
		statArray("stats", 16, &tables.StatNames, "health, armor and the like, by index"),
		statArray("persistant", 16, &tables.PersistantNames, "what outlives a respawn: score, rank, team, ... by index"),
		statArray("ammo", 16, &tables.WeaponNames, "ammunition by weapon number; -1 is without limit"),
		statArray("powerups", 32, &tables.PowerupNames, "server time until which a powerup lasts, by powerup number"),
	}
	AllArrays = [statArrays]uint16{0xffff, 0xffff, 0xffff, 0xffff}
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
func (r *Reader) readPlayer(d *decode.Decoder, p *Player) {
	tree := d.Tree()
	d.Enter(&playerField)
	defer d.Leave()
	var changed uint64
	if r.Generation.Old {
		changed = readChosen(r.Generation.Player, d, &p.Values, &r.span, func(int) bool { return d.Bit() })
	} else {
		changed = readPrefix(r.Generation.Player, d, &p.Values, &r.span)
	}
	p.Known |= changed
	if tree != nil {
		addFields(tree, r.Generation.Player, &p.Values, changed, &r.span, r.playerContext(p))
	}
	if r.Generation.Old || d.Bit() {
		for i := range playerArrays {
			if d.Bit() {
				p.readArray(d, i)
			}
		}
	}
	d.Check(nil)
	if r.ShowState && tree != nil {
		r.addPlayerState(tree, p)
	}
}

// readArray reads the changed elements of one of the four arrays: a mask, then a value for each of its
// bits, lowest first. Values are signed shorts, but for powerups, which are 32 bits wide.
func (p *Player) readArray(d *decode.Decoder, i int) {
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
		p.Arrays[i][index] = v
		p.ArraysKnown[i] |= 1 << index
		d.Tree().AddAt(element, index, uint64(int64(v)), at, d.Pos()-at)
	}
}

// addPlayerState shows the absolute state of the player.
func (r *Reader) addPlayerState(tree *dissect.Tree, p *Player) {
	tree.Open(&playerStateField, 0)
	addFields(tree, r.Generation.Player, &p.Values, p.Known, nil, r.playerContext(p))
	for i := range playerArrays {
		if p.ArraysKnown[i] == 0 {
			continue
		}
		tree.Open(&playerArrays[i], 0)
		for m := p.ArraysKnown[i]; m != 0; m &= m - 1 {
			index := bits.TrailingZeros16(m)
			tree.AddAt(playerArrays[i].Children[0], index, uint64(int64(p.Arrays[i][index])), 0, 0)
		}
		tree.Close(0)
	}
	tree.Close(0)
}

// playerContext says what the parameter of the external event means.
func (r *Reader) playerContext(p *Player) tables.Context {
	table := r.Generation.Player
	if p.Known&table.EventMask == 0 {
		return tables.NoContext
	}
	return tables.EventContext(tables.EventNames.Name(*r.Family, uint64(p.Values[table.Event])))
}
