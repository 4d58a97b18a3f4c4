// Package people joins the players of matches in many files to persons: by GUID, else by name and address, else by
// name. Recordings of one match count once.
package people

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// An Appearance is a player in a match of one file, or a client of a capture outside of matches.
type Appearance struct {
	File, Server, Map string
	Date, DateFrom    string // as those of a Listing
	Name              string // without colours
	GUID              string // "": the recording does not show it
	Address           string // of the client; "": not known
	Bot               bool
	Client            int64    // number in the match
	Earlier           []string // names in the match, before Name

	Played, Won, Lost                    bool // a match; won and lost as far as its winner is known
	Kills, Deaths, Suicides, TeamKills   int64
	DamageGiven, DamageReceived, Seconds float64
	Weapons                              []WeaponShots
}

// WeaponShots are shots and hits as a game announced them.
type WeaponShots struct {
	Weapon     string
	Shots, Hit int64
}

// Careers joins appearances to persons: by GUID, else by name and address, else by name. It is for one goroutine.
type Careers struct {
	casts []Cast
	kept  int // appearances in them
	byID  map[string]*Career
	left  int64 // appearances beyond the limits
}

// The values of IDKind.
const (
	byGUID        = "guid"
	byNameAddress = "name_address"
	byName        = "name"
)

const (
	// maxCareers bounds the memory: so many persons are kept.
	maxCareers = 200_000
	// maxAppearances is how many appearances are kept, until all files have been read.
	maxAppearances = 1_000_000
	// maxCareerList is how many names, addresses and servers are kept of one person.
	maxCareerList = 100
)

// New returns an empty collection.
func New() *Careers { return &Careers{} }

// Add adds who is in a match of a file. Recordings of one match count once.
func (c *Careers) Add(cast *Cast) {
	if c.kept+len(cast.Players) > maxAppearances {
		c.left += int64(len(cast.Players))
		return
	}
	c.kept += len(cast.Players)
	c.casts = append(c.casts, *cast)
}

// person returns who it is: by GUID, else by name and address, else by name. nil: too many people are known.
func (c *Careers) person(a *Appearance, name string) *Career {
	id, kind := strings.ToLower(name), byName
	switch {
	case a.Bot:
		id = "bot:" + id
	case isGUID(a.GUID):
		id, kind = a.GUID, byGUID
	case a.Address != "":
		id, kind = id+"@"+a.Address, byNameAddress
	}
	p := c.byID[kind+" "+id]
	if p == nil {
		if len(c.byID) >= maxCareers {
			c.left++
			return nil
		}
		p = &Career{ID: id, IDKind: kind, Bot: a.Bot, files: map[string]bool{}}
		if kind == byGUID {
			p.GUIDKind = "cl_guid" // the only one that events have
		}
		c.byID[kind+" "+id] = p
	}
	return p
}

// isGUID reports whether a GUID can be that of one client: games send words and zeros where they have none.
func isGUID(guid string) bool {
	if len(guid) < 8 {
		return false
	}
	for i := range len(guid) {
		if guid[i] != guid[0] {
			return strings.Trim(strings.ToLower(guid), "0123456789abcdef-{}") == ""
		}
	}
	return false
}

func (p *Career) add(a *sighting, name string) {
	p.named(name, a.Date, true)
	for _, other := range a.Earlier {
		p.named(other, a.Date, false)
	}
	if a.Date != "" && (p.FirstSeen == "" || a.Date < p.FirstSeen) {
		p.FirstSeen, p.FirstSeenFrom = a.Date, a.DateFrom
	}
	if a.Date > p.LastSeen {
		p.LastSeen, p.LastSeenFrom = a.Date, a.DateFrom
	}
	p.Addresses, p.Servers = with(p.Addresses, a.Address), with(p.Servers, a.Server)
	for _, file := range a.files {
		p.files[file] = true
	}
	if a.borrowed {
		p.borrowed++
	}
	if !a.Played {
		return
	}
	p.Matches++
	if a.Won {
		p.Won++
	}
	if a.Lost {
		p.Lost++
	}
	p.Kills, p.Deaths, p.Suicides = p.Kills+a.Kills, p.Deaths+a.Deaths, p.Suicides+a.Suicides
	p.TeamKills += a.TeamKills
	p.DamageGiven, p.DamageReceived = p.DamageGiven+a.DamageGiven, p.DamageReceived+a.DamageReceived
	p.Minutes += a.Seconds / 60
	for _, w := range a.Weapons {
		i := slices.IndexFunc(p.Weapons, func(o Weapon) bool { return o.Weapon == w.Weapon })
		if i < 0 {
			i = len(p.Weapons)
			p.Weapons = append(p.Weapons, Weapon{Weapon: w.Weapon})
		}
		p.Weapons[i].Shots += w.Shots
		p.Weapons[i].Hits += w.Hit
	}
}

