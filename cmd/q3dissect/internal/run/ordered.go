package run

import (
	"encoding/binary"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/matches"
)

// An ordered is the end of a pass whose events are taken in the order of the packets: they are numbered, selected and
// rendered by the goroutine of the output. Workers leave tickets for them, with the rows that are ready.
type ordered struct {
	*pass
	queue   matches.Queue
	numbers matches.Numbers

	accepter *accepter
	render   func(dst []byte, rec *dissect.Record) []byte
	write    func(b []byte) error // rendered events, and rows
	text     []byte
	seconds  []int64 // by worker: capture time of the last ticket, for Merge
}

// Parts of a worker's output: a tag, then a number in four bytes.
const (
	partRows     = iota // the number of bytes of rows, which follow
	partEvents          // a ticket for events
	partNumbered        // a ticket for events that are numbered, and not shown
)

const partHead = 1 + 4

func appendPart(dst []byte, tag byte, number uint32) []byte {
	return binary.LittleEndian.AppendUint32(append(dst, tag), number)
}

// finishEvents sets the engine's Finish and Output of the verb events.
func (r *pass) finishEvents(cfg *engine.Config) {
	o := &ordered{pass: r, accepter: r.newAccepter(), render: r.renderer(), write: r.out.Records, seconds: make([]int64, len(r.tallies))}
	cfg.Output, cfg.Finish, cfg.Select = o.output, o.events, nil // what is not selected is numbered all the same
}

// events keeps the events of a record.
func (o *ordered) events(worker int, dst []byte, rec *dissect.Record) ([]byte, error) {
	selected := o.Frames.Contains(rec.Frame) && !(rec.Closing && len(o.Frames) > 0)
	if selected {
		o.tallies[worker].Seen(rec, o.DecodeAs)
	}
	switch {
	case len(rec.Events.Nodes) == 0 && !o.ticks(worker, rec):
		return dst, nil
	case !selected:
		return appendPart(dst, partNumbered, o.queue.Keep(rec)), nil
	}
	return appendPart(dst, partEvents, o.queue.Keep(rec)), nil
}

// ticks reports whether a record without events is passed on, for its time: Merge waits for a time of the capture.
func (o *ordered) ticks(worker int, rec *dissect.Record) bool {
	const second = 1e9
	if o.merge == nil || !rec.HasTime || rec.Time/second == o.seconds[worker] {
		return false
	}
	o.seconds[worker] = rec.Time / second
	return true
}

// output takes the parts of the workers' output in order.
func (o *ordered) output(b []byte) error {
	o.text = o.text[:0]
	for len(b) > 0 {
		tag, number := b[0], binary.LittleEndian.Uint32(b[1:])
		if b = b[partHead:]; tag == partRows {
			o.text = append(o.text, b[:number]...)
			b = b[number:]
			continue
		}
		rec := o.queue.Redeem(number)
		o.numbers.Number(rec)
		if tag == partEvents {
			o.show(rec)
		}
		o.queue.Release(rec)
	}
	if len(o.text) == 0 {
		return nil
	}
	return o.write(o.text)
}

// show renders the events of a record that are to be printed.
func (o *ordered) show(rec *dissect.Record) {
	shown := o.accepter.accepts(0, rec)
	switch {
	case shown && o.Events && len(rec.Events.Nodes) > 0:
		o.tallies[len(o.tallies)-1].Printed(rec)
	case !shown && o.merge == nil:
		return
	}
	if o.render != nil {
		o.text = o.render(o.text, rec)
	}
}

// finishTables sets the engine's Finish and Output of -T parquet: workers make the rows of packets, and leave tickets
// for those of events.
func (r *pass) finishTables(cfg *engine.Config, write func(b []byte) error) {
	o := &ordered{pass: r, render: r.schema.NewShredder().AppendEvents, write: write}
	packets, accepter := r.recordRows(), r.newAccepter()
	cfg.Options.Events, cfg.Output, cfg.Before, cfg.Select = true, o.output, nil, nil
	cfg.Finish = func(worker int, dst []byte, rec *dissect.Record) ([]byte, error) {
		selected := r.Frames.Contains(rec.Frame) && !(rec.Closing && len(r.Frames) > 0)
		if selected && !rec.Closing {
			r.tallies[worker].Seen(rec, r.DecodeAs)
		}
		if selected = selected && accepter.accepts(worker, rec); selected && !rec.Closing {
			r.tallies[worker].Printed(rec)
			at := len(dst)
			dst = packets(appendPart(dst, partRows, 0), rec)
			binary.LittleEndian.PutUint32(dst[at+1:], uint32(len(dst)-at-partHead))
		}
		switch {
		case len(rec.Events.Nodes) == 0:
			return dst, nil
		case !selected:
			return appendPart(dst, partNumbered, o.queue.Keep(rec)), nil
		}
		return appendPart(dst, partEvents, o.queue.Keep(rec)), nil
	}
}
