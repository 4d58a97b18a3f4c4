package records_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
)

func TestEventFieldsKeepTheRules(t *testing.T) {
	if err := schema.CheckEvents(all.Protocols()); err != nil {
		t.Error(err)
	}
}

// TestEventsFitTheSchema validates every event of every capture and demo, and compares the paths in them
// with those that are listed.
func TestEventsFitTheSchema(t *testing.T) {
	check := &recordCheck{schema: reftest.Schema(t, schema.Events(all.Protocols())), seen: map[string]bool{}}
	names, err := filepath.Glob(filepath.FromSlash("../../../samples/*/*.[dp][cem]*"))
	recordings, err2 := filepath.Glob(filepath.FromSlash("../../../samples/*/*.[tg][eh]*[no]"))
	if names = append(names, recordings...); err != nil || err2 != nil || len(names) == 0 || len(recordings) == 0 {
		t.Fatalf("no samples: %v, %v", err, err2)
	}
	t.Run("samples", func(t *testing.T) {
		for _, name := range names {
			check.events(t, name)
		}
	})
	whole := false
	t.Run("captures", func(t *testing.T) {
		for _, name := range slices.Concat(reference.Glob(t, "captures", "quake3", "*.pcap*"),
			reference.Glob(t, "demos", "quake3", "*.dm*[0-9]"), reference.Glob(t, "demos", "matches", "*.dm*[0-9]"),
			reference.Glob(t, "captures", "idtech3", "*.pcap"), reference.Glob(t, "demos", "idtech3", "*.[dt][mv]_[0-9][0-9]"),
			reference.Glob(t, "captures", "mohaa", "mohaa-*-play.pcap")) {
			check.events(t, name)
		}
		for _, pattern := range []string{"*.pcap*", "*.d/*.demo"} {
			if !slices.ContainsFunc(all.Protocols(), func(p *dissect.Protocol) bool { return p.Name == "teeworlds" }) {
				break
			}
			files, err := filepath.Glob(filepath.Join(reference.Folder(t, "captures", "teeworlds"), pattern))
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range files {
				if !strings.HasSuffix(name, ".gz") {
					check.events(t, name)
				}
			}
		}
		whole = true
	})
	listed := map[string]bool{}
	for _, f := range schema.ListEventFields(all.Protocols()) {
		listed[f.Path] = true
	}
	for _, path := range slices.Sorted(maps.Keys(check.seen)) {
		if !listed[path] {
			t.Errorf("%s is in the events, but not listed", path)
		}
	}
	if !whole {
		return // the samples do not show everything
	}
	var missing []string
	for _, path := range slices.Sorted(maps.Keys(listed)) {
		if !check.seen[path] && !strings.HasSuffix(path, "_raw") {
			missing = append(missing, path)
		}
	}
	// No capture shows these:
	//   - file: it comes with several inputs only
	//   - by: a player of DDNet freezes another one; deep: a freeze that only a tile ends
	//   - objective: something is done to an objective
	//   - physics, mode: of DeFRaG, which no recording here has: TestDefragPhysics
	//   - voice_only: a voice message without text
	//   - revived: a medic revives the player whose view the snapshots are
	//   - name_from of those who are spoken to, die or win: after a beginning in mid-game, where a name is not from the
	//     userinfo, no capture has such an event once the name is known
	want := []string{
		"body_part", "by", "by.client_num", "by.name", "by.name_clean", "by.team", "by.team_name", "deep",
		"file", "mode", "objective", "physics", "players.revived", "target.name_from", "victim.name_from",
		"voice_only", "winner.name_from",
	}
	want = slices.DeleteFunc(want, func(path string) bool { return !listed[path] })
	if diff := cmp.Diff(want, missing); diff != "" {
		t.Errorf("paths that no event has (-want +got):\n%s", diff)
	}
}

// events checks the events of a capture or recording.
func (c *recordCheck) events(t *testing.T, name string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	moments := extract.Highlights{Kills: 2, OneShot: 2, Window: 5 * time.Second} // easier than usual
	e, err := engine.New(engine.Config{
		Protocols: all.Protocols(), Workers: 1, NoTree: true,
		Options: dissect.Options{Events: true, ShotEvents: true, Highlights: &moments},
		Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
			return render.AppendEventsJSON(dst, rec, render.JSON{CommunityID: true}), nil
		},
		Output: reftest.Lines(func(line []byte) { c.line(t, line) }),
	})
	if err != nil {
		t.Fatal(err)
	}
	for p, err := range reftest.PacketsOf(t, f, name, false) {
		if err != nil {
			break // the broken ones are there for others
		}
		if err := e.Packet(p); err != nil {
			t.Fatal(err)
		}
	}
	reftest.Close(t, e)
}
