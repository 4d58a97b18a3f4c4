package view

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/q3dissect/q3dissect/dissect/view/internal/match"
)

// TestNotesAreInOrder has streams of several files without a match: what is said of them is in the order of the files,
// and names them.
func TestNotesAreInOrder(t *testing.T) {
	t.Parallel()
	s := &matchStatistic{Matches: match.New(func(*match.Match) {})}
	for _, key := range []match.Key{
		{File: "b.pcap", Stream: 0},
		{File: "a.pcap", Stream: 1},
		{File: "c.pcap", Stream: 0},
		{File: "a.pcap", Stream: 0},
		{File: "", Stream: 2},
		{File: "d.dm_68", Stream: -1},
	} {
		s.Streams[key] = &match.Stream{}
		s.Streams[key].Game.MapName = "q3dm6"
	}
	want := []string{
		"stream 2, q3dm6: no match; no player was seen",
		"a.pcap: stream 0, q3dm6: no match; no player was seen", "a.pcap: stream 1, q3dm6: no match; no player was seen",
		"b.pcap: stream 0, q3dm6: no match; no player was seen", "c.pcap: stream 0, q3dm6: no match; no player was seen",
		"d.dm_68: q3dm6: no match; no player was seen",
	}
	for range 10 {
		if diff := cmp.Diff(want, s.withoutPlayers(nil)); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	}
}
