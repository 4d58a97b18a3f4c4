package playtest

import "testing"

// TestChatOfEveryGame has chat as the games write it: G_SayTo and G_VoiceTo, code/game/g_cmds.c; src/game/g_cmds.c of
// ET: Legacy; MP/code/game/g_cmds.c of iortcw; codemp/game/g_cmds.c of OpenJK. Bob is the own client.
func TestChatOfEveryGame(t *testing.T) {
	const (
		anna = "client{client_num=0 name=Anna team=1}"
		bob  = "client{client_num=1 name=^1Bo^7b team=2} own=true"
		me   = "target{client_num=1 name=^1Bo^7b team=2}"
	)
	type line struct{ command, want string }
	for _, tt := range []struct {
		protocol int
		gamename string
		lines    []line
	}{
		{68, "baseq3", []line{
			{"chat \"Anna^7\x19: ^2hello\"", "chat{channel=say " + anna + " text=hello}"},
			{"chat \"^1Bo^7b^7\x19: ^2hello\"", "chat{channel=say " + bob + " text=hello}"},
			{"tchat \"\x19(Anna^7\x19) (Base)\x19: ^5mine\"", "chat{channel=team " + anna + " location=Base text=mine}"},
			{"chat \"\x19[Anna^7\x19]\x19: ^6psst\"", "chat{channel=tell " + anna + " " + me + " text=psst}"},
			{"chat \"Nobody^7\x19: ^2hello\"", "chat{channel=say client{name=Nobody} text=hello}"},
			{"tchat \"Anna is away\"", "chat{channel=team text=Anna is away}"},
			{"chat \"Anna is on a spree\"", "chat{channel=game text=Anna is on a spree}"},
			{"chat \"Annabel is on a spree\"", "chat{channel=say text=Annabel is on a spree}"},
			{"vchat 0 0 50 yes", "chat{channel=say " + anna + " voice=yes}"},
			{"vchat 1 0 50 yes", "chat{channel=say " + anna + " voice=yes voice_only=true}"},
			{"vtchat 0 1 50 yes", "chat{channel=team " + bob + " voice=yes}"},
			{"vtell 0 0 50 yes", "chat{channel=tell " + anna + " " + me + " voice=yes}"},
			{"vchat 0 0 50", ""},
			{"vchat 0 x 50 yes", ""},
			{"cpm \"the wall is down\" 2", ""},
			{"mm2 0 8 hello", ""},
		}},
		{68, "cpma", []line{
			{"chat \"00 Anna^7: ^2hello\"", "chat{channel=say client{name=00 Anna} text=hello}"},
			{"mm2 0 8 hello", "chat{channel=team " + anna + " text=hello}"},
			{"mm2 1 8 hello", "chat{channel=team " + bob + " text=hello}"},
			{"mm2 0 8", ""},
		}},
		{91, "", []line{
			{"chat \"00 Anna^7: ^2hello\"", "chat{channel=say " + anna + " text=hello}"},
			{"chat \"00 Dora^7: ^2hello\"", "chat{channel=say " + anna + " text=hello}"}, // by her name before
			{"chat \"00 hello\"", "chat{channel=say " + anna + " text=hello}"},
		}},
		{73, "", []line{
			{"chat \"01 ^1Bo^7b^7: ^2hello\"", "chat{channel=say " + bob + " text=hello}"},
		}},
		{68, "baseq3", []line{
			{"chat \"00 Anna^7: ^2hello\"", "chat{channel=say client{name=00 Anna} text=hello}"},
		}},
		{84, "", []line{
			{`chat "Anna^7: ^2^2hello" 0 0`, "chat{channel=say " + anna + " text=hello}"},
			{`chat "Anna^7: ^2hello" 0`, "chat{channel=say " + anna + " text=hello}"},
			{`chat "Anna^7: ^2hello" 1`, "chat{channel=say " + bob + " text=hello}"},
			{`chat "Anna^7: ^2hello"`, "chat{channel=say " + anna + " text=hello}"}, // as in Quake III
			{`chat "Anna^7: ^2hello" 64`, "chat{channel=say client{client_num=64} text=hello}"},
			{`chat "Anna^7: ^2hello" 128`, "chat{channel=say " + anna + " text=hello}"},
			{`chat "Anna^7: ^2hello" -1`, "chat{channel=say " + anna + " text=hello}"},
			{`chat "Anna^7: ^2hello" x`, "chat{channel=say " + anna + " text=hello}"},
			{`tchat "^5go" 0 10 -20 30`, "chat{channel=team " + anna + " text=go position{x=10 y=-20 z=30}}"},
			{`tchat "^5go" 0 10 -20`, "chat{channel=team " + anna + " text=go}"},
			{`tchat "^5go" 0 10 -20 x`, "chat{channel=team " + anna + " text=go}"},
			{`tchat "^3go" 0 10 -20 30`, "chat{channel=fireteam " + anna + " text=go position{x=10 y=-20 z=30}}"},
			{`chat "^3go" 0`, "chat{channel=say " + anna + " text=go}"},
			{`tchat "(Anna^7) (the hall): ^5go" 0 0`, "chat{channel=team " + anna + " location=the hall text=go}"},
			{`tchat "(Anna^7): ^5^2go" 0 0`, "chat{channel=team " + anna + " text=^2go}"},
			{`chat "[Anna^7]: ^6psst" 0 0`, "chat{channel=tell " + anna + " " + me + " text=psst}"},
			{`chat "^7console: hello"`, "chat{channel=console text=hello}"},
			{`vchat 0 0 Medic`, "chat{channel=say " + anna + " voice=Medic}"},
			{`vchat 1 1 Medic 10 20 30`, "chat{channel=say " + bob + " voice=Medic voice_only=true}"},
			{`vtchat 0 0 Medic 10 20 30`, "chat{channel=team " + anna + " voice=Medic position{x=10 y=20 z=30}}"},
			{`vbchat 0 0 Medic 10 20 30`, "chat{channel=fireteam " + anna + " voice=Medic position{x=10 y=20 z=30}}"},
			{`vtchat 0 0`, ""},
			{`vtchat 0 x Medic`, ""},
			{`cpm "^1Allies^7 have breached the wall" 2`, "objective{action=announced text=^1Allies^7 have breached the wall}"},
			{`cpmi 2 "the wall"`, "objective{action=announced text=the wall}"},
			{`cpm "" 2`, ""},
			{`cpm "^7Anna^7 entered the game"`, "enter{" + anna + "}"},
			{`cpmi "the wall"`, ""},
		}},
		{60, "", []line{
			{`chat "[lof]Anna^7: ^2hello" 1`, "chat{channel=say " + anna + " text=hello}"},
			{`chat "[lof]00 Dora^7: ^2hello" 1`, "chat{channel=say client{name=00 Dora} text=hello}"},
		}},
		{26, "", []line{
			{"lchat \"00 Dora^7\x19: \" \"the hall\" \"2\" \"hello\"", "chat{channel=say client{name=00 Dora} location=the hall text=hello}"},
		}},
		{84, "", []line{
			{`tchat "00 go" 0`, "chat{channel=team " + anna + " text=00 go}"},
		}},
		{68, "cpma", []line{
			{"mm2 128 8 hello", "chat{channel=team client{client_num=128} text=hello}"},
		}},
		{60, "", []line{
			{`lchat "[lof]Anna^7: ^2hello" 1`, "chat{channel=limbo " + anna + " text=hello}"},
			{`tchat "[lof](Anna^7) (^1[lon]the hall[lof]^7): ^5go" 1`, "chat{channel=team " + anna + " location=the hall text=go}"},
			{`tchat "[lof](Anna^7) (^7): ^5go" 1`, "chat{channel=team " + anna + " text=go}"},
		}},
		{26, "", []line{
			{"lchat \"Anna^7\x19: \" \"the hall\" \"2\" \"hello\"", "chat{channel=say " + anna + " location=the hall text=hello}"},
			{"ltchat \"\x19(Anna^7\x19)\x19: \" \"the hall\" \"5\" \"hello\"", "chat{channel=team " + anna + " location=the hall text=hello}"},
			{"ltchat \"\x19(Anna^7\x19)\x19: ^5hello\"", "chat{channel=team " + anna + " text=hello}"},
			{"lchat \"Anna^7\x19: \" \"the hall\" \"2\"", "chat{channel=say " + anna + " text=}"},
			{"chat \"Anna^7 @@@PLENTER\"", "chat{channel=game text=Anna^7 @@@PLENTER}"},
		}},
	} {
		for _, line := range tt.lines {
			var want []string
			if line.want != "" {
				want = []string{line.want}
			}
			s := game(t, tt.protocol, tt.gamename, captureFlags).say().forget()
			if s.say(line.command).wantObjects(want...); t.Failed() {
				t.Fatalf("protocol %d: %s", tt.protocol, line.command)
			}
		}
	}
	// Two players of one name: which of them it is cannot be told.
	s := newStage(t, 68)
	s.gamestate(s.configstrings(`\gamename\baseq3\mapname\arena\g_gametype\4`, `n\Anna\t\2`)).forget()
	s.say("chat \"Anna^7\x19: ^2hello\"").wantObjects("match_start{map=arena gametype=4 mod=baseq3 start_time=10050}",
		"chat{channel=say client{name=Anna} text=hello}")
	// CPMA's places are numbers; the name of one may be empty.
	s = game(t, 68, "cpma", captureFlags).say("cs 616 RA", "cs 617 \"\"").forget()
	s.say("mm2 0 8 a", "mm2 0 9 b", "mm2 0 x c").wantObjects(
		"chat{channel=team "+anna+" location=RA text=a}", "chat{channel=team "+anna+" text=b}",
		"chat{channel=team "+anna+" text=c}",
	)
}

