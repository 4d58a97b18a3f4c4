package tables

import (
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables/netfields"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// eliteForceNative is the row of protocol 26 of Elite Force's newer engines. 26 is the number of Jedi Academy, whose
// packets never have a checksum.
const eliteForceNative = -26

// scrambledGenerations are the protocols of the engines before Huffman coding whose packets are known: 43 (Quake III
// 1.11 to 1.17) and 24 (Elite Force 1.2); and what the newer engines of Elite Force have in place of 24.
//
// Source: reference/quake3/proto43.md and proto24.md; ioQuake3-PS4, Lilium Arena Classic, Lilium Voyager, ioEF-cMod.
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
