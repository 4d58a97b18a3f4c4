package teeworlds

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// Flags of the game and of its state, datasrc/network.py of 0.7.
const (
	flagTeams, flagSurvival                                             = 1, 4
	stateWarmup, stateSudden, stateRoundOver, stateGameOver, statePause = 1, 2, 4, 8, 16
	stateCountdown                                                      = 32
)

// game07 is the state of the game: when it began, flags, when it ends.
func game07(start, flags, end int) eventItem {
	return eventItem{"gamedata", 0, []int{start, flags, end}}
}

func team07(red, blue int) eventItem { return eventItem{"gamedatateam", 0, []int{red, blue}} }

// scores07 are the scores of the players in the order of their numbers.
func scores07(scores ...int) (items []eventItem) {
	for i, score := range scores {
		items = append(items, eventItem{"playerinfo", i, []int{0, score, 50}})
	}
	return items
}

// play07 is session07 of another game, by its flags and limits, in a running match that began at tick 100.
func play07(t *testing.T, flags, scoreLimit, minutes int, first ...eventItem) *eventGame {
	g := session07(t)
	g.send(false, g.message("sv_gameinfo", flags, scoreLimit, minutes, 0, 1))
	g.send(false, g.snapshot(98, append([]eventItem{game07(0, stateWarmup, 0)}, first...)...))
	g.send(false, g.snapshot(102, append([]eventItem{game07(100, 0, 0)}, first...)...))
	g.events = nil
	return g
}

const (
	annaIs, bobIs = "client_num=0 name=Anna", "client_num=1 name=Bob"
	annaPlays     = annaIs + " team=0 "
	bobPlays      = bobIs + " team=1 "
)

