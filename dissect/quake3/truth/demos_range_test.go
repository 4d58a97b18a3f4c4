package truth_test

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// TestRangeCountsWhatIsOutside compares how many messages a part of demos leaves out for their time with how many
// snapshots have a time outside of it. Those of a client that is still loading are inside, and are left out as such.
func TestRangeCountsWhatIsOutside(t *testing.T) {
	t.Parallel()
	const from, to = 20000, 30000
	for _, name := range glob(t, "q3-71-connect-play.pcap") {
		outside, loading, times := 0, 0, 0
		options := dissect.Options{Demos: &dissect.DemoRange{From: from, HasFrom: true, To: to, HasTo: true}}
		for rec, err := range open.Records(name, all.Protocols(), options) {
			if err != nil {
				t.Fatal(err)
			}
			switch rec.Demo.Left {
			case dissect.DemoOutside:
				outside++
			case dissect.DemoNotInGame:
				loading++
			}
			for s := range rec.All("quake3.server_message.ops.snapshot.server_time") {
				if s.Int() < from || s.Int() > to {
					times++
				}
			}
		}
		if outside != times || times == 0 || loading == 0 {
			t.Errorf("%d left out for their time, and %d of a client that loads; %d snapshots are outside", outside, loading, times)
		}
	}
}
