// Package rows turns records into rows of typed tables, for formats with columns.
//
//	schema, err := rows.New(all.Protocols(), rows.Options{Events: true})
//	shredder := schema.NewShredder() // one for each goroutine
//	b = shredder.Append(b[:0], rec)
//	for c := schema.Read(b); c.Row(); {
//		fmt.Println(c.Table().Name)
//		for c.Cell() {
//			fmt.Println(c.Column().Name)
//			c.SkipCell() // or read its value
//		}
//	}
//
// The tables are made from the Fields, as everything is that shows records. A record is a row of the table
// "packets". What is below it becomes rows of other tables where it repeats, and columns where it does not:
//
//   - each protocol's object is a row of a table of its name;
//   - each element of a list of objects is a row, and each element of a Choices is a row of the table of what was
//     chosen, so an op or a message has a table of its own, and so has an entity and a user command;
//   - an object with very many fields in more than a few kinds of objects, if a record has one or two of them (the
//     messages that a chunk can be), has a table for each of these;
//   - other objects are groups of columns, lists of values are columns of lists, sparse arrays and infostrings are
//     columns of maps.
//
// A table is named by its path with underscores for dots: quake3_server_message_ops_snapshot. Every row begins
// with the key of its record (packet: the frame or demo_message, packet_time, stream), and then with its number in
// every list around it, from 0, under the key of the list and "_at". Instead of a list whose elements are rows, the
// outer row has their number.
//
// The columns have the keys and the values of the JSON records, siblings like weapon_name included, with four
// differences: numbers are numbers even where JSON has them in strings; a time is a time; the text of an expert entry's
// list is a table; and nan and inf are floats.
package rows

import (
	"fmt"

	"github.com/q3dissect/q3dissect/dissect"
)

// A Type is the type of a column's values.
type Type uint8

// The types. There is one integer type for all but the widest numbers, so that no field outgrows its column.
const (
	Bool   Type = iota
	Int         // 64 bits, signed
	Uint        // 64 bits, unsigned
	Float       // IEEE 754 single precision
	Double      // IEEE 754 double precision
	String      // valid UTF-8
	Time        // microseconds since 1970-01-01 00:00 UTC
)

// A Form is how the values of a column are arranged in a row.
type Form uint8

// The forms. All are optional: a row need not have the column.
const (
	Scalar Form = iota // one value
	List               // any number of values
	Map                // any number of values under keys
	Group              // columns of its own
)

// A Column is a column of a table, or of a Group.
type Column struct {
	Name    string
	Form    Form
	Type    Type      // of a Scalar; of the elements of a List, of the values of a Map
	Key     Type      // of a Map: Int or String
	Columns []*Column // of a Group; never none
	Narrow  bool      // few different values are to be expected
	Doc     string    // what it means; may be empty
	ID      int       // its number in Table.All
}

// A Table is the description of one kind of rows.
type Table struct {
	Name    string    // "quake3_server_message_ops_snapshot"
	Path    string    // the path in the records: "quake3.server_message.ops.snapshot"
	Doc     string    //
	ID      int       // its number in Schema.Tables
	At      []string  // names of the columns with its numbers in the lists around it, outermost first
	Columns []*Column // without the key of the record and At
	All     []*Column // all columns and groups, in pre-order
}

// Options select tables and columns.
type Options struct {
	Events  bool // the table "events" and those below it. The records must have been dissected with Options.Events
	State   bool // absolute values. The records must have been dissected with Options.State
	Link    bool // the facts of the link layer, in packets
	NoNames bool // no siblings with names, and no Fields that are Aside
	// CommunityID is the Community ID of UDP flows, in packets.
	CommunityID bool
}

// A Schema is the tables of some protocols. It is safe for concurrent use.
type Schema struct {
	Tables  []*Table
	options Options

	packets, experts, events *Table
	roots                    map[*dissect.Field]*layout // by the protocols' Root
	event                    map[*dissect.Field]*layout // by the EventSources' EventRoot
	head                     headColumns
}

// New makes the tables of protocols. It returns an error for fields that no table can hold.
func New(protocols []*dissect.Protocol, o Options) (*Schema, error) {
	s := &Schema{options: o, roots: map[*dissect.Field]*layout{}, event: map[*dissect.Field]*layout{}}
	b := builder{schema: s}
	s.packets = b.table("packets", "", nil)
	s.packets.Doc = "one row for every record: what all packets and messages have in common"
	s.head = b.head(s.packets)
	s.experts = b.table("expert", "expert", []string{"expert_at"})
	s.experts.Doc = "what a person should know about a record"
	b.experts(s.experts)
	for _, p := range protocols {
		b.root(p.Root())
	}
	if o.Events {
		b.events(protocols)
	}
	if err := b.finish(); err != nil {
		return nil, fmt.Errorf("tables: %w", err)
	}
	return s, nil
}

// Options returns the options of the Schema.
func (s *Schema) Options() Options { return s.options }

// A Sink receives rows.
type Sink interface {
	Schema() *Schema
	Rows(b []byte) error // whole rows of the Schema, with their heads; b is the caller's
}

// Table returns a table by its name, or nil.
func (s *Schema) Table(name string) *Table {
	for _, t := range s.Tables {
		if t.Name == name {
			return t
		}
	}
	return nil
}
