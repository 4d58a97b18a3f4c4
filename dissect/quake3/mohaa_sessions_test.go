package quake3

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// A mohaaStep is a message of a session between OpenMoHAA's server and client code, after the netchan.
type mohaaStep struct {
	mohaaLine
	Protocol  int         `json:"protocol"`
	Kind      string      `json:"kind"`
	Session   string      `json:"session"`
	Challenge int32       `json:"challenge"`
	Sequence  uint32      `json:"seq"`
	KeyText   string      `json:"keytext"`
	Hex       string      `json:"hex"`
	CipherHex string      `json:"cipherhex"`
	ServerID  json.Number `json:"serverid"`
	Ack       json.Number `json:"messageack"`
}

// TestMessagesMOHAA reads the messages of both directions that OpenMoHAA's code wrote, deciphers those that have a
// cipher, and compares all fields, user commands under their key and eyes among them, with what its own code read.
func TestMessagesMOHAA(t *testing.T) {
	generations := generationsMOHAA()
	sessions, count := map[string]*conversation{}, map[string]int{}
	name := reference.Folder(t, "reference", "idtech3") + "/mohaa-vectors.jsonl.gz"
	lines := reference.Lines(t, name)
	for lines.Scan() {
		if !bytes.Contains(lines.Bytes(), []byte(` message",`)) {
			continue
		}
		var step mohaaStep
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.UseNumber()
		if err := d.Decode(&step); err != nil {
			t.Fatal(err)
		}
		id := fmt.Sprint(step.Protocol, step.Session)
		c := sessions[id]
		if c == nil {
			c = newConversation(dissect.Options{})
			c.restart(true)
			c.encoding = netchan.Legacy
			c.setGeneration(generations[step.Protocol])
			sessions[id] = c
		}
		step.check(t, c)
		count[step.Kind]++
		if t.Failed() {
			return
		}
	}
	if lines.Err() != nil || count["server message"] != 328 || count["client message"] != 412 || len(sessions) != 12 {
		t.Errorf("%v in %d sessions: %v", count, len(sessions), lines.Err())
	}
}

// checkCipher deciphers what was on the wire.
func (s *mohaaStep) checkCipher(t *testing.T, m *message, kept token.Kept) {
	t.Helper()
	if s.CipherHex == "" {
		return
	}
	start, key := netchan.ServerClearBytes, s.Challenge^int32(s.Sequence)
	if m.fromClient {
		p := m.prefix()
		start, key = netchan.ClientClearBytes, s.Challenge^p.serverID^p.messageAck
	}
	var text []byte
	for _, r := range s.KeyText {
		text = append(text, byte(r))
	}
	body := unhex(t, s.CipherHex)
	netchan.Decipher(body, start, byte(key), text, kept)
	if got := body[:min(len(body), len(m.body))]; !bytes.HasPrefix(m.body, got) {
		t.Errorf("%d %s %s %d: deciphered %x, want %x", s.Protocol, s.Kind, s.Session, s.Sequence, got, m.body)
	}
}

func (s *mohaaStep) check(t *testing.T, c *conversation) {
	t.Helper()
	rec := dissect.NewRecord()
	m := &message{fromClient: s.Kind == "client message"}
	m.header.Sequence = s.Sequence
	c.body = unhex(t, s.Hex)
	m.body = c.body
	s.checkCipher(t, m, c.snapshots.Generation.Kept)
	c.clear = len(c.body)
	err := c.read(rec, rec.Tree, m, true)
	c.settle(m, true)
	c.commit(m)
	read := mohaaMessage{rec.Tree}
	want := wantMOHAA(s.Ops)
	for _, op := range want {
		if !c.snapshots.Generation.FrameTime {
			delete(op, "frametime")
		}
	}
	if got := read.ops(); !slices.EqualFunc(got, want, sameMOHAA) {
		t.Errorf("%d %s %s %d:%s %v", s.Protocol, s.Kind, s.Session, s.Sequence, differenceMOHAA(got, want), rec.Experts)
	}
	if err != nil || c.dec.Pos() != s.Bits {
		t.Errorf("%d %s %s %d: %d of %d bits: %v", s.Protocol, s.Kind, s.Session, s.Sequence, c.dec.Pos(), s.Bits, err)
	}
}
