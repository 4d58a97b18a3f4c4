package quake3

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/handshake"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// otherChallenge is that of a session whose handshake the conversation has not seen.
func otherHeader(sequence uint32) []byte {
	return binary.LittleEndian.AppendUint32(sequenceHeader(sequence), netchan.Checksum(-77, sequence))
}

// TestNewChallenge has a native session that follows another, without its handshake in the capture.
func TestNewChallenge(t *testing.T) {
	c := nativeSession(dissect.Options{})
	deliver(c, dissect.ServerToClient, datagram(nativeHeader(1, false), serverSample()))
	for sequence := uint32(2); sequence < 8; sequence++ {
		rec := deliver(c, dissect.ServerToClient, datagram(otherHeader(sequence), serverSample()))
		lines := leaves(rec.Tree)
		bad := len(rec.Experts) > 0 && rec.Experts[0].Code == expertChecksum
		// The first even number gives the challenge, the two after it confirm it.
		if want := sequence < 4; bad != want {
			t.Errorf("message %d: entries %v", sequence, rec.Experts)
		}
		if session := slices.Contains(lines, "session 1"); session != (sequence >= 4) {
			t.Errorf("message %d: %q", sequence, lines[:4])
		}
	}
}

// TestWrongChecksum has a packet that a receiver drops: it is shown, and changes nothing.
func TestWrongChecksum(t *testing.T) {
	c := nativeSession(dissect.Options{})
	deliver(c, dissect.ServerToClient, datagram(nativeHeader(1, false), serverSample()))
	before := fingerprint(c)
	rec := deliver(c, dissect.ServerToClient, datagram(otherHeader(2), deltaSnapshot(5000, 10)))
	if lines := leaves(rec.Tree); !slices.Contains(lines, "netchan.checksum_ok false") {
		t.Errorf("got %q", lines)
	}
	if fingerprint(c) != before {
		t.Error("a packet with a wrong checksum changes what is remembered")
	}
}

func TestHandshake(t *testing.T) {
	for _, tt := range []struct {
		name     string
		packets  []string // out of band; from the server where they begin with a capital S
		version  int
		session  int
		awaiting bool // connectResponse is still to come
	}{
		{"1.32", []string{"getchallenge", "SchallengeResponse 5", `connect "\protocol\68\qport\9\challenge\5"`, "SconnectResponse"}, 68, 0, false},
		{"ioquake3", []string{"getchallenge 1 Quake3Arena", "SchallengeResponse 5 1 71", `connect "\protocol\71\qport\9\challenge\5"`, "SconnectResponse 5"}, 71, 0, false},
		{"Quake3e agrees on a protocol", []string{"SchallengeResponse 5 1 71", `connect "\protocol\71\qport\9\challenge\5"`, "SconnectResponse 5 68"}, 68, 0, false},
		{"said twice", []string{`connect "\protocol\68\qport\9\challenge\5"`, "SconnectResponse 5", "SconnectResponse 5"}, 68, 0, false},
		{"connect said twice", []string{`connect "\protocol\68\qport\9\challenge\5"`, "SconnectResponse 5", `connect "\protocol\68\qport\9\challenge\5"`, "SconnectResponse 5"}, 68, 0, false},
		{"reconnect", []string{
			`connect "\protocol\68\qport\9\challenge\5"`, "SconnectResponse 5",
			"getchallenge", "SchallengeResponse 6", `connect "\protocol\68\qport\9\challenge\6"`, "SconnectResponse 6",
		}, 68, 1, false},
		{"reconnect with the same challenge", []string{
			`connect "\protocol\68\qport\9\challenge\5"`, "SconnectResponse 5",
			"getchallenge", "SchallengeResponse 5", `connect "\protocol\68\qport\9\challenge\5"`, "SconnectResponse 5",
		}, 68, 1, false},
		{"refused", []string{"getchallenge", "SchallengeResponse 5", `connect "\protocol\68\qport\9\challenge\5"`, "Sprint\nServer is full"}, 0, -1, true},
		{"only the server's side", []string{"SchallengeResponse 5 1 71", "SconnectResponse 5"}, 0, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newConversation(dissect.Options{})
			for _, p := range tt.packets {
				direction := dissect.ClientToServer
				if p[0] == 'S' {
					p, direction = p[1:], dissect.ServerToClient
				}
				deliver(c, direction, []byte(outOfBand(p)))
			}
			if c.session != tt.session || c.version != tt.version || c.Offered.Fresh != tt.awaiting {
				t.Errorf("session %d, version %d, awaiting %v; want %d, %d, %v",
					c.session, c.version, c.Offered.Fresh, tt.session, tt.version, tt.awaiting)
			}
		})
	}
}

