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
