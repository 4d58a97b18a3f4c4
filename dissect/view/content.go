package view

import (
	"cmp"
	"maps"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// protoKind is the statistic of protocols, messages and operations.
func protoKind() Kind {
	return Kind{
		Name: "proto", Usage: "proto", Doc: "protocols, messages and operations: how many, how many bits",
		Needs:   Needs{Tree: true},
		Columns: protoColumns().described(),
		make:    withoutArguments("proto", func(*Env) Statistic { return &proto{protocols: map[string]*protoCounts{}} }),
	}
}

// A protoRow is a row of the statistic proto.
type protoRow struct {
	protoKey
	protoCount
	all uint64 // bits of everything on its level
}

func protoColumns() columns[protoRow] {
	return columns[protoRow]{
		{textColumn("level", "protocol: datagrams with their bytes; message: objects of the protocol; operation: elements of a message"), func(r protoRow) any { return protoLevels[r.level] }},
		{textColumn("name", "protocol with its version, or the path of the field"), func(r protoRow) any { return r.name }},
		{textColumn("direction", "which way it went; absent where that is not known"), func(r protoRow) any { return orNil(r.direction.String()) }},
		{integerColumn("count", "datagrams, messages, operations"), func(r protoRow) any { return r.count }},
		{bytesColumn, func(r protoRow) any { return (r.bits + 7) / 8 }},
		{numberColumn("share", "%", "of the bytes of all datagrams, or of all operations"), func(r protoRow) any { return ratio(float64(r.bits)*100, float64(r.all), 2) }},
	}
}

type protoKey struct {
	level     uint8 // protocol, message, operation
	name      string
	direction dissect.Direction
}

type protoCount struct{ count, bits uint64 }

type proto struct {
	protocols map[string]*protoCounts // by name with version
	fields    protoField              // of all records: its children are the protocols' objects
	name      []byte
}

// protoCounts are counts by direction.
type protoCounts [dissect.ServerToClient + 1]protoCount

// A protoField is a field at a place in the tree of fields. There are as many as the protocols describe.
type protoField struct {
	field    *dissect.Field
	level    uint8
	path     string
	counts   protoCounts
	children []*protoField
}

var protoLevels = [...]string{"protocol", "message", "operation"}

func (s *proto) Add(rec *dissect.Record) {
	s.protocol(rec).add(rec.Direction, uint64(rec.Length)*8)
	if rec.Protocol == nil {
		return
	}
	t := rec.Tree
	for top := range t.Children(dissect.TopLevel) {
		object := s.fields.child(t.Nodes[top].Field, 0)
		for message := range t.Children(top) {
			if n := &t.Nodes[message]; n.Field.Kind.Container() {
				m := object.child(n.Field, 1)
				m.counts.add(rec.Direction, uint64(n.Bits))
				m.operations(t, message, rec.Direction)
			}
		}
	}
}

// protocol returns the counts of a record's protocol and version.
func (s *proto) protocol(rec *dissect.Record) *protoCounts {
	s.name = appendVersioned(s.name[:0], rec)
	counts := s.protocols[string(s.name)]
	if counts == nil {
		counts = new(protoCounts)
		s.protocols[string(s.name)] = counts
	}
	return counts
}

// appendVersioned appends the name of a record's protocol, with its version.
func appendVersioned(dst []byte, rec *dissect.Record) []byte {
	if rec.Protocol == nil {
		return append(dst, "unknown"...)
	}
	dst = append(dst, rec.Protocol.Name...)
	if v := rec.Root().Get("version"); v.Exists() {
		dst = append(append(dst, ' '), v.String()...)
	}
	return dst
}

func (c *protoCounts) add(d dissect.Direction, bits uint64) {
	c[d].count++
	c[d].bits += bits
}

// child returns what is counted of a child.
func (p *protoField) child(f *dissect.Field, level uint8) *protoField {
	for _, c := range p.children {
		if c.field == f {
			return c
		}
	}
	c := &protoField{field: f, level: level, path: p.path}
	if c.path != "" && (f.Key != "" || level == 1) {
		c.path += "."
	}
	c.path += f.Key
	p.children = append(p.children, c)
	return c
}

// operations counts the elements of the choices in container parent.
func (p *protoField) operations(t *dissect.Tree, parent int, d dissect.Direction) {
	choices := p.field.Kind == dissect.Choices
	for i := range t.Children(parent) {
		n := &t.Nodes[i]
		if !n.Field.Kind.Container() {
			continue
		}
		c := p.child(n.Field, 2)
		if choices {
			c.counts.add(d, uint64(n.Bits))
		} else {
			c.operations(t, i, d)
		}
	}
}

// collect adds the counts of the fields in a field. Fields that differ only in their table of names have one path.
func (p *protoField) collect(sums map[protoKey]protoCount) {
	for _, c := range p.children {
		c.counts.collect(sums, c.level, c.path)
		c.collect(sums)
	}
}

func (c *protoCounts) collect(sums map[protoKey]protoCount, level uint8, name string) {
	for d, n := range c {
		if n.count > 0 {
			key := protoKey{level, name, dissect.Direction(d)}
			sums[key] = protoCount{sums[key].count + n.count, sums[key].bits + n.bits}
		}
	}
}

func (s *proto) Tables() []Table {
	counts := map[protoKey]protoCount{}
	for name, c := range s.protocols {
		c.collect(counts, 0, name)
	}
	s.fields.collect(counts)
	keys := make([]protoKey, 0, len(counts))
	var total [3]uint64
	for key, c := range counts {
		keys = append(keys, key)
		total[key.level] += c.bits
	}
	slices.SortFunc(keys, func(a, b protoKey) int {
		return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(counts[b].bits, counts[a].bits),
			cmp.Compare(a.name, b.name), cmp.Compare(a.direction, b.direction))
	})
	rows := func(yield func(protoRow) bool) {
		for _, key := range keys {
			if !yield(protoRow{key, counts[key], total[key.level]}) {
				return
			}
		}
	}
	return []Table{protoColumns().table("proto", rows, nil)}
}

