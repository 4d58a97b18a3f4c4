// Package match assembles events into matches: who did what in each. The statistic match and the catalogue are made of
// it.
package match

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/matchid"
	"github.com/q3dissect/q3dissect/dissect/view/internal/bots"
	"github.com/q3dissect/q3dissect/dissect/view/people"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// Matches assembles the events of a file into matches, one after the other for each stream. Everything comes
// from events: match_start and match_end frame a match, and the others carry its number.
type Matches struct {
	numbers matchid.Numbers
	Streams map[Key]*Stream
	done    func(*Match) // called with a match that is over
	Proves  bool         // matches keep what proves that other recordings show them
}

// A Stream is the state of a stream.
type Stream struct {
	Game   Facts
	Roster map[int64]*rosterEntry
	Match  *Match                // that is being played; nil: none
	over   *Match                // the last one, for scores that follow its end
	Races  []*Race               // on each map, of finishes outside of matches
	Own    map[int64]ClientFacts // by client number, of the client whose stream it is
	Named  map[int64][]string    // its names without colours, the last one at the end, by client number
	Visit  *Visit                // of a recording that is sent to nobody; else nil
	Came   Visit                 // who came, if matches are proved
	listed bool                  // the beginning of a map has listed its players
	self   int64                 // number of that client at present
	known  bool                  // self has been set
}

// Facts are the facts of a stream's map_start.
type Facts struct {
	Protocol           string
	Server, Hostname   string
	MapName, Mode, Mod string
	Physics, RunMode   string // of DeFRaG
	Recorder           string // the client whose stream it is
	Date               int64  // Unix nanoseconds of the first event; 0: not known
	Said               string // when it began, by the game's own date; "": unknown
}

type rosterEntry struct {
	Name, team string
	bot        bool
}

// Names of teams that are none: "free" in games without teams, as those of Quake III have it.
const (
	NoTeam        = "free"
	teamSpectator = "spectator"
)

// RaceMode is the game type whose scores are times, in milliseconds.
const RaceMode = "race"

// A Match is a match, and who did what in it.
type Match struct {
	Key    Key
	Number int64
	Facts
	Began, ended, Length int64
	Timed                bool // its length is known
	// Late means that it began before the input, nobody knows when: Began is the time of its first sign, and Length that
	// since then.
	Late           bool
	Unlisted       bool  // who played is known only from what they did
	counts         bool  // a score was seen, so it is no warm-up
	Zero           int64 // capture time at which the server's clock was 0, ms
	TimedZero      bool  // zero has been set
	Reason, Winner string
	overtimes      int64
	everybody      bool // plays for himself, whatever the teams
	Complete       bool
	Scores         []matchScore
	Race           Race // finishes during the match
	Players        map[int64]*Player
	Self           int64 // number of the client whose stream it is
	SelfKnown      bool
	proved         people.MatchSeen
}

type matchScore struct {
	Name   string
	client int64 // -1: a team
	Score  int64
	Scored bool // Score is known
}

// A Player is what a player did in a match.
type Player struct {
	Client                             int64
	Name, Team                         string
	Score                              int64
	Scored                             bool
	listed                             bool  // a list had the score
	scoredAt                           int64 // when, on the match clock, ms
	counts                             bool  // kills since then change the score
	Kills, Deaths, Suicides, TeamKills int64
	streak, Best                       int64
	With, By, Items                    map[string]int64
	Killed                             map[int64]int64 // by client number
	Flags                              map[string]int64
	carries                            bool
	carriesSince, Carried              int64 // ms
	Reported                           map[string]int64
	playsSince, Played                 int64 // on the match clock, ms; playsSince -1: does not play
	Distance                           float64
	Weapons                            []WeaponUse
	ShotsSeen, HitsSeen                int64
	Styles                             map[string]int64 // kills by style of the light saber
	Powers                             map[string]int64 // of the Force, with how often they were used
	Classes                            []ClassUse
	Skills                             [][]any // rows of the column skills
	Revived                            int64
	Bot                                bool
	Seen                               int64    // ms
	Earlier                            []string // names
}

// New returns an empty collection of matches. done is called with each match that is over.
func New(done func(*Match)) *Matches {
	return &Matches{Streams: map[Key]*Stream{}, done: done}
}

