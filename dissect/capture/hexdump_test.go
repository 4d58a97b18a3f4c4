package capture

import (
	"bytes"
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/capture/internal/headers"
)

// What programs print of a capture is read as the same packets. The files in testdata/hex are the first six packets of
// oob.pcap, printed by tcpdump 4.99.3, tshark 4.0 and this program from the capture, and by xxd, hexdump and od
// (Debian 12) from the payloads that tshark -T fields -e udp.payload gave (stream.txt).
func TestHexDumpsOfPrograms(t *testing.T) {
	t.Parallel()
	f, err := os.Open(filepath.Join("..", "..", "samples", "quake3", "oob.pcap"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want, err := drain(f)
	if err != nil {
		t.Fatal(err)
	}
	want = want[:6]
	names, err := filepath.Glob("testdata/hex/*.txt")
	if err != nil || len(names) != 15 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all, err := drain(bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			want := slices.Clone(want)
			for i := range want {
				if framed := strings.Contains(name, "tcpdump") || strings.Contains(name, "tshark"); !framed {
					want[i].Src, want[i].Dst = netip.AddrPort{}.String(), netip.AddrPort{}.String()
				}
				if !strings.Contains(name, "tcpdump") { // whose times are those of -tt, in microseconds
					want[i].Time = 0
				}
			}
			if diff := cmp.Diff(want, all); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Whether a dump begins with headers is found out by the IP header.
func TestFirstHeader(t *testing.T) {
	t.Parallel()
	found := 0
	for _, l := range layerings() {
		linkType, ok := headers.FirstHeader([]byte(l.packet))
		if !ok {
			continue
		}
		found++
		framed := newPcap(uint16(linkType))
		framed.packet(0, l.packet)
		wanted := newPcap(l.linkType)
		wanted.packet(0, l.packet)
		got, _ := drain(bytes.NewReader(framed.b))
		want, _ := drain(bytes.NewReader(wanted.b))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("link type %d is taken for %d (-want +got):\n%s", l.linkType, linkType, diff)
		}
	}
	if found < 5 {
		t.Errorf("%d packets with headers", found)
	}
	for _, payload := range []string{
		"", "E", "\xff\xff\xff\xffgetinfo", strings.Repeat("E", 60), "E\x00\x00<" + strings.Repeat("\x11", 56),
		strings.Repeat("`", 60), strings.Repeat("\x00", 60),
	} {
		if linkType, ok := headers.FirstHeader([]byte(payload)); ok {
			t.Errorf("%q has a header of link type %d", payload, linkType)
		}
	}
}

// A fault has its line, and its offset in the text; what precedes it is delivered.
func TestHexFault(t *testing.T) {
	t.Parallel()
	const text = "0000  ff ff ff ff 67 65\n0000  ff ff\n0008  ff\n"
	packets, err := drain(strings.NewReader(text))
	var fault *Error
	if !errors.As(err, &fault) || fault.Code != MalformedFile || fault.Offset != 36 ||
		!strings.Contains(err.Error(), "line 3, column 1") {
		t.Errorf("%v", err)
	}
	if len(packets) != 1 || packets[0].Payload != "\xff\xff\xff\xffge" {
		t.Errorf("%+v", packets)
	}
	r, err := NewReader(strings.NewReader("ffffffff\n"), Options{Raw: true, Link: true})
	if err != nil {
		t.Fatal(err)
	}
	if p, err := r.Next(); err != nil || p.Raw != nil || p.Src.IsValid() || r.Stats().Format != "hex dump" {
		t.Errorf("%+v, %v, %+v", p, err, r.Stats())
	}
	packed, err := drain(bytes.NewReader(gzipped([]byte(text[:24]))))
	if err != nil || len(packed) != 1 {
		t.Errorf("packed: %d packets, %v", len(packed), err)
	}
}
