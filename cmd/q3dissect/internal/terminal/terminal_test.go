package terminal

import "testing"

// What reaches a terminal from outside has no control characters left.
func TestVisible(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"capture.pcap", "capture.pcap"},
		{"naïve → 世界", "naïve → 世界"},
		{"\x1b[31m\x7f", `\x1b[31m\x7f`},
		{"a\nb\x00", `a\x0ab\x00`},
		{"\u009b\u0085", `\x9b\x85`},
		{"a\u202eb\u2028\u2066", `a\u202eb\u2028\u2066`},
		{"\xff\xfe�", `\xff\xfe�`},
	} {
		if got := Visible(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestFold(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text  string
		width int
		want  string
	}{
		{"", 10, ""},
		{"one two\n", 7, "one two\n"},
		{"one two three four\n", 0, "one two three four\n"},
		{"one two three four\n", 10, "one two\n  three\n  four\n"},
		{"  one two three\n\nfour\n", 11, "  one two\n    three\n\nfour\n"},
		{"one  two", 8, "one  two"},
		{"a-word-without-a-place after\n", 10, "a-word-without-a-place\n  after\n"},
		{"größer größer größer\n", 13, "größer größer\n  größer\n"},
	} {
		if got := string(Fold([]byte(tt.text), tt.width)); got != tt.want {
			t.Errorf("%q in %d: %q, want %q", tt.text, tt.width, got, tt.want)
		}
	}
}
