package view_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/view"
)

// The datagrams of a player are those of the capture, and so is the largest second: tshark 4.0 has 227 datagrams from
// port 28200 in 71-ipv6-chat.pcap, with 24,759 bytes (udp.length less 8 bytes of header each), and most of them, 4,761
// bytes, in the first second.
func TestBandwidth(t *testing.T) {
	t.Parallel()
	kind, args, err := view.Find("bandwidth")
	if err != nil {
		t.Fatal(err)
	}
	s, err := kind.New(args, &view.Env{})
	if err != nil {
		t.Fatal(err)
	}
	for rec, err := range open.Records("../../samples/quake3/71-ipv6-chat.pcap", all.Protocols(), dissect.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		s.Add(rec)
	}
	shares := map[string]float64{}
	found := false
	for line := range strings.Lines(string(s.Tables()[0].AppendJSON(nil))) {
		var row struct {
			By, Name, Direction string
			Count, Bytes        int
			Share               float64
			Peak                float64 `json:"peak_rate"`
			At                  float64 `json:"peak_start"`
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		shares[row.By] += row.Share
		if row.By != "player" || row.Direction != "server_to_client" {
			continue
		}
		found = true
		if row.Name != "^3Lab^5Beta" || row.Count != 227 || row.Bytes != 24759 || row.Peak != 38.09 || row.At != 0 {
			t.Error(line)
		}
	}
	if !found {
		t.Error("no row of what the server sends")
	}
	for _, by := range []string{"player", "message", "operation"} {
		if shares[by] < 99.9 || shares[by] > 100.1 {
			t.Errorf("the shares of each %s add up to %g %%", by, shares[by])
		}
	}
}

// The rates of a demo are those of its messages by the server's clock, which goes back when another map begins. In
// 71-duel.dm_71, of 83,128 bytes, each of 764 messages has 8 bytes before it and the end has 8 of its own; its
// snapshots go from 43,400 to 122,200 ms. Most of it, 6,055 bytes, is in the second from 47,000 on.
func TestBandwidthOfDemo(t *testing.T) {
	t.Parallel()
	kind, args, err := view.Find("bandwidth")
	if err != nil {
		t.Fatal(err)
	}
	const bytes = 83128 - 764*8 - 8
	for _, test := range []struct {
		times    int
		mean, at float64
	}{
		{1, bytes * 8 / (122.2 - 43.4) / 1000, 47},
		{2, bytes * 8 / (122.2 - 43.4) / 1000, 47}, // once more, the clock is set back between
	} {
		s, err := kind.New(args, &view.Env{})
		if err != nil {
			t.Fatal(err)
		}
		for range test.times {
			for rec, err := range open.Records("../../samples/quake3/71-duel.dm_71", all.Protocols(), dissect.Options{}) {
				if err != nil {
					t.Fatal(err)
				}
				s.Add(rec)
			}
		}
		var row struct {
			Bytes int
			Rate  float64
			Peak  float64 `json:"peak_rate"`
			At    float64 `json:"peak_start"`
			Start *string `json:"start_time"`
		}
		line, _, _ := strings.Cut(string(s.Tables()[0].AppendJSON(nil)), "\n")
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		if row.Bytes != bytes*test.times || math.Abs(row.Rate-test.mean) > 0.005 || row.Peak != 48.44 || row.At != test.at ||
			row.Start != nil {
			t.Error(line)
		}
	}
}
