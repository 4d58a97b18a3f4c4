package dissecttest

import (
	"bytes"
	"fmt"
	"math/bits"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// recordLine is what a record shows, as one line.
func recordLine(dst []byte, rec *dissect.Record) []byte {
	if rec.Closing {
		return dst
	}
	dst = render.AppendJSON(dst, rec, render.JSON{Bits: true})
	return fmt.Appendf(dst[:len(dst)-1], " damaged %t, message %t of %d bytes\n", rec.Damaged,
		rec.MessageDone, len(rec.Message))
}

// state: a record is the same whether those before it were decoded with a tree or for their state alone.
func (s *suite) state() {
	options := dissect.Options{State: true}
	for _, sample := range s.samples {
		want := map[uint64]string{}
		for rec := range s.dissect(sample, engine.Config{Options: options}) {
			want[rec.Frame] = string(recordLine(nil, rec))
		}
		for _, seen := range []struct {
			name   string
			choose func(frame uint64) bool
		}{
			{"even packets", func(frame uint64) bool { return frame%2 == 0 }},
			{"odd packets", func(frame uint64) bool { return frame%2 == 1 }},
			{"every seventh packet", func(frame uint64) bool { return frame%7 == 0 }},
		} {
			for rec := range s.dissect(sample, engine.Config{Options: options, Select: seen.choose}) {
				if diff := cmp.Diff(want[rec.Frame], string(recordLine(nil, rec))); diff != "" {
					s.report("%s, packet %d, with trees of %s only (-with all +so):\n%s", sample.name, rec.Frame, seen.name, diff)
				}
				if s.full() {
					return
				}
			}
		}
	}
}

// workers: the engine gives the same bytes for every number of workers, and those of Records.
func (s *suite) workers() {
	for _, sample := range s.samples {
		var want []byte
		for rec := range s.dissect(sample, engine.Config{}) {
			want = recordLine(want, rec)
		}
		for _, workers := range []int{0, 1, 4} {
			var got bytes.Buffer
			e, err := engine.New(engine.Config{
				Protocols: s.Beside, Workers: workers,
				Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) { return recordLine(dst, rec), nil },
				Output: func(b []byte) error { got.Write(b); return nil },
			})
			if err != nil {
				s.report("%v", err)
				return
			}
			for i := range sample.packets {
				_ = e.Packet(&sample.packets[i]) // neither Finish nor Output fails
			}
			_, _ = e.Close()
			if !bytes.Equal(got.Bytes(), want) {
				s.report("%s: %d workers give other records (-Records +workers):\n%s", sample.name, workers,
					firstDifference(want, got.Bytes()))
			}
		}
	}
}

// firstDifference compares line by line and gives the first that differ.
func firstDifference(want, got []byte) string {
	w, g := bytes.Split(want, []byte("\n")), bytes.Split(got, []byte("\n"))
	for i := range min(len(w), len(g)) {
		if !bytes.Equal(w[i], g[i]) {
			return cmp.Diff(string(w[i]), string(g[i]))
		}
	}
	return fmt.Sprintf("%d lines, not %d", len(g), len(w))
}

// The work of prefixes and flips is bounded: one packet in spread is changed at a time, so that the sessions go on
// around it, and every sample is read so often that each packet is changed once and about changedPackets more are.
// The places differ from packet to packet, so the many packets of one kind are changed in many places.
const (
	spread         = 8
	changedPackets = 100
	changedFiles   = 8 // of a recording
)

// prefixes: every beginning of a datagram is decoded as far as it goes. Half of them are datagrams that were sent
// so short, half were cut by the capture. Of a recording it is the file that ends early.
func (s *suite) prefixes() {
	s.changedRecordings(func(file []byte, pass int) ([]byte, string) {
		cut := order(pass, len(file))
		return file[:cut], fmt.Sprintf(", file cut to %d bytes", cut)
	})
	s.changed(2, func(p *dissect.Packet, pass int) string {
		size := len(p.Payload)
		cut := order((pass/2+int(p.Frame))%size, size)
		p.Payload = p.Payload[:cut]
		if (pass+int(p.Frame/spread))%2 == 0 {
			p.Length = cut
			return fmt.Sprintf(", only %d of %d bytes sent", cut, size)
		}
		return fmt.Sprintf(", only %d of %d bytes captured", cut, size)
	})
}

