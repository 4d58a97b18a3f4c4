package events

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// A tee is what a snapshot shows of a character apart from its place.
type tee struct {
	tick       int32 // of place and speed: older than the snapshot, if the clients can predict them
	vx, vy     int32 // speed in 1/256 units a tick
	hooked     int32 // number of the hooked player; -1: none
	attackTick int32
	weapon     int32

	extended  bool  // DDNetCharacter was there
	freezeEnd int32 // tick; 0: not frozen; -1: deep freeze, which no time ends

	listed bool // DDNetPlayer was there
	away   bool // watches, as a player whose character waits
}

// deepFreeze is the value of freeze_end for it, CCharacter::SnapDDNetCharacter of DDNet,
// src/game/server/entities/character.cpp.
const deepFreeze = -1

// Bits of DDNetPlayer's flags: EXPLAYERFLAG_*, DDNet's datasrc/network.py.
const exPaused, exSpec = 1 << 1, 1 << 2

// A teeLayout has the places of the ints of a character that are needed; -1: it does not have them.
type teeLayout struct {
	def                                        *tables.Object
	tick, x, y, vx, vy, hooked, attack, weapon int
}

// layoutOf looks the places up, which are the same in all characters of a session.
func (g *gameView) layoutOf(it *sceneItem) *teeLayout {
	if l := &g.layout; l.def != it.def {
		whole := sceneItem{def: it.def, values: make([]int32, it.def.Size)}
		*l = teeLayout{
			it.def, whole.at("tick"), whole.at("x"), whole.at("y"), whole.at("vel_x"), whole.at("vel_y"),
			whole.at("hooked_player"), whole.at("attack_tick"), whole.at("weapon"),
		}
	}
	return &g.layout
}

// seeCharacter copies a character.
func (g *gameView) seeCharacter(it *sceneItem) {
	if it.id >= maxPlayers {
		return
	}
	s, l := &g.now, g.layoutOf(it)
	value := func(at int) int32 {
		if at < 0 || at >= len(it.values) {
			return 0
		}
		return it.values[at]
	}
	s.chars[it.id] = place{value(l.x), value(l.y), true}
	t := &s.tees[it.id]
	if t.tick = value(l.tick); t.tick <= 0 || t.tick > s.game.tick {
		t.tick = s.game.tick
	}
	t.vx, t.vy, t.hooked = value(l.vx), value(l.vy), value(l.hooked)
	t.attackTick, t.weapon = value(l.attack), value(l.weapon)
}

// seeExtended copies DDNet's extensions.
func (s *scene) seeExtended(it *sceneItem) {
	if it.id >= maxPlayers {
		return
	}
	t := &s.tees[it.id]
	switch it.def.Key {
	case "ddnet_character":
		t.extended, t.freezeEnd = true, it.number("freeze_end")
	case "ddnet_player":
		t.listed, t.away = true, it.number("flags")&(exPaused|exSpec) != 0
	}
}

// seeWatching copies whom the client watches. 0.6 has a number, 0.7 also other objects.
func (s *scene) seeWatching(it *sceneItem) {
	s.watching, s.watched = true, it.number("spectator_id")
	if it.has("spec_mode") && it.number("spec_mode") != specPlayer {
		s.watched = -1
	}
}

// specPlayer is SPEC_PLAYER, datasrc/network.py.
const specPlayer = 1

// A touch is the last contact of a player with another one.
type touch struct {
	by   int // number of the other player, plus 1; 0: none
	tick int32
}

// touchTicks is how long after a contact what happens to a player is put down to it, in ticks.
const touchTicks = 3000 / tickMsec

// blame adds who touched a player last, if that was not long ago.
func (g *gameView) blame(w *writer, victim int) {
	if victim < 0 || victim >= maxPlayers {
		return
	}
	if t := g.touches[victim]; t.by > 0 && g.tick-t.tick <= touchTicks {
		w.client(&evBy, &g.players, t.by-1)
		w.Flag(&evInferred, true)
	}
}

// compareTees adds what happened to characters between two snapshots: contacts, freezes, teleports.
func (g *gameView) compareTees(w *writer) {
	g.jumped = [maxPlayers]bool{}
	for _, hit := range g.now.hits {
		g.addHammer(w, hit)
	}
	for i := range g.now.chars {
		if !g.now.chars[i].known {
			g.frozen[i] = 0
			continue
		}
		was, now := &g.before.tees[i], &g.now.tees[i]
		if now.hooked >= 0 && g.now.isTee(int(now.hooked)) && (!g.before.chars[i].known || was.hooked != now.hooked) {
			g.addContact(w, event.ContactHooked, i, int(now.hooked))
		}
		if g.before.chars[i].known {
			g.compareFreeze(w, i, was, now)
			g.compareStep(w, i, was, now)
		}
		if was.listed && now.listed && was.away != now.away {
			g.addAway(w, i, now.away)
		}
	}
	g.compareWatched(w)
}

