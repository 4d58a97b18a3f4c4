package reassembly

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"slices"
	"testing"
	"time"
)

// fuzzOps bounds the fragments of one input; each may have 64 KiB.
const fuzzOps = 64

// FuzzMessages feeds a channel with any fragments. Each takes eight bytes: what
// it is, sequence, start and length (16 bits each, as on the wire), and what its
// bytes are and lack.
func FuzzMessages(f *testing.F) {
	op := func(kind, sequence byte, start, length uint16, fill, cut byte) []byte {
		b := []byte{kind, sequence}
		b = binary.LittleEndian.AppendUint16(b, start)
		b = binary.LittleEndian.AppendUint16(b, length)
		return append(b, fill, cut)
	}
	f.Add(slices.Concat(op(0, 1, 0, 1300, 1, 0), op(0, 1, 1300, 1300, 2, 0), op(0, 1, 2600, 140, 3, 0)))
	f.Add(slices.Concat(op(0, 1, 1300, 0, 1, 0), op(1, 2, 0, 0, 0, 0), op(0, 1, 0, 1300, 1, 0)))
	f.Add(slices.Concat(op(0, 1, 2600, 1300, 1, 9), op(2, 0, 0, 0, 0, 0), op(0, 1, 1300, 5, 1, 0), op(3, 0, 0, 0, 0, 0)))
	f.Fuzz(func(t *testing.T, input []byte) {
		config := Config{Window: 3}.withDefaults()
		m := NewMessages(config)
		var log []Fragment // by frame
		fed := 0
		for input = input[:min(len(input), fuzzOps*8)]; len(input) >= 8; input = input[8:] {
			sequence := uint32(input[1] & 7)
			switch input[0] & 7 {
			case 1:
				checkAbandoned(t, m.Advance(sequence), log)
			case 2:
				checkAbandoned(t, m.Flush(), log)
			case 3:
				m.Reset()
			default:
				length := int(binary.LittleEndian.Uint16(input[4:]))
				cut := min(int(input[7]), length)
				fragment := Fragment{
					Sequence: sequence, Start: int(binary.LittleEndian.Uint16(input[2:])), Length: length,
					Data: bytes.Repeat(input[6:7], length-cut), Frame: uint64(len(log)), Truncated: input[0]&16 != 0,
				}
				log = append(log, fragment)
				fed += len(fragment.Data)
				r, err := m.Add(fragment)
				if err != nil && (r.Message != nil || r.Duplicate || r.Conflict || r.Delivered) {
					t.Fatalf("%v, and yet %s", err, outcome(r, nil))
				}
				checkAbandoned(t, r.Abandoned, log)
				checkMessage(t, &r, log, config)
			}
			held := 0
			for _, a := range m.live {
				held += len(a.data)
				if len(a.data) > config.MaxMessage || len(a.pieces) > config.MaxMessage/config.FragmentSize+1 {
					t.Fatalf("%d bytes in %d pieces", len(a.data), len(a.pieces))
				}
			}
			if m.Pending() > config.Window || len(m.live)+len(m.free) > config.Window || held > fed {
				t.Fatalf("%d in assembly, %d spare, %d bytes of %d", m.Pending(), len(m.free), held, fed)
			}
		}
	})
}

// checkMessage wants every byte of a complete message to come from the frame
// that is named for its place.
func checkMessage(t *testing.T, r *Result, log []Fragment, c Config) {
	if r.Message == nil {
		if r.Frames != nil || r.ReceiverDropped || r.Truncated || r.Length != 0 {
			t.Fatalf("nothing complete, and yet %s", outcome(*r, nil))
		}
		return
	}
	if len(r.Message) > r.Length || r.Length > c.MaxMessage || r.Truncated != (len(r.Message) < r.Length) {
		t.Fatal(outcome(*r, nil))
	}
	if !slices.IsSorted(r.Frames) || r.Frames[len(r.Frames)-1] != uint64(len(log)-1) {
		t.Fatalf("frames %v, completed by %d", r.Frames, len(log)-1)
	}
	covered := 0
	for _, f := range framesOf(r.Frames, log) {
		covered += f.Length
		from, to := min(f.Start, len(r.Message)), min(f.Start+len(f.Data), len(r.Message))
		if from < to && !bytes.Equal(r.Message[from:to], f.Data[:to-from]) {
			t.Fatalf("bytes from %d are not those of frame %d", f.Start, f.Frame)
		}
	}
	if covered != r.Length {
		t.Fatalf("frames %v have %d bytes, the message %d", r.Frames, covered, r.Length)
	}
}

func framesOf(frames []uint64, log []Fragment) []Fragment {
	var out []Fragment
	for _, frame := range frames {
		out = append(out, log[frame])
	}
	return out
}

