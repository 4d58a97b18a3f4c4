package export

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

const (
	// fileBuffer is how many bytes of a file are collected before they are written. The file is closed between
	// two writes, so that any number of files can be in progress.
	fileBuffer = 64 << 10
	// incompleteSuffix is the end of an incomplete file's name. Names from the wire keep one dot at most, and
	// their extensions are shorter, so none of them ends like it.
	incompleteSuffix = ".incomplete"
)

// maxHoles limits the zeros for missing parts, relative to the bytes received. A position far after the others
// is a number that a peer announces, and must not fill the disk.
func maxHoles(received int64) int64 { return 64 * received }

// A transfer is a file in transfer. Its data are kept in a file in the order of arrival, and put in order at
// the end.
type transfer struct {
	file    File
	kept    partFile // the data in the order of arrival
	whole   partFile // the assembled file
	assumed bool
	head    extract.FileHead
	pieces  pieces
	bytes   int64  // kept
	buf     []byte // the last of them, not written yet
	end     int64  // size of the file when the sender had sent everything; -1: not known
}

// add adds a record's part of the file.
func (t *transfer) add(rec *dissect.Record, p *extract.File) error {
	f := &t.file
	if p.File != nil {
		t.head = *p.File
	}
	if f.Frames == nil {
		f.Frames = &Span{First: rec.Frame}
	}
	f.Frames.Last = rec.Frame
	if p.Refused != nil {
		f.Refused = wiretext.String(p.Refused)
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

// flush writes the collected bytes.
func (t *transfer) flush() error { return t.kept.flush(&t.buf) }

// close completes the file: it is on the disk then, and has its name. One whose content is present keeps that name.
func (t *transfer) close(present func(content string) string, publish func(from, to string) error) (File, error) {
	f := &t.file
	f.Name, f.Received = wiretext.String(t.head.Name), t.bytes
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
		if name := present(content(f.SHA256, f.Complete)); name != "" {
			f.File = name
			return *f, t.discard()
		}
		err = publish(t.whole.name, f.File)
	}
	if err != nil {
		return *f, errors.Join(err, t.discard())
	}
	return *f, t.kept.discard()
}

// discard removes the written data.
func (t *transfer) discard() error { return errors.Join(t.kept.discard(), t.whole.discard()) }

// assemble writes the file from the kept data.
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

// copy writes the pieces in their order, and zeros for the missing parts between them, which take no space in
// the file. The written bytes also go to sums.
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

// announced compares the sums that the sender announced, if the file is complete.
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
