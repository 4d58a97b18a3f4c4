package playtest

import (
	"fmt"
	"math"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// allied is a game of Allied Assault (8) or its expansions (17) of a gametype, with Anna and Bob of the Allies, Bob the
// own client, and Carl of the Axis.
func allied(t testing.TB, protocol, gametype int) *stage {
	s := newStage(t, protocol)
	family := tables.GenerationOf(protocol).Game
	s.session.Reader.Generation = tables.GenerationOf(protocol)
	all := map[int]string{
		0: fmt.Sprintf(`\g_gametype\%d\mapname\dm/mohdm1\sv_hostname\lab\timelimit\10\fraglimit\3`, gametype) +
			`\version\Medal of Honor Spearhead 2.15 x`,
		1: `\sv_serverid\7`,
	}
	for i, info := range []string{`name\Anna\team\3`, `name\Bob\team\3`, `name\Carl\team\4`} {
		all[tables.PlayersAt[family]+i] = info
	}
	return s.gamestate(all)
}

// Game types, gametype_t in code/fgame/bg_public.h of openmohaa.
const (
	alliedFree   = 1
	alliedTeam   = 2
	alliedRounds = 3
)

// both runs a test for a protocol of each game.
func both(t *testing.T, test func(t *testing.T, protocol int)) {
	t.Helper()
	for _, protocol := range []int{8, 17} {
		t.Run(fmt.Sprint(protocol), func(t *testing.T) { test(t, protocol) })
	}
}

// TestPrintedChat: Player::EventDMMessage, code/fgame/player.cpp of openmohaa; the lines of its captures.
func TestPrintedChat(t *testing.T) {
	both(t, func(t *testing.T, protocol int) {
		for _, tt := range []struct{ line, want string }{
			{"\x02 Anna: hi: all\n", "chat{channel=say client{client_num=0 name=Anna team=3} text=hi: all}"},
			{"\x02Anna: hi\n", "chat{channel=say client{client_num=0 name=Anna team=3} text=hi}"},
			{"\x02(all) Bob: hi\n", "chat{channel=say client{client_num=1 name=Bob team=3} own=true text=hi}"},
			{"\x02(team) Anna: hi\n", "chat{channel=team client{client_num=0 name=Anna team=3} text=hi}"},
			{"\x02(dead) Anna: hi\n", "chat{channel=say client{client_num=0 name=Anna team=3} text=hi}"},
			{"\x02(spectator) Anna: hi\n", "chat{channel=say client{client_num=0 name=Anna team=3} text=hi}"},
			{
				"\x02(private) Anna: psst\n",
				"chat{channel=tell client{client_num=0 name=Anna team=3} target{client_num=1 name=Bob team=3} text=psst}",
			},
			{"\x02console: map changes\n", "chat{channel=console text=map changes}"},
			{"\x02(team) Nobody: hi\n", "chat{channel=team client{name=Nobody} text=hi}"},
			{"\x02Message Error: 9 is a bad client number\n", ""},
			{"\x03Anna: hi\n", ""},
			{"\x02\n", ""},
			{"", ""},
		} {
			s := allied(t, protocol, alliedTeam).say().forget()
			if tt.want == "" {
				s.say(`print "` + tt.line + `"`).wantObjects()
			} else {
				s.say(`print "` + tt.line + `"`).wantObjects(tt.want)
			}
			if t.Failed() {
				t.Fatalf("%q", tt.line)
			}
		}
	})
}

// TestPrivateEcho: a client gets the number of the recipient for its own private line, and in some games the line too.
func TestPrivateEcho(t *testing.T) {
	const (
		silent = "chat{channel=tell client{client_num=1 name=Bob team=3} own=true target{client_num=2 name=Carl team=4}"
		told   = silent + " text=psst}"
	)
	echo, line := `print "`+"\x02"+`Message to player 3:`+"\n"+`"`, `print "`+"\x02"+`(private) Bob: psst`+"\n"+`"`
	both(t, func(t *testing.T, protocol int) {
		s := allied(t, protocol, alliedTeam).say().forget()
		s.asks("dmmessage 3 psst").say(echo).wantObjects(told)
		s.asks("dmmessage 3 psst").say(line).wantObjects(told)
		s.asks("dmmessage 3 psst").say(echo, line).wantObjects(told)
		s.say(echo).wantObjects(silent + "}")
		s.say(`print "` + "\x02" + `Message to player 0:"`).wantObjects()
	})
}

// TestRequestedChat: without the server's messages the client's commands are reported.
func TestRequestedChat(t *testing.T) {
	s := allied(t, 17, alliedTeam).say().forget()
	s.session.HearsServer = false
	s.asks("dmmessage 0 hi all", "dmmessage -1 hi team", "dmmessage 3 psst", "dmmessage", "dmmessage 0").wantObjects(
		"chat{channel=say own=true text=hi all}", "chat{channel=team own=true text=hi team}",
		"chat{channel=tell own=true target{client_num=2 name=Carl team=4} text=psst}")
}

// TestVoices: the voice is in another operation of the message that has the line.
func TestVoices(t *testing.T) {
	both(t, func(t *testing.T, protocol int) {
		s := allied(t, protocol, alliedTeam).say().forget()
		hear := func(client int32, commands ...string) *stage {
			s.time += 50
			s.begin(commands...)
			s.snapshot(testState{})
			s.log.Add(observe.Change{Kind: observe.Voice, Client: client}, []byte("allied_army_11"))
			return s.deliver(false)
		}
		hear(0, "print \"\x02(team) Anna: Taking fire!\n\"").
			wantObjects("chat{channel=team client{client_num=0 name=Anna team=3} voice=allied_army_11 text=Taking fire!}")
		hear(2, "print \"\x02(team) Anna: Taking fire!\n\"").wantObjects(
			"chat{channel=team client{client_num=0 name=Anna team=3} text=Taking fire!}",
			"chat{channel=say client{client_num=2 name=Carl team=4} voice=allied_army_11}")
	})
}

// TestPrintedDeaths: both forms of G_PrintDeathMessage, code/fgame/g_utils.cpp of openmohaa, with the places at which
// the snapshot shows the players.
func TestPrintedDeaths(t *testing.T) {
	at := func(x float32) map[string]uint32 {
		return map[string]uint32{
			"eType": 3, "netorigin[0]": math.Float32bits(x), "netorigin[1]": math.Float32bits(2), "netorigin[2]": 0,
		}
	}
	both(t, func(t *testing.T, protocol int) {
		for _, tt := range []struct{ old, command, want string }{
			{
				"Anna was rifled by in the head Carl", `"was rifled by in the head""x""Carl""Anna" P`,
				"kill{killer{client_num=2 name=Carl team=4 position{x=7 y=2 z=0}} victim{client_num=0 name=Anna team=3 " +
					"position{x=5 y=2 z=0}} means_of_death=18 weapon=rifle body_part=head}",
			},
			{
				"Anna took Carl's rocket in the face", `"took""'s rocket in the face""Carl""Anna" P`,
				"kill{killer{client_num=2 name=Carl team=4 position{x=7 y=2 z=0}} victim{client_num=0 name=Anna team=3 " +
					"position{x=5 y=2 z=0}} means_of_death=16 weapon=rocket}",
			},
			{
				"Anna rocketed himself", `"rocketed himself""x""x""Anna" s`,
				"kill{victim{client_num=0 name=Anna team=3 position{x=5 y=2 z=0}} suicide=true means_of_death=16 weapon=rocket}",
			},
			{
				"Anna caught a rocket", `"caught a rocket""x""x""Anna" w`,
				"kill{victim{client_num=0 name=Anna team=3 position{x=5 y=2 z=0}} world=true means_of_death=16 weapon=rocket}",
			},
			{
				"Anna was killed by Dora", `"was killed by""x""Dora""Anna" P`,
				"kill{killer{name=Dora} victim{client_num=0 name=Anna team=3 position{x=5 y=2 z=0}}}",
			},
		} {
			s := allied(t, protocol, alliedTeam).say().forget()
			s.frame(shown(entities{0: at(5), 2: at(7)}), "print \"\x04"+tt.old+"\n\"").wantObjects(tt.want)
			s.frame(shown(entities{0: at(5), 2: at(7)}), "print \"\x04\x05"+tt.old+"\n\"").wantObjects(tt.want)
			s.frame(shown(entities{0: at(5), 2: at(7)}), "printdeathmsg "+tt.command).wantObjects(tt.want)
			if t.Failed() {
				t.Fatal(tt.old)
			}
		}
		s := allied(t, protocol, alliedTeam).say().forget()
		s.frame(testState{player: map[string]uint32{"clientNum": 1}}, "print \"\x04Anna cratered\n\"").
			wantObjects("kill{victim{client_num=0 name=Anna team=3} means_of_death=7}")
		s.say("print \"\x04something else\n\"").wantObjects()
		s.say("print \"Anna cratered\n\"", "print \"\x03You killed Anna\n\"", "printdeathmsg").wantObjects()
	})
}

// TestPrintedComings: the configstring follows the gamestate, on each map.
func TestPrintedComings(t *testing.T) {
	both(t, func(t *testing.T, protocol int) {
		s := newStage(t, protocol)
		players := tables.PlayersAt[tables.GenerationOf(protocol).Game]
		first := map[int]string{0: `\g_gametype\2\mapname\dm/mohdm1\sv_hostname\lab`, 1: `\sv_serverid\7`}
		s.reader.Restart(true)
		s.gamestate(first).want("map_start: dm/mohdm1 on lab, team, 0 players")
		bob, anna := fmt.Sprintf(`cs %d "name\Bob\team\3"`, players+1), fmt.Sprintf(`cs %d "name\Anna\team\4"`, players)
		s.say(bob, "print \"\x03Bob has entered the battle\n\"").want("match_start: the match starts",
			"connect: Bob connected (this client)", "enter: Bob entered the game")
		s.say("print \"\x03Anna is preparing for deployment\n\"").want()
		s.say(anna, "print \"\x03Anna has entered the battle\n\"").
			want("connect: Anna connected", "enter: Anna entered the game")
		s.say("print \"\x02Anna has joined the Allies\n\"", fmt.Sprintf(`cs %d "name\Anna\team\3"`, players)).
			want("team: Anna joined team allies")
		second := map[int]string{0: `\g_gametype\2\mapname\dm/mohdm2\sv_hostname\lab`, 1: `\sv_serverid\8`}
		s.gamestate(second).forget()
		s.say(bob).want("match_start: the match starts") // he was there before
		s.say(fmt.Sprintf(`cs %d "name\Dora\team\4"`, players)).want("connect: Dora connected")
		s.say("print \"Dora timed out\"", fmt.Sprintf(`cs %d ""`, players), "print \"\x03Dora has left the battle\n\"").
			want("disconnect: Dora left: timed out")
	})
}

// TestPrintedUnknown: in a session that began before the capture the sentences are all that names players.
func TestPrintedUnknown(t *testing.T) {
	both(t, func(t *testing.T, protocol int) {
		s := newStage(t, protocol)
		s.session.Family = tables.GenerationOf(protocol).Game
		s.say().forget()
		s.say("print \"\x03Anna is preparing for deployment\n\"").wantObjects("connect{client{name=Anna name_from=print}}")
		s.say("print \"\x03Anna has entered the battle\n\"").wantObjects("enter{client{name=Anna name_from=print}}")
		s.say("print \"\x03Anna has joined the Axis\n\"").wantObjects("team{client{name=Anna name_from=print} team=4}")
		s.say("print \"\x02(all) Anna: hi\n\"").wantObjects("chat{channel=say client{name=Anna name_from=chat} text=hi}")
		s.say("print \"\x04Anna was sniped by Bob\n\"").wantObjects("match_start{in_progress=true}",
			"kill{killer{name=Bob name_from=print} victim{name=Anna name_from=print} means_of_death=18 weapon=sniper_rifle}")
		s.say("print \"\x04Anna was sniped by Bob was shot by Carl\n\"").wantObjects() // there are two ways to split it
		s.say("print \"\x02Message Error: 9 is a bad client number\n\"").wantObjects()
		s.say("print \"\x03Anna has joined the club\n\"").wantObjects()
	})
}

// TestPrintedVotes: the configstrings, then the outcome as a command.
func TestPrintedVotes(t *testing.T) {
	for protocol, at := range map[int]int{8: 23, 17: 21} {
		call := []string{
			fmt.Sprintf(`cs %d "10800"`, at), fmt.Sprintf(`cs %d "map dm/x"`, at+1), fmt.Sprintf(`cs %d "1"`, at+2),
			fmt.Sprintf(`cs %d "0"`, at+3), "print \"\x03Anna called a vote\n\"",
		}
		gone := fmt.Sprintf(`cs %d ""`, at)
		s := allied(t, protocol, alliedTeam).say().forget().say(call...)
		s.want("vote: Anna: vote called: map dm/x (yes 1, no 0)")
		s.say(fmt.Sprintf(`cs %d "2"`, at+2), gone, "voteresult passed").
			want("vote: vote passed: map dm/x (yes 2, no 0)")
		s.say(call...).forget().say(gone, "voteresult failed").want("vote: vote failed: map dm/x (yes 1, no 0)")
		s.say(call...).forget().say(gone).want("vote: vote ended: map dm/x (yes 1, no 0)")
		s.say("voteresult passed").want()
		allied(t, protocol, alliedTeam).say().forget().say("voteresult passed", "voteresult").want()
		game(t, 68, "baseq3", captureFlags).say().forget().say("voteresult passed", "printdeathmsg a b c d s").want()
	}
}

// TestPrintedRounds: DM_Manager, code/fgame/dm_manager.cpp of openmohaa. The map is restarted after each round, by a
// new server id alone; a match lasts until the map changes or the scores stay.
func TestPrintedRounds(t *testing.T) {
	scores := func(protocol, allies, axis int) string {
		if protocol == 8 {
			return fmt.Sprintf(`scores 2 -1 3 0 %d "" 0 -1 4 0 %d "" 0 `, allies, axis)
		}
		return fmt.Sprintf(`scores 2 -1 3 2 %d 0 "" 0 -1 4 1 %d 0 "" 0 `, allies, axis)
	}
	flags := map[int]uint32{8: 1 << 8, 17: 1 << 6} // PMF_INTERMISSION
	both(t, func(t *testing.T, protocol int) {
		shows := testState{player: map[string]uint32{"net_pm_flags": flags[protocol], "clientNum": 1}}
		s := allied(t, protocol, alliedRounds).say(`cs 5 "-1"`)
		s.want("map_start: dm/mohdm1 on lab, team_rounds, 3 players", "match_start: the match starts",
			"warmup: warm-up, waiting for players")
		s.say(`cs 5 "12"`).want("round_start: a round starts")
		s.say("print \"\x03Allies win!\n\n\"").want("round_end: the round is over: allies won")
		s.pause(2000).frame(shows, scores(protocol, 1, 0)).want("score: axis 0, allies 1")
		s.pause(1000).say(`cs 1 "\sv_serverid\8"`, `cs 5 "0"`, `cs 1 "\sv_serverid\8"`).
			want("map_restart: the map starts again")
		s.say(`cs 5 "17"`).want("round_start: a round starts")
		s.say("print \"\x03It's a draw!\n\n\"").wantObjects("round_end{}")
		s.say("print \"\x03Axis win!\n\n\"").want("round_end: the round is over: axis won")
		s.pause(5000).frame(shows, scores(protocol, 1, 3)).want("score: axis 3, allies 1")
		s.pause(6000).frame(shows).want("intermission: intermission")
		s.pause(600).frame(shows).want("match_end: the match is over: axis won, axis 3, allies 1, fraglimit after 0:14")
		s.say(`cs 1 "\sv_serverid\9"`).want("map_restart: the map starts again", "match_start: the match starts")
		// Two seconds of a round's scores are no intermission, those of a game without rounds are.
		s = allied(t, protocol, alliedTeam).say().forget()
		s.say("print \"\x03Axis win!\n\"").want()
		s.frame(shows).want("intermission: intermission")
		s.say(`cs 1 "\sv_serverid\8"`).want("map_restart: the map starts again",
			"match_end: the match is over: unknown after 0:00", "match_start: the match starts")
	})
}

// TestPrintedScores: the kills of the player state and of announced deaths count where everybody plays for himself.
func TestPrintedScores(t *testing.T) {
	both(t, func(t *testing.T, protocol int) {
		s := allied(t, protocol, alliedFree).say().forget()
		s.say(`scores 3 0 2 1 1:23 48 1 1 0 61:02 50 2 0 3 1:02:03 bot `).wantObjects("scoreboard{scores{" +
			"{client_num=0 name=Anna team=3 score=2 ping=48 minutes=1 kills=2 deaths=1} " +
			"{client_num=1 name=Bob team=3 score=1 ping=50 minutes=61 kills=1 deaths=0} " +
			"{client_num=2 name=Carl team=4 score=0 minutes=62 kills=0 deaths=3}}}")
		s.say("print \"\x04Carl was rifled by Anna\n\"").forget().say("print \"\x04Bob rocketed himself\n\"").forget()
		flags := map[int]uint32{8: 1 << 8, 17: 1 << 6}[protocol]
		shows := testState{player: map[string]uint32{"net_pm_flags": flags, "clientNum": 1}, best: 3}
		s.frame(shows).pause(600).frame(shows).want("intermission: intermission", "score: first 3, second -",
			"match_end: the match is over: Anna won, Anna 3, Bob 0, Carl 0, fraglimit after 0:00")
	})
}

// TestPrintedObjectives: objective_flags_t, code/fgame/bg_public.h of openmohaa.
func TestPrintedObjectives(t *testing.T) {
	s := allied(t, 17, alliedRounds).say().forget()
	s.say(`cs 1056 "\flags\2\text\Blow up the bridge\loc\1 2 3"`).want()
	s.say(`cs 1056 "\flags\4\text\Blow up the bridge\loc\1 2 3"`).want("objective: Blow up the bridge completed")
	s.say(`cs 1056 "\flags\4\text\Blow up the bridge\loc\1 2 3"`, `cs 1056 ""`).want()
	s.say(`cs 1056 "\flags\4\text\Blow up the bridge"`).want("objective: Blow up the bridge completed")
}

// TestWatching: the place in the player state is that of another player while the client watches.
func TestWatching(t *testing.T) {
	const watching = 1<<2 | 1<<7 // PMF_SPECTATING, PMF_SPECTATE_FOLLOW
	for flags, want := range map[uint32]string{
		0: "kill{victim{client_num=1 name=Bob team=3 position{x=5 y=0 z=0}} suicide=true means_of_death=16 " +
			"weapon=rocket}",
		watching: "kill{victim{client_num=1 name=Bob team=3} suicide=true means_of_death=16 weapon=rocket}",
		1 << 2:   "kill{victim{client_num=1 name=Bob team=3} suicide=true means_of_death=16 weapon=rocket}",
	} {
		s := allied(t, 17, alliedTeam).say().forget()
		s.frame(testState{player: map[string]uint32{"net_pm_flags": flags, "clientNum": 1, "origin[0]": math.Float32bits(5)}},
			`printdeathmsg "rocketed himself""x""x""Bob" S`).wantObjects(want)
	}
}
