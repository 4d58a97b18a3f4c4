package engine

import (
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/cacheline"
	"github.com/q3dissect/q3dissect/dissect/internal/idle"
)

// A worker dissects the datagrams of the conversations that are assigned to it.
type worker struct {
	id     int
	cfg    *Config
	in     chan *batch
	free   chan<- *batch // where finished batches go
	writer *writer
	out    *Out

	rec *slot // the present record, with the memory for a tree and a message
	// streams of this input, by number, if its end needs them; otherwise a stream is found by its Stream
	streams map[int]*stream
	active  idle.List[stream] // those with more state than keys
	held    idle.List[slot]   // all records that wait
	spare   []*slot           // memory of records that waited
	dropped []*stream         // memory of streams that were dropped

	deliver func(*slot) // called with finished records instead of Finish, without goroutines; else nil

	messages, damaged, unsupported uint64
	undeciphered, refused          uint64
	uncollected                    uint64
	counts                         []count

	_ cacheline.Distance
}

// A count is one protocol's part of the statistics.
type count struct {
	name      string
	datagrams uint64
}

// A stream is a conversation with its waiting records.
type stream struct {
	of        *dissect.Stream
	number    int
	protocol  int // of conv
	conv      dissect.Conversation
	payloads  func(*dissect.Record) bool // reads the payloads of conv's transport; nil before the first
	lanes     [2]lane                    // by direction
	datagrams uint64                     // so far
	saved     uint64                     // datagrams when the state was saved last
	last      idle.Moment                // of the newest datagram
	noted     idle.Moment                // of the last one that was noted in the order of active
	resting   bool                       // no datagram came since it was told to
	active    bool                       // had a datagram since it was asked to shrink
	age       idle.Links[stream]
}

func newWorker(id int, cfg *Config, free chan<- *batch, writer *writer) *worker {
	w := &worker{
		id: id, cfg: cfg, in: make(chan *batch, queuedBatches), free: free, writer: writer,
		rec: slots.Get().(*slot), streams: make(map[int]*stream),
		counts: make([]count, 0, 16), // so long that it has cache lines of its own
	}
	w.out = writer.take(id)
	w.active = idle.NewList(func(s *stream) *idle.Links[stream] { return &s.age })
	w.held = idle.NewList(func(r *slot) *idle.Links[slot] { return &r.age })
	return w
}

// run works until the front closes the channel.
func (w *worker) run() {
	for b := range w.in {
		w.take(b)
		w.free <- b
	}
}

// take works on a batch and empties it. After a failure of the writer it only discards it.
func (w *worker) take(b *batch) {
	if w.writer.failure() == nil {
		w.batch(b)
	}
	b.reset()
}

// slots is the memory for the present record of workers that have ended: it grows with the first messages, which are
// most of a small input.
var slots = sync.Pool{New: func() any { return newSlot() }}

// leave gives the memory of a worker that has ended to others.
func (w *worker) leave() {
	w.writer.recycle(w.out)
	w.out = nil
	w.rec.reset()
	clear(w.rec.Files[:cap(w.rec.Files)])
	slots.Put(w.rec)
	w.rec = nil
}

func (w *worker) batch(b *batch) {
	for i := range b.items {
		w.packet(b, &b.items[i])
	}
	for r := w.held.Oldest; r != nil && r.Engine.At.Overdue(b.at); r = w.held.Oldest {
		s := r.heldIn
		if w.release(s, r); s.resting {
			w.rest(s.of)
		}
	}
	for s := w.active.Oldest; s != nil && s.noted.LongIdle(b.at); s = w.active.Oldest {
		w.shrink(s)
	}
	if b.end {
		w.endInput(b)
	}
	if w.cfg.Workers > 0 || b.end || w.out.full() {
		w.send() // alone, nobody waits for a small output
	}
}

// endInput finishes everything that waits, and drops the conversations.
func (w *worker) endInput(b *batch) {
	for r := w.held.Oldest; r != nil; r = w.held.Oldest {
		w.release(r.heldIn, r)
	}
	for n := w.id; n < b.streams; n += max(w.cfg.Workers, 1) {
		w.closeStream(b, n)
	}
	for s := w.active.Oldest; s != nil; s = w.active.Oldest {
		w.shrink(s) // the next input can use what it frees
	}
	w.streams = make(map[int]*stream) // clearing a map costs as much as it ever held
}

