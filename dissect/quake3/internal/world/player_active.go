package world

import (
	"math/bits"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
)

// Indices in ExtraArrays of what Medal of Honor has: the other 16 stats, and the arrays after them.
const (
	activeStats = iota
	activeItems
	activeAmmo
	activeAmmoNames
	activeAmmoMost
)

const activeItemCount = 8 // elements of activeItems

// activeArrays are the arrays in the order of the wire, the number of elements of each, and its place in ExtraArrays.
// The first 16 stats are those of Player.Arrays.
var activeArrays = [...]struct {
	field *dissect.Field
	count int
	place int
}{
	{&playerArrays[statsArray], 2 * arrayLength, activeStats},
	{&activeItemsField, activeItemCount, activeItems},
	{&activeAmmoField, arrayLength, activeAmmo},
	{&activeAmmoNamesField, arrayLength, activeAmmoNames},
	{&activeAmmoMostField, arrayLength, activeAmmoMost},
}

var (
	activeItemsField = func() dissect.Field {
		f := statArray("active_items", 16, nil, "what the player holds, by index (Medal of Honor)")
		f.Name, f.Children[0].Name = "activeItems", "activeItems[]"
		return f
	}()
	activeAmmoField      = statArray("ammo_amount", 16, nil, "ammunition, by place (Medal of Honor)")
	activeAmmoNamesField = statArray("ammo_name_index", 16, nil, "name of the ammunition, by place (Medal of Honor)")
	activeAmmoMostField  = statArray("max_ammo_amount", 16, nil, "the most ammunition, by place (Medal of Honor)")
)

// readActiveArrays reads the arrays after the player fields of Medal of Honor: MSG_ReadDeltaPlayerstate,
// code/qcommon/msg.cpp of openmohaa.
func (p *Player) readActiveArrays(d *decode.Decoder) {
	if !d.NamedBit(allArrays) {
		return
	}
	if p.Extra == nil {
		p.Extra = new(ExtraArrays)
	}
	for i := range activeArrays {
		if a := &activeArrays[i]; d.NamedBit(a.field.EngineName()) {
			d.Enter(a.field)
			mask := readMask(d, a.count)
			for m := mask; m != 0; m &= m - 1 {
				at, index := d.Pos(), bits.TrailingZeros32(m)
				v := signExtend(d.Bits(16), 16)
				if !d.Check(a.field) {
					break
				}
				values, known := p.active(i, index)
				values[index%arrayLength] = v
				*known |= 1 << (index % arrayLength)
				d.Tree().AddAt(a.field.Children[0], index, uint64(int64(v)), at, d.Pos()-at)
			}
			d.Leave()
		}
	}
}

// active returns the array that holds an element of one of activeArrays, in groups of arrayLength.
func (p *Player) active(i, index int) (values *[arrayLength]int32, known *uint16) {
	if i == 0 && index < arrayLength {
		return &p.Arrays[statsArray], &p.ArraysKnown[statsArray]
	}
	place := activeArrays[i].place
	return &p.Extra.Values[place], &p.Extra.Known[place]
}

// Stat returns an element of stats, in an engine that has 32, and whether it is known.
func (p *Player) Stat(index int) (value int32, known bool) {
	if p.Extra == nil && index >= arrayLength {
		return 0, false
	}
	values, mask := p.active(statsArray, index)
	return values[index%arrayLength], *mask>>(index%arrayLength)&1 != 0
}

// addActive shows the arrays of Medal of Honor that are known.
func (p *Player) addActive(tree *dissect.Tree) {
	if p.Extra == nil {
		return
	}
	for i := range activeArrays {
		a := &activeArrays[i]
		tree.Open(a.field, 0)
		for first := 0; first < a.count; first += arrayLength {
			values, known := p.active(i, first)
			addElements(tree, a.field, first, values, *known&uint16(1<<min(a.count, arrayLength)-1))
		}
		tree.Close(0)
	}
}
