package report

import (
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/keys"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// Read makes an input part of the report: for callers without a run of their own. keys gives the keys of sessions that
// began before the input, and may be nil; each is called after every record, and may be nil. The error is that of the
// input; what came before it is in the report.
func (r *Report) Read(in *open.Input, name string, keys func(keys.Key) *keys.Key,
	each func(),
) error {
	var cfg engine.Config
	r.Prepare(&cfg, name, false)
	o := cfg.Options
	o.Events, o.Inputs, o.Secrets, o.Keys = true, true, true, keys // statistics mask passwords themselves
	var fault error
	lacks := incomplete.Account{File: name}
	in.Collect(r)
	for rec, err := range in.Records(o) {
		if err != nil {
			fault = err
			lacks.Fault(err)
			break
		}
		lacks.Record(rec)
		if !rec.Uncollected {
			r.Add(rec)
		}
		if each != nil {
			each()
		}
	}
	r.AddIncomplete(lacks.List())
	if err := r.EndInput(); err != nil {
		return err
	}
	return fault
}
