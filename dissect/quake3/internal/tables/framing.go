package tables

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables/netfields"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// eliteForceNative is the row of protocol 26 of Elite Force's newer engines. 26 is the number of Jedi Academy, whose
// packets never have a checksum.
const eliteForceNative = -26

// scrambledGenerations are the protocols of the engines before Huffman coding whose packets are known: 43 (Quake III
// 1.11 to 1.17) and 24 (Elite Force 1.2); and what the newer engines of Elite Force have in place of 24.
//
// Source: ioQuake3-PS4, Lilium Arena Classic, Lilium Voyager, ioEF-cMod.
func scrambledGenerations() []Generation {
	old := Generation{
		Version: 43, Rules: &rulesBeforeHuffman, Coding: huffcodec.Raw, Scrambled: true, Old: true, MaskTail: 2,
		NoAcknowledge: true, CommandSequence: true,
		Entity: EntityStructure.table(netfields.EntityFields43), Player: PlayerStructure.table(netfields.PlayerFields43),
		Presets: &netfields.PresetMasks43, Extension: "dm3",
	}
	force := old
	force.Version, force.Game, force.Presets, force.Extension = 24, FamilyEliteForce, &netfields.PresetMasks24, "efdemo"
	force.Entity = EntityStructure.table(netfields.EntityFields24)
	force.Player = PlayerStructure.table(netfields.PlayerFields24)
	return []Generation{old, force, {
		Version: eliteForceNative, Game: FamilyEliteForce, Rules: &rulesBeforeHuffman, Native: true,
		Entity: force.Entity, Player: force.Player, Extension: force.Extension,
		Signs: []Sign{{"com_gamename", "EliteForce"}, {"gamename", "EliteForce"}},
	}}
}

// ScrambledCandidates are the protocols whose packets are scrambled.
var ScrambledCandidates = [...]int{43, 24}

// BeginsScrambled reports whether a server's message of these protocols can begin with a byte.
func BeginsScrambled(op byte) bool {
	switch op {
	case SvcNop, SvcGamestate, SvcServerCommand, SvcDownload, SvcSnapshot:
		return true
	}
	return false
}

var rulesBeforeHuffman = func() Rules {
	r := rulesQuake3
	r.UserCommand = UserCommandUnkeyed
	return r
}()

// gameEliteForce is Star Trek Voyager: Elite Force. No public source has the meaning of its numbers.
var gameEliteForce = Game{Label: "ef"}

// A Framing is how the packets of a live session protect their messages.
type Framing uint8

// The framings.
const (
	FramingUnknown   Framing = iota // no public source describes it: nothing of a packet is read
	FramingCiphered                 // messages are enciphered with the challenge and reliable commands
	FramingChecksum                 // packets have a checksum of the challenge
	FramingScrambled                // each packet is scrambled by itself
)

// FramingOf returns the framing of a protocol number that a session agreed on. Only numbers of a row have one: other
// engines use the family's words with numbers, and packets, of their own.
func FramingOf(version int) Framing {
	switch {
	case !HasRow(version) || GenerationOf(version).Recorded:
		return FramingUnknown
	case GenerationOf(version).Scrambled:
		return FramingScrambled
	case IsNative(version):
		return FramingChecksum
	}
	return FramingCiphered
}

// HasRow reports whether a protocol number is that of a row, also of one that only the sessions of a game have.
func HasRow(version int) bool {
	return version > 0 && slices.ContainsFunc(generations, func(g Generation) bool { return g.Number() == version })
}

// unreadGames name what is known of protocol numbers whose packets or messages no public source describes.
//
// Source: the manual of qstat and its qstat.cfg, the change notes of id Software and Lilium Voyager.
var unreadGames = map[int]string{
	3: "Nexuiz or Xonotic", 5: "Call of Duty", 22: "Elite Force before 1.2, or Warsow",
	45: "Quake III 1.17 or 1.25", 46: "a test version of Quake III 1.25 or 1.26",
	47: "a test version of Quake III 1.26", 48: "Quake III 1.27", 69: "Tremulous 1.1, or ioquake3 of 2011",
	73: "Quake Live", 75: "ZEQ2 Lite", 86: "Unvanquished", 90: "Quake Live", 91: "Quake Live", 118: "Call of Duty 2",
	2002: "Soldier of Fortune II", 2003: "Soldier of Fortune II", 2004: "Soldier of Fortune II",
}

// UnreadGame returns what is known of the game of a protocol number whose packets are not read; "" if nothing is.
func UnreadGame(version int) string { return unreadGames[version] }
