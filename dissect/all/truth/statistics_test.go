package truth_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/view"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A row is one row of a statistic, as JSON has it.
type row map[string]any

func (r row) int(key string) int {
	f, _ := r[key].(float64)
	return int(f)
}

// text returns a text, or the elements of an array with commas between them.
func (r row) text(key string) string {
	list, ok := r[key].([]any)
	if !ok {
		s, _ := r[key].(string)
		return s
	}
	var parts []string
	for _, v := range list {
		var values []string // of one element, by their keys
		if object, ok := v.(map[string]any); ok {
			for _, member := range slices.Sorted(maps.Keys(object)) {
				values = append(values, fmt.Sprint(object[member]))
			}
		} else {
			values = append(values, fmt.Sprint(v))
		}
		parts = append(parts, strings.Join(values, " "))
	}
	return strings.Join(parts, ", ")
}

// statistic runs a statistic over a capture or a recording.
func statistic(t *testing.T, name, value string) []row {
	t.Helper()
	kind, _, err := view.Find(value)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return statisticOver(t, value, reftest.PacketsOf(t, f, name, kind.Needs.Link))
}

// statisticOf runs a statistic over packets.
func statisticOf(t *testing.T, value string, packets []*dissect.Packet) []row {
	t.Helper()
	return statisticOver(t, value, func(yield func(*dissect.Packet, error) bool) {
		for _, p := range packets {
			if !yield(p, nil) {
				return
			}
		}
	})
}

