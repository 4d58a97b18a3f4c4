package quake3

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/router"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// A routed is a datagram and the expected route: "0 c" is conversation 0, from the client.
type routed struct {
	src, dst string
	payload  string
	want     string
}

func outOfBand(s string) string { return "\xff\xff\xff\xff" + s }

// connectText is a connect packet as clients send it, compressed from byte 12 on.
func connectText(challenge int32, qport uint16) string {
	userinfo := fmt.Sprintf(`"\protocol\68\qport\%d\challenge\%d\name\Visor\rate\25000\snaps\20\model\sarge"`, qport, challenge)
	return outOfBand("connect ") + string(huffcodec.EncodeAdaptive(nil, []byte(userinfo)))
}

// clientPacket is a legacy packet of a client.
func clientPacket(sequence uint32, qport uint16) string {
	h := binary.LittleEndian.AppendUint16(sequenceHeader(sequence), qport)
	return string(datagram(h, clientSay(0, 1, "hello")))
}

func serverPacket(sequence uint32) string {
	return string(datagram(sequenceHeader(sequence), serverPrint(0, 1, "hello")))
}

func (p routed) packet() dissect.Packet {
	return dissect.Packet{
		UDP: true, HasTime: true, Src: netip.MustParseAddrPort(p.src), Dst: netip.MustParseAddrPort(p.dst),
		Payload: []byte(p.payload), Length: len(p.payload),
	}
}

// seen numbers streams in the order in which they come.
type seen map[*dissect.Stream]int

func (s seen) text(r dissect.Route) string {
	switch r.Decision {
	case dissect.Foreign:
		return "foreign"
	case dissect.Undecided:
		return "undecided"
	}
	direction := map[dissect.Direction]string{
		dissect.ClientToServer: "c", dissect.ServerToClient: "s",
		dissect.Undecidable: "?",
	}
	if _, ok := s[r.Stream]; !ok {
		s[r.Stream] = len(s)
	}
	return fmt.Sprintf("%d %s", s[r.Stream], direction[r.Direction])
}

const (
	server  = "192.0.2.1:27960"
	clientA = "198.51.100.7:5000"
	clientB = "198.51.100.7:5001" // the same address, another port
	master  = "192.0.2.99:27950"
	other   = "203.0.113.5:4000"
)