// TestShortFirstPacket decides nothing by a packet that is too short for a checksum.
func TestShortFirstPacket(t *testing.T) {
	c := newConversation(dissect.Options{})
	c.Offered = handshake.Offer{Challenge: holdChallenge, Known: true, Fresh: true, Protocol: 71}
	c.begin(0)
	c.resume()
	deliver(c, dissect.ServerToClient, nil)
	deliver(c, dissect.ServerToClient, []byte{1, 0, 0, 0})
	rec := deliver(c, dissect.ServerToClient, datagram(nativeHeader(1, false), serverSample()))
	if len(rec.Experts) != 0 || c.encoding != netchan.Native {
		t.Errorf("encoding %v, entries %v", c.encoding, rec.Experts)
	}
}

// TestJoinedDemos has two recordings in one file: the second one's command numbers start over.
func TestJoinedDemos(t *testing.T) {
	c := newConversation(dissect.Options{})
	play := func(sequence uint32, body []byte) []string {
		rec := dissect.NewRecord()
		record := binary.LittleEndian.AppendUint32(sequenceHeader(sequence), uint32(len(body)))
		rec.Packet = dissect.Packet{
			UDP: true, Recorder: protocolName, Payload: append(record, body...),
			Length: len(body), RecorderHint: 68,
		}
		c.Dissect(rec)
		return leaves(rec.Tree)
	}
	const repeat = "server_message.ops[0].server_command.repeat true"
	play(1, serverSample())
	play(2, serverPrint(0, 900, "late in the first"))
	if lines := play(3, serverPrint(0, 900, "late in the first")); !slices.Contains(lines, repeat) {
		t.Errorf("a repeated command is new: %q", lines)
	}
	play(1, serverSample())
	if lines := play(2, serverPrint(0, 10, "early in the second")); slices.Contains(lines, repeat) {
		t.Errorf("a new command is repeated: %q", lines)
	}
}

// metadata is the message that TaystJK puts before the gamestate of a demo: an end, and text that no client reads.
func metadata() []byte {
	var w huffcodec.Writer
	w.Bits(0, 32)
	w.Bits(tables.SvcEOF, 8)
	w.String(`HIDDENMETA{"wr":"taystjk"}`)
	return w.Data()
}

// TestOpenRecording: demos are recognised by their first message with a gamestate, whatever they are called; a file
// that only begins with similar numbers is not taken for one. The generation is not that of a wrong name.
func TestOpenRecording(t *testing.T) {
	t.Parallel()
	hint := func(head []byte, name string) uint64 {
		r, ok := source{}.openRecording(bytes.NewReader(head), head, name, 0)
		if !ok {
			return 0
		}
		return r.(*recording).packet.RecorderHint
	}
	opens := func(head []byte, name string) bool { return hint(head, name) != 0 }
	record := func(message []byte) []byte {
		b := binary.LittleEndian.AppendUint32([]byte{1, 0, 0, 0}, uint32(len(message)))
		return append(b, message...)
	}
	demos, err := filepath.Glob("../../samples/quake3/*.dm_*")
	if err != nil || len(demos) < 2 {
		t.Fatalf("%d demos: %v", len(demos), err)
	}
	for _, name := range demos {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !opens(b, "recording") {
			t.Errorf("%s is not known by its first message", name)
		}
		for _, before := range [][][]byte{
			{metadata()}, {metadata(), metadata(), metadata()}, {serverPrint(0, 1, "hello")},
		} {
			var late []byte
			for _, message := range before {
				late = append(late, record(message)...)
			}
			late = append(late, b...)
			want := hint(b, "recording")
			if got, named := hint(late, "recording"), hint(late, "recording.dm_73"); got != want || named != want {
				t.Errorf("%s after %d messages without a gamestate: generation %d, as .dm_73 %d, want %d",
					name, len(before), got, named, want)
			}
		}
	}
	// The list of datagrams that Teeworlds writes: number, length, a request for a token.
	dump := record(append([]byte{5, 5, 4, 0xda, 0xd5}, make([]byte, 508)...))
	if opens(dump, "sent.txt") {
		t.Error("a list of datagrams is a demo")
	}
	r := rand.New(rand.NewPCG(4, 3))
	for i := range 20_000 {
		message := make([]byte, 1+r.IntN(400))
		if i%2 == 0 {
			for k := range message {
				message[k] = byte(r.Uint32())
			}
		} else {
			message[r.IntN(len(message))] = byte(r.Uint32()) // zeros are operations that do nothing
		}
		if opens(record(message), "noise") {
			t.Fatalf("%x is a demo", message)
		}
	}
}