// TestOwnTells: the server sends private lines back to who wrote them, without the recipient.
func TestOwnTells(t *testing.T) {
	s := game(t, 68, "baseq3", captureFlags).say().forget()
	echo := func(text string) { s.say("chat \"\x19[^1Bo^7b^7\x19]\x19: ^6" + text + "\"") }
	s.asks("tell 2 psst", "vtell 0 yes", "tell x hello", "tell 0x hey", "say aloud", "say_team go",
		"vsay no", "vsay_team no").want()
	echo("psst")
	echo("hello")
	echo("hey")
	s.want("chat: [Bob → Carl]: psst", "chat: [Bob]: hello", "chat: [Bob]: hey")
	s.say("vtell 0 1 50 yes").want("chat: [Bob → Anna]: voice yes")
}

// TestClientAlone has captures without the server's messages: what the client asks for is all that there is.
func TestClientAlone(t *testing.T) {
	alone := func() *stage {
		s := newStage(t, 68)
		s.session.HearsServer = false
		return s
	}
	alone().asks("say hello", "tell 2 psst", "tell x psst", "vtell 2x yes", "vsay no").wantObjects(
		"chat{channel=say own=true text=hello}", "chat{channel=tell own=true target{client_num=2} text=psst}",
		"chat{channel=tell own=true text=psst}", "chat{channel=tell own=true voice=yes}",
		"chat{channel=say own=true voice=no}",
	)
	alone().asks(`userinfo "\name\B"`, "say hello").wantObjects("chat{channel=say client{name=B name_from=userinfo} own=true text=hello}")
	alone().asks(`userinfo "\name\Bob\cl_guid\AB"`, "say_team go", "vsay_team go", `userinfo "\cl_guid\AB"`, `userinfo "\name\Rob"`, `userinfo "\name\Rob"`).wantObjects(
		"chat{channel=team client{name=Bob name_from=userinfo} own=true text=go}",
		"chat{channel=team client{name=Bob name_from=userinfo} own=true voice=go}",
		"rename{client{name=Rob name_from=userinfo} own=true old_name=Bob}",
	)
	// With the server's messages they say who did it.
	game(t, 68, "baseq3", captureFlags).say().forget().asks(`userinfo "\name\Bob"`, `userinfo "\name\Rob"`, "say hello").wantObjects()
	// The GUID of the own client is known from then on.
	s := game(t, 68, "baseq3", captureFlags).say().asks(`userinfo "\name\Bob\cl_guid\AB"`).forget()
	s.say(`cs 545 "n\Rob\t\2"`, `cs 544 "n\Dora\t\1"`).wantObjects(
		"rename{client{client_num=1 name=Rob team=2 guid=AB} own=true old_name=^1Bo^7b}",
		"rename{client{client_num=0 name=Dora team=1} old_name=Anna}",
	)
	s.asks(`userinfo "\cl_guid\CD"`, `userinfo "\name\Rob"`).say(`cs 545 "n\Bob\t\2"`).wantObjects("rename{client{client_num=1 name=Bob team=2 guid=CD} own=true old_name=Rob}")
}

