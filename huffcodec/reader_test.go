package huffcodec

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func unhex(tb testing.TB, text string) []byte {
	tb.Helper()
	data, err := hex.DecodeString(text)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// fieldsVector is a b3 of 5, a b10 of 1023, a b16 of -300 and a b32 of 0x12345678 as the engine's
// MSG_WriteBits codes them: 63 bits.
const fieldsVector = "9d6ce8b534de147c"

func TestReaderFields(t *testing.T) {
	t.Parallel()
	r := NewReader(unhex(t, fieldsVector), Static)
	got := []any{r.Bits(3), r.Bits(10), r.Signed(16), r.Bits(32), r.Pos(), r.Len(), r.Err()}
	want := []any{uint32(5), uint32(1023), int32(-300), uint32(0x12345678), 63, 64, nil}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestReaderRaw(t *testing.T) {
	t.Parallel()
	// 101 | 1000000000 | 1 | 01 (-2, lowest first) | 0xdeadbeef | alignment | 'h' 'i' NUL | 0xff
	data := packBits("101 1000000000 1 01 11110111 01111101 10110101 01111011")
	data = append(data, "hi\x00\xff"...)
	r := NewReader(data, Raw)
	got := []any{r.Bits(3), r.Bits(10), r.Bit(), r.Signed(2), r.Bits(32)}
	want := []any{uint32(5), uint32(1), true, int32(-2), uint32(0xdeadbeef)}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	r.Align() // at a byte already
	if s := r.AppendString([]byte("> ")); string(s) != "> hi" {
		t.Errorf("string is %q", s)
	}
	r.Bits(1)
	r.Align()
	if r.Pos() != r.Len() || r.Failed() {
		t.Errorf("at %d of %d, error %v", r.Pos(), r.Len(), r.Err())
	}
}

// The messages of the two directions as the engine made them, before its cipher.
const (
	serverVector = "bf1a31835a7884c290bd8970304cccd93bf6443f4dc45d01"
	clientVector = "87cdc19782ad33a8a155cd7b3c7b041389f49cc9f695677c8a2f2b324e17b8b6f7f870693a1100"
)

func TestReaderServerMessage(t *testing.T) {
	t.Parallel()
	r := NewReader(unhex(t, serverVector), Static)
	got := []any{
		r.Bits(32), r.Byte(), // acknowledge, svc_serverCommand
		r.Bits(32), string(r.AppendString(nil)),
		r.Byte(), r.Byte(), // svc_nop, svc_EOF
		r.Pos(), r.Err(),
	}
	want := []any{uint32(7), byte(5), uint32(42), "print \"hello 50.\n\"", byte(1), byte(8), 185, nil}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// userCmd is what a client does in one frame; serverTime in milliseconds.
type userCmd struct {
	ServerTime          uint32
	Angles              [3]uint32
	Forward, Right, Up  int8
	Buttons, WeaponByte uint32
}

// readUserCmd reads a command as the difference to the one before. Values are keyed with the time.
func readUserCmd(r *Reader, c userCmd, key uint32) userCmd {
	if r.Bit() {
		c.ServerTime += r.Bits(8)
	} else {
		c.ServerTime = r.Bits(32)
	}
	if !r.Bit() {
		return c
	}
	key ^= c.ServerTime
	value := func(old uint32, n int) uint32 {
		if !r.Bit() {
			return old
		}
		return (r.Bits(n) ^ key) & (1<<n - 1)
	}
	for i := range c.Angles {
		c.Angles[i] = value(c.Angles[i], 16)
	}
	for _, move := range []*int8{&c.Forward, &c.Right, &c.Up} {
		*move = int8(value(uint32(uint8(*move)), 8))
	}
	c.Buttons = value(c.Buttons, 16)
	c.WeaponByte = value(c.WeaponByte, 8)
	return c
}

func TestReaderClientMessage(t *testing.T) {
	t.Parallel()
	r := NewReader(unhex(t, clientVector), Static)
	got := []any{
		r.Bits(32), r.Bits(32), r.Bits(32), // server id, message and command acknowledged
		r.Byte(), r.Bits(32), string(r.AppendString(nil)), // clc_clientCommand
		r.Byte(), r.Byte(), // clc_move, number of commands
	}
	const key = 0x5eefb630 // checksum feed ^ message acknowledged ^ hash of the command acknowledged
	first := readUserCmd(&r, userCmd{}, key)
	second := readUserCmd(&r, first, key)
	got = append(got, first, second, r.Byte(), r.Pos(), r.Err())
	want := []any{
		uint32(0x0012d687), uint32(299), uint32(42),
		byte(4), uint32(8), "score",
		byte(2), byte(2),
		userCmd{ServerTime: 123456, Angles: [3]uint32{1000, 40000, 0}, Forward: 127, Buttons: 1, WeaponByte: 5},
		userCmd{ServerTime: 123464, Angles: [3]uint32{1000, 40100, 0}, Forward: 127, WeaponByte: 5},
		byte(5), 304, nil, // clc_EOF
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestReaderTruncated cuts a message with every kind of field after each of its bytes.
func TestReaderTruncated(t *testing.T) {
	t.Parallel()
	for _, coding := range []Coding{Static, Raw} {
		var w Writer
		w.Reset(coding)
		var starts []int // of each field and each byte, in bits
		bits := func(v uint32, n int) {
			starts = append(starts, w.Pos())
			w.Bits(v, n)
		}
		text, blob := "a string, {of} some length\x7f\xff", []byte{0, 1, 0, 0, 0, 247, 0, 0, 0, 0, 0, 9, 0}
		for range 3 {
			for n := range MaxBits + 1 {
				bits(0xf7f0aa55>>(MaxBits-n), n)
			}
			for _, c := range []byte(text + "\x00") {
				bits(uint32(c), 8)
			}
			for _, c := range blob {
				bits(uint32(c), 8)
			}
			bits(1, 1)
		}
		end := w.Pos()
		starts = append(starts, end)
		whole := w.Data()
		for size := range len(whole) {
			if size*8 >= end {
				break
			}
			// What fails is the last thing that begins before the cut and ends after it.
			want := &Error{Err: ErrTruncated}
			for i, start := range starts[1:] {
				if start > size*8 {
					want.Bit = starts[i]
					break
				}
			}
			r := NewReader(whole[:size:size], coding)
			for range 3 {
				for n := range MaxBits + 1 {
					r.Bits(n)
				}
				r.AppendString(nil)
				r.AppendBytes(nil, len(blob))
				r.Bit()
			}
			if d := cmp.Diff(error(want), r.Err(), cmp.Comparer(sameError)); d != "" {
				t.Fatalf("coding %d, cut to %d bytes (-want +got)\n%s", coding, size, d)
			}
			if r.Pos() != want.Bit {
				t.Fatalf("coding %d, cut to %d bytes: position %d, want %d", coding, size, r.Pos(), want.Bit)
			}
		}
	}
}

func sameError(a, b error) bool {
	var x, y *Error
	if !errors.As(a, &x) || !errors.As(b, &y) {
		return a == nil && b == nil
	}
	return *x == *y
}

// TestReaderUnusedCode has the 257th code in each place where a symbol can be.
func TestReaderUnusedCode(t *testing.T) {
	t.Parallel()
	const zero, one, bad = "01", "11011", modelUnused // as in the list of codes
	bits := func(n int) func(*Reader) { return func(r *Reader) { r.Bits(n) } }
	str := func(r *Reader) { r.AppendString(nil) }
	tests := []struct {
		name   string
		stream string
		read   func(*Reader)
		bit    int
		err    error
	}{
		{"field", bad, bits(8), 0, ErrCode},
		{"after raw bits", "11 111" + bad, func(r *Reader) { r.Bits(2); r.Bits(11) }, 2, ErrCode},
		{"third of four", "1" + zero + one + bad + zero, func(r *Reader) { r.Bit(); r.Bits(32) }, 1, ErrCode},
		{"fourth of four", one + one + one + bad, bits(32), 0, ErrCode},
		{"twice", bad + bad + bad + bad, bits(32), 0, ErrCode},
		{"in a string", one + one + bad, str, 10, ErrCode},
		{"in bytes", one + zero + bad + one, func(r *Reader) { r.AppendBytes(nil, 4) }, 7, ErrCode},
		{"signed", zero + bad, func(r *Reader) { r.Signed(16) }, 0, ErrCode},
		// What comes first in the stream counts.
		{"before the end", one + bad + "11", bits(32), 0, ErrCode},
		{"after the end", "1111111" + bad[:9], bits(15), 0, ErrTruncated},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			data := packBits(tt.stream)
			inputs := map[string][]byte{"at the end": data[:len(data):len(data)]}
			if errors.Is(tt.err, ErrCode) {
				inputs["far from the end"] = append(data[:len(data):len(data)], make([]byte, 16)...)
			}
			for where, data := range inputs {
				r := NewReader(data, Static)
				tt.read(&r)
				want := &Error{Bit: tt.bit, Err: tt.err}
				if !sameError(want, r.Err()) {
					t.Errorf("%s: error %v, want %v", where, r.Err(), want)
				}
			}
		})
	}
}

// TestReaderAfterFailure asks for everything after a failure: zeros, and nothing moves.
func TestReaderAfterFailure(t *testing.T) {
	t.Parallel()
	for _, coding := range []Coding{Static, Raw} {
		for size := range 12 {
			data := make([]byte, size)
			for i := range data {
				data[i] = 0xff
			}
			r := NewReader(data, coding)
			r.Bits(1)
			for !r.Failed() {
				r.Bits(30)
			}
			pos, err := r.Pos(), r.Err()
			zero := []any{
				r.Bit(), r.Bits(1), r.Bits(0), r.Bit(), r.Bits(7), r.Byte(), r.Bits(32), r.Signed(13), r.Bit(),
				len(r.AppendString(nil)), len(r.AppendBytes(nil, 1000)),
			}
			r.Align()
			for i, v := range zero {
				if s := fmt.Sprint(v); s != "0" && s != "false" {
					t.Errorf("coding %d, %d bytes: read %d gave %v", coding, size, i, v)
				}
			}
			if r.Pos() != pos || !sameError(err, r.Err()) || !errors.Is(r.Err(), ErrTruncated) || r.Len() != size*8 {
				t.Errorf("coding %d, %d bytes: position %d, error %v; before %d, %v", coding, size, r.Pos(), r.Err(), pos, err)
			}
			r.Reset([]byte{1}, coding)
			if r.Failed() || !r.Bit() {
				t.Errorf("coding %d: not usable after Reset", coding)
			}
		}
	}
}

func TestReaderZeroValue(t *testing.T) {
	t.Parallel()
	var r Reader
	r.Bits(0)
	if r.Failed() || r.Len() != 0 || r.Pos() != 0 {
		t.Errorf("length %d, position %d, error %v", r.Len(), r.Pos(), r.Err())
	}
	if r.Bit() || !sameError(r.Err(), &Error{Err: ErrTruncated}) {
		t.Errorf("error %v", r.Err())
	}
	want := "huffcodec: data ends too early, at byte 0x0 bit 0"
	if got := r.Err().Error(); got != want {
		t.Errorf("text %q, want %q", got, want)
	}
}

// TestReaderCopy reads ahead with a copy.
func TestReaderCopy(t *testing.T) {
	t.Parallel()
	r := NewReader(unhex(t, fieldsVector), Static)
	r.Bits(3)
	ahead := r
	ahead.Bits(10)
	ahead.Bits(16)
	if v := r.Bits(10); v != 1023 || ahead.Bits(32) != 0x12345678 {
		t.Errorf("a copy disturbs: read %d", v)
	}
}

func TestReaderWidths(t *testing.T) {
	t.Parallel()
	for _, n := range []int{-1, 33, 64, math.MaxInt, math.MinInt} {
		for name, call := range map[string]func(){
			"read":  func() { r := NewReader(make([]byte, 100), Static); r.Bits(n) },
			"write": func() { new(Writer).Bits(0, n) },
		} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s of %d bits: no panic", name, n)
					}
				}()
				call()
			}()
		}
	}
}

// TestReaderBounded asks for more bytes than the data can hold.
func TestReaderBounded(t *testing.T) {
	t.Parallel()
	data := packBits("01 01 01 01 01 01 01 01") // eight times symbol 0, the shortest
	r := NewReader(data, Static)
	got := r.AppendBytes(nil, 1<<30)
	if len(got) != 8 || cap(got) > 64 || !errors.Is(r.Err(), ErrTruncated) || r.Pos() != 16 {
		t.Errorf("%d bytes of %d, error %v", len(got), cap(got), r.Err())
	}
}
