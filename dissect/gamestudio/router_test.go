package gamestudio

import (
	"encoding/hex"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
)

func packetOf(tb testing.TB, text string, fromClient bool, frame uint64) *dissect.Packet {
	tb.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		tb.Fatal(err)
	}
	p := &dissect.Packet{
		UDP: true, HasTime: true, Frame: frame, Src: enginetest.Server, Dst: enginetest.Client,
		Payload: b, Length: len(b),
	}
	if fromClient {
		p.Src, p.Dst = enginetest.Client, enginetest.Server
	}
	return p
}

// addrOf returns an endpoint of its own to each number, with the port of the server.
func addrOf(i uint64) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{203, 0, byte(i >> 8), byte(i)}), enginetest.Server.Port())
}

// TestForeign asks the routers about the beginnings of other protocols: none is taken, whoever waits longest.
func TestForeign(t *testing.T) {
	t.Parallel()
	for name, payload := range map[string]string{
		"DNS query":              "1234 0100 0001 0000 0000 0000 03777777 076578616d706c65 03636f6d 00 0001 0001",
		"NTP":                    "1b" + strings.Repeat("00", 47),
		"RTP":                    "80 60 1234 00000140 deadbeef 0102030405060708",
		"STUN binding":           "0001 0000 2112a442 0102030405060708090a0b0c",
		"TFTP write":             "0002 66696c652e62696e 00 6f63746574 00",
		"TFTP data":              "0003 0001" + strings.Repeat("41", 100),
		"QUIC initial":           "c3 00000001 08 0102030405060708 00 00 449e" + strings.Repeat("5a", 40),
		"DTLS client hello":      "16 feff 0000 000000000000 0020" + strings.Repeat("01", 32),
		"Quake III getstatus":    "ffffffff 676574737461747573 0a",
		"Source engine query":    "ffffffff 54 536f7572636520456e67696e6520517565727900",
		"WireGuard handshake":    "01000000" + strings.Repeat("7e", 144),
		"SNMP":                   "302902010104067075626c6963a01c02044d0c4b5a020100020100300e300c06082b060102010101000500",
		"an empty payload":       "",
		"one zero":               "00",
		"a CONNECT of version 9": "88 01 00 00 09 00 01 00 c6 ae c9 79 9d 36 67 23",
		"a short CONNECT":        "88 01 00 00 06 00 01 00 c6 ae c9 79 9d 36 67",
	} {
		for own, r := range routersOf(t) {
			for frame := range uint64(30) {
				if v := route(r, packetOf(t, payload, frame&1 == 0, frame+1), false).Decision; v == dissect.Mine {
					t.Errorf("%s: taken by router %d after %d datagrams", name, own, frame+1)
				}
			}
			if v := route(r, packetOf(t, payload, true, 31), true).Decision; v != dissect.Foreign {
				t.Errorf("%s: router %d says %d at last", name, own, v)
			}
		}
	}
}

// TestForeignIsForgotten: of foreign flows little is remembered, and nothing for long.
func TestForeignIsForgotten(t *testing.T) {
	t.Parallel()
	source := rand.New(rand.NewPCG(3, 4))
	for own, r := range routersOf(t) {
		undecided := 0
		const flows = 2000
		for i := range uint64(flows) {
			b := make([]byte, 40)
			for k := range b {
				b[k] = byte(source.Uint32())
			}
			p := packetOf(t, hex.EncodeToString(b), true, i+1)
			p.Time = int64(i)
			p.Src = addrOf(i)
			if route(r, p, false).Decision == dissect.Undecided {
				undecided++
			}
		}
		if undecided > flows/100 {
			t.Errorf("router %d: %d of %d random datagrams wait", own, undecided, flows)
		}
		r.Expire(flows + 1)
		if own, ok := r.(*router); ok && own.pairs.Len() != 0 {
			t.Errorf("%d pairs are remembered", own.pairs.Len())
		}
	}
}

// route asks a router about a packet when it comes.
func route(r dissect.Router, p *dissect.Packet, last bool) dissect.Route {
	return r.Route(p, p.Time, last)
}

// TestClaimedServer finds out which side is the server where both have the claimed port.
func TestClaimedServer(t *testing.T) {
	t.Parallel()
	for payload, want := range map[string]dissect.Direction{
		"02 426f6200":                  dissect.ClientToServer, // only clients join
		"09 6100":                      dissect.ClientToServer,
		"81 0700 800000 800000 800000": dissect.ServerToClient,
		"12 0700 0100":                 dissect.ServerToClient,
		"07":                           dissect.Undecidable, // both have this code
	} {
		r := newRouter(New(), nil)
		r.Claim(2300, gameName)
		p := packetOf(t, payload, true, 1)
		p.Src, p.Dst = enginetest.Server, addrOf(1)
		if got := route(r, p, false).Direction; got != want {
			t.Errorf("%s: %q, want %q", payload, got, want)
		}
	}
}
