package reassembly

import "slices"

// A piece is a run of bytes of a message that came in one fragment.
type piece struct {
	start  int // in bytes of the message
	length int // in bytes, on the wire
	held   int // in bytes, in the store; less than length if the capture cut the fragment
	frame  uint64
}

func (p *piece) end() int { return p.start + p.length }

// pieceBytes is the memory of a piece beside its bytes, for the accounts of memory.
const pieceBytes = 32

// A store holds the pieces of one message: disjoint, in order of their start,
// with their captured bytes side by side in data. A message whose pieces came
// in order thus needs no copy when it is complete, and one that came with gaps
// takes no more memory than its bytes.
type store struct {
	pieces []piece
	data   []byte
}

// find returns the index of the first piece that ends after start or, being
// empty, begins there, and the position of its bytes in data.
func (s *store) find(start int) (i, at int) {
	n := len(s.pieces)
	if n == 0 || s.pieces[n-1].start < start && s.pieces[n-1].end() <= start {
		return n, len(s.data) // in order, as most fragments are
	}
	for s.pieces[i].end() <= start && s.pieces[i].start != start { // ends at the last, see above
		at += s.pieces[i].held
		i++
	}
	return i, at
}

// insert puts p before piece i, whose bytes are at position at. data, of
// p.held bytes, is copied.
func (s *store) insert(i, at int, p piece, data []byte) {
	s.pieces = slices.Insert(s.pieces, i, p)
	s.data = slices.Insert(s.data, at, data...)
}

// cutOff forgets piece i and all after it.
func (s *store) cutOff(i, at int) {
	s.pieces = s.pieces[:i]
	s.data = s.data[:at]
}

// prefix returns the bytes up to the first cut, and whether there is one. The
// pieces must be without gaps. The bytes alias the store and are never nil.
func (s *store) prefix() (data []byte, truncated bool) {
	if s.data == nil {
		s.data = []byte{} // nil would mean "not complete" to the caller
	}
	n := 0
	for i := range s.pieces {
		n += s.pieces[i].held
		if s.pieces[i].held < s.pieces[i].length {
			return s.data[:n:n], true
		}
	}
	return s.data[:n:n], false
}

// beginning returns the bytes up to the first cut or gap.
func (s *store) beginning() []byte {
	n := 0
	for i := range s.pieces {
		if s.pieces[i].start != n {
			break
		}
		n += s.pieces[i].held
		if s.pieces[i].held < s.pieces[i].length {
			break
		}
	}
	return s.data[:n:n]
}

// appendFrames appends the frames of the pieces to dst, ascending and without
// repetition, and returns dst and the part that was appended.
func (s *store) appendFrames(dst []uint64) (all, frames []uint64) {
	n := len(dst)
	for i := range s.pieces {
		dst = append(dst, s.pieces[i].frame)
	}
	slices.Sort(dst[n:])
	dst = append(dst[:n], slices.Compact(dst[n:])...)
	return dst, dst[n:len(dst):len(dst)]
}

// reset empties the store and keeps its memory.
func (s *store) reset() {
	s.pieces = s.pieces[:0]
	s.data = s.data[:0]
}

// memory returns the bytes that the store occupies.
func (s *store) memory() int {
	return cap(s.data) + cap(s.pieces)*pieceBytes
}
