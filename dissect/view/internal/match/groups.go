package match

import (
	"cmp"
	"net/netip"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/view/people"
)

// Groups joins the streams of each file that show the same match, in the order of the files and matches. The first of
// each group shows the most of it.
func Groups(list []*Match) (groups [][]*Match) {
	type place struct {
		file   string
		number int64
	}
	byNumber := map[place]int{}
	for _, p := range list {
		at := place{p.Key.File, p.Number}
		i, ok := byNumber[at]
		if !ok {
			i = len(groups)
			byNumber[at] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], p)
	}
	slices.SortFunc(groups, func(a, b []*Match) int {
		return cmp.Or(cmp.Compare(a[0].Key.File, b[0].Key.File), cmp.Compare(a[0].Number, b[0].Number))
	})
	groups = joinAddresses(groups)
	for _, g := range groups {
		slices.SortStableFunc(g, func(a, b *Match) int {
			one, other := a.AsSeen(), b.AsSeen()
			return one.Better(&other)
		})
	}
	return groups
}

// joinAddresses joins the matches of servers that have an IPv4 and an IPv6 address: clients of both are in one game.
func joinAddresses(groups [][]*Match) (joined [][]*Match) {
	const most = 64 // matches before it in which one is looked for
	for _, g := range groups {
		at := -1
		for i := len(joined) - 1; i >= max(0, len(joined)-most) && at < 0; i-- {
			if joined[i][0].Key.File == g[0].Key.File && sameGame(joined[i][0], g[0]) {
				at = i
			}
		}
		if at < 0 {
			joined = append(joined, g)
		} else {
			joined[at] = append(joined[at], g...)
		}
	}
	return joined
}

// sameGame reports whether two streams show one match, on servers that differ by the version of their address
// alone: the same port, name, map and clock, and the same players.
func sameGame(a, b *Match) bool {
	switch {
	case !samePlace(&a.Facts, &b.Facts),
		!a.TimedZero || !b.TimedZero || !people.SameClock(a.Zero, b.Zero) || !people.SameClock(a.Began, b.Began):
		return false
	}
	same, different := 0, 0
	for number, p := range a.Players {
		switch q := b.Players[number]; {
		case q == nil:
		case q.Name == p.Name:
			same++
		default:
			different++
		}
	}
	return same > different
}

// SameRace reports whether two streams show one race, as Groups does for matches: clients of both addresses are told of
// the same finishes at the same time.
func (r *Race) SameRace(o *Race) bool {
	return samePlace(&r.Facts, &o.Facts) && r.Runs.ShareFinish(&o.Runs)
}

// samePlace reports whether two servers differ by the version of their address alone.
func samePlace(a, b *Facts) bool {
	one, err1 := netip.ParseAddrPort(a.Server)
	other, err2 := netip.ParseAddrPort(b.Server)
	return err1 == nil && err2 == nil && one.Port() == other.Port() &&
		one.Addr().Unmap().Is4() != other.Addr().Unmap().Is4() && a.MapName == b.MapName && a.Hostname == b.Hostname
}
