package browse

import (
	"context"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
)

// Refuse passes over the rows until the first is refused, and gives the error of the pass.
func (s *Session) Refuse(fault error) error {
	return s.eachRow(context.Background(), new(job), nil,
		func(dst []byte, _ *dissect.Record) []byte { return append(dst, 'x') },
		func(int, int, *engine.Kept) error { return fault })
}

// Saving makes options with which a state is saved after so many datagrams of a stream, in so many bytes.
func Saving(o Options, every uint64, bytes int) Options {
	o.saveEvery, o.savedBytes = every, bytes
	return o
}

// Ordering makes options with which so many rows are sorted, and half as many by a text.
func Ordering(o Options, rows int) Options {
	o.ordered = rows
	return o
}

// SortingBytes makes options with which so many bytes of records are sorted.
func SortingBytes(o Options, most int64) Options {
	o.sortedBytes = most
	return o
}

// Saved returns how many states are kept.
func (s *Session) Saved() (n int) {
	s.saved.mu.Lock()
	defer s.saved.mu.Unlock()
	for _, of := range s.saved.streams {
		n += len(of.kept)
	}
	return n
}

// Beginning is beginning.
func Beginning(text string, most int) string { return string(beginning([]byte(text), most)) }

// CSVCell is csvCell.
func CSVCell(text string) string { return csvCell(text) }

// Remembered returns how many answers are remembered, and about how many bytes they take.
func (s *Session) Remembered() (n, size int) { return len(s.cursors.records), s.cursors.size }
