package truth_test

import (
	"net/netip"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/view/catalogue"
)

// A match is one line if one of its two clients came over IPv6, and two lines if it came to another port.
func TestServerWithTwoAddresses(t *testing.T) {
	t.Parallel()
	const sample = "../../../samples/quake3/jka-26-vehicle.pcap"
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

// A race of DDNet is one line if one of its two clients came over IPv6, and two lines if it came to another port.
func TestRaceWithTwoAddresses(t *testing.T) {
	t.Parallel()
	name := filepath.Join(reference.Folder(t, "captures", "teehistorian", "sessions"), "th20-race.pcap")
	lines := func(port uint16) []catalogue.Listing {
		c := catalogue.New()
		for rec, err := range open.Records(name, all.Protocols(), dissect.Options{Events: true}) {
			if err != nil {
				t.Fatal(err)
			}
			if rec.Stream == 1 {
				rec.Src = netip.AddrPortFrom(rec.Src.Addr(), rec.Src.Port()+port)
				rec.Dst = netip.AddrPortFrom(rec.Dst.Addr(), rec.Dst.Port()+port)
			}
			c.Add(rec)
		}
		return c.Listings(catalogue.File{Name: name})
	}
	got := lines(0)
	want := []catalogue.ListingFinish{{Name: "paul", Time: 2640}, {Name: "racer", Time: 3800}} // as in the server's log
	if len(got) != 1 || !slices.Equal(got[0].Servers, []string{"127.0.0.1:8303", "[::1]:8303"}) ||
		!slices.Equal(got[0].Finishes, want) || got[0].Race.Finishes != 3 {
		t.Errorf("%+v", got)
	}
	if other := lines(1); len(other) != 2 || other[0].Servers != nil {
		t.Errorf("%d lines with another port", len(other))
	}
}
