package truth_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// TestTruthScrambled compares the captures of protocols 43 and 24 with what the engines' own code read of them: values,
// headers and the bits that each message takes.
func TestTruthScrambled(t *testing.T) {
	t.Parallel()
	for _, name := range reference.Glob(t, "captures", "quake3-old", "*.truth.jsonl.gz") {
		t.Run(reference.Base(name), func(t *testing.T) {
			t.Parallel()
			capture := filepath.Join(filepath.Dir(name), reference.Base(name)+".pcap")
			c := scrambledComparison{T: t, truth: map[uint64]node{}, vectors: vectorsOf(t, reference.Base(name))}
			for lines := reference.Lines(t, name); lines.Scan(); {
				line, err := reftest.Object(lines.Bytes())
				if err != nil {
					t.Fatal(err)
				}
				c.truth[uint64(reftest.Number(line["frame"]))] = line
			}
			reftest.Dissect(t, capture, reftest.Run{Finish: finishTruth, Output: reftest.Lines(c.record)})
			for frame, line := range c.truth {
				c.differ("frame %d: no record of a %v", frame, line["kind"])
			}
			if c.differences > 0 || c.messages == 0 {
				t.Errorf("%d differences in %d messages", c.differences, c.messages)
			}
		})
	}
}

// vectorsOf returns the datagrams of the vectors that a capture was made of.
func vectorsOf(t *testing.T, capture string) (datagrams []string) {
	t.Helper()
	version, made := map[string]int{"q3-43-synth": 43, "ef-24-synth": 24}[capture]
	if !made {
		return nil
	}
	folder := reference.Folder(t, "reference", "quake3", "vectors-43-24")
	for lines := reference.Lines(t, fmt.Sprintf("%s/datagrams-%d.jsonl.gz", folder, version)); lines.Scan(); {
		vector, err := reftest.Object(lines.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		datagrams = append(datagrams, fmt.Sprint(vector["datagram"]))
	}
	if want := map[int]int{43: 1194, 24: 1200}[version]; len(datagrams) != want {
		t.Errorf("%d datagrams of protocol %d, want %d", len(datagrams), version, want)
	}
	return datagrams
}

type scrambledComparison struct {
	*testing.T
	truth                 map[uint64]node // by frame
	vectors               []string        // the packets of a made capture, in hexadecimal
	messages, differences int
}

func (c *scrambledComparison) differ(format string, args ...any) {
	if c.differences++; c.differences <= *shown {
		c.Errorf(format, args...)
	}
}

func (c *scrambledComparison) record(b []byte) {
	l, err := (&comparison{TB: c.T}).line(b)
	if err != nil {
		c.Fatal(err)
	}
	if n := int(l.frame); len(c.vectors) > 0 && (n > len(c.vectors) || c.vectors[n-1] != l.payload) {
		c.differ("frame %d is not the datagram of the vectors", l.frame)
	}
	want := c.truth[l.frame]
	delete(c.truth, l.frame)
	netchan, _ := l.game["netchan"].(node)
	switch want["kind"] {
	case "oob":
		if l.game["oob"] == nil {
			c.differ("frame %d: no out-of-band packet", l.frame)
		}
		return
	case "frag":
		fragment, _ := netchan["fragment"].(node)
		if !equal(fragment["start"], want["start"]) || !equal(fragment["length"], want["flen"]) || l.message() != nil {
			c.differ("frame %d: fragment %v, want %v", l.frame, fragment, want)
		}
		return
	case "msg":
	default:
		c.differ("frame %d: %v, want %v", l.frame, l.got, want)
		return
	}
	c.messages++
	if !equal(netchan["sequence"], want["seq"]) || netchan["qport"] != want["qport"] ||
		netchan["duplicate"] != want["dup"] || netchan["late"] != want["late"] {
		c.differ("frame %d: header %v, want %v", l.frame, netchan, want)
	}
	if bits := reftest.Number(want["bits"]); bits != l.bits {
		c.differ("frame %d: %d bits were read, want %d", l.frame, l.bits, bits)
	}
	got, message := l.message(), node{}
	ops := []any{}
	for _, op := range reftest.List(want["ops"]) {
		ops = append(ops, wantScrambled(op.(node)))
	}
	message["ops"] = ops
	if want["dir"] == "c2s" {
		message["server_id"], message["message_acknowledge"] = want["serverid"], want["messageack"]
		message["reliable_acknowledge"] = want["relack"]
	}
	sortConfigstrings(got)
	copyUnknown(message, got)
	stripDerived(got)
	if !equal(message, got) {
		c.differ("frame %d (-want +got):\n%s", l.frame, cmp.Diff(message, got, cmp.Comparer(sameNumber)))
	}
}

// copyUnknown marks the entities whose base the capture lacks. The truth of a slice knows it.
func copyUnknown(want, got node) {
	entities := func(message node, op int) []any {
		snapshot, _ := reftest.List(message["ops"])[op].(node)["snapshot"].(node)
		return reftest.List(snapshot["entities"])
	}
	for op := range min(len(reftest.List(want["ops"])), len(reftest.List(got["ops"]))) {
		have := entities(got, op)
		for i, e := range entities(want, op) {
			if i < len(have) && have[i].(node)["update"] == "unknown" {
				e.(node)["update"] = "unknown"
			}
		}
	}
}

// stripDerived removes what is derived from other values.
func stripDerived(v any) {
	switch v := v.(type) {
	case node:
		for _, key := range []string{
			"repeat", "info", "info_raw", "configstring", "name", "name_raw", "arguments", "base_sequence",
		} {
			if key != "name" || v["command"] != nil {
				delete(v, key)
			}
		}
		for key, child := range v {
			if data, ok := child.(string); ok && key == "data" {
				b, err := hex.DecodeString(data)
				if err != nil {
					continue
				}
				v[key] = json.Number(fmt.Sprint(crc32.ChecksumIEEE(b)))
			}
			stripDerived(child)
		}
	case []any:
		for _, child := range v {
			stripDerived(child)
		}
	}
}

// fieldsOf makes fields of a line of the truth.
func fieldsOf(v any) truthFields {
	fields := truthFields{}
	object, _ := v.(node)
	for name, value := range object {
		fields[name] = value.(json.Number)
	}
	return fields
}

// wantScrambled builds an operation as the contract describes it.
func wantScrambled(op node) node {
	name := op["op"].(string)
	switch name {
	case "servercommand", "clientcommand":
		c := node{"sequence": op["num"]}
		reftest.AddText(c, "command", wire(op["text"].(string)))
		return node{name[:6] + "_command": c}
	case "gamestate":
		return node{"gamestate": wantScrambledGamestate(op)}
	case "snapshot":
		return node{"snapshot": wantScrambledSnapshot(op)}
	case "download":
		d := node{"block": op["block"]}
		if size, ok := op["filesize"]; ok {
			d["file_size"] = size
		}
		if size, ok := op["size"]; ok {
			d["size"], d["data"] = size, op["crc32"]
			if crc, ok := op["crc32"]; !ok {
				d["data"] = json.Number("0")
			} else if text, ok := crc.(string); ok {
				d["data"] = json.Number(text)
			}
		}
		return node{"download": d}
	case "move", "movenodelta":
		var list []any
		for _, cmd := range reftest.List(op["cmds"]) {
			cmd := cmd.(node)
			angles := reftest.List(cmd["angles"])
			list = append(list, node{
				"server_time": cmd["time"], "angles": node{"pitch": angles[0], "yaw": angles[1], "roll": angles[2]},
				"forwardmove": cmd["forward"], "rightmove": cmd["right"], "upmove": cmd["up"], "buttons": cmd["buttons"],
				"weapon": cmd["weapon"],
			})
		}
		key := map[string]string{"move": "move", "movenodelta": "move_no_delta"}[name]
		return node{key: node{"count": op["count"], "user_commands": list}}
	}
	return node{name: node{}}
}

func wantScrambledGamestate(op node) node {
	g := node{"server_command_sequence": op["cmdseq"], "checksum_feed": op["feed"]}
	strings, _ := op["cs"].(node)
	list := []any{}
	for _, key := range slices.SortedFunc(maps.Keys(strings), func(a, b string) int {
		return reftest.Number(json.Number(a)) - reftest.Number(json.Number(b))
	}) {
		cs := node{"index": json.Number(key)}
		reftest.AddText(cs, "value", wire(strings[key].(string)))
		list = append(list, cs)
	}
	if len(list) > 0 {
		g["configstrings"] = list
	}
	var baselines []any
	for _, b := range reftest.List(op["baselines"]) {
		baselines = append(baselines, fieldsOf(b.(node)["f"]).add(node{"number": b.(node)["num"]}))
	}
	if baselines != nil {
		g["baselines"] = baselines
	}
	return g
}

func wantScrambledSnapshot(op node) node {
	ps, _ := op["ps"].(node)
	player := truthPlayer{
		Fields: fieldsOf(ps["f"]), Stats: fieldsOf(ps["stats"]), Persistant: fieldsOf(ps["persistant"]),
		Ammo: fieldsOf(ps["ammo"]), Powerups: fieldsOf(ps["powerups"]),
	}
	entities := []any{}
	for _, e := range reftest.List(op["ents"]) {
		e := e.(node)
		kind := e["kind"]
		if kind == "nochange" {
			kind = e["src"]
		}
		entities = append(entities, fieldsOf(e["f"]).add(node{"number": e["num"], "update": kind}))
	}
	return node{
		"client_command_sequence": op["relack"], "server_time": op["time"], "delta_num": op["delta"],
		"snap_flags": op["flags"], "area_mask": op["areamask"], "player_state": player.want(), "entities": entities,
	}
}

// TestExportedScrambled compares demos that are written out of captures with those that the clients recorded meanwhile:
// each of their messages must be there, byte for byte.
func TestExportedScrambled(t *testing.T) {
	t.Parallel()
	for name, many := range map[string]int{"q3-43-lilium": 4, "ef-24-play": 4} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := reference.Folder(t, "captures", "quake3-old")
			recorded, err := filepath.Glob(filepath.Join(folder, name+".c*.*d*"))
			if err != nil || len(recorded) != many {
				t.Fatalf("%d demos, want %d: %v", len(recorded), many, err)
			}
			dir, manifest := exportDemos(t, filepath.Join(folder, name+".pcap"), extract.DemoRange{}, 1)
			for _, demo := range recorded {
				if missed := compareExported(t, demo, dir, manifest); missed != 0 {
					t.Errorf("%s lacks %d messages", filepath.Base(demo), missed)
				}
			}
		})
	}
}
