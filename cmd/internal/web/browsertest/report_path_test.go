package browsertest

import (
	"strings"
	"testing"
)

// The section about two captures of one path draws both directions, which can be saved, and lists what was lost in
// words.
func TestReportPath(t *testing.T) {
	t.Parallel()
	for look, screen := range map[string]look{"desk": desk, "narrow": {width: 360, height: 640}} {
		page := writeReport(t, sample("quake3/68-loss.pcap"), sample("quake3/68-loss-server.pcap"), "--compare")
		b := openReport(t, screen, page)
		b.scrollTo("path")
		text := eval[string](b, `document.getElementById("path").innerText`)
		for _, want := range []string{
			"Between A and B", "8 of 158 datagrams from client to server were lost",
			"2 of 102 datagrams from server to client were lost",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in %q", look, want, text)
			}
		}
		if strings.Contains(text, "undefined") || strings.Contains(text, "NaN") {
			t.Errorf("%s: %q", look, text)
		}
		saved := 0
		for _, f := range eval[[]struct{ Title, Wrong, SVG string }](b, savedFigures) {
			if !strings.HasPrefix(f.Title, "Delay from") {
				continue
			}
			saved++
			if shapes, err := shapesOf(f.SVG); f.Wrong != "" || err != nil || shapes < 20 {
				t.Errorf("%s, %s: %s, %d shapes, %v", look, f.Title, f.Wrong, shapes, err)
			}
		}
		if saved != 2 {
			t.Errorf("%s: %d pictures", look, saved)
		}
		if wide := eval[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
			t.Errorf("%s: the page is %d pixels too wide", look, wide)
		}
	}
}