// named notes that the person had a name, at last or earlier in a match.
func (p *Career) named(name, date string, last bool) {
	i := slices.IndexFunc(p.Names, func(n Name) bool { return n.Name == name })
	if i < 0 {
		if len(p.Names) >= maxCareerList {
			return
		}
		i = len(p.Names)
		p.Names = append(p.Names, Name{Name: name})
	}
	n := &p.Names[i]
	n.Times++
	if last {
		n.last++
	}
	n.FirstSeen, n.LastSeen = earlier(n.FirstSeen, date), max(n.LastSeen, date)
}

// earlier returns the earlier of two times in RFC 3339; each may be "".
func earlier(a, b string) string {
	if a == "" || b == "" {
		return cmp.Or(a, b)
	}
	return min(a, b)
}

// with returns a list with a value, once.
func with(list []string, v string) []string {
	if v == "" || slices.Contains(list, v) || len(list) >= maxCareerList {
		return list
	}
	return append(list, v)
}

// List returns the persons: those who played most matches first.
func (c *Careers) List() []Career {
	c.byID = map[string]*Career{}
	for _, group := range c.matches() {
		for _, s := range sightings(group) {
			name := cmp.Or(s.Name, "unnamed")
			if p := c.person(&s.Appearance, name); p != nil {
				p.add(s, name)
			}
		}
	}
	var list []Career
	for _, p := range c.byID {
		q := *p
		q.Files = int64(len(p.files))
		slices.SortFunc(q.Names, func(a, b Name) int {
			return cmp.Or(cmp.Compare(b.Times, a.Times), cmp.Compare(b.last, a.last), cmp.Compare(a.Name, b.Name))
		})
		q.Name = q.Names[0].Name
		slices.Sort(q.Addresses)
		slices.Sort(q.Servers)
		slices.SortFunc(q.Weapons, func(a, b Weapon) int {
			return cmp.Or(cmp.Compare(b.Shots, a.Shots), cmp.Compare(a.Weapon, b.Weapon))
		})
		for i := range q.Weapons {
			w := &q.Weapons[i]
			w.Accuracy = math.Round(10*(100*float64(w.Hits)/float64(w.Shots))) / 10
		}
		q.Minutes = math.Round(100*q.Minutes) / 100
		q.Evidence = q.evidence()
		list = append(list, q)
	}
	slices.SortFunc(list, func(a, b Career) int {
		return cmp.Or(cmp.Compare(b.Matches, a.Matches), cmp.Compare(b.Files, a.Files), cmp.Compare(a.Name, b.Name),
			cmp.Compare(a.IDKind, b.IDKind), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// evidence returns why several names are one person, and how weak it is that a name alone is one.
func (p *Career) evidence() string {
	var parts []string
	switch known := p.IDKind; {
	case p.Bot:
		parts = append(parts, "a bot: it has the same name on every server")
	case known == byGUID && len(p.Names) > 1:
		parts = append(parts, fmt.Sprintf("%d names with the same GUID", len(p.Names)))
	case known == byGUID && len(p.Addresses) > 1:
		parts = append(parts, fmt.Sprintf("%d addresses with the same GUID", len(p.Addresses)))
	case known == byNameAddress:
		parts = append(parts, "the same name from the same address; no GUID is shown")
	case known == byName && p.Files > 1:
		parts = append(parts, "the same name in several files; neither a GUID nor an address is shown")
	}
	if p.borrowed > 0 {
		parts = append(parts, fmt.Sprintf("matches whose GUID another recording of the match shows, by number and name: %d",
			p.borrowed))
	}
	return strings.Join(parts, "; ")
}

// Left is the number of appearances of persons beyond the limit.
func (c *Careers) Left() int64 { return c.left }

// Accuracy returns hits by shots over all weapons, in percent. false: no match has the numbers.
func (p *Career) Accuracy() (percent float64, ok bool) {
	var shots, hits int64
	for _, w := range p.Weapons {
		shots, hits = shots+w.Shots, hits+w.Hits
	}
	if shots == 0 {
		return 0, false
	}
	return math.Round(10*(100*float64(hits)/float64(shots))) / 10, true
}
