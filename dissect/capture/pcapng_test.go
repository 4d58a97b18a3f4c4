package capture

import (
	"bytes"
	"math/big"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Sections of both byte orders, interfaces of several link types and resolutions, all kinds of packet
// blocks, and blocks that are skipped.
func TestPcapNGBlocks(t *testing.T) {
	t.Parallel()
	raw := ip4(17, hello)
	w := newPcapNG(false)
	w.block(0x0bad, []byte("before any interface"))
	w.iface(1, 0)
	w.iface(101, 65535, w.option(9, uint8(9)), w.option(14, int64(1000)))
	w.packet(0, 5_000_001, helloFrame)
	w.block(4, make([]byte, 40)) // name resolution
	w.packet(1, 7_000_000_002, raw)
	w.block(0x80000bad, make([]byte, 3<<20)) // larger than the buffer
	w.packet(0, 6_000_000, eth(0x0806, make([]byte, 46)))
	w.simple(len(helloFrame), helloFrame)
	w.obsolete(1, 0xffff, 8_000_000_003, raw)
	w.section(true)
	w.iface(276, 0, w.option(2, "any"), w.option(0, ""))
	w.packet(0, 9_000_000, sll2(0x0800, raw))
	w.iface(113, 0, w.option(9, uint8(0x80|10)))
	w.packet(1, 3<<10|512, sll(1, 0x0800, raw))

	all, err := readAll(t, w.b)
	if err != nil {
		t.Fatal(err)
	}
	want := []got{
		helloAt(1, 5_000_001_000),
		helloAt(2, 1007_000_000_002),
		helloAt(4, 0),
		helloAt(5, 1008_000_000_003),
		helloAt(6, 9_000_000_000),
		helloAt(7, 3_500_000_000),
	}
	if diff := gocmp.Diff(want, all); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPcapNGSimpleHasNoTime(t *testing.T) {
	t.Parallel()
	w := newPcapNG(false)
	w.iface(1, 40) // the snap length limits how much of a simple packet is there
	w.packet(0, 1, helloFrame)
	w.simple(len(helloFrame), helloFrame[:40])
	w.simple(len(helloFrame), append(helloFrame[:40:40], "PADD"...))
	r, err := NewReader(bytes.NewReader(w.b), Options{All: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false, false} {
		p, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if p.HasTime != want || (p.Time != 0) != want ||
			i > 0 && (p.Note != "UDP, cut short" || p.Length != len(helloFrame)) {
			t.Errorf("packet %d: %+v", i, p)
		}
	}
}

// The time of any stamp is the exact one, rounded down, where 64 bits hold it.
func TestPcapNGTime(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		iface := pcapngInterface{
			resolution: rapid.Byte().Draw(t, "resolution"),
			offset:     rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(-2e9, 2e9), rapid.Int64()).Draw(t, "offset"),
		}
		ticks := rapid.Uint64().Draw(t, "ticks")
		base := int64(10)
		if iface.resolution >= 0x80 {
			base = 2
		}
		divisor := new(big.Int).Exp(big.NewInt(base), big.NewInt(int64(iface.resolution&0x7f)), nil)
		want := new(big.Int).SetUint64(ticks)
		want.Mul(want, big.NewInt(1e9)).Div(want, divisor)
		want.Add(want, new(big.Int).Mul(big.NewInt(iface.offset), big.NewInt(1e9)))
		have, ok := iface.nanoseconds(ticks)
		// Within a second of the limits both answers are right.
		limit := new(big.Int).SetInt64(1<<63 - 1)
		margin := new(big.Int).Sub(limit, new(big.Int).Abs(want))
		switch {
		case ok && !(want.IsInt64() && want.Int64() == have):
			t.Fatalf("%d, want %s", have, want)
		case !ok && margin.Cmp(big.NewInt(2e9)) > 0:
			t.Fatalf("no time, want %s", want)
		}
	})
}