func checkAbandoned(t *testing.T, lost []Abandoned, log []Fragment) {
	for i, a := range lost {
		if i > 0 && lost[i-1].Sequence >= a.Sequence {
			t.Fatalf("given up %v: not by sequence", lost)
		}
		held := 0
		for _, f := range framesOf(a.Frames, log) {
			held += len(f.Data)
			if f.Sequence != a.Sequence || f.Start == a.Missing {
				t.Fatalf("given up %+v, with %+v", a, f.Start)
			}
		}
		if held != a.Held || len(a.Frames) == 0 || a.Total >= 0 && a.Missing >= max(a.Total, 1) {
			t.Fatalf("given up %+v, frames hold %d bytes", a, held)
		}
	}
}

// FuzzIPFragments feeds any fragments. Each takes nine bytes: key and flags,
// offset in units and length (16 bits each), what its bytes are and lack, and
// the seconds since the one before, signed.
func FuzzIPFragments(f *testing.F) {
	op := func(kind byte, offset, length uint16, fill, cut byte, seconds int8) []byte {
		b := []byte{kind}
		b = binary.LittleEndian.AppendUint16(b, offset)
		b = binary.LittleEndian.AppendUint16(b, length)
		return append(b, fill, cut, 0, byte(seconds))
	}
	const more = 0x80
	f.Add(slices.Concat(op(more, 0, 552, 1, 0, 0), op(more, 69, 552, 2, 0, 1), op(0, 138, 214, 3, 0, 2)))
	f.Add(slices.Concat(op(more|1, 1, 8, 1, 0, 0), op(more|1, 0, 64, 2, 0, 1), op(1, 4, 40, 3, 9, 2),
		op(1, 0, 9, 0, 0, 40)))
	f.Add(slices.Concat(op(0, 8191, 7, 1, 0, 0), op(more, 8191, 8, 1, 0, 0), op(more, 0, 65528, 1, 0, -128)))
	f.Fuzz(func(t *testing.T, input []byte) {
		var p IPFragments
		now := noon
		log := make(map[uint64]IPFragment)
		for frame := uint64(0); len(input) >= 9 && frame < fuzzOps; frame++ {
			kind := input[0]
			now = now.Add(time.Duration(int8(input[8])) * time.Second)
			length := int(binary.LittleEndian.Uint16(input[3:]))
			fragment := IPFragment{
				IPKey: key4, Offset: int(binary.LittleEndian.Uint16(input[1:])) * 8, More: kind&more != 0, Length: length,
				Data: bytes.Repeat(input[5:6], max(0, length-int(input[6]))), Frame: frame, Time: now,
			}
			if kind&1 != 0 {
				fragment.IPKey = key6
			}
			fragment.ID = uint32(kind >> 1 & 3)
			fragment.Proto = kind >> 3 & 1
			if input[7] == 'z' {
				fragment.Time = time.Time{}
			}
			log[frame] = fragment
			r, err := p.Add(fragment)
			if err != nil && ipOutcome(r, err) != "error" {
				t.Fatal(ipOutcome(r, err))
			}
			checkDatagram(t, &r, log, frame)
			if p.memory != memoryOf(&p) || p.memory > MaxIPBytes || p.Pending() > 32 {
				t.Fatalf("%d bytes accounted for, %d occupied, %d pending", p.memory, memoryOf(&p), p.Pending())
			}
			input = input[9:]
		}
	})
}

// checkDatagram wants the first frame that covers a byte to have given it.
func checkDatagram(t *testing.T, r *IPResult, log map[uint64]IPFragment, frame uint64) {
	if r.Datagram == nil {
		return
	}
	if r.Length > MaxIPPayload || len(r.Datagram) > r.Length || r.Truncated != (len(r.Datagram) < r.Length) {
		t.Fatal(ipOutcome(*r, nil))
	}
	if !slices.IsSorted(r.Frames) || len(slices.Compact(slices.Clone(r.Frames))) != len(r.Frames) ||
		r.Frames[len(r.Frames)-1] != frame {
		t.Fatalf("frames %v, completed by %d", r.Frames, frame)
	}
	want := make([]byte, r.Length)
	given := make([]bool, r.Length)
	sameKey := func(a, b IPFragment) bool {
		return a.Src == b.Src && a.Dst == b.Dst && a.ID == b.ID && (a.Proto == b.Proto || a.Src.Is6())
	}
	for _, n := range r.Frames {
		f := log[n]
		if !sameKey(f, log[frame]) || f.Src == (netip.Addr{}) {
			t.Fatalf("frame %d does not belong to %d", n, frame)
		}
		for i := f.Offset; i < f.Offset+f.Length; i++ {
			if given[i] {
				continue
			}
			given[i] = true
			if i-f.Offset < len(f.Data) {
				want[i] = f.Data[i-f.Offset]
			} else if i < len(r.Datagram) {
				t.Fatalf("byte %d was not captured", i)
			}
		}
	}
	if slices.Contains(given, false) || !bytes.Equal(r.Datagram, want[:len(r.Datagram)]) {
		t.Fatalf("not the bytes of frames %v", r.Frames)
	}
}
