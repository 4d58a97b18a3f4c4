package teeworlds

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

func TestEvents07(t *testing.T) {
	const anna, bob = "client_num=0 name=Anna team=0", "client_num=1 name=Bob team=1"
	for _, test := range []struct {
		name string
		send func(g *eventGame)
		want []string
	}{
		{"chat", func(g *eventGame) {
			g.send(false, g.message("sv_chat", 1, 1, -1, "hi"), g.message("sv_chat", 2, 0, -1, "team"),
				g.message("sv_chat", 3, 1, 0, "psst"), g.message("sv_chat", 1, -1, -1, "server"))
		}, []string{
			"chat channel=say client: " + bob + " text=hi", "chat channel=team client: " + anna + " own text=team",
			"chat channel=tell client: " + bob + " target: " + anna + " text=psst", "chat channel=console text=server",
		}},
		{"chat by nobody, and what the client asks for", func(g *eventGame) {
			g.send(false, g.message("sv_chat", 1, 9, -1, "ghost"))
			g.send(true, g.message("cl_say", 1, -1, "hi"))
		}, []string{"chat channel=say client: client_num=9 text=ghost"}},
		{"chat through the placeholder of a large DDNet server", func(g *eventGame) {
			g.send(false, g.placeholder(), g.info07(2, 0, 0, "Bob: x"))
			g.send(false, g.message("sv_chat", 3, 63, 0, "Bob: psst"), g.message("sv_chat", 1, 63, -1, "Bob: x: hi"),
				g.message("sv_chat", 1, 63, -1, "Zoe: hi: all"), g.message("sv_chat", 2, 63, -1, "Anna: team"),
				g.message("sv_chat", 1, 63, -1, "no name"), g.message("sv_chat", 1, 1, -1, "Anna: no"))
		}, []string{
			"connect client: client_num=2 name=Bob: x team=0",
			"chat channel=tell client: " + bob + " target: " + anna + " text=psst",
			"chat channel=say client: client_num=2 name=Bob: x team=0 text=hi", "chat channel=say client: name=Zoe text=hi: all",
			"chat channel=team client: " + anna + " own text=team", "chat channel=say client: client_num=63 text=no name",
			"chat channel=say client: " + bob + " text=Anna: no",
		}},
		{"a message that the game drops", func(g *eventGame) {
			g.send(false, g.message("sv_chat", 4, 1, -1, "hi"), g.message("sv_killmsg", 0, 64, 1, 0))
		}, nil},
		{"repeats and a gap", func(g *eventGame) {
			hi, there := g.message("sv_chat", 1, 1, -1, "hi"), g.message("sv_chat", 1, 1, -1, "there")
			g.send(false, hi)
			g.deliver(false, g.sequence[0], hi)
			g.deliver(false, g.sequence[0]+2, there) // dropped: one is missing before
			g.send(false, hi, there)
		}, []string{
			"chat channel=say client: " + bob + " text=hi", "chat channel=say client: " + bob + " text=hi",
			"chat channel=say client: " + bob + " text=there",
		}},
		{"kills", func(g *eventGame) {
			g.send(false, g.message("sv_killmsg", 0, 1, 3, 1), g.message("sv_killmsg", 1, 1, 3, 0),
				g.message("sv_killmsg", 0, 0, -1, 0), g.message("sv_killmsg", -2, 0, 2, 0),
				g.snapshot(100, eventItem{"death", 1, []int{320, -64, 1}}))
		}, []string{
			"kill server_time=2000 killer: " + anna + " victim: " + bob +
				" means_of_death=3 mode_special=1 position: x=320 y=-64",
			"kill server_time=2000 killer: " + bob + " victim: " + bob + " suicide means_of_death=3 position: x=320 y=-64",
			"kill server_time=2000 victim: " + anna + " world means_of_death=-1",
			"kill server_time=2000 killer: team=1 victim: " + anna + " means_of_death=2",
			"enter server_time=2000 client: " + bob + " in_progress",
		}},
		{"teams", func(g *eventGame) {
			g.send(false, g.message("sv_team", 1, 0, 0, 0), g.message("sv_team", 1, 0, 1, 0), g.message("sv_team", 1, -1, 0, 0))
		}, []string{
			"team client: client_num=1 name=Bob team=0 team=0 old_team=1 team_game",
			"team client: client_num=1 name=Bob team=-1 team=-1 old_team=0 team_game",
		}},
		{"comings and goings", func(g *eventGame) {
			g.send(false, g.info07(2, 0, 0, "Carl"), g.message("sv_clientdrop", 2, "Kicked by vote", 0))
			g.send(false, g.message("sv_clientdrop", 1, "", 1), g.info07(1, 0, 1, "Bobby")) // another name on a DDNet server
			g.send(false, g.message("map_change", "ctf2", 1, 2, 8, 1384, make([]byte, 32)))
			g.send(false, g.info07(0, 1, 0, "Anna"), g.info07(1, 0, 1, "Bobby"), g.info07(3, 0, 1, "Dora"))
			g.close(false, "Server shutdown")
			g.close(true, "")
		}, []string{
			"connect client: client_num=2 name=Carl team=0",
			"disconnect client: client_num=2 name=Carl team=0 reason=Kicked by vote kicked",
			"rename client: client_num=1 name=Bobby team=1 old_name=Bob", "map_start map=ctf2", "enter client: " + anna + " own",
			"enter client: client_num=1 name=Bobby team=1",
			"connect client: client_num=3 name=Dora team=1",
			"disconnect client: " + anna + " own reason=Server shutdown",
		}},
		{"a close with another token", func(g *eventGame) {
			g.packet(false, []byte{0x04, 0, 0, 9, 9, 9, 9, controlClose, 'b', 'y', 'e', 0})
			g.send(false, g.message("sv_chat", 1, 1, -1, "hi"))
		}, []string{"chat channel=say client: " + bob + " text=hi"}},
		{"flags", func(g *eventGame) {
			g.send(false, g.snapshot(100, flags07(-2, -2)))
			g.send(false, g.message("sv_gamemsg", 8, 1), g.snapshot(102, flags07(-2, 0)))
			g.send(false, g.message("sv_gamemsg", 4), g.message("sv_gamemsg", 8, 1), g.snapshot(104, flags07(-2, 1)))
			g.send(false, g.message("sv_gamemsg", 4), g.snapshot(106, flags07(-2, -1)))
			g.send(false, g.message("sv_gamemsg", 5), g.snapshot(108, flags07(-2, -2)))
			g.send(false, g.message("sv_gamemsg", 9, 0, 1, 150), g.snapshot(110, flags07(-2, -2)))
		}, []string{
			"enter server_time=2000 client: " + bob + " in_progress",
			"flag server_time=2040 action=taken client: " + anna + " own flag=blue",
			"flag server_time=2080 action=dropped client: " + anna + " own flag=blue",
			"run server_time=2080 course=flag action=dropped client: " + anna + " own flag=blue run_time=40",
			"flag server_time=2080 action=taken client: " + bob + " flag=blue", "flag server_time=2120 action=dropped client: " +
				bob + " flag=blue",
			"run server_time=2120 course=flag action=dropped client: " + bob + " flag=blue run_time=40 from_drop",
			"flag server_time=2160 action=returned flag=blue",
			"flag server_time=2200 action=captured client: " + bob + " flag=red",
		}},
		{"votes", func(g *eventGame) {
			g.send(false, g.message("sv_voteset", 1, 2, 25, "0: Anna", "rude"), g.message("sv_votestatus", 0, 0, 2, 2))
			g.send(false, g.message("sv_votestatus", 1, 0, 1, 2), g.message("sv_votestatus", 1, 0, 1, 2))
			g.send(true, g.message("cl_vote", -1))
			g.send(false, g.message("sv_votestatus", 1, 1, 0, 2), g.message("sv_voteset", -1, 6, 0, "", ""))
			g.send(false, g.message("sv_voteset", 0, 1, 25, "map", ""), g.message("sv_voteset", -1, 5, 0, "", ""),
				g.message("sv_voteset", 0, 1, 25, "x", ""), g.message("sv_voteset", -1, 4, 0, "", ""))
			g.send(false, g.message("sv_voteset", -1, 0, 0, "", "")) // there is none
		}, []string{
			"vote action=called client: " + bob + " text=0: Anna reason=rude", "vote action=cast text=0: Anna yes=1 no=0",
			"vote action=cast client: " + anna + " own choice=-1", "vote action=cast text=0: Anna yes=1 no=1",
			"vote action=failed text=0: Anna yes=1 no=1", "vote action=called client: " + anna + " own text=map",
			"vote action=passed text=map", "vote action=called client: " + anna + " own text=x", "vote action=ended text=x",
		}},
		{"rcon", func(g *eventGame) {
			g.send(false, g.message("rcon_line", "Wrong password"))
			g.send(true, g.message("rcon_auth", "guess"))
			g.send(false, g.message("rcon_line", "Wrong password 1/3."))
			g.send(true, g.message("rcon_auth", "right"))
			g.send(false, g.message("rcon_auth_on"), g.message("rcon_line", "Admin"))
			g.send(true, g.message("rcon_cmd", "status"))
			g.send(false, g.message("rcon_auth_off"))
		}, []string{
			"rcon client: " + anna + " own password=********", "rcon_denied client: " + anna + " own text=Wrong password 1/3.",
			"rcon client: " + anna + " own password=********", "rcon_granted client: " + anna + " own",
			"rcon client: " + anna + " own command=status", "rcon_ended client: " + anna + " own",
		}},
		{"race", func(g *eventGame) {
			g.send(false, g.message("sv_racefinish", 1, 83456, -200, 1, 0), g.message("sv_racefinish", 0, -1, 0, 0))
		}, []string{"race_finish client: " + bob + " finish_time=83456 finish_diff=-200 record_personal"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := session07(t)
			g.TB = t
			test.send(g)
			g.expect(test.want...)
		})
	}
}

