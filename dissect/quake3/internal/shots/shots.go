// Package shots follows the shots of a conversation's player: which user command fired, from where and in which
// direction, where others were on the shooter's screen, what the server traced against, and what it answered. A Reader
// is an observer of the conversation; its results go to Record.Shots.
package shots

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

// How much is kept: about three seconds of states and of commands, at the usual rates.
const (
	maxFrames   = 64
	maxCommands = 512
)

// A Reader follows one conversation.
type Reader struct {
	client   int // number of the client itself; -1: not known
	slots    slots
	settings settings
	bots     [tables.MaxPlayers]bool
	commands []command // by time, the newest last
	frames   []frame   // by time, the newest last
	before   own       // the shooter in the newest frame
	marks    []mark    // entities of events and missiles in the newest frame
	fresh    []mark    // those that the frame before did not have
	words    token.Words
	interval int64 // the shortest time between two frames, in milliseconds; 0: not known
	lag      int64 // the shortest time from the client to the server's answer, in the capture, in nanoseconds
	hasLag   bool
	asked    int64 // when the client asked to connect, Unix nanoseconds; 0: not known
}

// A command is a user command with the message that brought it first.
type command struct {
	observe.UserCommand
	time  int32 // as the server executes it
	frame uint64
	at    int64 // of the capture, Unix nanoseconds
	timed bool
	had   int32 // message of the server that the client acknowledged
}

// settings are what the server and the client announce of the trace.
type settings struct {
	server bool // serverinfo was seen
	game   []byte
	mod    bool // another module than the game's own
	delag  int  // g_delagHitscan; -1: not there
	own    bool // userinfo was seen
	wants  int  // cg_delag
	nudge  int64
	fixed  int32 // pmove_msec, if pmove_fixed is set; 0
}

// New returns a Reader.
func New() *Reader { return &Reader{client: -1, settings: settings{delag: -1}} }

// Restart forgets the session.
func (r *Reader) Restart(bool) {
	before := *r // of the connect that begins the session
	*r = *New()
	r.settings.own, r.settings.wants, r.settings.nudge = before.settings.own, before.settings.wants, before.settings.nudge
	r.lag, r.hasLag = before.lag, before.hasLag
}

// Idle forgets the states.
func (r *Reader) Idle() {
	r.commands, r.frames, r.before, r.marks, r.fresh = nil, nil, own{}, nil, nil
}

// OutOfBand keeps what the client asks for when it connects.
func (r *Reader) OutOfBand(_ *observe.Session, p *oob.Packet, rec *dissect.Record) {
	switch {
	case p.Kind == oob.Connect:
		if len(p.Userinfo) > 0 {
			r.settings.userinfo(p.Userinfo)
		}
		if r.hasLag = false; rec.HasTime {
			r.asked = rec.Time
		}
	case p.Kind == oob.ConnectResponse && r.asked > 0 && rec.HasTime:
		r.noteLag(rec.Time - r.asked)
		r.asked = 0
	}
}

// userinfo keeps what the client asks for: ClientUserinfoChanged, code/game/g_client.c of OpenArena.
func (s *settings) userinfo(info []byte) {
	wants, _ := token.Atoi(dissect.InfoValue(info, "cg_delag"))
	nudge, _ := token.Atoi(dissect.InfoValue(info, "cg_cmdTimeNudge"))
	s.own, s.wants, s.nudge = true, int(wants), int64(nudge)
}

// serverinfo keeps what the server announces.
func (s *settings) serverinfo(info []byte) {
	s.server, s.delag = true, -1
	s.game = append(s.game[:0], dissect.InfoValue(info, "gamename")...)
	if value := dissect.InfoValue(info, "g_delagHitscan"); len(value) > 0 {
		n, _ := token.Atoi(value)
		s.delag = int(n)
	}
}

