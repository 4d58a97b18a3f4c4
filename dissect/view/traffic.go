package view

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
)

// A flow counts datagrams one way.
type flow struct{ packets, bytes uint64 }

func (f *flow) add(rec *dissect.Record) {
	f.packets++
	f.bytes += uint64(rec.Length)
}

// A times is the first and last moment of something.
type times struct {
	first, last, base int64
	known             bool
}

func (t *times) add(rec *dissect.Record) {
	if !rec.HasTime {
		return
	}
	if !t.known {
		*t = times{rec.Time, rec.Time, rec.FirstTime, true}
	}
	t.first, t.last = min(t.first, rec.Time), max(t.last, rec.Time)
}

// start returns the first moment in seconds since the first packet of the input, duration the seconds to the
// last.
func (t *times) start() any    { return t.seconds(t.first - t.base) }
func (t *times) duration() any { return t.seconds(t.last - t.first) }

func (t *times) seconds(nsec int64) any {
	if !t.known {
		return nil
	}
	return float64(nsec) / 1e9
}

var (
	packetsColumn  = Column{Key: "packets", Type: "integer", Doc: "datagrams"}
	bytesColumn    = Column{Key: "bytes", Type: "integer", Unit: "bytes", Doc: "UDP payload"}
	startColumn    = Column{Key: "start", Type: "number", Unit: "s", Doc: "first datagram, since the first packet of the file"}
	durationColumn = Column{Key: "duration", Type: "number", Unit: "s", Doc: "from the first datagram to the last"}
	fileColumn     = Column{Key: "file", Type: "string", Doc: "name of the input, where there are several"}
	streamColumn   = Column{Key: "stream", Type: "integer", Doc: "number of the conversation"}
)

// orNil returns nil for an empty text.
func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// convKind is the statistic of conversations, like tshark's conv,udp: pairs of endpoints.
func convKind() Kind {
	return Kind{
		Name: "conv", Usage: "conv", Doc: "pairs of endpoints: datagrams and bytes each way",
		Columns: []Column{
			fileColumn,
			{Key: "a", Type: "string", Doc: "address of the client, or of whoever sent first where sides are not known"},
			{Key: "a_port", Type: "integer", Doc: "its port"},
			{Key: "b", Type: "string", Doc: "address of the other endpoint"},
			{Key: "b_port", Type: "integer", Doc: "its port"},
			{Key: "protocol", Type: "string", Doc: "protocol of the first datagram"},
			{Key: "packets_to_b", Type: "integer", Doc: "datagrams from a to b", Place: BelowLine},
			{Key: "bytes_to_b", Type: "integer", Unit: "bytes", Doc: "their UDP payload", Place: BelowLine},
			{Key: "packets_to_a", Type: "integer", Doc: "datagrams from b to a", Place: BelowLine},
			{Key: "bytes_to_a", Type: "integer", Unit: "bytes", Doc: "their UDP payload", Place: BelowLine},
			packetsColumn, bytesColumn, startColumn, durationColumn,
		},
		make: withoutArguments("conv", func(*Env) Statistic { return &conv{newTop[pairKey, pair](topKeys)} }),
	}
}

type pairKey struct {
	file      string
	low, high netip.AddrPort
}

type pair struct {
	protocol string
	a, b     netip.AddrPort
	toA, toB flow
	times
}

type conv struct{ pairs *top[pairKey, pair] }

func (s *conv) Add(rec *dissect.Record) {
	if !rec.UDP || !rec.Src.IsValid() {
		return
	}
	key := pairKey{rec.File, rec.Src, rec.Dst}
	if rec.Dst.Compare(rec.Src) < 0 {
		key.low, key.high = key.high, key.low
	}
	p := s.pairs.add(key, 1)
	if !p.a.IsValid() {
		p.a, p.b, p.protocol = rec.Src, rec.Dst, protocolOf(rec)
		if rec.Direction == dissect.ServerToClient {
			p.a, p.b = p.b, p.a
		}
	}
	if rec.Src == p.a {
		p.toB.add(rec)
	} else {
		p.toA.add(rec)
	}
	p.times.add(rec)
}

func protocolOf(rec *dissect.Record) string {
	if rec.Protocol == nil {
		return ""
	}
	return rec.Protocol.Name()
}

func (s *conv) Tables() []Table {
	t := Table{Name: "conv", Columns: convKind().Columns, Notes: s.pairs.notes("pairs")}
	for c := range s.pairs.inOrder() {
		p := &c.value
		t.Rows = append(t.Rows, []any{
			orNil(c.key.file), p.a.Addr().String(), int64(p.a.Port()), p.b.Addr().String(), int64(p.b.Port()), orNil(p.protocol),
			p.toB.packets, p.toB.bytes, p.toA.packets, p.toA.bytes, p.toA.packets + p.toB.packets, p.toA.bytes + p.toB.bytes,
			p.start(), p.duration(),
		})
	}
	return []Table{t}
}

// endpointsKind is the statistic of endpoints, like tshark's endpoints,udp.
func endpointsKind() Kind {
	return Kind{
		Name: "endpoints", Usage: "endpoints", Doc: "addresses with ports: datagrams and bytes sent and received",
		Columns: []Column{
			{Key: "address", Type: "string", Doc: "IP address"},
			{Key: "port", Type: "integer", Doc: "UDP port"},
			{Key: "role", Type: "string", Doc: "server or client, both where it was each"},
			packetsColumn, bytesColumn,
			{Key: "packets_sent", Type: "integer", Doc: "datagrams that it sent", Place: BelowLine},
			{Key: "bytes_sent", Type: "integer", Unit: "bytes", Doc: "their UDP payload", Place: BelowLine},
			{Key: "packets_received", Type: "integer", Doc: "datagrams sent to it", Place: BelowLine},
			{Key: "bytes_received", Type: "integer", Unit: "bytes", Doc: "their UDP payload", Place: BelowLine},
		},
		make: withoutArguments("endpoints", func(*Env) Statistic { return &ends{newTop[netip.AddrPort, endpoint](topKeys)} }),
	}
}

