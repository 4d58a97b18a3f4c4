package ghost

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// A Recording reads a file. It implements dissect.Recording.
type Recording struct {
	in       *bufio.Reader
	recorder string
	version  byte
	offset   int64  // of the next byte of the file
	index    uint64 // records so far

	chunk    chunk
	tick     int32  // of the last item
	ticked   bool   // it has one, and it is known
	announce uint32 // characters that the header announces
	seen     uint32 // characters so far

	buf    []byte // what the packet has
	packet dissect.Packet
	ended  error // after the last record
}

// A chunk is the chunk whose items are being returned.
type chunk struct {
	head     [chunkHead]byte
	from     int64 // its place in the file
	kind     itemType
	known    bool // there was a chunk
	items    int
	next     int // item that is returned next; items: none is left
	perItem  int // ints
	unpacked []byte
	at       int // in unpacked: of the next item
	carried  bool
}

// NewRecording returns a reader of a file whose beginning was Recognised. recorder is the name of the protocol.
func NewRecording(in io.Reader, recorder string) *Recording {
	return &Recording{in: bufio.NewReader(in), recorder: recorder}
}

// Next returns the header, then one item after the other. The first item of a chunk follows the chunk's head. A chunk
// that cannot be unpacked is returned as it is in the file.
func (r *Recording) Next() (*dissect.Packet, error) {
	switch {
	case r.ended != nil:
		return nil, r.ended
	case r.index == 0:
		return r.header()
	case r.chunk.next < r.chunk.items:
		return r.item(), nil
	}
	r.buf = r.buf[:0]
	c := &r.chunk
	c.from = r.offset
	if n, err := r.read(chunkHead); err != nil {
		if n > 0 {
			return r.cut("it ends inside the head of a chunk", err)
		}
		r.ended = r.end(err)
		return nil, r.ended
	}
	c.head = [chunkHead]byte(r.buf)
	size := int(binary.BigEndian.Uint16(c.head[2:]))
	if _, err := r.read(size); err != nil {
		return r.cut("it ends inside a chunk", err)
	}
	if !c.unpack(r.buf[chunkHead:], r.version) {
		r.ticked = false
		return r.give(Hint(c.head[0]) | hintDamaged), nil
	}
	return r.item(), nil
}

// read appends n bytes of the file to buf.
func (r *Recording) read(n int) (got int, err error) {
	at := len(r.buf)
	r.buf = append(r.buf, make([]byte, n)...)
	got, err = io.ReadFull(r.in, r.buf[at:])
	r.buf = r.buf[:at+got]
	r.offset += int64(got)
	return got, err
}

// header reads the header.
func (r *Recording) header() (*dissect.Packet, error) {
	_, err := r.read(headerSize)
	if err == nil {
		r.version = r.buf[versionAt]
		r.announce = binary.BigEndian.Uint32(r.buf[ticksAt:])
		if r.version >= shaVersion {
			_, err = r.read(shaSize)
		}
	}
	if err != nil {
		r.ended = r.broken("it ends inside the header", err)
	}
	return r.give(hintHeader), nil
}

// cut returns what there is of a chunk that the file ends in, and keeps the error for the next call.
func (r *Recording) cut(why string, err error) (*dissect.Packet, error) {
	r.ended = r.broken(why, err)
	return r.give(Hint(r.buf[0]) | hintDamaged), nil
}

// end returns the error for a file that has no more chunks: io.EOF if it has what its header announces.
func (r *Recording) end(err error) error {
	switch {
	case !errors.Is(err, io.EOF):
		return r.broken("it cannot be read", err)
	case r.announce == 0:
		return r.broken("its recorder did not finish it", err)
	case r.seen < r.announce:
		return r.broken(fmt.Sprintf("it ends after %d of %d characters", r.seen, r.announce), err)
	}
	return io.EOF
}

// unpack unpacks the data of the chunk, and reports whether it is as many items as the head announces.
func (c *chunk) unpack(data []byte, version byte) bool {
	kind := itemType(c.head[0])
	c.carried = version < firstVersion+1 && c.known && kind == c.kind
	c.kind, c.known = kind, true
	c.items, c.next, c.at = int(c.head[1]), 0, 0
	var err error
	c.unpacked, _, err = huffcodec.DecodeTeeworlds(c.unpacked[:0], data, maxUnpacked)
	ints, whole := countInts(c.unpacked)
	if err != nil || !whole || c.items == 0 || c.items > maxItems || ints == 0 || ints%c.items != 0 {
		c.items = 0
		return false
	}
	c.perItem = ints / c.items
	return true
}

// countInts returns how many ints some bytes are. whole is false if the last one breaks off.
func countInts(b []byte) (ints int, whole bool) {
	var u message.Unpacker
	for u.Reset(b, 0); u.Left() > 0; ints++ {
		if u.Int(); u.Failed() {
			return ints, false
		}
	}
	return ints, true
}

// item returns the next item of the chunk.
func (r *Recording) item() *dissect.Packet {
	c := &r.chunk
	var u message.Unpacker
	u.Reset(c.unpacked[c.at:], 0)
	place := c.kind.tickAt()
	difference := c.next > 0 || c.carried
	r.ticked = place >= 0 && place < c.perItem && (r.ticked || !difference)
	for i := range c.perItem {
		if n := u.Int(); i == place && difference {
			r.tick += n
		} else if i == place {
			r.tick = n
		}
	}
	h := Hint(c.kind) | Hint(c.next)<<8
	r.buf = r.buf[:0]
	if c.next == 0 {
		r.buf = append(r.buf, c.head[:]...)
		if c.carried {
			h |= hintCarried
		}
	}
	r.buf = append(r.buf, c.unpacked[c.at:c.at+u.Pos()]...)
	c.at += u.Pos()
	c.next++
	if c.kind.character() {
		r.seen++
	}
	if c.next == c.items && r.seen >= r.announce && r.announce > 0 {
		if _, err := r.in.Peek(1); errors.Is(err, io.EOF) {
			h |= hintLast
		}
	}
	return r.give(h)
}

// give makes a packet of buf.
func (r *Recording) give(h Hint) *dissect.Packet {
	r.index++
	h |= hintMark | Hint(uint32(r.chunk.from))<<32
	r.packet = dissect.Packet{
		Frame: r.index, UDP: true, Payload: r.buf, Length: len(r.buf), RecorderHint: uint64(h), Recorder: r.recorder,
	}
	return &r.packet
}

// Moment returns the time of the last item.
func (r *Recording) Moment() (at int64, set, known bool) {
	return int64(r.tick) * tickMsec, true, r.ticked
}

// Doubt marks an item whose tick leaps.
func (r *Recording) Doubt(p *dissect.Packet, _ int64) { p.RecorderHint |= uint64(hintDoubt) }

// broken returns the error of a file that ends too early.
func (r *Recording) broken(why string, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return &dissect.FileError{Code: dissect.TruncatedFile, Offset: r.offset, Message: why, Err: err}
}
