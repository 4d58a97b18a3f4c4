package view

import (
	"cmp"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// protoKind is the statistic of protocols, messages and operations.
func protoKind() Kind {
	return Kind{
		Name: "proto", Usage: "proto", Doc: "protocols, messages and operations: how many, how many bits", Needs: Needs{Tree: true},
		Columns: []Column{
			{Key: "level", Type: "string", Doc: "protocol: datagrams with their bytes; message: objects of the protocol; operation: elements of a message"},
			{Key: "name", Type: "string", Doc: "protocol with its version, or the path of the field"},
			{Key: "direction", Type: "string", Doc: "which way it went; absent where that is not known"},
			{Key: "count", Type: "integer", Doc: "datagrams, messages, operations"},
			bytesColumn,
			{Key: "share", Type: "number", Unit: "%", Doc: "of the bytes of all datagrams, or of all operations"},
		},
		make: withoutArguments("proto", func(*Env) Statistic { return &proto{counts: map[protoKey]*protoCount{}} }),
	}
}

type protoKey struct {
	level     uint8 // protocol, message, operation
	name      string
	direction dissect.Direction
}

type protoCount struct{ count, bits uint64 }

type proto struct {
	counts map[protoKey]*protoCount // bounded: names are the Fields'
	path   []byte
}

var protoLevels = [...]string{"protocol", "message", "operation"}

func (s *proto) Add(rec *dissect.Record) {
	if rec.Protocol == nil {
		s.add(protoKey{0, "unknown", rec.Direction}, uint64(rec.Length)*8)
		return
	}
	name := rec.Protocol.Name()
	root := rec.Root()
	if v := root.Get("version"); v.Exists() {
		name += " " + v.String()
	}
	s.add(protoKey{0, name, rec.Direction}, uint64(rec.Length)*8)
	for top := range rec.Tree.Top().Children() {
		for message := range top.Children() {
			f := message.Field()
			if !f.Kind.Container() {
				continue
			}
			s.path = append(append(append(s.path[:0], top.Key()...), '.'), f.Key...)
			s.add(protoKey{1, string(s.path), rec.Direction}, uint64(message.Node().Bits))
			s.operations(message, rec.Direction)
		}
	}
}

// operations counts the elements of the choices in a message.
func (s *proto) operations(v dissect.Value, d dissect.Direction) {
	at := len(s.path)
	for c := range v.Children() {
		f := c.Field()
		if !f.Kind.Container() {
			continue
		}
		if f.Key != "" {
			s.path = append(append(s.path, '.'), f.Key...)
		}
		if v.Field().Kind == dissect.Choices {
			s.add(protoKey{2, string(s.path), d}, uint64(c.Node().Bits))
		} else {
			s.operations(c, d)
		}
		s.path = s.path[:at]
	}
}

func (s *proto) add(key protoKey, bits uint64) {
	c := s.counts[key]
	if c == nil {
		c = new(protoCount)
		s.counts[key] = c
	}
	c.count++
	c.bits += bits
}

func (s *proto) Tables() []Table {
	t := Table{Name: "proto", Columns: protoKind().Columns}
	keys := make([]protoKey, 0, len(s.counts))
	var total [3]uint64
	for key, c := range s.counts {
		keys = append(keys, key)
		total[key.level] += c.bits
	}
	slices.SortFunc(keys, func(a, b protoKey) int {
		return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(s.counts[b].bits, s.counts[a].bits), cmp.Compare(a.name, b.name), cmp.Compare(a.direction, b.direction))
	})
	for _, key := range keys {
		c := s.counts[key]
		t.Rows = append(t.Rows, []any{
			protoLevels[key.level], key.name, orNil(key.direction.String()), c.count, (c.bits + 7) / 8, ratio(float64(c.bits)*100, float64(total[key.level]), 2),
		})
	}
	return []Table{t}
}

// expertKind is the statistic of expert entries, like tshark's expert.
func expertKind() Kind {
	return Kind{
		Name: "expert", Usage: "expert", Doc: "expert entries by severity and code", Needs: Needs{Tree: true},
		Columns: []Column{
			{Key: "severity", Type: "string", Doc: "note, warning or error"},
			{Key: "code", Type: "string", Doc: "kind of the entry, see docs/expert.md"},
			{Key: "count", Type: "integer", Doc: "entries"},
			{Key: "streams", Type: "integer", Doc: "conversations that have some"},
			{Key: "first_frame", Type: "integer", Doc: "frame of the first one"},
			{Key: "message", Type: "string", Doc: "the first one in words"},
		},
		make: withoutArguments("expert", func(*Env) Statistic { return &experts{map[expertKey]*expertCount{}} }),
	}
}

