package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// Sizes of the headers in bytes, draft-ietf-opsawg-pcap.
const (
	fileHeaderSize   = 24
	recordHeaderSize = 16

	maxRecord = 1 << 20 // more is damage
)

// A source is the pcap file that is read. The program's own reader is no use here: it hands on datagrams,
// not packets.
type source struct {
	r      *bufio.Reader
	header [fileHeaderSize]byte
	order  binary.ByteOrder
	tick   time.Duration // unit of the second number of a time
	link   linkType
	frame  int // packets so far
}

func newSource(r io.Reader) (*source, error) {
	s := &source{r: bufio.NewReader(r)}
	if _, err := io.ReadFull(s.r, s.header[:]); err != nil {
		return nil, errors.New("no pcap file")
	}
	for _, order := range [...]binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		switch order.Uint32(s.header[:]) {
		case 0xa1b2c3d4:
			s.order, s.tick = order, time.Microsecond
		case 0xa1b23c4d:
			s.order, s.tick = order, time.Nanosecond
		}
	}
	if s.order == nil {
		return nil, errors.New("no pcap file; other kinds of capture are not read here")
	}
	s.link = linkType(s.order.Uint32(s.header[20:]) & 0xffff)
	return s, nil
}

// A packet is one of a capture.
type packet struct {
	at   time.Duration // Unix time
	wire uint32        // its length on the wire in bytes
	data []byte
}

// next returns the next packet, which is the caller's. io.EOF is the end.
func (s *source) next() (packet, error) {
	var h [recordHeaderSize]byte
	if _, err := io.ReadFull(s.r, h[:]); err != nil {
		return packet{}, err
	}
	s.frame++
	size := s.order.Uint32(h[8:])
	if size > maxRecord {
		return packet{}, fmt.Errorf("packet %d of %d bytes", s.frame, size)
	}
	p := packet{
		at:   time.Duration(s.order.Uint32(h[:]))*time.Second + time.Duration(s.order.Uint32(h[4:]))*s.tick,
		wire: s.order.Uint32(h[12:]),
		data: make([]byte, size),
	}
	if _, err := io.ReadFull(s.r, p.data); err != nil {
		return packet{}, fmt.Errorf("packet %d: %w", s.frame, io.ErrUnexpectedEOF)
	}
	return p, nil
}

// A sink is the pcap file that is written.
type sink struct {
	w     *bufio.Writer
	order binary.ByteOrder
	tick  time.Duration
	size  int64 // bytes so far
	count int   // packets so far
}

// newSink begins a file with the header of in.
func newSink(w io.Writer, in *source) (*sink, error) {
	s := &sink{w: bufio.NewWriterSize(w, 1<<20), order: in.order, tick: in.tick, size: fileHeaderSize}
	_, err := s.w.Write(in.header[:])
	return s, err
}

// end writes what is left, and reports the total on standard error.
func (s *sink) end() error {
	fmt.Fprintf(os.Stderr, "%d packets, %d bytes\n", s.count, s.size)
	return s.w.Flush()
}

func (s *sink) write(p packet) error {
	var h [recordHeaderSize]byte
	s.order.PutUint32(h[:], uint32(p.at/time.Second))
	s.order.PutUint32(h[4:], uint32(p.at%time.Second/s.tick))
	s.order.PutUint32(h[8:], uint32(len(p.data)))
	s.order.PutUint32(h[12:], p.wire)
	s.size += recordHeaderSize + int64(len(p.data))
	s.count++
	if _, err := s.w.Write(h[:]); err != nil {
		return err
	}
	_, err := s.w.Write(p.data)
	return err
}
