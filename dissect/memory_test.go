package dissect

import (
	"strings"
	"testing"
)

// When streams take more memory than there is, the longest unused is forgotten, counted, and says so when it comes
// back; the number of workers does not show.
func TestMemory(t *testing.T) {
	t.Parallel()
	var list []sent
	for conv := range byte(40) {
		list = append(list, sent{c2s.with(func(d *toyDatagram) { d.conv = 2 * conv }), 0, 1})
	}
	list = append(list, sent{c2s, 0, 1}, sent{c2s.with(func(d *toyDatagram) { d.conv = 78 }), 0, 1})
	var first string
	for workers := 1; workers <= 3; workers++ {
		cfg := Config{Protocols: toys(), Workers: workers, Finish: toyLine, Memory: 8 * lightBytes}
		out, stats := runEngine(t, cfg, usualBatch, sequence(list...))
		if stats.Forgotten != 33 { // all but eight of 40, and one more when the first came back
			t.Errorf("%d streams forgotten", stats.Forgotten)
		}
		if strings.Count(out, expertForgotten) != 1 || !strings.Contains(strings.Split(out, "\n")[40], expertForgotten) {
			t.Errorf("who came back is not said:\n%s", out)
		}
		if first == "" {
			first = out
		} else if out != first {
			t.Errorf("%d workers: another output", workers)
		}
	}
}

// Where time stands still, a stream is idle when much of the input has come since.
func TestIdleWithoutTime(t *testing.T) {
	t.Parallel()
	m := newMemory(playedBytes)
	streams := make([]Stream, 3)
	for i := range streams {
		for range lightDatagrams + 1 {
			m.use(&streams[i], moment{bytes: uint64(i)})
		}
	}
	if s := m.next(moment{bytes: idleBytes}); s != nil {
		t.Error("a stream is forgotten too early")
	}
	late := moment{bytes: idleBytes + idleBytes/noted + 2} // within that much another use is not noted
	if s := m.next(late); s != &streams[0] || m.idles != 1 {
		t.Errorf("the first stream is not forgotten, %d are idle", m.idles)
	}
}
