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
