package gamestudio_test

import (
	"encoding/binary"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
)

// A babble makes the n-th payload of a side in foreign traffic.
type babble func(r *rand.Rand, fromClient bool, n int) []byte

// babbles are other people's traffic, by name.
var babbles = map[string]babble{
	"random 8":    func(r *rand.Rand, _ bool, _ int) []byte { return enginetest.RandomBytes(r, 8) },
	"random 16":   func(r *rand.Rand, _ bool, _ int) []byte { return enginetest.RandomBytes(r, 16) },
	"random 40":   func(r *rand.Rand, _ bool, _ int) []byte { return enginetest.RandomBytes(r, 40) },
	"random 500":  func(r *rand.Rand, _ bool, _ int) []byte { return enginetest.RandomBytes(r, 500) },
	"random size": func(r *rand.Rand, _ bool, _ int) []byte { return enginetest.RandomBytes(r, int(r.Uint32()%1400)) },
	"DNS":         dnsLike,
	"RTP":         rtpLike,
	"QUIC":        quicLike,
	"sequenced":   sequenced,
}

// dnsLike is a query with a random number, or the answer to one.
func dnsLike(r *rand.Rand, fromClient bool, _ int) []byte {
	b := binary.BigEndian.AppendUint16(nil, uint16(r.Uint32()))
	if fromClient {
		b = append(b, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0)
	} else {
		b = append(b, 0x81, 0x80, 0, 1, 0, byte(r.Uint32()%5), 0, 0, 0, 0)
	}
	return append(append(b, "\x03www\x07example\x03com\x00\x00\x01\x00\x01"...),
		enginetest.RandomBytes(r, int(r.Uint32()%60))...)
}

// rtpLike is a voice stream; some packets have contributing sources and a marker.
func rtpLike(r *rand.Rand, fromClient bool, n int) []byte {
	types := []byte{0, 8, 96, 111}
	b := []byte{0x80 | byte(r.Uint32()%4), types[r.Uint32()%4] | byte(r.Uint32()%8/7)<<7}
	b = binary.BigEndian.AppendUint16(b, uint16(n+100))
	b = binary.BigEndian.AppendUint32(b, uint32(160*n))
	if fromClient {
		b = append(b, 1, 2, 3, 4)
	} else {
		b = append(b, 9, 8, 7, 6)
	}
	return append(b, enginetest.RandomBytes(r, 160)...)
}

// quicLike is a handshake with long headers and then packets with short ones.
func quicLike(r *rand.Rand, _ bool, n int) []byte {
	if n < 4 {
		b := []byte{0xc0 | byte(r.Uint32()%64), 0, 0, 0, 1, 8}
		return append(b, enginetest.RandomBytes(r, 1194)...)
	}
	b := []byte{0x40 | byte(r.Uint32()%64)}
	return append(b, enginetest.RandomBytes(r, int(21+r.Uint32()%1200))...)
}

// sequenced begins with a little-endian sequence number, as many games' packets do.
func sequenced(r *rand.Rand, _ bool, n int) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(n)), enginetest.RandomBytes(r, int(8+r.Uint32()%100))...)
}

// TestForeignIsNotHeld counts what the routers hold back or take of other people's traffic: what is held delays
// everything after it.
func TestForeignIsNotHeld(t *testing.T) {
	t.Parallel()
	const flows, packets = 400, 60
	for name, make := range babbles {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source := enginetest.Random(5)
			routers := routersOf(protocols())
			held, taken := count(routers, flows*packets, func(i int) *dissect.Packet {
				flow, n := i/packets, i%packets
				p := &dissect.Packet{
					Frame: uint64(i + 1), UDP: true, HasTime: true, Time: int64(i) * 1e6, Src: enginetest.Client,
					Dst: flowServer(flow),
				}
				if fromClient := n&1 == 0; !fromClient {
					p.Src, p.Dst = p.Dst, p.Src
				}
				p.Payload = make(source, n&1 == 0, n/2)
				p.Length = len(p.Payload)
				return p
			})
			if taken != [3]int{} {
				t.Errorf("taken: %v", taken)
			}
			// ENet's acknowledgements of 12 and 16 bytes have little that chance cannot have.
			limit := [3]int{1, 10, 0}
			for i, n := range held {
				if n > limit[i] {
					t.Errorf("%s holds %d of %d", protocols()[i].Name, n, flows*packets)
				}
			}
			t.Logf("held %v of %d", held, flows*packets)
		})
	}
}