// Resolutions by hand: section 4.2 of the draft, if_tsresol.
func TestPcapNGResolutions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		resolution uint8
		offset     int64
		ticks      uint64
		want       int64
		ok         bool
	}{
		{6, 0, 1_500_000, 1_500_000_000, true},
		{0, 0, 7, 7_000_000_000, true}, // whole seconds, not the default
		{3, 0, 1500, 1_500_000_000, true},
		{9, -1, 1_500_000_000, 500_000_000, true},
		{12, 0, 1_500_000_000_999, 1_500_000_000, true},
		{28, 0, 1 << 63, 0, true},
		{127, 0, 1<<64 - 1, 0, true},
		{0x80, 0, 3, 3_000_000_000, true},
		{0x81, 0, 3, 1_500_000_000, true},
		{0x80 | 30, 0, 3 << 29, 1_500_000_000, true},
		{0x80 | 64, 0, 1 << 63, 500_000_000, true},
		{0x80 | 65, 0, 1 << 63, 250_000_000, true},
		{0, 0, 1 << 40, 0, false},
		{6, 1<<63 - 1, 1_000_000, 0, false},
	} {
		iface := pcapngInterface{resolution: c.resolution, offset: c.offset}
		if have, ok := iface.nanoseconds(c.ticks); have != c.want || ok != c.ok {
			t.Errorf("resolution %#x, offset %d, %d: %d, %t; want %d, %t", c.resolution, c.offset,
				c.ticks, have, ok, c.want, c.ok)
		}
	}
}

func TestPcapNGStats(t *testing.T) {
	t.Parallel()
	for _, bigEndian := range []bool{false, true} {
		w := newPcapNG(bigEndian)
		w.b = nil
		w.section(bigEndian, w.option(1, "of the section"))
		w.iface(1, 0, w.option(2, "eth0"), w.option(1, "of the interface"))
		w.iface(1, 0, w.option(2, "eth1\x00"))
		w.iface(1, 0)
		w.packet(0, 0, helloFrame, w.option(1, "one"), w.option(1, "two"), w.option(4, uint64(3)))
		w.packet(1, 0, helloFrame, w.option(4, uint64(100)), w.option(0, ""), w.option(1, "behind the end"))
		w.packet(1, 0, helloFrame, w.option(4, uint64(10)))
		w.statistics(0, w.option(5, uint64(1)), w.option(7, uint64(1)))
		w.statistics(0, w.option(4, uint64(50)), w.option(5, uint64(5)), w.option(7, uint64(2)))
		w.statistics(1, w.option(4, uint64(50))) // no number of drops
		w.section(!bigEndian)
		w.iface(1, 0)
		w.obsolete(0, 1000, 0, helloFrame)
		w.obsolete(0, 0xffff, 0, helloFrame)

		r, err := NewReader(bytes.NewReader(w.b), Options{Link: true})
		if err != nil {
			t.Fatal(err)
		}
		var links []string
		for p, err := range r.Packets() {
			if err != nil {
				t.Fatal(err)
			}
			links = append(links, p.Link.Interface+": "+p.Link.Comment)
		}
		if diff := gocmp.Diff([]string{"eth0: one\ntwo", "eth1: ", "eth1: ", ": ", ": "}, links); diff != "" {
			t.Errorf("links (-want +got):\n%s", diff)
		}
		want := Stats{
			Format: "pcapng", Packets: 5, UDP: 5,
			Dropped: 7 + 110 + 1000, DroppedKnown: true,
			Comments:     []Comment{{0, "of the section"}, {0, "of the interface"}, {1, "one"}, {1, "two"}},
			CommentCount: 4,
		}
		if diff := gocmp.Diff(want, r.Stats()); diff != "" {
			t.Errorf("stats (-want +got):\n%s", diff)
		}
	}
}

