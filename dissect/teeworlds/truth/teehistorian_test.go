package truth_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/teeworlds"
)

// Teehistorian files are compared with what another reader found in them, which was written from the server's source:
// every chunk with its place, its tick and all its values.

// TestTeehistorianSample compares the sample.
func TestTeehistorianSample(t *testing.T) {
	t.Parallel()
	compareTeehistorian(t, filepath.Join(samples, "ddnet.teehistorian"),
		filepath.Join(samples, "truth", "ddnet.teehistorian.jsonl.gz"))
}

// TestTeehistorian compares the files of the recorded sessions, and those that a generator wrote.
func TestTeehistorian(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"sessions", "synthetic"} {
		for _, truth := range reference.Glob(t, "captures", "teehistorian", folder, "*.truth.jsonl.gz") {
			name := strings.TrimSuffix(truth, ".truth.jsonl.gz") + ".teehistorian"
			if strings.HasPrefix(filepath.Base(name), "ghost-") {
				continue
			}
			t.Run(filepath.Base(name), func(t *testing.T) {
				t.Parallel()
				compareTeehistorian(t, name, truth)
			})
		}
	}
	for _, truth := range reference.Glob(t, "captures", "teeworlds", "dd06-full.d", "*.teehistorian.truth.jsonl.gz") {
		t.Run(filepath.Base(truth), func(t *testing.T) {
			t.Parallel()
			compareTeehistorian(t, strings.TrimSuffix(truth, ".truth.jsonl.gz"), truth)
		})
	}
}

// A row is a line of a truth file.
type row = map[string]any

func compareTeehistorian(t *testing.T, name, truth string) {
	t.Helper()
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	got, end := teehistorianRows(t, name)
	var want []row
	for line := range bytes.Lines(reference.Read(t, truth)) {
		w := row{}
		if err := json.Unmarshal(line, &w); err != nil {
			t.Fatal(err)
		}
		want = append(want, usualKeys(w))
	}
	last := want[len(want)-1]
	if last["kind"] == "end" {
		want = want[:len(want)-1]
		compareEnd(t, file, last, got[len(got)-1], end)
	} else if end != nil {
		t.Errorf("it ends with %v", end)
	}
	if len(got) != len(want) {
		t.Errorf("%d rows, want %d", len(got), len(want))
	}
	for i := range min(len(got), len(want)) {
		if diff := cmp.Diff(want[i], onlyKeys(got[i], want[i])); diff != "" {
			t.Fatalf("row %d (-want +got):\n%s", i, diff)
		}
		for key := range got[i] {
			if _, ok := want[i][key]; !ok && last["kind"] == "end" && key != "bytes" {
				t.Errorf("row %d: the truth has no %q: %v", i, key, got[i])
			}
		}
	}
}

// usualKeys gives the older files' keys their new names, and leaves out what is not in the file.
func usualKeys(w row) row {
	for old, key := range map[string]string{
		"pos": "offset", "len": "size", "chunk": "kind",
		"client": "cid", "command": "cmd",
	} {
		if v, ok := w[old]; ok {
			delete(w, old)
			w[key] = v
		}
	}
	switch {
	case w["header"] != nil && w["kind"] == nil:
		w["kind"] = "header" // its offset and size are those of the JSON
		delete(w, "offset")
		delete(w, "size")
	case w["kind"] == "ex" && w["ex"] == nil && w["name"] != nil && w["ex_size"] == nil:
		w["ex"] = w["name"]
		delete(w, "name")
	case w["kind"] == "message" && w["bytes"] != nil:
		w["hex"] = w["bytes"]
		delete(w, "bytes")
	case w["kind"] == "message" && w["name"] != nil:
		w["name"] = plainName(w["name"].(string))
	case strings.HasPrefix(fmt.Sprint(w["kind"]), "input_"):
		if values, ok := w["input"].([]any); ok {
			input := row{}
			for i, key := range teehistorianInput {
				input[key] = values[i]
			}
			w["input"] = input
		}
	}
	if id, ok := w["uuid"].(string); ok {
		w["uuid"] = strings.ReplaceAll(id, "-", "")
	}
	for _, key := range []string{"connection_id", "save_id"} {
		if id, ok := w[key].(string); ok {
			w[key] = strings.ReplaceAll(id, "-", "")
		}
	}
	for _, key := range []string{"n", "protocol", "file_size", "file_sha256"} {
		delete(w, key)
	}
	return w
}

var teehistorianInput = [...]string{
	"direction", "target_x", "target_y", "jump", "fire", "hook", "player_flags", "wanted_weapon",
	"next_weapon", "prev_weapon",
}

