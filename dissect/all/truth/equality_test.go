package truth_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// What servers say of themselves is what the engine's own code read in their answers, the last of each key.
func TestServersAgreeWithTheEngine(t *testing.T) {
	for _, base := range []string{"q3-oob", "q3-multi-3clients-2servers"} {
		name := captureNamed(t, base)
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		servers := map[int]string{} // by frame
		for p, err := range reftest.PacketsOf(t, f, name, false) {
			if err != nil {
				t.Fatal(err)
			}
			servers[int(p.Frame)] = p.Src.String()
		}
		want, got := map[string]string{}, map[string]string{}
		for _, line := range truths(t, base) {
			text, _ := line["text"].(string)
			command, body, _ := strings.Cut(text, "\n")
			if line["kind"] != "oob" || line["dir"] != "s2c" || command != "infoResponse" && command != "statusResponse" {
				continue
			}
			info, _, _ := strings.Cut(body, "\n")
			server, here := servers[int(line["frame"].(float64))], map[string]bool{}
			parts := strings.Split(strings.TrimPrefix(info, `\`), `\`)
			for i := 0; i+1 < len(parts); i += 2 {
				if !here[parts[i]] { // the first of a doubled key counts
					here[parts[i]] = true
					want[server+" "+parts[i]] = parts[i+1]
				}
			}
		}
		for _, r := range statistic(t, name, "servers") {
			got[r.text("server")+" "+r.text("key")] = r.text("value")
		}
		if diff := cmp.Diff(want, got); diff != "" || base == "q3-oob" && len(want) < 20 {
			t.Errorf("%s: %d facts (-engine +statistic):\n%s", base, len(want), diff)
		}
	}
}

// There are as many expert entries as in the records, whose JSON is counted here.
func TestExpertsAgreeWithTheRecords(t *testing.T) {
	for _, base := range []string{"q3-oob", "q3-68-connect-play-mid"} {
		name := captureNamed(t, base)
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		want, got := map[string]string{}, map[string]string{}
		counts, firsts, streams := map[string]int{}, map[string]int{}, map[string]map[float64]bool{}
		for rec, err := range engine.Records(reftest.PacketsOf(t, f, name, false),
			engine.Config{Protocols: all.Protocols()}) {
			if err != nil {
				t.Fatal(err)
			}
			var r struct {
				Frame  int     `json:"frame"`
				Stream float64 `json:"stream"`
				Expert []struct{ Severity, Code string }
			}
			if err := json.Unmarshal(render.AppendJSON(nil, rec, render.JSON{}), &r); err != nil {
				t.Fatal(err)
			}
			for _, e := range r.Expert {
				key := e.Severity + " " + e.Code
				if counts[key]++; counts[key] == 1 {
					firsts[key], streams[key] = r.Frame, map[float64]bool{}
				}
				streams[key][r.Stream] = true
			}
		}
		for key, n := range counts {
			want[key] = fmt.Sprint(n, " in ", len(streams[key]), " from ", firsts[key])
		}
		for _, r := range statistic(t, name, "expert") {
			got[r.text("severity")+" "+r.text("code")] = fmt.Sprint(r.int("count"), " in ", r.int("streams"),
				" from ", r.int("first_frame"))
		}
		if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
			t.Errorf("%s (-records +statistic):\n%s", base, diff)
		}
	}
}

// Votes are those that were called at the client's console while the capture ran, with the words that were typed.
func TestVotesAgreeWithTheCommands(t *testing.T) {
	called := regexp.MustCompile(`(?m) CLIENT-CONSOLE \S+ callvote (\S+) (\S+)$`)
	for _, base := range []string{"q3-68-connect-play", "q3-71-connect-play", "q3-71-ipv6", "q3-oa-wrapper-71legacy"} {
		text, err := os.ReadFile(filepath.Join(reference.Folder(t, "captures", "quake3"), base+".commands.txt"))
		if err != nil {
			t.Fatal(err)
		}
		var want, got []string
		for _, m := range called.FindAllStringSubmatch(string(text), -1) {
			want = append(want, m[1]+" "+m[2])
		}
		name := captureNamed(t, base)
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		cfg := engine.Config{Protocols: all.Protocols(), Options: dissect.Options{Events: true}}
		for rec, err := range engine.Records(reftest.PacketsOf(t, f, name, false), cfg) {
			if err != nil {
				t.Fatal(err)
			}
			for e := range rec.Events.Top().Children() {
				if e.Get("event").String() == "vote" && e.Get("action").String() == "called" {
					words := strings.Fields(strings.NewReplacer(":", " ", `"`, " ").Replace(e.Get("text_clean").String()))
					got = append(got, strings.Join(words[max(0, len(words)-2):], " "))
				}
			}
		}
		for i := range got { // "Change fraglimit to: 25", or as it was typed
			got[i] = strings.Replace(got[i], "to ", "fraglimit ", 1)
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
			t.Errorf("%s (-typed +events):\n%s", base, diff)
		}
	}
}
