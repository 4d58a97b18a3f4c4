// Package outliers measures how players aim, shoot, move and send commands, and keeps where in the input each measure
// is most unusual.
package outliers

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/view/internal/bots"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// Each player is measured against each other one. Matches have up to 0.9 pairs for a byte of messages (the reference
// recordings), and 64 players in view of one would have 3; crowds in messages of a few bytes would take minutes.
const (
	pairsFirst = 1_000_000
	pairsEach  = 5
)

// maxNames is how many names are kept of a player.
const maxNames = 64

// maxPlayers is how many players are kept: each takes up to 400 KB.
const maxPlayers = 256

type streamKey struct {
	file   string
	stream int
}

type playerKey struct {
	streamKey
	kind   extract.InputKind
	number int
}

// A Collector takes records. It is for one goroutine.
type Collector struct {
	players map[playerKey]*player
	scenes  map[streamKey]*scene
	people  map[streamKey]map[int]who
	groups  map[streamKey]string
	sights  []sight
	walls   func(mapName string) Clear
	left    uint64 // inputs of players beyond maxPlayers

	pairs, mostPairs int    // of players who were looked at, and may be
	unseen           uint64 // inputs without a look at the others
}

// A who is what events show of a player.
type who struct {
	name, clean string   // with and without the game's colours
	all         []string // every name, both ways
	bot         bool
}

// New begins. walls returns what is solid in a map, nil if that is not known; it may be nil.
func New(walls func(mapName string) Clear) *Collector {
	return &Collector{
		mostPairs: pairsFirst, walls: walls,
		players: map[playerKey]*player{}, scenes: map[streamKey]*scene{}, people: map[streamKey]map[int]who{},
		groups: map[streamKey]string{},
	}
}

// Add reads a record and keeps no reference to it.
func (c *Collector) Add(rec *dissect.Record) {
	key := streamKey{rec.File, rec.Stream}
	c.addNames(rec, key)
	if len(rec.Inputs) == 0 {
		return
	}
	if c.groups[key] == "" && len(c.groups) < maxPlayers {
		c.groups[key] = groupOf(rec)
	}
	at := Moment{Frame: rec.Number(), Time: rec.Time - rec.FirstTime, HasTime: rec.HasTime}
	scene := c.scene(key)
	if scene == nil {
		c.left += uint64(len(rec.Inputs))
		return
	}
	for i := range rec.Inputs {
		if in := &rec.Inputs[i]; in.Kind != extract.InputCommand && in.HasPlace && in.Player >= 0 {
			scene.set(in)
		}
	}
	c.mostPairs += pairsEach * len(rec.Payload)
	commands := 0
	var client *player
	for i := range rec.Inputs {
		in := &rec.Inputs[i]
		if in.Kind != extract.InputCommand && !in.HasView {
			continue // only the place is known
		}
		p := c.player(playerKey{key, in.Kind, in.Player})
		if p == nil {
			continue
		}
		shooter := in.Player
		if in.Kind == extract.InputCommand {
			commands, client, shooter = commands+1, p, scene.own
		}
		at.Game = in.Time
		c.sights = c.sights[:0]
		if c.pairs += scene.end; c.pairs <= c.mostPairs {
			c.sights = scene.sights(c.sights, in, shooter)
		} else {
			c.unseen++
		}
		p.add(in, at, c.sights)
	}
	if client != nil {
		client.packet(rec, at, commands)
	}
}

// scene returns the scene of a stream, or nil if there are too many.
func (c *Collector) scene(key streamKey) *scene {
	s := c.scenes[key]
	if s == nil && len(c.scenes) < maxPlayers {
		s = newScene()
		c.scenes[key] = s
	}
	return s
}

// player returns the player of a key, or nil if there are too many.
func (c *Collector) player(key playerKey) *player {
	p := c.players[key]
	if p == nil {
		if len(c.players) >= maxPlayers {
			c.left++
			return nil
		}
		p = &player{}
		c.players[key] = p
	}
	return p
}

// groupOf returns the protocol with its version: players of one are compared with each other first.
func groupOf(rec *dissect.Record) string {
	source := rec.EventSource()
	if source == nil {
		source = rec.Protocol
	}
	if source == nil {
		return ""
	}
	version := rec.Root().Get("version")
	if !version.Exists() {
		return source.Name
	}
	return source.Name + " " + version.String()
}

// addNames keeps the names of players, and who is a bot.
func (c *Collector) addNames(rec *dissect.Record, key streamKey) {
	named := func(v dissect.Value) {
		number, name := v.Get("client_num"), v.Get("name")
		if !number.Exists() || !name.Exists() {
			return
		}
		people := c.people[key]
		if people == nil {
			if len(c.people) >= maxPlayers {
				return
			}
			people = map[int]who{}
			c.people[key] = people
		}
		n := int(number.Int())
		if _, known := people[n]; !known && len(people) >= maxScene {
			return
		}
		one := people[n]
		one.name = wiretext.String(name.Bytes())
		one.clean = one.name
		if clean := v.Get("name_clean"); clean.Exists() {
			one.clean = wiretext.String(clean.Bytes())
		}
		for _, name := range [...]string{one.name, one.clean} {
			if len(one.all) < maxNames && !slices.Contains(one.all, name) {
				one.all = append(one.all, name)
			}
		}
		people[n] = one
	}
	for e := range rec.Events.Top().Children() {
		if name := e.Get("map"); c.walls != nil && name.Exists() {
			if s := c.scene(key); s != nil {
				s.clear = c.walls(wiretext.String(name.Bytes()))
			}
		}
		named(e.Get("client"))
		for p := range e.Get("players").Children() { // players of a game in progress
			named(p)
		}
		for number, bot := range bots.In(e) {
			if one, known := c.people[key][int(number)]; known {
				one.bot = bot
				c.people[key][int(number)] = one
			}
		}
	}
}

