package playtest

import "testing"

// TestRaceFinishes has the lines of DeFRaG that its demo tools quote.
func TestRaceFinishes(t *testing.T) {
	g := newTestGame(t).gamestate(map[int]string{
		0: `\gamename\defrag\mapname\run_cheez4\g_gametype\0\sv_hostname\lab`, 1: `\sv_serverid\7`, 544: `n\Rom\t\0`, 545: `n\^2Enter\t\0`,
	})
	g.frame(own(0)).forget()
	g.say("print \"Rom^7 reached the finish line in ^23:38:208^7\n\"").
		want("race_finish: Rom finished the race after 218.208")
	g.say("print \"^2Enter^7 reached the finish line in ^31:05:17:896 ^0(est.)\n\"").
		want("race_finish: Enter finished the race after 3917.896")
	g.say("print \"Time performed by ^2Enter^7 : ^331:432^7 (v1.91.23 beta)\n\"").
		want("race_finish: Enter finished the race after 31.432")
	s := game(t, 68, "baseq3", freeForAll).say().forget()
	s.say(`print "^1Bo^7b reached the finish line in 3:38:208"`).wantObjects("race_finish{client{client_num=1 name=^1Bo^7b team=2} own=true finish_time=218208}")
	// Two players of one name: which of them it is cannot be told.
	g.say(`cs 546 "n\^3Rom\t\0"`).forget().say("print \"Rom^7 reached the finish line in ^23:38:208^7\n\"").want("race_finish: Rom finished the race after 218.208")
	g.say("print \"Time performed by Chell ^s: 00:54:184\n\"").want("race_finish: Chell finished the race after 54.184")
	g.say("print \"Rom^7 reached the finish line in time\n\"", "print \"Time performed by nobody\n\"").want()
	g.say("chat \"Rom^7: ^2I reached the finish line in 3:38:208\"").
		want("chat: Rom: I reached the finish line in 3:38:208")
}

// timer is a snapshot of client 1 with DeFRaG's timer: the bits, and the clock in two halves.
func timer(bits uint16, clock int32) testState {
	s := own(0)
	s.stats = map[int]uint16{7: uint16(clock >> 16), 8: uint16(clock), 12: bits}
	return s
}

// TestRaceTimer: starts, starts over, and checkpoints of DeFRaG are bits of a stat that change; snapshots are 50 ms
// apart. The clock of the timer counts where it agrees with the snapshots.
func TestRaceTimer(t *testing.T) {
	start := func(mod string) *testGame {
		return newTestGame(t).gamestate(map[int]string{
			0: `\gamename\` + mod + `\mapname\run\g_gametype\0\sv_hostname\lab`, 1: `\sv_serverid\7`, 545: `n\Rom\t\0`,
		})
	}
	g := start("defrag").frame(timer(0, 0)).forget()
	g.frame(timer(2|4, 20)).want("race_start: Rom started at 10.080")
	g.frame(timer(2|4, 70)).want()
	g.frame(timer(2|4|16, 115)).want("checkpoint: Rom passes checkpoint 1 after 0:00.115")
	g.frame(timer(2|4, 1<<20)).want("checkpoint: Rom passes checkpoint 2 after 0:00.170")
	g.frame(timer(2, 0)).want("race_start: Rom started at 10.300")
	g.frame(timer(2|16, 0)).want("checkpoint: Rom passes checkpoint 1 after 0:00.050")
	g.frame(timer(8|16, 80)).want()
	g.frame(timer(8, 80)).want("checkpoint: Rom")
	watching := timer(8|4, 0)
	watching.player["pm_type"] = 2 // PM_SPECTATOR
	g.frame(watching).want()
	g = start("baseq3").frame(timer(0, 0)).forget()
	g.frame(timer(2|4, 20)).frame(timer(2|4|16, 70)).want()
}
