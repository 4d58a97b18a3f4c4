package quake3

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// A demo is the client's stream of server messages: sequence number and length, 32 bits each, then the
// message, reassembled and deciphered. A length of -1 ends it. CL_WriteDemoMessage and CL_ReadDemoMessage
// in code/client/cl_main.c.
const (
	recordHeader  = 8
	maxRecordSize = 1 << 16 // the engines take 16384, MAX_MSGLEN
	endOfDemo     = -1
)

// openRecording recognises demos of every generation by their first message with a gamestate.
func (s source) openRecording(in io.Reader, head []byte, name string, version int) (dissect.Recording, bool) {
	first, whole, ok := firstGamestate(head)
	if !ok {
		return nil, false
	}
	var hint uint64
	if gen := s.generationOfDemo(first, whole, name, version); gen != nil {
		hint = hintOf(gen)
	} else if unread, ok := unreadDemo(first, name, version); ok {
		hint = uint64(unread) << unreadShift
	} else {
		return nil, false
	}
	return &recording{
		in:     bufio.NewReaderSize(in, recordHeader+tables.MaxMessage),
		packet: dissect.Packet{UDP: true, Recorder: protocolName, RecorderHint: hint},
	}, true
}

// hintShift is where the hint of a demo has the number of a row, + 1, above a protocol number that other rows have too.
const hintShift = 16

// hintOf returns what a demo's messages need to know of its generation.
func hintOf(gen *tables.Generation) uint64 {
	hint := uint64(gen.Number())
	for row, g := range tables.Rows() {
		if gen.Version < 0 && gen == g {
			hint |= uint64(row+1) << hintShift
		}
	}
	return hint
}

// generationOfHint is the reverse of hintOf.
func generationOfHint(hint uint64) *tables.Generation {
	if row := int(hint >> hintShift); row > 0 && row <= tables.NumGenerations {
		return tables.GenerationAt(row - 1)
	}
	return tables.GenerationOf(int(hint))
}

// maxBeforeGamestate is how many messages of a demo may precede its gamestate: TaystJK begins a demo with a message
// that ends at once, followed by JSON about the recording.
const maxBeforeGamestate = 8

// firstGamestate returns what firstRecord does, of the first message that has a gamestate, or of the first if none
// has.
func firstGamestate(head []byte) (first []byte, whole, ok bool) {
	for rest, i := head, 0; i <= maxBeforeGamestate; i++ {
		message, whole, ok := firstRecord(rest)
		if !ok || len(message) == 0 {
			break
		}
		if _, ok := codedGamestate(message); ok {
			return message, whole, true
		}
		if !whole {
			break
		}
		rest = rest[recordHeader+len(message):]
	}
	return firstRecord(head)
}

// firstRecord returns the first message of a demo, as far as it is in head, and whether it is complete.
func firstRecord(head []byte) (first []byte, whole, ok bool) {
	if len(head) < recordHeader {
		return nil, false, false
	}
	sequence, size := int32(binary.LittleEndian.Uint32(head)), int32(binary.LittleEndian.Uint32(head[4:]))
	if size == endOfDemo {
		return nil, true, sequence == endOfDemo
	}
	if size < 1 || size > maxRecordSize {
		return nil, false, false
	}
	end := recordHeader + int(size)
	return head[recordHeader:min(len(head), end)], len(head) >= end, true
}

