// Package tables has what the messages and objects of every dialect are made of: their fields, the names of their
// numbers, and which id or UUID stands for which.
package tables

// A Dialect says how packets are built and which tables hold. It is also the family that the names of
// numbers are looked up for (Tree.Family).
type Dialect uint8

// The dialects.
const (
	Unknown Dialect = iota
	V07             // 0.7.1 and later, also as DDNet servers and clients speak it
	V06             // 0.6
	DDNet           // 0.6 with DDNet's extensions
	NumDialects
)

// String returns the word of the records, or "" for Unknown.
func (d Dialect) String() string { return [...]string{"", "0.7", "0.6", "ddnet"}[d] }

// Limits of packets, src/engine/shared/network.h of each game.
const (
	MaxPayload  = 1400 // NET_MAX_PACKETSIZE: no dialect's payload is longer, decompressed or not
	MaxSequence = 1024 // NET_MAX_SEQUENCE
)
