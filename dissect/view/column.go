package view

import (
	"iter"
	"strconv"
)

// A Column describes a part of every row.
type Column struct {
	Key  string // of JSON, snake_case; the heading in text
	Type string // of JSON: "string", "integer", "number", "boolean", "array"
	Unit string
	Doc  string
	// Values describe the values that a text may have, by value; nil: they are not described.
	Values map[string]string
	// Items are the members of an array's objects.
	Items []Column
	// Place is where the column is shown on a terminal that is narrower than the table.
	Place Place
	// Heading is what people see instead of Key; "": Key.
	Heading string
}

// A Place is the position of a column in a table that is wider than the terminal.
type Place uint8

// The places.
const (
	InLine    Place = iota // in the row as long as there is room, else below it
	InHeading              // above the rows that follow each other with the same value
	BelowLine              // below the row
	InData                 // in JSON and CSV alone
)

// at returns the column with a place.
func (c Column) at(p Place) Column {
	c.Place = p
	return c
}

// nameColumns are a player's name as the game has it, for programs, and without colours, for people too.
func nameColumns(doc string) (name, clean Column) {
	clean = textColumn("name_clean", doc+", without colours").at(InHeading)
	clean.Heading = "name"
	return textColumn("name", doc).at(InData), clean
}

func textColumn(key, doc string) Column    { return Column{Key: key, Type: "string", Doc: doc} }
func integerColumn(key, doc string) Column { return Column{Key: key, Type: "integer", Doc: doc} }

func unitColumn(kind, key, unit, doc string) Column {
	return Column{Key: key, Type: kind, Unit: unit, Doc: doc}
}

func numberColumn(key, unit, doc string) Column { return unitColumn("number", key, unit, doc) }
func bytesColumnOf(key, doc string) Column      { return unitColumn("integer", key, "bytes", doc) }
func startColumnOf(doc string) Column           { return numberColumn("start", "s", doc) }

var (
	packetsColumn = Column{Key: "packets", Type: "integer", Doc: "datagrams"}
	bytesColumn   = Column{Key: "bytes", Type: "integer", Unit: "bytes", Doc: "UDP payload"}
	startColumn   = Column{
		Key: "start", Type: "number", Unit: "s",
		Doc: "first datagram, since the first packet of the file",
	}
	startTimeColumn = Column{
		Key: "start_time", Type: "string", Place: InData, Doc: "time of capture of the start, RFC 3339, UTC",
	}
	durationColumn = Column{Key: "duration", Type: "number", Unit: "s", Doc: "from the first datagram to the last"}
	fileColumn     = Column{Key: "file", Type: "string", Doc: "name of the input"}
	streamColumn   = Column{Key: "stream", Type: "integer", Doc: "number of the conversation"}
)

// columns are those of a statistic whose rows are made of values of type R.
type columns[R any] []column[R]

// A column is a part of every row with the function that returns its value: a string, int64, uint64, float64 or bool,
// or nil for no value.
type column[R any] struct {
	Column
	value func(R) any
}

// described returns the columns without their functions.
func (cs columns[R]) described() []Column {
	list := make([]Column, len(cs))
	for i := range cs {
		list[i] = cs[i].Column
	}
	return list
}

// table returns a table with a row for each value.
func (cs columns[R]) table(name string, values iter.Seq[R], notes []string) Table {
	t := Table{Name: name, Columns: cs.described(), Notes: notes}
	for v := range values {
		row := make([]any, len(cs))
		for i := range cs {
			row[i] = cs[i].value(v)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// orNil returns nil for an empty text.
func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// onlyIf returns a value, or nil if it is not known.
func onlyIf(known bool, value any) any {
	if !known {
		return nil
	}
	return value
}

// Cell returns a value of a row as text: numbers in decimal without an exponent, any bytes of texts, "" for no value.
func Cell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case uint64:
		return strconv.FormatUint(v, 10)
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case *List:
		return v.text
	}
	return "?"
}
