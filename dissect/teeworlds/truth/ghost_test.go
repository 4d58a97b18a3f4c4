package truth_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/teeworlds"
)

// Ghosts are compared with what another reader found in them, which was written from the client's source: header, every
// chunk with its place and every value of its items.

// TestGhostSample compares the sample.
func TestGhostSample(t *testing.T) {
	t.Parallel()
	compareGhost(t, filepath.Join(samples, "ddnet.gho"), filepath.Join(samples, "truth", "ddnet.gho.jsonl.gz"))
}

// TestGhosts compares the ghosts of the recorded sessions, and those that a generator wrote.
func TestGhosts(t *testing.T) {
	t.Parallel()
	for _, pattern := range [][]string{{"ghosts", "*.truth.jsonl.gz"}, {"synthetic", "ghost-*.truth.jsonl.gz"}} {
		for _, truth := range reference.Glob(t, append([]string{"captures", "teehistorian"}, pattern...)...) {
			t.Run(filepath.Base(truth), func(t *testing.T) {
				t.Parallel()
				compareGhost(t, strings.TrimSuffix(truth, ".truth.jsonl.gz")+".gho", truth)
			})
		}
	}
}

func compareGhost(t *testing.T, name, truth string) {
	t.Helper()
	var want []row
	for line := range bytes.Lines(reference.Read(t, truth)) {
		w := row{}
		if err := json.Unmarshal(line, &w); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"file_size", "file_sha256"} {
			delete(w, key)
		}
		if skin, ok := w["skin"].(string); ok { // the last byte of a skin's name is not a part of it
			w["skin"] = strings.TrimSuffix(skin, "\ufffd")
		}
		want = append(want, w)
	}
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	got, events := ghostRows(t, name, len(file))
	if diff := cmp.Diff(want, got); diff != "" || len(want) < 60 {
		t.Errorf("%d rows (-want +got):\n%s", len(want), diff)
	}
	if want := "map_start race_start race_finish"; strings.Join(events, " ") != want {
		t.Errorf("events %v, want %s", events, want)
	}
}

// ghostKeys are the truth's names of our fields.
var ghostKeys = map[string]string{
	"map_name": "map", "map_crc": "crc_or_zero", "zeroes": "crc_or_zero", "time": "time_ms", "name": "skin",
}

// ghostRows dissects a ghost and gives rows as the truth has them.
func ghostRows(t *testing.T, name string, size int) (rows []row, events []string) {
	t.Helper()
	chunks, items := 0, 0
	var chunk row
	for rec, err := range open.Records(name, []*dissect.Protocol{teeworlds.New()}, dissect.Options{Events: true}) {
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(rec.Events.Nodes); i = int(rec.Events.Nodes[i].End) {
			events = append(events, rec.Events.At(i).Get("event").String())
		}
		if rec.Closing {
			continue
		}
		g := rec.Root().Get("ghost")
		if h := g.Get("header"); h.Exists() {
			rows = append(rows, values(row{"kind": "header", "offset": 0.0, "size": float64(len(rec.Payload))}, h))
			continue
		}
		body := len(rec.Payload)
		if n := g.Get("num_items"); n.Exists() {
			body -= 4
			chunk = row{
				"kind": "chunk", "n": float64(chunks), "offset": float64(g.Get("offset").Int()),
				"size": float64(g.Get("size").Int() + 4), "type": float64(g.Get("type").Int()),
				"type_name": g.Get("type").Name(),
				"items":     float64(n.Int()), "decompressed": 0.0, "ints": 0.0,
			}
			rows = append(rows, chunk)
			chunks++
		}
		chunk["decompressed"] = chunk["decompressed"].(float64) + float64(body)
		item := row{"kind": "item", "n": float64(items), "chunk": float64(chunks - 1), "type": g.Get("type").Name()}
		items++
		for _, key := range []string{"skin", "character"} {
			if v := g.Get(key); v.Exists() {
				item = values(item, v)
			}
		}
		ints := len(item) - 4
		if item["skin"] != nil {
			ints += 5
		}
		if tick := g.Get("start").Get("tick"); tick.Exists() {
			item["start_tick"], ints = float64(tick.Int()), 1
		}
		chunk["ints"] = chunk["ints"].(float64) + float64(ints)
		rows = append(rows, item)
	}
	end := row{"kind": "end", "chunks": float64(chunks), "items": float64(items), "offset": float64(size)}
	return append(rows, end), events
}

