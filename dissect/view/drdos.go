package view

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// drdosKind lists sources whose queries get much larger answers.
func drdosKind() Kind {
	return Kind{
		Name: "drdos", Usage: "drdos",
		Doc:     "queries outside of sessions by claimed source: what each is, and whether it floods",
		Needs:   Needs{Tree: true, Link: true, Quotes: true},
		Columns: drdosColumns().described(),
		make: withoutArguments("drdos", func(*Env) Statistic {
			return &drdos{
				sources: newTop[sourceKey, asker](topKeys), plays: map[sourceKey]play{},
				lists: map[listKey]bool{},
			}
		}),
	}
}

// A drdosRow is a source with what is said of it.
type drdosRow struct {
	*counted[sourceKey, asker]
	judgement
}

func drdosColumns() columns[drdosRow] {
	commands := listColumn("commands", "queries and how many of each", textColumn("command", "the query"),
		integerColumn("count", "how many")).at(BelowLine)
	line := valuesColumn("time_line", "integer",
		"queries in each part of the time from the first to the last, parts of the same length").at(BelowLine)
	verdicts := textColumn("verdict",
		"what the source is: reflection victim, forged, garbage, scanner, client, server list, game server or unclear")
	reasons := valuesColumn("reasons", "string", "why the verdict is that").at(BelowLine)
	return append(columns[drdosRow]{
		{textColumn("server", "endpoint of the server"), func(c drdosRow) any { return c.key.server.String() }},
		{textColumn("source", "address that the queries claim to come from"), func(c drdosRow) any { return c.key.source.String() }},
		{integerColumn("requests", "queries"), func(c drdosRow) any { return c.value.requests.packets }},
		{bytesColumnOf("request_bytes", "their UDP payload").at(BelowLine), func(c drdosRow) any { return c.value.requests.bytes }},
		{integerColumn("answers", "answers"), func(c drdosRow) any { return c.value.answers.packets }},
		{bytesColumnOf("answer_bytes", "their UDP payload").at(BelowLine), func(c drdosRow) any { return c.value.answers.bytes }},
		{numberColumn("amplification", "", "bytes of answers for each byte of queries").at(BelowLine), func(c drdosRow) any { return ratio(float64(c.value.answers.bytes), float64(c.value.requests.bytes), 2) }},
		{unitColumn("integer", "peak", "1/s", "most queries in one second"), func(c drdosRow) any { return c.value.peak }},
		{commands, func(c drdosRow) any { return commands.tally(c.value.commands) }},
		{integerColumn("ports", "different source ports, 32 at most").at(BelowLine), func(c drdosRow) any { return int64(len(c.value.ports)) }},
		{integerColumn("ttl_min", "least time to live of the queries").at(BelowLine), func(c drdosRow) any { return onlyIf(c.value.ttl.min > 0, int64(c.value.ttl.min)) }},
		{integerColumn("ttl_max", "largest: the same as the least where all come one way").at(BelowLine), func(c drdosRow) any { return onlyIf(c.value.ttl.min > 0, int64(c.value.ttl.max)) }},
		{startColumn.at(BelowLine), func(c drdosRow) any { return c.value.start() }},
		{startTimeColumn, func(c drdosRow) any { return c.value.startTime() }},
		{durationColumn.at(BelowLine), func(c drdosRow) any { return c.value.duration() }},
		{verdicts, func(c drdosRow) any { return string(c.verdict) }},
		{integerColumn("allowed", "queries that the engine's own rate limit lets through").at(BelowLine), func(c drdosRow) any { return onlyIf(c.value.limited > 0, c.value.limited-c.value.dropped) }},
		{integerColumn("dropped", "queries that it drops").at(BelowLine), func(c drdosRow) any { return onlyIf(c.value.limited > 0, c.value.dropped) }},
		{numberColumn("allowed_rate", "1/s", "queries that it lets through in a second, from the first limited one to the last").at(BelowLine), func(c drdosRow) any { return onlyIf(c.value.limited > 0, c.value.allowedRate()) }},
		{unitColumn("integer", "interval", "s", "length of the parts of the time line").at(BelowLine), func(c drdosRow) any { return onlyIf(c.value.line.known(), c.value.line.seconds()) }},
		{line, func(c drdosRow) any { return values(&line, c.value.line.counts, c.value.line.String()) }},
		{reasons, func(c drdosRow) any { return values(&reasons, c.reasons, strings.Join(c.reasons, "; ")) }},
		{textColumn("suggestion", "a rule for nftables that limits or drops these queries; nothing applies it").at(BelowLine), func(c drdosRow) any { return orNil(c.suggestion) }},
	}, refusalColumns(func(c drdosRow) *refusals { return &c.value.refusals })...)
}

