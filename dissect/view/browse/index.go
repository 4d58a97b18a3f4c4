package browse

import (
	"encoding/binary"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/q3dissect/q3dissect/dissect/engine"
)

// blockRows is how many rows have one entry in memory: the others are found from there.
const blockRows = 32

// An index knows where the rows are: a few bytes of memory for each.
type index struct {
	rows     store
	readings *readings
	read     atomic.Int64 // bytes of the inputs

	mu      sync.Mutex
	grown   *sync.Cond
	stopped bool
	done    bool
	count   int   // rows
	size    int64 // bytes of them
	blocks  []block
	streams map[streamKey]*streamRows
	files   []fileRows
	stats   engine.Stats
}

// A block is the first of blockRows rows, and what is worst in all of them.
type block struct {
	offset   int64
	frame    uint64
	file     uint16
	severity uint8
}

// A streamKey names a stream.
type streamKey struct{ file, stream int }

// A streamRows has the places of the rows of a stream: the distances between them, as varints.
type streamRows struct {
	gaps  []byte
	last  int64
	count int
	steps []step
}

// stepRows is how many rows of a stream have one entry that is found without reading those before.
const stepRows = 128

// A step is a place among the rows of a stream.
type step struct {
	frame  uint64 // of the row that follows
	used   int    // bytes of the gaps before it
	offset int64  // of the row before it
}

// A fileRows is what is known of an input.
type fileRows struct {
	first, rows int // number of its first row, and how many there are
	firstTime   int64
	recording   bool
	fault       string
}

func newIndex(rows store, r *readings, files int) *index {
	x := &index{rows: rows, readings: r, streams: map[streamKey]*streamRows{}, files: make([]fileRows, files)}
	x.grown = sync.NewCond(&x.mu)
	return x
}

// add takes rows that were made, whole and in order.
func (x *index) add(b []byte) error {
	if _, err := x.rows.Write(b); err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for len(b) > 0 {
		n := rowLength(b)
		if x.count%blockRows == 0 {
			x.blocks = append(x.blocks, block{offset: x.size, frame: rowFrame(b), file: uint16(rowFile(b))})
		}
		last := &x.blocks[len(x.blocks)-1]
		last.severity = max(last.severity, uint8(rowSeverity(b)))
		if stream := rowStream(b); stream >= 0 {
			key := streamKey{rowFile(b), stream}
			s := x.streams[key]
			if s == nil {
				s = &streamRows{}
				x.streams[key] = s
			}
			if s.count%stepRows == 0 && s.count > 0 {
				s.steps = append(s.steps, step{rowFrame(b), len(s.gaps), s.last})
			}
			s.gaps = binary.AppendUvarint(s.gaps, uint64(x.size-s.last))
			s.last = x.size
			s.count++
		}
		x.files[rowFile(b)].rows++
		x.count++
		x.size += int64(n)
		b = b[n:]
	}
	x.grown.Broadcast()
	return nil
}

// begin notes that an input begins, and what it is.
func (x *index) begin(file int, recording bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.files[file].first, x.files[file].recording = x.count, recording
}

// end notes what came of an input.
func (x *index) end(file int, stats *engine.Stats, fault string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.files[file].fault = fault
	x.stats.Packets += stats.Packets
	x.stats.Datagrams += stats.Datagrams
	x.stats.Game += stats.Game
	x.stats.Unknown += stats.Unknown
}

// finish notes that there will be no more rows.
func (x *index) finish(error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.done = true
	x.grown.Broadcast()
}

// wake ends all waiting.
func (x *index) wake() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.stopped = true
	x.grown.Broadcast()
}

// wait waits until something holds, or everything stops. The lock is held while it is tested.
func (x *index) wait(holds func() bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for !holds() && !x.stopped {
		x.grown.Wait()
	}
}

// scan visits the rows from a certain one on, until visit answers false or there are no more. The bytes are valid until
// visit returns.
func (x *index) scan(from int, visit func(number int, b []byte) bool) error {
	x.mu.Lock()
	count, size := x.count, x.size
	number, offset := from, size
	if from < count {
		number, offset = from/blockRows*blockRows, x.blocks[from/blockRows].offset
	}
	x.mu.Unlock()
	s := rowScanner{index: x, offset: offset, limit: size}
	for ; number < count; number++ {
		b, err := s.next()
		if err != nil {
			return err
		}
		if number >= from && !visit(number, b) {
			return nil
		}
	}
	return nil
}

// A rowScanner reads rows one after the other.
type rowScanner struct {
	index         *index
	offset, limit int64 // of what follows buf[at:] in the store
	buf           []byte
	at            int
	skip          int // rows that the user is to leave out
}

// A scan reads scanBytes at a time; at first fewer, since most look for one row.
const firstBytes, scanBytes = 16 << 10, 128 << 10

// next returns the next row, valid until the call after.
func (s *rowScanner) next() ([]byte, error) {
	if len(s.buf)-s.at < rowHead {
		if err := s.fill(rowHead); err != nil {
			return nil, err
		}
	}
	n := rowLength(s.buf[s.at:])
	if len(s.buf)-s.at < n {
		if err := s.fill(n); err != nil {
			return nil, err
		}
	}
	b := s.buf[s.at : s.at+n]
	s.at += n
	return b, nil
}

// fill reads on, so that at least need bytes are there.
func (s *rowScanner) fill(need int) error {
	rest, size := copy(s.buf, s.buf[s.at:]), scanBytes
	if s.buf == nil {
		size = firstBytes
	}
	want := int(min(int64(max(need, size)-rest), s.limit-s.offset))
	if rest+want < need || need < rowHead {
		return errRow
	}
	s.buf = append(s.buf[:rest], make([]byte, want)...)
	s.at = 0
	n, err := s.index.rows.ReadAt(s.buf[rest:], s.offset)
	if n < want {
		return err
	}
	s.offset += int64(want)
	return nil
}

// row reads a row by its number.
func (x *index) row(number int) (w row, err error) {
	found := false
	err = x.scan(number, func(_ int, b []byte) bool {
		found = true
		err = w.decode(append([]byte(nil), b...), x.readings)
		return false
	})
	if err == nil && !found {
		return w, ErrNoRow
	}
	return w, err
}

// find returns the row of a frame of a file, or the first one after it; ok means that it is the frame.
func (x *index) find(file int, frame uint64) (number int, ok bool) {
	x.mu.Lock()
	after := sort.Search(len(x.blocks), func(i int) bool {
		b := &x.blocks[i]
		return int(b.file) > file || int(b.file) == file && b.frame > frame
	})
	x.mu.Unlock()
	number = max(after-1, 0) * blockRows
	end := number
	err := x.scan(number, func(n int, b []byte) bool {
		end = n + 1
		if rowFile(b) > file || rowFile(b) == file && rowFrame(b) >= frame {
			number, ok = n, rowFile(b) == file && rowFrame(b) == frame
			end = n
			return false
		}
		return true
	})
	if err != nil {
		return 0, false
	}
	return end, ok
}