// known reports whether the server announced the module whose rules these are: no mod, which may count and trace in its
// own way.
func (s *settings) known(rules *tables.Shots) bool {
	return rules != nil && s.server && !s.mod && tables.ShotsOf(tables.Module(s.game)) == rules
}

// systeminfo keeps how commands are rounded: ClientThink_real, code/game/g_active.c.
func (s *settings) systeminfo(info []byte) {
	s.fixed = 0
	if string(dissect.InfoValue(info, "pmove_fixed")) == "1" {
		n, ok := token.Atoi(dissect.InfoValue(info, "pmove_msec"))
		if !ok {
			n = 8
		}
		s.fixed = max(8, min(33, int32(n)))
	}
	name := dissect.InfoValue(info, "fs_game")
	s.mod = len(name) > 0 && tables.ShotsOf(tables.Module(name)) == nil
}

// Message follows a message.
func (r *Reader) Message(m *observe.Message, rec *dissect.Record) {
	if !m.Keeps {
		return
	}
	if m.FromClient {
		r.fromClient(m, rec)
		return
	}
	for i := range m.Changes {
		switch c := &m.Changes[i]; c.Kind {
		case observe.Configstring:
			r.configstring(m, c)
		case observe.Gamestate:
			r.Idle()
			r.client = int(c.Client)
		case observe.Snapshot:
			if s := m.World.Base(c.Number); s != nil && s.Flags&world.SnapNotActive == 0 && !s.Untimed && !s.Partial {
				r.look(m, s, rec)
			} else {
				r.before = own{}
			}
		}
	}
}

func (r *Reader) configstring(m *observe.Message, c *observe.Change) {
	switch first := tables.PlayersAt[m.Family]; {
	case c.Index == 0:
		r.settings.serverinfo(m.Text(c))
	case c.Index == 1:
		r.settings.systeminfo(m.Text(c))
	case first >= 0 && c.Index >= first && c.Index < first+tables.NumPlayers[m.Family]:
		// bots have a skill: ClientUserinfoChanged, code/game/g_client.c
		r.bots[c.Index-first] = len(dissect.InfoValue(m.Text(c), "skill")) > 0
	}
}

// fromClient keeps the commands of a client's message.
func (r *Reader) fromClient(m *observe.Message, rec *dissect.Record) {
	for i := range m.Changes {
		if c := &m.Changes[i]; c.Kind == observe.Command && !c.Repeat {
			if r.words.Split(m.Text(c)); string(r.words.At(0)) == "userinfo" {
				r.settings.userinfo(r.words.At(1))
			}
		}
	}
	for i := range m.Commands {
		c := &m.Commands[i]
		if !c.Known || !c.KnownArm || len(r.commands) > 0 && c.Time <= r.commands[len(r.commands)-1].Time {
			continue
		}
		if len(r.commands) >= maxCommands {
			r.commands = append(r.commands[:0], r.commands[maxCommands/2:]...)
		}
		one := command{
			UserCommand: *c, time: c.Time, frame: rec.Number(), at: rec.Time, timed: rec.HasTime, had: m.Received,
		}
		if step := r.settings.fixed; step > 0 {
			one.time = (c.Time + step - 1) / step * step
		}
		r.commands = append(r.commands, one)
	}
}

// look reads a snapshot.
func (r *Reader) look(m *observe.Message, s *world.Snapshot, rec *dissect.Record) {
	if r.slots.gen != m.Reader.Generation {
		r.slots = slotsOf(m.Reader.Generation)
	}
	n := tables.NumbersOf(m.Family)
	if k := len(r.frames); k > 0 && s.ServerTime <= int32(r.frames[k-1].time) {
		r.Idle() // the map began again
	}
	r.addFrame(n, m, s, rec)
	now := r.slots.ownOf(n, &s.Player)
	r.measureLag(&now, rec)
	if before := r.before; before.known && now.known && before.client == now.client && len(r.frames) > 1 {
		r.between(n, m, &before, &now, rec)
	}
	r.before = now
}

