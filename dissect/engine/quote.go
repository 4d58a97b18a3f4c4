package engine

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/idle"
)

// quotes are the routers for the datagrams that ICMP errors quote. They know only these: a quote is no sign of a
// session, since anybody can send one.
type quotes struct {
	routers []dissect.Router // nil before the first
	count   int              // datagrams that they have seen
}

// maxQuotes is how many datagrams the routers for quotes see before others take their place: nothing else limits what
// they know.
const maxQuotes = 1 << 16

// quoted passes on the datagram that an ICMP error quotes as a packet of its own, and reports whether a protocol knows
// it.
func (f *front) quoted(p *dissect.Packet) bool {
	q := *p
	q.Src, q.Dst, q.Payload, q.Length = p.Quote.Src, p.Quote.Dst, p.Quote.Payload, p.Quote.Length
	q.UDP, q.Note = true, ""
	a := f.askQuotes(&q)
	if a.router < 0 {
		return false
	}
	if f.queue.empty() {
		f.pass(&q, f.previous, f.now, &a)
	} else {
		f.push(&q).set(f.now, a)
	}
	return true
}

// partial passes on a datagram that lacks IP fragments. It has no place in the input, and it may be far
// back.
func (f *front) partial(p *dissect.Packet) {
	if !f.cfg.Quotes {
		return
	}
	a := f.askQuotes(p)
	if a.router < 0 && !f.cfg.All {
		return
	}
	if f.queue.empty() {
		f.pass(p, p.Time, f.now, &a)
		return
	}
	w := f.push(p)
	w.Previous = p.Time
	w.set(f.now, a)
}

// askQuotes asks which session a quote is from, and then the routers for quotes. No quote waits for another.
func (f *front) askQuotes(p *dissect.Packet) answer {
	for i, router := range f.routers {
		if r, ok := router.(dissect.Recaller); ok {
			if route := r.Recall(p); route.Decision == dissect.Mine {
				return answer{route: route, router: i}
			}
		}
	}
	if f.quotes.count == maxQuotes {
		f.quotes = quotes{}
	}
	if f.quotes.routers == nil {
		for _, protocol := range f.cfg.Protocols {
			f.quotes.routers = append(f.quotes.routers, f.newRouter(protocol))
		}
		f.claim(f.quotes.routers)
	}
	f.quotes.count++
	sessions := f.routers
	f.routers = f.quotes.routers
	var a answer
	f.ask(&a, p, f.now, f.everyone, true)
	f.routers = sessions
	return a
}

// passApart hands a datagram that is apart from all streams to a worker.
func (f *front) passApart(p *dissect.Packet, previous int64, at idle.Moment, a *answer) {
	if p.Quote != nil {
		f.stats.Quoted++
	}
	if !f.cfg.shows() || f.cfg.Select != nil && !f.cfg.Select(p.Number()) {
		return
	}
	if f.cfg.Before != nil {
		routed := Routed{Packet: p, File: f.file, FirstTime: f.firstTime, Stream: -1, Direction: a.route.Direction}
		if a.router >= 0 {
			routed.Protocol, routed.Possible = f.cfg.Protocols[a.router], f.possible[a.router]
		}
		if f.cfg.Before(&routed) != Shown {
			return
		}
	}
	it := f.window[0].add(p)
	it.Previous, it.at, it.seq, it.stream, it.protocol = previous, at, f.seq, -1, a.router
	it.route, it.firstTime = a.route, f.firstTime
	f.seq++
	f.items++
	f.bytes += len(p.Payload)
	if f.items >= f.size.Packets*len(f.workers) || f.bytes >= f.size.Bytes*len(f.workers) {
		f.send(false)
	}
}

// apart dissects a datagram in a conversation of its own, which ends with it.
func (w *worker) apart(b *batch, it *item) {
	r := w.load(b, it)
	r.Final = true
	o := dissect.Options{State: w.cfg.Options.State, Secrets: w.cfg.Options.Secrets}
	c := r.Protocol.NewConversation(o)
	r.Tree.Framing = w.cfg.Options.Framing
	c.Dissect(&r.Record)
	if r.Reading != nil && r.Reading.Reader.NewPayloadReader(o)(&r.Record) {
		r.Protocol = r.Reading.Reader
	}
	w.finish(r)
	c.Shrink() // others can use what it frees
}

// Codes of expert entries about the headers of a datagram.
const (
	expertLength  = "udp_length"
	expertPartial = "fragments_missing"
)

// noteHeaders adds what the headers of a record's datagram have wrong.
func (w *worker) noteHeaders(r *slot) {
	if !r.Partial {
		r.Expert(dissect.Warning, expertLength, nil, 0, "%s: it has %d bytes for the payload", r.Note, r.Length)
		return
	}
	r.Expert(dissect.Warning, expertPartial, nil, 0,
		"IP fragments of the datagram are missing: %d of %d bytes are there before the first gap, and no session's "+
			"state is used or changed", len(r.Payload), r.Length)
}
