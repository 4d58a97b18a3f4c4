package timeline

import (
	"encoding/json"
	"math"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/view/internal/bots"
	"github.com/q3dissect/q3dissect/dissect/view/merge"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// A gameEvent is an event on its way through the merge.
type gameEvent struct {
	Game  int   `json:"game"`
	Event Event `json:"event"`
}

// render returns an event of the game as one of the pictures, as text: the merge replaces events of one stream by
// fuller ones of another.
func (c *Collector) render(rec *dissect.Record, event int) []byte {
	g := c.game(rec)
	if g == nil {
		return nil
	}
	e := rec.Events.At(event)
	out := gameEvent{Game: c.number(g), Event: Event{
		Time: thousandths(c.clock.now), Frame: rec.Number(),
		Kind: e.Get(dissect.EventKind.Key).String(),
	}}
	g.follow(e, out.Event.Kind, c.clock.now)
	g.fill(&out.Event, e)
	if out.Event.Player != nil && e.Get("own").Bool() {
		p := g.Players[*out.Event.Player]
		p.Own, g.own = true, *out.Event.Player+1
		if rec.Stream >= 0 && len(c.own) < maxPlayers*10 {
			c.own[rec.Stream] = p.Clean
		}
	}
	if !c.opts.Secrets && (e.Get("password").Exists() || e.Get("command").Exists()) {
		out.Event.Info = "a password or command of remote control, which is not shown"
	}
	b, err := json.Marshal(&out)
	if err != nil {
		panic(err) // numbers and texts
	}
	return b
}

// number returns a game's place in the order.
func (c *Collector) number(g *Game) int {
	for i := len(c.order) - 1; i >= 0; i-- {
		if c.games[c.order[i]] == g {
			return i
		}
	}
	return -1
}

// show adds a happening that is complete.
func (c *Collector) show(h *merge.Happening) {
	var t gameEvent
	if json.Unmarshal(h.Text, &t) != nil || t.Game < 0 {
		return // of a game for which there was no place
	}
	g, e := c.games[c.order[t.Game]], t.Event
	e.share(c.words)
	if e.Kind == event.Scoreboard {
		g.addDamage(&e)
		return
	}
	if len(g.Events) >= maxEvents {
		c.notes.add("More than %d events of a game: those that came later are left out.", maxEvents)
		return
	}
	if c.events >= maxAll {
		c.notes.add("More than %d events of all games: those that came later are left out.", maxAll)
		return
	}
	c.events++
	if e.Info == "" {
		e.Info = c.words.share(wiretext.String([]byte(h.Info)))
	}
	if len(h.Streams) > 1 || len(h.NotSeenBy) > 0 {
		e.Streams, e.NotSeenBy = h.Streams, h.NotSeenBy
	}
	g.Events = append(g.Events, e)
}

// words are texts that events have in common, each in memory once.
type words map[string]string

// maxWords bounds the texts that are looked for.
const maxWords = 10_000

// share returns a text that is in memory already, if there is one.
func (w words) share(text string) string {
	if known, ok := w[text]; ok {
		return known
	}
	if len(w) < maxWords {
		w[text] = text
	}
	return text
}

// share replaces the texts of an event.
func (e *Event) share(w words) {
	for _, text := range [...]*string{&e.Kind, &e.Info, &e.What, &e.Team, &e.OldTeam, &e.Course} {
		*text = w.share(*text)
	}
}

// follow keeps the players and the map.
func (g *Game) follow(e dissect.Value, kind string, now float64) {
	switch kind {
	case event.Connect, event.Enter, event.Rename:
		g.come(e.Get("client"), kind, now)
	case event.MapStart:
		m := Map{Time: thousandths(now), Name: textOf(e.Get("map"))}
		if n := len(g.Maps); (n == 0 || g.Maps[n-1].Name != m.Name) && n < maxMaps {
			g.Maps = append(g.Maps, m)
		}
		for p := range e.Get("players").Children() {
			g.come(p, kind, now)
			g.sideOf(p)
		}
	}
	for number, bot := range bots.In(e) {
		if player, ok := g.roster[number]; ok && bot {
			g.Players[player].Bot = true
		}
	}
}

// fill copies the values of an event.
func (g *Game) fill(out *Event, e dissect.Value) {
	out.Player = g.who(e.Get("client"))
	out.Place = placeOf(e.Get("position"))
	if v := e.Get("match"); v.Exists() {
		number, clock := v.Int(), thousandths(float64(e.Get("match_time").Int())/1000)
		out.Match = &number
		if e.Get("match_time").Exists() {
			out.Clock = &clock
		}
	}
	switch out.Kind {
	case event.Kill:
		g.kill(out, e)
	case event.Pickup:
		out.What = wordOf(e.Get("item"))
	case event.Flag:
		out.What, out.Team = e.Get("action").String(), wordOf(e.Get("flag"))
	case event.Chat:
		out.What, out.Text, out.Other = e.Get("channel").String(), textOf(e.Get("text")), g.who(e.Get("target"))
		if out.Text == "" {
			out.Text = textOf(e.Get("voice"))
		}
	case event.Score:
		out.Scores, out.TeamGame = &[2]float64{float64(e.Get("score1").Int()), float64(e.Get("score2").Int())},
			e.Get("team_game").Bool()
	case event.Team:
		out.Team, out.OldTeam = wordOf(e.Get("team")), wordOf(e.Get("old_team"))
	case event.Vote, event.Warmup:
		out.What, out.Text = e.Get("action").String(), textOf(e.Get("text"))
	case event.Scoreboard:
		out.Damage = g.damageOf(e)
	case event.MatchStart, event.MatchEnd:
		start := e.Get("start_time").Int()
		out.StartTime = &start
	case event.Run, event.Checkpoint:
		out.race(e)
	case event.RaceFinish:
		finish := thousandths(float64(e.Get("finish_time").Int()) / 1000)
		out.Finish = &finish
	}
	if name := textOf(e.Get("player_name")); name != "" && out.Player == nil {
		if player, ok := g.named(name, name); ok {
			out.Player = &player
		}
	}
}

// damageOf returns the damage that each player has given, by a scoreboard: an index into the players, and points.
func (g *Game) damageOf(scoreboard dissect.Value) (list [][2]int) {
	for line := range scoreboard.Get("scores").Children() {
		given := line.Get("damage_given")
		if !given.Exists() || numberOf(line) < 0 {
			continue
		}
		if player := g.who(line); player != nil {
			list = append(list, [2]int{*player, int(given.Int())})
		}
	}
	return list
}

// race copies the values of a run or a checkpoint.
func (e *Event) race(v dissect.Value) {
	seconds := func(key string) *float64 {
		if v := v.Get(key); v.Exists() {
			s := thousandths(float64(v.Int()) / 1000)
			return &s
		}
		return nil
	}
	if e.Kind == event.Checkpoint {
		e.Split, e.Diff = seconds("race_time"), seconds("race_diff")
		return
	}
	e.Course, e.What, e.Team = v.Get("course").String(), v.Get("action").String(), wordOf(v.Get("flag"))
	e.Run = &Run{Time: *seconds("run_time")}
	if v.Get("distance").Exists() {
		whole := func(key string) int64 { return int64(math.Round(float64(v.Get(key).Float()))) }
		e.Run.Distance, e.Run.Speed, e.Run.Top = whole("distance"), whole("speed"), whole("top_speed")
	}
}

func (g *Game) kill(out *Event, e dissect.Value) {
	killer, victim := e.Get("killer"), e.Get("victim")
	out.Player, out.Other, out.What = g.who(killer), g.who(victim), wordOf(e.Get("means_of_death"))
	out.From = placeOf(killer.Get("position"))
	if p := placeOf(victim.Get("position")); p != nil {
		out.Place = p
	}
	if out.Player == nil && e.Get("suicide").Bool() {
		out.Player = out.Other
	}
}

// placeOf is a place in whole units; nil: none.
func placeOf(v dissect.Value) []int32 {
	x, y, z := v.Get("x"), v.Get("y"), v.Get("z")
	if !x.Exists() || !y.Exists() {
		return nil
	}
	number := func(v dissect.Value) int32 {
		if v.Field().Kind == dissect.Float {
			return whole(float32(v.Float()))
		}
		return int32(v.Int())
	}
	place := []int32{number(x), number(y)}
	if z.Exists() {
		place = append(place, number(z))
	}
	return place
}
