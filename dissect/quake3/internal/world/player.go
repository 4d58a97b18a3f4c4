package world

import (
	"math/bits"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// Fields of the player state.
var (
	playerField = dissect.Field{
		Key: "player_state", Name: "playerState_t", Kind: dissect.Object, Source: "MSG_ReadDeltaPlayerstate, code/qcommon/msg.c",
		Doc: "the player whose view it is: the fields whose changed bit is set", Frame: playerFrame,
	}
	playerPilot = dissect.Field{
		Key: "pilot", Kind: dissect.Bool, Bits: 1, Source: "MSG_ReadDeltaPlayerstate, codemp/qcommon/msg.cpp of OpenJK",
		Doc: "true: the fields are coded by the table for pilots, who sit inside a vehicle (Jedi Academy); absent otherwise",
	}
	playerStateField = dissect.Field{
		Key: "state", Kind: dissect.Object, Doc: "with --state: every field of the player whose value is known",
	}
	playerArrays = [statArrays]dissect.Field{
		statArray("stats", 16, &tables.StatNames, "health, armor and the like, by the game's index"),
		statArray("persistant", 16, &tables.PersistantNames, "values that outlive a respawn, by the game's index"),
		statArray("ammo", 16, &tables.WeaponNames, "ammunition by weapon number; -1 is without limit"),
		statArray("powerups", 32, &tables.PowerupNames, "server time until which a powerup lasts, by powerup number"),
	}
	// arraysOf are the arrays of each format, by their places in Player.Arrays; nil: the format has none there.
	arraysOf = [...][statArrays]*dissect.Field{
		tables.ArraysFour:        {&playerArrays[0], &playerArrays[1], &playerArrays[2], &playerArrays[3]},
		tables.ArraysGrouped:     {&playerArrays[0], &playerArrays[1], &playerArrays[2], &playerArrays[3]},
		tables.ArraysWideWeapons: {&playerArrays[0], &playerArrays[1], &playerArrays[2], &playerArrays[3]},
		tables.ArraysMisc:        {&playerArrays[0], &playerArrays[1], nil, &miscField},
		tables.ArraysActive:      {},
	}
	// AllArrays marks every element as known.
	AllArrays = [statArrays]uint16{0xffff, 0xffff, 0xffff, 0xffff}

	miscField     = statArray("misc", 32, nil, "values of the game, by index (Tremulous)")
	holdableField = statArray("holdable", 16, &tables.HoldableNames, "number of uses left of each item, by the item's number (Wolfenstein)")
	ammoclipField = statArray("ammoclip", 16, &tables.WeaponNames, "ammunition in the weapon, by weapon number (Wolfenstein)")
)

func statArray(key string, width int, index *dissect.Enum, doc string) dissect.Field {
	return dissect.Field{
		Key: key, Kind: dissect.Sparse, Enum: index, Doc: doc, Source: "MSG_ReadDeltaPlayerstate, code/qcommon/msg.c",
		Children: []*dissect.Field{{Name: key + "[]", Kind: dissect.Int, Bits: width, Doc: doc}},
	}
}

func statFields() []*dissect.Field {
	fields := make([]*dissect.Field, statArrays, statArrays+8)
	for i := range playerArrays {
		fields[i] = &playerArrays[i]
	}
	persistantNamed.Children = persistantFields().all
	return append(fields, &persistantNamed, &holdableField, &ammoclipField, &miscField, &activeItemsField, &activeAmmoField,
		&activeAmmoNamesField, &activeAmmoMostField)
}

// readPlayer reads the player state's delta into p, which holds what it is a delta of.
func (r *Reader) readPlayer(d *decode.Decoder, p *Player) {
	r.readPlayerAs(d, &playerField, &playerStateField, p)
}

// readPlayerAs reads the delta below another field, with another field for the absolute state.
func (r *Reader) readPlayerAs(d *decode.Decoder, field, state *dissect.Field, p *Player) {
	layout, pilot := r.Generation.Player, false
	at := d.Pos()
	if r.Generation.Pilot != nil {
		if pilot = d.Bit(); pilot {
			layout = r.Generation.Pilot
		}
	}
	d.EnterAt(field, at)
	defer d.Leave()
	defer d.End(d.Details())
	if pilot {
		d.Tree().AddBool(&playerPilot, true, at, 1)
	} else if r.Generation.Pilot != nil {
		frameBit(d, &notPilot, true)
	}
	r.readPlayerFields(d, layout, p)
	r.readArrays(d, p)
	d.Check(nil)
	if d.Framed() {
		d.AddIndicators()
	}
	if tree := d.Tree(); r.ShowState && tree != nil {
		r.addPlayerState(tree, state, layout, p)
	}
}

// readPlayerFields reads the fields of a player state's delta and shows those that changed.
func (r *Reader) readPlayerFields(d *decode.Decoder, layout *tables.Layout, p *Player) {
	if layout.Wide {
		readWide(layout, d, &p.State, r.wideMemory(), &highestChanged)
		addWide(d.Tree(), layout, &p.State, &r.wide.spans, r.playerContext(p))
		return
	}
	var changed uint64
	if r.Generation.Old {
		changed = readChosen(layout, d, &p.Values, &r.span, func(i int) bool { return d.NamedBit(layout.Wire[i].Name) })
	} else {
		changed = readPrefix(layout, d, &p.Values, &r.span)
	}
	p.Known |= changed
	if tree := d.Tree(); tree != nil {
		addFields(tree, layout, &p.Values, changed, &r.span, r.playerContext(p))
	}
}

// readArrays reads the arrays after a player state's fields.
func (r *Reader) readArrays(d *decode.Decoder, p *Player) {
	tree := d.Tree()
	if tree == nil {
		r.readEachArray(d, p)
		return
	}
	from := len(tree.Nodes)
	r.readEachArray(d, p)
	r.addPersistantNamed(tree, from)
}

func (r *Reader) readEachArray(d *decode.Decoder, p *Player) {
	switch r.Generation.Arrays {
	case tables.ArraysGrouped:
		p.readGroupedArrays(d)
	case tables.ArraysActive:
		p.readActiveArrays(d)
	default:
		if !r.Generation.Old && !d.NamedBit(allArrays) {
			return
		}
		for i, array := range &arraysOf[r.Generation.Arrays] {
			if array != nil && d.NamedBit(array.Key) {
				p.readArray(d, i, array, r.Generation.Arrays == tables.ArraysWideWeapons)
			}
		}
	}
}

// readArray reads the changed elements of an array, which has place i in Arrays: a mask, then a value for each of its
// bits, lowest first. Values are signed shorts, except the last array's, which have 32 bits, and the weapons of Jedi
// Academy.
func (p *Player) readArray(d *decode.Decoder, i int, array *dissect.Field, wideWeapons bool) {
	d.Enter(array)
	defer d.Leave()
	weapons := -1
	if wideWeapons && i == statsArray {
		weapons = statWeapons
	}
	readElements(d, array, 0, weapons, &p.Arrays[i], &p.ArraysKnown[i])
}

// readElements reads a mask and its elements. first is the index of the first bit, and wide the element that has
// statWeaponsBits bits, without a sign.
func readElements(d *decode.Decoder, array *dissect.Field, first, wide int, values *[arrayLength]int32, known *uint16) {
	element := array.Children[0]
	mask := uint16(readMask(d, arrayLength))
	for m := mask; m != 0; m &= m - 1 {
		at, index := d.Pos(), bits.TrailingZeros16(m)
		var v int32
		if index == wide {
			v = int32(d.Bits(statWeaponsBits))
		} else {
			v = signExtend(d.Bits(element.Bits), element.Bits)
		}
		if !d.Check(array) {
			return
		}
		values[index] = v
		*known |= 1 << index
		d.Tree().AddAt(element, first+index, uint64(int64(v)), at, d.Pos()-at)
	}
}

// addPlayerState shows the absolute state of the player.
func (r *Reader) addPlayerState(tree *dissect.Tree, field *dissect.Field, layout *tables.Layout, p *Player) {
	tree.Open(field, 0)
	addAbsolute(tree, layout, &p.State, r.playerContext(p))
	from := len(tree.Nodes)
	grouped := r.Generation.Arrays == tables.ArraysGrouped && p.Extra != nil // another session may have left it
	for i, array := range &arraysOf[r.Generation.Arrays] {
		if i == ammoArray && grouped {
			p.Extra.addAmmo(tree, p)
			continue
		}
		if array == nil || p.ArraysKnown[i] == 0 {
			continue
		}
		tree.Open(array, 0)
		addElements(tree, array, 0, &p.Arrays[i], p.ArraysKnown[i])
		tree.Close(0)
	}
	if grouped {
		p.Extra.add(tree)
	}
	if r.Generation.Arrays == tables.ArraysActive {
		p.addActive(tree)
	}
	r.addPersistantNamed(tree, from)
	tree.Close(0)
}

// addElements shows the elements of an array that are known.
func addElements(tree *dissect.Tree, array *dissect.Field, first int, values *[arrayLength]int32, known uint16) {
	for ; known != 0; known &= known - 1 {
		index := bits.TrailingZeros16(known)
		tree.AddAt(array.Children[0], first+index, uint64(int64(values[index])), 0, 0)
	}
}

// playerContext returns the context of the external event's parameter.
func (r *Reader) playerContext(p *Player) tables.Context {
	table := r.Generation.Player // in all tables of a generation, the event has the same index
	if p.Known&table.EventMask == 0 {
		return tables.NoContext
	}
	return tables.EventContext(tables.EventNames.Name(*r.Family, uint64(p.Values[table.Event])))
}