type expertKey struct {
	severity dissect.Severity
	code     string
}

type expertCount struct {
	count, frame uint64
	message      string
	streams      map[fileStream]bool // at most topKeys
}

type fileStream struct {
	file   string
	stream int
}

type experts struct {
	counts map[expertKey]*expertCount // bounded: codes are the program's
}

func (s *experts) Add(rec *dissect.Record) {
	for i := range rec.Experts {
		e := &rec.Experts[i]
		key := expertKey{e.Severity, e.Code}
		c := s.counts[key]
		if c == nil {
			c = &expertCount{frame: rec.Frame, message: e.Message, streams: map[fileStream]bool{}}
			s.counts[key] = c
		}
		c.count++
		if len(c.streams) < topKeys {
			c.streams[fileStream{rec.File, rec.Stream}] = true
		}
	}
}

func (s *experts) Tables() []Table {
	t := Table{Name: "expert", Columns: expertKind().Columns}
	keys := make([]expertKey, 0, len(s.counts))
	for key := range s.counts {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b expertKey) int {
		return cmp.Or(cmp.Compare(b.severity, a.severity), cmp.Compare(s.counts[b].count, s.counts[a].count), cmp.Compare(a.code, b.code))
	})
	for _, key := range keys {
		c := s.counts[key]
		t.Rows = append(t.Rows, []any{key.severity.String(), key.code, c.count, int64(len(c.streams)), c.frame, c.message})
	}
	return []Table{t}
}

// fieldsKind is the statistic of the bits that each field takes.
func fieldsKind() Kind {
	return Kind{
		Name: "fields", Usage: "fields", Doc: "bits of each field: where the bandwidth goes", Needs: Needs{Tree: true},
		Columns: []Column{
			{Key: "field", Type: "string", Doc: "path of the field; of a container, what is not its fields': counts, changed bits, ends"},
			{Key: "count", Type: "integer", Doc: "how often it was there"},
			{Key: "bits", Type: "integer", Unit: "bits", Doc: "bits on the wire, coded"},
			{Key: "mean", Type: "number", Unit: "bits", Doc: "bits of one"},
			{Key: "share", Type: "number", Unit: "%", Doc: "of all bits that were read"},
		},
		make: withoutArguments("fields", func(*Env) Statistic { return new(fieldBits) }),
	}
}

// A fieldBits is a field at a place in the tree of fields. There are as many as the protocols describe.
type fieldBits struct {
	field       *dissect.Field
	count, bits uint64
	children    []*fieldBits
}

func (s *fieldBits) Add(rec *dissect.Record) { s.members(rec.Tree, 0, len(rec.Tree.Nodes)) }

// members counts the nodes from <= i < to and returns their bits.
func (s *fieldBits) members(tree *dissect.Tree, from, to int) (bits uint64) {
	for i := from; i < to; {
		n := &tree.Nodes[i]
		c := s.child(n.Field)
		c.count++
		inner := c.members(tree, i+1, int(n.End))
		own := uint64(n.Bits)
		if own > inner {
			c.bits += own - inner
		}
		bits += max(own, inner)
		i = int(n.End)
	}
	return bits
}

func (s *fieldBits) child(f *dissect.Field) *fieldBits {
	for _, c := range s.children {
		if c.field == f {
			return c
		}
	}
	c := &fieldBits{field: f}
	s.children = append(s.children, c)
	return c
}

func (s *fieldBits) Tables() []Table {
	sums := map[string]*fieldBits{} // fields that differ only in their table of names have one path
	s.collect("", sums)
	var total uint64
	paths := make([]string, 0, len(sums))
	for path, c := range sums {
		total += c.bits
		if c.bits > 0 {
			paths = append(paths, path)
		}
	}
	slices.SortFunc(paths, func(a, b string) int {
		return cmp.Or(cmp.Compare(sums[b].bits, sums[a].bits), cmp.Compare(a, b))
	})
	t := Table{Name: "fields", Columns: fieldsKind().Columns}
	for _, path := range paths {
		c := sums[path]
		t.Rows = append(t.Rows, []any{path, c.count, c.bits, ratio(float64(c.bits), float64(c.count), 2), ratio(float64(c.bits)*100, float64(total), 2)})
	}
	return []Table{t}
}

func (s *fieldBits) collect(path string, sums map[string]*fieldBits) {
	for _, c := range s.children {
		at := path
		if c.field.Key != "" {
			if at != "" {
				at += "."
			}
			at += c.field.Key
		}
		sum := sums[at]
		if sum == nil {
			sum = new(fieldBits)
			sums[at] = sum
		}
		sum.count += c.count
		sum.bits += c.bits
		c.collect(at, sums)
	}
}
