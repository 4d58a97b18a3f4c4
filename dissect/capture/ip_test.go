package capture

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	_ "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
)

// extension makes an IPv6 extension header of n bytes, a multiple of 8.
func extension(next byte, n int, payload []byte) []byte {
	return join([]byte{next, byte(n/8 - 1)}, make([]byte, n-2), payload)
}

func withOptions(packet, options []byte) []byte {
	b := join(packet[:20], options, packet[20:])
	b[0] += byte(len(options) / 4)
	binary.BigEndian.PutUint16(b[2:], uint16(len(b)))
	return b
}

func withTotal(packet []byte, total int) []byte {
	b := bytes.Clone(packet)
	binary.BigEndian.PutUint16(b[2:], uint16(total))
	return b
}

func ipLayerings() []layering {
	auth := join([]byte{17, 4, 0, 0}, make([]byte, 20), hello) // 24 bytes: RFC 4302 counts words less 2
	return []layering{
		{"IPv4 options", 101, withOptions(ip4(17, hello), []byte{0x94, 4, 0, 0, 1, 1, 1, 0}), ""},
		{"IPv4 options, all 40 bytes, damaged", 101, withOptions(ip4(17, hello), bytes.Repeat([]byte{7, 0xff}, 20)), ""},
		{"IPv4 authentication header", 101, ip4(51, auth), ""},
		{"IPv6 authentication header", 101, ip6(51, auth), src6},
		{"IPv6 hop by hop", 101, ip6(0, extension(17, 8, hello)), src6},
		{"IPv6 routing", 101, ip6(43, extension(17, 24, hello)), src6},
		{"IPv6 mobility, HIP, shim", 101, ip6(135, extension(139, 8, extension(140, 16, extension(17, 8, hello)))), src6},
		{"IPv6, all headers", 101, ip6(0, extension(60, 8, extension(43, 264, extension(44, 8, ip6Fragment(60, 1, 0, extension(17, 2048, hello)))))), src6},
		{"IPv6 atomic fragment", 101, ip6(44, ip6Fragment(17, 1, 0, hello)), src6},
		{"IPv6 atomic fragment, reserved bits", 101, ip6(44, ip6Fragment(17, 1, 6, hello)), src6},
		{"IPv4 evil bit", 101, ip4Fragment(17, 1, 0xc000, hello), ""},
	}
}

