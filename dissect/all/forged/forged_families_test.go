package forged_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// familyWords are the datagrams of each sample that show its family: those at the beginning of sessions.
var familyWords = map[string][]int{
	"quake3/68-connect-play.pcap":                  {1, 2, 3, 4},
	"quake3/jka-26-vehicle.pcap":                   {3},
	"teeworlds/07-made.pcap":                       {1, 2, 3},
	"teeworlds/ddnet-join.pcap":                    {1, 2},
	"gamestudio/libenet-plain.pcap":                {1, 2},
	"gamestudio/synthetic-enet10.pcap":             {1},
	"gamestudio/synthetic-enet12.pcap":             {1},
	"gamestudio/synthetic-photon.pcap":             {1},
	"gamestudio/synthetic-directplay8.pcap":        {1, 2, 3, 4},
	"gamestudio/synthetic-every-2002.pcap":         {1},
	"gamestudio/synthetic-directplay8-signed.pcap": {1, 2},
}

// familySessions are sessions of every family, by sample, from the beginning and from the middle, and the records that
// one word of another family costs at most.
var familySessions = map[string]int{
	"quake3/68-icmp.pcap":                          1,
	"quake3/71-voip.pcap":                          0,
	"quake3/mohaa-8.pcap":                          0,
	"teeworlds/ddnet-join.pcap":                    0,
	"teeworlds/07-made.pcap":                       0,
	"teeworlds/07-midsession.pcap":                 1,
	"gamestudio/libenet-plain.pcap":                0,
	"gamestudio/libenet-checksum.pcap":             0,
	"gamestudio/enet-godot3.pcap":                  0,
	"gamestudio/synthetic-enet10.pcap":             0,
	"gamestudio/synthetic-enet12.pcap":             0,
	"gamestudio/synthetic-photon.pcap":             0,
	"gamestudio/synthetic-directplay8.pcap":        1,
	"gamestudio/synthetic-directplay8-signed.pcap": 0,
	"gamestudio/synthetic-every-late.pcap":         1,
}

// familyOf names the family of a record's line.
func familyOf(line string) string {
	for _, family := range []string{"quake3", "teeworlds", "enet", "directplay8"} {
		if strings.Contains(line, `"`+family+`":{`) {
			return family
		}
	}
	return ""
}

// TestForgedFamilies injects words of each family into the sessions of the others, from both sides, before the session
// is recognised and after, in make long at more places. The session is read as without them.
func TestForgedFamilies(t *testing.T) {
	t.Parallel()
	type word struct {
		name, family string
		payload      []byte
	}
	var words []word
	for name, list := range familyWords {
		s := newSession(t, filepath.Join(root, "samples", filepath.FromSlash(name)))
		for _, i := range list {
			words = append(words, word{
				fmt.Sprintf("%s %d", filepath.Base(name), i), familyOf(s.records[i-1].line), s.packets[i-1].Payload,
			})
		}
	}
	places := func(packets int) []int {
		if os.Getenv("Q3DISSECT_LONG") == "" {
			return []int{0, packets / 2}
		}
		return []int{0, 1, 3, 6, packets / 2}
	}
	for name, allowed := range familySessions {
		t.Run(filepath.Base(name), func(t *testing.T) {
			s := newSession(t, filepath.Join(root, "samples", filepath.FromSlash(name)))
			last := s.before(len(s.records), func(int, *genuine) bool { return true })
			own, n, worst, tried := familyOf(s.records[last].line), len(s.packets), 0, 0
			for _, at := range places(n) {
				for _, like := range s.bothSides(at) {
					for _, w := range words {
						if w.family == own {
							continue
						}
						f := forgery{kind: w.name, at: at, like: like, payload: w.payload}
						_, lost, example := s.inject(t, &f)
						worst, tried = max(worst, lost), tried+1
						if lost > allowed {
							t.Errorf("%s before packet %d, like %d: %d records differ in content: %s", w.name, at+1, like+1, lost, example)
						}
					}
				}
			}
			t.Logf("TOTAL %5d records, words %4d, at worst %4d records in content", len(s.want), tried, worst)
		})
	}
}

// bothSides returns a packet after a place, and the next one of the opposite direction.
func (s *session) bothSides(at int) []int {
	for i := at; i < len(s.packets); i++ {
		if s.packets[i].Src == s.packets[at].Dst && s.packets[i].Dst == s.packets[at].Src {
			return []int{at, i}
		}
	}
	return []int{at}
}
