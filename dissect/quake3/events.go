package quake3

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

// An eventReader tells what happens in the game of a conversation, from what its messages make of the
// conversation's state: reliable commands and configstrings, and the entities of snapshots. It reads no
// bits.
//
// What a message says counts when the message is known to be good, and then once: reliable commands are
// repeated until they are acknowledged, entities stand in many snapshots. So reading only notes what is
// there, and tell goes through it at the end of the message. A nil reader notes nothing.
type eventReader struct {
	secrets bool
	asked   oob.Kind // what the client said last out of band
	offered int32    // challenge of the connect that was told
	told    bool     // offered means something
	fresh   bool     // the session's beginning was seen, and its first gamestate not yet
	name    []byte   // what the client calls itself, for captures of its side alone

	staged []stagedChange // of the message being read
	values []byte         // of the configstrings in it

	out  eventWriter
	game *gameView // nil before the first message: most streams of a public server are a query or two
	text token.Words
}

// A stagedChange is something that a message does, in its order.
type stagedChange struct {
	kind       stagedKind
	commands   int // reliable commands of the message before it, itself included
	index      int // of a configstring
	start, end int // of its value in values
	number     int32
}

type stagedKind uint8

const (
	stagedConfigstring   stagedKind = iota
	stagedGamestate                 // begins; number is that of the last command before it
	stagedGamestateReady            // ends; number is the client's
	stagedSnapshot                  // was stored; number is that of the message
)

func newEventReader(opts dissect.Options) *eventReader {
	if !opts.Events {
		return nil
	}
	return &eventReader{secrets: opts.Secrets}
}

// forget drops what was noted of a message that is being read again.
func (e *eventReader) forget() {
	if e != nil {
		e.staged, e.values = e.staged[:0], e.values[:0]
	}
}

// note notes a change; commands is how many reliable commands of the message were read.
func (e *eventReader) note(kind stagedKind, commands int, number int32) {
	if e != nil {
		e.staged = append(e.staged, stagedChange{kind: kind, commands: commands, number: number})
	}
}

// noteConfigstring notes that a configstring was set.
func (e *eventReader) noteConfigstring(commands, index int, value []byte) {
	if e == nil {
		return
	}
	start := len(e.values)
	e.values = append(e.values, value...)
	e.staged = append(e.staged, stagedChange{
		kind: stagedConfigstring, commands: commands, index: index, start: start, end: len(e.values),
	})
}

// begin notes that a session begins whose handshake was seen.
func (e *eventReader) begin() {
	if e != nil {
		e.fresh = true
	}
}

// restart forgets the session.
func (e *eventReader) restart() {
	if e != nil {
		e.game, e.fresh = nil, false
		e.forget()
	}
}

// rest forgets what stood in the snapshots, after a pause.
func (e *eventReader) rest() {
	if e != nil && e.game != nil {
		e.game.scene = scene{}
	}
}

// tell tells what the message means that was just read.
func (e *eventReader) tell(c *conversation, rec *dissect.Record, m *message) {
	if e == nil {
		return
	}
	if e.game == nil {
		e.game = newGameView()
	}
	g := e.game
	g.family = c.family
	hasTime := e.findTime(c)
	rec.Events.Family = c.family
	e.out.tree, e.out.time, e.out.timed = &rec.Events, g.time, g.timed
	if m.fromClient {
		e.tellClientCommands(c)
		return
	}
	command, snap := 0, (*world.Snapshot)(nil)
	for i := range e.staged {
		s := &e.staged[i]
		for ; command < s.commands; command++ {
			e.tellServerCommand(c, command)
		}
		switch s.kind {
		case stagedGamestate:
			g.loading = true
			g.reset()
			g.timed, e.out.timed = hasTime, hasTime // another map has another clock
		case stagedConfigstring:
			g.configstring(&e.out, s.index, e.values[s.start:s.end])
		case stagedGamestateReady:
			g.loading = false
			g.own = int(s.number)
			g.roster.known = true
			e.tellMap(c)
		case stagedSnapshot:
			snap = c.world.Base(s.number)
		}
	}
	for ; command < len(c.reader.staged); command++ {
		e.tellServerCommand(c, command)
	}
	g.endCommands(&e.out)
	if snap != nil && snap.Flags&world.SnapNotActive == 0 {
		g.look(&e.out, c.snapshots.Generation, &c.world.Pool, snap)
	}
	g.endMessage(&e.out)
}