// isTee reports whether there is a character of that number.
func (s *scene) isTee(client int) bool { return client < maxPlayers && s.chars[client].known }

// addContact adds a contact.
func (g *gameView) addContact(w *writer, action string, by, target int) {
	g.touches[target] = touch{by + 1, g.now.game.tick}
	w.Begin(event.Contact)
	w.Label(&evAction, action)
	w.client(&evClient, &g.players, by)
	w.Flag(&evOwn, by == g.players.own)
	w.client(&evTarget, &g.players, target)
	w.placeOf(g.now.chars[target])
	w.Flag(&evInferred, true)
	w.End()
}

// Where a hammer hits: the effect is at the edge of the target, half of a tee's size of 28 units from its middle; the
// attacker reaches three quarters of the size and the radius of both further.
//
// CCharacter::FireWeapon, src/game/server/entities/character.cpp.
const (
	hammerEdge   = 14
	hammerSlack  = 24 // of the place of the target, which has moved since
	hammerReach  = 28*3/4 + 28 + hammerSlack
	hammerTicks  = 3 // between the blow and the snapshot that shows it
	weaponHammer = 0
	maxHits      = 64 // in one snapshot
)

// addHammer finds whose hammer hit whom, by the places: the effect has no names.
func (g *gameView) addHammer(w *writer, hit place) {
	by, target, best := -1, -1, math.Inf(1)
	for i := range g.now.chars {
		t, from := &g.now.tees[i], g.now.chars[i]
		if !from.known || t.weapon != weaponHammer || g.now.game.tick-t.attackTick > hammerTicks ||
			from.distance(hit) > hammerReach {
			continue
		}
		for j := range g.now.chars {
			if j == i || !g.now.chars[j].known {
				continue
			}
			if off := math.Abs(g.now.chars[j].distance(hit) - hammerEdge); off < best && off <= hammerSlack {
				by, target, best = i, j, off
			}
		}
	}
	if target >= 0 {
		g.addContact(w, event.ContactHammered, by, target)
	}
}

// compareFreeze adds that a character was frozen, or is free again.
func (g *gameView) compareFreeze(w *writer, client int, was, now *tee) {
	if !was.extended || !now.extended || g.diedSince(client, was.tick) {
		g.frozen[client] = 0
		return
	}
	froze, free := was.freezeEnd == 0 && now.freezeEnd != 0, was.freezeEnd != 0 && now.freezeEnd == 0
	if !froze && !free {
		return
	}
	w.Begin(event.Freeze)
	if froze {
		w.Label(&evAction, event.FreezeFrozen)
	} else {
		w.Label(&evAction, event.FreezeUnfrozen)
	}
	w.client(&evClient, &g.players, client)
	w.Flag(&evOwn, client == g.players.own)
	if froze {
		w.Flag(&evDeep, now.freezeEnd == deepFreeze)
		if g.frozen[client] = g.now.game.tick; g.now.untimed {
			g.frozen[client] = 0
		}
	} else if began := g.frozen[client]; began > 0 && !g.now.untimed {
		w.number(&evFrozenTime, int(g.now.game.tick-began)*tickMsec)
		g.frozen[client] = 0
	}
	w.placeOf(g.now.chars[client])
	g.blame(w, client)
	w.End()
}

// Steps longer than speed allows.
const (
	speedUnit    = 256 // of vel_x and vel_y, in units a tick
	teleportStep = 64  // units: two tiles
	ninjaSpeed   = 50  // units a tick, with which a ninja strikes while its speed is 0: CTuningParams, tuning.h
	weaponNinja  = 5
)

// speed returns how far the character may move in a tick, in units.
func (t *tee) speed() float64 {
	v := math.Hypot(float64(t.vx), float64(t.vy)) / speedUnit
	if t.weapon == weaponNinja {
		v = max(v, ninjaSpeed)
	}
	return v
}

