package teeworlds

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// A teeAt is a character of a DDNet server as the tests need it.
type teeAt struct {
	x, y, vx, vy int // speed in units a tick
	hooked       int // number of the hooked player, plus 1
	attack       int // tick of the last blow with the hammer
	weapon       int
	freezeEnd    int
}

// tee returns the objects of a character. Its place is that of the snapshot's tick.
func (c teeAt) items(id int) []eventItem {
	return []eventItem{
		{"character", id, []int{
			0, c.x, c.y, c.vx * 256, c.vy * 256, 0, 0, 0, c.hooked - 1, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0, c.weapon, 0, c.attack,
		}},
		{"ddnet_character", id, []int{0, c.freezeEnd, 2, 0, 0, 0, 0, 0, 0, 0, 0}},
	}
}

// raceTime returns the objects of a game of DDNet, in which the client's race began at a tick; 0: there is no race.
func raceTime(start int) []eventItem {
	flags := 0
	if start > 0 {
		flags = 8
	}
	return []eventItem{
		{"gameinfo", 0, []int{0, flags, 0, -start, 0, 0, 0, 0}}, {"game_info_ex", 0, []int{2 | 1<<5, 9, 0, 0, 0}},
	}
}

// sessionDDNet is a session of DDNet in which Anna, the own client, and Bob play.
func sessionDDNet(t *testing.T) (g *eventGame, both []eventItem) {
	g = newEventGame(t, tables.DDNet)
	both = append(player06(0, 1, 0, "Anna"), player06(1, 0, 0, "Bob")...)
	g.send(true, g.message("info", "0.6 626fce9a778df4d4", ""))
	g.send(false, g.message("map_change", "dm1", 1, 2))
	g.send(false, g.snapshot(100, both...))
	g.expect("connect_request own", "map_start map=dm1",
		"connect server_time=2000 client: client_num=0 name=Anna team=0 own",
		"enter server_time=2000 client: client_num=1 name=Bob team=0 in_progress")
	return g, both
}

const ddAnna, ddBob = "client: client_num=0 name=Anna team=0 own", "client: client_num=1 name=Bob team=0"

// TestRaces has races: the start moves while the player waits at it, checkpoints, finishes alone and in a team, and
// length and speed of the path.
func TestRaces(t *testing.T) {
	g, both := sessionDDNet(t)
	look := func(tick, start, x int) []byte {
		return g.snapshot(tick, slices.Concat(both, raceTime(start), teeAt{x: x, vx: 20}.items(0))...)
	}
	teams := func(anna, bob int) []byte { return g.message("sv_teams_state", anna, bob) }
	g.send(false, look(110, 0, 1000), teams(0, 0))
	g.send(false, look(112, 111, 1040), teams(5, 5))
	g.send(false, look(114, 113, 1080))
	g.send(false, look(116, 113, 1120))
	g.send(false, look(118, 113, 1160), g.message("sv_ddrace_time", 10, -8, 0))
	g.send(false, look(120, 113, 1200), g.message("sv_broadcast", "^090Checkpoint | Diff : +0.25"))
	g.send(false, look(122, 113, 1240), g.message("sv_ddrace_time", 18, 0, 1), g.message("sv_race_finish", 1, 180,
		-20, 1, 1),
		g.message("sv_race_finish", 0, 180, 0, 1, 0), teams(0, 5), teams(0, 0))
	g.expect(
		"race_team server_time=2240 "+ddAnna+" race_team=5", "race_team server_time=2240 "+ddBob+" race_team=5",
		"race_start server_time=2320 "+ddAnna+" race_team=5 start_time=2260 position: x=1120 y=0",
		"checkpoint server_time=2360 "+ddAnna+" checkpoint=1 position: x=1160 y=0 race_time=100 race_diff=-80",
		"checkpoint server_time=2400 "+ddAnna+" checkpoint=2 position: x=1200 y=0 race_time=140 race_diff=250",
		"race_team server_time=2440 "+ddAnna+" race_team=0", "race_team server_time=2440 "+ddBob+" race_team=0",
		"race_finish server_time=2440 "+ddAnna+" finish_time=180 finish_diff=0 record_personal",
		"race_finish server_time=2440 "+ddBob+" finish_time=180 finish_diff=-20 record_personal record_server",
		"run server_time=2440 course=race action=finished "+ddAnna+
			" race_team=5 run_time=180 checkpoints=2 distance=180 seen_time=180 speed=1000 top_speed=1000",
		"team_finish server_time=2440 race_team=5 finish_time=180 players=0 : client_num=0 name=Anna team=0 "+
			": client_num=1 name=Bob team=0",
	)
}

