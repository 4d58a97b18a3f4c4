package quake3

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/keys"
)

// TestRecoveredMOHAA compares the records of sessions that began before the capture, with the keys that are recovered
// from it, with what OpenMoHAA's own code read: no value differs. least is how many messages must be read, of all that
// the truth has; the third session of the longer captures is too short to recover.
func TestRecoveredMOHAA(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name       string
		all, least int
	}{
		{"mohaa-8-play-mid", 496, 496},
		{"mohaa-8-play-mid2", 938, 930},
		{"mohaa-17-play-mid", 499, 499},
		{"mohaa-17-play-mid2", 986, 970},
	} {
		if os.Getenv("Q3DISSECT_LONG") == "" && strings.HasSuffix(tt.name, "2") {
			continue // as long again
		}
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(reference.Folder(t, "captures", "mohaa"), tt.name)
			found := map[[2]int]keys.Key{}
			recoverMOHAA(t, path+".pcap", dissect.Options{
				KeysOnly: true, KeyFound: func(k keys.Key) { found[[2]int{k.Stream, k.Session}] = k },
			}, nil)
			truth := readMOHAA(t, path+".truth.jsonl.gz")
			var count recoveredCount
			recoverMOHAA(t, path+".pcap", dissect.Options{
				Keys: func(k keys.Key) *keys.Key {
					if k, ok := found[[2]int{k.Stream, k.Session}]; ok {
						return &k
					}
					return nil
				},
			}, func(rec *dissect.Record) {
				if want := truth[rec.Frame]; want != nil && want.Kind == "msg" {
					count.compare(t, rec, want, strings.Contains(tt.name, "-17-"))
				}
			})
			if count.messages != tt.all || count.read < tt.least {
				t.Errorf("%d of %d messages were read, want %d of %d", count.read, count.messages, tt.least, tt.all)
			}
			t.Logf("%d of %d messages read, %d values equal, %d unknown", count.read, count.messages, count.equal, count.unknown)
		})
	}
}

// readMOHAA reads the truth of a capture, by frame.
func readMOHAA(t *testing.T, name string) map[uint64]*mohaaPacket {
	t.Helper()
	lines, packets := reference.Lines(t, name), map[uint64]*mohaaPacket{}
	for lines.Scan() {
		var p mohaaPacket
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.UseNumber()
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		packets[p.Frame] = &p
	}
	return packets
}

// recoverMOHAA dissects a capture with this protocol alone, or looks for keys.
func recoverMOHAA(t *testing.T, name string, options dissect.Options, each func(rec *dissect.Record)) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in, err := capture.NewReader(f, capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(engine.Config{
		Protocols: []*dissect.Protocol{New()}, Workers: 1, Options: options,
		Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
			if each != nil {
				each(rec)
			}
			return dst, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for p, err := range in.Packets() {
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
}

// A recoveredCount counts what was compared.
type recoveredCount struct{ messages, read, equal, unknown int }

// compare compares a message. What is not in the record is unknown, if the record has a note about it.
func (n *recoveredCount) compare(t *testing.T, rec *dissect.Record, p *mohaaPacket, frameTime bool) {
	n.messages++
	said, enciphered := false, false
	for _, e := range rec.Experts {
		said = said || e.Code == expertKeyUnknown || e.Code == expertBaseMissing
		enciphered = enciphered || e.Code == expertKeyUnknown && e.Severity == dissect.Warning
	}
	for _, op := range p.Ops {
		if !frameTime {
			delete(op, "frametime")
		}
	}
	m := mohaaMessage{rec.Tree}
	got, want := m.ops(), wantMOHAA(p.Ops)
	if message := m.find(0, "client_message"); message >= 0 {
		for op := range m.each(message, "ops") {
			m.dropEyes(op.node, got[op.number])
		}
	}
	if enciphered {
		return
	}
	n.read++
	if len(got) != len(want) {
		t.Errorf("frame %d: %d operations, want %d: %v", rec.Frame, len(got), len(want), rec.Experts)
		return
	}
	for i := range got {
		for name, v := range want[i] {
			g, ok := got[i][name]
			switch {
			case ok && sameFact(g, v):
				n.equal++
			case (!ok || g == "") && (said || relative.MatchString(name)), g == "unknown":
				n.unknown++
			default:
				t.Errorf("frame %d: %d %s: got %q, want %q, %v", rec.Frame, i, name, g, v, rec.Experts)
			}
		}
		for name, v := range got[i] {
			if _, ok := want[i][name]; !ok {
				t.Errorf("frame %d: %d %s: got %q, want nothing", rec.Frame, i, name, v)
			}
		}
	}
}

// relative matches the values that are differences to those of a state that may not be in the capture.
var relative = regexp.MustCompile(`^((ent|baseline) \d+|ps) ((net|camera_)?origin2?|camera_posofs|frameInfo)\[|^eye `)

// dropEyes removes the zeros for what no message of the client had of its eyes.
func (m mohaaMessage) dropEyes(op int, f facts) {
	for _, name := range [...]string{"x", "y", "z"} {
		if m.find(op, "eye_info", "offset", name) < 0 {
			delete(f, "eye "+name)
		}
	}
	for _, name := range [...]string{"pitch", "yaw"} {
		if m.find(op, "eye_info", "angles", name) < 0 {
			delete(f, "eye "+name)
		}
	}
}
