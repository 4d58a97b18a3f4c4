package idle

import "testing"

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
