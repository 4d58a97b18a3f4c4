// Package merge combines the events that several streams of a server show (Merge), and those of several recordings of
// one match (Join): each happening once, with who shows it.
package merge

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// A Merge combines the events of several clients of a server: each happening once, with the streams that show
// it. It takes the records of one goroutine, in their order.
//
// Events of different streams of a server are one happening if they agree (who, whom, how, what), are close in
// the game's time, and none of them is of a stream that has shown it already: two equal lines of chat stay two.
type Merge struct {
	// Render returns an event as text, and the index in the text where the streams are inserted, for Show.
	Render func(rec *dissect.Record, event int) (text []byte, at int)
	// Show appends a completed happening.
	Show func(dst []byte, h *Happening) []byte
	// ByAddress keeps the streams of a server with two addresses apart.
	ByAddress bool

	pending []*Happening
	streams map[sourceStream]*mergeStream
	matches map[string]bool       // starts of matches that were shown
	endings map[string]*Happening // match_end of streams that did not see the end, until another stream does
	servers servers
	newest  int64  // capture time in ms
	games   *games // for Join; nil: not wanted
}

// A Happening is an event as seen by all streams together.
type Happening struct {
	Text      []byte // of Merge.Render
	At        int
	Streams   []int // that show it, rising
	NotSeenBy []int // that should have shown it: it is sent to every client, and they showed others before and after
	Kind      string
	Info      string
	Time      int64 // of the game's clock, ms
	Timed     bool

	key     string
	server  string
	detail  *detail // for Join; nil: not wanted
	item    string  // of a pickup
	global  bool
	arrived int64
	own     bool
	cut     bool // the result of a match from a recording that did not see its end
}

// A mergeStream is the state of a stream.
type mergeStream struct {
	server      string
	first, last int64 // of the game's clock
	timed       bool
}

const (
	mergeWindow   = 10_000  // ms of capture time for which a happening waits for streams that show it late
	mergePending  = 100_000 // most happenings that wait
	mergeMatches  = 10_000  // most matches that are remembered
	usualMoment   = 2000    // ms of the game's clock by which streams may differ about a happening
	briefMoment   = 500     // the same for what can happen again soon
	loadingMoment = 60_000  // the same for a map, which clients load at their own pace
)

// NewMerge returns an empty Merge.
func NewMerge() *Merge {
	return &Merge{
		streams: map[sourceStream]*mergeStream{}, matches: map[string]bool{}, endings: map[string]*Happening{},
	}
}

// Add reads the events of a record and appends the happenings that are complete. Their matches must have the numbers of
// matches.Numbers.
func (m *Merge) Add(dst []byte, rec *dissect.Record) []byte {
	if rec.HasTime {
		m.newest = max(m.newest, rec.Time/1e6)
	}
	source := rec.EventSource()
	if source == nil {
		return dst
	}
	nodes := rec.Events.Nodes
	for at := 0; at < len(nodes); at = int(nodes[at].End) {
		h := m.happening(rec, source, at)
		if h = m.place(rec, h); h != nil {
			m.pending = append(m.pending, h)
		}
	}
	for len(m.pending) > 0 && (m.newest-m.pending[0].arrived > mergeWindow || len(m.pending) > mergePending) {
		dst = m.show(dst, m.pending[0])
		m.pending = m.pending[1:]
	}
	return dst
}

// Flush appends the remaining happenings.
func (m *Merge) Flush(dst []byte) []byte {
	for _, key := range slices.Sorted(mapKeys(m.endings)) {
		m.pending = append(m.pending, m.endings[key])
	}
	m.endings = map[string]*Happening{}
	for _, h := range m.pending {
		dst = m.show(dst, h)
	}
	m.pending = nil
	return dst
}

func mapKeys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(key) {
				return
			}
		}
	}
}

