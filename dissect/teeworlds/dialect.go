package teeworlds

// A dialect says how packets are built and which tables hold. It is also the family that the names of
// numbers are looked up for (Tree.Family).
type dialect uint8

// The dialects.
const (
	dialectUnknown dialect = iota
	v07                    // 0.7.1 and later, also as DDNet servers and clients speak it
	v06                    // 0.6
	ddnet                  // 0.6 with DDNet's extensions
	numDialects
)

// String gives the word of the records, or "" for dialectUnknown.
func (d dialect) String() string { return [...]string{"", "0.7", "0.6", "ddnet"}[d] }

// Limits of packets, src/engine/shared/network.h of each game.
const (
	maxPayload  = 1400 // NET_MAX_PACKETSIZE: no dialect's payload is longer, decompressed or not
	maxSequence = 1024 // NET_MAX_SEQUENCE
)
