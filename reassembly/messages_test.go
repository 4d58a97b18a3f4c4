package reassembly

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// message returns n bytes that differ from place to place and from one sequence
// to another, so that no fragment can replace another.
func message(sequence uint32, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(uint32(i)*7 + uint32(i)>>8 + sequence*31)
	}
	return b
}

// split cuts msg as Netchan_Transmit and Netchan_TransmitNextFragment do
// (net_chan.c): pieces of size bytes, the last one shorter, if need be empty.
func split(sequence uint32, msg []byte, size int) []Fragment {
	var fragments []Fragment
	for start := 0; ; start += size {
		n := min(size, len(msg)-start)
		fragments = append(fragments, Fragment{
			Sequence: sequence, Start: start, Length: n, Data: msg[start : start+n],
		})
		if n < size {
			return fragments
		}
	}
}

// step is one call: a fragment, or a whole message if whole.
type step struct {
	seq           uint32
	start, length int
	whole         bool
	data          byte // added to every byte of the fragment
	cut           int  // bytes that the capture left off
	want          string
}

// outcome writes the interesting part of a result in one line.
func outcome(r Result, err error) string {
	var b bytes.Buffer
	add := func(say bool, format string, args ...any) {
		if !say {
			return
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, format, args...)
	}
	add(err != nil, "error")
	add(r.Message != nil, "message=%d/%d%v", len(r.Message), r.Length, r.Frames)
	add(r.Truncated, "truncated")
	add(r.Duplicate, "duplicate")
	add(r.Conflict, "conflict")
	add(r.Delivered, "delivered")
	add(r.ReceiverDropped, "dropped")
	for _, a := range r.Abandoned {
		add(true, "abandoned=%d%v held=%d total=%d missing=%d", a.Sequence, a.Frames, a.Held, a.Total, a.Missing)
	}
	return b.String()
}

