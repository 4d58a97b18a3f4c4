package parquet

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/format"

	"github.com/q3dissect/q3dissect/dissect/rows"
)

// A column collects the values of a column and its levels, encodes them as pages, and keeps these until all of the
// row group's chunk is written.
type column struct {
	typ    rows.Type
	narrow bool // few different values are expected
	level  byte // definition level of a value
	path   []string

	// The open page.
	definition, repetition levels
	rows                   int // that it begins
	entries                int // with the absent ones
	values                 int
	ints                   []int64 // of Int, Uint and Time
	plain                  []byte  // of Float, Double and String in the encoding PLAIN; of Bool a byte each
	indices                []int32 // of a String in the dictionary
	raw                    int     // bytes that the values of indices take without a dictionary

	// The chunk.
	coding     coding
	dictionary dictionary
	bounds     bounds
	encodings  []format.Encoding // of its data pages
	pages      []byte            // complete
	size       int               // of the pages, not compressed
	total      int               // entries of the pages
	nulls      int               // absent ones among them
}

// A coding is how the values of a chunk are written.
type coding uint8

const (
	undecided coding = iota // the first page decides
	indexed                 // with a dictionary
	direct                  // without one
)

// newColumn returns a column whose values have a definition level. list means that a row may have several.
func newColumn(t rows.Type, narrow bool, level int, list bool) *column {
	c := &column{typ: t, narrow: narrow, level: byte(level)}
	c.definition.width = uint(bits.Len(uint(level)))
	if list {
		c.repetition.width = 1
	}
	c.reset()
	return c
}

// reset begins another chunk.
func (c *column) reset() {
	c.coding = direct
	if c.narrow || c.typ == rows.String {
		c.coding = undecided
	}
	c.dictionary.reset()
	c.bounds.reset()
	c.encodings, c.pages = c.encodings[:0], c.pages[:0]
	c.size, c.total, c.nulls = 0, 0, 0
	c.resetPage()
}

func (c *column) resetPage() {
	c.definition.reset()
	c.repetition.reset()
	c.rows, c.entries, c.values, c.raw = 0, 0, 0, 0
	c.ints, c.plain, c.indices = c.ints[:0], c.plain[:0], c.indices[:0]
}

// absent adds rows without a value, with a definition level.
func (c *column) absent(level byte, n int) {
	c.definition.add(level, n)
	c.repetition.add(0, n)
	c.entries += n
	c.rows += n
}

// begin begins a row with a value, which is added next.
func (c *column) begin() {
	c.rows++
	c.entry(0)
}

// entry begins another value of the row's list, or with repetition 0 its first one.
func (c *column) entry(repetition byte) {
	c.definition.add(c.level, 1)
	c.repetition.add(repetition, 1)
	c.entries++
	c.values++
}

// int adds a number to a column of Int, Uint or Time.
func (c *column) int(v int64) { c.ints = append(c.ints, v) }

// value adds the next value at the cursor.
func (c *column) value(cur *rows.Cursor) {
	switch c.typ {
	case rows.Bool:
		c.plain = append(c.plain, byte(min(cur.Uint(), 1)))
	case rows.Uint:
		c.int(int64(cur.Uint()))
	case rows.Float:
		c.plain = binary.LittleEndian.AppendUint32(c.plain, math.Float32bits(cur.Float()))
	case rows.Double:
		c.plain = binary.LittleEndian.AppendUint64(c.plain, math.Float64bits(cur.Double()))
	case rows.String:
		c.text(cur.Bytes())
	default:
		c.int(cur.Int())
	}
}

func (c *column) text(v []byte) {
	if c.coding == direct {
		c.plain = appendText(c.plain, v)
		return
	}
	c.indices = append(c.indices, c.dictionary.text(v))
	c.raw += 4 + len(v)
}

// full reports whether the open page has so many bytes, or the dictionary so many, that the page should end.
func (c *column) full(bytes int) bool {
	return 8*len(c.ints)+len(c.plain)+4*len(c.indices) >= bytes || len(c.indices) > 0 && c.dictionary.full()
}

// encode appends the values of the open page, and returns their encoding.
func (c *column) encode(e *encoder) ([]byte, format.Encoding) {
	switch c.typ {
	case rows.Bool:
		c.bounds.bools(c.plain)
		return appendBits(e.body[:0], c.plain), format.Plain
	case rows.Float:
		for at := 0; at < len(c.plain); at += 4 {
			c.bounds.float(float64(math.Float32frombits(binary.LittleEndian.Uint32(c.plain[at:]))))
		}
		return append(e.body[:0], c.plain...), format.Plain
	case rows.Double:
		for at := 0; at < len(c.plain); at += 8 {
			c.bounds.float(math.Float64frombits(binary.LittleEndian.Uint64(c.plain[at:])))
		}
		return append(e.body[:0], c.plain...), format.Plain
	case rows.String:
		return c.encodeTexts(e)
	}
	return c.encodeInts(e)
}

func (c *column) encodeTexts(e *encoder) ([]byte, format.Encoding) {
	if c.coding == undecided {
		if c.coding = indexed; !c.dictionary.pays(c.values, c.raw) {
			c.plain = c.dictionary.appendPlain(c.plain, c.indices)
			c.coding = direct
			c.dictionary.reset()
		}
	}
	if c.coding == direct {
		c.bounds.texts(c.plain)
		return append(e.body[:0], c.plain...), format.Plain
	}
	if c.dictionary.full() {
		c.coding = direct // the pages after this one
	}
	return e.appendIndices(c.indices), format.RLEDictionary
}

func (c *column) encodeInts(e *encoder) ([]byte, format.Encoding) {
	if c.typ == rows.Uint {
		c.bounds.uints(c.ints)
	} else {
		c.bounds.ints(c.ints)
	}
	if c.coding != direct {
		c.indices = c.indices[:0]
		for _, v := range c.ints {
			c.indices = append(c.indices, c.dictionary.int(v))
		}
	}
	if c.coding == undecided {
		// A difference has a bit more than the numbers.
		width := bits.Len64(uint64(c.bounds.greatest)-uint64(c.bounds.least)) + 1
		if c.coding = indexed; !c.dictionary.pays(c.values, c.values*width/8) {
			c.coding = direct
			c.dictionary.reset()
		}
	}
	if c.coding == indexed {
		if c.dictionary.full() {
			c.coding = direct // the pages after this one
		}
		return e.appendIndices(c.indices), format.RLEDictionary
	}
	var codec delta.BinaryPackedEncoding
	body, err := codec.EncodeInt64(e.body, c.ints)
	e.fail(err)
	return body, format.DeltaBinaryPacked
}

// appendIndices encodes indices of a dictionary.
func (e *encoder) appendIndices(indices []int32) []byte {
	var codec rle.DictionaryEncoding
	body, err := codec.EncodeInt32(e.body, indices)
	e.fail(err)
	return body
}

// appendBits appends values of 0 and 1 in the encoding PLAIN of a boolean: a bit each, the first one lowest.
func appendBits(dst, values []byte) []byte {
	for i, v := range values {
		if i%8 == 0 {
			dst = append(dst, 0)
		}
		dst[len(dst)-1] |= v << (i % 8)
	}
	return dst
}