// generationOfDemo finds the generation that a demo is read with. The coding of its first gamestate shows in the
// message; among the generations of one coding configstring 0 decides, then the file's name, then the user,
// then what decodes. If the first message is damaged, only the name is left.
func (s source) generationOfDemo(first []byte, whole bool, name string, version int) *tables.Generation {
	switch {
	case len(first) == 0: // an end and nothing else
		return tables.GenerationOf(version)
	case first[0] == tables.SvcGamestate && s.scrambledDemo(first, whole, name) != nil:
		return s.scrambledDemo(first, whole, name)
	case len(first) > 4 && first[4] == tables.SvcGamestate && s.decodesAs(first, whole, tables.GenerationOf(48)):
		return tables.GenerationOf(48)
	}
	if _, unread := unreadDemo(first, name, version); unread {
		return nil
	}
	declaredVersion, game := declaredBy(first)
	declared := []int{declaredVersion, versionOfName(name), version}
	tries := declared
	if _, ok := codedGamestate(first); ok { // without a gamestate, and without a name, nothing indicates a demo
		tries = append(tries[:3:3], 68, 71, 91, 90, 73, 84, 284, 60, 61, 26, 16, 15, 17, 8, 6)
	}
	for _, v := range tries {
		if gen := tables.GenerationOf(v).Variant(v, game); gen.Number() == v && s.decodesAs(first, whole, gen) {
			return gen
		}
	}
	for _, v := range declared[1:] {
		if gen := tables.GenerationOf(v); gen.Version == v {
			return gen
		}
	}
	return nil
}

// scrambledDemo returns the generation of a demo whose first message is a gamestate of a protocol before Huffman
// coding: that of the name if the message decodes with both.
func (s source) scrambledDemo(first []byte, whole bool, name string) *tables.Generation {
	var found *tables.Generation
	for _, version := range tables.ScrambledCandidates {
		gen := tables.GenerationOf(version)
		if s.decodesAs(first, whole, gen) && (found == nil || versionOfName(name) == version) {
			found = gen
		}
	}
	return found
}

// versionOfName reads the protocol off a demo's name: dm_68, dm3.
func versionOfName(name string) int {
	suffix := strings.ToLower(path.Ext(name))
	for _, packed := range []string{".gz", ".zst", ".xz"} {
		if suffix == packed {
			suffix = strings.ToLower(path.Ext(strings.TrimSuffix(strings.ToLower(name), packed)))
		}
	}
	for _, gen := range tables.Rows() {
		if gen.Scrambled && suffix == "."+gen.Extension {
			return gen.Version
		}
	}
	if suffix == ".tv_84" {
		return 284
	}
	v, _ := strconv.Atoi(strings.TrimPrefix(suffix, ".dm_"))
	return v
}

// codedGamestate finds the gamestate at the beginning of a demo's first message, after reliable commands. The
// reader is positioned after its operation.
func codedGamestate(message []byte) (r huffcodec.Reader, ok bool) {
	r = huffcodec.NewReader(message, huffcodec.Static)
	r.Bits(32)
	op := r.Bits(8)
	for ; op == tables.SvcServerCommand && !r.Failed(); op = r.Bits(8) {
		r.Bits(32)
		r.AppendString(nil)
	}
	return r, op == tables.SvcGamestate && !r.Failed()
}

// declaredBy reads the protocol that the server information of a coded gamestate declares, and the game that it shows, or 0.
func declaredBy(message []byte) (version int, game uint8) {
	r, ok := codedGamestate(message)
	if !ok {
		return 0, 0
	}
	r.Bits(32)
	if r.Bits(8) != tables.SvcConfigstring || r.Bits(16) != tables.ServerinfoIndex {
		return 0, 0
	}
	info := readServerinfo(&r)
	return token.Positive(dissect.InfoValue(info, "protocol")), tables.GameOfInfo(info)
}

// readServerinfo reads server information, whose first character is a backslash, as its game wrote it.
func readServerinfo(r *huffcodec.Reader) (info []byte) {
	first := *r
	c := first.Byte()
	for _, gen := range tables.Rows() {
		table := gen.Unscramble
		if c == '\\' || table == nil || table[c] != '\\' {
			continue
		}
		for c := table[r.Byte()]; c != 0 && !r.Failed(); c = table[r.Byte()] {
			info = append(info, c)
		}
		return info
	}
	return r.AppendString(nil)
}

// minTruncatedProof is the least length, in bytes, of a truncated message that decodes to its end, for the demo
// to be believed.
const minTruncatedProof = 256