// The rules are those of the receiver in Netchan_Process, net_chan.c, in the
// order in which it applies them:
//
//	2  drop a sequence that is not above the last one handed on
//	3  another sequence than the one in assembly restarts assembly
//	4  ignore a fragment that does not start where the bytes so far end
//	5  drop a length that is negative, beyond the datagram, or beyond the buffer
//	6  a fragment of 1300 bytes waits for more, any other completes the message
//
// Frames are numbered from 1 by step.
func TestMessages(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		config Config
		steps  []step
		flush  string
	}{
		{
			name: "a message of 2740 bytes, as the first gamestate of q3-68-connect-play",
			steps: []step{
				{seq: 1, start: 0, length: 1300},
				{seq: 1, start: 1300, length: 1300},
				{seq: 1, start: 2600, length: 140, want: "message=2740/2740[1 2 3] delivered"},
			},
		},
		{
			name: "rule 6: an exact multiple ends with an empty fragment",
			steps: []step{
				{seq: 1, start: 0, length: 1300},
				{seq: 1, start: 1300, length: 1300},
				{seq: 1, start: 2600, length: 0, want: "message=2600/2600[1 2 3] delivered"},
			},
		},
		{
			name: "rule 6: the empty fragment first",
			steps: []step{
				{seq: 1, start: 1300, length: 0},
				{seq: 1, start: 0, length: 1300, want: "message=1300/1300[1 2] dropped"},
			},
		},
		{
			name:  "rule 6: one short fragment is a message",
			steps: []step{{seq: 1, start: 0, length: 5, want: "message=5/5[1] delivered"}},
		},
		{
			name:  "rule 6: an empty fragment at 0 is a message without bytes",
			steps: []step{{seq: 1, start: 0, length: 0, want: "message=0/0[1] delivered"}},
		},
		{
			name:  "rule 6: a fragment longer than 1300 completes as well",
			steps: []step{{seq: 1, start: 0, length: 1400, want: "message=1400/1400[1] delivered"}},
		},
		{
			name: "rule 4: order lost, the receiver ignores the second fragment and never gets it again",
			steps: []step{
				{seq: 1, start: 1300, length: 10},
				{seq: 1, start: 0, length: 1300, want: "message=1310/1310[1 2] dropped"},
			},
		},
		{
			name: "rule 4: ... unless a copy of it comes, as Quake3e sends them",
			steps: []step{
				{seq: 1, start: 1300, length: 10},
				{seq: 1, start: 0, length: 1300, want: "message=1310/1310[1 2] dropped"},
				{seq: 1, start: 0, length: 1300, want: "duplicate"},
				{seq: 1, start: 1300, length: 10, want: "duplicate delivered"},
				{seq: 1, start: 1300, length: 10, want: "duplicate"},
			},
		},
		{
			name: "rule 4: a duplicate in the middle is ignored",
			steps: []step{
				{seq: 1, start: 0, length: 1300},
				{seq: 1, start: 0, length: 1300, want: "duplicate"},
				{seq: 1, start: 1300, length: 10, want: "message=1310/1310[1 3] delivered"},
			},
		},
		{
			name: "rule 3: a newer message makes the receiver start anew",
			steps: []step{
				{seq: 1, start: 0, length: 1300},
				{seq: 2, start: 0, length: 1300},
				{seq: 1, start: 1300, length: 10, want: "message=1310/1310[1 3] dropped"},
				{seq: 2, start: 1300, length: 10, want: "message=1310/1310[2 4] dropped"},
			},
		},
		{
			name: "rule 3 looks at fragments only: an older whole message does not disturb",
			steps: []step{
				{seq: 5, start: 0, length: 1300},
				{seq: 4, whole: true},
				{seq: 5, start: 1300, length: 10, want: "message=1310/1310[1 3] delivered"},
			},
		},
		{
			name: "rule 2: a newer whole message closes the older one",
			steps: []step{
				{seq: 1, start: 0, length: 1300},
				{seq: 2, whole: true},
				{seq: 1, start: 1300, length: 10, want: "message=1310/1310[1 3] dropped"},
			},
		},
		{
			name:  "rule 2: sequences begin at 1",
			steps: []step{{seq: 0, start: 0, length: 10, want: "message=10/10[1] dropped"}},
		},
		{
			name: "rule 5: a length beyond the datagram",
			steps: []step{
				{seq: 1, start: 0, length: 1300, cut: -1, want: "error"},
				{seq: 1, start: 0, length: -1, want: "error"},
				{seq: 1, start: 0, length: 10, want: "message=10/10[3] delivered"},
			},
		},
		{
			name:   "rule 5: a length beyond the buffer of 16384 bytes",
			config: Config{MaxMessage: 16384},
			steps: []step{
				{seq: 1, start: 0, length: 16385, want: "error"},
				{seq: 1, start: 15600, length: 785, want: "error"},
				{seq: 1, start: 16900, length: 0, want: "error"},
				{seq: 1, start: 0, length: 16384, want: "message=16384/16384[4] delivered"},
			},
		},
		{
			name: "16-bit start and length reach 65535",
			steps: []step{
				{seq: 1, start: 65000, length: 536, want: "error"},
				{seq: 1, start: 65000, length: 535},
			},
			flush: "abandoned=1[2] held=535 total=65535 missing=0",
		},
		{
			name: "rules 4 and 6: a start that is not a multiple cannot be",
			steps: []step{
				{seq: 1, start: 10, length: 20, want: "error"},
				{seq: 1, start: 1299, length: 1300, want: "error"},
				{seq: 1, start: -1300, length: 20, want: "error"},
			},
		},
		{
			name: "an impossible length of a newer message still costs the receiver the older one",
			steps: []step{
				{seq: 1, start: 0, length: 1300},
				{seq: 2, start: 0, length: -5, want: "error"},
				{seq: 1, start: 1300, length: 10, want: "message=1310/1310[1 3] dropped"},
			},
		},
		{
			name: "other bytes at the same start: the first stay",
			steps: []step{
				{seq: 1, start: 1300, length: 10},
				{seq: 1, start: 1300, length: 10, data: 1, want: "conflict"},
				{seq: 1, start: 1300, length: 11, want: "conflict"},
				{seq: 1, start: 0, length: 1300, want: "message=1310/1310[1 4] dropped"},
			},
		},
		{
			name: "... even if the receiver, which ignored it, takes the other",
			steps: []step{
				{seq: 1, start: 1300, length: 1300},
				{seq: 1, start: 0, length: 1300},
				{seq: 1, start: 1300, length: 10, want: "conflict delivered"},
				{seq: 1, start: 2600, length: 5, want: "message=2605/2605[1 2 4]"},
			},
		},
		{
			name: "a fragment after the end",
			steps: []step{
				{seq: 1, start: 1300, length: 10},
				{seq: 1, start: 2600, length: 1300, want: "conflict"},
				{seq: 1, start: 0, length: 1300, want: "message=1310/1310[1 3] dropped"},
			},
		},
		{
			name: "an end before another: the receiver stops there",
			steps: []step{
				{seq: 1, start: 0, length: 1300},
				{seq: 1, start: 2600, length: 1300},
				{seq: 1, start: 3900, length: 7},
				{seq: 1, start: 1300, length: 10, want: "message=1310/1310[1 4] conflict delivered"},
			},
		},
		{
			name:   "given up after so many newer messages, once",
			config: Config{Window: 3},
			steps: []step{
				{seq: 1, start: 0, length: 1300},
				{seq: 2, whole: true},
				{seq: 3, whole: true},
				{seq: 4, whole: true, want: "abandoned=1[1] held=1300 total=-1 missing=1300"},
				{seq: 5, whole: true},
			},
		},
		{
			name:   "duplicate and late whole messages give nothing up",
			config: Config{Window: 2},
			steps: []step{
				{seq: 5, start: 0, length: 1300},
				{seq: 6, whole: true},
				{seq: 6, whole: true},
				{seq: 4, whole: true},
				{seq: 3, whole: true},
				{seq: 5, start: 1300, length: 0, want: "message=1300/1300[1 6] dropped"},
			},
		},
		{
			name:   "an older whole message does not give up a newer one",
			config: Config{Window: 1},
			steps: []step{
				{seq: 5, start: 0, length: 1300},
				{seq: 4, whole: true},
				{seq: 5, whole: true},
				{seq: 5, start: 1300, length: 0, want: "message=1300/1300[1 4] dropped"},
			},
		},
		{
			name:   "a fragment makes its message young again",
			config: Config{Window: 2},
			steps: []step{
				{seq: 1, start: 2600, length: 2},
				{seq: 2, whole: true},
				{seq: 1, start: 0, length: 1300},
				{seq: 3, whole: true},
				{seq: 1, start: 1300, length: 1300, want: "message=2602/2602[1 3 5] dropped"},
			},
		},
		{
			name:   "more than the window in assembly",
			config: Config{Window: 2},
			steps: []step{
				{seq: 1, start: 0, length: 1300},
				{seq: 2, start: 0, length: 1300},
				{seq: 1, start: 1300, length: 1300},
				{seq: 2, start: 1300, length: 1300},
				{seq: 3, start: 0, length: 1300, want: "abandoned=1[1 3] held=2600 total=-1 missing=2600"},
				{seq: 4, start: 1300, length: 9, want: "abandoned=2[2 4] held=2600 total=-1 missing=2600"},
			},
			flush: "abandoned=3[5] held=1300 total=-1 missing=1300 abandoned=4[6] held=9 total=1309 missing=0",
		},
		{
			name:   "a late message is assembled too",
			config: Config{Window: 2},
			steps: []step{
				{seq: 90, whole: true},
				{seq: 7, start: 0, length: 1300},
				{seq: 7, start: 1300, length: 4, want: "message=1304/1304[2 3] dropped"},
			},
		},
		{
			name: "cut by the capture: what lies before the first cut",
			steps: []step{
				{seq: 1, start: 0, length: 1300, cut: 1200},
				{seq: 1, start: 1300, length: 1300},
				{seq: 1, start: 2600, length: 140, want: "message=100/2740[1 2 3] truncated delivered"},
			},
		},
		{
			name: "cut by the capture: only the last",
			steps: []step{
				{seq: 1, start: 1300, length: 140, cut: 40},
				{seq: 1, start: 1300, length: 140, cut: 50, want: "duplicate"},
				{seq: 1, start: 0, length: 1300, want: "message=1400/1440[1 3] truncated dropped"},
			},
		},
		{
			name:  "cut by the capture: nothing left",
			steps: []step{{seq: 1, start: 0, length: 140, cut: 140, want: "message=0/140[1] truncated delivered"}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := NewMessages(tt.config)
			for i, s := range tt.steps {
				got := s.run(m, uint64(i+1))
				if diff := cmp.Diff(s.want, got); diff != "" {
					t.Errorf("step %d (-want +got):\n%s", i+1, diff)
				}
			}
			if diff := cmp.Diff(tt.flush, outcome(Result{Abandoned: m.Flush()}, nil)); tt.flush != "" && diff != "" {
				t.Errorf("flush (-want +got):\n%s", diff)
			}
			if again := m.Flush(); len(again) != 0 || m.Pending() != 0 {
				t.Errorf("after Flush: %v again, %d pending", again, m.Pending())
			}
		})
	}
}

