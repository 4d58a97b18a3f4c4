package world

import (
	"math/bits"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

const (
	entitySource = "MSG_ReadDeltaEntity, code/qcommon/msg.c"
	playerSource = "MSG_ReadDeltaPlayerstate, code/qcommon/msg.c"
	maskSource   = "MSG_ReadDeltaEntity, code/qcommon/msg.c of Lilium Arena Classic"
)

// Fields that frame the fields of states and snapshots, see dissect.Framing.
var (
	highestChanged = dissect.Field{
		Key: "highest_changed_field", Name: "lc", Kind: dissect.Uint, Bits: 8, Framing: dissect.Apart, Source: entitySource,
		Doc: "number of fields up to the last that changed: each has a bit that says whether it did",
	}
	maskPreset = dissect.Field{
		Key: "mask_preset", Kind: dissect.Uint, Bits: 5, Framing: dissect.Apart, Source: maskSource,
		Doc: "which fields changed, as the number of a fixed set; 31: changed_fields has them (protocols 24, 43, 48)",
	}
	changedFields = dissect.Field{
		Key: "changed_fields", Kind: dissect.Label, Framing: dissect.Apart, Source: maskSource,
		Doc: "fields, by the engine's names, that changed: a bit for each field (protocols 24, 43, 48)",
	}
	entityRemoved = dissect.Field{
		Key: "removed", Kind: dissect.Bool, Bits: 1, Framing: dissect.Apart, Source: entitySource,
		Doc: "true: the entity is no longer there, and nothing follows",
	}
	entityChanged = dissect.Field{
		Key: "changed", Kind: dissect.Bool, Bits: 1, Framing: dissect.Apart, Source: entitySource,
		Doc: "false: no field changed, and nothing follows",
	}
	endOfEntities = dissect.Field{
		Key: "end_of_entities", Name: "ENTITYNUM_NONE", Kind: dissect.Uint, Bits: EntityNumBits, Framing: dissect.Apart,
		Source: "CL_ParsePacketEntities, code/client/cl_parse.c",
		Doc:    "the number 1023, as it was read, which ends the list of entities",
	}
	areaMaskSize = dissect.Field{
		Key: "area_mask_size", Name: "len", Kind: dissect.Uint, Bits: 8, Unit: "bytes", Framing: dissect.Leads,
		Source: snapSource, Doc: "size of the area mask",
	}
	notPilot = dissect.Field{
		Key: "not_pilot", Kind: dissect.Bool, Bits: 1, Framing: dissect.Apart, Source: playerPilot.Source,
		Doc: "true: the bit that is set for pilots is not (Jedi Academy)",
	}
	sharedMagicField = dissect.Field{
		Key: "shared_magic", Kind: dissect.Uint, Bits: 8, Framing: dissect.Apart, Source: sharedSource,
		Doc: "the number 0x77, before the shared part of an entity (TV servers of Enemy Territory)",
	}
	sharedKept = dissect.Field{
		Key: "shared_kept", Kind: dissect.Bool, Bits: 1, Framing: dissect.Apart, Source: sharedSource,
		Doc: "true: the bit that removes the shared part is not set (TV servers of Enemy Territory)",
	}
	sharedChanged = dissect.Field{
		Key: "shared_changed", Kind: dissect.Bool, Bits: 1, Framing: dissect.Apart, Source: sharedSource,
		Doc: "false: no field of the shared part changed (TV servers of Enemy Territory)",
	}
	sharedHighest = dissect.Field{
		Key: "shared_highest_changed_field", Kind: dissect.Uint, Bits: 8, Framing: dissect.Apart, Source: sharedSource,
		Doc: "highest_changed_field of the shared part (TV servers of Enemy Territory)",
	}
	endOfPlayers = dissect.Field{
		Key: "end_of_players", Kind: dissect.Uint, Bits: 8, Framing: dissect.Apart, Source: PlayersSource,
		Doc: "the number 255, which ends the list of players",
	}
	soundsFollow = dissect.Field{
		Key: "sounds_follow", Kind: dissect.Bool, Bits: 1, Framing: dissect.Apart, Source: soundsSource,
		Doc: "false: the snapshot has no sounds (Medal of Honor)",
	}
	soundCount = dissect.Field{
		Key: "sound_count", Kind: dissect.Uint, Bits: 7, Framing: dissect.Apart, Source: soundsSource,
		Doc: "number of sounds (Medal of Honor)",
	}
)

// Frames of the containers of this package.
var (
	stateFrame  = []*dissect.Field{&highestChanged, &maskPreset, &changedFields, &decode.Indicators}
	entityFrame = append([]*dissect.Field{
		&entityRemoved, &entityChanged, &sharedMagicField, &sharedKept, &sharedChanged, &sharedHighest,
	}, stateFrame...)
	listedFrame = append([]*dissect.Field{&decode.Alignment, &decode.Op}, entityFrame...)
	playerFrame = append([]*dissect.Field{&notPilot}, stateFrame...)
	soundFrame  = []*dissect.Field{&decode.Indicators}
)

// framePrefix shows the bits of the fields of a counted delta: read fields from the one with number first on. at is the
// position of the first bit. It returns the position after the last.
func framePrefix(t *tables.Layout, d *decode.Decoder, at, first, read int, span *huffcodec.DeltaSpan,
	isChanged func(i int) bool,
) int {
	for i := range read {
		w := &t.Wire[first+i]
		d.Indicated(w.Name, isChanged(i), at)
		at++
		if !isChanged(i) {
			continue
		}
		if notZero := d.BitAt(at); t.ZeroBit {
			d.IndicateBool(&decode.NotZero, notZero, at)
			if at++; !notZero {
				continue
			}
		}
		if w.Bits == 0 {
			d.IndicateBool(&decode.FullFloat, d.BitAt(at), at)
		}
		at = int(span.Bit[i]) + int(span.Size[i])
	}
	return at
}

// frameCoded shows the bits before the value of a field with a coding: those from a position on.
func frameCoded(d *decode.Decoder, coding tables.ValueCoding, at int, known bool) {
	first := d.BitAt(at)
	switch coding {
	case tables.ValueIntZero, tables.ValueIntZigzag, tables.ValueFloatZero, tables.ValueFloatRotated:
		d.IndicateBool(&decode.NotZero, first, at)
		if at++; !first {
			return
		}
	case tables.ValueTimeFrame:
		d.IndicateBool(&decode.Sent, first, at)
		at++
	case tables.ValueCoordStep, tables.ValueCoordExtraStep:
		d.IndicateBool(&decode.Stepped, first, at)
		at++
	}
	switch coding {
	case tables.ValueFloat, tables.ValueFloatZero, tables.ValueFloatRotated:
		d.IndicateBool(&decode.FullFloat, d.BitAt(at), at)
		at++
	}
	if end := d.Pos(); !known && end > at {
		d.Indicate(&decode.Step, 0, at, end-at)
	}
}

// frameMask shows which fields of an entity changed, in the form of 43 and 48: the number of a preset mask, or one that
// follows it.
func frameMask(d *decode.Decoder, t *tables.Layout, at int, preset, mask uint64) {
	const presetBits = 5
	if d.Failed() {
		return
	}
	d.Tree().Add(&maskPreset, preset, at, presetBits)
	if preset < uint64(presetMasks)-1 {
		return
	}
	var names []string
	for ; mask != 0; mask &= mask - 1 {
		if i := bits.TrailingZeros64(mask); i < len(t.Wire) {
			names = append(names, t.Wire[i].Name)
		}
	}
	d.Tree().AddLabel(&changedFields, strings.Join(names, ", "), at+presetBits, d.Pos()-at-presetBits)
}

// frameChosen begins the indicator of a field that a mask has, if it has one.
func frameChosen(d *decode.Decoder, t *tables.Layout, i int) bool {
	if w := &t.Wire[i]; w.Bits == 0 {
		d.Of(w.Name, d.Pos())
	}
	return true
}

// frameBit shows the bit that was read last, in the open object.
func frameBit(d *decode.Decoder, f *dissect.Field, is bool) {
	if d.Framed() && !d.Failed() {
		d.Tree().AddBool(f, is, d.Pos()-1, 1)
	}
}

// Names of several arrays that one bit is about.
const (
	allArrays   = "all arrays"
	firstArrays = "stats, persistant, holdable, powerups"
)

// Names of the groups of arrays with 64 elements.
var (
	ammoGroups = [weaponGroups]string{"ammo 0 to 15", "ammo 16 to 31", "ammo 32 to 47", "ammo 48 to 63"}
	clipGroups = [weaponGroups]string{"ammoclip 0 to 15", "ammoclip 16 to 31", "ammoclip 32 to 47", "ammoclip 48 to 63"}
)

// readMask reads a mask of n bits: which elements of an array follow.
func readMask(d *decode.Decoder, n int) uint32 {
	at := d.Pos()
	mask := d.Bits(n)
	if d.Framed() && !d.Failed() {
		d.Indicate(&decode.Mask, uint64(mask), at, d.Pos()-at)
	}
	return mask
}
