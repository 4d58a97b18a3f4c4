package recover

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
)

// TestMoreIsNotLess cuts sessions at several messages: what a later cut reads, an earlier one reads too. Each row had a
// cut that gave up: its first groups could not be read, and used up the budget of the session. With CUTS all captures
// are cut at so many messages; then what a later cut reads beyond an earlier one is printed.
func TestMoreIsNotLess(t *testing.T) {
	f := NewFinder()
	if cuts := setting("CUTS", 0); cuts > 0 {
		for c, name := range legacyCaptures {
			if !strings.Contains(name, os.Getenv("ONLY")) {
				continue
			}
			rng := rand.New(rand.NewPCG(2, uint64(c)))
			for n, s := range loadSessions(t, name, name+".pcap") {
				from := make([]int, cuts)
				for i := range from {
					from[i] = rng.IntN(len(s.messages))
				}
				s.lessFrom(t, f, fmt.Sprintf("%s/%d", name, n), from)
			}
		}
		return
	}
	for _, row := range []struct {
		name string
		from []int
	}{
		{"q3-68-ipfrag-mtu576", []int{182, 286, 308}},
		{"rtcw-60-61-play-mid", []int{547, 569}},
	}[:min(2, reference.Most(1))] {
		for _, s := range loadSessions(t, row.name, row.name+".pcap") {
			if less := s.lessFrom(t, f, row.name, row.from); less > 0 {
				t.Errorf("%s: %d messages come out of later cuts only", row.name, less)
			}
		}
	}
}

// lessFrom recovers a session from each of some messages on, and counts the messages that come out when it begins at
// one of them, but not when it begins at an earlier one.
func (s *recorded) lessFrom(t *testing.T, f *Finder, name string, from []int) (less int) {
	if s.native {
		return 0
	}
	slices.Sort(from)
	later := make([]bool, len(s.messages)) // they came out of a cut
	for _, at := range slices.Backward(from) {
		o := s.try(f, at, len(s.messages), -1, nil)
		if o.wrong != [2]int{} || len(o.texts) > 0 {
			t.Errorf("%s from message %d: %v messages are wrong, %v", name, at, o.wrong, o.texts)
		}
		read := make([]bool, len(s.messages))
		for _, i := range o.read {
			read[i] = true
		}
		lost := map[groupKey]int{}
		for i := at; i < len(s.messages); i++ {
			if later[i] && !read[i] {
				lost[groupKey{s.messages[i].FromClient, s.truth[i].RelAck}]++
				less++
			}
			later[i] = later[i] || read[i]
		}
		t.Logf("%s from message %d (frame %d): %v of %v, %.1fM steps, gave up %v, less: %v", name, at, s.truth[at].Frame,
			o.right, o.total, float64(o.steps)/(1<<20), o.keys.GaveUp, lost)
	}
	return less
}
