package view

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// bandwidthKind is the statistic of rates: by player, and by what is sent.
func bandwidthKind() Kind {
	return Kind{
		Name: "bandwidth", Usage: "bandwidth",
		Doc:     "kbit/s of each player up and down, mean and largest second; of messages, operations, fields",
		Needs:   Needs{Tree: true},
		Columns: bandwidthColumns().described(),
		make: withoutArguments("bandwidth", func(*Env) Statistic {
			return &bandwidth{
				streams: newTop[fileStream, sending](topKeys / 10), spans: map[fileStream]*span{},
				proto: proto{protocols: map[string]*protoCounts{}},
			}
		}),
	}
}

// A bandwidthRow is what is sent one way: by a player or to him, or of one kind of contents.
type bandwidthRow struct {
	by, name  string
	of        *fileStream // of a player
	direction dissect.Direction
	count     uint64
	bits, all uint64  // all: of the rows with the same by
	seconds   float64 // for the mean; 0: not known
	peak      *wayRate
	base      int64 // time of the first packet
}

func bandwidthColumns() columns[*bandwidthRow] {
	ofStream := func(value func(*bandwidthRow) any) func(*bandwidthRow) any {
		return func(r *bandwidthRow) any {
			if r.of == nil {
				return nil
			}
			return value(r)
		}
	}
	ofPeak := func(value func(*bandwidthRow) any) func(*bandwidthRow) any {
		return func(r *bandwidthRow) any {
			if r.peak == nil || !r.peak.timed {
				return nil
			}
			return value(r)
		}
	}
	return columns[*bandwidthRow]{
		{textColumn("by", "player: the datagrams of a stream; message, operation, field: the bits of these, as in the statistics proto and fields").at(InHeading), func(r *bandwidthRow) any { return r.by }},
		{textColumn("name", "the player's last name, or the path of the field"), func(r *bandwidthRow) any { return orNil(r.name) }},
		{fileColumn, ofStream(func(r *bandwidthRow) any { return orNil(r.of.file) })},
		{streamColumn, ofStream(func(r *bandwidthRow) any { return onlyIf(r.of.stream >= 0, int64(r.of.stream)) })},
		{textColumn("direction", "client_to_server is up; absent where that is not known, and of fields"), func(r *bandwidthRow) any { return orNil(r.direction.String()) }},
		{integerColumn("count", "datagrams of a player; messages, operations, fields"), func(r *bandwidthRow) any { return r.count }},
		{bytesColumnOf("bytes", "UDP payload of a player's datagrams, without the headers of IP and UDP; messages of a recording; of others their bits"), func(r *bandwidthRow) any { return (r.bits + 7) / 8 }},
		{numberColumn("rate", "kbit/s", "mean over the time from the first datagram to the last; of recordings by the server's clock"), func(r *bandwidthRow) any { return ratio(float64(r.bits)/1000, r.seconds, 2) }},
		{numberColumn("peak_rate", "kbit/s", "largest in a second of the capture, or of the server's clock"), ofPeak(func(r *bandwidthRow) any { return round(float64(r.peak.most)*8/1000, 2) })},
		{numberColumn("peak_start", "s", "when that second begins, since the first packet of the file; in recordings on the server's clock"), ofPeak(func(r *bandwidthRow) any { return float64(r.peak.mostAt) })},
		{Column{Key: "start_time", Type: "string", Place: InData, Doc: "the same as time of capture, RFC 3339, UTC"}, ofPeak(func(r *bandwidthRow) any { return onlyIf(!r.peak.recorded, dateOf(r.base+r.peak.mostAt*1e9)) })},
		{numberColumn("share", "%", "of all rows with the same by"), func(r *bandwidthRow) any { return ratio(float64(r.bits)*100, float64(r.all), 2) }},
	}
}

// A wayRate is what a stream carries one way, and the second with most of it.
type wayRate struct {
	flow
	timed    bool
	recorded bool  // seconds are the server's
	second   int64 // of the capture
	now      uint64
	most     uint64
	mostAt   int64
}

// add counts a record. clock is that of a recording, before whether it was set back.
func (w *wayRate) add(rec *dissect.Record, clock *gameClock, before bool) {
	w.flow.add(rec)
	var second int64
	switch {
	case rec.HasTime:
		second = (rec.Time - rec.FirstTime) / 1e9
	case clock.known:
		second, w.recorded = clock.now/1e3, true
	default:
		return
	}
	// Times of capture that go back stay in the present second.
	if !w.timed || second > w.second || before {
		w.second, w.now = second, 0
	}
	w.timed = true
	if w.now += uint64(rec.Length); w.now > w.most {
		w.most, w.mostAt = w.now, w.second
	}
}

