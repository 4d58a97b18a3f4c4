// Package recover finds the keys of enciphered sessions whose beginning was not captured.
package recover

import (
	"github.com/q3dissect/q3dissect/huffcodec"
)

// A Message is a complete message of a session, as it travels: enciphered from byte 4 (server) or 12
// (client) on.
type Message struct {
	FromClient bool
	Sequence   uint32 // without the fragment bit
	At         int64  // capture time in milliseconds
	Body       []byte // behind the netchan header, put together
}

const (
	serverClear = 4  // SV_ENCODE_START, code/qcommon/qcommon.h
	clientClear = 12 // CL_ENCODE_START
)

// A prefix is what begins a message and is not enciphered.
type prefix struct{ serverID, messageAck, ack int32 }

func (m *Message) prefix() (p prefix, ok bool) {
	r := huffcodec.NewReader(m.Body, huffcodec.Static)
	if m.FromClient {
		p.serverID = int32(r.Bits(32))
		p.messageAck = int32(r.Bits(32))
	}
	p.ack = int32(r.Bits(32))
	return p, !r.Failed()
}

// key gives the first enciphered byte, and what the challenge is XORed with for the first key.
func (m *Message) key() (start int, base byte) {
	if !m.FromClient {
		return serverClear, byte(m.Sequence)
	}
	p, _ := m.prefix()
	return clientClear, byte(p.serverID) ^ byte(p.messageAck)
}

// keyText is a command as the cipher uses it.
func keyText(text []byte) []byte {
	k := make([]byte, 0, len(text))
	for _, c := range text {
		if c == 0 {
			break
		}
		k = append(k, keyCharacter(c))
	}
	return k
}
