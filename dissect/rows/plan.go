package rows

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
)

// A plan says what becomes of the nodes of one shape.
type plan struct {
	do     action
	column *Column // what holds the value; of rows: their number
	name   *Column // siblings; nil: none
	names  *Column
	raw    *Column
	table  *Table                   // of rows; of rows of a Choices the alternatives have them
	inner  map[*dissect.Field]*plan // of an object, a group and rows: what is inside; of a Choices: the alternatives
}

// An action is how a node is stored.
type action uint8

const (
	asValue  action = iota // a Scalar
	asList                 // a List of values
	asSparse               // a Map by number
	asInfo                 // a Map by text
	asGroup                // a Group
	asEmpty                // an object that holds nothing: a Scalar that is true
	asRow                  // a row beside the one that it is in
	asRows                 // a row for every element
	asChoice               // a row for every element, in the table of its kind
)

// A builder makes the tables of a Schema.
type builder struct {
	schema *Schema
	errs   []error
}

func (b *builder) fail(path, format string, args ...any) {
	b.errs = append(b.errs, fmt.Errorf("%s: %s", path, fmt.Sprintf(format, args...)))
}

func (b *builder) table(name, path string, at []string) *Table {
	t := &Table{Name: name, Path: path, At: slices.Clone(at), ID: len(b.schema.Tables)}
	b.schema.Tables = append(b.schema.Tables, t)
	return t
}

// root adds the table of a protocol's object.
func (b *builder) root(f *dissect.Field) {
	s := addShape(nil, f)[0]
	b.schema.roots[f] = b.row(s, s.key, nil)
}

// events adds the table of events, in which the games have their keys in common.
func (b *builder) events(protocols []dissect.Protocol) {
	s := &shape{key: "event", kind: dissect.Object, whole: true} // client, killer and victim are no kinds of events
	for _, p := range protocols {
		if source, ok := p.(dissect.EventSource); ok {
			root := source.EventRoot()
			s.fields = append(s.fields, root)
			for _, c := range root.Children {
				s.children = addShape(s.children, c)
			}
		}
	}
	if len(s.fields) == 0 {
		return
	}
	p := b.row(s, "events", []string{"event_at"})
	p.table.Doc = "what happened in the games, see docs/events.md"
	p.table.Columns = append(p.table.Columns, &Column{Name: "server", Type: String, Narrow: true, Doc: "address and port of the server"},
		&Column{Name: "protocol", Type: String, Narrow: true}, &Column{Name: "info", Type: String, Doc: "the event in words"})
	b.schema.events = p.table
	for _, f := range s.fields {
		b.schema.event[f] = p
	}
}

// row plans an object that is a row.
func (b *builder) row(s *shape, path string, at []string) *plan {
	p := &plan{do: asRow, table: b.table(strings.ReplaceAll(path, ".", "_"), path, at)}
	p.table.Doc = s.doc()
	p.table.Columns, p.inner = b.members(s, path, at)
	return p
}

// stateKey is what objects with absolute values stand under; see dissect.Options.State.
const stateKey = "state"

// members plans what is inside an object.
func (b *builder) members(s *shape, path string, at []string) ([]*Column, map[*dissect.Field]*plan) {
	var columns []*Column
	inner := map[*dissect.Field]*plan{}
	union := s.union()
	for _, c := range s.children {
		if c.key == stateKey && c.kind == dissect.Object && !b.schema.options.State {
			continue
		}
		var p *plan
		if below := path + "." + c.key; union && c.kind == dissect.Object && !c.bare() {
			p = b.row(c, below, at)
		} else {
			p = b.member(c, below, at)
		}
		for _, column := range []*Column{p.column, p.name, p.names, p.raw} {
			if column != nil {
				columns = append(columns, column)
			}
		}
		for _, f := range c.fields {
			inner[f] = p
		}
	}
	return columns, inner
}

