package timeline

import (
	"cmp"
	"math"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/matchid"
	"github.com/q3dissect/q3dissect/dissect/view"
	"github.com/q3dissect/q3dissect/dissect/view/merge"
)

// Options select the content.
type Options struct {
	Secrets bool // passwords as they are
	Replay  bool // the records have scenes (dissect.Options.Scenes), and games get Replays
}

// Needs returns what the records must have.
func Needs() view.Needs { return view.Needs{Tree: true, Events: true, Inputs: true} }

// A Collector takes the records of one input.
type Collector struct {
	opts      Options
	clock     clock
	numbers   matchid.Numbers
	merge     *merge.Merge
	lagometer *view.Lagometer
	loss      *view.Table // of the lagometer; nil until it is asked for
	rate      rates
	games     map[gameKey]*Game
	order     []gameKey
	events    int // of all games
	byStream  map[int]*Game
	words     words
	own       map[int]string // names of the clients whose streams there are
	tracks    tracks
	replays   replays
	aims      aims
	excerpt   excerpt
	notes     notes
}

// A gameKey distinguishes games: by the server, in recordings by the stream.
type gameKey struct {
	server string
	stream int
}

// Limits of memory.
const (
	maxGames   = 500
	maxEvents  = 60_000 // of a game
	maxAll     = 90_000 // events of all games
	maxPlayers = 2000   // of a game
	maxSamples = 1_500_000
	maxMaps    = 1000
)

// New begins an input.
func New(o Options) *Collector {
	c := &Collector{
		opts: o, games: map[gameKey]*Game{}, byStream: map[int]*Game{}, own: map[int]string{}, aims: aims{}, words: words{},
		merge: merge.NewMerge(),
	}
	c.merge.ByAddress = true // as games are
	c.lagometer = view.NewLagometer(func(*dissect.Record) (int64, bool) { return int64(c.clock.now * 1e9), c.clock.known })
	c.merge.Render = func(rec *dissect.Record, event int) ([]byte, int) { return c.render(rec, event), 0 }
	c.merge.Show = func(dst []byte, h *merge.Happening) []byte { c.show(h); return dst }
	return c
}

// Add takes a record and keeps nothing of it.
func (c *Collector) Add(rec *dissect.Record) {
	c.clock.tick(rec)
	if !rec.Closing {
		c.rate.add(rec, &c.clock)
		c.lagometer.Add(rec)
	}
	c.numbers.Number(rec)
	c.merge.Add(nil, rec)
	shot := false
	if len(rec.Inputs) > 0 {
		if g := c.game(rec); g != nil {
			c.tracks.add(g, rec, c.clock.now)
			shot = c.aims.add(g, rec, &c.clock, &c.notes)
		}
	}
	if c.opts.Replay && rec.Scene.Known && c.clock.known {
		if g := c.game(rec); g != nil {
			c.replays.add(g, rec, c.clock.now)
		}
	}
	c.excerpt.add(rec, &c.clock, shot, c.opts.Secrets)
}

// game returns the game of a record; nil: there are too many.
func (c *Collector) game(rec *dissect.Record) *Game {
	if rec.Stream >= 0 && !rec.Recorded() {
		if g := c.byStream[rec.Stream]; g != nil {
			return g
		}
	}
	key := gameKey{stream: rec.Stream}
	if server, ok := rec.Server(); ok {
		key = gameKey{server: server.String()}
	}
	g := c.games[key]
	if g == nil {
		if len(c.games) >= maxGames {
			c.notes.add("Games of more than %d servers: those that came later are left out.", maxGames)
			return nil
		}
		g = &Game{
			Server: key.server, View: "above", Sides: redBlue, Players: []*Player{}, Events: []Event{}, Tracks: []Track{},
			roster: map[int64]int{}, byName: map[string]int{}, ways: map[int]*way{},
		}
		if source := rec.EventSource(); source != nil {
			g.Protocol = source.Name
		} else if rec.Protocol != nil {
			g.Protocol = rec.Protocol.Name
		}
		if rec.Protocol != nil && rec.Protocol.TileSize > 0 {
			g.View, g.Unit = "side", rec.Protocol.TileSize
		}
		c.games[key] = g
		c.order = append(c.order, key)
	}
	if rec.Stream >= 0 && !rec.Recorded() && len(c.byStream) < maxGames*100 {
		c.byStream[rec.Stream] = g
		g.Streams = append(g.Streams, rec.Stream)
	}
	return g
}

// Data returns the data of all records. The collector cannot be used afterwards.
func (c *Collector) Data() *Data {
	c.merge.Flush(nil)
	d := &Data{
		Clock: c.clock.describe(), Games: []*Game{}, Lagometer: c.courses(), Rate: c.rate.data(),
		Notes: c.notes.list,
	}
	for _, key := range c.order {
		g := c.games[key]
		slices.SortStableFunc(g.Events, func(a, b Event) int { return cmp.Compare(a.Time, b.Time) })
		g.finish(d.Clock.Length, c.tracks.step())
		g.addMissing(!c.clock.capture)
		if len(g.Events)+len(g.Tracks) > 0 {
			d.Games = append(d.Games, g)
		}
	}
	slices.SortStableFunc(d.Games, func(a, b *Game) int { return cmp.Compare(b.weight(), a.weight()) })
	d.Aim = c.aims.data(c.own, d.Games)
	c.replays.note(&c.notes)
	d.Excerpt = c.excerpt.choose(d, &c.notes)
	d.Notes = c.notes.list
	return d
}

// weight returns how much there is to see of a game.
func (g *Game) weight() (n int) {
	for i := range g.Tracks {
		n += len(g.Tracks[i].Times) / 100
	}
	return n + len(g.Events)
}

// thousandths rounds seconds.
func thousandths(f float64) float64 { return math.Round(f*1000) / 1000 }