// values adds the values of an object to a row.
func values(r row, of dissect.Value) row {
	for v := range of.Children() {
		key := v.Key()
		if name := ghostKeys[key]; name != "" {
			key = name
		}
		if r[key] = v.String(); v.Field().Kind.Number() {
			r[key] = float64(v.Int())
		}
	}
	return r
}

// TestCutGhosts has the files that end early.
func TestCutGhosts(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int64{"ghost-synth-v6-cut.gho": 1586, "ghost-synth-v6-header-cut.gho": 120} {
		var fault *dissect.FileError
		for _, err := range open.Records(reference.Glob(t, "captures", "teehistorian", "synthetic", name)[0],
			[]*dissect.Protocol{teeworlds.New()}, dissect.Options{}) {
			if err != nil && !errors.As(err, &fault) {
				t.Fatal(err)
			}
		}
		if fault == nil || fault.Code != dissect.TruncatedFile || fault.Offset != want {
			t.Errorf("%s: %v, want a cut at %d", name, fault, want)
		}
	}
}

// TestGhostsLieOnTeehistorianFiles compares each character of the ghosts with the position that the server recorded of
// the same player in the same tick.
func TestGhostsLieOnTeehistorianFiles(t *testing.T) {
	t.Parallel()
	compared := 0
	for _, name := range reference.Glob(t, "captures", "teehistorian", "ghosts", "*.gho") {
		session, _, _ := strings.Cut(filepath.Base(name), ".")
		places := map[int64]map[[2]int64]bool{}
		for _, file := range reference.Glob(t, "captures", "teehistorian", "sessions", session+".*.teehistorian") {
			readPlaces(t, file, func(tick int64, players map[int64][2]int64) {
				if places[tick] == nil {
					places[tick] = map[[2]int64]bool{}
				}
				for _, at := range players {
					places[tick][at] = true
				}
			})
		}
		for rec, err := range open.Records(name, []*dissect.Protocol{teeworlds.New()}, dissect.Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			c := rec.Root().Get("ghost").Get("character")
			if !c.Exists() {
				continue
			}
			compared++
			if at := [2]int64{c.Get("x").Int(), c.Get("y").Int()}; !places[c.Get("tick").Int()][at] {
				t.Fatalf("%s: nobody is at %v in tick %d", name, at, c.Get("tick").Int())
			}
		}
	}
	if compared < 1000 {
		t.Errorf("%d characters", compared)
	}
	t.Logf("%d characters are where the server had a player in the same tick", compared)
}

// readPlaces calls at for each tick that a teehistorian file records, and for those without one before it.
func readPlaces(t *testing.T, name string, at func(tick int64, players map[int64][2]int64)) {
	t.Helper()
	players := map[int64][2]int64{}
	next := int64(0)
	for rec, err := range open.Records(name, []*dissect.Protocol{teeworlds.New()}, dissect.Options{State: true}) {
		if err != nil {
			break // a killed server's
		}
		object := rec.Root().Get("teehistorian")
		for ; next < object.Get("tick").Int(); next++ {
			at(next, players)
		}
		for chunk := range object.Get("chunks").Children() {
			id := chunk.Get("client_id").Int()
			switch chunk.Key() {
			case "player_new", "player_diff":
				players[id] = [2]int64{chunk.Get("x").Int(), chunk.Get("y").Int()}
			case "player_old":
				delete(players, id)
			}
		}
	}
	at(next, players)
}
