package timeline_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/view/replay"
	"github.com/q3dissect/q3dissect/dissect/view/timeline"
)

// unpacker reads the numbers of a packed list: the page's replaydata.js does the same.
type unpacker string

func (u *unpacker) next() (n int64) {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%()*+,-./:;=?@[]^_`{|}~ '"
	const goOn = 16
	ends := len(digits) - goOn
	unit := int64(1)
	for {
		digit := strings.IndexByte(digits, (*u)[0])
		*u = (*u)[1:]
		if digit < ends {
			n += int64(digit) * unit
			break
		}
		n += int64(digit) * unit
		unit *= goOn
	}
	return n>>1 ^ -(n & 1)
}

// A spot is where somebody was, in a state.
type spot struct {
	state int
	at    [3]int32
	goes  bool // on from the place before: a run
}

// spots are the places of a track.
func spots(t *replay.Track) (list []spot) {
	runs, steps := unpacker(t.Runs), unpacker(t.Steps)
	axes := []unpacker{unpacker(t.X), unpacker(t.Y), unpacker(t.Z)}
	if t.Z == "" {
		axes = axes[:2]
	}
	state := 0
	var at, speed [3]int32
	for len(list) < t.Count {
		state += int(runs.next())
		for i := range runs.next() {
			if i > 0 {
				state++
				if t.Steps != "" {
					state += int(steps.next())
				}
			}
			for a := range axes {
				moved := int32(axes[a].next())
				if i > 0 {
					moved += speed[a]
				}
				at[a] += moved
				if speed[a] = moved; i == 0 {
					speed[a] = 0
				}
			}
			list = append(list, spot{state, at, i > 0})
		}
		state++
	}
	return list
}

// A seen is a player at a time of the game.
type seen struct{ time, client int64 }

// states gathers where --state says that players are.
type states struct {
	want  map[seen][][3]float64
	times map[uint64]int64 // of the game, by record
	// bodies are those whose body is in the game, with the longest time without a place: who watches has a place, but no
	// body.
	bodies map[seen]int64
}

func vectorOf(v dissect.Value) (at [3]float64, ok bool) {
	for i, key := range [...]string{"x", "y", "z"} {
		c := v.Get(key)
		if !c.Exists() {
			return at, false
		}
		at[i] = c.Float()
	}
	return at, true
}

func (s *states) note(time, client int64, at [3]float64) {
	s.want[seen{time, client}] = append(s.want[seen{time, client}], at)
}

// evaluated is where a trajectory is at a time, by the rules of the games: BG_EvaluateTrajectory, code/game/bg_misc.c.
func evaluated(pos dissect.Value, at [3]float64, time int64) [3]float64 {
	delta, ok := vectorOf(pos.Get("tr_delta"))
	if !ok || !pos.Get("tr_time").Exists() || !pos.Get("tr_duration").Exists() {
		return at
	}
	passed := float64(time-pos.Get("tr_time").Int()) / 1000
	switch pos.Get("tr_type").Name() {
	case "linear_stop":
		passed = max(0, min(passed, float64(pos.Get("tr_duration").Int())/1000))
	case "linear", "gravity":
	default:
		return at
	}
	for i := range at {
		if at[i] += delta[i] * passed; i == 2 && pos.Get("tr_type").Name() == "gravity" {
			at[i] -= 400 * passed * passed
		}
	}
	return at
}

// add takes the snapshots of a record.
func (s *states) add(rec *dissect.Record) {
	if rec.Refused {
		return
	}
	whole := !slices.ContainsFunc(rec.Experts, func(e dissect.Expert) bool { return e.Code == "base_missing" })
	for snap := range rec.Root().Get("server_message").Get("ops").Children() {
		for p := range snap.Get("players").Children() { // of a TV server, after the snapshot
			if at, ok := vectorOf(p.Get("player_state").Get("state").Get("origin")); ok {
				s.note(s.times[rec.Number()], p.Get("client").Int(), at)
			}
		}
		if snap.Key() != "snapshot" {
			continue
		}
		time := snap.Get("server_time").Int()
		s.times[rec.Number()] = time
		active := whole && !strings.Contains(snap.Get("snap_flags_names").String(), "not_active")
		own := snap.Get("player_state").Get("state")
		if at, ok := vectorOf(own.Get("origin")); ok && own.Get("client_num").Exists() {
			s.note(time, own.Get("client_num").Int(), at)
			if active && !watching[own.Get("pm_type").Name()] {
				s.bodies[seen{time, own.Get("client_num").Int()}] = mostGap
			}
		}
		for e := range snap.Get("entities").Children() {
			state := e.Get("state")
			at, ok := vectorOf(state.Get("pos").Get("tr_base"))
			if !ok {
				at, ok = vectorOf(state.Get("netorigin"))
			}
			if ok && state.Get("e_type").Name() == "player" {
				s.note(time, e.Get("number").Int(), evaluated(state.Get("pos"), at, time))
				if n := e.Get("number").Int(); active && n < maxClients {
					s.bodies[seen{time, n}] = mostGap
				}
			}
		}
	}
	for chunk := range rec.Root().Get("chunks").Children() {
		snap := chunk.Get("snapshot")
		if !snap.Exists() {
			continue
		}
		tick := snap.Get("tick").Int() * 20
		s.times[rec.Number()] = tick
		for item := range snap.Get("items").Children() {
			if c := item.Get("character"); c.Exists() {
				if whole {
					s.bodies[seen{tick, item.Get("id").Int()}] = mostTicks
				}
				s.note(tick, item.Get("id").Int(), [3]float64{float64(c.Get("x").Int()), float64(c.Get("y").Int())})
			}
		}
	}
}

// compareReplay reads a file and compares its replay with what --state shows: every place of the replay is one of the
// state's. It returns how many there are, in how many states somebody has a body, and in how many of them the replay has
// no place for him.
func compareReplay(t *testing.T, name string) (compared, of, missed int) {
	t.Helper()
	c := timeline.New(timeline.Options{Replay: true})
	s := states{want: map[seen][][3]float64{}, times: map[uint64]int64{}, bodies: map[seen]int64{}}
	o := dissect.Options{Events: true, Inputs: true, Scenes: true, Secrets: true, State: true}
	for rec, err := range open.Records(name, all.Protocols(), o) {
		if err != nil {
			break // what comes before the fault counts
		}
		s.add(rec)
		c.Add(rec)
	}
	there := map[int64][]span{} // when the replay has a place, by client
	for _, g := range c.Data().Games {
		for _, r := range g.Replays {
			records := unpacker(r.Records)
			var numbers []uint64
			now := int64(0)
			for range r.Count {
				now += records.next()
				numbers = append(numbers, uint64(now))
			}
			for i := range r.Tracks {
				track := &r.Tracks[i]
				client := g.Players[track.Player].Client
				last := int64(0)
				for _, p := range spots(track) {
					time, ok := s.times[numbers[p.state]]
					if !ok {
						t.Errorf("%s: state %d is record %d, which has none", name, p.state, numbers[p.state])
						return compared, of, missed
					}
					if !p.goes {
						last = time
					}
					there[client] = append(there[client], span{last, time})
					last = time
					compared++
					right := false // within what rounding a float of 32 bits may do
					for _, at := range s.want[seen{time, client}] {
						right = right || near(p.at[0], at[0]) && near(p.at[1], at[1]) && near(p.at[2], at[2])
					}
					if !right {
						t.Errorf("%s: client %d is at %v at %d, the state has %v", name, client, p.at, time, s.want[seen{time, client}])
						return compared, of, missed
					}
				}
			}
		}
	}
	for w, rule := range s.bodies {
		if !slices.ContainsFunc(there[w.client], func(in span) bool {
			return in.from-placeEvery < w.time && w.time < in.to+placeEvery && in.to-in.from <= rule
		}) {
			if missed++; missed <= 3 {
				t.Logf("%s: client %d is not in the replay at %d, the state has %v", name, w.client, w.time, s.want[w])
			}
		}
	}
	return compared, len(s.bodies), missed
}

// A span is a time between two places of a run.
type span struct{ from, to int64 }

// watching are the kinds of movement of those who have no body.
var watching = map[string]bool{"spectator": true, "intermission": true, "spintermission": true}

const (
	placeEvery = 100  // milliseconds for which a place counts: there are up to 20 a second
	mostGap    = 500  // between two places of a run
	mostTicks  = 3000 // the same of Teeworlds, whose servers send a place where the even motion ends
	maxClients = 64   // entities with higher numbers are bodies of the dead, and actors
)

// near reports whether a whole number is a place's, rounded.
func near(got int32, want float64) bool { return math.Abs(float64(got)-want) < 0.51 }

// The places of a replay are those of --state, in every game.
func TestReplayIsTheState(t *testing.T) {
	t.Parallel()
	for _, name := range [...]string{
		"quake3/43-play.pcap", "quake3/68-kicked.dm_68", "quake3/71-ipv6-chat.pcap", "quake3/71-duel.dm_71",
		"quake3/et-84-play.pcap", "quake3/rtcw-60-61-play.pcap", "quake3/jka-26-vehicle.pcap", "quake3/mohaa-15.pcap",
		"quake3/mohaa-6.dm_6", "quake3/ef-24-play.pcap", "teeworlds/07-ctf.demo", "teeworlds/ddnet-race.pcap",
	} {
		compared, of, missed := compareReplay(t, filepath.Join(samples, name))
		t.Logf("%s: %d places, for %d of %d that the states show", name, compared, of-missed, of)
		if compared == 0 || missed > 0 {
			t.Errorf("%s: %d of %d are missing", name, missed, of)
		}
	}
}

// The same for every demo and capture of the reference, in make long.
func TestReplayIsTheStateEverywhere(t *testing.T) {
	t.Parallel()
	if os.Getenv("Q3DISSECT_LONG") == "" {
		t.Skip("Q3DISSECT_LONG is not set")
	}
	places, shown, missing := 0, 0, 0
	for _, pattern := range [...]string{"demos/*/*.dm*", "demos/*/*.tv*", "captures/*/*.pcap*", "captures/*/*.demo"} {
		names, _ := filepath.Glob(filepath.Join(reference.Folder(t), pattern))
		for _, name := range names {
			if strings.Contains(name, ".jsonl") || strings.Contains(name, ".json.gz") {
				continue
			}
			compared, of, missed := compareReplay(t, name)
			t.Logf("%s: %d places, for %d of %d that the states show", name, compared, of-missed, of)
			places, shown, missing = places+compared, shown+of, missing+missed
		}
	}
	// A capture that begins late, or without what a session was told, has states before its clock and players are known.
	t.Logf("%d places; for %d of %d that states show there is none", places, missing, shown)
	if places == 0 || missing > shown/100 {
		t.Errorf("%d of %d are missing", missing, shown)
	}
}
