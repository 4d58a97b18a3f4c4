package view

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// maxMatchPlayers is the most players of a match; games have at most 128 clients.
const maxMatchPlayers = 256

// player gives a player by number.
func (p *playedMatch) player(number int64) *matchPlayer {
	q := p.players[number]
	if q == nil && len(p.players) < maxMatchPlayers {
		q = &matchPlayer{client: number, playsSince: -1}
		p.players[number] = q
	}
	return q
}

// of returns the player that an event names, with the present name and team; nil: it names none by number.
func (p *playedMatch) of(v dissect.Value) *matchPlayer {
	if !v.Get("client_num").Exists() {
		return nil
	}
	q := p.player(v.Get("client_num").Int())
	if q == nil {
		return nil
	}
	if name := v.Get("name_clean"); name.Exists() {
		q.name = wiretext.String(name.Bytes())
	}
	if t := teamOf(v); t != "" && t != teamSpectator {
		q.team = p.side(t)
	}
	return q
}

// side is the team that a player plays for.
func (p *playedMatch) side(team string) string {
	if p.everybody && team != "" && team != teamSpectator {
		return noTeam
	}
	return team
}

func count(m *map[string]int64, key string) {
	if *m == nil {
		*m = map[string]int64{}
	}
	(*m)[key]++
}

// numberName returns the name of a number, or the number.
func numberName(v dissect.Value) string {
	if name := v.Name(); name != "" {
		return name
	}
	return v.String()
}

// redRover is a game type in which a killed player changes teams, before the obituary is shown.
const redRover = "red_rover"

// kill counts a kill.
func (p *playedMatch) kill(e dissect.Value, clock int64) {
	victim, killer := p.of(e.Get("victim")), p.of(e.Get("killer"))
	means := numberName(e.Get("means_of_death"))
	if victim != nil {
		victim.streak = 0
		victim.drop(clock)
		count(&victim.by, means)
	}
	switch {
	case killer == nil || killer == victim:
		if victim != nil {
			victim.suicides++
		}
		return
	case victim != nil && killer.team == victim.team && killer.team != "" && killer.team != noTeam && p.mode != redRover:
		killer.teamKil++
	default:
		killer.kills++
		killer.streak++
		killer.best = max(killer.best, killer.streak)
		count(&killer.with, means)
		if style := e.Get("saber_style"); style.Exists() {
			count(&killer.styles, numberName(style))
		}
	}
	if victim != nil {
		victim.deaths++
		if killer.killed == nil {
			killer.killed = map[int64]int64{}
		}
		killer.killed[victim.client]++
	}
}

// killedBy returns whom a player killed, the most frequent first.
func (p *playedMatch) killedBy(q *matchPlayer, c *Column) any {
	victims := slices.SortedFunc(maps.Keys(q.killed), func(a, b int64) int {
		return cmp.Or(cmp.Compare(q.killed[b], q.killed[a]), cmp.Compare(a, b))
	})
	rows, text := make([][]any, len(victims)), make([]string, len(victims))
	for i, n := range victims {
		name := p.players[n].name
		rows[i] = []any{n, orNil(name), q.killed[n]}
		text[i] = cmp.Or(name, "client "+strconv.FormatInt(n, 10)) + " " + strconv.FormatInt(q.killed[n], 10)
	}
	return c.list(rows, strings.Join(text, ", "))
}

func (q *matchPlayer) drop(clock int64) {
	if q.carries {
		q.carries = false
		q.carried += max(0, clock-q.carriesSince)
	}
}

// flag counts a player's actions with a flag.
func (p *playedMatch) flag(e dissect.Value, clock int64) {
	q := p.of(e.Get("client"))
	if q == nil {
		return
	}
	action := e.Get("action").String()
	count(&q.flags, action)
	switch action {
	case event.FlagTaken:
		q.carries, q.carriesSince = true, clock
	case event.FlagCaptured, event.FlagDropped:
		q.drop(clock)
	}
}

func (p *playedMatch) scoreboard(e dissect.Value) {
	for line := range e.Get("scores").Children() {
		q := p.of(line)
		if q == nil {
			continue
		}
		q.announced(line)
		if v := line.Get("score"); v.Exists() {
			q.score, q.scored = v.Int(), true
		}
	}
}