func TestMatch07(t *testing.T) {
	for _, test := range []struct {
		name              string
		flags, limit, min int
		first             []eventItem
		send              func(g *eventGame)
		want              []string
	}{
		{"dm to the score limit", 0, 3, 0, scores07(0, 0), func(g *eventGame) {
			g.send(false, g.snapshot(200, append(scores07(0, 2), game07(100, 0, 0))...))
			g.send(false, g.snapshot(400, append(scores07(1, 3), game07(100, stateGameOver, 299))...))
			g.send(false, g.snapshot(402, append(scores07(1, 3), game07(100, stateGameOver, 299))...))
			g.send(false, g.snapshot(900, append(scores07(0, 0), game07(899, 0, 0))...))
		}, []string{
			"score server_time=4000 match=0 match_time=2000 score1=2 score2=0 team_game=false",
			"score server_time=8000 match=0 match_time=5980 score1=3 score2=1 team_game=false",
			"scoreboard server_time=8000 match=0 match_time=5980 scores=0 : " + bobPlays + "score=3 ping=50 : " +
				annaPlays + "score=1 ping=50",
			"match_end server_time=8000 match=0 match_time=5980 map=ctf1 gametype=0 start_time=2000 end_time=7980 " +
				"duration=5980 reason=scorelimit winner: " + bobIs +
				" scores=0 : " + bobIs + " score=3 : " + annaIs + " score=1 complete",
			"match_start server_time=18000 match=1 match_time=20 map=ctf1 gametype=0 start_time=17980 team_game=false " +
				"players=0 : " + annaPlays + ": " + bobPlays,
		}},
		{"tdm, a pause, sudden death", flagTeams, 0, 1, []eventItem{team07(0, 0)}, func(g *eventGame) {
			g.send(false, g.snapshot(1000, game07(100, statePause, 0), team07(1, 1)))
			g.send(false, g.snapshot(1500, game07(600, statePause, 0), team07(1, 1)))
			g.send(false, g.snapshot(3600, game07(600, stateSudden, 0), team07(1, 1)))
			g.send(false, g.snapshot(4000, game07(600, stateGameOver, 3399), team07(1, 2)))
		}, []string{
			"score server_time=20000 match=0 match_time=18000 score1=1 score2=1 team_game",
			"score server_time=80000 match=0 match_time=67980 score1=1 score2=2 team_game",
			"match_end server_time=80000 match=0 match_time=67980 map=ctf1 gametype=1 start_time=2000 end_time=79980 " +
				"duration=67980 reason=sudden_death winner: team=1" +
				" scores=0 : team=1 score=2 : team=0 score=1 complete",
		}},
		{"a draw at the time limit", flagTeams, 0, 1, []eventItem{team07(0, 0)}, func(g *eventGame) {
			g.send(false, g.snapshot(3100, game07(100, stateGameOver, 3000), team07(0, 0)))
		}, []string{
			"match_end server_time=62000 match=0 match_time=60000 map=ctf1 gametype=1 start_time=2000 end_time=62000 " +
				"duration=60000 reason=timelimit" +
				" scores=0 : team=0 score=0 : team=1 score=0 complete",
		}},
		{"restart, back to warm-up, countdown", flagTeams, 9, 0, []eventItem{team07(0, 0)}, func(g *eventGame) {
			g.send(false, g.snapshot(200, game07(100, 0, 0), team07(5, 0)))
			g.send(false, g.snapshot(202, game07(201, 0, 0), team07(0, 0)))
			g.send(false, g.snapshot(300, game07(201, stateWarmup, 400), team07(0, 0)))
			g.send(false, g.snapshot(402, game07(401, stateCountdown, 500), team07(0, 0)))
			g.send(false, g.snapshot(502, game07(500, 0, 0), team07(0, 0)))
		}, []string{
			"score server_time=4000 match=0 match_time=2000 score1=5 score2=0 team_game",
			"match_end server_time=4040 match=0 match_time=2000 map=ctf1 gametype=1 start_time=2000 end_time=4000 " +
				"duration=2000 reason=restart" +
				" scores=0 : team=0 score=5 : team=1 score=0 complete",
			"match_start server_time=4040 match=1 match_time=20 map=ctf1 gametype=1 start_time=4020 team_game players=0 : " +
				annaPlays + ": " + bobPlays,
			"match_end server_time=6000 match=1 match_time=20 map=ctf1 gametype=1 start_time=4020 end_time=4040 duration=20 " +
				"reason=aborted" +
				" scores=0 : team=0 score=0 : team=1 score=0 complete",
			"warmup server_time=6000 action=countdown starts_at=8000",
			"warmup server_time=8040 action=countdown starts_at=10000",
			"match_start server_time=10040 match=2 match_time=40 map=ctf1 gametype=1 start_time=10000 team_game players=0 : " +
				annaPlays + ": " + bobPlays,
		}},
		{"lts in rounds", flagTeams | flagSurvival, 2, 0, []eventItem{team07(0, 0)}, func(g *eventGame) {
			g.send(false, g.snapshot(600, game07(100, stateRoundOver, 499), team07(1, 0)))
			g.send(false, g.snapshot(852, game07(850, stateCountdown, 1000), team07(1, 0)))
			g.send(false, g.snapshot(1002, game07(1000, 0, 0), team07(1, 0)))
			g.send(false, g.snapshot(1200, game07(1000, stateGameOver, 199), team07(2, 0)))
		}, []string{
			"round_end server_time=12000 match=0 match_time=9980",
			"score server_time=12000 match=0 match_time=9980 score1=1 score2=0 team_game",
			"round_start server_time=20040 match=0 match_time=10020",
			"round_end server_time=24000 match=0 match_time=13960",
			"score server_time=24000 match=0 match_time=13960 score1=2 score2=0 team_game",
			"match_end server_time=24000 match=0 match_time=13960 map=ctf1 gametype=5 start_time=2000 end_time=23980 " +
				"duration=13960 reason=scorelimit winner: team=0" +
				" scores=0 : team=0 score=2 : team=1 score=0 complete",
		}},
		{"another map, and the client leaves", 0, 0, 0, scores07(1, 0), func(g *eventGame) {
			g.send(false, g.message("map_change", "ctf2", 1, 2, 8, 1384, make([]byte, 32)))
			g.send(false, g.info07(0, 1, 0, "Anna"), g.message("sv_gameinfo", 0, 0, 0, 0, 1),
				g.snapshot(2000, append(scores07(4), game07(1000, 0, 0))...))
			g.close(true, "")
		}, []string{
			"scoreboard server_time=2040 match=0 match_time=40 scores=0 : " + annaPlays + "score=1 ping=50 : " +
				bobPlays + "score=0 ping=50",
			"match_end server_time=2040 match=0 match_time=40 map=ctf1 gametype=0 start_time=2000 end_time=2040 duration=40 " +
				"reason=map_change scores=0 : " +
				annaIs + " score=1 : " + bobIs + " score=0 complete",
			"map_start map=ctf2", "enter server_time=40000 client: client_num=0 name=Anna team=0 own",
			"match_start server_time=40000 match=1 match_time=20000 map=ctf2 gametype=0 start_time=20000 in_progress " +
				"team_game=false players=0 : client_num=0 name=Anna team=0",
			"scoreboard server_time=40000 match=1 match_time=20000 scores=0 : " + annaPlays + "score=4 ping=50",
			"match_end server_time=40000 match=1 match_time=20000 map=ctf2 gametype=0 start_time=20000 end_time=40000 " +
				"duration=20000 reason=client_left scores=0 : " +
				annaIs + " score=4 complete=false",
			"disconnect client: client_num=0 name=Anna team=0 own",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := play07(t, test.flags, test.limit, test.min, test.first...)
			test.send(g)
			for i := range test.want {
				test.want[i] = squeeze(test.want[i])
			}
			for i := range g.events {
				g.events[i] = squeeze(g.events[i])
			}
			g.expect(test.want...)
		})
	}
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// info06 is GameInfo of 0.6.
func info06(flags, state, start, warmup, scoreLimit, minutes int) eventItem {
	return eventItem{"gameinfo", 0, []int{flags, state, start, warmup, scoreLimit, minutes, 0, 1}}
}

// scored06 is player06 with a score.
func scored06(id, local, score int, name string) []eventItem {
	items := player06(id, local, 0, name)
	items[0].ints[3] = score
	return items
}

func TestMatch06(t *testing.T) {
	const paused, over = 4, 1
	g := newEventGame(t, tables.V06)
	show := func(tick, anna, bob int, info eventItem) {
		g.send(false, g.snapshot(tick, append(append(scored06(0, 1, anna, "Anna"), scored06(1, 0, bob, "Bob")...), info)...))
	}
	g.send(true, g.message("info", "0.6 626fce9a778df4d4", ""))
	g.send(false, g.message("map_change", "dm1", 1, 2))
	show(10, 0, 0, info06(0, 0, 0, 500, 20, 1))
	show(510, 0, 0, info06(0, 0, 509, 0, 20, 1))
	show(1000, 3, 2, info06(0, 0, 509, 0, 20, 1))
	show(1500, 3, 2, info06(0, paused, 1009, 0, 20, 1))
	show(4010, 3, 4, info06(0, over, 1009, 0, 20, 1))
	show(4500, 3, 4, info06(0, over, 1009, 0, 20, 1))
	const players = " players=0 : client_num=0 name=Anna team=0 : client_num=1 name=Bob team=0"
	for i := range g.events {
		g.events[i] = squeeze(g.events[i])
	}
	g.expect("connect_request own", "map_start map=dm1",
		"connect server_time=200 client: client_num=0 name=Anna team=0 own",
		"warmup server_time=200 action=waiting",
		"enter server_time=200 client: client_num=1 name=Bob team=0 in_progress",
		"match_start server_time=10200 match=0 match_time=20 map=dm1 gametype=0 start_time=10180 team_game=false"+players,
		"score server_time=20000 match=0 match_time=9820 score1=3 score2=2 team_game=false",
		"score server_time=80200 match=0 match_time=60020 score1=4 score2=3 team_game=false",
		"scoreboard server_time=80200 match=0 match_time=60020 scores=0 : client_num=1 name=Bob team=0 score=4 ping=0 : "+
			"client_num=0 name=Anna team=0 score=3 ping=0",
		"match_end server_time=80200 match=0 match_time=60020 map=dm1 gametype=0 start_time=10180 end_time=80200 "+
			"duration=60020 reason=timelimit"+
			" winner: client_num=1 name=Bob scores=0 : client_num=1 name=Bob score=4 : client_num=0 name=Anna score=3 complete")
}

// TestRaceIsNoMatch shows the score of a player without a finish.
func TestRaceIsNoMatch(t *testing.T) {
	g := newEventGame(t, tables.DDNet)
	g.send(false, g.snapshot(100, append(scored06(0, 1, -9999, "Anna"), info06(0, 0, 0, 0, 0, 0))...))
	g.send(false, g.snapshot(200, append(scored06(0, 1, -83, "Anna"), info06(0, 0, 0, 0, 0, 0))...))
	g.expect("enter server_time=2000 client: client_num=0 name=Anna team=0 own in_progress")
}

// TestMatchGoesOn ends the input within a match.
func TestMatchGoesOn(t *testing.T) {
	g := play07(t, 0, 20, 0, scores07(2, 1)...)
	rec := dissect.NewRecord()
	if !g.c.events.End(rec) {
		t.Fatal("nothing is said at the end")
	}
	var got []string
	for e := range rec.Events.Top().Children() {
		for _, key := range []string{"event", "reason", "complete"} {
			got = append(got, e.Get(key).String())
		}
	}
	if diff := cmp.Diff([]string{"scoreboard", "", "", "match_end", "recording_end", "false"}, got); diff != "" {
		t.Error(diff)
	}
	if g.c.events.End(dissect.NewRecord()) {
		t.Error("it is said twice")
	}
}
