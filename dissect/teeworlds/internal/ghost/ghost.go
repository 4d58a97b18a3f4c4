// Package ghost reads the files in which DDNet's client keeps a player's run through a race: who ran, and where the
// character was.
//
// A Recording cuts a file into records: the header, then one for each item of its chunks. A Reader decodes them.
//
// The facts come from DDNet's src/engine/shared/ghost.cpp and src/game/client/components/ghost.h; the fields name file
// and function.
package ghost

import "bytes"

// magic is the beginning of every file. The version follows.
const magic = "TWGHOST\x00"

// Versions of the format: CGhostLoader::ReadHeader in src/engine/shared/ghost.cpp.
const (
	versionAt    = len(magic)
	firstVersion = 4 // later items of one type are differences, over the ends of chunks too
	shaVersion   = 6 // with the map's SHA-256
	lastVersion  = 6
)

// Positions in the header, and its sizes: CGhostHeader in src/engine/ghost.h.
const (
	ownerAt    = versionAt + 1
	ownerSize  = 16
	mapAt      = ownerAt + ownerSize
	mapSize    = 64
	crcAt      = mapAt + mapSize
	ticksAt    = crcAt + 4
	timeAt     = ticksAt + 4
	headerSize = timeAt + 4
	shaSize    = 32
)

// A chunk has a head of chunkHead bytes, type, number of items and two bytes of size, then packed data.
const (
	chunkHead = 4
	maxItems  = 50 // NUM_ITEMS_PER_CHUNK, src/engine/shared/ghost.h
	// maxUnpacked is the most bytes of a chunk once unpacked: 50 items of 128 bytes have 32 ints of up to 5 bytes.
	maxUnpacked = maxItems * 32 * 5
)

// An itemType is the type of the items of a chunk.
//
// GHOSTDATA_TYPE_*, src/game/client/components/ghost.h.
type itemType uint8

// The types.
const (
	typeSkin itemType = iota
	typeCharacterNoTick
	typeCharacter
	typeStartTick
)

// character reports whether items of the type are characters.
func (t itemType) character() bool { return t == typeCharacterNoTick || t == typeCharacter }

// tickAt returns which int of an item of the type is its tick, or -1.
func (t itemType) tickAt() int {
	switch t {
	case typeCharacter:
		return charTick
	case typeStartTick:
		return 0
	}
	return -1
}

// Recognised reports whether a file is a ghost of a version that is read, by its first bytes.
func Recognised(head []byte) bool {
	return len(head) > versionAt && bytes.HasPrefix(head, []byte(magic)) && head[versionAt] >= firstVersion &&
		head[versionAt] <= lastVersion
}

// A Hint is what the Recording knows about a record: the type of the item in the lowest byte, its number in the chunk
// in the next one, flags, and where in the file the chunk begins in the upper half.
type Hint uint64

const (
	hintHeader  Hint = 1 << 16 // the file's header
	hintDamaged Hint = 1 << 17 // a chunk that cannot be unpacked, or is cut off
	hintCarried Hint = 1 << 18 // the first item of a chunk is a difference too
	hintLast    Hint = 1 << 19 // the last record of a file that is whole
	hintDoubt   Hint = 1 << 20 // the tick of the item leaps
	hintMark    Hint = 1 << 30 // every record has it: a demo's has not
	hintForeign Hint = 1 << 31 // a teehistorian file's have it
)

// Recorded reports whether a record is of a ghost, by its Hint.
func Recorded(hint uint64) bool { return Hint(hint)&(hintMark|hintForeign) == hintMark }

// Doubted reports whether the tick of a ghost's record leaps, by its Hint.
func Doubted(hint uint64) bool { return Hint(hint)&hintDoubt != 0 }

func (h Hint) kind() itemType { return itemType(h) }
func (h Hint) item() int      { return int(h >> 8 & 0xff) }
func (h Hint) offset() uint64 { return uint64(h >> 32) }
