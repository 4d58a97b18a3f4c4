package playtest

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events"
)

// watched is a game of Quake III whose moments are found, with Anna, Bob, who is the own client, and Carl.
func watched(t testing.TB, gametype int) *stage {
	rules := extract.UsualHighlights()
	s := newStage(t, 68)
	s.reader = events.New(dissect.Options{Highlights: &rules})
	serverinfo := fmt.Sprintf(`\gamename\baseq3\mapname\arena\g_gametype\%d`, gametype)
	return s.gamestate(s.configstrings(serverinfo)).say().forget()
}

// Numbers of Quake III, code/game/bg_public.h and q_shared.h.
const (
	inTheAir, onTheFloor = 1023, 1022
	missileType          = 3
	missileHit           = 50
	missileMiss          = 51
	rocketLauncher       = 5
	byRocket, byRail     = 6, 10
	linearMove           = 2
)

func died(killer, victim, means uint32) map[string]uint32 {
	return map[string]uint32{
		"eType": 13 + 60, "otherEntityNum": victim, "otherEntityNum2": killer, "eventParm": means,
		"pos.trBase[0]": math.Float32bits(1000),
	}
}

// TestMultikill shows kills of Anna: three within five seconds each, a death between, and a team mate.
func TestMultikill(t *testing.T) {
	const anna, bob, carl = 0, 1, 2
	kill := func(s *stage, number, killer, victim uint32) {
		s.frame(shown(entities{number: died(killer, victim, byRail)})).pause(4000)
	}
	s := watched(t, freeForAll)
	kill(s, 80, anna, bob)
	kill(s, 81, anna, carl)
	kill(s, 82, anna, bob)
	s.forget().pause(2000).say().wantObjects(
		"multikill{client{client_num=0 name=Anna team=1} viewed=true kills=3 window=8100 start_time=10100 end_time=18200}")

	s = watched(t, freeForAll)
	kill(s, 80, anna, bob)
	kill(s, 81, anna, carl)
	kill(s, 82, bob, anna)
	kill(s, 83, anna, bob)
	s.forget().pause(2000).say().want()

	s = watched(t, teamGame)
	kill(s, 80, anna, bob)
	kill(s, 81, anna, carl) // a team mate
	kill(s, 82, anna, bob)
	kill(s, 83, anna, bob)
	s.forget().pause(2000).say().want()
	if s.end(); len(s.lines) != 1 { // the match alone
		t.Error(s.lines)
	}

	s = watched(t, freeForAll)
	s.frame(shown(entities{80: died(anna, bob, byRail), 81: died(anna, carl, byRail)})).forget().pause(5000).say().
		wantObjects("multikill{client{client_num=0 name=Anna team=1} viewed=true kills=2 window=0 one_shot=2 " +
			"start_time=10100 end_time=10100}")
}