func TestChatEvents(t *testing.T) {
	g := playing(t)
	g.say("chat \"Anna^7\x19: ^2hello\"", "tchat \"\x19(^1Bo^7b^7\x19) (Base)\x19: ^5mine\"", `chat "console: hi"`)
	g.want("chat: Anna: hello", "chat: (Bob) (Base): mine", "chat: console: hi")
	g.say(`chat "Anna is on a killing spree with 5 kills"`, `chat "nobody knows"`).want("chat: Anna is on a killing spree with 5 kills", "chat: somebody: nobody knows")
	g.say("vchat 0 3 50 yes", "vtchat 1 0 53 onoffense", "vtell 0 0 54 kill_insult")
	g.want("chat: Carl: voice yes", "chat: (Anna): voice onoffense", "chat: [Anna → Bob]: voice kill_insult")

	// The client's own commands give the recipients of its private lines.
	g.say("chat \"\x19[Anna^7\x19]\x19: ^6to me\"").want("chat: [Anna → Bob]: to me")
	g.client(1, "tell 0 50% ä; yes", "tell 3 other").want()
	g.say("chat \"\x19[^1Bo^7b^7\x19]\x19: ^6other\"").want("chat: [Bob → Carl]: other")
	g.say("chat \"\x19[^1Bo^7b^7\x19]\x19: ^650. ..  yes\"").want("chat: [Bob → Anna]: 50. ..  yes")
	g.say("chat \"\x19[^1Bo^7b^7\x19]\x19: ^6other\"").want("chat: [Bob]: other")

	// Two players have the same name: no number is reported.
	g.say(`cs 546 "n\Anna\t\1"`).forget().say("chat \"Anna^7\x19: ^2which?\"").want("chat: Anna: which?")
}

