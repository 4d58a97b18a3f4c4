package export

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// demoBuffer is how many bytes of a demo are collected before they are written. The file is closed between two
// writes, so that any number of demos can be in progress.
const demoBuffer = 64 << 10

// A demoFile is a demo that is being written.
type demoFile struct {
	file  partFile
	end   []byte // its end mark
	demo  Demo
	told  *extract.DemoTold // what is known in the end; nil: nothing
	first uint64            // frame of the first message; 0: the next one's
	last  uint32            // sequence number of the last message
	buf   []byte
	sum   hash.Hash
}

// restart begins the demo, for the first time or again.
func (f *demoFile) restart(head *extract.DemoHead) error {
	if err := f.file.discard(); err != nil {
		return err
	}
	if f.sum == nil {
		f.sum = sha256.New()
	}
	f.sum.Reset()
	f.first, f.told = head.Frame, head.Told
	f.buf = f.buf[:0]
	before := f.demo
	f.demo = Demo{
		File: before.File, Input: before.Input, Stream: before.Stream, Session: before.Session, Server: before.Server,
		Client: before.Client, Protocol: head.Protocol, Map: wiretext.String([]byte(head.Map)), ClientNum: head.Client,
		Player: wiretext.String(head.Player), Clean: wiretext.String(head.Clean), Begins: "gamestate",
	}
	if head.Part != nil {
		f.demo.Moments = head.Part.Moments
	}
	if head.Rebuilt {
		f.demo.Begins = "rebuilt"
	}
	if f.demo.Unknown = head.Unknown; head.Unknown != nil {
		f.demo.Begins = "pieces"
	}
	return nil
}

// add appends a record's part of the demo.
func (f *demoFile) add(rec *dissect.Record, p *extract.Demo) error {
	m := &f.demo
	if m.Messages > 0 && p.Sequence > f.last+1 {
		m.Gaps = append(m.Gaps, Gap{After: f.last, Missing: p.Sequence - f.last - 1})
	}
	span, number := &m.Frames, rec.Number()
	if rec.Recorded() {
		span = &m.DemoMessages
	}
	if *span == nil {
		earlier := rec.Frame - cmp.Or(f.first, rec.Frame)
		*span = &Span{First: number - earlier}
	}
	(*span).Last = number
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

// flush writes the collected bytes.
func (f *demoFile) flush() error { return f.file.flush(&f.buf) }

// complete writes what is only known in the end: the beginning of the file, and about the demo.
func (f *demoFile) complete() error {
	m, t := &f.demo, f.told
	m.Ticks, m.Players, m.MapInside = &Ticks{t.FirstTick, t.LastTick}, t.Players, t.MapInside
	m.Computed, m.Missing, m.Repaired, m.Lost = t.Computed, t.Missing, t.Repaired, t.Lost
	if t.Header == nil {
		return nil
	}
	if err := f.flush(); err != nil {
		return err
	}
	f.sum.Reset()
	return f.file.replaceHead(t.Header, f.sum)
}

// close completes the demo: it is on the disk then, and has its name. One that is present is dropped, and has no
// checksum.
func (f *demoFile) close(present func(sha256 string) string, publish func(from, to string) error) (Demo, error) {
	err := f.write(f.end)
	if f.told != nil && err == nil {
		err = f.complete()
	}
	sum := hex.EncodeToString(f.sum.Sum(nil))
	if err == nil && present(sum) != "" {
		return f.demo, f.file.discard()
	}
	if err == nil {
		err = f.flush()
	}
	if err == nil {
		err = f.file.finish()
	}
	if err == nil {
		err = publish(f.file.name, f.demo.File)
	}
	if err != nil {
		return f.demo, errors.Join(err, f.file.discard())
	}
	f.demo.SHA256 = sum
	return f.demo, nil
}