// TestMidair has a rocket hit Carl: in the air or not, far or near, and torn to pieces.
func TestMidair(t *testing.T) {
	const anna, carl = 0, 2
	place := func(x float32) map[string]uint32 { return map[string]uint32{"pos.trBase[0]": math.Float32bits(x)} }
	with := func(of map[string]uint32, more map[string]uint32) map[string]uint32 {
		of = maps.Clone(of)
		maps.Copy(of, more)
		return of
	}
	body := func(ground, flags uint32) map[string]uint32 {
		return with(place(1000), map[string]uint32{"eType": 1, "clientNum": carl, "groundEntityNum": ground, "eFlags": flags})
	}
	torn := with(body(onTheFloor, 1), map[string]uint32{"eType": 10})
	rocket := func(from float32) map[string]uint32 {
		return with(place(from), map[string]uint32{
			"eType": missileType, "weapon": rocketLauncher, "pos.trTime": 10000, "pos.trType": linearMove,
		})
	}
	burst := func(event, whom uint32, at float32) map[string]uint32 {
		return with(place(at), map[string]uint32{"event": event | 0x100, "otherEntityNum": whom, "weapon": rocketLauncher})
	}
	endless := float32(math.Inf(1))
	for _, tt := range []struct {
		name           string
		before, after  map[string]uint32
		rocket, result map[string]uint32
		means          uint32
		distance       string // "": no midair
	}{
		{"in the air", body(inTheAir, 0), body(inTheAir, 1), rocket(500), burst(missileHit, carl, 990), byRocket, "490"},
		{"just jumped", body(onTheFloor, 0), body(inTheAir, 1), rocket(500), burst(missileHit, carl, 990), byRocket, "490"},
		{"torn to pieces", body(inTheAir, 0), torn, rocket(500), burst(missileMiss, 0, 990), byRocket, "490"},
		{"on the ground", body(onTheFloor, 0), body(onTheFloor, 1), rocket(500), burst(missileHit, carl, 990), byRocket, ""},
		{"torn on the ground", body(onTheFloor, 0), torn, rocket(500), burst(missileMiss, 0, 990), byRocket, ""},
		{"too near", body(inTheAir, 0), body(inTheAir, 1), rocket(700), burst(missileHit, carl, 990), byRocket, ""},
		{"another was hit", body(inTheAir, 0), body(inTheAir, 1), rocket(500), burst(missileHit, anna, 990), byRocket, ""},
		{"it burst elsewhere", body(inTheAir, 0), torn, rocket(500), burst(missileMiss, 0, 890), byRocket, ""},
		{"by another weapon", body(inTheAir, 0), body(inTheAir, 1), rocket(500), burst(missileHit, carl, 990), byRail, ""},
		{"no number", body(inTheAir, 0), body(inTheAir, 1), rocket(endless), burst(missileHit, carl, 990), byRocket, ""},
		{"beyond any map", body(inTheAir, 0), body(inTheAir, 1), rocket(3e38), burst(missileHit, carl, 990), byRocket, ""},
		{"by the splash", body(inTheAir, 0), torn, rocket(500), burst(missileMiss, 0, 990), byRocket + 1, ""},
	} {
		s := watched(t, freeForAll)
		for range 4 {
			s.frame(shown(entities{carl: tt.before, 90: tt.rocket}))
		}
		s.forget().frame(shown(entities{carl: tt.after, 90: tt.result, 91: died(anna, carl, tt.means)}))
		got := ""
		for _, o := range s.objects {
			if len(o) > 6 && o[:6] == "midair" {
				got = o
			}
		}
		want := ""
		if tt.distance != "" {
			air := map[bool]string{true: "200", false: "0"}[tt.before["groundEntityNum"] == inTheAir]
			want = "midair{client{client_num=0 name=Anna team=1} viewed=true victim{client_num=2 name=Carl team=1} " +
				"means_of_death=6 start_time=10000 end_time=10300 distance=" + tt.distance + " air_time=" + air + "}"
		}
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, want)
		}
	}
	// Two that burst alike: it is the one with the lower number, each time, and not a later one that hit somebody else.
	later := with(rocket(300), map[string]uint32{"pos.trTime": 10100})
	for range 16 {
		s := watched(t, freeForAll)
		for range 4 {
			s.frame(shown(entities{carl: body(inTheAir, 0), 90: rocket(500), 92: rocket(400), 93: later}))
		}
		miss := burst(missileMiss, 0, 990)
		s.forget().frame(shown(entities{
			carl: torn, 90: miss, 91: died(anna, carl, byRocket), 92: miss, 93: burst(missileHit, anna, 990),
		}))
		if !slices.ContainsFunc(s.objects, func(o string) bool { return strings.Contains(o, " distance=490 ") }) {
			t.Fatal(s.objects)
		}
	}
}

// TestFlick has Anna turn before a kill.
func TestFlick(t *testing.T) {
	const anna, carl = 0, 2
	for _, tt := range []struct {
		name  string
		yaws  []float32 // in snapshots 50 ms apart; the last one shows the kill
		flags uint32    // of the last one
		means uint32
		want  string
	}{
		{"a quarter at once", []float32{10, 10, 100}, 0, byRail, "start_time=10150 end_time=10200 angle=90 turn_speed=1800"},
		{"in two", []float32{0, 50, 90}, 0, byRail, "start_time=10100 end_time=10200 angle=90 turn_speed=900"},
		{"across north", []float32{340, 340, 30}, 0, byRail, "start_time=10150 end_time=10200 angle=50 turn_speed=1000"},
		{"less than 40 degrees", []float32{0, 0, 39}, 0, byRail, ""},
		{"slower than 800 degrees a second", []float32{0, 35, 70}, 0, byRail, ""},
		{"too early", []float32{0, 90, 90, 90}, 0, byRail, ""},
		{"a teleporter", []float32{10, 10, 100}, 4, byRail, ""},
		{"another weapon", []float32{10, 10, 100}, 0, byRocket, ""},
	} {
		s := watched(t, freeForAll)
		s.pause(int32(50 * (3 - len(tt.yaws))))
		for i, yaw := range tt.yaws {
			player := map[string]uint32{
				"eType": 1, "clientNum": anna, "groundEntityNum": onTheFloor, "apos.trBase[1]": math.Float32bits(yaw),
			}
			state := entities{anna: player}
			if i == len(tt.yaws)-1 {
				player["eFlags"] = tt.flags
				state[80] = died(anna, carl, tt.means)
			}
			s.forget().frame(shown(state))
		}
		got := ""
		for _, o := range s.objects {
			if len(o) > 5 && o[:5] == "flick" {
				got = o
			}
		}
		want := ""
		if tt.want != "" {
			want = "flick{client{client_num=0 name=Anna team=1} viewed=true victim{client_num=2 name=Carl team=1} " +
				"means_of_death=10 " + tt.want + "}"
		}
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, want)
		}
	}
}
