// Package recordhead describes what records of all protocols have: the common part, the facts of the link layer and the
// expert entries. JSON, columns, tables, filters and schemas are made from the same fields.
package recordhead

import (
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect"
)

// A Field is one key: its type, its documentation and the function that gets its value.
type Field struct {
	Key  string
	Kind Kind
	List bool // an array
	Null bool // null where it is absent

	// Name means that it is the name of a file.
	Name bool

	// Datagram means that the field is about the datagram alone: events do not have it.
	Datagram bool

	// Raw means that the record must have the packet of the file (Packet.Raw).
	Raw bool

	// Quote means that only records of quoted datagrams have the field: a loop over all fields can leave it out.
	Quote bool

	Unit, Doc string
	Words     []string // all values of a Label that has few

	// Get returns the value, of an array the i-th, of an expert entry that of the i-th entry; false: there is none. It is
	// nil for Info, Address and Endpoint.
	Get func(rec *dissect.Record, i int) (Value, bool)
	// Addr returns the value of an Address or Endpoint.
	Addr func(rec *dissect.Record) (netip.AddrPort, bool)
}

// A Kind is the type of a field's values.
type Kind uint8

const (
	Integer  Kind = iota // Value.Int
	Label                // Value.Text, words of our own
	Text                 // Value.Text, any bytes
	Address              // the address of Addr
	Endpoint             // Addr
	Time                 // Value.Int, Unix nanoseconds
	Seconds              // the same
	Elapsed              // seconds from the first packet of the file to Value.Int, Unix nanoseconds
	Severity             // Value.Int, a dissect.Severity
	Info                 // AppendInfo
	Bytes                // Value.Text, any bytes; columns have them in hexadecimal
)

// A Value is a value of a field. It is small enough for registers.
type Value struct {
	Int  int64
	Text string
}

// JSONType returns the JSON type of the values.
func (k Kind) JSONType() string {
	switch k {
	case Integer:
		return "integer"
	case Seconds, Elapsed:
		return "number"
	}
	return "string"
}

// Find returns the field with a key, or nil.
func Find(fields []Field, key string) *Field {
	for i := range fields {
		if fields[i].Key == key {
			return &fields[i]
		}
	}
	return nil
}
