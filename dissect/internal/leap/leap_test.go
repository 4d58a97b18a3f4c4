package leap

import (
	"fmt"
	"strings"
	"testing"
)

// A clock takes values (in seconds), each with the witness after a slash where there is one. F is a value that leaps.
func TestClock(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, values, want string }{
		{"steps", "5 6 6 7 16", "TTTTT"},
		{"one ahead", "5 6 50000 7", "TTFT"},
		{"one back", "5 6 0 7", "TTFT"},
		{"the first is wild", "50000 5 6 7 8", "TFFTT"},
		{"the first is wild, with a witness", "50000/5 5/5 6/6", "FTT"},
		{"some that are not of one clock", "5 6 7 50000 90000 8 9", "TTTFFTT"},
		{"some that are", "5 6 7 50000 50001 50002 50003 8", "TTTFFFFT"},
		{"a pause of minutes", "5 6 200 201", "TTTT"},
		{"a longer one is believed late", "5 6 506 507 508", "TTFFT"},
		{"a witness proves it at once", "5/5 6/6 5000/5000 5001/5001", "TTTT"},
		{"a witness contradicts", "5/5 6/6 200/6 7/7", "TTFT"},
		{"a player who loads the map", "100/5 101/5 101/101", "TTT"},
	} {
		var c Clock
		var got strings.Builder
		for _, v := range strings.Fields(test.values) {
			var at, witness int64
			n, _ := fmt.Sscanf(v, "%d/%d", &at, &witness)
			verdict := byte('F')
			if c.Take(1000*at, 0, 1000*witness, n > 1) {
				verdict = 'T'
			}
			got.WriteByte(verdict)
		}
		if got.String() != test.want {
			t.Errorf("%s: %s gives %s, want %s", test.name, test.values, got.String(), test.want)
		}
	}
}

// What the time of another clock explains is no leap.
func TestPassed(t *testing.T) {
	t.Parallel()
	var c Clock
	if c.Take(5000, 0, 0, false); !c.Take(8_000_000, 7_990_000, 0, false) {
		t.Error("two hours, which have passed, are a leap")
	}
}
