package rows

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"

	"github.com/q3dissect/q3dissect/dissect"
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

// info appends the pairs of an infostring, the first one of a repeated key. exact is false if they do not keep
// the whole text.
func (s *Shredder) info(dst, b []byte) (out []byte, exact bool) {
	exact = true
	pairs, count := s.text[:0], 0
	for {
		key, value, rest, ok := dissect.NextPair(b)
		if !ok {
			exact = exact && len(b) == 0
			break
		}
		// A key with a value has a backslash after it.
		exact = exact && len(key) > 0 && len(bytes.TrimPrefix(b, []byte{'\\'})) > len(key)
		b = rest
		from := len(pairs)
		var valid bool
		pairs, valid = appendText(pairs, key)
		exact = exact && valid
		if hasKey(pairs[:from], count, pairs[from:]) {
			exact, pairs = false, pairs[:from]
			continue
		}
		pairs, valid = appendText(pairs, value)
		exact = exact && valid
		count++
	}
	s.text = pairs
	return append(appendUint(dst, uint64(count)), pairs...), exact
}

// hasKey reports whether one of the pairs has a key, with its size before it.
func hasKey(pairs []byte, count int, key []byte) bool {
	for range count {
		if bytes.HasPrefix(pairs, key) {
			return true
		}
		for range 2 {
			size, n := binary.Uvarint(pairs)
			pairs = pairs[n+int(size):]
		}
	}
	return false
}

// appendNames appends the names of the bits that are set in a mask; a bit without a name is written as "0x400".
func appendNames(dst []byte, n *dissect.Node, family uint8) []byte {
	mask := n.MaskBits()
	dst = appendUint(dst, uint64(bits.OnesCount64(mask)))
	table := n.Field.Enum.Tables[family]
	for ; mask != 0; mask &= mask - 1 {
		bit := bits.TrailingZeros64(mask)
		if bit < len(table) && table[bit] != "" {
			dst = appendString(dst, table[bit])
			continue
		}
		dst = appendUint(dst, uint64(3+bit/4))
		dst = append(dst, '0', 'x', "1248"[bit&3])
		for ; bit >= 4; bit -= 4 {
			dst = append(dst, '0')
		}
	}
	return dst
}
