package quake3

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// Sizes of the blocks of a download: MAX_DOWNLOAD_BLKSIZE in code/qcommon/qcommon.h, of the first engine and of
// those that came after it.
const (
	firstBlockSize = 2048
	blockSize      = 1024
)

// A fileReader puts the blocks of downloads where they belong in their files. A nil reader does nothing.
//
// A client asks for one file after the other, and takes the blocks in order (CL_ParseDownload in
// code/client/cl_parse.c). This reader takes them in any order, as some may be missing in the capture. All blocks
// but the last have the same size.
//
// Like the eventReader it notes what a message does and takes it over when the message is known to be good.
type fileReader struct {
	open, closed bool   // a file has begun; the client wanted no more of it
	name         []byte // as the client asked for it
	size         int64  // what the first block says
	first        []byte // the first block; nil before it
	blockSize    int    // 0: not known
	newest       int    // highest block so far, not wrapped; -1: none
	before       int    // the same of the file before
	last         int    // the block at the end of what came
	end          int64  // where that ends

	// The message that is being read.
	staged []stagedFile
	data   []byte
}

// A stagedFile is what a message does with downloads.
type stagedFile struct {
	does       fileAction
	block      int // modulo 65536; of acknowledge, as it is
	first      bool
	size       int64 // of the file, in its first block
	start, end int   // of the block, or of a text, in data
}

type fileAction uint8

const (
	fileBlock fileAction = iota
	fileRequested
	fileAcknowledged
	fileStopped
	fileRefused
)

func newFileReader(opts dissect.Options) *fileReader {
	if !opts.Files {
		return nil
	}
	return &fileReader{newest: -1, before: -1}
}

// forget drops what was noted of a message that is being read again.
func (f *fileReader) forget() {
	if f != nil {
		f.staged, f.data = f.staged[:0], f.data[:0]
	}
}

// restart forgets the session.
func (f *fileReader) restart() {
	if f != nil {
		*f = fileReader{newest: -1, before: -1, staged: f.staged[:0], data: f.data[:0]}
	}
}

func (f *fileReader) note(s stagedFile, data []byte) {
	s.start = len(f.data)
	f.data = append(f.data, data...)
	s.end = len(f.data)
	f.staged = append(f.staged, s)
}

// noteCommand notes a command of the client.
func (f *fileReader) noteCommand(w *token.Words) {
	if f == nil {
		return
	}
	switch string(w.At(0)) {
	case "download":
		if w.Len() > 1 {
			f.note(stagedFile{does: fileRequested}, w.At(1))
		}
	case "nextdl":
		if w.Len() > 1 {
			if n, ok := token.Atoi(w.At(1)); ok && n >= 0 {
				f.note(stagedFile{does: fileAcknowledged, block: int(n)}, nil)
			}
		}
	case "stopdl":
		f.note(stagedFile{does: fileStopped}, nil)
	}
}

// noteBlock notes a block; first says that the size of the file came with it.
func (f *fileReader) noteBlock(block int, first bool, size int64, data []byte) {
	if f != nil {
		f.note(stagedFile{block: block, first: first, size: size}, data)
	}
}

// noteRefusal notes why there is no download.
func (f *fileReader) noteRefusal(reason []byte) {
	if f != nil {
		f.note(stagedFile{does: fileRefused}, reason)
	}
}

// tell says what the message that was just read adds to files.
func (f *fileReader) tell(c *conversation, rec *dissect.Record) {
	if f == nil {
		return
	}
	for i := range f.staged {
		s := &f.staged[i]
		data := f.data[s.start:s.end:s.end]
		before := len(rec.Files)
		switch s.does {
		case fileRequested:
			f.begin(rec, append([]byte{}, data...))
		case fileAcknowledged:
			if f.newest < 0 && !f.open { // from the middle of a download: blocks are numbered modulo 65536
				f.newest = s.block
			}
		case fileStopped:
			f.open, f.closed = false, true
		case fileRefused:
			if !f.open {
				f.begin(rec, nil)
			}
			rec.Files = append(rec.Files, dissect.FilePart{Refused: data})
		case fileBlock:
			f.take(rec, s, data)
		}
		for i := before; i < len(rec.Files); i++ {
			rec.Files[i].Session = max(c.session, 0)
		}
	}
}

// begin begins a file. A name of nil is not known.
func (f *fileReader) begin(rec *dissect.Record, name []byte) {
	f.before, f.newest = f.newest, -1
	f.open, f.closed = true, false
	f.name, f.size, f.first, f.blockSize = name, -1, nil, 0
	f.last, f.end = -1, 0
	rec.Files = append(rec.Files, dissect.FilePart{Begin: true, File: f.head()})
}

func (f *fileReader) head() *dissect.FileHead { return &dissect.FileHead{Name: f.name, Size: f.size} }

// take puts a block where it belongs.
func (f *fileReader) take(rec *dissect.Record, s *stagedFile, data []byte) {
	if f.closed && !s.first {
		return // on its way when the client gave up
	}
	if s.first && !f.takeFirst(rec, s, data) {
		return // sent again
	}
	n := f.number(s.block)
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
			return // where it belongs is not known
		}
		f.blockSize = len(data)
	}
	f.newest = max(f.newest, n)
	part := dissect.FilePart{Offset: int64(n) * int64(f.blockSize), Data: data}
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

// takeFirst takes the size of the file from its first block. It reports false if the block was there before.
func (f *fileReader) takeFirst(rec *dissect.Record, s *stagedFile, data []byte) bool {
	if f.open && f.first != nil {
		if f.size == s.size && bytes.Equal(f.first, data) {
			return false
		}
		f.begin(rec, nil) // that it was asked for is not in the capture
	}
	if !f.open {
		f.begin(rec, nil)
	}
	f.size, f.first = s.size, append([]byte{}, data...)
	if f.blockSize = len(data); f.blockSize == 0 {
		f.blockSize = blockSize // the file is empty
	}
	rec.Files = append(rec.Files, dissect.FilePart{File: f.head()})
	return true
}

// number gives the number of a block that has it modulo 65536 on the wire: the one nearest to those that
// came.
func (f *fileReader) number(block int) int {
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
