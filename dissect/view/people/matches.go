package people

import (
	"slices"
	"strings"
	"time"

	"github.com/q3dissect/q3dissect/dissect/view/internal/dates"
	"github.com/q3dissect/q3dissect/dissect/view/merge"
)

// A Cast is who is in a match of one file, or, without Match, who else is in it.
type Cast struct {
	Match   *MatchSeen
	Players []Appearance
}

// Locate fills in what depends on the place of the file, as Listing.Locate does.
func (c *Cast) Locate(name string, modified time.Time) {
	for i := range c.Players {
		c.Players[i].Locate(name, modified)
	}
}

// matches groups casts: recordings of one match are a group, the one that shows most of it first. Others are groups of
// their own.
func (c *Careers) matches() (groups [][]*Cast) {
	const span = merge.ServerWindow // ms: starts of one match are in the same span or in the next
	type moment struct {
		mapName string
		span    int64
	}
	begun := map[moment][]int{} // groups
	for i := range c.casts {
		cast := &c.casts[i]
		if cast.Match == nil {
			groups = append(groups, []*Cast{cast})
			continue
		}
		at, found := moment{cast.Match.Map, cast.Match.Began / span}, -1
		for _, near := range [...]int64{0, -1, 1} {
			for _, g := range begun[moment{at.mapName, at.span + near}] {
				if found < 0 && slices.ContainsFunc(groups[g], func(o *Cast) bool { return o.Match.same(cast.Match) }) {
					found = g
				}
			}
		}
		if found >= 0 {
			groups[found] = append(groups[found], cast)
			continue
		}
		begun[at] = append(begun[at], len(groups))
		groups = append(groups, []*Cast{cast})
	}
	for _, g := range groups {
		slices.SortStableFunc(g, func(a, b *Cast) int {
			if a.Match == nil || b.Match == nil {
				return 0
			}
			return a.Match.Better(b.Match)
		})
	}
	return groups
}

// A sighting is a player of a match as all its recordings show it.
type sighting struct {
	Appearance
	files    []string
	borrowed bool // the GUID is that of another recording
}

// mayBe reports whether a player with the same number in another recording of the match is the same one: the two have a
// name in common.
func (s *sighting) mayBe(a *Appearance) bool {
	return strings.EqualFold(s.Name, a.Name) || slices.Contains(s.Earlier, a.Name) || slices.Contains(a.Earlier, s.Name)
}

// sightings joins the recordings of a match: a player is one with a number and a name. Sums are those of the
// recording that shows most of the match; who is not in it has those of another one.
func sightings(group []*Cast) (list []*sighting) {
	for _, cast := range group {
		for i := range cast.Players {
			a := &cast.Players[i]
			at := slices.IndexFunc(list, func(s *sighting) bool {
				return cast.Match != nil && s.Client == a.Client && s.mayBe(a)
			})
			if at < 0 {
				s := &sighting{Appearance: *a, files: []string{a.File}}
				// A number that has another name in a better recording was renamed: what it did is counted there.
				s.Played = s.Played && !slices.ContainsFunc(list, func(o *sighting) bool { return o.Client == a.Client })
				list = append(list, s)
				continue
			}
			s := list[at]
			if !slices.Contains(s.files, a.File) {
				s.files = append(s.files, a.File)
			}
			if s.GUID == "" && a.GUID != "" {
				s.GUID, s.borrowed = a.GUID, true
			}
			if dates.Rank(a.DateFrom) < dates.Rank(s.DateFrom) {
				s.Date, s.DateFrom = a.Date, a.DateFrom
			}
			if s.Address == "" {
				s.Address = a.Address
			}
			if s.Server == "" {
				s.Server = a.Server
			}
		}
	}
	return list
}

// Locate does for an appearance what Listing.Locate does for a line.
func (a *Appearance) Locate(name string, modified time.Time) {
	a.File = name
	a.Date, a.DateFrom = dates.Located(a.Date, a.DateFrom, name, modified)
}
