package capture

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// smallFile is a capture of three datagrams.
func smallFile() ([]byte, []got) {
	w := newPcap(1)
	var all []got
	for i := range 3 {
		w.packet(int64(i)*1e9, helloFrame)
		all = append(all, helloAt(uint64(i+1), int64(i)*1e9))
	}
	return w.b, all
}

func TestSniff(t *testing.T) {
	t.Parallel()
	ng := newPcapNG(true).b
	for _, c := range []struct {
		name string
		head string
		want Format
	}{
		{"pcap", "\xd4\xc3\xb2\xa1", Pcap},
		{"pcap, big-endian", "\xa1\xb2\xc3\xd4\x00", Pcap},
		{"nanoseconds", "\x4d\x3c\xb2\xa1", NanoPcap},
		{"nanoseconds, big-endian", "\xa1\xb2\x3c\x4d", NanoPcap},
		{"modified", "\x34\xcd\xb2\xa1", ModifiedPcap},
		{"modified, big-endian", "\xa1\xb2\xcd\x34", ModifiedPcap},
		{"pcapng", string(ng), PcapNG},
		{"pcapng, cut", string(ng[:7]), PcapNG},
		{"pcapng without byte order", "\n\r\r\n\x1c\x00\x00\x00ABCD", Unknown},
		{"gzip", "\x1f\x8b\x08\x00", Gzip},
		{"gzip with reserved flags", "\x1f\x8b\x08\xe0", Unknown},
		{"gzip, other method", "\x1f\x8b\x07\x00", Unknown},
		{"zstd", "\x28\xb5\x2f\xfd", Zstd},
		{"zstd, skippable frame first", "\x5c\x2a\x4d\x18", Zstd},
		{"too short", "\xd4\xc3\xb2", Unknown},
		{"empty", "", Unknown},
		{"demo", "\x01\x00\x00\x00\x60\x10\x00\x00", Unknown},
	} {
		if have := Sniff([]byte(c.head)); have != c.want {
			t.Errorf("%s: %s, want %s", c.name, have, c.want)
		}
	}
}

