package events

import "testing"

func TestReadWarmup(t *testing.T) {
	for value, want := range map[string]warmupState{
		"": {}, "0": {}, `\time\0`: {}, "-1": {true, -1}, `\time\-1`: {true, -1}, `\time\48950`: {true, 48950},
	} {
		if got := readWarmup([]byte(value)); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}
