package teeworlds

import (
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/wiretest"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// unhexed reads hexadecimal with blanks.
func unhexed(tb testing.TB, text string) []byte {
	tb.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// datagramOf makes a record for a datagram.
func datagramOf(d tables.Dialect, direction dissect.Direction, payload []byte) *dissect.Record {
	rec := dissect.NewRecord()
	rec.Packet = dissect.Packet{
		Frame: 1, UDP: true, Payload: payload, Length: len(payload),
		Src: netip.MustParseAddrPort("192.0.2.1:8303"), Dst: netip.MustParseAddrPort("198.51.100.7:5000"),
	}
	rec.Direction, rec.Hint = direction, uint64(d)
	return rec
}

var listIndices = regexp.MustCompile(`\[\d+\]`)

// leaves decodes a datagram and lists the leaves of its tree and the expert entries.
func leaves(c *conversation, d tables.Dialect, direction dissect.Direction, payload []byte) []string {
	rec := datagramOf(d, direction, payload)
	c.Dissect(rec)
	var list []string
	for _, line := range wiretest.Leaves(rec.Tree) {
		if path, value, ok := strings.Cut(line, " "); ok { // not an empty container
			list = append(list, listIndices.ReplaceAllString(path, "")+" "+value)
		}
	}
	for _, e := range rec.Experts {
		list = append(list, "expert "+e.Severity.String()+" "+e.Code)
	}
	return list
}

const (
	toServer = dissect.ClientToServer
	toClient = dissect.ServerToClient
)

// The datagrams of the handshakes are those that the protocol description takes from the games' sources, the others
// are put together by it.
var packetTests = []struct {
	name      string
	Dialect   tables.Dialect
	direction dissect.Direction
	hex       string
	want      []string
}{
	{
		"the seed page's sample", tables.V07, toClient, "00 00 01 aabbccdd 40 06 0c 08 00 40 00 91 3b",
		[]string{
			"version 0.7", "ack 0", "num_chunks 1", "token aabbccdd", "chunks.vital true", "chunks.resend false",
			"chunks.size 6", "chunks.sequence 12", "chunks.state ok", "chunks.id 4", "chunks.system false",
			"chunks.sv_team.client_id 0", "chunks.sv_team.team -1", "chunks.sv_team.silent false",
			"chunks.sv_team.cooldown_tick 3793",
		},
	},
	{
		"the worked packet", tables.V07, toServer,
		"00 00 01 aabbccdd 40 19 01 03 302e3720383032663162653630613035363635 66 00 00 85 1c",
		[]string{
			"version 0.7", "ack 0", "num_chunks 1", "token aabbccdd", "chunks.vital true", "chunks.resend false",
			"chunks.size 25", "chunks.sequence 1", "chunks.state ok", "chunks.id 1", "chunks.system true",
			"chunks.info.net_version 0.7 802f1be60a05665f", "chunks.info.password ",
			"chunks.info.client_version 1797",
		},
	},
	{
		"flags and a high ack of 0.7", tables.V07, toServer, "0b ff 00 01020304",
		[]string{"version 0.7", "flags resend", "ack 1023", "num_chunks 0", "token 01020304"},
	},
	{
		"keepalive", tables.V07, toServer, "05 02 00 01020304 00",
		[]string{"version 0.7", "flags control", "ack 258", "num_chunks 0", "token 01020304"},
	},
	{
		"accept of a DDNet server that speaks 0.7", tables.V07, toClient, "04 00 00 01020304 02 a1a2a3a4",
		[]string{
			"version 0.7", "flags control", "ack 0", "num_chunks 0", "token 01020304",
			"control.accept.server_token a1a2a3a4",
		},
	},
	{
		"connect that DDNet repeats", tables.V07, toServer, "04 00 00 01020304 01 544b454e",
		[]string{"version 0.7", "flags control", "ack 0", "num_chunks 0", "token 01020304", "control.connect.magic TKEN"},
	},
	{
		"close without NUL", tables.V07, toClient, "04 00 00 01020304 04 627965",
		[]string{"version 0.7", "flags control", "ack 0", "num_chunks 0", "token 01020304", "control.close.reason bye"},
	},
	{
		"a control message that does not exist", tables.V07, toClient, "04 00 00 01020304 09 ff",
		[]string{
			"version 0.7", "flags control", "ack 0", "num_chunks 0", "token 01020304", "control.unknown.id 9",
			"control.unknown.data ff",
			"expert note unknown_message",
		},
	},
	{
		"a control packet without a message", tables.V07, toClient, "04 00 00 01020304",
		[]string{"version 0.7", "flags control", "ack 0", "num_chunks 0", "token 01020304", "expert error truncated"},
	},
	{
		"connect of 0.6.4", tables.V06, toServer, "10 00 00 01",
		[]string{"version 0.6", "flags control", "ack 0", "num_chunks 0"},
	},
	{
		"accept of 0.6.5", tables.V06, toClient, "18 00 00 01020304 02 a1a2a3a4",
		[]string{
			"version 0.6", "flags control", "flags token", "ack 0", "num_chunks 0", "token 01020304",
			"control.connectaccept.server_token a1a2a3a4",
		},
	},
	{
		"connect of DDNet", tables.DDNet, toServer, "10 00 00 01 544b454e ffffffff",
		[]string{"version ddnet", "flags control", "ack 0", "num_chunks 0", "token ffffffff", "control.connect.magic TKEN"},
	},
	{
		"close of DDNet", tables.DDNet, toClient, "10 01 00 04 62796500 a1a2a3a4",
		[]string{"version ddnet", "flags control", "ack 1", "num_chunks 0", "token a1a2a3a4", "control.close.reason bye"},
	},
	{
		"chunks of 0.6 have other sizes", tables.V06, toServer, "40 05 01 00 01 2f", // PING_REPLY
		[]string{
			"version 0.6", "flags resend", "ack 5", "num_chunks 1", "chunks.vital false", "chunks.resend false",
			"chunks.size 1", "chunks.id 23",
			"chunks.system true",
		},
	},
	{
		"too short", tables.V07, toServer, "00 00 01 02",
		[]string{"version 0.7", "undecoded 00000102", "expert error truncated"},
	},
	{
		"bytes behind the last chunk", tables.V07, toServer, "00 00 01 01020304 00 01 35 ee",
		[]string{
			"version 0.7", "ack 0", "num_chunks 1", "token 01020304", "chunks.vital false", "chunks.resend false",
			"chunks.size 1", "chunks.id 26", "chunks.system true", "rest ee", "expert warning trailing_bytes",
		},
	},
	{
		"a chunk that is longer than the packet", tables.V07, toServer, "00 00 01 01020304 00 09 35 36",
		[]string{
			"version 0.7", "ack 0", "num_chunks 1", "token 01020304", "chunks.vital false",
			"chunks.resend false", "chunks.size 9", "chunks.undecoded 3536", "expert error truncated",
		},
	},
	{
		"a compressed payload without its end", tables.V07, toServer, "10 00 01 01020304 ff",
		[]string{
			"version 0.7", "flags compression", "ack 0", "num_chunks 1", "token 01020304", "chunks.vital false",
			"chunks.resend false", "chunks.size 0", "rest 000000000000", "expert error truncated", "expert error truncated",
		},
	},
}

func TestPackets(t *testing.T) {
	t.Parallel()
	for _, tt := range packetTests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := leaves(newConversation(dissect.Options{}), tt.Dialect, tt.direction, unhexed(t, tt.hex))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestCutPackets decodes every beginning of the packets as captures with a snap length have them: there is no fault,
// and what is there is shown.
func TestCutPackets(t *testing.T) {
	t.Parallel()
	for _, tt := range packetTests {
		whole := unhexed(t, tt.hex)
		for n := range whole {
			rec := datagramOf(tt.Dialect, tt.direction, whole[:n:n])
			rec.Length = len(whole)
			newConversation(dissect.Options{}).Dissect(rec)
			if rec.Damaged {
				t.Errorf("%s, %d bytes: %v", tt.name, n, rec.Experts)
			}
			if !slices.ContainsFunc(rec.Experts, func(
				e dissect.Expert,
			) bool {
				return e.Code == message.ExpertTruncatedByCapture
			}) {
				t.Errorf("%s, %d bytes: nothing says that it is cut: %v", tt.name, n, wiretest.Leaves(rec.Tree))
			}
		}
	}
}

// TestChunkHeads has the two headers that the protocol description gives for the same chunk, and all fields in
// both forms.
func TestChunkHeads(t *testing.T) {
	t.Parallel()
	want := chunkHead{vital: true, size: 300, sequence: 700, length: 3}
	for d, text := range map[tables.Dialect]string{tables.V07: "44acbc", tables.V06: "52acbc", tables.DDNet: "52acbc"} {
		var got chunkHead
		if !got.parse(unhexed(t, text), d) || got != want {
			t.Errorf("%v: %+v, want %+v", d, got, want)
		}
		for n := range 3 {
			if got.parse(unhexed(t, text)[:n], d) {
				t.Errorf("%v: %d bytes are a header", d, n)
			}
		}
	}
	for sequence := range tables.MaxSequence {
		b07 := []byte{chunkVital | chunkResend, byte(sequence >> 2 & 0xc0), byte(sequence)}
		b06 := []byte{chunkVital | chunkResend, byte(sequence >> 2 & 0xf0), byte(sequence)}
		want := chunkHead{vital: true, resend: true, sequence: sequence, length: 3}
		var h07, h06 chunkHead
		if !h07.parse(b07, tables.V07) || !h06.parse(b06, tables.V06) || h07 != want || h06 != want {
			t.Fatalf("sequence %d: %+v, %+v", sequence, h07, h06)
		}
	}
}

// TestWindow follows the numbers of vital chunks, over their end and with losses.
func TestWindow(t *testing.T) {
	t.Parallel()
	type step struct {
		ack      bool
		sequence int
		want     chunkState
	}
	for _, tt := range []struct {
		name  string
		start window
		steps []step
	}{
		{"in order", window{known: true}, []step{{false, 1, chunkOK}, {false, 2, chunkOK}, {false, 2, chunkDuplicate}, {false, 1, chunkDuplicate}, {false, 3, chunkOK}}},
		{"a gap and what fills it", window{known: true}, []step{{false, 1, chunkOK}, {false, 3, chunkGap}, {false, 2, chunkOK}, {false, 3, chunkOK}}},
		{"the first of a session is not known", window{}, []step{{false, 700, chunkOK}, {false, 701, chunkOK}, {false, 699, chunkDuplicate}}},
		{"over the end", window{last: 1022, known: true}, []step{{false, 1023, chunkOK}, {false, 0, chunkOK}, {false, 1023, chunkDuplicate}, {false, 1, chunkOK}}},
		{"half way round", window{last: 600, known: true}, []step{{false, 88, chunkDuplicate}, {false, 87, chunkGap}, {false, 600 + 511 - 1024, chunkGap}}},
		{"the receiver had more than the capture", window{known: true}, []step{{false, 3, chunkGap}, {true, 3, 0}, {false, 4, chunkOK}, {false, 3, chunkDuplicate}}},
		{"an acknowledgement of what nobody sent", window{last: 9, known: true}, []step{{true, 109, 0}, {false, 10, chunkOK}, {false, 11, chunkOK}}},
		{"the next acknowledgement has less", window{last: 9, known: true}, []step{{true, 109, 0}, {true, 12, 0}, {false, 13, chunkOK}}},
		{"old acknowledgements do not count", window{last: 9, known: true}, []step{{true, 4, 0}, {false, 10, chunkOK}}},
	} {
		w := tt.start
		for i, s := range tt.steps {
			if s.ack {
				w.acknowledge(s.sequence)
			} else if got := w.arrive(s.sequence&(tables.MaxSequence-1), false); got != s.want {
				t.Errorf("%s: step %d is %s, want %s", tt.name, i, chunkStateNames[got], chunkStateNames[s.want])
			}
		}
	}
}

// TestWindowDoubt has chunks that nobody can read.
func TestWindowDoubt(t *testing.T) {
	t.Parallel()
	w := window{last: 9, known: true}
	w.arrive(10, false)
	w.doubt()
	if got := w.arrive(10, true); got != chunkDuplicate {
		t.Errorf("one that is sent again is %s", chunkStateNames[got])
	}
	for sequence := 10; sequence < 12; sequence++ {
		if got := w.arrive(sequence, false); got != chunkOK {
			t.Errorf("%d is %s", sequence, chunkStateNames[got])
		}
	}
	if got := w.arrive(11, false); got != chunkDuplicate {
		t.Errorf("the same again is %s", chunkStateNames[got])
	}
}

// connlessPacket puts a header before a connless message.
func connlessPacket(d tables.Dialect, tag, body string) []byte {
	head := "\xff\xff\xff\xff\xff\xff"
	if d == tables.V07 {
		head = "\x21abcdABCD"
	}
	return []byte(head + "\xff\xff\xff\xff" + tag + body)
}

// TestConnless has the messages that no reference capture holds, and faults.
func TestConnless(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		Dialect tables.Dialect
		packet  []byte
		want    []string
	}{
		{"legacy query", tables.V06, connlessPacket(tables.V06, "fstd", "\x07"), []string{"getinfo_64_legacy.token 7"}},
		{
			"legacy answer", tables.V06, connlessPacket(tables.V06, "dtsf",
				"7\x000.6.4\x00srv\x00dm1\x00DM\x001\x001\x008\x001\x0016\x00\x18bob\x00lab\x00-1\x00-5\x001\x00"),
			[]string{
				"info_64_legacy.token 7", "info_64_legacy.version 0.6.4", "info_64_legacy.name srv", "info_64_legacy.map dm1",
				"info_64_legacy.game_type DM", "info_64_legacy.flags 1", "info_64_legacy.num_players 1",
				"info_64_legacy.max_players 8", "info_64_legacy.num_clients 1", "info_64_legacy.max_clients 16",
				"info_64_legacy.offset 24", "info_64_legacy.clients.name bob", "info_64_legacy.clients.clan lab",
				"info_64_legacy.clients.country -1", "info_64_legacy.clients.score -5",
				"info_64_legacy.clients.is_player 1",
			},
		},
		{
			"more players", tables.V06, connlessPacket(tables.V06, "iex+", "7\x001\x00\x00bob\x00lab\x00-1\x00-5\x001\x00\x00"),
			[]string{
				"info_extended_more.token 7", "info_extended_more.packet_no 1", "info_extended_more.reserved ",
				"info_extended_more.clients.name bob", "info_extended_more.clients.clan lab",
				"info_extended_more.clients.country -1", "info_extended_more.clients.score -5",
				"info_extended_more.clients.is_player 1", "info_extended_more.clients.reserved ",
			},
		},
		{
			"challenge", tables.V06, connlessPacket(tables.V06, "chal",
				"01234567-89ab-cdef-0123-456789abcdef:tw0.6/ipv4\x00secret\x00"),
			[]string{
				"challenge.challenge_secret 01234567-89ab-cdef-0123-456789abcdef", "challenge.colon :",
				"challenge.protocol tw0.6/ipv4", "challenge.token secret",
			},
		},
		{
			"challenge to a server of 0.7", tables.V07, connlessPacket(tables.V07, "chal",
				"01234567-89ab-cdef-0123-456789abcdef:tw0.7/ipv6\x00secret\x00"),
			[]string{
				"challenge.challenge_secret 01234567-89ab-cdef-0123-456789abcdef", "challenge.colon :",
				"challenge.protocol tw0.7/ipv6", "challenge.token secret",
			},
		},
		{"a text for a number", tables.V06, connlessPacket(tables.V06, "iex+", "07\x00x\x00\x00"), []string{
			"info_extended_more.token_text 07", "info_extended_more.packet_no_text x", "info_extended_more.reserved ",
			"expert note number_malformed", "expert note number_malformed",
		}},
		{"fewer players than announced", tables.V07, connlessPacket(tables.V07, "inf3", "\x01v\x00n\x00h\x00m\x00g\x00\x00\x00\x01\x08\x02\x10a\x00b\x00\x00\x00\x00"), []string{
			"info.browser_token 1", "info.version v", "info.name n", "info.hostname h", "info.map m", "info.game_type g",
			"info.flags 0", "info.skill_level 0", "info.num_players 1", "info.max_players 8", "info.num_clients 2",
			"info.max_clients 16", "info.clients.name a", "info.clients.clan b", "info.clients.country 0",
			"info.clients.score 0", "info.clients.player_type 0", "expert error truncated",
		}},
		{"version of the client", tables.V07, connlessPacket(tables.V07, "vmlg", "\x00\x00\x07\x05"), []string{"getmaplist.client_version 1797"}},
		{"more than is known", tables.V07, connlessPacket(tables.V07, "fwok", "xy"), []string{"fwok.rest 7879"}},
		{"an unknown tag", tables.V07, connlessPacket(tables.V07, "abcd", "xy"), []string{"unknown.tag abcd", "unknown.data 7879", "expert note unknown_message"}},
		{"no mark", tables.V07, []byte("\x21abcdABCDxyz"), []string{"unknown.data 78797a", "expert note unknown_message"}},
		{"half an address", tables.V07, connlessPacket(tables.V07, "lis2", strings.Repeat("\x00", 10)+"\xff\xff\x7f\x00\x00\x01\x20\x6f\x00"), []string{
			"list.servers.ip 00000000000000000000ffff7f000001", "list.servers.port 8303", "list.servers.address 127.0.0.1:8303",
			"list.servers.ip 00",
			"expert error truncated",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, line := range leaves(newConversation(dissect.Options{}), tt.Dialect, toClient, tt.packet) {
				if rest, ok := strings.CutPrefix(line, "connless."); ok {
					got = append(got, rest)
				} else if strings.HasPrefix(line, "expert") {
					got = append(got, line)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// FuzzDissect decodes any datagram by any rules: positions stay inside, and what is known afterwards does not depend
// on whether somebody looks.
func FuzzDissect(f *testing.F) {
	for _, tt := range packetTests {
		f.Add(uint8(tt.Dialect), tt.direction == toServer, unhexed(f, tt.hex))
	}
	f.Add(uint8(tables.V07), false, snapPacket(7, fullVector, 10, 11, 87))
	f.Add(uint8(tables.V07), false, connlessPacket(tables.V07, "inf3", "\x01v\x00n\x00"))
	f.Add(uint8(tables.V06), false, connlessPacket(tables.V06, "iext", "1\x00"))
	f.Fuzz(func(t *testing.T, dialectByte uint8, fromClient bool, payload []byte) {
		d := tables.Dialect(dialectByte % uint8(tables.NumDialects))
		direction := toClient
		if fromClient {
			direction = toServer
		}
		payload = payload[:len(payload):len(payload)]
		c, blind := newConversation(dissect.Options{State: true}), newConversation(dissect.Options{State: true})
		for range 2 { // the second time as a duplicate
			rec, dark := datagramOf(d, direction, payload), datagramOf(d, direction, payload)
			dark.NoTree = true
			c.Dissect(rec)
			blind.Dissect(dark)
			if rec.Damaged != dark.Damaged || rec.MessageDone != dark.MessageDone || c.windows != blind.windows {
				t.Fatalf("with a tree %v, without %v", rec.Damaged, dark.Damaged)
			}
			limit := max(len(payload), len(rec.Message)) << 3
			for i := range rec.Tree.Nodes {
				if n := &rec.Tree.Nodes[i]; int(n.Bit+n.Bits) > limit || int(n.End) <= i || int(n.End) > len(rec.Tree.Nodes) {
					t.Fatalf("node %d %s at %d, %d bits, end %d; %d bits in all", i, n.Field.Key, n.Bit, n.Bits, n.End, limit)
				}
			}
			if rec.Tree.Depth() != 0 {
				t.Fatal("containers are open")
			}
			appendInfo(nil, rec)
		}
	})
}

// snapPacket is a datagram with a SNAPSINGLE (id 8 of 0.7).
func snapPacket(sequence int, data []byte, tick, offset, crc int32) []byte {
	body := wiretest.AppendInt(nil, 8<<1|1)
	for _, n := range []int32{tick, offset, crc, int32(len(data))} {
		body = wiretest.AppendInt(body, n)
	}
	body = append(body, data...)
	p := append(binary.BigEndian.AppendUint32([]byte{0, byte(sequence), 1}, 0x01020304), byte(len(body)>>6),
		byte(len(body)&0x3f))
	return append(p, body...)
}

// compressed compresses the payload of a packet of 0.7.
func compressed(p []byte) []byte {
	head := slices.Clone(p[:headerLen07])
	head[0] |= 0x10
	return append(head, huffcodec.EncodeTeeworlds(nil, p[headerLen07:])...)
}
