package quake3

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// mustWait reports whether a message needs a reliable command that a later packet may bring: for its
// cipher, or for the values of its user commands.
func (c *conversation) mustWait(m *message) bool {
	other, window := &c.sides[1], &c.client
	if m.fromClient {
		other, window = &c.sides[0], &c.server
	}
	if other.packets == 0 || !c.challengeKnown || c.encoding == netchan.Native && !m.fromClient ||
		c.snapshots.Generation.UserCommand == tables.UserCommandUnkeyed {
		return false
	}
	p := m.prefix()
	if _, ok := window.get(p.reliableAck); ok {
		return false
	}
	return window.canStillCome(p.reliableAck)
}

// A prefix is the beginning of a message, which is not enciphered.
type prefix struct {
	serverID, messageAck int32 // of client messages
	reliableAck          int32
}

// prefix returns the numbers that begin the message, read once.
func (m *message) prefix() *prefix {
	if !m.begun {
		m.begin, m.begun = prefixOf(m.body, m.fromClient, m.coding), true
	}
	return &m.begin
}

// prefixOf reads the numbers that begin a message; those beyond its end are 0.
func prefixOf(body []byte, fromClient bool, coding huffcodec.Coding) (p prefix) {
	r := huffcodec.NewReader(body, coding)
	if fromClient {
		p.serverID = int32(r.Bits(32))
		p.messageAck = int32(r.Bits(32))
	}
	p.reliableAck = int32(r.Bits(32))
	return p
}

// decipherMessage deciphers the message into c.body. skip counts reliable commands after the one acknowledged,
// the first is the usual key. It returns false if the key is not known: then only the first c.clear
// bytes can be read.
func (c *conversation) decipherMessage(m *message, skip int32) bool {
	c.body = append(c.body[:0], m.body...)
	c.clear = len(c.body)
	if c.encoding != netchan.Legacy {
		return true
	}
	start, key := c.firstKey(m)
	if len(c.body) <= start {
		return true
	}
	window := &c.client
	if m.fromClient {
		window = &c.server
	}
	command, ok := window.get(m.prefix().reliableAck + skip)
	if !ok || !c.challengeKnown {
		c.clear = start
		return false
	}
	decipher(c.body, start, key, command, c.snapshots.Generation.Kept)
	return true
}

// firstKey returns where the cipher of a legacy message begins, in bytes of the body, and the key it begins with.
func (c *conversation) firstKey(m *message) (start int, key byte) {
	if !m.fromClient {
		return netchan.ServerClearBytes, byte(c.challenge ^ int32(m.header.Sequence))
	}
	p := m.prefix()
	return netchan.ClientClearBytes, byte(c.challenge ^ p.serverID ^ p.messageAck)
}

// alternatives returns how many later commands are tried as the key: a server of 1.32 enciphers a message that
// waited for fragments with the command that is current when it is sent, SV_Netchan_TransmitNextFragment.
func (c *conversation) alternatives(m *message) int32 {
	if c.encoding == netchan.Legacy && !m.fromClient && m.header.Fragmented && m.cut == 0 {
		return 2
	}
	return 0
}

// hasKey reports whether the command that is the key of a legacy message is known, see decipherMessage.
func (c *conversation) hasKey(m *message, skip int32) bool {
	window := &c.client
	if m.fromClient {
		window = &c.server
	}
	_, ok := window.get(m.prefix().reliableAck + skip)
	return ok
}

// missingKey names the key of a legacy message that is missing.
func (c *conversation) missingKey(m *message) string {
	if !c.challengeKnown {
		return "the message is enciphered, and the challenge that begins its key is not in the capture"
	}
	return fmt.Sprintf("the message is enciphered with %s, which is not in the capture", m.keyCommand())
}

// keyCommand names the command that a legacy message is enciphered with.
func (m *message) keyCommand() string {
	who := "client"
	if m.fromClient {
		who = "server"
	}
	return fmt.Sprintf("%s command %d", who, m.prefix().reliableAck)
}

// decipher undoes (or applies) the cipher of a message body in place: from byte start on, each byte is XORed
// with a key that runs along a reliable command of the other side.
//
// key is the first key: the low byte of challenge ^ sequence for server messages, of challenge ^ server id ^
// message acknowledged for client messages. command is the acknowledged reliable command, raw, or empty.
// kept are the characters that the game keeps. CL_Netchan_Decode and SV_Netchan_Decode in
// code/client/cl_net_chan.c and code/server/sv_net_chan.c.
func decipher(body []byte, start int, key byte, command []byte, kept token.Kept) {
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
		key = decipherRun(body[start:start+n], key, command[:n], start&1 != 0, kept)
		start += n
	}
}

// decipherRun deciphers as many bytes as it gets of a command, and returns the last key. odd means that the first byte
// has an odd position.
func decipherRun(body []byte, key byte, command []byte, odd bool, kept token.Kept) byte {
	const ones, eights = 0x0101010101010101, 0x8080808080808080
	doubled := uint64(0xff00ff00ff00ff00) // characters at odd positions count twice
	if odd {
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
		c = kept.Key(c)
		if odd {
			c <<= 1
		}
		odd = !odd
		key ^= c
		body[i] ^= key
	}
	return key
}
