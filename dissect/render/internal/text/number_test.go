package text

import (
	"encoding/json"
	"math"
	"strconv"
	"testing"
)

func fromBits(b uint32) float32 { return math.Float32frombits(b) }

func TestIntegers(t *testing.T) {
	t.Parallel()
	for _, v := range []uint64{
		0, 9, 10, 99, 100, 101, 999, 1000, 12345, 1<<31 - 1, 1 << 32,
		1 << 53, math.MaxUint64, 1e19,
	} {
		if got, want := string(AppendUint(nil, v)), strconv.FormatUint(v, 10); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if got, want := string(AppendInt(nil, int64(v))), strconv.FormatInt(int64(v), 10); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got := string(AppendInt(nil, math.MinInt64)); got != "-9223372036854775808" {
		t.Errorf("got %s", got)
	}
}

func FuzzIntegers(f *testing.F) {
	f.Add(uint64(0))
	f.Add(uint64(1) << 63)
	f.Fuzz(func(t *testing.T, v uint64) {
		if got, want := string(AppendUint(nil, v)), strconv.FormatUint(v, 10); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if got, want := string(AppendInt(nil, int64(v))), strconv.FormatInt(int64(v), 10); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

func TestFloats(t *testing.T) {
	t.Parallel()
	tests := []struct {
		v    float32
		want string
	}{
		{0, "0"},
		{fromBits(1 << 31), "-0"},
		{1, "1"},
		{-7.5, "-7.5"},
		{0.1, "0.1"},
		{16777215, "16777215"},
		{16777216, "16777216"},
		{-16777217, "-16777216"},
		{33554432, "33554432"},
		{1e20, "100000000000000000000"},
		{1e21, "1e+21"},
		{math.MaxFloat32, "3.4028235e+38"},
		{math.SmallestNonzeroFloat32, "1e-45"},
		{1e-6, "0.000001"},
		{9.5e-7, "9.5e-7"},
		{float32(360.0 / 65536), "0.005493164"},
		{float32(math.Inf(1)), `"inf"`},
		{float32(math.Inf(-1)), `"-inf"`},
		{float32(math.NaN()), `"nan"`},
	}
	for _, tt := range tests {
		if got := string(AppendJSONFloat(nil, tt.v)); got != tt.want {
			t.Errorf("%b: got %s, want %s", tt.v, got, tt.want)
		}
	}
}

// Every multiple of 1/8 that is written without strconv, and some beyond.
func TestEighths(t *testing.T) {
	t.Parallel()
	for n := range int32(9 * maxEighth) {
		for _, v := range []float32{float32(n) / 8, -float32(n) / 8} {
			if got, _ := AppendFloat(nil, v); string(got) != strconv.FormatFloat(float64(v), 'f', -1, 32) {
				t.Fatalf("%v: got %s", v, got)
			}
		}
	}
}

// encoding/json writes float32 as the shortest decimal too.
func FuzzFloats(f *testing.F) {
	for _, v := range []float32{0, 1, -1, 0.1, 1e21, 1e-7, 16777216, 2147483648, 3.3} {
		f.Add(math.Float32bits(v))
	}
	f.Add(uint32(0x7fc00000))
	f.Fuzz(func(t *testing.T, bits uint32) {
		v := fromBits(bits)
		got := AppendJSONFloat(nil, v)
		want, err := json.Marshal(v)
		if err != nil {
			if !json.Valid(got) || got[0] != '"' {
				t.Errorf("%v: got %s", v, got)
			}
			return
		}
		if string(got) != string(want) {
			t.Errorf("%v: got %s, want %s", v, got, want)
		}
		back, err := strconv.ParseFloat(string(got), 32)
		if err != nil || math.Float32bits(float32(back)) != bits {
			t.Errorf("%v: %s reads back as %v, %v", v, got, back, err)
		}
	})
}