// A gameClock is the server's clock in the messages of a recording, which have no time of capture.
type gameClock struct {
	now     int64 // in milliseconds
	known   bool
	elapsed int64 // as far as it went forward: a new map may set it back
}

// add takes the time of a message. before reports that the clock was set back.
func (c *gameClock) add(rec *dissect.Record) (before bool) {
	var t dissect.Transit
	if !rec.Recorded() || !rec.Transit(&t) || !t.HasTime {
		return false
	}
	if before = c.known && t.ServerTime < c.now; c.known && !before {
		c.elapsed += t.ServerTime - c.now
	}
	c.now, c.known = t.ServerTime, true
	return before
}

// A span is how long something lasts, by the time of capture or by the game's clock.
type span struct {
	times
	clock gameClock
}

func (s *span) add(rec *dissect.Record) (before bool) {
	s.times.add(rec)
	return s.clock.add(rec)
}

// length is in seconds.
func (s *span) length() float64 { return float64(s.last-s.first)/1e9 + float64(s.clock.elapsed)/1e3 }

// A sending is what is known of a stream.
type sending struct {
	span
	name string
	ways [dissect.ServerToClient + 1]wayRate
}

type bandwidth struct {
	streams *top[fileStream, sending]
	spans   map[fileStream]*span // by input, and of recordings by stream; bounded by the number of inputs
	proto   proto
	fields  fieldBits
	id      dissect.Introduction
}

func (s *bandwidth) Add(rec *dissect.Record) {
	if rec.Protocol == nil || rec.Length == 0 && len(rec.Tree.Nodes) == 0 {
		return
	}
	of := fileStream{rec.File, -1}
	if rec.Recorded() {
		of.stream = rec.Stream // with --continue there are several in one input
	}
	if s.spans[of] == nil {
		s.spans[of] = new(span)
	}
	s.spans[of].add(rec)
	s.proto.Add(rec)
	s.fields.Add(rec)
	if rec.Stream < 0 && !rec.Recorded() {
		return
	}
	stream := s.streams.add(fileStream{rec.File, rec.Stream}, uint64(rec.Length))
	before := stream.span.add(rec)
	stream.ways[rec.Direction].add(rec, &stream.clock, before)
	if rec.Introduction(&s.id) && len(s.id.Name) > 0 {
		stream.name = wiretext.String(s.id.Name)
	}
}

// mostFields is how many fields are listed: the statistic fields has all.
const mostFields = 40

func (s *bandwidth) Tables() []Table {
	var rows []*bandwidthRow
	for c := range s.streams.inOrder() {
		v, key := &c.value, c.key
		for d := range v.ways {
			if w := &v.ways[d]; w.packets > 0 {
				rows = append(rows, &bandwidthRow{
					by: "player", name: v.name, of: &key, direction: dissect.Direction(d), count: w.packets, bits: w.bytes * 8,
					seconds: v.length(), peak: w, base: v.base,
				})
			}
		}
	}
	seconds := 0.0
	for _, span := range s.spans {
		seconds += span.length()
	}
	rows = append(rows, s.contents(seconds)...)
	notes := s.streams.notes("streams")
	fields, more := s.ofFields(seconds)
	if rows = append(rows, fields...); more > 0 {
		notes = append(notes, fmt.Sprintf("%d fields with fewer bits: -z fields has all", more))
	}
	all := map[string]uint64{}
	for _, r := range rows {
		all[r.by] += r.bits
	}
	for _, r := range rows {
		r.all = all[r.by]
	}
	return []Table{bandwidthColumns().table("bandwidth", slices.Values(rows), notes)}
}

// contents returns the rows of messages and operations, those with most bits first.
func (s *bandwidth) contents(seconds float64) (rows []*bandwidthRow) {
	counts := map[protoKey]protoCount{}
	s.proto.fields.collect(counts)
	for key, c := range counts {
		rows = append(rows, &bandwidthRow{
			by: protoLevels[key.level], name: key.name, direction: key.direction, count: c.count, bits: c.bits, seconds: seconds,
		})
	}
	slices.SortFunc(rows, func(a, b *bandwidthRow) int {
		return cmp.Or(cmp.Compare(a.by, b.by), cmp.Compare(b.bits, a.bits), cmp.Compare(a.name, b.name),
			cmp.Compare(a.direction, b.direction))
	})
	return rows
}

// ofFields returns the rows of the fields with most bits, and how many others there are.
func (s *bandwidth) ofFields(seconds float64) (rows []*bandwidthRow, more int) {
	list := s.fields.rows()
	for _, f := range list[:min(len(list), mostFields)] {
		rows = append(rows, &bandwidthRow{by: "field", name: f.path, count: f.count, bits: f.bits, seconds: seconds})
	}
	return rows, len(list) - len(rows)
}
