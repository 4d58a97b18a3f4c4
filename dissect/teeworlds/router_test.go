package teeworlds

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// chunk06 puts a header of 0.6 before a message; sequence 0 is not vital.
func chunk06(sequence int, message ...byte) []byte {
	head := []byte{byte(len(message) >> 4), byte(len(message) & 0x0f)}
	if sequence > 0 {
		head[0] |= chunkVital
		head = append(head, byte(sequence))
	}
	return append(head, message...)
}

func say06(sequence int, text string) []byte {
	return chunk06(sequence, append(append([]byte{17 << 1, 0}, text...), 0)...)
}

func chat06(sequence int, text string) []byte {
	return chunk06(sequence, append(append([]byte{3 << 1, 0, 0}, text...), 0)...)
}

// chunk07 puts a header of 0.7 before a message that is not vital.
func chunk07(message ...byte) []byte {
	return append([]byte{byte(len(message) >> 6), byte(len(message) & 0x3f)}, message...)
}

const (
	theServer = "192.0.2.1:31000"
	theClient = "198.51.100.7:5000"
	sayHello  = "hello everybody, how are you?"
)

// A sending is a datagram, and what the router shall make of it in the end: conversation, direction, dialect.
type sending struct {
	fromServer bool
	payload    []byte
	want       string
}

// routeAll routes datagrams like the engine: what is undecided is asked about again.
func routeAll(r *router, all []sending) []string {
	got, streams := make([]string, len(all)), map[*dissect.Stream]int{}
	for i := range len(all) + 1 {
		for k := range min(i+1, len(all)) {
			if got[k] != "" {
				continue
			}
			p := dissect.Packet{
				Frame: uint64(k + 1), UDP: true, Src: netip.MustParseAddrPort(theClient), Dst: netip.MustParseAddrPort(theServer),
				Payload: all[k].payload, Length: len(all[k].payload),
			}
			if all[k].fromServer {
				p.Src, p.Dst = p.Dst, p.Src
			}
			switch route := r.Route(&p, 0, false); route.Decision {
			case dissect.Mine:
				if _, ok := streams[route.Stream]; !ok {
					streams[route.Stream] = len(streams)
				}
				got[k] = fmt.Sprint(streams[route.Stream], " ", route.Direction, " ", tables.Dialect(route.Hint))
			case dissect.Foreign:
				got[k] = "foreign"
			}
		}
	}
	return got
}

