package reassembly

import (
	"bytes"
	"testing"
)

// TestForgedFragment adds one fragment of a message that its sender did not send, at every place and before every other
// one. The caller, who can check whether a message is good, gets it, once.
func TestForgedFragment(t *testing.T) {
	t.Parallel()
	const sequence = 7
	want := message(sequence, 3*1300+77)
	genuine := split(sequence, want, 1300)
	for start := 0; start <= 4*1300; start += 1300 {
		for _, length := range []int{0, 60, 1300} {
			for before := range len(genuine) + 1 {
				forged := Fragment{
					Sequence: sequence, Start: start, Length: length,
					Data: bytes.Repeat([]byte{0xee}, length), Frame: 99,
				}
				list := append(append(append([]Fragment(nil), genuine[:before]...), forged), genuine[before:]...)
				var m Messages
				got := 0
				for i, f := range list {
					if f.Frame != 99 {
						f.Frame = uint64(i)
					}
					r, err := m.Add(f)
					if err != nil {
						t.Fatal(err)
					}
					good := r.Message != nil && bytes.Equal(r.Message, want)
					for n := 0; !good; n++ {
						other, ok := m.Another(n)
						if !ok {
							break
						}
						if good = bytes.Equal(other.Message, want); good && len(other.Frames) != len(genuine) {
							t.Errorf("forged %d bytes at %d before %d: frames %v", length, start, before, other.Frames)
						}
						r = other
					}
					switch {
					case good:
						got++
					case r.Message != nil:
						m.Refuse()
					}
				}
				if got != 1 {
					t.Errorf("forged %d bytes at %d before %d: the message came %d times", length, start, before, got)
				}
				if lost := m.Flush(); len(lost) > 0 {
					t.Errorf("forged %d bytes at %d before %d: abandoned %v", length, start, before, lost)
				}
			}
		}
	}
}

// TestFarFragment has a fragment of a message that is far ahead: the one in assembly is complete in time, and those
// that are not are given up as without it.
func TestFarFragment(t *testing.T) {
	t.Parallel()
	m := NewMessages(Config{Window: 3})
	add := func(f Fragment) string {
		r, err := m.Add(f)
		return outcome(r, err)
	}
	full := make([]byte, 1300)
	add(Fragment{Sequence: 10, Length: 1300, Data: full})
	add(Fragment{Sequence: 100_000, Length: 1300, Data: full, Frame: 1})
	if got := len(m.Advance(11)) + len(m.Advance(12)); got != 1 {
		t.Errorf("%d messages given up, want the first", got)
	}
	if got := m.Advance(13); len(got) != 1 || got[0].Sequence != 100_000 {
		t.Errorf("given up: %v", got)
	}
}

// TestFarAhead: a sequence counts by itself if it is at most 64 ahead of the newest one: those between are then late,
// and give up no message.
func TestFarAhead(t *testing.T) {
	t.Parallel()
	for ahead, want := range map[uint32]int{64: 0, 65: 1} {
		m := NewMessages(Config{Window: 2})
		m.Add(Fragment{Sequence: 10, Length: 1300, Data: make([]byte, 1300)})
		if lost := m.Advance(10 + ahead); len(lost) != 0 {
			t.Errorf("%d ahead: %v given up at once", ahead, lost)
		}
		if lost := m.Advance(20); len(lost) != want {
			t.Errorf("%d ahead: %v given up by a message between, want %d", ahead, lost, want)
		}
	}
}

// TestRefuse: a message that was refused is as if it had not come, for the receiver too, and is not reported as lost.
func TestRefuse(t *testing.T) {
	t.Parallel()
	m := NewMessages(Config{Window: 3})
	full := make([]byte, 1300)
	m.Add(Fragment{Sequence: 5, Length: 1300, Data: full})
	m.Add(Fragment{Sequence: 5, Start: 1300, Length: 3, Data: []byte("abc"), Frame: 1})
	m.Refuse()
	r, err := m.Add(Fragment{Sequence: 5, Start: 1300, Length: 4, Data: []byte("good"), Frame: 2})
	if other, ok := m.Another(0); err != nil || !ok || !r.Delivered || string(other.Message[1300:]) != "good" ||
		other.ReceiverDropped {
		t.Errorf("%s, another %v", outcome(r, err), ok)
	}
	m.Advance(90)
	m.Refuse()
	if r, err := m.Add(Fragment{Sequence: 6, Length: 1, Data: []byte("x")}); err != nil || !r.Delivered {
		t.Error(outcome(r, err))
	}
}