// member plans what is a column of the row that it is in, or rows below it.
func (b *builder) member(s *shape, path string, at []string) *plan {
	column := &Column{Name: s.key, Type: s.valueType(), Narrow: s.narrow(), Doc: s.doc()}
	p := &plan{column: column}
	switch s.kind {
	case dissect.Object:
		p.do, column.Form = asGroup, Group
		if column.Columns, p.inner = b.members(s, path, at); len(column.Columns) == 0 {
			p.do, column.Form, column.Type = asEmpty, Scalar, Bool
		}
	case dissect.Choices:
		p.do, column.Type = asChoice, Int
		p.inner = b.choices(s, path, b.below(s, path, at))
	case dissect.List:
		b.list(p, s, path, at)
	case dissect.Sparse:
		p.do, column.Form, column.Key = asSparse, Map, Int
		if e := s.element(); e == nil || e.kind.Container() || e.kind >= dissect.Text {
			b.fail(path, "a sparse array of more than numbers")
		} else {
			column.Type, column.Narrow = e.valueType(), e.narrow()
		}
	case dissect.Info:
		p.do, column.Form, column.Key, p.raw = asInfo, Map, String, rawColumn(s.key, Scalar)
	default:
		p.do = asValue
		b.siblings(p, s)
	}
	return p
}

// siblings adds the columns that stand beside a value.
func (b *builder) siblings(p *plan, s *shape) {
	name, names := s.naming()
	if name && !b.schema.options.NoNames {
		p.name = &Column{Name: s.key + "_name", Type: String, Narrow: true}
	}
	if names && !b.schema.options.NoNames {
		p.names = &Column{Name: s.key + "_names", Form: List, Type: String, Narrow: true}
	}
	if slices.ContainsFunc(s.fields, func(f *dissect.Field) bool { return f.Kind == dissect.Text }) {
		p.raw = rawColumn(s.key, Scalar)
	}
}

// rawColumn keeps the bytes of texts that are not UTF-8.
func rawColumn(key string, form Form) *Column {
	return &Column{Name: key + "_raw", Form: form, Type: String, Doc: "all bytes as hexadecimal, where the value does not keep them"}
}

func (s *shape) element() *shape {
	if len(s.children) != 1 {
		return nil
	}
	return s.children[0]
}

// list plans a List: values in a column, or objects in rows of their own.
func (b *builder) list(p *plan, s *shape, path string, at []string) {
	e := s.element()
	switch {
	case e == nil:
		b.fail(path, "a list of nothing")
	case e.kind == dissect.Object:
		p.do, p.column.Form, p.column.Type = asRows, Scalar, Int
		below := b.below(s, path, at)
		row := b.row(e, path, below)
		row.table.Doc = s.doc()
		p.table, p.inner = row.table, row.inner
	case e.kind.Container() || e.kind == dissect.Info:
		b.fail(path, "a list of %v", e.kind)
	default:
		p.do, p.column.Form, p.column.Type, p.column.Narrow = asList, List, e.valueType(), e.narrow()
		if e.kind == dissect.Text {
			p.raw = rawColumn(s.key, List)
		}
	}
}

// choices plans the alternatives of a Choices.
func (b *builder) choices(s *shape, path string, at []string) map[*dissect.Field]*plan {
	inner := map[*dissect.Field]*plan{}
	for _, c := range s.children {
		if c.kind != dissect.Object {
			b.fail(path+"."+c.key, "an alternative that is %v", c.kind)
			continue
		}
		p := b.row(c, path+"."+c.key, at)
		for _, f := range c.fields {
			inner[f] = p
		}
	}
	return inner
}

// below names the numbers of the rows below a list. The slice is new.
func (b *builder) below(s *shape, path string, at []string) []string {
	name := s.key + "_at"
	if slices.Contains(at, name) {
		name = strings.ReplaceAll(path, ".", "_") + "_at"
	}
	return append(slices.Clone(at), name)
}

// finish numbers the columns and looks for names that exist twice.
func (b *builder) finish() error {
	tables := map[string]bool{}
	for _, t := range b.schema.Tables {
		if tables[t.Name] {
			b.fail(t.Path, "the table %s exists twice", t.Name)
		}
		tables[t.Name] = true
		taken := append([]string{PacketColumn, TimeColumn, StreamColumn}, t.At...)
		b.number(t, t.Columns, taken)
	}
	return errors.Join(b.errs...)
}

func (b *builder) number(t *Table, columns []*Column, taken []string) {
	for _, c := range columns {
		if slices.Contains(taken, c.Name) {
			b.fail(t.Path, "the column %s exists twice", c.Name)
		}
		taken = append(taken, c.Name)
		c.ID = len(t.All)
		t.All = append(t.All, c)
		b.number(t, c.Columns, nil)
	}
}
