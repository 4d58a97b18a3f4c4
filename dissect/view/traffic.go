package view

import (
	"net/netip"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/recordhead"
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

// startTime returns the first moment as a date.
func (t *times) startTime() any { return onlyIf(t.known, dateOf(t.first)) }

// dateOf returns a time of capture as RFC 3339.
func dateOf(nsec int64) string {
	return time.Unix(0, nsec).UTC().Format("2006-01-02T15:04:05.000000000Z")
}

func (t *times) seconds(nsec int64) any {
	if !t.known {
		return nil
	}
	return float64(nsec) / 1e9
}

// convKind is the statistic of conversations, like tshark's conv,udp: pairs of endpoints.
func convKind() Kind {
	return Kind{
		Name: "conv", Usage: "conv", Doc: "pairs of endpoints: datagrams and bytes each way",
		Needs:   Needs{Quotes: true},
		Columns: convColumns(true).described(),
		make: withoutArguments("conv", func(e *Env) Statistic {
			return &conv{pairs: newTop[pairKey, pair](topKeys), ids: e.CommunityID}
		}),
	}
}

type convRow = *counted[pairKey, pair]

// convColumns returns the columns, with the Community ID or without.
func convColumns(ids bool) columns[convRow] {
	list := columns[convRow]{
		{fileColumn, func(c convRow) any { return orNil(c.key.file) }},
		{textColumn("a", "address of the client, or of whoever sent first where sides are not known"), func(c convRow) any { return c.value.a.Addr().String() }},
		{integerColumn("a_port", "its port"), func(c convRow) any { return int64(c.value.a.Port()) }},
		{textColumn("b", "address of the other endpoint"), func(c convRow) any { return c.value.b.Addr().String() }},
		{integerColumn("b_port", "its port"), func(c convRow) any { return int64(c.value.b.Port()) }},
		{textColumn("protocol", "protocol of the first datagram"), func(c convRow) any { return orNil(c.value.protocol) }},
		{integerColumn("packets_to_b", "datagrams from a to b").at(BelowLine), func(c convRow) any { return c.value.toB.packets }},
		{bytesColumnOf("bytes_to_b", "their UDP payload").at(BelowLine), func(c convRow) any { return c.value.toB.bytes }},
		{integerColumn("packets_to_a", "datagrams from b to a").at(BelowLine), func(c convRow) any { return c.value.toA.packets }},
		{bytesColumnOf("bytes_to_a", "their UDP payload").at(BelowLine), func(c convRow) any { return c.value.toA.bytes }},
		{packetsColumn, func(c convRow) any { return c.value.toA.packets + c.value.toB.packets }},
		{bytesColumn, func(c convRow) any { return c.value.toA.bytes + c.value.toB.bytes }},
		{startColumn, func(c convRow) any { return c.value.start() }},
		{startTimeColumn, func(c convRow) any { return c.value.startTime() }},
		{durationColumn, func(c convRow) any { return c.value.duration() }},
	}
	if ids {
		list = append(list, columns[convRow]{{
			textColumn("community_id", "Community ID of the flow, with --community-id").at(BelowLine),
			func(c convRow) any { return recordhead.CommunityID(c.value.a, c.value.b) },
		}}...)
	}
	return append(list, refusalColumns(func(c convRow) *refusals { return &c.value.refusals })...)
}

type pairKey struct {
	file      string
	low, high netip.AddrPort
}

type pair struct {
	protocol string
	a, b     netip.AddrPort
	toA, toB flow
	refusals refusals
	times
}

type conv struct {
	pairs  *top[pairKey, pair]
	quotes bool // there was one
	ids    bool // their Community IDs are wanted
}

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
	if rec.Quote != nil {
		s.quotes = true
		p.refusals.add(rec.Quote)
		return
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
	return rec.Protocol.Name
}

func (s *conv) Tables() []Table {
	return []Table{convColumns(s.ids).withoutRefusals(s.quotes).table("conv", s.pairs.inOrder(), s.pairs.notes("pairs"))}
}

// endpointsKind is the statistic of endpoints, like tshark's endpoints,udp.
func endpointsKind() Kind {
	return Kind{
		Name: "endpoints", Usage: "endpoints", Doc: "addresses with ports: datagrams and bytes sent and received",
		Columns: endpointColumns().described(),
		make: withoutArguments("endpoints", func(*Env) Statistic {
			return &ends{newTop[netip.AddrPort,
				endpoint](topKeys)}
		}),
	}
}

type endpointRow = *counted[netip.AddrPort, endpoint]

func endpointColumns() columns[endpointRow] {
	return columns[endpointRow]{
		{textColumn("address", "IP address"), func(c endpointRow) any { return c.key.Addr().String() }},
		{integerColumn("port", "UDP port"), func(c endpointRow) any { return int64(c.key.Port()) }},
		{textColumn("role", "server or client, both where it was each"), func(c endpointRow) any { return c.value.role() }},
		{packetsColumn, func(c endpointRow) any { return c.value.sent.packets + c.value.received.packets }},
		{bytesColumn, func(c endpointRow) any { return c.value.sent.bytes + c.value.received.bytes }},
		{integerColumn("packets_sent", "datagrams that it sent").at(BelowLine), func(c endpointRow) any { return c.value.sent.packets }},
		{bytesColumnOf("bytes_sent", "their UDP payload").at(BelowLine), func(c endpointRow) any { return c.value.sent.bytes }},
		{integerColumn("packets_received", "datagrams sent to it").at(BelowLine), func(c endpointRow) any { return c.value.received.packets }},
		{bytesColumnOf("bytes_received", "their UDP payload").at(BelowLine), func(c endpointRow) any { return c.value.received.bytes }},
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
	return []Table{endpointColumns().table("endpoints", s.points.inOrder(), s.points.notes("endpoints"))}
}

// role returns which side of sessions the endpoint was.
func (p *endpoint) role() any {
	switch {
	case p.server && p.client:
		return "both"
	case p.server:
		return "server"
	case p.client:
		return "client"
	}
	return nil
}

// refusals counts datagrams by what ICMP errors report of them.
type refusals struct{ unreachable, timeExceeded, needsFragmentation uint64 }

func (r *refusals) add(q *dissect.Quote) {
	switch q.Kind() {
	case dissect.QuotedUnreachable:
		r.unreachable++
	case dissect.QuotedTimeExceeded:
		r.timeExceeded++
	case dissect.QuotedNeedsFragmentation:
		r.needsFragmentation++
	}
}

// refusalColumns are the columns of refusals. They come last: tables without refusals do not have them.
func refusalColumns[R any](of func(R) *refusals) columns[R] {
	count := func(n func(*refusals) uint64) func(R) any {
		return func(row R) any { return onlyIf(*of(row) != refusals{}, n(of(row))) }
	}
	return columns[R]{
		{
			integerColumn("unreachable", "ICMP errors that quote one of the datagrams: port, host or network unreachable, or "+
				"prohibited; the last three columns are absent without such errors").at(BelowLine),
			count(func(r *refusals) uint64 { return r.unreachable }),
		},
		{
			integerColumn("time_exceeded", "likewise: its time to live ended, or fragments of it are missing").at(BelowLine),
			count(func(r *refusals) uint64 { return r.timeExceeded }),
		},
		{
			integerColumn("needs_fragmentation", "likewise: it is too big for a link").at(BelowLine),
			count(func(r *refusals) uint64 { return r.needsFragmentation }),
		},
	}
}

// withoutRefusals returns the columns without those of refusals, unless there are any.
func (cs columns[R]) withoutRefusals(any bool) columns[R] {
	if any {
		return cs
	}
	return cs[:len(cs)-len(refusalColumns[R](nil))]
}