// ttlRange is the least and the largest time to live.
type ttlRange struct{ min, max uint8 }

func (r *ttlRange) add(rec *dissect.Record) {
	if rec.Link == nil || rec.Link.TTL == 0 {
		return
	}
	if r.min == 0 {
		r.min = rec.Link.TTL
	}
	r.min, r.max = min(r.min, rec.Link.TTL), max(r.max, rec.Link.TTL)
}

// maxEngines is how many engines a source is known to ask in the words of.
const maxEngines = 4

// An asker is a source of queries to one server.
type asker struct {
	requests, answers flow
	commands          map[string]int64
	purposes          [dissect.QueryPurposes]uint64
	ports             []uint16
	engines           []string // in whose words it asks: "" are those of the protocol
	ttl               ttlRange
	second            int64
	now, peak         uint64 // queries in the second, and most in any
	fromList          uint64 // queries from an endpoint that the server announced itself to

	limit       dissect.RateLimit // of the last limited query
	bucket      dissect.LeakyBucket
	limited     uint64 // queries that the engine limits
	dropped     uint64 // of them, those that its limit drops
	all         dissect.LeakyBucket
	over        uint64 // of all queries, those beyond that limit if all of them counted
	limitedFrom int64
	limitedTo   int64
	line        timeLine
	polls       polls
	first       int64 // second of the first query
	garbage     pulse // what the receiver would not act on, in sessions
	garbageTTL  ttlRange
	refusals    refusals
	times
}

// A play is what a source sends in sessions.
type play struct {
	packets uint64
	ttl     ttlRange
}

// A listKey is an endpoint that a server announced itself to.
type listKey struct {
	server netip.Addr
	list   netip.AddrPort
}

type drdos struct {
	sources *top[sourceKey, asker]
	plays   map[sourceKey]play
	lists   map[listKey]bool
	query   dissect.Query
	transit dissect.Transit
	quotes  bool // there was one
}

func (s *drdos) Add(rec *dissect.Record) {
	key, ok := sourceOf(rec)
	if !ok {
		return
	}
	if rec.Quote != nil {
		s.addQuote(rec, key)
		return
	}
	if rec.Refused && rec.Direction == dissect.ClientToServer {
		a := s.sources.add(key, uint64(rec.Length))
		a.times.add(rec)
		a.garbage.add(rec.Time)
		a.garbageTTL.add(rec)
		return
	}
	if !rec.Query(&s.query) {
		s.addPlay(rec, key)
		return
	}
	a := s.sources.add(key, uint64(rec.Length))
	a.times.add(rec)
	if rec.Direction == dissect.ServerToClient {
		a.answers.add(rec)
		return
	}
	s.addRequest(rec, a)
}

// addQuote counts a query or answer that an ICMP error quotes.
func (s *drdos) addQuote(rec *dissect.Record, key sourceKey) {
	if rec.Query(&s.query) {
		s.quotes = true
		s.sources.add(key, 0).refusals.add(rec.Quote)
	}
}

