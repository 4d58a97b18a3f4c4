package reassembly

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// engine is the receiver of Netchan_Process as the protocol reference describes
// it, rule by rule, with real buffers. Its likeness to receiver is not by design:
// it is written from the text, to compare with.
type engine struct {
	incoming   int32 // last accepted sequence
	assembling int32
	buffer     []byte
}

const engineBuffer = 16384 // MAX_MSGLEN, qcommon.h

// packet takes a datagram. rest is what follows the header.
func (e *engine) packet(sequence int32, fragmented bool, start, length int16,
	rest []byte,
) (msg []byte, delivered bool) {
	if sequence <= e.incoming { // rule 2
		return nil, false
	}
	if !fragmented {
		e.incoming = sequence
		return rest, true
	}
	if sequence != e.assembling { // rule 3
		e.assembling, e.buffer = sequence, nil
	}
	if int(start) != len(e.buffer) { // rule 4
		return nil, false
	}
	if length < 0 || int(length) > len(rest) || len(e.buffer)+int(length) > engineBuffer { // rule 5
		return nil, false
	}
	e.buffer = append(e.buffer, rest[:length]...)
	if length == 1300 { // rule 6
		return nil, false
	}
	msg, e.buffer = e.buffer, nil
	e.incoming = sequence
	return msg, true
}

// sent is one packet of a drawn channel.
type sent struct {
	Fragment
	whole bool
}

// drawChannel draws some messages of a channel, cut as a sender does.
func drawChannel(t *rapid.T, most int) (messages map[uint32][]byte, packets []sent) {
	messages = make(map[uint32][]byte)
	sequence := rapid.Uint32Range(1, 1000).Draw(t, "sequence")
	for range rapid.IntRange(1, most).Draw(t, "messages") {
		n := rapid.OneOf(
			rapid.IntRange(0, 5000),
			rapid.Map(rapid.IntRange(1, 4), func(k int) int { return k * 1300 }),
		).Draw(t, "size")
		msg := message(sequence, n)
		if n < 1300 {
			packets = append(packets, sent{Fragment{Sequence: sequence, Length: n, Data: msg}, true})
		} else {
			messages[sequence] = msg
			for _, f := range split(sequence, msg, 1300) {
				packets = append(packets, sent{f, false})
			}
		}
		sequence += rapid.Uint32Range(1, 3).Draw(t, "step")
	}
	return messages, packets
}

// drawNetwork draws what becomes of packets: some lost, some doubled, and moved
// by no more than reach places.
func drawNetwork(t *rapid.T, packets []sent, losses, copies bool, reach int) []sent {
	type slot struct{ at, n int }
	var slots []slot
	for i := range packets {
		n := 1
		switch rapid.IntRange(0, 9).Draw(t, "fate") {
		case 0:
			if losses {
				n = 0
			}
		case 1:
			if copies {
				n = 2
			}
		}
		for range n {
			slots = append(slots, slot{i + rapid.IntRange(0, reach).Draw(t, "delay"), i})
		}
	}
	slices.SortStableFunc(slots, func(a, b slot) int { return a.at - b.at })
	out := make([]sent, len(slots))
	for i, s := range slots {
		out[i] = packets[s.n]
		out[i].Frame = uint64(i + 1)
	}
	return out
}

func TestMessagesSplitShuffleReassemble(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		messages, packets := drawChannel(t, 6)
		losses := rapid.Bool().Draw(t, "losses")
		packets = drawNetwork(t, packets, losses, true, rapid.SampledFrom([]int{0, 2, len(packets)}).Draw(t, "reach"))
		var m Messages
		complete := make(map[uint32]bool)
		abandoned := make(map[uint32]bool)
		begun := make(map[uint32]bool)
		give := func(lost []Abandoned) {
			for _, a := range lost {
				if abandoned[a.Sequence] || complete[a.Sequence] {
					t.Fatalf("message %d given up twice or after completion", a.Sequence)
				}
				abandoned[a.Sequence] = true
				for _, frame := range a.Frames {
					if packets[frame-1].Sequence != a.Sequence {
						t.Fatalf("message %d given up with frame %d", a.Sequence, frame)
					}
				}
			}
		}
		for _, p := range packets {
			if p.whole {
				give(m.Advance(p.Sequence))
				continue
			}
			begun[p.Sequence] = true
			r, err := m.Add(p.Fragment)
			if err != nil {
				t.Fatal(err)
			}
			give(r.Abandoned)
			if r.Message == nil {
				continue
			}
			if complete[p.Sequence] {
				t.Fatalf("message %d complete twice", p.Sequence)
			}
			complete[p.Sequence] = true
			if !bytes.Equal(r.Message, messages[p.Sequence]) {
				t.Fatalf("message %d differs", p.Sequence)
			}
			checkFrames(t, packets, p, r.Frames)
		}
		give(m.Flush())
		// Six messages never leave the window of eight, so each is either.
		for sequence := range begun {
			if complete[sequence] == abandoned[sequence] {
				t.Fatalf("message %d: complete %v, abandoned %v", sequence, complete[sequence], abandoned[sequence])
			}
		}
		if !losses && len(complete) != len(messages) {
			t.Fatalf("nothing lost, but %d of %d complete", len(complete), len(messages))
		}
	})
}

