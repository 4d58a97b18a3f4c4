package playtest

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// TestWays adds up the paths of the players in a match. Nobody runs at 3,000 units per second: such a step is a
// teleporter or a respawn. Snapshots come in 50 ms or less; after a hole of more than 250 ms the path is not
// known.
func TestWays(t *testing.T) {
	at := func(client, x, y, z float32) testState {
		return testState{player: map[string]uint32{
			"clientNum": uint32(client), "origin[0]": math.Float32bits(x), "origin[1]": math.Float32bits(y),
			"origin[2]": math.Float32bits(z),
		}}
	}
	bob := func(x float32) testState { return at(1, x, 0, 0) }
	carl := func(x float32) testState {
		s := bob(0)
		s.entities = entities{2: {"eType": 1, "pos.trBase[0]": math.Float32bits(x)}}
		return s
	}
	nan := float32(math.NaN())
	for _, tt := range []struct {
		name string
		play func(*stage)
		want string
	}{
		{"in space", func(s *stage) { s.frame(bob(0)).frame(at(1, 2, 3, 6)) }, "1: distance=7 seen_time=50"},
		{"backwards", func(s *stage) { s.frame(bob(10)).frame(bob(-10)) }, "1: distance=20 seen_time=50"},
		{"two steps", func(s *stage) { s.frame(bob(0)).frame(bob(10)).frame(bob(30)) }, "1: distance=30 seen_time=100"},
		{"standing", func(s *stage) { s.frame(bob(5)).frame(bob(5)) }, "1: distance=0 seen_time=50"},
		{"as fast as one can", func(s *stage) { s.frame(bob(0)).frame(bob(150)) }, "1: distance=150 seen_time=50"},
		{"faster", func(s *stage) { s.frame(bob(0)).frame(bob(151)) }, ""},
		{"a step of 250 ms", func(s *stage) { s.frame(bob(0)).pause(200).frame(bob(10)) }, "1: distance=10 seen_time=250"},
		{"a longer one", func(s *stage) { s.frame(bob(0)).pause(201).frame(bob(10)) }, ""},
		{"the same time again", func(s *stage) { s.frame(bob(0)).pause(-50).frame(bob(10)) }, ""},
		{"the same time and place again", func(s *stage) { s.frame(bob(0)).pause(-50).frame(bob(0)) }, ""},
		{"a step of 1 ms", func(s *stage) { s.frame(bob(0)).pause(-49).frame(bob(1)) }, "1: distance=1 seen_time=1"},
		{"no number", func(s *stage) { s.frame(bob(0)).frame(bob(nan)) }, ""},
		{"another player", func(s *stage) { s.frame(carl(0)).frame(carl(20)) }, "1: distance=0 seen_time=50, 2: distance=20 seen_time=50"},
		{"out of view in between", func(s *stage) { s.frame(carl(0)).frame(bob(0)).frame(carl(20)) }, "1: distance=0 seen_time=100"},
		{"following another", func(s *stage) { s.frame(bob(0)).frame(at(2, 10, 0, 0)).frame(bob(20)) }, ""},
		{"a player of no game", func(s *stage) { s.frame(at(128, 0, 0, 0)).frame(at(128, 9, 0, 0)) }, ""},
		{"a part of the place", func(s *stage) {
			s.lost = true
			part := bob(0)
			delete(part.player, "origin[1]")
			for _, f := range []string{
				"eventSequence", "events[0]", "events[1]", "eventParms[0]", "eventParms[1]",
				"externalEvent", "externalEventParm",
			} {
				part.player[f] = 0
			}
			s.frame(part).frame(part)
		}, ""},
		{"a part of another's place", func(s *stage) {
			s.lost = true
			s.frame(shown(entities{2: {"eType": 1, "pos.trBase[0]": 0, "pos.trBase[1]": 0}})).
				frame(shown(entities{2: {"eType": 1, "pos.trBase[0]": 0, "pos.trBase[1]": 0}}))
		}, ""},
		{"a corpse at a player's number", func(s *stage) {
			s.frame(shown(entities{2: {"eType": 10}})).frame(shown(entities{2: {"eType": 10}}))
		}, "0: distance=0 seen_time=100"},
		{"after the match", func(s *stage) { s.frame(bob(0)).frame(bob(10)).say("cs 22 1").frame(bob(20)).frame(bob(30)) }, "1: distance=10 seen_time=50"},
	} {
		s := game(t, 68, "baseq3", 0).say()
		tt.play(s)
		s.end()
		var got string
		for _, o := range s.objects {
			if i := strings.Index(o, " players{{"); i >= 0 && strings.HasPrefix(o, "match_end") {
				got, _, _ = strings.Cut(o[i+len(" players{{"):], "}}")
			}
			if strings.HasPrefix(o, "match_end") && strings.Contains(o, "players{}") {
				t.Errorf("%s: an empty list of players", tt.name)
			}
		}
		got = regexp.MustCompile(`client_num=(\d+)( name=\S+ team=\d)?`).ReplaceAllString(got, "$1:")
		if got = strings.ReplaceAll(got, "} {", ", "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	// Jedi Academy has 32 players; what moves above them is not one of them.
	s := casts[11].on(t).frame(shown(entities{32: {"eType": 1}})).
		frame(shown(entities{32: {"eType": 1}, 80: {"eType": 18 + 93, "otherEntityNum": 32}}))
	s.wantObjects("kill{killer{client_num=0 name=Anna team=1 position{x=0 y=0 z=0}} victim{client_num=32} " +
		"means_of_death=0}")
}

// TestWhoIsIt: in the middle of a session the player state names its client, unless it follows another:
// PMF_FOLLOW, code/game/bg_public.h.
func TestWhoIsIt(t *testing.T) {
	const follow = 1 << 12
	for _, tt := range []struct {
		name  string
		lost  bool
		flags []uint32
		own   bool
	}{
		{"plays", false, []uint32{0}, true},
		{"follows", false, []uint32{follow}, false},
		{"ducks", false, []uint32{1}, true},
		{"nobody knows", true, nil, false},
	} {
		s := newStage(t, 68)
		s.session.Family = tables.GameOf(tables.GenerationOf(68), 68, []byte("baseq3"), nil, nil)
		s.lost = tt.lost
		state := testState{player: map[string]uint32{"clientNum": 1}}
		for _, f := range []string{
			"eventSequence", "events[0]", "events[1]", "eventParms[0]", "eventParms[1]",
			"externalEvent", "externalEventParm",
		} {
			state.player[f] = 0
		}
		for _, f := range tt.flags {
			state.player["pm_flags"] = f
		}
		s.frame(state).say(`cs 545 "n\Bob\t\0"`).forget().say(`cs 545 "n\Rob\t\0"`)
		if own := strings.Contains(s.objects[0], "own=true"); own != tt.own {
			t.Errorf("%s: own is %v: %s", tt.name, own, s.objects[0])
		}
	}
}

// TestNotActive: snapshots before the client is in the game show kills, which are sent to everybody, and nothing else:
// SNAPFLAG_NOT_ACTIVE in code/qcommon/q_shared.h.
func TestNotActive(t *testing.T) {
	for flags, want := range map[uint32]int{0: 2, 1: 2, 2: 1, 3: 1, 4: 2} {
		s := casts[1].on(t)
		s.flags = flags
		announced := map[string]uint32{"eType": 13 + 20, "eventParm": 28} // a pick-up
		if s.frame(shown(entities{80: obituary(1, 0, 10), 81: announced})); len(s.lines) != want {
			t.Errorf("flags %d: %q", flags, s.lines)
		}
	}
}

// TestKillWhileLoading: an obituary that a client sees while it loads and after it, or in a gamestate that is sent
// again, is one kill. The time that a client gets while it loads another map is that of both maps added up.
func TestKillWhileLoading(t *testing.T) {
	const loading = 2
	kill := shown(entities{80: obituary(1, 0, 10)})
	one := []string{"kill: Bob killed Anna (railgun)"}
	for _, tt := range []struct {
		name string
		time int32 // of the snapshots in the game
		want []string
	}{
		{"goes on", 0, nil},
		{"the time of the map alone", -9000, nil},
		{"later", 1000, one},
	} {
		s := game(t, 68, "baseq3", captureFlags)
		s.flags = loading
		s.say().forget().frame(kill).want(one...)
		s.frame(kill).want()
		s.flags = 0
		s.forget().pause(tt.time).frame(kill)
		var got []string
		for _, l := range s.lines {
			if strings.HasPrefix(l, "kill: ") {
				got = append(got, l)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
	s := game(t, 68, "baseq3", captureFlags)
	s.flags = loading
	s.say().forget().frame(kill).want(one...)
	s.gamestate(s.configstrings(`\gamename\baseq3\mapname\arena\g_gametype\4\sv_hostname\lab`)).frame(kill).want()
}
