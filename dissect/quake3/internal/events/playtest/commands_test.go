package playtest

import (
	"fmt"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// TestPlayersInformation reads the configstrings of players, ClientUserinfoChanged in code/game/g_client.c.
func TestPlayersInformation(t *testing.T) {
	const players, et = 544, 689
	for _, tt := range []struct {
		name     string
		protocol int
		index    int
		info     []string
		want     []string
	}{
		{"a player", 68, players + 3, []string{`n\Dora\t\1`}, []string{"connect{client{client_num=3 name=Dora team=1}}"}},
		{"a bot", 68, players + 3, []string{`n\Dora\t\1\skill\3`}, []string{"connect{client{client_num=3 name=Dora team=1} bot=true}"}},
		{"almost nothing", 68, players + 3, []string{"x"}, []string{"connect{client{client_num=3}}"}},
		{"no team", 68, players + 3, []string{`n\Dora`}, []string{"connect{client{client_num=3 name=Dora}}"}},
		{"the last one", 68, players + 63, []string{`n\Dora\t\1`}, []string{"connect{client{client_num=63 name=Dora team=1}}"}},
		{"of protocol 43", 43, players + 127, []string{`n\Dora\t\1`}, []string{"connect{client{client_num=127 name=Dora team=1}}"}},
		{"no player any more", 68, players + 64, []string{`n\Dora\t\1`}, nil},
		{"another name", 68, players, []string{`n\Dora\t\1`}, []string{"rename{client{client_num=0 name=Dora team=1} old_name=Anna}"}},
		{"the own name", 68, players + 1, []string{`n\Rob\t\2`}, []string{"rename{client{client_num=1 name=Rob team=2} own=true old_name=^1Bo^7b}"}},
		{"another team", 68, players, []string{`n\Anna\t\2`}, []string{"team{client{client_num=0 name=Anna team=2} team=2 old_team=1}"}},
		{"the own team", 68, players + 1, []string{`n\^1Bo^7b\t\3`}, []string{"team{client{client_num=1 name=^1Bo^7b team=3} own=true team=3 old_team=2}"}},
		{"free", 68, players, []string{`n\Anna\t\0`, `n\Anna\t\1`}, []string{"team{client{client_num=0 name=Anna team=0} team=0 old_team=1}", "team{client{client_num=0 name=Anna team=1} team=1 old_team=0}"}},
		{"a team that is not sent", 68, players, []string{`n\Anna`, `n\Anna\t\2`}, nil},
		{"name and team", 68, players, []string{`n\Dora\t\2`}, []string{"rename{client{client_num=0 name=Dora team=2} old_name=Anna}", "team{client{client_num=0 name=Dora team=2} team=2 old_team=1}"}},
		{"nothing else", 68, players, []string{`n\Anna\t\1\c\3`}, nil},
		{"gone", 68, players, []string{"", ""}, []string{"disconnect{client{client_num=0 name=Anna}}"}},
		{"a class", 84, et, []string{`n\Anna\t\1\c\0`, `n\Anna\t\1\c\3`, `n\Anna\t\1\c\0`}, []string{
			"class{client{client_num=0 name=Anna team=1} class=3 old_class=0}",
			"class{client{client_num=0 name=Anna team=1} class=0 old_class=3}",
		}},
		{"the own class", 84, et + 1, []string{`n\^1Bo^7b\t\2\c\0`, `n\^1Bo^7b\t\2\c\1`}, []string{"class{client{client_num=1 name=^1Bo^7b team=2} own=true class=1 old_class=0}"}},
		{"a class that is not sent", 84, et, []string{`n\Anna\t\1\c\0`, `n\Anna\t\1`, `n\Anna\t\1\c\1`}, nil},
		{"no class in RTCW", 60, 576, []string{`n\Anna\t\1\c\0`, `n\Anna\t\1\c\1`}, nil},
	} {
		s := game(t, tt.protocol, "baseq3", captureFlags).say().forget()
		for _, info := range tt.info {
			s.say(fmt.Sprintf(`cs %d "%s"`, tt.index, info))
		}
		if s.wantObjects(tt.want...); t.Failed() {
			t.Fatal(tt.name)
		}
	}
}

// TestLeaving: who leaves is named for a second, in which the game kills him; the server's sentence about him in the
// same message is the reason.
func TestLeaving(t *testing.T) {
	s := game(t, 68, "baseq3", captureFlags).say().forget()
	killed := shown(entities{80: obituary(2, 2, 20)})
	s.say(`print "Carl^7 was kicked"`, `cs 546 ""`).wantObjects("disconnect{client{client_num=2 name=Carl} reason=was kicked kicked=true}")
	s.pause(950).frame(killed).want("kill: Carl died (suicide)")
	game(t, 68, "baseq3", captureFlags).say().say(`cs 546 ""`).forget().pause(951).frame(killed).want("kill: client 2 died (suicide)")

	s = game(t, 68, "baseq3", captureFlags).say().forget()
	s.say(`print "Carl timed out"`, `cs 544 ""`).wantObjects("disconnect{client{client_num=0 name=Anna}}") // of another
	// of another message
	s.say(`cs 546 ""`).wantObjects("disconnect{client{client_num=2 name=Carl}}")
	// of a clock that began anew
	s.pause(-100).frame(killed).want("kill: client 2 died (suicide)")

	// The own client leaves once, whoever reports it first.
	s = game(t, 68, "baseq3", captureFlags).say().forget()
	s.say(`print "^1Bo^7b^7 was kicked"`, `cs 545 ""`, "disconnect \"was kicked\"").asks("disconnect").oob(dissect.ServerToClient, "disconnect")
	s.wantObjects("match_end{map=arena gametype=4 mod=baseq3 start_time=10050 end_time=10100 duration=50 "+
		"reason=client_left overtimes=0 complete=false}",
		"disconnect{client{client_num=1 name=^1Bo^7b} own=true reason=was kicked kicked=true}")
	game(t, 68, "baseq3", captureFlags).forget().oob(dissect.ServerToClient, "disconnect").
		oob(dissect.ServerToClient, "disconnect").
		wantObjects("disconnect{client{client_num=1 name=^1Bo^7b} own=true}")
	game(t, 68, "baseq3", captureFlags).forget().oob(dissect.ClientToServer, "disconnect").wantObjects()
	newStage(t, 68).oob(dissect.ServerToClient, "disconnect").wantObjects()

	s = newStage(t, 68)
	s.client = 0
	s.gamestate(s.configstrings(`\gamename\baseq3\mapname\arena\g_gametype\4`)).forget()
	s.say().forget().say(`cs 544 ""`, "disconnect x").say("disconnect x").want("match_end: the match is over: client_left after 0:00 (not all of it is there)", "disconnect: Anna left")
	game(t, 68, "baseq3", captureFlags).say().forget().say(`print "Anna got the RED flag!"`, `cs 544 ""`).
		wantObjects("flag{action=taken client{client_num=0 name=Anna team=1} flag=red}",
			"disconnect{client{client_num=0 name=Anna}}")
	game(t, 68, "baseq3", captureFlags).forget().mutter("disconnect x").
		wantObjects("disconnect{client{client_num=1 name=^1Bo^7b} own=true reason=x}")
	early := game(t, 68, "baseq3", captureFlags)
	early.time = 0 // nobody has left yet
	early.say().forget().frame(shown(entities{80: obituary(5, 5, 20)})).
		wantObjects(
			"kill{killer{client_num=5} victim{client_num=5} suicide=true means_of_death=20 position{x=100 y=-20.5 z=8}}")

	// Its number is not known in the middle of a session.
	s = newStage(t, 68)
	s.say().say("disconnect \"was kicked\"", "disconnect").
		wantObjects("disconnect{own=true reason=was kicked kicked=true}")
	s = newStage(t, 68)
	s.say().say("disconnect x").wantObjects("disconnect{own=true reason=x}")
	s = newStage(t, 68)
	s.say().say("disconnect \"Server quit\"").wantObjects("disconnect{own=true reason=Server quit}")
	s = newStage(t, 68)
	s.say().asks("disconnect").wantObjects("disconnect{own=true}")
	s = newStage(t, 26)
	s.session.Family = game(t, 26, "", 0).session.Family
	s.mutter("disconnect \"@@@WAS_KICKED\"").wantObjects("disconnect{own=true reason=was kicked kicked=true}")
}

// TestSentences reads what servers print about players: ClientBegin in code/game/g_client.c, ClientUserinfoChanged,
// SV_Kick_f.
func TestSentences(t *testing.T) {
	for _, tt := range []struct {
		name    string
		players []string // more than the three
		line    string
		want    []string
	}{
		{"enters", nil, "Anna^7 entered the game", []string{"enter{client{client_num=0 name=Anna team=1}}"}},
		{"without colour", nil, "Anna entered the game", []string{"enter{client{client_num=0 name=Anna team=1}}"}},
		{"with the colour twice", nil, "Anna^7^7 entered the game", []string{"enter{client{client_num=0 name=Anna team=1}}"}},
		{"with the colour three times", nil, "Anna^7^7^7 entered the game", nil},
		{"the own client", nil, "^1Bo^7b^7 entered the game", []string{"enter{client{client_num=1 name=^1Bo^7b team=2} own=true}"}},
		{"a longer name", []string{`n\Anna X\t\2`}, "Anna X entered the game", []string{"enter{client{client_num=3 name=Anna X team=2}}"}},
		{"a longer name before", []string{`n\Anna X\t\2`, `n\Anna X Y\t\2`, `n\Ann\t\2`}, "Anna X Y entered the game", []string{"enter{client{client_num=4 name=Anna X Y team=2}}"}},
		{"a name of one character", []string{`n\X\t\2`}, "X entered the game", []string{"enter{client{client_num=3 name=X team=2}}"}},
		{"two of the name", []string{`n\Anna\t\2`}, "Anna^7 entered the game", []string{"enter{client{name=Anna}}"}},
		{"a player without name", []string{`n\\t\2`}, " entered the game", nil},
		{"nobody", nil, "Dora entered the game", nil},
		{"a part of the name", nil, "Annabel entered the game", nil},
		{"the name alone", nil, "Anna", nil},
		{"something else", nil, "Anna entered the room", nil},
		{"a flag", nil, "Anna got the RED flag!", []string{"flag{action=taken client{client_num=0 name=Anna team=1} flag=red}"}},
		{"the blue flag", nil, "Anna captured the BLUE flag!", []string{"flag{action=captured client{client_num=0 name=Anna team=1} flag=blue}"}},
		{"the only flag", nil, "Anna returned the flag!", []string{"flag{action=returned client{client_num=0 name=Anna team=1} flag=neutral}"}},
		{"a green flag", nil, "Anna returned the GREEN flag!", nil},
		{"one of two of the name", []string{`n\Anna\t\2`}, "Anna got the RED flag!", []string{"flag{action=taken client{name=Anna} flag=red}"}},
		{"a flag goes back", nil, "The BLUE flag has returned!", []string{"flag{action=returned flag=blue}"}},
		{"the red one", nil, "The RED flag has returned!", []string{"flag{action=returned flag=red}"}},
		{"the only one", nil, "The flag has returned!", []string{"flag{action=returned flag=neutral}"}},
	} {
		s := newStage(t, 68)
		s.gamestate(s.configstrings(`\gamename\baseq3\mapname\arena\g_gametype\4`, tt.players...)).say().forget()
		if s.say("print \"" + tt.line + "\n\"").wantObjects(tt.want...); t.Failed() {
			t.Fatal(tt.name)
		}
	}
}

// TestVotes: configstrings have the votes of everybody and of each team, CheckVote and CheckTeamVote in
// code/game/g_main.c.
func TestVotes(t *testing.T) {
	call := func(first int, text string) []string { // of everybody: 8; of red: 12, of blue: 13
		step := 1
		if first > 8 {
			step = 2
		}
		return []string{
			fmt.Sprintf("cs %d 5000", first), fmt.Sprintf("cs %d \"%s\"", first+step, text),
			fmt.Sprintf("cs %d 1", first+2*step), fmt.Sprintf("cs %d 0", first+3*step),
		}
	}
	for _, tt := range []struct {
		name string
		then [][]string
		want []string
	}{
		{"called", [][]string{call(8, "k")}, []string{"vote{action=called text=k yes=1 no=0}"}},
		{"by Carl", [][]string{append([]string{`print "Carl^7 called a vote."`}, call(8, "kick")...)}, []string{"vote{action=called client{client_num=2 name=Carl team=1} text=kick yes=1 no=0}"}},
		{"Carl called another one", [][]string{{`print "Carl^7 called a vote."`}, call(8, "kick")}, []string{"vote{action=called text=kick yes=1 no=0}"}},
		{"of red", [][]string{append([]string{`print "Carl^7 called a team vote."`}, call(12, "leader")...)}, []string{"vote{action=called client{client_num=2 name=Carl team=1} team=1 text=leader yes=1 no=0}"}},
		{"of blue", [][]string{append([]string{`print "Carl^7 called a team vote."`}, call(13, "leader")...)}, []string{"vote{action=called client{client_num=2 name=Carl team=1} team=2 text=leader yes=1 no=0}"}},
		{"passed", [][]string{call(8, "kick"), {`print "Vote passed."`, "cs 8 0"}}, []string{"vote{action=called text=kick yes=1 no=0}", "vote{action=passed text=kick yes=1 no=0}"}},
		{"failed", [][]string{call(8, "kick"), {`print "Vote failed."`, `cs 8 ""`}}, []string{"vote{action=called text=kick yes=1 no=0}", "vote{action=failed text=kick yes=1 no=0}"}},
		{"ended", [][]string{call(8, "k"), {"cs 8 0"}}, []string{"vote{action=called text=k yes=1 no=0}", "vote{action=ended text=k yes=1 no=0}"}},
		{"red's passed", [][]string{call(12, "leader"), {`print "Team vote passed."`, "cs 12 0"}}, []string{"vote{action=called team=1 text=leader yes=1 no=0}", "vote{action=passed team=1 text=leader yes=1 no=0}"}},
		{"blue's failed", [][]string{call(13, "leader"), {`print "Team vote failed."`, "cs 13 0"}}, []string{"vote{action=called team=2 text=leader yes=1 no=0}", "vote{action=failed team=2 text=leader yes=1 no=0}"}},
		{"yes and no", [][]string{call(8, "kick"), {"cs 10 2"}, {"cs 11 3", "cs 10 4"}, {"cs 10 4"}}, []string{
			"vote{action=called text=kick yes=1 no=0}", "vote{action=cast text=kick yes=2 no=0}",
			"vote{action=cast text=kick yes=4 no=3}",
		}},
		{"counts of no vote", [][]string{{"cs 10 2"}, {"cs 11 2"}}, nil},
		{"without a text", [][]string{{"cs 8 5000", "cs 10 1"}, {"cs 8 0"}}, nil},
		{"two votes", [][]string{call(8, "kick"), {"cs 8 0"}, {"cs 8 9000", "cs 9 map", "cs 10 1"}}, []string{
			"vote{action=called text=kick yes=1 no=0}", "vote{action=ended text=kick yes=1 no=0}",
			"vote{action=called text=map yes=1 no=0}",
		}},
		{"the outcome of the first is not that of the second", [][]string{
			call(8, "kick"), {`print "Vote passed."`, "cs 8 0"}, {"cs 8 9000"}, {"cs 8 0"},
		}, []string{
			"vote{action=called text=kick yes=1 no=0}", "vote{action=passed text=kick yes=1 no=0}",
			"vote{action=called text=kick yes=1 no=0}", "vote{action=ended text=kick yes=1 no=0}",
		}},
	} {
		s := game(t, 68, "baseq3", captureFlags).say().forget()
		for _, commands := range tt.then {
			s.say(commands...)
		}
		if s.wantObjects(tt.want...); t.Failed() {
			t.Fatal(tt.name)
		}
	}
	// In a session whose gamestate was not seen the counts are not known until they come.
	s := newStage(t, 68)
	s.session.Family = game(t, 68, "baseq3", captureFlags).session.Family
	passed := `print "Vote passed."`
	s.say(passed).want("vote: vote passed").say("cs 10 3", passed).want("vote: vote passed (yes 3)")
	s.say("cs 11 2", passed).want("vote: vote passed (yes 3, no 2)")
	// A vote that is on when the recording begins was called before.
	on := map[int]string{8: "5000", 9: "kick", 10: "2", 11: "1"}
	withInfo(t, 68, `\gamename\baseq3\mapname\arena\g_gametype\4`, on).say().forget().say().say("cs 11 2").want("vote: vote cast: kick (yes 2, no 2)")
}

// somebodyHad is the run with a flag from one message to the next.
func somebodyHad(flag, action string) string {
	return "run: somebody had the " + flag + " flag for 0:00.050, " + action
}

// TestFlags: CS_FLAGSTATUS has where the flags are, Team_SetFlagStatus in code/game/g_team.c. In Jedi Academy an event
// names who did it: PrintCTFMessage, codemp/game/g_team.c of OpenJK.
func TestFlags(t *testing.T) {
	for _, tt := range []struct {
		name string
		then [][]string
		want []string
	}{
		{"red taken", [][]string{{"cs 23 00"}, {"cs 23 10"}}, []string{"flag: red flag taken"}},
		{"blue taken, dropped, returned", [][]string{{"cs 23 00"}, {"cs 23 01"}, {"cs 23 02"}, {"cs 23 00"}}, []string{
			"flag: blue flag taken", "flag: blue flag dropped", somebodyHad("blue", "dropped"), "flag: blue flag returned",
		}},
		{"both", [][]string{{"cs 23 00"}, {"cs 23 12"}}, []string{"flag: red flag taken", "flag: blue flag dropped"}},
		{"the first status", [][]string{{"cs 23 12"}}, nil},
		{"the only flag", [][]string{{"cs 23 0"}, {"cs 23 2"}, {"cs 23 3"}, {"cs 23 4"}, {"cs 23 1"}, {"cs 23 0"}}, []string{
			"flag: neutral flag taken", "flag: neutral flag dropped", "run: somebody had the neutral flag for 0:00.100, dropped",
			"flag: neutral flag taken",
			"flag: neutral flag returned", somebodyHad("neutral", "returned"),
		}},
		{"no status", [][]string{{"cs 23 00"}, {"cs 23 xx"}, {`cs 23 ""`}}, nil},
		{"more characters", [][]string{{"cs 23 000"}, {"cs 23 001"}}, nil},
		{"taken in words, and then in the configstring", [][]string{{"cs 23 00"}, {`print "Anna got the RED flag!"`}, {"cs 23 10"}}, []string{"flag: red flag taken by Anna"}},
		{"returned in words, where it was", [][]string{{"cs 23 00"}, {"cs 23 10"}, {"cs 23 00"}, {`print "The RED flag has returned!"`}}, []string{"flag: red flag taken", "flag: red flag returned", somebodyHad("red", "returned")}},
		{"a restart", [][]string{{"cs 23 12"}, {"cs 23 00", "map_restart"}, {"cs 23 10"}}, []string{
			"map_restart: the map starts again", "match_end: the match is over: restart after 0:00",
			"match_start: the match starts", "flag: red flag taken",
		}},
	} {
		s := game(t, 68, "baseq3", captureFlags).say().forget()
		for _, commands := range tt.then {
			s.say(commands...)
		}
		if s.want(tt.want...); t.Failed() {
			t.Fatal(tt.name)
		}
	}

	// A capture in words comes with a sound, once.
	sound := func(number uint32) testState { return shown(entities{80: {"eType": 13 + 47, "eventParm": number}}) }
	s := game(t, 68, "baseq3", captureFlags).say("cs 23 01").forget()
	s.frame(sound(0), `print "Anna captured the BLUE flag!"`).want("flag: blue flag captured by Anna")
	s.pause(1000).frame(sound(0)).want("flag: blue flag captured")
	s.pause(1000).frame(sound(1)).want("flag: red flag captured")
	s.pause(1000).frame(shown(entities{80: sound(1).entities[80], 81: sound(1).entities[80]})).
		want("flag: red flag captured")
	// In CPMA the sound is that of the team whose flag it is: the status shows which flag it was.
	s.say("cs 23 00").say("cs 23 01").forget()
	s.pause(1000).frame(sound(1), "cs 23 00").
		want("flag: blue flag captured", "run: somebody had the blue flag for 0:01.050, captured")
	s.pause(1000).frame(sound(2)).frame(sound(9)).want() // GTS_RED_RETURN, GTS_BLUETEAM_SCORED

	academy := func(messages ...[3]uint32) testState {
		e := entities{}
		for i, m := range messages {
			e[uint32(80+i)] = map[string]uint32{
				"eType": 18 + 99, "eventParm": m[0], "trickedentindex": m[1],
				"trickedentindex2": m[2],
			}
		}
		return shown(e)
	}
	const carrierFragged, returned, returnedBy, captured, got = 0, 1, 2, 3, 4
	for _, tt := range []struct {
		name     string
		messages [][3]uint32
		want     []string
	}{
		{"taken", [][3]uint32{{got, 2, 1}}, []string{"flag: red flag taken by Carl"}},
		{"captured", [][3]uint32{{captured, 2, 2}}, []string{"flag: blue flag captured by Carl"}},
		{"returned by a player", [][3]uint32{{returnedBy, 2, 1}}, []string{"flag: red flag returned by Carl"}},
		{"returned by itself", [][3]uint32{{returned, 2, 1}}, []string{"flag: red flag returned"}},
		{"nobody's", [][3]uint32{{returnedBy, 1023, 1}}, []string{"flag: red flag returned"}},
		{"the carrier is killed", [][3]uint32{{carrierFragged, 2, 1}}, nil},
		{"of no team", [][3]uint32{{got, 2, 0}}, nil},
		{"of the spectators", [][3]uint32{{got, 2, 3}}, nil},
		{"returned and taken in one snapshot", [][3]uint32{{got, 2, 1}, {returned, 0, 1}}, []string{"flag: red flag returned", "flag: red flag taken by Carl"}},
	} {
		s := game(t, 26, "", 8).say().forget()
		if s.frame(academy(tt.messages...)).want(tt.want...); t.Failed() {
			t.Fatal(tt.name)
		}
		s.say().want() // once
	}
	// The configstring of the same message has nothing to add.
	game(t, 26, "", 8).say("cs 23 00").forget().frame(academy([3]uint32{got, 2, 1}), "cs 23 10").say("cs 23 20").
		want("flag: red flag taken by Carl", "flag: red flag dropped", "run: Carl had the red flag for 0:00.050, dropped")
}

// TestDuels: Jedi Academy's words about the duels of two players, Cmd_EngageDuel_f in codemp/game/g_cmds.c and
// ClientThink_real in codemp/game/g_active.c of OpenJK. Bob is the own client.
func TestDuels(t *testing.T) {
	for line, want := range map[string]string{
		"Anna^7 @@@PLDUELACCEPT Carl^7!": "duel{action=started client{client_num=0 name=Anna team=1} " +
			"target{client_num=2 name=Carl team=1}}",
		"Anna @@@PLDUELACCEPT Carl more": "duel{action=started client{client_num=0 name=Anna team=1} " +
			"target{client_num=2 name=Carl team=1}}",
		"Anna^7 @@@PLDUELWINNER Carl": "duel{action=won client{client_num=0 name=Anna team=1} target{client_num=2 " +
			"name=Carl team=1}}",
		"@@@PLDUELTIE": "duel{action=tied}",
		"@@@PLDUELCHALLENGED Carl^7": "duel{action=challenged client{client_num=1 name=^1Bo^7b team=2} " +
			"target{client_num=2 name=Carl team=1}}",
		"Carl^7 @@@PLDUELCHALLENGE": "duel{action=challenged client{client_num=2 name=Carl team=1} " +
			"target{client_num=1 name=^1Bo^7b team=2}}",
		"Anna^7 @@@PLDUELCHALLENGE": "duel{action=challenged client{client_num=0 name=Anna team=1} " +
			"target{client_num=1 name=^1Bo^7b team=2}}",
		"Dora^7 @@@PLDUELWINNER Annabel^7": "duel{action=won}",
		"Carl Otto^7 @@@PLDUELWINNER Anna^7": "duel{action=won client{client_num=3 name=Carl Otto team=1} " +
			"target{client_num=0 name=Anna team=1}}",
		"X^7 @@@PLDUELWINNER Anna^7": "duel{action=won client{client_num=4 name=X team=1} target{client_num=0 " +
			"name=Anna team=1}}",
		"Gone^7 @@@PLDUELWINNER Anna^7": "duel{action=won target{client_num=0 name=Anna team=1}}",
		"Anna @@@PLDUELSTOP":            "",
		"@@@PLENTER":                    "",
	} {
		for _, command := range []string{"cp", "print"} {
			s := newStage(t, 26)
			s.gamestate(s.configstrings(`\mapname\arena\g_gametype\0`, `n\Carl Otto\t\1`, `n\X\t\1`, `n\Gone\t\1`)).say(`cs 1136 ""`).forget()
			var list []string
			if want != "" {
				list = []string{want}
			}
			if s.say(command + " \"" + line + "\n\"").wantObjects(list...); t.Failed() {
				t.Fatal(command, line)
			}
		}
	}
}

// TestRequests: out-of-band packets that ask to connect or for remote control, and their answers.
func TestRequests(t *testing.T) {
	const up, down = dissect.ClientToServer, dissect.ServerToClient
	connect := func(info string) string {
		return string(huffcodec.EncodeAdaptive([]byte("\xff\xff\xff\xffconnect "), []byte(`"`+info+`"`))[4:])
	}
	for _, tt := range []struct {
		name string
		play func(*stage)
		want []string
	}{
		{"connect", func(s *stage) { s.oob(up, connect(`\protocol\68\qport\5\challenge\77\name\^1Bo^7b`)) }, []string{"connect_request{client{name=^1Bo^7b} own=true protocol_version=68}"}},
		{"with a GUID", func(s *stage) { s.oob(up, connect(`\protocol\68\challenge\77\name\Bob\cl_guid\AB`)) }, []string{"connect_request{client{name=Bob guid=AB} own=true protocol_version=68}"}},
		{"without protocol", func(s *stage) { s.oob(up, connect(`\challenge\77\name\Bob`)) }, []string{"connect_request{client{name=Bob} own=true}"}},
		{"without challenge", func(s *stage) { s.oob(up, connect(`\protocol\68\name\Bob`)) }, nil},
		{"twice", func(s *stage) {
			s.oob(up, connect(`\challenge\77\name\Bob`)).oob(up, connect(`\challenge\77\name\Bob`))
		}, []string{"connect_request{client{name=Bob} own=true}"}},
		{"with another challenge", func(s *stage) { s.oob(up, connect(`\challenge\0\name\Bob`)).oob(up, connect(`\challenge\78\name\Bob`)) }, []string{"connect_request{client{name=Bob} own=true}", "connect_request{client{name=Bob} own=true}"}},
		{"refused", func(s *stage) {
			s.oob(up, connect(`\challenge\77\name\Bob`)).forget().oob(down, "print\n^1Server is full\n")
		}, []string{"connect_refused{client{name=Bob} text=^1Server is full}"}},
		{"a name of one character", func(s *stage) {
			s.oob(up, connect(`\challenge\77\name\B`)).forget().oob(down, "print\nServer is full\n").oob(up, "rcon secret status")
		}, []string{"connect_refused{client{name=B} text=Server is full}", "rcon{client{name=B} password=********}"}},
		{"rcon without password", func(s *stage) { s.oob(up, "rcon") }, []string{"rcon{}"}},
		{"refused a challenge", func(s *stage) { s.oob(up, "getchallenge").oob(down, "print\nbanned\n") }, []string{"connect_refused{text=banned}"}},
		{"an answer to nothing", func(s *stage) { s.oob(down, "print\nhello\n") }, nil},
		{"let in", func(s *stage) { s.oob(up, "getchallenge").say().oob(down, "print\nhello\n") }, nil},
		{"rcon", func(s *stage) { s.oob(up, "rcon secret status") }, []string{"rcon{password=********}"}},
		{"rcon without a command", func(s *stage) { s.oob(up, "rcon secret") }, []string{"rcon{password=********}"}},
		{"rcon denied", func(s *stage) { s.oob(up, "rcon secret status").forget().say().oob(down, "print\nBad rconpassword.\n") }, []string{"rcon_denied{text=Bad rconpassword.}"}},
		{"rcon answered", func(s *stage) { s.oob(up, "rcon secret status").forget().oob(down, "print\nmap: q3dm17\n") }, nil},
	} {
		s := newStage(t, 68)
		tt.play(s)
		if s.wantObjects(tt.want...); t.Failed() {
			t.Fatal(tt.name)
		}
	}
	s := newStage(t, 68)
	s.reader = events.New(dissect.Options{Secrets: true})
	s.oob(up, "rcon").oob(up, "rcon secret status").wantObjects("rcon{}", "rcon{password=secret command=status}")
	// In a game it is a player who asks, with the number, and the event has the game's time.
	s = game(t, 68, "baseq3", captureFlags).say().forget().oob(up, connect(`\challenge\77\name\Bob`)).forget()
	s.oob(up, "rcon secret status").wantObjects("rcon{client{client_num=1 name=^1Bo^7b team=2} password=********}")
	wantStamps(t, "rcon", s, "rcon 10050 0 0")
	if s.last.Events.Family != s.session.Family {
		t.Error("the numbers of rcon's event have no names")
	}
	s.oob(down, "print\nBad rconpassword.\n").wantObjects("rcon_denied{client{name=Bob} text=Bad rconpassword.}")
	s.say("disconnect").forget().oob(up, "rcon secret status")
	wantStamps(t, "rcon of a client that has left", s, "rcon - - -")
}
