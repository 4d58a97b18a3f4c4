package huffcodec

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

// The static code of Teeworlds and DDNet: codes of 1 to 15 bits for 256 byte values and an end
// symbol, packed from the lowest bit up. The games build the tree at start-up from a table of
// frequencies (CHuffman::Init in src/engine/shared/huffman.cpp); here it is data, which tests
// compare with the list of codes in testdata.

const (
	teeworldsEnd     = 256 // the symbol after the last byte
	teeworldsWindow  = 11  // bits of one table lookup
	teeworldsMaxCode = 15  // bits of the longest codes, the end symbol's among them
)

// An entry of teeworldsDecode, which is indexed by the next 11 bits: the length in bits of all its symbols in bits 0 to
// 3, of the first alone in bits 4 to 7, the number of symbols in bits 8 and 9, the symbols from bit 16. An entry
// without symbols is a longer code: bits 16 and up are the index in teeworldsLong of its 16 entries, which are
// indexed by the next 4 bits and hold the length in bits 0 to 3 and the symbol above.
//
// An entry of teeworldsEncode: the code, and from bit 16 its length.

// ErrOversize means that the decoded data is longer than the caller allows.
var ErrOversize = errors.New("decoded data is too long")

// DecodeTeeworlds decodes a block of the static code of Teeworlds. It appends the bytes to dst, at most limit of
// them, and returns the extended buffer and how many bits of src were used, the end included.
//
// The error is nil, ErrTruncated where src ends without the end symbol, or ErrOversize where there is more than limit
// allows. After an error the buffer has everything before the first code that was not decoded, and bits is the position
// of that code. Bytes after the end symbol are not examined: see TeeworldsPadding.
//
// CHuffman::Decompress in src/engine/shared/huffman.cpp. The games themselves read zero bits past
// the end of src.
func DecodeTeeworlds(dst, src []byte, limit int) (out []byte, bits int, err error) {
	var (
		buf   uint64 // unread bits, the next one lowest; zero above count
		count uint   // number of unread bits that are inside src
		at    int    // next byte of src
	)
	room := len(dst) + limit
	for {
		if len(src)-at >= 8 {
			buf |= binary.LittleEndian.Uint64(src[at:]) << count
			at += int(63-count) >> 3
			count |= 56
		} else {
			for ; count <= 56 && at < len(src); at++ {
				buf |= uint64(src[at]) << count
				count += 8
			}
		}
		// At least 56 bits are loaded, or all that are left.
		for count >= teeworldsMaxCode || at == len(src) {
			e := teeworldsDecode[buf&(1<<teeworldsWindow-1)]
			if symbols := e >> 8 & 3; symbols != 0 && len(dst) < room {
				n := uint(e & 15)
				if symbols == 2 && len(dst)+1 < room && n <= count {
					dst = append(dst, byte(e>>16), byte(e>>24))
				} else if n = uint(e >> 4 & 15); n <= count {
					dst = append(dst, byte(e>>16))
				} else {
					return dst, at<<3 - int(count), ErrTruncated
				}
				buf >>= n
				count -= n
				continue
			} else if symbols != 0 {
				if uint(e>>4&15) > count {
					return dst, at<<3 - int(count), ErrTruncated
				}
				return dst, at<<3 - int(count), ErrOversize
			}
			l := teeworldsLong[e>>16+uint32(buf>>teeworldsWindow)&15]
			n := uint(l & 15)
			switch {
			case n > count:
				return dst, at<<3 - int(count), ErrTruncated
			case l>>4 == teeworldsEnd:
				return dst, at<<3 - int(count-n), nil
			case len(dst) >= room:
				return dst, at<<3 - int(count), ErrOversize
			}
			dst = append(dst, byte(l>>4))
			buf >>= n
			count -= n
		}
	}
}

// TeeworldsPadding reports whether a block ends as the games end it: the bits used are followed by
// zero bits to the end of their byte, and by at most one more zero byte. Teeworlds and older DDNet
// write that byte, DDNet 20 does not.
func TeeworldsPadding(src []byte, bits int) bool {
	last := bits >> 3
	switch len(src) - last {
	case 0:
		return bits&7 == 0
	case 1:
		return src[last]>>(bits&7) == 0
	}
	return false
}

// TeeworldsEnds reports whether src can end a block: with the end code and padding that
// TeeworldsPadding accepts. It is quick because it looks at the last bytes only. False is certain;
// true is not, since where codes begin in those bytes is not known.
func TeeworldsEnds(src []byte) bool {
	const tailLen = (teeworldsMaxCode + 8 + 7) / 8 // in bytes: the end code and a byte of padding
	tail, width := uint32(0), 0
	for _, b := range src[max(0, len(src)-tailLen):] {
		tail |= uint32(b) << width
		width += 8
	}
	end := teeworldsEncode[teeworldsEnd]
	code, n := end&0xffff, int(end>>16)
	start := bits.Len32(tail) - bits.Len32(code) // padding is zero, so the highest set bit belongs to the end code
	padding := width - start - n
	return start >= 0 && padding >= 0 && padding <= 8 && tail>>start == code
}

// EncodeTeeworlds appends to dst the block that Teeworlds makes of data: the codes, the end code,
// and always a last byte with the remaining bits, if any.
//
// CHuffman::Compress in src/engine/shared/huffman.cpp.
func EncodeTeeworlds(dst, data []byte) []byte {
	var buf uint64
	var count uint
	put := func(symbol int) {
		e := teeworldsEncode[symbol]
		buf |= uint64(e&0xffff) << count
		for count += uint(e >> 16); count >= 8; count -= 8 {
			dst = append(dst, byte(buf))
			buf >>= 8
		}
	}
	for _, b := range data {
		put(int(b))
	}
	put(teeworldsEnd)
	return append(dst, byte(buf))
}

// TeeworldsCodeLength returns the length of the code of a byte, in bits.
func TeeworldsCodeLength(b byte) int { return int(teeworldsEncode[b] >> 16) }
