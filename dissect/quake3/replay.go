package quake3

import (
	"encoding/binary"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
)

// A replays window recognises messages of a client that were sent before under another number. A legacy message of a
// client can be deciphered whatever its number is, so being readable is no evidence for that.
type replays struct {
	ack    int32 // the newest server message that the client has acknowledged
	known  bool
	prints [recentPrints]uint64 // of the last messages with this acknowledgement
	count  int
}

// recentPrints is how many messages a client sends, at most, while it gets none.
const recentPrints = 8

// has reports whether a client has sent a message before: it acknowledges less than the client has acknowledged, or has
// the end of another.
func (r *replays) has(ack int32, body []byte) bool {
	switch {
	case !r.known || ack > r.ack:
		return false
	case ack < r.ack:
		return true
	}
	return slices.Contains(r.prints[:min(r.count, recentPrints)], printOf(body))
}

// add records a message that could be read.
func (r *replays) add(ack int32, body []byte) {
	if r.known && ack < r.ack {
		return
	}
	if !r.known || ack != r.ack {
		r.ack, r.known, r.count = ack, true, 0
	}
	r.prints[r.count%recentPrints] = printOf(body)
	r.count++
}

// printOf returns a number of a message's content.
func printOf(body []byte) uint64 {
	const odd = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	sum, n := uint64(len(body)), len(body)
	if n < 8 {
		for _, b := range body {
			sum = sum<<8 ^ uint64(b)
		}
		return sum
	}
	for i := 0; i+8 < n; i += 8 {
		sum = (sum ^ binary.LittleEndian.Uint64(body[i:])) * odd
	}
	return (sum ^ binary.LittleEndian.Uint64(body[n-8:])) * odd
}

// replays reports whether a message is one of before under another number.
func (c *conversation) replays(s *side, m *message) bool {
	if !m.fromClient || c.encoding != netchan.Legacy || m.cut > 0 {
		return false
	}
	return s.replays.has(m.prefix().messageAck, m.body) && s.arrivals.Ahead(m.header.Sequence)
}

// unsealed reports whether nothing of a server's message is enciphered, so that it can be read under any number.
func (c *conversation) unsealed(m *message) bool {
	return !m.fromClient && c.encoding == netchan.Legacy && len(m.body) <= netchan.ServerClearBytes
}
