package render

import (
	"math/bits"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/render/internal/text"
)

// nameOf returns the name of a number's value, or "" if it has none.
func nameOf(n *dissect.Node, family uint8) string {
	return n.Field.Enum.Name(family, n.Uint())
}

// appendNames appends what the number's value is called: the name, or the names of the set bits, each
// between quotes and followed by sep where it is not the last. quote 0 means none.
func appendNames(dst []byte, n *dissect.Node, family uint8, quote byte, sep string) []byte {
	e := n.Field.Enum
	if !e.Mask {
		return appendBetween(dst, nameOf(n, family), quote)
	}
	if !e.Known(family) {
		return dst
	}
	for mask, first := n.MaskBits(), true; mask != 0; mask &= mask - 1 {
		if !first {
			dst = append(dst, sep...)
		}
		first = false
		if quote != 0 {
			dst = append(dst, quote)
		}
		dst = append(dst, e.BitName(family, bits.TrailingZeros64(mask))...)
		if quote != 0 {
			dst = append(dst, quote)
		}
	}
	return dst
}

func appendBetween(dst []byte, name string, quote byte) []byte {
	if quote == 0 || name == "" {
		return append(dst, name...)
	}
	dst = append(dst, quote)
	dst = append(dst, name...)
	return append(dst, quote)
}

// appendNumber appends the decimal digits of a Uint or Int node.
func appendNumber(dst []byte, n *dissect.Node) []byte {
	if n.Field.Kind == dissect.Int {
		return text.AppendInt(dst, n.Int())
	}
	return text.AppendUint(dst, n.Uint())
}
