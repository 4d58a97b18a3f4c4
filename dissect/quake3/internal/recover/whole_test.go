package recover

import (
	"net/netip"
	"slices"
	"testing"
)

// TestZombies: what is left of these captures is a server's messages to a client that has left, under "disconnect".
// They are nearly the same, so that a search finds nothing.
func TestZombies(t *testing.T) {
	t.Parallel()
	f := NewFinder()
	for _, row := range []struct {
		name  string
		frame int
	}{{"q3-68-download", 1674}, {"q3-68-connect-play", 6263}, {"q3-68-ipfrag-mtu576", 823}} {
		for _, s := range loadSessions(t, row.name, row.name+".pcap") {
			from := s.since(row.frame)
			if from == 0 {
				continue
			}
			o := s.try(f, from, len(s.messages), -1, nil)
			if o.wrong != [2]int{} || len(o.texts) > 0 || o.right != o.total || o.total[0] == 0 {
				t.Errorf("%s: %v of %v are read, %v wrong, %v", row.name, o.right, o.total, o.wrong, o.texts)
			}
		}
	}
}

// TestComplete: all configstrings are sent in one form.
func TestComplete(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ text, want string }{
		{`cs 23 "00"`, "cs 23 \"00\"\n"},
		{"cs 23 \"00\"\n", "cs 23 \"00\"\n"},
		{`cs 23 ""`, "cs 23 \"\"\n"},
		{`bcs0 7 "\a\b"`, "bcs0 7 \"\\a\\b\"\n"},
		{`cs 23 "00`, ""},
		{`cs 23 "`, ""},
		{`print "x"`, ""},
		{`cs 23 "0"1`, ""},
		{`scores 1 "`, ""},
	} {
		c := Command{Text: []byte(row.text)}
		if done := c.complete(true); done != (row.want != "") || done && (string(c.Text) != row.want || !c.Whole) {
			t.Errorf("%q: %v %q", row.text, done, c.Text)
		}
		for _, other := range []Command{{Text: c.Text, Whole: true}, {Text: c.Text, Read: true}} {
			if other.complete(true) {
				t.Errorf("%q is complete", row.text)
			}
		}
		if c := (Command{Text: []byte(row.text)}); c.complete(false) {
			t.Errorf("%q of a client", row.text)
		}
	}
}

var anyServer = netip.MustParseAddrPort("10.0.0.1:27960")

// TestHeard has the commands that messages may acknowledge: those that were read before, the newest first. A command
// that is repeated until it arrives is one.
func TestHeard(t *testing.T) {
	t.Parallel()
	server := NewFinder().Limited(onlyInput{}).Server(anyServer)
	for _, h := range []struct {
		at   int64
		text string
	}{
		{1000, "command 1"},
		{1100, "command 1"},
		{3000, "command 3"},
		{2000, "command 2"},
		{9000, "command 1"},
		{500, "x"},
	} {
		server.Hear([]byte(h.text), h.at)
	}
	for at, want := range map[int64][]string{
		100: nil, 1000: {"command 1"}, 2500: {"command 3", "command 2", "command 1"},
		9000: {"command 1", "command 3", "command 2"},
	} {
		var got []string
		for _, text := range server.recent(at) {
			got = append(got, string(text))
		}
		if !slices.Equal(got, want) {
			t.Errorf("at %d: %q, want %q", at, got, want)
		}
	}
	for n := range 3 * maxHeard {
		server.Hear([]byte{'c', 'o', 'm', 'm', 'a', 'n', 'd', byte(n), byte(n >> 8)}, int64(n))
	}
	if len(server.heard) > maxHeard {
		t.Error(len(server.heard), "are kept")
	}
	if NewFinder().Server(anyServer) != nil {
		t.Error("several goroutines share a server")
	}
	var nobody *Server
	nobody.Hear([]byte("command 1"), 1)
}
