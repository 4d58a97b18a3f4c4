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
		{Raw: &dissect.RawPacket{Data: []byte("second"), Length: 6, LinkType: 276, Interface: 1, Comment: "of the capture"}},
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
		got = append(got, packet{string(data), ci.Length, ci.Timestamp.UnixNano(), intf.LinkType, intf.Name, len(opts.Comments), opts.Comments[0]})
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if r.SectionInfo().Application != "q3dissect 1.0" {
		t.Errorf("written by %q", r.SectionInfo().Application)
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
			Time: 1_700_000_000_123_456_789, HasTime: true, UDP: true, Payload: []byte("\xff\xff\xff\xffgetinfo xxx"), Length: 15,
			Src: netip.MustParseAddrPort(addresses[0]), Dst: netip.MustParseAddrPort(addresses[1]),
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
		if unmap(got.Src) != unmap(want.Src) || unmap(got.Dst) != unmap(want.Dst) || !bytes.Equal(got.Payload, want.Payload) || got.Time != want.Time {
			t.Errorf("%v became %v", want, got)
		}
		if _, err := r.Next(); err != io.EOF {
			t.Errorf("then %v", err)
		}
	}
}
