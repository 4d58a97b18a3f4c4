package world

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
)

const (
	soundsSource = "MSG_ReadSounds, code/qcommon/msg.cpp of openmohaa"
	maxSounds    = 64
)

// Fields of the sounds at the end of a snapshot of Medal of Honor.
var (
	snapResidual = dissect.Field{
		Key: "time_residual", Kind: dissect.Uint, Bits: 8, Unit: "ms",
		Source: "CL_ParseSnapshot, code/client/cl_parse.cpp of openmohaa",
		Doc:    "how long after the server time the snapshot was sent, at most 255 (Medal of Honor)",
	}
	soundsField = dissect.Field{
		Key: "sounds", Kind: dissect.List, Source: soundsSource, Doc: "sounds that begin or end (Medal of Honor)",
		Children: []*dissect.Field{&soundField},
	}
	soundField = dissect.Field{
		Kind: dissect.Object, Source: soundsSource, Doc: "a sound", Frame: soundFrame,
		Children: []*dissect.Field{
			&soundStop, &soundStreamed, &soundOrigin, &soundEntity, &soundChannel, &soundIndex, &soundVolume, &soundMinDist,
			&soundPitch, &soundMaxDist, &dissect.Undecoded,
		},
	}
	soundStop = dissect.Field{
		Key: "stop", Kind: dissect.Bool, Bits: 1, Source: soundsSource, Doc: "true: the sound of the entity and channel ends",
	}
	soundStreamed = dissect.Field{
		Key: "streamed", Kind: dissect.Bool, Bits: 1, Source: soundsSource, Doc: "the sound is read while it is played",
	}
	soundOrigin = dissect.Field{
		Key: "origin", Kind: dissect.Object, Source: soundsSource, Doc: "where it is; absent: at its entity",
		Children: []*dissect.Field{&soundX, &soundY, &soundZ},
	}
	soundX       = dissect.Field{Key: "x", Kind: dissect.Float, Bits: 32, Source: soundsSource, Doc: "game units"}
	soundY       = dissect.Field{Key: "y", Kind: dissect.Float, Bits: 32, Source: soundsSource, Doc: "game units"}
	soundZ       = dissect.Field{Key: "z", Kind: dissect.Float, Bits: 32, Source: soundsSource, Doc: "game units"}
	soundEntity  = dissect.Field{Key: "entity", Kind: dissect.Uint, Source: soundsSource, Doc: "entity number, 10 bits where a sound ends and 11 where it begins"}
	soundChannel = dissect.Field{Key: "channel", Kind: dissect.Uint, Bits: 7, Source: soundsSource, Doc: "channel of the entity"}
	soundIndex   = dissect.Field{Key: "sound", Kind: dissect.Uint, Bits: 9, Source: soundsSource, Doc: "index of a sound configstring"}
	soundVolume  = dissect.Field{Key: "volume", Kind: dissect.Float, Bits: 32, Source: soundsSource, Doc: "absent: that of the sound"}
	soundMinDist = dissect.Field{
		Key: "min_dist", Kind: dissect.Float, Bits: 32, Source: soundsSource,
		Doc: "distance up to which it is as loud, game units; absent: that of the sound",
	}
	soundPitch   = dissect.Field{Key: "pitch", Kind: dissect.Float, Bits: 32, Source: soundsSource, Doc: "absent: 1"}
	soundMaxDist = dissect.Field{Key: "max_dist", Kind: dissect.Float, Bits: 32, Source: soundsSource, Doc: "distance at which it ends, game units"}
)

// readSounds reads the sounds after the entities of a snapshot.
func readSounds(d *decode.Decoder) {
	at := d.Pos()
	follow := d.Bit()
	if frameBit(d, &soundsFollow, follow); !follow {
		return
	}
	count := int(d.Bits(7))
	if d.Framed() && !d.Failed() {
		d.Tree().Add(&soundCount, uint64(count), at+1, d.Pos()-at-1)
	}
	if d.Failed() || count > maxSounds {
		d.Malformed(&soundsField, at, "%d sounds, there are at most %d", count, maxSounds)
		return
	}
	d.EnterAt(&soundsField, at)
	defer d.Leave()
	for ; count > 0 && !d.Failed(); count-- {
		readSound(d)
	}
}

func readSound(d *decode.Decoder) {
	d.Enter(&soundField)
	defer d.Leave()
	entity := func(bits int) {
		at := d.Pos()
		n := d.Bits(bits)
		if d.Check(&soundEntity) {
			d.Tree().Add(&soundEntity, uint64(n), at, d.Pos()-at)
		}
	}
	if d.Bool(&soundStop) {
		entity(EntityNumBits)
		d.Uint(&soundChannel)
		return
	}
	d.Bool(&soundStreamed)
	if d.NamedBit(soundOrigin.Key) {
		d.Enter(&soundOrigin)
		for _, f := range [...]*dissect.Field{&soundX, &soundY, &soundZ} {
			readIEEE(d, f)
		}
		d.Leave()
	}
	entity(EntityNumBits + 1)
	d.Uint(&soundChannel)
	d.Uint(&soundIndex)
	for _, f := range [...]*dissect.Field{&soundVolume, &soundMinDist, &soundPitch} {
		if d.NamedBit(f.Key) {
			readIEEE(d, f)
		}
	}
	readIEEE(d, &soundMaxDist)
	d.AddIndicators()
}

// readIEEE reads a float of 32 bits.
func readIEEE(d *decode.Decoder, f *dissect.Field) float32 {
	v := d.Uint(f)
	return math.Float32frombits(v)
}
