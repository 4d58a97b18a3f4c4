package events

import (
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/snapshot"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// A scene is the state of players and flags in a snapshot.
type scene struct {
	listed  [maxPlayers]bool // 0.6: in the list of clients; demos of 0.7 too
	infos   [maxPlayers]sceneInfo
	chars   [maxPlayers]place
	deaths  [maxPlayers]place // of those who died in this step
	local   int               // the own client; -1: not in the snapshot
	flags   [2]int32          // carrier of the red and the blue flag, or one of flagStates
	flagged bool              // flags has been set
	game    gameState
	untimed bool // the time of the snapshot is not known: its tick cannot be

	tees       [maxPlayers]tee
	hits       []place           // of hammers
	raceOf     int               // whose race raceStart is; -1: not known
	raceStart  int32             // tick; 0: none
	raceStarts [maxPlayers]int32 // 0.7: of everybody
	watching   bool              // the client watches
	watched    int32             // whom; -1: nobody
}

// A sceneInfo is name and team of a client.
type sceneInfo struct {
	team int
	text [16]byte
	size int
}

func (s *sceneInfo) name() []byte { return s.text[:s.size] }

// A place is a position in the game.
type place struct {
	x, y  int32
	known bool
}

// Values in place of the number of a flag's carrier: FLAG_*, datasrc/network.py.
const (
	flagAtStand = -2
	flagLying   = -1
)

// look reads the newest snapshot into the scene. It reports whether there is a new one.
func (g *gameView) look(p *snapshot.Reader) bool {
	newest := p.Latest()
	if newest < 0 || newest == g.tick {
		return false
	}
	snap, ok := p.At(newest)
	if !ok {
		return false
	}
	g.tick = newest
	hits := g.before.hits[:0]
	g.before = g.now
	g.now = scene{} // in place: a scene is large
	g.now.local, g.now.hits, g.now.raceOf, g.now.watched = -1, hits, -1, -1
	g.now.game.tick = newest
	for i := range g.now.infos {
		g.now.infos[i].team = teamUnknown
	}
	for i := range snap.Items {
		it := &snap.Items[i]
		if def := p.Object(g.dialect, it.Key.Type()); def != nil {
			g.addObject(sceneItem{def, snap.Values(it), it.Key.ID()})
		}
	}
	g.now.raceOf = g.now.local
	if g.now.raceOf < 0 {
		g.now.raceOf = g.players.own
	}
	if g.now.watching {
		g.now.raceOf = int(g.now.watched)
	}
	return true
}

// A sceneItem is one object of a snapshot.
type sceneItem struct {
	def    *tables.Object
	values []int32
	id     int
}

// addObject adds an object to the scene.
func (g *gameView) addObject(it sceneItem) {
	s := &g.now
	switch it.def.Key {
	case "clientinfo":
		if it.id < maxPlayers {
			s.listed[it.id] = true
			s.infos[it.id].set(&it)
		}
	case "de_clientinfo":
		if it.id < maxPlayers {
			s.listed[it.id] = true
			s.infos[it.id].set(&it)
			s.infos[it.id].team = int(it.number("team"))
			if it.number("local") != 0 {
				s.local = it.id
			}
		}
	case "playerinfo":
		if g.dialect == tables.V07 {
			s.game.seePlayer(&it, it.id)
			return // of another layout, which has no team
		}
		s.game.seePlayer(&it, int(it.number("client_id")))
		g.rules.race = g.rules.race || it.number("score") == noScore
		if client := int(it.number("client_id")); client >= 0 && client < maxPlayers {
			s.infos[client].team = int(it.number("team"))
			if it.number("local") != 0 {
				s.local = client
			}
		}
	case "character":
		g.seeCharacter(&it)
	case "ddnet_character", "ddnet_player":
		s.seeExtended(&it)
	case "hammerhit":
		if len(s.hits) < maxHits {
			s.hits = append(s.hits, it.place())
		}
	case "spectatorinfo":
		s.seeWatching(&it)
	case "playerinforace":
		if it.id < maxPlayers {
			s.raceStarts[it.id] = it.number("race_start_tick")
		}
	case "death":
		if client := int(it.number("client_id")); client >= 0 && client < maxPlayers {
			s.deaths[client] = it.place()
		}
	case "gamedatateam":
		s.game.seeTeams(&it)
	case "gamedata", "gamedataflag":
		switch {
		case it.has("game_start_tick"):
			s.game.seeData(&it)
		case it.has("teamscore_red"):
			s.game.seeTeams(&it)
		}
		if it.has("flag_carrier_red") {
			s.flags = [2]int32{it.number("flag_carrier_red"), it.number("flag_carrier_blue")}
			s.flagged = true
		}
	case "gameinfo", "de_gameinfo":
		g.rules.set(it.number)
		if it.has("round_start_tick") {
			s.game.seeInfo(&it)
			if timer := it.number("warmup_timer"); it.number("game_state_flags")&raceTime06 != 0 && timer < 0 {
				s.raceStart = -timer
			}
		}
	case "game_info_ex":
		g.rules.extended = true
		g.rules.race = it.number("flags")&raceInfoFlag != 0
	}
}

// at returns the index of the first int of a part, or -1.
func (it *sceneItem) at(key string) int {
	at := 0
	for i := range it.def.Parts {
		p := &it.def.Parts[i]
		if at+p.Ints > len(it.values) {
			return -1
		}
		if p.Key == key {
			return at
		}
		at += p.Ints
	}
	return -1
}

func (it *sceneItem) has(key string) bool { return it.at(key) >= 0 }

// number returns a number, or 0 where it is absent.
func (it *sceneItem) number(key string) int32 {
	if at := it.at(key); at >= 0 {
		return it.values[at]
	}
	return 0
}

func (it *sceneItem) place() place { return place{it.number("x"), it.number("y"), true} }

// set stores the name of a client.
func (s *sceneInfo) set(it *sceneItem) {
	if at := it.at("name"); at >= 0 {
		s.size = len(message.AppendText(s.text[:0], it.values[at:at+len(s.text)/4]))
	}
}

// compare adds the changes since the snapshot before.
func (g *gameView) compare(w *writer) {
	first := !g.settled
	g.settled = true
	if g.now.local >= 0 && !(g.dialect == tables.V07 && !g.recorded) {
		g.players.own = g.now.local
	}
	for i := range g.now.listed {
		if g.now.listed[i] || g.before.listed[i] {
			g.compareClient(w, i, first)
		}
	}
	if !first {
		g.compareTees(w)
		g.trackWays()
	}
	g.settleStarts(w)
	g.settleFlags(w)
	g.settleMatch(w)
	if first {
		g.introduce(w)
	}
	g.follow()
}

// compareClient adds a client that came, left, or changed name or team, in versions that show it in snapshots.
func (g *gameView) compareClient(w *writer, number int, first bool) {
	p, now := &g.players.players[number], &g.now.infos[number]
	switch {
	case !g.now.listed[number]:
		if g.dialect != tables.V07 && p.present {
			var reason []byte
			if g.leaver.name == string(p.name) {
				reason = []byte(g.leaver.reason)
			}
			g.leaver = leaver{}
			g.depart(w, number, reason)
		}
	case !p.present:
		own := number == g.players.own
		quiet := g.recorded && first || g.dialect == tables.V07 || first && !(own && (g.fresh || p.before))
		g.arrive(w, number, now.name(), now.team, quiet)
		if own {
			g.fresh = false
		}
	default:
		g.arrive(w, number, now.name(), teamUnknown, true)
		if now.team != teamUnknown && now.team != p.team {
			g.join(w, number, now.team)
		}
	}
}
