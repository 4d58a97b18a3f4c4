package playtest

import (
	"encoding/binary"
	"fmt"
	"maps"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// playing is a game whose client has been sent the map.
func playing(t testing.TB) *testGame {
	return newTestGame(t).gamestate(testConfigstrings()).say().forget()
}

func TestMapEvents(t *testing.T) {
	g := newTestGame(t).gamestate(testConfigstrings())
	g.want("map_start: arena on lab, ctf, 3 players", "connect: Bob connected (this client)")
	g.gamestate(testConfigstrings()).want() // sent again, because it was not acknowledged
	other := testConfigstrings()
	other[0], other[1] = `\gamename\baseoa\mapname\other\g_gametype\0\sv_hostname\^1l^7ab`, `\sv_serverid\8`
	g.gamestate(other).want("map_start: other on lab, ffa, 3 players")
	g.say("map_restart\n").want(
		"match_start: the match starts", "map_restart: the map starts again",
		"match_end: the match is over: Anna ?, Bob ?, Carl ?, restart after 0:00", "match_start: the match starts",
	)
}

// TestKillEvents shows obituaries in every snapshot of 300 ms, as the game sends them.
func TestKillEvents(t *testing.T) {
	one := shown(map[uint32]map[string]uint32{80: obituary(1, 0, 10)})
	g := playing(t).frame(one).frame(one).frame(one)
	g.want("kill: Bob killed Anna (railgun)")
	// Another kill takes the place of the first one; a second one is added.
	g.frame(shown(map[uint32]map[string]uint32{80: obituary(1022, 3, 16), 81: obituary(0, 0, 7)}))
	g.want("kill: Carl died (lava)", "kill: Anna died (rocket_splash)")
	// The same kill again is another one when the entity has had its time in between.
	g.frame(one).want("kill: Bob killed Anna (railgun)")
	g.say().pause(250).frame(one).want("kill: Bob killed Anna (railgun)")
	// A snapshot that does not show it for a moment changes nothing.
	g.say().frame(one).want()
	// A player who is not in the game has only a number.
	g.frame(shown(map[uint32]map[string]uint32{90: obituary(5, 1, 99)})).want("kill: client 5 killed Bob (99)")
}

// TestKillEventFields checks the whole object.
func TestKillEventFields(t *testing.T) {
	g := playing(t)
	var w huffcodec.Writer
	w.Reset(huffcodec.Static)
	w.Bits(0, 32)
	writeSnapshot(&w, 20000, shown(map[uint32]map[string]uint32{80: obituary(1, 0, 10)}))
	w.Bits(svcEOF, 8)
	rec := g.dissect(dissect.ServerToClient, append(nativeHeader(3, false), w.Data()...))
	want := []string{
		"event kill", "server_time 20000", "match 0", "match_time 9950",
		"killer.client_num 1", "killer.name ^1Bo^7b", "killer.name_clean Bob", "killer.team 2",
		"victim.client_num 0", "victim.name Anna", "victim.name_clean Anna", "victim.team 1",
		"victim.position ", "victim.x 0", "victim.y 0", "victim.z 0", // the player state is that of client 0
		"means_of_death 10", "position.x 100", "position.y -20.5", "position.z 8",
	}
	if diff := cmp.Diff(want, eventFields(&rec.Events)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if rec.Events.Family != tables.FamilyOpenArena {
		t.Errorf("family %d", rec.Events.Family)
	}
}

// eventFields returns the fields of an event of objects as lines "path value".
func eventFields(t *dissect.Tree) []string {
	var lines []string
	for i := 1; i < len(t.Nodes); i++ {
		n := &t.Nodes[i]
		prefix := ""
		if n.Field.Kind == dissect.Object {
			prefix = n.Field.Key + "."
			i++
		}
		for ; i < int(n.End); i++ {
			leaf := &t.Nodes[i]
			line := prefix + leaf.Field.Key + " "
			switch leaf.Field.Kind {
			case dissect.Uint, dissect.Int:
				line += fmt.Sprint(leaf.Int())
			case dissect.Float:
				line += fmt.Sprint(leaf.Float())
			default:
				line += string(t.Bytes(leaf))
			}
			lines = append(lines, line)
		}
		i--
	}
	return lines
}

func TestPlayerEvents(t *testing.T) {
	g := playing(t)
	g.say(`cs 546 "n\Dora\t\2\skill\2"`, "print \"Dora^7 entered the game\n\"").want("connect: Dora connected (bot)", "enter: Dora entered the game")
	g.say(`cs 546 "n\D^4ora X\t\2"`).want("rename: Dora is now Dora X")
	g.say(`cs 546 "n\D^4ora X\t\3"`).want("team: Dora X joined team spectator")
	// The game kills a player who leaves, when the name is already gone.
	g.frame(shown(map[uint32]map[string]uint32{80: obituary(2, 2, 20)}), "print \"D^4ora X^7 was kicked\n\"", `cs 546 ""`)
	g.want("disconnect: Dora X left: was kicked", "kill: Dora X died (suicide)")
	g.pause(2000).frame(shown(map[uint32]map[string]uint32{80: obituary(2, 2, 20)})).want("kill: client 2 died (suicide)")

	// The server reports three times that the client left.
	g.say("print \"^1Bo^7b^7 disconnected\n\"", `cs 545 ""`, `disconnect "disconnected"`).want(
		"match_end: the match is over: client_left after 0:02 (not all of it is there)", "disconnect: Bob left: disconnected",
	)
	g.client(1, "disconnect").want()
	playing(t).client(1, "disconnect").want(
		"match_end: the match is over: client_left after 0:00 (not all of it is there)", "disconnect: Bob left",
	).say(`cs 545 ""`, "disconnect").want()
	playing(t).say(`disconnect "Server quit"`).want(
		"match_end: the match is over: client_left after 0:00 (not all of it is there)", "disconnect: Bob left: Server quit",
	)
}

// TestPlayersUnknown has a capture that begins in the middle of a session: a player who is mentioned for the
// first time has not necessarily just come.
func TestPlayersUnknown(t *testing.T) {
	g := newTestGame(t)
	g.say(`cs 0 "\gamename\baseoa\mapname\arena"`, `cs 546 "n\Dora\t\2"`).want("map_start: arena")
	g.say(`cs 546 "n\Eve\t\2"`).want("rename: Dora is now Eve")
	g.frame(shown(map[uint32]map[string]uint32{80: obituary(2, 0, 10)})).want(
		"match_start: the match is in progress, it began before the recording", "kill: Eve killed client 0 (railgun)",
	)
}

func TestVoteEvents(t *testing.T) {
	call := []string{
		"print \"Anna called a vote.\n\"", "cs 8 \"5000\"\n", "cs 9 \"map q3dm17\"\n",
		"cs 10 \"1\"\n", "cs 11 \"0\"\n",
	}
	g := playing(t).say(call...).want("vote: Anna: vote called: map q3dm17 (yes 1, no 0)")
	g.say(`cs 11 "1"`).say(`cs 10 "2"`, "print \"Vote passed.\n\"", `cs 8 ""`)
	g.want("vote: vote cast: map q3dm17 (yes 1, no 1)", "vote: vote cast: map q3dm17 (yes 2, no 1)",
		"vote: vote passed: map q3dm17 (yes 2, no 1)")
	// All in one message, with the text of the vote before, which is not sent again.
	g.say("print \"Anna called a vote.\n\"", `cs 8 "9000"`, `cs 10 "1"`, `cs 11 "0"`, "print \"Vote failed.\n\"", `cs 8 ""`)
	g.want("vote: Anna: vote called: map q3dm17 (yes 1, no 0)", "vote: vote failed: map q3dm17 (yes 1, no 0)")
	g.say(`cs 8 "9500"`).say(`cs 8 ""`).want("vote: vote called: map q3dm17 (yes 1, no 0)", "vote: vote ended: map q3dm17 (yes 1, no 0)")
	g.say("print \"^1Bo^7b called a team vote.\n\"", `cs 13 "9900"`, `cs 15 "leader 1"`, `cs 17 "1"`, `cs 19 "0"`).
		say("print \"Team vote failed.\n\"", `cs 13 ""`)
	g.want("vote: Bob: team blue: vote called: leader 1 (yes 1, no 0)",
		"vote: team blue: vote failed: leader 1 (yes 1, no 0)")
}

func TestFlagEvents(t *testing.T) {
	g := playing(t)
	// In words and as configstring, together or one after the other: reported once.
	g.say("print \"Anna^7 got the BLUE flag!\n\"", `cs 23 "01"`).want("flag: blue flag taken by Anna")
	g.say(`cs 23 "02"`).want("flag: blue flag dropped",
		"run: Anna had the blue flag for 0:00.050, dropped: 0 units at 0 units/s, at most 0")
	g.say(`cs 23 "00"`, "print \"The BLUE flag has returned!\n\"").want("flag: blue flag returned")
	g.say("print \"^1Bo^7b^7 got the RED flag!\n\"").want("flag: red flag taken by Bob").say(`cs 23 "10"`).want()
	g.say("print \"^1Bo^7b^7 captured the RED flag!\n\"", `cs 23 "00"`).want("flag: red flag captured by Bob",
		"run: Bob had the red flag for 0:00.100, captured")
	// Without words: the configstring, and the sound of a capture. EV_GLOBAL_TEAM_SOUND is 47, GTS_BLUE_CAPTURE 1.
	g.say(`cs 23 "10"`).want("flag: red flag taken")
	g.frame(shown(map[uint32]map[string]uint32{80: {"eType": 13 + 47, "eventParm": 1}}), `cs 23 "00"`).
		want("flag: red flag captured", "run: somebody had the red flag for 0:00.050, captured")
	// A restart resets the flags.
	g.say(`cs 23 "11"`).forget().say(`cs 23 "00"`, "map_restart\n").want(
		"map_restart: the map starts again", "match_end: the match is over: restart after 0:00",
		"match_start: the match starts",
	)
	// The only flag of one-flag CTF.
	g.say(`cs 23 "0"`).want().say(`cs 23 "3"`).want("flag: neutral flag taken").say(`cs 23 "4"`).
		want("flag: neutral flag dropped", "run: somebody had the neutral flag for 0:00.050, dropped")
	g.say("print \"Anna^7 returned the flag!\n\"", `cs 23 "0"`).want("flag: neutral flag returned by Anna")
}

func TestMatchEvents(t *testing.T) {
	g := playing(t)
	g.say(`cs 5 "-1"`).want("match_end: the match is over: aborted after 0:00", "warmup: warm-up, waiting for players")
	g.say(`cs 5 "30000"`).want("warmup: warm-up, the match starts at 30.000")
	g.say(`cs 5 ""`, "map_restart\n").want("map_restart: the map starts again", "match_start: the match starts")
	g.say(`cs 6 "1"`, `cs 7 "-9999"`).want("score: red 1, blue -").say(`cs 6 "1"`).want()
	g.say(`cs 6 "0"`, `cs 6 "1"`).want() // back within one message
	g.say("print \"Red hit the capturelimit.\n\"", `cs 22 "1"`).want("intermission: intermission: Red hit the capturelimit.")
	g.frame(testState{player: map[string]uint32{"pm_type": 5}}).want() // the same
	playing(t).say().frame(testState{player: map[string]uint32{"pm_type": 5}}, "print \"Timelimit hit.\n\"").
		want("intermission: intermission: Timelimit hit.")
	g.say("scores 2 3 1 7000 1 5 40 2 0 0 0 0 0 0 0 0 0 0 0 0 -2 -1 1 0 0 0 0 0 0 0 0 0 0 0").
		want("scoreboard: Bob 5, Anna -2")
	g.say("scores 2 3 1 0 -2 -1 1 0 0 0 0 0 0 0 0 0 0 3 5 40 2 0 0 0 0 0 0 0 0 0 0").want("scoreboard: Anna -2, Carl 5")
	g.say("scores 2 3 1 0 7 -1").want() // of an unknown game
}

// TestQuakeLiveWarmup shows a restart that sets the warm-up to waiting and back.
func TestQuakeLiveWarmup(t *testing.T) {
	g := playing(t).say(`cs 5 "\time\48950"`).forget()
	g.say(`cs 5 "\time\-1"`, `cs 5 "\time\0"`).want("match_start: the match starts")
}

// TestPauseIsNoMatch replays what OSP 1.03a sends at the end of a time-out: the warm-up is set and cleared and
// the level's start moves, without a restart. Restarts and waiting for players end a match.
func TestPauseIsNoMatch(t *testing.T) {
	playing := func(testing.TB) *testGame {
		osp := testConfigstrings()
		osp[0] = `\gamename\osp\mapname\arena\g_gametype\3\sv_hostname\lab`
		return newTestGame(t).gamestate(osp).forget()
	}
	g := playing(t).say(`cs 5 "10175500"`).forget()
	g.say(`cs 21 "10175532"`, `cs 5 ""`, "map_restart")
	again := []string{
		"map_restart: the map starts again", "match_end: the match is over: restart after 0:00",
		"match_start: the match starts",
	}
	g.want(again...)
	g.say(`cs 5 "10379823"`).say(`cs 5 "0"`, `cs 21 "10230807"`).want()
	g.say(`cs 5 "10479823"`).say(`cs 5 ""`, "map_restart").want(again...)
	g.say(`cs 5 "-1"`).say(`cs 5 "10579823"`).say(`cs 5 ""`)
	g.want(
		"match_end: the match is over: aborted after 0:00", "warmup: warm-up, waiting for players",
		"warmup: warm-up, the match starts at 10579.823", "match_start: the match starts",
	)
	g.say(`cs 22 "1"`).say(`cs 5 "10679823"`).say(`cs 5 ""`)
	g.want(
		"intermission: intermission", "warmup: warm-up, the match starts at 10679.823",
		"match_end: the match is over: unknown after 0:00", "match_start: the match starts",
	)
	// A recording that begins in the match, and one that begins in the warm-up's countdown.
	playing(t).say(`cs 5 "10379823"`).say(`cs 5 "0"`).want("match_start: the match starts")
	warmup := testConfigstrings()
	warmup[5] = "20000"
	newTestGame(t).gamestate(warmup).forget().say(`cs 5 ""`).want("match_start: the match starts")
}

// TestRestartIsAMatch has a countdown to a restart while a match is on, as the original game sends it for map_restart
// 5.
func TestRestartIsAMatch(t *testing.T) {
	g := playing(t).say(`cs 5 "82950"`).want("match_end: the match is over: aborted after 0:00", "warmup: warm-up, the match starts at 82.950")
	g.say(`cs 5 ""`, "map_restart").want("map_restart: the map starts again", "match_start: the match starts")
}

// playingCPMA is a game of CPMA 1.48 in its warm-up.
func playingCPMA(t testing.TB, gametype int) *testGame {
	return newTestGame(t).gamestate(map[int]string{
		0: fmt.Sprintf(`\gamename\cpma\mapname\arena\g_gametype\%d\sv_hostname\lab`, gametype), 1: `\sv_serverid\7`,
		544: `n\Anna\t\1`, 545: `n\^1Bo^7b\t\2`, 608: "unknown", 616: "^1RA^7", 672: fmt.Sprintf(`sb\0\sr\0\tw\-1\t\%d`, gametype), 710: `sb\0\sr\0`,
	}).forget()
}

// TestRounds replays the commands of a recording of capture strike, demo_pack_1 CTFS ojfc-09: one match.
func TestRounds(t *testing.T) {
	g := playingCPMA(t, 7)
	g.say(`cs 710 "sb\0\sr\0\pb\3\pr\3\tw\170021"`).want("warmup: warm-up, the match starts at 170.021")
	g.say(`cs 672 "sb\0\sr\0\tw\0\t\7\ts\170053"`).want("match_start: the match starts", "round_start: a round starts")
	g.say(`cs 710 "sb\0\sr\0\pb\2\pr\3\tw\0"`).want()
	g.say(`cs 672 "sb\0\sr\3\tw\197526\t\7\ts\170053"`).want("round_end: the round is over, the next one starts at 197.526", "score: red 3, blue 0")
	g.say(`cs 672 "sb\0\sr\3\tw\0\t\7\ts\197542"`).want("round_start: a round starts")
	g.frame(testState{player: map[string]uint32{"pm_type": 5}}).want("round_end: the round is over",
		"intermission: intermission")
	g.say(`cs 672 "sb\15\sr\3\tw\-1\t\7\ts\197542"`).want("warmup: warm-up, waiting for players", "score: red 3, blue 15")
	// A draw keeps the scores; reset scores mean another match.
	g = playingCPMA(t, 7).say(`cs 672 "sb\0\sr\0\tw\0\t\7"`).say(`cs 672 "sb\0\sr\0\tw\20000\t\7"`).forget()
	g.say(`cs 672 "sb\0\sr\0\tw\0\t\7"`).want("round_start: a round starts")
	g.say(`cs 672 "sb\0\sr\3\tw\30000\t\7"`).forget().say(`cs 672 "sb\0\sr\0\tw\0\t\7"`)
	g.want(
		"match_end: the match is over: red 3, blue 0, restart after 0:00",
		"match_start: the match starts", "round_start: a round starts", "score: red 0, blue 0",
	)
}

// TestScoresOfPlayers has the best player's score first, in the key sb: in the recording 36_kills_2_suicides
// myT wins by 24 to 10, and its last account has sb 24 sr 10. In team games sr is red's score.
func TestScoresOfPlayers(t *testing.T) {
	playingCPMA(t, 1).say(`cs 710 "sb\24\sr\10"`).want("score: first 24, second 10")
	playingCPMA(t, 9).say(`cs 710 "sb\14\sr\61"`).want("score: red 61, blue 14")
}

// TestScoreboardOnce has the same command more than once in a message, as servers send it at the end of a
// match.
func TestScoreboardOnce(t *testing.T) {
	const scores = "scores 1 3 1 1 5 40 2 0 0 0 0 0 0 0 0 0 0"
	playing(t).say(scores, scores, scores).want("scoreboard: Bob 5").say(scores).want("scoreboard: Bob 5")
}

func TestRemoteControlEvents(t *testing.T) {
	const up, down = dissect.ClientToServer, dissect.ServerToClient
	// Without quotes the password may go on after its first word, and the game has refused it for that.
	g := playing(t).oob(up, "rcon right secret status").want("rcon: somebody uses rcon ********")
	g.oob(down, "print\nBad rconpassword.\n").want("rcon_denied: rcon denied: Bad rconpassword.")
	g.oob(up, "rcon right secret status").want("rcon: somebody uses rcon ********")
	// the game sees the command begin at fish
	g.oob(up, `rcon "sword fish" status`).want("rcon: somebody uses rcon ******** status")
	g.oob(up, `rcon "sword fish`).want("rcon: somebody uses rcon ********")
	g.oob(down, "print\nmap: q3dm17\n").want()
	g.oob(up, "rcon").want("rcon: somebody uses rcon")
	// The password is what the server takes for it, and so is a part in quotes.
	g.oob(up, "rcon swordfish status").oob(down, "print\nmap: q3dm17\n").oob(up, "rcon swordfish map q3dm6")
	g.want("rcon: somebody uses rcon ********", "rcon: somebody uses rcon ******** map q3dm6")
	g.oob(up, `rcon "horse" status`).oob(up, "rcon horse set rconpassword next; status").oob(up, "rcon horses status")
	g.want("rcon: somebody uses rcon ******** status", "rcon: somebody uses rcon ******** set rconpassword ********",
		"rcon: somebody uses rcon ********")
	// An answer to another request proves nothing.
	g = playing(t).oob(up, "rcon right secret status").oob(up, "getchallenge").oob(down, "print\nServer is full\n").
		oob(up, "rcon right secret status")
	g.want("rcon: somebody uses rcon ********", "connect_refused: somebody is refused: Server is full",
		"rcon: somebody uses rcon ********")
	g = newTestGameWith(t, dissect.Options{Events: true, Secrets: true})
	g.oob(up, "rcon swordfish map q3dm6").want("rcon: somebody uses rcon swordfish map q3dm6")
}

func TestConnectEvents(t *testing.T) {
	const up, down = dissect.ClientToServer, dissect.ServerToClient
	connect := string(huffcodec.EncodeAdaptive([]byte("\xff\xff\xff\xffconnect "), []byte(`"\protocol\71\qport\5\challenge\77\name\^1Bo^7b"`))[4:])
	g := &testGame{TB: t, c: quake3.New().NewConversation(dissect.Options{Events: true})}
	g.oob(up, "getchallenge 5 Other").oob(down, "print\nGame mismatch\n").
		want("connect_refused: somebody is refused: Game mismatch")
	// repeated while there is no answer
	g.oob(up, connect).oob(up, connect).want("connect_request: Bob asks to connect with protocol 71")
	g.oob(down, "print\nServer is full.\n").want("connect_refused: Bob is refused: Server is full.")
	g.oob(down, "print\n\n").want("connect_refused: Bob is refused") // without a reason
	// Once the client is in, what the server prints answers another request: here rcon from another port.
	g.oob(up, connect).oob(down, fmt.Sprintf("connectResponse %d 71", challenge)).forget().
		gamestate(testConfigstrings()).forget()
	g.oob(down, "print\nmap: labmap\ncl score ping name\n").want()
}

// TestDamagedMessageTellsNothing repeats the commands of a message that ends in the middle: they count once, in
// the complete message.
func TestDamagedMessageTellsNothing(t *testing.T) {
	g := playing(t)
	var w huffcodec.Writer
	w.Reset(huffcodec.Static)
	w.Bits(0, 32)
	w.Bits(svcServerCommand, 8)
	w.Bits(101, 32)
	w.String(`cs 546 "n\Dora\t\2"`)
	w.Bits(200, 8) // not an operation
	w.Bits(0, 32)
	g.sequence++
	// no client takes it: it is refused, and not damaged
	g.deliver(dissect.ServerToClient, append(nativeHeader(g.sequence, false), w.Data()...), false).want()
	g.say(`cs 546 "n\Dora\t\2"`).want("connect: Dora connected")
	// The server repeats what the client has not acknowledged.
	g.command = 100
	g.say(`cs 546 "n\Dora\t\2"`, `chat "console: hello"`).want("chat: console: hello")
}

// TestEventsOfUnknownGame has a mod without tables: events that need them are not reported. Its players' configstrings
// are known by their form.
func TestEventsOfUnknownGame(t *testing.T) {
	strange := testConfigstrings()
	strange[0] = `\gamename\strange\mapname\arena\g_gametype\4\sv_hostname\lab`
	g := newTestGame(t).gamestate(strange).want("map_start: arena on lab, 4, 3 players",
		"connect: Bob connected (this client)")
	g.frame(shown(map[uint32]map[string]uint32{80: obituary(1, 0, 10)}), `cs 544 "n\X\t\1"`).want("rename: Anna is now X")
	g.say("chat \"Anna^7\x19: ^2hello\"").want("chat: Anna: hello")
}

// TestEventsChangeNothing plays a game with events and without: the trees are the same.
func TestEventsChangeNothing(t *testing.T) {
	with := newTestGameWith(t, dissect.Options{Events: true, State: true})
	without := newTestGameWith(t, dissect.Options{State: true})
	for _, g := range []*testGame{with, without} {
		g.gamestate(testConfigstrings()).say(`cs 546 "n\Dora\t\2"`, "map_restart\n").frame(shown(map[uint32]map[string]uint32{80: obituary(1, 0, 10)}))
	}
	if !reflect.DeepEqual(with.trees, without.trees) {
		t.Error("events change what is shown")
	}
	if len(with.events) == 0 || len(without.events) != 0 {
		t.Errorf("%d events with the option, %d without", len(with.events), len(without.events))
	}
}

// TestEventsAllocateNothing looks at snapshots in which nothing happens.
func TestEventsAllocateNothing(t *testing.T) {
	g := playing(t)
	still := map[uint32]map[string]uint32{0: {"eType": 1, "event": 19}, 70: {"eType": 2}, 80: obituary(1, 0, 10)}
	var w huffcodec.Writer
	w.Reset(huffcodec.Static)
	w.Bits(0, 32)
	writeSnapshot(&w, 30000, testState{player: maps.Clone(still[70]), entities: still})
	w.Bits(svcEOF, 8)
	body := w.Data()
	rec := newRecord(dissect.ServerToClient, nil)
	rec.NoTree = true
	payload := append(nativeHeader(0, false), body...)
	step := func() {
		g.sequence++
		binary.LittleEndian.PutUint32(payload, g.sequence)
		binary.LittleEndian.PutUint32(payload[4:], challenge^g.sequence*challenge)
		rec.Payload, rec.Length = payload, len(payload)
		rec.Events.Reset()
		if !g.c.Dissect(rec) || rec.Damaged {
			t.Fatal("the message is not read")
		}
	}
	for range 100 {
		step()
	}
	if n := testing.AllocsPerRun(200, step); n != 0 {
		t.Errorf("%v allocations for a snapshot without events", n)
	}
}
