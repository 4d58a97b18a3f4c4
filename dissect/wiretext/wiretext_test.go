package wiretext_test

import (
	"bytes"
	"fmt"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/q3dissect/q3dissect/dissect/internal/texttest"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

func Example() {
	name := []byte("caf\xe9 \x1b[31m") // Latin-1, and a terminal's escape sequence
	fmt.Println(wiretext.Visible(wiretext.String(name)))
	// Output: café \x1b[31m
}

func TestVisible(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{"", ""},
		{"plain", "plain"},
		{"say \x1b[31mred\x07", `say \x1b[31mred\x07`},
		{"\x7f\u0085\x85\xe9", `\x7f\x85\x85é`},
		{"abc\u202ecba\u2066", `abc\u202ecba\u2066`},
		{"\ufeffname\u061c", `\ufeffname\u061c`},
		{"na\u200bme\u2060\u200d", `na\u200bme\u2060\u200d`},
		{"tag\U000e0041\U000e007f.", `tag\U000e0041\U000e007f.`},
		{`back\slash "quote"`, `back\slash "quote"`},
		{"Δ日本🎮\ufffd", "Δ日本🎮\ufffd"},
	}
	for _, tt := range tests {
		if got := wiretext.Visible(tt.in); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.in, got, tt.want)
		}
	}
}

// The characters that Unicode's own tables name, and the byte order mark. Format characters count in the blocks General
// Punctuation and Tags.
func TestDisturbs(t *testing.T) {
	t.Parallel()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		want := unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp) || r == 0xfeff ||
			(r>>8 == 0x20 || r>>7 == 0xe0000>>7) && unicode.Is(unicode.Cf, r)
		if got := wiretext.Disturbs(r); got != want {
			t.Errorf("%U: %v, want %v", r, got, want)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{
		"", "plain", "\x1b[31m", "caf\xe9 café", "\xf0\x9f\x8e\xae\xf0\x9f", "\xed\xa0\x80",
		"\xc0\xaf", "\u2028\u202e",
	} {
		f.Add([]byte(s), []byte(texttest.Text(s)))
	}
	f.Fuzz(func(t *testing.T, b, other []byte) {
		want := texttest.Text(string(b))
		got, exact := wiretext.Append([]byte("x"), b)
		if string(got) != "x"+want || exact != utf8.Valid(b) {
			t.Errorf("got %q, %v; want %q", got[1:], exact, want)
		}
		if got := wiretext.String(b); got != want {
			t.Errorf("string %q, want %q", got, want)
		}
		if got := wiretext.Equal(b, other); got != (want == texttest.Text(string(other))) {
			t.Errorf("%q and %q: equal %v", b, other, got)
		}
		visible := wiretext.AppendVisible(nil, b)
		if bytes.ContainsFunc(visible, wiretext.Disturbs) || !utf8.Valid(visible) {
			t.Errorf("%q reaches the terminal", visible)
		}
		if again := wiretext.MakeVisible([]byte("\x01"+string(b)), 1); string(again) != "\x01"+string(visible) {
			t.Errorf("in place %q, else %q", again[1:], visible)
		}
		if got := wiretext.Visible(string(b)); got != string(visible) {
			t.Errorf("of a string %q, else %q", got, visible)
		}
	})
}

// TestVisibleAnywhere has each byte at each place of two words and a rest: a text is shown as its characters are one by
// one.
func TestVisibleAnywhere(t *testing.T) {
	t.Parallel()
	check := func(text string) {
		t.Helper()
		var want []byte
		for b := []byte(text); len(b) > 0; {
			_, n, _ := wiretext.Next(b)
			want = wiretext.AppendVisible(want, b[:n])
			b = b[n:]
		}
		if got := wiretext.AppendVisible(nil, []byte(text)); !bytes.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if got := wiretext.MakeVisible([]byte("\x00"+text), 1); !bytes.Equal(got[1:], want) {
			t.Errorf("%q in place: %q, want %q", text, got[1:], want)
		}
	}
	for at := range 19 {
		for c := range 256 {
			b := []byte("plain ascii ~ text!")
			b[at] = byte(c)
			check(string(b))
		}
	}
	for odd := "\xff\x7f\xff\x00\x1f\x80\xff\xff \xc3\xb8Δ"; odd != ""; odd = odd[1:] {
		check(odd + " plain")
		check("plain text " + odd)
	}
}

// TestEscapedJSON: a character outside of the first 65,536 is escaped as in JSON.
func TestEscapedJSON(t *testing.T) {
	if got, want := string(wiretext.EscapeJSON([]byte("\"a\u200bb\U000e0041\""))), `"a\u200bb\udb40\udc41"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
