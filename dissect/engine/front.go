package engine

import (
	"cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/clock"
	"github.com/q3dissect/q3dissect/dissect/internal/footprint"
	"github.com/q3dissect/q3dissect/dissect/internal/idle"
)

// maxRouters is the size of an answer's set of routers.
const maxRouters = 64

// A front is the sequential stage: it finds the protocol and stream of each datagram, in the order of the
// input, and passes the datagram to the worker that has the conversation.
//
// While a datagram is undecided, it and all later ones wait in the queue; streams are numbered in the order of
// the input. Later datagrams are routed on arrival, and may decide earlier ones.
type front struct {
	cfg        *Config
	size       BatchSize // of a worker's share
	claims     []claim
	everyone   uint64 // the set of all routers
	transports []int  // indices of the protocols that are a Transport
	readers    []*dissect.Protocol
	possible   [][]*dissect.Protocol // by router: the protocols that its records can have
	workers    []*worker
	writer     *writer
	free       chan *batch // batches that the workers have finished
	made       int         // batches in existence
	seq        uint64      // place of the next packet in the output
	stats      Stats
	left       []uint64 // by router: datagrams of streams that are not dissected; nil: none

	// The fields below belong to one input.

	file      string
	firstTime int64
	lastTime  int64  // of the newest packet that has one
	previous  int64  // of the packet before that one: Packet.Previous of its copies
	answer    answer // about the present datagram
	hasFirst  bool
	clock     clock.Clock // of the datagrams
	now       idle.Moment // after the newest datagram
	expired   uint64      // elapsed time of the last Expire
	routers   []dissect.Router
	quotes    quotes
	memory    idle.Memory[dissect.Stream]
	measured  uint64 // now.Bytes when the memory of streams was measured
	due       uint64 // bytes of the input until the next time
	meter     *footprint.Meter
	recording *dissect.Stream // of the input, if it is a recording
	opened    int             // streams so far

	queue  queue
	flows  map[flow]int // flows with undecided datagrams, now or since the queue was last empty
	counts []uint32     // by flow: datagrams since

	window []*batch    // each worker's share of what is being collected
	items  int         // in the window
	bytes  int         // in the window
	sent   idle.Moment // when the last window was sent
	direct item        // a message of a recording, which is dissected at once if there are no workers
}

// A claim is a DecodeAs with the router that it is for.
type claim struct {
	DecodeAs
	router int
}

// An answer is the routers' common decision about a datagram.
type answer struct {
	route  dissect.Route
	router int    // the datagram's router; -1: none
	again  uint64 // set of the routers that are undecided; then router is -1
}

func newFront(cfg *Config, size BatchSize, claims []claim, workers []*worker, free chan *batch) front {
	f := front{
		cfg: cfg, size: size, claims: claims, workers: workers, writer: workers[0].writer, free: free,
		everyone: 1<<len(cfg.Protocols) - 1,
		flows:    make(map[flow]int),
		window:   make([]*batch, len(workers)),
	}
	for i := range f.window {
		f.window[i] = f.newBatch()
	}
	f.possible = possible(cfg.Protocols)
	for i, p := range cfg.Protocols {
		if p.NewTransportRouter != nil {
			f.transports = append(f.transports, i)
		}
		if p.NewPayloadRouter != nil {
			f.readers = append(f.readers, p)
		}
	}
	f.open(cfg.File)
	return f
}

// open begins an input.
func (f *front) open(name string) {
	f.file, f.firstTime, f.lastTime, f.hasFirst, f.clock = name, 0, 0, false, clock.Clock{}
	f.now, f.sent, f.expired = idle.Moment{}, idle.Moment{}, 0
	f.routers = f.routers[:0]
	for _, p := range f.cfg.Protocols {
		f.routers = append(f.routers, f.newRouter(p))
	}
	f.quotes = quotes{}
	f.stats.Forgotten += f.memory.Forgotten
	f.memory = idle.NewMemory(cmp.Or(f.cfg.Memory, DefaultMemory),
		func(s *dissect.Stream) *idle.Use[dissect.Stream] { return &s.Engine.Use })
	f.measured, f.due = 0, f.memory.Due(0)
	f.recording, f.opened = new(dissect.Stream), 0
	f.claim(f.routers)
}

// claim gives routers the ports of -d.
func (f *front) claim(routers []dissect.Router) {
	for _, c := range f.claims {
		for port := int(c.Port); port <= int(max(c.Port, c.Last)); port++ {
			routers[c.router].Claim(uint16(port), c.Name)
		}
	}
}

// newRouter returns a protocol's router, connected to the other routers that it needs.
func (f *front) newRouter(p *dissect.Protocol) dissect.Router {
	switch {
	case p.NewTransportRouter != nil:
		return p.NewTransportRouter(f.readers)
	case p.NewPayloadRouter != nil:
		carriers := make([]dissect.Carrier, len(f.transports))
		for i, t := range f.transports {
			carriers[i] = f.cfg.Protocols[t].NewCarrier()
		}
		return p.NewPayloadRouter(carriers)
	}
	return p.NewRouter()
}

