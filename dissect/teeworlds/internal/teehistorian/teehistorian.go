// Package teehistorian reads the files in which DDNet servers record a game: every position and every input of every
// player, what clients sent, and who ran which command.
//
// A Recording cuts a file into records: the header, then one for each tick that is in the file. A Reader decodes
// them.
//
// The facts come from DDNet's src/game/server/teehistorian.cpp and src/engine/shared/teehistorian_ex_chunks.h, versions
// 16 and 20; the fields name file and function.
package teehistorian

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// magic is the beginning of every file: teehistorian@ddnet.tw.
var magic = tables.UUIDOf("teehistorian@ddnet.tw")

// A chunkType is the first number of a chunk. One that is not negative is the client of a PLAYER_DIFF.
//
// CTeeHistorian, src/game/server/teehistorian.cpp.
type chunkType int32

// The types of chunks.
const (
	chunkFinish         chunkType = -1
	chunkTickSkip       chunkType = -2
	chunkPlayerNew      chunkType = -3
	chunkPlayerOld      chunkType = -4
	chunkInputDiff      chunkType = -5
	chunkInputNew       chunkType = -6
	chunkMessage        chunkType = -7
	chunkJoin           chunkType = -8
	chunkDrop           chunkType = -9
	chunkConsoleCommand chunkType = -10
	chunkEx             chunkType = -11
)

// InputInts is the number of ints in CNetObj_PlayerInput.
const InputInts = 10

// Recognised reports whether a file is a teehistorian file, by its first bytes.
func Recognised(head []byte) bool { return bytes.HasPrefix(head, magic[:]) }

// A Hint is what the Recording knows about a record: its part of the file in the lowest byte, flags, and the tick in
// the upper half.
type Hint uint64

// The parts of a file.
const (
	partHeader   Hint = 1 + iota
	partTick          // the chunks of a tick
	partTrailing      // bytes after the end mark
	partMask     Hint = 0xff
)

const (
	hintContinued Hint = 1 << 8  // an earlier record has the tick's first chunks
	hintShort     Hint = 1 << 9  // the file ends inside the record
	hintLeap      Hint = 1 << 10 // the tick leaps
	hintUntimed   Hint = 1 << 11 // an earlier one leapt, and the tick counts from it
	hintMark      Hint = 1 << 31 // every record has it: a demo's has not
)

// ChunksHint is the Hint of chunks without their file.
const ChunksHint = uint64(hintMark | partTick)

// Recorded reports whether a record is of a teehistorian file, by its Hint.
func Recorded(hint uint64) bool { return Hint(hint)&hintMark != 0 }

// Tick returns the tick of a record, by its Hint.
func Tick(hint uint64) int32 { return Hint(hint).tick() }

// Moment returns the tick of a record, by its Hint; false: it is of none, or it is not known.
func Moment(hint uint64) (tick int32, ok bool) {
	return Tick(hint), Hint(hint).part() == partTick && Hint(hint)&hintUntimed == 0
}

func (h Hint) part() Hint  { return h & partMask }
func (h Hint) tick() int32 { return int32(h >> 32) }