// closeStream finishes a conversation's final record at the end of its input.
func (w *worker) closeStream(b *batch, number int) {
	seq := b.closing + uint64(number)
	if w.deliver != nil {
		seq = b.closing // with one worker, streams without a final record take no place
	}
	if w.loadFinal(b, number, seq) {
		if w.deliver != nil {
			b.closing++
		}
		w.show(w.rec)
		return
	}
	if w.deliver != nil {
		return
	}
	if w.out.add(seq); len(w.out.records) >= closedRecords {
		w.send()
	}
}

// loadFinal fills the present record with a conversation's final one. It returns false if there is none.
func (w *worker) loadFinal(b *batch, number int, seq uint64) bool {
	s := w.streams[number]
	if s == nil {
		return false
	}
	p := w.cfg.Protocols[s.protocol]
	if p.End == nil {
		return false
	}
	r := w.rec
	r.reset()
	r.File, r.Stream, r.Protocol, r.Closing = b.file, number, p, true
	r.seq, r.NoTree, r.ShowSecrets = seq, true, w.cfg.Options.Secrets
	r.Uncollected = w.cfg.Collected != nil && s.of.Engine.Use.Uncollected
	return p.End(s.conv, &r.Record)
}

// closedRecords is how many streams without a final record are passed on at once.
const closedRecords = 4096

func (w *worker) packet(b *batch, it *item) {
	switch it.order {
	case forgetStream:
		w.forget(it.route.Stream)
		return
	case restStream:
		w.rest(it.route.Stream)
		return
	}
	if it.protocol < 0 {
		w.load(b, it)
		w.finish(w.rec)
		return
	}
	if it.stream < 0 {
		w.apart(b, it)
		return
	}
	s := w.stream(it)
	w.releaseOverdue(s, it.at)
	if s.active && s.last.Idle(it.at) {
		w.shrink(s)
		s = w.stream(it)
	}
	w.touch(s, it.at)

	r := w.load(b, it)
	r.nth = s.datagrams
	if r.Direction == dissect.Undecidable {
		r.Final = true // it cannot wait
	}
	r.lane = laneOf(r.Direction)
	blocked := r.Direction != dissect.Undecidable && s.lanes[r.lane].oldest != nil
	if blocked || !w.dissect(s, r) && !r.Final {
		w.hold(s)
		return
	}
	w.finish(r)
	w.unblock(s)
	if w.cfg.Saver != nil {
		w.save(s, it.Frame)
	}
}

// stream returns the stream of an item, a new one if there is none: its conversation is new, or had nothing to
// keep when it became idle.
func (w *worker) stream(it *item) *stream {
	of := it.route.Stream
	s, _ := of.Engine.State.(*stream)
	if s == nil {
		s = w.newStream()
		s.of, s.number, s.protocol = of, it.stream, it.protocol
		if p := w.cfg.Protocols[it.protocol]; of.Engine.State == nil {
			s.conv = p.NewConversation(w.options(it))
		} else {
			s.conv = p.Restore(w.options(it), of.Engine.State)
		}
		of.Engine.State = s
		if w.cfg.Options.Events {
			w.streams[it.stream] = s
		}
	}
	// of a port that the user assigned to a reader of payloads: another transport explains it better
	if s.protocol != it.protocol {
		s.protocol, s.conv = it.protocol, w.cfg.Protocols[it.protocol].NewConversation(w.options(it))
	}
	return s
}

// options are those of the conversation of an item.
func (w *worker) options(it *item) dissect.Options {
	o := w.cfg.Options
	o.Events = o.Events || o.MatchTimes && it.Recorded()
	return o
}

// newStream returns an empty stream. The memory of those that were dropped is used again.
func (w *worker) newStream() *stream {
	n := len(w.dropped)
	if n == 0 {
		return new(stream)
	}
	s := w.dropped[n-1]
	w.dropped = w.dropped[:n-1]
	return s
}

// maxDropped is how many dropped streams are kept for their memory: a flood drops one for each new one.
const maxDropped = 256

// drop ends a stream. kept is what remains of its conversation, or nil.
func (w *worker) drop(s *stream, kept any) {
	s.of.Engine.State = kept
	delete(w.streams, s.number)
	*s = stream{}
	if len(w.dropped) < maxDropped {
		w.dropped = append(w.dropped, s)
	}
}

// rest makes a stream take less memory until its next packet.
func (w *worker) rest(of *dissect.Stream) {
	s, _ := of.Engine.State.(*stream)
	if s == nil {
		return
	}
	s.resting = true
	if rest := w.cfg.Protocols[s.protocol].Rest; rest != nil {
		rest(s.conv)
	}
}