func TestRouter(t *testing.T) {
	handshake := []routed{
		{clientA, server, outOfBand("getchallenge 1 Quake3Arena"), "0 c"},
		{server, clientA, outOfBand("challengeResponse 99 1 68"), "0 s"},
		{clientA, server, connectText(99, 111), "0 c"},
		{server, clientA, outOfBand("connectResponse 99"), "0 s"},
		{clientA, server, clientPacket(1, 111), "0 c"},
		{server, clientA, serverPacket(1), "0 s"},
	}
	for _, tt := range []struct {
		name    string
		packets []routed
	}{
		{"handshake", handshake},
		{"a client changes its port", append(handshake[:6:6],
			routed{clientB, server, clientPacket(2, 111), "0 c"},
			routed{server, clientB, serverPacket(2), "0 s"},
			routed{clientA, server, clientPacket(3, 111), "0 c"},
		)},
		{"two clients of one address", append(handshake[:6:6],
			routed{clientB, server, outOfBand("getchallenge 2 Quake3Arena"), "1 c"},
			routed{clientB, server, connectText(100, 222), "1 c"},
			routed{server, clientB, outOfBand("connectResponse 100"), "1 s"},
			routed{clientB, server, clientPacket(1, 222), "1 c"},
			routed{clientA, server, clientPacket(2, 111), "0 c"},
		)},
		{"another client behind the same port", append(handshake[:6:6],
			routed{server, clientA, outOfBand("challengeResponse 100 1 71"), "0 s"},
			routed{clientA, server, connectText(100, 222), "1 c"},
			routed{server, clientA, outOfBand("connectResponse 100"), "1 s"},
			routed{clientA, server, clientPacket(1, 222), "1 c"},
			routed{clientA, server, connectText(101, 111), "1 c"}, // a challenge that the server has not given
			routed{server, clientA, outOfBand("challengeResponse 101 1 71"), "1 s"},
			routed{clientA, server, connectText(101, 111), "0 c"},
		)},
		{"a client comes back from another port", append(handshake[:6:6],
			routed{clientB, server, outOfBand("getchallenge 2 Quake3Arena"), "1 c"},
			routed{clientB, server, connectText(100, 111), "0 c"},
			routed{server, clientB, outOfBand("connectResponse 100"), "0 s"},
		)},
		{"rcon and rubbish beside the game", append(handshake[:6:6],
			routed{clientA, server, outOfBand("rcon secret status\x00"), "0 c"},
			routed{server, clientA, outOfBand("print\nmap: q3dm17"), "0 s"},
			routed{server, clientA, outOfBand(""), "0 s"},
			routed{clientA, server, outOfBand("\x01\x02\x03"), "0 c"},
			routed{clientA, server, "\x01", "0 c"},
		)},
		{"a server and its master ask each other", []routed{
			{server, master, outOfBand("heartbeat QuakeArena-1\n"), "0 c"},
			{master, server, outOfBand("getinfo abc"), "1 c"},
			{server, master, outOfBand("infoResponse\n\\challenge\\abc\\hostname\\x\\protocol\\68\\mapname\\q3dm17\\clients\\0\\sv_maxclients\\8\\gametype\\0"), "1 s"},
			{server, master, outOfBand("heartbeat QuakeArena-1\n"), "0 c"},
		}},
		{"only the client's side", []routed{
			{clientA, server, connectText(99, 111), "0 c"},
			{clientA, server, clientPacket(1, 111), "0 c"},
			{clientA, server, clientPacket(2, 111), "0 c"},
		}},
		{"only the server's side", []routed{
			{server, clientA, outOfBand("challengeResponse 99 1 68"), "0 s"},
			{server, clientA, serverPacket(1), "0 s"},
		}},
		{"QuakeWorld", []routed{
			{clientA, server, outOfBand("getchallenge"), "0 c"},
			{server, clientA, outOfBand("c1234\x00"), "0 s"}, // given up with it
			{clientA, server, outOfBand("connect 28 111 1234 \"\\name\\Visor\"\n"), "foreign"},
			{server, clientA, outOfBand("j\x00"), "foreign"},
			{clientA, server, clientPacket(1, 111), "foreign"},
			{clientB, server, outOfBand("print\nhello"), "undecided"}, // nothing shows that there is a server of the family
		}},
		{"Quake II, the client's side", []routed{
			{clientA, server, outOfBand("getchallenge"), "0 c"},
			{clientA, server, outOfBand("connect 34 111 1234 \"\\name\\Visor\"\n"), "0 c"},
			{clientA, server, clientPacket(1, 111), "foreign"},
			{clientA, server, outOfBand("getchallenge 7"), "1 c"}, // a word of the family counts again
			{clientA, server, connectText(99, 111), "1 c"},
			{clientA, server, clientPacket(1, 111), "1 c"},
		}},
		{"Half-Life", []routed{
			{clientA, server, outOfBand("getchallenge steam\n"), "foreign"},
			{server, clientA, outOfBand("A00000000 1234 3 1 0\n\x00"), "foreign"},
			{clientA, server, outOfBand("connect 48 1234 \"\\prot\\3\" \"\\name\\Visor\"\n"), "foreign"},
		}},
		{"what has answered as ours do is not given up for a word", append(handshake[:6:6],
			routed{server, clientA, outOfBand("challenge 1234"), "0 s"},
			routed{clientA, server, outOfBand("connect 34 111 1234 \"\\name\\Visor\"\n"), "0 c"},
			routed{clientA, server, clientPacket(2, 111), "0 c"},
		)},
		{"texts to a known server", append(handshake[:6:6],
			routed{other, server, outOfBand("hello"), "foreign"},
			routed{other, server, outOfBand("foo bar baz"), "foreign"},
			routed{other, server, outOfBand(""), "foreign"},
			routed{server, other, outOfBand("print\nhello"), "1 s"},
		)},
		{"queries of another engine", []routed{
			{clientA, other, outOfBand("TSource Engine Query\x00"), "0 c"},
			{other, clientA, outOfBand("A\x01\x02\x03\x04"), "0 s"},
			{clientA, other, outOfBand("U\x01\x02\x03\x04"), "0 c"},
			{clientA, other, outOfBand("\x01\x02"), "foreign"},
			{clientA, other, outOfBand(`rcon 1234 "secret" status`), "foreign"},
			{other, clientA, outOfBand("print\nhello"), "foreign"},
			{clientA, other, clientPacket(1, 111), "foreign"},
			{clientA, other, outOfBand("getstatus"), "0 c"},
		}},
		{"queries of another engine between those of a session", append(handshake[:6:6],
			routed{clientA, server, outOfBand("TSource Engine Query\x00"), "0 c"},
			routed{clientA, server, clientPacket(2, 111), "0 c"},
		)},
		{"other people's traffic", []routed{
			{clientA, "192.0.2.53:53", "\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x03www\x07example\x03com\x00\x00\x01\x00\x01", "foreign"},
			{clientA, other, "\x80\x60\x12\x34\x00\x00\x01\x40\xde\xad\xbe\xefaudio", "foreign"},
			{clientA, other, outOfBand("U\x01\x02\x03\x04"), "foreign"},
			{clientA, other, outOfBand("\x01\x02"), "foreign"},
			{clientA, other, "\x01", "foreign"},
			{clientA, other, "", "foreign"},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, streams := router.New((&probe{}).decodes), seen{}
			var got, want []string
			for _, p := range tt.packets {
				packet := p.packet()
				got = append(got, streams.text(r.Route(&packet, 0, false)))
				want = append(want, p.want)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("routes (-want +got):\n%s", diff)
			}
		})
	}
}

