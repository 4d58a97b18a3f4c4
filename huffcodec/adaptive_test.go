package huffcodec

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	_ "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
)

// A connect packet that the engine made and an independent decoder read: 158 bytes became 132, the
// block from byte 12 on uses 955 bits.
const (
	connectPlain = `connect "\cg_predictItems\1\sex\male\handicap\100\color1\4\color2\5\snaps\20\rate\25000` +
		`\model\sarge\name\Visor\protocol\68\qport\12345\challenge\-1467280"`
	connectVector = "ffffffff636f6e6e6563742000924474308e39f4c7219cc4144c8e65864b90f437b6c0d91fc6db5c3cfa1343c546352c2c63076b" +
		"882d230cc7d5c19e0ff9ed80a59bb2c600d329ac4fa30ebc590f9af5ccb8d0cf50e7ba38a1791a657ea176c9fbaf2c3ca8ca6dd83c" +
		"380ee3d8d7db214f60cef4a79cf55d28afebd07a2d4dc1ee923801"
	connectHead = 12 // bytes before the block
)

func TestAdaptiveConnect(t *testing.T) {
	t.Parallel()
	packet := unhex(t, connectVector)
	plain := "\xff\xff\xff\xff" + connectPlain
	got, bits, err := decodeAdaptive(packet[:connectHead:connectHead], packet[connectHead:])
	if d := cmp.Diff(plain, string(got)); d != "" || err != nil || bits != 955 {
		t.Errorf("%d bits, error %v (-want +got)\n%s", bits, err, d)
	}
	coded := EncodeAdaptive([]byte(plain[:connectHead]), []byte(plain[connectHead:]))
	if d := cmp.Diff(connectVector, hex.EncodeToString(coded)); d != "" {
		t.Errorf("encoded (-want +got)\n%s", d)
	}
}

// TestAdaptiveTruncated cuts a block after each of its bytes: the model returns what is there and where
// it ends.
func TestAdaptiveTruncated(t *testing.T) {
	t.Parallel()
	block := unhex(t, connectVector)[connectHead:]
	for size := range len(block) {
		cut := block[:size:size]
		want, pos, _ := modelDecode(cut)
		got, err := DecodeAdaptive(nil, cut)
		if d := cmp.Diff(string(want), string(got)); d != "" {
			t.Errorf("%d bytes (-want +got)\n%s", size, d)
		}
		if !sameError(err, &Error{Bit: pos, Err: ErrTruncated}) {
			t.Errorf("%d bytes: error %v, want bit %d", size, err, pos)
		}
		if !strings.HasPrefix(connectPlain[8:], string(got)) {
			t.Errorf("%d bytes decode to %q", size, got)
		}
	}
}

func TestAdaptiveSmall(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, plain, block string }{
		// A count of zero, and the byte that is always added.
		{"empty", "", "000000"},
		// The first byte is itself, highest bit first.
		{"one byte", "\x01", "00018000"},
		// The second time it is one bit, the right child of the root: 1000 0000 1 1.
		{"the same again", "\x01\x01\x01", "00038003"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(tt.block, hex.EncodeToString(EncodeAdaptive(nil, []byte(tt.plain)))); d != "" {
				t.Errorf("encoded (-want +got)\n%s", d)
			}
			got, err := DecodeAdaptive(nil, unhex(t, tt.block))
			if d := cmp.Diff(tt.plain, string(got)); d != "" || err != nil {
				t.Errorf("decoded, error %v (-want +got)\n%s", err, d)
			}
		})
	}
}

