package truth_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/teeworlds"
)

// A truthSnap is a packet's snapshots as the game's own code unpacked them.
type truthSnap struct {
	Frame  int    `json:"frame"`
	Dir    string `json:"dir"`
	Port   int    `json:"cport"`
	Chunks []struct {
		Snap *struct {
			Tick  int `json:"tick"`
			Items []struct {
				Name   string `json:"name"`
				ID     int    `json:"id"`
				Fields struct {
					Hooked    *int `json:"m_HookedPlayer"`
					Spectator *int `json:"m_SpectatorID"`
				} `json:"fields"`
			} `json:"items"`
		} `json:"snap"`
	} `json:"chunks"`
}

// TestHooksAndSpectatorsAgainstSnapshots compares who hooks whom, and whom the client watches, with the snapshots that
// the game's own code unpacked: the frame, the tick and both numbers.
func TestHooksAndSpectatorsAgainstSnapshots(t *testing.T) {
	t.Parallel()
	var want, got []string
	last := map[[2]int]int{} // whom the hook of a character holds, by port and number; of spectators, by port
	for s := reference.Lines(t, filepath.Join(teeworldsFolder(t), "dd06-full.truth.jsonl.gz")); s.Scan(); {
		var p truthSnap
		if err := json.Unmarshal(s.Bytes(), &p); err != nil || p.Dir != "s2c" {
			continue // a control packet's chunks have another form
		}
		for _, c := range p.Chunks {
			if c.Snap == nil {
				continue
			}
			for _, item := range c.Snap.Items {
				what, key, whom := "hook", [2]int{p.Port, item.ID}, item.Fields.Hooked
				if whom == nil {
					what, key, whom = "watch", [2]int{p.Port, -1}, item.Fields.Spectator
				}
				if whom == nil {
					continue
				}
				if before, ok := last[key]; *whom >= 0 && (!ok || before != *whom) {
					want = append(want, fmt.Sprintf("%d: %s %d at %d ms", p.Frame, what, *whom, c.Snap.Tick*20))
				}
				last[key] = *whom
			}
		}
	}
	for rec, err := range open.Records(filepath.Join(teeworldsFolder(t), "dd06-full.pcap"),
		[]*dissect.Protocol{teeworlds.New()}, dissect.Options{Events: true}) {
		if err != nil {
			t.Fatal(err)
		}
		for e := range rec.Events.Top().Children() {
			kind := e.Get("event").String() + " " + e.Get("action").String()
			what := map[string]string{"contact hooked": "hook", "spectate watches": "watch"}[kind]
			if target := e.Get("target").Get("client_num"); what != "" && target.Exists() {
				got = append(got, fmt.Sprintf("%d: %s %d at %d ms", rec.Frame, what, target.Int(), e.Get("server_time").Int()))
			}
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" || len(want) < 5 {
		t.Errorf("%d times (-truth +events):\n%s", len(want), diff)
	}
}
