package teehistorian

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/leap"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

const (
	readSize = 64 << 10 // bytes that are read at once

	// maxChunk is the longest chunk that is read, in bytes. The server builds chunks in a buffer of 64 KiB
	// (CTeehistorianPacker, src/game/server/teehistorian.cpp); only what an extra holds may be longer.
	maxChunk = 1 << 20

	maxHeader = 1 << 20 // bytes of the longest header that is read: real ones have 3 to 5 KB

	// maxRecord is the number of bytes after which a tick continues in another record. A tick of a full server has
	// about 2 KB; that of a save, 500 bytes a player more.
	maxRecord = 64 << 10
)

// A Recording reads a file. It implements dissect.Recording.
type Recording struct {
	in       io.Reader
	recorder string
	buf      []byte // bytes of the file
	start    int    // in buf: of the record that is being collected
	pos      int    // in buf: of the next chunk
	offset   int64  // of buf[0] in the file
	index    uint64 // records so far

	tick       int32
	untimed    bool  // a tick before leapt, and those that follow count from it
	leaps      bool  // the present one does
	lastPlayer int64 // client of the tick's last player chunk; -1: none
	continued  bool  // a part of the tick was returned
	finished   bool  // the end mark was read

	packet dissect.Packet
	ended  error // after the last record
}

// NewRecording returns a reader of a file whose beginning was Recognised. recorder is the name of the protocol.
func NewRecording(in io.Reader, recorder string) *Recording {
	// The writer begins as if a client of the highest number had been in tick 0: a player chunk that nothing precedes
	// is in tick 1.
	return &Recording{in: in, recorder: recorder, lastPlayer: math.MaxInt64}
}

// Next returns the header, then one tick after the other, as they are in the file.
func (r *Recording) Next() (*dissect.Packet, error) {
	if r.ended != nil {
		return nil, r.ended
	}
	r.packet.Payload = nil
	if r.index == 0 {
		return r.header()
	}
	for !r.finished {
		s, whole, fault := scan(r.buf[r.pos:])
		switch {
		case fault != "":
			return r.end(dissect.MalformedFile, fault, nil)
		case whole:
			if r.begins(&s) && r.pos > r.start {
				return r.give(partTick), nil // the chunk is looked at again by the next call
			}
			r.take(&s)
			if r.pos-r.start >= maxRecord {
				p := r.give(partTick)
				r.continued = true
				return p, nil
			}
		case len(r.buf)-r.pos > maxChunk:
			return r.end(dissect.MalformedFile, fmt.Sprintf("a chunk of more than %d bytes", maxChunk), nil)
		default:
			if err := r.fill(); err != nil {
				return r.endEarly(err)
			}
		}
	}
	if r.pos > r.start {
		return r.give(partTick), nil
	}
	return r.trailing()
}

// header reads the header, up to its NUL.
func (r *Recording) header() (*dissect.Packet, error) {
	for from := tables.UUIDBytes; ; {
		if n := bytes.IndexByte(r.buf[min(from, len(r.buf)):], 0); n >= 0 {
			r.pos = from + n + 1
			return r.give(partHeader), nil
		}
		from = max(from, len(r.buf))
		if from > maxHeader {
			r.ended = r.fault(dissect.MalformedFile, 0,
				fmt.Sprintf("the header has no end in its first %d bytes", maxHeader), nil)
			return nil, r.ended
		}
		if err := r.fill(); err != nil {
			r.ended = r.broken("it ends inside the header", 0, err)
			r.pos = len(r.buf)
			p := r.give(partHeader)
			p.RecorderHint |= uint64(hintShort)
			return p, nil
		}
	}
}

// A step is what the boundaries of chunks and ticks depend on.
type step struct {
	size   int // bytes
	kind   chunkType
	client int64 // of a player chunk; -1: it is none
	skip   int32 // of a TICK_SKIP
	still  bool  // a step to the same place, which no server writes: a hole of zeros
}

// scan finds the end of the chunk at the beginning of b. whole is false if b ends before; fault is the reason why there
// is no chunk.
func scan(b []byte) (s step, whole bool, fault string) {
	if s, whole = scanMove(b); whole {
		return s, true, ""
	}
	var u message.Unpacker
	u.Reset(b, 0)
	s.client = -1
	s.kind = chunkType(u.Int())
	skip := func(ints int) {
		for range ints {
			u.Int()
		}
	}
	content := func() {
		size := u.Int()
		if size < 0 || size > maxChunk {
			fault = fmt.Sprintf("a chunk of %d bytes", size)
			return
		}
		u.Raw(int(size))
	}
	switch kind := s.kind; {
	case kind >= 0:
		s.client, s.kind = int64(kind), 0
		dx, dy := u.Int(), u.Int()
		s.still = dx|dy == 0 && !u.Failed()
	case kind == chunkFinish:
	case kind == chunkTickSkip:
		s.skip = u.Int()
	case kind == chunkPlayerNew:
		s.client = int64(u.Int())
		skip(2)
	case kind == chunkPlayerOld:
		s.client = int64(u.Int())
	case kind == chunkInputDiff, kind == chunkInputNew:
		skip(1 + InputInts)
	case kind == chunkMessage:
		skip(1)
		content()
	case kind == chunkJoin:
		skip(1)
	case kind == chunkDrop:
		skip(1)
		u.String()
	case kind == chunkConsoleCommand:
		skip(2)
		u.String()
		count := u.Int()
		if count < 0 {
			fault = fmt.Sprintf("a command with %d arguments", count)
		}
		for i := int32(0); i < count && !u.Failed(); i++ {
			u.String()
		}
	case kind == chunkEx:
		u.Raw(tables.UUIDBytes)
		content()
	default:
		fault = fmt.Sprintf("a chunk of the unknown type %d", int32(kind))
	}
	s.size = u.Pos()
	return s, !u.Failed(), fault
}

