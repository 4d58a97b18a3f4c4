package playtest

import "testing"

// TestUnknownMod: the players of a mod whose numbers are not known are those of the configstrings that have a name
// where the game's have one. Others are no players.
func TestUnknownMod(t *testing.T) {
	t.Parallel()
	s := newStage(t, 68)
	s.gamestate(map[int]string{
		0: `\gamename\no_such_mod\mapname\arena\g_gametype\0\sv_hostname\lab`, 1: `\sv_serverid\7`,
		543: `n\Nobody\t\0`, 544: `n\Anna\t\0`, 545: `model\sarge\n\^1Bo^7b\t\0`, 546: "models/weapons/n.md3",
		608: `n\Late\t\0`,
	}).want("map_start: arena on lab, 0, 2 players")
	s.say(`cs 546 "n\Carl\t\0"`).want("connect: Carl connected")
	s.say(`cs 544 "n\Eve\t\0"`).want("rename: Anna is now Eve")
	s.say(`cs 546 ""`).want("disconnect: Carl left")
	s.say(`cs 547 "sound/n.wav"`, `cs 548 ""`).want()
}