// forget drops a stream. Its waiting records are finished as they are.
func (w *worker) forget(of *dissect.Stream) {
	s, _ := of.Engine.State.(*stream)
	if s == nil {
		of.Engine.State = nil
		return
	}
	for r := s.oldest(); r != nil; r = s.oldest() {
		w.release(s, r)
	}
	if s.active {
		w.active.Remove(s)
		s.conv.Shrink() // others can use what it frees
	}
	w.drop(s, nil)
}

// expertForgotten is the code of the expert entry of a stream that comes back after it was forgotten.
const expertForgotten = "stream_forgotten"

// dissect passes a record to its stream's conversation, and the payloads of one that is accepted to their reader.
func (w *worker) dissect(s *stream, r *slot) (done bool) {
	r.Tree.Framing = w.cfg.Options.Framing
	done = s.conv.Dissect(&r.Record)
	if done && r.Engine.Fresh {
		r.Expert(dissect.Note, expertForgotten, nil, 0,
			"what was known of the stream was forgotten for lack of memory: it is read as if it began here (--memory)")
	}
	if done && r.Reading != nil && !r.Refused {
		if s.payloads == nil {
			s.payloads = r.Reading.Reader.NewPayloadReader(w.cfg.Options)
		}
		if s.payloads(&r.Record) {
			r.Protocol = r.Reading.Reader
		}
	}
	return done
}

// touch records another datagram of the stream.
func (w *worker) touch(s *stream, at idle.Moment) {
	s.datagrams++
	s.last, s.resting = at, false
	if s.active {
		if !s.noted.Stale(at) {
			return
		}
		w.active.Remove(s)
	}
	w.active.Push(s)
	s.noted, s.active = at, true
}

// shrink calls Shrink of a conversation that has been idle for long, once. It has no waiting records then.
func (w *worker) shrink(s *stream) {
	w.active.Remove(s)
	s.active = false
	kept := s.conv.Shrink()
	if kept == any(s.conv) || kept != nil && s.payloads != nil {
		return
	}
	w.drop(s, kept)
}

// load fills the present record with a packet. The payload remains the batch's.
func (w *worker) load(b *batch, it *item) *slot {
	r := w.rec
	r.reset()
	r.Packet, r.File, r.FirstTime = it.Packet, b.file, it.firstTime
	r.Stream, r.Direction, r.Hint = it.stream, it.route.Direction, it.route.Hint
	r.Reading = it.route.Reading
	r.seq = it.seq
	r.Engine.At, r.Engine.Router, r.Engine.Fresh = it.at, it.protocol, it.fresh
	r.NoTree, r.Outline, r.Uncollected = it.seq == unseen || w.cfg.NoTree, w.cfg.Outline, it.uncollected
	r.Final = w.cfg.NoWait
	r.ShowSecrets = w.cfg.Options.Secrets
	if it.protocol >= 0 {
		r.Protocol = w.cfg.Protocols[it.protocol]
	}
	return r
}

// finish counts a record and renders it.
func (w *worker) finish(r *slot) {
	if !r.Apart() {
		w.tally(r)
	}
	if r.Note != "" && r.UDP {
		w.noteHeaders(r)
	}
	if r.seq != unseen {
		w.show(r)
	}
}

// tally counts a record of a datagram that was captured.
func (w *worker) tally(r *slot) {
	if r.Protocol != nil {
		w.count(r.Protocol.Name)
	}
	if r.MessageDone {
		w.messages++
	}
	if r.Damaged {
		w.damaged++
	}
	if r.Unsupported {
		w.unsupported++
	}
	if r.Undeciphered {
		w.undeciphered++
	}
	if r.Refused {
		w.refused++
	}
	if r.Uncollected {
		w.uncollected++
	}
}

// show renders a record, or delivers it.
func (w *worker) show(r *slot) {
	if w.deliver != nil {
		w.deliver(r)
		return
	}
	var err error
	b := w.out.Bytes
	if w.cfg.FinishTo != nil {
		err = w.cfg.FinishTo(w.out, &r.Record)
	} else {
		w.out.Bytes, err = w.cfg.Finish(w.id, b, &r.Record)
	}
	if err != nil {
		w.out.Bytes = b
		w.out.fail(r.seq, err)
	}
	w.out.add(r.seq)
	if w.out.full() {
		w.send()
	}
}

func (w *worker) count(name string) {
	for i := range w.counts {
		if w.counts[i].name == name {
			w.counts[i].datagrams++
			return
		}
	}
	w.counts = append(w.counts, count{name: name, datagrams: 1})
}

// send passes the rendered records to the writer.
func (w *worker) send() {
	if len(w.out.records) > 0 {
		w.writer.put(w.out)
		w.out = w.writer.take(w.id)
	}
}
