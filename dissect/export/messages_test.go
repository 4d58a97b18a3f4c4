package export

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
)

// exportMessages writes some records' messages to a folder.
func exportMessages(t *testing.T, dir string, overwrite bool, recs ...*dissect.Record) (*MessagesManifest, error) {
	t.Helper()
	m, err := NewMessages(Config{Dir: dir, Overwrite: overwrite, Workers: 2})
	if err != nil {
		return nil, err
	}
	m.BeginInput("")
	for _, rec := range recs {
		if m.Output(m.Add(nil, rec)) != nil {
			break
		}
	}
	_ = m.EndInput() // Close has the first error
	return m.Close()
}

func withMessage(frame uint64, message string) *dissect.Record {
	rec := part(3, 7, extract.Demo{})
	rec.Frame, rec.Message, rec.MessageDone, rec.Direction = frame, []byte(message), message != "", dissect.ClientToServer
	return rec
}

// Every message has a file, and a line of the index with its sum.
func TestMessages(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "messages")
	unknown := withMessage(12, "")
	unknown.Message, unknown.MessageDone = nil, true
	m, err := exportMessages(t, dir, false, withMessage(10, "first"), withMessage(11, ""), unknown,
		withMessage(13, "second"))
	if err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join(dir, IndexName))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(index)
	if m.Messages != 2 || m.Undeciphered != 1 || m.SHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("%+v", m)
	}
	want := []string{"first", "second"}
	for line := range bytes.Lines(index) {
		var l Message
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(dir, l.File))
		sum := sha256.Sum256(b)
		if err != nil || len(want) == 0 || string(b) != want[0] || l.Bytes != len(b) ||
			l.SHA256 != hex.EncodeToString(sum[:]) || *l.Stream != 3 || l.Direction != "client_to_server" {
			t.Fatalf("%s: %q, %v", line, b, err)
		}
		want = want[1:]
	}
	if len(want) > 0 {
		t.Errorf("without %q", want)
	}
	if parts, _ := filepath.Glob(filepath.Join(dir, "*.part")); parts != nil {
		t.Errorf("left behind: %q", parts)
	}
	// Nothing is replaced unless that is wanted, and then the manifest is of what is there.
	if _, err := exportMessages(t, dir, false, withMessage(10, "other")); err == nil {
		t.Error("the folder is used again")
	}
	if err := os.Remove(filepath.Join(dir, ManifestName)); err != nil {
		t.Fatal(err)
	}
	if _, err := exportMessages(t, dir, false, withMessage(10, "other")); err == nil ||
		!strings.Contains(err.Error(), "client.bin") {
		t.Errorf("a message is replaced: %v", err)
	}
	m, err = exportMessages(t, dir, true, withMessage(10, "other"))
	if b, _ := os.ReadFile(filepath.Join(dir, "003-0-00000010-client.bin")); err != nil ||
		string(b) != "other" || m.Messages != 1 {
		t.Errorf("%q, %+v, %v", b, m, err)
	}
}
