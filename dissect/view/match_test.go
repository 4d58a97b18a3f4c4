package view

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNotesAreInOrder has streams of several files without a match: what is said of them is in the order of the files,
// and names them.
func TestNotesAreInOrder(t *testing.T) {
	t.Parallel()
	s := &matchStatistic{played: newPlayed(func(*playedMatch) {})}
	for _, key := range []fileStream{
		{"b.pcap", 0},
		{"a.pcap", 1},
		{"c.pcap", 0},
		{"a.pcap", 0},
		{"", 2},
		{"d.dm_68", -1},
	} {
		s.streams[key] = &matchStream{}
		s.streams[key].game.mapName = "q3dm6"
	}
	want := []string{
		"stream 2, q3dm6: no match; no player was seen",
		"a.pcap: stream 0, q3dm6: no match; no player was seen", "a.pcap: stream 1, q3dm6: no match; no player was seen",
		"b.pcap: stream 0, q3dm6: no match; no player was seen", "c.pcap: stream 0, q3dm6: no match; no player was seen",
		"d.dm_68: q3dm6: no match; no player was seen",
	}
	for range 10 {
		if diff := cmp.Diff(want, s.withoutPlayers()); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	}
}