func TestRouter(t *testing.T) {
	t.Parallel()
	const (
		c06, s06 = "0 client_to_server 0.6", "0 server_to_client 0.6"
		cdd, sdd = "0 client_to_server ddnet", "0 server_to_client ddnet"
		c07, s07 = "0 client_to_server 0.7", "0 server_to_client 0.7"
	)
	plain := func(chunks ...[]byte) []byte {
		p := []byte{0, 0, byte(len(chunks))}
		for _, c := range chunks {
			p = append(p, c...)
		}
		return p
	}
	token := func(p []byte) []byte { return append(p, 9, 8, 7, 6) }
	head65 := func(p []byte) []byte { return append([]byte{p[0] | 8, p[1], p[2], 9, 8, 7, 6}, p[3:]...) }
	packed := func(p []byte) []byte { return append([]byte{0x80, 0, p[2]}, huffcodec.EncodeTeeworlds(nil, p[3:])...) }
	seven := func(chunk []byte, token uint32) []byte {
		return append(binary.BigEndian.AppendUint32([]byte{0, 0, 1}, token), chunk...)
	}
	zeros := func(n int) []byte { return make([]byte, n) }
	input := chunk06(0, 0x21, 0x40, 0x01, 40, 0, 1, 2, 0, 1, 0, 1, 2, 0, 0) // INPUT of 0.6, id 16
	for _, tt := range []struct {
		name string
		all  []sending
	}{
		{"0.6.4 from the handshake", []sending{
			{false, []byte{0x10, 0, 0, 1}, c06},
			{true, []byte{0x10, 0, 0, 2}, s06},
			{false, []byte{0x10, 0, 0, 3}, c06},
			{false, plain(say06(1, sayHello)), c06},
			{true, plain(chat06(1, sayHello)), s06},
			{false, packed(plain(say06(2, sayHello), input)), c06},
			{true, plain(chat06(2, sayHello)), s06},
		}},
		{"0.6.5", []sending{
			{false, append([]byte{0x10, 0, 0, 1, 0, 0, 0, 0, 1, 2, 3, 4}, zeros(504)...), c06},
			{true, []byte{0x18, 0, 0, 1, 2, 3, 4, 2, 9, 8, 7, 6}, s06},
			{false, head65(plain(say06(1, sayHello))), c06},
			{true, head65(plain(chat06(1, sayHello))), s06},
		}},
		{"0.6.5 from the middle", []sending{
			{true, head65(plain(chat06(200, sayHello))), s06},
			{false, head65(plain(say06(100, sayHello))), c06},
			{true, head65(plain(chat06(201, sayHello))), s06},
		}},
		{"DDNet client, server without tokens", []sending{
			{false, append([]byte{0x10, 0, 0, 1}, "TKEN\xff\xff\xff\xff"...), cdd},
			{true, []byte{0x10, 0, 0, 2}, s06},
			{false, plain(say06(1, sayHello)), c06},
		}},
		{"DDNet from the middle, one side", []sending{
			{true, token(plain(chat06(200, sayHello))), sdd},
			{true, token(plain(chat06(201, sayHello))), sdd},
			{true, token(plain(chat06(202, sayHello))), sdd},
		}},
		{"0.7 asked first, then DDNet", []sending{
			{false, append([]byte{4, 0, 0, 0xff, 0xff, 0xff, 0xff, 5, 1, 2, 3, 4}, zeros(508)...), c07},
			{true, []byte{4, 0, 0, 1, 2, 3, 4, 5, 9, 9, 9, 9}, s07},
			{false, connlessPacket(tables.V07, "gie3", "\x01"), c07},
			{true, connlessPacket(tables.V07, "inf3", "\x01"), s07},
			{false, append([]byte{0x10, 0, 0, 1}, "TKEN\xff\xff\xff\xff"...), cdd},
			{false, connlessPacket(tables.V06, "gie3", "\x01"), c06},
			{true, connlessPacket(tables.V06, "iext", "1\x00"), sdd},
			{true, append([]byte{0x10, 0, 0, 2}, "TKEN\x01\x02\x03\x04"...), sdd},
			{true, token(plain(chat06(1, sayHello))), sdd},
		}},
		{"0.7 from the middle, with a bare resend request first", []sending{
			{false, []byte{8, 0, 0, 1, 2, 3, 4}, c07},
			{false, seven(chunk07(append([]byte{24 << 1, 1, 0x40}, sayHello+"\x00"...)...), 0x01020304), c07},
			{false, seven(chunk07(append([]byte{24 << 1, 1, 0x40}, strings.ToUpper(sayHello)+"\x00"...)...), 0x01020304), c07},
		}},
		{"0.7 with a token that changes is not believed", []sending{
			{false, seven(chunk07(append([]byte{24 << 1, 1, 0x40}, sayHello+"\x00"...)...), 1), ""},
			{false, seven(chunk07(append([]byte{24 << 1, 1, 0x40}, sayHello+"\x00"...)...), 2), ""},
			{false, seven(chunk07(append([]byte{24 << 1, 1, 0x40}, sayHello+"\x00"...)...), 3), "foreign"},
		}},
		{"one packet is not enough", []sending{{true, token(plain(chat06(200, sayHello))), ""}}},
		{"a chat of the server does not come from a client", []sending{
			{true, token(plain(chat06(200, sayHello))), ""},
			{false, token(plain(chat06(201, sayHello))), ""},
			{true, token(plain(chat06(202, sayHello))), ""},
			{false, token(plain(chat06(203, sayHello))), "foreign"},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want := make([]string, len(tt.all))
			for i, s := range tt.all {
				want[i] = s.want
			}
			got := routeAll(newRouter(), tt.all)
			if want[len(want)-1] == "foreign" { // what came before is then asked about again and for good
				got, want = got[len(got)-1:], want[len(want)-1:]
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestAccepted: a session that began before the capture needs 24 bytes of messages, two packets with messages that
// only one side sends, and two packets with the same token; one of 0.6, which may have no tokens, four packets with
// messages.
func TestAccepted(t *testing.T) {
	for _, v := range []struct {
		name    string
		g       candidate
		dialect tables.Dialect
		want    bool
	}{
		{"enough", candidate{bytes: 24, known: 2, tokens: 1}, tables.V07, true},
		{"a byte less", candidate{bytes: 23, known: 2, tokens: 1}, tables.V07, false},
		{"one packet with messages of one side", candidate{bytes: 24, known: 1, tokens: 1}, tables.V07, false},
		{"no token twice", candidate{bytes: 24, known: 2, hits: 9}, tables.DDNet, false},
		{"0.6 with a token", candidate{bytes: 24, known: 2, tokens: 1, hits: 2}, tables.V06, true},
		{"0.6 without tokens", candidate{bytes: 24, known: 2, hits: 4}, tables.V06, true},
		{"0.6 without tokens, three packets", candidate{bytes: 24, known: 2, hits: 3}, tables.V06, false},
	} {
		if got := v.g.accepted(v.dialect); got != v.want {
			t.Errorf("%s: %v", v.name, got)
		}
	}
}

// TestNeverSet: a packet of a connection has none of these bits in its first byte, and a chunk that is not vital none
// of those in its second byte that hold a part of the sequence in others: CNetBase::UnpackPacket and
// CNetChunkHeader::Unpack, src/engine/shared/network.cpp of each game.
func TestNeverSet(t *testing.T) {
	t.Parallel()
	for d, tt := range map[tables.Dialect]struct {
		packet []byte // one chunk that is not vital, with one byte
		bits   []byte // of the first byte
		chunk  []byte // bits of the chunk's second byte
	}{
		tables.V07:   {[]byte{0, 0, 1, 9, 8, 7, 6, 0, 1, 2}, []byte{0x20, 0x40, 0x80}, []byte{0x40, 0x80}},
		tables.DDNet: {[]byte{0, 0, 1, 0, 1, 2, 9, 8, 7, 6}, []byte{0x04, 0x08, 0x20}, []byte{0x10, 0x20, 0x40, 0x80}},
		tables.V06:   {[]byte{0, 0, 1, 0, 1, 2}, []byte{0x04, 0x20}, []byte{0x10, 0x20, 0x40, 0x80}},
	} {
		at := headerLen(0, d) + 1
		check := func(place int, bit byte, want bool) {
			b := slices.Clone(tt.packet)
			b[place] |= bit
			if got := plausible(&dissect.Packet{UDP: true, Payload: b, Length: len(b)}, d); got != want {
				t.Errorf("%v, byte %d with %#x: %v", d, place, bit, got)
			}
		}
		check(0, 0, true)
		check(0, 3, true) // of the acknowledgement
		for _, bit := range tt.bits {
			check(0, bit, false)
		}
		for _, bit := range tt.chunk {
			check(at, bit, false)
		}
	}
}

// TestBroadcastToken asks for a token by broadcast, as the list of servers in the local network does: the server
// answers from its own address, and the answer belongs to the token that was asked for.
func TestBroadcastToken(t *testing.T) {
	t.Parallel()
	const client, another = "192.0.2.7:38754", "192.0.2.7:38755"
	ask := append([]byte{4, 0, 0, 0xff, 0xff, 0xff, 0xff, 5, 1, 2, 3, 4}, make([]byte, 508)...)
	answer := []byte{4, 0, 0, 1, 2, 3, 4, 5, 9, 9, 9, 9}
	// the address is not chosen yet where a capture of all interfaces sees it
	for _, from := range []string{client, "0.0.0.0:38754"} {
		r := newRouter()
		for i, step := range []struct {
			src, dst string
			payload  []byte
			want     string
		}{
			{theServer, client, answer, "foreign"},
			{from, "255.255.255.255:8303", ask, "client_to_server"},
			{theServer, client, []byte{4, 0, 0, 1, 2, 3, 5, 5, 9, 9, 9, 9}, "foreign"}, // another token
			{theServer, another, answer, "foreign"},
			{theServer, client, answer, "server_to_client"},
			{client, theServer, connlessPacket(tables.V07, "gie3", "\x01"), "client_to_server"},
		} {
			p := dissect.Packet{
				Frame: uint64(i + 1), UDP: true, Src: netip.MustParseAddrPort(step.src), Dst: netip.MustParseAddrPort(step.dst),
				Payload: step.payload, Length: len(step.payload),
			}
			got := "foreign"
			if route := r.Route(&p, int64(i), true); route.Decision == dissect.Mine {
				got = route.Direction.String()
			}
			if got != step.want {
				t.Errorf("asked from %s, step %d: %s, want %s", from, i, got, step.want)
			}
		}
	}
}

// TestClaim takes what the user gives to the protocol, and forgets what is idle.
func TestClaim(t *testing.T) {
	t.Parallel()
	r := newRouter()
	r.Claim(31000, "ddnet")
	p := dissect.Packet{
		Frame: 1, UDP: true, HasTime: true, Time: 5, Src: netip.MustParseAddrPort(theServer),
		Dst: netip.MustParseAddrPort(theClient), Payload: []byte("anything"), Length: 8,
	}
	route := r.Route(&p, 5, true)
	if want := (dissect.Route{
		Decision: dissect.Mine, Stream: route.Stream, Direction: dissect.ServerToClient,
		Hint: uint64(tables.DDNet),
	}); route != want || route.Stream == nil {
		t.Errorf("%+v, want %+v", route, want)
	}
	if r.Expire(6); r.pairs.Len() != 0 {
		t.Errorf("%d pairs are kept", r.pairs.Len())
	}
}

// strangers are datagrams of other protocols, by their names: what they begin with, by which they are recognised, and
// how long they are; the rest is random.
var strangers = []struct {
	name, begin string
	min, max    int // bytes
}{
	{"QUIC", "\x40", 40, 1350},                           // RFC 9000, section 17.3
	{"DNS", "\x12\x34\x01\x00\x00\x01", 30, 120},         // RFC 1035, section 4.1.1
	{"RTP", "\x80\x60", 172, 172},                        // RFC 3550, section 5.1
	{"STUN", "\x00\x01\x00\x08\x21\x12\xa4\x42", 28, 28}, // RFC 8489, section 5
	{"random", "", 1, 1400},
}

// randomDatagrams makes datagrams, each between endpoints of its own. A capture that cuts has captured bytes of each.
func randomDatagrams(begin string, least, most, captured int) []dissect.Packet {
	random := rand.New(rand.NewPCG(7, 1999))
	all := make([]dissect.Packet, 1024)
	for i := range all {
		b := make([]byte, least+random.IntN(most-least+1))
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		copy(b, begin)
		all[i] = dissect.Packet{
			Frame: uint64(i + 1), UDP: true, Payload: b[:min(len(b), captured)], Length: len(b),
			Src: netip.AddrPortFrom(netip.MustParseAddr("198.51.100.1"), uint16(2000+i)),
			Dst: netip.MustParseAddrPort(theServer),
		}
	}
	return all
}

// TestStrangers tries datagrams of other protocols: it allocates nothing, and refuses nearly all at once, most even
// where the capture has only the beginning of each.
func TestStrangers(t *testing.T) {
	for _, s := range strangers {
		for captured, most := range map[int]float64{65535: 0.02, 80: 0.3} {
			r, all := newRouter(), randomDatagrams(s.begin, s.min, s.max, captured)
			foreign := all[:0:0]
			for i := range all {
				if r.Route(&all[i], 0, false).Decision == dissect.Foreign {
					foreign = append(foreign, all[i])
				}
			}
			if n := len(all) - len(foreign); float64(n) > most*float64(len(all)) {
				t.Errorf("%s, %d bytes of each: %d of %d datagrams could be ours", s.name, captured, n, len(all))
			}
			next := 0
			if n := testing.AllocsPerRun(4*len(foreign), func() {
				r.Route(&foreign[next], 0, false)
				next = (next + 1) % len(foreign)
			}); n != 0 {
				t.Errorf("%s, %d bytes of each: %v allocations", s.name, captured, n)
			}
		}
	}
}

// FuzzPlausible: no packet of messages is ruled out before it is decoded.
func FuzzPlausible(f *testing.F) {
	token := []byte{9, 8, 7, 6}
	f.Add(append([]byte{0, 0, 1}, say06(1, sayHello)...))
	f.Add(append(append([]byte{0, 0, 1}, token...), chunk07(24<<1|1)...))
	f.Add(append([]byte{0xc0, 0, 1}, huffcodec.EncodeTeeworlds(nil, append(chat06(1, sayHello), token...))...))
	f.Add(append(append([]byte{0x10, 0, 1}, token...), huffcodec.EncodeTeeworlds(nil, chunk07(24<<1|1))...))
	f.Fuzz(func(t *testing.T, b []byte) {
		p := dissect.Packet{UDP: true, Payload: b, Length: len(b)}
		for _, d := range candidateDialects {
			var j tester
			if len(b) == 0 || len(b) > tables.MaxPayload || b[0]&neverSet[d] != 0 || !j.packet.parse(b, d) {
				continue
			}
			if found := j.read(&p, d); found.data && found.senders != tables.SentByNobody && !plausible(&p, d) {
				t.Errorf("%x is %+v by the rules of %v, and not plausible", b, found, d)
			}
		}
	})
}

// BenchmarkForeign routes datagrams of other protocols.
func BenchmarkForeign(b *testing.B) {
	for _, s := range strangers {
		b.Run(s.name, func(b *testing.B) {
			r, all := newRouter(), randomDatagrams(s.begin, s.min, s.max, 65535)
			b.ReportAllocs()
			next := 0
			for b.Loop() {
				r.Route(&all[next], 0, true)
				next = (next + 1) & (len(all) - 1)
			}
		})
	}
}
