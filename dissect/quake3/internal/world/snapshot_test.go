package world

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSnapshotNames compares the engine's spelling of a snapshot's fields with the members and variables that
// CL_ParseSnapshot in code/client/cl_parse.c reads them into.
func TestSnapshotNames(t *testing.T) {
	want := map[string]string{
		"client_command_sequence": "clientCommandSequence", "server_time": "serverTime", "delta_num": "deltaNum",
		"base_sequence": "deltaNum", "snap_flags": "snapFlags", "area_mask": "areamask", "player_state": "playerState_t",
		"entities": "", "undecoded": "", "vehicle_state": "playerState_t",
		"time_residual": "", "sounds": "",
	}
	got := map[string]string{}
	for _, f := range SnapshotField.Children {
		got[f.Key] = f.Name
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
