package quake3

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// TestOpenRecording: demos are recognised by their first message, whatever they are called; a file that only
// begins with similar numbers is not taken for one.
func TestOpenRecording(t *testing.T) {
	t.Parallel()
	opens := func(head []byte, name string) bool {
		_, ok := Protocol{}.OpenRecording(bytes.NewReader(head), head, name, 0)
		return ok
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
	}
	record := func(message []byte) []byte {
		b := binary.LittleEndian.AppendUint32([]byte{1, 0, 0, 0}, uint32(len(message)))
		return append(b, message...)
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
