package compare_test

import (
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/compare"
)

// TestSame: copies and parts of one capture are no path, whatever was added to their times; two ends of a path are one,
// even where every datagram takes the same time.
func TestSame(t *testing.T) {
	t.Parallel()
	steady := link{offset: 3, shortest: [2]float64{0.02, 0.02}}
	if m := steady.run(t, 5, 20); compare.Compare(m.a, m.b).Same {
		t.Error("two ends of a path are one capture")
	}
	for _, moved := range []float64{0, 3600} {
		l := link{offset: moved} // no delay: the same place
		m := l.run(t, 5, 20)
		r := compare.Compare(m.a, m.b)
		if !r.Same || !r.Related() || r.Common != m.a.Datagrams() {
			t.Errorf("moved by %v s: same %v, %d in common", moved, r.Same, r.Common)
		}
		if text := string(r.AppendText(nil)); !strings.Contains(text, "A and B hold the same") ||
			strings.Contains(text, "arrived") {
			t.Errorf("moved by %v s: %s", moved, text)
		}
	}
}
