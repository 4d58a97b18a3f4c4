package ghost

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/internal/leap"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/events"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// tickMsec is how long a tick takes: SERVER_TICK_SPEED in src/engine/shared/protocol.h is 50.
const tickMsec = 20

// A Reader decodes the records of one file, in order.
type Reader struct {
	inputs bool           // Record.Inputs is filled
	Run    events.Ghost   // what events need of the last record
	last   []int32        // of the item before
	known  bool           // last is the item before, of the same type
	at     []message.Span // of the ints of the present item
	start  int32          // tick
	timed  bool           // start is known
	count  int32          // characters so far
	shot   int32          // attack_tick of the character before
	t      *dissect.Tree
}

// NewReader returns a reader for a file. inputs means that Record.Inputs is filled.
func NewReader(inputs bool) *Reader {
	Complete()
	return &Reader{inputs: inputs}
}

// Clone returns an independent copy with its approximate size in bytes.
func (r *Reader) Clone() (clone *Reader, size int) {
	c := *r
	c.last, c.at, c.t = slices.Clone(r.last), nil, nil
	c.Run.Owner, c.Run.Map = nil, nil
	return &c, 4*len(c.last) + readerSize
}

// readerSize is about how many bytes a Reader takes without its lists.
const readerSize = 256

// Dissect decodes a record into the protocol's object, which is open in t.
func (r *Reader) Dissect(rec *dissect.Record, t *dissect.Tree) {
	h := Hint(rec.Hint)
	r.t = t
	r.Run.Header, r.Run.Start, r.Run.Finish = false, false, false
	t.Open(&Field, 0)
	t.Add(&offsetField, h.offset(), 0, 0)
	switch {
	case h&hintHeader != 0:
		r.header(rec)
	case h&hintDamaged != 0:
		r.damaged(rec)
	default:
		r.item(rec, h)
	}
	rec.MessageDone = !rec.Damaged
	r.t = nil
}

// header reads the header.
func (r *Reader) header(rec *dissect.Record) {
	t, b := r.t, rec.Payload
	text := func(f *dissect.Field, at, size int) []byte {
		s, _, _ := bytes.Cut(b[at:at+size], []byte{0})
		t.AddBytes(f, s, at<<3, size<<3)
		return s
	}
	t.Open(&headerField, 0)
	t.Add(&versionField, uint64(b[versionAt]), versionAt<<3, 8)
	if t.Framed() {
		t.AddBytes(&magicField, b[:versionAt], 0, versionAt<<3)
	}
	r.Run = events.Ghost{Header: true}
	size := headerSize
	if b[versionAt] >= shaVersion {
		size += shaSize
	}
	if len(b) < size {
		at := versionAt + 1
		t.AddBytes(&dissect.Undecoded, b[at:], at<<3, (len(b)-at)<<3)
		rec.Expert(dissect.Fault, message.ExpertTruncated, nil, len(b)<<3, "the file ends inside its header")
		return
	}
	r.Run.Owner = bytes.Clone(text(&ownerField, ownerAt, ownerSize))
	r.Run.Map = text(&mapField, mapAt, mapSize)
	if b[versionAt] < shaVersion {
		t.AddBytes(&crcField, b[crcAt:ticksAt], crcAt<<3, 32)
	} else {
		t.AddBytes(&zeroField, b[crcAt:ticksAt], crcAt<<3, 32)
	}
	t.Add(&ticksField, uint64(binary.BigEndian.Uint32(b[ticksAt:])), ticksAt<<3, 32)
	r.Run.Time = int64(binary.BigEndian.Uint32(b[timeAt:]))
	t.Add(&timeField, uint64(r.Run.Time), timeAt<<3, 32)
	if size > headerSize {
		t.AddBytes(&shaField, b[headerSize:size], headerSize<<3, shaSize<<3)
	}
	t.Close(size << 3)
}

