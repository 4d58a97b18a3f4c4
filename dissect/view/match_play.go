package view

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
)

// matches assembles the events of a file into matches, one after the other for each stream. Everything comes
// from events: match_start and match_end frame a match, and the others carry its number.
type matches struct {
	streams map[fileStream]*matchStream
	done    func(*playedMatch) // called with a match that is over
}

// A matchStream is the state of a stream.
type matchStream struct {
	game   gameFacts
	roster map[int64]*rosterEntry
	match  *playedMatch // that is being played; nil: none
}

// gameFacts are the facts of a stream's map_start.
type gameFacts struct {
	protocol           string
	server, hostname   string
	mapName, mode, mod string
	recorder           string // the client whose stream it is
	date               int64  // Unix nanoseconds of the first event; 0: not known
}

type rosterEntry struct {
	name, team string
}

// Names of teams that are none: "free" in games without teams, as those of Quake III have it.
const (
	noTeam        = "free"
	teamSpectator = "spectator"
)

// A playedMatch is a match, and who did what in it.
type playedMatch struct {
	key    fileStream
	number int64
	gameFacts
	began, ended, length int64
	timed                bool // ended and length have been set
	reason, winner       string
	overtimes            int64
	everybody            bool // plays for himself: whatever the game says of teams
	complete             bool
	scores               []matchScore
	players              map[int64]*matchPlayer
}

type matchScore struct {
	name   string
	client int64 // -1: a team
	score  int64
}

// A matchPlayer is what a player did in a match.
type matchPlayer struct {
	client                           int64
	name, team                       string
	score                            int64
	scored                           bool
	kills, deaths, suicides, teamKil int64
	streak, best                     int64
	with, by, items                  map[string]int64
	flags                            map[string]int64
	carries                          bool
	carriesSince, carried            int64 // ms
	reported                         map[string]int64
	playsSince, played               int64 // on the match clock, ms; playsSince -1: does not play
	distance                         float64
	weapons                          string
	seen                             int64 // ms
}

func newMatches(done func(*playedMatch)) *matches {
	return &matches{streams: map[fileStream]*matchStream{}, done: done}
}

// add reads the events of a record.
func (m *matches) add(rec *dissect.Record) {
	if len(rec.Events.Nodes) == 0 {
		return
	}
	key := fileStream{rec.File, rec.Stream}
	s := m.streams[key]
	if s == nil {
		s = &matchStream{roster: map[int64]*rosterEntry{}}
		m.streams[key] = s
	}
	if source := rec.EventSource(); source != nil {
		s.game.protocol = source.Name()
	}
	if server, ok := rec.Server(); ok {
		s.game.server = server.String()
	}
	if s.game.date == 0 && rec.HasTime {
		s.game.date = rec.Time
	}
	for e := range rec.Events.Top().Children() {
		s.event(m, key, rec, e)
	}
}

// event handles one event.
func (s *matchStream) event(m *matches, key fileStream, rec *dissect.Record, e dissect.Value) {
	kind := e.Get(dissect.EventKind.Key).String()
	s.follow(kind, e)
	switch kind {
	case "map_start":
		s.startMap(e)
		return
	case "match_start":
		s.start(key, rec, e)
		return
	case "match_end":
		if s.match == nil {
			s.start(key, rec, e)
		}
		s.match.finish(e)
		m.done(s.match)
		s.match = nil
		return
	}
	p := s.match
	if p == nil || !e.Get("match").Exists() {
		return
	}
	clock := e.Get("match_time").Int()
	switch kind {
	case "kill":
		p.kill(e, clock)
	case "pickup":
		if q := p.of(e.Get("client")); q != nil && e.Get("item").Exists() {
			count(&q.items, numberName(e.Get("item")))
		}
	case "flag":
		p.flag(e, clock)
	case "scoreboard":
		p.scoreboard(e)
	case "team", "connect", "disconnect":
		p.comeOrGo(kind, e, clock)
	}
}

// startMap stores what is played where.
func (s *matchStream) startMap(e dissect.Value) {
	g := &s.game
	g.mapName, g.hostname = shown(e.Get("map").Bytes()), shown(e.Get("hostname").Bytes())
	g.mode, g.mod = numberName(e.Get("gametype")), shown(e.Get("game").Bytes())
	if name := e.Lookup("client.name_clean"); name.Exists() {
		g.recorder = shown(name.Bytes())
	}
	clear(s.roster)
	for p := range e.Get("players").Children() {
		s.roster[p.Get("client_num").Int()] = &rosterEntry{shown(p.Get("name_clean").Bytes()), teamOf(p)}
	}
}

