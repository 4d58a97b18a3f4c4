package truth_test

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/teeworlds"
)

// clientLines are the lines in a client's log that events report, by kind and action.
var clientLines = map[string]*regexp.Regexp{
	"team_lock locked":   regexp.MustCompile(`chat: \*\*\* '.*' locked your team`),
	"team_lock unlocked": regexp.MustCompile(`chat: \*\*\* '.*' unlocked your team`),
	"team_invite ":       regexp.MustCompile(`chat: \*\*\* '.*' invited (you|'.*') to `),
	"practice voted":     regexp.MustCompile(`chat: \*\*\* '.*' voted to enable /practice`),
	"practice enabled":   regexp.MustCompile(`chat: \*\*\* Practice mode enabled`),
	"swap requested":     regexp.MustCompile(`chat: \*\*\* .*requested to swap with`),
	"swap swapped":       regexp.MustCompile(`chat: \*\*\* .* has swapped with`),
	"save saved":         regexp.MustCompile(`chat: \*\*\* Team successfully saved by`),
	"save loaded":        regexp.MustCompile(`chat: \*\*\* Loading successfully done`),
	"save not_loaded":    regexp.MustCompile(`chat: \*\*\* (No such savegame|Team can't be loaded)`),
	"timeout protected":  regexp.MustCompile(`chat: \*\*\* '.*' would have timed out`),
	"race_finish ":       regexp.MustCompile(`chat: \*\*\* .* finished in: \d`),
}

// TestEventsAgainstClientLogs counts what each client was told: in the log that the client wrote, and in the events of
// its stream.
func TestEventsAgainstClientLogs(t *testing.T) {
	t.Parallel()
	total := 0
	for session, clients := range map[string][]string{
		"th16-race": {"racer", "paul"}, "th16-team": {"anna", "bert"}, "th16-full": {"emil"}, "th16-sixup": {"six"},
		"th20-race": {"racer", "paul"}, "th20-team": {"anna", "bert"},
	} {
		folder := reference.Folder(t, "captures", "teehistorian", "sessions")
		got := map[int]map[string]int{}
		owner := map[string]int{}
		for rec, err := range open.Records(filepath.Join(folder, session+".pcap"), []*dissect.Protocol{teeworlds.New()},
			dissect.Options{Events: true}) {
			if err != nil {
				t.Fatal(err)
			}
			for e := range rec.Events.Top().Children() {
				kind := e.Get("event").String()
				if e.Get("own").Bool() && kind == "connect" {
					owner[e.Get("client").Get("name").String()] = rec.Stream
				}
				key := kind + " " + e.Get("action").String()
				if clientLines[key] != nil {
					if got[rec.Stream] == nil {
						got[rec.Stream] = map[string]int{}
					}
					got[rec.Stream][key]++
				}
			}
		}
		for _, name := range clients {
			want := map[string]int{}
			for s := reference.Lines(t, filepath.Join(folder, session+".d", name+".log.gz")); s.Scan(); {
				for key, line := range clientLines {
					if line.MatchString(s.Text()) {
						want[key]++
						total++
					}
				}
			}
			stream, ok := owner[name]
			if !ok {
				t.Errorf("%s: no stream of %s", session, name)
			}
			if got[stream] == nil {
				got[stream] = map[string]int{}
			}
			if diff := cmp.Diff(want, got[stream]); diff != "" {
				t.Errorf("%s, %s (-log +events):\n%s", session, name, diff)
			}
		}
	}
	if total < 60 {
		t.Errorf("%d lines were compared", total)
	}
	t.Log(total)
}

// TestFreezesLast checks freezes that end by themselves against the server's setting: sv_freeze_delay is 3 s. A
// snapshot comes every other tick.
func TestFreezesLast(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, session := range []string{"th16-race", "th20-race", "th16-full", "th20-full"} {
		folder := reference.Folder(t, "captures", "teehistorian", "sessions")
		for rec, err := range open.Records(filepath.Join(folder, session+".pcap"), []*dissect.Protocol{teeworlds.New()},
			dissect.Options{Events: true}) {
			if err != nil {
				t.Fatal(err)
			}
			for e := range rec.Events.Top().Children() {
				if ms := e.Get("frozen_time"); ms.Exists() {
					seen++
					if ms.Int() < 2920 || ms.Int() > 3040 {
						t.Errorf("%s: frozen for %d ms", session, ms.Int())
					}
				}
			}
		}
	}
	if seen != 7 {
		t.Errorf("%d freezes ended", seen)
	}
}

// TestFlagRuns07 compares the runs with a flag with the server's log of a game: each grab begins one.
func TestFlagRuns07(t *testing.T) {
	t.Parallel()
	folder := teeworldsFolder(t)
	grabs, captures := 0, 0
	for s := reference.Lines(t, filepath.Join(folder, "tw07-ctf3.d", "srv.log.gz")); s.Scan(); {
		if regexp.MustCompile(`flag_grab player`).MatchString(s.Text()) {
			grabs++
		}
		if regexp.MustCompile(`flag_capture player`).MatchString(s.Text()) {
			captures++
		}
	}
	runs, captured := map[int]int{}, map[int]int{}
	for rec, err := range open.Records(filepath.Join(folder, "tw07-ctf3.pcap"), []*dissect.Protocol{teeworlds.New()},
		dissect.Options{Events: true}) {
		if err != nil {
			t.Fatal(err)
		}
		for e := range rec.Events.Top().Children() {
			if e.Get("event").String() != "run" {
				continue
			}
			runs[rec.Stream]++
			if e.Get("action").String() == "captured" {
				captured[rec.Stream]++
			}
		}
	}
	if runs[0] != grabs || captured[0] != captures || captures != 5 {
		t.Errorf("%d runs of %d grabs, %d captures of %d", runs[0], grabs, captured[0], captures)
	}
}
