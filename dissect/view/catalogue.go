package view

import (
	"cmp"
	"slices"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
)

// A Catalogue lists the matches of one file. Its records must have been made with dissect.Options.Events.
// Streams of one server that show the same match are one entry: the one that shows most of the match.
type Catalogue struct {
	played  *played
	list    []*playedMatch
	seen    int // matches, also those beyond the limit
	damaged uint64
	names   map[string]uint64 // datagrams by protocol
}

// maxCatalogued is the most matches that are kept of one file.
const maxCatalogued = 20_000

// NewCatalogue returns the catalogue of one file.
func NewCatalogue() *Catalogue {
	c := &Catalogue{names: map[string]uint64{}}
	c.played = newPlayed(func(p *playedMatch) {
		if c.seen++; len(c.list) < maxCatalogued {
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
	if !rec.Closing {
		c.names[rec.Protocol.Name]++
	}
	if rec.Damaged {
		c.damaged++
	}
	c.played.add(rec)
}

// A Listing is one line of a catalogue: a match, or a file without matches.
type Listing struct {
	File       string          `json:"file"`
	Kind       string          `json:"kind"` // capture or demo
	Protocol   string          `json:"protocol,omitempty"`
	Server     string          `json:"server,omitempty"`
	Servers    []string        `json:"servers,omitempty"`
	Hostname   string          `json:"hostname,omitempty"`
	Match      *int64          `json:"match,omitempty"`
	Streams    []int64         `json:"streams,omitempty"`
	Mod        string          `json:"mod,omitempty"`
	Map        string          `json:"map,omitempty"`
	Gametype   string          `json:"gametype,omitempty"`
	Date       string          `json:"date,omitempty"`
	DateFrom   string          `json:"date_from,omitempty"`
	StartTime  *int64          `json:"start_time,omitempty"`
	Duration   *int64          `json:"duration,omitempty"`
	Players    []ListingPlayer `json:"players,omitempty"`
	RecordedBy string          `json:"recorded_by,omitempty"`
	Reason     string          `json:"reason,omitempty"`
	Winner     string          `json:"winner,omitempty"`
	Scores     []ListingScore  `json:"scores,omitempty"`
	Finishes   []ListingFinish `json:"finishes,omitempty"`
	Race       *ListingRace    `json:"race,omitempty"`
	FlagRuns   []ListingRun    `json:"flag_runs,omitempty"` // the fastest capture of each player
	Complete   *bool           `json:"complete,omitempty"`
	Damaged    uint64          `json:"damaged"`
	Error      string          `json:"error,omitempty"`
}

// A ListingPlayer is a player of a match.
type ListingPlayer struct {
	Name  string `json:"name"`
	Team  string `json:"team,omitempty"`
	Kills *int64 `json:"kills,omitempty"` // nil: not known
}

// A ListingScore is a final score.
type ListingScore struct {
	Name  string `json:"name"`
	Score int64  `json:"score"`
}

// A ListingFinish is the best time of a player in a race.
type ListingFinish struct {
	Name string `json:"name"`
	Time int64  `json:"time"` // ms
}

// A CatalogueFile is what is known of a file apart from its records.
type CatalogueFile struct {
	Name     string
	Demo     bool
	Modified time.Time // zero: not known
	Error    string    // the error that stopped reading
}

// Listings returns the lines of the file, in the order in which the matches began, then those of races, which have
// finishes and no matches. A file without either has one line.
func (c *Catalogue) Listings(f CatalogueFile) []Listing {
	base := Listing{Kind: "capture", Damaged: c.damaged, Error: f.Error, Protocol: c.protocol()}
	if f.Demo {
		base.Kind = "demo"
	}
	var lines []Listing
	for _, group := range c.groups() {
		l := base
		l.fill(group, f)
		number := group[0].number
		l.Match = &number
		lines = append(lines, l)
	}
	for _, r := range c.races() {
		if len(r.best) == 0 {
			continue // nobody finished
		}
		l := base
		l.place(&r.gameFacts, f)
		l.Finishes, l.Race = r.finishes(), r.runs.listing()
		lines = append(lines, l)
	}
	if len(lines) == 0 {
		for _, key := range c.played.order() {
			if s := c.played.streams[key]; s.game.mapName != "" {
				base.place(&s.game, f)
				break
			}
		}
		lines = append(lines, base)
	}
	seen := c.visitOf()
	for i := range lines {
		seen.fill(&lines[i])
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

// races joins the races of all streams: one for each server and map.
func (c *Catalogue) races() (list []*race) {
	type course struct{ server, mapName string }
	joined := map[course]*race{}
	for _, key := range c.played.order() {
		for _, r := range c.played.streams[key].races {
			all := joined[course{r.server, r.mapName}]
			if all == nil {
				all = &race{gameFacts: r.gameFacts, best: map[string]int64{}}
				joined[course{r.server, r.mapName}] = all
				list = append(list, all)
			}
			all.join(r)
		}
	}
	return list
}

// join adds the finishes of another stream.
func (r *race) join(o *race) {
	for name, time := range o.best {
		if before, ok := r.best[name]; !ok || time < before {
			r.best[name] = time
		}
	}
	r.runs.join(&o.runs)
}

// finishes returns the best times, the best first.
func (r *race) finishes() (list []ListingFinish) {
	for name, time := range r.best {
		list = append(list, ListingFinish{name, time})
	}
	slices.SortFunc(list, func(a, b ListingFinish) int {
		return cmp.Or(cmp.Compare(a.Time, b.Time),
			cmp.Compare(a.Name, b.Name))
	})
	return list
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// place fills in what was played where, and when.
func (l *Listing) place(g *gameFacts, f CatalogueFile) {
	l.Protocol = cmp.Or(g.protocol, l.Protocol)
	l.Server, l.Hostname, l.Mod, l.Map, l.Gametype = g.server, g.hostname, g.mod, g.mapName, g.mode
	switch {
	case g.date != 0:
		l.Date, l.DateFrom = time.Unix(0, g.date).UTC().Format(time.RFC3339), dateOfCapture
	case g.said != "":
		l.Date, l.DateFrom = g.said, dateOfGame
	}
	if f.Demo {
		l.RecordedBy = g.recorder
	}
}

// fill takes over a match as its streams show it.
func (l *Listing) fill(group []*playedMatch, f CatalogueFile) {
	p := group[0]
	l.place(&p.gameFacts, f)
	began, complete := p.began, p.complete
	l.StartTime, l.Complete = &began, &complete
	for _, q := range group {
		if !slices.Contains(l.Servers, q.server) {
			l.Servers = append(l.Servers, q.server)
		}
		if q.key.stream >= 0 && !f.Demo {
			l.Streams = append(l.Streams, int64(q.key.stream))
		}
	}
	slices.Sort(l.Streams)
	if slices.Sort(l.Servers); len(l.Servers) == 1 {
		l.Servers = nil
	}
	if p.timed {
		length := p.length
		l.Duration = &length
	}
	l.Reason, l.Winner = p.reason, p.winner
	together := race{best: map[string]int64{}}
	for _, q := range group {
		together.join(&q.race)
	}
	if p.mode == raceMode { // the scores are times
		for _, s := range p.scores {
			together.join(&race{best: map[string]int64{s.name: s.score}})
		}
	} else {
		for _, s := range p.scores {
			l.Scores = append(l.Scores, ListingScore{s.name, s.score})
		}
	}
	l.Finishes, l.Race, l.FlagRuns = together.finishes(), together.runs.listing(), bestRuns(together.runs.captured)
	for _, q := range p.inOrder() {
		player := ListingPlayer{Name: q.name, Kills: &q.kills}
		if q.team != noTeam {
			player.Team = q.team
		}
		l.Players = append(l.Players, player)
	}
}

// order returns the streams in order, by file.
func (m *played) order() []fileStream {
	var keys []fileStream
	for key := range m.streams {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b fileStream) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.stream, b.stream))
	})
	return keys
}
