package engine

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
)

// A Config configures an Engine.
type Config struct {
	Protocols []*dissect.Protocol // in the order in which their routers are asked; at most 64
	// goroutines that dissect; 0: Packet and Close do everything. The output is the same for every number
	Workers int
	Options dissect.Options // for the conversations
	NoWait  bool            // no record waits for a later packet (-l)
	All     bool            // records for packets of no known protocol too: Record.Protocol is nil, Stream -1
	// Quotes means records for the datagrams that ICMP errors quote, if a protocol knows them, and for those whose
	// IP fragments are missing, with All whether it is known or not: Record.Quote or Partial is set, Stream is -1. They
	// change the state of no conversation, and have no events, inputs, demos or files.
	Quotes  bool
	NoTree  bool // the records' trees are not wanted: they stay empty, and dissecting is faster
	Outline bool // the records are shown in a list alone: see Record.Outline

	// Select decides which packets are shown, by number; nil: all. Other packets are dissected only for the
	// state of their conversations. It is called by the goroutine that calls Packet. Final records of conversations
	// (Record.Closing) are of no packet, and are shown in any case.
	Select func(frame uint64) bool

	// Before decides about each packet that could become a record, with what is known before it is dissected;
	// nil: all are dissected and shown. It is called before Select, in the order of the packets, by the
	// goroutine that calls Packet. It must not keep the packet.
	Before func(*Routed) Fate

	// Finish appends the output about a record to dst. It runs on the workers' goroutines, one call at a time
	// for each worker, numbered from 0. nil: no records are wanted, only the Stats.
	//
	// An error ends the run: the output about earlier records is written, nothing about this one or later ones,
	// and Close returns the error. Until then Finish is called for other records.
	Finish func(worker int, dst []byte, rec *dissect.Record) ([]byte, error)

	// FinishTo takes the place of Finish where its bytes go to several outputs, or records are kept until it is their
	// turn. It writes to out what it makes of a record.
	FinishTo func(out *Out, rec *dissect.Record) error

	// Output writes what Finish appended, in the order of the packets, many records at once. It runs on one
	// goroutine; b is valid until it returns. An error ends the run. nil: nothing is written.
	Output func(b []byte) error

	// Lanes write what FinishTo appended for them, as Output does, in smaller pieces; see Out.Lane. Each is in the order
	// of the packets.
	Lanes []func(b []byte) error

	// InOrder gets the records that FinishTo kept, in the order of the packets, and appends what Output is to write of
	// them. It runs on Output's goroutine. k is valid until it returns. An error ends the run as one of Finish does.
	InOrder func(dst []byte, k *Kept) ([]byte, error)

	// Flush runs on Output's goroutine when nothing more is to be written for the moment; it may be nil.
	Flush func() error

	DecodeAs []DecodeAs // -d
	File     string     // name of the first input, as Engine.File gives one to each

	// Memory limits, in bytes, what is kept of all streams, about; 0: DefaultMemory. Of it, streams that were idle
	// for two minutes have 64 MB, and those that were handshakes and queries alone. The one that was unused for the
	// longest time is forgotten first (Stats.Forgotten), and a record reports when its stream comes back.
	Memory int

	// Collected is all that the caller collects from the records, in Finish, FinishTo with one worker, InOrder or a loop
	// over Records: pointers to it, or a slice of them; nil: nothing. What they refer to is measured as the streams are,
	// and is part of Memory. If it takes more than three eighths of it, streams that begin later have no place in
	// it, and beyond five eighths only the 64 streams with most datagrams and the 64 that were used last: the records of
	// the others have Record.Uncollected, and the caller leaves them out. Stats.Uncollected counts them.
	Collected any

	// Batch is how much of the input a worker gets at once; 0: what is usual. The output is the same for every size.
	Batch BatchSize

	Saver *Saver // takes states of streams; nil: none are saved
}

// DefaultMemory is used if Config.Memory is 0.
const DefaultMemory = 512 << 20

// A BatchSize limits a batch of one worker: it is handed over when it has as many packets, or bytes. Smaller batches
// cost more hand-overs, larger ones more cache misses.
type BatchSize struct{ Packets, Bytes int }

