package capture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

var (
	hello      = udp(27960, 27961, []byte("hello"))
	helloFrame = eth(0x0800, ip4(17, hello))
)

// helloAt is what readAll returns for a packet with hello in it.
func helloAt(frame uint64, ns int64) got {
	return got{frame, ns, "10.0.0.1:27960", "10.0.0.2:27961", "hello", 5}
}

func wantError(t *testing.T, err error, code string, offset int) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v, want %s", err, code)
	}
	if e.Code != code || e.Offset != int64(offset) || e.Message == "" {
		t.Fatalf("error %s at %d (%v), want %s at %d", e.Code, e.Offset, e, code, offset)
	}
}

func TestPcapHeaders(t *testing.T) {
	t.Parallel()
	const ns = 1700000000_123456789
	const us = ns / 1000 * 1000
	little, big := binary.LittleEndian, binary.BigEndian
	for _, c := range []struct {
		name   string
		w      *pcapWriter
		want   int64
		format string
	}{
		{"microseconds", pcapHeader(little, 0xa1b2c3d4, 2, 4, 1), us, "pcap"},
		{"microseconds, big-endian", pcapHeader(big, 0xa1b2c3d4, 2, 4, 1), us, "pcap"},
		{"nanoseconds", pcapHeader(little, 0xa1b23c4d, 2, 4, 1), ns, "nanosecond pcap"},
		{"nanoseconds, big-endian", pcapHeader(big, 0xa1b23c4d, 2, 4, 1), ns, "nanosecond pcap"},
		{"modified", pcapHeader(little, 0xa1b2cd34, 2, 4, 1), us, "modified pcap"},
		{"modified, big-endian", pcapHeader(big, 0xa1b2cd34, 2, 4, 1), us, "modified pcap"},
		{"checksum length in the link type", pcapHeader(little, 0xa1b2c3d4, 2, 4, 0x24000001), us, "pcap"},
		{"checksum length, big-endian", pcapHeader(big, 0xa1b2c3d4, 2, 4, 0x24000001), us, "pcap"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.w.packet(ns, helloFrame)
			c.w.packet(ns+1e9, eth(0x0806, make([]byte, 46)))
			c.w.packet(ns+2e9, helloFrame)
			r, err := NewReader(bytes.NewReader(c.w.b), Options{})
			if err != nil {
				t.Fatal(err)
			}
			var all []got
			for p, err := range r.Packets() {
				if err != nil {
					t.Fatal(err)
				}
				if !p.HasTime {
					t.Error("no time")
				}
				all = append(all, got{p.Frame, p.Time, p.Src.String(), p.Dst.String(), string(p.Payload), p.Length})
			}
			if diff := gocmp.Diff([]got{helloAt(1, c.want), helloAt(3, c.want+2e9)}, all); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if s := r.Stats(); s.Format != c.format || s.Packets != 3 || s.UDP != 2 || s.DroppedKnown {
				t.Errorf("stats %+v", s)
			}
		})
	}
}

// Files of versions before 2.4 have the lengths in the other order: libpcap, sf-pcap.c.
func TestPcapSwappedLengths(t *testing.T) {
	t.Parallel()
	for minor, wire := range map[uint16]int{2: 200, 3: 200, 4: 200} {
		w := pcapHeader(binary.LittleEndian, 0xa1b2c3d4, 2, minor, 1)
		if minor < 4 {
			w.record(0, wire, len(helloFrame), helloFrame)
		} else {
			w.record(0, len(helloFrame), wire, helloFrame)
		}
		all, err := readAll(t, w.b)
		if diff := gocmp.Diff([]got{helloAt(1, 0)}, all); diff != "" || err != nil {
			t.Errorf("version 2.%d: %v (-want +got):\n%s", minor, err, diff)
		}
	}
}

// A fraction of a second or more is added to the seconds, and counted.
func TestPcapOddTimes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		magic    uint32
		fraction uint32
		want     int64
		odd      uint64
	}{
		{0xa1b2c3d4, 999_999, 100_999_999_000, 0},
		{0xa1b2c3d4, 1_000_000, 101e9, 1},
		{0xa1b2c3d4, 1<<32 - 1, 4394_967_295_000, 1},
		{0xa1b2cd34, 999_999, 100_999_999_000, 0},
		{0xa1b2cd34, 1_500_000, 101_500_000_000, 1},
		{0xa1b23c4d, 999_999_999, 100_999_999_999, 0},
		{0xa1b23c4d, 1_000_000_000, 101e9, 1},
		{0xa1b23c4d, 1<<32 - 1, 104_294_967_295, 1},
	} {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			w := pcapHeader(order, c.magic, 2, 4, 1)
			at := len(w.b)
			w.packet(100e9, helloFrame)
			copy(w.b[at+4:], order.AppendUint32(nil, c.fraction))
			r, err := NewReader(bytes.NewReader(w.b), Options{})
			if err != nil {
				t.Fatal(err)
			}
			p, err := r.Next()
			if err != nil || p.Time != c.want || !p.HasTime || r.Stats().OddTimes != c.odd {
				t.Errorf("%x, %d: %v, time %d, %d odd", c.magic, c.fraction, err, p.Time, r.Stats().OddTimes)
			}
		}
	}
}

