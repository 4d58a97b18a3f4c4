package gamestudio

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/cursor"
)

// Parameters of updates.
var (
	position = dissect.Field{
		Key: "position", Kind: dissect.Object, Unit: "quants", Source: lateSource, Children: vector,
		Doc: "where the entity is; coordinates of three bytes (1/128) or four (22.10), the same for a whole session",
	}
	positionFixed = dissect.Field{
		Key: "position_fixed", Kind: dissect.Object, Children: rawVector,
		Doc: "the position's 22.10 numbers as transmitted; only where coordinates have four bytes",
	}
	pan       = dissect.Field{Key: "pan", Kind: dissect.Object, Source: lateSource, Doc: "horizontal angle", Children: angleParts}
	tilt      = dissect.Field{Key: "tilt", Kind: dissect.Object, Source: lateSource, Doc: "vertical angle", Children: angleParts}
	roll      = dissect.Field{Key: "roll", Kind: dissect.Object, Source: lateSource, Doc: "roll angle", Children: angleParts}
	scale     = dissect.Field{Key: "scale", Kind: dissect.Object, Source: lateSource, Doc: "size in each direction, as sent; unit undetermined", Children: rawVector}
	scaleUnit = dissect.Field{
		Key: "scale_inferred", Kind: dissect.Object, Children: vector, Source: "manual, prog_cserver: \"XYZ scale*0.25\"",
		Doc: "raw / 256: inferred, if a quarter of the 22.10 number is meant as for positions an eighth",
	}
	frame         = dissect.Field{Key: "frame", Kind: dissect.Object, Source: lateSource, Doc: "animation frame", Children: []*dissect.Field{&frameNumber, &frameFraction, &frameNext}}
	oldFrame      = dissect.Field{Key: "frame", Kind: dissect.Object, Source: oldSource, Doc: "animation frame", Children: []*dissect.Field{&frameNumber, &frameFraction}}
	frameNumber   = dissect.Field{Key: "frame_int", Kind: dissect.Int, Bits: 16, Source: lateSource, Doc: "number of the frame"}
	frameFraction = dissect.Field{Key: "frame_frc", Kind: dissect.Object, Source: lateSource, Doc: "how far the animation is between this frame and the next, 0 to 1; type Scale(1)", Children: scaleParts}
	frameNext     = dissect.Field{Key: "nextframe", Kind: dissect.Int, Bits: 16, Source: lateSource, Doc: "number of the next frame, towards which frame_frc counts"}
	nextFrame     = dissect.Field{Key: "nextframe", Kind: dissect.Int, Bits: 16, Source: oldSource, Doc: "number of the next frame, towards which frame_frc counts"}
	flags1        = dissect.Field{Key: "flags1", Kind: dissect.Uint, Bits: 16, Source: lateSource, Doc: "bits 8 to 23 of the entity's flags; names undetermined"}
	oldFlags1     = dissect.Field{Key: "flags1", Kind: dissect.Uint, Bits: 8, Source: oldSource, Doc: "flags of the entity; names undetermined"}
	oldFlags2     = dissect.Field{Key: "flags2", Kind: dissect.Uint, Bits: 8, Source: oldSource, Doc: "further flags of the entity; names undetermined"}
	typeFile      = dissect.Field{Key: "file_name", Name: "type", Kind: dissect.Text, Source: lateSource, Doc: "model or map file of the entity; text encoding undetermined"}
	skin          = dissect.Field{Key: "skin", Kind: dissect.Uint, Bits: 8, Source: lateSource, Doc: "number of the skin"}
	ambient       = dissect.Field{Key: "ambient", Kind: dissect.Object, Source: lateSource, Doc: "brightness, 0 to 100; type Scale(100)", Children: scaleParts}
	albedo        = dissect.Field{Key: "albedo", Kind: dissect.Object, Source: lateSource, Doc: "colour of the ambient light, 0 to 255; type Scale(255)", Children: scaleParts}
	lightRange    = dissect.Field{Key: "lightrange", Kind: dissect.Object, Source: lateSource, Doc: "range of the entity's light, 0 to 2000; type Scale(2000)", Children: scaleParts}
	color         = dissect.Field{
		Key: "color", Kind: dissect.Object, Source: lateSource, Doc: "colour of the light",
		Children: []*dissect.Field{&colorBytes, &colorOrder, &colorListed},
	}
	colorBytes = dissect.Field{Key: "bytes", Kind: dissect.Hex, Bits: 24, Source: lateSource, Doc: "one byte for each of three colours"}
	colorOrder = dissect.Field{
		Key: "channel_order", Kind: dissect.Label,
		Source: "manual, prog_cserver: the row says \"RBG\"; the 2002 edition has blue, green, red",
		Doc:    "undetermined: the editions contradict each other and themselves",
	}
	colorListed = dissect.Field{
		Key: "as_listed", Kind: dissect.Object,
		Doc:      "the bytes in the order in which this edition's table lists the colours; undetermined",
		Children: []*dissect.Field{&colorRed, &colorGreen, &colorBlue},
	}
	colorRed   = dissect.Field{Key: "red", Kind: dissect.Uint, Bits: 8, Source: lateSource, Doc: "red, 0 to 255, if the bytes are in the listed order"}
	colorGreen = dissect.Field{Key: "green", Kind: dissect.Uint, Bits: 8, Source: lateSource, Doc: "green, 0 to 255, if the bytes are in the listed order"}
	colorBlue  = dissect.Field{Key: "blue", Kind: dissect.Uint, Bits: 8, Source: lateSource, Doc: "blue, 0 to 255, if the bytes are in the listed order"}
	alpha      = dissect.Field{Key: "alpha", Kind: dissect.Object, Source: lateSource, Doc: "transparency, 0 to 100; type Scale(100)", Children: scaleParts}
	uvFixed    = dissect.Field{
		Key: "uv", Kind: dissect.Object, Source: lateSource, Doc: "offset or speed of the texture; which one is undetermined",
		Children: []*dissect.Field{&uFixed, &vFixed, &uShort, &vShort},
	}
	uFixed = dissect.Field{Key: "u", Kind: dissect.Object, Source: lateSource, Doc: "horizontal part, a 22.10 number", Children: fixedParts}
	vFixed = dissect.Field{Key: "v", Kind: dissect.Object, Source: lateSource, Doc: "vertical part, a 22.10 number", Children: fixedParts}
	uShort = dissect.Field{Key: "u_short", Name: "u", Kind: dissect.Int, Bits: 16, Source: oldSource, Doc: "horizontal part of the offset, in sixteenths"}
	vShort = dissect.Field{Key: "v_short", Name: "v", Kind: dissect.Int, Bits: 16, Source: oldSource, Doc: "vertical part of the offset, in sixteenths"}

	undeterminedBits = dissect.Field{
		Key: "undetermined_bits", Kind: dissect.List, Children: []*dissect.Field{{Kind: dissect.Uint}},
		Doc: "bits of the command that no public table assigns: the length of their parameters is unknown, and nothing " +
			"after them can be located",
	}
	undeterminedBytes = dissect.Field{
		Key: "undetermined_bytes", Kind: dissect.Hex, Source: "manual, prog_cserver: rows stand in another order than bits",
		Doc: "skin together with ambient or albedo: their order is undetermined, their lengths are not",
	}
	byBitOrder   = dissect.Field{Key: "by_bit_order", Kind: dissect.Object, Doc: "undetermined_bytes if parameters follow the bits", Children: surface}
	byTableOrder = dissect.Field{Key: "by_table_order", Kind: dissect.Object, Doc: "undetermined_bytes if parameters follow the rows of the manual", Children: surface}
	surface      = []*dissect.Field{&skin, &ambient, &albedo}
)

