package browse

import (
	"encoding/binary"
	"sort"
)

// A streamScanner gives the rows of a stream, in order.
type streamScanner struct {
	index  *index
	key    streamKey
	used   int   // bytes of the gaps
	offset int64 // of the row that was given last
	seen   int

	window []byte // a part of the store
	from   int64  // where it begins
}

// Bytes that are read at once: of rows that lie far apart, and of rows that lie side by side.
const (
	farBytes  = 2 << 10
	nearBytes = 64 << 10
)

// seek goes to a row before that of a frame, fewer than 2*stepRows before it, or to the beginning.
func (s *streamScanner) seek(frame uint64) {
	x := s.index
	x.mu.Lock()
	defer x.mu.Unlock()
	s.used, s.offset, s.seen = 0, 0, 0
	rows := x.streams[s.key]
	if rows == nil {
		return
	}
	n := sort.Search(len(rows.steps), func(i int) bool { return rows.steps[i].frame >= frame })
	if n > 0 {
		at := rows.steps[n-1]
		s.used, s.offset, s.seen = at.used, at.offset, n*stepRows
	}
}

// next reads the next row of the stream, valid until the call after; ok is false where there is none so far.
func (s *streamScanner) next() (b []byte, ok bool, err error) {
	x := s.index
	x.mu.Lock()
	rows := x.streams[s.key]
	if rows == nil || s.seen >= rows.count {
		x.mu.Unlock()
		return nil, false, nil
	}
	gap, n := binary.Uvarint(rows.gaps[s.used:])
	size := x.size
	x.mu.Unlock()
	s.used += n
	s.offset += int64(gap)
	s.seen++
	b, err = s.read(int64(gap), size)
	return b, err == nil, err
}

// read returns the row at the scanner's offset, which lies gap after the one before; size is that of the store.
func (s *streamScanner) read(gap, size int64) ([]byte, error) {
	if at := s.offset - s.from; at >= 0 && at+rowHead <= int64(len(s.window)) {
		b := s.window[at:]
		if n := rowLength(b); n <= len(b) {
			return b[:n], nil
		}
	}
	guess := farBytes
	if gap < farBytes {
		guess = nearBytes
	}
	b, err := s.fill(int(min(int64(guess), size-s.offset)))
	if err != nil {
		return nil, err
	}
	if n := rowLength(b); n > len(b) {
		if b, err = s.fill(n); err != nil {
			return nil, err
		}
	}
	return b[:rowLength(b)], nil
}

// fill reads n bytes from the scanner's offset on.
func (s *streamScanner) fill(n int) ([]byte, error) {
	if n < rowHead {
		return nil, errRow
	}
	if cap(s.window) < n {
		s.window = make([]byte, n)
	}
	s.window, s.from = s.window[:n], s.offset
	if _, err := s.index.rows.ReadAt(s.window, s.offset); err != nil {
		s.window = s.window[:0]
		return nil, err
	}
	return s.window, nil
}
