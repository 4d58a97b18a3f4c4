package export

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io/fs"
	"os"

	"github.com/q3dissect/q3dissect/dissect"
)

// demoBuffer is how many bytes of a demo wait for being written. Between two writes the file is not open, so
// that any number of demos can be written at a time.
const demoBuffer = 64 << 10

// partSuffix ends the name of a demo that is not complete.
const partSuffix = ".part"

// A demoFile is a demo that is being written.
type demoFile struct {
	path  string
	end   []byte // its end mark
	demo  Demo
	first uint64 // frame of the message that it begins with, 0: the one behind that counts
	last  uint32 // sequence number of the last message
	buf   []byte
	sum   hash.Hash
	lost  error // why a part of it could not be written: what is in the file is worth nothing then
}

// restart begins the demo, or begins it anew.
func (f *demoFile) restart(head *dissect.DemoHead) {
	if f.sum == nil {
		f.sum = sha256.New()
	}
	f.sum.Reset()
	f.first = head.Frame
	f.buf = f.buf[:0]
	f.lost = nil
	before := f.demo
	f.demo = Demo{
		File: before.File, Input: before.Input, Stream: before.Stream, Session: before.Session, Server: before.Server, Client: before.Client,
		Protocol: head.Protocol, Map: text([]byte(head.Map)), ClientNum: head.Client, Player: text(head.Player), Begins: "gamestate",
	}
	if head.Rebuilt {
		f.demo.Begins = "rebuilt"
	}
}

// add appends what a record has for the demo.
func (f *demoFile) add(rec *dissect.Record, p *dissect.DemoPart) error {
	m := &f.demo
	if m.Messages > 0 && p.Sequence > f.last+1 {
		m.Gaps = append(m.Gaps, Gap{After: f.last, Missing: p.Sequence - f.last - 1})
	}
	span, counted := &m.Frames, uint64(0)
	if rec.Recorded() {
		span, counted = &m.DemoMessages, 1 // messages count from 0
	}
	if *span == nil {
		*span = &Span{First: cmp.Or(f.first, rec.Frame) - counted}
	}
	(*span).Last = rec.Frame - counted
	f.last = p.Sequence
	if p.HasTime {
		if m.ServerTime == nil {
			m.ServerTime = &TimeSpan{First: p.ServerTime}
		}
		m.ServerTime.Last = p.ServerTime
	}
	m.Messages += uint64(p.Messages)
	if p.Recoded {
		m.Recoded++
	}
	if p.Reordered {
		m.Reordered = append(m.Reordered, p.Sequence)
	}
	return f.write(p.Data)
}

func (f *demoFile) write(b []byte) error {
	f.sum.Write(b)
	f.demo.Bytes += uint64(len(b))
	if f.buf = append(f.buf, b...); len(f.buf) < demoBuffer {
		return nil
	}
	return f.flush()
}

// flush moves what waits into the file.
func (f *demoFile) flush() error {
	// The first write empties what a run before left behind, and what a demo that began anew had written.
	if f.lost == nil {
		f.lost = write(f.path+partSuffix, f.buf, f.demo.Bytes == uint64(len(f.buf)))
	}
	f.buf = nil // a demo that goes on no more shall not keep it
	return f.lost
}

// write writes to the end of a file, which is made if it is not there, or anew.
func write(path string, b []byte, anew bool) error {
	flags := os.O_CREATE | os.O_WRONLY | os.O_APPEND
	if anew {
		flags |= os.O_TRUNC
	}
	file, err := os.OpenFile(path, flags, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(b)
	return errors.Join(err, file.Close())
}

// close completes the demo.
func (f *demoFile) close() (Demo, error) {
	if err := f.write(f.end); err != nil {
		return f.demo, err
	}
	if err := f.flush(); err != nil {
		return f.demo, err
	}
	f.demo.SHA256 = hex.EncodeToString(f.sum.Sum(nil))
	return f.demo, replace(f.path+partSuffix, f.path)
}

// replace gives a file the name of another, which is replaced.
func replace(from, to string) error {
	err := os.Rename(from, to)
	if errors.Is(err, fs.ErrExist) { // where renaming does not replace
		err = errors.Join(os.Remove(to), os.Rename(from, to))
	}
	return err
}
