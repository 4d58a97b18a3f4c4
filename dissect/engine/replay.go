package engine

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/idle"
)

// A Ticket is what is known of a packet before it is dissected, apart from the packet itself. With the tickets
// of a stream its datagrams can be dissected again without the rest of the input: see Replay.
type Ticket struct {
	Router    int // the protocol that has the stream: its index in Config.Protocols; -1: none
	Direction dissect.Direction
	Hint      uint64
	Reading   *dissect.Reading // nil: there is no reader of payloads; it never changes

	Elapsed, Bytes uint64 // position in the input: nanoseconds since its first time, and bytes
	FirstTime      int64
	Forgotten      bool // the stream was forgotten before the packet
}

// TicketOf returns the ticket of a record's packet. It may be called in Finish.
func TicketOf(r *dissect.Record) Ticket {
	return Ticket{
		Router: r.Engine.Router, Direction: r.Direction, Hint: r.Hint, Reading: r.Reading,
		Elapsed: r.Engine.At.Elapsed, Bytes: r.Engine.At.Bytes, FirstTime: r.FirstTime, Forgotten: r.Engine.Fresh,
	}
}

// A Replay dissects the datagrams of one stream again, in their order, from the first on. Its records are those
// of an Engine with the same Config, including everything that makes a record wait or a stream be forgotten. It
// is for one goroutine.
//
// Only Protocols and Options of the Config are used.
type Replay struct {
	worker *worker
	batch  batch
	stream *dissect.Stream
	number int
	item   item
	shown  map[uint64]bool // frames that are to be shown and have not been
}

// NewReplay begins a stream by its number in an input; file is Record.File. show is called with the records,
// each valid until it returns.
func NewReplay(cfg Config, file string, number int, show func(*dissect.Record)) *Replay {
	cfg.Workers, cfg.NoTree, cfg.Outline, cfg.NoWait = 1, false, false, false
	r := &Replay{number: number, stream: new(dissect.Stream), shown: map[uint64]bool{}}
	r.stream.Engine.Number = uint32(number + 1)
	r.batch.file = file
	r.worker = newWorker(0, &cfg, make(chan *batch, 1), newWriter(&cfg))
	r.worker.deliver = func(s *slot) {
		delete(r.shown, s.Frame)
		show(&s.Record)
	}
	return r
}

// Datagram dissects the next datagram of the stream. With shown false it only changes the state of the stream,
// which is faster.
func (r *Replay) Datagram(p *dissect.Packet, t Ticket, shown bool) {
	at := idle.Moment{Elapsed: t.Elapsed, Bytes: t.Bytes}
	if t.Forgotten {
		r.worker.forget(r.stream)
	}
	it := &r.item
	*it = item{
		Packet: *p, at: at, seq: unseen, stream: r.number, protocol: t.Router, fresh: t.Forgotten, firstTime: t.FirstTime,
		route: dissect.Route{
			Decision: dissect.Mine, Direction: t.Direction, Stream: r.stream,
			Hint: t.Hint, Reading: t.Reading,
		},
	}
	if shown {
		it.seq = 0
		r.shown[p.Frame] = true
	}
	r.worker.packet(&r.batch, it)
}

// Waits reports whether a record that is to be shown waits for a later datagram of the stream.
func (r *Replay) Waits() bool { return len(r.shown) > 0 }

// Release shows the waiting records as they are: no datagram of the stream comes in time.
func (r *Replay) Release() {
	for held := r.worker.held.Oldest; held != nil; held = r.worker.held.Oldest {
		r.worker.release(held.heldIn, held)
	}
}
