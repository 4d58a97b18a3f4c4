package export

import (
	"slices"
	"sort"
)

// A piece is a run of bytes of a file, and where it is kept.
type piece struct {
	offset, length int64
	at             int64
}

func (p piece) end() int64 { return p.offset + p.length }

// maxPieces bounds how many holes a file can have while it arrives. A sender has far fewer blocks under
// way; that many come only of a capture that was made up.
const maxPieces = 1 << 13

// pieces are those of a file that came, in the file's order. No two overlap.
type pieces []piece

// add adds what is not there of a run of bytes, in the order in which it is to be kept from position at on.
// It calls store with each part that is new. It reports false if there are too many holes.
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

// gaps lists what is missing of a file of a size; negative: up to the last byte that came.
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
