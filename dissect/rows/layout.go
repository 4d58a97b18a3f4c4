package rows

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/fieldunion"
)

// A layout is how the nodes of one shape are stored.
type layout struct {
	do     action
	column *Column // what holds the value; of rows: their number
	name   *Column // siblings; nil: none
	names  *Column
	raw    *Column
	table  *Table                     // of rows; of rows of a Choices the alternatives have them
	inner  map[*dissect.Field]*layout // of an object, a group and rows: what is inside; of a Choices: the alternatives
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
	asRow                  // a row in addition to the one that it is in
	asRows                 // a row for every element
	asChoice               // a row for every element, in the table of its kind
)

// A builder makes the tables of a Schema.
type builder struct {
	schema *Schema
	whole  *fieldunion.Shape // its objects are columns, however many there are
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
	s := fieldunion.OfField(f)
	b.schema.roots[f] = b.row(s, s.Key, nil)
}

// events adds the table of events, in which all games' keys are joined.
func (b *builder) events(protocols []*dissect.Protocol) {
	var roots []*dissect.Field
	for _, p := range protocols {
		if p.EventRoot != nil {
			roots = append(roots, p.EventRoot)
		}
	}
	if len(roots) == 0 {
		return
	}
	s := &fieldunion.Shape{Key: "event", Kind: dissect.Object, Fields: roots, Children: fieldunion.OfEvents(protocols)}
	b.whole = s // client, killer and victim are not kinds of events
	p := b.row(s, "events", []string{"event_at"})
	p.table.Doc = "what happened in the games, see docs/events.md"
	p.table.Columns = append(p.table.Columns, &Column{
		Name: "server", Type: String, Narrow: true,
		Doc: "address and port of the server",
	},
		&Column{Name: "protocol", Type: String, Narrow: true}, &Column{Name: "info", Type: String, Doc: "the event in words"})
	b.schema.events = p.table
	for _, f := range roots {
		b.schema.event[f] = p
	}
}

// row plans an object that is stored as a row.
func (b *builder) row(s *fieldunion.Shape, path string, at []string) *layout {
	p := &layout{do: asRow, table: b.table(strings.ReplaceAll(path, ".", "_"), path, at)}
	p.table.Doc = docOf(s)
	p.table.Columns, p.inner = b.members(s, path, at)
	return p
}

// stateKey is the key of objects with absolute values; see dissect.Options.State.
const stateKey = "state"

// members plans the members of an object.
func (b *builder) members(s *fieldunion.Shape, path string, at []string) ([]*Column, map[*dissect.Field]*layout) {
	var columns []*Column
	inner := map[*dissect.Field]*layout{}
	apart := s != b.whole && divided(s)
	for _, c := range s.Children {
		if b.schema.options.NoNames && c.Fields[0].Aside {
			continue
		}
		if c.Key == stateKey && c.Kind == dissect.Object && !b.schema.options.State {
			continue
		}
		var p *layout
		if below := path + "." + c.Key; apart && c.Kind == dissect.Object && !bare(c) {
			p = b.row(c, below, at)
		} else {
			p = b.member(c, below, at)
		}
		for _, column := range []*Column{p.column, p.name, p.names, p.raw} {
			if column != nil {
				columns = append(columns, column)
			}
		}
		for _, f := range c.Fields {
			inner[f] = p
		}
	}
	return columns, inner
}

// member plans a column of the row that it is in, or rows below it.
func (b *builder) member(s *fieldunion.Shape, path string, at []string) *layout {
	column := &Column{Name: s.Key, Type: valueType(s), Narrow: narrow(s), Doc: docOf(s)}
	p := &layout{column: column}
	switch s.Kind {
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
		if e := s.Element(); e == nil || e.Kind.Container() || e.Kind >= dissect.Text {
			b.fail(path, "a sparse array of more than numbers")
		} else {
			column.Type, column.Narrow = valueType(e), narrow(e)
		}
	case dissect.Info:
		p.do, column.Form, column.Key, p.raw = asInfo, Map, String, rawColumn(s.Key, Scalar)
	default:
		p.do = asValue
		b.siblings(p, s)
	}
	return p
}

// siblings adds the columns that accompany a value.
func (b *builder) siblings(p *layout, s *fieldunion.Shape) {
	name, names := s.Naming()
	if name && !b.schema.options.NoNames {
		p.name = &Column{Name: s.Key + "_name", Type: String, Narrow: true}
	}
	if names && !b.schema.options.NoNames {
		p.names = &Column{Name: s.Key + "_names", Form: List, Type: String, Narrow: true}
	}
	if slices.ContainsFunc(s.Fields, func(f *dissect.Field) bool { return f.Kind == dissect.Text }) {
		p.raw = rawColumn(s.Key, Scalar)
	}
}

// rawColumn keeps the bytes of texts that are not UTF-8.
func rawColumn(key string, form Form) *Column {
	return &Column{
		Name: key + "_raw", Form: form, Type: String,
		Doc: "all bytes as hexadecimal, where the value does not keep them",
	}
}

// list plans a List: values in a column, or objects in rows of their own.
func (b *builder) list(p *layout, s *fieldunion.Shape, path string, at []string) {
	e := s.Element()
	switch {
	case e == nil:
		b.fail(path, "a list of nothing")
	case e.Kind == dissect.Object:
		p.do, p.column.Form, p.column.Type = asRows, Scalar, Int
		below := b.below(s, path, at)
		row := b.row(e, path, below)
		row.table.Doc = docOf(s)
		p.table, p.inner = row.table, row.inner
	case e.Kind.Container() || e.Kind == dissect.Info:
		b.fail(path, "a list of %v", e.Kind)
	default:
		p.do, p.column.Form, p.column.Type, p.column.Narrow = asList, List, valueType(e), narrow(e)
		if e.Kind == dissect.Text {
			p.raw = rawColumn(s.Key, List)
		}
	}
}

// choices plans the alternatives of a Choices.
func (b *builder) choices(s *fieldunion.Shape, path string, at []string) map[*dissect.Field]*layout {
	inner := map[*dissect.Field]*layout{}
	for _, c := range s.Children {
		if c.Kind != dissect.Object {
			b.fail(path+"."+c.Key, "an alternative that is %v", c.Kind)
			continue
		}
		p := b.row(c, path+"."+c.Key, at)
		for _, f := range c.Fields {
			inner[f] = p
		}
	}
	return inner
}

// below names the numbers of the rows below a list. The slice is new.
func (b *builder) below(s *fieldunion.Shape, path string, at []string) []string {
	name := s.Key + "_at"
	if slices.Contains(at, name) {
		name = strings.ReplaceAll(path, ".", "_") + "_at"
	}
	return append(slices.Clone(at), name)
}

// finish numbers the columns and checks for names that exist twice.
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
