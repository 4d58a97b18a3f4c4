package render

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/dissect"
	_ "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
	"github.com/q3dissect/q3dissect/dissect/internal/fieldunion"
	"github.com/q3dissect/q3dissect/dissect/internal/texttest"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
)

// compiledSchema is the schema of the fake game, compiled by a library that has no part in making it.
var compiledSchema = sync.OnceValue(func() *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema.Records(protocols, false)))
	if err != nil {
		panic(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("q3dissect.json", doc); err != nil {
		panic(err)
	}
	return c.MustCompile("q3dissect.json")
})

func validate(line []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
	if err != nil {
		return err
	}
	return compiledSchema().Validate(v)
}

// A model builds random trees and computes, by rules written down here a second time, what their JSON means.
type model struct {
	t    *rapid.T
	tree *dissect.Tree
	bit  int
}

func (m *model) step() (at, bits int) {
	bits = rapid.IntRange(0, 40).Draw(m.t, "bits")
	m.bit += bits
	return m.bit - bits, bits
}

// node adds a node of the field and gives its value in JSON and, of texts, the bytes.
func (m *model) node(f *dissect.Field, index int) (value, raw any) {
	switch f.Kind {
	case dissect.Object, dissect.Choices, dissect.List, dissect.Sparse:
		return m.container(f)
	case dissect.Text, dissect.Info, dissect.Label, dissect.Hex:
		return m.bytes(f)
	}
	at, bits := m.step()
	v := rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 3)).Draw(m.t, "value")
	width := f.Bits
	if width == 0 {
		width = 64
	}
	switch f.Kind {
	case dissect.Bool:
		v &= 1
		value = v == 1
	case dissect.Float:
		v &= 1<<32 - 1
		value = floatModel(uint32(v))
	case dissect.Uint:
		v &= 1<<width - 1
		value = json.Number(strconv.FormatUint(v, 10))
	case dissect.Int:
		v = uint64(int64(v<<(64-width)) >> (64 - width))
		value = json.Number(strconv.FormatInt(int64(v), 10))
	}
	if f.Bits == 64 {
		value = string(value.(json.Number))
	}
	m.tree.AddAt(f, index, v, at, bits)
	return value, nil
}

func floatModel(bits uint32) any {
	b, err := json.Marshal(math.Float32frombits(bits))
	if err == nil {
		return json.Number(b)
	}
	return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(float64(math.Float32frombits(bits)), 'g', -1, 32), "+"))
}

