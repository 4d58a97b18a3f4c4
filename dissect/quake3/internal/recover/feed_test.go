package recover

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// TestFeedsOfFew reads parts of sessions whose keys are all known, and looks for their feeds: how many are found by how
// many snapshots. Nothing may be wrong. FEEDS sets how many parts of each session are read, TURNS how many snapshots in
// a hundred are left if not all.
func TestFeedsOfFew(t *testing.T) {
	f := NewFinder()
	parts := setting("FEEDS", 0)
	sizes := [...]int{50, 100, 200, 400, 600}
	var found, tried [len(sizes)]int
	for c, name := range legacyCaptures {
		if parts == 0 && c > 0 || !strings.Contains(name, os.Getenv("ONLY")) || strings.Contains(name, "ettv") ||
			strings.Contains(name, "jo-") {
			continue
		}
		rng := rand.New(rand.NewPCG(3, uint64(c)))
		var foundHere, triedHere [len(sizes)]int
		for _, s := range loadSessions(t, name, name+".pcap") {
			if s.native {
				continue
			}
			for k, size := range sizes {
				for range max(parts, 2) {
					at, n := s.part(rng, size)
					if n < size {
						continue
					}
					ses, end := s.known(f, at, size, func() bool { return rng.IntN(100) >= setting("TURNS", 100) })
					ses.findFeeds()
					tried[k]++
					triedHere[k]++
					if len(ses.keys.Feeds) > 0 {
						found[k]++
						foundHere[k]++
					}
					if n := s.wrongFeeds(ses, at, end); n > 0 {
						t.Errorf("%s from %d, %d snapshots: %d values of user commands are wrong under %v", name,
							at, size, n, ses.keys.Feeds)
					}
				}
			}
		}
		t.Logf("%s: %v of %v", name, foundHere, triedHere)
	}
	t.Logf("of %v snapshots: %v of %v", sizes, found, tried)
}

// part returns a random message of a session, and how many messages of the server follow it, at most as many as are
// wanted.
func (s *recorded) part(rng *rand.Rand, want int) (at, n int) {
	at = rng.IntN(len(s.messages))
	for i := at; i < len(s.messages) && n < want; i++ {
		if !s.messages[i].FromClient {
			n++
		}
	}
	return at, n
}

// known reads a session from a message on until so many messages of the server, with all keys given.
func (s *recorded) known(f *Finder, at, size int, skip func() bool) (ses *Session, end int) {
	ses = f.NewSession(int(s.challenge))
	for k, v := range tables.LegacyCandidates {
		if f.model(k).gen.Rules == s.m.gen.Rules {
			ses.SetVersion(v)
		}
	}
	var commands [2]map[int32]Command
	for sd := range commands {
		commands[sd] = map[int32]Command{}
		for n, text := range s.texts[sd] {
			commands[sd][n] = Command{Text: text, Whole: true, Read: true}
		}
	}
	ses.Set(int(s.challenge), true, commands)
	for end = at; end < len(s.messages) && size > 0; end++ {
		if !s.messages[end].FromClient {
			size--
			if skip() {
				continue
			}
		}
		if s.truth[end].OK {
			ses.Add(s.messages[end])
		}
	}
	return ses, end
}
