package world

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// Indices in the arrays of the player state.
const (
	statsArray = 0
	ammoArray  = 2

	statWeapons     = 4  // STAT_WEAPONS of Jedi Academy, codemp/game/bg_public.h of OpenJK
	statWeaponsBits = 19 // MAX_WEAPONS, the same
)

// Indices in ExtraArrays: ammo 16 to 63, then ammoclip 0 to 63.
const (
	extraHoldable = 0
	extraAmmo     = 1
	extraClip     = 4

	weaponGroups = 4 // of 16 weapons each
)

// readGroupedArrays reads the arrays after the player fields of Return to Castle Wolfenstein and Enemy Territory:
// one bit before a group of four arrays, one bit before four groups of ammunition, and four groups of clips
// without a common bit. MSG_ReadDeltaPlayerstate, MP/code/qcommon/msg.c of iortcw and src/qcommon/msg.c of ET:
// Legacy.
func (p *Player) readGroupedArrays(d *decode.Decoder) {
	if p.Extra == nil {
		p.Extra = new(ExtraArrays)
	}
	x := p.Extra
	if d.NamedBit(firstArrays) {
		for _, i := range [...]int{0, 1} { // stats, persistant
			if d.NamedBit(playerArrays[i].Key) {
				p.readArray(d, i, &playerArrays[i], false)
			}
		}
		if d.NamedBit(holdableField.Key) {
			d.Enter(&holdableField)
			readElements(d, &holdableField, 0, -1, &x.Values[extraHoldable], &x.Known[extraHoldable])
			d.Leave()
		}
		if d.NamedBit(playerArrays[statArrays-1].Key) {
			p.readArray(d, statArrays-1, &playerArrays[statArrays-1], false) // powerups
		}
	}
	if d.NamedBit(playerArrays[ammoArray].Key) {
		readGroups(d, &playerArrays[ammoArray], &ammoGroups, func(group int) (*[arrayLength]int32, *uint16) {
			if group == 0 {
				return &p.Arrays[ammoArray], &p.ArraysKnown[ammoArray]
			}
			return &x.Values[extraAmmo+group-1], &x.Known[extraAmmo+group-1]
		})
	}
	readGroups(d, &ammoclipField, &clipGroups, func(group int) (*[arrayLength]int32, *uint16) {
		return &x.Values[extraClip+group], &x.Known[extraClip+group]
	})
}

// readGroups reads an array of 64 elements, in groups of 16 that are each preceded by a bit for their presence.
func readGroups(d *decode.Decoder, array *dissect.Field, names *[weaponGroups]string,
	at func(group int) (*[arrayLength]int32, *uint16),
) {
	open := false
	for group := range weaponGroups {
		if !d.NamedBit(names[group]) {
			continue
		}
		if !open {
			d.Enter(array)
			open = true
		}
		values, known := at(group)
		readElements(d, array, group*arrayLength, -1, values, known)
	}
	if open {
		d.Leave()
	}
}

// addAmmo shows the ammunition of all groups.
func (x *ExtraArrays) addAmmo(tree *dissect.Tree, p *Player) {
	known := p.ArraysKnown[ammoArray]
	for group := range weaponGroups - 1 {
		known |= x.Known[extraAmmo+group]
	}
	if known == 0 {
		return
	}
	tree.Open(&playerArrays[ammoArray], 0)
	addElements(tree, &playerArrays[ammoArray], 0, &p.Arrays[ammoArray], p.ArraysKnown[ammoArray])
	for group := 1; group < weaponGroups; group++ {
		i := extraAmmo + group - 1
		addElements(tree, &playerArrays[ammoArray], group*arrayLength, &x.Values[i], x.Known[i])
	}
	tree.Close(0)
}

// add shows the arrays that Quake III lacks.
func (x *ExtraArrays) add(tree *dissect.Tree) {
	if x.Known[extraHoldable] != 0 {
		tree.Open(&holdableField, 0)
		addElements(tree, &holdableField, 0, &x.Values[extraHoldable], x.Known[extraHoldable])
		tree.Close(0)
	}
	known := uint16(0)
	for group := range weaponGroups {
		known |= x.Known[extraClip+group]
	}
	if known == 0 {
		return
	}
	tree.Open(&ammoclipField, 0)
	for group := range weaponGroups {
		addElements(tree, &ammoclipField, group*arrayLength, &x.Values[extraClip+group], x.Known[extraClip+group])
	}
	tree.Close(0)
}

// writeGroupedArrays is the reverse of readGroupedArrays.
func (p *Player) writeGroupedArrays(w *huffcodec.Writer) {
	var none [arrayLength]int32
	x := p.Extra
	if x == nil {
		x = &ExtraArrays{}
	}
	first := [...]*[arrayLength]int32{&p.Arrays[0], &p.Arrays[1], &x.Values[extraHoldable], &p.Arrays[statArrays-1]}
	any := slices.ContainsFunc(first[:], func(a *[arrayLength]int32) bool { return *a != none })
	if w.Bit(any); any {
		for i, a := range first {
			width := 16
			if i == len(first)-1 {
				width = 32
			}
			writeElements(w, width, -1, a)
		}
	}
	ammo := [weaponGroups]*[arrayLength]int32{
		&p.Arrays[ammoArray], &x.Values[extraAmmo], &x.Values[extraAmmo+1],
		&x.Values[extraAmmo+2],
	}
	any = slices.ContainsFunc(ammo[:], func(a *[arrayLength]int32) bool { return *a != none })
	if w.Bit(any); any {
		for _, a := range ammo {
			writeElements(w, 16, -1, a)
		}
	}
	for group := range weaponGroups {
		writeElements(w, 16, -1, &x.Values[extraClip+group])
	}
}
