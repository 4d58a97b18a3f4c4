package operation

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
)

const eyeInfoSource = "MSG_ReadDeltaEyeInfo, code/qcommon/msg.cpp of openmohaa"

// Fields of the eyes of a client of Medal of Honor, between the count and the user commands of a move.
var (
	eyeInfoField = dissect.Field{
		Key: "eye_info", Name: "usereyes_t", Kind: dissect.Object, Source: eyeInfoSource,
		Doc: "the eyes of the player (Medal of Honor); values that the message does not have are those that the client " +
			"sent last, which the server may not have received",
		Children: []*dissect.Field{&eyeOffset, &eyeAngles, &dissect.Undecoded},
		Frame:    []*dissect.Field{&anyChanged, &decode.Indicators},
	}
	eyeOffset = dissect.Field{
		Key: "offset", Name: "ofs", Kind: dissect.Object, Source: eyeInfoSource,
		Doc:      "from the player's origin to the eyes, game units",
		Children: []*dissect.Field{&eyeX, &eyeY, &eyeZ},
	}
	eyeX      = dissect.Field{Key: "x", Name: "ofs[0]", Kind: dissect.Int, Bits: 8, Source: eyeInfoSource, Doc: "along the x axis, game units"}
	eyeY      = dissect.Field{Key: "y", Name: "ofs[1]", Kind: dissect.Int, Bits: 8, Source: eyeInfoSource, Doc: "along the y axis, game units"}
	eyeZ      = dissect.Field{Key: "z", Name: "ofs[2]", Kind: dissect.Int, Bits: 8, Source: eyeInfoSource, Doc: "up, game units"}
	eyeAngles = dissect.Field{
		Key: "angles", Kind: dissect.Object, Source: eyeInfoSource,
		Doc:      "direction of the view, degrees, with more digits than the user commands have",
		Children: []*dissect.Field{&eyePitch, &eyeYaw},
	}
	eyePitch = dissect.Field{Key: "pitch", Name: "angles[0]", Kind: dissect.Float, Bits: 32, Source: eyeInfoSource, Doc: "up and down, degrees"}
	eyeYaw   = dissect.Field{Key: "yaw", Name: "angles[1]", Kind: dissect.Float, Bits: 32, Source: eyeInfoSource, Doc: "left and right, degrees"}
)

// eyeFields are the values in the order of the wire: offsets, then angles.
var eyeFields = [...]*dissect.Field{&eyeX, &eyeY, &eyeZ, &eyePitch, &eyeYaw}

const eyeOffsets = 3 // of eyeFields

// An EyeInfo is what a client sent last of its eyes: numbers sign-extended to 32 bits, floats as their bits.
type EyeInfo struct {
	Values [len(eyeFields)]uint32
	Known  uint8 // mask of the values that were sent
}

// ReadEyeInfo reads the values that a message has into e and shows all that are known.
func ReadEyeInfo(d *decode.Decoder, e *EyeInfo) {
	d.Enter(&eyeInfoField)
	defer d.Leave()
	var at [len(eyeFields)]int
	var size [len(eyeFields)]int
	changed := d.Bit()
	if d.Framed() && !d.Failed() {
		d.Tree().AddBool(&anyChanged, changed, d.Pos()-1, 1)
	}
	if changed {
		for i, f := range eyeFields {
			if !d.NamedBit(f.EngineName()) {
				continue
			}
			at[i] = d.Pos()
			v := d.Bits(f.Bits)
			if !d.Check(f) {
				return
			}
			if i < eyeOffsets {
				v = uint32(int32(int8(v)))
			}
			e.Values[i], size[i] = v, d.Pos()-at[i]
			e.Known |= 1 << i
		}
	}
	tree := d.Tree()
	if !d.Check(&eyeInfoField) || tree == nil {
		return
	}
	show := func(object *dissect.Field, from, to int) {
		tree.Open(object, 0)
		for i := from; i < to; i++ {
			if e.Known>>i&1 == 0 {
				continue
			}
			if f := eyeFields[i]; f.Kind == dissect.Int {
				tree.AddInt(f, int64(int32(e.Values[i])), at[i], size[i])
			} else {
				tree.Add(f, uint64(e.Values[i]), at[i], size[i])
			}
		}
		tree.Close(0)
	}
	show(&eyeOffset, 0, eyeOffsets)
	show(&eyeAngles, eyeOffsets, len(eyeFields))
	d.AddIndicators()
}
