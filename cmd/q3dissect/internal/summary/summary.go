// Package summary counts what a run reads and prints, and prints the closing summary.
package summary

import (
	"slices"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/flags"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/engine"
)

// A Tally counts the records of one worker.
type Tally struct {
	records uint64 // printed
	shown   datagrams
	forced  []claimedDatagrams // by rule of -d
	experts map[string]uint64  // by code
	quoted  uint64             // datagrams that ICMP errors quote
	Meets   bool               // keep which protocols the records have
	met     Protocols

	_ [64]byte // workers count at the same time: a cache line for each
}

// Protocols are protocols, each once.
type Protocols []*dissect.Protocol

// Add adds a protocol, unless it is nil or there.
func (l *Protocols) Add(p *dissect.Protocol) {
	if p != nil && !slices.Contains(*l, p) {
		*l = append(*l, p)
	}
}

// datagrams counts those of a known protocol.
type datagrams struct{ Game, Messages, Damaged, Unsupported uint64 }

// claimedDatagrams counts the datagrams of a port that -d assigns to a protocol.
type claimedDatagrams struct {
	datagrams
	clean uint64 // without expert entries
}

// Seen counts a record that was selected, printed or not. rules are those of -d.
func (t *Tally) Seen(rec *dissect.Record, rules flags.DecodeAs) {
	if rec.Protocol == nil {
		return
	}
	if rec.Apart() {
		if rec.Quote != nil {
			t.quoted++
		}
		return
	}
	t.shown.add(rec)
	if t.Meets {
		t.met.Add(rec.Protocol)
		t.met.Add(rec.EventSource())
	}
	for i, rule := range rules {
		if !rule.Has(rec.Src.Port()) && !rule.Has(rec.Dst.Port()) || rec.NoTree || rec.Recorded() {
			continue
		}
		if t.forced == nil {
			t.forced = make([]claimedDatagrams, len(rules))
		}
		t.forced[i].add(rec)
		if len(rec.Experts) == 0 {
			t.forced[i].clean++
		}
		return
	}
}

func (d *datagrams) add(rec *dissect.Record) {
	d.Game++
	if rec.MessageDone {
		d.Messages++
	}
	if rec.Damaged {
		d.Damaged++
	}
	if rec.Unsupported {
		d.Unsupported++
	}
}

// Printed counts a record that is printed.
func (t *Tally) Printed(rec *dissect.Record) {
	t.records++
	for i := range rec.Experts {
		if t.experts == nil {
			t.experts = make(map[string]uint64)
		}
		t.experts[rec.Experts[i].Code]++
	}
}

// PrintedEvents counts a record with n printed events.
func (t *Tally) PrintedEvents(rec *dissect.Record, n int) {
	t.Printed(rec)
	t.records += uint64(n) - 1
}

// A Total holds the counts of the closing summary, of all inputs together. With --frames they cover the
// selected packets, not those that were read to dissect them.
type Total struct {
	datagrams
	captures    int // inputs that are captures
	recordings  int // inputs that are recordings
	Recorded    uint64
	Packets     uint64
	Unknown     uint64 // datagrams of no known protocol
	Records     uint64 // printed; of the verb events, events
	Filtered    bool   // -Y was given
	Stopped     bool   // -c ended the reading
	Hidden      bool   // datagrams of no known protocol are not shown
	forgotten   uint64 // streams whose state was dropped
	uncollected uint64 // datagrams of streams that statistics had no memory for
	leftOut     uint64 // game datagrams that were not dissected because of a filter
	forced      []claimedDatagrams
	Written     uint64 // packets, with -w
	Unaddressed uint64 // records that -w cannot write because they have no addresses
	Removing    bool   // with --remove in place of --anonymize
	Rewritten   uint64 // datagrams, with --anonymize
	Withheld    uint64 // datagrams that could not be anonymised
	Replaced    uint64 // texts and data in those that could
	Cleared     uint64 // bytes of them that were left out
	dropped     uint64 // by the capturing side
	dropsKnown  bool
	comments    uint64 // in pcapng
	incomplete  uint64 // datagrams that lack IP fragments
	partial     uint64 // of these, the beginnings that were read
	wrongLength uint64 // datagrams with wrong lengths in the UDP header
	oddTimes    uint64 // packets whose time stamp has more than a second of fractions
	undecoded   map[string]uint64
	experts     map[string]uint64
	quoted      uint64    // datagrams that ICMP errors quote
	Met         Protocols // of the records, if there is a filter
}

