package modeltest

import (
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/engine"
)

// When streams take more memory than there is, the longest unused is forgotten, counted, and reported when it comes
// back; the number of workers does not show.
func TestMemory(t *testing.T) {
	t.Parallel()
	var list []sent
	for conv := range byte(40) {
		list = append(list, sent{c2s.with(func(d *toyDatagram) { d.conv = 2 * conv }), 0, 1})
	}
	list = append(list, sent{c2s, 0, 1}, sent{c2s.with(func(d *toyDatagram) { d.conv = 78 }), 0, 1})
	const forgotten = "stream_forgotten" // docs/expert.md
	var first string
	for workers := range 4 {
		cfg := engine.Config{Protocols: toys(), Workers: workers, Finish: toyLine, Memory: 8 << 10}
		out, stats := runEngine(t, cfg, sequence(list...))
		if stats.Forgotten != 33 { // all but eight of 40, and one more when the first came back
			t.Errorf("%d streams forgotten", stats.Forgotten)
		}
		if strings.Count(out, forgotten) != 1 || !strings.Contains(strings.Split(out, "\n")[40], forgotten) {
			t.Errorf("who came back is not said:\n%s", out)
		}
		if first == "" {
			first = out
		} else if out != first {
			t.Errorf("%d workers: another output", workers)
		}
	}
}
