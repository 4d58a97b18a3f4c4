package capture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net/netip"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/capture/internal/before"
)

// An outcome is all that reading a file gives.
type outcome struct {
	Packets []dissect.Packet
	Links   []dissect.Link
	Err     *Error
	First   int64
	Stats   before.Stats
}

func (o *outcome) add(p *dissect.Packet) {
	c, _ := p.Clone(nil)
	if c.Link != nil {
		o.Links = append(o.Links, *c.Link)
		c.Link = nil
	}
	o.Packets = append(o.Packets, c)
}

func (o *outcome) end(err error) {
	var e *Error
	if errors.As(err, &e) {
		o.Err = &Error{Code: e.Code, Offset: e.Offset, Message: e.Message}
	} else if err != io.EOF {
		panic(err)
	}
}

func now(file []byte, all, link bool) (o outcome) {
	in, err := Open(bytes.NewReader(file), nil)
	if err != nil {
		o.end(err)
		return o
	}
	defer in.Close()
	r, err := NewReader(in, Options{All: all, Link: link})
	if err != nil {
		o.end(err)
		return o
	}
	for {
		p, err := r.Next()
		if err != nil {
			o.end(err)
			break
		}
		o.add(p)
	}
	o.First, _ = r.FirstTime()
	s := r.Stats()
	o.Stats = before.Stats{
		Format: s.Format, Packets: s.Packets, UDP: s.UDP, Dropped: s.Dropped, DroppedKnown: s.DroppedKnown,
		CommentCount: s.CommentCount, Undecoded: s.Undecoded, Incomplete: s.Incomplete,
	}
	for _, c := range s.Comments {
		o.Stats.Comments = append(o.Stats.Comments, before.Comment(c))
	}
	return o
}

func then(file []byte, all, link bool) (o outcome) {
	in, err := before.Open(bytes.NewReader(file), nil)
	if err != nil {
		o.end(err)
		return o
	}
	defer in.Close()
	r, err := before.NewReader(in, before.Options{All: all, Link: link})
	if err != nil {
		o.end(err)
		return o
	}
	for {
		p, err := r.Next()
		if err != nil {
			o.end(err)
			break
		}
		o.add(p)
	}
	o.First, _ = r.FirstTime()
	o.Stats = r.Stats()
	return o
}

func sameAsBefore(t *testing.T, file []byte, all, link bool) {
	want, have := then(file, all, link), now(file, all, link)
	if diff := gocmp.Diff(want, have, cmpEmpty, gocmp.Comparer(func(a, b netip.AddrPort) bool { return a == b })); diff != "" {
		t.Fatalf("(-before +now):\n%s", diff)
	}
}

// records makes a pcap of packets that stand one after the other with their length and how much longer they
// were on the wire.
func records(linkType uint16, data []byte) []byte {
	w := newPcap(linkType)
	for i := int64(0); len(data) >= 3; i++ {
		n, more := int(binary.BigEndian.Uint16(data)), int(data[2])
		data = data[3:]
		n = min(n, len(data))
		w.record(i*1e9, n, n+more, data[:n])
		data = data[n:]
	}
	return w.b
}

func asRecords(packets ...[]byte) (b []byte) {
	for _, p := range packets {
		b = append(append(b, byte(len(p)>>8), byte(len(p)), 0), p...)
		half := len(p) * 3 / 4
		b = append(append(b, byte(half>>8), byte(half), byte(len(p)-half)), p[:half]...)
	}
	return b
}

// FuzzHeaders compares headers with the decoders as they were.
func FuzzHeaders(f *testing.F) {
	for _, l := range layerings() {
		f.Add(l.linkType, asRecords(l.packet), true)
	}
	for _, pieces := range [][]testPiece{split4(1, 8, 0, hello), split6(1, 8, 0, hello)} {
		var all [][]byte
		for _, p := range pieces {
			all = append(all, p.packet)
		}
		f.Add(uint16(101), asRecords(all...), true)
	}
	tcp := join(be16(80), be16(1024), make([]byte, 16))
	f.Add(uint16(1), asRecords(eth(0x0800, ip4(6, tcp)), eth(0x0806, make([]byte, 46)), dot3([]byte{0x42, 0x42, 3, 0}), eth(0x8863, make([]byte, 20))), true)
	llc := snap("\x00\x00\x00", 0x0800, ip4(17, hello))
	f.Add(uint16(105), asRecords(wifi(0x88, 1, "\x85\x00", join(subframe(true, llc), subframe(true, llc)))), true)
	f.Fuzz(func(t *testing.T, linkType uint16, data []byte, link bool) {
		sameAsBefore(t, records(linkType, data), true, link)
	})
}

// FuzzPcap and FuzzPcapNG compare whole files.
func FuzzPcap(f *testing.F) {
	for _, magic := range []uint32{0xa1b2c3d4, 0xa1b23c4d, 0xa1b2cd34} {
		for minor := range uint16(4) {
			for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
				w := pcapHeader(order, magic, 2, minor+1, 1)
				w.packet(1e9, helloFrame)
				w.record(2e9, len(helloFrame), 0, helloFrame)
				w.record(3e9, 200, len(helloFrame), helloFrame)
				f.Add(w.b, true)
				f.Add(gzipped(w.b), false)
			}
		}
	}
	f.Fuzz(func(t *testing.T, file []byte, link bool) { sameAsBefore(t, file, true, link) })
}

func FuzzPcapNG(f *testing.F) {
	for _, bigEndian := range []bool{false, true} {
		w := newPcapNG(bigEndian)
		w.iface(1, 0, w.option(2, "eth0"), w.option(9, uint8(9)), w.option(14, int64(1)), w.option(1, "of eth0"))
		w.iface(276, 96, w.option(9, uint8(0x8a)))
		w.packet(0, 1, helloFrame, w.option(1, "comment"), w.option(4, uint64(3)), w.option(0, ""))
		w.simple(len(helloFrame), helloFrame)
		w.obsolete(0, 2, 1, helloFrame)
		w.packet(1, 3<<10, sll2(0x0800, ip4(17, hello)))
		w.block(4, []byte("\x01\x00\x0a\x00\x0a\x00\x00\x01name\x00\x00\x00\x00\x00\x00\x00\x00"))
		w.block(10, make([]byte, 20))
		w.block(0xbad, make([]byte, 20))
		w.statistics(0, w.option(5, uint64(5)), w.option(7, uint64(2)), w.option(1, "statistics"))
		f.Add(w.b, true)
		w.section(!bigEndian, w.option(1, "section"))
		w.iface(101, 0)
		w.packet(0, 1, ip4(17, hello))
		f.Add(slices.Clone(w.b), false)
	}
	f.Fuzz(func(t *testing.T, file []byte, link bool) { sameAsBefore(t, file, true, link) })
}