func (m *model) bytes(f *dissect.Field) (value, raw any) {
	at, bits := m.step()
	var s string
	switch f.Kind {
	case dissect.Label:
		s = rapid.String().Draw(m.t, "label")
		value = s
	case dissect.Hex:
		s = string(rapid.SliceOf(rapid.Byte()).Draw(m.t, "hex"))
		value = texttest.Hex(s)
	case dissect.Text:
		s = wireText(m.t)
		value = texttest.Text(s)
		if !utf8.ValidString(s) {
			raw = texttest.Hex(s)
		}
	case dissect.Info:
		s = rapid.SampledFrom([]string{"", `\`}).Draw(m.t, "start") +
			strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "b", "é", "\xe9", "c d", "\x01"}), 0, 6).Draw(m.t, "info"), `\`)
		value, raw = texttest.Info(s)
	}
	m.tree.AddLabel(f, s, at, bits)
	return value, raw
}

func wireText(t *rapid.T) string {
	return rapid.OneOf(
		rapid.String(),
		rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) }),
		rapid.StringMatching(`[ -~]{0,40}`),
	).Draw(t, "text")
}

func (m *model) container(f *dissect.Field) (value, raw any) {
	at, _ := m.step()
	m.tree.Open(f, at)
	defer func() { m.tree.Close(m.bit) }()
	if f.Kind == dissect.Object {
		object := map[string]any{}
		for _, c := range f.Children {
			if rapid.IntRange(0, 7).Draw(m.t, c.Key) > 0 {
				m.member(object, c)
			}
		}
		return object, nil
	}
	count := rapid.IntRange(0, 3).Draw(m.t, "count")
	if f.Kind == dissect.Sparse {
		object := map[string]any{}
		for i := range count {
			index := 3 * i
			first := len(m.tree.Nodes)
			object[strconv.Itoa(index)], _ = m.node(f.Children[0], index)
			m.tree.Nodes[first].Index = int32(index)
		}
		return object, nil
	}
	list, raws, exact := []any{}, []any{}, true
	for range count {
		if f.Kind == dissect.Choices {
			object := map[string]any{}
			m.member(object, rapid.SampledFrom(f.Children).Draw(m.t, "choice"))
			list = append(list, object)
			continue
		}
		first := len(m.tree.Nodes)
		v, r := m.node(f.Children[0], 0)
		list = append(list, v)
		exact = exact && r == nil
		raws = append(raws, m.raw(first))
	}
	if exact {
		return list, nil
	}
	return list, raws
}

// raw returns the bytes of a text, or of every text of a list.
func (m *model) raw(i int) any {
	n := &m.tree.Nodes[i]
	if n.Field.Kind != dissect.List {
		if n.Field.Kind.Container() || n.Field.Kind < dissect.Text {
			return nil
		}
		return texttest.Hex(string(m.tree.Bytes(n)))
	}
	all := []any{}
	for c := i + 1; c < int(n.End); c = int(m.tree.Nodes[c].End) {
		all = append(all, m.raw(c))
	}
	return all
}

// Member adds a node and what it brings along into an object.
func (m *model) member(object map[string]any, f *dissect.Field) {
	first := len(m.tree.Nodes)
	value, raw := m.node(f, 0)
	object[f.Key] = value
	if raw != nil {
		object[f.Key+"_raw"] = raw
	}
	if f.Enum == nil || !f.Kind.Number() || int(m.tree.Family) >= len(f.Enum.All()) ||
		f.Enum.All()[m.tree.Family] == nil {
		return
	}
	v, table := m.tree.Nodes[first].Int()&^int64(f.Enum.Ignore), f.Enum.All()[m.tree.Family]
	if !f.Enum.Mask {
		if raw := m.tree.Nodes[first].Int(); raw >= 0 && v < int64(len(table)) && table[v] != "" {
			object[f.Key+"_name"] = table[v]
		}
		return
	}
	names := []any{}
	for bit := range f.Bits {
		switch {
		case v>>bit&1 == 0:
		case bit < len(table) && table[bit] != "":
			names = append(names, table[bit])
		default:
			names = append(names, "0x"+strconv.FormatInt(1<<bit, 16))
		}
	}
	object[f.Key+"_names"] = names
}

// paths collects the paths of a JSON value as ListFields writes them.
func paths(into map[string]bool, known map[string]string, path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			at := fieldunion.Join(path, key)
			if _, ok := known[at]; !ok {
				at = fieldunion.Join(path, fieldunion.AnyKey)
			}
			into[at] = true
			paths(into, known, at, inner)
		}
	case []any:
		for _, inner := range v {
			paths(into, known, path, inner)
		}
	}
}

func decode(t interface{ Fatalf(string, ...any) }, line []byte) map[string]any {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.UseNumber()
	var v map[string]any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	return v
}

// Every record is one line of JSON with the model's meaning, keeps to the schema, and has no
// path that the list of fields lacks.
func TestRecordsKeepTheContract(t *testing.T) {
	t.Parallel()
	known := map[string]string{}
	for _, info := range schema.ListFields(protocols, false) {
		known[info.Path] = info.Type
	}
	seen := map[string]bool{}
	one := func(t *rapid.T) {
		rec := newRecord(wireText(t))
		rec.Tree.Family = uint8(rapid.IntRange(0, 3).Draw(t, "family"))
		m := &model{t: t, tree: rec.Tree}
		want, _ := m.node(&fFake, 0)
		line := AppendJSON(nil, rec, JSON{Bits: rapid.Bool().Draw(t, "positions")})
		if bytes.IndexByte(line, '\n') != len(line)-1 {
			t.Fatalf("not one line: %q", line)
		}
		got := decode(t, line)
		if diff := cmp.Diff(want, got["fake"]); diff != "" {
			t.Fatalf("(-want +got)\n%s\n%s", diff, line)
		}
		if err := validate(line); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		paths(seen, known, "", got)
		for path := range seen {
			if known[path] == "" {
				t.Fatalf("%s is not listed", path)
			}
		}
	}
	// Which paths a record has is chance, and every path has to be met: so many records to each check that the twenty
	// checks of -short meet all of them several times. A path that no record can have is missing at the end.
	rapid.Check(t, func(t *rapid.T) {
		for range 100 {
			one(t)
		}
	})
	for path := range known {
		if strings.HasPrefix(path, "fake.") && !seen[path] {
			t.Errorf("%s is listed and never seen", path)
		}
	}
}