// findTime takes the server time of the message's snapshot: commands are carried out with the snapshot
// that they come with, CG_ProcessSnapshots in code/cgame/cg_snapshot.c. It reports whether there is one.
func (e *eventReader) findTime(c *conversation) (found bool) {
	for i := range e.staged {
		if e.staged[i].kind != stagedSnapshot {
			continue
		}
		if s := c.world.Base(e.staged[i].number); s != nil {
			e.game.time, e.game.timed, found = s.ServerTime, true, true
		}
	}
	return found
}

// tellServerCommand tells reliable command i of the message, unless it came before.
func (e *eventReader) tellServerCommand(c *conversation, i int) {
	cmd := c.reader.staged[i]
	if cmd.repeat {
		return
	}
	w, g := &e.text, e.game
	w.Split(c.reader.textOf(cmd))
	switch string(w.At(0)) {
	case "print":
		g.print(&e.out, w.At(1))
	case "chat":
		g.chat(&e.out, channelSay, w.At(1))
	case "tchat":
		g.chat(&e.out, channelTeam, w.At(1))
	case "vchat":
		g.voice(&e.out, channelSay, w)
	case "vtchat":
		g.voice(&e.out, channelTeam, w)
	case "vtell":
		g.voice(&e.out, channelTell, w)
	case "scores":
		g.scoreboard(&e.out, w)
	case "map_restart":
		g.restarted = true
		e.out.begin(kindMapRestart)
		e.out.end()
	case "disconnect":
		g.tellOwnDisconnect(&e.out, w.At(1))
	}
}

// A gameView is what is remembered of a game to tell what changes in it.
type gameView struct {
	family  uint8
	own     int // number of the client whose stream it is, -1: not known
	left    bool
	loading bool // a gamestate is being read: what it says is no event
	time    int32
	timed   bool

	serverID int32
	mapped   bool // a map was told

	roster roster
	match  match
	flags  flagTracker
	vote   [numVotes]vote
	said   said
	scene  scene
	tells  pendingTells

	restarted bool // a map_restart stands in this message
}

func newGameView() *gameView { return &gameView{own: -1} }

// reset forgets the map, as a gamestate makes the client do.
func (g *gameView) reset() {
	g.roster.clear()
	g.match, g.flags, g.vote, g.scene, g.said = match{}, flagTracker{}, [numVotes]vote{}, scene{}, said{}
	g.left = false
}

// configstring takes over a configstring.
func (g *gameView) configstring(w *eventWriter, index int, value []byte) {
	switch name := tables.ConfigstringNames.Name(g.family, uint64(index)); name {
	case "serverinfo":
		g.match.setServerinfo(value)
	case "players":
		if n := index - tables.PlayersAt[g.family]; n < tables.MaxPlayers {
			g.setPlayer(w, n, value, g.loading)
		}
	case "vote_time", "vote_string", "vote_yes", "vote_no":
		g.setVote(w, voteOfAll, name[len("vote_"):], value)
	case "teamvote_time", "teamvote_string", "teamvote_yes", "teamvote_no":
		// Two configstrings each, for red and blue; the second follows the first.
		team := voteOfRed
		if tables.ConfigstringNames.Name(g.family, uint64(index-1)) == name {
			team = voteOfBlue
		}
		g.setVote(w, team, name[len("teamvote_"):], value)
	case "flagstatus":
		g.flags.setStatus(value, g.loading)
	default:
		g.match.configstring(name, value, g.loading)
	}
}

// endCommands tells what the commands and configstrings of a message come to, once they are all known.
func (g *gameView) endCommands(w *eventWriter) {
	for i := range g.vote {
		g.vote[i].settle(w, g, i)
	}
	g.match.settle(w, g.restarted)
}

// endMessage tells what needs the message's snapshot too.
func (g *gameView) endMessage(w *eventWriter) {
	g.flags.settle(w, &g.roster, g.restarted)
	g.match.settleScores(w)
	g.match.reason = g.match.reason[:0]
	g.said = said{}
	g.restarted = false
}
