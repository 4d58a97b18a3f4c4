package truth_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/teeworlds"
	"github.com/q3dissect/q3dissect/dissect/view/catalogue"
)

// TestPlayersWithoutMatches compares who is listed for recordings of races and warm-ups with the server's log: dora and
// emil, dora's second tee, and dora2, as whom dora goes on.
func TestPlayersWithoutMatches(t *testing.T) {
	t.Parallel()
	folder := reference.Folder(t, "captures", "teeworlds")
	for name, want := range map[string]string{
		"dd06-full.pcap": "[D] dora, dora2, emil",
		"dd06-full.d/dora.labtsunami_2026-11-21_07-22-21.demo":       "[D] dora, dora, emil", // it ends before the new name
		"dd06-full.d/emil.labdm1dd_2026-11-21_07-24-36.demo":         "dora2, emil",
		"tw07-info-master.d/bob.autorecord_2026-11-21_07-22-30.demo": "bob",
	} {
		c := catalogue.New()
		c.Prove()
		file := filepath.Join(folder, filepath.FromSlash(name))
		for rec, err := range open.Records(file, []*dissect.Protocol{teeworlds.New()}, dissect.Options{Events: true}) {
			if err != nil {
				t.Fatal(err)
			}
			c.Add(rec)
		}
		var got []string
		for _, cast := range c.Casts(catalogue.File{Name: file, Modified: time.Unix(0, 0)}) {
			for _, p := range cast.Players {
				got = append(got, p.Name)
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

// TestWhisperOfLargeServer has a whisper that DDNet sent to a client of 0.7 through a client without a name: both
// streams show the sender of the server's log, and the same text.
func TestWhisperOfLargeServer(t *testing.T) {
	t.Parallel()
	folder := reference.Folder(t, "captures", "teehistorian", "sessions")
	var got []string
	name, protocols := filepath.Join(folder, "th20-full.pcap"), []*dissect.Protocol{teeworlds.New()}
	for e, err := range open.Events(name, protocols, dissect.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Get("channel").String() == "tell" {
			from, to := e.Lookup("client.name").String(), e.Lookup("target.name").String()
			got = append(got, from+" to "+to+": "+e.Get("text").String())
		}
	}
	if diff := cmp.Diff([]string{"dora to seven: hi there", "dora to seven: hi there"}, got); diff != "" {
		t.Error(diff)
	}
}
