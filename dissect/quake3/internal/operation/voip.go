package operation

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

const voipSource = "CL_ParseVoip, code/client/cl_parse.c; SV_UserVoip, code/server/sv_client.c"

// Fields of the voice operations, svc_voip* and clc_voip*.
var (
	ServerVoip = dissect.Field{
		Key: "voip", Name: "svc_voipOpus", Kind: dissect.Object, Source: voipSource,
		Doc: "a packet of voice from another client",
		Children: []*dissect.Field{
			&voipCodec, &VoipSender, &voipGeneration, &voipSequence, &VoipFrames, &voipFlagsField, &VoipSize,
			&voipData, &dissect.Undecoded,
		},
		Frame: opFrame,
	}
	ClientVoip = dissect.Field{
		Key: "voip", Name: "clc_voipOpus", Kind: dissect.Object, Source: voipSource, Doc: "a packet of the client's voice",
		Children: []*dissect.Field{
			&voipCodec, &VoipRecipients, &voipGeneration, &voipSequence, &VoipFrames, &voipFlagsField, &VoipSize,
			&voipData, &dissect.Undecoded,
		},
		Frame: opFrame,
	}
	voipCodec  = dissect.Field{Key: "codec", Kind: dissect.Label, Source: voipSource, Doc: "speex or opus, by the operation"}
	VoipSender = dissect.Field{
		Key: "sender", Kind: dissect.Uint, Bits: 16, Source: voipSource, Doc: "number of the client who speaks",
	}
	VoipRecipients = dissect.Field{
		Key: "recipients", Kind: dissect.Hex, Source: voipSource,
		Doc: "clients that the voice is for: client n is bit n&7 of byte n/8",
	}
	voipGeneration = dissect.Field{
		Key: "generation", Kind: dissect.Uint, Bits: 8, Source: voipSource, Doc: "changes when the speaker starts over",
	}
	voipSequence = dissect.Field{
		Key: "sequence", Kind: dissect.Int, Bits: 32, Source: voipSource, Doc: "number of the first frame",
	}
	VoipFrames     = dissect.Field{Key: "frames", Kind: dissect.Uint, Bits: 8, Source: voipSource, Doc: "number of codec frames"}
	voipFlagsField = dissect.Field{
		Key: "flags", Kind: dissect.Uint, Bits: 8, Enum: &tables.VoipFlagNames, Source: voipSource,
		Doc: "spatial: heard from the speaker's place; direct: heard everywhere (2 bits from the server, 8 from the client)",
	}
	VoipSize = dissect.Field{Key: "size", Kind: dissect.Uint, Bits: 16, Unit: "bytes", Source: voipSource, Doc: "size of the data"}
	voipData = dissect.Field{Key: "data", Kind: dissect.Hex, Source: voipSource, Doc: "the codec's bytes"}

	// serverVoipFlags is voipFlagsField as the server sends it.
	serverVoipFlagsBits = 2
	voipRecipientBytes  = 8 // (MAX_CLIENTS + 7) / 8
)

// ReadServerVoip reads svc_voipSpeex or svc_voipOpus. cut means that the capture has only the beginning of the
// message. Bytes are read into text, which is returned.
func ReadServerVoip(d *decode.Decoder, at int, opus, cut bool, text []byte) []byte {
	d.EnterOp(&ServerVoip, at)
	defer d.Leave()
	addCodec(d, at, opus)
	d.Uint(&VoipSender)
	d.Uint(&voipGeneration)
	d.Int(&voipSequence)
	d.Uint(&VoipFrames)
	size := int(d.Uint(&VoipSize))
	flagsAt := d.Pos()
	flags := d.Bits(serverVoipFlagsBits)
	if d.Check(&voipFlagsField) {
		d.Tree().Add(&voipFlagsField, uint64(flags), flagsAt, serverVoipFlagsBits)
	}
	return readVoipData(d, size, cut, text)
}

// ReadClientVoip reads clc_voipSpeex or clc_voipOpus, as ReadServerVoip does.
func ReadClientVoip(d *decode.Decoder, at int, opus, cut bool, text []byte) []byte {
	d.EnterOp(&ClientVoip, at)
	defer d.Leave()
	addCodec(d, at, opus)
	d.Uint(&voipGeneration)
	d.Int(&voipSequence)
	d.Uint(&VoipFrames)
	text = d.Hex(&VoipRecipients, voipRecipientBytes, text)
	d.Uint(&voipFlagsField)
	return readVoipData(d, int(d.Uint(&VoipSize)), cut, text)
}

func addCodec(d *decode.Decoder, at int, opus bool) {
	codec := "speex"
	if opus {
		codec = "opus"
	}
	d.Tree().AddLabel(&voipCodec, codec, at, d.Pos()-at)
}

// readVoipData reads the codec's bytes, the last field of both operations.
func readVoipData(d *decode.Decoder, size int, cut bool, text []byte) []byte {
	if !d.Failed() && 2*size > d.Len()-d.Pos() && !cut {
		d.Malformed(&VoipSize, d.Pos(), "%d bytes of voice in a message with %d bits left", size, d.Len()-d.Pos())
	}
	if d.Failed() {
		return text
	}
	return d.Hex(&voipData, size, text)
}
