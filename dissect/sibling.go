package dissect

import (
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// A sibling is a key that records write beside a field's own, made from the same value. docs/json.md describes them.
type sibling uint8

const (
	itself   sibling = iota
	nameOf           // weapon_name: "railgun"
	bitsOf           // e_flags_names: "dead,firing"
	bytesOf          // command_raw: the bytes of a text that is not UTF-8, in hexadecimal
	infoPair         // the value of one key of an infostring
)

// siblingSuffixes are the ends of the keys.
var siblingSuffixes = [...]string{nameOf: "_name", bitsOf: "_names", bytesOf: "_raw"}

// cutSibling splits a key of a sibling into the key of its field and the sibling. It returns itself for other keys.
func cutSibling(key string) (field string, s sibling) {
	if at := strings.LastIndexByte(key, '_'); at > 0 {
		for s := nameOf; s <= bytesOf; s++ {
			if key[at:] == siblingSuffixes[s] {
				return key[:at], s
			}
		}
	}
	return key, itself
}

// of reports whether some values of field f have the sibling.
func (s sibling) of(f *Field) bool {
	named := f.Kind.Number() && f.Enum != nil && len(f.Enum.All()) > 0
	switch s {
	case nameOf:
		return named && !f.Enum.Mask
	case bitsOf:
		return named && f.Enum.Mask
	case bytesOf:
		return f.Kind == Text || f.Kind == Info
	}
	return false
}

// withSibling returns a sibling of v, or the zero Value: a number may have no name, and a text that is UTF-8 no bytes
// beside it.
func (v Value) withSibling(s sibling) Value {
	n := v.Node()
	if n == nil || !s.of(n.Field) {
		return Value{}
	}
	exists := true
	switch s {
	case nameOf:
		exists = v.Name() != ""
	case bitsOf:
		exists = n.Field.Enum.Known(v.tree.Family)
	case bytesOf:
		exists = !utf8.Valid(v.tree.Bytes(n))
	}
	if !exists {
		return Value{}
	}
	v.sibling = s
	return v
}

// siblingText is String of a sibling of node n.
func (v Value) siblingText(n *Node) string {
	switch v.sibling {
	case nameOf:
		return n.Field.Enum.Name(v.tree.Family, n.Uint())
	case bitsOf:
		var names []string
		for bit, mask := 0, n.MaskBits(); mask != 0; bit, mask = bit+1, mask>>1 {
			if mask&1 != 0 {
				names = append(names, n.Field.Enum.BitName(v.tree.Family, bit))
			}
		}
		return strings.Join(names, ",")
	case bytesOf:
		return hex.EncodeToString(v.tree.Bytes(n))
	}
	return string(v.pairValue())
}

// pairs calls found for the values of a key in the infostring v, spelt exactly so: of the first pair with the key,
// or of all pairs for "*". It returns false as soon as found does.
func (v Value) pairs(key string, found func(Value) bool) bool {
	text := v.tree.Bytes(v.Node())
	for rest := text; ; {
		k, value, after, ok := NextPair(rest)
		if !ok {
			return true
		}
		rest = after
		if key != anyKey && string(k) != key {
			continue
		}
		pair := v
		pair.sibling, pair.end = infoPair, int32(len(text)-len(after))
		pair.size = int32(len(value))
		if !found(pair) {
			return false
		}
		if key != anyKey {
			return true
		}
	}
}

// pairValue returns the value of an infoPair.
func (v Value) pairValue() []byte {
	return v.tree.Bytes(v.Node())[v.end-v.size : v.end]
}

// pairKey returns the key of an infoPair.
func (v Value) pairKey() string {
	before := v.tree.Bytes(v.Node())[:v.end-v.size]
	if len(before) > 0 && before[len(before)-1] == '\\' {
		before = before[:len(before)-1]
	}
	for i := len(before) - 1; i >= 0; i-- {
		if before[i] == '\\' {
			before = before[i+1:]
			break
		}
	}
	return string(before)
}
