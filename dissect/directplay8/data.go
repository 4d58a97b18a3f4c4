package directplay8

import (
	"math/bits"

	"github.com/q3dissect/q3dissect/dissect"
)

// Fields of data frames.
var (
	dataField = dissect.Field{
		Key: "data", Kind: dissect.Object, Source: reliableSource, Doc: "data frame",
		Children: []*dissect.Field{
			&frameCommand, &frameControl, &frameSequence, &nextExpected,
			&maskFields[0], &maskFields[1], &maskFields[2], &maskFields[3], &frameSignature, &sessionID,
			&frameSignatureOK, &frameDuplicate, &frameReassembled, &framePayloadSize, &coreField, &coreJoined,
			&voiceField, &payloadField, &partsField, &dissect.Undecoded,
		},
		Frame: []*dissect.Field{&messagePart},
	}
	frameCommand = dissect.Field{
		Key: "command", Name: "bCommand", Kind: dissect.Uint, Bits: 8, Source: reliableSource, Doc: "kind of the frame",
		Enum: &dissect.Enum{Mask: true, Tables: [][]string{{
			"data", "reliable", "sequential", "poll", "new_msg",
			"end_msg", "user_1", "user_2",
		}}},
	}
	frameControl = dissect.Field{
		Key: "control", Name: "bControl", Kind: dissect.Uint, Bits: 8, Source: reliableSource, Doc: "what else the frame has",
		Enum: &dissect.Enum{Mask: true, Tables: [][]string{{
			"retry", "keep_alive_or_correlate", "coalesce", "end_stream", "sack_mask_low", "sack_mask_high",
			"send_mask_low", "send_mask_high",
		}}},
	}
	frameSequence = dissect.Field{Key: "sequence", Name: "bSeq", Kind: dissect.Uint, Bits: 8, Source: reliableSource, Doc: "number of the frame, from 0, of eight bits"}

	frameDuplicate   = dissect.Field{Key: "duplicate", Kind: dissect.Bool, Doc: "true: the frame was seen before; a receiver drops it; absent otherwise"}
	frameReassembled = dissect.Field{
		Key: "reassembled_from", Kind: dissect.List,
		Doc:      "frames of the capture that hold the parts of the message that this one completes",
		Children: []*dissect.Field{{Kind: dissect.Uint}},
	}
	framePayloadSize = dissect.Field{Key: "payload_size", Kind: dissect.Uint, Unit: "bytes", Doc: "length of what follows the frame's header"}
	voiceField       = dissect.Field{Key: "voice", Kind: dissect.Hex, Source: coreSource, Doc: "DirectPlay voice"}
	payloadField     = dissect.Field{
		Key: "payload", Kind: dissect.Hex,
		Doc: "what the application sent; absent where it is decoded, in an object of its own",
	}

	partsField = dissect.Field{
		Key: "parts", Kind: dissect.List, Source: reliableSource, Doc: "messages of a frame that holds several",
		Children: []*dissect.Field{&partField},
	}
	partField = dissect.Field{
		Kind: dissect.Object, Source: reliableSource, Doc: "one of them",
		Children: []*dissect.Field{&partSize, &partFlags, &coreField, &voiceField, &payloadField, &dissect.Undecoded},
		Frame:    []*dissect.Field{&partHigh, &partPadding},
	}
	partSize  = dissect.Field{Key: "size", Kind: dissect.Uint, Bits: 16, Unit: "bytes", Source: reliableSource, Doc: "length of the message, eleven bits, without padding"}
	partFlags = dissect.Field{
		Key: "flags", Name: "bCommand", Kind: dissect.Uint, Bits: 8, Source: reliableSource, Doc: "kind of the message",
		Enum: &dissect.Enum{
			Mask: true, Ignore: sizeFlags,
			Tables: [][]string{{"end_of_headers", "reliable", "sequential", "", "", "", "user_1", "user_2"}},
		},
	}
)

// A coalescence header has three bits of the size in its flags.
const (
	sizeFlags     = 0x38
	sizeFlagShift = 5
	lastHeader    = 0x01
	maxParts      = 32
)

// A dataFrame is the parsed header of a data frame.
type dataFrame struct {
	command, control byte
	sequence, next   uint8
	masks            [4]uint32
	keepAlive        bool // no payload, the connection's number instead
	coalesced        bool
	signatureAt      int  // byte of the signature, or 0
	maybe            bool // keep-alive or coalesced is a guess, as the version is not known
}

// minFrame is the size of the shortest data frame, in bytes.
const minFrame = 4

