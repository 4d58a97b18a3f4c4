package recover

import (
	"math"

	"github.com/q3dissect/q3dissect/huffcodec"
)

// Evidence is counted in 1/256 of a bit, in integers: the results are the same on every machine.
const unit = 256

// maxCode is the longest code of the static table, in bits.
const maxCode = 11

// A coding is the static Huffman code, for a parser that is fed byte by byte and may stop within a symbol;
// huffcodec.Reader needs a whole message.
type coding struct {
	entry  [1 << maxCode]uint16 // symbol<<4 | length; 0: no code
	length [256]int32           // in bits
}

func newCoding() *coding {
	c := &coding{}
	var w huffcodec.Writer
	for symbol := range 256 {
		w.Reset(huffcodec.Static)
		w.Byte(byte(symbol))
		size := w.Pos()
		var code uint16
		for i, b := range w.Data() {
			code |= uint16(b) << (8 * i)
		}
		c.length[symbol] = int32(size)
		for rest := 0; rest < 1<<(maxCode-size); rest++ {
			c.entry[int(code)|rest<<size] = uint16(symbol<<4 | size)
		}
	}
	return c
}

// bitsOf returns the logarithm of a probability, in units of evidence.
func bitsOf(p float64) int32 { return int32(math.Round(math.Log2(p) * unit)) }