// addPlay counts a packet of a session.
func (s *drdos) addPlay(rec *dissect.Record, key sourceKey) {
	if rec.Direction != dissect.ClientToServer || !rec.Transit(&s.transit) {
		return
	}
	p, known := s.plays[key]
	if !known && len(s.plays) >= topKeys {
		return
	}
	p.packets++
	p.ttl.add(rec)
	s.plays[key] = p
}

func (s *drdos) addRequest(rec *dissect.Record, a *asker) {
	if a.requests.packets == 0 {
		a.first = rec.Time / 1e9
	}
	a.requests.add(rec)
	if a.commands == nil {
		a.commands = map[string]int64{}
	}
	name := wiretext.String([]byte(s.query.Name))
	if _, known := a.commands[name]; !known && len(a.commands) >= 8 {
		name = "others"
	}
	a.commands[name]++
	a.purposes[s.query.Purpose]++
	if len(a.engines) < maxEngines && !slices.Contains(a.engines, s.query.Engine) {
		a.engines = append(a.engines, s.query.Engine)
	}
	if port := rec.Src.Port(); len(a.ports) < listed && !slices.Contains(a.ports, port) {
		a.ports = append(a.ports, port)
	}
	a.ttl.add(rec)
	if s.query.Purpose == dissect.QueryAnnounces && len(s.lists) < topKeys {
		s.lists[listKey{rec.Src.Addr(), rec.Dst}] = true
	}
	if s.lists[listKey{rec.Dst.Addr(), rec.Src}] {
		a.fromList++
	}
	if second := rec.Time / 1e9; second != a.second {
		a.second, a.now = second, 0
	}
	a.now++
	a.peak = max(a.peak, a.now)
	if !rec.HasTime {
		return
	}
	a.line.add(rec.Time)
	a.polls.add(rec.Time)
	if s.query.Limit.Burst > 0 {
		a.addLimited(rec.Time, s.query.Limit)
	}
	if a.limited > 0 && !a.all.Admits(rec.Time, a.limit) {
		a.over++
	}
}

// addLimited counts a query that the engine limits.
func (a *asker) addLimited(now int64, limit dissect.RateLimit) {
	if a.limited == 0 {
		a.limitedFrom = now
	}
	a.limit, a.limitedTo = limit, now
	a.limited++
	if !a.bucket.Admits(now, limit) {
		a.dropped++
	}
}

// allowedRate is how many limited queries a second pass, over a second at least.
func (a *asker) allowedRate() float64 {
	return round(float64(a.limited-a.dropped)/max(1, float64(a.limitedTo-a.limitedFrom)/1e9), 2)
}

func (s *drdos) Tables() []Table {
	most := func(a, b *counted[sourceKey, asker]) int {
		return cmp.Compare(b.value.answers.bytes, a.value.answers.bytes)
	}
	asked := s.asked()
	crowds := s.crowds()
	rows := func(yield func(drdosRow) bool) {
		for c := range s.sources.all(most) {
			a, p := &c.value, s.plays[c.key]
			if a.requests.packets+a.answers.packets == 0 && a.garbage.peak <= manyPeak {
				continue // a few packets that were refused
			}
			j := judge(a, c.key, p, asked[c.key.source])
			if crowd := crowds[debut{c.key.server, a.first}]; crowd > manyPeak && a.isStranger(p) {
				j = judgeCrowd(c.key, crowd)
			}
			if !yield(drdosRow{c, j}) {
				return
			}
		}
	}
	return []Table{drdosColumns().withoutRefusals(s.quotes).table("drdos", rows, s.sources.notes("sources"))}
}

// asked returns how many servers each source asked, and how many of them answered it.
func (s *drdos) asked() map[netip.Addr]survey {
	list := map[netip.Addr]survey{}
	for key, c := range s.sources.byKey {
		if c.value.requests.packets == 0 {
			continue
		}
		v := list[key.source]
		v.servers++
		if c.value.answers.packets > 0 {
			v.answered++
		}
		list[key.source] = v
	}
	return list
}
