package recover

import (
	"math/rand/v2"
	"net/netip"
	"os"
	"strings"
	"testing"
)

// TestServers recovers the sessions of one server together, as they are in a capture, and each alone. Together no
// message less is read, and none is wrong. CUTS and ONLY are those of TestCuts, SHORT is how many frames are captured.
func TestServers(t *testing.T) {
	names := legacyCaptures
	cuts, short := setting("CUTS", 0), setting("SHORT", 0)
	usual := cuts == 0
	if usual { // a cut in which a session opens another
		names, cuts, short = []string{"jka-26-play-mid"}, 1, 400
	}
	var alone, together outcome
	for c, name := range names {
		if !strings.Contains(name, os.Getenv("ONLY")) {
			continue
		}
		rng := rand.New(rand.NewPCG(1, uint64(c)))
		sessions := loadSessions(t, name, name+".pcap")
		last := 0
		for _, s := range sessions {
			last = max(last, s.truth[len(s.truth)-1].Frame)
		}
		for range cuts {
			frame := setting("FROM", 1+rng.IntN(last))
			if usual {
				frame = 383
			}
			tryServers(t, name, frame, short, sessions, &alone, &together)
		}
	}
	t.Logf("alone: %v of %v, together: %v of %v", alone.right, alone.total, together.right, together.total)
	for sd := range 2 {
		if together.right[sd] < alone.right[sd] || usual && together.right[1] == alone.right[1] {
			t.Errorf("side %d: %d messages are read, alone %d", sd, together.right[sd], alone.right[sd])
		}
	}
}

// tryServers does so from one frame on.
func tryServers(t *testing.T, name string, frame, short int, sessions []*recorded, alone, together *outcome) {
	f := NewFinder().Limited(onlyInput{})
	f.credit.Store(1 << 40)
	var cut []*recorded
	var read []*Session
	var from, next, to []int
	end := 1 << 30
	if short > 0 {
		end = frame + short
	}
	for _, s := range sessions {
		at := s.since(frame)
		if s.native {
			continue
		}
		ses := f.NewSession(-1)
		if at == 0 { // its handshake is in the capture
			if s.truth[0].Frame < frame {
				continue
			}
			ses = f.NewSession(int(s.challenge))
		}
		ses.Join(f.Server(netip.AddrPortFrom(netip.IPv4Unspecified(), uint16(s.truth[0].Server))))
		stop := at
		for stop < len(s.messages) && s.truth[stop].Frame < end {
			stop++
		}
		cut, read = append(cut, s), append(read, ses)
		from, next, to = append(from, at), append(next, at), append(to, stop)
	}
	for {
		first := -1
		for i, s := range cut {
			if next[i] < to[i] && (first < 0 ||
				s.truth[next[i]].Frame < cut[first].truth[next[first]].Frame) {
				first = i
			}
		}
		if first < 0 {
			break
		}
		read[first].Add(cut[first].messages[next[first]])
		next[first]++
	}
	for i, s := range cut {
		read[i].Solve()
		if from[i] == 0 {
			continue
		}
		got, want := s.judge(read[i], from[i], to[i]), s.try(NewFinder(), from[i], to[i], -1, nil)
		alone.add(&want)
		together.add(&got)
		if got.wrong != [2]int{} || len(got.texts) > 0 {
			t.Errorf("%s/%d from frame %d: %v messages are wrong, %v", name, i, frame, got.wrong, got.texts)
		}
		if setting("MISSING", 0) != 0 && got.right != got.total {
			t.Logf("%s/%d from frame %d: %v of %v%s", name, i, frame, got.right, got.total, s.missing(&got, from[i], to[i]))
		}
		if got.right != want.right {
			t.Logf("%s/%d from frame %d: %v of %v, alone %v", name, i, frame, got.right, got.total, want.right)
		}
	}
}