// scanMove is scan of a chunk about a player's step whose three numbers take a byte each, which most chunks are.
func scanMove(b []byte) (s step, ok bool) {
	const negative, more = 0x40, 0x80 // of an int's first byte
	if len(b) < 3 || b[0]&(negative|more) != 0 || (b[1]|b[2])&more != 0 {
		return step{}, false
	}
	return step{size: 3, client: int64(b[0]), still: b[1]|b[2] == 0}, true
}

// begins reports whether a chunk is the first of another tick.
//
// EnsureTickWrittenPlayerData and WriteTick, src/game/server/teehistorian.cpp.
func (r *Recording) begins(s *step) bool {
	return s.kind == chunkTickSkip || s.client >= 0 && s.client <= r.lastPlayer
}

// take adds a chunk to the record.
func (r *Recording) take(s *step) {
	switch {
	case s.kind == chunkTickSkip:
		if s.skip < 0 || int64(s.skip) > leap.Silent/tickMsec || int64(r.tick)+int64(s.skip) >= math.MaxInt32 {
			r.untimed, r.leaps = true, true
		}
		r.tick += s.skip + 1
		r.lastPlayer = -1
	case s.client >= 0:
		if s.client <= r.lastPlayer {
			r.tick++
		}
		if s.still && !r.untimed {
			r.untimed, r.leaps = true, true
		}
		r.lastPlayer = s.client
	case s.kind == chunkFinish:
		r.finished = true
	}
	r.pos += s.size
}

// fill reads more of the file. Bytes of earlier records are dropped.
func (r *Recording) fill() error {
	if r.start > 0 {
		r.offset += int64(r.start)
		n := copy(r.buf, r.buf[r.start:])
		r.buf, r.pos, r.start = r.buf[:n], r.pos-r.start, 0
	}
	if cap(r.buf)-len(r.buf) < readSize {
		r.buf = append(make([]byte, 0, 2*cap(r.buf)+2*readSize), r.buf...)
	}
	for {
		n, err := r.in.Read(r.buf[len(r.buf) : len(r.buf)+readSize])
		r.buf = r.buf[:len(r.buf)+n]
		if n > 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// give makes a packet of the bytes from start up to pos.
func (r *Recording) give(part Hint) *dissect.Packet {
	r.index++
	h := hintMark | part | Hint(uint32(r.tick))<<32
	if r.continued {
		h |= hintContinued
	}
	if r.untimed {
		h |= hintUntimed
	}
	if r.leaps {
		h |= hintLeap
	}
	r.continued, r.leaps = false, false
	b := r.buf[r.start:r.pos:r.pos]
	r.start = r.pos
	r.packet = dissect.Packet{
		Frame: r.index, UDP: true, Payload: b, Length: len(b), RecorderHint: uint64(h), Recorder: r.recorder,
	}
	return &r.packet
}

// trailing returns the bytes after the end mark, in pieces.
func (r *Recording) trailing() (*dissect.Packet, error) {
	if r.pos == len(r.buf) {
		if err := r.fill(); err == io.EOF {
			r.ended = io.EOF
			return nil, io.EOF
		} else if err != nil {
			r.ended = r.broken("it cannot be read after its end mark", r.offset+int64(r.pos), err)
			return nil, r.ended
		}
	}
	r.pos = min(len(r.buf), r.pos+maxRecord)
	return r.give(partTrailing), nil
}

// end returns the record with the chunks before a fault, if there are any, and keeps the fault for the next call.
func (r *Recording) end(code, why string, err error) (*dissect.Packet, error) {
	r.ended = r.fault(code, r.offset+int64(r.pos), why, err)
	if r.pos > r.start {
		return r.give(partTick), nil
	}
	return nil, r.ended
}

// endEarly is end for a file without an end mark. The record also has the beginning of a chunk that is cut off.
func (r *Recording) endEarly(err error) (*dissect.Packet, error) {
	at := r.offset + int64(r.pos)
	if r.pos == len(r.buf) {
		r.ended = r.broken("it has no end mark: its server is still running, or was killed", at, err)
	} else {
		r.ended = r.broken("it ends inside a chunk", at, err)
	}
	short := r.pos < len(r.buf)
	r.pos = len(r.buf)
	if r.pos == r.start {
		return nil, r.ended
	}
	p := r.give(partTick)
	if short {
		p.RecorderHint |= uint64(hintShort)
	}
	return p, nil
}

// broken returns the error of a file that ends too early.
func (r *Recording) broken(why string, at int64, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	} else if err != nil {
		why = "it cannot be read on: " + err.Error()
	}
	return r.fault(dissect.TruncatedFile, at, why, err)
}

func (r *Recording) fault(code string, at int64, why string, err error) error {
	return &dissect.FileError{Code: code, Offset: at, Message: why, Err: err}
}
