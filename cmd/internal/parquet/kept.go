package parquet

import "github.com/q3dissect/q3dissect/dissect/rows"

const (
	// inputBytes is how much memory the rows of an input may take before the largest tables are written.
	inputBytes = 64 << 20
	// chunkBytes is how much memory is taken for rows at a time.
	chunkBytes = 16 << 10
)

// An output is the rows of a table and day that are not written yet. They become one file.
type output struct {
	table     *rows.Table
	day       string
	final     string // name in the data set
	temporary string // name of the file until then

	chunks []*chunk
	size   int64     // bytes that the chunks take
	head   rows.Head // of the last row
}

// A chunk is whole rows, with a head where it differs from that of the row before.
type chunk struct{ text []byte }

// add adds the row at the cursor. It returns how many bytes of memory were taken.
func (o *output) add(c *rows.Cursor, set *Dataset) (grown int64) {
	head, row := c.Head(), c.Rest()
	var text [rows.HeadBytes]byte
	before := text[:0]
	if len(o.chunks) == 0 || o.head != *head {
		o.head = *head
		before = head.Append(before)
	}
	var last *chunk
	if n := len(o.chunks); n > 0 {
		last = o.chunks[n-1]
	}
	if size := len(before) + len(row); last == nil || len(last.text)+size > cap(last.text) {
		last = set.chunk(size)
		o.chunks = append(o.chunks, last)
		grown = int64(cap(last.text))
		o.size += grown
	}
	last.text = append(append(last.text, before...), row...)
	return grown
}

// release returns the memory of the rows to other outputs.
func (o *output) release(set *Dataset) {
	for _, c := range o.chunks {
		if cap(c.text) == chunkBytes {
			set.chunks.Put(c)
		}
	}
	o.chunks, o.size = nil, 0
}

// chunk returns an empty chunk for size bytes or more.
func (d *Dataset) chunk(size int) *chunk {
	if size > chunkBytes {
		return &chunk{make([]byte, 0, size)}
	}
	if c, ok := d.chunks.Get().(*chunk); ok {
		c.text = c.text[:0]
		return c
	}
	return &chunk{make([]byte, 0, chunkBytes)}
}