func flowServer(n int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{203, 0, byte(n >> 8), byte(n)}), enginetest.Server.Port())
}

func routersOf(list []*dissect.Protocol) (routers []dissect.Router) {
	for _, p := range list {
		routers = append(routers, p.NewRouter())
	}
	return routers
}

// count asks every router about packets, and returns how many each held back and took.
func count(routers []dissect.Router, packets int, packet func(i int) *dissect.Packet) (held, taken [3]int) {
	for i := range packets {
		p := packet(i)
		for k, r := range routers {
			switch r.Route(p, p.Time, false).Decision {
			case dissect.Undecided:
				held[k]++
			case dissect.Mine:
				taken[k]++
			}
		}
	}
	return held, taken
}

// TestOtherGamesAreNotHeld does the same with the captures of other games.
func TestOtherGamesAreNotHeld(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("Q3DISSECT_REFERENCE")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "shared")
	}
	total := 0
	for _, family := range []string{"quake3", "teeworlds"} {
		names, _ := filepath.Glob(filepath.Join(folder, "captures", family, "*.pcap*"))
		for _, name := range names {
			if strings.HasSuffix(name, ".txt") || strings.HasSuffix(name, ".jsonl.gz") {
				continue
			}
			packets := enginetest.PacketsOf(t, name)
			total += len(packets)
			held, taken := count(routersOf(protocols()), len(packets), func(i int) *dissect.Packet { return packets[i] })
			if taken != [3]int{} || held[0] > 0 || held[2] > 0 {
				t.Errorf("%s: of %d datagrams held %v, taken %v", filepath.Base(name), len(packets), held, taken)
			}
			if held != [3]int{} {
				t.Logf("%s: of %d datagrams held %v", filepath.Base(name), len(packets), held)
			}
		}
	}
	if total == 0 {
		t.Skip("the reference captures are not here")
	}
	t.Logf("%d datagrams", total)
}

// TestNearlyDirectPlay8 asks about traffic that looks like data frames and is not: it is held for a while, and
// then no longer.
func TestNearlyDirectPlay8(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		make func(fromClient bool, n int) []byte
		held int
	}{
		"the same counters in every packet": {func(_ bool, n int) []byte { return []byte{0x35, 0, 0, 0, byte(n), 1} }, 10},
		"the same packet":                   {func(bool, int) []byte { return []byte{0x35, 0, 0, 0, 1, 1} }, 3 * 65},
		"acknowledgements that do not count": {
			func(_ bool, n int) []byte { return []byte{0x35, 0, byte(n), 99, 7, byte(n)} },
			200,
		},
	} {
		routers := routersOf(protocols()[:1])
		held, taken := count(routers, 2000, func(i int) *dissect.Packet {
			p := &dissect.Packet{
				Frame: uint64(i + 1), UDP: true, HasTime: true, Time: int64(i) * 1e6, Src: enginetest.Client,
				Dst: enginetest.Server,
			}
			if i&1 != 0 {
				p.Src, p.Dst = p.Dst, p.Src
			}
			p.Payload = tt.make(i&1 == 0, i/2)
			p.Length = len(p.Payload)
			return p
		})
		if taken[0] > 0 || held[0] > tt.held {
			t.Errorf("%s: held %d, taken %d", name, held[0], taken[0])
		}
	}
}

// TestQueryMakesNoConnection: a query does not make what else two endpoints say to each other DirectPlay's.
func TestQueryMakesNoConnection(t *testing.T) {
	t.Parallel()
	list := []enginetest.Datagram{{
		FromClient: true,
		Payload:    wire.Query(1, enginetest.Unhex(t, "eeb24a5e506a1446807ec632807b5eb1")),
	}}
	for i := range 20 {
		list = append(list, enginetest.Datagram{
			FromClient: i&1 == 0,
			Payload:    enginetest.RandomBytes(enginetest.Random(uint64(i)), 40),
		})
	}
	for i, r := range enginetest.All(t, protocols(), "", list...) {
		if want := i == 0; want != (r.Protocol == "directplay8") {
			t.Errorf("datagram %d: protocol %q", i, r.Protocol)
		}
	}
}

