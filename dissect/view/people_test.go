package view_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/view"
)

// TestPlayersHaveServer: everybody whom a server names is on it, also who is in its lists alone: players of a game in
// progress, and spectators.
func TestPlayersHaveServer(t *testing.T) {
	for name, server := range map[string]string{
		"et-84-play.pcap": "127.0.0.1:41960", "68-loss.pcap": "10.9.1.1:27960", "68-icmp.pcap": "10.0.2.2:27960",
	} {
		kind, args, err := view.Find("players")
		if err != nil {
			t.Fatal(err)
		}
		s, err := kind.New(args, &view.Env{})
		if err != nil {
			t.Fatal(err)
		}
		for rec, err := range open.Records("../../samples/quake3/"+name, all.Protocols(), dissect.Options{Events: true}) {
			if err != nil {
				t.Fatal(err)
			}
			s.Add(rec)
		}
		seen := 0
		for _, table := range s.Tables() {
			for line := range strings.Lines(string(table.AppendJSON(nil))) {
				var row struct {
					Kind, Server string
					Names        []string
					End          *float64
				}
				if err := json.Unmarshal([]byte(line), &row); err != nil {
					t.Fatal(err)
				}
				if row.Kind != "seen" {
					continue
				}
				if seen++; row.Server != server || row.End == nil {
					t.Errorf("%s, %s: server %q, end %v", name, row.Names, row.Server, row.End)
				}
			}
		}
		if seen == 0 {
			t.Errorf("%s: nobody", name)
		}
	}
}
