package input

import (
	"testing"
	"time"
)

func TestProgressText(t *testing.T) {
	for _, tt := range []struct {
		packets, inInput uint64
		read, size       int64
		took             time.Duration
		want             string
	}{
		{4096, 4096, 100, 0, 2 * time.Second, "4096 packets, 2048/s"},
		{5000, 4000, 600, 1000, 3 * time.Second, "5000 packets, 1333/s, 60 %, 2s left"},
		{4096, 4096, 1, 3601, time.Second, "4096 packets, 4096/s, 0 %, 1h0m0s left"},
		{4096, 4096, 20, 10, time.Second, "4096 packets, 4096/s, 100 %, 0s left"}, // the file grew
	} {
		if got := progressText(tt.packets, tt.inInput, tt.read, tt.size, tt.took); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
