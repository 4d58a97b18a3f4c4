package truth_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// TestPositions checks the position of every value: inside its message or datagram, apart from all others,
// and so that reading there again gives the value.
func TestPositions(t *testing.T) {
	t.Parallel()
	widths := deltaWidths(t)
	for _, name := range []string{
		"q3-68-connect-play", "q3-71-connect-play", "q3-68-download", "q3-68-loss-serverside", "q3-71-voip", "q3-oob",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var read, covered int // bits of messages; one worker, so one call at a time
			reftest.Dissect(t, reference.Capture(t, "quake3", name),
				reftest.Run{Finish: func(_ int, dst []byte, rec *dissect.Record) []byte {
					p := placement{TB: t, rec: rec, widths: widths, scope: []dissect.Scope{dissect.Datagram}}
					p.children(-1)
					p.apart()
					if end := consumed(rec.Tree); end > 0 {
						read += end
						covered += p.covered
					}
					return dst
				}})
			// What belongs to no value are operations, counts and bits that say what changed.
			if share := float64(covered) / float64(read); share < minCovered {
				t.Errorf("values cover %.3f of the messages", share)
			} else {
				t.Logf("values cover %.3f of the messages", share)
			}
		})
	}
}

const minCovered = 0.85

// deltaWidths returns the widths on the wire of the fields of entityState and playerState in protocol 68 and
// 71, in bits; 0 is a float.
func deltaWidths(t *testing.T) map[string]map[string]int {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(reference.Folder(t, "captures", "quake3"), "../../reference/quake3/fields.json"))
	if err != nil {
		t.Skip(err)
	}
	type state struct {
		Fields []struct {
			Name string
			Bits int
		}
	}
	var reference struct {
		Protocols map[string]struct{ EntityState, PlayerState state }
	}
	if err := json.Unmarshal(b, &reference); err != nil {
		t.Fatal(err)
	}
	widths := map[string]map[string]int{"entityState": {}, "playerState": {}}
	for _, f := range reference.Protocols["68"].EntityState.Fields {
		widths["entityState"][f.Name] = f.Bits
	}
	for _, f := range reference.Protocols["68"].PlayerState.Fields {
		widths["playerState"][f.Name] = f.Bits
	}
	return widths
}

// A placement checks the places of one record's values.
type placement struct {
	testing.TB
	rec     *dissect.Record
	widths  map[string]map[string]int
	path    []string
	scope   []dissect.Scope
	message []stretch // values read from the message
	header  []stretch // values read from the datagram
	covered int       // bits of the message
}

// A stretch is a run of bits with a value in it.
type stretch struct {
	start, end uint32
	path       string
}

// children goes through the nodes inside one, or at the top.
func (p *placement) children(parent int) {
	t := p.rec.Tree
	i, end := 0, len(t.Nodes)
	if parent >= 0 {
		i, end = parent+1, int(t.Nodes[parent].End)
	}
	for ; i < end; i = int(t.Nodes[i].End) {
		n := &t.Nodes[i]
		scope := n.Field.Scope
		if scope == dissect.Inherit {
			scope = p.scope[len(p.scope)-1]
		}
		p.path, p.scope = append(p.path, n.Field.Key), append(p.scope, scope)
		if n.Field.Kind.Container() {
			p.children(i)
		} else if n.Bits > 0 {
			p.leaf(n, scope)
		}
		p.path, p.scope = p.path[:len(p.path)-1], p.scope[:len(p.scope)-1]
	}
}

func (p *placement) leaf(n *dissect.Node, scope dissect.Scope) {
	s := stretch{n.Bit, n.Bit + n.Bits, strings.Join(p.path, ".")}
	if scope == dissect.Datagram {
		if s.end > uint32(8*len(p.rec.Payload)) {
			p.Errorf("frame %d: %s ends at bit %d of a datagram of %d bytes", p.rec.Frame, s.path, s.end, len(p.rec.Payload))
		}
		if p.path[1] != "oob" { // there words occur once by themselves and once for what they mean
			p.header = append(p.header, s)
		}
		return
	}
	if s.end > uint32(8*len(p.rec.Message)) {
		p.Errorf("frame %d: %s ends at bit %d of a message of %d bytes", p.rec.Frame, s.path, s.end, len(p.rec.Message))
		return
	}
	p.message = append(p.message, s)
	p.covered += int(n.Bits)
	p.reread(n, s)
}

// apart checks that no two values share bits.
func (p *placement) apart() {
	for _, list := range [][]stretch{p.header, p.message} {
		slices.SortFunc(list, func(a, b stretch) int { return cmp.Compare(a.start, b.start) })
		for i := 1; i < len(list); i++ {
			if a, b := list[i-1], list[i]; b.start < a.end {
				p.Errorf("frame %d: %s at %d to %d and %s at %d to %d overlap", p.rec.Frame, a.path, a.start,
					a.end, b.path, b.start, b.end)
			}
		}
	}
}