// follow keeps track of the players in the game.
func (s *matchStream) follow(kind string, e dissect.Value) {
	who := e.Get("client")
	if !who.Get("client_num").Exists() {
		return
	}
	number := who.Get("client_num").Int()
	switch kind {
	case "connect", "enter", "rename", "team":
		s.roster[number] = &rosterEntry{shown(who.Get("name_clean").Bytes()), teamOf(who)}
	case "disconnect":
		delete(s.roster, number)
	}
}

// teamOf names a player's team; "": not known.
func teamOf(v dissect.Value) string {
	t := v.Get("team")
	if !t.Exists() {
		return ""
	}
	if name := numberName(t); name != "spectators" {
		return name
	}
	return teamSpectator
}

// start begins a match with everybody who plays.
func (s *matchStream) start(key fileStream, rec *dissect.Record, e dissect.Value) {
	p := &playedMatch{key: key, number: e.Get("match").Int(), gameFacts: s.game, players: map[int64]*matchPlayer{}}
	if rec.HasTime {
		p.date = rec.Time
	}
	p.began = e.Get("start_time").Int()
	if name := numberName(e.Get("gametype")); name != "" {
		p.mode = name
	}
	if mod := e.Get("mod"); mod.Exists() {
		p.mod = shown(mod.Bytes())
	}
	if name := e.Get("map"); name.Exists() {
		p.mapName = shown(name.Bytes())
	}
	if teams := e.Get("team_game"); teams.Exists() {
		p.everybody = !teams.Bool()
	}
	for q := range e.Get("players").Children() {
		if kind := e.Get(dissect.EventKind.Key).String(); kind == "match_start" && q.Get("client_num").Exists() {
			s.roster[q.Get("client_num").Int()] = &rosterEntry{shown(q.Get("name_clean").Bytes()), teamOf(q)}
		}
	}
	for number, r := range s.roster {
		if q := p.player(number); q != nil {
			q.name, q.team = r.name, p.side(r.team)
			if r.team != teamSpectator {
				q.playsSince = e.Get("match_time").Int()
			}
		}
	}
	s.match = p
}

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
		q.name = shown(name.Bytes())
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
	}
	if victim != nil {
		victim.deaths++
	}
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
	case "taken":
		q.carries, q.carriesSince = true, clock
	case "captured", "dropped":
		q.drop(clock)
	}
}

// scoreKeys are the numbers of score commands that are passed on, the last ones.
var scoreKeys = []string{"accuracy", "damage_given", "damage_received"}

func (p *playedMatch) scoreboard(e dissect.Value) {
	for line := range e.Get("scores").Children() {
		q := p.of(line)
		if q == nil {
			continue
		}
		for _, key := range scoreKeys {
			if v := line.Get(key); v.Exists() {
				if q.reported == nil {
					q.reported = map[string]int64{}
				}
				q.reported[key] = v.Int()
			}
		}
		if v := line.Get("weapons"); v.Exists() {
			q.weapons = weaponsOf(v)
		}
		if v := line.Get("score"); v.Exists() {
			q.score, q.scored = v.Int(), true
		}
	}
}

// weaponsOf writes hits and shots as "railgun 10/27, lightning 240/671".
func weaponsOf(list dissect.Value) string {
	var parts []string
	for v := range list.Children() {
		if shots := v.Get("shots").Int(); shots > 0 {
			parts = append(parts, numberName(v.Get("weapon"))+" "+v.Get("hits").String()+"/"+strconv.FormatInt(shots, 10))
		}
	}
	return strings.Join(parts, ", ")
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
		q.name = shown(name.Bytes())
	}
	team := teamOf(who)
	plays := kind != "disconnect" && team != teamSpectator
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
		}
	}
	for _, q := range p.players {
		q.drop(p.length)
		if q.playsSince >= 0 {
			q.played += max(0, p.length-q.playsSince)
			q.playsSince = -1
		}
	}
}

// whoIs returns the name of a player or a team.
func whoIs(v dissect.Value) string {
	if name := v.Get("name_clean"); name.Exists() {
		return shown(name.Bytes())
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
