// Package events finds the events of a conversation's game: players who come and go, kills, chat, matches. A Reader
// observes the conversation; an event is an object in a record's Events.
package events

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/fired"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/scene"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/scores"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/speech"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

// A Reader finds the events of a conversation's game. It decodes no bits: its input is the state that messages leave
// in the conversation: reliable commands, configstrings, and the entities of snapshots.
//
// Everything is reported once, although reliable commands are repeated until they are acknowledged, and
// entities are in many snapshots.
type Reader struct {
	secrets    bool
	rules      *extract.Highlights
	shots      bool
	request    oob.Kind // the last out-of-band packet of the client
	offered    int32    // challenge of the connect that was reported
	hasOffered bool     // offered has been set
	matches    int      // in the sessions before
	fresh      bool     // the session's beginning was seen, but not yet its first gamestate
	name       []byte   // of the client's userinfo, for captures of its side alone
	nameFrom   string   // where name is from; "": its connect
	guid       []byte   // its GUID; nil: not seen
	asks       request  // of a client that plays, for another session
	console    console  // the server's answers to rcon

	out  eventWriter
	last eventtree.Last
	ends *gameView // the game of the session before, whose match has not been reported
	game *gameView // nil before the first message: most streams of a public server are a query or two
	text token.Words
}

// New returns a Reader of a stream's events.
func New(opts dissect.Options) *Reader {
	return &Reader{
		secrets: opts.Secrets, rules: opts.Highlights, shots: opts.ShotEvents, out: newEventWriter(),
	}
}

// Restart forgets the session.
func (e *Reader) Restart(greeted bool) {
	if e.game != nil {
		if e.matches = e.game.match.contest.count; e.game.unfinished() {
			e.ends = e.game
		}
	}
	e.asks.settle(e)
	e.game, e.fresh = nil, greeted
}

// End reports the match that is still on when the input ends.
func (e *Reader) End(rec *dissect.Record) bool {
	if e.game == nil || !e.game.unfinished() {
		return false
	}
	e.last.Restore(rec)
	e.endSession(rec, e.game, event.ReasonRecordingEnd)
	return true
}

// endSession reports the match of a session that has ended.
func (e *Reader) endSession(rec *dissect.Record, g *gameView, reason string) {
	e.out.use(rec, g)
	rec.Events.Family = g.family
	g.highlights.end(&e.out, g)
	g.settleScoreboard(&e.out)
	g.endMatch(reason, false)
	g.reportMatch(&e.out, true)
}

// finishSession reports the match that the session before left open.
func (e *Reader) finishSession(rec *dissect.Record) {
	if g := e.ends; g != nil {
		e.ends = nil
		e.endSession(rec, g, event.ReasonClientLeft)
	}
}

// Idle forgets the entities of the snapshots.
func (e *Reader) Idle() {
	if e.game != nil {
		e.game.scene = scene.Scene{}
		e.game.highlights.idle()
	}
}

// Message reports the events of a message.
func (e *Reader) Message(m *observe.Message, rec *dissect.Record) {
	if m.Refused {
		return
	}
	if !m.FromClient && e.request != oob.Rcon {
		e.request = oob.Unknown // the server has let the client in
	}
	if !m.Counts {
		return
	}
	e.last.Keep(rec)
	e.finishSession(rec)
	if e.game == nil {
		e.game = newGameView(e.rules)
		e.game.match.contest.count = e.matches
	}
	g := e.game
	g.family, g.match.family, g.roster.family = m.Family, m.Family, m.Family
	g.roster.own, g.roster.guid = g.own, e.guid
	e.nameOwn()
	hasTime := e.findTime(m)
	g.match.now = g.time
	rec.Events.Family = m.Family
	e.out.use(rec, g)
	for i := range m.Changes {
		if c := &m.Changes[i]; c.Kind == observe.KeyText {
			e.readKey(!m.FromClient, m.Text(c))
			e.nameOwn()
		}
	}
	if m.FromClient {
		e.reportClientCommands(m)
		return
	}
	if hasTime && g.match.contest.pending {
		g.startMatch(&e.out, false)
	}
	snap := (*world.Snapshot)(nil)
	g.hear(m)
	for i := range m.Changes {
		switch c := &m.Changes[i]; c.Kind {
		case observe.Command:
			if !c.Repeat {
				e.reportServerCommand(m.Text(c))
			}
		case observe.GamestateHead:
			g.loading = true
			g.leaveMap(&e.out, e.isResent(m.ServerID))
			g.timed, e.out.Timed = hasTime, hasTime // every map has its own clock
		case observe.Configstring:
			g.configstring(&e.out, c.Index, m.Text(c))
		case observe.Gamestate:
			g.loading = false
			g.own = int(c.Client)
			g.roster.known = true
			g.match.begin()
			e.reportMap(m.ServerID)
		case observe.Snapshot:
			snap = m.World.Base(c.Number)
		}
	}
	g.endCommands(&e.out)
	if snap != nil {
		g.look(&e.out, m.Reader.Generation, &m.World.Pool, snap)
	}
	g.settlePrinted(&e.out)
	if e.shots {
		e.reportShots(rec)
	}
	if hasTime {
		g.highlights.advance(&e.out, g)
	}
	g.endMessage(&e.out)
	e.out.Finish(rec)
}

