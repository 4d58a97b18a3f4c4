package teeworlds

import (
	"bytes"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// An eventReader tells what happens in the game of a conversation, from its messages and snapshots.
//
// Messages are noted while a datagram is read and told at its end: the snapshot that came with them has the
// time, and where it happened. A message counts when the receiver takes it, so what is sent again counts once.
// A nil reader notes nothing.
type eventReader struct {
	staged []stagedMessage // of the datagram being read; payloads alias it
	values eventMessage
	out    eventWriter
	game   *gameView // nil before there is anything to remember: most streams of a public server are a query or two
	opts   dissect.Options

	fromServer bool     // a demo that the server recorded
	repeatTick int32    // of repeats
	repeats    [][]byte // messages of this tick
}

// A stagedMessage is a message that may be an event.
type stagedMessage struct {
	key        string
	payload    []byte
	fromClient bool
}

func newEventReader(opts dissect.Options) *eventReader {
	if !opts.Events {
		return nil
	}
	return &eventReader{opts: opts}
}

// add adds a message of the datagram that is being read, which its receiver takes. payload must stay unchanged until
// finish.
func (e *eventReader) add(m *message, fromClient bool, payload []byte) {
	if e == nil || m.def == nil || m.failed || eventMessages[m.def.key].tell == nil {
		return
	}
	if m.refused && !eventMessages[m.def.key].lenient {
		return
	}
	if m.def.from&(sentByClient|sentByServer) != 0 && (m.def.from == sentByClient) != fromClient {
		return
	}
	e.staged = append(e.staged, stagedMessage{m.def.key, payload, fromClient})
}

// An eventDatagram is what events depend on beside the messages: a datagram of a connection, or a record of a demo.
type eventDatagram struct {
	dialect    dialect
	fromClient bool
	isControl  bool
	control    []byte // the control message; nil: none, or not to be read
	snapshots  *play  // nil: none yet

	recorded bool
	tick     int32 // of the record
	header   bool  // it is the header of the demo
	mapName  []byte
	byServer bool // the server recorded the demo
}

// finish adds to rec what happened in the datagram that was just read.
func (e *eventReader) finish(rec *dissect.Record, d *eventDatagram) {
	if e == nil {
		return
	}
	w := &e.out
	w.tree = &rec.Events
	rec.Events.Family = uint8(d.dialect)
	if d.header {
		e.addMap(d)
	}
	if d.recorded {
		e.dropRepeats(d.tick)
	}
	g := e.view(d)
	if g == nil {
		return
	}
	g.dialect, g.recorded = d.dialect, d.recorded
	if !d.fromClient && !d.isControl {
		g.heard, g.admitted = true, true
	}
	w.setTime(d.snapshots)
	snap := g.look(d.snapshots)
	for i := range e.staged {
		s := &e.staged[i]
		if e.values.read(d.dialect, s) {
			eventMessages[s.key].tell(g, w, &e.values)
		}
	}
	e.staged = e.staged[:0]
	if snap {
		g.compare(w)
	}
	g.settle(w)
	if d.control != nil {
		g.control(w, d)
	}
}

// view gives what is remembered, or nil if there is nothing to remember yet.
func (e *eventReader) view(d *eventDatagram) *gameView {
	if e.game == nil && (len(e.staged) > 0 || d.snapshots != nil) {
		e.game = newGameView()
		e.game.secrets = e.opts.Secrets
	}
	return e.game
}

// addMap adds the map of a demo.
func (e *eventReader) addMap(d *eventDatagram) {
	e.fromServer = d.byServer
	e.out.timed = false
	e.out.begin(kindMap)
	e.out.text(&evMap, d.mapName)
	e.out.end()
}

// dropRepeats drops what a server recorded once for each client that it sent it to.
func (e *eventReader) dropRepeats(tick int32) {
	if !e.fromServer {
		return
	}
	if tick != e.repeatTick {
		e.repeatTick, e.repeats = tick, e.repeats[:0]
	}
	e.staged = slices.DeleteFunc(e.staged, func(s stagedMessage) bool {
		if slices.ContainsFunc(e.repeats, func(b []byte) bool { return bytes.Equal(b, s.payload) }) {
			return true
		}
		e.repeats = append(e.repeats, bytes.Clone(s.payload))
		return false
	})
}

// An eventMessage is a message with its values by their keys.
type eventMessage struct {
	fromClient bool
	reader     messageReader
	tree       dissect.Tree
	at         int // the message's object
}

// read decodes a message again, now with its values.
func (m *eventMessage) read(d dialect, s *stagedMessage) bool {
	m.tree.Reset()
	m.fromClient = s.fromClient
	m.reader.decodeMessage(&m.tree, nil, d, s.fromClient, s.payload, 0)
	m.at = m.tree.Find(dissect.TopLevel, s.key)
	return m.at >= 0
}

// int gives a number, or 0 where it is absent.
func (m *eventMessage) int(key string) int {
	if i := m.tree.Find(m.at, key); i >= 0 {
		return int(m.tree.Nodes[i].Int())
	}
	return 0
}

// has reports whether the message has a value.
func (m *eventMessage) has(key string) bool { return m.tree.Find(m.at, key) >= 0 }

// text gives a text; it holds until the next message is read.
func (m *eventMessage) text(key string) []byte {
	if i := m.tree.Find(m.at, key); i >= 0 {
		return m.tree.Bytes(&m.tree.Nodes[i])
	}
	return nil
}

// element gives a number of a list, or -1.
func (m *eventMessage) element(key string, index int) int {
	list := m.tree.Find(m.at, key)
	if list < 0 {
		return -1
	}
	for i := list + 1; i < int(m.tree.Nodes[list].End); i = int(m.tree.Nodes[i].End) {
		if index == 0 {
			return int(m.tree.Nodes[i].Int())
		}
		index--
	}
	return -1
}

// An eventTeller tells what a message of one kind means.
type eventTeller struct {
	tell    func(g *gameView, w *eventWriter, m *eventMessage)
	lenient bool // values out of range do not matter
}

// eventMessages are the messages that are looked at, by their keys.
var eventMessages = map[string]eventTeller{
	"info":             {tell: (*gameView).info},
	"map_change":       {tell: (*gameView).mapChange},
	"sv_chat":          {tell: (*gameView).chat},
	"cl_say":           {tell: (*gameView).say},
	"sv_killmsg":       {tell: (*gameView).kill},
	"sv_team":          {tell: (*gameView).setTeam},
	"sv_clientinfo":    {tell: (*gameView).clientInfo},
	"sv_clientdrop":    {tell: (*gameView).clientDrop},
	"de_cliententer":   {tell: (*gameView).demoEnter},
	"de_clientleave":   {tell: (*gameView).demoLeave, lenient: true}, // servers do not set the number
	"sv_gameinfo":      {tell: (*gameView).gameInfo},
	"sv_gamemsg":       {tell: (*gameView).gameMsg},
	"sv_soundglobal":   {tell: (*gameView).sound},
	"sv_voteset":       {tell: (*gameView).voteSet},
	"sv_votestatus":    {tell: (*gameView).voteStatus},
	"cl_vote":          {tell: (*gameView).castVote},
	"rcon_auth":        {tell: (*gameView).rconAuth},
	"rcon_cmd":         {tell: (*gameView).rconCommand},
	"rcon_auth_on":     {tell: (*gameView).rconOn},
	"rcon_auth_off":    {tell: (*gameView).rconOff},
	"rcon_line":        {tell: (*gameView).rconLine},
	"sv_racefinish":    {tell: (*gameView).raceFinish},
	"sv_race_finish":   {tell: (*gameView).raceFinish},
	"sv_ddrace_time":   {tell: (*gameView).raceTime},
	"sv_kill_msg_team": {tell: (*gameView).killTeam},

	"rcon_auth_status":    {tell: (*gameView).rconStatus},
	"sv_ddracetimelegacy": {tell: (*gameView).raceTime},
}

// A gameView is what is remembered of a game to tell what changes in it.
type gameView struct {
	dialect  dialect
	secrets  bool
	recorded bool // in a demo
	heard    bool // the server's messages are there
	fresh    bool // the session's beginning was seen, and the own client not yet
	mapped   bool // a map was told in this session
	here     bool // 0.7: the own client is in the game, on this map
	left     bool // the end of the session was told
	admitted bool // the server sent messages after the client's first
	asked    bool // for rcon, without an answer yet

	players  roster
	now      scene
	before   scene
	settled  bool // a snapshot of this map was compared
	flagged  bool // gameFlags means something
	teamPlay bool

	flags  []flagNews // told by messages, to be completed by the next snapshot
	vote   vote
	race   race
	leaver leaver
	tick   int32 // of the snapshot that was looked at last; -1: none
}

func newGameView() *gameView {
	g := &gameView{tick: -1}
	g.players.own = -1
	return g
}

// restart forgets everything but what does not belong to a session.
func (g *gameView) restart() {
	fresh := newGameView()
	fresh.dialect, fresh.secrets, fresh.recorded, fresh.heard = g.dialect, g.secrets, g.recorded, g.heard
	*g = *fresh
}

// info begins a session: it is the first that a client says.
func (g *gameView) info(w *eventWriter, m *eventMessage) {
	g.restart()
	g.fresh = true
	w.timed = false
	w.begin(kindRequest)
	w.true(&evOwn, true)
	if password := m.text("password"); len(password) > 0 {
		w.password(password, g.secrets)
	}
	w.end()
}

// mapChange tells a map. Who is there is told again by the server, and nobody comes by that.
func (g *gameView) mapChange(w *eventWriter, m *eventMessage) {
	w.timed = false // another map has another clock
	g.players.changeMap()
	g.settled, g.here, g.tick, g.left, g.mapped = false, false, -1, false, true
	g.now, g.before, g.flags, g.vote = scene{}, scene{}, g.flags[:0], vote{}
	w.begin(kindMap)
	w.text(&evMap, m.text("map_name"))
	w.end()
}

// control tells the end of a connection.
func (g *gameView) control(w *eventWriter, d *eventDatagram) {
	b := d.control
	if len(b) == 0 || b[0] != controlClose {
		return
	}
	reason, _, _ := bytes.Cut(b[1:], []byte{0})
	w.timed = false
	switch {
	case g.left:
	case g.fresh && !g.mapped && !g.admitted && !d.fromClient:
		w.begin(kindRefused)
		w.true(&evOwn, true)
		w.both(&evText, &evTextClean, reason)
		w.end()
	default:
		g.tellDisconnect(w, g.players.own, reason)
	}
	left := g.left || g.mapped || !g.fresh
	g.restart()
	g.left = left
}

// settle tells what is complete at the end of a datagram.
func (g *gameView) settle(w *eventWriter) {
	g.vote.settle(w, &g.players)
	g.race.settle(w, &g.players)
}
