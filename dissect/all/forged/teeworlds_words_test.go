package forged_test

import (
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
)

// A teeworldsEnd is what a forger sees of one side of a connection.
type teeworldsEnd struct {
	like, ack, last int // a packet of it, the last one that it accepted, and its last vital chunk
	token           []byte
	dialect         string
}

// teeworldsEnds returns what is seen of the server and of the client before a packet.
func (s *session) teeworldsEnds(at int) (ends [2]teeworldsEnd) {
	for i := range at {
		g := s.records[i]
		if g == nil || g.protocol != "teeworlds" || !strings.Contains(g.line, `"chunks":[`) {
			continue
		}
		e := &ends[0]
		if g.fromClient {
			e = &ends[1]
		}
		b := s.packets[i].Payload
		e.like, e.ack = i, int(b[0]&3)<<8|int(b[1])
		if m := tokenOf.FindStringSubmatch(g.line); m != nil {
			e.token, _ = hex.DecodeString(m[1])
		}
		for _, dialect := range []string{"0.7", "ddnet", "0.6"} {
			if strings.Contains(g.line, `"version":"`+dialect+`"`) {
				e.dialect = dialect
			}
		}
		if m := sequenceOf.FindAllStringSubmatch(g.line, -1); m != nil {
			e.last, _ = strconv.Atoi(m[len(m)-1][1])
		}
	}
	return ends
}

// teeworldsControls are control messages, by their number and what follows it.
var teeworldsControls = []struct {
	name string
	body []byte
}{
	{"keepalive", []byte{0}},
	{"connect", []byte{1}},
	{"connect with a token", append([]byte("\x01\x09\x08\x07\x06"), make([]byte, 508)...)},
	{"connect of 0.6.5", append([]byte("\x01\x00\x00\x00\x00\x09\x08\x07\x06"), make([]byte, 504)...)},
	{"connect of DDNet", []byte("\x01TKEN")},
	{"accept", []byte{2}},
	{"accept with a token", []byte("\x02\x09\x08\x07\x06")},
	{"accept of DDNet", []byte("\x02TKEN")},
	{"accept of 0.6", []byte{3}},
	{"close", []byte{4}},
	{"close with a reason", []byte("\x04You have been banned\x00")},
	{"close with a short reason", []byte("\x04bye\x00")},
	{"token", []byte("\x05\x09\x08\x07\x06")},
	{"token request", append([]byte("\x05\x09\x08\x07\x06"), make([]byte, 508)...)},
	{"unknown", []byte("\x07123")},
}

// connlessBodies are messages without connection.
var connlessBodies = []string{
	"gie3\x05", "inf35\x000.6\x00forged\x00ctf9\x00CTF\x000\x001\x008\x001\x008\x00forged\x00\x000\x005\x001\x00",
	"iext5\x000.6\x00forged\x00ctf9\x000\x001\x00CTF\x000\x001\x008\x001\x008\x00\x00forged\x00\x000\x005\x001\x00\x00",
	"bea2\x20\x6f", "fw??", "chal", "req2",
}

// A namedToken is a token with a name for tables.
type namedToken struct {
	name  string
	bytes []byte
}

