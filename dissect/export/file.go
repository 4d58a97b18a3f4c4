package export

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/q3dissect/q3dissect/dissect"
)

const (
	// fileBuffer is how many bytes of a file wait for being written. Between two writes it is not open, so that
	// any number of files can be written at a time.
	fileBuffer = 64 << 10
	// incompleteSuffix ends the name of a file that is not all there. Names from the wire keep one dot at most, and their
	// extensions are shorter, so none of them ends like it.
	incompleteSuffix = ".incomplete"
)

// maxHoles is how many zeros may stand for what is missing of a file of which so many bytes came. A place
// far after the rest is a number that a peer claims, and must not fill the disk.
func maxHoles(received int64) int64 { return 64 * received }

// A transfer is a file that is on its way. What comes is kept in a file as it comes, and put in order when no
// more comes.
type transfer struct {
	file    File
	kept    partFile // what came, in the order in which it came
	whole   partFile // what is put together of it
	assumed bool
	head    dissect.FileHead
	pieces  pieces
	bytes   int64  // kept
	buf     []byte // the last of them, which are not written yet
	end     int64  // how long the file was when the sender had sent all; -1: it did not say
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
		t.end, t.assumed = p.Offset, p.Assumed
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
	before := t.bytes
	fits := t.pieces.add(p.Offset, int64(len(data)), t.bytes, func(from, to int64) {
		t.bytes += to - from
		if t.buf = append(t.buf, data[from:to]...); len(t.buf) >= fileBuffer && err == nil {
			err = t.flush()
		}
	})
	if !fits {
		f.LeftOut += int64(len(data)) - (t.bytes - before)
	}
	return err
}

// flush writes what waits.
func (t *transfer) flush() error {
	var err error
	if len(t.buf) > 0 {
		err = t.kept.write(t.buf)
	}
	t.buf = nil // one that goes on no more shall not keep it
	return err
}

// close completes the file, which is on the disk then, and has its name.
func (t *transfer) close(publish func(from, to string) error) (File, error) {
	f := &t.file
	f.Name, f.Received = text(t.head.Name), t.bytes
	if t.head.Size >= 0 {
		f.Size = &t.head.Size
	}
	f.AssumedOrder = t.assumed && t.bytes > 0
	size := t.head.Size
	if size < 0 {
		size = t.end
	}
	f.Gaps = t.pieces.gaps(size)
	f.Complete = f.Gaps == nil && size >= 0 && t.bytes == size && f.Refused == ""
	if t.bytes == 0 {
		f.File = ""
		t.announced("", 0)
		return *f, nil
	}
	if !f.Complete {
		f.File += incompleteSuffix
	}
	err := t.flush()
	if err == nil {
		err = t.assemble()
	}
	if err == nil {
		err = publish(t.whole.name, f.File)
	}
	if err != nil {
		return *f, errors.Join(err, t.discard())
	}
	return *f, t.kept.discard()
}

// discard removes what was written.
func (t *transfer) discard() error { return errors.Join(t.kept.discard(), t.whole.discard()) }

// assemble writes the file out of what was kept.
func (t *transfer) assemble() error {
	from, source, err := t.kept.store.read(t.kept.name)
	if err != nil {
		return err
	}
	sha, crc := sha256.New(), crc32.NewIEEE()
	err = t.whole.use(func(to storeFile) error {
		if err := t.copy(to, from, io.MultiWriter(sha, crc)); err != nil {
			return err
		}
		return to.Sync()
	})
	if err = errors.Join(err, source.Close()); err != nil {
		return err
	}
	t.file.SHA256 = hex.EncodeToString(sha.Sum(nil))
	t.file.CRC32 = fmt.Sprintf("%08x", crc.Sum32())
	t.announced(t.file.SHA256, crc.Sum32())
	return nil
}

// copy writes the pieces in their order, and zeros, which the file has for nothing, for what is missing between them.
// What is written also goes to sums.
func (t *transfer) copy(to storeFile, from io.ReaderAt, sums io.Writer) error {
	f := &t.file
	out := io.MultiWriter(to, sums)
	holes := maxHoles(t.bytes)
	for _, p := range t.pieces {
		if hole := p.offset - f.Bytes; hole > holes {
			break
		} else if hole > 0 {
			holes -= hole
			_, _ = io.CopyN(sums, zeros{}, hole) // sums take everything
			if _, err := to.Seek(hole, io.SeekCurrent); err != nil {
				return err
			}
		}
		if _, err := io.Copy(out, io.NewSectionReader(from, p.at, p.length)); err != nil {
			return err
		}
		f.Bytes, f.Written = p.end(), f.Written+p.length
	}
	return nil
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
