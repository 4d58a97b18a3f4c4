// Package tables describes the messages and objects of every dialect: their fields, the names of
// their values, and their ids and UUIDs.
package tables

// A Dialect determines the format of packets and the tables. It is also the family for which names
// of values are looked up (Tree.Family).
type Dialect uint8

// The dialects.
const (
	Unknown Dialect = iota
	V07             // 0.7.1 and later, also spoken by DDNet servers and clients
	V06             // 0.6
	DDNet           // 0.6 with DDNet's extensions
	NumDialects
)

// String returns the name used in records, or "" for Unknown.
func (d Dialect) String() string { return [...]string{"", "0.7", "0.6", "ddnet"}[d] }

// Limits of packets, src/engine/shared/network.h of each game.
const (
	MaxPayload  = 1400 // NET_MAX_PACKETSIZE: no dialect's payload is longer, decompressed or not
	MaxSequence = 1024 // NET_MAX_SEQUENCE
)
