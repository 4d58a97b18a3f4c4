package flags

import (
	"testing"
	"time"
)

func TestLength(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"3": 3 * time.Second, "2.5": 2500 * time.Millisecond, "500ms": 500 * time.Millisecond, "1m30s": 90 * time.Second,
		"-1": -time.Second, "0": 0, "": -1, "x": -1, "inf": -1, "nan": -1, "3 s": -1, "0:03": -1, "9999999999999": -1,
	} {
		var l Length
		switch err := l.Set(text); {
		case want == -1 && err == nil:
			t.Errorf("%q is taken as %v", text, &l)
		case want != -1 && (err != nil || time.Duration(l) != want):
			t.Errorf("%q is %v, %v; want %v", text, &l, err, want)
		}
	}
}