// frameHeader reads the header of a data frame.
func (r *reader) frameHeader(f *dataFrame, minor int, signed bool) {
	f.command, f.control = byte(r.Number(&frameCommand)), byte(r.Number(&frameControl))
	f.sequence, f.next = uint8(r.Number(&frameSequence)), uint8(r.Number(&nextExpected))
	for i := range maskFields {
		if f.control&(controlSackLow<<i) != 0 {
			f.masks[i] = uint32(r.Number(&maskFields[i]))
		}
	}
	if signed {
		f.signatureAt = r.At
		r.Number(&frameSignature)
	}
	modern := minor >= minorCoalesced || minor == minorUnknown
	f.maybe = minor == minorUnknown
	f.coalesced = modern && f.control&controlCoalesced != 0 && f.command&commandWhole == commandWhole
	f.keepAlive = modern && f.control&controlKeepAlive != 0
	if f.keepAlive && f.maybe && r.Rest() != 4 && !r.Cut {
		f.keepAlive = false // in older versions the bit asks for an acknowledgement
	}
	if f.keepAlive {
		r.Number(&sessionID)
	}
}

// dissectFrame reads a data frame.
func (c *conversation) dissectFrame(rec *dissect.Record, r *reader) {
	// its first frame
	if b := rec.Payload; c.asked != nil && len(b) >= minFrame && b[2] == 0 && b[3] == 0 &&
		c.conn.sides[sideOf(rec)].numbers.arrived.Seen() {
		c.change()
	}
	d := c.conn
	r.Enter(&dataField)
	defer r.Leave()
	var f dataFrame
	r.frameHeader(&f, d.minor, d.signing.on)
	if r.Failed() {
		return
	}
	side := &d.sides[sideOf(rec)]
	side.acknowledge(f.next, rec.Payload)
	n, duplicate := side.numbers.arrive(&f, rec.Payload[r.At:], d.had(&f, sideOf(rec)),
		func(n uint32) bool { return f.signatureAt > 0 && d.forged(rec, &f, n) })
	d.again, d.reliable = duplicate, f.command&commandReliable != 0
	if f.signatureAt > 0 {
		d.verify(rec, r, f.signatureAt, sideOf(rec), n)
	}
	if duplicate {
		r.Tree.AddBool(&frameDuplicate, true, 0, 0)
	}
	side.forget(rec, n, f.masks[2], f.masks[3])
	r.Tree.Add(&framePayloadSize, uint64(r.Rest()), 0, 0)
	d.carries = true
	if f.control&controlEnd != 0 {
		d.end(endStream)
	}
	switch {
	case f.keepAlive:
		if r.Rest() > 0 {
			c.content(r, f.command, r.At, r.End)
		}
	case f.coalesced:
		c.coalesced(r, &f)
	case f.command&commandWhole == commandWhole:
		c.content(r, f.command, r.At, r.End)
		r.At = r.End
	default:
		c.split(rec, r, side, &f, n, duplicate)
	}
}

// content shows a message that is complete in the datagram: a core message, voice or the
// application's.
func (c *conversation) content(r *reader, kind byte, at, end int) {
	switch {
	case kind&commandUser1 != 0 && kind&commandUser2 == 0:
		kind, app := r.core(&coreField, at, end, &c.conn.names)
		c.conn.terminates(kind)
		if app >= 0 {
			c.application(r, app, end)
		}
	case kind&commandUser2 != 0:
		r.Tree.AddBytes(&voiceField, r.B[at:end], at<<3, (end-at)<<3)
	case at < end:
		c.application(r, at, end)
	}
}

// terminates records that a core message ends the connection.
func (d *connection) terminates(kind uint64) {
	if kind == coreTerminate {
		d.end(endTerminate)
	}
}

// application shows the application's bytes, or leaves them to their reader.
func (c *conversation) application(r *reader, at, end int) {
	if c.read {
		c.carried.Add(r.B, dissect.Payload{
			At: at, End: end, Direction: c.direction, Reliable: c.conn.reliable, Cut: r.Cut &&
				end == r.End, Repeated: c.conn.again,
		})
		return
	}
	r.Tree.AddBytes(&payloadField, r.B[at:end], at<<3, (end-at)<<3)
}

// A bundle holds the headers of a coalesced payload.
type bundle struct {
	size  [maxParts]int
	flags [maxParts]byte
	at    [maxParts]int // byte where the part begins
	count int
	end   int
}

// parse reads the headers at the start of b. Positions count from the start of b. why is "" if the
// parts fill b exactly.
func (u *bundle) parse(b []byte) (why string) {
	u.count = 0
	at := 0
	for last := false; !last; u.count++ {
		if u.count == maxParts {
			return "no header of 32 is marked as the last"
		}
		if at+2 > len(b) {
			return "the headers end too early"
		}
		flags := b[at+1]
		u.flags[u.count], u.size[u.count] = flags, int(b[at])+int(flags&sizeFlags)<<sizeFlagShift
		if u.size[u.count] == 0 {
			return "a message without bytes"
		}
		last = flags&lastHeader != 0
		at += 2
	}
	if u.count&1 != 0 {
		at += 2
	}
	for i := range u.count {
		if i > 0 {
			at = (at - u.at[0] + 3) &^ 3
			at += u.at[0]
		}
		u.at[i] = at
		at += u.size[i]
	}
	u.end = at
	if at > len(b) {
		return "the messages are longer than the frame"
	}
	return ""
}