func TestEvents06(t *testing.T) {
	const anna, bob = "client_num=0 name=Anna team=0", "client_num=1 name=Bob team=0"
	both := append(player06(0, 1, 0, "Anna"), player06(1, 0, 0, "Bob")...)
	game := func(red, blue int) eventItem { return eventItem{"gamedata", 0, []int{0, 0, red, blue}} }
	for _, test := range []struct {
		name string
		send func(g *eventGame)
		want []string
	}{
		{"chat", func(g *eventGame) {
			g.send(false, g.message("sv_chat", 0, 1, "hi"), g.message("sv_chat", 1, 0, "team"),
				g.message("sv_chat", 2, 1, "to Bob"), g.message("sv_chat", 3, 1, "from Bob"))
		}, []string{
			"chat server_time=2000 channel=say client: " + bob + " text=hi", "chat server_time=2000 channel=team client: " +
				anna + " own text=team",
			"chat server_time=2000 channel=tell client: " + anna + " own target: " + bob + " text=to Bob",
			"chat server_time=2000 channel=tell client: " + bob + " target: " + anna + " text=from Bob",
		}},
		{"names, teams and goings", func(g *eventGame) {
			g.send(false, g.snapshot(102, append(player06(0, 1, -1, "Anna"), player06(1, 0, 0, "Bobby")...)...))
			g.send(false, g.message("sv_chat", 0, -1, "'Bobby' has left the game (Kicked (rude))"),
				g.snapshot(104, player06(0, 1, -1, "Anna")...))
		}, []string{
			"team server_time=2040 client: client_num=0 name=Anna team=-1 own team=-1 old_team=0",
			"rename server_time=2040 client: client_num=1 name=Bobby team=0 old_name=Bob",
			"chat server_time=2080 channel=console text='Bobby' has left the game (Kicked (rude))",
			"disconnect server_time=2080 client: client_num=1 name=Bobby team=0 reason=Kicked (rude) kicked",
		}},
		{"a map that they come along to", func(g *eventGame) {
			g.send(false, g.message("map_change", "dm2", 1, 2))
			g.send(false, g.snapshot(2, player06(0, 1, 0, "Anna")...))
			g.send(false, g.snapshot(4, append(append([]eventItem{}, both...), player06(2, 0, 0, "Carl")...)...))
		}, []string{
			"map_start map=dm2", "enter server_time=40 client: " + anna + " own", "enter server_time=80 client: " + bob,
			"connect server_time=80 client: client_num=2 name=Carl team=0",
		}},
		{"flags", func(g *eventGame) {
			for i, flags := range [][2]int{{-2, -2}, {1, -2}, {-1, -2}, {0, -2}, {-2, -2}, {-2, 1}, {-2, -2}} {
				messages := [][]byte{g.snapshot(102+2*i, append([]eventItem{game(flags[0], flags[1])}, both...)...)}
				if i == 6 {
					messages = append([][]byte{g.message("sv_soundglobal", 39)}, messages...)
				}
				g.send(false, messages...)
			}
		}, []string{
			"flag server_time=2080 action=taken client: " + bob + " flag=red", "flag server_time=2120 action=dropped client: " +
				bob + " flag=red",
			"run server_time=2120 course=flag action=dropped client: " + bob + " flag=red run_time=40",
			"flag server_time=2160 action=taken client: " + anna + " own flag=red",
			"flag server_time=2200 action=returned flag=red",
			"run server_time=2200 course=flag action=returned client: " + anna + " own flag=red run_time=40 from_drop",
			"flag server_time=2240 action=taken client: " + bob + " flag=blue",
			"flag server_time=2280 action=captured client: " + bob + " flag=blue",
			"run server_time=2280 course=flag action=captured client: " + bob + " flag=blue run_time=40",
		}},
		{"votes", func(g *eventGame) {
			g.send(false, g.message("sv_chat", 0, -1, "'Bob' called vote to change server option 'x' (why)"),
				g.message("sv_voteset", 25, "x", "why"))
			g.send(false, g.message("sv_votestatus", 1, 0, 1, 2))
			g.send(false, g.message("sv_voteset", 0, "", ""), g.message("sv_chat", 0, -1, "Vote passed"))
		}, []string{
			"chat server_time=2000 channel=console text='Bob' called vote to change server option 'x' (why)",
			"vote server_time=2000 action=called client: " + bob + " text=x reason=why",
			"vote server_time=2000 action=cast text=x yes=1 no=0", "chat server_time=2000 channel=console text=Vote passed",
			"vote server_time=2000 action=passed text=x yes=1 no=0",
		}},
		{"rcon", func(g *eventGame) {
			g.send(true, g.message("rcon_auth", "anna", "right", 1))
			g.send(false, g.message("rcon_auth_status", 1, 1), g.message("rcon_auth_status", 0, 0))
		}, []string{
			"rcon server_time=2000 client: " + anna + " own user=anna password=********",
			"rcon_granted server_time=2000 client: " + anna + " own",
			"rcon_ended server_time=2000 client: " + anna + " own",
		}},
		{"races, in words and messages", func(g *eventGame) {
			g.send(false, g.message("sv_chat", 0, -1, "Bob finished in: 1 minute(s) 23.46 second(s)"),
				g.message("sv_race_finish", 1, 83456, 0, 0, 1))
			g.send(false, g.message("sv_ddrace_time", 500, 0, 1), g.message("sv_ddrace_time", 500, 10, 0))
			g.send(false, g.message("sv_chat", 0, -1, "Anna finished in: 0 minute(s)  5.00 second(s)"))
		}, []string{
			"chat server_time=2000 channel=console text=Bob finished in: 1 minute(s) 23.46 second(s)",
			"race_finish server_time=2000 client: " + bob + " finish_time=83456 finish_diff=0 record_server",
			"checkpoint server_time=2000 client: " + anna + " own checkpoint=1 race_time=5000 race_diff=100",
			"race_finish server_time=2000 client: " + anna + " own finish_time=5000",
			"run server_time=2000 course=race action=finished client: " + anna + " own run_time=5000 checkpoints=1",
			"chat server_time=2000 channel=console text=Anna finished in: 0 minute(s)  5.00 second(s)",
		}},
		{"a team that dies", func(g *eventGame) {
			g.send(false, g.message("sv_kill_msg_team", 3, 1))
		}, []string{"kill server_time=2000 victim: " + bob + " world killed_team=3"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := newEventGame(t, tables.DDNet)
			g.send(true, g.message("info", "0.6 626fce9a778df4d4", ""))
			g.send(false, g.message("map_change", "dm1", 1, 2))
			g.send(false, g.snapshot(100, both...))
			g.expect("connect_request own", "map_start map=dm1", "connect server_time=2000 client: "+anna+" own",
				"enter server_time=2000 client: "+bob+" in_progress")
			test.send(g)
			g.expect(test.want...)
		})
	}
}