// AddCapture adds a capture: what its reader counted, and its number of packets.
func (t *Total) AddCapture(s *capture.Stats, packets uint64) {
	t.captures++
	t.Packets += packets
	t.dropped += s.Dropped
	t.dropsKnown = t.dropsKnown || s.DroppedKnown
	t.comments += s.CommentCount
	t.incomplete += s.Incomplete
	t.partial += s.Partial
	t.wrongLength += s.WrongLength
	t.oddTimes += s.OddTimes
	t.undecoded = addCounts(t.undecoded, s.Undecoded)
}

// AddRecording counts a recording with a number of messages.
func (t *Total) AddRecording(messages uint64) {
	t.recordings++
	t.Recorded += messages
}

// AddEngine counts what an engine dissected. selected is the number of UDP datagrams and messages of recordings
// among the packets of --frames; nil: all of them count.
func (t *Total) AddEngine(s *engine.Stats, tallies []Tally, selected *uint64) {
	var shown datagrams
	t.leftOut += s.LeftOut
	t.forgotten += s.Forgotten
	t.uncollected += s.Uncollected
	quoted := uint64(0)
	for i := range tallies {
		w := &tallies[i]
		t.Records += w.records
		for _, p := range w.met {
			t.Met.Add(p)
		}
		t.experts = addCounts(t.experts, w.experts)
		quoted += w.quoted
		shown.sum(w.shown)
		t.addForced(w.forced)
	}
	if selected != nil {
		t.sum(shown)
		t.Unknown += *selected - shown.Game
		t.quoted += quoted
		return
	}
	t.sum(datagrams{s.Game, s.Messages, s.Damaged, s.Unsupported})
	t.Unknown += s.Unknown
	t.quoted += s.Quoted
}

// addForced adds the datagrams of the rules of -d.
func (t *Total) addForced(more []claimedDatagrams) {
	if len(t.forced) < len(more) {
		t.forced = make([]claimedDatagrams, len(more))
	}
	for i, f := range more {
		t.forced[i].sum(f.datagrams)
		t.forced[i].clean += f.clean
	}
}

func (d *datagrams) sum(more datagrams) {
	d.Game += more.Game
	d.Messages += more.Messages
	d.Damaged += more.Damaged
	d.Unsupported += more.Unsupported
}

// A Selected counts the packets of --frames, or all.
type Selected struct {
	Packets   uint64 // of the present input
	datagrams uint64 // UDP datagrams and messages of recordings, of the present engine
}

// Count counts a packet that was read.
func (s *Selected) Count(p *dissect.Packet, frames flags.Frames) {
	if !frames.Contains(p.Number()) || p.Partial {
		return
	}
	s.Packets++
	if p.UDP || p.Recorded() {
		s.datagrams++
	}
}

// Datagrams returns the number of datagrams if --frames selects, else nil.
func (s *Selected) Datagrams(frames flags.Frames) *uint64 {
	if len(frames) == 0 {
		return nil
	}
	n := s.datagrams
	return &n
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

// Interrupted ends the counts of a run that a signal stopped. If that was before the first packet of the first input,
// the summary is that of an empty capture.
func (t *Total) Interrupted() {
	if t.captures+t.recordings == 0 {
		t.captures = 1
	}
}

// Add adds the counts of other inputs.
func (t *Total) Add(o *Total) {
	t.sum(o.datagrams)
	for _, p := range o.Met {
		t.Met.Add(p)
	}
	t.captures += o.captures
	t.recordings += o.recordings
	t.Recorded += o.Recorded
	t.Packets += o.Packets
	t.Unknown += o.Unknown
	t.Records += o.Records
	t.forgotten += o.forgotten
	t.uncollected += o.uncollected
	t.leftOut += o.leftOut
	t.addForced(o.forced)
	t.Written += o.Written
	t.Rewritten += o.Rewritten
	t.Withheld += o.Withheld
	t.Replaced += o.Replaced
	t.Cleared += o.Cleared
	t.dropped += o.dropped
	t.dropsKnown = t.dropsKnown || o.dropsKnown
	t.comments += o.comments
	t.incomplete += o.incomplete
	t.partial += o.partial
	t.wrongLength += o.wrongLength
	t.oddTimes += o.oddTimes
	t.undecoded = addCounts(t.undecoded, o.undecoded)
	t.experts = addCounts(t.experts, o.experts)
	t.quoted += o.quoted
}
