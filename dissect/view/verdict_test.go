package view

import (
	"net/netip"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
)

// TestFloodOfAPlayer: queries in the name of an address that plays come from another host if their time to live is
// another, and then a rule limits queries alone.
func TestFloodOfAPlayer(t *testing.T) {
	t.Parallel()
	key := sourceKey{netip.MustParseAddrPort("192.0.2.1:27960"), netip.MustParseAddr("2001:db8::7")}
	marked := dissect.RateLimit{Burst: 10, Period: 1e9, Marker: 0xffffffff}
	for _, tt := range []struct {
		ttl, played uint8
		limit       dissect.RateLimit
		want        verdict
		rule        string
	}{
		{240, 55, marked, isVictim, "nft add rule inet filter input ip6 saddr 2001:db8::7 udp dport 27960 " +
			"@th,64,32 0xffffffff limit rate over 1/second burst 10 packets drop"},
		{55, 55, dissect.RateLimit{Burst: 10, Period: 1e9}, isClient, ""},
		{240, 55, dissect.RateLimit{}, isVictim, ""}, // nothing distinguishes its queries from its play
		{240, 0, dissect.RateLimit{}, isVictim, "nft add rule inet filter input ip6 saddr 2001:db8::7 udp dport 27960 " +
			"limit rate over 1/second burst 10 packets drop"},
	} {
		a := asker{requests: flow{100, 1400}, answers: flow{10, 9000}, limit: tt.limit, peak: 100}
		a.ttl = ttlRange{tt.ttl, tt.ttl}
		a.purposes[dissect.QueryFacts] = 100
		if tt.limit.Burst > 0 {
			a.limited, a.dropped, a.over = 100, 90, 90
		}
		var p play
		if tt.played > 0 {
			p = play{packets: 5000, ttl: ttlRange{tt.played, tt.played}}
		}
		if j := judge(&a, key, p, survey{1, 1}); j.verdict != tt.want || j.suggestion != tt.rule {
			t.Errorf("%+v: %+v", tt, j)
		}
	}
}

// A clock that goes back makes the bucket start again, as in the engine, and counts in the first part of a time line.
func TestClockGoesBack(t *testing.T) {
	t.Parallel()
	limit := dissect.RateLimit{Burst: 2, Period: 1e9}
	var b dissect.LeakyBucket
	var l timeLine
	for i, want := range []bool{true, true, false, true} {
		now := int64(5e9)
		if i == 3 {
			now = 1e9
		}
		l.add(now)
		if got := b.Admits(now, limit); got != want {
			t.Errorf("query %d: %t", i, got)
		}
	}
	if l.String() != "4" {
		t.Errorf("time line %s", l.String())
	}
	l.add(5e9 + 100e9)
	if l.String() != "4 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1" || l.seconds() != 4 {
		t.Errorf("time line of %d s: %s", l.seconds(), l.String())
	}
}
