package quake3

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net/netip"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/handshake"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// The vectors of this file were made with the engine's own message, Huffman and netchan code.

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestChecksum(t *testing.T) {
	const challenge = 0x1234ABCD
	for _, tt := range []struct{ sequence, want uint32 }{
		{299, 0x51b003a2}, {300, 0x478dfff1}, {301, 0x75daabc4},
	} {
		if got := netchan.Checksum(challenge, tt.sequence); got != tt.want {
			t.Errorf("checksum(%#x, %d) = %#x, want %#x", challenge, tt.sequence, got, tt.want)
		}
	}
	if got := netchan.SolveChallenge(0x478dfff1, 300); got != challenge {
		t.Errorf("solveChallenge = %#x, want %#x", got, challenge)
	}
}

// TestHashKey: bytes above 127 that a game keeps are signed, as char is in C, and the first 32 characters count. The
// last rows are of a program in C with the rules of MSG_HashKey, src/qcommon/msg.c of ET: Legacy and
// src/qcommon/msg.cpp of Tremulous; it has the engine's results for the first ones too.
func TestHashKey(t *testing.T) {
	for _, tt := range []struct {
		text string
		kept token.Kept
		want uint32
	}{
		{"", 0, 0},
		{"score", 0, 65296},
		{"print \"hello 50%\n\"", 0, 173359},
		{"print \"\xe9t\xe9 100%\"", 0, 135699},
		{"print \"\xe9t\xe9 100%\"", token.KeptHigh, 118354},
		{"print \"\xe9t\xe9 100%\"", token.KeptPercent, 134505},
		{"\xff\xfe", token.KeptHigh, 1<<32 - 359},
		{"0123456789abcdefghijklmnopqrstuvwxyz", 0, 395337},
	} {
		if got := token.HashKey([]byte(tt.text), tt.kept); got != tt.want {
			t.Errorf("hashKey(%q, %d) = %d, want %d", tt.text, tt.kept, got, tt.want)
		}
	}
}

const (
	plainServerMessage = "bf1a31835a7884c290bd8970304cccd93bf6443f4dc45d01"
	codedServerMessage = "bf1a3183c828adabdb949009675bf90a89b6241b58b11818"
	plainClientMessage = "87cdc19782ad33a8a155cd7b3c7b041389f49cc9f695677c8a2f2b324e17b8b6f7f870693a1100"
	codedClientMessage = "87cdc19782ad33a8a155cd7b2d8e9853bd80ca4f15ae30f523ecd89debf629c3eb38c49dec1763"
)

func TestDecipher(t *testing.T) {
	const challenge = 0x1234ABCD
	for _, tt := range []struct {
		name         string
		coded, plain string
		start        int
		key          int32
		command      string
	}{
		{"server", codedServerMessage, plainServerMessage, netchan.ServerClearBytes, challenge ^ 300, `say "100% "`},
		{"client", codedClientMessage, plainClientMessage, netchan.ClientClearBytes, challenge ^ 0x12D687 ^ 299, "print \"hello 50%\n\""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			body := unhex(t, tt.coded)
			netchan.Decipher(body, tt.start, byte(tt.key), []byte(tt.command), 0)
			if got := hex.EncodeToString(body); got != tt.plain {
				t.Errorf("deciphered %s, want %s", got, tt.plain)
			}
		})
	}
}

// legacySession is a conversation of protocol 68 in the state that the vectors need.
func legacySession() *conversation {
	c := newConversation(dissect.Options{})
	c.Offered = handshake.Offer{Challenge: 0x1234ABCD, Known: true, Fresh: true, Protocol: 68}
	c.begin(0)
	c.resume()
	c.client.put(7, []byte(`say "100% "`))
	c.server.put(42, []byte("print \"hello 50%\n\""))
	c.feeds.put(0x12D687, 0x5EED1234, true)
	return c
}

// deliver dissects a datagram with a conversation, without waiting for later ones, and returns the record.
func deliver(c *conversation, direction dissect.Direction, payload []byte) *dissect.Record {
	rec := deliverable(direction, payload)
	rec.Final = true
	c.Dissect(rec)
	return rec
}

// deliverable is a record of a datagram.
func deliverable(direction dissect.Direction, payload []byte) *dissect.Record {
	rec := dissect.NewRecord()
	rec.Packet = dissect.Packet{
		UDP: true, Payload: payload, Length: len(payload), Frame: 1,
		Src: netip.MustParseAddrPort("192.0.2.1:27960"), Dst: netip.MustParseAddrPort("192.0.2.2:27960"),
	}
	rec.Direction = direction
	return rec
}

func datagram(header []byte, body []byte) []byte {
	return append(header[:len(header):len(header)], body...)
}

func sequenceHeader(sequence uint32) []byte { return binary.LittleEndian.AppendUint32(nil, sequence) }

