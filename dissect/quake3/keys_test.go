package quake3

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/router"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// TestDecipherCharacters: of the command, '%' counts as '.', and so do bytes above 127 but for Enemy Territory; it ends
// at a zero, and starts over. A byte at an odd place counts twice: CL_Netchan_Decode, code/client/cl_net_chan.c;
// src/client/cl_net_chan.c of ET: Legacy.
func TestDecipherCharacters(t *testing.T) {
	for _, v := range []struct {
		command string
		kept    token.Kept
		want    []byte // of the zero body 0 0 0 0 from byte 1 on, with the key 1
	}{
		{"", 0, []byte{0, 1, 1, 1}},
		{"ab", 0, []byte{0, 1 ^ 'a'<<1, 1 ^ 'a'<<1 ^ 'b', 1 ^ 'a'<<1&0xff ^ 'b' ^ 'a'<<1&0xff}},
		{"a\x00b", 0, []byte{0, 1 ^ 'a'<<1, 1 ^ 'a'<<1 ^ 'a', 1 ^ 'a'<<1 ^ 'a' ^ 'a'<<1}},
		{"%\x7f", 0, []byte{0, 1 ^ '.'<<1, 1 ^ '.'<<1 ^ 0x7f, 1 ^ 0x7f}},
		{"A\x80", 0, []byte{0, 1 ^ 'A'<<1, 1 ^ 'A'<<1 ^ '.', 1 ^ '.'}},
		{"A\x80", token.KeptHigh, []byte{0, 1 ^ 'A'<<1, 1 ^ 'A'<<1 ^ 0x80, 1 ^ 0x80}},
		{"\x00a", 0, []byte{0, 1, 1, 1}},
		{"%\x7f", token.KeptPercent, []byte{0, 1 ^ '%'<<1, 1 ^ '%'<<1 ^ 0x7f, 1 ^ '%'<<1 ^ 0x7f ^ '%'<<1&0xff}},
		{"%\x7f", token.KeptHigh, []byte{0, 1 ^ '.'<<1, 1 ^ '.'<<1 ^ 0x7f, 1 ^ 0x7f}},
	} {
		body := make([]byte, 4)
		netchan.Decipher(body, 1, 1, []byte(v.command), v.kept)
		if diff := cmp.Diff(v.want, body); diff != "" {
			t.Errorf("%q, %v (-want +got)\n%s", v.command, v.kept, diff)
		}
	}
}

// TestDecipherWords: eight bytes at a time or byte by byte, from whatever position on, the key runs along the command
// alike.
func TestDecipherWords(t *testing.T) {
	commands := []string{
		"print \"railed\"", "cs 5 \"100% damage\"", "say gr\xfc\xdfe an alle", "0123456", "01234567",
		"0123456789abcdefg", "\xff\xff\xff\xff\xff\xff\xff\xff",
	}
	for at := range 8 { // what is replaced, at every place of eight bytes
		for _, c := range []string{"%", "\x80"} {
			commands = append(commands, "abcdefgh"[:at]+c+"abcdefgh"[at+1:])
		}
	}
	for _, command := range commands {
		for start := range 4 {
			for size := range 60 {
				for _, kept := range []token.Kept{0, token.KeptHigh, token.KeptPercent} {
					got, want := make([]byte, size), make([]byte, size)
					for i, at := start, 0; i < size; i, at = i+1, (at+1)%len(command) {
						c := command[at]
						if c == '%' && kept != token.KeptPercent || c > 127 && kept != token.KeptHigh {
							c = '.'
						}
						if want[i] = 7; i > start {
							want[i] = want[i-1]
						}
						want[i] ^= c << (i & 1)
					}
					netchan.Decipher(got, min(start, size), 7, []byte(command), kept)
					if diff := cmp.Diff(want, got); diff != "" {
						t.Fatalf("%q from %d of %d, %v (-want +got)\n%s", command, start, size, kept, diff)
					}
				}
			}
		}
	}
}

// TestMustWait: a message waits for the command that its key is made of, if that can still come. Messages of native
// servers have no cipher, those of their clients user commands with a key.
func TestMustWait(t *testing.T) {
	body := func(fromClient bool, reliableAck uint32) []byte {
		var w huffcodec.Writer
		w.Reset(huffcodec.Static)
		if fromClient {
			w.Bits(1, 32)
			w.Bits(2, 32)
		}
		w.Bits(reliableAck, 32)
		return w.Data()
	}
	for _, v := range []struct {
		name       string
		encoding   netchan.Encoding
		fromClient bool
		ack        uint32
		heard      int // packets of the other side
		known      bool
		want       bool
	}{
		{"the command is there", netchan.Legacy, false, 7, 1, true, false},
		{"it comes later", netchan.Legacy, false, 8, 1, true, true},
		{"it is gone", netchan.Legacy, false, 6, 1, true, false},
		{"more than the window ahead", netchan.Legacy, false, 7 + commandWindow + 1, 1, true, false},
		{"the other side is not captured", netchan.Legacy, false, 8, 0, true, false},
		{"the challenge is not known", netchan.Legacy, false, 8, 1, false, false},
		{"of a client", netchan.Legacy, true, 43, 1, true, true},
		{"of a client, the command is there", netchan.Legacy, true, 42, 1, true, false},
		{"a native server", netchan.Native, false, 8, 1, true, false},
		{"a native client", netchan.Native, true, 43, 1, true, true},
	} {
		c := legacySession()
		c.encoding, c.challengeKnown = v.encoding, v.known
		for i := range c.sides {
			c.sides[i].packets = 0
		}
		c.sides[netchan.SideIndex(!v.fromClient)].packets = v.heard
		m := &message{fromClient: v.fromClient, body: body(v.fromClient, v.ack)}
		if got := c.mustWait(m); got != v.want {
			t.Errorf("%s: %v", v.name, got)
		}
	}
}

