package quake3

import (
	"fmt"

	"github.com/q3dissect/q3dissect/huffcodec"
)

// mustWait reports whether a message needs a reliable command that a later packet may bring: for its
// cipher, or for the values of its user commands.
func (c *conversation) mustWait(m *message) bool {
	other, window := &c.sides[1], &c.client
	if m.fromClient {
		other, window = &c.sides[0], &c.server
	}
	if other.packets == 0 || !c.challengeKnown || c.encoding == native && !m.fromClient {
		return false
	}
	p := prefixOf(m.body, m.fromClient)
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

// prefixOf reads the numbers that begin a message; those beyond its end are 0.
func prefixOf(body []byte, fromClient bool) (p prefix) {
	r := huffcodec.NewReader(body, huffcodec.Static)
	if fromClient {
		p.serverID = int32(r.Bits(32))
		p.messageAck = int32(r.Bits(32))
	}
	p.reliableAck = int32(r.Bits(32))
	return p
}

// decipherMessage deciphers the message into c.body. skip counts reliable commands after the one acknowledged,
// the first of which is the usual key. It returns false if the key is not known: then only the first c.clear
// bytes can be read.
func (c *conversation) decipherMessage(m *message, skip int32) bool {
	c.body = append(c.body[:0], m.body...)
	c.clear = len(c.body)
	if c.encoding != legacy {
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
	command, ok := window.get(prefixOf(m.body, m.fromClient).reliableAck + skip)
	if !ok || !c.challengeKnown {
		c.clear = start
		return false
	}
	decipher(c.body, start, key, command, c.snapshots.Generation.EightBit)
	return true
}

// firstKey returns where the cipher of a legacy message begins, in bytes of the body, and the key it begins with.
func (c *conversation) firstKey(m *message) (start int, key byte) {
	if !m.fromClient {
		return serverClearBytes, byte(c.challenge ^ int32(m.header.sequence))
	}
	p := prefixOf(m.body, true)
	return clientClearBytes, byte(c.challenge ^ p.serverID ^ p.messageAck)
}

// alternatives returns how many later commands are tried as the key: a server of 1.32 enciphers a message that
// waited for fragments with the command that is current when it is sent, SV_Netchan_TransmitNextFragment.
func (c *conversation) alternatives(m *message) int32 {
	if c.encoding == legacy && !m.fromClient && m.header.fragmented && m.cut == 0 {
		return 2
	}
	return 0
}

// missingKey names the key of a legacy message that is missing.
func (c *conversation) missingKey(m *message) string {
	p := prefixOf(m.body, m.fromClient)
	if !c.challengeKnown {
		return "the message is enciphered, and the challenge that begins its key is not in the capture"
	}
	who := "client"
	if m.fromClient {
		who = "server"
	}
	return fmt.Sprintf("the message is enciphered with %s command %d, which is not in the capture", who, p.reliableAck)
}

// The cipher of legacy sessions begins after these bytes of the message body, SV_ENCODE_START and
// CL_ENCODE_START in code/qcommon/qcommon.h.
const (
	serverClearBytes = 4
	clientClearBytes = 12
)

// decipher undoes (or applies) the cipher of a message body in place: from byte start on, each byte is XORed
// with a key that runs along a reliable command of the other side.
//
// key is the first key: the low byte of challenge ^ sequence for server messages, of challenge ^ server id ^
// message acknowledged for client messages. command is the acknowledged reliable command, raw, or empty.
// eightBit means that the game keeps characters above 127. CL_Netchan_Decode and SV_Netchan_Decode in
// code/client/cl_net_chan.c and code/server/sv_net_chan.c.
func decipher(body []byte, start int, key byte, command []byte, eightBit bool) {
	if i := indexNUL(command); i >= 0 {
		command = command[:i]
	}
	at := 0
	for i := start; i < len(body); i++ {
		if len(command) > 0 {
			c := command[at]
			if at++; at == len(command) {
				at = 0
			}
			if c > 127 && !eightBit || c == '%' { // the other side stores a dot instead
				c = '.'
			}
			key ^= c << (i & 1)
		}
		body[i] ^= key
	}
}

func indexNUL(s []byte) int {
	for i, c := range s {
		if c == 0 {
			return i
		}
	}
	return -1
}