func (s step) run(m *Messages, frame uint64) string {
	if s.whole {
		return outcome(Result{Abandoned: m.Advance(s.seq)}, nil)
	}
	data := message(s.seq, 70000)
	for i := range data {
		data[i] += s.data
	}
	from := max(s.start, 0)
	f := Fragment{Sequence: s.seq, Start: s.start, Length: s.length, Frame: frame, Truncated: s.cut > 0}
	switch {
	case s.cut < 0:
		f.Data = data[from : from+s.length+s.cut]
	default:
		f.Data = data[from : from+max(s.length-s.cut, 0)]
	}
	r, err := m.Add(f)
	if err != nil && !errors.Is(err, ErrFragment) {
		return "strange error: " + err.Error()
	}
	if r.Message != nil && !bytes.Equal(r.Message, message(s.seq, len(r.Message))) {
		return "wrong bytes"
	}
	return outcome(r, err)
}

func TestAbandonedErr(t *testing.T) {
	t.Parallel()
	err := Abandoned{Sequence: 12, Missing: 1300}.Err()
	if !errors.Is(err, ErrGap) || errors.Is(err, ErrFragment) {
		t.Errorf("%v is not ErrGap alone", err)
	}
	if diff := cmp.Diff("fragments missing: message 12 from byte 1300", err.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
