package truth_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/export"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// exportMessages exports the messages of a capture, and returns the lines of the index and the folder.
func exportMessages(t *testing.T, name string) (lines []export.Message, dir string) {
	t.Helper()
	dir = t.TempDir()
	m, err := export.NewMessages(export.Config{Dir: dir, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	m.BeginInput("")
	e, err := engine.New(engine.Config{
		Protocols: all.Protocols(), Workers: 2, Output: m.Output,
		Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) { return m.Add(dst, rec), m.Err() },
	})
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for p, err := range reftest.PacketsOf(t, f, name, false) {
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Packet(p); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Close(); err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join(dir, export.IndexName))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(index) {
		var l export.Message
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	return lines, dir
}

// Messages of the server are those that the client wrote to its demo while it was captured, byte for byte. The demo's
// first message is a gamestate that the client makes up.
func TestMessagesAgreeWithDemos(t *testing.T) {
	for _, base := range []string{"q3-71-ipv6", "q3-oa-wrapper-71legacy"} {
		demos, err := filepath.Glob(filepath.Join(reference.Folder(t, "captures", "quake3"), base+".client*.demo*.dm_*"))
		if err != nil || len(demos) == 0 {
			t.Fatal(demos, err)
		}
		lines, dir := exportMessages(t, captureNamed(t, base))
		bySequence := map[uint32][]string{}
		for _, l := range lines {
			if l.Direction == "server_to_client" {
				bySequence[*l.Sequence] = append(bySequence[*l.Sequence], filepath.Join(dir, l.File))
			}
		}
		for _, demo := range demos {
			if filepath.Ext(demo) == ".gz" {
				continue
			}
			b, err := os.ReadFile(demo)
			if err != nil {
				t.Fatal(err)
			}
			messages := 0
			for first := true; len(b) >= 8; first = false {
				sequence, length := binary.LittleEndian.Uint32(b), int32(binary.LittleEndian.Uint32(b[4:]))
				if length < 0 || int(length) > len(b)-8 {
					break
				}
				message := b[8 : 8+length]
				b = b[8+length:]
				if first {
					continue
				}
				messages++
				found := false
				for _, name := range bySequence[sequence] { // another session counts from 1 again
					got, err := os.ReadFile(name)
					found = found || err == nil && bytes.Equal(got, message)
				}
				if !found {
					t.Fatalf("%s: message %d is not among those of the capture", filepath.Base(demo), sequence)
				}
			}
			if messages < 20 {
				t.Errorf("%s: %d messages", demo, messages)
			}
		}
	}
}