// expertKind is the statistic of expert entries, like tshark's expert.
func expertKind() Kind {
	return Kind{
		Name: "expert", Usage: "expert", Doc: "expert entries by severity and code", Needs: Needs{Tree: true},
		Columns: expertColumns().described(),
		make:    withoutArguments("expert", func(*Env) Statistic { return &experts{map[expertKey]*expertCount{}} }),
	}
}

func expertColumns() columns[*expertCount] {
	return columns[*expertCount]{
		{textColumn("severity", "note, warning or error"), func(c *expertCount) any { return c.severity.String() }},
		{textColumn("code", "kind of the entry, see docs/expert.md"), func(c *expertCount) any { return c.code }},
		{integerColumn("count", "entries"), func(c *expertCount) any { return c.count }},
		{integerColumn("streams", "conversations that have some"), func(c *expertCount) any { return int64(len(c.streams)) }},
		{integerColumn("first_frame", "frame of the first one"), func(c *expertCount) any { return c.frame }},
		{textColumn("message", "the first one in words"), func(c *expertCount) any { return c.message }},
	}
}

type expertKey struct {
	severity dissect.Severity
	code     string
}

type expertCount struct {
	expertKey
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
			c = &expertCount{expertKey: key, frame: rec.Frame, message: e.Message, streams: map[fileStream]bool{}}
			s.counts[key] = c
		}
		c.count++
		if len(c.streams) < topKeys {
			c.streams[fileStream{rec.File, rec.Stream}] = true
		}
	}
}

func (s *experts) Tables() []Table {
	list := slices.SortedFunc(maps.Values(s.counts), func(a, b *expertCount) int {
		return cmp.Or(cmp.Compare(b.severity, a.severity), cmp.Compare(b.count, a.count), cmp.Compare(a.code, b.code))
	})
	return []Table{expertColumns().table("expert", slices.Values(list), nil)}
}

// fieldsKind is the statistic of the bits that each field takes.
func fieldsKind() Kind {
	return Kind{
		Name: "fields", Usage: "fields", Doc: "bits of each field: where the bandwidth goes", Needs: Needs{Tree: true},
		Columns: fieldColumns().described(),
		make:    withoutArguments("fields", func(*Env) Statistic { return new(fieldBits) }),
	}
}

// A fieldRow is a row of the statistic fields.
type fieldRow struct {
	path string
	*fieldBits
	all uint64 // bits of all fields
}

func fieldColumns() columns[fieldRow] {
	return columns[fieldRow]{
		{textColumn("field", "path of the field; of a container, what is not its fields': counts, changed bits, ends"), func(r fieldRow) any { return r.path }},
		{integerColumn("count", "how often it was there"), func(r fieldRow) any { return r.count }},
		{unitColumn("integer", "bits", "bits", "bits on the wire, coded"), func(r fieldRow) any { return r.bits }},
		{numberColumn("mean", "bits", "bits of one"), func(r fieldRow) any { return ratio(float64(r.bits), float64(r.count), 2) }},
		{numberColumn("share", "%", "of all bits that were read"), func(r fieldRow) any { return ratio(float64(r.bits)*100, float64(r.all), 2) }},
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
	at := -1
	for i := from; i < to; {
		n := &tree.Nodes[i]
		if at++; at >= len(s.children) || s.children[at].field != n.Field {
			at = s.child(n.Field, at)
		}
		c := s.children[at]
		c.count++
		inner, end := uint64(0), int(n.End)
		if i+1 < end {
			inner = c.members(tree, i+1, end)
		}
		own := uint64(n.Bits)
		if own > inner {
			c.bits += own - inner
		}
		bits += max(own, inner)
		i = end
	}
	return bits
}

// child returns the index of a child, which is probably the one before next or one after it: fields come in nearly the
// same order each time. A new one is put there.
func (s *fieldBits) child(f *dissect.Field, next int) int {
	first := max(0, next-1)
	for i := first; i < len(s.children); i++ {
		if s.children[i].field == f {
			return i
		}
	}
	for i := range min(first, len(s.children)) {
		if s.children[i].field == f {
			return i
		}
	}
	next = min(next, len(s.children))
	s.children = slices.Insert(s.children, next, &fieldBits{field: f})
	return next
}

func (s *fieldBits) Tables() []Table {
	return []Table{fieldColumns().table("fields", slices.Values(s.rows()), nil)}
}

// rows returns the fields with bits, those with most first.
func (s *fieldBits) rows() (rows []fieldRow) {
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
	for _, path := range paths {
		rows = append(rows, fieldRow{path, sums[path], total})
	}
	return rows
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
