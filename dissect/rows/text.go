package rows

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/infostring"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// appendText appends text from the wire as valid UTF-8, after its length. exact is false if b is not.
func appendText(dst, b []byte) (out []byte, exact bool) {
	if utf8.Valid(b) {
		return append(appendUint(dst, uint64(len(b))), b...), true
	}
	from := len(dst)
	dst, _ = wiretext.Append(dst, b)
	var size [binary.MaxVarintLen64]byte
	return slices.Insert(dst, from, appendUint(size[:0], uint64(len(dst)-from))...), false
}

const hexDigits = "0123456789abcdef"

func appendHex(dst, b []byte) []byte {
	dst = appendUint(dst, 2*uint64(len(b)))
	for _, c := range b {
		dst = append(dst, hexDigits[c>>4], hexDigits[c&15])
	}
	return dst
}

// info appends the pairs of an infostring. exact is false if they are not the whole text.
func (s *Shredder) info(dst, b []byte) (out []byte, exact bool) {
	var pairs infostring.Reader
	pairs.Reset(b)
	s.text = s.text[:0]
	count := uint64(0)
	for key, value, ok := pairs.Next(); ok; key, value, ok = pairs.Next() {
		s.text, _ = appendText(s.text, key)
		s.text, _ = appendText(s.text, value)
		count++
	}
	return append(appendUint(dst, count), s.text...), pairs.Exact()
}

// appendNames appends the names of the bits that are set in a mask.
func appendNames(dst []byte, n *dissect.Node, family uint8) []byte {
	mask := n.MaskBits()
	dst = appendUint(dst, uint64(bits.OnesCount64(mask)))
	for ; mask != 0; mask &= mask - 1 {
		dst = appendString(dst, n.Field.Enum.BitName(family, bits.TrailingZeros64(mask)))
	}
	return dst
}
