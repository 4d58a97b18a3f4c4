package view

import (
	"cmp"
	"net/netip"
	"slices"
)

// groups joins the streams that show the same match, in the order of the matches. The first of each group shows the
// most of it.
func (c *Catalogue) groups() (groups [][]*playedMatch) {
	byNumber := map[int64]int{}
	for _, p := range c.list {
		i, ok := byNumber[p.number]
		if !ok {
			i = len(groups)
			byNumber[p.number] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], p)
	}
	slices.SortFunc(groups, func(a, b []*playedMatch) int { return cmp.Compare(a[0].number, b[0].number) })
	groups = joinAddresses(groups)
	for _, g := range groups {
		slices.SortStableFunc(g, func(a, b *playedMatch) int {
			return cmp.Or(compareBool(b.complete, a.complete), compareBool(b.winner != "", a.winner != ""),
				cmp.Compare(b.length, a.length))
		})
	}
	return groups
}

// joinAddresses joins the matches of servers that have an IPv4 and an IPv6 address: clients of both are in one game.
func joinAddresses(groups [][]*playedMatch) (joined [][]*playedMatch) {
	const most = 64 // matches before it in which one is looked for
	for _, g := range groups {
		at := -1
		for i := len(joined) - 1; i >= max(0, len(joined)-most) && at < 0; i-- {
			if sameGame(joined[i][0], g[0]) {
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

// sameClock is how far apart two views of a server may show the moment at which its clock was 0, in milliseconds.
// Snapshots to a client may be a second apart.
const sameClock = 1000

// sameGame reports whether two streams show one match, on servers that differ by the version of their address
// alone: the same port, name, map and clock, and the same players.
func sameGame(a, b *playedMatch) bool {
	one, err1 := netip.ParseAddrPort(a.server)
	other, err2 := netip.ParseAddrPort(b.server)
	switch {
	case err1 != nil || err2 != nil || one.Port() != other.Port(),
		one.Addr().Unmap().Is4() == other.Addr().Unmap().Is4(),
		a.mapName != b.mapName || a.hostname != b.hostname,
		!a.timedZero || !b.timedZero || apart(a.zero, b.zero) > sameClock || apart(a.began, b.began) > sameClock:
		return false
	}
	same, different := 0, 0
	for number, p := range a.players {
		switch q := b.players[number]; {
		case q == nil:
		case q.name == p.name:
			same++
		default:
			different++
		}
	}
	return same > different
}

func apart(a, b int64) int64 { return max(a-b, b-a) }
