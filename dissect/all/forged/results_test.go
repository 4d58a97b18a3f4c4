package forged_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/view"
	"github.com/q3dissect/q3dissect/dissect/view/catalogue"
	"github.com/q3dissect/q3dissect/dissect/view/people"
)

// framesBetween is how many datagrams can be injected before a genuine one.
const framesBetween = 20

// results are what a capture shows, by the output: of the verbs events, catalogue and players, of the statistics match
// and loss, and of export demo.
type results map[string][]string

// newStatistic returns a statistic by its name.
func newStatistic(t *testing.T, name string) view.Statistic {
	t.Helper()
	kind, args, err := view.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := kind.New(args, &view.Env{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A transport carries what a game sends. Its own records are results too.
type transport struct{ ports []engine.DecodeAs }

// resultsOf dissects packets. What the records of forged ones show themselves is left out.
func resultsOf(t *testing.T, packets []dissect.Packet, of *transport) (r results, forged string) {
	t.Helper()
	r = results{}
	var ports []engine.DecodeAs
	if of != nil {
		ports = of.ports
	}
	c := catalogue.New()
	match, loss := newStatistic(t, "match"), newStatistic(t, "loss")
	_, _ = reftest.DissectPackets(t, packets, engine.Config{
		Protocols: forgedProtocols, Workers: 1, DecodeAs: ports,
		Options: dissect.Options{Events: true, Demos: &extract.DemoRange{}},
		Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
			c.Add(rec)
			match.Add(rec)
			loss.Add(rec)
			genuine := rec.Frame%framesBetween == 0
			if !genuine {
				forged = string(render.AppendJSON(nil, rec, render.JSON{}))
			}
			if genuine && of != nil {
				r["records"] = append(r["records"], string(render.AppendJSON(nil, rec, render.JSON{})))
			}
			if genuine || rec.Closing {
				r["events"] = append(r["events"], string(render.AppendEventsJSON(nil, rec, render.JSON{})))
			}
			if d := &rec.Demo; len(d.Data) > 0 || d.End || d.Begin != nil {
				r["demo"] = append(r["demo"], fmt.Sprintf("%v %v %v %d %x",
					genuine, d.Begin != nil, d.End, d.Session, sha256.Sum256(d.Data)))
			}
			return dst, nil
		},
	})
	for _, l := range c.Listings(catalogue.File{Name: "x.pcap"}) {
		r["catalogue"] = append(r["catalogue"], string(l.AppendJSON(nil)))
	}
	everybody := people.New()
	for _, cast := range c.Casts(catalogue.File{Name: "x.pcap"}) {
		everybody.Add(&cast)
	}
	for _, career := range everybody.List() {
		text, err := json.Marshal(career)
		if err != nil {
			t.Fatal(err)
		}
		r["players"] = append(r["players"], string(text))
	}
	for name, s := range map[string]view.Statistic{"match": match, "loss": loss} {
		for _, table := range s.Tables() {
			r[name] = append(r[name], strings.Split(string(table.AppendJSON(nil)), "\n")...)
		}
	}
	return r, forged
}

// forgedProtocols are of one run of the tests: they reuse the memory of conversations. It has no keys to find.
var forgedProtocols = all.Protocols()

// rowsThatDiffer returns how many rows of two results are not in both, and the first of them.
func rowsThatDiffer(want, got results) (n int, example string) {
	for name, list := range want {
		n += missing(name, list, got[name], &example)
	}
	for name, list := range got {
		n += missing(name, list, want[name], &example)
	}
	return n, example
}

func missing(name string, list, from []string, example *string) (n int) {
	if slices.Equal(list, from) {
		return 0
	}
	have := map[string]int{}
	for _, row := range from {
		have[row]++
	}
	for _, row := range list {
		if have[row]--; have[row] < 0 {
			if n++; *example == "" {
				*example = fmt.Sprintf("%s: %.300s", name, row)
			}
		}
	}
	return n
}

// A wordForgery is a datagram, and how often it is sent.
type wordForgery struct {
	family, kind string
	at, like     int
	payload      []byte
	copies       int
	genuine      bool // the receiver takes the packet itself, and nothing of it: it counts as one that came
}

var damagedOf = regexp.MustCompile(`,"damaged":\d+|"protocol":"(enet|directplay8|gamestudio)"`)

// withoutCounts returns results without how many packets came and how many of them are damaged.
func withoutCounts(r results) results {
	r = maps.Clone(r)
	delete(r, "loss")
	r["catalogue"] = slices.Clone(r["catalogue"])
	for i, row := range r["catalogue"] {
		r["catalogue"][i] = damagedOf.ReplaceAllString(row, "")
	}
	return r
}

// injectCopies returns the results with copies of a datagram.
func (s *session) injectCopies(t *testing.T, f *wordForgery) (results, string) {
	p := s.packets[f.like]
	p.Time, p.Payload, p.Length = s.packets[max(f.at-1, 0)].Time, f.payload, len(f.payload)
	packets := slices.Clone(s.packets[:f.at])
	for i := range f.copies {
		p.Frame = s.packets[f.at].Frame - framesBetween + 1 + uint64(i)
		packets = append(packets, p)
	}
	return s.results(t, append(packets, s.packets[f.at:]...))
}

// results are resultsOf packets, with records without what a forged datagram may change.
func (s *session) results(t *testing.T, packets []dissect.Packet) (results, string) {
	r, forged := resultsOf(t, packets, s.transport)
	for i, line := range r["records"] {
		r["records"][i] = s.withoutNotes(line)
	}
	return r, forged
}

// forgeWords injects every step-th word of a capture at three places. What the game's receiver would not act on changes
// no result.
func forgeWords(t *testing.T, name string, first, step int, words func(s *session, at int) []wordForgery) {
	t.Helper()
	forgeWordsAs(t, name, first, step, nil, words)
}

// forgeWordsAs is forgeWords of a capture of a transport; nil: of a game that has its own.
func forgeWordsAs(t *testing.T, name string, first, step int, of *transport,
	words func(s *session, at int) []wordForgery,
) {
	t.Helper()
	s := newSession(t, name)
	s.transport = of
	for i := range s.packets {
		s.packets[i].Frame = uint64(framesBetween * (i + 1))
	}
	want, _ := s.results(t, s.packets)
	var list []wordForgery
	for _, percent := range []int{5, 50, 95} {
		list = append(list, words(s, len(s.packets)*percent/100)...)
	}
	costs := map[string]*cost{}
	tried, hurt := 0, 0
	for i := first % step; i < len(list); i += step {
		f := &list[i]
		got, record := s.injectCopies(t, f)
		n, example := rowsThatDiffer(want, got)
		if f.genuine {
			n, example = rowsThatDiffer(withoutCounts(want), withoutCounts(got))
		}
		c := costs[f.family+" "+f.kind]
		if c == nil {
			c = &cost{}
			costs[f.family+" "+f.kind] = c
		}
		if f.genuine && strings.Contains(record, `"state":"ok"`) && !strings.Contains(record, `"malformed"`) {
			continue // noise that is a message, and is believed
		}
		if c.tried, tried = c.tried+1, tried+1; n > 0 {
			c.hurt, hurt = c.hurt+1, hurt+1
			c.lost = max(c.lost, n)
			t.Errorf("%d copies of %s before packet %d: %d rows differ: %s\n%.200s",
				f.copies, f.kind, f.at+1, n, example, record)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(costs)) {
		if c := costs[kind]; c.hurt > 0 {
			t.Logf("TABLE %-60s tried %3d, changed results %3d times, at worst %4d rows", kind, c.tried, c.hurt, c.lost)
		}
	}
	t.Logf("TOTAL %s rows %d, forgeries %d, changed results %d",
		filepath.Base(name), len(want["events"]), tried, hurt)
}

// wordStep is how many forgeries there are for each that is tried.
func wordStep(quick int) int {
	if n, err := strconv.Atoi(os.Getenv("Q3DISSECT_STEP")); err == nil {
		return n
	}
	if os.Getenv("Q3DISSECT_LONG") != "" {
		return 1
	}
	return quick
}