// decodesAs reports whether a message can be decoded: it must be good to its end, or to where it is cut off.
func (s source) decodesAs(first []byte, whole bool, gen *tables.Generation) bool {
	c := newConversation(dissect.Options{})
	c.worlds = s.worlds
	c.restart(false)
	c.setGeneration(gen)
	c.body, c.clear = first, len(first)
	if !whole {
		c.cut = 1
	}
	err := c.read(&dissect.Record{NoTree: true}, nil, &message{}, false)
	c.leaveWorld()
	return err == nil || !whole && errors.Is(err, dissect.ErrTruncated) && len(first) > minTruncatedProof
}

// A recording reads the messages of a demo.
type recording struct {
	in     *bufio.Reader
	shown  int // bytes of in that the last packet takes
	offset int64
	packet dissect.Packet
}

// Next returns the next message with its header.
func (r *recording) Next() (*dissect.Packet, error) {
	if _, err := r.in.Discard(r.shown); err != nil {
		return nil, err // cannot happen: the bytes were peeked at
	}
	r.offset += int64(r.shown)
	r.shown = 0
	head, err := r.in.Peek(recordHeader)
	switch {
	case len(head) == 0 && errors.Is(err, io.EOF):
		return nil, r.broken("the end mark is missing", nil)
	case err != nil:
		return nil, r.broken("it ends inside the header of a message", err)
	}
	size := int(int32(binary.LittleEndian.Uint32(head[4:])))
	if size == endOfDemo {
		return nil, r.end()
	}
	if size < 0 || size > maxRecordSize {
		return nil, &dissect.FileError{
			Code: dissect.MalformedFile, Offset: r.offset,
			Message: "impossible message length " + strconv.Itoa(size) + "; the rest of the file is not read",
		}
	}
	if recordHeader+size > r.in.Size() {
		r.in = bufio.NewReaderSize(r.in, recordHeader+maxRecordSize)
	}
	whole, err := r.in.Peek(recordHeader + size)
	if err != nil {
		return nil, r.broken("it ends inside a message, "+strconv.Itoa(recordHeader+size-len(whole))+" bytes short", err)
	}
	r.shown = len(whole)
	r.packet.Frame++
	r.packet.Payload, r.packet.Length = whole, size
	return &r.packet, nil
}

// end is the error at the end mark: io.EOF, or that of bytes after it, which no game reads.
func (r *recording) end() error {
	if more, _ := r.in.Peek(recordHeader + 1); len(more) <= recordHeader {
		return io.EOF
	}
	return &dissect.FileError{
		Code: dissect.MalformedFile, Offset: r.offset + recordHeader,
		Message: "bytes after the end mark, which no game reads",
	}
}

// broken is the error of a file that ends too early.
func (r *recording) broken(why string, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	} else if err != nil {
		why = "it cannot be read on: " + err.Error()
	}
	return &dissect.FileError{Code: dissect.TruncatedFile, Offset: r.offset, Message: why, Err: err}
}

// dissectRecorded decodes a message of a demo.
func (c *conversation) dissectRecorded(rec *dissect.Record) {
	if unread := rec.Hint >> unreadShift; unread != 0 {
		c.dissectUnread(rec, int(unread))
		return
	}
	if c.encoding != netchan.Recorded {
		c.encoding = netchan.Recorded
		c.restart(false)
		c.encoding = netchan.Recorded
		c.snapshots.FrameTime = 0
		c.setGeneration(generationOfHint(rec.Hint))
		c.version = int(rec.Hint & (1<<hintShift - 1)) // of several rows; the gamestate shows which
	}
	m := &c.sides[netchan.SideIndex(false)].held
	m.reset(false)
	m.body = rec.Payload[recordHeader:]
	m.header.Sequence = binary.LittleEndian.Uint32(rec.Payload)
	m.before = c.sides[0].arrivals
	m.arrival = c.sides[0].arrivals.Arrive(m.header.Sequence, true)
	m.arrival.Duplicate, m.arrival.Late = false, false // demos are played as they are
	c.order.begin(m)
	c.dissectMessage(rec, m)
	c.order.end()
}
