package message

// AppendInt appends a variable length int in its shortest form, as the games write it.
//
// CVariableInt::Pack in src/engine/shared/compression.cpp.
func AppendInt(dst []byte, n int32) []byte {
	sign := n >> 31
	rest := uint32(n ^ sign)
	b := byte(sign)&0x40 | byte(rest&0x3f)
	for rest >>= 6; rest > 0; rest >>= 7 {
		dst = append(dst, b|0x80)
		b = byte(rest & 0x7f)
	}
	return append(dst, b)
}

// PutText writes as much of a text into ints as fits with a NUL after it. The last byte, which is
// not part of the text, is left alone.
//
// StrToInts in src/game/gamecore.h.
func PutText(ints []int32, text []byte) {
	text = text[:min(len(text), 4*len(ints)-1)]
	for i := range 4*len(ints) - 1 {
		c := byte(0)
		if i < len(text) {
			c = text[i]
		}
		shift := 24 - i&3<<3
		ints[i>>2] = ints[i>>2]&^(0xff<<shift) | int32(uint32(c+128)<<shift)
	}
}
