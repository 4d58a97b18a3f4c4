package events_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// TestCountedResults: no command announces the scores of the second matches, which the server cuts short. The server's
// log has them: lines "PlayerScore" since the last "InitGame".
func TestCountedResults(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"q3-68-connect-play": {
			"the match is over: Sarge 5, Gargoyle 3, Sergei 2, LabBeta 0, aborted after 1:22 (not all of it is there)",
			"the match is over: Sergei 1, Sarge 0, Gargoyle 0, LabBeta 0, map_change after 0:11",
			"the match is over: Sarge 0, Gargoyle 0, Sergei 0, LabBeta 0, client_left after 0:21 (not all of it is there)",
		},
		"q3-71-connect-play": {
			"the match is over: Gargoyle 2, Sergei 2, Sarge 1, LabBeta 0, aborted after 1:21 (not all of it is there)",
			"the match is over: Sergei 1, Sarge 0, Gargoyle 0, LabBeta 0, map_change after 0:11",
			"the match is over: Sergei 1, Sarge 0, Gargoyle 0, LabBeta 0, client_left after 0:21 (not all of it is there)",
			"the match is over: Sergei 1, Sarge 0, Gargoyle 0, LabBeta 0, client_left after 0:40 (not all of it is there)",
		},
	} {
		var got []string
		eventsFrom(t, reference.Capture(t, "quake3", name), 0, func(e reftest.Event) {
			if e.Kind() == "match_end" {
				got = append(got, e.Text("info"))
			}
		})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
