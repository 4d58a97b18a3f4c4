package pdu_test

import (
	"hash/fnv"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/internal/pdu"
)

// The numbers of fields are the hashes that docs/wireshark.md names.
func TestID(t *testing.T) {
	t.Parallel()
	const path = "quake3.server_message.ops.snapshot.server_time"
	h := fnv.New32a()
	h.Write([]byte(path + ":i"))
	if got := pdu.ID(path, 'i'); got != h.Sum32() {
		t.Errorf("%08x, want %08x", got, h.Sum32())
	}
	if got := pdu.Letter(pdu.Extend(pdu.Extend(pdu.Start, "quake3"), path[len("quake3"):]), 'i'); got != h.Sum32() {
		t.Errorf("in parts: %08x", got)
	}
}

// Parse returns what Append wrote, and nothing of a container that is cut or has lengths beyond its end.
func FuzzParse(f *testing.F) {
	h := pdu.Head{
		Flags: pdu.HasTime | pdu.UDP, List: 1, Frame: 1 << 40, Time: -1, FirstTime: 1 << 60,
		Stream: -1, Length: 9, Captured: 8, SrcPort: 1, DstPort: 65535, Direction: 2, Severity: 3, LeftOut: 7,
	}
	for i := range h.Sections {
		h.Sections[i] = []byte("section"[:i%8])
	}
	whole := h.Append(nil)
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add([]byte(pdu.Magic))
	if got, ok := pdu.Parse(whole); !ok || cmp.Diff(h, got) != "" {
		f.Errorf("%v (-want +got):\n%s", ok, cmp.Diff(h, got))
	}
	if _, ok := pdu.Parse(whole[:len(whole)-1]); ok {
		f.Error("a container without its last byte is whole")
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		h, ok := pdu.Parse(b)
		if !ok {
			return
		}
		size := pdu.HeadLen
		for _, s := range h.Sections {
			size += len(s)
		}
		if size > len(b) {
			t.Fatalf("sections of %d bytes in %d", size, len(b))
		}
		for rest, ok := h.Sections[pdu.Datagrams], true; ok; {
			before := len(rest)
			var d pdu.Datagram
			if d, rest, ok = pdu.NextDatagram(rest); ok && len(rest)+len(d.Bytes)+pdu.DatagramLen != before {
				t.Fatalf("a datagram of %d bytes of %d leaves %d", len(d.Bytes), before, len(rest))
			}
		}
	})
}

// The container follows the tags of this dissector alone, whatever their lengths are.
func FuzzContainer(f *testing.F) {
	src, dst := netip.MustParseAddrPort("[2001:db8::1]:1"), netip.MustParseAddrPort("[2001:db8::2]:2")
	tags := pdu.AppendTags(nil, src, dst, 3)
	f.Add(append(tags, "q3pd"...))
	if c, ok := pdu.Container(append(tags, "q3pd"...)); !ok || string(c) != "q3pd" {
		f.Errorf("%q %v", c, ok)
	}
	f.Add([]byte("\x00\x0c\x00\x04http\x00\x00\x00\x00"))
	f.Add([]byte("\x00\x00\xff\xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if c, ok := pdu.Container(b); ok && len(c) > len(b)-4 {
			t.Fatalf("%d bytes of %d", len(c), len(b))
		}
	})
}