// TestAlternatives: only a server that waited for fragments may have keyed with a later command,
// SV_Netchan_TransmitNextFragment in code/server/sv_net_chan.c of 1.32.
func TestAlternatives(t *testing.T) {
	for _, v := range []struct {
		name                   string
		encoding               netchan.Encoding
		fromClient, fragmented bool
		cut                    int
		want                   int32
	}{
		{"a server's fragments", netchan.Legacy, false, true, 0, 2},
		{"in one piece", netchan.Legacy, false, false, 0, 0},
		{"of a client", netchan.Legacy, true, true, 0, 0},
		{"cut", netchan.Legacy, false, true, 1, 0},
		{"native", netchan.Native, false, true, 0, 0},
	} {
		c := legacySession()
		c.encoding = v.encoding
		m := &message{fromClient: v.fromClient, cut: v.cut}
		m.header.Fragmented = v.fragmented
		if got := c.alternatives(m); got != v.want {
			t.Errorf("%s: %d, want %d", v.name, got, v.want)
		}
	}
}

// TestClearBeginning: without its key a message can be read as far as the cipher does not reach, and one that ends
// there needs none. What is missing is named.
func TestClearBeginning(t *testing.T) {
	server, client := unhex(t, codedServerMessage), unhex(t, codedClientMessage)
	var unknown huffcodec.Writer
	unknown.Reset(huffcodec.Static)
	for _, v := range []uint32{0x12D687, 299, 99} { // server id, message and command acknowledged
		unknown.Bits(v, 32)
	}
	for _, v := range []struct {
		name       string
		body       []byte
		fromClient bool
		challenge  bool
		ok         bool
		clear      int
		missing    string
	}{
		{"the challenge is missing", server, false, false, false, 4, "challenge"},
		{"the command is missing", append([]byte{0xff}, server[1:]...), false, true, false, 4, "client command"},
		{"a client's command is missing", append(unknown.Data(), make([]byte, 20)...), true, true, false, 12, "server command"},
		{"nothing is enciphered", server[:4], false, false, true, 4, ""},
		{"nothing of a client is enciphered", client[:12], true, false, true, 12, ""},
		{"a byte is", server[:5], false, false, false, 4, "challenge"},
	} {
		c := legacySession()
		c.encoding, c.challengeKnown = netchan.Legacy, v.challenge
		m := &message{fromClient: v.fromClient, body: v.body}
		m.header.Sequence = 300
		if ok := c.decipherMessage(m, 0); ok != v.ok || c.clear != v.clear {
			t.Errorf("%s: %v, %d bytes are clear", v.name, ok, c.clear)
		} else if !ok && !strings.Contains(c.missingKey(m), v.missing) {
			t.Errorf("%s: %s", v.name, c.missingKey(m))
		}
	}
}

// TestGivenUpHint: the hint of a stream that is given up names its engine, and the record has it.
func TestGivenUpHint(t *testing.T) {
	for e := oob.NoEngine; e < oob.NoEngine+3; e++ {
		hint := router.MakeGivenUp(e) | router.MakeHint(netchan.Native, -1)
		if got, ok := hint.GivenUp(); !ok || got != e {
			t.Errorf("engine %d: %d, %v", e, got, ok)
		}
		rec := dissect.NewRecord()
		rec.Hint = uint64(hint)
		want := "not of this engine's netchan"
		if e != oob.NoEngine {
			want = "looks like " + e.String()
		}
		if reportGivenUp(rec); len(rec.Experts) != 1 || rec.Experts[0].Code != expertForeignEngine ||
			!strings.Contains(rec.Experts[0].Message, want) {
			t.Errorf("engine %d: %v", e, rec.Experts)
		}
	}
	if _, ok := router.MakeHint(netchan.Native, -1).GivenUp(); ok {
		t.Error("a stream that is not given up is")
	}
	rec := dissect.NewRecord()
	rec.Hint = uint64(router.MakeHint(netchan.Native, -1))
	if reportGivenUp(rec); len(rec.Experts) > 0 {
		t.Errorf("a stream that is not given up: %v", rec.Experts)
	}
}