// orUsual returns the size with the usual limits where it has none. An engine without workers gains nothing from
// large batches.
func (b BatchSize) orUsual(workers int) BatchSize {
	if workers == 0 {
		return BatchSize{Packets: cmp.Or(b.Packets, 32), Bytes: cmp.Or(b.Bytes, 16<<10)}
	}
	return BatchSize{Packets: cmp.Or(b.Packets, 256), Bytes: cmp.Or(b.Bytes, 128<<10)}
}

// A DecodeAs assigns a UDP port to a dissector, whatever the datagrams look like.
type DecodeAs struct {
	Port uint16 // 0: packets without ports, as in a hex dump without headers
	Last uint16 // the last port of a range that begins with Port; 0: Port alone
	Name string // one of a protocol's Dissects
}

// Has reports whether the rule is about a port.
func (d *DecodeAs) Has(port uint16) bool { return d.Port <= port && port <= max(d.Port, d.Last) }

// Stats count what an Engine processed.
type Stats struct {
	Packets     uint64 // all packets
	Datagrams   uint64 // UDP datagrams
	Game        uint64 // datagrams of a known protocol
	Messages    uint64 // whole game messages among them
	Damaged     uint64 // datagrams with a fault in their bytes
	Unsupported uint64 // datagrams of a known protocol that are not read

	Undeciphered uint64            // messages that are not read, or not to their end, for lack of a key
	Refused      uint64            // datagrams that the game's receiver would not act on
	Unknown      uint64            // UDP datagrams of no known protocol
	LeftOut      uint64            // datagrams of a known protocol that Config.Before left out: in Game, not in Messages
	ByProtocol   map[string]uint64 // datagrams of each protocol, by Name
	Quoted       uint64            // datagrams of a known protocol that ICMP errors quote; in none of the other counts
	Forgotten    uint64            // streams whose state was dropped for lack of memory
	Uncollected  uint64            // datagrams whose records have Record.Uncollected
}

// An Engine turns packets into records, and records into output in the order of the packets.
//
// Three stages are joined by batches. The caller's goroutine asks the routers for a datagram's conversation and
// copies it into the batch of the worker that has the conversation; the workers dissect; a writer puts the
// results back in order. Foreign datagrams cost only the routers' look-ups. Without workers the caller's goroutine
// does it all, a batch at a time: that is for many small inputs, an engine for each, where hand-overs would cost
// more than they gain.
//
// Conversations are numbered over all protocols, in the order of their first datagrams, and assigned to the
// workers by that number. Everything that a result depends on (what waits and for how long, when a conversation
// is forgotten) is measured by the input alone, never by batches or clocks: the output is the same for every
// number of workers. See lifetime.Moment.
//
// The methods are for one goroutine. An Engine must be closed.
type Engine struct {
	cfg     Config
	front   front
	workers []*worker
	batches chan *batch // those that are free
	working sync.WaitGroup
	writer  *writer
	writing sync.WaitGroup

	closed bool
	stats  Stats
}

// New starts an engine. It returns an error if DecodeAs has a name that none of the protocols knows, or
// if there are too many protocols.
func New(cfg Config) (*Engine, error) {
	cfg.Workers = max(cfg.Workers, 0)
	cfg.Batch = cfg.Batch.orUsual(cfg.Workers)
	claims, err := cfg.check()
	if err != nil {
		return nil, err
	}
	if cfg.Options.KeysOnly {
		cfg.Protocols = keySearchers(cfg.Protocols, &cfg.Options)
	}
	e := &Engine{cfg: cfg}
	e.writer = newWriter(&e.cfg)
	workers := max(cfg.Workers, 1)
	e.batches = make(chan *batch, batchesPerWorker*workers)
	for i := range workers {
		e.workers = append(e.workers, newWorker(i, &e.cfg, e.batches, e.writer))
	}
	e.front = newFront(&e.cfg, cfg.Batch, claims, e.workers, e.batches)
	if cfg.Workers == 0 {
		return e, nil
	}
	for _, w := range e.workers {
		e.working.Go(w.run)
	}
	e.writing.Go(e.writer.run)
	return e, nil
}

