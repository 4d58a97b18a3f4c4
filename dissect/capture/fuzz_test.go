package capture

import (
	"bytes"
	"errors"
	"io"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
)

// FuzzReader reads anything as a capture.
func FuzzReader(f *testing.F) {
	for i, l := range layerings() {
		w := newPcap(l.linkType)
		w.packet(int64(i)*1e9, l.packet)
		w.cut(int64(i)*1e9, len(l.packet)-6, l.packet)
		f.Add(w.b)
	}
	w := newPcapNG(true)
	w.iface(1, 0, w.option(2, "eth0"), w.option(9, uint8(9)), w.option(14, int64(1)))
	w.packet(0, 1, helloFrame, w.option(1, "comment"), w.option(4, uint64(3)))
	w.simple(len(helloFrame), helloFrame)
	w.obsolete(0, 2, 1, helloFrame)
	w.statistics(0, w.option(5, uint64(5)))
	w.section(false)
	w.iface(101, 0)
	for _, p := range split4(1, 8, 0, hello) {
		w.packet(0, uint64(p.ns), p.packet)
	}
	for _, p := range split6(1, 8, 0, hello) {
		w.packet(0, uint64(p.ns), p.packet)
	}
	f.Add(w.b)
	f.Add(gzipped(w.b))
	f.Add(zstandard(w.b))
	f.Add(gzipped(zstandard(w.b)))
	aggregate := newPcap(105)
	llc := snap("\x00\x00\x00", 0x0800, ip4(17, hello))
	aggregate.packet(0, wifi(0x88, 1, "\x85\x00", join(subframe(true, llc), subframe(true, llc))))
	f.Add(aggregate.b)
	f.Add(exportedPDUs())
	f.Add(append(snoopHeader(2, 4), snoopRecord(len(helloFrame)-1, helloFrame)...))

	f.Fuzz(func(t *testing.T, file []byte) {
		r, err := NewReader(bytes.NewReader(file), Options{All: true, Link: true})
		if err != nil {
			checkFileError(t, err)
			return
		}
		packed := len(r.in.Packings()) > 0
		all, last, bytesOut := []got(nil), uint64(0), 0
		for err == nil {
			var p *dissect.Packet
			if p, err = r.Next(); err != nil {
				break
			}
			if len(p.Payload) > p.Length || p.Frame < last || p.Frame > last+1 || p.Link == nil || !p.HasTime && p.Time != 0 {
				t.Fatalf("after frame %d: %+v", last, p)
			}
			if n := len(p.IPFragments); n == 1 || n > 1 && p.IPFragments[n-1] != p.Frame {
				t.Fatalf("frame %d: fragments %v", p.Frame, p.IPFragments)
			}
			last = p.Frame
			if p.UDP {
				bytesOut += len(p.Payload)
				all = append(all, got{p.Frame, p.Time, p.Src.String(), p.Dst.String(), string(p.Payload), p.Length})
			} else if p.Payload != nil || p.Note == "" {
				t.Fatalf("%+v", p)
			}
		}
		if s := r.Stats(); s.Packets != last || s.UDP != uint64(len(all)) {
			t.Fatalf("%d packets, %d datagrams, but %+v", last, len(all), s)
		}
		if _, again := r.Next(); again != err {
			t.Fatalf("%v, then %v", err, again)
		}
		if !packed && bytesOut > len(file) {
			t.Fatalf("%d bytes of %d", bytesOut, len(file))
		}

		// What is asked for beside the datagrams does not change them.
		plain, err2 := readAll(t, file)
		if diff := gocmp.Diff(all, plain); diff != "" {
			t.Fatalf("with All and Link, without (-with +without):\n%s", diff)
		}
		if err == io.EOF {
			if err2 != nil {
				t.Fatal(err2)
			}
			return
		}
		e := checkFileError(t, err)
		if packed {
			return
		}
		// Cutting the file at the error's position leaves a whole one with the same packets.
		if e.Offset > int64(len(file)) || e.Offset == 0 {
			if e.Offset != 0 {
				t.Fatalf("%v, in a file of %d bytes", e, len(file))
			}
			return
		}
		_, isText := r.file.(*hexFile)
		if isText && last == 0 {
			return // a text is recognised by its first dump
		}
		cut, err := readAll(t, file[:e.Offset])
		if isText && len(cut) == len(all)+1 {
			cut = cut[:len(all)] // the beginning of a dump with a fault is a dump
		}
		if diff := gocmp.Diff(all, cut); diff != "" || err != nil {
			t.Fatalf("cut at %d: %v (-want +got):\n%s", e.Offset, err, diff)
		}
	})
}

func checkFileError(t *testing.T, err error) *Error {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Message == "" || e.Offset < 0 {
		t.Fatalf("%#v", err)
	}
	switch e.Code {
	case TruncatedFile, MalformedFile, UnknownFormat:
	default:
		t.Fatalf("%s: %v", e.Code, e)
	}
	return e
}
