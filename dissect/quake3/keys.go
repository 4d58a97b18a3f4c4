package quake3

import (
	"fmt"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
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
	netchan.Decipher(c.body, start, key, command, c.snapshots.Generation.Kept)
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
