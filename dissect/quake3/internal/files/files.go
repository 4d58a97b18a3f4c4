// Package files assembles downloads from their blocks.
package files

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// Sizes of the blocks of a download: MAX_DOWNLOAD_BLKSIZE in code/qcommon/qcommon.h, of the first engine and of
// those that came after it.
const (
	firstBlockSize = 2048
	blockSize      = 1024
)

// A Reader finds the place of the blocks of downloads in their files.
//
// A client requests one file after the other, and accepts the blocks in order (CL_ParseDownload in
// code/client/cl_parse.c). This reader accepts them in any order, since some may be missing in the capture. All
// blocks but the last have the same size.
type Reader struct {
	open, closed bool   // a file has begun; the client has cancelled it
	name         []byte // as the client requested it
	size         int64  // from the first block
	first        []byte // the first block; nil before it
	blockSize    int    // 0: not known
	newest       int    // highest block so far, not wrapped; -1: none
	before       int    // the same of the file before
	last         int    // the block with the highest end
	end          int64  // its end
	words        token.Words
}

// New returns a Reader of a stream's downloads.
func New() *Reader { return &Reader{newest: -1, before: -1} }

// Restart forgets the session.
func (f *Reader) Restart(bool) { *f = *New() }

// Idle keeps everything: a download may continue.
func (f *Reader) Idle() {}

// OutOfBand ignores out-of-band packets.
func (f *Reader) OutOfBand(*observe.Session, *oob.Packet, *dissect.Record) {}

// Message adds the file parts of a message to the record.
func (f *Reader) Message(m *observe.Message, rec *dissect.Record) {
	if !m.Keeps {
		return
	}
	first := len(rec.Files)
	for i := range m.Changes {
		c := &m.Changes[i]
		switch {
		case c.Kind == observe.Command && m.FromClient && !c.Repeat:
			f.command(rec, m.Text(c))
		case c.Kind == observe.Refusal:
			if !f.open {
				f.begin(rec, nil)
			}
			rec.Files = append(rec.Files, extract.File{Refused: m.Text(c)})
		case c.Kind == observe.Block:
			f.take(rec, c, m.Text(c))
		}
	}
	for i := first; i < len(rec.Files); i++ {
		rec.Files[i].Session = max(m.Number, 0)
	}
}

// command handles a command of the client.
func (f *Reader) command(rec *dissect.Record, text []byte) {
	w := &f.words
	w.Split(text)
	switch string(w.At(0)) {
	case "download":
		if w.Len() > 1 {
			f.begin(rec, append([]byte{}, w.At(1)...))
		}
	case "nextdl":
		// From the middle of a download: blocks are numbered modulo 65536.
		if n, ok := token.Atoi(w.At(1)); ok && n >= 0 && f.newest < 0 && !f.open {
			f.newest = int(n)
		}
	case "stopdl":
		f.open, f.closed = false, true
	}
}

// begin begins a file. name is nil if it is not known.
func (f *Reader) begin(rec *dissect.Record, name []byte) {
	f.before, f.newest = f.newest, -1
	f.open, f.closed = true, false
	f.name, f.size, f.first, f.blockSize = name, -1, nil, 0
	f.last, f.end = -1, 0
	rec.Files = append(rec.Files, extract.File{Begin: true, File: f.head()})
}

func (f *Reader) head() *extract.FileHead { return &extract.FileHead{Name: f.name, Size: f.size} }

// take adds a block at its place.
func (f *Reader) take(rec *dissect.Record, c *observe.Change, data []byte) {
	if f.closed && !c.First {
		return // on its way when the client gave up
	}
	if c.First && !f.takeFirst(rec, c, data) {
		return // sent again
	}
	n := f.number(c.Index)
	switch {
	case f.first == nil && n <= f.before:
		return // perhaps of the file before, sent again
	case !f.open:
		acknowledged := f.newest
		f.begin(rec, nil)
		f.before, f.newest = -1, acknowledged
	}
	if f.blockSize == 0 {
		if len(data) != blockSize && len(data) != firstBlockSize {
			return // its place is not known
		}
		f.blockSize = len(data)
	}
	f.newest = max(f.newest, n)
	part := extract.File{Offset: int64(n) * int64(f.blockSize), Data: data}
	switch {
	case len(data) > 0:
		if n > f.last {
			f.last, f.end = n, part.Offset+int64(len(data))
		}
	case n == f.last+1:
		part.Offset, part.End = f.end, true
	default: // the block before is missing, and may be short
		return
	}
	rec.Files = append(rec.Files, part)
}

// takeFirst reads the size of the file from its first block. It returns false if the block is a repetition.
func (f *Reader) takeFirst(rec *dissect.Record, c *observe.Change, data []byte) bool {
	if f.open && f.first != nil {
		if f.size == c.Size && bytes.Equal(f.first, data) {
			return false
		}
		f.begin(rec, nil) // the request is not in the capture
	}
	if !f.open {
		f.begin(rec, nil)
	}
	f.size, f.first = c.Size, append([]byte{}, data...)
	if f.blockSize = len(data); f.blockSize == 0 {
		f.blockSize = blockSize // the file is empty
	}
	rec.Files = append(rec.Files, extract.File{File: f.head()})
	return true
}

// number returns the full number of a block, which is on the wire modulo 65536: the one nearest to the known
// ones.
func (f *Reader) number(block int) int {
	const wrap = 1 << 16
	newest := max(f.newest, 0)
	n := newest&^(wrap-1) | block
	switch {
	case n < newest-wrap/2:
		n += wrap
	case n > newest+wrap/2 && n >= wrap:
		n -= wrap
	}
	return n
}
