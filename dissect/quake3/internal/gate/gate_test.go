package gate

import (
	"testing"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
)

// TestWords has words to a client that plays and to its server, each after others. Challenge 5 is the session's.
func TestWords(t *testing.T) {
	const server, client = dissect.ServerToClient, dissect.ClientToServer
	type word struct {
		from dissect.Direction
		text string
	}
	for _, tt := range []struct {
		name    string
		before  []word
		last    word
		silence time.Duration
		refused bool
	}{
		{"the server ends the session", nil, word{server, "disconnect"}, time.Second, true},
		{"after three seconds of silence", nil, word{server, "disconnect"}, 3 * time.Second, false},
		{"of no server that was heard", nil, word{server, "disconnect"}, -1, false},
		{"the client ends it", nil, word{client, "disconnect"}, 0, true},
		{"an answer that nobody asked for", nil, word{server, "connectResponse"}, 0, true},
		{"a challenge that nobody asked for", nil, word{server, "challengeResponse 6"}, 0, true},
		{"one that the client asked for", []word{{client, "getchallenge"}}, word{server, "challengeResponse 6"}, 0, false},
		{"a request with a challenge of nobody", nil, word{client, `connect "\challenge\7\qport\1"`}, 0, true},
		{"a request with the session's", nil, word{client, `connect "\challenge\5\qport\1"`}, 0, false},
		{"information that nobody asked for", nil, word{server, "infoResponse\n\\mapname\\x"}, 0, true},
		{"a second answer to one query", []word{{client, "getinfo xxx"}, {server, "infoResponse\n\\mapname\\x"}}, word{server, "infoResponse\n\\mapname\\x"}, 0, true},
		{"information that the client asked for", []word{{client, "getstatus"}}, word{server, "statusResponse\n\\mapname\\x\n"}, 0, false},
		{"a client's word of the server", nil, word{server, "getchallenge"}, 0, true},
		{"a server's word of the client", nil, word{client, "connectResponse"}, 0, true},
		{"remote control, from anywhere", nil, word{client, "rcon secret status"}, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var g Gate
			for _, fromClient := range []bool{false, true} {
				if why := g.Sequenced(&netchan.Header{Sequence: 9, FromClient: fromClient, Qport: 1}); why != "" {
					t.Fatal(why)
				}
			}
			s := Session{Plays: true, Silence: tt.silence, Given: func(challenge int32) bool { return challenge == 5 }}
			var p oob.Packet
			for _, w := range tt.before {
				p.Parse([]byte("\xff\xff\xff\xff" + w.text))
				if why := g.OutOfBand(&p, w.from, &s); why != "" {
					t.Fatalf("%s: %s", w.text, why)
				}
			}
			p.Parse([]byte("\xff\xff\xff\xff" + tt.last.text))
			if why := g.OutOfBand(&p, tt.last.from, &s); (why != "") != tt.refused {
				t.Errorf("refused: %q", why)
			}
		})
	}
}

// TestOneSide: of a capture of one side alone nothing is known of what the other asked for or gave.
func TestOneSide(t *testing.T) {
	s := Session{Plays: true, Silence: 0, Given: func(int32) bool { return false }}
	for _, tt := range []struct {
		from dissect.Direction
		text string
	}{
		{dissect.ServerToClient, "challengeResponse 6"},
		{dissect.ServerToClient, "connectResponse"},
		{dissect.ServerToClient, "infoResponse\n\\mapname\\x"},
		{dissect.ClientToServer, `connect "\challenge\7\qport\1"`},
	} {
		var g Gate
		var p oob.Packet
		p.Parse([]byte("\xff\xff\xff\xff" + tt.text))
		for range 2 {
			if why := g.OutOfBand(&p, tt.from, &s); why != "" {
				t.Errorf("%s: %s", tt.text, why)
			}
		}
	}
}

// TestQport has packets with other qports than the client's, which a handshake or most packets show.
func TestQport(t *testing.T) {
	for _, tt := range []struct {
		name   string
		agreed bool
		qports []uint16
		want   string // a letter for each: a is admitted, r refused
	}{
		{"agreed on", true, []uint16{7, 8, 8, 8, 7}, "arrra"},
		{"of most packets", false, []uint16{7, 7, 7, 8, 8, 7, 8, 7}, "aaarrara"},
		{"the first one is forged", false, []uint16{8, 7, 7, 7}, "aaaa"},
	} {
		var g Gate
		g.Begin(7, tt.agreed)
		got := ""
		for i, q := range tt.qports {
			if g.Sequenced(&netchan.Header{Sequence: uint32(3 + i), FromClient: true, Qport: q}) == "" {
				got += "a"
			} else {
				got += "r"
			}
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	var g Gate
	if g.Sequenced(&netchan.Header{}) == "" {
		t.Error("number 0 is admitted")
	}
}

// TestShows counts the challenges for which a checksum is right: one that is right for all is no evidence.
func TestShows(t *testing.T) {
	for _, tt := range []struct {
		challenge int32
		sequence  uint32
		want      bool
	}{{0x1234abcd, 1, false}, {0x1234abcd, 2, true}, {0x1234abcd, 3, true}, {0, 2, false}} {
		right := 0
		for challenge := range int32(1 << 16) {
			if netchan.Checksum(tt.challenge, tt.sequence) == netchan.Checksum(challenge, tt.sequence) {
				right++
			}
		}
		if got := Shows(tt.challenge, tt.sequence); got != tt.want || tt.sequence == 1 && right != 1<<16 || got && right > 4 {
			t.Errorf("challenge %d, number %d: %v, right for %d of %d challenges", tt.challenge, tt.sequence, got, right, 1<<16)
		}
	}
}

// TestGoesOn: a word that ends a session is taken back when the server goes on, however long nothing had come.
func TestGoesOn(t *testing.T) {
	for _, goesOn := range []bool{false, true} {
		var g Gate
		var p oob.Packet
		p.Parse([]byte("\xff\xff\xff\xffdisconnect"))
		s := Session{Plays: true, Silence: time.Minute, GoesOn: goesOn}
		if why := g.OutOfBand(&p, dissect.ServerToClient, &s); (why != "") != goesOn {
			t.Errorf("goes on: %v, refused: %q", goesOn, why)
		}
	}
}
