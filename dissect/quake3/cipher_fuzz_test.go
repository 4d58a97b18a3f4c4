package quake3

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
)

// A chat is an enciphered session between two sides that follow a fuzzer's script: each message carries one
// reliable command, acknowledges all of the other side's, and is keyed with the last of them.
type chat struct {
	server, client []string // commands so far
	last           [2][]byte
}

func (c *chat) serverSays(text string) (payload []byte, want string) {
	n := len(c.server) + 1
	key := ""
	if len(c.client) > 0 {
		key = c.client[len(c.client)-1]
	}
	c.server = append(c.server, "print \""+text+"\"")
	return fromServer(uint32(n), serverPrint(int32(len(c.client)), int32(n), text), key),
		fmt.Sprintf("server_message.ops[0].server_command.command %s", c.server[n-1])
}

func (c *chat) clientSays(text string) (payload []byte, want string) {
	n := len(c.client) + 1
	key := ""
	if len(c.server) > 0 {
		key = c.server[len(c.server)-1]
	}
	c.client = append(c.client, "say "+text)
	return fromClient(uint32(n), clientSay(int32(len(c.server)), int32(n), text), key),
		fmt.Sprintf("client_message.ops[0].client_command.command %s", c.client[n-1])
}

// FuzzCipher runs a session, and adds copies of its datagrams that are cut or damaged after the header, and
// arbitrary packets. Whatever these are, each message that was sent is read completely.
func FuzzCipher(f *testing.F) {
	f.Add([]byte{0, 1, 1, 2, 0, 3, 1, 4})
	f.Add([]byte{0, 1, 4, 0, 2, 99, 1, 2, 3, 50, 5, 7, 0, 3, 6, 1, 1, 9})
	f.Add(bytes.Repeat([]byte{0, 7, 2, 130, 1, 8, 3, 131, 4, 0}, 20))
	f.Fuzz(func(t *testing.T, script []byte) {
		c := newConversation(dissect.Options{})
		c.offered = offer{challenge: holdChallenge, known: true, fresh: true, protocol: 68}
		c.begin(0)
		c.resume()
		var s chat
		for len(script) >= 2 && len(s.server)+len(s.client) < 400 {
			op, arg := script[0]%7, script[1]
			script = script[2:]
			direction, side := dissect.ServerToClient, 0
			if op%2 == 1 {
				direction, side = dissect.ClientToServer, 1
			}
			text := fmt.Sprintf("%c%c line %d", 'a'+arg%26, 'a'+arg/10, arg)
			var payload []byte
			want := ""
			switch op {
			case 0:
				payload, want = s.serverSays(text)
				s.last[0] = payload
			case 1:
				payload, want = s.clientSays(text)
				s.last[1] = payload
			case 2, 3: // damaged where it is enciphered
				if payload = bytes.Clone(s.last[side]); len(payload) == 0 {
					continue
				}
				from := 4 + serverClearBytes
				if side == 1 {
					from = 6 + clientClearBytes
				}
				at := from + int(arg)%max(len(payload)-from, 1)
				payload[min(at, len(payload)-1)] ^= 1 << (arg & 7)
			case 4, 5: // again, or the beginning of it
				payload = s.last[side]
				if op == 5 {
					payload = payload[:int(arg)*len(payload)>>8]
				}
			case 6:
				payload = []byte(outOfBand(text))
			}
			if payload == nil {
				continue
			}
			rec := deliver(c, direction, payload)
			checkRecord(t, rec, max(len(payload), len(rec.Message))<<3)
			if want != "" && !slices.Contains(leaves(rec.Tree), want) {
				t.Fatalf("%s is not in %q", want, leaves(rec.Tree))
			}
		}
	})
}