// checkFrames wants the frames to be those of each start once, ascending, and
// the completing one among them, which comes last.
func checkFrames(t *rapid.T, packets []sent, last sent, frames []uint64) {
	starts := make(map[int]bool)
	for i, frame := range frames {
		p := packets[frame-1]
		if p.Sequence != last.Sequence || starts[p.Start] || i > 0 && frames[i-1] >= frame {
			t.Fatalf("frames %v of message %d", frames, last.Sequence)
		}
		starts[p.Start] = true
	}
	if len(frames) == 0 || frames[len(frames)-1] != last.Frame {
		t.Fatalf("frames %v without %d", frames, last.Frame)
	}
}

// Delivered and ReceiverDropped match what the engine does.
func TestMessagesAgreesWithEngine(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		_, packets := drawChannel(t, 12)
		reach := rapid.SampledFrom([]int{0, 1, 2, 5, len(packets)}).Draw(t, "reach")
		packets = drawNetwork(t, packets, rapid.Bool().Draw(t, "losses"), rapid.Bool().Draw(t, "copies"), reach)
		m := NewMessages(Config{MaxMessage: engineBuffer})
		var e engine
		received := make(map[uint32]bool)
		for _, p := range packets {
			msg, delivered := e.packet(int32(p.Sequence), !p.whole, int16(p.Start), int16(p.Length), p.Data)
			received[p.Sequence] = received[p.Sequence] || delivered
			if p.whole {
				m.Advance(p.Sequence)
				continue
			}
			r, err := m.Add(p.Fragment)
			if err != nil {
				t.Fatal(err)
			}
			if r.Delivered != delivered {
				t.Fatalf("frame %d: Delivered is %v, the engine's is %v", p.Frame, r.Delivered, delivered)
			}
			if r.Message != nil && r.ReceiverDropped == received[p.Sequence] {
				t.Fatalf("frame %d: ReceiverDropped is %v, the engine has it: %v", p.Frame, r.ReceiverDropped, received[p.Sequence])
			}
			if r.Message != nil && delivered && !bytes.Equal(r.Message, msg) {
				t.Fatalf("frame %d: the engine has another message", p.Frame)
			}
		}
	})
}

// The same for fragments that no sender sends.
func TestMessagesAgreesWithEngineOnNonsense(t *testing.T) {
	t.Parallel()
	lengths := rapid.OneOf(rapid.SampledFrom([]int{0, 1, 1299, 1300, 1301, -1, -1300, 16384, 15000}),
		rapid.IntRange(-32768, 32767))
	starts := rapid.OneOf(
		rapid.Map(rapid.IntRange(-1, 14), func(k int) int { return k * 1300 }),
		rapid.IntRange(-32768, 32767),
	)
	rapid.Check(t, func(t *rapid.T) {
		m := NewMessages(Config{MaxMessage: engineBuffer})
		var e engine
		for i := range rapid.IntRange(1, 60).Draw(t, "packets") {
			sequence := rapid.Uint32Range(0, 4).Draw(t, "sequence")
			if rapid.IntRange(0, 7).Draw(t, "whole") == 0 {
				m.Advance(sequence)
				e.packet(int32(sequence), false, 0, 0, nil)
				continue
			}
			start, length := starts.Draw(t, "start"), lengths.Draw(t, "length")
			data := make([]byte, max(0, length+rapid.SampledFrom([]int{0, 0, 0, 9, -1}).Draw(t, "more")))
			_, delivered := e.packet(int32(sequence), true, int16(start), int16(length), data)
			r, err := m.Add(Fragment{Sequence: sequence, Start: start, Length: length, Data: data, Frame: uint64(i)})
			if r.Delivered != delivered {
				t.Fatalf("packet %d: Delivered is %v, the engine's is %v (%s)", i, r.Delivered, delivered, outcome(r, err))
			}
		}
	})
}

func ExampleMessages() {
	var m Messages
	show := func(r Result, err error) {
		fmt.Printf("%q %v %v\n", r.Message, r.Frames, err)
	}
	first := bytes.Repeat([]byte{'a'}, DefaultFragmentSize)
	show(m.Add(Fragment{Sequence: 1, Start: 1300, Length: 2, Data: []byte("bc"), Frame: 6}))
	r, err := m.Add(Fragment{Sequence: 1, Length: 1300, Data: first, Frame: 7})
	fmt.Println(len(r.Message), r.Frames, r.ReceiverDropped, err)
	show(m.Add(Fragment{Sequence: 2, Start: 5, Length: 2, Data: []byte("bc"), Frame: 8}))
	// Output:
	// "" [] <nil>
	// 1302 [6 7] true <nil>
	// "" [] impossible fragment: start 5 is not a multiple of 1300
}
