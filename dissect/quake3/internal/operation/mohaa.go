package operation

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
)

const (
	frameTimeSource = "CL_ParseGamestate, code/client/cl_parse.cpp of openmohaa"
	printSource     = "CL_ParseServerMessage, code/client/cl_parse.cpp of openmohaa"
)

// Fields of the operations of Medal of Honor, beside those of its game's module.
var (
	FrameTime = dissect.Field{
		Key: "frame_time", Kind: dissect.Float, Bits: 32, Unit: "s", Source: frameTimeSource,
		Doc: "time of one frame of the server (Spearhead, Breakthrough); absent in recordings of clients that leave it out",
	}
	CenterPrint = dissect.Field{
		Key: "center_print", Name: "svc_centerprint", Kind: dissect.Object, Source: printSource,
		Doc:      "a text in the middle of the screen (Medal of Honor)",
		Children: []*dissect.Field{&PrintText, &dissect.Undecoded}, Frame: textFrame,
	}
	LocPrint = dissect.Field{
		Key: "loc_print", Name: "svc_locprint", Kind: dissect.Object, Source: printSource,
		Doc:      "a text at a place of the screen (Medal of Honor)",
		Children: []*dissect.Field{&printX, &printY, &PrintText, &dissect.Undecoded}, Frame: textFrame,
	}
	printX    = dissect.Field{Key: "x", Kind: dissect.Int, Bits: 16, Source: printSource, Doc: "from the left"}
	printY    = dissect.Field{Key: "y", Kind: dissect.Int, Bits: 16, Source: printSource, Doc: "from the top"}
	PrintText = dissect.Field{Key: "text", Kind: dissect.Text, Source: printSource, Doc: "the text"}
)

// WithoutFrameTime reports whether a gamestate that should end with a frame time, and with which the message ends,
// lacks it: then the end of the message is where it should be, and not after it.
func WithoutFrameTime(d *decode.Decoder, eof uint32) bool {
	r := *d.Reader()
	return uint32(r.Byte()) == eof && !r.Failed() && d.Len()-r.Pos() < 8
}

// ReadFrameTime reads the frame time, in seconds.
func ReadFrameTime(d *decode.Decoder) float32 { return math.Float32frombits(d.Uint(&FrameTime)) }

// ReadCenterPrint reads svc_centerprint after its op. The text is read into text, which is returned.
func ReadCenterPrint(d *decode.Decoder, at int, unscramble *[256]byte, text []byte) []byte {
	d.EnterOp(&CenterPrint, at)
	defer d.Leave()
	return d.Scrambled(&PrintText, unscramble, text)
}

// ReadLocPrint reads svc_locprint after its op. The text is read into text, which is returned.
func ReadLocPrint(d *decode.Decoder, at int, unscramble *[256]byte, text []byte) []byte {
	d.EnterOp(&LocPrint, at)
	defer d.Leave()
	d.Int(&printX)
	d.Int(&printY)
	return d.Scrambled(&PrintText, unscramble, text)
}