// Some writers leave the length on the wire 0.
func TestPcapNoWireLength(t *testing.T) {
	t.Parallel()
	w := newPcap(1)
	w.record(0, len(helloFrame), 0, helloFrame)
	all, err := readAll(t, w.b)
	if diff := gocmp.Diff([]got{helloAt(1, 0)}, all); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// The first 2^32 seconds are unsigned.
func TestPcapTimeAfter2038(t *testing.T) {
	t.Parallel()
	w := newPcap(1)
	w.packet(4e9*1e9, helloFrame)
	all, err := readAll(t, w.b)
	if diff := gocmp.Diff([]got{helloAt(1, 4e9*1e9)}, all); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestPcapDamaged(t *testing.T) {
	t.Parallel()
	start := func() *pcapWriter {
		w := newPcap(1)
		w.packet(0, helloFrame)
		return w
	}
	at := len(start().b)

	absurd := start()
	absurd.record(0, 256<<10+1, 1<<20, make([]byte, 1<<20))
	all, err := readAll(t, absurd.b)
	wantError(t, err, MalformedFile, at)
	if len(all) != 1 {
		t.Errorf("%d packets before the damage", len(all))
	}

	version := start()
	version.b[4] = 9
	_, err = readAll(t, version.b)
	wantError(t, err, MalformedFile, 0)

	largest := start()
	largest.record(0, 256<<10, 1<<20, make([]byte, 256<<10))
	largest.packet(0, helloFrame)
	all, err = readAll(t, largest.b)
	if len(all) != 2 || err != nil {
		t.Errorf("around a packet as large as may be: %d packets, %v", len(all), err)
	}
}

// A larger snap length of the file's own counts, as long as it is possible.
func TestPcapSnapLength(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		snap, size int
		ok         bool
	}{
		{512 << 10, 512 << 10, true},
		{512 << 10, 512<<10 + 1, false},
		{1<<31 - 1, 256 << 10, true},
		{1<<31 - 1, 256<<10 + 1, false}, // "unlimited" does not lift the limit
		{0, 256 << 10, true},
		{maxSnap, maxSnap, true},
	} {
		w := newPcap(1)
		binary.LittleEndian.PutUint32(w.b[16:], uint32(c.snap))
		w.packet(0, make([]byte, c.size))
		w.packet(0, helloFrame)
		all, err := readAll(t, w.b)
		if c.ok && (err != nil || len(all) != 1) || !c.ok && err == nil {
			t.Errorf("snap length %d, packet of %d: %d datagrams, %v", c.snap, c.size, len(all), err)
		}
	}
}

// cutEverywhere cuts a file at every byte. ends are the offsets after the header and after each record;
// packets[i] are the datagrams up to ends[i].
func cutEverywhere(t *testing.T, file []byte, ends []int, packets [][]got) {
	t.Helper()
	for n := range file {
		all, err := readAll(t, file[:n])
		i := 0 // ends before or at n
		for i < len(ends) && ends[i] <= n {
			i++
		}
		switch {
		case n < 4:
			wantError(t, err, UnknownFormat, 0)
			continue
		case i == 0:
			wantError(t, err, TruncatedFile, 0)
			continue
		case ends[i-1] == n:
			if err != nil {
				t.Fatalf("cut at %d, behind a record: %v", n, err)
			}
		default:
			wantError(t, err, TruncatedFile, ends[i-1])
			if !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Fatalf("cut at %d: %v does not wrap io.ErrUnexpectedEOF", n, err)
			}
		}
		if diff := gocmp.Diff(packets[i-1], all); diff != "" {
			t.Fatalf("cut at %d (-want +got):\n%s", n, diff)
		}
	}
}

// A cut after a record's header must not look like the end of the file.
func TestPcapCut(t *testing.T) {
	t.Parallel()
	for _, magic := range []uint32{0xa1b2c3d4, 0xa1b2cd34} {
		w := pcapHeader(binary.LittleEndian, magic, 2, 4, 1)
		ends, packets := []int{len(w.b)}, [][]got{nil}
		var all []got
		for i := range 3 {
			w.packet(int64(i)*1e9, helloFrame)
			all = append(all, helloAt(uint64(i+1), int64(i)*1e9))
			ends, packets = append(ends, len(w.b)), append(packets, all[:i+1])
		}
		cutEverywhere(t, w.b, ends, packets)
	}
}

// Times count from the file's first packet, even if it is not a datagram.
func TestFirstTime(t *testing.T) {
	t.Parallel()
	w := newPcap(1)
	w.packet(3e9, eth(0x0806, make([]byte, 28))) // ARP
	w.packet(5e9, helloFrame)
	r, err := NewReader(bytes.NewReader(w.b), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := r.FirstTime(); ok {
		t.Error("a time before anything was read")
	}
	if p, err := r.Next(); err != nil || p.Time != 5e9 {
		t.Fatalf("%v, %v", p, err)
	}
	if first, ok := r.FirstTime(); !ok || first != 3e9 {
		t.Errorf("first time %d, %v", first, ok)
	}
}
