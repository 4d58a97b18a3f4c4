package truth_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// A serverRecord is the part of a record that a demo and its capture have in common.
type serverRecord struct {
	Stream int `json:"stream"`
	Game   struct {
		Netchan struct {
			Sequence uint32 `json:"sequence"`
		} `json:"netchan"`
		Message map[string]any `json:"server_message"`
	} `json:"quake3"`
	Expert []any `json:"expert"`
}

// TestExportedMidgame exports demos of sessions that began before the capture. Their first message has what is known;
// they are read to the end without a fault, and every other message reads as in the capture.
func TestExportedMidgame(t *testing.T) {
	t.Parallel()
	for name, demos := range map[string]int{"et-84-play-mid": 2, "jka-26-play-mid": 3} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			capture := filepath.Join(reference.Folder(t, "captures", "idtech3"), name+".pcap")
			sent := map[[2]uint32]map[string]any{} // by stream and sequence number
			reftest.Dissect(t, capture, reftest.Run{
				Recover: true, Finish: finishServer,
				Output: reftest.Lines(func(line []byte) {
					r := readServer(t, line)
					sent[[2]uint32{uint32(r.Stream), r.Game.Netchan.Sequence}] = r.Game.Message
				}),
			})
			dir, manifest := exportDemos(t, capture, extract.DemoRange{}, 1)
			if len(manifest.Demos) != demos {
				t.Fatalf("%d demos, want %d", len(manifest.Demos), demos)
			}
			for i := range manifest.Demos {
				d := &manifest.Demos[i]
				if d.Begins != "pieces" || !slices.Contains(d.Unknown, "baselines") {
					t.Errorf("%s begins with %q, unknown %q", d.File, d.Begins, d.Unknown)
				}
				n := uint64(0)
				e := reftest.NewEngine(t, reftest.Run{Finish: finishServer, Output: reftest.Lines(func(line []byte) {
					r := readServer(t, line)
					if n++; len(r.Expert) > 0 {
						t.Errorf("%s: message %d: %v", d.File, n, r.Expert)
					}
					want, ok := sent[[2]uint32{uint32(d.Stream), r.Game.Netchan.Sequence}]
					if n == 1 {
						return // the gamestate
					}
					if !ok {
						t.Errorf("%s: message %d is not of the capture", d.File, r.Game.Netchan.Sequence)
					}
					if diff := cmp.Diff(want, r.Game.Message); diff != "" {
						t.Errorf("%s: message %d: %s", d.File, r.Game.Netchan.Sequence, diff)
					}
				})})
				eachPacket(t, filepath.Join(dir, d.File), func(p *dissect.Packet) {
					if err := e.Packet(p); err != nil {
						t.Error(err)
					}
				})
				reftest.Close(t, e)
				if n != d.Messages || n < 20 {
					t.Errorf("%s: %d messages were read, %d written", d.File, n, d.Messages)
				}
			}
		})
	}
}

// finishServer writes the records of messages of servers.
func finishServer(_ int, dst []byte, rec *dissect.Record) []byte {
	if rec.Direction != dissect.ServerToClient || !rec.MessageDone {
		return dst
	}
	return render.AppendJSON(dst, rec, render.JSON{NoNames: true})
}

func readServer(t *testing.T, line []byte) (r serverRecord) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if err := d.Decode(&r); err != nil {
		t.Fatal(err)
	}
	withoutContext(r.Game.Message)
	return r
}

// withoutContext removes what depends on messages before: what an update is a delta of, whether a command is repeated.
func withoutContext(v any) {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "update")
		delete(v, "repeat")
		for _, inner := range v {
			withoutContext(inner)
		}
	case []any:
		for _, inner := range v {
			withoutContext(inner)
		}
	}
}
