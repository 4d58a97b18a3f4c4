package merge

import (
	"slices"
	"strings"
	"testing"
)

// The clocks of two recordings differ by one amount: that of most pairs of events, whatever chance makes of the others.
func TestDensest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		differences []int64
		want        []int64
	}{
		{nil, nil},
		{[]int64{7}, []int64{7}},
		{[]int64{-90_000, 5000, 5000 + clockWindow, 70_000}, []int64{5000, 5000 + clockWindow}},
		{[]int64{5000, 5001 + clockWindow, 90_000, 90_000}, []int64{90_000, 90_000}},
		{[]int64{-50_000, -50_000, 30_000, 30_000}, []int64{30_000, 30_000}}, // nearest to 0
	} {
		if from, to := densest(c.differences); !slices.Equal(c.differences[from:to], c.want) {
			t.Errorf("%d: %d, want %d", c.differences, c.differences[from:to], c.want)
		}
	}
}

// A happening that is moved to another clock has its times moved, and nothing else that looks like one.
func TestShift(t *testing.T) {
	t.Parallel()
	const head, rest = `{"text":"\"server_time\":9","server_time":`, `"server_port":27960}`
	h := Happening{Time: 995, Text: []byte(head + `995,` + rest), At: len(head + `995,`)}
	h.shift(10)
	if got, want := string(h.Text), head+`1005,`+rest; got != want || h.Time != 1005 {
		t.Errorf("%s at %d, want %s", got, h.Time, want)
	}
	if got := string(h.Text[h.At:]); got != rest {
		t.Errorf("members are to be inserted before %s, want %s", got, rest)
	}
	h.shift(-1006)
	if got, want := string(h.Text), head+`-1,`+rest; got != want || string(h.Text[h.At:]) != rest {
		t.Errorf("%s, want %s", got, want)
	}
}

// A command is the same whether a client's packet or a server's record has it.
func TestCommandWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ line, want string }{
		{"", ""},
		{`Say "hello World"`, "say hello World"},
		{`CallVote  map "dm 17"`, "callvote map dm 17"},
	} {
		if got := commandWords(c.line); got != c.want {
			t.Errorf("%q: %q, want %q", c.line, got, c.want)
		}
	}
}

// Columns keep their width with names of any letters, and show nothing that a terminal would act on.
func TestPadded(t *testing.T) {
	t.Parallel()
	if got := padded("äö", 4); got != "äö  " {
		t.Errorf("%q", got)
	}
	if got := padded("\x1b[2J", 2); strings.Contains(got, "\x1b") {
		t.Errorf("%q", got)
	}
	if got := leftPadded("äö", 4); got != "  äö" {
		t.Errorf("%q", got)
	}
}
