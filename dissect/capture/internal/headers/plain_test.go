package headers

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/gopacket/gopacket/layers"

	"github.com/q3dissect/q3dissect/dissect"
)

// Frames of a game's datagram, as plain decodes them.
func plainFrames() map[layers.LinkType][][]byte {
	datagram := []byte{0x6d, 0x38, 0x6d, 0x39, 0, 12, 0, 0, 1, 2, 3, 4}
	ip4 := append([]byte{0x45, 0, 0, 32, 7, 8, 0x40, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2}, datagram...)
	ip6 := append(append([]byte{0x60, 0, 0, 0, 0, 12, 17, 63}, bytes.Repeat([]byte{0xfd}, 32)...), datagram...)
	addresses := make([]byte, 12)
	cooked := []byte{0, 0, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0}
	cooked2 := []byte{0, 0, 0, 0, 0, 2, 3, 4, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0}
	frames := map[layers.LinkType][][]byte{}
	for _, ip := range [][]byte{ip4, ip6} {
		number := []byte{0x08, 0x00}
		if ip[0]>>4 == 6 {
			number = []byte{0x86, 0xdd}
		}
		add := func(l layers.LinkType, parts ...[]byte) { frames[l] = append(frames[l], bytes.Join(parts, nil)) }
		add(layers.LinkTypeEthernet, addresses, number, ip)
		add(layers.LinkTypeEthernet, addresses, number, ip, make([]byte, 18)) // padded
		add(layers.LinkTypeLinuxSLL, cooked, number, ip)
		for _, hardware := range []byte{arphrdEther, arphrdLoopback & 0xff} {
			header := bytes.Clone(cooked2)
			header[9] = hardware
			header[8] = map[byte]byte{arphrdLoopback & 0xff: arphrdLoopback >> 8}[hardware]
			add(layers.LinkTypeLinuxSLL2, number, header, ip)
		}
	}
	return frames
}

// TestPlain checks that the usual frames take the short way, and that others do not.
func TestPlain(t *testing.T) {
	for linkType, frames := range plainFrames() {
		for _, frame := range frames {
			var p dissect.Packet
			d := Decoder{Packet: &p}
			if !d.plain(linkType, Span{frame, len(frame)}) || p.Src.Port() != 0x6d38 || p.Dst.Port() != 0x6d39 ||
				!bytes.Equal(p.Payload, []byte{1, 2, 3, 4}) || p.Length != 4 {
				t.Errorf("%v %x: %+v", linkType, frame, p)
			}
			tunnel := bytes.Clone(frame)
			at := bytes.Index(tunnel, []byte{0x6d, 0x39})
			binary.BigEndian.PutUint16(tunnel[at:], portVXLAN)
			if d.plain(linkType, Span{tunnel, len(tunnel)}) {
				t.Errorf("%v %x: a port of a tunnel", linkType, tunnel)
			}
		}
	}
}

// FuzzPlain compares the short way with the library's layers: what plain decodes, they decode to the same.
func FuzzPlain(f *testing.F) {
	for linkType, frames := range plainFrames() {
		for _, frame := range frames {
			f.Add(uint16(linkType), frame, 0)
		}
	}
	f.Fuzz(func(t *testing.T, number uint16, frame []byte, more int) {
		comparePlain(t, layers.LinkType(number), Span{frame, len(frame) + max(0, min(more, 1<<16))})
	})
}

// TestPlainHarmed compares the two over every flip of a bit and every cut of the usual frames.
func TestPlainHarmed(t *testing.T) {
	for linkType, frames := range plainFrames() {
		for _, frame := range frames {
			for n := range frame {
				comparePlain(t, linkType, Span{frame[:n], len(frame)})
				for bit := range 8 {
					harmed := bytes.Clone(frame)
					harmed[n] ^= 1 << bit
					comparePlain(t, linkType, Span{harmed, len(harmed)})
				}
			}
		}
	}
}

func comparePlain(t *testing.T, linkType layers.LinkType, span Span) {
	t.Helper()
	decode := func(with func(*Decoder) bool) (p dissect.Packet, link dissect.Link, ok bool) {
		d := Decoder{Packet: &p, Link: &link}
		ok = with(&d)
		return p, link, ok
	}
	addresses := cmpopts.EquateComparable(netip.AddrPort{})
	p, link, ok := decode(func(d *Decoder) bool { return d.plain(linkType, span) })
	if !ok {
		if diff := cmp.Diff(dissect.Packet{}, p, addresses) + cmp.Diff(dissect.Link{}, link); diff != "" {
			t.Fatalf("%v %x: refused, and changed:\n%s", linkType, span.Data, diff)
		}
		return
	}
	want, wantLink, isDatagram := decode(func(d *Decoder) bool { return d.link(linkType, span) == Datagram })
	if !isDatagram {
		t.Fatalf("%v %x: the layers find no datagram: %+v", linkType, span.Data, want)
	}
	if diff := cmp.Diff(want, p, addresses, cmpopts.EquateEmpty()) + cmp.Diff(wantLink, link); diff != "" {
		t.Fatalf("%v %x: -layers +plain:\n%s", linkType, span.Data, diff)
	}
}