// shotFields are those that shots share with other events.
var shotFields = fired.Shared{
	Client: &evClient, Target: &evTarget, Weapon: &evKillWeapon, Reason: &evReason, Players: &evPlayers,
}

// reportShots reports the shots that the record shows.
func (e *Reader) reportShots(rec *dissect.Record) {
	for i := range rec.Shots.All() {
		fired.Write(&e.out.Writer, &shotFields, &rec.Shots.All()[i], func(number int) {
			e.out.clientFields(&e.game.roster, number, knownName{})
		})
	}
}

// reportServerCommand reports a reliable command that has not come before.
func (e *Reader) reportServerCommand(text []byte) {
	w, g := &e.text, e.game
	w.Split(text)
	switch string(w.At(0)) {
	case "print":
		if g.rules().Text.Chat == tables.ChatPrinted {
			g.printed(&e.out, w.At(1))
		} else {
			g.print(&e.out, w.At(1))
		}
	case "chat":
		g.say(&e.out, event.ChannelSay, w)
	case "tchat":
		g.say(&e.out, event.ChannelTeam, w)
	case "mm2":
		if g.rules().Text.PlaceNumbers {
			g.chatFrom(&e.out, w)
		}
	case "vchat":
		g.voice(&e.out, event.ChannelSay, w)
	case "vtchat":
		g.voice(&e.out, event.ChannelTeam, w)
	case "lchat":
		if channel := event.ChannelSay; g.rules().Text.Chat == tables.ChatMarked {
			g.say(&e.out, event.ChannelLimbo, w)
		} else {
			g.chatLocated(&e.out, channel, w)
		}
	case "ltchat":
		g.chatLocated(&e.out, event.ChannelTeam, w)
	case "vbchat":
		g.voice(&e.out, event.ChannelFireteam, w)
	case "cpm":
		if g.rules().Text.Popups && !g.announce(&e.out, w.At(1), w.At(2)) {
			g.print(&e.out, w.At(1))
		}
	case "cpmi":
		if g.rules().Text.Popups {
			g.announce(&e.out, w.At(2), w.At(1))
		}
	case "vtell":
		g.voice(&e.out, event.ChannelTell, w)
	case "cp":
		if !g.readDuel(&e.out, w.At(1)) {
			g.match.announce(w.At(1))
		}
	case "map_restart":
		g.restarted = true
		g.highlights.end(&e.out, g)
		e.out.Begin(event.MapRestart)
		e.out.End()
	case "disconnect":
		g.reportOwnDisconnect(&e.out, w.From(1)) // protocol 43 has no quotes around the reason
	case "printdeathmsg":
		if d, ok := speech.ReadDeathCommand(&g.rules().Text, w); ok && g.rules().Text.Deaths != nil {
			g.deaths = append(g.deaths, d.Copy())
		}
	case "voteresult":
		g.voteResult(&e.out, w.At(1))
	default:
		if !g.sheet.Repeats(text) {
			g.readScores(w)
		}
	}
}

