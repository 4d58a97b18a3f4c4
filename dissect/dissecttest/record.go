package dissecttest

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// dissect returns the records of a sample.
func (s *suite) dissect(sample *sample, cfg engine.Config) iter.Seq[*dissect.Record] {
	return s.dissectChanged(sample, cfg, func(int, *dissect.Packet) {})
}

// dissectChanged returns the records of a sample after change has changed packets. It gets a copy of each, with
// bytes of its own.
func (s *suite) dissectChanged(sample *sample, cfg engine.Config,
	change func(i int, p *dissect.Packet),
) iter.Seq[*dissect.Record] {
	cfg.Protocols = s.Beside
	packets := func(yield func(*dissect.Packet, error) bool) {
		var buf []byte
		for i := range sample.packets {
			p := sample.packets[i]
			buf = append(buf[:0], p.Payload...)
			p.Payload = buf
			s.doing = fmt.Sprintf("%s, packet %d", sample.name, p.Frame)
			change(i, &p)
			if !yield(&p, nil) {
				return
			}
		}
	}
	return func(yield func(*dissect.Record) bool) {
		for rec, err := range engine.Records(packets, cfg) {
			if err != nil {
				s.report("%s: %v", sample.name, err)
				return
			}
			if !yield(rec) {
				return
			}
		}
	}
}

// records: the records of the samples are well formed, with all options.
func (s *suite) records() {
	for _, sample := range s.samples {
		for _, o := range []dissect.Options{{}, {State: true, Events: true, Files: true, Demos: &extract.DemoRange{}}} {
			for rec := range s.dissect(sample, engine.Config{Options: o}) {
				if s.wellFormed(sample, "", rec); s.full() {
					return
				}
			}
		}
	}
}

// wellFormed checks one record. done describes what was done to its packet.
func (s *suite) wellFormed(sample *sample, done string, rec *dissect.Record) {
	if !s.isOwn(rec) {
		return
	}
	where := fmt.Sprintf("%s, packet %d%s", sample.name, rec.Frame, done)
	t := treeCheck{
		report: func(format string, args ...any) { s.report(where+": "+format, args...) }, rec: rec,
		captured: sample.bits, shared: s.Shared, ignoreOverlaps: s.Offsets && done != "",
	}
	t.run()
	for _, e := range rec.Experts {
		if limit := 8 * max(len(rec.Payload), len(rec.Message)); e.BitOffset < 0 || e.BitOffset > limit {
			s.report("%s: expert %s is at bit %d of %d", where, e.Code, e.BitOffset, limit)
		}
		if !s.Elsewhere && !s.experts[e.Code] {
			s.report("%s: expert code %q is not in docs/expert.md", where, e.Code)
		}
		if e.Message == "" {
			s.report("%s: expert %s says nothing", where, e.Code)
		}
	}
	lines := [][]byte{new(render.List).Append(nil, rec), new(render.EventList).Append(nil, rec)}
	for _, line := range lines {
		for text := range strings.Lines(string(line)) {
			if i := strings.IndexFunc(strings.TrimSuffix(text, "\n"), unicode.IsControl); i >= 0 {
				s.report("%s: a control character at byte %d of the line %q", where, i, text)
			}
		}
	}
}

// A treeCheck looks at the tree of one record.
type treeCheck struct {
	report func(format string, args ...any)
	rec    *dissect.Record
	leaves [2][]*dissect.Node // by scope: those with a place

	ignoreOverlaps bool

	captured int      // bits of all packets of the sample
	shared   []string // Kit.Shared
}

func (c *treeCheck) run() {
	t := c.rec.Tree
	if n := t.Depth(); n != 0 {
		c.report("%d containers are open", n)
	}
	for i := range t.Nodes {
		if end := int(t.Nodes[i].End); end <= i || end > len(t.Nodes) {
			c.report("node %d (%s) ends at %d of %d", i, t.Nodes[i].Field.Key, end, len(t.Nodes))
			return
		}
	}
	for v := range t.Top().Children() {
		c.value(v, v.Key(), dissect.Datagram)
	}
	if c.ignoreOverlaps {
		return
	}
	for _, leaves := range c.leaves {
		c.overlaps(leaves)
	}
}

// value looks at a value and everything in it.
func (c *treeCheck) value(v dissect.Value, path string, scope dissect.Scope) {
	n, f := v.Node(), v.Field()
	if f.Scope != dissect.Inherit {
		scope = f.Scope
	}
	c.place(n, path, scope)
	if !f.Kind.Container() {
		return
	}
	for child := range v.Children() {
		inner := path
		if key := child.Key(); key != "" {
			inner += "." + key
		}
		if !describes(f, child.Field()) {
			c.report("%s is in the record, and not among the fields of %s: schema and field list do not have it", inner, path)
		}
		c.value(child, inner, scope)
	}
}

// describes reports whether a container's description has a field among its children.
func describes(container, field *dissect.Field) bool {
	has := func(f *dissect.Field) bool { return f == field || f.Key == field.Key && f.Kind == field.Kind }
	return slices.ContainsFunc(container.Children, has) || slices.ContainsFunc(container.Frame, has)
}

// place looks at a field's position, which must be in what was captured.
func (c *treeCheck) place(n *dissect.Node, path string, scope dissect.Scope) {
	if n.Bits == 0 {
		return
	}
	size, s := 8*len(c.rec.Payload), 0
	if scope == dissect.Message {
		size, s = 8*len(c.rec.Message), 1
		if c.rec.Message == nil { // it could not be deciphered: only its clear beginning is shown
			size = c.captured
		}
	}
	if to := end(n); to > uint64(size) {
		c.report("%s lies at bits %d to %d of a %v of %d", path, n.Bit, to, scope, size)
	}
	// What was not decoded is shown as whole bytes, from the one that holds the fault.
	if !n.Field.Kind.Container() && n.Field.Key != "undecoded" {
		c.leaves[s] = append(c.leaves[s], n)
	}
}

func end(n *dissect.Node) uint64 { return uint64(n.Bit) + uint64(n.Bits) }

// overlaps looks for two fields on the same bits. Text and bytes may be read once more: a word of them may be a
// field of its own.
func (c *treeCheck) overlaps(leaves []*dissect.Node) {
	slices.SortStableFunc(leaves, func(a, b *dissect.Node) int {
		return cmp.Or(cmp.Compare(a.Bit, b.Bit), cmp.Compare(end(b), end(a)))
	})
	var around *dissect.Node // the leaf that reaches furthest so far
	for _, n := range leaves {
		if around != nil && uint64(n.Bit) < end(around) {
			if !c.mayOverlap(around, n) {
				c.report("%s at bits %d to %d and %s at bits %d to %d overlap", around.Field.Key, around.Bit, end(around),
					n.Field.Key, n.Bit, end(n))
			}
		}
		if around == nil || end(n) > end(around) {
			around = n
		}
	}
}

// mayOverlap reports whether one of two fields reads the other's text or bytes once more, or shares its bits.
func (c *treeCheck) mayOverlap(a, b *dissect.Node) bool {
	if slices.Contains(c.shared, a.Field.Key) || slices.Contains(c.shared, b.Field.Key) {
		return true
	}
	aText, bText := a.Field.Kind >= dissect.Text, b.Field.Kind >= dissect.Text
	return aText && bText || (aText || bText) && end(b) <= end(a)
}
