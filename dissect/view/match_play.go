package view

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/matches"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// played assembles the events of a file into matches, one after the other for each stream. Everything comes
// from events: match_start and match_end frame a match, and the others carry its number.
type played struct {
	numbers matches.Numbers
	streams map[fileStream]*matchStream
	done    func(*playedMatch) // called with a match that is over
	proves  bool               // matches keep what proves that other recordings show them
}

// A matchStream is the state of a stream.
type matchStream struct {
	game   gameFacts
	roster map[int64]*rosterEntry
	match  *playedMatch          // that is being played; nil: none
	over   *playedMatch          // the last one, for scores that follow its end
	races  []*race               // on each map, of finishes outside of matches
	own    map[int64]clientFacts // by client number, of the client whose stream it is
	named  map[int64]string      // its last name without colours, by client number
	bots   map[int64]bool        // by client number, on the present map
	visit  *visit                // of a recording that is sent to nobody; else nil
	self   int64                 // number of that client at present
	known  bool                  // self has been set
}

// A race is the best finishes of players on a map.
type race struct {
	gameFacts
	best map[string]int64 // by name, in ms
	runs runs
}

// maxRacers is the most names of a race that are kept.
const maxRacers = 1000

// add adds an event of a race, or of a run with a flag.
func (r *race) add(kind string, e dissect.Value) {
	r.runs.add(kind, e)
	if kind == event.RaceFinish {
		r.finish(e)
	}
}

// finish adds a finish.
func (r *race) finish(e dissect.Value) {
	name := runner(e.Get("client"))
	if r.best == nil {
		r.best = map[string]int64{}
	}
	time := e.Get("finish_time").Int()
	if before, ok := r.best[name]; !ok && len(r.best) < maxRacers || ok && time < before {
		r.best[name] = time
	}
}

// gameFacts are the facts of a stream's map_start.
type gameFacts struct {
	protocol           string
	server, hostname   string
	mapName, mode, mod string
	recorder           string // the client whose stream it is
	date               int64  // Unix nanoseconds of the first event; 0: not known
	said               string // when it began, as the game says; "": it does not
}

type rosterEntry struct {
	name, team string
}

// Names of teams that are none: "free" in games without teams, as those of Quake III have it.
const (
	noTeam        = "free"
	teamSpectator = "spectator"
)

// raceMode is the game type whose scores are times, in milliseconds.
const raceMode = "race"

// A playedMatch is a match, and who did what in it.
type playedMatch struct {
	key    fileStream
	number int64
	gameFacts
	began, ended, length int64
	timed                bool  // ended and length have been set
	zero                 int64 // capture time at which the server's clock was 0, ms
	timedZero            bool  // zero has been set
	reason, winner       string
	overtimes            int64
	everybody            bool // plays for himself: whatever the game says of teams
	complete             bool
	scores               []matchScore
	race                 race // finishes during the match
	players              map[int64]*matchPlayer
	self                 int64 // number of the client whose stream it is
	selfKnown            bool
	proved               MatchSeen
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
	killed                           map[int64]int64 // by client number
	flags                            map[string]int64
	carries                          bool
	carriesSince, carried            int64 // ms
	reported                         map[string]int64
	playsSince, played               int64 // on the match clock, ms; playsSince -1: does not play
	distance                         float64
	weapons                          []weaponUse
	shotsSeen, hitsSeen              int64
	styles                           map[string]int64 // kills by style of the light saber
	powers                           map[string]int64 // of the Force, with how often they were used
	classes                          []classUse
	skills                           [][]any // rows of the column skills
	revived                          int64
	bot                              bool
	seen                             int64    // ms
	earlier                          []string // names
}

func newPlayed(done func(*playedMatch)) *played {
	return &played{streams: map[fileStream]*matchStream{}, done: done}
}

// add reads the events of a record.
func (m *played) add(rec *dissect.Record) {
	key := fileStream{rec.File, rec.Stream}
	if isOwnRecord(rec) {
		s := m.stream(key)
		if s.visit == nil {
			s.visit = new(visit)
		}
		s.visit.add(rec)
	}
	if len(rec.Inputs) > 0 && m.streams[key] != nil {
		m.streams[key].shoot(rec.Inputs)
	}
	if len(rec.Events.Nodes) == 0 {
		return
	}
	m.numbers.Number(rec)
	s := m.stream(key)
	if source := rec.EventSource(); source != nil {
		s.game.protocol = source.Name
	}
	if server, ok := rec.Server(); ok {
		s.game.server = server.String()
	}
	if s.game.date == 0 && rec.HasTime {
		s.game.date = rec.Time
	}
	for e := range rec.Events.Top().Children() {
		s.identify(rec, e)
		s.event(m, key, rec, e)
		if m.proves && s.match != nil && e.Get("match").Exists() {
			s.match.prove(e.Get(dissect.EventKind.Key).String(), e)
		}
	}
}

// stream returns the state of a stream.
func (m *played) stream(key fileStream) *matchStream {
	s := m.streams[key]
	if s == nil {
		s = &matchStream{roster: map[int64]*rosterEntry{}}
		m.streams[key] = s
	}
	return s
}

