package tables

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// TestGenerations compares the rules of each protocol with the engines' headers: MAX_MSGLEN, MAX_CONFIGSTRINGS and
// MAX_RELIABLE_COMMANDS in qcommon.h and q_shared.h of ioquake3, iortcw, ET: Legacy, jk2mv and OpenJK. The numbers of
// fields are those of the engines' tables, msg.c.
func TestGenerations(t *testing.T) {
	quake := Rules{Ops: &opsQuake3, MaxMessage: 16384, MaxConfigstrings: 1024, CommandWindow: 64, Counted: 68, Weapons: 32}
	rtcw := Rules{
		Ops: &opsQuake3, UserCommand: UserCommandKick, Arrays: ArraysGrouped, MaxMessage: 32768,
		MaxConfigstrings: 2048, CommandWindow: 256, Corpus: CorpusObjectives, Counted: 84, Weapons: 32,
	}
	et := Rules{
		Ops: &opsQuake3, UserCommand: UserCommandDoubleTap, Arrays: ArraysGrouped, Kept: token.KeptHigh, WebDownload: true,
		BinaryTail: true, Ciphered: true, MaxMessage: 32768, MaxConfigstrings: 1024, CommandWindow: 256,
		Corpus: CorpusObjectives, Counted: 84, Weapons: 64,
	}
	outcast := Rules{
		Ops: &opsJediOutcast, UserCommand: UserCommandForce, MaxMessage: 16384, MaxConfigstrings: 1400, CommandWindow: 128,
		Ciphered: true, Corpus: CorpusKeywords, Counted: 26, Weapons: 32,
	}
	academy := Rules{
		Ops: &opsJediAcademy, UserCommand: UserCommandForce, Arrays: ArraysWideWeapons, Kept: token.KeptHigh,
		SignedHash: true, RandomMap: true, Ciphered: true, MaxMessage: 49152, MaxConfigstrings: 2200, CommandWindow: 128,
		Corpus: CorpusKeywords, Counted: 26, Weapons: 32,
	}
	tremulous := Rules{
		Ops: &opsQuake3, Arrays: ArraysMisc, Kept: token.KeptPercent, MaxMessage: 16384,
		MaxConfigstrings: 1024, CommandWindow: 128, Counted: 68, Weapons: 32,
	}
	mohaa := Rules{
		Ops: &opsMOHAA, UserCommand: UserCommandButtons, Arrays: ArraysActive, SignedHash: true, Ciphered: true, Sided: true,
		Sounds: true, QuietRestart: true, MaxMessage: 49152, MaxConfigstrings: 2736, CommandWindow: 512,
		Counted: 68, Weapons: 32, Corpus: CorpusBattle, LongCommands: true,
	}
	legacy, recorded := Generation{}, Generation{Native: true, Recorded: true}
	raw43 := Generation{
		Coding: huffcodec.Raw, Old: true, MaskTail: 2, NoAcknowledge: true, CommandSequence: true, Scrambled: true,
		Extension: "dm3",
	}
	raw24 := raw43
	raw24.Extension = "efdemo"
	unkeyed := quake
	unkeyed.UserCommand = UserCommandUnkeyed
	raw48 := Generation{Coding: huffcodec.Raw, Old: true, MaskTail: 3, Recorded: true}
	voip := Generation{Native: true, Voip: true}
	spearhead := Generation{
		EntityBias: 1, FrameTime: true, CGame: CGameSpearhead, Scramble: &scrambleMOHAA, Unscramble: &unscrambleMOHAA,
	}
	for _, tt := range []struct {
		versions       []int
		rules          Rules
		generation     Generation
		entity, player int // fields
		label          string
	}{
		{[]int{43}, unkeyed, raw43, 50, 45, ""},
		{[]int{24}, unkeyed, raw24, 50, 48, "ef"},
		{[]int{-26}, unkeyed, Generation{Native: true, Extension: "efdemo"}, 50, 48, "ef"},
		{[]int{48}, quake, raw48, 51, 48, ""},
		{[]int{66, 67, 68}, quake, legacy, 51, 48, ""},
		{[]int{71}, quake, voip, 51, 48, ""},
		{[]int{73}, quake, recorded, 53, 48, ""},
		{[]int{90}, quake, recorded, 55, 50, ""},
		{[]int{91}, quake, recorded, 58, 58, ""},
		{[]int{57, 58, 59, 60}, rtcw, legacy, 71, 77, "rtcw"},
		{[]int{61}, rtcw, voip, 71, 77, "rtcw"},
		{[]int{82, 83, 84, 284}, et, legacy, 71, 77, "et"},
		{[]int{15}, outcast, legacy, 73, 105, "jo"},
		{[]int{16, Outcast103}, outcast, legacy, 73, 108, "jo"},
		{[]int{25, 26}, academy, legacy, 132, 137, "jka"},
		{[]int{-70}, tremulous, legacy, 52, 52, "tremulous"},
		{[]int{-71}, tremulous, voip, 52, 52, "tremulous"},
		{[]int{-72}, quake, voip, 51, 48, "wop"},
		{[]int{6}, mohaa, Generation{CGame: CGameAllied}, 142, 54, "mohaa"},
		{[]int{8}, mohaa, Generation{CGame: CGameAllied}, 146, 54, "mohaa"},
		{[]int{17, -16}, mohaa, spearhead, 146, 55, "mohaa"}, // and 15: TestGameOfInfo
	} {
		for _, version := range tt.versions {
			g := GenerationOf(version)
			got := *g
			entity, player := len(got.Entity.Wire), len(got.Player.Wire)
			got.Entity, got.Player, got.Pilot, got.Vehicle, got.Shared, got.ServerOps, got.Version = nil,
				nil, nil, nil, nil, nil, 0
			got.Rules, got.Game, got.Signs, got.Presets = nil, 0, nil, nil
			if diff := cmp.Diff(tt.generation, got); diff != "" {
				t.Errorf("%d: (-want +got)\n%s", version, diff)
			}
			if *g.Rules != tt.rules {
				t.Errorf("%d: rules %+v, want %+v", version, *g.Rules, tt.rules)
			}
			number := max(version, -version) // other rows have it too if the version is negative
			if g.Version != version || g.Number() != number || g.Label() != tt.label || entity != tt.entity ||
				player != tt.player {
				t.Errorf("%d: version %d, number %d, %s, %d fields of entities, %d of players", version, g.Version, g.Number(),
					g.Label(), entity, player)
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

// TestAddedFields has the places of fields that later versions of an engine added to tables: those that its code skips
// for peers of the version before (alternateProtocol 2 in src/qcommon/msg.cpp of darklegion/tremulous), and widths that
// it names there.
func TestAddedFields(t *testing.T) {
	g := GenerationOf(-71)
	for _, tt := range []struct {
		layout *Layout
		at     int
		name   string
		bits   int8
	}{
		{g.Entity, 13, "weaponAnim", 8},
		{g.Entity, 33, "generic1", 10},
		{g.Player, 15, "weaponAnim", 8},
		{g.Player, 20, "pm_flags", 24},
		{g.Player, 34, "ammo", 12},
		{g.Player, 35, "clips", 4},
		{g.Player, 36, "generic1", 10},
		{g.Player, 41, "tauntTimer", 12},
		{GenerationOf(-72).Entity, 17, "eFlags", 32},
		{GenerationOf(-72).Player, 22, "eFlags", 32},
	} {
		if f := tt.layout.Wire[tt.at]; f.Name != tt.name || f.Bits != tt.bits {
			t.Errorf("field %d: %s, %d bits, want %s, %d", tt.at, f.Name, f.Bits, tt.name, tt.bits)
		}
	}
}

// TestGameOfInfo recognises the games that have a protocol number of another one by what their servers announce. The
// versions are those that the engines' sources put together.
func TestGameOfInfo(t *testing.T) {
	for _, tt := range []struct {
		number  int
		info    string
		version int // of the row
	}{
		{71, `\version\tremulous 1.3.0-alpha.0.13 linux-x86_64 Jan  5 2016\protocol\71\gamename\base`, -71},
		{70, `\protocol\70\gamename\base\version\tremulous gpp1r2146-1 linux-i386 Dec  4 2009`, -70},
		{72, `\com_gamename\WorldofPadman\com_protocol\72\version\wop 1.7.0 linux-x86_64`, -72},
		{72, `\gamename\WorldofPadman\protocol\72`, -72}, // infoResponse
		{71, `\version\wop 1.6.2 linux-x86_64`, 71},
		{71, `\version\ioq3 1.36+u20221123 linux-x86_64 Jan  8 2023\gamename\baseoa\com_gamename\Quake3Arena`, 71},
		{72, `\version\ioq3 1.36 linux-x86_64`, 71}, // not known
		{69, `\version\tremulous 1.1.0 linux-i386 Mar 27 2006`, 71},
		{68, `\version\tremulous`, 68},
		{15, `\version\JK2MP: v1.03a win-x86 Sep  4 2002`, Outcast103},
		{15, `\version\JK2MP: v1.02a win-x86 Apr 25 2002`, 15},
		{15, `\protocol\15\version\Medal of Honor Allied Assault 2.15 linux-i386\mapname\obj/obj_team3`, -15},
		{16, `\version\Medal of Honor Allied Assault 2.15 linux-i386`, -16},
		{17, `\version\Medal of Honor Allied Assault 2.15 linux-i386`, 17},
		{8, `\version\Medal of Honor Allied Assault 1.11 linux-i386`, 8},
	} {
		g := GenerationOf(tt.number).Variant(tt.number, GameOfInfo([]byte(tt.info)))
		if g.Version != tt.version || (g.Label() == "mohaa") != strings.Contains(tt.info, "Medal") {
			t.Errorf("%d, %s: %d, want %d", tt.number, tt.info, g.Version, tt.version)
		}
	}
}
