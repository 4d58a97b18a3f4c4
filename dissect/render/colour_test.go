package render

import "testing"

func TestColouredText(t *testing.T) {
	for _, tt := range []struct{ raw, plain, coloured string }{
		{"^1gg ^7all", "gg all", "\x1b[31mgg \x1b[0mall\x1b[0m"},
		{"a^^2b\x1b[2J\x07", "a^b[2J", "a^\x1b[32mb[2J\x1b[0m"},
		{"no codes ^", "no codes ^", "no codes ^"},
		{"^x\u202e", "\\u202e", "\x1b[90m\\u202e\x1b[0m"},
	} {
		plain, coloured := colouredText([]byte(tt.raw))
		if string(plain) != tt.plain || string(coloured) != tt.coloured {
			t.Errorf("%q: %q, %q", tt.raw, plain, coloured)
		}
	}
}
