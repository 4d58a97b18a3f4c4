package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/capture"
)

// A tally counts the records of one worker.
type tally struct {
	records uint64
	experts map[string]uint64 // by code

	_ [64]byte // workers count at the same time: a cache line for each
}

func (t *tally) add(rec *dissect.Record) {
	t.records++
	for i := range rec.Experts {
		if t.experts == nil {
			t.experts = make(map[string]uint64)
		}
		t.experts[rec.Experts[i].Code]++
	}
}

// A total is what the closing summary tells of all inputs together.
type total struct {
	captures   int // inputs that are captures
	recordings int // inputs that are recordings
	recorded   uint64
	packets    uint64
	game       uint64 // datagrams of a known protocol
	messages   uint64
	damaged    uint64
	unknown    uint64 // datagrams of no known protocol
	records    uint64 // printed
	dropped    uint64 // by the capturing side
	dropsKnown bool
	comments   uint64 // in pcapng
	incomplete uint64 // datagrams that lack IP fragments
	undecoded  map[string]uint64
	experts    map[string]uint64
}

func (t *total) addCapture(s *capture.Stats) {
	t.captures++
	t.packets += s.Packets
	t.dropped += s.Dropped
	t.dropsKnown = t.dropsKnown || s.DroppedKnown
	t.comments += s.CommentCount
	t.incomplete += s.Incomplete
	t.undecoded = addCounts(t.undecoded, s.Undecoded)
}

// addRecording counts a recording of so many messages.
func (t *total) addRecording(messages uint64) {
	t.recordings++
	t.recorded += messages
}

func (t *total) addEngine(s *dissect.Stats, tallies []tally) {
	t.game += s.Game
	t.messages += s.Messages
	t.damaged += s.Damaged
	t.unknown += s.Unknown
	for i := range tallies {
		t.records += tallies[i].records
		t.experts = addCounts(t.experts, tallies[i].experts)
	}
}

func addCounts(to, from map[string]uint64) map[string]uint64 {
	if to == nil && len(from) > 0 {
		to = make(map[string]uint64)
	}
	for name, n := range from {
		to[name] += n
	}
	return to
}

// print writes the closing summary to standard error: one line, and one more for everything that a
// good capture does not have.
func (t *total) print(p *program) {
	switch {
	case t.captures > 0:
		line := fmt.Sprintf("%s: %s, %s, %d damaged, %d unknown", count(t.packets, "packet"),
			count(t.game-t.recorded, "game datagram"), count(t.messages, "message"), t.damaged, t.unknown)
		if t.dropsKnown {
			line += fmt.Sprintf(", %d dropped by the capturing kernel", t.dropped)
		}
		p.complain(line)
	case t.recordings > 0:
		p.complain(fmt.Sprintf("%s: %s, %d damaged", count(uint64(t.recordings), "recording"), count(t.messages, "message"), t.damaged))
	default:
		return
	}
	if t.incomplete > 0 {
		p.complain(count(t.incomplete, "datagram") + " without all IP fragments, not dissected")
	}
	if len(t.undecoded) > 0 {
		p.complain("link layers that are not read, in packets: " + listCounts(t.undecoded))
	}
	if len(t.experts) > 0 {
		p.complain("expert entries: " + listCounts(t.experts))
	}
	if t.comments > 0 {
		p.complain(count(t.comments, "comment") + " in the capture")
	}
}

// count gives "1 packet", "2 packets".
func count(n uint64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// listCounts gives "12 key_unknown, 1 fragment_lost", the largest first.
func listCounts(counts map[string]uint64) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%d %s", counts[name], name)
	}
	return strings.Join(names, ", ")
}