// reread reads a value again at its place in the message, as the engine's code does it (MSG_ReadBits,
// MSG_ReadDeltaEntity and MSG_ReadDeltaPlayerstate in code/qcommon/msg.c).
func (p *placement) reread(n *dissect.Node, s stretch) {
	switch {
	case slices.Contains(p.path, "user_commands"):
		return // enciphered, and times are relative
	case strings.HasSuffix(s.path, "entities..update"), strings.HasSuffix(s.path, "voip.codec"):
		return // told by flags and by the operation
	}
	r := huffcodec.NewReader(p.rec.Message[n.Bit>>3:], huffcodec.Static)
	for range n.Bit & 7 {
		r.Bit()
	}
	key := p.path[len(p.path)-1]
	ok := false
	switch f, want := n.Field, p.rec.Tree.Bytes; {
	case f.Kind == dissect.Text:
		ok = bytes.Equal(r.AppendString(nil), want(n))
	case key == "area_mask":
		ok = int(r.Bits(8)) == len(want(n)) && bytes.Equal(r.AppendBytes(nil, len(want(n))), want(n))
	case f.Kind == dissect.Hex:
		ok = bytes.Equal(r.AppendBytes(nil, len(want(n))), want(n))
	default:
		v, width := p.value(&r, n, s.path)
		ok = v == uint32(n.Uint())&uint32(1<<width-1)
	}
	if end := n.Bit&^7 + uint32(r.Pos()); !ok || end != s.end {
		p.Errorf("frame %d: %s at bit %d to %d is something else, ending at %d", p.rec.Frame, s.path, s.start, s.end, end)
	}
}

// value reads a number, and gives its width in bits.
func (p *placement) value(r *huffcodec.Reader, n *dissect.Node, path string) (v uint32, width int) {
	name := n.Field.EngineName()
	width = n.Field.Bits
	switch {
	case strings.HasSuffix(path, "server_message.ops.voip.flags"):
		width = 2
	case strings.HasSuffix(path, ".number"):
	case slices.Contains(p.path, "entities"), slices.Contains(p.path, "baselines"):
		width = p.widths["entityState"][name]
		if !r.Bit() {
			return 0, 32
		}
	case slices.Contains(p.path, "player_state"):
		if w, ok := p.widths["playerState"][elementName(name, n)]; ok {
			width = w
		}
	}
	switch {
	case width != 0:
		width = max(width, -width)
		return r.Bits(width), width
	case r.Bit():
		return r.Bits(32), 32
	}
	return math.Float32bits(float32(int32(r.Bits(13)) - 4096)), 32
}

// elementName returns the engine's name of an element of an array that is described once: events[1].
func elementName(name string, n *dissect.Node) string {
	if base, ok := strings.CutSuffix(name, "[]"); ok {
		return base + "[" + strconv.Itoa(int(n.Index)) + "]"
	}
	return name
}

// TestPositionPaths demands that every path among the positions leads to a value of the record.
func TestPositionPaths(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"q3-71-voip", "q3-68-loss-clientside", "q3-oob"} {
		reftest.Dissect(t, reference.Capture(t, "quake3", name),
			reftest.Run{Finish: reftest.JSON(render.JSON{Bits: true, NoNames: true}), Output: reftest.Lines(func(b []byte) {
				record, err := reftest.Object(b)
				if err != nil {
					t.Error(err)
					return
				}
				positions := reftest.List(record["positions"])
				if len(positions) == 0 && reftest.Number(record["length"]) > oobMarkerLen {
					t.Errorf("%s: frame %v has no positions", name, record["frame"])
				}
				for _, p := range positions {
					path, _ := p.(node)["path"].(string)
					switch follow(record, path).(type) {
					case json.Number, string, bool:
					case node:
						if strings.HasSuffix(path, "info") {
							continue
						}
						t.Errorf("%s: frame %v: %s is an object", name, record["frame"], path)
					default:
						t.Errorf("%s: frame %v: there is no %s", name, record["frame"], path)
					}
				}
			})})
	}
}

// follow goes a path like ops[0].snapshot.stats.7 from a record on.
func follow(v any, path string) any {
	for _, key := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		if elements, ok := v.([]any); ok {
			if i := reftest.Number(key); i >= 0 && i < len(elements) {
				v = elements[i]
				continue
			}
			return nil
		}
		members, _ := v.(node)
		v = members[key]
	}
	return v
}