func statisticOver(t *testing.T, value string, packets iter.Seq2[*dissect.Packet, error]) []row {
	t.Helper()
	kind, args, err := view.Find(value)
	if err != nil {
		t.Fatal(err)
	}
	s, err := kind.New(args, &view.Env{Filter: func(text string) (func(*dissect.Record) bool, error) {
		f, err := filter.Records(all.Protocols()).Compile(text)
		if err != nil {
			return nil, err
		}
		return f.Matcher().Match, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(engine.Config{
		Protocols: all.Protocols(), Workers: 1, Options: dissect.Options{
			Events: kind.Needs.Events,
			Inputs: kind.Needs.Inputs, Shots: kind.Needs.Shots, Secrets: true,
		},
		Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
			s.Add(rec)
			return dst, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for p, err := range packets {
		if err != nil {
			break
		}
		if err := e.Packet(p); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Close(); err != nil {
		t.Fatal(err)
	}
	var rows []row
	schema := reftest.Schema(t, kind.Schema())
	for _, table := range s.Tables() {
		for line := range bytes.Lines(table.AppendJSON(nil)) {
			v, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(v); err != nil {
				t.Fatalf("%v in %s", err, line)
			}
			var r row
			if err := json.Unmarshal(line, &r); err != nil {
				t.Fatal(err)
			}
			rows = append(rows, r)
		}
	}
	return rows
}

// captureNamed returns the reference capture of the Quake III engine with a base name.
func captureNamed(t *testing.T, base string) string {
	t.Helper()
	return filepath.Join(reference.Folder(t, "captures", "quake3"), base+".pcap")
}

// What the lossy link lost is found at the receiving end.
func TestLossAgreesWithTheLink(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(reference.Folder(t, "captures", "quake3"), "q3-68-loss.bridge.log"))
	if err != nil {
		t.Fatal(err)
	}
	log := string(text)
	for _, tt := range []struct{ capture, direction, way string }{
		{"q3-68-loss-serverside", "client_to_server", "B>A"},
		{"q3-68-loss-clientside", "server_to_client", "A>B"},
	} {
		rows := statistic(t, captureNamed(t, tt.capture), "loss")
		i := slices.IndexFunc(rows, func(r row) bool { return r.text("direction") == tt.direction })
		r := rows[i]
		lost := strings.Count(log, tt.way+" LOST")
		if r.int("lost") != lost || lost == 0 || r.text("loss_side") != "sender" {
			t.Errorf("%s: %v, the link lost %d", tt.capture, r, lost)
		}
		// A doubled out-of-band packet has no number.
		if doubled := strings.Count(log, tt.way+" DUP"); r.int("duplicates") > doubled || r.int("duplicates") < doubled-1 {
			t.Errorf("%s: %d doubled, the link doubled %d", tt.capture, r.int("duplicates"), doubled)
		}
		// Not every delayed frame is overtaken.
		if delayed := strings.Count(log, tt.way+" DELAYED"); r.int("late") > delayed || r.int("late") < delayed*6/10 {
			t.Errorf("%s: %d late, the link delayed %d", tt.capture, r.int("late"), delayed)
		}
		other := rows[1-i]
		if other.int("lost")+other.int("late")+other.int("duplicates") != 0 {
			t.Errorf("%s: before the link: %v", tt.capture, other)
		}
		if tt.capture == "q3-68-loss-serverside" && other.text("loss_side") != "receiver" {
			t.Errorf("%s: behind the capture: %v", tt.capture, other)
		}
	}
	for _, base := range []string{"q3-68-connect-play", "q3-71-connect-play", "q3-multi-3clients-2servers", "q3-71-voip"} {
		for _, r := range statistic(t, captureNamed(t, base), "loss") {
			if r.int("lost")+r.int("late")+r.int("duplicates") != 0 || r.text("loss_side") != "" {
				t.Errorf("%s lost nothing: %v", base, r)
			}
		}
	}
}

// TestRecordingsLostNothing has demos of sessions that lost nothing. After its gamestate, a demo continues with a full
// snapshot; what the server sent in between came to the client, which leaves it out.
func TestRecordingsLostNothing(t *testing.T) {
	names := []string{filepath.Join(reference.Repository(t), "samples", "quake3", "68-kicked.dm_68")}
	if name, ok := reference.Or(t, "", "captures", "quake3", "q3-68-connect-play.client.demo1.dm_68"); ok {
		names = append(names, name)
	}
	for _, name := range names {
		for _, r := range statistic(t, name, "loss") {
			if r.int("messages") == 0 || r.int("lost") != 0 || r.text("loss_side") != "" {
				t.Errorf("%s: %v", name, r)
			}
		}
	}
}

// truths returns the lines of a truth file.
func truths(t *testing.T, base string) []map[string]any {
	t.Helper()
	var lines []map[string]any
	scanner := reference.Lines(t, filepath.Join(reference.Folder(t, "captures", "quake3"), base+".truth.jsonl.gz"))
	for scanner.Scan() {
		var v map[string]any
		if err := json.Unmarshal(scanner.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, v)
	}
	if scanner.Err() != nil || len(lines) == 0 {
		t.Fatal(scanner.Err())
	}
	return lines
}

// The bits of all fields of messages are the bits that the engine's own code took, and the operations are as many.
func TestFieldsAndProtoAgreeWithTheEngine(t *testing.T) {
	for _, base := range []string{"q3-68-connect-play", "q3-71-ipv6"} {
		bits, snapshots, moves, gamestates := 0, 0, 0, 0
		for _, line := range truths(t, base) {
			n, _ := line["bits"].(float64)
			if line["kind"] == "msg" {
				bits += int(n)
			}
			ops, _ := line["ops"].([]any)
			for _, op := range ops {
				for key := range op.(map[string]any) {
					switch op.(map[string]any)[key] {
					case "snapshot":
						snapshots++
					case "gamestate":
						gamestates++
					case "move", "movenodelta":
						moves++
					}
				}
			}
		}
		name := captureNamed(t, base)
		got := 0
		for _, r := range statistic(t, name, "fields") {
			if f := r.text("field"); strings.HasPrefix(f, "quake3.server_message") ||
				strings.HasPrefix(f, "quake3.client_message") {
				got += r.int("bits")
			}
		}
		// The parts of a gamestate share a bit with each other.
		if got < bits || got > bits+gamestates || gamestates == 0 {
			t.Errorf("%s: %d bits, the engine took %d", base, got, bits)
		}
		counts := map[string]int{}
		for _, r := range statistic(t, name, "proto") {
			counts[r.text("name")] += r.int("count")
		}
		if counts["quake3.server_message.ops.snapshot"] != snapshots || snapshots == 0 {
			t.Errorf("%s: %d snapshots, the engine saw %d", base, counts["quake3.server_message.ops.snapshot"], snapshots)
		}
		if n := counts["quake3.client_message.ops.move"] + counts["quake3.client_message.ops.move_no_delta"]; n != moves ||
			moves == 0 {
			t.Errorf("%s: %d moves, the engine saw %d", base, n, moves)
		}
	}
}

// Queries and attempts at remote control are as many as the engine's own code and the server's log have.
func TestQueriesAgreeWithTheEngine(t *testing.T) {
	const base = "q3-oob"
	name := captureNamed(t, base)
	want, got := map[string][2]int{}, map[string][2]int{}
	attempts := map[int]int{}
	for _, line := range truths(t, base) {
		if line["kind"] != "oob" {
			continue
		}
		text, _ := line["text"].(string)
		n, answer := want["all"], 0
		if line["dir"] == "s2c" {
			answer = 1
		}
		n[answer]++
		want["all"] = n
		if strings.HasPrefix(strings.ToLower(text), "rcon") {
			attempts[int(line["sport"].(float64))]++
		}
	}
	for _, r := range statistic(t, name, "drdos") {
		n := got["all"]
		n[0] += r.int("requests")
		n[1] += r.int("answers")
		got["all"] = n
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("drdos (-engine +statistic):\n%s", diff)
	}
	tried := map[int]int{}
	for _, r := range statistic(t, name, "rcon") {
		port, _ := strconv.Atoi(r.text("server")[strings.LastIndex(r.text("server"), ":")+1:])
		tried[port] += r.int("attempts")
	}
	if diff := cmp.Diff(attempts, tried); diff != "" || len(attempts) == 0 {
		t.Errorf("rcon (-engine +statistic):\n%s", diff)
	}
	for server, log := range map[string]string{"27900": "A", "27901": "B"} {
		text, err := os.ReadFile(filepath.Join(reference.Folder(t, "captures", "quake3"), base+".server"+log+".games.log"))
		if err != nil {
			t.Fatal(err)
		}
		bad := strings.Count(string(text), "Bad rcon")
		for _, r := range statistic(t, name, "rcon") {
			if strings.HasSuffix(r.text("server"), ":"+server) && bad > 0 && r.int("denied") != bad {
				t.Errorf("server %s denied %d, its log says %d", server, r.int("denied"), bad)
			}
		}
	}
}

var logName = regexp.MustCompile(`ClientUserinfoChanged: \d+ n\\([^\\]*)\\`)

// The names of players are those of the server's log.
func TestPlayersAgreeWithTheLog(t *testing.T) {
	for _, tt := range []struct{ capture, log string }{
		{"q3-68-connect-play", "q3-68-connect-play.server.games.log"}, {"q3-71-ipv6", "q3-71-ipv6.server.games.log"},
	} {
		text, err := os.ReadFile(filepath.Join(reference.Folder(t, "captures", "quake3"), tt.log))
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]bool{}
		for _, m := range logName.FindAllStringSubmatch(string(text), -1) {
			want[m[1]] = true
		}
		got := map[string]bool{}
		for _, r := range statistic(t, captureNamed(t, tt.capture), "players") {
			for name := range strings.SplitSeq(r.text("names"), ", ") {
				got[name] = true
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || len(want) < 3 {
			t.Errorf("%s (-log +statistic):\n%s", tt.capture, diff)
		}
	}
}

// A client that changes its port stays one player with all ports.
func TestPlayersKeepPorts(t *testing.T) {
	rows := statistic(t, captureNamed(t, "q3-68-natrebind-serverside"), "players")
	if len(rows) == 0 || rows[0].text("ports") != "28720, 28721, 28722" || rows[0].int("connects") != 1 {
		t.Errorf("%v", rows)
	}
}

// Every statistic takes every sample, in go test the smaller ones, and its rows validate against its schema.
func TestStatisticsTakeEverySample(t *testing.T) {
	files, err := filepath.Glob(filepath.FromSlash("../../../samples/*/*.[pd][cme]*"))
	if err != nil || len(files) < 20 {
		t.Fatal(err, len(files))
	}
	rows := map[string]int{}
	for _, kind := range view.Kinds() {
		value := kind.Name
		if value == "io" {
			value = `io,1,length > 100,src_port in {1, 27960}`
		}
		for _, most := range [...]int64{25_000, 1 << 40} { // the large ones for what the others do not show
			for _, name := range reference.UpTo(t, most, files) {
				rows[kind.Name] += len(statistic(t, name, value))
			}
			if rows[kind.Name] > 0 {
				break
			}
		}
		if rows[kind.Name] == 0 {
			t.Errorf("%s has no rows", kind.Name)
		}
	}
}
