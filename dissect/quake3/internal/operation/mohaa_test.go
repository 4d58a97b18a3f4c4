package operation

import (
	"math"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// TestWithoutFrameTime: the end of the message comes after the frame time, or in its place. A frame time may begin
// with the byte that ends a message.
func TestWithoutFrameTime(t *testing.T) {
	const eof = 11
	for _, tt := range []struct {
		frame   float32
		without bool
	}{
		{frame: .05},
		{frame: math.Float32frombits(eof)},
		{without: true},
	} {
		var w huffcodec.Writer
		w.Reset(huffcodec.Static)
		if !tt.without {
			w.Bits(math.Float32bits(tt.frame), 32)
		}
		w.Bits(eof, 8)
		var d decode.Decoder
		d.Reset("quake3", w.Data(), huffcodec.Static, nil)
		if got := WithoutFrameTime(&d, eof); got != tt.without {
			t.Errorf("%v: %v", tt, got)
		}
		if d.Pos() != 0 {
			t.Errorf("%v: the position is %d", tt, d.Pos())
		}
	}
}
