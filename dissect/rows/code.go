package rows

import (
	"encoding/binary"
	"math"
)

// Rows travel from the goroutines that dissect to the one that writes as bytes:
//
//	head    0, the key of the record; the rows after it belong to the record
//	row     1 + Table.ID, the numbers of its At, cells, 0
//	cell    1 + Column.ID, value
//	value   of a Group nothing; of a Scalar one; of a List a count and as many; of a Map a count and as many pairs
//
// Numbers are varints, signed ones zigzag; a Float has 4 bytes and a Double 8; a String its size and bytes.
const headTag = 0

// The parts of a record's key, as bits.
const (
	keyTime = 1 << iota
	keyStream
)

// The columns that every table begins with: the key of the record, see Head.
const (
	PacketColumn = "packet"
	TimeColumn   = "packet_time"
	StreamColumn = "stream"
)

// A Head is the key of a record.
type Head struct {
	Packet  int64 // frame, or demo_message of a recording; no two records of an input have the same
	HasTime bool
	Time    int64 // Unix nanoseconds
	Stream  int64 // number of the conversation; -1: none
}

// HeadBytes is the most bytes that Append appends.
const HeadBytes = 2 + 3*binary.MaxVarintLen64

// Append appends the head as a Cursor reads it.
func (h *Head) Append(dst []byte) []byte {
	flags := uint64(0)
	if h.HasTime {
		flags |= keyTime
	}
	if h.Stream >= 0 {
		flags |= keyStream
	}
	dst = appendUint(appendUint(append(dst, headTag), flags), uint64(h.Packet))
	if h.HasTime {
		dst = appendInt(dst, h.Time)
	}
	if h.Stream >= 0 {
		dst = appendUint(dst, uint64(h.Stream))
	}
	return dst
}

// Micros is Time in microseconds, rounded down.
func (h *Head) Micros() int64 { return micros(h.Time) }

func appendUint(dst []byte, v uint64) []byte { return binary.AppendUvarint(dst, v) }
func appendInt(dst []byte, v int64) []byte   { return binary.AppendVarint(dst, v) }

func appendFloat(dst []byte, v float32) []byte {
	return binary.LittleEndian.AppendUint32(dst, math.Float32bits(v))
}

func appendDouble(dst []byte, v float64) []byte {
	return binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
}

func appendString(dst []byte, s string) []byte {
	return append(appendUint(dst, uint64(len(s))), s...)
}

// A Cursor reads what a Shredder appended: Row, then Cell for each of the row's cells, then the values of the cell
// with the method of their type. Every value must be read.
type Cursor struct {
	schema *Schema
	text   []byte // the rows
	pos    int    // in it, of what is read next
	row    int    // in it, of the row
	head   Head
	table  *Table
	column *Column
	at     []int64
}

// Read starts reading rows.
func (s *Schema) Read(b []byte) *Cursor { return &Cursor{schema: s, text: b} }

// Reset starts reading other rows of the same Schema.
func (c *Cursor) Reset(b []byte) { c.text, c.pos = b, 0 }

// Row advances to the next row; it returns false at the end.
func (c *Cursor) Row() bool {
	for c.pos < len(c.text) {
		c.row = c.pos
		tag := c.uint()
		if tag == headTag {
			c.readHead()
			continue
		}
		c.table = c.schema.Tables[tag-1]
		c.at = c.at[:0]
		for range c.table.At {
			c.at = append(c.at, int64(c.uint()))
		}
		return true
	}
	return false
}

func (c *Cursor) readHead() {
	flags, number := c.uint(), int64(c.uint())
	c.head = Head{Packet: number, Stream: -1}
	if flags&keyTime != 0 {
		c.head.HasTime, c.head.Time = true, c.Int()
	}
	if flags&keyStream != 0 {
		c.head.Stream = int64(c.uint())
	}
}

// Head returns the key of the row's record.
func (c *Cursor) Head() *Head { return &c.head }

// Table returns the table of the row.
func (c *Cursor) Table() *Table { return c.table }

// At returns the row's numbers in the lists around it, as in the table's At. They are valid until the next row.
func (c *Cursor) At() []int64 { return c.at }

// Cell advances to the next cell of the row; it returns false after the last one.
func (c *Cursor) Cell() bool {
	tag := c.uint()
	if tag == 0 {
		return false
	}
	c.column = c.table.All[tag-1]
	return true
}

// Rest skips the rest of the row and returns all of the row, as Reset takes it after its head. The bytes alias the
// input.
func (c *Cursor) Rest() []byte {
	c.Skip()
	return c.text[c.row:c.pos:c.pos]
}

// Skip skips the rest of the row.
func (c *Cursor) Skip() {
	for c.Cell() {
		c.SkipCell()
	}
}

// SkipCell skips the values of the cell.
func (c *Cursor) SkipCell() {
	switch column := c.column; column.Form {
	case Scalar:
		c.skip(column.Type)
	case List:
		for range c.Count() {
			c.skip(column.Type)
		}
	case Map:
		for range c.Count() {
			c.skip(column.Key)
			c.skip(column.Type)
		}
	}
}

func (c *Cursor) skip(t Type) {
	switch t {
	case Float:
		c.pos += 4
	case Double:
		c.pos += 8
	case String:
		c.Bytes()
	default:
		c.uint() // a varint, whatever its sign
	}
}

// Column returns the column of the cell.
func (c *Cursor) Column() *Column { return c.column }

// Count returns the number of elements of a List, or of pairs of a Map: the key comes before the value.
func (c *Cursor) Count() int { return int(c.uint()) }

// uint reads a varint. Most have one byte.
func (c *Cursor) uint() uint64 {
	if b := c.text[c.pos]; b < 0x80 {
		c.pos++
		return uint64(b)
	}
	return c.long()
}

func (c *Cursor) long() uint64 {
	v, n := binary.Uvarint(c.text[c.pos:])
	c.pos += n
	return v
}

// Uint reads a Uint, or a Bool as 0 or 1.
func (c *Cursor) Uint() uint64 { return c.uint() }

// Int reads an Int or a Time.
func (c *Cursor) Int() int64 {
	v := c.uint()
	return int64(v>>1) ^ -int64(v&1)
}

// Float reads a Float.
func (c *Cursor) Float() float32 {
	v := math.Float32frombits(binary.LittleEndian.Uint32(c.text[c.pos:]))
	c.pos += 4
	return v
}

// Double reads a Double.
func (c *Cursor) Double() float64 {
	v := math.Float64frombits(binary.LittleEndian.Uint64(c.text[c.pos:]))
	c.pos += 8
	return v
}

// Bytes reads a String. The bytes alias the input.
func (c *Cursor) Bytes() []byte {
	n := int(c.uint())
	from := c.pos
	c.pos += n
	return c.text[from:c.pos:c.pos]
}
