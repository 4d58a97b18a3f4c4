package truth_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// damaged are the beginnings of sessions, and what else is worth damaging, as ranges of frames.
var damaged = map[string][][2]uint64{
	"q3-68-connect-play":         {{1, 45}},
	"q3-71-connect-play":         {{1, 45}},
	"q3-68-download":             {{1, 24}},
	"q3-68-loss-serverside":      {{1, 50}},
	"q3-68-ipfrag-mtu576":        {{1, 40}},
	"q3-71-voip":                 {{1, 12}, {161, 172}, {455, 475}},
	"q3-oa-wrapper-71legacy":     {{1, 30}},
	"q3-multi-3clients-2servers": {{1, 40}},
	"q3-oob":                     {{1, 76}, {158, 180}},
}

// TestDamage cuts and flips the datagrams of real sessions, one at a time. Nothing panics, every datagram
// has its record, what came before stays as it was, and what cannot be read any more is said.
func TestDamage(t *testing.T) {
	t.Parallel()
	damages := min(reference.Most(2), 8) // cuts and flips of each datagram that the rest of the session follows
	for name, frames := range damaged {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &damage{TB: t, packets: pick(t, reference.Capture(t, "quake3", name), frames)}
			d.whole = d.dissect(d.packets)
			for i := range d.packets {
				for j := range damages {
					d.cut(i, len(d.packets[i].Payload)*j/damages)
					d.flip(i, 8*len(d.packets[i].Payload)*j/damages+j)
				}
				d.pile(i)
			}
			t.Logf("%d datagrams dissected", d.count)
		})
	}
}

// A damage is a sequence of datagrams to be damaged one at a time.
type damage struct {
	testing.TB
	packets []dissect.Packet
	whole   []outcome // of the sequence as it is
	count   int       // datagrams dissected so far
}

// An outcome is what is looked at of a record.
type outcome struct {
	game     bool
	encoding string
	end      int    // of what was read of a message, in bits
	sum      uint64 // over all values and places
	experts  int
	fault    string // one of the expert entries is an error
}

func pick(t *testing.T, name string, frames [][2]uint64) (chosen []dissect.Packet) {
	t.Helper()
	reftest.Packets(t, name, func(p *dissect.Packet) {
		for _, f := range frames {
			if p.Frame >= f[0] && p.Frame <= f[1] {
				c, _ := p.Clone(nil)
				chosen = append(chosen, c)
			}
		}
	})
	return chosen
}

// dissect dissects a sequence.
func (d *damage) dissect(sequence []dissect.Packet) []outcome {
	d.Helper()
	got, count := make([]outcome, len(sequence)), 0
	e, err := engine.New(engine.Config{
		Protocols: all.Protocols(), Workers: 1, All: true,
		Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
			got[rec.Frame-1] = outcomeOf(rec) // one that waits comes later
			if count++; count%16 == 0 {       // often enough to meet every kind of damage
				start := len(dst)
				dst = render.AppendJSON(dst, rec, render.JSON{Bits: true})
				if !json.Valid(dst[start:]) {
					d.Errorf("frame %d: no JSON: %s", rec.Frame, dst[start:])
				}
			}
			return dst[:0], nil
		},
	})
	if err != nil {
		d.Fatal(err)
	}
	for i := range sequence {
		p := sequence[i]
		p.Frame = uint64(i + 1)
		if err := e.Packet(&p); err != nil {
			d.Fatal(err)
		}
	}
	reftest.Close(d, e)
	d.count += len(sequence)
	if count != len(sequence) {
		d.Fatalf("%d records of %d datagrams", count, len(sequence))
	}
	return got
}

func outcomeOf(rec *dissect.Record) outcome {
	o := outcome{game: rec.Protocol != nil, end: consumed(rec.Tree), experts: len(rec.Experts)}
	for i := range rec.Tree.Nodes {
		n := &rec.Tree.Nodes[i]
		if n.Field.Key == "encoding" {
			o.encoding = string(rec.Tree.Bytes(n))
		}
		value := n.Uint()
		for _, v := range [...]uint64{value, uint64(n.Bit), uint64(n.Bits)} {
			o.sum = (o.sum ^ v) * 0x100000001b3 // FNV
		}
	}
	for _, e := range rec.Experts {
		if e.Severity == dissect.Fault {
			o.fault = e.Code + ": " + e.Message
		}
	}
	return o
}

// cut ends a datagram early. What follows lacks what it said, but is not at fault.
func (d *damage) cut(i, size int) {
	got := d.dissect(d.with(i, shorter(&d.packets[i], size)))
	d.before(i, got)
	if o := got[i]; o.game && o.experts == 0 && d.whole[i].end > 0 && 8*size < d.whole[i].end {
		d.Errorf("frame %d: nothing is said of its end after %d of %d bytes", d.packets[i].Frame, size,
			len(d.packets[i].Payload))
	}
	for j := i + 1; j < len(got); j++ {
		if got[j].fault != d.whole[j].fault || got[j].encoding != d.whole[j].encoding || got[j].game != d.whole[j].game {
			d.Errorf("frame %d, after %d was cut at %d: %+v, want %+v", d.packets[j].Frame, d.packets[i].Frame,
				size, got[j], d.whole[j])
			return
		}
	}
}

// flip changes one bit of a datagram. In a packet of a session that changes nothing of what follows but
// what it said.
func (d *damage) flip(i, bit int) {
	p := &d.packets[i]
	if bit >= 8*len(p.Payload) {
		return
	}
	got := d.dissect(d.with(i, flipped(p, bit)))
	d.before(i, got)
	if bytes.HasPrefix(p.Payload, []byte("\xff\xff\xff\xff")) {
		return // other words, perhaps another challenge
	}
	for j := i + 1; j < len(got); j++ {
		if got[j].encoding != d.whole[j].encoding || got[j].game != d.whole[j].game {
			d.Errorf("frame %d, after bit %d of %d was flipped: %+v, want %+v", d.packets[j].Frame, bit,
				p.Frame, got[j], d.whole[j])
			return
		}
	}
}

// pile puts every cut of a datagram, and a flip in each of its bytes, before it.
func (d *damage) pile(i int) {
	p := &d.packets[i]
	sequence := append([]dissect.Packet(nil), d.packets[:i]...)
	for size := range p.Payload {
		sequence = append(sequence, shorter(p, size), flipped(p, 8*size+(size+i)%8))
	}
	d.before(i, d.dissect(append(sequence, d.packets[i:]...)))
}

// before demands that the records before a damaged one are as without the damage.
func (d *damage) before(i int, got []outcome) {
	for j := range i {
		if got[j] != d.whole[j] {
			d.Errorf("frame %d is another when %d, after it, is damaged", d.packets[j].Frame, d.packets[i].Frame)
		}
	}
}

// with returns the sequence with another datagram in a place.
func (d *damage) with(i int, p dissect.Packet) []dissect.Packet {
	sequence := append([]dissect.Packet(nil), d.packets...)
	sequence[i] = p
	return sequence
}

func shorter(p *dissect.Packet, size int) dissect.Packet {
	c := *p
	c.Payload, c.Length = p.Payload[:size], size
	return c
}

func flipped(p *dissect.Packet, bit int) dissect.Packet {
	c := *p
	c.Payload = bytes.Clone(p.Payload)
	c.Payload[bit/8] ^= 1 << (bit % 8)
	return c
}
