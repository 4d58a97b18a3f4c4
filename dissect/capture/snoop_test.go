package capture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/q3dissect/q3dissect/dissect"
)

// snoopHeader begins a file as RFC 1761 describes it.
func snoopHeader(version, linkType uint32) []byte {
	b := append([]byte("snoop"), 0, 0, 0)
	b = binary.BigEndian.AppendUint32(b, version)
	return binary.BigEndian.AppendUint32(b, linkType)
}

// snoopRecord makes a record with the first n bytes of a packet, at second and microsecond 7.
func snoopRecord(n int, data []byte) []byte {
	total := (snoopRecordLen + n + 3) &^ 3
	var b []byte
	for _, v := range []int{len(data), n, total, 0, 7, 7} {
		b = binary.BigEndian.AppendUint32(b, uint32(v))
	}
	b = append(b, data[:n]...)
	return append(b, make([]byte, total-len(b))...)
}

func TestSnoop(t *testing.T) {
	t.Parallel()
	frame := eth(0x0800, ip4(17, hello))
	large := eth(0x0800, ip4(17, udp(27960, 27961, make([]byte, 9000))))
	file := bytes.Join([][]byte{
		snoopHeader(2, 4), snoopRecord(len(frame), frame), snoopRecord(len(frame)-2, frame),
		snoopRecord(len(large), large),
	}, nil)
	r, err := NewReader(bytes.NewReader(file), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []dissect.Packet
	for p, err := range r.Packets() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, dissect.Packet{
			Frame: p.Frame, Time: p.Time, HasTime: p.HasTime, UDP: p.UDP,
			Payload: bytes.Clone(p.Payload), Length: p.Length,
		})
	}
	want := []dissect.Packet{
		{Frame: 1, Time: 7000007000, HasTime: true, UDP: true, Payload: []byte("hello"), Length: 5},
		{Frame: 2, Time: 7000007000, HasTime: true, UDP: true, Payload: []byte("hel"), Length: 5},
		{Frame: 3, Time: 7000007000, HasTime: true, UDP: true, Payload: make([]byte, 9000), Length: 9000},
	}
	if diff := gocmp.Diff(want, got, cmpopts.EquateComparable(netip.AddrPort{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSnoopDamaged(t *testing.T) {
	t.Parallel()
	frame := eth(0x0800, ip4(17, hello))
	record := snoopRecord(len(frame), frame)
	edited := func(at int, v uint32) []byte {
		b := bytes.Clone(record)
		binary.BigEndian.PutUint32(b[at:], v)
		return b
	}
	for _, c := range []struct {
		name   string
		file   []byte
		code   string
		offset int64
		before int // packets before the fault
	}{
		{"header cut", snoopHeader(2, 4)[:15], TruncatedFile, 0, 0},
		{"version", snoopHeader(3, 4), MalformedFile, 0, 0},
		{"token bus", snoopHeader(2, 1), MalformedFile, 0, 0},
		{"record header cut", append(snoopHeader(2, 4), record[:23]...), TruncatedFile, 16, 0},
		{"packet cut", append(snoopHeader(2, 4), record[:40]...), TruncatedFile, 16, 0},
		{"huge", append(snoopHeader(2, 4), edited(4, 1<<31)...), MalformedFile, 16, 0},
		{"record shorter than its packet", append(snoopHeader(2, 4), edited(8, 24)...), MalformedFile, 16, 0},
		{"record of a gigabyte", append(snoopHeader(2, 4), edited(8, 1<<30)...), MalformedFile, 16, 0},
		{"the second cut", bytes.Join([][]byte{snoopHeader(2, 4), record, record[:10]}, nil), TruncatedFile, 16 + int64(len(record)), 1},
	} {
		r, err := NewReader(bytes.NewReader(c.file), Options{})
		before := 0
		for err == nil {
			if _, err = r.Next(); err == nil {
				before++
			}
		}
		var fault *Error
		if !errors.As(err, &fault) || fault.Code != c.code || fault.Offset != c.offset || before != c.before {
			t.Errorf("%s: %v after %d packets", c.name, err, before)
		}
	}
}

// Another program writes a real capture as snoop: the same packets come back.
func TestSnoopOfEditcap(t *testing.T) {
	t.Parallel()
	editcap, err := exec.LookPath("editcap")
	if err != nil {
		t.Skip("no editcap")
	}
	original := filepath.Join("..", "..", "samples", "quake3", "68-natrebind.pcap")
	converted := filepath.Join(t.TempDir(), "converted.snoop")
	if out, err := exec.Command(editcap, "-F", "snoop", original, converted).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	type packet struct {
		Time     time.Time
		Src, Dst string
		Payload  string
	}
	read := func(name string) (all []packet) {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		r, err := NewReader(f, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for p, err := range r.Packets() {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, packet{time.Unix(0, p.Time).UTC(), p.Src.String(), p.Dst.String(), string(p.Payload)})
		}
		return all
	}
	want := read(original)
	if diff := gocmp.Diff(want, read(converted)); diff != "" || len(want) < 100 {
		t.Errorf("%d packets (-want +got):\n%s", len(want), diff)
	}
}
