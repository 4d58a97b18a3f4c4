package teeworlds

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/internal/leap"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/demos"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/ghost"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/teehistorian"
)

// A demo file: a header, the map, then chunks to the end of the file. CDemoRecorder and CDemoPlayer in
// src/engine/shared/demo.cpp of each game.
const (
	demoVersionByte = 7
	demoFirst       = 3 // Teeworlds 0.6.0
	demoMarkers     = 4 // with timeline markers
	demoShortTicks  = 5 // with a bit for ticks in short form
	demoLast        = 6 // DDNet, with the map's SHA-256
	demoMapSizeAt   = 136
	demoHead3       = 176
	demoHead4       = 436
	demoHead6       = demos.HeaderSize
)

// A demoChunk is the type of a chunk of a demo.
type demoChunk uint8

// The types of chunks. The header is not a chunk, but is delivered like one.
const (
	demoHeaderChunk demoChunk = iota
	demoSnapshot
	demoMessage
	demoDelta
)

// A demoHint is what the demo reader knows about a chunk: the dialect in the lowest byte, the
// version of the file, the type of the chunk, flags, and the tick in the upper half.
type demoHint uint64

const (
	hintKeyframe = 1 << 24
	hintTick     = 1 << 25 // a tick is known
	hintDoubt    = 1 << 26 // that of the file leaps; the hint has one near it
	hintHole     = 1 << 27 // the bytes are no chunk
	hintOdd      = 1 << 28 // players do not read the markers before the chunk as they are meant
)

func (h demoHint) dialect() tables.Dialect { return tables.Dialect(h & 0xff) }
func (h demoHint) version() int            { return int(h >> 8 & 0xff) }
func (h demoHint) chunk() demoChunk        { return demoChunk(h >> 16 & 0xff) }
func (h demoHint) tick() int32             { return int32(h >> 32) }

// openRecording recognises demos of Teeworlds and DDNet, teehistorian files of DDNet's servers and ghosts of its
// clients by their first bytes.
func openRecording(in io.Reader, head []byte, _ string, _ int) (dissect.Recording, bool) {
	if teehistorian.Recognised(head) {
		return teehistorian.NewRecording(in, protocolName), true
	}
	if ghost.Recognised(head) {
		return leap.NewAhead(ghost.NewRecording(in, protocolName)), true
	}
	if len(head) <= demoVersionByte || !bytes.HasPrefix(head, []byte(demos.Magic)) {
		return nil, false
	}
	version := int(head[demoVersionByte])
	if version < demoFirst || version > demoLast {
		return nil, false
	}
	return leap.NewAhead(&recording{in: bufio.NewReader(in), version: version}), true
}

// A recording reads the chunks of a demo.
type recording struct {
	in        *bufio.Reader
	version   int
	dialect   tables.Dialect
	tick      int64
	timed     bool // tick is set
	set       bool // by a full tick, since the last chunk
	keyframe  bool
	index     uint64
	offset    int64
	buf       []byte
	marks     []byte // markers since the last chunk, as they are in the file
	odd       bool   // one of them is not read by players as it is meant
	keySteps  int    // of them, keyframes with a step, which no recorder writes
	given     int64  // tick of the last chunk, and whether it is set
	givenTime bool
	inside    bool // a hole goes on
	work      int  // bytes that were checked
	packet    dissect.Packet
}

// Tail returns the markers after the last chunk.
func (r *recording) Tail() []byte { return r.marks }

// Next returns the header, then one chunk after the other, each as it is in the file.
func (r *recording) Next() (*dissect.Packet, error) {
	if r.index == 0 {
		return r.header()
	}
	r.buf = r.buf[:0]
	if r.set = false; r.inside {
		return r.hole()
	}
	for ; ; r.buf = r.buf[:0] {
		if err := r.read(1); err != nil {
			if errors.Is(err, io.EOF) {
				return nil, io.EOF
			}
			return nil, r.broken("it ends inside a chunk", err)
		}
		if r.buf[0]&demos.TickMarker == 0 {
			return r.chunk()
		}
		if err := r.marker(); err != nil {
			return nil, err
		}
		if r.marks = append(r.marks, r.buf...); len(r.marks) > mostMarks || r.keySteps > mostKeySteps {
			r.buf = r.buf[:0]
			return r.hole()
		}
	}
}

