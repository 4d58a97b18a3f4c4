package filter

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/cacheline"
)

// A Filter is a checked condition. It is safe for concurrent use; its Matchers are not.
type Filter struct {
	names   *Names
	text    string
	expr    expr
	link    bool
	framing bool
	raw     bool
	notes   []string
}

// Compile checks a filter. An error is an *Error.
func (n *Names) Compile(filter string) (*Filter, error) {
	e, err := parse(filter)
	if err != nil {
		return nil, err
	}
	b := builder{Names: n, filter: filter}
	if _, err := b.condition(e); err != nil {
		return nil, err
	}
	return &Filter{
		names: n, text: filter, expr: e, link: b.link, framing: b.framing, raw: b.raw, notes: slices.Compact(b.notes),
	}, nil
}

// String returns the text of the filter.
func (f *Filter) String() string { return f.text }

// NeedsFraming reports whether the filter names fields that frame others, which trees have only on request.
func (f *Filter) NeedsFraming() bool { return f.framing }

// NeedsLink reports whether the filter names fields of the link layer, which packets have only on request.
func (f *Filter) NeedsLink() bool { return f.link }

// NeedsRaw reports whether the filter names fields of the packet of the file: records need Packet.Raw.
func (f *Filter) NeedsRaw() bool { return f.raw }

// Notes returns lines of help about names of Wireshark's whose values differ from its own.
func (f *Filter) Notes() []string { return f.notes }

// build makes the nodes for one goroutine.
func (f *Filter) build() node {
	b := builder{Names: f.names, filter: f.text}
	n, err := b.condition(f.expr)
	if err != nil {
		panic(err) // it was checked
	}
	return n
}

// A Matcher evaluates a filter. It has memory of its own and is for one goroutine.
type Matcher struct {
	root  node
	state evaluation

	_ cacheline.Distance // each worker has a Matcher
}

// Matcher returns an evaluator.
func (f *Filter) Matcher() *Matcher { return &Matcher{root: f.build()} }

// Match reports whether a record matches the filter, which must be one of Records. It keeps no reference to the
// record.
func (m *Matcher) Match(rec *dissect.Record) bool {
	c := &m.state
	c.rec, c.tree, c.from, c.to = rec, rec.Tree, 0, len(rec.Tree.Nodes)
	return m.run()
}

// MatchEvent reports whether an event matches the filter, which must be one of Events. event is the index of
// the event's node in rec.Events.
func (m *Matcher) MatchEvent(rec *dissect.Record, event int) bool {
	c := &m.state
	c.rec, c.tree, c.event, c.from, c.to = rec, &rec.Events, event, event+1, int(rec.Events.Nodes[event].End)
	return m.run()
}

func (m *Matcher) run() bool {
	m.state.hasInfo, m.state.scratch = false, m.state.scratch[:0]
	return m.root.match(&m.state)
}