const updateBits = 6 // bits of the command that select parameters

// An update is a group of parameters: its object and, by edition, the parameter of each bit. A
// parameter without a field is in no public table.
type update struct {
	field      dissect.Field
	parameters [editions][updateBits]argument
}

func newUpdate(key, name, doc string, current, old [updateBits]argument) *update {
	u := &update{parameters: [editions][updateBits]argument{late: current, edition2002: old}}
	u.field = dissect.Field{
		Key: key, Name: name, Kind: dissect.Object, Doc: doc, Source: lateSource, Frame: messageFrame,
	}
	u.field.Children = []*dissect.Field{&entityIndex, &fileHint}
	seen := map[string]bool{}
	add := func(f *dissect.Field) {
		if f != nil && !seen[f.Key] {
			seen[f.Key] = true
			u.field.Children = append(u.field.Children, f)
		}
	}
	for e, parameters := range u.parameters {
		for _, p := range parameters {
			add(p.field)
			switch p.kind {
			case kindCPosition:
				add(&positionFixed)
			case kindScale3:
				add(&scaleUnit)
			}
			if p.field == &skin && edition(e) == late {
				add(&undeterminedBytes)
				add(&byBitOrder)
				add(&byTableOrder)
			}
		}
	}
	if slices.ContainsFunc(u.parameters[:], func(p [updateBits]argument) bool { return p[updateBits-1].field == nil }) {
		add(&undeterminedBits)
	}
	add(&dissect.Undecoded)
	return u
}

