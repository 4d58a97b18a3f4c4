package message

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/wiretest"
)

// Vectors made with the original code, compiled; 5635840 and -11141356 also occur in a test of teeworlds-go, in a real
// Sv_ClientInfo.
var intVectors = []struct {
	hex  string
	want int32
}{
	{"00", 0},
	{"01", 1},
	{"3f", 63},
	{"8001", 64},
	{"40", -1},
	{"7f", -64},
	{"c001", -65},
	{"913b", 3793},
	{"851c", 1797},
	{"808001", 8192},
	{"80fcaf05", 5635840},
	{"eb83d00a", -11141356},
	{"bfffffff0f", math.MaxInt32},
	{"ffffffff0f", math.MinInt32},
}

func TestUnpackInt(t *testing.T) {
	t.Parallel()
	for _, v := range intVectors {
		data, _ := hex.DecodeString(v.hex)
		var u Unpacker
		u.Reset(append(data, 0xAA), 0)
		if got := u.Int(); got != v.want || u.Failed() || u.Pos() != len(data) || u.Overlong() >= 0 || u.Padded() >= 0 {
			t.Errorf("%s: %d at %d (%v), want %d at %d", v.hex, got, u.Pos(), u.Err(), v.want, len(data))
		}
		if got := wiretest.AppendInt(nil, v.want); !bytes.Equal(got, data) {
			t.Errorf("%d is packed as %x, want %s", v.want, got, v.hex)
		}
		for n := range data {
			u.Reset(data[:n], 8)
			if got := u.Int(); got != 0 || !errors.Is(u.Err(), dissect.ErrTruncated) || u.Bit() != 8 {
				t.Errorf("%x: %d, %v at bit %d", data[:n], got, u.Err(), u.Bit())
			}
		}
	}
}

// Forms that no game writes and every game reads: capture tw07-synth has the first three.
func TestUnpackOddInt(t *testing.T) {
	t.Parallel()
	for _, v := range []struct {
		hex              string
		want             int32
		overlong, padded bool
	}{
		{"8000", 0, true, false},
		{"c000", -1, true, false},
		{"8180808000", 1, true, false},
		{"bf00", 63, true, false},
		{"ffffffff1f", math.MinInt32, false, true},
		{"80808080f0", 0, false, true},
		{"8080808081", 1 << 27, false, true}, // the extend bit of the fifth byte takes in no sixth
		{"c0808080f1", ^(1 << 27), false, true},
	} {
		data, _ := hex.DecodeString(v.hex)
		var u Unpacker
		u.Reset(append([]byte{5}, data...), 100)
		u.Int()
		got := u.Int()
		if got != v.want || u.Failed() || u.Left() != 0 {
			t.Errorf("%s: %d (%v), want %d", v.hex, got, u.Err(), v.want)
		}
		for _, odd := range []struct {
			name string
			at   int
			want bool
		}{{"overlong", u.Overlong(), v.overlong}, {"padded", u.Padded(), v.padded}} {
			if want := map[bool]int{true: 108, false: -1}[odd.want]; odd.at != want {
				t.Errorf("%s: %s at %d, want %d", v.hex, odd.name, odd.at, want)
			}
		}
	}
}

func TestPackedIntsRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOf(rapid.Int32()).Draw(t, "values")
		var data []byte
		for _, v := range values {
			data = wiretest.AppendInt(data, v)
		}
		var u Unpacker
		u.Reset(data, 0)
		for i, want := range values {
			if got := u.Int(); got != want {
				t.Fatalf("value %d is %d, want %d", i, got, want)
			}
		}
		if u.Failed() || u.Left() != 0 || u.Overlong() >= 0 || u.Padded() >= 0 {
			t.Fatalf("%v, %d bytes left", u.Err(), u.Left())
		}
	})
}

func TestUnpackBytes(t *testing.T) {
	t.Parallel()
	var u Unpacker
	u.Reset([]byte("ab\x00\x00cde"), 16)
	if got := string(u.String()); got != "ab" || u.Bit() != 16+24 {
		t.Errorf("%q, bit %d", got, u.Bit())
	}
	if got := u.String(); len(got) != 0 || u.Failed() {
		t.Errorf("%q, %v", got, u.Err())
	}
	if got := string(u.Raw(2)); got != "cd" || string(u.Rest()) != "e" {
		t.Errorf("%q, then %q", got, u.Rest())
	}
	keep := u
	if got := string(u.Raw(2)); got != "e" || !errors.Is(u.Err(), dissect.ErrTruncated) {
		t.Errorf("%q, %v", got, u.Err())
	}
	u = keep
	if got := string(u.String()); got != "e" || !errors.Is(u.Err(), errNoEnd) ||
		!errors.Is(u.Err(), dissect.ErrTruncated) {
		t.Errorf("%q, %v", got, u.Err())
	}
	u = keep
	if got := u.Raw(-1); got != nil || !errors.Is(u.Err(), dissect.ErrMalformed) || u.Pos() != keep.Pos() {
		t.Errorf("%q, %v", got, u.Err())
	}
	// Nothing is read after a failure, and the first reason stays.
	u.Malformed("not this")
	first := u.Err()
	if want := dissect.ErrMalformed.Error() + ": -1 bytes"; first.Error() != want {
		t.Errorf("%v, want %s", first, want)
	}
	if u.Int() != 0 || u.String() != nil || u.Raw(0) != nil || u.Err() != first || u.Pos() != keep.Pos() {
		t.Errorf("read on after %v: %v", first, u.Err())
	}
}