// read appends n bytes of the file. Since n comes from the file, memory is allocated only as bytes
// arrive.
func (r *recording) read(n int) error {
	body := bytes.NewBuffer(r.buf)
	got, err := io.CopyN(body, r.in, int64(n))
	r.buf = body.Bytes()
	r.offset += got
	return err
}

// header reads the header, and the map, which belongs to no message.
func (r *recording) header() (*dissect.Packet, error) {
	size := demoHead3
	switch {
	case r.version >= demoLast:
		size = demoHead6
	case r.version >= demoMarkers:
		size = demoHead4
	}
	if err := r.read(size); err != nil {
		return nil, r.broken("it ends inside the header", err)
	}
	r.dialect = tables.V06
	switch {
	case bytes.HasPrefix(r.buf[8:], []byte("0.7")):
		r.dialect = tables.V07
	case r.version >= demoShortTicks:
		r.dialect = tables.DDNet
	}
	mapSize := int64(binary.BigEndian.Uint32(r.buf[demoMapSizeAt:]))
	if r.version >= demoLast && tables.UUID(r.buf[demoHead4:demoHead4+tables.UUIDBytes]) != demos.SHA256Mark {
		// There is no SHA-256: the bytes read belong to the map. CDemoPlayer::GetDemoInfo of DDNet.
		r.in = bufio.NewReader(io.MultiReader(bytes.NewReader(bytes.Clone(r.buf[demoHead4:])), r.in))
		r.buf = r.buf[:demoHead4]
		r.offset -= demoHead6 - demoHead4
	}
	carried, err := r.carriedMap(mapSize)
	if err != nil { // the header is valid all the same
		r.in = bufio.NewReader(failing{r.broken("it ends inside the map", err)})
	}
	p := r.give(demoHeaderChunk)
	p.Attached = carried
	return p, nil
}

// maxAttachedMap is the longest map that is handed on with the header, in bytes; longer ones are skipped.
const maxAttachedMap = 16 << 20

// carriedMap reads the map after the header. Its length is a claim: memory is taken as the bytes come.
func (r *recording) carriedMap(size int64) (*extract.File, error) {
	var body bytes.Buffer
	got, err := io.CopyN(&body, r.in, min(size, maxAttachedMap))
	if err == nil && size > maxAttachedMap {
		body = bytes.Buffer{}
		var rest int64
		rest, err = io.CopyN(io.Discard, r.in, size-maxAttachedMap)
		got += rest
	}
	r.offset += got
	if body.Len() == 0 {
		return nil, err
	}
	name, _, _ := bytes.Cut(r.buf[demoMapNameAt:demoMapSizeAt], []byte{0})
	head := extract.FileHead{
		Name: bytes.Clone(name), Extension: "map", Size: size, CRC32: binary.BigEndian.Uint32(r.buf[demoMapSizeAt+4:]),
		HasCRC32: true,
	}
	if len(r.buf) >= demoHead6 {
		head.SHA256 = bytes.Clone(r.buf[demoHead4+tables.UUIDBytes : demoHead6])
	}
	return &extract.File{Begin: true, File: &head, Data: body.Bytes()}, err
}

// failing is a reader that only returns an error.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// marker records a tick.
func (r *recording) marker() error {
	first := r.buf[0]
	r.keyframe = first&demos.Keyframe != 0
	step, absolute := demos.Split(first, r.version)
	if r.keyframe && !absolute {
		r.keySteps++
	}
	if absolute && !r.noStep(first) {
		if err := r.read(4); err != nil {
			return r.broken("it ends inside a tick", err)
		}
		r.tick, r.timed, r.set = int64(int32(binary.BigEndian.Uint32(r.buf[1:]))), true, true
		return nil
	}
	if r.odd = r.odd || step == 0 || !r.timed; r.timed {
		r.tick = int64(int32(r.tick) + step)
	} // clients that begin to record in mid-game write steps before the first full tick
	return nil
}

// noStep reports whether a marker that looks like one of a full tick is one of a step of 0.
// Versions 3 and 4 write both the same way, and a step of 0 occurs when a client receives a
// snapshot twice: what follows is then no later tick.
//
// CDemoRecorder::WriteTickMarker in src/engine/shared/demo.cpp. The players read it wrong.
func (r *recording) noStep(first byte) bool {
	if r.version >= demoShortTicks || first&demos.Keyframe != 0 || !r.timed {
		return false
	}
	const hour = 3600 * 50
	b, err := r.in.Peek(4)
	if err != nil {
		return true
	}
	step := int64(int32(binary.BigEndian.Uint32(b))) - r.tick
	return step <= 0 || step > hour
}

