package view

import (
	"cmp"
	"maps"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// coverageKind is the statistic of bits with and without a name.
func coverageKind() Kind {
	return Kind{
		Name: "coverage", Usage: "coverage", Doc: "bits with and without a name, for each protocol",
		Needs:   Needs{Tree: true, Framing: true},
		Columns: coverageColumns().described(),
		make:    withoutArguments("coverage", func(*Env) Statistic { return &coverage{counts: map[coverageKey]*covered{}} }),
	}
}

func coverageColumns() columns[*covered] {
	return columns[*covered]{
		{textColumn("protocol", "protocol with its version"), func(c *covered) any { return c.protocol }},
		{textColumn("in", "datagram: the payload as it was sent; message: reassembled, deciphered or decompressed"), func(c *covered) any { return c.scope.String() }},
		{integerColumn("count", "datagrams, messages"), func(c *covered) any { return c.count }},
		{unitColumn("integer", "bits", "bits", "all bits"), func(c *covered) any { return c.bits }},
		{unitColumn("integer", "named", "bits", "in a field, or in what frames one"), func(c *covered) any { return c.bits - c.unnamed }},
		{unitColumn("integer", "undecoded", "bits", "of these, after a fault, or of a kind that nothing describes"), func(c *covered) any { return c.undecoded }},
		{unitColumn("integer", "unnamed", "bits", "in no field"), func(c *covered) any { return c.unnamed }},
		{unitColumn("integer", "shared", "bits", "in more than one field"), func(c *covered) any { return c.shared }},
		{numberColumn("share", "%", "of the bits that have a name"), func(c *covered) any { return ratio(float64(c.bits-c.unnamed)*100, float64(c.bits), 4) }},
	}
}

type coverageKey struct {
	protocol string
	scope    dissect.Scope
}

// A covered is a row of the statistic coverage.
type covered struct {
	coverageKey
	count, bits, undecoded, unnamed, shared uint64
}

type coverage struct {
	counts map[coverageKey]*covered // bounded: protocols and their versions
	tree   dissect.Tree
	name   []byte
}

func (s *coverage) Add(rec *dissect.Record) {
	if rec.Protocol == nil {
		return
	}
	own := *rec // others need the tree as it is
	s.tree.Nodes = append(s.tree.Nodes[:0], rec.Tree.Nodes...)
	own.Tree = &s.tree
	own.Tree.Separate()
	for _, scope := range [...]dissect.Scope{dissect.Datagram, dissect.Message} {
		if n, ok := own.Coverage(scope); ok && n.Bits > 0 {
			c := s.of(rec, scope)
			c.count++
			c.bits += uint64(n.Bits)
			c.undecoded += uint64(n.Undecoded)
			c.unnamed += uint64(n.Unnamed)
			c.shared += uint64(n.Shared)
		}
	}
}

// of returns the row of a record's protocol and version.
func (s *coverage) of(rec *dissect.Record, scope dissect.Scope) *covered {
	s.name = appendVersioned(s.name[:0], rec)
	c := s.counts[coverageKey{string(s.name), scope}]
	if c == nil {
		c = &covered{coverageKey: coverageKey{string(s.name), scope}}
		s.counts[c.coverageKey] = c
	}
	return c
}

func (s *coverage) Tables() []Table {
	list := slices.SortedFunc(maps.Values(s.counts), func(a, b *covered) int {
		return cmp.Or(cmp.Compare(a.protocol, b.protocol), cmp.Compare(a.scope, b.scope))
	})
	return []Table{coverageColumns().table("coverage", slices.Values(list), nil)}
}