// A gameView is the state of a game that events are found in.
type gameView struct {
	family  uint8
	own     int // number of the client whose stream it is, -1: not known
	left    bool
	loading bool // a gamestate is being read: its contents are no events
	time    int32
	timed   bool

	serverID int32
	mapped   bool // a map was reported
	moving   bool // the client loads a map that is not the first one of the session

	roster roster
	match  match
	flags  flagTracker
	timer  raceTimer
	vote   [numVotes]vote
	remark remark
	scene  scene.Scene
	tells  speech.Tells
	deaths []speech.Death // that the server announced in this message
	voices []voice        // that were heard in this message
	info   [2][]byte      // server's information and system information
	system int32          // server id in systeminfo; 0: not known
	quiet  bool           // a new server id without a gamestate restarts the map
	done   map[int]bool   // objectives that are completed, by configstring
	echo   int            // client whom the own player has written a private line to, + 1; 0: none in this message

	locations  map[int][]byte // names of places, for games that refer to them by number
	names      map[int][]byte // names of things in the map, by configstring: of Enemy Territory
	sheet      scores.Sheet   // the scores in this message
	highlights *highlights    // nil: nobody asks for them
	restarted  bool           // this message has a map_restart
}

// rules returns how the game words its commands.
func (g *gameView) rules() *tables.Game { return &tables.Games[g.family] }

func newGameView(rules *extract.Highlights) *gameView {
	return &gameView{own: -1, highlights: newHighlights(rules)}
}

// unfinished reports whether the end of the game would be reported.
func (g *gameView) unfinished() bool { return g.match.contest.open || g.highlights.open() }

// leaveMap reports the match that ends with the map, and forgets the map. A gamestate that is sent again ends
// no match.
func (g *gameView) leaveMap(w *eventWriter, resent bool) {
	if !resent {
		g.highlights.end(w, g)
		g.moving = g.mapped
		g.endMatch(event.ReasonMapChange, true)
		g.reportMatch(w, true)
	}
	kept, shown := g.match.contest, g.scene.Entities()
	g.reset()
	if g.match.contest.count = kept.count; resent {
		g.match.contest = kept
		g.scene.Resume(shown)
	}
}

// reset forgets the map, as a client does on a gamestate.
func (g *gameView) reset() {
	g.roster.clear()
	g.match, g.flags, g.vote, g.scene, g.remark = match{family: g.family}, flagTracker{}, [numVotes]vote{},
		scene.Scene{}, remark{}
	g.timer = raceTimer{}
	g.left = false
	g.system = 0
	g.info = [2][]byte{g.info[0][:0], g.info[1][:0]}
	clear(g.done)
	clear(g.locations)
	clear(g.names)
}

// configstring handles a change of a configstring.
func (g *gameView) configstring(w *eventWriter, index int, value []byte) {
	switch name := tables.ConfigstringNames.Name(g.family, uint64(index)); name {
	case "serverinfo":
		g.settle(w, &g.info[0], value)
		g.match.setServerinfo(value)
		g.reportMapUnderway(w, fromServerinfo)
	case "players":
		g.setPlayer(w, index-tables.PlayersAt[g.family], value, g.loading)
	case "":
		g.setUnknown(w, index, value)
	case "vote_time", "vote_string", "vote_yes", "vote_no":
		g.setVote(w, voteOfAll, name[len("vote_"):], value)
	case "teamvote_time", "teamvote_string", "teamvote_yes", "teamvote_no":
		// Two configstrings each, for red and blue; the second follows the first.
		team := voteOfRed
		if tables.ConfigstringNames.Name(g.family, uint64(index-1)) == name {
			team = voteOfBlue
		}
		g.setVote(w, team, name[len("teamvote_"):], value)
	case "locations":
		g.setLocation(index, value)
	case "oid_triggers", "strings":
		g.setName(index, value)
	case "systeminfo":
		g.settle(w, &g.info[1], value)
		g.setSystem(w, value)
	case "objectives":
		g.setObjective(w, index, value)
	case "flagstatus":
		g.flags.setStatus(value, g.loading)
	default:
		g.match.configstring(name, value, g.loading)
	}
}

// endCommands reports the events that depend on all commands and configstrings of a message.
func (g *gameView) endCommands(w *eventWriter) {
	for i := range g.vote {
		g.vote[i].settle(w, g, i)
		g.vote[i].close(w, g, i)
	}
	g.settleRounds(w)
	g.joinByScore(w)
	g.settleScoreboard(w)
	g.settleWarmup(w, g.restarted && !g.nextRound())
	g.match.settleWaiting(w)
	g.match.contest.clock.moved = false
}

// endMessage reports the events that also depend on the message's snapshot.
func (g *gameView) endMessage(w *eventWriter) {
	g.flags.settle(w, &g.roster, g.restarted, g.match.rose())
	g.match.settleScores(w)
	g.settleMatch(w)
	g.remark = remark{}
	g.restarted = false
}