// compareStep adds a teleport: the character is further away than its speed before or after allows.
func (g *gameView) compareStep(w *writer, client int, was, now *tee) {
	ticks := now.tick - was.tick
	if ticks <= 0 || g.before.untimed || g.now.untimed {
		return
	}
	from, to := g.before.chars[client], g.now.chars[client]
	speed := max(was.speed(), now.speed())
	if from.distance(to) <= speed*float64(ticks)+teleportStep*max(1, float64(ticks)/2) {
		return
	}
	g.jumped[client] = true
	placed := g.placed[client] > 0 && g.now.game.tick-g.placed[client] <= placedTicks
	if ticks > maxStep || placed || g.diedSince(client, was.tick) {
		return
	}
	w.Begin(event.Teleport)
	w.client(&evClient, &g.players, client)
	w.Flag(&evOwn, client == g.players.own)
	w.Tree.Open(&evFrom, 0)
	w.coordinates(from)
	w.Tree.Close(0)
	w.placeOf(to)
	w.Flag(&evInferred, true)
	w.End()
}

// placedTicks is how long after a swap or the loading of a team its players appear elsewhere, in ticks.
const placedTicks = 10

// addAway adds that a player begins or ends watching with /spec or /pause.
func (g *gameView) addAway(w *writer, client int, away bool) {
	w.Begin(event.Spectate)
	if away {
		w.Label(&evAction, event.SpectateBegan)
	} else {
		w.Label(&evAction, event.SpectateEnded)
	}
	w.client(&evClient, &g.players, client)
	w.Flag(&evOwn, client == g.players.own)
	w.End()
}

// compareWatched adds whom the client watches: others' are not sent.
func (g *gameView) compareWatched(w *writer) {
	if !g.now.watching || g.before.watching && g.before.watched == g.now.watched {
		return
	}
	w.Begin(event.Spectate)
	w.Label(&evAction, event.SpectateWatches)
	if own := g.players.own; own >= 0 {
		w.client(&evClient, &g.players, own)
	}
	w.Flag(&evOwn, true)
	if g.now.watched >= 0 {
		w.client(&evTarget, &g.players, int(g.now.watched))
	}
	w.End()
}

// flagRun is the run of a carrier with a flag.
type flagRun struct {
	client int   // -1: not known
	tick   int32 // when he took it; 0: not known
	stand  int32 // when the flag left its stand; 0: not known
	loose  bool  // it lay where somebody had dropped it
}

// followFlag adds the run that the event of a flag ends, and begins that which it begins. The server counts the time of
// a capture from when the flag left its stand, whoever carried it: src/game/server/gamemodes/ctf.cpp.
func (g *gameView) followFlag(w *writer, n flagNews) {
	if n.flag < 0 || n.flag >= len(g.carried) {
		return
	}
	run := g.carried[n.flag]
	tick := g.now.game.tick
	switch n.action {
	case event.FlagTaken:
		next := flagRun{client: n.client, tick: tick, stand: tick}
		if run.loose || g.before.flagged && g.before.flags[n.flag] == flagLying {
			next.stand, next.loose = run.stand, true
		}
		g.carried[n.flag] = next
		return
	case event.FlagDropped:
		g.carried[n.flag] = flagRun{client: -1, stand: run.stand, loose: true}
	default:
		g.carried[n.flag] = flagRun{client: -1}
	}
	if run.tick <= 0 || tick < run.tick {
		return
	}
	if run.client < 0 {
		run.client = n.client
	}
	since := run.tick
	if n.action == event.FlagCaptured && run.stand > 0 {
		since = run.stand
	}
	w.Begin(event.Run)
	w.Label(&eventtree.Course, event.CourseFlag)
	w.Label(&evAction, n.action)
	if run.client >= 0 {
		w.client(&evClient, &g.players, run.client)
		w.Flag(&evOwn, run.client == g.players.own)
	}
	w.Label(&evFlag, flagName(g.dialect, n.flag))
	w.number(&eventtree.RunTime, int(tick-since)*tickMsec)
	if run.loose {
		w.Flag(&eventtree.FromDrop, true)
	}
	if run.client >= 0 && run.client < maxPlayers {
		w.Pace(g.race.ways[run.client].Since(int64(run.tick) * tickMsec))
	}
	w.End()
}

// forgetTees forgets what is known of characters and races, as on another map.
func (g *gameView) forgetTees() {
	g.carried, g.touches = [2]flagRun{}, [maxPlayers]touch{}
	g.frozen, g.died, g.placed = [maxPlayers]int32{}, [maxPlayers]int32{}, [maxPlayers]int32{}
	g.race = race{teams: g.race.teams, teamed: g.race.teamed}
}
