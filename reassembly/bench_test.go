package reassembly

import (
	"fmt"
	"testing"
	"time"
)

// warmMessages returns a function that sends a message of four fragments, in
// order or not, and one whole one. Every 40th message loses a fragment.
func warmMessages(tb testing.TB, inOrder bool) (next func()) {
	m := NewMessages(Config{})
	fragments := split(1, message(1, 4000), DefaultFragmentSize)
	if !inOrder {
		fragments[0], fragments[2] = fragments[2], fragments[0]
	}
	sequence, frame := uint32(0), uint64(0)
	return func() {
		sequence++
		complete := false
		for i, f := range fragments {
			frame++
			if i == 1 && sequence%40 == 0 {
				complete = true // cannot be
				continue
			}
			f.Sequence, f.Frame = sequence, frame
			r, err := m.Add(f)
			if err != nil {
				tb.Fatal(err)
			}
			complete = complete || r.Message != nil
		}
		if !complete {
			tb.Fatalf("message %d is not complete", sequence)
		}
		sequence++
		m.Advance(sequence)
	}
}

// warmIP returns a function that sends a datagram of three fragments. Every
// 40th loses one.
func warmIP(tb testing.TB) (next func()) {
	var p IPFragments
	data := message(1, 1318)
	now := noon
	id, frame := uint32(0), uint64(0)
	return func() {
		id++
		now = now.Add(time.Second)
		for i := range 3 {
			frame++
			if i == 1 && id%40 == 0 {
				continue
			}
			key := key4
			key.ID = id & 0xffff
			part := data[i*552 : min(i*552+552, len(data))]
			r, err := p.Add(IPFragment{
				IPKey: key, Offset: i * 552, More: i < 2, Length: len(part), Data: part,
				Frame: frame, Time: now,
			})
			if err != nil {
				tb.Fatal(err)
			}
			if complete := i == 2 && id%40 != 0; (r.Datagram != nil) != complete {
				tb.Fatalf("datagram %d, fragment %d: %s", id, i, ipOutcome(r, err))
			}
		}
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	for name, next := range map[string]func(){
		"messages in order":     warmMessages(t, true),
		"messages out of order": warmMessages(t, false),
		"IP":                    warmIP(t),
	} {
		for range 200 {
			next()
		}
		if n := testing.AllocsPerRun(200, next); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func BenchmarkMessages(b *testing.B) {
	for _, inOrder := range []bool{true, false} {
		b.Run(fmt.Sprintf("inOrder=%v", inOrder), func(b *testing.B) {
			next := warmMessages(b, inOrder)
			b.SetBytes(4000)
			b.ReportAllocs()
			for b.Loop() {
				next()
			}
		})
	}
}

func BenchmarkIPFragments(b *testing.B) {
	next := warmIP(b)
	b.SetBytes(1318)
	b.ReportAllocs()
	for b.Loop() {
		next()
	}
}

// BenchmarkIPFragmentsHostile is the dearest that fragments can be: eight bytes
// each, every other place left out.
func BenchmarkIPFragmentsHostile(b *testing.B) {
	data := message(1, 8)
	b.ReportAllocs()
	for b.Loop() {
		var p IPFragments
		for offset := 65520; offset > 0; offset -= 16 {
			if _, err := p.Add(IPFragment{IPKey: key4, Offset: offset, More: true, Length: 8, Data: data}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
