package truth_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/export"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// exportDemos writes the demos of a capture or recording, and gives the folder and its manifest.
func exportDemos(tb testing.TB, name string, part extract.DemoRange, workers int) (dir string,
	manifest *export.Manifest,
) {
	tb.Helper()
	dir = tb.TempDir()
	demos, err := export.NewDemos(export.Config{Dir: dir, Workers: workers})
	if err != nil {
		tb.Fatal(err)
	}
	demos.BeginInput("")
	e, err := engine.New(engine.Config{
		Protocols: all.Protocols(), Workers: workers, NoTree: true, Options: dissect.Options{Demos: &part, Recover: true},
		Finish: func(worker int, dst []byte, rec *dissect.Record) ([]byte, error) {
			demos.Add(worker, rec)
			return dst, nil
		},
	})
	if err != nil {
		tb.Fatal(err)
	}
	eachPacket(tb, name, func(p *dissect.Packet) {
		if err := e.Packet(p); err != nil {
			tb.Error(err)
		}
	})
	reftest.Close(tb, e)
	if err := demos.EndInput(); err != nil {
		tb.Fatal(err)
	}
	manifest, err = demos.Close()
	if err != nil {
		tb.Fatal(err)
	}
	return dir, manifest
}

// eachPacket reads a capture, or a demo by its name.
func eachPacket(tb testing.TB, name string, each func(p *dissect.Packet)) {
	tb.Helper()
	if !strings.Contains(filepath.Ext(name), "dm") {
		reftest.Packets(tb, name, each)
		return
	}
	b, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	demo := openDemo(tb, name, bytes.NewReader(b))
	for p, err := demo.Next(); err == nil; p, err = demo.Next() {
		each(p)
	}
}

// missedMessages are how many messages of a capture at the server's end the client never got, while it
// recorded.
var missedMessages = map[string]int{"q3-68-natrebind-serverside": 1, "q3-68-loss-serverside": 49}

// TestExportedDemos compares demos that are written out of captures with those that the clients recorded
// meanwhile: from the first full snapshot on, each of their messages must be there, byte for byte.
func TestExportedDemos(t *testing.T) {
	t.Parallel()
	captured := demosByCapture(t)
	captured["q3-68-loss-serverside"] = captured["q3-68-loss-clientside"]
	for name, recorded := range captured {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, manifest := exportDemos(t, reference.Capture(t, "quake3", name), extract.DemoRange{}, 2)
			missed := 0
			for _, demo := range recorded {
				missed += compareExported(t, demo, dir, manifest)
			}
			if want := missedMessages[name]; missed != want {
				t.Errorf("the clients lack %d messages, want %d", missed, want)
			}
		})
	}
}

// compareExported looks for the demo that holds what a client recorded, and gives the number of messages that
// the client does not have.
func compareExported(t *testing.T, recorded, dir string, manifest *export.Manifest) (missed int) {
	t.Helper()
	wire := readDemo(t, recorded)[1:] // the first message was made up by the client
	for _, demo := range manifest.Demos {
		messages := readDemo(t, filepath.Join(dir, demo.File))
		for i, m := range messages {
			if m.sequence != wire[0].sequence || !bytes.Equal(m.data, wire[0].data) {
				continue
			}
			if filepath.Ext(demo.File) != filepath.Ext(recorded) {
				t.Errorf("%s is called %s", recorded, demo.File)
			}
			return compareMessages(t, recorded, wire, messages[i:])
		}
	}
	t.Errorf("%s: no demo has message %d", filepath.Base(recorded), wire[0].sequence)
	return 0
}

// compareMessages demands that the messages are the same, but for some that the client missed, which it counts.
func compareMessages(t *testing.T, name string, want, got []demoMessage) (missed int) {
	t.Helper()
	own, last := 0, int32(0)
	for i := 0; i < len(want); i++ {
		switch {
		case len(got) > 0 && got[0].sequence == want[i].sequence && bytes.Equal(got[0].data, want[i].data):
			got = got[1:]
		case want[i].sequence == last && strings.Contains(name, "voip"):
			own++ // the client's own voice, which it writes under the number of the message before
		case len(got) > 0 && got[0].sequence < want[i].sequence:
			missed++
			got = got[1:]
			i--
		default:
			next := "nothing"
			if len(got) > 0 {
				next = fmt.Sprint(got[0].sequence)
			}
			t.Errorf("%s: instead of message %d comes %s", filepath.Base(name), want[i].sequence, next)
			return missed
		}
		last = want[i].sequence
	}
	if own > len(want)/10 {
		t.Errorf("%s: %d of %d messages are not from the wire", filepath.Base(name), own, len(want))
	}
	return missed
}
