package parquet

import (
	"github.com/klauspost/compress/s2"

	"github.com/q3dissect/q3dissect/dissect/rows"
)

const (
	// inputBytes is how many bytes of rows an input may keep before the largest tables are written. They are counted
	// before they are packed, so that the files do not depend on how well that succeeds; packed they take a third or so.
	inputBytes = 128 << 20
	// blockBytes is how many bytes of rows are packed at a time. A longer row is a block of its own.
	blockBytes = 32 << 10
)

// An output is the rows of an input for a table.
type output struct {
	packed [][]byte  // blocks, each compressed
	last   *block    // nil before the first row
	size   int64     // bytes of the packed rows
	head   rows.Head // of the last row
}

// A block is whole rows, with a head where it differs from that of the row before.
type block struct{ text []byte }

// add adds the row at the cursor. It returns by how much the memory of the rows grew, before they are packed.
func (o *output) add(c *rows.Cursor, in *Input) (grown int64) {
	head, row := c.Head(), c.Rest()
	var text [rows.HeadBytes]byte
	before := text[:0]
	if o.last == nil || o.head != *head {
		o.head = *head
		before = head.Append(before)
	}
	if size := len(before) + len(row); o.last == nil || len(o.last.text)+size > cap(o.last.text) {
		if o.last != nil {
			o.pack(in)
		}
		o.last = in.set.block(size)
		grown = int64(cap(o.last.text))
	}
	o.last.text = append(append(o.last.text, before...), row...)
	return grown
}

// pack compresses the last block.
func (o *output) pack(in *Input) {
	if n := s2.MaxEncodedLen(len(o.last.text)); n > cap(in.scratch) {
		in.scratch = make([]byte, n)
	}
	b := s2.Encode(in.scratch[:cap(in.scratch)], o.last.text)
	o.packed = append(o.packed, append(make([]byte, 0, len(b)), b...))
	o.size += int64(len(o.last.text))
	in.set.spare(o.last)
	o.last = nil
}

// take returns the rows, packed, and how many bytes they were. The output has none then.
func (o *output) take(in *Input) (packed [][]byte, size int64) {
	if o.last != nil {
		o.pack(in)
	}
	packed, size = o.packed, o.size
	*o = output{}
	return packed, size
}

// blocks calls f with the rows of each block of a segment, in order. They are valid until f returns.
func (s *segment) blocks(set *Dataset, f func(text []byte) error) error {
	for i, b := range s.packed {
		n, err := s2.DecodedLen(b)
		if err != nil {
			return err
		}
		buffer := set.block(n)
		text, err := s2.Decode(buffer.text[:n], b)
		if err == nil {
			err = f(text)
		}
		set.spare(buffer)
		if err != nil {
			return err
		}
		s.packed[i] = nil // the memory is needed for the columns
	}
	return nil
}

// release returns the memory of the rows to other outputs.
func (o *output) release(set *Dataset) {
	if o.last != nil {
		set.spare(o.last)
	}
	*o = output{}
}

// block returns an empty block for size bytes or more.
func (d *Dataset) block(size int) *block {
	if size > blockBytes {
		return &block{make([]byte, 0, size)}
	}
	if b, ok := d.spares.Get().(*block); ok {
		b.text = b.text[:0]
		return b
	}
	return &block{make([]byte, 0, blockBytes)}
}

// spare keeps a block for later use.
func (d *Dataset) spare(b *block) {
	if cap(b.text) == blockBytes {
		d.spares.Put(b)
	}
}
