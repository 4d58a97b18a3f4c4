package token

// HashedChars is how many characters of a reliable command are hashed for the key of user commands.
const HashedChars = 32

// Kept are the characters that a game keeps in the commands that keys are made of. The others are read as '.'.
type Kept uint8

// The characters that some games keep.
const (
	KeptHigh    Kept = 1 << iota // bytes above 127
	KeptPercent                  // '%'
)

// Key returns the character that a game uses for one of a command.
func (k Kept) Key(c byte) byte {
	if c > 127 && k&KeptHigh == 0 || c == '%' && k&KeptPercent == 0 {
		return '.'
	}
	return c
}

// HashKey is MSG_HashKey in code/qcommon/msg.c over the first 32 characters of a command, as the client read
// it. Bytes above 127 that are kept are signed.
func HashKey(text []byte, kept Kept) uint32 {
	var hash int32
	for i, c := range text[:min(len(text), HashedChars)] {
		hash += int32(int8(kept.Key(c))) * int32(119+i)
	}
	return uint32(hash ^ hash>>10 ^ hash>>20)
}