// TestEventPasswords checks what --show-secrets shows.
func TestEventPasswords(t *testing.T) {
	for _, secrets := range []bool{false, true} {
		g := newEventGame(t, tables.V07)
		g.c = newConversation(dissect.Options{Events: true, Secrets: secrets})
		g.send(true, g.message("info", "0.7", "sesame", 1797))
		g.close(false, "Wrong password")
		g.send(true, g.message("rcon_auth", "sesame"))
		shown := "********"
		if secrets {
			shown = "sesame"
		}
		g.expect("connect_request own password="+shown, "connect_refused own text=Wrong password", "rcon own password="+shown)
	}
}

// TestKickWithoutMap lacks the server's MAP_CHANGE, like a capture with losses: the server's messages before
// the end of the connection show that the client was let in.
func TestKickWithoutMap(t *testing.T) {
	g := newEventGame(t, tables.V07)
	g.send(true, g.message("info", "0.7", "", 1797))
	g.send(false, g.message("sv_motd", "hello"))
	g.close(false, "Kicked (no reason given)")
	g.expect("connect_request own", "disconnect own reason=Kicked (no reason given) kicked")
}

// TestEventsOfOneSide returns the client's datagrams alone.
func TestEventsOfOneSide(t *testing.T) {
	g := newEventGame(t, tables.V07)
	g.send(true, g.message("info", "0.7", "", 1797))
	g.send(true, g.message("cl_say", 1, -1, "hi"), g.message("cl_say", 3, 4, "psst"))
	g.expect("connect_request own", "chat channel=say own text=hi", "chat channel=tell own target: client_num=4 text=psst")
}

// TestNoEvents has a conversation without the events option.
func TestNoEvents(t *testing.T) {
	g := newEventGame(t, tables.V07)
	g.c = newConversation(dissect.Options{})
	g.send(true, g.message("info", "0.7", "sesame", 1797))
	g.expect()
}
