package export

import (
	"slices"
	"sort"
)

// A piece is a run of bytes of a file, with the position where it is kept.
type piece struct {
	offset, length int64
	at             int64
}

func (p piece) end() int64 { return p.offset + p.length }

// maxPieces is the most holes that a file can have during a transfer. A sender has far fewer blocks in transit;
// more can only come from a forged capture.
const maxPieces = 1 << 13

// pieces are the received parts of a file, in the file's order. They do not overlap.
type pieces []piece

// add adds the new parts of a run of bytes, which are kept in this order from position at on. It calls store
// with each new part. It returns false if there are too many holes.
func (p *pieces) add(offset, length, at int64, store func(from, to int64)) bool {
	first := offset
	for offset < first+length {
		i := sort.Search(len(*p), func(i int) bool { return (*p)[i].end() > offset })
		end := first + length
		if i < len(*p) {
			next := (*p)[i]
			if next.offset <= offset {
				offset = next.end()
				continue
			}
			end = min(end, next.offset)
		}
		n := end - offset
		switch {
		case i > 0 && (*p)[i-1].end() == offset && (*p)[i-1].at+(*p)[i-1].length == at:
			(*p)[i-1].length += n
		case len(*p) == maxPieces:
			return false
		default:
			*p = slices.Insert(*p, i, piece{offset, n, at})
		}
		store(offset-first, end-first)
		at += n
		offset = end
	}
	return true
}

// gaps lists the missing parts of a file of a size; negative: up to the last byte received.
func (p pieces) gaps(size int64) (gaps []ByteRange) {
	var at int64
	for _, piece := range p {
		if piece.offset > at {
			gaps = append(gaps, ByteRange{at, piece.offset - at})
		}
		at = piece.end()
	}
	if size > at {
		gaps = append(gaps, ByteRange{at, size - at})
	}
	return gaps
}
