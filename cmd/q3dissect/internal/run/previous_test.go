package run

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
)

// Times are found for packets that become records late, as long as the engine may hold them back, and are gone
// once they were taken.
func TestPreviousTimes(t *testing.T) {
	const delay = maxRecent - 1
	times := newPreviousTimes(false)
	frame := uint64(0)
	add := func(udp, dated bool) {
		frame++
		times.add(&dissect.Packet{Frame: frame, UDP: udp, HasTime: dated, Time: int64(frame) * 10})
	}
	add(true, true)  // 1: has no predecessor
	add(false, true) // 2: not a datagram
	add(true, true)  // 3
	add(true, false) // 4: no time
	add(true, true)  // 5
	want := map[uint64]int64{1: 10, 3: 20, 5: 30}
	for ahead := 0; ahead < delay-3; ahead++ {
		add(true, true)
	}
	for frame := range uint64(6) {
		times.selected(frame)
	}
	for frame := range uint64(6) {
		rec := &dissect.Record{Packet: dissect.Packet{Frame: frame}}
		at, ok := times.takeTime(rec)
		if want, known := want[frame]; ok != known || at != want {
			t.Errorf("frame %d: %d, %v; want %d, %v", frame, at, ok, want, known)
		}
		if _, again := times.takeTime(rec); again {
			t.Errorf("frame %d is still there", frame)
		}
	}
	for range maxRecent {
		add(true, true)
	}
	if len(times.recent) != maxRecent || len(times.pending) != 0 {
		t.Errorf("%d times and %d set aside are kept", len(times.recent), len(times.pending))
	}
	times.selected(frame)
	if at, ok := times.takeTime(&dissect.Record{Packet: dissect.Packet{Frame: frame}}); !ok || at != int64(frame-1)*10 {
		t.Errorf("frame %d: %d, %v", frame, at, ok)
	}
}
