package events

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/scene"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/speech"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

// DeFRaG's sentences about a finish, on servers and in a player's own game:
//
//	Rom^7 reached the finish line in ^23:38:208^7
//	Time performed by ^2Enter^7 : ^331:432^7 (v1.91.23 beta)
//	Time performed by Chell ^s: 00:54:184
//
// Source: lines of recordings in the comments of DemoCleaner3, ConsoleStringUtils.cs; no reference recording has one.
const (
	finishVerb   = " reached the finish line in "
	finishOpener = "Time performed by "
)

// readFinish parses a line about a finished race and reports the finish. It reports whether the line was one.
func (g *gameView) readFinish(w *eventWriter, line []byte) bool {
	var name, after []byte
	if at := bytes.Index(line, []byte(finishVerb)); at > 0 {
		name, after = bytes.TrimSuffix(line[:at], []byte(speech.White)), line[at+len(finishVerb):]
	} else if rest, ok := bytes.CutPrefix(line, []byte(finishOpener)); ok {
		if at := bytes.LastIndex(rest, []byte(": ")); at > 0 {
			name, after = bytes.TrimRight(rest[:at], " "), rest[at+2:]
			name = bytes.TrimSuffix(bytes.TrimSuffix(name, []byte("^s")), []byte(speech.White))
		}
	}
	time, ok := finishTime(speech.AppendClean(nil, after, g.family))
	if !ok {
		return false
	}
	name = bytes.TrimRight(name, " ")
	client := g.roster.cleanNamed(speech.AppendClean(nil, name, g.family), g.family)
	w.Begin(event.RaceFinish)
	w.client(&evClient, &g.roster, client, name)
	w.Flag(&eventtree.Own, client >= 0 && client == g.own)
	w.Number(&evFinishTime, time)
	w.End()
	g.addRun(w, client, time)
	return true
}

// finishTime reads the time that a text begins with: hours, minutes, seconds and milliseconds, as far as they are
// needed.
func finishTime(text []byte) (ms int64, ok bool) {
	word, _, _ := bytes.Cut(text, []byte(" "))
	parts := bytes.Split(word, []byte(":"))
	if len(parts) < 2 || len(parts) > 4 || len(parts[len(parts)-1]) != 3 {
		return 0, false
	}
	for i, p := range parts {
		v, err := strconv.ParseUint(string(p), 10, 31)
		if err != nil {
			return 0, false
		}
		unit := int64(60)
		if i == len(parts)-1 {
			unit = 1000
		}
		ms = ms*unit + int64(v)
	}
	return ms, true
}