// teeworldsWords are the control packets, packets of chunks and words that are forged at a place.
func (s *session) teeworldsWords(at int) (list []wordForgery) {
	for side, e := range s.teeworldsEnds(at) {
		if e.dialect == "" {
			continue
		}
		who := [...]string{"server ", "client "}[side]
		add := func(kind string, payload []byte) {
			for _, copies := range []int{1, 2, 3, 10} {
				genuine := strings.HasSuffix(kind, "right token")
				list = append(list, wordForgery{e.dialect, who + kind, at, e.like, payload, copies, genuine})
			}
		}
		tokens := []namedToken{
			{"wrong token", []byte{0xde, 0xad, 0xbe, 0xef}},
			{"no token yet", []byte{0xff, 0xff, 0xff, 0xff}},
			{"zero token", make([]byte, 4)},
		}
		for _, token := range tokens {
			for _, c := range teeworldsControls {
				for _, ack := range []int{0, e.ack} {
					kind := fmt.Sprintf("%s, %s, ack %d", c.name, token.name, min(ack, 1))
					v07 := teeworldsForger{v07: true, token: token.bytes}
					add(kind+" of 0.7", v07.packet(true, ack, 0, c.body))
					v06 := teeworldsForger{token: token.bytes}
					add(kind+" of DDNet", v06.packet(true, ack, 0, c.body))
					v065 := append([]byte{0x18 | byte(ack>>8), byte(ack), 0}, token.bytes...)
					add(kind+" of 0.6.5", append(v065, c.body...))
					if token.name == "zero token" {
						add(c.name+" without a token", append([]byte{0x10 | byte(ack>>8), byte(ack), 0}, c.body...))
					}
				}
			}
		}
		for i, body := range connlessBodies {
			add(fmt.Sprintf("connless %d of 0.6", i), []byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"+body))
			add(fmt.Sprintf("connless %d of DDNet", i), []byte("xe\x01\x02\x00\x00\xff\xff\xff\xff"+body))
			add(fmt.Sprintf("connless %d of 0.7", i), []byte("\x21\xde\xad\xbe\xef\x01\x02\x03\x04\xff\xff\xff\xff"+body))
		}
		if e.token != nil {
			tokens = append(tokens, namedToken{"right token", e.token})
		}
		f := teeworldsForger{v07: e.dialect == "0.7"}
		chat := []byte("\x06\x01\x00I cheat\x00") // sv_chat of 0.6
		if f.v07 {
			chat = []byte("\x06\x01\x01\x40I cheat\x00")
		}
		for _, token := range tokens {
			f.token = token.bytes
			for n, sequence := range []int{0, 1, 2, e.last, e.last + 1, e.last + 50, 1023} {
				bodies := [][]byte{
					{},
					make([]byte, 4), make([]byte, 30), make([]byte, 60),
					noise(4, uint64(at)), noise(30, uint64(at)), noise(60, uint64(at)), chat,
				}
				names := [...]string{"empty", "4 zeros", "30 zeros", "60 zeros", "4 random", "30 random", "60 random", "a chat"}
				for b, body := range bodies {
					if token.name == "right token" && (n == 4 || e.last == 0) {
						continue // everything is right, or nothing shows what number is: it is believed
					}
					number := [...]string{"0", "1", "2", "last", "next", "+50", "1023"}[n]
					kind := fmt.Sprintf("chunk %s, %s, %s", number, names[b], token.name)
					add(kind, f.packet(false, e.ack, 1, f.with(body, sequence&1023, true)))
				}
			}
			for b, body := range [][]byte{{}, make([]byte, 30), noise(30, uint64(at)), noise(60, uint64(at))} {
				name := [...]string{"empty", "30 zeros", "30 random", "60 random"}[b]
				add(fmt.Sprintf("%s that is not vital, %s", name, token.name),
					f.packet(false, e.ack, 1, f.with(body, 0, false)))
			}
			add("resend request, "+token.name, f.packet(false, e.ack, 0, nil))
		}
		for n, b := range [][]byte{
			{}, make([]byte, 4), make([]byte, 30), make([]byte, 60), noise(4, 1), noise(30, 2), noise(60, 3),
		} {
			add(fmt.Sprintf("raw bytes %d", n), b)
		}
	}
	return list
}

// with returns a chunk with a message.
func (f *teeworldsForger) with(body []byte, sequence int, vital bool) []byte {
	low, high := 4, byte(0xf0)
	if f.v07 {
		low, high = 6, 0xc0
	}
	b := []byte{byte(len(body) >> low), byte(len(body) & (1<<low - 1))}
	if vital {
		b[0] |= 0x40
		b = append(b[:1], b[1]|byte(sequence>>2)&high, byte(sequence))
	}
	return append(b, body...)
}

// TestForgedTeeworldsWords forges every control packet, packets of chunks and words of the browser in the name of
// either side.
func TestForgedTeeworldsWords(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(filepath.Join(root, "samples", "teeworlds", "*.pcap"))
	if err != nil || len(names) < 5 {
		t.Fatal(len(names), err)
	}
	for n, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			forgeWords(t, name, n, wordStep(211), (*session).teeworldsWords)
		})
	}
}

// TestForgedTeeworldsRecordings does so in the reference captures.
func TestForgedTeeworldsRecordings(t *testing.T) {
	if wordStep(0) == 0 {
		t.Skip("takes minutes")
	}
	names := []string{"dd06-full", "tw07-ctf3", "tw07-join-chat", "tw07-midsession", "tw07-admin"}
	for n, name := range slices.Sorted(slices.Values(names)) {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(reference.Folder(t, "captures"), "teeworlds", name+".pcap")
			forgeWords(t, path, n, 97*wordStep(0), (*session).teeworldsWords)
		})
	}
}
