package quake3

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
)

func TestServerSample(t *testing.T) {
	rec := deliver(nativeSession(dissect.Options{State: true}), dissect.ServerToClient, datagram(nativeHeader(1, false), serverSample()))
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
				if len(rec.Experts) != 1 || rec.Experts[0].Code != expertTruncated || !rec.Damaged {
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
	whole := leaves(deliver(nativeSession(dissect.Options{}), dissect.ServerToClient, datagram(nativeHeader(9, false), body)).Tree)
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