// A Player are the measures of one player.
type Player struct {
	File   string
	Stream int
	Kind   extract.InputKind
	Number int // -1: not known
	Name   string
	Clean  string   // Name without the game's colours
	Names  []string // every name that the player had, with and without colours
	Bot    bool
	Group  string // protocol and version
	Rate   int    // typical time between two moments, in ms
	Values []Values
}

// Is reports whether the player has or had a name, whatever its case and colours, or has a number as #3.
func (p *Player) Is(name string) bool {
	return p.Number >= 0 && name == "#"+strconv.Itoa(p.Number) ||
		slices.ContainsFunc(p.Names, func(had string) bool { return isCalled(name, had) })
}

// colours are the codes of colours in names of the Quake III family.
var colours = regexp.MustCompile(`\^[0-9A-Za-z]`)

// isCalled compares a name that somebody asks for with one that a player had.
func isCalled(name, had string) bool {
	return strings.EqualFold(name, had) || strings.EqualFold(colours.ReplaceAllString(name, ""), had)
}

// IsNow is Is without the names that the player had before.
func (p *Player) IsNow(name string) bool {
	return p.Is(name) && (strings.HasPrefix(name, "#") || isCalled(name, p.Clean) || isCalled(name, p.Name))
}

// Source returns where the values come from.
func (p *Player) Source() Source { return sourceOf(p.Kind) }

func sourceOf(kind extract.InputKind) Source {
	if kind == extract.InputCommand {
		return Commands
	}
	return Snapshots
}

// Values are the values of a measure.
type Values struct {
	*Measure
	Count   int64
	Summary float64 // the percentile of the Measure
	Enough  bool    // there are enough values for Summary
	Moments []Ranked
}

// A Ranked is a moment with its rank.
type Ranked struct {
	Moment
	Rank       int64 // among the player's values, from 1
	RankAll    int64 // among those of all players of the input with the same source, from 1
	CountOther int64 // values of the other players
}

// A field is who is compared with whom: the players of a file whose values come from the same source.
type field struct {
	file   string
	source Source
}

// A rival is a player of a field.
type rival struct {
	playerKey
	*player
}

// rivals returns the players of each field, in any order.
func (c *Collector) rivals() map[field][]rival {
	list := map[field][]rival{}
	for key, p := range c.players {
		at := field{key.file, sourceOf(key.kind)}
		list[at] = append(list[at], rival{key, p})
	}
	return list
}

// Players returns the players in the order of their streams. The collector cannot be used afterwards.
func (c *Collector) Players() []Player {
	var list []Player
	rivals := c.rivals()
	for key, p := range c.players {
		one := Player{
			File: key.file, Stream: key.stream, Kind: key.kind, Number: key.number, Group: c.groups[key.streamKey],
		}
		known := c.people[key.streamKey][key.number]
		one.Name, one.Clean, one.Names, one.Bot = known.name, known.clean, known.all, known.bot
		if p.intervals > 0 {
			one.Rate = int((p.intervalSum + p.intervals/2) / p.intervals)
		}
		for m := range measures {
			if s := &p.series[m]; s.count > 0 {
				others := rivals[field{key.file, sourceOf(key.kind)}]
				one.Values = append(one.Values, values(key, m, s, others))
			}
		}
		if len(one.Values) > 0 {
			list = append(list, one)
		}
	}
	slices.SortFunc(list, func(a, b Player) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Stream, b.Stream), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Number, b.Number))
	})
	return list
}

// values ranks the moments of a measure among all players of a field.
func values(key playerKey, m measure, s *series, all []rival) Values {
	d := &Measures[m]
	v := Values{Measure: d, Count: s.count, Enough: s.count >= int64(d.Least), Summary: s.percentile(d.Percent)}
	median := s.percentile(50)
	for _, moment := range s.moments() {
		if d.Side == High && s.count > 2*maxMoments && moment.Value <= median {
			break // half of all values are as high
		}
		rank := 1 + s.above(d.Side, moment.Value)
		v.Moments = append(v.Moments, Ranked{Moment: moment, Rank: rank, RankAll: rank})
	}
	for i := range all {
		o, other := &all[i], &all[i].series[m]
		if other.count == 0 || o.stream == key.stream && o.number == key.number {
			continue
		}
		for j := range v.Moments {
			r := &v.Moments[j]
			r.CountOther += other.count
			r.RankAll += other.above(d.Side, r.Value)
		}
	}
	return v
}

// Notes return what a reader must know.
func (c *Collector) Notes() (notes []string) {
	if c.left > 0 {
		notes = append(notes, fmt.Sprintf("more than %d players: %d moments of those who came later are left out",
			maxPlayers, c.left))
	}
	if c.unseen > 0 {
		notes = append(notes, fmt.Sprintf("too many players for so few bytes: of %d moments the aim at others is left out",
			c.unseen))
	}
	return notes
}
