package token

// HashedChars is how much of a reliable command user commands are keyed with.
const HashedChars = 32

// HashKey is MSG_HashKey in code/qcommon/msg.c over the first 32 characters of a command, as the client
// read it: with '.' for '%' and for what is above 127, where the game does not keep that. Those count with their sign.
func HashKey(text []byte, eightBit bool) uint32 {
	var hash int32
	for i, c := range text[:min(len(text), HashedChars)] {
		if c > 127 && !eightBit || c == '%' {
			c = '.'
		}
		hash += int32(int8(c)) * int32(119+i)
	}
	return uint32(hash ^ hash>>10 ^ hash>>20)
}