func TestLegacyMessages(t *testing.T) {
	c := legacySession()
	server := deliver(c, dissect.ServerToClient, datagram(sequenceHeader(300), unhex(t, codedServerMessage)))
	want := []string{
		"version 68", "encoding legacy", "session 0", "netchan.sequence 300", "netchan.fragmented false",
		"netchan.lost_before 299",
		"server_message.reliable_acknowledge 7",
		"server_message.ops[0].server_command.sequence 42",
		"server_message.ops[0].server_command.command print \"hello 50.\n\"",
		"server_message.ops[0].server_command.repeat true",
		"server_message.ops[0].server_command.name print",
		"server_message.ops[0].server_command.arguments[0] hello 50.\n",
		"server_message.ops[1].nop", "server_message.ops[2].eof",
	}
	if diff := cmp.Diff(want, leaves(server.Tree)); diff != "" {
		t.Errorf("server message (-want +got):\n%s", diff)
	}
	header := append(sequenceHeader(77), 0x39, 0x30)
	client := deliver(c, dissect.ClientToServer, datagram(header, unhex(t, codedClientMessage)))
	want = []string{
		"version 68", "encoding legacy", "session 0", "netchan.sequence 77", "netchan.fragmented false",
		"netchan.qport 12345", "netchan.lost_before 76", "client_message.server_id 1234567",
		"client_message.message_acknowledge 299", "client_message.reliable_acknowledge 42",
		"client_message.ops[0].client_command.sequence 8",
		"client_message.ops[0].client_command.command score",
		"client_message.ops[0].client_command.name score",
		"client_message.ops[0].client_command.arguments",
		"client_message.ops[1].move.count 2",
		"client_message.ops[1].move.user_commands[0].server_time 123456",
		"client_message.ops[1].move.user_commands[0].angles.pitch 1000",
		"client_message.ops[1].move.user_commands[0].angles.yaw 40000",
		"client_message.ops[1].move.user_commands[0].angles.roll 0",
		"client_message.ops[1].move.user_commands[0].forwardmove 127",
		"client_message.ops[1].move.user_commands[0].rightmove 0",
		"client_message.ops[1].move.user_commands[0].upmove 0",
		"client_message.ops[1].move.user_commands[0].buttons 1",
		"client_message.ops[1].move.user_commands[0].weapon 5",
		"client_message.ops[1].move.user_commands[1].server_time 123464",
		"client_message.ops[1].move.user_commands[1].angles.pitch 1000",
		"client_message.ops[1].move.user_commands[1].angles.yaw 40100",
		"client_message.ops[1].move.user_commands[1].angles.roll 0",
		"client_message.ops[1].move.user_commands[1].forwardmove 127",
		"client_message.ops[1].move.user_commands[1].rightmove 0",
		"client_message.ops[1].move.user_commands[1].upmove 0",
		"client_message.ops[1].move.user_commands[1].buttons 0",
		"client_message.ops[1].move.user_commands[1].weapon 5",
		"client_message.ops[2].eof",
	}
	if diff := cmp.Diff(want, leaves(client.Tree)); diff != "" {
		t.Errorf("client message (-want +got):\n%s", diff)
	}
	for _, rec := range []*dissect.Record{server, client} {
		if len(rec.Experts) != 0 {
			t.Errorf("expert entries: %v", rec.Experts)
		}
	}
}

// leaves returns a tree as lines "path value", without the protocol's own name; an empty container is a line
// too.
func leaves(t *dissect.Tree) []string {
	var lines []string
	var walk func(i int, path string)
	walk = func(i int, path string) {
		n := &t.Nodes[i]
		f := n.Field
		if !f.Kind.Container() {
			lines = append(lines, path+" "+leafValue(t, n))
			return
		}
		if int(n.End) == i+1 {
			lines = append(lines, path)
		}
		at := 0
		for c := i + 1; c < int(n.End); c = int(t.Nodes[c].End) {
			child := &t.Nodes[c]
			sub := path
			switch f.Kind {
			case dissect.List:
				sub += "[" + strconv.Itoa(at) + "]"
			case dissect.Choices:
				sub += "[" + strconv.Itoa(at) + "]." + child.Field.Key
			case dissect.Sparse:
				sub += "." + strconv.Itoa(int(child.Index))
			default:
				if sub != "" {
					sub += "."
				}
				sub += child.Field.Key
			}
			walk(c, sub)
			at++
		}
	}
	if len(t.Nodes) > 0 {
		walk(0, "")
	}
	return lines
}

func leafValue(t *dissect.Tree, n *dissect.Node) string {
	switch n.Field.Kind {
	case dissect.Bool:
		return strconv.FormatBool(n.Bool())
	case dissect.Uint:
		return strconv.FormatUint(n.Uint(), 10)
	case dissect.Int:
		return strconv.FormatInt(n.Int(), 10)
	case dissect.Float:
		return strconv.FormatFloat(float64(n.Float()), 'g', -1, 32)
	case dissect.Hex:
		return fmt.Sprintf("%x", t.Bytes(n))
	}
	return string(t.Bytes(n))
}
