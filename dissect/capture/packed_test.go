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
		{"xz", "pcap, xz", xzStored(file)},
		{"xz in streams with padding", "pcap, xz", join(xzStored(file[:half]), make([]byte, 8), xzStored(file[half:]))},
		{"gzip in xz", "pcap, gzip, xz", xzStored(gzipped(file))},
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
		{"xz", xzStored(w.b), 64 << 10},
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
		{"xz checksum", flip(xzStored(file), -32), 3, len(file)},
		{"xz index", flip(xzStored(file), -20), 3, len(file)},
		{"behind xz", append(xzStored(file), "something else"...), 3, len(file)},
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

// endless returns the same bytes over and over.
type endless struct {
	b []byte
	n int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.b[e.n:])
	e.n = (e.n + n) % len(e.b)
	return n, nil
}

// Bombs are unpacked as they are read, in memory that does not follow their size, and not beyond a multiple of the
// bytes that were read, which the error says.
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
				if !errors.As(err, &e) || e.Code != MalformedFile || !strings.Contains(e.Message, "unpacks to more than") {
					t.Fatal(err)
				}
				break
			}
			all++
		}
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 24<<20 || all < unpackedFirst/100 ||
			r.Stats().Packets > uint64(unpackedFirst+unpackedEach*len(file))/50 {
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

// What xz -9 packs is unpacked; a larger dictionary is refused before it is reserved.
func TestXZDictionary(t *testing.T) {
	t.Parallel()
	file, want := smallFile()
	all, err := readAll(t, xzWithDictionary(file, 28)) // 64 MiB
	if diff := gocmp.Diff(want, all); diff != "" || err != nil {
		t.Errorf("64 MiB: %v (-want +got):\n%s", err, diff)
	}
	for _, code := range []byte{29, 30, 39, 40} { // 96 MiB to 4 GiB
		_, err = readAll(t, xzWithDictionary(file, code))
		wantError(t, err, MalformedFile, 0)
	}
}
