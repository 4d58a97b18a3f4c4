package recover

import (
	"cmp"
	"maps"
	"slices"
)

// A Feed is the part of a game's checksum feed that enciphers user commands.
type Feed struct {
	Low      uint16 // its low 16 bits
	Verified int    // turns of the player that confirm it
}

// Limits of the search for feeds.
const (
	maxFeeds   = 16  // games of a session that are searched in one go
	maxPoses   = 256 // directions that are compared, of each axis
	maxButtons = 64  // different buttons that are weighed
	minOther   = 3   // commands with buttons that a feed must agree with, and with a weapon
)

// findFeeds searches for the feeds of games that have none yet.
func (s *Session) findFeeds() {
	sizes := map[int32]int{}
	for _, c := range s.inputs.commands {
		sizes[c.serverID]++
	}
	ids := slices.SortedFunc(maps.Keys(sizes), cmp.Compare[int32])
	ids = slices.DeleteFunc(ids, func(id int32) bool {
		size := sizes[id] + len(s.inputs.views)
		_, known := s.keys.Feeds[id]
		if known || s.inputs.tried[id] == size {
			return true
		}
		s.inputs.tried[id] = size
		return false
	})
	for _, id := range ids[:min(len(ids), maxFeeds)] {
		if f, ok := s.inputs.feed(s.m, id); ok {
			s.keys.Feeds[id] = f
		}
	}
}

// feed finds the low bits of a game's checksum feed: those under which the moves, weapons and buttons are ones that
// players have, and the player turns as commanded. They must be ahead of all others by the evidence of a proof.
func (in *inputs) feed(m *model, serverID int32) (Feed, bool) {
	e := in.gather(m, serverID)
	if e.wideButtons && (e.pressed < minOther || e.armed < minOther) {
		return Feed{}, false
	}
	values, turns := e.weighAll()
	if slices.Max(turns) < fewTurns {
		clear(turns) // the player that is seen is another
	}
	best, first, second := uint16(0), int32(noValue), int32(noValue)
	for k, w := range values {
		if w += turns[k]; w > first {
			best, first, second = uint16(k), w, first
		} else {
			second = max(second, w)
		}
	}
	if first < proof || first-second < proof || !e.turnsBest(best) {
		return Feed{}, false
	}
	return Feed{best, turnsAgree(e.yaws, best)}, true
}

// weighAll weighs all low bits by everything but turns, and by turns those that are possible.
func (e *feedEvidence) weighAll() (values, turns []int32) {
	values, turns = make([]int32, 1<<16), make([]int32, 1<<16)
	e.weighLow()
	weights, buttons := newButtonWeights(), e.frequentButtons()
	for k := range values {
		if values[k] = e.low[k&0xff]; values[k] > noValue {
			values[k] += weights.weigh(uint16(k), buttons, e.buttons)
		}
		if values[k] > noValue/2 {
			values[k] += e.weighAnchors(uint16(k))
			turns[k] = e.weighTurns(uint16(k))
		}
	}
	return values, turns
}

// turnsBest reports whether no other value of one bit agrees better with the player's directions. If one does, it was
// taken for impossible, and the game has buttons or weapons that are not known here.
func (e *feedEvidence) turnsBest(k uint16) bool {
	w := e.weighTurns(k) + e.weighAnchors(k)
	for bit := range 16 {
		if other := k ^ 1<<bit; e.weighTurns(other)+e.weighAnchors(other) > max(w, 0) {
			return false
		}
	}
	return true
}

// turnsAgree counts the turns between two poses that are the same in the snapshots as in the commands.
func turnsAgree(list []pose, k uint16) (n int) {
	for i := range len(list) - 1 {
		if (list[i+1].commanded^k)-(list[i].commanded^k) == list[i+1].seen-list[i].seen {
			n++
		}
	}
	return n
}

// Feed returns the low 16 bits of a game's checksum feed.
func (s *Session) Feed(serverID int32) (low uint16, ok bool) {
	f, ok := s.keys.Feeds[serverID]
	return f.Low, ok
}

// SetFeed starts with a feed that was found before.
func (s *Session) SetFeed(serverID int32, f Feed) { s.keys.Feeds[serverID] = f }
