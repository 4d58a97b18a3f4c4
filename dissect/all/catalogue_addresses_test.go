package all_test

import (
	"net/netip"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/view/catalogue"
)

// A match is one line if one of its two clients came over IPv6, and two lines if it came to another port.
func TestServerWithTwoAddresses(t *testing.T) {
	t.Parallel()
	const sample = "../../samples/quake3/jka-26-vehicle.pcap"
	lines := func(change func(at netip.AddrPort) netip.AddrPort) []catalogue.Listing {
		c := catalogue.New()
		for rec, err := range open.Records(sample, all.Protocols(), dissect.Options{Events: true}) {
			if err != nil {
				t.Fatal(err)
			}
			if rec.Stream == 1 {
				rec.Src, rec.Dst = change(rec.Src), change(rec.Dst)
			}
			c.Add(rec)
		}
		return c.Listings(catalogue.File{Name: sample})
	}
	over := func(port uint16) func(netip.AddrPort) netip.AddrPort {
		return func(at netip.AddrPort) netip.AddrPort {
			return netip.AddrPortFrom(netip.IPv6Loopback(), at.Port()+port)
		}
	}
	want := lines(func(at netip.AddrPort) netip.AddrPort { return at })
	if len(want) != 1 || want[0].Server == "" || want[0].Servers != nil || !slices.Equal(want[0].Streams, []int64{0, 1}) {
		t.Fatalf("%+v", want)
	}
	got := lines(over(0))
	want[0].Servers = []string{want[0].Server, "[::1]:29083"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-over IPv4 +over both)\n%s", diff)
	}
	if other := lines(over(1)); len(other) != 2 {
		t.Errorf("%d lines with another port", len(other))
	}
}
