package quake3

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/handshake"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
)

func TestServerSample(t *testing.T) {
	rec := deliver(nativeSession(dissect.Options{State: true}), dissect.ServerToClient,
		datagram(nativeHeader(1, false), serverSample()))
	got := leaves(rec.Tree)
	const snap = "server_message.ops[1].snapshot."
	for _, want := range []string{
		"server_message.ops[0].gamestate.server_command_sequence 9",
		`server_message.ops[0].gamestate.configstrings[0].value \gamename\baseq3\mapname\q3dm17`,
		`server_message.ops[0].gamestate.configstrings[0].info \gamename\baseq3\mapname\q3dm17`,
		"server_message.ops[0].gamestate.baselines[0].number 70",
		"server_message.ops[0].gamestate.baselines[0].pos.tr_time 5",
		"server_message.ops[0].gamestate.baselines[0].pos.tr_base.x 12",
		"server_message.ops[0].gamestate.client_num 2",
		"server_message.ops[0].gamestate.checksum_feed 1592594996",
		snap + "player_state.stats.0 125",
		snap + "entities[0].number 70",
		snap + "entities[0].update baseline",
		snap + "entities[0].state.pos.tr_base.x 12",
		"server_message.ops[2].eof",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no line %q", want)
		}
	}
	if t.Failed() {
		t.Log(strings.Join(got, "\n"))
	}
}

// TestTruncation cuts messages at every byte: the rest decodes up to the cut and is marked as truncated, and
// the next message is unaffected.
func TestTruncation(t *testing.T) {
	for _, tt := range []struct {
		name      string
		direction dissect.Direction
		body      []byte
	}{
		{"server", dissect.ServerToClient, serverSample()},
		{"server command", dissect.ServerToClient, unhex(t, plainServerMessage)},
		{"client", dissect.ClientToServer, unhex(t, plainClientMessage)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fromClient := tt.direction == dissect.ClientToServer
			whole := deliver(nativeSession(dissect.Options{}), tt.direction, datagram(nativeHeader(9, fromClient), tt.body))
			full := leaves(whole.Tree)
			// The last byte of a message may be unused padding: losing it is no harm.
			for n := range len(tt.body) - 1 {
				if n == 1 && !fromClient {
					continue // a lone byte is a message of its own, without the number that begins others
				}
				c := nativeSession(dissect.Options{})
				rec := deliver(c, tt.direction, datagram(nativeHeader(8, fromClient), tt.body[:n]))
				if len(rec.Experts) == 0 || rec.Experts[0].Code != expertTruncated {
					t.Fatalf("cut at %d: entries %v", n, rec.Experts)
				}
				if at := rec.Experts[0].BitOffset; at > n<<3 || at < n<<3-51 {
					t.Errorf("cut at byte %d: fault said to be at bit %d", n, at)
				}
				next := leaves(deliver(c, tt.direction, datagram(nativeHeader(9, fromClient), tt.body)).Tree)
				if diff := cmp.Diff(dropLost(full), dropLost(next)); diff != "" {
					t.Fatalf("cut at %d: the next message (-want +got):\n%s", n, diff)
				}
			}
		})
	}
}

// dropLost removes the lines about missing messages.
func dropLost(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(s string) bool {
		return strings.HasPrefix(s, "netchan.lost_before ") || strings.HasSuffix(s, ".repeat true")
	})
}

// TestBitFlips flips every bit of a sample: each result is a record, and a good message after it is read as
// usual.
func TestBitFlips(t *testing.T) {
	body := serverSample()
	whole := leaves(deliver(nativeSession(dissect.Options{}), dissect.ServerToClient,
		datagram(nativeHeader(9, false), body)).Tree)
	for bit := range len(body) * 8 {
		bad := slices.Clone(body)
		bad[bit>>3] ^= 1 << (bit & 7)
		c := nativeSession(dissect.Options{})
		rec := deliver(c, dissect.ServerToClient, datagram(nativeHeader(8, false), bad))
		checkRecord(t, rec, (len(body)+8)<<3)
		next := leaves(deliver(c, dissect.ServerToClient, datagram(nativeHeader(9, false), body)).Tree)
		if diff := cmp.Diff(dropLost(whole), dropLost(next)); diff != "" {
			t.Fatalf("bit %d: the next message (-want +got):\n%s", bit, diff)
		}
	}
}

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
		c.Offered = handshake.Offer{Challenge: holdChallenge, Known: true, Fresh: true, Protocol: 68}
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
				from := 4 + netchan.ServerClearBytes
				if side == 1 {
					from = 6 + netchan.ClientClearBytes
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

// TestCommandNumbers: a damaged message that can be read to its end may carry any number. Only what a peer can have
// sent since the last message counts.
func TestCommandNumbers(t *testing.T) {
	t.Parallel()
	var c commands
	c.reset()
	late, repeated := netchan.Arrival{Late: true}, netchan.Arrival{Duplicate: true}
	for _, step := range []struct {
		number   int32
		sequence uint32
		arrival  netchan.Arrival
		believed bool
	}{
		{1_000_000, 500, netchan.Arrival{}, true}, // the session began before the capture
		{1_000_000, 500, repeated, true},
		{1_000_001, 500, repeated, false},
		{999_999, 499, late, true},
		{1_000_001, 499, late, true}, // acknowledged before message 500 was sent, which therefore lacks it
		{1_000_200, 499, late, false},
		{1_000_128, 501, netchan.Arrival{}, true},
		{1_000_257, 502, netchan.Arrival{}, false},
		{1127174673, 502, netchan.Arrival{}, false},
		{1_000_384, 503, netchan.Arrival{}, true}, // twice as many after two messages
		{-5, 504, netchan.Arrival{}, true},        // old, and ignored
		{1_000_512, 504, netchan.Arrival{}, true},
		{1_000_600, 3, netchan.Arrival{}, true}, // the number of an earlier message was damaged
	} {
		m := &message{arrival: step.arrival}
		m.header.Sequence = step.sequence
		if got := c.believes(step.number, m); got != step.believed {
			t.Errorf("command %d in message %d, %+v: %v", step.number, step.sequence, step.arrival, got)
		}
		if step.believed {
			c.put(step.number, nil)
			c.in = max(c.in, step.sequence)
		}
	}
}