// Parameters of the tables below.
var (
	atPosition = argument{kind: kindCPosition, field: &position}
	atPan      = argument{kind: kindAngle, field: &pan}
	atTilt     = argument{kind: kindAngle, field: &tilt}
	atRoll     = argument{kind: kindAngle, field: &roll}
	atScale    = argument{kind: kindScale3, field: &scale}
	atType     = argument{kind: kindString, field: &typeFile}
	atFrame    = argument{kind: kindFrame, field: &frame}
	atSkin     = argument{kind: kindNumber, field: &skin}
	atAmbient  = argument{kind: kindScale, field: &ambient, scale: 100}
	atAlbedo   = argument{kind: kindScale, field: &albedo, scale: 255}
	atLight    = argument{kind: kindScale, field: &lightRange, scale: 2000}
	atColor    = argument{kind: kindColor, field: &color}
	atAlpha    = argument{kind: kindScale, field: &alpha, scale: 100}
)

// updates are the three groups, indexed by the upper two bits of the command minus one. Parameters
// are sent in the order of their bits; the manual's rows are in another order for skin, ambient and
// albedo.
var updates = [...]*update{
	newUpdate("svc_update1", "SVC_UPDATE1", "changed parameters of an entity, group 1",
		[updateBits]argument{atType, atScale, atSkin, atAmbient, atAlbedo},
		[updateBits]argument{
			atPosition, atPan, atScale, atType,
			{kind: kindFrame, field: &oldFrame},
			{kind: kindNumber, field: &oldFlags1},
		}),
	newUpdate("svc_update2", "SVC_UPDATE2", "changed parameters of an entity, group 2",
		[updateBits]argument{atPosition, atPan, atTilt, atRoll, atFrame, {kind: kindNumber, field: &flags1}},
		[updateBits]argument{atAmbient, atAlbedo, atSkin, atTilt, atRoll, {kind: kindNumber, field: &nextFrame}}),
	newUpdate("svc_update3", "SVC_UPDATE3", "changed parameters of an entity, group 3",
		[updateBits]argument{atLight, atColor, atAlpha, {kind: kindFixedUV, field: &uvFixed}},
		[updateBits]argument{
			atLight, atColor, atAlpha,
			{kind: kindShortUV, field: &uvFixed},
			{kind: kindNumber, field: &oldFlags2},
		}),
}

// The bits of the late group 1 whose order on the wire is undetermined when they are set with skin (1 << 2).
const (
	ambientBit = 1 << 3
	albedoBit  = 1 << 4
	lightBits  = ambientBit | albedoBit
)

