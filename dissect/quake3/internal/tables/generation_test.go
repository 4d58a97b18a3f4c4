package tables

import (
	"testing"

	"github.com/q3dissect/q3dissect/huffcodec"
)

// TestGenerations compares the rules of each protocol with the engines' headers: MAX_MSGLEN, MAX_CONFIGSTRINGS and
// MAX_RELIABLE_COMMANDS in qcommon.h and q_shared.h of ioquake3, iortcw, ET: Legacy, jk2mv and OpenJK. The numbers of fields
// are those of the engines' tables, msg.c.
func TestGenerations(t *testing.T) {
	quake := Generation{Game: Quake3, Coding: huffcodec.Static, MaxMessage: 16384, MaxConfigstrings: 1024, CommandWindow: 64}
	rtcw := Generation{Game: RTCW, Coding: huffcodec.Static, UserCommand: UserCommandRTCW, Arrays: ArraysWolf, MaxMessage: 32768, MaxConfigstrings: 2048, CommandWindow: 256}
	et := Generation{
		Game: ET, Coding: huffcodec.Static, UserCommand: UserCommandET, Arrays: ArraysWolf, EightBit: true, WebDownload: true, BinaryTail: true,
		MaxMessage: 32768, MaxConfigstrings: 1024, CommandWindow: 256,
	}
	outcast := Generation{Game: JediOutcast, Coding: huffcodec.Static, UserCommand: UserCommandJedi, MaxMessage: 16384, MaxConfigstrings: 1400, CommandWindow: 128}
	academy := Generation{
		Game: JediAcademy, Coding: huffcodec.Static, UserCommand: UserCommandJedi, Arrays: ArraysJediAcademy, EightBit: true, SignedHash: true, RandomMap: true,
		MaxMessage: 49152, MaxConfigstrings: 2200, CommandWindow: 128,
	}
	with := func(g Generation, change func(*Generation)) Generation {
		change(&g)
		return g
	}
	raw43 := with(quake, func(g *Generation) {
		g.Coding, g.Old, g.MaskTail, g.NoAcknowledge, g.CommandSequence = huffcodec.Raw, true, 2, true, true
	})
	raw48 := with(quake, func(g *Generation) { g.Coding, g.Old, g.MaskTail = huffcodec.Raw, true, 3 })
	voip := func(g *Generation) { g.Voip = true }
	for _, tt := range []struct {
		versions       []int
		rules          Generation
		entity, player int // fields
		name           string
	}{
		{[]int{43}, raw43, 50, 45, "quake3"},
		{[]int{48}, raw48, 51, 48, "quake3"},
		{[]int{66, 67, 68}, quake, 51, 48, "quake3"},
		{[]int{71}, with(quake, voip), 51, 48, "quake3"},
		{[]int{73}, quake, 53, 48, "quake3"},
		{[]int{90}, quake, 55, 50, "quake3"},
		{[]int{91}, quake, 58, 58, "quake3"},
		{[]int{57, 58, 59, 60}, rtcw, 71, 77, "rtcw"},
		{[]int{61}, with(rtcw, voip), 71, 77, "rtcw"},
		{[]int{82, 83, 84, 284}, et, 71, 77, "et"},
		{[]int{15}, outcast, 73, 105, "jo"},
		{[]int{16, Outcast103}, outcast, 73, 108, "jo"},
		{[]int{25, 26}, academy, 132, 137, "jka"},
	} {
		for _, version := range tt.versions {
			g := GenerationOf(version)
			got := *g
			entity, player := len(got.Entity.Wire), len(got.Player.Wire)
			got.Entity, got.Player, got.Pilot, got.Vehicle, got.Shared, got.ServerOps, got.Version = nil, nil, nil, nil, nil, nil, 0
			if got != tt.rules {
				t.Errorf("%d: %+v, want %+v", version, got, tt.rules)
			}
			number := version
			if version == Outcast103 { // on the wire it has the number of the version before
				number = 15
			}
			if g.Version != version || g.Number() != number || g.Game.String() != tt.name || entity != tt.entity || player != tt.player {
				t.Errorf("%d: version %d, number %d, %s, %d fields of entities, %d of players", version, g.Version, g.Number(), g.Game, entity, player)
			}
			var more [3]int
			switch {
			case g.Game == JediAcademy:
				more = [3]int{140, 69, 0}
			case version == 284:
				more = [3]int{0, 0, 14}
			}
			if got := [3]int{rows(g.Pilot), rows(g.Vehicle), rows(g.Shared)}; got != more {
				t.Errorf("%d: %d fields of pilots, of vehicles, for TV servers, want %d", version, got, more)
			}
		}
	}
	for _, version := range []int{0, 1, 69, 72, 85, 1000} { // not known: the last of the game
		if g := GenerationOf(version); g.Version != 71 {
			t.Errorf("%d: %d", version, g.Version)
		}
	}
}

// rows counts the fields of a layout that a generation may have.
func rows(l *Layout) int {
	if l == nil {
		return 0
	}
	return len(l.Wire)
}
