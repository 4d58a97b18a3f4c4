// Package events finds the events of a game, from the messages and snapshots of a conversation, and describes them in
// words.
package events

import (
	"bytes"
	"slices"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/snapshot"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// A Reader finds the events of a conversation's game, from its messages and snapshots.
//
// Messages are collected while a datagram is read and their events are added at its end, when the snapshot of
// the same datagram has set time and position. A message counts when the receiver accepts it, so a message
// that is sent again counts once. A nil reader ignores everything.
type Reader struct {
	staged []stagedMessage // of the datagram being read; payloads alias it
	values decodedMessage
	out    writer
	game   *gameView // nil until a message or snapshot needs it: most streams of a public server are a query or two
	opts   dissect.Options

	historian  historian // of a teehistorian file
	last       eventtree.Last
	mapName    []byte   // of a demo
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

// NewReader returns a reader, or nil if no events are wanted.
func NewReader(opts dissect.Options) *Reader {
	if !opts.Events {
		return nil
	}
	return &Reader{opts: opts, out: writer{eventtree.NewWriter(nil, &description)}}
}

// Add adds a message that the receiver accepts from the present datagram. payload must stay unchanged until
// Finish.
func (e *Reader) Add(m *message.Message, fromClient bool, payload []byte) {
	if e == nil || m.Def == nil || m.Failed || handlers[m.Def.Key].handle == nil {
		return
	}
	if m.Refused && !handlers[m.Def.Key].lenient {
		return
	}
	if m.Def.From&(tables.SentByClient|tables.SentByServer) != 0 && (m.Def.From == tables.SentByClient) != fromClient {
		return
	}
	e.staged = append(e.staged, stagedMessage{m.Def.Key, payload, fromClient})
}

// A Datagram is what events depend on apart from the messages: a datagram of a connection, or a record of a
// demo.
type Datagram struct {
	Dialect    tables.Dialect
	FromClient bool
	Control    bool             // a control packet
	Close      bool             // it ends the connection
	Refusal    bool             // it answers a request for a connection that there is none of yet
	Reason     []byte           // why
	Snapshots  *snapshot.Reader // nil: none yet

	Recorded bool
	Tick     int32 // of the record
	Untimed  bool  // Tick is near that of the record, which is not known
	Header   bool  // it is the header of the demo
	MapName  []byte
	Began    []byte // timestamp of the header
	ByServer bool   // the server recorded the demo
}

// Finish adds the events of the present datagram to rec.
func (e *Reader) Finish(rec *dissect.Record, d *Datagram) {
	if e == nil {
		return
	}
	w := &e.out
	w.Tree = &rec.Events
	rec.Events.Family = uint8(d.Dialect)
	if d.Header {
		e.addMap(d)
	}
	if d.Recorded {
		e.dropRepeats(d.Tick)
	}
	g := e.view(d)
	if g == nil {
		return
	}
	g.dialect, g.recorded, g.byServer = d.Dialect, d.Recorded, e.fromServer
	if !d.FromClient && !d.Control {
		g.hasServer, g.admitted = true, true
	}
	e.last.Keep(rec)
	w.Match = &g.contest
	w.setTime(d.Snapshots)
	w.Timed = w.Timed && !d.Untimed
	snap := g.look(d.Snapshots)
	for i := range e.staged {
		s := &e.staged[i]
		if e.values.read(d.Dialect, s) {
			handlers[s.key].handle(g, w, &e.values)
		}
	}
	e.staged = e.staged[:0]
	if snap {
		g.now.untimed = d.Untimed
		g.compare(w)
	}
	g.settle(w)
	w.Finish(rec)
	if d.Close {
		g.closed(w, d)
	}
}

// view returns the state of the game, or nil if there is none yet and the datagram needs none.
func (e *Reader) view(d *Datagram) *gameView {
	if e.game == nil && (len(e.staged) > 0 || d.Snapshots != nil || d.Refusal) {
		e.game = newGameView()
		e.game.secrets, e.game.mapName = e.opts.Secrets, e.mapName
	}
	return e.game
}

// addMap adds the map of a demo.
func (e *Reader) addMap(d *Datagram) {
	e.fromServer, e.mapName = d.ByServer, bytes.Clone(d.MapName)
	e.out.Timed = false
	e.out.Begin(event.MapStart)
	e.out.Text(&evMap, d.MapName)
	if began, err := time.Parse("2006-01-02_15-04-05", string(d.Began)); err == nil { // str_timestamp, src/base/system.c
		e.out.Text(&evDate, began.AppendFormat(nil, "2006-01-02T15:04:05"))
	}
	e.out.End()
}

// dropRepeats drops the copies of messages that a server recorded once for each recipient.
func (e *Reader) dropRepeats(tick int32) {
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

// A decodedMessage has the values of a message by their keys.
type decodedMessage struct {
	fromClient bool
	reader     message.Reader
	tree       dissect.Tree
	at         int // node of the message
}

// read decodes a message again, this time with its values.
func (m *decodedMessage) read(d tables.Dialect, s *stagedMessage) bool {
	m.tree.Reset()
	m.fromClient = s.fromClient
	m.reader.Decode(&m.tree, nil, d, s.fromClient, s.payload, 0)
	m.at = m.tree.Find(dissect.TopLevel, s.key)
	return m.at >= 0
}

// number returns a number, or 0 where it is absent.
func (m *decodedMessage) number(key string) int {
	if i := m.tree.Find(m.at, key); i >= 0 {
		return int(m.tree.Nodes[i].Int())
	}
	return 0
}

// has reports whether the message has a value.
func (m *decodedMessage) has(key string) bool { return m.tree.Find(m.at, key) >= 0 }

// each calls found with the numbers of a list.
func (m *decodedMessage) each(key string, found func(int)) {
	list := m.tree.Find(m.at, key)
	if list < 0 {
		return
	}
	for i := list + 1; i < int(m.tree.Nodes[list].End); i = int(m.tree.Nodes[i].End) {
		found(int(m.tree.Nodes[i].Int()))
	}
}

// text returns a text, which is valid until the next message is read.
func (m *decodedMessage) text(key string) []byte {
	if i := m.tree.Find(m.at, key); i >= 0 {
		return m.tree.Bytes(&m.tree.Nodes[i])
	}
	return nil
}

// A handler adds the event of one kind of message.
type handler struct {
	handle  func(g *gameView, w *writer, m *decodedMessage)
	lenient bool // values out of range are accepted
}

// handlers are the messages that cause events, by their keys.
var handlers = map[string]handler{
	"info":             {handle: (*gameView).info},
	"map_change":       {handle: (*gameView).mapChange},
	"sv_chat":          {handle: (*gameView).chat},
	"cl_say":           {handle: (*gameView).say},
	"sv_killmsg":       {handle: (*gameView).kill},
	"sv_team":          {handle: (*gameView).setTeam},
	"sv_clientinfo":    {handle: (*gameView).clientInfo},
	"sv_clientdrop":    {handle: (*gameView).clientDrop},
	"de_cliententer":   {handle: (*gameView).demoEnter},
	"de_clientleave":   {handle: (*gameView).demoLeave, lenient: true}, // servers do not set the number
	"sv_gameinfo":      {handle: (*gameView).gameInfo},
	"sv_gamemsg":       {handle: (*gameView).gameMsg},
	"sv_soundglobal":   {handle: (*gameView).sound},
	"sv_voteset":       {handle: (*gameView).voteSet},
	"sv_votestatus":    {handle: (*gameView).voteStatus},
	"cl_vote":          {handle: (*gameView).castVote},
	"rcon_auth":        {handle: (*gameView).rconAuth},
	"rcon_cmd":         {handle: (*gameView).rconCommand},
	"rcon_auth_on":     {handle: (*gameView).rconOn},
	"rcon_auth_off":    {handle: (*gameView).rconOff},
	"rcon_line":        {handle: (*gameView).rconLine},
	"sv_racefinish":    {handle: (*gameView).raceFinish},
	"sv_race_finish":   {handle: (*gameView).raceFinish},
	"sv_ddrace_time":   {handle: (*gameView).raceTime},
	"sv_kill_msg_team": {handle: (*gameView).killTeam},

	"sv_teams_state":      {handle: (*gameView).teamsState},
	"sv_teamsstatelegacy": {handle: (*gameView).teamsState},
	"sv_checkpoint":       {handle: (*gameView).checkpointDiff},
	"sv_broadcast":        {handle: (*gameView).broadcast},
	"sv_save_code":        {handle: (*gameView).saveCode},
	"cl_command":          {handle: (*gameView).typed},
	"rcon_auth_status":    {handle: (*gameView).rconStatus},
	"sv_ddracetimelegacy": {handle: (*gameView).raceTime},
}

// A gameView is the state of a game that events are found in.
type gameView struct {
	dialect   tables.Dialect
	secrets   bool
	recorded  bool // in a demo
	byServer  bool // in one that the server recorded
	hasServer bool // the input has messages of the server
	fresh     bool // the session's beginning was seen, but not yet the own client
	mapped    bool // the event of a map was added in this session
	inGame    bool // 0.7: the own client is in the game, on this map
	left      bool // the event of the session's end was added
	admitted  bool // the server sent messages after the client's first
	rconSent  bool // a password was sent and not answered yet

	players roster
	now     scene
	before  scene
	settled bool // a snapshot of this map was compared

	mapName  []byte
	rules    ruleSet
	contest  contest
	together []killing // deaths by the game in this datagram, of a match that began late

	flags  []flagNews // from messages, to be completed by the next snapshot
	vote   vote
	race   race
	leaver leaver

	layout  teeLayout
	carried [2]flagRun        // by the red and the blue flag
	touches [maxPlayers]touch // the last contact of each player
	frozen  [maxPlayers]int32 // tick at which a player was frozen; 0: not, or not known
	died    [maxPlayers]int32 // tick at which a player died last
	placed  [maxPlayers]int32 // tick at which the server put a player elsewhere
	jumped  [maxPlayers]bool  // went further between two snapshots than speed allows

	tick int32 // of the last snapshot that was looked at; -1: none
}

func newGameView() *gameView {
	g := &gameView{tick: -1}
	g.players.own = -1
	return g
}

// restart forgets the session.
func (g *gameView) restart() {
	fresh := newGameView()
	fresh.dialect, fresh.secrets, fresh.recorded, fresh.hasServer = g.dialect, g.secrets, g.recorded, g.hasServer
	fresh.contest.count = g.contest.count
	*g = *fresh
}

// info begins a session: it is the client's first message.
func (g *gameView) info(w *writer, m *decodedMessage) {
	g.leaveMatch(w, event.ReasonClientLeft)
	g.restart()
	g.fresh = true
	w.Timed = false
	w.Begin(event.ConnectRequest)
	w.Flag(&evOwn, true)
	if password := m.text("password"); len(password) > 0 {
		w.Password(&evPassword, password, g.secrets)
	}
	w.End()
}

// mapChange adds a map. The server then lists its players again, which is not their arrival.
//
// In a demo that a server recorded it means that another client loads the map.
func (g *gameView) mapChange(w *writer, m *decodedMessage) {
	if g.byServer {
		return
	}
	g.leaveMatch(w, event.ReasonMapChange)
	w.Timed = false // every map has its own clock
	g.players.changeMap()
	g.settled, g.inGame, g.tick, g.left, g.mapped = false, false, -1, false, true
	g.now, g.before, g.flags, g.vote = scene{}, scene{}, g.flags[:0], vote{}
	g.rules, g.mapName = ruleSet{}, append(g.mapName[:0], m.text("map_name")...)
	g.forgetTees()
	w.Begin(event.MapStart)
	w.Text(&evMap, g.mapName)
	w.End()
}

// closed adds the end of a connection.
func (g *gameView) closed(w *writer, d *Datagram) {
	g.leaveMatch(w, event.ReasonClientLeft)
	w.Timed = false
	switch {
	case d.Refusal || !g.left && g.fresh && !g.mapped && !g.admitted && !d.FromClient:
		w.Begin(event.ConnectRefused)
		w.Flag(&evOwn, true)
		w.Both(&evText, &evTextClean, d.Reason)
		w.End()
	case g.left:
	default:
		g.addDisconnect(w, g.players.own, d.Reason)
	}
	left := g.left || g.mapped || !g.fresh
	g.restart()
	g.left = left
}

// settle adds events that are complete at the end of a datagram.
func (g *gameView) settle(w *writer) {
	g.settleTogether(w)
	g.settleSettings(w)
	g.vote.settle(w, &g.players)
	g.race.settle(w, &g.players)
}
