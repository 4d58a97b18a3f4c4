package teehistorian

import "github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"

// playerFlags is the place of the player flags in an input. The server records those of a 0.7 client as 0.6's:
// CGameContext::OnClientPrepareInput in DDNet's src/game/server/gamecontext.cpp.
const playerFlags = 6

// InputSum is a sum over the values of an input, for parts.Input: without what the server changes before it records it.
// It is FNV-1a of 64 bits.
func InputSum(d tables.Dialect, values []int32) uint64 {
	const offset, prime = 0xcbf29ce484222325, 0x100000001b3
	sum := uint64(offset)
	for i, v := range values {
		if i == playerFlags && d == tables.V07 {
			continue
		}
		for shift := 0; shift < 32; shift += 8 {
			sum = (sum ^ uint64(byte(v>>shift))) * prime
		}
	}
	return sum | 1
}
