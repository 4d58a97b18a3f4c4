package message

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/wiretest"
)

func TestAppendInt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int32().Draw(t, "n") >> rapid.IntRange(0, 31).Draw(t, "shift")
		if got, want := AppendInt(nil, n), wiretest.AppendInt(nil, n); !slices.Equal(got, want) {
			t.Fatalf("%d is %x, want %x", n, got, want)
		}
	})
}

// The ints are what the games' StrToInts makes of the texts: each byte plus 128, the last byte of all 0.
func TestTextInInts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][4]uint32{
		"":                {0x80808080, 0x80808080, 0x80808080, 0x80808000},
		"nameless tee":    {0xeee1ede5, 0xece5f3f3, 0xa0f4e5e5, 0x80808000},
		"fifteen letters": {0xe6e9e6f4, 0xe5e5eea0, 0xece5f4f4, 0xe5f2f300},
	} {
		ints := make([]int32, len(want))
		PutText(ints, []byte(text))
		for i, n := range want {
			if uint32(ints[i]) != n {
				t.Errorf("int %d of %q is %x, want %x", i, text, uint32(ints[i]), n)
			}
		}
		if got := string(AppendText(nil, ints)); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}