// plainName returns a name without what the tables and the games write differently.
func plainName(name string) string {
	name, _, _ = strings.Cut(name, "@")
	name = strings.TrimPrefix(strings.ToLower(name), "cl_")
	return strings.NewReplacer("_", "", "-", "").Replace(name)
}

func onlyKeys(r, of row) row {
	kept := row{}
	for key := range of {
		if v, ok := r[key]; ok {
			kept[key] = v
		}
	}
	return kept
}

// compareEnd compares how a file ends.
func compareEnd(t *testing.T, file []byte, want, last row, end error) {
	t.Helper()
	offset := int64(want["offset"].(float64))
	var fault *dissect.FileError
	switch {
	case want["error"] != nil:
		if !errors.As(end, &fault) || fault.Code != dissect.MalformedFile || fault.Offset != offset {
			t.Errorf("ends with %v, want a fault at %d", end, offset)
		}
	case want["finish"] == true:
		if end != nil || last["kind"] != "finish" {
			t.Errorf("ends with %v after %v", end, last)
		}
	case !errors.As(end, &fault) || fault.Code != dissect.TruncatedFile || fault.Offset != offset:
		t.Errorf("ends with %v, want a missing end at %d", end, offset)
	}
	if cut, ok := want["truncated_chunk"].(string); ok && cut != hex.EncodeToString(file[offset:]) {
		t.Errorf("the rest is %x, want %s", file[offset:], cut)
	}
	if trailing := int(want["trailing"].(float64)); want["finish"] == true && len(file)-int(offset) != trailing {
		t.Errorf("%d bytes are left, want %d", len(file)-int(offset), trailing)
	}
}

// teehistorianRows dissects a file and gives rows as the truth has them, without what an incomplete chunk has.
func teehistorianRows(t *testing.T, name string) (rows []row, end error) {
	t.Helper()
	for rec, err := range open.Records(name, []*dissect.Protocol{teeworlds.New()}, dissect.Options{State: true}) {
		if err != nil {
			return rows, err
		}
		object := rec.Root().Get("teehistorian")
		offset := float64(object.Get("offset").Int())
		if h := object.Get("header"); h.Exists() && !h.Get("undecoded").Exists() {
			rows = append(rows, row{
				"kind": "header", "offset": offset, "size": float64(len(rec.Payload)), "uuid": h.Get("uuid").String(),
				"header": teehistorianHeader(h),
			})
		}
		begun := object.Get("continued").Bool()
		for chunk := range object.Get("chunks").Children() {
			r := chunkRow(rec, chunk)
			r["offset"], r["size"], r["tick"] = offset+float64(chunk.Node().Bit/8), float64(chunk.Node().Bits/8),
				float64(object.Get("tick").Int())
			if !begun && strings.HasPrefix(chunk.Key(), "player_") &&
				slices.Contains([]string{"player_new", "player_diff", "player_old"}, chunk.Key()) {
				r["begins_tick"] = true
			}
			begun = true
			rows = append(rows, r)
		}
		if slices.ContainsFunc(rec.Experts, func(e dissect.Expert) bool { return e.Code == "truncated" }) {
			rows = rows[:len(rows)-1]
		}
	}
	return rows, nil
}

// teehistorianHeader returns a header as its JSON has it: all values are strings.
func teehistorianHeader(h dissect.Value) row {
	header := row{}
	for v := range h.Children() {
		switch key := v.Key(); key {
		case "uuid":
		case "config", "tuning":
			pairs := row{}
			for pair := range v.Children() {
				pairs[pair.Get("name").String()] = pair.Get("value").String()
			}
			header[key] = pairs
		case "uuids":
			list := []any{}
			for name := range v.Children() {
				list = append(list, name.String())
			}
			header[key] = list
		default:
			header[key] = v.String()
		}
	}
	return header
}

// truthKeys are the truth's names of our fields.
var truthKeys = map[string]string{
	"client_id": "cid", "client_id1": "cid1", "client_id2": "cid2", "ddnet_version": "version",
	"ddnet_version_string": "version_str", "arguments": "args", "command": "cmd",
}