// Add reads the events of a record.
func (m *Matches) Add(rec *dissect.Record) {
	key := Key{rec.File, rec.Stream}
	if isOwnRecord(rec) {
		s := m.stream(key)
		if s.Visit == nil {
			s.Visit = new(Visit)
		}
		s.Visit.add(rec)
	}
	if len(rec.Inputs) > 0 && m.Streams[key] != nil {
		m.Streams[key].shoot(rec.Inputs)
	}
	if len(rec.Events.Nodes) == 0 {
		return
	}
	m.numbers.Number(rec)
	s := m.stream(key)
	if source := rec.EventSource(); source != nil {
		s.Game.Protocol = source.Name
	}
	if server, ok := rec.Server(); ok {
		s.Game.Server = server.String()
	}
	if s.Game.Date == 0 && rec.HasTime {
		s.Game.Date = rec.Time
	}
	for e := range rec.Events.Top().Children() {
		s.identify(rec, e)
		s.event(m, key, rec, e)
		if m.Proves {
			s.Came.see(e)
		}
		if m.Proves && s.Match != nil && e.Get("match").Exists() {
			s.Match.prove(e.Get(dissect.EventKind.Key).String(), e)
		}
	}
}

// stream returns the state of a stream.
func (m *Matches) stream(key Key) *Stream {
	s := m.Streams[key]
	if s == nil {
		s = &Stream{Roster: map[int64]*rosterEntry{}}
		m.Streams[key] = s
	}
	return s
}

// identify keeps what the events show of the client whose stream it is.
func (s *Stream) identify(rec *dissect.Record, e dissect.Value) {
	who := e.Get("client")
	number := who.Get("client_num")
	if !number.Exists() {
		return
	}
	n := number.Int()
	if !e.Get("own").Bool() {
		return
	}
	if s.Own == nil {
		s.Own, s.Named = map[int64]ClientFacts{}, map[int64][]string{}
	}
	if len(s.Own) >= maxMatchPlayers {
		return
	}
	s.self, s.known = n, true
	if s.Match != nil && !s.Match.SelfKnown {
		s.Match.Self, s.Match.SelfKnown = n, true
	}
	id := s.Own[n]
	if guid := who.Get("guid"); guid.Exists() {
		id.GUID = wiretext.String(guid.Bytes())
	}
	if server, ok := rec.Server(); ok {
		id.Address = clientOf(rec.Src, rec.Dst, server)
	}
	s.Own[n] = id
	if name := who.Get("name_clean"); name.Exists() {
		s.Named[n] = addName(s.Named[n], wiretext.String(name.Bytes()))
	}
}

// playing returns a player of the present match, or nil.
func (s *Stream) playing(number int64) *Player {
	if s.Match == nil {
		return nil
	}
	return s.Match.Players[number]
}

// event handles one event.
func (s *Stream) event(m *Matches, key Key, rec *dissect.Record, e dissect.Value) {
	kind := e.Get(dissect.EventKind.Key).String()
	s.follow(kind, e)
	defer s.followBots(e) // once the event has made its players
	switch kind {
	case event.MapStart:
		s.startMap(e)
		if s.Match != nil && s.Match.Late {
			s.Match.learn(&s.Game)
		}
		return
	case event.MatchStart:
		s.start(key, rec, e)
		return
	case event.MatchEnd:
		if s.Match == nil {
			s.start(key, rec, e)
		}
		if s.Match.finish(e); !s.Match.wasWarmup() {
			m.done(s.Match)
		}
		s.Match, s.over = nil, s.Match
		return
	case event.Scoreboard:
		if s.Match == nil && s.over != nil {
			s.over.afterwards(e)
		}
	}
	switch kind {
	case event.RaceFinish, event.RaceStart, event.Checkpoint, event.TeamFinish, event.Run:
		s.raced(kind, e)
		return
	}
	p := s.Match
	if p == nil || !e.Get("match").Exists() {
		return
	}
	clock := p.clock(e)
	switch kind {
	case event.Kill:
		p.kill(e, clock)
	case event.Pickup:
		if q := p.of(e.Get("client")); q != nil && e.Get("item").Exists() {
			count(&q.Items, numberName(e.Get("item")))
		}
	case event.Flag:
		p.flag(e, clock)
	case event.Score:
		p.counts = true
	case event.Scoreboard:
		p.scoreboard(e, clock)
	case event.Team, event.Connect, event.Disconnect:
		p.comeOrGo(kind, e, clock)
	}
}