// happening converts an event.
func (m *Merge) happening(rec *dissect.Record, source *dissect.Protocol, at int) *Happening {
	e := rec.Events.At(at)
	key := sourceStream{rec.File, rec.Stream}
	s := m.streams[key]
	if s == nil {
		s = &mergeStream{}
		m.streams[key] = s
	}
	h := &Happening{Kind: e.Get(dissect.EventKind.Key).String(), arrived: m.newest, Streams: []int{rec.Stream}}
	h.Info = string(source.AppendEvent(nil, &rec.Events, at))
	h.Text, h.At = m.Render(rec, at)
	h.own = e.Get("own").Bool()
	reason := e.Get("reason").String()
	h.cut = h.Kind == event.MatchEnd && (reason == event.ReasonClientLeft || reason == event.ReasonRecordingEnd)
	if t := e.Get(dissect.EventServerTime.Key); t.Exists() {
		h.Time, h.Timed = t.Int(), true
	}
	h.server = m.serverOf(rec, h, e)
	s.server = h.server
	h.key = h.server + "\x00" + rec.File + "\x00" + h.Kind + "\x00" + identity(h, e)
	if h.Timed {
		if !s.timed || h.Time < s.first {
			s.first = h.Time
		}
		s.last, s.timed = h.Time, true
	}
	if m.games != nil {
		isRecord := rec.Recorded() && rec.Direction == dissect.Undecidable // it is sent to nobody
		m.games.add(key, h, e, h.key[len(h.server)+1+len(rec.File)+1:], isRecord)
	}
	return h
}

// serverOf returns the name of the server of an event.
func (m *Merge) serverOf(rec *dissect.Record, h *Happening, e dissect.Value) string {
	at, ok := rec.Server()
	if !ok {
		return rec.File // a recording: nothing shows which others are of the same server
	}
	switch {
	case m.ByAddress:
	case h.Kind == event.MapStart:
		m.servers.begin(at, wiretext.String(e.Get("map").Bytes()))
	case h.Timed && rec.HasTime:
		before := m.servers.nameOf(at)
		if m.servers.note(at, h.Time, h.arrived) {
			m.renameServer(before, m.servers.nameOf(at))
		}
	}
	return m.servers.nameOf(at)
}

// identity returns the contents of an event that are the same in all streams.
func identity(h *Happening, e dissect.Value) string {
	switch h.Kind {
	case event.Connect, event.Enter, event.Disconnect:
		return whoKey(e.Get("client"))
	case event.MapStart:
		return e.Get("map").String()
	case event.MatchStart, event.MatchEnd:
		return e.Get("match").String()
	case event.Pickup:
		h.item, h.global = e.Get("item").String(), e.Get("global").Bool()
		return whoKey(e.Get("client")) + " " + h.item
	}
	var b strings.Builder
	for v := range e.Children() {
		switch key := v.Key(); key {
		case dissect.EventServerTime.Key, "match", "match_time", "own", "position", "starts_at", "location":
		case "distance", "seen_time", "speed", "top_speed", "frozen_time", "from", "by", "inferred", "checkpoints":
			// what a stream saw of it
		case "client", "killer", "victim", "target":
			b.WriteString(key + "=" + whoKey(v) + ";")
		default:
			b.WriteString(key + "=")
			flatten(&b, v)
			b.WriteByte(';')
		}
	}
	return b.String()
}

// whoKey distinguishes players: by number, where there is one.
func whoKey(v dissect.Value) string {
	if n := v.Get("client_num"); n.Exists() {
		return n.String()
	}
	if n := v.Get("client_id"); n.Exists() {
		return n.String()
	}
	return v.Get("name").String()
}

func flatten(b *strings.Builder, v dissect.Value) {
	b.WriteString(v.String())
	for c := range v.Children() {
		if k := c.Key(); k == "guid" || k == "position" || k == "ping" {
			continue
		}
		b.WriteByte(',')
		flatten(b, c)
	}
}

// moment returns how far apart streams may show a happening.
func (h *Happening) moment() int64 {
	switch h.Kind {
	case event.Pickup, event.Kill, event.Flag, event.Freeze, event.Teleport, event.Contact:
		return briefMoment
	case event.MapStart:
		return loadingMoment
	}
	return usualMoment
}

// place finds the happening that a stream's event belongs to, and adds the stream. It returns h if the
// happening is new.
func (m *Merge) place(rec *dissect.Record, h *Happening) *Happening {
	if rec.Stream < 0 || h.server == "" || h.server == rec.File {
		return h
	}
	switch h.Kind {
	case event.MatchStart:
		if m.matches[h.key] {
			m.join(h)
			return nil
		}
		if len(m.matches) < mergeMatches {
			m.matches[h.key] = true
		}
		return h
	case event.MatchEnd:
		return m.placeEnd(h)
	}
	if m.join(h) {
		return nil
	}
	return h
}

