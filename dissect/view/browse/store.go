package browse

import (
	"errors"
	"io"
	"os"
	"sync"
)

// A store takes the index of rows: bytes that are appended by one goroutine and read by others.
type store interface {
	io.Writer
	io.ReaderAt
	io.Closer
}

// newStore makes a store in a file that nobody else sees, or in memory where there is no folder for it.
func newStore(folder string, inMemory bool) (store, error) {
	if inMemory {
		return &memoryStore{}, nil
	}
	f, err := os.CreateTemp(folder, "q3dissect-view-*")
	if err != nil {
		return nil, err
	}
	if os.Remove(f.Name()) == nil { // the system frees it whatever ends the program
		return f, nil
	}
	return namedStore{f}, nil
}

// A namedStore is a file that could not be removed while it is open.
type namedStore struct{ *os.File }

func (s namedStore) Close() error {
	return errors.Join(s.File.Close(), os.Remove(s.Name()))
}

// memoryChunk is the size of the pieces of a memoryStore in bytes: what is there never moves.
const memoryChunk = 1 << 20

// A memoryStore keeps the bytes in memory, for programs without files.
type memoryStore struct {
	mu     sync.RWMutex
	chunks [][]byte
	size   int64
}

func (s *memoryStore) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(b)
	for len(b) > 0 {
		at := int(s.size % memoryChunk)
		if at == 0 {
			s.chunks = append(s.chunks, make([]byte, memoryChunk))
		}
		took := copy(s.chunks[len(s.chunks)-1][at:], b)
		s.size += int64(took)
		b = b[took:]
	}
	return n, nil
}

func (s *memoryStore) ReadAt(b []byte, off int64) (n int, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for n < len(b) && off < s.size {
		chunk := s.chunks[off/memoryChunk]
		end := min(memoryChunk, s.size-off/memoryChunk*memoryChunk)
		took := copy(b[n:], chunk[off%memoryChunk:end])
		n += took
		off += int64(took)
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (s *memoryStore) Close() error { return nil }