// before returns where what precedes a message ends: the headers, or the message before it.
func (u *bundle) before(i int) int {
	if i == 0 {
		return 2 * u.count
	}
	return u.at[i-1] + u.size[i-1]
}

// coalesced reads a frame of several messages.
func (c *conversation) coalesced(r *reader, f *dataFrame) {
	var u bundle
	base := r.At
	if why := u.parse(r.B[base:r.End]); why != "" {
		switch {
		case f.maybe:
			c.content(r, f.command, r.At, r.End)
			r.At = r.End
		case r.Cut:
			r.Fail(&partsField, base, dissect.ErrTruncated)
		default:
			r.Malformed(&partsField, base, "coalesced messages: %s", why)
		}
		return
	}
	r.Enter(&partsField)
	for i := range u.count {
		head, at := base+2*i, base+u.at[i]
		r.EnterAt(&partField, head)
		r.Tree.Add(&partSize, uint64(u.size[i]), head<<3, 16)
		r.Tree.Add(&partFlags, uint64(u.flags[i]), (head+1)<<3, 8)
		if r.Tree.Framed() {
			r.Tree.Add(&partHigh, uint64(u.flags[i]), (head+1)<<3, 8)
			if before := base + u.before(i); before < at {
				r.Tree.AddBytes(&partPadding, r.B[before:at], before<<3, (at-before)<<3)
			}
		}
		c.content(r, u.flags[i], at, at+u.size[i])
		r.Tree.Close(0)
	}
	r.At = base + u.end
	r.Leave()
	if r.Rest() > 0 {
		r.Malformed(&partsField, r.At, "%d bytes after the last of the coalesced messages", r.Rest())
	}
}

// split takes one part of a message.
func (c *conversation) split(rec *dissect.Record, r *reader, side *direction, f *dataFrame, n uint32, duplicate bool) {
	at := r.At
	r.At = r.End
	j := joinPart{
		number: n, first: f.command&commandFirst != 0, last: f.command&commandLast != 0,
		kind: f.command & (commandUser1 | commandUser2), data: r.B[at:r.End], frame: rec.Frame, cut: r.Cut,
	}
	var m *join
	if !duplicate {
		m = side.joins.add(rec, &j, side.numbers.arrived.Newest())
	}
	if m == nil {
		r.Tree.AddBytes(&payloadField, j.data, at<<3, len(j.data)<<3)
		return
	}
	if r.Tree.Framed() && len(j.data) > 0 {
		r.Tree.Add(&messagePart, uint64(len(j.data)), at<<3, len(j.data)<<3)
	}
	r.Enter(&frameReassembled)
	for _, number := range m.frames {
		r.Tree.Add(frameReassembled.Children[0], number, 0, 0)
	}
	r.Leave()
	c.joinedContent(rec, r, m)
}

// joinedContent shows a reassembled message.
func (c *conversation) joinedContent(rec *dissect.Record, r *reader, m *join) {
	data := m.data
	switch {
	case m.kind&commandUser1 != 0 && m.kind&commandUser2 == 0:
		var in reader
		in.Reset(protocolName, data, 0, len(data), r.Tree)
		in.Cut = m.cut
		rec.Message = data
		kind, app := in.core(&coreJoined, 0, len(data), &c.conn.names)
		c.conn.terminates(kind)
		in.Report(rec)
		if app < 0 {
			return
		}
		if !c.read {
			r.Tree.AddBytes(&payloadField, data[app:], 0, 0)
			return
		}
		rec.Message = nil
		data = data[app:]
	case m.kind&commandUser2 != 0:
		rec.Message = data
		r.Tree.AddBytes(&voiceField, data, 0, 0)
		return
	}
	if c.read {
		c.carried.Join(data, dissect.Payload{Direction: c.direction, Reliable: c.conn.reliable, Cut: m.cut})
		return
	}
	rec.Message = data
	r.Tree.AddBytes(&payloadField, data, 0, 0)
}

// forget drops the messages that the sender has given up on: bit k of the masks is frame
// number n - 1 - k.
func (s *direction) forget(rec *dissect.Record, n uint32, low, high uint32) {
	for mask := uint64(high)<<32 | uint64(low); mask != 0; mask &= mask - 1 {
		s.joins.lose(rec, n-1-uint32(bits.TrailingZeros64(mask)))
	}
}
