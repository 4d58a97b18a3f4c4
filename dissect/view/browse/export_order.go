package browse

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/filter"
)

// The most bytes of records that are put in the order of a column: in a temporary file, and in memory.
const (
	maxSortedJSON   = 8 << 30
	maxSortedMemory = 512 << 20
)

// errChanged is the error of an export whose input gave other records than when its rows were read.
var errChanged = errors.New("the input has changed since it was read")

// exportSortedJSON writes the records as exportJSON does, in the order of a column. They are kept in a store first.
func (s *Session) exportSortedJSON(ctx context.Context, w io.Writer, e *Export, f *filter.Filter) error {
	if _, err := s.settled(ctx, e, nil); err != nil {
		return err
	}
	lines, err := s.storeLines(ctx, f)
	if err != nil {
		return err
	}
	defer lines.store.Close()
	order, err := s.sortedRows(e)
	if err != nil {
		return err
	}
	if len(order) != len(lines.ends) {
		return errChanged
	}
	rows := slices.Sorted(slices.Values(order)) // as the lines are
	var line []byte
	for _, row := range order {
		at, _ := slices.BinarySearch(rows, row)
		if line, err = lines.read(line, at); err == nil {
			_, err = w.Write(line)
		}
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}

// sortedRows returns the numbers of the rows in the order of an export's column.
func (s *Session) sortedRows(e *Export) ([]uint32, error) {
	order := make([]uint32, 0, 1024)
	for {
		page, err := s.Sorted(len(order), maxRows, e.Filter, e.Sort)
		if err != nil {
			return nil, err
		}
		if !page.Sorted {
			return nil, errChanged
		}
		for i := range page.Rows {
			order = append(order, uint32(page.Rows[i].Row))
		}
		if len(page.Rows) == 0 {
			return order, nil
		}
	}
}

// storedLines are lines in a store.
type storedLines struct {
	store store
	ends  []int64 // of the lines
}

// read returns a line, in the memory of dst.
func (l *storedLines) read(dst []byte, at int) ([]byte, error) {
	from := int64(0)
	if at > 0 {
		from = l.ends[at-1]
	}
	n := int(l.ends[at] - from)
	dst = slices.Grow(dst[:0], n)[:n]
	_, err := l.store.ReadAt(dst, from)
	if errors.Is(err, io.EOF) { // at the end of what was read
		err = nil
	}
	return dst, err
}

// storeLines keeps the records of an export, as exportJSON writes them.
func (s *Session) storeLines(ctx context.Context, f *filter.Filter) (*storedLines, error) {
	most := int64(maxSortedJSON)
	if s.opts.InMemory {
		most = maxSortedMemory
	}
	if s.opts.sortedBytes > 0 {
		most = s.opts.sortedBytes
	}
	kept, err := newStore(s.opts.Folder, s.opts.InMemory)
	if err != nil {
		return nil, err
	}
	lines := &storedLines{store: kept}
	out := bufio.NewWriterSize(kept, 256<<10)
	size := int64(0)
	err = s.exportPass(ctx, f, false, func(c *engine.Config) {
		c.Output = func(b []byte) error {
			for line := range bytes.Lines(b) {
				size += int64(len(line))
				lines.ends = append(lines.ends, size)
			}
			if size > most {
				return fmt.Errorf("the records take more than %d MB, too much to sort: choose fewer with a filter, "+
					"or no column to sort by", most>>20)
			}
			_, err := out.Write(b)
			return cmp.Or(err, ctx.Err())
		}
	}, appendRecord)
	if err = cmp.Or(err, out.Flush()); err != nil {
		kept.Close()
		return nil, err
	}
	return lines, nil
}
