package capture

import (
	"bytes"
	"errors"
	"io"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"github.com/q3dissect/q3dissect/dissect"
)

// What a Writer wrote, pcapgo reads: the same bytes, times, lengths, link layers, names and comments.
func TestWriter(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", maxComment)
	packets := []*dissect.Packet{
		{Time: 1_000_000_001, HasTime: true, Raw: &dissect.RawPacket{Data: []byte("first"), Length: 90, LinkType: 1, InterfaceName: "eth0"}},
		{Time: 0, HasTime: true, Raw: &dissect.RawPacket{Data: []byte("second"), Length: 6, LinkType: 276, Interface: 1, Comment: "of the capture"}},
		{Time: -5, HasTime: true, Raw: &dissect.RawPacket{LinkType: 1, InterfaceName: "eth0"}},
		{Time: 9},
	}
	var file bytes.Buffer
	w := NewWriter(&file, "q3dissect 1.0")
	for i, p := range packets {
		if err := w.Write(p, [...]string{"say hello", "", long, "not written"}[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if w.Frames() != 3 {
		t.Errorf("%d packets were written", w.Frames())
	}
	type packet struct {
		Data         string
		Length       int
		Time         int64
		Link         layers.LinkType
		Name         string
		Comments     int
		FirstComment string
	}
	want := []packet{
		{"first", 90, 1_000_000_001, 1, "eth0", 1, "say hello"},
		{"second", 6, 0, 276, "", 1, "of the capture"},
		{"", 0, -5, 1, "eth0", 1, shortened(long)},
	}
	r, err := pcapgo.NewNgReader(&file, pcapgo.NgReaderOptions{WantMixedLinkType: true})
	if err != nil {
		t.Fatal(err)
	}
	var got []packet
	for {
		data, ci, opts, err := r.ReadPacketDataWithOptions()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		intf, err := r.Interface(ci.InterfaceIndex)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, packet{
			string(data), ci.Length, ci.Timestamp.UnixNano(), intf.LinkType, intf.Name,
			len(opts.Comments), opts.Comments[0],
		})
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if r.SectionInfo().Application != "q3dissect 1.0" {
		t.Errorf("written by %q", r.SectionInfo().Application)
	}
}

// Packets without a time are written without one, and read back as they were, among packets that have one: cut to a
// length, whole, of several link layers. Only their comments are lost.
func TestWriterWithoutTime(t *testing.T) {
	t.Parallel()
	raw := func(data string, length int, link uint16, name string) *dissect.RawPacket {
		return &dissect.RawPacket{Data: []byte(data), Length: length, LinkType: link, InterfaceName: name}
	}
	packets := []*dissect.Packet{
		{Raw: raw("one", 3, 1, "eth0")},
		{Raw: raw("four", 4, 1, "eth0")},
		{Raw: raw("cut", 1500, 1, "eth0")},
		{Raw: raw("cut", 3, 1, "eth0")},
		{Raw: raw("longer than that", 16, 1, "eth0")},
		{Time: 5e9, HasTime: true, Raw: raw("timed", 5, 1, "eth0")},
		{Raw: raw("another link", 12, 101, "")},
		{Time: 6e9, HasTime: true, Raw: raw("cut as well", 900, 101, "")},
		{Raw: raw("", 0, 101, "")},
		{Src: netip.MustParseAddrPort("192.0.2.1:1"), Dst: netip.MustParseAddrPort("192.0.2.2:2"), UDP: true, Payload: []byte("a dump"), Length: 6},
	}
	var file bytes.Buffer
	w := NewWriter(&file, "q3dissect 1.0")
	for _, p := range packets {
		if err := w.Write(p, "said"); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	type packet struct {
		Data    string
		Length  int
		Link    uint16
		Name    string
		Time    int64
		HasTime bool
		Comment string
	}
	r, err := NewReader(bytes.NewReader(file.Bytes()), Options{All: true, Raw: true})
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; ; i++ {
		p, err := r.Next()
		if err == io.EOF && i == len(packets) {
			break
		}
		if err != nil || i == len(packets) {
			t.Fatalf("packet %d: %v", i, err)
		}
		q := packets[i]
		if q.Raw == nil {
			q.Raw = raw(string(p.Raw.Data), 20+8+6, 101, "")
			if !p.UDP || string(p.Payload) != "a dump" {
				t.Errorf("packet %d: %q", i, p.Payload)
			}
		}
		want := packet{string(q.Raw.Data), q.Raw.Length, q.Raw.LinkType, q.Raw.InterfaceName, q.Time, q.HasTime, ""}
		if q.HasTime {
			want.Comment = "said"
		}
		got := packet{string(p.Raw.Data), p.Raw.Length, p.Raw.LinkType, p.Raw.InterfaceName, p.Time, p.HasTime, p.Raw.Comment}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("packet %d (-want +got):\n%s", i, diff)
		}
	}
	// The library, which did not write these blocks, reads as many packets of the same bytes.
	ng, err := pcapgo.NewNgReader(bytes.NewReader(file.Bytes()), pcapgo.NgReaderOptions{WantMixedLinkType: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range packets {
		if data, ci, err := ng.ReadPacketData(); err != nil || !bytes.Equal(data, p.Raw.Data) || ci.Length != p.Raw.Length {
			t.Errorf("packet %d: %q of %d bytes: %v", i, data, ci.Length, err)
		}
	}
}

// A file without packets is a capture nevertheless.
func TestWriterWithoutPackets(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	if err := NewWriter(&file, "").Close(); err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(&file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); err != io.EOF {
		t.Error(err)
	}
}

// Every packet of a capture that is written as it was read comes back: bytes, time and addresses.
func TestWriteWhatWasRead(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../samples/quake3/68-natrebind.pcap")
	if err != nil {
		t.Fatal(err)
	}
	read := func(file []byte, each func(*dissect.Packet)) {
		r, err := NewReader(bytes.NewReader(file), Options{All: true, Raw: true})
		if err != nil {
			t.Fatal(err)
		}
		for p, err := range r.Packets() {
			if err != nil {
				t.Fatal(err)
			}
			each(p)
		}
	}
	var file bytes.Buffer
	w := NewWriter(&file, "q3dissect")
	source, err := pcapgo.NewReader(bytes.NewReader(data)) // the second opinion
	if err != nil {
		t.Fatal(err)
	}
	read(data, func(p *dissect.Packet) {
		want, ci, err := source.ReadPacketData()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(p.Raw.Data, want) || p.Raw.Length != ci.Length || !time.Unix(0, p.Time).Equal(ci.Timestamp) {
			t.Fatalf("packet %d differs from what pcapgo reads", p.Frame)
		}
		if err := w.Write(p); err != nil {
			t.Fatal(err)
		}
	})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	source, err = pcapgo.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	read(file.Bytes(), func(p *dissect.Packet) {
		want, ci, err := source.ReadPacketData()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(p.Raw.Data, want) || !time.Unix(0, p.Time).Equal(ci.Timestamp) {
			t.Fatalf("packet %d was written differently", p.Frame)
		}
		count++
	})
	if _, _, err := source.ReadPacketData(); err != io.EOF || count == 0 {
		t.Errorf("%d packets were written, then %v", count, err)
	}
}

// A datagram without its packet gets headers that lead to it: pcapgo and our own reader find the same.
func TestWriterMakesHeaders(t *testing.T) {
	t.Parallel()
	for _, addresses := range [][2]string{
		{"192.0.2.1:27960", "198.51.100.7:27961"}, {"[2001:db8::1]:1", "[2001:db8::2]:65535"}, {"[::ffff:192.0.2.1]:5", "192.0.2.9:6"},
	} {
		want := dissect.Packet{
			Time: 1_700_000_000_123_456_789, HasTime: true, UDP: true,
			Payload: []byte("\xff\xff\xff\xffgetinfo xxx"), Length: 15, Src: netip.MustParseAddrPort(addresses[0]),
			Dst: netip.MustParseAddrPort(addresses[1]),
		}
		var file bytes.Buffer
		w := NewWriter(&file, "q3dissect")
		if err := errors.Join(w.Write(&want), w.Write(&dissect.Packet{Time: 1}), w.Close()); err != nil {
			t.Fatal(err)
		}
		r, err := NewReader(bytes.NewReader(file.Bytes()), Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		unmap := func(a netip.AddrPort) netip.AddrPort { return netip.AddrPortFrom(a.Addr().Unmap(), a.Port()) }
		if unmap(got.Src) != unmap(want.Src) || unmap(got.Dst) != unmap(want.Dst) ||
			!bytes.Equal(got.Payload, want.Payload) || got.Time != want.Time {
			t.Errorf("%v became %v", want, got)
		}
		if _, err := r.Next(); err != io.EOF {
			t.Errorf("then %v", err)
		}
	}
}