// identify keeps what the events show of the client whose stream it is, and who is a bot.
func (s *matchStream) identify(rec *dissect.Record, e dissect.Value) {
	who := e.Get("client")
	number := who.Get("client_num")
	if !number.Exists() {
		return
	}
	n := number.Int()
	if bot := e.Get("bot"); bot.Exists() {
		if s.bots == nil {
			s.bots = map[int64]bool{}
		}
		s.bots[n] = bot.Bool()
		if q := s.playing(n); q != nil {
			q.bot = bot.Bool()
		}
	}
	if !e.Get("own").Bool() {
		return
	}
	if s.own == nil {
		s.own, s.named = map[int64]clientFacts{}, map[int64]string{}
	}
	if len(s.own) >= maxMatchPlayers {
		return
	}
	s.self, s.known = n, true
	if s.match != nil && !s.match.selfKnown {
		s.match.self, s.match.selfKnown = n, true
	}
	id := s.own[n]
	if guid := who.Get("guid"); guid.Exists() {
		id.guid = wiretext.String(guid.Bytes())
	}
	if server, ok := rec.Server(); ok {
		id.address = clientOf(rec.Src, rec.Dst, server)
	}
	s.own[n] = id
	if name := who.Get("name_clean"); name.Exists() {
		s.named[n] = wiretext.String(name.Bytes())
	}
}

// playing returns a player of the present match, or nil.
func (s *matchStream) playing(number int64) *matchPlayer {
	if s.match == nil {
		return nil
	}
	return s.match.players[number]
}

// event handles one event.
func (s *matchStream) event(m *played, key fileStream, rec *dissect.Record, e dissect.Value) {
	kind := e.Get(dissect.EventKind.Key).String()
	s.follow(kind, e)
	switch kind {
	case event.MapStart:
		s.startMap(e)
		return
	case event.MatchStart:
		s.start(key, rec, e)
		return
	case event.MatchEnd:
		if s.match == nil {
			s.start(key, rec, e)
		}
		s.match.finish(e)
		m.done(s.match)
		s.match, s.over = nil, s.match
		return
	case event.Scoreboard:
		if s.match == nil && s.over != nil {
			s.over.afterwards(e)
		}
	}
	switch kind {
	case event.RaceFinish, event.RaceStart, event.Checkpoint, event.TeamFinish, event.Run:
		s.raced(kind, e)
		return
	}
	p := s.match
	if p == nil || !e.Get("match").Exists() {
		return
	}
	clock := e.Get("match_time").Int()
	switch kind {
	case event.Kill:
		p.kill(e, clock)
	case event.Pickup:
		if q := p.of(e.Get("client")); q != nil && e.Get("item").Exists() {
			count(&q.items, numberName(e.Get("item")))
		}
	case event.Flag:
		p.flag(e, clock)
	case event.Scoreboard:
		p.scoreboard(e)
	case event.Team, event.Connect, event.Disconnect:
		p.comeOrGo(kind, e, clock)
	}
}

// raced adds a finish, or another event of a race, to the match that is on, or else to those on the map.
func (s *matchStream) raced(kind string, e dissect.Value) {
	if s.match != nil {
		s.match.race.add(kind, e)
		return
	}
	const most = 1000 // maps of a stream
	n := len(s.races)
	if n == 0 || s.races[n-1].mapName != s.game.mapName {
		if n == most {
			return
		}
		s.races = append(s.races, &race{gameFacts: s.game})
		n++
	}
	s.races[n-1].add(kind, e)
}

// startMap stores what is played where.
func (s *matchStream) startMap(e dissect.Value) {
	g := &s.game
	g.mapName, g.hostname = wiretext.String(e.Get("map").Bytes()), wiretext.String(e.Get("hostname").Bytes())
	g.mode, g.mod = numberName(e.Get("gametype")), wiretext.String(e.Get("game").Bytes())
	g.said = wiretext.String(e.Get("date").Bytes())
	if name := e.Lookup("client.name_clean"); name.Exists() {
		g.recorder = wiretext.String(name.Bytes())
	}
	s.over = nil
	clear(s.roster)
	for p := range e.Get("players").Children() {
		s.roster[p.Get("client_num").Int()] = &rosterEntry{wiretext.String(p.Get("name_clean").Bytes()), teamOf(p)}
	}
}

// follow keeps track of the players in the game.
func (s *matchStream) follow(kind string, e dissect.Value) {
	who := e.Get("client")
	if !who.Get("client_num").Exists() {
		return
	}
	number := who.Get("client_num").Int()
	if q := s.playing(number); q != nil && kind == event.Rename {
		q.earlier = addNew(q.earlier, wiretext.String(e.Get("old_name_clean").Bytes()))
	}
	switch kind {
	case event.Connect, event.Enter, event.Rename, event.Team:
		s.roster[number] = &rosterEntry{wiretext.String(who.Get("name_clean").Bytes()), teamOf(who)}
	case event.Disconnect:
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
		if clock := e.Get(dissect.EventServerTime.Key); clock.Exists() {
			p.zero, p.timedZero = rec.Time/1e6-clock.Int(), true
		}
	}
	if said := e.Get("date"); said.Exists() {
		p.said = wiretext.String(said.Bytes())
	}
	p.self, p.selfKnown = s.self, s.known
	p.began = e.Get("start_time").Int()
	if name := numberName(e.Get("gametype")); name != "" {
		p.mode = name
	}
	if mod := e.Get("mod"); mod.Exists() {
		p.mod = wiretext.String(mod.Bytes())
	}
	if name := e.Get("map"); name.Exists() {
		p.mapName = wiretext.String(name.Bytes())
	}
	if teams := e.Get("team_game"); teams.Exists() {
		p.everybody = !teams.Bool()
	}
	for q := range e.Get("players").Children() {
		if kind := e.Get(dissect.EventKind.Key).String(); kind == event.MatchStart && q.Get("client_num").Exists() {
			s.roster[q.Get("client_num").Int()] = &rosterEntry{wiretext.String(q.Get("name_clean").Bytes()), teamOf(q)}
		}
	}
	for number, r := range s.roster {
		if q := p.player(number); q != nil {
			q.name, q.team, q.bot = r.name, p.side(r.team), s.bots[number]
			if r.team != teamSpectator {
				q.playsSince = e.Get("match_time").Int()
			}
		}
	}
	s.match, s.over = p, nil
}