// raced adds a finish, or another event of a race, to the match that is on, or else to those on the map.
func (s *Stream) raced(kind string, e dissect.Value) {
	if s.Match != nil {
		s.Match.Race.add(kind, e)
		return
	}
	const most = 1000 // maps of a stream
	n := len(s.Races)
	if n == 0 || s.Races[n-1].MapName != s.Game.MapName {
		if n == most {
			return
		}
		s.Races = append(s.Races, &Race{Facts: s.Game})
		n++
	}
	s.Races[n-1].add(kind, e)
}

// startMap stores what is played where.
func (s *Stream) startMap(e dissect.Value) {
	g := &s.Game
	g.MapName, g.Hostname = wiretext.String(e.Get("map").Bytes()), wiretext.String(e.Get("hostname").Bytes())
	g.Physics, g.RunMode = e.Get("physics").String(), e.Get("mode").String()
	g.Mode, g.Mod = numberName(e.Get("gametype")), wiretext.String(e.Get("game").Bytes())
	g.Said = wiretext.String(e.Get("date").Bytes())
	if name := e.Lookup("client.name_clean"); name.Exists() {
		g.Recorder = wiretext.String(name.Bytes())
	}
	s.over = nil
	s.listed = s.listed || !e.Get("in_progress").Exists()
	clear(s.Roster)
	for p := range e.Get("players").Children() {
		s.Roster[p.Get("client_num").Int()] = entryOf(p)
	}
}

func entryOf(p dissect.Value) *rosterEntry {
	return &rosterEntry{Name: wiretext.String(p.Get("name_clean").Bytes()), team: teamOf(p)}
}

// follow keeps track of the players in the game.
func (s *Stream) follow(kind string, e dissect.Value) {
	who := e.Get("client")
	if !who.Get("client_num").Exists() {
		return
	}
	number := who.Get("client_num").Int()
	if q := s.playing(number); q != nil && kind == event.Rename {
		q.Earlier = addName(q.Earlier, wiretext.String(e.Get("old_name_clean").Bytes()))
	}
	switch kind {
	case event.Connect, event.Enter, event.Rename, event.Team:
		before := s.Roster[number]
		s.Roster[number] = entryOf(who)
		s.Roster[number].bot = before != nil && before.bot
	case event.Disconnect:
		delete(s.Roster, number)
	}
}

// followBots keeps who is a bot.
func (s *Stream) followBots(e dissect.Value) {
	for number, bot := range bots.In(e) {
		if r := s.Roster[number]; r != nil {
			r.bot = bot
		}
		if q := s.playing(number); q != nil {
			q.Bot = bot
		}
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
func (s *Stream) start(key Key, rec *dissect.Record, e dissect.Value) {
	p := &Match{Key: key, Number: e.Get("match").Int(), Facts: s.Game, Players: map[int64]*Player{}}
	if rec.HasTime {
		p.Date = rec.Time
		if clock := e.Get(dissect.EventServerTime.Key); clock.Exists() {
			p.Zero, p.TimedZero = rec.Time/1e6-clock.Int(), true
		}
	}
	if said := e.Get("date"); said.Exists() {
		p.Said = wiretext.String(said.Bytes())
	}
	p.Self, p.SelfKnown, p.Unlisted = s.self, s.known, !s.listed
	p.Began = e.Get("start_time").Int()
	if !e.Get("start_time").Exists() {
		p.Began, p.Late = e.Get(dissect.EventServerTime.Key).Int(), true
	}
	if name := numberName(e.Get("gametype")); name != "" {
		p.Mode = name
	}
	if mod := e.Get("mod"); mod.Exists() {
		p.Mod = wiretext.String(mod.Bytes())
	}
	if name := e.Get("map"); name.Exists() {
		p.MapName = wiretext.String(name.Bytes())
	}
	if teams := e.Get("team_game"); teams.Exists() {
		p.everybody = !teams.Bool()
	}
	for q := range e.Get("players").Children() {
		if kind := e.Get(dissect.EventKind.Key).String(); kind == event.MatchStart && q.Get("client_num").Exists() {
			s.Roster[q.Get("client_num").Int()] = entryOf(q)
		}
	}
	for number, r := range s.Roster {
		if q := p.player(number); q != nil {
			q.Name, q.Team, q.Bot = r.Name, p.side(r.team), r.bot
			if r.team != teamSpectator {
				q.playsSince = e.Get("match_time").Int()
				q.counts = !p.Late && !e.Get("in_progress").Exists() && p.countsFrags()
			}
		}
	}
	s.Match, s.over = p, nil
}

// A Key is a stream of a file.
type Key struct {
	File   string
	Stream int
}
