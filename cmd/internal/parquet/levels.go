package parquet

import "encoding/binary"

// levels encodes the definition or repetition levels of a page in the format's "Run Length Encoding / Bit-Packing
// Hybrid" (apache/parquet-format, Encodings.md). A run of any length takes constant time.
type levels struct {
	width uint   // bits of a level
	out   []byte // complete runs

	level byte // of the current run
	run   int  // how often it came

	eight  uint64 // the levels of an incomplete group of eight, first in the low bits
	filled uint   // how many it has
	header int    // index in out of the header of the open bit-packed run
	groups int    // that the open bit-packed run has; 0: none is open
}

const (
	// groupLevels is how many levels a group of a bit-packed run has.
	groupLevels = 8
	// packedGroups is the most groups that a bit-packed run gets: their number then is in one byte.
	packedGroups = 63
)

// add adds a level n times.
func (l *levels) add(level byte, n int) {
	if level != l.level {
		l.endRun()
		l.level = level
	}
	l.run += n
}

// endRun writes the current run: by itself if it is long, and as single levels if it is not.
func (l *levels) endRun() {
	n := l.run
	for l.run = 0; n > 0; n-- {
		if l.filled == 0 && n >= groupLevels {
			l.out = append(binary.AppendUvarint(l.out, uint64(n)<<1), l.level)
			l.groups = 0
			return
		}
		l.eight |= uint64(l.level) << (l.filled * l.width)
		if l.filled++; l.filled == groupLevels {
			l.endGroup()
		}
	}
}

// endGroup writes a group of eight levels to a bit-packed run.
func (l *levels) endGroup() {
	if l.groups == 0 || l.groups == packedGroups {
		l.header, l.groups = len(l.out), 0
		l.out = append(l.out, 0)
	}
	l.groups++
	l.out[l.header] = byte(l.groups<<1 | 1)
	for range l.width { // eight levels have as many bytes as one has bits
		l.out = append(l.out, byte(l.eight))
		l.eight >>= 8
	}
	l.eight, l.filled = 0, 0
}

// end returns the encoded levels of the page. They are valid until reset.
func (l *levels) end() []byte {
	l.endRun()
	if l.filled > 0 {
		l.endGroup() // readers know how many levels there are
	}
	return l.out
}

// reset begins another page.
func (l *levels) reset() { *l = levels{width: l.width, out: l.out[:0]} }
