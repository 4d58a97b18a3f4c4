package parquet

import (
	"sync"

	"github.com/klauspost/compress/zstd"
	parquetzstd "github.com/parquet-go/parquet-go/compress/zstd"
)

// windowBytes is how far back zstd looks. Hardly a page is larger, and an encoder keeps twice as much.
const windowBytes = 128 << 10

// A codec compresses as that of parquet-go does, whose encoders take 16 MB each for windows that no page fills.
type codec struct {
	parquetzstd.Codec
	encoders sync.Pool // they are expensive to make
}

func newCodec() *codec {
	c := new(codec)
	c.encoders.New = func() any {
		e, err := zstd.NewWriter(nil,
			zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithZeroFrames(true),
			zstd.WithEncoderCRC(false), zstd.WithWindowSize(windowBytes), zstd.WithLowerEncoderMem(true))
		if err != nil {
			panic(err) // the options contradict each other
		}
		return e
	}
	return c
}

// Encode compresses src.
func (c *codec) Encode(dst, src []byte) ([]byte, error) {
	e := c.encoders.Get().(*zstd.Encoder)
	defer c.encoders.Put(e)
	return e.EncodeAll(src, dst[:0]), nil
}