// disordered reads those of skin, ambient and albedo that bits selects, raw and in both orders.
func (r *reader) disordered(bits byte) {
	count := 1
	for _, bit := range [...]byte{ambientBit, albedoBit} {
		if bits&bit != 0 {
			count++
		}
	}
	at := r.At
	b := r.Hex(&undeterminedBytes, count)
	if b == nil {
		return
	}
	r.EnterAt(&byBitOrder, at)
	r.Tree.Add(&skin, uint64(b[0]), at<<3, 8)
	r.lights(bits, b[1:], at+1)
	r.Leave()
	r.EnterAt(&byTableOrder, at)
	r.lights(bits, b, at)
	r.Tree.Add(&skin, uint64(b[count-1]), (at+count-1)<<3, 8)
	r.Leave()
}

// lights adds those of ambient and albedo that are selected.
func (r *reader) lights(bits byte, b []byte, at int) {
	if bits&ambientBit != 0 {
		r.addScale(&ambient, b[0], atAmbient.scale, at)
		b, at = b[1:], at+1
	}
	if bits&albedoBit != 0 {
		r.addScale(&albedo, b[0], atAlbedo.scale, at)
	}
}

// scale reads three Short and shows them as the engine's numbers.
func (r *reader) scale(f *dissect.Field) {
	at := r.At
	b := r.Take(f, 6)
	if b == nil || r.Tree == nil {
		return
	}
	r.exact(f, 2, 3)
	r.EnterAt(&scaleUnit, at)
	for i, c := range coordinates {
		r.Tree.AddFloat(c, float32(cursor.Signed(cursor.Little(b[2*i:2*i+2]), 16))/256, (at+2*i)<<3, 16)
	}
	r.Leave()
}

// color reads three bytes.
func (r *reader) color(f *dissect.Field, e edition) {
	at := r.At
	b := r.Take(f, 3)
	if b == nil || r.Tree == nil {
		return
	}
	listed := [...]*dissect.Field{&colorRed, &colorGreen, &colorBlue}
	if e == edition2002 {
		listed = [...]*dissect.Field{&colorBlue, &colorGreen, &colorRed}
	}
	r.EnterAt(f, at)
	r.Tree.AddBytes(&colorBytes, b, at<<3, 24)
	r.Tree.AddLabel(&colorOrder, "undetermined", at<<3, 0)
	r.EnterAt(&colorListed, at)
	for i, c := range listed {
		r.Tree.Add(c, uint64(b[i]), (at+i)<<3, 8)
	}
	r.Leave()
	r.Leave()
}

// frame reads an animation frame, which in the late edition includes the next frame.
func (r *reader) frame(f *dissect.Field, e edition) {
	at, size := r.At, 5
	if e == edition2002 {
		size = 3
	}
	b := r.Take(f, size)
	if b == nil || r.Tree == nil {
		return
	}
	r.EnterAt(f, at)
	r.Tree.AddInt(&frameNumber, cursor.Signed(cursor.Little(b[:2]), 16), at<<3, 16)
	r.addScale(&frameFraction, b[2], 1, at+2)
	if e == late {
		r.Tree.AddInt(&frameNext, cursor.Signed(cursor.Little(b[3:5]), 16), (at+3)<<3, 16)
	}
	r.Leave()
}

// pair reads two numbers of the given width in bytes, Fixed or Short.
func (r *reader) pair(f, u, v *dissect.Field, width int) {
	at := r.At
	b := r.Take(f, 2*width)
	if b == nil || r.Tree == nil {
		return
	}
	r.EnterAt(f, at)
	for i, part := range [...]*dissect.Field{u, v} {
		place := at + width*i
		n := cursor.Signed(cursor.Little(b[width*i:width*(i+1)]), width<<3)
		if width == 2 {
			r.Tree.AddInt(part, n, place<<3, 16)
			continue
		}
		r.EnterAt(part, place)
		r.Tree.AddFloat(&fixedValue, float32(float64(n)/fixedUnit), place<<3, 32)
		r.Tree.AddInt(&fixedRaw, n, place<<3, 32)
		r.Tree.Close((place + 4) << 3)
	}
	r.Leave()
}