// TestTeamChatOfCPMA has the commands of the recording dm_68_cpma__team_chat, with its places.
func TestTeamChatOfCPMA(t *testing.T) {
	g := playingCPMA(t, 3).say(`mm2 0 8 "a"`, `mm2 1 63 "b"`, "mm2 0 8", `mm2 x 8 "a"`)
	g.want("chat: (Anna) (RA): a", "chat: (Bob): b")
	g.say(`cs 616 "Lava"`, `mm2 1 8 "c"`).want("chat: (Bob) (Lava): c")
	playing(t).say(`mm2 0 8 "a"`).want()
}

// TestChatOfClientAlone has a capture without the server's messages.
func TestChatOfClientAlone(t *testing.T) {
	g := newTestGame(t)
	g.client(1, `userinfo "\name\Bob"`, "say hello  there", `say_team "a b"`, "tell 3 psst", "vsay yes", "vtell 2 no", "say", "callvote x")
	g.want("chat: Bob: hello there", "chat: (Bob): a b", "chat: [Bob → client 3]: psst", "chat: Bob: voice yes",
		"chat: [Bob → client 2]: voice no", "chat: Bob: ")
	g.client(1, `userinfo "\name\Bob"`, "say hello  there").want() // repeated
	g.client(9, `userinfo "\name\^2Rob"`, "disconnect").want("rename: Bob is now Rob", "disconnect: the client left")
}
