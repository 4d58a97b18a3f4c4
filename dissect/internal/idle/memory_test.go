package idle

import (
	"slices"
	"testing"
)

// Where the time does not advance, a stream is idle when much of the input has come since.
func TestIdleWithoutTime(t *testing.T) {
	t.Parallel()
	type stream struct{ use Use[stream] }
	m := NewMemory(playedBytes, func(s *stream) *Use[stream] { return &s.use })
	streams := make([]stream, 3)
	for i := range streams {
		for range lightDatagrams + 1 {
			m.Use(&streams[i], Moment{Bytes: uint64(i)})
		}
	}
	if s := m.Next(Moment{Bytes: idleBytes}); s != nil {
		t.Error("a stream is forgotten too early")
	}
	late := Moment{Bytes: idleBytes + idleBytes/noted + 2} // within that much another use is not noted
	if s := m.Next(late); s != &streams[0] || m.idles != 1 {
		t.Errorf("the first stream is not forgotten, %d are idle", m.idles)
	}
}

// What is collected takes its share of the memory: then nothing is collected of new streams, and later only of those
// with most datagrams and of those that were used last. New streams take none of their places.
func TestCollected(t *testing.T) {
	t.Parallel()
	type stream struct{ use Use[stream] }
	const limit = 1 << 20
	m := NewMemory(limit, func(s *stream) *Use[stream] { return &s.use })
	streams := make([]stream, 3*mostKept)
	for i := range streams {
		for range i + 1 {
			m.Use(&streams[i], Moment{Bytes: uint64(len(streams) - i)})
		}
	}
	left := func() (n int) {
		for i := range streams {
			if streams[i].use.Uncollected {
				n++
			}
		}
		return n
	}
	whole := m.Due(0)
	m.Collected(0, limit/4)
	m.Use(&streams[0], Moment{Bytes: uint64(len(streams))})
	if left() != 0 || m.Due(0) > whole {
		t.Errorf("%d streams are left out, while there is room", left())
	}
	m.Collected(0, limit/2)
	fresh := &stream{}
	for range 2 * len(streams) {
		m.Use(fresh, Moment{Bytes: 2 * uint64(len(streams))})
	}
	if !fresh.use.Uncollected || left() != 0 {
		t.Errorf("a new stream has a place: %v, or one of %d has none", !fresh.use.Uncollected, left())
	}
	m.Collected(0, limit)
	for i := range streams {
		if middle := i >= mostKept && i < 2*mostKept; streams[i].use.Uncollected != middle {
			t.Errorf("stream %d of %d is left out: %v", i, len(streams), !middle)
		}
	}
	if m.CollectedDue(1) || !m.CollectedDue(limit) {
		t.Error("what is collected is measured too often or never")
	}
	if total, forgotten := m.Measure(func(*stream) int { return limit / 100 }); total > limit/4 || len(forgotten) == 0 {
		t.Errorf("streams keep %d bytes, %d are forgotten", total, len(forgotten))
	}
}

// A stream rests when much of the input came since its last datagram, once until its next one; one that was forgotten
// does not.
func TestResting(t *testing.T) {
	t.Parallel()
	type stream struct{ use Use[stream] }
	m := NewMemory(1<<30, func(s *stream) *Use[stream] { return &s.use })
	streams := make([]stream, 4) // the last is a handshake
	for range lightDatagrams + 1 {
		for i := range streams[:3] {
			m.Use(&streams[i], Moment{})
		}
	}
	m.Use(&streams[3], Moment{})
	m.forget(&streams[2])
	m.Use(&streams[1], Moment{Bytes: restAfter - 1})
	if m.RestDue(restAfter - 1) {
		t.Error("too early")
	}
	for _, c := range []struct {
		at   uint64
		want []*stream
	}{{restAfter, []*stream{&streams[0]}}, {2*restAfter - 1, []*stream{&streams[1]}}, {3 * restAfter, nil}} {
		if got := m.Resting(c.at); !slices.Equal(got, c.want) {
			t.Errorf("at %d: %d streams rest, want %d", c.at, len(got), len(c.want))
		}
	}
	rests, last := 0, uint64(0)
	for at := uint64(4); at <= 1<<14; at++ { // a datagram every 20 of restAfter
		if at%20 == 4 {
			m.Use(&streams[0], Moment{Bytes: at * restAfter})
			last = at
		}
		if slices.Contains(m.Resting(at*restAfter), &streams[0]) {
			rests++
			if passed := at - last; passed < 1<<rests {
				t.Errorf("its rest %d is after %d", rests+1, passed)
			}
		}
	}
	if rests != 4 { // after 2, 4, 8 and 16; 32 never pass
		t.Errorf("a stream that is used again and again rests %d more times", rests)
	}
	for at := uint64(1 << 14); at < 1<<14+64; at++ {
		rests += len(m.Resting(at * restAfter))
	}
	if rests != 5 {
		t.Error("a stream that is used no more does not rest once")
	}
}
