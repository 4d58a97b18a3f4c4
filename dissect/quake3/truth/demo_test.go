package truth_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// demoCaptures names the captures of a demo where they are not called like it: one for each place that the
// session was captured at.
var demoCaptures = map[string][]string{
	"q3-multi":           {"q3-multi-3clients-2servers"},
	"q3-68-loss":         {"q3-68-loss-clientside"}, // the client did not get all that the server sent
	"q3-68-natrebind":    {"q3-68-natrebind-clientside", "q3-68-natrebind-serverside"},
	"q3-68-connect-play": {"q3-68-connect-play", "q3-68-connect-play-nano", "q3-merged-68-71-sll2"},
}

// A played is one session of one client in a capture: its server messages, reassembled and deciphered, by
// sequence number.
type played map[int32][]byte

// TestDemos compares the server messages with what the clients wrote into their demos while they were
// captured, byte for byte.
func TestDemos(t *testing.T) {
	t.Parallel()
	for name, demos := range demosByCapture(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sessions := serverMessages(t, reference.Capture(t, "quake3", name))
			for _, demo := range demos {
				compareDemo(t, demo, sessions)
			}
		})
	}
}

func demosByCapture(t *testing.T) map[string][]string {
	t.Helper()
	byCapture := map[string][]string{}
	for _, demo := range reference.Glob(t, "captures", "quake3", "*.dm_??") {
		names := demoCaptures[reference.Base(demo)]
		if names == nil {
			names = []string{reference.Base(demo)}
		}
		for _, name := range names {
			byCapture[name] = append(byCapture[name], demo)
		}
	}
	return byCapture
}

// compareDemo finds the session that a demo is of by its first message from the wire, and compares all.
func compareDemo(t *testing.T, name string, sessions map[string]played) {
	t.Helper()
	messages := readDemo(t, name)
	// The first message is a gamestate that the client made up, the next one the first full snapshot.
	wire := messages[1:]
	if len(wire) == 0 {
		t.Fatalf("%s: no message from the wire", name)
	}
	for _, s := range sessions {
		if !bytes.Equal(s[wire[0].sequence], wire[0].data) {
			continue
		}
		own, last := 0, int32(0)
		for _, m := range wire {
			switch {
			case bytes.Equal(s[m.sequence], m.data):
			case m.sequence == last && strings.Contains(name, "voip"):
				own++ // the client's own voice, which it writes under the number of the message before
				continue
			default:
				t.Errorf("%s: message %d:\n demo %x\n wire %x", filepath.Base(name), m.sequence, m.data, s[m.sequence])
				return
			}
			last = m.sequence
		}
		if own > len(wire)/10 {
			t.Errorf("%s: %d of %d messages are not from the wire", filepath.Base(name), own, len(wire))
		}
		return
	}
	t.Errorf("%s: no session has message %d:\n%x", filepath.Base(name), wire[0].sequence, wire[0].data)
}

// A demoMessage is a message of a demo file.
type demoMessage struct {
	sequence int32
	data     []byte
}

// readDemo reads a demo: sequence number, length and bytes of each message, then -1 twice
// (CL_WriteDemoMessage and CL_StopRecord_f in code/client/cl_main.c).
func readDemo(t *testing.T, name string) []demoMessage {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var messages []demoMessage
	for len(b) >= 8 {
		sequence, size := int32(binary.LittleEndian.Uint32(b)), int32(binary.LittleEndian.Uint32(b[4:]))
		b = b[8:]
		if size < 0 {
			break
		}
		messages = append(messages, demoMessage{sequence, b[:size]})
		b = b[size:]
	}
	return messages
}

// serverMessages returns the sessions of a capture, by stream and session.
func serverMessages(t *testing.T, name string) map[string]played {
	t.Helper()
	sessions := map[string]played{}
	finish := func(_ int, dst []byte, rec *dissect.Record) []byte {
		if rec.Message == nil || rec.Direction != dissect.ServerToClient {
			return dst
		}
		netchan := rec.Tree.Find(0, "netchan")
		sequence := rec.Tree.Nodes[rec.Tree.Find(netchan, "sequence")].Uint()
		session := rec.Tree.Nodes[rec.Tree.Find(0, "session")].Int()
		return fmt.Appendf(dst, "%d/%d %d %x\n", rec.Stream, session, sequence, rec.Message)
	}
	reftest.Dissect(t, name, reftest.Run{Finish: finish, Output: reftest.Lines(func(b []byte) {
		part := strings.Fields(string(b))
		data, err := hex.DecodeString(part[2])
		if err != nil {
			t.Error(err)
		}
		s := sessions[part[0]]
		if s == nil {
			s = played{}
			sessions[part[0]] = s
		}
		sequence := int32(reftest.Number(part[1]))
		if old, double := s[sequence]; double && !bytes.Equal(old, data) {
			t.Errorf("message %d of %s came in two forms", sequence, part[0])
		}
		s[sequence] = data
	})})
	return sessions
}
