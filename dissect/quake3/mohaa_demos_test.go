package quake3

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// A mohaaLine is what OpenMoHAA's own code read of a message of a demo.
type mohaaLine struct {
	Index int              `json:"i"`
	Len   int              `json:"len"`
	Ack   json.Number      `json:"relack"`
	Ops   []map[string]any `json:"ops"`
	Bits  int              `json:"bits"`
	OK    bool             `json:"ok"`
	End   bool             `json:"end"`
}

// TestServerMessagesMOHAA reads every message of the demos of Medal of Honor that OpenMoHAA recorded, and compares all
// fields and the bits that were read with what its own code read.
func TestServerMessagesMOHAA(t *testing.T) {
	for number, g := range generationsMOHAA() {
		if number == 16 {
			continue // there is no demo of it
		}
		t.Run(strconv.Itoa(number), func(t *testing.T) {
			base := fmt.Sprintf("mohaa-%d-play.client1.dm_%[1]d", number)
			name := filepath.Join(reference.Folder(t, "demos", "mohaa"), base)
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			c := newConversation(dissect.Options{})
			c.restart(true)
			c.encoding = netchan.Recorded
			c.setGeneration(g)
			lines, messages := reference.Lines(t, filepath.Join(filepath.Dir(name), base+".truth.jsonl.gz")), 0
			for lines.Scan() {
				var line mohaaLine
				d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
				d.UseNumber()
				if err := d.Decode(&line); err != nil {
					t.Fatal(err)
				}
				if line.End {
					break
				}
				size := int(binary.LittleEndian.Uint32(data[4:]))
				rec := dissect.NewRecord()
				rec.Packet = dissect.Packet{UDP: true, Payload: data[:recordHeader+size], Length: size}
				data = data[recordHeader+size:]
				c.dissectRecorded(rec)
				messages++
				m := mohaaMessage{rec.Tree}
				if !g.FrameTime { // it is not on the wire
					for _, op := range line.Ops {
						delete(op, "frametime")
					}
				}
				if got, want := m.ops(), wantMOHAA(line.Ops); !slices.EqualFunc(got, want, sameMOHAA) {
					t.Errorf("message %d:%s", line.Index, differenceMOHAA(got, want))
				}
				if size != line.Len || c.dec.Err() != nil || c.dec.Pos() != line.Bits || !line.OK {
					t.Errorf("message %d: %d of %d bits: %v", line.Index, c.dec.Pos(), line.Bits, c.dec.Err())
				}
				if t.Failed() {
					return
				}
			}
			if messages < 55 || lines.Err() != nil || int32(binary.LittleEndian.Uint32(data)) != endOfDemo {
				t.Errorf("%d messages: %v", messages, lines.Err())
			}
		})
	}
}

// generationsMOHAA returns the protocols of Medal of Honor by number.
func generationsMOHAA() map[int]*tables.Generation {
	byNumber := map[int]*tables.Generation{}
	for i := range tables.NumGenerations {
		if g := tables.GenerationAt(i); g.Label() == "mohaa" {
			byNumber[g.Number()] = g
		}
	}
	return byNumber
}

// A mohaaMessage is what was read of a message.
type mohaaMessage struct{ tree *dissect.Tree }

// facts are the values of an operation by their names: numbers, texts or nothing.
type facts map[string]string

func sameMOHAA(a, b facts) bool { return maps.EqualFunc(a, b, sameFact) }

// sameFact compares values: floats as they are in 32 bits, but for the last one, which depends on the compiler:
// hundredths and parts of 255 are divisions in the engine's source, and in its vectors, but products with the
// reciprocal in the demos of 6 and 8.
func sameFact(a, b string) bool {
	if a == b {
		return true
	}
	x, err := strconv.ParseFloat(a, 32)
	y, err2 := strconv.ParseFloat(b, 32)
	if err != nil || err2 != nil || !strings.ContainsAny(a+b, ".e-") {
		return false
	}
	return x == y || math.Nextafter32(float32(x), float32(y)) == float32(y) && strings.ContainsAny(a+b, ".")
}

