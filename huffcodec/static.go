package huffcodec

// The static code of Quake III. The engine builds it at start-up by feeding a table of 256 counts to its adaptive coder
// and freezing the result (MSG_initHuffman and msg_hData, code/qcommon/msg.c). Here it is data: tests compare it with
// the list of codes in testdata.

// maxCodeBits is the length of the longest codes: symbol 247 and the unused code.
const maxCodeBits = 11

// An entry of decodeTable, which is indexed by the next 11 bits of the stream, the next one lowest:
// the length of the code in bits in bits 0 to 3 (4 and 5 are zero, so that the entry as it is can be
// a 64-bit shift count), unusedCode, and the symbol in the high byte. The unused code has symbol 0.
const (
	codeMask    = 1<<maxCodeBits - 1
	lengthMask  = 1<<4 - 1
	unusedCode  = 1 << 7
	symbolShift = 8
)

// An entry of encodeTable, which is indexed by the symbol: the code, its first bit lowest, and from
// bit 11 its length in bits.
const encodeLengthShift = maxCodeBits

// StaticCodeLength returns the length of the code of a byte, in bits.
func StaticCodeLength(b byte) int { return int(encodeTable[b] >> encodeLengthShift) }

// unusedBits is the code of no symbol: the engine's leaf "not yet transmitted".
const unusedBits, unusedLen = 1 << 8, 11

var decodeTable = makeDecodeTable()

func makeDecodeTable() (table [1 << maxCodeBits]uint16) {
	fill := func(code, length int, entry uint16) {
		for i := code; i < len(table); i += 1 << length {
			table[i] = entry | uint16(length)
		}
	}
	for symbol, e := range encodeTable {
		fill(int(e&codeMask), int(e>>encodeLengthShift), uint16(symbol)<<symbolShift)
	}
	fill(unusedBits, unusedLen, unusedCode)
	return table
}