// between finds the shots between two states of the shooter.
func (r *Reader) between(n *tables.Numbers, m *observe.Message, before, now *own, rec *dissect.Record) {
	const queue, wrap = 2, 1<<16 - 1 // MAX_PS_EVENTS, code/qcommon/q_shared.h; the counter has 16 bits
	count := int((now.sequence - before.sequence) & wrap)
	seen := 0
	for i := min(count, queue); i > 0; i-- {
		event := now.events[(now.sequence-uint32(i))&(queue-1)] &^ tables.EventToggleBits
		if n.Fire >= 0 && int(event) == n.Fire {
			seen++
		}
	}
	lost := max(0, count-queue)
	rules := tables.ShotsOf(m.Family)
	fired, agrees := r.replay(rules, before, now)
	if !agrees || len(fired) < seen || len(fired) > count || lost == 0 && len(fired) != seen {
		agrees = false
		if len(fired) != seen {
			fired = nil
		}
	}
	total := max(seen, len(fired))
	if total == 0 {
		return
	}
	list := make([]extract.Shot, 0, total)
	for i := range total {
		shot := extract.Shot{
			Shooter: now.client, Time: r.newest().time, Number: now.timer.weapon, Between: total, Lost: lost,
			Unseen: i < total-seen, Replayed: agrees,
		}
		switch rise := int(now.hits - before.hits); {
		case !now.hasHits || !before.hasHits:
		case n.Damage >= 0:
			shot.Damage, shot.HasDamage = rise, true
		case r.settings.known(rules):
			shot.Hits, shot.HasHits = rise, true
		}
		if i < len(fired) {
			shot.Number = fired[i].weapon
		}
		shot.Weapon = tables.WeaponNames.Name(m.Family, uint64(shot.Number))
		gun := rules.Gun(shot.Number)
		shot.Range = float64(gun.Range)
		if i < len(fired) {
			r.aim(&shot, &fired[i], before, now, rules, &gun)
		}
		list = append(list, shot)
	}
	r.answer(n, rules, list)
	for i := range list {
		var shot *firing
		if i < len(fired) {
			shot = &fired[i]
		}
		r.judge(&list[i], shot, now, rules)
	}
	if rec.Shots == nil {
		rec.Shots = new(extract.Shots)
	}
	rec.Shots.Add(list...)
}

// A firing is a command that fires, with the view that it has.
type firing struct {
	*command
	weapon     int
	pitch, yaw float64
}

// replay runs the weapon's timer from one state to the next and returns the commands that fire. agrees is false if the
// timer does not end as the next state has it.
func (r *Reader) replay(rules *tables.Shots, before, now *own) (fired []firing, agrees bool) {
	if rules == nil || now.follows || before.follows || !before.timer.known || r.client >= 0 && r.client != now.client ||
		before.teleport != now.teleport || before.delta[1] != now.delta[1] {
		return nil, false
	}
	t, pitch := before.timer, before.delta[0]
	step := int32(longestStep)
	if r.settings.fixed > 0 {
		step = r.settings.fixed
	}
	for i := range r.commands {
		c := &r.commands[i]
		if c.time <= before.time || c.time > now.time {
			continue
		}
		shots := t.run(rules, c, step)
		if shots < 0 {
			return nil, false
		}
		one := firing{c, t.weapon, angleOf(c.Pitch, pitch, true), angleOf(c.Yaw, before.delta[1], false)}
		pitch = uint16(int16(one.pitch*65536/360)) - c.Pitch // changes only at the steepest view
		// the server fires for a command's last events alone: ClientEvents, code/game/g_active.c
		const executed = 2 // MAX_PS_EVENTS
		for range min(shots, executed) {
			fired = append(fired, one)
		}
	}
	end := &now.timer
	return fired, t.time == now.time && t.left == end.left && t.weapon == end.weapon
}
