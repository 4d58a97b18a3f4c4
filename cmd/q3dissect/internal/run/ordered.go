package run

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/matchid"
)

// Events are numbered, selected and rendered in the order of the packets: workers keep the records that have some. The
// tags of the kept ones:
const (
	shownEvents    = iota
	numberedEvents // not selected by --frames: they count for the numbers of matches
)

// finishEvents makes the engine render the events of the verb events.
func (r *pass) finishEvents(cfg *engine.Config) {
	var numbers matchid.Numbers
	accepter, render := r.newAccepter(), r.renderer()
	seconds := make([]int64, len(r.tallies)) // by worker: capture time of the last record that was kept, for Merge
	cfg.Select = nil                         // what is not selected is numbered all the same
	cfg.FinishTo = func(out *engine.Out, rec *dissect.Record) error {
		selected := r.selects(rec)
		if selected {
			r.tallies[out.Worker].Seen(rec, r.DecodeAs)
		}
		if len(rec.Events.Nodes) > 0 || r.ticks(&seconds[out.Worker], rec) {
			keepEvents(out, rec, selected)
		}
		return nil
	}
	cfg.InOrder = func(dst []byte, k *engine.Kept) ([]byte, error) {
		if k.Uncollected {
			return dst, nil
		}
		numbers.Number(&k.Record)
		if k.Tag == numberedEvents {
			return dst, nil
		}
		if r.joining != nil {
			if k.Recorded() || r.Window.Has(k.Time, k.FirstTime, k.HasTime) {
				r.joining.Add(&k.Record)
			}
			return dst, nil
		}
		shown := accepter.accepts(0, &k.Record)
		if shown && len(k.Events.Nodes) > 0 {
			n := k.Events.Top().Len()
			if r.merge != nil {
				n = 0 // restOfMerge counts those that are printed
			}
			r.tallies[len(r.tallies)-1].PrintedEvents(&k.Record, n)
		}
		if !shown {
			if r.merge == nil {
				return dst, nil
			}
			k.Events.Reset() // Merge gets the time alone
		}
		if render == nil {
			return dst, nil
		}
		return render(dst, &k.Record), nil
	}
}

// selects reports whether --frames selects a record.
func (pl *plan) selects(rec *dissect.Record) bool {
	return pl.Frames.Contains(rec.Number()) && !(rec.Closing && len(pl.Frames) > 0)
}

func keepEvents(out *engine.Out, rec *dissect.Record, selected bool) {
	if k := out.Keep(rec); !selected {
		k.Tag = numberedEvents
	}
}

// ticks reports whether a record without events is kept, for its time: Merge waits for a time of the capture. last is
// the second of the worker's last one.
func (pl *plan) ticks(last *int64, rec *dissect.Record) bool {
	const second = 1e9
	if pl.merge == nil || !rec.HasTime || rec.Time/second == *last {
		return false
	}
	*last = rec.Time / second
	return true
}

// finishTables makes the engine write the rows of -T parquet: workers make those of packets.
func (r *pass) finishTables(cfg *engine.Config, write func(b []byte) error) {
	var numbers matchid.Numbers
	packets, events, accepter := r.recordRows(), r.schema.NewShredder(), r.newAccepter()
	cfg.Options.Events, cfg.Output, cfg.Before, cfg.Select = true, write, nil, nil
	cfg.FinishTo = func(out *engine.Out, rec *dissect.Record) error {
		selected := r.selects(rec)
		if selected && !rec.Closing {
			r.tallies[out.Worker].Seen(rec, r.DecodeAs)
		}
		if selected = selected && accepter.accepts(out.Worker, rec); selected && !rec.Closing {
			r.tallies[out.Worker].Printed(rec)
			out.Bytes = packets(out.Bytes, rec)
		}
		if len(rec.Events.Nodes) > 0 {
			keepEvents(out, rec, selected)
		}
		return nil
	}
	cfg.InOrder = func(dst []byte, k *engine.Kept) ([]byte, error) {
		numbers.Number(&k.Record)
		if k.Tag == shownEvents {
			dst = events.AppendEvents(dst, &k.Record)
		}
		return dst, nil
	}
}
