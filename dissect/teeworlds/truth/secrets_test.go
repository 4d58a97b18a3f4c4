package truth_test

import (
	"bytes"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/teeworlds"
)

// TestTimeoutCodes: each code that a DDNet client sends in a capture is masked in the list and by views, and the
// events lack it. The record has it.
func TestTimeoutCodes(t *testing.T) {
	t.Parallel()
	command := []byte("/timeout ")
	codes := 0
	for _, name := range reference.Glob(t, "captures", "teehistorian", "sessions", "*.pcap") {
		for rec, err := range open.Records(name, []*dissect.Protocol{teeworlds.New()}, dissect.Options{Events: true}) {
			if err != nil {
				t.Fatal(err)
			}
			for v := range rec.All("teeworlds.chunks.cl_say.message") {
				code, ok := bytes.CutPrefix(v.Bytes(), command)
				if !ok {
					continue
				}
				codes++
				secrets := rec.AppendSecrets(nil)
				if len(secrets) != 1 || secrets[0].From != len(command) || secrets[0].To != len(command)+len(code) {
					t.Errorf("%s, frame %d: %v", name, rec.Frame, secrets)
				}
				if info := rec.AppendInfo(nil); bytes.Contains(info, code) || !bytes.Contains(info, []byte(dissect.SecretMask)) {
					t.Errorf("%s, frame %d: %s", name, rec.Frame, info)
				}
				for i := range rec.Events.Nodes {
					if n := &rec.Events.Nodes[i]; n.Field.Kind == dissect.Text && bytes.Contains(rec.Events.Bytes(n), code) {
						t.Errorf("%s, frame %d: the events have it", name, rec.Frame)
					}
				}
			}
		}
	}
	if codes < 10 {
		t.Errorf("%d codes", codes)
	}
}