// TestRouterHeadless finds sessions without a handshake by the content of their packets.
func TestRouterHeadless(t *testing.T) {
	const challenge = 0x1234ABCD
	nativePacket := func(sequence uint32, fromClient bool, body []byte) string {
		h := sequenceHeader(sequence)
		if fromClient {
			h = append(h, 1, 2)
		}
		h = binary.LittleEndian.AppendUint32(h, netchan.Checksum(challenge, sequence))
		return string(datagram(h, body))
	}
	route := func(r *router.Router, p routed, last bool) string {
		packet := p.packet()
		route := r.Route(&packet, 0, last)
		text := seen{}.text(route)
		if enc, c := router.Hint(route.Hint).Unpack(); enc == netchan.Native {
			text += fmt.Sprintf(" native %#x", c)
		} else if enc != netchan.Unknown {
			text += " " + enc.String()
		}
		return text
	}
	t.Run("native", func(t *testing.T) {
		r := router.New((&probe{}).decodes)
		var got []string
		for i := range uint32(4) {
			got = append(got, route(r, routed{
				src: server, dst: clientA,
				payload: nativePacket(501+i, false, serverPrint(3, 9, "hello")),
			}, false))
		}
		want := []string{"undecided", "undecided", "0 s native 0x1234abcd", "0 s native 0x1234abcd"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("routes (-want +got):\n%s", diff)
		}
		if got := route(r, routed{src: clientA, dst: server, payload: nativePacket(77, true, clientSay(9, 3, "x"))},
			false); got != "0 c native 0x1234abcd" {
			t.Errorf("the client's side: %s", got)
		}
	})
	t.Run("the same packet again proves nothing", func(t *testing.T) {
		r := router.New((&probe{}).decodes)
		for range 20 {
			if got := route(r, routed{src: server, dst: clientA, payload: nativePacket(502, false, serverPrint(3, 9, "hello"))},
				false); got != "undecided" {
				t.Fatal(got)
			}
		}
	})
	t.Run("legacy", func(t *testing.T) {
		r := router.New((&probe{}).decodes)
		got := ""
		for i := range uint32(6) {
			if got != "" && got != "undecided" {
				t.Fatalf("packet %d: %s", i, got)
			}
			got = route(r, routed{
				src: clientA, dst: server,
				payload: string(fromClient(500+i, clientSay(40, 3, "hello"), "score")),
			}, false)
		}
		if got != "0 c legacy" {
			t.Errorf("got %s", got)
		}
	})
	t.Run("packets that wait are asked about again", func(t *testing.T) {
		r := router.New((&probe{}).decodes)
		at := func(i uint32, last bool) string {
			return route(r, routed{
				src: clientA, dst: server,
				payload: string(fromClient(500+100*i, clientSay(40, 3, "hello"), "score")),
			}, last)
		}
		for i := range uint32(6 - 1) { // more than maxBack numbers apart
			at(i, false)
		}
		at(0, true) // waited for too long
		if got := at(1, false); got != "undecided" {
			t.Errorf("the second packet, asked about again: %s", got)
		}
		if got := at(6-1, false); got != "0 c legacy" {
			t.Errorf("the next packet: %s", got)
		}
		if got := at(0, false); got != "0 c legacy" {
			t.Errorf("the first packet: %s", got)
		}
	})
	t.Run("claimed", func(t *testing.T) {
		r := router.New((&probe{}).decodes)
		r.Claim(27960, protocolName)
		if got := route(r, routed{src: clientA, dst: server, payload: "\x01\x02\x03\x04\x05\x06\x07\x08"},
			true); got != "0 c" {
			t.Errorf("got %s", got)
		}
	})
}

// TestGivenUp has a session in the family's words whose packets are not of the netchan: it is given up, with a
// hint for the record that reports it. Damage in a real session does not cause that.
func TestGivenUp(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		packet func(i int) string
		want   int // packets that are taken
	}{
		{"noise", func(i int) string { return string(sequenceHeader(uint32(i))) + "\xff\xff\xff\xff\xff\xff\xff\xff\xff" }, 16},
		{"one of four is good", func(i int) string {
			if i%4 == 0 {
				return serverPacket(uint32(i))
			}
			return string(sequenceHeader(uint32(i))) + "\xff\xff\xff\xff\xff\xff\xff\xff\xff"
		}, 100},
		{"all are good", func(i int) string { return serverPacket(uint32(i)) }, 100},
	} {
		r, taken := router.New((&probe{}).decodes), 0
		for _, p := range []routed{
			{clientA, server, connectText(99, 111), ""},
			{server, clientA, outOfBand("connectResponse 99"), ""},
		} {
			packet := p.packet()
			r.Route(&packet, 0, false)
		}
		for i := 1; i <= 100; i++ {
			packet := routed{server, clientA, tt.packet(i), ""}.packet()
			packet.Frame = uint64(i)
			route := r.Route(&packet, 0, false)
			if route.Decision == dissect.Mine {
				taken++
			}
			if _, last := router.Hint(route.Hint).GivenUp(); last != (taken == tt.want && tt.want < 100 && i == taken) {
				t.Errorf("%s: packet %d is the last: %v", tt.name, i, last)
			}
		}
		if taken != tt.want {
			t.Errorf("%s: %d packets are taken, want %d", tt.name, taken, tt.want)
		}
	}
}