func TestPackings(t *testing.T) {
	t.Parallel()
	file, want := smallFile()
	half := 24 + 16 + 10
	skippable := append([]byte{0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0}, "abc"...)
	for _, c := range []struct {
		name, format string
		file         []byte
	}{
		{"plain", "pcap", file},
		{"gzip", "pcap, gzip", gzipped(file)},
		{"gzip in members", "pcap, gzip", join(gzipped(file[:half]), gzipped(nil), gzipped(file[half:]))},
		{"zstd", "pcap, zstd", zstandard(file)},
		{"zstd in frames", "pcap, zstd", join(skippable, zstandard(file[:half]), skippable, zstandard(file[half:]))},
		{"zstd in gzip", "pcap, zstd, gzip", gzipped(zstandard(file))},
		{"gzip in zstd", "pcap, gzip, zstd", zstandard(gzipped(file))},
		{"gzip in gzip in gzip", "pcap, gzip, gzip, gzip", gzipped(gzipped(gzipped(file)))},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, err := NewReader(iotest.OneByteReader(bytes.NewReader(c.file)), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if have := r.Stats().Format; have != c.format {
				t.Errorf("format %q, want %q", have, c.format)
			}
			all, err := readAll(t, c.file)
			if diff := gocmp.Diff(want, all); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestUnknownFormats(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, file, message string }{
		{"empty", "", "empty"},
		{"text", "hello, world", "no known kind of capture"},
		{"two bytes", "\xd4\xc3", "no known kind of capture"},
		{"packed text", string(gzipped([]byte("hello, world"))), "no known kind of capture"},
		{"packed nothing", string(gzipped(nil)), "empty"},
		{"xz", "\xfd7zXZ\x00\x00\x00", "an xz file, which is not read"},
		{"pcapng", "\n\r\r\n\x1c\x00\x00\x00ABCDEFGH", "pcapng with a damaged section header, which is not read"},
	} {
		_, err := NewReader(strings.NewReader(c.file), Options{})
		wantError(t, err, UnknownFormat, 0)
		if have := err.(*Error).Message; have != c.message {
			t.Errorf("%s: %q, want %q", c.name, have, c.message)
		}
	}
}

// What is no capture can be handed to another reader, unpacked and with nothing lost.
func TestInputForOthers(t *testing.T) {
	t.Parallel()
	demo := []byte("\x01\x00\x00\x00\x05\x00\x00\x00hello")
	in, err := Open(bytes.NewReader(gzipped(demo)), nil)
	if err != nil {
		t.Fatal(err)
	}
	if in.Format() != Unknown || len(in.Packings()) != 1 || in.Packings()[0] != Gzip {
		t.Errorf("%s in %v", in.Format(), in.Packings())
	}
	if head, err := in.Peek(4); string(head) != "\x01\x00\x00\x00" || err != nil {
		t.Errorf("%q, %v", head, err)
	}
	if _, err := NewReader(in, Options{}); err == nil {
		t.Error("taken for a capture")
	}
	if all, err := io.ReadAll(in); !bytes.Equal(all, demo) || err != nil {
		t.Errorf("%q, %v", all, err)
	}

	file, want := smallFile()
	in, err = Open(bytes.NewReader(file), nil)
	if err != nil || in.Format() != Pcap {
		t.Fatal(in.Format(), err)
	}
	if all, err := drain(in); len(all) != len(want) || err != nil {
		t.Errorf("%d packets, %v", len(all), err)
	}
}

func TestTooManyPackings(t *testing.T) {
	t.Parallel()
	file, _ := smallFile()
	for range maxPackings {
		file = gzipped(file)
	}
	if all, err := readAll(t, file); len(all) != 3 || err != nil {
		t.Errorf("packed %d times: %d packets, %v", maxPackings, len(all), err)
	}
	_, err := readAll(t, gzipped(file))
	wantError(t, err, MalformedFile, 0)
}

// From a packed file that is cut, everything comes out that can: all that gzip can unpack of it, and
// all whole blocks of zstd.
func TestPackedCut(t *testing.T) {
	t.Parallel()
	w := newPcap(1)
	random := uint32(1)
	payload := make([]byte, 400)
	for i := range 600 { // 250 KB that do not pack, so that there are several blocks
		for j := range payload {
			random = random*1664525 + 1013904223
			payload[j] = byte(random >> 24)
		}
		w.packet(int64(i)*1e9, eth(0x0800, ip4(17, udp(1, 2, payload))))
	}
	whole, err := readAll(t, w.b)
	if err != nil || len(whole) != 600 {
		t.Fatal(len(whole), err)
	}
	const record = 16 + 14 + 20 + 8 + 400
	for _, c := range []struct {
		name  string
		file  []byte
		delay int // bytes that may be unpacked late
	}{
		{"gzip", gzipped(w.b), 200},
		{"zstd", zstandard(w.b), 128 << 10},
		{"gzip in zstd", zstandard(gzipped(w.b)), 128<<10 + 200},
	} {
		for n := 30; n < len(c.file); n += 997 {
			all, err := readAll(t, c.file[:n])
			if len(all) < (n-c.delay)/record {
				t.Errorf("%s cut at %d: %d packets", c.name, n, len(all))
			}
			if len(all) > 0 {
				wantError(t, err, TruncatedFile, 24+len(all)*record)
				if !reflect.DeepEqual(whole[:len(all)], all) {
					t.Fatalf("%s cut at %d (-want +got):\n%.1000s", c.name, n, gocmp.Diff(whole[:len(all)], all))
				}
			} else {
				wantError(t, err, TruncatedFile, int(err.(*Error).Offset))
			}
		}
		// All packets are there, and only the checksum after them is not.
		all, err := readAll(t, c.file[:len(c.file)-1])
		wantError(t, err, TruncatedFile, len(w.b))
		if len(all) != 600 {
			t.Errorf("%s without its last byte: %d packets", c.name, len(all))
		}
	}
}

func TestPackedDamaged(t *testing.T) {
	t.Parallel()
	file, want := smallFile()
	for _, c := range []struct {
		name    string
		file    []byte
		packets int
		offset  int
	}{
		{"gzip checksum", flip(gzipped(file), -6), 3, len(file)},
		{"zstd checksum", flip(zstandard(file), -2), 3, len(file)},
		{"behind gzip", append(gzipped(file), "something else"...), 3, len(file)},
		{"second gzip header", join(gzipped(file), flip(gzipped(file), 2)), 3, len(file)},
		{"gzip data", join(gzipped(file)[:10], bytes.Repeat([]byte{0xff}, 100)), 0, 0},
		{"zstd data", join(zstandard(file)[:6], bytes.Repeat([]byte{0xff}, 100)), 0, 0},
	} {
		all, err := readAll(t, c.file)
		wantError(t, err, MalformedFile, c.offset)
		if diff := gocmp.Diff(want[:c.packets], all, cmpEmpty); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// flip changes one byte, counted from the end if at is negative.
func flip(b []byte, at int) []byte {
	if at < 0 {
		at += len(b)
	}
	b[at] ^= 0x55
	return b
}

// A fault of the disk is not a fault of the file, packed or not.
func TestReadFailed(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk on fire")
	file, _ := smallFile()
	for _, c := range []struct {
		name string
		file []byte
	}{{"plain", file}, {"gzip", gzipped(file)}, {"zstd", zstandard(file)}} {
		for _, n := range []int{0, 2, 15, len(c.file) - 1, len(c.file)} {
			_, err := drain(io.MultiReader(bytes.NewReader(c.file[:n]), iotest.ErrReader(broken)))
			var e *Error
			if !errors.As(err, &e) || e.Code != ReadFailed || !errors.Is(err, broken) {
				t.Errorf("%s, after %d bytes: %v", c.name, n, err)
			}
		}
	}
}

// A reader that gives nothing and no error is a fault too, and no endless loop.
func TestNoProgress(t *testing.T) {
	t.Parallel()
	file, want := smallFile()
	all, err := drain(io.MultiReader(bytes.NewReader(file), stuck{}))
	var e *Error
	if !errors.As(err, &e) || e.Code != ReadFailed || len(all) != len(want) {
		t.Errorf("%d packets, %v", len(all), err)
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

// Packets of a pipe come out as soon as they are in, and Idle is called before each wait.
func TestGrowingPipe(t *testing.T) {
	t.Parallel()
	file, _ := smallFile()
	w := newPcapNG(false)
	w.iface(1, 0)
	w.packet(0, 0, helloFrame)
	ngHeader := len(w.b)
	w.packet(0, 1e6, helloFrame)
	for _, c := range []struct {
		name  string
		file  []byte
		first int // bytes that hold the first packet
	}{
		{"pcap", file, 24 + 16 + len(helloFrame)},
		{"pcapng", w.b, ngHeader},
	} {
		pr, pw := io.Pipe()
		reads := 0
		go func() {
			pw.Write(c.file[:24]) // enough to know what it is
			pw.Write(c.file[24:c.first])
		}()
		r, err := NewReader(pr, Options{Idle: func() { reads++ }})
		if err != nil {
			t.Fatal(err)
		}
		p, err := r.Next() // would wait for ever for more
		if err != nil || p.Frame != 1 || string(p.Payload) != "hello" {
			t.Errorf("%s: %v, %v", c.name, p, err)
		}
		before := reads
		if before < 2 {
			t.Errorf("%s: Idle was called %d times for two reads", c.name, before)
		}
		go func() {
			pw.Write(c.file[c.first:])
			pw.Close()
		}()
		if p, err = r.Next(); err != nil || p.Frame != 2 || reads == before {
			t.Errorf("%s: %v, %v, Idle called %d times, then %d", c.name, p, err, before, reads)
		}
		pr.Close()
	}
}

// endless gives the same bytes over and over.
type endless struct {
	b []byte
	n int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.b[e.n:])
	e.n = (e.n + n) % len(e.b)
	return n, nil
}

// Bombs are unpacked as they are read, in memory that does not follow their size.
func TestBombs(t *testing.T) {
	w := newPcap(1)
	header := len(w.b)
	for range 1000 {
		w.packet(0, helloFrame)
	}
	const size = 64 << 20
	bomb := func(packer io.WriteCloser, out *bytes.Buffer) []byte {
		packer.Write(w.b[:header])
		if _, err := io.CopyN(packer, &endless{b: w.b[header:]}, size); err != nil {
			t.Fatal(err)
		}
		packer.Close()
		return out.Bytes()
	}
	var gz, zs bytes.Buffer
	zw, err := zstd.NewWriter(&zs, zstd.WithWindowSize(8<<20))
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string][]byte{
		"gzip": bomb(gzip.NewWriter(&gz), &gz), "zstd": bomb(zw, &zs),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		all := uint64(0)
		r, err := NewReader(bytes.NewReader(file), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range r.Packets() {
			if err != nil {
				var e *Error
				if !errors.As(err, &e) || e.Code != TruncatedFile { // CopyN ends anywhere
					t.Fatal(err)
				}
				break
			}
			all++
		}
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 24<<20 || all < size/100 {
			t.Errorf("%s: %d bytes allocated for %d packed ones, %d packets", name, used, len(file), all)
		}
	}
}

// What zstd unpacks without being told is unpacked here; more is refused before it is reserved.
func TestZstdWindow(t *testing.T) {
	t.Parallel()
	file, want := smallFile()
	frame := func(exponent byte) []byte {
		// Window descriptor: RFC 8878, section 3.1.1.1.2; 10 less in the upper five bits.
		b := []byte{0x28, 0xb5, 0x2f, 0xfd, 0, (exponent - 10) << 3} // no content size, no checksum
		raw := uint32(len(file))<<3 | 1                              // one raw block, the last
		return append(append(b, byte(raw), byte(raw>>8), byte(raw>>16)), file...)
	}
	all, err := readAll(t, frame(27))
	if diff := gocmp.Diff(want, all); diff != "" || err != nil {
		t.Errorf("128 MiB: %v (-want +got):\n%s", err, diff)
	}
	_, err = readAll(t, frame(28))
	wantError(t, err, MalformedFile, 0)
}

// TestInputClose reads inputs one after the other, packed in every way and one of them left in the middle: what
// one gives back must not show in the next.
func TestInputClose(t *testing.T) {
	t.Parallel()
	plain, _ := smallFile()
	longer := append([]byte("no capture, and longer than the others: "), bytes.Repeat([]byte("x"), 3*len(plain))...)
	for round := range 3 {
		for name, packed := range map[string][]byte{
			"plain": plain, "gzip": gzipped(plain), "zstd": zstandard(plain), "twice": gzipped(zstandard(plain)),
		} {
			other, err := Open(bytes.NewReader(longer), nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := other.Peek(7); err != nil {
				t.Fatal(err)
			}
			other.Close()
			in, err := Open(bytes.NewReader(packed), nil)
			if err != nil {
				t.Fatal(err)
			}
			all, err := io.ReadAll(in)
			if err != nil || !bytes.Equal(all, plain) {
				t.Errorf("round %d, %s: %d bytes, %v", round, name, len(all), err)
			}
			in.Close()
		}
	}
}