func differenceMOHAA(got, want []facts) string {
	var b strings.Builder
	for i := range max(len(got), len(want)) {
		var g, w facts
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		for _, name := range slices.Sorted(maps.Keys(g)) {
			if v, ok := w[name]; !ok || !sameFact(g[name], v) {
				fmt.Fprintf(&b, "\n\t%d %s: got %q, want %q", i, name, g[name], v)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(w)) {
			if _, ok := g[name]; !ok {
				fmt.Fprintf(&b, "\n\t%d %s: not read, want %q", i, name, w[name])
			}
		}
		if b.Len() > 2000 {
			break
		}
	}
	return b.String()
}

// find returns the node of a path of keys below another, or -1.
func (m mohaaMessage) find(parent int, keys ...string) int {
	for _, key := range keys {
		if parent = m.tree.Find(parent, key); parent < 0 {
			return -1
		}
	}
	return parent
}

// ops returns what was read of each operation.
func (m mohaaMessage) ops() (all []facts) {
	at := slices.IndexFunc(m.tree.Nodes, func(n dissect.Node) bool {
		return n.Field == &serverOpsField || n.Field == &clientOpsField
	})
	if at < 0 {
		return nil
	}
	for op := range m.tree.Children(at) {
		f := facts{"op": m.tree.Nodes[op].Field.Key}
		switch f["op"] {
		case "gamestate":
			m.gamestate(op, f)
		case "snapshot":
			m.snapshot(op, f)
		case "move", "move_no_delta":
			m.move(op, f)
		case "server_command", "client_command":
			f["num"], f["text"] = m.value(m.find(op, "sequence")), m.value(m.find(op, "command"))
		case "center_print", "loc_print":
			m.named(op, "", f)
		case "cgame_message":
			for i := range m.each(op, "messages") {
				for k, v := range m.cgame(i.node) {
					f[fmt.Sprint(i.number, " ", k)] = v
				}
			}
		}
		all = append(all, f)
	}
	return all
}

type element struct{ number, node int }

// each returns the elements of a list.
func (m mohaaMessage) each(parent int, key string) func(func(element) bool) {
	return func(yield func(element) bool) {
		number := 0
		if list := m.find(parent, key); list >= 0 {
			for i := range m.tree.Children(list) {
				if !yield(element{number, i}) {
					return
				}
				number++
			}
		}
	}
}

// value returns a value as text: texts with "." for "%", as the engine shows them.
func (m mohaaMessage) value(at int) string {
	if at < 0 {
		return ""
	}
	n := &m.tree.Nodes[at]
	switch n.Field.Kind {
	case dissect.Float:
		return strconv.FormatFloat(float64(n.Float()), 'g', -1, 32)
	case dissect.Int:
		return strconv.FormatInt(n.Int(), 10)
	case dissect.Bool:
		return strconv.FormatBool(n.Bool())
	case dissect.Hex:
		return hex.EncodeToString(m.tree.Bytes(n))
	case dissect.Text:
		var runes []rune
		for _, c := range m.tree.Bytes(n) {
			if c == '%' {
				c = '.'
			}
			runes = append(runes, rune(c))
		}
		return string(runes)
	}
	return strconv.FormatUint(n.Uint(), 10)
}

// named adds all values below a node that are in the message, by the engine's names, or keys where there is none.
func (m mohaaMessage) named(parent int, prefix string, f facts) {
	for i := parent + 1; parent >= 0 && i < int(m.tree.Nodes[parent].End); i++ {
		n := &m.tree.Nodes[i]
		if n.Field.Kind.Container() || n.Bits == 0 || n.Field.Kind == dissect.Label || n.Field.Key == "number" {
			continue
		}
		name := n.Field.Name
		if name == "" {
			name = n.Field.Key
		}
		f[prefix+strings.Replace(name, "[]", fmt.Sprintf("[%d]", n.Index), 1)] = m.value(i)
	}
}

func (m mohaaMessage) gamestate(op int, f facts) {
	for key, name := range map[string]string{
		"server_command_sequence": "cmdseq", "client_num": "clientnum", "checksum_feed": "feed", "frame_time": "frametime",
	} {
		if at := m.find(op, key); at >= 0 {
			f[name] = m.value(at)
		}
	}
	for e := range m.each(op, "configstrings") {
		f["cs "+m.value(m.find(e.node, "index"))] = m.value(m.find(e.node, "value"))
	}
	for e := range m.each(op, "baselines") {
		number := m.value(m.find(e.node, "number"))
		f["baseline "+number] = ""
		m.named(e.node, "baseline "+number+" ", f)
	}
}

func (m mohaaMessage) snapshot(op int, f facts) {
	for key, name := range map[string]string{
		"server_time": "time", "time_residual": "residual", "delta_num": "delta", "snap_flags": "flags",
		"area_mask": "areamask",
	} {
		f[name] = m.value(m.find(op, key))
	}
	m.named(m.find(op, "player_state"), "ps ", f)
	for e := range m.each(op, "entities") {
		number := m.value(m.find(e.node, "number"))
		f["ent "+number] = string(m.tree.Bytes(&m.tree.Nodes[m.find(e.node, "update")]))
		m.named(e.node, "ent "+number+" ", f)
	}
	for e := range m.each(op, "sounds") {
		if m.find(e.node, "stop") >= 0 && m.value(m.find(e.node, "stop")) == "false" {
			for name, v := range map[string]string{
				"volume": "-1", "min_dist": "-1", "pitch": "1", "x": "0", "y": "0", "z": "0", // where they are not sent
			} {
				f[fmt.Sprint("sound ", e.number, " ", name)] = v
			}
		}
		m.named(e.node, fmt.Sprint("sound ", e.number, " "), f)
	}
}

func (m mohaaMessage) move(op int, f facts) {
	for _, name := range []string{"x", "y", "z"} {
		f["eye "+name] = cmp.Or(m.value(m.find(op, "eye_info", "offset", name)), "0") // what was never sent is 0
	}
	for _, name := range []string{"pitch", "yaw"} {
		f["eye "+name] = cmp.Or(m.value(m.find(op, "eye_info", "angles", name)), "0")
	}
	f["eye sent"] = m.sent(m.find(op, "eye_info"))
	for e := range m.each(op, "user_commands") {
		f[fmt.Sprint("cmd ", e.number, " sent")] = m.sent(e.node)
		for _, name := range []string{"server_time", "forwardmove", "rightmove", "upmove", "buttons"} {
			f[fmt.Sprint("cmd ", e.number, " ", name)] = m.value(m.find(e.node, name))
		}
		for _, name := range []string{"pitch", "yaw", "roll"} {
			f[fmt.Sprint("cmd ", e.number, " ", name)] = m.value(m.find(e.node, "angles", name))
		}
	}
}

// sent returns the names of the values below a node that are on the wire, in their order.
func (m mohaaMessage) sent(parent int) string {
	var names []string
	for i := parent + 1; parent >= 0 && i < int(m.tree.Nodes[parent].End); i++ {
		if n := &m.tree.Nodes[i]; n.Bits > 0 && !n.Field.Kind.Container() && n.Field.Key != "server_time" {
			names = append(names, n.Field.EngineName())
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// wantSent is the same of the truth.
func wantSent(list any) string {
	var names []string
	for _, name := range list.([]any) {
		names = append(names, fmt.Sprint(name))
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// cgame returns the type of a message, its places, and its other values, in wire order.
func (m mohaaMessage) cgame(node int) facts {
	f := facts{}
	coords, others := 0, 0
	for i := node + 1; i < int(m.tree.Nodes[node].End); i++ {
		n := &m.tree.Nodes[i]
		switch {
		case n.Field.Kind.Container():
		case n.Field.Key == "type":
			f["type"] = m.value(i)
		case n.Field.Kind == dissect.Float && n.Field.Bits == 19:
			f[fmt.Sprint("coord ", coords)] = m.value(i)
			coords++
		default:
			f[fmt.Sprint("value ", others)] = m.value(i)
			others++
		}
	}
	return f
}

// wantMOHAA returns the operations of the truth in the same form.
func wantMOHAA(ops []map[string]any) (all []facts) {
	names := map[string]string{
		"servercommand": "server_command", "centerprint": "center_print", "locprint": "loc_print", "cgame": "cgame_message",
		"clientcommand": "client_command", "movenodelta": "move_no_delta",
	}
	for _, op := range ops {
		f := facts{}
		kind, _ := op["op"].(string)
		for name, v := range op {
			switch name {
			case "op":
				f["op"] = kind
				if other := names[kind]; other != "" {
					f["op"] = other
				}
			case "cs":
				for index, text := range v.(map[string]any) {
					f["cs "+index] = fmt.Sprint(text)
				}
			case "baselines":
				for _, b := range v.([]any) {
					wantEntityMOHAA(f, "baseline ", b.(map[string]any), "")
				}
			case "ents":
				for _, e := range v.([]any) {
					e := e.(map[string]any)
					kind := fmt.Sprint(e["kind"])
					if kind == "nochange" {
						kind = fmt.Sprint(e["src"])
					}
					wantEntityMOHAA(f, "ent ", e, kind)
				}
			case "ps":
				for group, values := range v.(map[string]any) {
					for index, value := range values.(map[string]any) {
						if group != "f" {
							index = group + "[" + index + "]"
						}
						f["ps "+index] = fmt.Sprint(value)
					}
				}
			case "sounds":
				for i, s := range v.([]any) {
					wantSoundMOHAA(f, fmt.Sprint("sound ", i, " "), s.(map[string]any))
				}
			case "eye":
				eye := v.(map[string]any)
				f["eye sent"] = wantSent(eye["f"])
				for i, axis := range []string{"x", "y", "z"} {
					f["eye "+axis] = fmt.Sprint(eye["ofs"].([]any)[i])
				}
				for i, axis := range []string{"pitch", "yaw"} {
					f["eye "+axis] = fmt.Sprint(eye["angles"].([]any)[i])
				}
			case "cmds":
				for i, cmd := range v.([]any) {
					for name, v := range cmd.(map[string]any) {
						wantMoveMOHAA(f, fmt.Sprint("cmd ", i, " "), name, v)
					}
				}
			case "count":
			case "msgs":
				for i, msg := range v.([]any) {
					wantCGameMOHAA(f, fmt.Sprint(i, " "), msg.(map[string]any))
				}
			default:
				f[name] = fmt.Sprint(v)
			}
		}
		all = append(all, f)
	}
	return all
}

func wantMoveMOHAA(f facts, prefix, name string, v any) {
	switch name {
	case "st": // how the time was written
	case "f":
		f[prefix+"sent"] = wantSent(v)
	case "serverTime":
		f[prefix+"server_time"] = fmt.Sprint(v)
	case "angles":
		for i, axis := range []string{"pitch", "yaw", "roll"} {
			f[prefix+axis] = fmt.Sprint(v.([]any)[i])
		}
	default:
		f[prefix+name] = fmt.Sprint(v)
	}
}

func wantEntityMOHAA(f facts, kind string, e map[string]any, is string) {
	prefix := kind + fmt.Sprint(e["num"])
	f[prefix] = is
	for name, v := range e["f"].(map[string]any) {
		f[prefix+" "+name] = fmt.Sprint(v)
	}
}

func wantSoundMOHAA(f facts, prefix string, s map[string]any) {
	names := map[string]string{
		"ent": "entity", "chan": "channel", "index": "sound", "mindist": "min_dist", "maxdist": "max_dist",
	}
	f[prefix+"stop"] = "false"
	for name, v := range s {
		text := fmt.Sprint(v)
		if other := names[name]; other != "" {
			name = other
		}
		if name != "origin" {
			f[prefix+name] = text
			continue
		}
		for i, axis := range []string{"x", "y", "z"} {
			f[prefix+axis] = fmt.Sprint(v.([]any)[i])
		}
	}
}

func wantCGameMOHAA(f facts, prefix string, msg map[string]any) {
	f[prefix+"type"] = fmt.Sprint(msg["t"])
	coords, others := 0, 0
	values := msg["v"].([]any)
	for i := 0; i < len(values); i++ {
		pair := values[i].([]any)
		kind, v := fmt.Sprint(pair[0]), fmt.Sprint(pair[1])
		last := i > 0 && fmt.Sprint(values[i-1].([]any)[0]) == "b2"
		hud := fmt.Sprint(values[0].([]any)[0]) == "byte"
		switch {
		case kind == "coord":
			f[fmt.Sprint(prefix, "coord ", coords)] = v
			coords++
			continue
		case kind == "b1" && last && !hud: // whether there is an alpha
			continue
		case kind == "b10":
			n, _ := strconv.ParseFloat(v, 64)
			v = fmt.Sprint(float32(math.Max(n/512, .002)))
		}
		f[fmt.Sprint(prefix, "value ", others)] = v
		others++
	}
}