// TestAdaptiveLimit goes to the largest block, and beyond.
func TestAdaptiveLimit(t *testing.T) {
	t.Parallel()
	full := bytes.Repeat([]byte{'x'}, MaxAdaptive)
	block := EncodeAdaptive(nil, full)
	if want := (16 + 8 + MaxAdaptive - 1 + 8) / 8; len(block) != want {
		t.Errorf("block of %d bytes, want %d", len(block), want)
	}
	if got, err := DecodeAdaptive(nil, block); !bytes.Equal(got, full) || err != nil {
		t.Errorf("%d bytes, error %v", len(got), err)
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	EncodeAdaptive(nil, append(full, 'x'))
}

// TestAdaptiveRoundTrip encodes, and lets the decoder and the model decode. Bytes from few values and
// with runs bring the tree to exchange nodes often.
func TestAdaptiveRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		top := rapid.Byte().Draw(t, "largest")
		var plain []byte
		for _, b := range rapid.SliceOf(rapid.ByteRange(0, top)).Draw(t, "runs") {
			run := rapid.IntRange(1, 20).Draw(t, "run")
			plain = append(plain, bytes.Repeat([]byte{b}, run)...)
		}
		block := EncodeAdaptive([]byte("head"), plain)
		got, bits, err := decodeAdaptive([]byte("head"), block[4:])
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff("head"+string(plain), string(got)); d != "" {
			t.Fatalf("(-want +got)\n%s", d)
		}
		if len(block)-4 != bits/8+1 {
			t.Fatalf("block of %d bytes for %d bits", len(block)-4, bits)
		}
		if want, pos, ok := modelDecode(block[4:]); !bytes.Equal(want, plain) || pos != bits || !ok {
			t.Fatalf("the model decodes %q, %d bits; want %q, %d bits", want, pos, plain, bits)
		}
	})
}

// FuzzAdaptive decodes anything and compares with the model; what comes out is encoded again.
func FuzzAdaptive(f *testing.F) {
	f.Add(unhex(f, connectVector)[connectHead:])
	f.Add(unhex(f, "0005ffffffff"))
	f.Add(unhex(f, "ffff00000000000000000000"))
	f.Add(EncodeAdaptive(nil, bytes.Repeat([]byte("\x00\xff\x10a"), 40)))
	f.Add([]byte{1})
	f.Fuzz(func(t *testing.T, block []byte) {
		if len(block) > 1<<12 {
			t.Skip("too slow for the model")
		}
		got, bits, err := decodeAdaptive(nil, block)
		want, pos, complete := modelDecode(block)
		if d := cmp.Diff(string(want), string(got)); d != "" {
			t.Fatalf("(-want +got)\n%s", d)
		}
		if bits != pos || bits > len(block)*8 {
			t.Fatalf("%d bits of %d, want %d", bits, len(block)*8, pos)
		}
		if len(got) > max(0, len(block)-2)*8 {
			t.Fatalf("%d bytes from a block of %d", len(got), len(block))
		}
		var wantErr error
		if !complete {
			wantErr = &Error{Bit: pos, Err: ErrTruncated}
		}
		if !sameError(wantErr, err) {
			t.Fatalf("error %v, want %v", err, wantErr)
		}
		again, err := DecodeAdaptive(nil, EncodeAdaptive(nil, got))
		if !bytes.Equal(again, got) || err != nil {
			t.Fatalf("round trip: %q, error %v; want %q", again, err, got)
		}
	})
}

// TestAdaptiveCaptures decodes the connect packets in captures of real games, compares them with what
// the engine's own code found in them, and encodes them again.
func TestAdaptiveCaptures(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("Q3DISSECT_REFERENCE")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared")
	}
	captures, err := filepath.Glob(filepath.Join(dir, "captures", "quake3", "*.pcap"))
	if err != nil {
		t.Fatal(err)
	}
	if len(captures) == 0 {
		t.Skip("no reference captures; see Q3DISSECT_REFERENCE")
	}
	total := 0
	for _, name := range captures {
		want, err := connectTexts(strings.TrimSuffix(name, ".pcap") + ".truth.jsonl.gz")
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		// The packets are found by their mark: reading captures is not this package's business. The
		// block's end is not known then, but its own bits show it.
		var got []string
		mark := []byte("\xff\xff\xff\xffconnect ")
		for _, block := range bytes.Split(file, mark)[1:] {
			text, bits, err := decodeAdaptive([]byte("connect "), block)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			got = append(got, string(text))
			again := EncodeAdaptive(nil, text[len("connect "):])
			if full := bits / 8; !bytes.Equal(again[:full], block[:full]) || len(again) != full+1 {
				t.Errorf("%s: encoded again:\n%x\nwant\n%x", name, again, block[:full+1])
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got)\n%s", name, d)
		}
		total += len(got)
	}
	if total == 0 {
		t.Error("no connect packet in any capture")
	}
}

// connectTexts reads the compressed connect packets from the engine's account of a capture.
func connectTexts(name string) ([]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	var texts []string
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		if !bytes.Contains(lines.Bytes(), []byte(`"compressed":true`)) {
			continue
		}
		var line struct{ Text string }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return nil, err
		}
		texts = append(texts, line.Text)
	}
	return texts, lines.Err()
}