// TestTees has what snapshots show of characters: hooks, hammers, freezes, teleports.
func TestTees(t *testing.T) {
	for _, test := range []struct {
		name      string
		anna, bob [2]teeAt // in two snapshots
		also      eventItem
		says      []string // by the server, between them
		want      []string
	}{
		{name: "nothing", anna: [2]teeAt{{x: 100}, {x: 100}}, bob: [2]teeAt{{x: 200}, {x: 200}}},
		{
			name: "hook", anna: [2]teeAt{{x: 100}, {x: 100, hooked: 2}}, bob: [2]teeAt{{x: 200}, {x: 200}},
			want: []string{"contact server_time=2240 action=hooked " + ddAnna + " target" + ddBob[6:] +
				" position: x=200 y=0 inferred"},
		},
		{
			name: "hammer and freeze", anna: [2]teeAt{{x: 100}, {x: 100, attack: 111}},
			bob: [2]teeAt{{x: 140}, {x: 140, freezeEnd: 260}}, also: eventItem{"hammerhit", 0, []int{126, 0}},
			want: []string{
				"contact server_time=2240 action=hammered " + ddAnna + " target" + ddBob[6:] + " position: x=140 y=0 inferred",
				"freeze server_time=2240 action=frozen " + ddBob +
					" position: x=140 y=0 by: client_num=0 name=Anna team=0 inferred",
			},
		},
		{
			name: "an old blow", anna: [2]teeAt{{x: 100}, {x: 100, attack: 90}}, bob: [2]teeAt{{x: 140}, {
				x:      140,
				attack: 90,
			}},
			also: eventItem{"hammerhit", 0, []int{126, 0}},
		},
		{
			name: "a gun", anna: [2]teeAt{{x: 100, weapon: 1}, {x: 100, attack: 111, weapon: 1}}, bob: [2]teeAt{
				{x: 140},
				{x: 140},
			},
			also: eventItem{"hammerhit", 0, []int{126, 0}},
		},
		{
			name: "deep freeze", bob: [2]teeAt{{x: 140}, {x: 140, freezeEnd: -1}},
			want: []string{"freeze server_time=2240 action=frozen " + ddBob + " deep position: x=140 y=0"},
		},
		{
			name: "free", bob: [2]teeAt{{x: 140, freezeEnd: 260}, {x: 140}},
			want: []string{"freeze server_time=2240 action=unfrozen " + ddBob + " position: x=140 y=0"},
		},
		{name: "fast", bob: [2]teeAt{{x: 140, vx: 100}, {x: 340, vx: 100}}},
		{name: "ninja", bob: [2]teeAt{{x: 140, weapon: 5}, {x: 240, weapon: 5}}},
		{
			name: "teleport", bob: [2]teeAt{{x: 140, vx: 10}, {x: 300, y: -40, vx: 10}},
			want: []string{"teleport server_time=2240 " + ddBob + " from: x=140 y=0 position: x=300 y=-40 inferred"},
		},
		{
			name: "swap", anna: [2]teeAt{{x: 1000}, {x: 140}}, bob: [2]teeAt{{x: 140}, {x: 1000}},
			says: []string{"Anna has swapped with Bob."},
			want: []string{"swap server_time=2220 action=swapped " + ddAnna + " target" + ddBob[6:]},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, both := sessionDDNet(t)
			look := func(tick, i int, also ...eventItem) []byte {
				return g.snapshot(tick, slices.Concat(both, raceTime(0), test.anna[i].items(0), test.bob[i].items(1), also)...)
			}
			g.send(false, look(110, 0))
			g.expect()
			for _, line := range test.says {
				g.send(false, g.message("sv_chat", 0, -1, line))
			}
			if test.also.key == "" {
				g.send(false, look(112, 1))
			} else {
				g.send(false, look(112, 1, test.also))
			}
			var got []string
			for _, e := range g.events {
				if !strings.HasPrefix(e, "chat ") {
					got = append(got, strings.Replace(e, "server_time=2200", "server_time=2220", 1))
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestTeamLines has the lines of DDNet 16.4 and 20.1, as captures have them.
func TestTeamLines(t *testing.T) {
	bob := "target" + ddBob[6:]
	for _, row := range [...][2]string{
		{"'Anna' locked your team. After the race starts, killing will kill everyone in your team.", "team_lock action=locked " + ddAnna},
		{"'Bob' unlocked your team.", "team_lock action=unlocked " + ddBob},
		{"'Bob' invited you to team 3. Use /team 3 to join", "team_invite " + ddBob + " target: client_num=0 name=Anna team=0"},
		{"'Anna' invited 'Bob' to your team.", "team_invite " + ddAnna + " " + bob},
		{"'Eve' locked your team.", ""}, // nobody of that name
		{"Practice mode enabled for your team, happy practicing!", "practice action=enabled"},
		{"'Bob' voted to enable /practice mode for your team, which", "practice action=voted " + ddBob},
		{"Team successfully saved by Bob. Use '/load a b' to continue", "save action=saved " + ddBob},
		{"Loading successfully done", "save action=loaded"},
		{"No such savegame for this map", "save action=not_loaded"},
		{"Team can't be loaded while racing", "save action=not_loaded"},
		{"Bob has requested to swap with you. To complete the swap process please wait 0 seconds and then type /swap Bob.", "swap action=requested " + ddBob + " target: client_num=0 name=Anna team=0"},
		{"You have requested to swap with Bob. Use /cancelswap to cancel the request.", "swap action=requested " + ddAnna + " " + bob},
		{"You have requested to swap with Bob.", "swap action=requested " + ddAnna + " " + bob},
		{"Anna has swapped with Bob.", "swap action=swapped " + ddAnna + " " + bob},
		{"'Bob' would have timed out, but can use timeout protection now", "timeout action=protected " + ddBob},
		{"'Bob' would have timed out, but can use timeout protection", ""},
		{"Your team has fewer than 2 players, so your team rank won't count", ""},
	} {
		line, want := row[0], row[1]
		g, _ := sessionDDNet(t)
		g.send(false, g.message("sv_chat", 0, -1, line))
		var got string
		for _, e := range g.events {
			if !strings.HasPrefix(e, "chat ") {
				got += strings.Replace(e, " server_time=2000", "", 1)
			}
		}
		if got != want {
			t.Errorf("%s:\n%s, not\n%s", line, got, want)
		}
	}
}

// TestTimeoutCodes checks that the codes of /timeout are masked, however they are typed, unless they are asked for.
func TestTimeoutCodes(t *testing.T) {
	for _, secrets := range []bool{false, true} {
		g, _ := sessionDDNet(t)
		g.c = newConversation(dissect.Options{Events: true, Secrets: secrets})
		g.sequence = [2]int{}
		g.send(true, g.message("cl_say", 0, "/timeout sesame"), g.message("cl_say", 0, "/TIMEOUT  sesame "),
			g.message("cl_say", 0, "/timeout"), g.message("cl_say", 0, "/team 5"), g.message("cl_say", 0, "/"))
		code := "********"
		if secrets {
			code = "sesame"
		}
		g.expect("chat_command own command=/timeout "+code, "chat_command own command=/TIMEOUT "+code,
			"chat_command own command=/timeout", "chat_command own command=/team 5", "chat channel=say own text=/")
	}
}

// TestSpectators has a client that watches, and another that pauses.
func TestSpectators(t *testing.T) {
	g, both := sessionDDNet(t)
	look := func(tick int, also ...eventItem) []byte {
		return g.snapshot(tick, slices.Concat(both, raceTime(0), teeAt{x: 100}.items(0), teeAt{x: 200}.items(1), also)...)
	}
	away := func(flags int) eventItem { return eventItem{"ddnet_player", 1, []int{flags, 0, -1, 0}} }
	g.send(false, look(110, away(0)))
	g.send(false, look(112, away(4), eventItem{"spectatorinfo", 0, []int{1, 0, 0}}))
	g.send(false, look(114, away(0), eventItem{"spectatorinfo", 0, []int{-1, 0, 0}}))
	g.send(false, look(116, away(1)))
	g.expect("spectate server_time=2240 action=began "+ddBob,
		"spectate server_time=2240 action=watches "+ddAnna+" target"+ddBob[6:],
		"spectate server_time=2280 action=ended "+ddBob, "spectate server_time=2280 action=watches "+ddAnna)
}

// TestReclaimedPlace has a player who returns after a timeout: the second connection goes.
func TestReclaimedPlace(t *testing.T) {
	g, both := sessionDDNet(t)
	g.send(false, g.message("sv_chat", 0, -1, "'Bob' has left the game (Timeout Protection used)"),
		g.snapshot(104, both[:2]...))
	g.expect("chat server_time=2080 channel=console text='Bob' has left the game (Timeout Protection used)",
		"disconnect server_time=2080 "+ddBob+" reason=Timeout Protection used",
		"timeout server_time=2080 action=reclaimed "+ddBob)
}