// end decides and sends the rest of the input.
func (f *front) end() {
	f.decide(func(*waiter) bool { return true })
	f.send(true)
}

// idle sends what has been collected, unless nothing came since the last time.
func (f *front) idle() {
	if f.items > 0 || f.now != f.sent {
		f.send(false)
	}
}

func (f *front) startTime(nsec int64) {
	if !f.hasFirst {
		f.firstTime, f.lastTime, f.hasFirst = nsec, nsec, true
	}
}

// packet routes the next packet of the input.
func (f *front) packet(p *dissect.Packet) {
	if p.Partial {
		f.partial(p)
		return
	}
	f.stats.Packets++
	f.previous = 0
	if p.HasTime {
		f.startTime(p.Time)
		f.previous, f.lastTime = f.lastTime, p.Time
	}
	if p.UDP {
		f.datagram(p)
	} else if p.Quote != nil && f.cfg.Quotes && f.quoted(p) {
		// it has a record
	} else if f.cfg.All {
		if nobody := (answer{router: -1}); f.queue.empty() {
			f.pass(p, f.previous, f.now, &nobody)
		} else {
			f.push(p).set(f.now, nobody)
		}
	}
	// A batch that fills slowly among foreign traffic must not hold back what is due.
	if f.now.Elapsed-f.sent.Elapsed > idle.WaitTime && f.now.Bytes-f.sent.Bytes > sendBytes {
		f.send(false)
	}
}

// sendBytes is how much of the input has to pass, in addition to lifetime.WaitTime, before a batch is sent that is not
// full: enough to keep slow captures from going datagram by datagram.
const sendBytes = 256 << 10

func (f *front) datagram(p *dissect.Packet) {
	f.stats.Datagrams++
	at := f.advance(p)
	if !f.queue.empty() {
		f.decide(func(w *waiter) bool {
			return f.began(w).Overdue(at) || f.counts[w.flow]-w.count >= idle.WaitDatagrams
		})
	}
	if f.now.Elapsed-f.expired >= idle.ExpireEvery {
		f.expire()
	}
	if p.Recorder != "" {
		a := f.recorded(p)
		f.pass(p, f.previous, at, &a)
		return
	}
	a := &f.answer
	f.ask(a, p, at, f.everyone, f.cfg.NoWait)
	if a.again == 0 && f.queue.empty() {
		f.pass(p, f.previous, at, a)
		return
	}
	f.wait(p, at, *a)
}

// advance returns the datagram's moment and moves now past it.
func (f *front) advance(p *dissect.Packet) idle.Moment {
	if p.HasTime {
		f.now.Elapsed = f.clock.Stamp(p.Time)
	}
	at := f.now
	f.now.Bytes += uint64(len(p.Payload)) + idle.DatagramCost
	return at
}

// began returns the moment at which a datagram began to wait. After a pause the clock stops until others confirm
// the stamp of the first one, which would be overdue with them.
func (f *front) began(w *waiter) idle.Moment {
	at := w.at
	if w.HasTime {
		if elapsed, ok := f.clock.At(w.Time); ok {
			at.Elapsed = max(at.Elapsed, elapsed)
		}
	}
	return at
}

// expire makes the routers forget flows that have been idle for long.
func (f *front) expire() {
	f.expired = f.now.Elapsed
	if f.now.Elapsed < idle.IdleTime {
		return
	}
	for _, r := range f.routers {
		r.Expire(int64(f.now.Elapsed - idle.IdleTime))
	}
}

// ask asks the routers of a set, in order; the one with a claim on a port goes first. The first that is certain
// gets the datagram, even if one before it is undecided. Their answer is in a.
func (f *front) ask(a *answer, p *dissect.Packet, at idle.Moment, set uint64, last bool) {
	a.router, a.again = -1, 0
	for i := range f.claims {
		c := &f.claims[i]
		if mask := uint64(1) << c.router; set&mask != 0 && (c.Has(p.Src.Port()) || c.Has(p.Dst.Port())) {
			set &^= mask
			if f.askOne(a, p, at, c.router, last) {
				return
			}
		}
	}
	for i := range f.routers {
		if set>>i&1 != 0 && f.askOne(a, p, at, i, last) {
			return
		}
	}
	a.route = dissect.Route{} // that of an earlier datagram
}

// recorded is the answer for a message of a recording, whose stream is known.
func (f *front) recorded(p *dissect.Packet) answer {
	for i, protocol := range f.cfg.Protocols {
		if protocol.Name == p.Recorder {
			return answer{router: i, route: dissect.Route{
				Decision: dissect.Mine, Stream: f.recording,
				Direction: dissect.ServerToClient, Hint: p.RecorderHint,
			}}
		}
	}
	return answer{router: -1}
}

// askOne asks one router and reports whether it is certain.
func (f *front) askOne(a *answer, p *dissect.Packet, at idle.Moment, router int, last bool) bool {
	switch route := f.routers[router].Route(p, int64(at.Elapsed), last); route.Decision {
	case dissect.Mine:
		if route.Doubt != dissect.NoDoubt && f.askOwner(a, p, at, router, route.Doubt, last) {
			return true
		}
		f.take(a, &route, router)
		return true
	case dissect.Undecided:
		if !last {
			a.again |= 1 << router
		}
	}
	return false
}