// damaged shows a chunk that cannot be read.
func (r *Reader) damaged(rec *dissect.Record) {
	b := rec.Payload
	r.known = false
	if len(b) < chunkHead {
		r.t.AddBytes(&dissect.Undecoded, b, 0, len(b)<<3)
		rec.Expert(dissect.Fault, message.ExpertTruncated, nil, len(b)<<3, "the file ends inside the head of a chunk")
		return
	}
	size := r.head(b)
	data := b[chunkHead:]
	if len(data) > 0 {
		r.t.AddBytes(&dissect.Undecoded, data, chunkHead<<3, len(data)<<3)
	}
	fault := func(code string, bit int, format string, args ...any) {
		rec.Expert(dissect.Fault, code, nil, chunkHead<<3+bit, format, args...)
	}
	if len(data) < size {
		fault(message.ExpertTruncated, len(data)<<3, "the file has %d of the chunk's %d bytes", len(data), size)
		return
	}
	unpacked, bits, err := huffcodec.DecodeTeeworlds(nil, data, maxUnpacked)
	ints, whole := countInts(unpacked)
	var at *huffcodec.Error
	switch {
	case errors.As(err, &at):
		fault(message.FaultCode(err), at.Bit, "the chunk cannot be decompressed: %v", err)
	case err != nil:
		fault(message.FaultCode(err), bits, "the chunk cannot be decompressed: %v", err)
	case !whole:
		fault(message.ExpertTruncated, bits, "the last of %d numbers breaks off", ints)
	default:
		fault(message.ExpertMalformed, 0, "%d numbers are not %d items", ints, b[1])
	}
}

// head adds the head of a chunk.
func (r *Reader) head(b []byte) (size int) {
	size = int(binary.BigEndian.Uint16(b[2:]))
	r.t.Add(&typeField, uint64(b[0]), 0, 8)
	r.t.Add(&countField, uint64(b[1]), 8, 8)
	r.t.Add(&sizeField, uint64(size), 16, 16)
	return size
}

// item reads an item.
func (r *Reader) item(rec *dissect.Record, h Hint) {
	t, from := r.t, 0
	t.Add(&itemField, uint64(h.item()), 0, 0)
	if h.item() == 0 {
		r.head(rec.Payload)
		from = chunkHead
	} else {
		t.Add(&typeField, uint64(h.kind()), 0, 0)
	}
	difference := h.item() > 0 || h&hintCarried != 0
	if difference && !r.known {
		t.AddBytes(&dissect.Undecoded, rec.Payload[from:], from<<3, (len(rec.Payload)-from)<<3)
		rec.Expert(dissect.Warning, message.ExpertBaseMissing, nil, from<<3,
			"the item is a difference to one that could not be read")
		return
	}
	r.read(rec.Payload[from:], from<<3, difference)
	switch kind := h.kind(); {
	case kind == typeSkin && len(r.last) >= skinInts:
		r.skin()
	case kind.character() && len(r.last) >= charTick:
		r.character(rec, kind == typeCharacter && len(r.last) > charTick, h&hintDoubt == 0)
	case kind == typeStartTick:
		t.Open(&startField, from<<3)
		r.numbers([]*dissect.Field{&startTickField}, 0)
		r.closeAfter(1)
		if h&hintDoubt == 0 {
			r.begin(r.last[0])
		}
	default:
		t.Open(&unknownField, from<<3)
		r.list(&intsField, 0)
		t.Close(len(rec.Payload) << 3)
	}
	if h&hintDoubt != 0 {
		rec.Expert(dissect.Warning, leap.ExpertTimeUnknown, nil, from<<3,
			"the item's tick cannot be: it leaps from those around it")
	}
	if h&hintLast != 0 {
		r.Run.Finish = true
		r.Run.ServerTime, r.Run.Timed = int64(r.start)*tickMsec+r.Run.Time, r.timed
	}
}

// read reads the ints of an item into last.
func (r *Reader) read(b []byte, bit int, difference bool) {
	var u message.Unpacker
	u.Reset(b, bit)
	r.at = r.at[:0]
	for i := 0; u.Left() > 0; i++ {
		at := u.Bit()
		n := u.Int()
		if i == len(r.last) {
			r.last = append(r.last, 0)
		}
		if difference {
			n += r.last[i]
		}
		r.last[i] = n
		r.at = append(r.at, message.Span{Bit: at, Bits: u.Bit() - at})
	}
	r.last = r.last[:len(r.at)]
	r.known = true
}