// chunkRow returns a chunk as the truth has it.
func chunkRow(rec *dissect.Record, chunk dissect.Value) row {
	kind := chunk.Key()
	r := row{"kind": kind}
	extra := chunk.Get("uuid").Exists() && kind != "message"
	if extra {
		r["kind"], r["ex"] = "ex", strings.ReplaceAll(kind, "_", "-")
		if kind == "unknown_ex" {
			r["ex"] = nil
		}
	}
	for v := range chunk.Children() {
		key := v.Key()
		if name := truthKeys[key]; name != "" {
			key = name
		}
		switch f := v.Field(); {
		case key == "size" && extra:
			r["ex_size"] = float64(v.Int())
		case key == "data" && kind == "unknown_ex":
			r["hex"] = v.String()
		case key == "num_arguments":
		case key == "args":
			args := []any{}
			for a := range v.Children() {
				args = append(args, a.String())
			}
			r[key] = args
		case key == "diff", key == "input":
			addInputRow(r, kind, v)
		case kind == "message" && f.Kind == dissect.Object:
			if key != "unknown" {
				r["name"] = plainName(v.Key())
			} else {
				r["name"] = nil
			}
		case key == "system":
			r["sys"] = float64(v.Int())
		case f.Kind.Number() || f.Kind == dissect.Bool:
			r[key] = float64(v.Int())
		default:
			r[key] = v.String()
		}
	}
	if kind == "message" {
		end := int(chunk.Node().Bit+chunk.Node().Bits) / 8
		size := int(chunk.Get("size").Int())
		r["hex"], r["msg_size"] = hex.EncodeToString(rec.Payload[end-size:end]), float64(size)
		delete(r, "size")
		delete(r, "rest")
	}
	if extra && !chunk.Get("undecoded").Exists() {
		end := int(chunk.Node().Bit+chunk.Node().Bits) / 8
		r["bytes"] = hex.EncodeToString(rec.Payload[end-int(chunk.Get("size").Int()) : end])
	}
	if kind == "player_old" && chunk.Get("x").Exists() {
		r["last"] = []any{r["x"], r["y"]}
		delete(r, "x")
		delete(r, "y")
	}
	return r
}

// addInputRow adds the numbers of an input.
func addInputRow(r row, kind string, v dissect.Value) {
	values, input := []any{}, row{}
	for n := range v.Children() {
		values, input[n.Key()] = append(values, float64(n.Int())), float64(n.Int())
	}
	if v.Key() == "input" {
		r["input"] = input
	}
	if v.Key() == "diff" || kind == "input_new" {
		r["values"] = values
	}
}

// TestTeehistorianInputs compares what views get of the sample with the truth: the time of each record, where players
// are, and what they do in the tick after it was recorded.
func TestTeehistorianInputs(t *testing.T) {
	t.Parallel()
	type moment struct {
		kind         extract.InputKind
		player       int
		time         int64
		x, y         float32
		attack       bool
		sin, cos     float64 // of the view
		transitTicks int64   // of the record
	}
	at := func(v any) float64 { return v.(float64) }
	var want, got []moment
	for line := range bytes.Lines(reference.Read(t, filepath.Join(samples, "truth", "ddnet.teehistorian.jsonl.gz"))) {
		w := row{}
		if err := json.Unmarshal(line, &w); err != nil {
			t.Fatal(err)
		}
		switch w["kind"] {
		case "player_new", "player_diff":
			tick := int64(at(w["tick"]))
			want = append(want, moment{
				kind: extract.InputSeen, player: int(at(w["cid"])), time: 20 * tick, x: float32(at(w["x"])),
				y: float32(at(w["y"])), transitTicks: tick,
			})
		case "input_new", "input_diff":
			tick, input := int64(at(w["tick"])), w["input"].(row)
			x, y := at(input["target_x"]), at(input["target_y"])
			length := math.Hypot(x, y)
			want = append(want, moment{
				kind: extract.InputCommand, player: int(at(w["cid"])), time: 20 * (tick + 1), attack: int(at(input["fire"]))%2 != 0,
				sin: y / length, cos: x / length, transitTicks: tick,
			})
		}
	}
	for rec, err := range open.Records(filepath.Join(samples, "ddnet.teehistorian"), []*dissect.Protocol{teeworlds.New()},
		dissect.Options{Inputs: true}) {
		if err != nil {
			t.Fatal(err)
		}
		var transit dissect.Transit
		teeworlds.New().Transit(rec, &transit)
		for _, in := range rec.Inputs {
			m := moment{
				kind: in.Kind, player: in.Player, time: in.Time, x: in.Place[0], y: in.Place[1], attack: in.Attack,
				transitTicks: transit.ServerTime / 20,
			}
			if in.HasView {
				m.sin, m.cos = math.Sincos(float64(in.Yaw) * math.Pi / 180)
			}
			got = append(got, m)
		}
	}
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-6 })
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(moment{}), near); diff != "" || len(want) < 1000 {
		t.Errorf("%d moments (-truth +inputs):\n%s", len(want), diff)
	}
}
