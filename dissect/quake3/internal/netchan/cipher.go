package netchan

import (
	"bytes"
	"encoding/binary"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// NextKey returns the key of a byte of an enciphered message at a position: that of the byte before, and a character of
// the command.
func NextKey(before, c byte, at int) byte { return before ^ c<<(at&1) }

// Decipher undoes (or applies) the cipher of a message body in place: from byte start on, each byte is XORed
// with a key that runs along a reliable command of the other side.
//
// key is the first key: the low byte of challenge ^ sequence for server messages, of challenge ^ server id ^
// message acknowledged for client messages. command is the acknowledged reliable command, raw, or empty.
// kept are the characters that the game keeps. CL_Netchan_Decode and SV_Netchan_Decode in
// code/client/cl_net_chan.c and code/server/sv_net_chan.c.
func Decipher(body []byte, start int, key byte, command []byte, kept token.Kept) {
	if i := bytes.IndexByte(command, 0); i >= 0 {
		command = command[:i]
	}
	if len(command) == 0 {
		for i := start; i < len(body); i++ {
			body[i] ^= key
		}
		return
	}
	for start < len(body) {
		n := min(len(command), len(body)-start)
		key = decipherRun(body[start:start+n], key, command[:n], start, kept)
		start += n
	}
}

// decipherRun deciphers as many bytes as it gets of a command, the first at a position of the message, and returns the
// last key.
func decipherRun(body []byte, key byte, command []byte, at int, kept token.Kept) byte {
	const ones, eights = 0x0101010101010101, 0x8080808080808080
	doubled := uint64(0xff00ff00ff00ff00) // characters at odd positions count twice
	if at&1 != 0 {
		doubled >>= 8
	}
	for len(body) >= 8 && len(command) >= 8 {
		c := binary.LittleEndian.Uint64(command)
		if replaced := c ^ '%'*ones; kept&token.KeptHigh == 0 && c&eights != 0 || (replaced-ones)&^replaced&eights != 0 {
			break
		}
		c = c&^doubled | (c&doubled&^eights)<<1
		c ^= c << 8 // a byte's key is that of the byte before, XORed with its character
		c ^= c << 16
		c ^= c<<32 ^ uint64(key)*ones
		binary.LittleEndian.PutUint64(body, binary.LittleEndian.Uint64(body)^c)
		key = byte(c >> 56)
		body, command = body[8:], command[8:]
	}
	for i, c := range command {
		key = NextKey(key, kept.Key(c), at+i)
		body[i] ^= key
	}
	return key
}