// span is where some ints are in the payload.
func (r *Reader) span(from, to int) message.Span {
	last := r.at[to-1]
	return message.Span{Bit: r.at[from].Bit, Bits: last.Bit + last.Bits - r.at[from].Bit}
}

// numbers adds ints of the object that is open, from first on, to its fields.
func (r *Reader) numbers(fields []*dissect.Field, first int) {
	for i, f := range fields {
		if n := first + i; n < len(r.last) {
			r.t.AddInt(f, int64(r.last[n]), r.at[n].Bit, r.at[n].Bits)
		}
	}
}

// closeAfter adds the ints from one on as extra_ints, and closes the object that is open.
func (r *Reader) closeAfter(known int) {
	if known < len(r.last) {
		r.list(&tables.ExtraIntsField, known)
	}
	all := r.span(0, len(r.last))
	r.t.Close(all.Bit + all.Bits)
}

// list adds the ints from one on.
func (r *Reader) list(f *dissect.Field, first int) {
	all := r.span(first, len(r.last))
	r.t.Open(f, all.Bit)
	for i := first; i < len(r.last); i++ {
		r.t.AddInt(f.Children[0], int64(r.last[i]), r.at[i].Bit, r.at[i].Bits)
	}
	r.t.Close(all.Bit + all.Bits)
}

// skin adds a skin.
func (r *Reader) skin() {
	var name [4 * skinInts]byte
	at := r.span(0, skinInts)
	r.t.Open(&skinField, at.Bit)
	r.t.AddBytes(&skinNameField, message.AppendText(name[:0], r.last[:skinInts]), at.Bit, at.Bits)
	colours := []*dissect.Field{&customField, &bodyField, &feetField}
	r.numbers(colours, skinInts)
	r.closeAfter(skinInts + len(colours))
}

// begin takes the tick of the start.
func (r *Reader) begin(tick int32) {
	r.start, r.timed = tick, true
}

// character adds a character. ticked means that it has a tick, timed that its time is known.
func (r *Reader) character(rec *dissect.Record, ticked, timed bool) {
	first := r.count == 0
	r.count++
	known := charTick
	raceTime := int64(r.count-1) * tickMsec
	if ticked {
		known++
		if !r.timed && timed { // an older file: the first tick is the start, as for CGhost::Load in components/ghost.cpp
			r.begin(r.last[charTick])
		}
		raceTime = (int64(r.last[charTick]) - int64(r.start)) * tickMsec
	}
	if timed = timed && (r.timed || !ticked); timed {
		r.t.AddInt(&raceTimeField, raceTime, 0, 0)
	}
	r.t.Open(&characterField, r.span(0, known).Bit)
	r.numbers(characterField.Children[:known], 0)
	r.closeAfter(known)
	if first {
		r.Run.Start = true
		r.Run.ServerTime, r.Run.Timed = int64(r.start)*tickMsec, r.timed
	}
	if r.inputs && timed {
		r.addInput(rec, int64(r.start)*tickMsec+raceTime, first)
	}
	r.shot = r.last[charAttackTick]
}

// addInput adds where the player is and looks to. The angle is in 256ths of a radian, speeds in 256ths of a unit a
// tick: CCharacterCore::Write in src/game/gamecore.cpp.
func (r *Reader) addInput(rec *dissect.Record, at int64, first bool) {
	const parts256 = 256
	c := r.last
	in := extract.Input{
		Kind: extract.InputView, Player: -1, Time: at,
		Yaw: float32(float64(c[charAngle]) / parts256 * 180 / math.Pi), HasView: true,
		Place: [3]float32{float32(c[charX]), float32(c[charY])}, HasPlace: true,
		Speed:    float32(math.Abs(float64(c[charVelX])) / parts256 * 1000 / tickMsec),
		HasSpeed: true,
	}
	if !first && c[charAttackTick] != r.shot {
		in.Shots = 1
	}
	rec.Inputs = append(rec.Inputs, in)
}