// Comments are kept within limits.
func TestPcapNGManyComments(t *testing.T) {
	t.Parallel()
	w := newPcapNG(false)
	w.iface(1, 0)
	comment := w.option(1, strings.Repeat("x", 2000))
	for range 3000 {
		w.packet(0, 0, helloFrame, comment)
	}
	r, err := NewReader(bytes.NewReader(w.b), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range r.Packets() {
		if err != nil {
			t.Fatal(err)
		}
	}
	if s := r.Stats(); s.CommentCount != 3000 || len(s.Comments) != maxCommentBytes/2000 {
		t.Errorf("%d comments kept of %d", len(s.Comments), s.CommentCount)
	}
}

func TestPcapNGDamaged(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		add  func(w *pcapngWriter)
	}{
		{"length of 0", func(w *pcapngWriter) { w.b = append(w.b, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) }},
		{"length of 8", func(w *pcapngWriter) { w.b = append(w.b, 9, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0) }},
		{"length no multiple of 4", func(w *pcapngWriter) { w.b = append(w.b, 9, 0, 0, 0, 13, 0, 0, 0, 0, 13, 0, 0, 0) }},
		{"huge", func(w *pcapngWriter) { w.b = append(w.b, 9, 0, 0, 0, 0xfc, 0xff, 0xff, 0xff, 0, 0, 0, 0) }},
		{"two lengths", func(w *pcapngWriter) { w.packet(0, 0, helloFrame); w.b[len(w.b)-4]++ }},
		{"two lengths of a large block", func(w *pcapngWriter) { w.block(9, make([]byte, 2<<20)); w.b[len(w.b)-4]++ }},
		{"interface", func(w *pcapngWriter) { w.packet(7, 0, helloFrame) }},
		{"captured length", func(w *pcapngWriter) { at := len(w.b); w.packet(0, 0, helloFrame); w.b[at+8+12] += 4 }},
		{"large captured length", func(w *pcapngWriter) { w.packet(0, 0, make([]byte, 256<<10+1)) }},
		{"short packet block", func(w *pcapngWriter) { w.block(6, make([]byte, 16)) }},
		{"short simple block", func(w *pcapngWriter) { w.block(3, nil) }},
		{"simple block too short for its packet", func(w *pcapngWriter) { w.simple(100, make([]byte, 96)) }},
		{"short interface", func(w *pcapngWriter) { w.block(1, make([]byte, 4)) }},
		{"short statistics", func(w *pcapngWriter) { w.block(5, make([]byte, 8)) }},
		{"statistics of no interface", func(w *pcapngWriter) { w.statistics(1) }},
		{"section without byte order", func(w *pcapngWriter) { at := len(w.b); w.section(false); w.b[at+8]++ }},
		{"short section", func(w *pcapngWriter) { w.block(0x0a0d0d0a, []byte{0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0}) }},
		{"section of another version", func(w *pcapngWriter) { at := len(w.b); w.section(false); w.b[at+12] = 2 }},
		{"section of version 1.1", func(w *pcapngWriter) { at := len(w.b); w.section(false); w.b[at+14] = 1 }},
		{"section of version 1.3", func(w *pcapngWriter) { at := len(w.b); w.section(false); w.b[at+14] = 3 }},
		{"packet before its interface", func(w *pcapngWriter) { w.section(false); w.simple(4, make([]byte, 4)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newPcapNG(false)
			w.iface(1, 0)
			w.packet(0, 0, helloFrame)
			at := len(w.b)
			c.add(w)
			w.packet(0, 0, helloFrame)
			all, err := readAll(t, w.b)
			if c.name == "packet before its interface" {
				at += 28 // the section itself is good
			}
			wantError(t, err, MalformedFile, at)
			if diff := gocmp.Diff([]got{helloAt(1, 0)}, all); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Damaged options do not cost the packet.
func TestPcapNGDamagedOptions(t *testing.T) {
	t.Parallel()
	w := newPcapNG(false)
	w.iface(1, 0, w.option(9, "too long"), w.option(14, uint8(1)), []byte{2, 0, 99, 0})
	w.packet(0, 1_000_000, helloFrame, w.option(4, uint8(1)), []byte{1, 0, 255, 255})
	all, err := readAll(t, w.b)
	if diff := gocmp.Diff([]got{helloAt(1, 1e9)}, all); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestPcapNGManyInterfaces(t *testing.T) {
	t.Parallel()
	w := newPcapNG(false)
	at := 0
	for i := range maxInterfaces + 1 {
		if i == maxInterfaces {
			at = len(w.b)
		}
		w.iface(1, 0)
	}
	_, err := readAll(t, w.b)
	wantError(t, err, MalformedFile, at)
}

func TestPcapNGCut(t *testing.T) {
	t.Parallel()
	for _, bigEndian := range []bool{false, true} {
		w := newPcapNG(bigEndian)
		var all []got
		ends, packets := []int{len(w.b)}, [][]got{nil}
		end := func() { ends, packets = append(ends, len(w.b)), append(packets, all[:len(all):len(all)]) }
		w.iface(1, 0, w.option(2, "eth0"))
		end()
		for i := range 2 {
			w.packet(0, uint64(i)*1e6, helloFrame, w.option(1, "comment"))
			all = append(all, helloAt(uint64(i+1), int64(i)*1e9))
			end()
		}
		w.block(0x0bad, make([]byte, 20))
		end()
		w.section(!bigEndian)
		end()
		w.iface(1, 0)
		end()
		w.simple(len(helloFrame), helloFrame)
		all = append(all, helloAt(3, 0))
		end()
		cutEverywhere(t, w.b, ends, packets)
	}
}
