package browsertest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// familySamples are captures and recordings of all games and transports.
var familySamples = []string{
	"quake3/71-voip.pcap", "quake3/71-banned.dm_71", "quake3/oob.pcap", "quake3/rtcw-60-61-play.pcap",
	"quake3/et-84-play.pcap", "quake3/jo-16-synth.pcap", "quake3/jka-26-vehicle.pcap", "teeworlds/07-ipv6-join.pcap",
	"teeworlds/07-ctf.demo", "teeworlds/ddnet-join.pcap", "gamestudio/synthetic-directplay8.pcap",
	"gamestudio/synthetic-every-late.pcap", "gamestudio/enet-0ad.pcap",
}

// Captures and recordings of every family are shown: the list, the fields, the record, and the bits of fields are those
// of the command.
func TestViewerShowsEveryFamily(t *testing.T) {
	t.Parallel()
	for _, name := range familySamples {
		t.Run(strings.ReplaceAll(name, "/", " "), func(t *testing.T) {
			t.Parallel()
			b := openViewer(t, desk, sample(name))
			records := strings.Split(strings.TrimSpace(output(t, sample(name), "--json", "--bits")), "\n")
			if rows := eval[int](b, `viewer.status.rows`); rows != len(records) {
				t.Fatalf("%d rows, the command has %d records", rows, len(records))
			}
			for _, row := range []int{0, len(records) / 2, len(records) - 1} {
				b.run(chromedp.Evaluate(fmt.Sprintf(`viewer.list.select(%d)`, row), nil))
				b.until(fmt.Sprintf(`viewer.record.row === %d && document.querySelectorAll(".tree .item").length > 0`, row))
				var want struct{ Positions []position }
				if err := json.Unmarshal([]byte(records[row]), &want); err != nil {
					t.Fatal(err)
				}
				got := eval[[]position](b, `viewer.record.fields.filter(f => f.bits && !["object", "list", "choices", "sparse"].includes(viewer.record.descriptions[f.about].kind))
					.map(f => ({ path: f.path, bit_offset: f.bit, bit_length: f.bits, in: f.layer ? "message" : "datagram" }))`)
				places := map[position]bool{}
				for _, p := range got {
					places[p] = true
				}
				for _, p := range want.Positions {
					if !places[p] {
						t.Errorf("row %d: the viewer does not have %+v", row, p)
					}
				}
				if len(got) != len(want.Positions) {
					t.Errorf("row %d: %d fields with bits, the command has %d", row, len(got), len(want.Positions))
				}
				checkLit(t, b, want.Positions)
			}
		})
	}
}

// checkLit points at some fields, and compares the bytes that are lit in their own layer with their positions.
func checkLit(t *testing.T, b *tab, positions []position) {
	t.Helper()
	for i := 0; i < len(positions); i += 1 + len(positions)/5 {
		p := positions[i]
		if p.BitLength == 0 {
			continue
		}
		b.run(chromedp.Evaluate(fmt.Sprintf(`viewer.tree.reveal(%q)`, p.Path), nil))
		layer := 0
		if p.In == "message" {
			layer = 1
		}
		var want []int
		for at := p.BitOffset >> 3; at <= (p.BitOffset+p.BitLength-1)>>3; at++ {
			want = append(want, at)
		}
		if got := eval[[][]int](b, litBytes); len(got) <= layer || !reflect.DeepEqual(got[layer], want) {
			t.Errorf("%s, %d bits at %d of the %s: lit are %v, want %v", p.Path, p.BitLength, p.BitOffset, p.In, got, want)
		}
	}
}
