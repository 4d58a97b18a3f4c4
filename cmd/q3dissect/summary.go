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
	records uint64 // printed
	shown   datagrams
	forced  []forced          // by rule of -d
	experts map[string]uint64 // by code

	_ [64]byte // workers count at the same time: a cache line for each
}

// datagrams counts those of a known protocol.
type datagrams struct{ game, messages, damaged uint64 }

// A forced counts the datagrams of a port that -d gives to a protocol.
type forced struct {
	datagrams
	clean uint64 // without expert entries
}

// seen counts a record that was selected, printed or not. rules are those of -d.
func (t *tally) seen(rec *dissect.Record, rules decodeAs) {
	if rec.Protocol == nil {
		return
	}
	t.shown.add(rec)
	for i, rule := range rules {
		if rec.Src.Port() != rule.Port && rec.Dst.Port() != rule.Port || rec.NoTree || rec.Recorded() {
			continue
		}
		if t.forced == nil {
			t.forced = make([]forced, len(rules))
		}
		t.forced[i].add(rec)
		if len(rec.Experts) == 0 {
			t.forced[i].clean++
		}
		return
	}
}

func (d *datagrams) add(rec *dissect.Record) {
	d.game++
	if rec.MessageDone {
		d.messages++
	}
	if rec.Damaged {
		d.damaged++
	}
}

// printed counts a record that is printed.
func (t *tally) printed(rec *dissect.Record) {
	t.records++
	for i := range rec.Experts {
		if t.experts == nil {
			t.experts = make(map[string]uint64)
		}
		t.experts[rec.Experts[i].Code]++
	}
}

// A total holds the counts of the closing summary, of all inputs together. With --frames they cover the
// packets that are selected, not those that were read to dissect them.
type total struct {
	datagrams
	captures   int // inputs that are captures
	recordings int // inputs that are recordings
	recorded   uint64
	packets    uint64
	unknown    uint64 // datagrams of no known protocol
	records    uint64 // printed
	filtered   bool   // -Y was given
	forgotten  uint64 // streams of which nothing is known any more
	leftOut    uint64 // game datagrams that were not dissected, as a filter decided without
	forced     []forced
	written    uint64 // packets, with -w
	rewritten  uint64 // datagrams, with --anonymize
	withheld   uint64 // datagrams that could not be anonymised
	dropped    uint64 // by the capturing side
	dropsKnown bool
	comments   uint64 // in pcapng
	incomplete uint64 // datagrams that lack IP fragments
	undecoded  map[string]uint64
	experts    map[string]uint64
}

func (t *total) addCapture(s *capture.Stats, packets uint64) {
	t.captures++
	t.packets += packets
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

// addEngine counts what an engine dissected. selected is the number of UDP datagrams and messages of recordings
// among the packets of --frames; all of them count where it is nil.
func (t *total) addEngine(s *dissect.Stats, tallies []tally, selected *uint64) {
	var shown datagrams
	t.leftOut += s.LeftOut
	t.forgotten += s.Forgotten
	for i := range tallies {
		w := &tallies[i]
		t.records += w.records
		t.experts = addCounts(t.experts, w.experts)
		shown.sum(w.shown)
		if t.forced == nil {
			t.forced = make([]forced, len(w.forced))
		}
		for i, f := range w.forced {
			t.forced[i].sum(f.datagrams)
			t.forced[i].clean += f.clean
		}
	}
	if selected != nil {
		t.sum(shown)
		t.unknown += *selected - shown.game
		return
	}
	t.sum(datagrams{s.Game, s.Messages, s.Damaged})
	t.unknown += s.Unknown
}

func (d *datagrams) sum(more datagrams) {
	d.game += more.game
	d.messages += more.messages
	d.damaged += more.damaged
}

// A selected counts the packets of --frames, or all.
type selected struct {
	packets   uint64 // of the present input
	datagrams uint64 // UDP datagrams and messages of recordings, of the present engine
}

// count counts a packet that was read.
func (s *selected) count(p *dissect.Packet, frames frameSet) {
	if !frames.contains(p.Frame) {
		return
	}
	s.packets++
	if p.UDP || p.Recorded() {
		s.datagrams++
	}
}

// of gives the number of datagrams where --frames selects, else nil.
func (s *selected) of(frames frameSet) *uint64 {
	if len(frames) == 0 {
		return nil
	}
	n := s.datagrams
	return &n
}

// doubt takes the datagrams of rules that fit none of their datagrams out of the counts, and says which.
func (t *total) doubt(rules decodeAs) (notes []string) {
	for i, f := range t.forced {
		if f.game == 0 || f.clean > 0 {
			continue
		}
		t.game -= f.game
		t.messages -= f.messages
		t.damaged -= f.damaged
		notes = append(notes, fmt.Sprintf("-d %s: %s, none without expert entries: the protocol may be another",
			ruleText(rules[i]), count(f.game, "datagram")))
	}
	return notes
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
func (t *total) print(p *program, rules decodeAs) {
	doubts := t.doubt(rules)
	switch {
	case t.captures > 0:
		line := fmt.Sprintf("%s: %s, %s, %d damaged, %d unknown", count(t.packets, "packet"),
			count(t.game-t.recorded, "game datagram"), count(t.messages, "message"), t.damaged, t.unknown)
		if t.dropsKnown {
			line += fmt.Sprintf(", %d dropped by the capturing kernel", t.dropped)
		}
		if t.filtered {
			line += fmt.Sprintf(", %d shown", t.records)
		}
		if t.written > 0 {
			line += fmt.Sprintf(", %d written", t.written)
		}
		p.complain(line)
	case t.recordings > 0:
		p.complain(fmt.Sprintf("%s: %s, %d damaged", count(uint64(t.recordings), "recording"), count(t.messages, "message"), t.damaged))
	default:
		return
	}
	if t.leftOut > 0 {
		p.complain(count(t.leftOut, "game datagram") + " of streams that cannot fit the filter, not dissected")
	}
	t.anonymized(p)
	if t.forgotten > 0 {
		p.complain(count(t.forgotten, "idle stream") + " forgotten for lack of memory (--memory)")
	}
	for _, d := range doubts {
		p.complain(d)
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
