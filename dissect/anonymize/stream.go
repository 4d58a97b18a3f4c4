package anonymize

import (
	"io"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// LearnFrom adds what the records of a source contain about people. cfg has the protocols, workers and rules of
// -d. The error is the source's, nil at its end; what was read before it was learnt.
func (ids *Identities) LearnFrom(src open.Packets, cfg engine.Config) error {
	var mu sync.Mutex
	found := make([][]dissect.Identity, max(cfg.Workers, 1))
	cfg.Outline = true
	cfg.Finish = func(worker int, dst []byte, rec *dissect.Record) ([]byte, error) {
		if rec.Protocol == nil || rec.Protocol.AppendIdentities == nil {
			return dst, nil
		}
		found[worker] = rec.Protocol.AppendIdentities(found[worker][:0], rec)
		if len(found[worker]) == 0 {
			return dst, nil
		}
		mu.Lock()
		defer mu.Unlock()
		for _, id := range found[worker] {
			ids.Learn(id.Personal, id.Text)
		}
		return dst, nil
	}
	_, err := open.Dissect(src, cfg, nil)
	return err
}

// Stats count what a Reader did with the datagrams of known protocols.
type Stats struct {
	Rewritten uint64 // rewritten, with other texts if they had any
	Replaced  uint64 // texts and data in them
	LeftOut   uint64 // bytes that they no longer have, since nothing is known about them
	// could not be rewritten: enciphered without key, damaged, cut, or of a protocol without support for it
	Dropped uint64
}

// A Reader returns the packets of a source with everything replaced that identifies people. Datagrams that
// cannot be rewritten, and packets of unknown protocols, keep their place, time and length as packets without
// content.
//
// It dissects the source to find the texts, in goroutines that end with the source or with Close.
type Reader struct {
	batches chan []delivery
	spare   chan []delivery // memory of batches whose packets Next has returned
	batch   []delivery      // the present one
	current []delivery      // what is left of it
	stats   Stats
	done    chan struct{}
	close   sync.Once
	err     error // how the source ended, once batches is closed
}

// NewReader starts reading. cfg has the protocols, workers and rules of -d, and how keys are known.
func NewReader(src open.Packets, with *Replacer, cfg engine.Config) *Reader {
	r := &Reader{batches: make(chan []delivery, 1), spare: make(chan []delivery, 2), done: make(chan struct{})}
	q := &assembly{with: with, emit: r.emit, spare: r.spare}
	keepers := make([]keeper, max(cfg.Workers, 1))
	cfg.Options = dissect.Options{Rewriting: with, Keys: cfg.Options.Keys, Recover: cfg.Options.Recover}
	cfg.All, cfg.NoTree, cfg.Outline = true, false, true
	cfg.FinishTo = func(out *engine.Out, rec *dissect.Record) error { keepers[out.Worker].keep(out, rec); return nil }
	cfg.InOrder = q.take
	go func() {
		_, r.err = open.Dissect(src, cfg, nil)
		q.flush(0)
		if r.err == nil {
			r.err = io.EOF
		}
		close(r.batches)
	}()
	return r
}

// emit passes packets on; it fails after Close.
func (r *Reader) emit(batch []delivery) error {
	select {
	case r.batches <- batch:
		return nil
	case <-r.done:
		return io.ErrClosedPipe
	}
}

// Next returns the next packet, valid until the next call. After the last one the error is the source's.
func (r *Reader) Next() (*dissect.Packet, error) {
	for len(r.current) == 0 {
		if r.batch != nil {
			select {
			case r.spare <- r.batch:
			default:
			}
		}
		batch, ok := <-r.batches
		if !ok {
			r.batch = nil
			return nil, r.err
		}
		r.batch, r.current = batch, batch
	}
	d := &r.current[0]
	r.current = r.current[1:]
	switch d.fate {
	case rewritten:
		r.stats.Rewritten++
		r.stats.Replaced += d.replaced
		r.stats.LeftOut += d.leftOut
	case dropped:
		r.stats.Dropped++
	}
	return &d.Packet, nil
}

// Stats returns the counts of the packets that Next has returned.
func (r *Reader) Stats() Stats { return r.stats }

// Close stops reading early. It need not be called after the last packet.
func (r *Reader) Close() {
	r.close.Do(func() { close(r.done) })
	for range r.batches { // until the goroutine has ended
	}
}
