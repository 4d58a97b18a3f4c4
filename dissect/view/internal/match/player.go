package match

import (
	"cmp"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// maxMatchPlayers is the most players of a match; games have at most 128 clients.
const maxMatchPlayers = 256

// player returns a player by number.
func (p *Match) player(number int64) *Player {
	q := p.Players[number]
	if q == nil && len(p.Players) < maxMatchPlayers {
		q = &Player{Client: number, playsSince: -1}
		p.Players[number] = q
	}
	return q
}

// of returns the player that an event names, with the present name and team; nil: it names none by number.
func (p *Match) of(v dissect.Value) *Player {
	if !v.Get("client_num").Exists() {
		return p.byName(v)
	}
	q := p.player(v.Get("client_num").Int())
	if q == nil {
		return nil
	}
	if name := v.Get("name_clean"); name.Exists() {
		q.Name = wiretext.String(name.Bytes())
	}
	if t := teamOf(v); t != "" && t != teamSpectator {
		q.Team = p.side(t)
	}
	return q
}

// side is the team that a player plays for.
func (p *Match) side(team string) string {
	if p.everybody && team != "" && team != teamSpectator {
		return NoTeam
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
func (p *Match) kill(e dissect.Value, clock int64) {
	victim, killer := p.of(e.Get("victim")), p.of(e.Get("killer"))
	means := numberName(e.Get("means_of_death"))
	if victim != nil {
		victim.streak = 0
		victim.drop(clock)
		count(&victim.By, means)
	}
	switch {
	case killer == nil || killer == victim:
		if victim != nil {
			victim.Suicides++
			victim.frag(-1, clock)
		}
		return
	case victim != nil && killer.Team == victim.Team && killer.Team != "" && killer.Team != NoTeam && p.Mode != redRover:
		killer.TeamKills++
		killer.frag(-1, clock)
	default:
		killer.Kills++
		killer.frag(1, clock)
		killer.streak++
		killer.Best = max(killer.Best, killer.streak)
		count(&killer.With, means)
		if style := e.Get("saber_style"); style.Exists() {
			count(&killer.Styles, numberName(style))
		}
	}
	if victim != nil {
		victim.Deaths++
		if killer.Killed == nil {
			killer.Killed = map[int64]int64{}
		}
		killer.Killed[victim.Client]++
	}
}

func (q *Player) drop(clock int64) {
	if q.carries {
		q.carries = false
		q.Carried += max(0, clock-q.carriesSince)
	}
}

// flag counts a player's actions with a flag.
func (p *Match) flag(e dissect.Value, clock int64) {
	q := p.of(e.Get("client"))
	if q == nil {
		return
	}
	action := e.Get("action").String()
	count(&q.Flags, action)
	switch action {
	case event.FlagTaken:
		q.carries, q.carriesSince = true, clock
	case event.FlagCaptured, event.FlagDropped:
		q.drop(clock)
	}
}

// scoreboard keeps the numbers of a list. The score of a spectator is not his own: who follows a player is listed with
// the score of the followed.
//
// Source: SpectatorClientEndFrame, code/game/g_active.c, copies the player state with its PERS_SCORE.
func (p *Match) scoreboard(e dissect.Value, clock int64) {
	for line := range e.Get("scores").Children() {
		q := p.of(line)
		if q == nil {
			continue
		}
		q.announced(line)
		if v := line.Get("score"); v.Exists() && teamOf(line) != teamSpectator {
			q.Score, q.Scored, q.listed, q.scoredAt, q.counts = v.Int(), true, true, clock, p.countsFrags()
			p.counts = p.counts || q.Score != 0
		}
	}
}

// countsFrags reports whether a player's score is made of kills.
func (p *Match) countsFrags() bool { return p.Mode == "team" || event.CountsFrags(p.Mode) }

// frag adds what a kill is worth to a score that was listed earlier, or is known from the start of the match.
func (q *Player) frag(worth, clock int64) {
	if q.counts && clock > q.scoredAt {
		q.Score, q.Scored = q.Score+worth, true
	}
}

// Reported are numbers of score commands that are passed on, the last ones.
var Reported = [...]dissect.Field{
	{Key: "accuracy", Kind: dissect.Int, Unit: "%", Doc: "as the game told it last"},
	{Key: "damage_given", Kind: dissect.Int, Doc: "as the game told it last"},
	{Key: "damage_received", Kind: dissect.Int, Doc: "as the game told it last"},
	{Key: "xp", Kind: dissect.Int, Doc: "experience, where it is the score, as the game told it last"},
}

// announced keeps what the game announces of the player.
func (q *Player) announced(line dissect.Value) {
	for _, c := range Reported {
		if v := line.Get(c.Key); v.Exists() {
			if q.Reported == nil {
				q.Reported = map[string]int64{}
			}
			q.Reported[c.Key] = v.Int()
		}
	}
	if v := line.Get("weapons"); v.Exists() {
		q.Weapons = weaponsOf(v)
	}
}

// afterEnd is how long after its end a match's statistics may come, in milliseconds.
const afterEnd = 10_000

// afterwards keeps what the game announces at the end of a match after the result is known: CPMA sends the weapons
// of the players later than the scores.
func (p *Match) afterwards(e dissect.Value) {
	if since := e.Get("server_time").Int() - p.ended; since < 0 || since > afterEnd {
		return
	}
	for line := range e.Get("scores").Children() {
		if q := p.Players[line.Get("client_num").Int()]; q != nil && line.Get("client_num").Exists() {
			q.announced(line)
		}
	}
}

// comeOrGo counts the time that players are in the game.
func (p *Match) comeOrGo(kind string, e dissect.Value, clock int64) {
	who := e.Get("client")
	if !who.Get("client_num").Exists() {
		return
	}
	q := p.player(who.Get("client_num").Int())
	if q == nil {
		return
	}
	if name := who.Get("name_clean"); name.Exists() {
		q.Name = wiretext.String(name.Bytes())
	}
	team := teamOf(who)
	plays := kind != event.Disconnect && team != teamSpectator
	if plays && team != "" {
		q.Team = p.side(team)
	}
	q.counts = q.counts && plays // the game kills players who leave; that counts no more
	switch {
	case plays && q.playsSince < 0:
		q.playsSince, q.scoredAt = clock, clock
		q.counts = !q.Scored && p.countsFrags() // from 0; that of a player who returns is not known
	case !plays && q.playsSince >= 0:
		q.Played += clock - q.playsSince
		q.playsSince = -1
	}
}

// finish stores the result.
func (p *Match) finish(e dissect.Value) {
	p.Reason, p.overtimes, p.Complete = e.Get("reason").String(), e.Get("overtimes").Int(), e.Get("complete").Bool()
	p.Timed = e.Get("duration").Exists()
	p.ended, p.Length = e.Get("end_time").Int(), e.Get("duration").Int()
	if p.Late {
		p.finishLate(e)
	}
	p.Winner = whoIs(e.Get("winner"))
	for s := range e.Get("scores").Children() {
		line := matchScore{Name: whoIs(s), client: -1, Score: s.Get("score").Int(), Scored: s.Get("score").Exists()}
		if s.Get("client_num").Exists() {
			line.client = s.Get("client_num").Int()
			if q := p.player(line.client); q != nil {
				if line.Scored {
					q.Score, q.Scored = line.Score, true
				} else if !q.listed { // kills may have been missed
					q.Score, q.Scored = 0, false
				}
				if !s.Get("name_clean").Exists() && q.Name != "" {
					line.Name = q.Name
				}
			}
		}
		p.Scores = append(p.Scores, line)
	}
	for w := range e.Get("players").Children() {
		if q := p.of(w); q != nil {
			q.Distance, q.Seen = w.Get("distance").Float(), w.Get("seen_time").Int()
			q.deeds(w, p.Length)
		}
	}
	for _, q := range p.Players {
		q.drop(p.Length)
		if q.playsSince > p.Length { // the snapshots after a change of the map had the old clock
			q.playsSince = 0
		}
		if q.playsSince >= 0 {
			q.Played += p.Length - q.playsSince
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

// InOrder returns the players who played, by team, then by score, then by number.
func (p *Match) InOrder() []*Player {
	var list []*Player
	for _, q := range p.Players {
		if q.Played > 0 || q.Kills+q.Deaths > 0 || p.Unlisted {
			list = append(list, q)
		}
	}
	slices.SortFunc(list, func(a, b *Player) int {
		switch {
		case a.Team != b.Team:
			return cmp.Or(cmp.Compare(teamOrder(a.Team), teamOrder(b.Team)), cmp.Compare(a.Team, b.Team))
		case a.Score != b.Score:
			return int(b.Score - a.Score)
		}
		return int(a.Client - b.Client)
	})
	return list
}

// teamOrder is the place of a team in tables.
func teamOrder(team string) int {
	return slices.Index([]string{"", NoTeam, "red", "axis", "blue", "allies"}, team)
}
