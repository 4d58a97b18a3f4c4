package truth_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// TestExportedRecords reads exported demos back: their messages must be dissected as those of the capture,
// absolute states among it.
func TestExportedRecords(t *testing.T) {
	t.Parallel()
	for _, name := range glob(t, "*.truth.jsonl.gz") {
		name := base(name)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, manifest := exportDemos(t, captureOf(t, name), dissect.DemoRange{}, 1)
			if len(manifest.Demos) == 0 {
				t.Skip("nothing to export")
			}
			sessions := map[string][]byte{}
			reftest.Dissect(t, captureOf(t, name), reftest.Run{State: true, Finish: func(_ int, dst []byte, rec *dissect.Record) []byte {
				netchan := rec.Tree.Find(0, "netchan")
				if rec.Direction == dissect.ServerToClient && rec.Message != nil &&
					rec.Tree.Find(netchan, "duplicate") < 0 && rec.Tree.Find(netchan, "late") < 0 {
					session := rec.Tree.Nodes[rec.Tree.Find(0, "session")].Int()
					sessions[fmt.Sprint(rec.Stream, session, sequenceOf(rec))] = serverMessage(rec)
				}
				return dst
			}})
			for _, demo := range manifest.Demos {
				messages := uint64(0)
				_, broken := dissectDemo(t, filepath.Join(dir, demo.File), reftest.Run{State: true, Finish: func(_ int, dst []byte, rec *dissect.Record) []byte {
					messages++
					want, got := sessions[fmt.Sprint(demo.Stream, demo.Session, sequenceOf(rec))], serverMessage(rec)
					if !bytes.Equal(want, got) {
						t.Errorf("%s: message %d (-capture +demo):\n%s", demo.File, sequenceOf(rec), cmp.Diff(string(want), string(got)))
					}
					return dst
				}})
				if broken != nil || messages != demo.Messages {
					t.Errorf("%s: %d messages, want %d; %v", demo.File, messages, demo.Messages, broken)
				}
			}
		})
	}
}

func sequenceOf(rec *dissect.Record) uint64 {
	return rec.Tree.Nodes[rec.Tree.Find(rec.Tree.Find(0, "netchan"), "sequence")].Uint()
}

// serverMessage gives the message of a record as JSON, and what expert entries there are behind it. The marks
// of repeated commands are off: in a demo a command can come for the first time that the capture has
// seen before.
func serverMessage(rec *dissect.Record) []byte {
	_, message, _ := bytes.Cut(render.AppendJSON(nil, rec, render.JSON{}), []byte(`"server_message":`))
	return bytes.ReplaceAll(message, []byte(`"repeat":true,`), nil)
}