// placeEnd handles the result of a match: it comes from a stream that saw the end, or else from the last one.
func (m *Merge) placeEnd(h *Happening) *Happening {
	before := m.endings[h.key]
	switch {
	case h.cut:
		if before != nil {
			h.Streams = union(h.Streams, before.Streams)
		}
		m.endings[h.key] = h
		return nil
	case before != nil:
		h.Streams = union(h.Streams, before.Streams)
		delete(m.endings, h.key)
	}
	if m.join(h) {
		return nil
	}
	return h
}

func union(a, b []int) []int {
	list := slices.Concat(a, b)
	slices.Sort(list)
	return slices.Compact(list)
}

// join adds the stream of h to the nearest happening with the same contents.
func (m *Merge) join(h *Happening) bool {
	var best *Happening
	var distance int64
	stream := h.Streams[0]
	for i := len(m.pending) - 1; i >= 0; i-- {
		p := m.pending[i]
		if p.arrived < h.arrived-mergeWindow {
			break
		}
		if p.server != h.server || p.Kind != h.Kind || slices.Contains(p.Streams, stream) {
			continue
		}
		announced := h.Kind == event.Pickup && h.item == p.item && (h.global || p.global)
		if p.key != h.key && !announced {
			continue
		}
		d := h.arrived - p.arrived
		if h.Timed && p.Timed {
			d = h.Time - p.Time
		}
		if d = max(d, -d); d <= h.moment() && (best == nil || d < distance) {
			best, distance = p, d
		}
	}
	if best == nil {
		return false
	}
	best.Streams = union(best.Streams, h.Streams)
	if best.global && !h.global || h.own && !best.own {
		best.Text, best.At, best.Info, best.key, best.global, best.own = h.Text, h.At, h.Info, h.key, h.global, h.own
	}
	return true
}

// toAll are the kinds of events that are sent to every client.
var toAll = map[string]bool{
	event.Kill: true, event.Connect: true, event.Disconnect: true, event.Rename: true, event.Team: true, event.Score: true,
	event.Flag: true, event.Intermission: true, event.MapRestart: true,
}

// show finds the streams that should have shown a happening and did not, and appends it.
func (m *Merge) show(dst []byte, h *Happening) []byte {
	if h.Timed && toAll[h.Kind] {
		for key, s := range m.streams {
			if s.server == h.server && s.timed && s.first < h.Time && s.last > h.Time &&
				!slices.Contains(h.Streams, key.stream) {
				h.NotSeenBy = append(h.NotSeenBy, key.stream)
			}
		}
		slices.Sort(h.NotSeenBy)
	}
	return m.Show(dst, h)
}

// AppendText appends the happening as a line: the game's clock, the streams, the kind and the description. What does
// not fit a terminal of width characters continues in the next lines; 0: the line is whole.
func (h *Happening) AppendText(dst []byte, width int) []byte {
	return h.appendLine(dst, h.Streams, len("streams"), width)
}

// appendLine appends the happening as a line, with the numbers of the streams or recordings that show it in a column.
func (h *Happening) appendLine(dst []byte, shown []int, column, width int) []byte {
	clock := ""
	if h.Timed {
		clock = strconv.FormatFloat(float64(h.Time)/1000, 'f', 3, 64)
	}
	var numbers []string
	for _, n := range shown {
		numbers = append(numbers, strconv.Itoa(n))
	}
	head := leftPadded(clock, len("12345.678")) + "  " + padded(strings.Join(numbers, ","), column) + "  " +
		padded(h.Kind, len(event.ConnectRequest)) + "  "
	info := wiretext.Visible(h.Info)
	if width > 0 && info != "" {
		return wiretext.AppendWrapped(append(dst, head...), utf8.RuneCountInString(head), info, width)
	}
	return append(append(dst, strings.TrimRight(head+info, " ")...), '\n')
}

// MergeHeader is the line above those of AppendText.
const MergeHeader = "   server  streams  event            what happened\n"

// padded makes a text safe for a terminal and pads it to a width in characters.
func padded(s string, width int) string {
	s = wiretext.Visible(s)
	return s + strings.Repeat(" ", max(0, width-len([]rune(s))))
}

func leftPadded(s string, width int) string {
	return strings.Repeat(" ", max(0, width-len([]rune(s)))) + s
}

// A sourceStream is a stream of an input.
type sourceStream struct {
	file   string
	stream int
}
