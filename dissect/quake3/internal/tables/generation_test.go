package tables

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// TestGenerations compares the rules of each protocol with the engines' headers: MAX_MSGLEN, MAX_CONFIGSTRINGS and
// MAX_RELIABLE_COMMANDS in qcommon.h and q_shared.h of ioquake3, iortcw, ET: Legacy, jk2mv and OpenJK. The numbers of fields
// are those of the engines' tables, msg.c.
func TestGenerations(t *testing.T) {
	quake := Rules{Ops: &opsQuake3, MaxMessage: 16384, MaxConfigstrings: 1024, CommandWindow: 64, Counted: 68, Weapons: 32}
	rtcw := Rules{
		Ops: &opsQuake3, UserCommand: UserCommandKick, Arrays: ArraysGrouped, MaxMessage: 32768, MaxConfigstrings: 2048, CommandWindow: 256,
		Corpus: CorpusObjectives, Counted: 84, Weapons: 32,
	}
	et := Rules{
		Ops: &opsQuake3, UserCommand: UserCommandDoubleTap, Arrays: ArraysGrouped, EightBit: true, WebDownload: true, BinaryTail: true, Ciphered: true,
		MaxMessage: 32768, MaxConfigstrings: 1024, CommandWindow: 256, Corpus: CorpusObjectives, Counted: 84, Weapons: 64,
	}
	outcast := Rules{
		Ops: &opsJediOutcast, UserCommand: UserCommandForce, MaxMessage: 16384, MaxConfigstrings: 1400, CommandWindow: 128,
		Ciphered: true, Corpus: CorpusKeywords, Counted: 26, Weapons: 32,
	}
	academy := Rules{
		Ops: &opsJediAcademy, UserCommand: UserCommandForce, Arrays: ArraysWideWeapons, EightBit: true, SignedHash: true, RandomMap: true,
		Ciphered: true, MaxMessage: 49152, MaxConfigstrings: 2200, CommandWindow: 128, Corpus: CorpusKeywords, Counted: 26, Weapons: 32,
	}
	legacy, native := Generation{}, Generation{Native: true}
	raw43 := Generation{Coding: huffcodec.Raw, Old: true, MaskTail: 2, NoAcknowledge: true, CommandSequence: true}
	raw48 := Generation{Coding: huffcodec.Raw, Old: true, MaskTail: 3}
	voip := Generation{Native: true, Voip: true}
	for _, tt := range []struct {
		versions       []int
		rules          Rules
		generation     Generation
		entity, player int // fields
		label          string
	}{
		{[]int{43}, quake, raw43, 50, 45, ""},
		{[]int{48}, quake, raw48, 51, 48, ""},
		{[]int{66, 67, 68}, quake, legacy, 51, 48, ""},
		{[]int{71}, quake, voip, 51, 48, ""},
		{[]int{73}, quake, native, 53, 48, ""},
		{[]int{90}, quake, native, 55, 50, ""},
		{[]int{91}, quake, native, 58, 58, ""},
		{[]int{57, 58, 59, 60}, rtcw, legacy, 71, 77, "rtcw"},
		{[]int{61}, rtcw, voip, 71, 77, "rtcw"},
		{[]int{82, 83, 84, 284}, et, legacy, 71, 77, "et"},
		{[]int{15}, outcast, legacy, 73, 105, "jo"},
		{[]int{16, Outcast103}, outcast, legacy, 73, 108, "jo"},
		{[]int{25, 26}, academy, legacy, 132, 137, "jka"},
	} {
		for _, version := range tt.versions {
			g := GenerationOf(version)
			got := *g
			entity, player := len(got.Entity.Wire), len(got.Player.Wire)
			got.Entity, got.Player, got.Pilot, got.Vehicle, got.Shared, got.ServerOps, got.Version = nil, nil, nil, nil, nil, nil, 0
			got.Rules, got.Game, got.Signs = nil, 0, nil
			if diff := cmp.Diff(tt.generation, got); diff != "" {
				t.Errorf("%d: (-want +got)\n%s", version, diff)
			}
			if *g.Rules != tt.rules {
				t.Errorf("%d: rules %+v, want %+v", version, *g.Rules, tt.rules)
			}
			number := version
			if version == Outcast103 { // on the wire it has the number of the version before
				number = 15
			}
			if g.Version != version || g.Number() != number || g.Label() != tt.label || entity != tt.entity || player != tt.player {
				t.Errorf("%d: version %d, number %d, %s, %d fields of entities, %d of players", version, g.Version, g.Number(), g.Label(), entity, player)
			}
			var more [3]int
			switch {
			case tt.label == "jka":
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
