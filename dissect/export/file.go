package export

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"github.com/q3dissect/q3dissect/dissect"
)

const (
	// fileBuffer is how many bytes of a file wait for being written. Between two writes it is not open, so that
	// any number of files can be written at a time.
	fileBuffer = 64 << 10
	// incompleteSuffix ends the name of a file that is not all there. What is kept as it comes, and what is being
	// put together, have the others. Names from the wire keep one dot at most, so none of them ends like these.
	incompleteSuffix = ".incomplete"
	piecesSuffix     = ".pieces" + partSuffix
	wholeSuffix      = ".whole" + partSuffix
)

// maxHoles is how many zeros may stand for what is missing of a file of which so many bytes came. A place
// far behind the rest is a number that someone claims, and must not fill the disk.
func maxHoles(received int64) int64 { return 64 * received }

// A transfer is a file that is on its way. What comes is kept in a file as it comes, and put in order when no
// more comes.
type transfer struct {
	path    string // of the file, if it comes whole
	file    File
	assumed bool
	head    dissect.FileHead
	pieces  pieces
	kept    int64  // bytes
	buf     []byte // the last of them, which are not written yet
	lost    error  // why a part of it could not be written: what is kept is worth nothing then
	whole   int64  // how long the file was when the sender had sent all; -1: it did not say
}

// add takes what a record has for the file.
func (t *transfer) add(rec *dissect.Record, p *dissect.FilePart) error {
	f := &t.file
	if p.File != nil {
		t.head = *p.File
	}
	if f.Frames == nil {
		f.Frames = &Span{First: rec.Frame}
	}
	f.Frames.Last = rec.Frame
	if p.Refused != nil {
		f.Refused = text(p.Refused)
	}
	if p.End {
		t.whole, t.assumed = p.Offset, p.Assumed
		return nil
	}
	t.assumed = t.assumed || p.Assumed
	data := p.Data
	if size := t.head.Size; size >= 0 && p.Offset+int64(len(data)) > size {
		room := max(size-p.Offset, 0)
		f.Excess += int64(len(data)) - room
		data = data[:room]
	}
	var err error
	before := t.kept
	fits := t.pieces.add(p.Offset, int64(len(data)), t.kept, func(from, to int64) {
		t.kept += to - from
		if t.buf = append(t.buf, data[from:to]...); len(t.buf) >= fileBuffer && err == nil {
			err = t.flush()
		}
	})
	if !fits {
		f.LeftOut += int64(len(data)) - (t.kept - before)
	}
	return err
}

// flush writes what waits.
func (t *transfer) flush() error {
	// The first write empties what a run before left behind.
	if t.lost == nil {
		t.lost = write(t.path+piecesSuffix, t.buf, t.kept == int64(len(t.buf)))
	}
	t.buf = nil // one that goes on no more shall not keep it
	return t.lost
}

// close completes the file.
func (t *transfer) close() (File, error) {
	f := &t.file
	f.Name, f.Received = text(t.head.Name), t.kept
	if t.head.Size >= 0 {
		f.Size = &t.head.Size
	}
	f.AssumedOrder = t.assumed && t.kept > 0
	size := t.head.Size
	if size < 0 {
		size = t.whole
	}
	f.Gaps = t.pieces.gaps(size)
	f.Complete = f.Gaps == nil && size >= 0 && t.kept == size && f.Refused == ""
	if t.kept == 0 {
		f.File = ""
		t.announced("", 0)
		return *f, nil
	}
	err := t.flush()
	if err == nil {
		err = t.assemble()
	}
	return *f, errors.Join(err, os.Remove(t.path+piecesSuffix))
}

// assemble writes the file out of what was kept.
func (t *transfer) assemble() (err error) {
	f := &t.file
	path := t.path
	if !f.Complete {
		path, f.File = path+incompleteSuffix, f.File+incompleteSuffix
	}
	from, err := os.Open(t.path + piecesSuffix)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.Create(t.path + wholeSuffix)
	if err != nil {
		return err
	}
	sha, crc := sha256.New(), crc32.NewIEEE()
	sums := io.MultiWriter(sha, crc)
	out := io.MultiWriter(to, sums)
	holes := maxHoles(t.kept)
	for _, p := range t.pieces {
		if hole := p.offset - f.Bytes; hole > holes {
			break
		} else if hole > 0 {
			holes -= hole
			_, _ = io.CopyN(sums, zeros{}, hole) // sums take everything
			if _, err = to.Seek(hole, io.SeekCurrent); err != nil {
				break
			}
		}
		if _, err = io.Copy(out, io.NewSectionReader(from, p.at, p.length)); err != nil {
			break
		}
		f.Bytes, f.Written = p.end(), f.Written+p.length
	}
	if err = errors.Join(err, to.Close()); err != nil {
		return errors.Join(err, os.Remove(to.Name()))
	}
	f.SHA256 = hex.EncodeToString(sha.Sum(nil))
	f.CRC32 = fmt.Sprintf("%08x", crc.Sum32())
	t.announced(f.SHA256, crc.Sum32())
	return replace(to.Name(), path)
}

// announced compares the sums that the sender announced, where all of the file is there.
func (t *transfer) announced(sha string, crc uint32) {
	f := &t.file
	if t.head.SHA256 != nil {
		f.AnnouncedSHA256 = hex.EncodeToString(t.head.SHA256)
		if f.Complete {
			same := f.AnnouncedSHA256 == sha
			f.SHA256Matches = &same
		}
	}
	if t.head.HasCRC32 {
		f.AnnouncedCRC32 = fmt.Sprintf("%08x", t.head.CRC32)
		if f.Complete {
			same := t.head.CRC32 == crc
			f.CRC32Matches = &same
		}
	}
}

// zeros are any number of zero bytes.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}
