package truth_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// TestSettings compares the settings that change with the votes that the clients were made to call: nothing else
// changed a setting in these sessions.
func TestSettings(t *testing.T) {
	called := regexp.MustCompile(`callvote (fraglimit|timelimit) (\d+)`)
	for _, name := range []string{
		"quake3/q3-68-connect-play", "quake3/q3-71-connect-play", "quake3/q3-71-ipv6", "quake3/q3-oa-wrapper-71legacy",
		"idtech3/jka-26-play",
	} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			file := filepath.Join(reference.Folder(t, "captures"), filepath.FromSlash(name))
			commands, err := os.ReadFile(file + ".commands.txt")
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]bool{}
			for _, m := range called.FindAllStringSubmatch(string(commands), -1) {
				want[m[1]+" "+m[2]] = true
			}
			if len(want) == 0 {
				t.Fatal("no vote for a limit, so nothing is compared")
			}
			got := map[string]bool{}
			options := dissect.Options{Events: true}
			for rec, err := range open.Records(file+".pcap", all.Protocols(), options) {
				if err != nil {
					t.Fatal(err)
				}
				for e := range rec.Events.Top().Children() {
					if e.Get("event").String() != "settings" {
						continue
					}
					// A map that is loaded without devmap resets it.
					if setting := string(e.Get("setting").Bytes()); setting != "sv_cheats" {
						got[setting+" "+string(e.Get("after").Bytes())] = true
					}
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-called +found:\n%s", diff)
			}
		})
	}
}
