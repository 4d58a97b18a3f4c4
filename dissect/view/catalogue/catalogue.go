// Package catalogue lists the matches of a file, and who played in them.
package catalogue

import (
	"cmp"
	"slices"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/view/internal/dates"
	"github.com/q3dissect/q3dissect/dissect/view/internal/match"
)

// A Catalogue lists the matches of one file. Its records must have been made with dissect.Options.Events.
// Streams of one server that show the same match are one entry: the one that shows most of the match.
type Catalogue struct {
	played  *match.Matches
	list    []*match.Match
	seen    int // matches, also those beyond the limit
	damaged uint64
	names   map[string]uint64 // datagrams by protocol
}

// maxCatalogued is the most matches that are kept of one file.
const maxCatalogued = 20_000

// New returns the catalogue of one file.
func New() *Catalogue {
	c := &Catalogue{names: map[string]uint64{}}
	c.played = match.New(func(p *match.Match) {
		if c.seen++; len(c.list) < maxCatalogued {
			if !c.played.Proves {
				p.DropDeeds()
			}
			c.list = append(c.list, p)
		}
	})
	return c
}

// Add reads a record and keeps no reference to it.
func (c *Catalogue) Add(rec *dissect.Record) {
	if rec.Protocol == nil {
		return
	}
	if !rec.Closing && !rec.Refused {
		c.names[rec.Protocol.Name]++
	}
	if rec.Damaged && !rec.Refused {
		c.damaged++
	}
	c.played.Add(rec)
}

// A File is what is known of a file apart from its records.
type File struct {
	Name     string
	Demo     bool
	Modified time.Time // zero: not known
	Error    string    // the error that stopped reading
}

// Listings returns the lines of the file, in the order in which the matches began, then those of races, which have
// finishes and no matches. A file without either has one line.
func (c *Catalogue) Listings(f File) []Listing {
	base := Listing{Kind: "capture", Damaged: c.damaged, Error: f.Error, Protocol: c.protocol()}
	if f.Demo {
		base.Kind = "demo"
	}
	var lines []Listing
	for _, group := range match.Groups(c.list) {
		l := base
		l.fill(group, f)
		number := group[0].Number
		l.Match = &number
		lines = append(lines, l)
	}
	for _, r := range c.races() {
		if len(r.Best) == 0 {
			continue // nobody finished
		}
		l := base
		l.place(&r.Facts, f)
		l.Finishes, l.Race = finishesOf(&r.Race), listingOf(&r.Runs)
		l.Servers = severalOf(r.servers)
		lines = append(lines, l)
	}
	if len(lines) == 0 {
		for _, key := range c.played.Order() {
			if s := c.played.Streams[key]; s.Game.MapName != "" {
				base.place(&s.Game, f)
				break
			}
		}
		lines = append(lines, base)
	}
	seen := c.visitOf()
	for i := range lines {
		fillVisit(seen, &lines[i])
		lines[i].Locate(f.Name, f.Modified)
	}
	return lines
}

// protocol returns the protocol with most of the file's datagrams.
func (c *Catalogue) protocol() (name string) {
	for n, count := range c.names {
		if best := c.names[name]; count > best || count == best && n < name {
			name = n
		}
	}
	return name
}

// A course is a race on a map of a server, as all streams show it.
type course struct {
	match.Race
	servers []string // endpoints
}

// races joins the races of all streams: one for each server and map.
func (c *Catalogue) races() (list []*course) {
	for _, key := range c.played.Order() {
		for _, r := range c.played.Streams[key].Races {
			i := slices.IndexFunc(list, func(all *course) bool {
				return slices.Contains(all.servers, r.Server) && all.MapName == r.MapName
			})
			if i < 0 {
				i = slices.IndexFunc(list, func(all *course) bool { return all.SameRace(r) })
			}
			if i < 0 {
				i = len(list)
				list = append(list, &course{Race: match.Race{Facts: r.Facts, Best: map[string]int64{}}})
			}
			if all := list[i]; !slices.Contains(all.servers, r.Server) {
				all.servers = append(all.servers, r.Server)
			}
			list[i].Join(r)
		}
	}
	return list
}

// finishesOf returns the best times, the best first.
func finishesOf(r *match.Race) (list []ListingFinish) {
	for name, time := range r.Best {
		list = append(list, ListingFinish{name, time})
	}
	slices.SortFunc(list, func(a, b ListingFinish) int {
		return cmp.Or(cmp.Compare(a.Time, b.Time),
			cmp.Compare(a.Name, b.Name))
	})
	return list
}

// place fills in what was played where, and when.
func (l *Listing) place(g *match.Facts, f File) {
	l.Protocol = cmp.Or(g.Protocol, l.Protocol)
	l.Server, l.Hostname, l.Mod, l.Map, l.Gametype = g.Server, g.Hostname, g.Mod, g.MapName, g.Mode
	l.Physics, l.Mode = g.Physics, g.RunMode
	switch {
	case g.Date != 0:
		l.Date, l.DateFrom = time.Unix(0, g.Date).UTC().Format(time.RFC3339), dates.OfCapture
	case g.Said != "":
		l.Date, l.DateFrom = g.Said, dates.OfGame
	}
	if f.Demo {
		l.RecordedBy = g.Recorder
	}
}

// fill takes over a match as its streams show it.
func (l *Listing) fill(group []*match.Match, f File) {
	p := group[0]
	l.place(&p.Facts, f)
	complete := p.Complete
	l.Complete = &complete
	if began := p.Began; !p.Late {
		l.StartTime = &began
	}
	l.Late = p.Late
	for _, q := range group {
		if !slices.Contains(l.Servers, q.Server) {
			l.Servers = append(l.Servers, q.Server)
		}
		if q.Key.Stream >= 0 && !f.Demo {
			l.Streams = append(l.Streams, int64(q.Key.Stream))
		}
	}
	slices.Sort(l.Streams)
	l.Servers = severalOf(l.Servers)
	if p.Timed {
		length := p.Length
		l.Duration = &length
	}
	l.Reason, l.Winner = p.Reason, p.Winner
	together := match.Race{Best: map[string]int64{}}
	for _, q := range group {
		together.Join(&q.Race)
	}
	if p.Mode == match.RaceMode { // the scores are times
		for _, s := range p.Scores {
			together.Join(&match.Race{Best: map[string]int64{s.Name: s.Score}})
		}
	} else {
		for _, s := range p.Scores {
			line := ListingScore{Name: s.Name}
			if score := s.Score; s.Scored {
				line.Score = &score
			}
			l.Scores = append(l.Scores, line)
		}
	}
	l.Finishes, l.Race, l.FlagRuns = finishesOf(&together), listingOf(&together.Runs), bestRuns(together.Runs.Captured)
	for _, q := range p.InOrder() {
		player := ListingPlayer{Name: q.Name, Bot: q.Bot, Kills: &q.Kills}
		if q.Team != match.NoTeam {
			player.Team = q.Team
		}
		l.Players = append(l.Players, player)
	}
}

// severalOf returns endpoints in order, or nil if there is only one.
func severalOf(servers []string) []string {
	if len(servers) < 2 {
		return nil
	}
	slices.Sort(servers)
	return servers
}
