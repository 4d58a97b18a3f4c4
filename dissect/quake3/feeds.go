package quake3

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// knownFeeds is how many games' checksum feeds are kept. Clients use the feed of the game before a map change
// for a few more messages.
const knownFeeds = 8

// A feedTable maps server ids to checksum feeds.
type feedTable struct {
	entries [knownFeeds]gameFeed
	next    int
}

// A gameFeed is the checksum feed of a game.
type gameFeed struct {
	id, feed  int32
	used      bool
	announced bool // by a gamestate, or as that of a game that is restarted
}

func (t *feedTable) put(id, feed int32, announced bool) {
	for i := range t.entries {
		if e := &t.entries[i]; e.used && e.id == id {
			e.feed, e.announced = feed, e.announced || announced
			return
		}
	}
	t.entries[t.next] = gameFeed{id, feed, true, announced}
	t.next = (t.next + 1) % knownFeeds
}

// announced reports whether the server announced a game with its feed.
func (t *feedTable) announced(id int32) bool {
	return slices.ContainsFunc(t.entries[:], func(e gameFeed) bool { return e.used && e.id == id && e.announced })
}

func (t *feedTable) get(id int32) (feed int32, ok bool) {
	for i := range t.entries {
		if e := &t.entries[i]; e.used && e.id == id {
			return e.feed, true
		}
	}
	return 0, false
}

// feedOfPureChecksums finds the checksum feed in a client's cp command, which has it XORed with the other
// values of the command: cp <server id> <cgame> <ui> @ <sum>... <feed ^ sums ^ their count>. SV_VerifyPaks_f in
// code/server/sv_client.c, FS_ReferencedPakPureChecksums in code/qcommon/files.c. Jedi Outcast and Academy
// leave out the server id, which is then the message's.
func feedOfPureChecksums(w *token.Words, ofMessage int32) (serverID, feed int32, ok bool) {
	firstSum := 5
	if serverID = ofMessage; string(w.At(3)) == "@" {
		firstSum = 4
	} else if serverID, ok = token.Atoi(w.At(1)); !ok {
		return 0, 0, false
	}
	last := w.Len() - 1
	if last < firstSum || string(w.At(firstSum-1)) != "@" {
		return 0, 0, false
	}
	feed, ok = token.Atoi(w.At(last))
	for i := firstSum; i < last && ok; i++ {
		var sum int32
		sum, ok = token.Atoi(w.At(i))
		feed ^= sum
	}
	return serverID, feed ^ int32(last-firstSum), ok
}