// TestHardDisconnectAlone: the end of a connection is recognised without its beginning.
func TestHardDisconnectAlone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"80 04 02 00 06 00 01 00 c6 ae c9 79 9d 36 67 23",
		"80 04 02 00 06 00 01 00 c6 ae c9 79 9d 36 67 23 01 02 03 04 05 06 07 08",
	} {
		r := enginetest.All(t, protocols(), "", enginetest.Datagram{Payload: enginetest.Unhex(t, text)})[0]
		if r.Protocol != "directplay8" || r.Info != "hard_disconnect" || len(r.Expert) > 0 {
			t.Errorf("%s: %s", text, r.Line)
		}
	}
}

// TestImpossibleFrames: a connection without a handshake is not believed if it has frames that no sender makes.
func TestImpossibleFrames(t *testing.T) {
	t.Parallel()
	list := sent(wire.OverDirectPlay8(sessionOf(t, wire.Late, wire.Coding{}))[14:])
	for name, spoil := range map[string]func(b []byte) []byte{
		"voice as a core message": func(b []byte) []byte { b[0] |= 0xc0; return b },
		"a core message of no type": func(b []byte) []byte {
			return append([]byte{
				b[0] | 0x40, 0, b[2], b[3],
				1, 0, 0, 0,
			}, b[4:]...)
		},
		"a keep-alive with a payload":        func(b []byte) []byte { b[1] = 2; return b },
		"a keep-alive with several messages": func(b []byte) []byte { b[1] = 6; return b },
		"a mask without bits": func(b []byte) []byte {
			return append([]byte{
				b[0], b[1] | 0x40, b[2], b[3],
				0, 0, 0, 0,
			}, b[4:]...)
		},
		"an end that need not arrive": func(b []byte) []byte { b[0] &^= 2; b[1] = 8; return b },
	} {
		spoiled := slices.Clone(list)
		for i := range spoiled {
			if b := slices.Clone(spoiled[i].Payload); b[0]&1 != 0 {
				spoiled[i].Payload = spoil(b)
			}
		}
		for i, r := range enginetest.All(t, protocols(), "", spoiled...) {
			if r.Protocol != "" {
				t.Errorf("%s: datagram %d is taken for %s: %x", name, i, r.Protocol, spoiled[i].Payload)
				break
			}
		}
	}
}

// TestForeignAllocatesNothing: foreign traffic costs no memory.
func TestForeignAllocatesNothing(t *testing.T) {
	source := enginetest.Random(5)
	var packets []*dissect.Packet
	for i := range 4000 {
		b := enginetest.RandomBytes(source, 40)
		packets = append(packets, &dissect.Packet{
			Frame: uint64(i + 1), UDP: true, Src: enginetest.Client,
			Dst: flowServer(i / 20), Payload: b, Length: len(b),
		})
	}
	for _, protocol := range protocols() {
		r := protocol.NewRouter()
		step := func() {
			for _, p := range packets {
				r.Route(p, p.Time, false)
			}
		}
		step()
		if n := testing.AllocsPerRun(3, step); n != 0 {
			t.Errorf("%s: %v allocations for %d datagrams", protocol.Name, n, len(packets))
		}
	}
}

// BenchmarkForeign is what a foreign datagram costs.
func BenchmarkForeign(b *testing.B) {
	for _, name := range []string{"random size", "DNS", "QUIC"} {
		source := enginetest.Random(5)
		var packets []*dissect.Packet
		for i := range 4096 {
			p := &dissect.Packet{
				UDP: true, HasTime: true, Src: enginetest.Client, Dst: flowServer(i / 20),
				Payload: babbles[name](source, i&1 == 0, i%20),
			}
			if i&1 != 0 {
				p.Src, p.Dst = p.Dst, p.Src
			}
			p.Length = len(p.Payload)
			packets = append(packets, p)
		}
		for _, protocol := range protocols() {
			b.Run(protocol.Name+" "+name, func(b *testing.B) {
				r, i := protocol.NewRouter(), 0
				b.ReportAllocs()
				for b.Loop() {
					p := packets[i%len(packets)]
					i++
					p.Frame = uint64(i)
					r.Route(p, p.Time, false)
				}
			})
		}
	}
}