type endpoint struct {
	sent, received flow
	server, client bool
}

type ends struct {
	points *top[netip.AddrPort, endpoint]
}

func (s *ends) Add(rec *dissect.Record) {
	if !rec.UDP || !rec.Src.IsValid() {
		return
	}
	toServer, toClient := rec.Direction == dissect.ClientToServer, rec.Direction == dissect.ServerToClient
	src := s.points.add(rec.Src, 1)
	src.sent.add(rec)
	src.server, src.client = src.server || toClient, src.client || toServer
	dst := s.points.add(rec.Dst, 1)
	dst.received.add(rec)
	dst.server, dst.client = dst.server || toServer, dst.client || toClient
}

func (s *ends) Tables() []Table {
	t := Table{Name: "endpoints", Columns: endpointsKind().Columns, Notes: s.points.notes("endpoints")}
	for c := range s.points.inOrder() {
		p := &c.value
		var role any
		switch {
		case p.server && p.client:
			role = "both"
		case p.server:
			role = "server"
		case p.client:
			role = "client"
		}
		t.Rows = append(t.Rows, []any{
			c.key.Addr().String(), int64(c.key.Port()), role, p.sent.packets + p.received.packets, p.sent.bytes + p.received.bytes,
			p.sent.packets, p.sent.bytes, p.received.packets, p.received.bytes,
		})
	}
	return []Table{t}
}

// ioKind is the statistic over time, like tshark's io,stat.
func ioKind() Kind {
	return Kind{
		Name: "io", Usage: "io,SECONDS[,FILTER]...", Doc: "datagrams and bytes by intervals of time",
		Needs: Needs{Tree: true},
		Columns: []Column{
			startColumnOf("start of the interval, since the first packet of the file"),
			{Key: "end", Type: "number", Unit: "s", Doc: "end of the interval"},
			{Key: "filter", Type: "string", Doc: "the filter; absent for all records"},
			packetsColumn, bytesColumn,
		},
		make: newIO,
	}
}

func startColumnOf(doc string) Column {
	return Column{Key: "start", Type: "number", Unit: "s", Doc: doc}
}

// maxIntervals is the most intervals of the statistic io. Beyond that, two are joined to one.
const maxIntervals = 100_000

type ioStatistic struct {
	wanted, interval int64
	filters          []string // "" for all
	matches          []func(*dissect.Record) bool
	counts           [][]flow // by interval, then by filter
}

func newIO(args []string, env *Env) (Statistic, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("io needs the length of an interval, as in io,10")
	}
	interval, ok := seconds(args[0])
	if !ok {
		return nil, fmt.Errorf("io,%s: want a number of seconds", args[0])
	}
	s := &ioStatistic{wanted: interval, interval: interval}
	for _, text := range joinFilters(args[1:]) {
		match, err := env.Filter(text)
		if err != nil {
			return nil, err
		}
		s.filters, s.matches = append(s.filters, text), append(s.matches, match)
	}
	if len(s.filters) == 0 {
		s.filters, s.matches = []string{""}, []func(*dissect.Record) bool{func(*dissect.Record) bool { return true }}
	}
	return s, nil
}

// joinFilters rejoins the parts of filters that contain commas, in brackets and quotes.
func joinFilters(parts []string) []string {
	var filters []string
	open := false
	for _, p := range parts {
		if open {
			filters[len(filters)-1] += "," + p
		} else {
			filters = append(filters, p)
		}
		last := filters[len(filters)-1]
		open = strings.Count(last, "{") > strings.Count(last, "}") || strings.Count(last, "(") > strings.Count(last, ")") || strings.Count(last, `"`)%2 == 1
	}
	return filters
}

func (s *ioStatistic) Add(rec *dissect.Record) {
	if !rec.HasTime || rec.Time < rec.FirstTime {
		return
	}
	i := (rec.Time - rec.FirstTime) / s.interval
	for ; i >= maxIntervals; i /= 2 {
		s.halve()
	}
	for int64(len(s.counts)) <= i {
		s.counts = append(s.counts, make([]flow, len(s.filters)))
	}
	for f, match := range s.matches {
		if match(rec) {
			s.counts[i][f].add(rec)
		}
	}
}

// halve joins intervals in pairs.
func (s *ioStatistic) halve() {
	s.interval *= 2
	for i := 0; i < len(s.counts); i += 2 {
		merged := s.counts[i]
		if i+1 < len(s.counts) {
			for f, c := range s.counts[i+1] {
				merged[f].packets += c.packets
				merged[f].bytes += c.bytes
			}
		}
		s.counts[i/2] = merged
	}
	s.counts = slices.Clip(s.counts[:(len(s.counts)+1)/2])
}

func (s *ioStatistic) Tables() []Table {
	t := Table{Name: "io", Columns: ioKind().Columns}
	for i, counts := range s.counts {
		for f, c := range counts {
			start := float64(int64(i)*s.interval) / 1e9
			t.Rows = append(t.Rows, []any{start, float64(int64(i+1)*s.interval) / 1e9, orNil(s.filters[f]), c.packets, c.bytes})
		}
	}
	if s.interval != s.wanted {
		t.Notes = append(t.Notes, fmt.Sprintf("more than %d intervals: each is %g seconds long now", maxIntervals, float64(s.interval)/1e9))
	}
	return []Table{t}
}
