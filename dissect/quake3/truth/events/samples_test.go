package events_test

import (
	"path/filepath"
	"testing"
)

// samples is the folder of the samples, and of the parts of the logs that were cut out for them: samples/gen/truth.sh.
var samples = filepath.FromSlash("../../../../samples/quake3")

// TestSampleEvents compares what the samples show of kills, chat, names, players and items with what the servers wrote
// into their logs.
func TestSampleEvents(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(samples, "truth", "*.games.log"))
	if err != nil || len(files) != 5 {
		t.Fatalf("%d logs, want 5: %v", len(files), err)
	}
	logs := readGameLogs(t, files)
	for name, want := range map[string]loggedCounts{
		"68-connect-play": {kills: 1, items: 8},
		"71-ipv6-chat":    {kills: 2, chat: 4, renames: 1, items: 8},
		"68-loss":         {kills: 2, items: 2},
		"68-natrebind":    {chat: 4, players: 1, items: 9},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compareEvents(t, filepath.Join(samples, name+".pcap"), logs, want)
		})
	}
}