// chunk reads a chunk after its first byte.
func (r *recording) chunk() (*dissect.Packet, error) {
	kind, size := demoChunk(r.buf[0]>>5&3), int(r.buf[0]&0x1f)
	var err error
	switch size {
	case 30:
		err = r.read(1)
	case 31:
		err = r.read(2)
	}
	if err == nil {
		if _, size = demoSize(r.buf); r.lost(kind, size) {
			return r.hole()
		}
		err = r.read(size)
	}
	if err != nil {
		return nil, r.broken("it ends inside a chunk", err)
	}
	packet := r.give(kind)
	packet.After = r.lastMarks()
	r.keyframe = r.keyframe && kind == demoMessage
	return packet, nil
}

// lastMarks returns the rest of the file if there are only markers, and they are no hole.
func (r *recording) lastMarks() string {
	b, end := r.ahead(mostMarks)
	if !end || len(b) == 0 {
		return ""
	}
	keySteps := 0
	for i := 0; i < len(b); i++ {
		_, full := demos.Split(b[i], r.version)
		switch {
		case b[i]&demos.TickMarker == 0:
			return ""
		case full:
			i += markerBytes - 1
		case b[i]&demos.Keyframe != 0:
			if keySteps++; keySteps > mostKeySteps {
				return ""
			}
		}
	}
	return string(b)
}

// demoSize returns the lengths of a chunk's header and of what follows.
func demoSize(b []byte) (header, size int) {
	switch n := int(b[0] & 0x1f); {
	case n == 30 && len(b) >= 2:
		return 2, int(b[1])
	case n == 31 && len(b) >= 3:
		return 3, int(binary.LittleEndian.Uint16(b[1:]))
	default:
		return 1, n
	}
}

// give makes a packet of the bytes read.
func (r *recording) give(kind demoChunk) *dissect.Packet {
	r.index++
	h := demoHint(r.dialect) | demoHint(r.version)<<8 | demoHint(kind)<<16
	if r.keyframe {
		h |= hintKeyframe
	}
	if r.odd {
		h |= hintOdd
	}
	if r.timed {
		h |= hintTick | demoHint(uint32(r.tick))<<32
	}
	r.packet = dissect.Packet{
		Frame: r.index, UDP: true, Payload: r.buf, Length: len(r.buf), RecorderHint: uint64(h), Recorder: protocolName,
		Before: string(r.marks),
	}
	r.marks, r.odd, r.keySteps = r.marks[:0], false, 0
	r.given, r.givenTime = r.tick, r.timed
	return &r.packet
}

// Moment returns the time of the last chunk.
func (r *recording) Moment() (at int64, set, known bool) {
	return r.tick * 1000 / ticksPerSecond, r.set, r.timed
}

// Doubt marks a chunk whose tick leaps.
func (r *recording) Doubt(p *dissect.Packet, near int64) {
	h := demoHint(p.RecorderHint)
	h = h&^hintTick&(1<<32-1) | hintDoubt | demoHint(uint32(near*ticksPerSecond/1000))<<32
	p.RecorderHint = uint64(h)
}

// broken returns the error of a file that ends too early.
func (r *recording) broken(why string, err error) error {
	var already *dissect.FileError
	if errors.As(err, &already) {
		return already
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	} else if err != nil {
		why = "it cannot be read on: " + err.Error()
	}
	return &dissect.FileError{Code: "truncated_file", Offset: r.offset, Message: why, Err: err}
}

// unpackDemoMessage appends the bytes of a message to dst: a demo keeps them as ints, four bytes in each, the
// lowest first, with up to three bytes of padding.
func unpackDemoMessage(dst, data []byte) ([]byte, error) {
	var u message.Unpacker
	u.Reset(data, 0)
	for u.Left() > 0 && !u.Failed() {
		if n := u.Int(); !u.Failed() {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
		}
	}
	if u.Failed() {
		return dst, fmt.Errorf("%w: the last int breaks off", u.Err())
	}
	return dst, nil
}
