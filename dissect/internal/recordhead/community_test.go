package recordhead_test

import (
	"net/netip"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/recordhead"
)

// The first is the example of the specification's reference implementation; the others are what tshark 4.0 (field
// communityid) has for datagrams of samples.
func TestCommunityID(t *testing.T) {
	t.Parallel()
	for _, each := range []struct{ a, b, want string }{
		{"192.168.1.52:54585", "8.8.8.8:53", "1:d/FP5EW3wiY1vCndhwleRRKHowQ="},
		{"[::1]:28205", "[::1]:28200", "1:W6L1OJ+FPRbsrgi6cnQYP5PvCvE="},
		{"127.0.0.1:27965", "127.0.0.1:27960", "1:PpJSaZaHUiAMz2sa2XAVbWtvmKg="},
	} {
		a, b := netip.MustParseAddrPort(each.a), netip.MustParseAddrPort(each.b)
		if got := recordhead.CommunityID(a, b); got != each.want {
			t.Errorf("%s %s: %s, want %s", a, b, got, each.want)
		}
		if got := recordhead.CommunityID(b, a); got != each.want {
			t.Errorf("%s %s: %s, want %s", b, a, got, each.want)
		}
		mapped := netip.AddrPortFrom(netip.AddrFrom16(a.Addr().As16()), a.Port())
		if got := recordhead.CommunityID(mapped, b); got != each.want {
			t.Errorf("%s %s: %s, want %s", mapped, b, got, each.want)
		}
	}
}