// announced keeps what the game announces of the player.
func (q *matchPlayer) announced(line dissect.Value) {
	for _, c := range reportedColumns {
		if v := line.Get(c.Key); v.Exists() {
			if q.reported == nil {
				q.reported = map[string]int64{}
			}
			q.reported[c.Key] = v.Int()
		}
	}
	if v := line.Get("weapons"); v.Exists() {
		q.weapons = weaponsOf(v)
	}
}

// afterEnd is how long after its end a match's statistics may come, in milliseconds.
const afterEnd = 10_000

// afterwards keeps what the game announces at the end of a match after the result is known: CPMA sends the weapons
// of the players later than the scores.
func (p *playedMatch) afterwards(e dissect.Value) {
	if since := e.Get("server_time").Int() - p.ended; since < 0 || since > afterEnd {
		return
	}
	for line := range e.Get("scores").Children() {
		if q := p.players[line.Get("client_num").Int()]; q != nil && line.Get("client_num").Exists() {
			q.announced(line)
		}
	}
}

// comeOrGo counts the time that players are in the game.
func (p *playedMatch) comeOrGo(kind string, e dissect.Value, clock int64) {
	who := e.Get("client")
	if !who.Get("client_num").Exists() {
		return
	}
	q := p.player(who.Get("client_num").Int())
	if q == nil {
		return
	}
	if name := who.Get("name_clean"); name.Exists() {
		q.name = wiretext.String(name.Bytes())
	}
	team := teamOf(who)
	plays := kind != event.Disconnect && team != teamSpectator
	if plays && team != "" {
		q.team = p.side(team)
	}
	switch {
	case plays && q.playsSince < 0:
		q.playsSince = clock
	case !plays && q.playsSince >= 0:
		q.played += clock - q.playsSince
		q.playsSince = -1
	}
}

// finish stores the result.
func (p *playedMatch) finish(e dissect.Value) {
	p.reason, p.overtimes, p.complete = e.Get("reason").String(), e.Get("overtimes").Int(), e.Get("complete").Bool()
	p.timed = e.Get("duration").Exists()
	p.ended, p.length = e.Get("end_time").Int(), e.Get("duration").Int()
	p.winner = whoIs(e.Get("winner"))
	for s := range e.Get("scores").Children() {
		line := matchScore{name: whoIs(s), client: -1, score: s.Get("score").Int()}
		if s.Get("client_num").Exists() {
			line.client = s.Get("client_num").Int()
			if q := p.player(line.client); q != nil {
				q.score, q.scored = line.score, true
			}
		}
		p.scores = append(p.scores, line)
	}
	for w := range e.Get("players").Children() {
		if q := p.of(w); q != nil {
			q.distance, q.seen = w.Get("distance").Float(), w.Get("seen_time").Int()
			q.deeds(w, p.length)
		}
	}
	for _, q := range p.players {
		q.drop(p.length)
		if q.playsSince > p.length { // the snapshots after a change of the map had the old clock
			q.playsSince = 0
		}
		if q.playsSince >= 0 {
			q.played += p.length - q.playsSince
			q.playsSince = -1
		}
	}
}

// whoIs returns the name of a player or a team.
func whoIs(v dissect.Value) string {
	if name := v.Get("name_clean"); name.Exists() {
		return wiretext.String(name.Bytes())
	}
	if v.Get("client_num").Exists() {
		return "client " + v.Get("client_num").String()
	}
	return numberName(v.Get("team"))
}

// inOrder returns the players who played, by team, then by score, then by number.
func (p *playedMatch) inOrder() []*matchPlayer {
	var list []*matchPlayer
	for _, q := range p.players {
		if q.played > 0 || q.kills+q.deaths > 0 {
			list = append(list, q)
		}
	}
	slices.SortFunc(list, func(a, b *matchPlayer) int {
		switch {
		case a.team != b.team:
			return cmp.Or(cmp.Compare(teamOrder(a.team), teamOrder(b.team)), cmp.Compare(a.team, b.team))
		case a.score != b.score:
			return int(b.score - a.score)
		}
		return int(a.client - b.client)
	})
	return list
}

// teamOrder is the place of a team in tables.
func teamOrder(team string) int {
	return slices.Index([]string{"", noTeam, "red", "axis", "blue", "allies"}, team)
}
