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
