package capture

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
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
		{"snoop", "snoop\x00\x00\x00\x00\x00\x00\x02", Snoop},
		{"snoop, cut", "snoo", Snoop},
		{"snoop, no zeros", "snoop\x00\x01\x00", Unknown},
		{"gzip", "\x1f\x8b\x08\x00", Gzip},
		{"gzip with reserved flags", "\x1f\x8b\x08\xe0", Unknown},
		{"gzip, other method", "\x1f\x8b\x07\x00", Unknown},
		{"zstd", "\x28\xb5\x2f\xfd", Zstd},
		{"zstd, skippable frame first", "\x5c\x2a\x4d\x18", Zstd},
		{"xz", "\xfd7zXZ\x00", XZ},
		{"xz, cut", "\xfd7zX", Unknown},
		{"too short", "\xd4\xc3\xb2", Unknown},
		{"empty", "", Unknown},
		{"demo", "\x01\x00\x00\x00\x60\x10\x00\x00", Unknown},
	} {
		if have := Sniff([]byte(c.head)); have != c.want {
			t.Errorf("%s: %s, want %s", c.name, have, c.want)
		}
	}
}

func TestUnknownFormats(t *testing.T) {
	t.Parallel()
	const unpack = ", which is not read: unpack it, and name the files in it or, with -R, its folder"
	tar := strings.Repeat("\x00", 257) + "ustar\x0000"
	for _, c := range []struct{ name, file, message string }{
		{"empty", "", "empty"},
		{"text", "hello, world", "no known kind of capture"},
		{"two bytes", "\xd4\xc3", "no known kind of capture"},
		{"packed text", string(gzipped([]byte("hello, world"))), "no known kind of capture"},
		{"packed nothing", string(gzipped(nil)), "empty"},
		{"bzip2", "BZh91AY&SY", "a bzip2 file, which is not read"},
		{"zip", "PK\x03\x04\x14\x00\x00\x00", "a zip archive" + unpack},
		{"tar", tar, "a tar archive" + unpack},
		{"packed tar", string(gzipped([]byte(tar))), "a tar archive" + unpack},
		{"7z", "7z\xbc\xaf\x27\x1c\x00\x04aaaaaa", "a 7z archive" + unpack},
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

// A fault of the disk is not a fault of the file, packed or not.
func TestReadFailed(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk on fire")
	file, _ := smallFile()
	for _, c := range []struct {
		name string
		file []byte
	}{{"plain", file}, {"gzip", gzipped(file)}, {"zstd", zstandard(file)}, {"xz", xzStored(file)}} {
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

// TestInputClose reads inputs one after the other, packed in every way and one of them left in the middle: what
// one gives back must not show in the next.
func TestInputClose(t *testing.T) {
	t.Parallel()
	plain, _ := smallFile()
	longer := append([]byte("no capture, and longer than the others: "), bytes.Repeat([]byte("x"), 3*len(plain))...)
	for round := range 3 {
		for name, packed := range map[string][]byte{
			"plain": plain, "gzip": gzipped(plain), "zstd": zstandard(plain), "xz": xzStored(plain),
			"twice": gzipped(zstandard(plain)),
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