// flips: every byte of a datagram can be wrong.
func (s *suite) flips() {
	masks := [...]byte{0xff, 0x01, 0x80, 0x10}
	s.changedRecordings(func(file []byte, pass int) ([]byte, string) {
		at, mask := order(changedFiles+pass, len(file)), masks[pass%len(masks)]
		file[at] ^= mask
		return file, fmt.Sprintf(", byte %d of the file xor %#x", at, mask)
	})
	s.changed(len(masks), func(p *dissect.Packet, pass int) string {
		size := len(p.Payload)
		at, mask := order((pass/len(masks)+int(p.Frame))%size, size), masks[(pass+int(p.Frame/spread))%len(masks)]
		p.Payload[at] ^= mask
		return fmt.Sprintf(", byte %d xor %#x", at, mask)
	})
}

// order returns the numbers below size in an order in which the first ones are spread over all: bits reversed.
func order(i, size int) int {
	width := bits.Len(uint(size - 1))
	for n := 0; ; n++ {
		if at := int(bits.Reverse32(uint32(n)) >> (32 - max(width, 1))); at < size {
			if i--; i < 0 {
				return at
			}
		}
	}
}

// passes is how often a sample is read, each time with other changes.
func (s *suite) passes(sample *sample, ways int) int {
	longest := 0
	for i := range sample.packets {
		longest = max(longest, len(sample.packets[i].Payload))
	}
	every := spread * ways * longest
	if s.Whole {
		return every
	}
	return min(every, spread*changedPackets/max(len(sample.packets), 1)+spread)
}

// changed dissects the samples again and again, each time with other packets changed, and looks at all records. change
// has so many ways to change each byte, and is called with numbers from 0 up to the ways times the packet's bytes.
func (s *suite) changed(ways int, change func(p *dissect.Packet, pass int) string) {
	for _, sample := range s.samples {
		if sample.file != nil {
			continue
		}
		done := make([]string, len(sample.packets))
		index := map[uint64]int{}
		for i := range sample.packets {
			index[sample.packets[i].Frame] = i
		}
		for pass := range s.passes(sample, ways) {
			clear(done)
			options := dissect.Options{State: pass%3 == 0, Events: pass%3 == 1}
			records := s.dissectChanged(sample, engine.Config{Options: options}, func(i int, p *dissect.Packet) {
				if (i+pass)%spread == 0 && pass/spread < ways*len(p.Payload) {
					done[i] = change(p, pass/spread)
					s.doing += done[i]
				}
			})
			for rec := range records {
				what := done[index[rec.Frame]]
				s.wellFormed(sample, what, rec)
				if what != "" {
					s.validate(sample, what, rec)
				}
				if s.full() {
					return
				}
			}
		}
	}
}

// changedRecordings reads the samples that are recordings again and again, each time changed, and looks at all
// records. change gets a copy of the file.
func (s *suite) changedRecordings(change func(file []byte, pass int) (changed []byte, done string)) {
	for _, sample := range s.samples {
		if sample.file == nil {
			continue
		}
		for pass := range changedFiles {
			file, done := change(bytes.Clone(sample.file), pass)
			s.doing = sample.name + done
			in, err := open.New(bytes.NewReader(file), sample.name, open.Options{Protocols: s.Beside})
			if err != nil {
				continue // it is no recording any more
			}
			for rec, err := range in.Records(dissect.Options{State: pass%3 == 0, Events: pass%3 == 1}) {
				if err != nil {
					break // it breaks off
				}
				s.wellFormed(sample, done, rec)
				if s.validate(sample, done, rec); s.full() {
					break
				}
			}
			if in.Close(); s.full() { // nothing was opened that could fail
				return
			}
		}
	}
}