// What is a datagram's payload, and how long it was.
func TestLengths(t *testing.T) {
	t.Parallel()
	padded := append(bytes.Clone(hello), "padding"...)
	long := bytes.Clone(hello)
	binary.BigEndian.PutUint16(long[4:], 1000)
	zero := bytes.Clone(hello)
	binary.BigEndian.PutUint16(zero[4:], 0)
	big := udp(1, 2, make([]byte, 1000))
	huge := udp(1, 2, make([]byte, 70000))
	binary.BigEndian.PutUint16(huge[4:], 0)
	for _, c := range []struct {
		name           string
		packet         []byte
		captured, wire int
	}{
		{"plain", ip4(17, hello), 5, 5},
		{"UDP says less than IP", ip4(17, padded), 5, 5},
		{"UDP says more than IP", ip4(17, long), 5, 5},
		{"UDP over IPv6 says more", ip6(17, long), 5, 5},
		{"IP says less than there is", append(ip4(17, hello), "padding"...), 5, 5},
		{"IP says more than there is", withTotal(ip4(17, big), 2000), 1000, 1000},
		{"IP and UDP say more than there is", ip4(17, big)[:528], 500, 1000},
		{"IPv6 and UDP say more than there is", ip6(17, big)[:548], 500, 1000},
		{"IP total not filled in", withTotal(ip4(17, hello), 0), 5, 5},
		{"IP total not filled in, padded", append(withTotal(ip4(17, hello), 0), "padding"...), 5, 5},
		{"IP total and UDP length not filled in", withTotal(ip4(17, zero), 0), 5, 5},
		{"IP total not filled in, above 64 KiB", withTotal(ip4(17, huge), 0), 70000, 70000},
		{"IPv6 jumbogram", withJumbo(huge), 70000, 70000},
		{"empty", ip4(17, udp(1, 2, nil)), 0, 0},
		{"empty, IPv6", ip6(17, udp(1, 2, nil)), 0, 0},
	} {
		w := newPcap(101)
		w.packet(0, c.packet)
		p := readOne(t, w, Options{})
		if p == nil || len(p.Payload) != c.captured || p.Length != c.wire {
			t.Errorf("%s: want %d of %d bytes: %+.200v", c.name, c.captured, c.wire, p)
		}
	}
	for name, packet := range map[string][]byte{
		"total below the header":  withTotal(ip4(17, hello), 19),
		"header of 16 bytes":      append([]byte{0x44}, ip4(17, hello)[1:]...),
		"total below the options": withTotal(withOptions(ip4(17, hello), make([]byte, 8)), 24),
		"total within UDP":        withTotal(ip4(17, hello), 27),
	} {
		w := newPcap(101)
		w.packet(0, packet)
		if p := readOne(t, w, Options{}); p != nil {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

// withJumbo makes an IPv6 jumbogram: RFC 2675.
func withJumbo(payload []byte) []byte {
	b := ip6(0, join([]byte{17, 0, 0xc2, 4}, binary.BigEndian.AppendUint32(nil, uint32(8+len(payload))), payload))
	b[4], b[5] = 0, 0
	return b
}

// A piece is one IP packet of a fragmented datagram.
type testPiece struct {
	packet []byte
	ns     int64
}

// split4 and split6 cut a UDP datagram into fragments of size bytes, a multiple of 8.
func split4(id, size int, ns int64, datagram []byte) (all []testPiece) {
	for at := 0; at < len(datagram); at += size {
		field, end := at/8, at+size
		if end < len(datagram) {
			field |= 0x2000
		}
		all = append(all, testPiece{ip4Fragment(17, id, field, datagram[at:min(end, len(datagram))]), ns})
	}
	return all
}

func split6(id, size int, ns int64, datagram []byte) (all []testPiece) {
	for at := 0; at < len(datagram); at += size {
		field, end := at, at+size
		if end < len(datagram) {
			field |= 1
		}
		f := ip6Fragment(17, uint32(id), field, datagram[at:min(end, len(datagram))])
		all = append(all, testPiece{ip6(0, extension(44, 8, f)), ns})
	}
	return all
}

// Fragments wait while the read buffer is refilled several times.
func TestFragmentsAreCopied(t *testing.T) {
	t.Parallel()
	payload := bytes.Repeat([]byte("0123456789abcdef"), 100)
	for _, pieces := range [][]testPiece{
		split4(1, 800, 0, udp(27960, 27961, payload)),
		split6(1, 800, 0, udp(27960, 27961, payload)),
	} {
		w := newPcap(101)
		for i := range pieces {
			w.packet(0, pieces[len(pieces)-1-i].packet)
			for range 40 {
				w.packet(0, ip4(6, bytes.Repeat([]byte{0xee}, 60000)))
			}
		}
		if p := readOne(t, w, Options{}); p == nil || !bytes.Equal(p.Payload, payload) {
			t.Errorf("%+.300v", p)
		}
	}
}

// Fragments in any order, of both families and of several datagrams, give the datagrams, completed by
// the last one captured.
func TestFragments(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		type sent struct {
			payload []byte
			frames  []uint64
			v6      bool
		}
		w := newPcap(101)
		frame := uint64(0)
		add := func(p testPiece) { frame++; w.packet(p.ns, p.packet) }
		datagrams := make([]sent, rapid.IntRange(1, 12).Draw(t, "datagrams"))
		type queued struct {
			testPiece
			of int
		}
		var queue []queued
		for i := range datagrams {
			d := &datagrams[i]
			d.payload = make([]byte, rapid.IntRange(1, 9000).Draw(t, "length"))
			for j := range d.payload {
				d.payload[j] = byte(random.Uint32())
			}
			d.v6 = rapid.Bool().Draw(t, "v6")
			size := 8 * rapid.IntRange(1, 180).Draw(t, "size")
			split := split4
			if d.v6 {
				split = split6
			}
			// Time may run backwards.
			for _, p := range split(i, size, int64(random.IntN(20))*1e9, udp(1000+i, 2, d.payload)) {
				queue = append(queue, queued{p, i})
			}
		}
		random.Shuffle(len(queue), func(i, j int) { queue[i], queue[j] = queue[j], queue[i] })
		wantOrder := []int{}
		for i, q := range queue {
			if i%7 == 0 {
				add(testPiece{packet: ip4(6, make([]byte, 20))})
			}
			add(q.testPiece)
			d := &datagrams[q.of]
			d.frames = append(d.frames, frame)
		}
		for i := range queue {
			last := true
			for _, later := range queue[i+1:] {
				last = last && later.of != queue[i].of
			}
			if last {
				wantOrder = append(wantOrder, queue[i].of)
			}
		}
		r, err := NewReader(bytes.NewReader(w.b), Options{})
		if err != nil {
			t.Fatal(err)
		}
		order := []int{}
		for p, err := range r.Packets() {
			if err != nil {
				t.Fatal(err)
			}
			i := int(p.Src.Port()) - 1000
			order = append(order, i)
			d := datagrams[i]
			frames := d.frames
			if len(frames) == 1 {
				frames = nil
			}
			if !bytes.Equal(p.Payload, d.payload) || p.Length != len(d.payload) || p.Frame != d.frames[len(d.frames)-1] {
				t.Fatalf("datagram %d in frame %d: %d of %d bytes", i, p.Frame, len(p.Payload), len(d.payload))
			}
			if diff := gocmp.Diff(frames, p.IPFragments); diff != "" {
				t.Fatalf("datagram %d: fragments (-want +got):\n%s", i, diff)
			}
		}
		if diff := gocmp.Diff(wantOrder, order); diff != "" {
			t.Fatalf("order (-want +got):\n%s", diff)
		}
	})
}

func TestFragmentsMissing(t *testing.T) {
	t.Parallel()
	datagram := udp(27960, 27961, bytes.Repeat([]byte("0123456789abcdef"), 100))
	pieces := split4(1, 800, 0, datagram)

	// Older than the time that fragments are kept: nothing, but counted.
	w := newPcap(101)
	w.packet(0, pieces[0].packet)
	w.packet(40e9, pieces[1].packet)
	w.packet(41e9, pieces[2].packet)
	r, err := NewReader(bytes.NewReader(w.b), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for p, err := range r.Packets() {
		t.Error(p, err)
	}
	if s := r.Stats(); s.Incomplete != 2 || s.Packets != 3 || s.UDP != 0 {
		t.Errorf("%+v", s)
	}

	// Cut by the snap length: as far as the bytes go.
	w = newPcap(101)
	w.packet(0, pieces[0].packet)
	w.cut(0, 420, pieces[1].packet)
	w.packet(0, pieces[2].packet)
	p := readOne(t, w, Options{})
	if p == nil || p.Length != 1600 || len(p.Payload) != 800+400-8 || !bytes.Equal(p.Payload, datagram[8:1200]) ||
		!p.Truncated() {
		t.Errorf("cut: %+v", p)
	}
}

// A tunnel that is fragmented outside, with fragments inside.
func TestFragmentsInFragments(t *testing.T) {
	t.Parallel()
	payload := bytes.Repeat([]byte("0123456789abcdef"), 200)
	w := newPcap(101)
	for i, inner := range split6(7, 1600, 0, udp(27960, 27961, payload)) {
		outer := ip4(41, inner.packet)[20:]
		for at := 0; at < len(outer); at += 800 {
			field := at / 8
			if at+800 < len(outer) {
				field |= 0x2000
			}
			w.packet(0, ip4Fragment(41, 100+i, field, outer[at:min(at+800, len(outer))]))
		}
	}
	p := readOne(t, w, Options{Link: true})
	if p == nil || !bytes.Equal(p.Payload, payload) || p.Src.String() != src6 || p.Link.IPID != 7 {
		t.Errorf("%+.300v", p)
	}
}