// cleanNamed finds the player with a name without colours; -1: there is none, or more than one.
func (r *roster) cleanNamed(name []byte, family uint8) int {
	found := -1
	var clean []byte
	for i := range r.players {
		p := &r.players[i]
		if !p.present {
			continue
		}
		if clean = speech.AppendClean(clean[:0], p.name, family); bytes.Equal(clean, name) {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

// playsRace reports whether the scores are times: Quake Live's, in milliseconds.
func (m *match) playsRace() bool {
	return m.gametypeName() == "race"
}

// raceResult finds how a race ended: the shortest time is the best. Who has not finished has no time.
//
// Source: CG_GetTimeString, code/cgame/cg_drawtools.c of wolfcamql: no time is negative, or the largest number.
func (g *gameView) raceResult() (r result) {
	r.winner = -1
	b := &g.match.contest.board
	for i := range tables.MaxPlayers {
		if g.roster.plays(i) && b[i].known && b[i].score > 0 && b[i].score < math.MaxInt32 {
			r.scores = append(r.scores, place{i, b[i].score, true})
		}
	}
	slices.SortStableFunc(r.scores, func(a, b place) int { return cmp.Compare(a.score, b.score) })
	if n := len(r.scores); n == 1 || n > 1 && r.scores[0].score < r.scores[1].score {
		r.winner = r.scores[0].who
	}
	return r
}

// A raceTimer is the state of DeFRaG's timer of the player whose view the snapshots are.
type raceTimer struct {
	gen            *tables.Generation
	number, pmType tables.Slot
	x, y, z        tables.Slot
	known          bool
	client         int
	bits           int32
	running        bool
	since          int64 // when the run began, by the game's clock
	passed         int64 // checkpoints
	at             [3]float32
	time           int64 // of at
}

// Elements of the array stats of the player state: the time of the run in two halves, in milliseconds, and bits. Three
// of them change with every start, finish and checkpoint.
//
// Source: ClientEvent.cs, and getTime and updateClientEvents in Q3DemoConfigParser.cs of DemoCleaner3; no reference
// recording has them.
const (
	timerHigh, timerLow, timerBits = 7, 8, 12

	timerStarted = 4
	timerStopped = 8
	timerPassed  = 16
)

// timerSlack is how far the clock of the timer may be from the snapshots', in milliseconds. A player's own game hides
// its clock; a hidden one is hardly ever so near.
const timerSlack = 250

// seeTimer reports that a player starts a run or passes a checkpoint, by the player state of a snapshot of DeFRaG. The
// finish is in the server's sentence.
func (g *gameView) seeTimer(w *eventWriter, gen *tables.Generation, p *world.Player) {
	t := &g.timer
	if t.gen != gen {
		*t = raceTimer{
			gen: gen, number: gen.Player.Slot("clientNum"), pmType: gen.Player.Slot("pm_type"), x: gen.Player.Slot("origin[0]"),
			y: gen.Player.Slot("origin[1]"), z: gen.Player.Slot("origin[2]"),
		}
	}
	bits, knowsBits := p.Stat(timerBits)
	high, knowsHigh := p.Stat(timerHigh)
	low, knowsLow := p.Stat(timerLow)
	client := int(t.number.Value(&p.Values))
	if !knowsBits || !knowsHigh || !knowsLow || !w.Timed || p.Known&t.number.Mask == 0 || client >= tables.MaxPlayers {
		t.known = false
		return
	}
	before := *t
	t.known, t.client, t.bits = true, client, bits
	t.move(&g.flags.ways, w.Time, p, before.known && before.client == client)
	if !before.known || before.client != client {
		t.running, t.passed = false, 0
		return
	}
	const normal = 0 // PM_NORMAL, code/game/bg_public.h
	if t.pmType.Value(&p.Values) != normal {
		return
	}
	switch changed, clock := before.bits^bits, int64(high<<16|low&0xffff); {
	case changed&timerStarted != 0:
		t.running, t.passed, t.since = true, 0, w.Time
		if clock > 0 && clock <= timerSlack {
			t.since -= clock
		}
		g.beginTimed(w, event.RaceStart)
		w.Number(&evStartTime, t.since)
		w.End()
	case changed&timerStopped != 0:
		t.running = false
	case changed&timerPassed != 0:
		t.passed++
		g.beginTimed(w, event.Checkpoint)
		if t.running {
			w.Number(&eventtree.RaceCheckpoint, t.passed)
			ms := w.Time - t.since
			if clock > 0 && clock >= ms-timerSlack && clock <= ms+timerSlack {
				ms = clock
			}
			w.Number(&eventtree.RaceTime, ms)
		}
		w.End()
	}
}

// move adds the step of the player since the snapshot before to the player's path.
func (t *raceTimer) move(ws *ways, now int64, p *world.Player, same bool) {
	if place := t.x.Mask | t.y.Mask | t.z.Mask; p.Known&place != place {
		t.time = 0
		return
	}
	at := [3]float32{
		math.Float32frombits(t.x.Value(&p.Values)), math.Float32frombits(t.y.Value(&p.Values)),
		math.Float32frombits(t.z.Value(&p.Values)),
	}
	if step := now - t.time; same && t.time != 0 {
		if m, ok := scene.Step(t.at, at, int32(step)); ok {
			m.Client = t.client
			ws.add([]scene.Move{m}, int32(now))
		}
	}
	t.at, t.time = at, now
}

// beginTimed begins an event of the player whose timer it is, with the place.
func (g *gameView) beginTimed(w *eventWriter, kind string) {
	t := &g.timer
	w.Begin(kind)
	w.client(&evClient, &g.roster, t.client, nil)
	w.Flag(&eventtree.Own, t.client == g.own)
	if t.time != 0 {
		w.position(math.Float32bits(t.at[0]), math.Float32bits(t.at[1]), math.Float32bits(t.at[2]))
	}
}