// take makes a router's route the answer.
func (f *front) take(a *answer, route *dissect.Route, router int) {
	if route.Carrier > 0 {
		router = f.transports[route.Carrier-1]
	}
	a.router, a.again = router, 0
	// field by field: a copy of what was just written in other sizes waits for the writing
	a.route.Decision, a.route.Direction, a.route.Carrier = route.Decision, route.Direction, route.Carrier
	a.route.Stream, a.route.Hint, a.route.Reading = route.Stream, route.Hint, route.Reading
}

// pass hands a decided packet to its worker. previous is the time of the packet before it.
func (f *front) pass(p *dissect.Packet, previous int64, at idle.Moment, a *answer) {
	if p.Apart() {
		f.passApart(p, previous, at, a)
		return
	}
	known := a.router >= 0
	if !known && p.UDP {
		f.stats.Unknown++
	}
	if !known && !f.cfg.All {
		return
	}
	stream, worker := -1, 0
	first := false
	if known {
		streams := f.opened
		stream = f.number(a.route.Stream)
		worker, first = stream%len(f.workers), f.opened > streams
	}
	fate := Shown
	if f.cfg.Before != nil {
		if fate = f.fate(p, a, stream, first); fate == LeftOut {
			f.leaveOut(a.router)
			return
		}
	}
	seq := unseen
	if fate == Shown && f.cfg.shows() && (f.cfg.Select == nil || f.cfg.Select(p.Number())) {
		seq = f.seq
		f.seq++
	} else if !known {
		return
	}
	b := f.window[worker]
	if p.Recorder != "" && f.cfg.Workers == 0 {
		f.direct.Packet = *p
		f.fill(&f.direct, previous, at, seq, stream, a)
		b.file = f.file
		f.workers[0].packet(b, &f.direct)
		return
	}
	f.fill(b.add(p), previous, at, seq, stream, a)
	f.items++
	f.bytes += len(p.Payload)
	if known {
		f.memory.Use(a.route.Stream, at)
		f.forget(at)
		if f.memory.RestDue(f.now.Bytes) {
			for _, s := range f.memory.Resting(f.now.Bytes) {
				f.tell(s, at, restStream)
			}
		}
		if f.now.Bytes-f.measured > f.due {
			f.account(at)
		}
	}
	if f.items >= f.size.Packets*len(f.workers) || f.bytes >= f.size.Bytes*len(f.workers) {
		f.send(false)
	}
}

// fill sets what is known of an item's packet.
func (f *front) fill(it *item, previous int64, at idle.Moment, seq uint64, stream int, a *answer) {
	it.Previous = previous
	it.uncollected = a.router >= 0 && f.cfg.Collected != nil && a.route.Stream.Engine.Use.Uncollected
	if it.fresh = a.router >= 0 && a.route.Stream.Engine.Use.Forgotten; it.fresh {
		a.route.Stream.Engine.Use.Forgotten = false // only then: its worker reads the stream too
	}
	it.at, it.seq, it.stream, it.protocol = at, seq, stream, a.router
	it.route, it.firstTime = a.route, f.firstTime
}

// forget makes the workers forget streams that are idle.
func (f *front) forget(at idle.Moment) {
	for s := f.memory.Next(at); s != nil; s = f.memory.Next(at) {
		f.drop(s, at)
	}
}

// drop makes a worker forget a stream.
func (f *front) drop(s *dissect.Stream, at idle.Moment) { f.tell(s, at, forgetStream) }

// tell makes a worker do something with a stream that is no packet.
func (f *front) tell(s *dissect.Stream, at idle.Moment, what order) {
	it := f.window[int(s.Engine.Number-1)%len(f.workers)].add(&dissect.Packet{})
	it.at, it.stream, it.order, it.route = at, int(s.Engine.Number-1), what, dissect.Route{Stream: s}
	f.items++
}

// number returns the number of a stream, from 0.
func (f *front) number(s *dissect.Stream) int {
	if s.Engine.Number == 0 {
		f.opened++
		s.Engine.Number = uint32(f.opened)
	}
	return int(s.Engine.Number - 1)
}

// send hands the workers their shares of the window, including empty ones, which carry the position in the input.
func (f *front) send(end bool) {
	// The workers must not learn of a moment after the last packet that was passed on: see lifetime.Moment.
	at := f.now
	if w := f.queue.head(); w != nil {
		at = w.at
	}
	for i, w := range f.workers {
		b := f.window[i]
		b.file, b.at, b.end = f.file, at, end
		b.closing, b.streams = f.seq, 0
		if end && f.cfg.closes() {
			b.streams = f.opened
		}
		if f.cfg.Workers == 0 || w.deliver != nil {
			w.take(b)
			continue
		}
		w.in <- b
		f.window[i] = f.newBatch()
	}
	f.items, f.bytes, f.sent = 0, 0, f.now
	if end && f.cfg.closes() && f.workers[0].deliver == nil {
		f.seq += uint64(f.opened)
	}
}
