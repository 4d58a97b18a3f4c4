package token

// HashedChars is how many characters of a reliable command are hashed for the key of user commands.
const HashedChars = 32

// HashKey is MSG_HashKey in code/qcommon/msg.c over the first 32 characters of a command, as the client read
// it: with '.' for '%' and, in games that do not keep them, for bytes above 127. Those that are kept are
// signed.
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