// keySearchers returns the protocols for the search of one input.
func keySearchers(protocols []*dissect.Protocol, o *dissect.Options) []*dissect.Protocol {
	protocols = slices.Clone(protocols)
	for i, p := range protocols {
		if p.KeySearch != nil {
			protocols[i] = p.KeySearch(o)
		}
	}
	return protocols
}

// closes reports whether the conversations are asked for a final record at the end of an input.
func (cfg *Config) closes() bool {
	return cfg.Options.Events && cfg.shows()
}

// shows reports whether records are wanted.
func (cfg *Config) shows() bool { return cfg.Finish != nil || cfg.FinishTo != nil }

// check returns the claims of DecodeAs, or an error in the Config.
func (cfg *Config) check() ([]claim, error) {
	if len(cfg.Protocols) > maxRouters {
		return nil, fmt.Errorf("%d protocols, more than %d", len(cfg.Protocols), maxRouters)
	}
	return resolve(cfg.DecodeAs, cfg.Protocols)
}

// resolve finds the protocols of the names in DecodeAs.
func resolve(as []DecodeAs, protocols []*dissect.Protocol) ([]claim, error) {
	var claims []claim
	for _, d := range as {
		i := slices.IndexFunc(protocols, func(p *dissect.Protocol) bool { return slices.Contains(p.Dissects, d.Name) })
		if i < 0 {
			return nil, fmt.Errorf("no dissector is called %q", d.Name)
		}
		claims = append(claims, claim{DecodeAs: d, router: i})
	}
	return claims, nil
}

// File begins another input, with conversations of its own numbered from 0. Records of the previous input stop
// waiting and are written as they are. The name goes into Record.File; "" for none. Without a call the input
// has no name; inputs that continue each other are one input.
func (e *Engine) File(name string) {
	e.front.end()
	e.front.open(name)
}

// FirstTime sets the time of the input's first packet in Unix nanoseconds, for Record.FirstTime. It is for
// callers that do not pass on every packet, and must come before the first one that they do; otherwise the time
// of the first packet that has one is used.
func (e *Engine) FirstTime(nsec int64) { e.front.startTime(nsec) }

// Packet takes the next packet of the input and copies what it needs of it. It returns the first error of
// Finish, Output or Flush, after which further packets have no effect.
func (e *Engine) Packet(p *dissect.Packet) error {
	if err := e.writer.failure(); err != nil {
		return err
	}
	e.front.packet(p)
	return nil
}

// Err returns the first error of Finish, Output or Flush so far, or nil.
func (e *Engine) Err() error { return e.writer.failure() }

// Idle announces that the input is about to block: finished records are written, so that the reader of a live
// capture sees them. Records that wait for a later packet continue to wait.
func (e *Engine) Idle() {
	if e.writer.failure() == nil {
		e.front.idle()
		if e.cfg.Workers == 0 {
			e.workers[0].send()
			e.writer.idle()
		}
	}
}

// Close finishes the remaining records, stops the goroutines and waits for them. It returns the first error of
// Finish, Output or Flush; after an error the counts are incomplete.
func (e *Engine) Close() (Stats, error) {
	if e.closed {
		return e.stats, e.writer.failure()
	}
	e.closed = true
	e.front.end()
	for _, w := range e.workers {
		close(w.in)
	}
	e.working.Wait()
	for _, w := range e.workers {
		w.leave()
	}
	e.writer.close()
	e.writing.Wait()
	e.front.leave()

	e.stats = e.front.stats
	e.stats.Forgotten += e.front.memory.Forgotten
	e.stats.ByProtocol = make(map[string]uint64)
	for _, w := range e.workers {
		e.stats.Messages += w.messages
		e.stats.Damaged += w.damaged
		e.stats.Unsupported += w.unsupported
		e.stats.Undeciphered += w.undeciphered
		e.stats.Refused += w.refused
		e.stats.Uncollected += w.uncollected
		for _, c := range w.counts {
			e.stats.Game += c.datagrams
			e.stats.ByProtocol[c.name] += c.datagrams
		}
	}
	for router, n := range e.front.left {
		if n > 0 {
			e.stats.Game += n
			e.stats.ByProtocol[e.cfg.Protocols[router].Name] += n
		}
	}
	return e.stats, e.writer.failure()
}
