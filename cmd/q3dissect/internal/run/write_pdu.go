package run

import (
	"slices"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/flags"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/version"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
	"github.com/q3dissect/q3dissect/dissect/render/wireshark"
)

// PDUForms are the values of --pdu: exported PDUs alone, or after the packets that they were made of.
var PDUForms = []string{"only", "both"}

// pduInterface is the name of the interface that exported PDUs have in a file.
const pduInterface = "q3dissect"

// checkPDU checks --pdu against the other flags, and prepares it.
func (pl *plan) checkPDU() error {
	switch {
	case pl.PDU == "":
		return nil
	case pl.Write == "":
		return exit.Usagef("--pdu changes what -w writes; name a file with -w")
	case !slices.Contains(PDUForms, pl.PDU):
		return exit.Usagef("--pdu=%s: %s", pl.PDU, schema.Choices(pl.PDU, PDUForms))
	}
	both := pl.PDU == "both"
	pl.pdus = &pdus{
		encoder: wireshark.NewEncoder(pl.protocols, "q3dissect "+version.Read().Version, both),
		both:    both, frames: pl.Frames,
	}
	return nil
}

// pdus makes exported PDUs of records.
type pdus struct {
	encoder *wireshark.Encoder
	both    bool
	frames  flags.Frames
	written []bool // by worker: the present record is
}

// prepare makes an engine pass all records: those that are not written can have a part of a message that is.
func (p *pdus) prepare(cfg *engine.Config) {
	p.encoder.Reset()
	p.written = make([]bool, max(cfg.Workers, 1))
	finish := cfg.FinishTo
	cfg.Before, cfg.Select = nil, nil
	cfg.FinishTo = func(out *engine.Out, rec *dissect.Record) (err error) {
		p.written[out.Worker] = false
		if p.frames.Contains(rec.Number()) {
			err = finish(out, rec)
		}
		if !p.written[out.Worker] {
			p.encoder.Keep(rec)
		}
		return err
	}
}

// keep keeps a record's exported PDU, after its packet if both are wanted.
func (p *pdus) keep(out *engine.Out, rec *dissect.Record) {
	if p.both {
		keepPacket(out, rec)
	}
	has := p.encoder.Has(rec)
	if p.written[out.Worker] = p.both || has; !has {
		return
	}
	k := out.Keep(rec)
	k.Bytes = p.encoder.Append(k.Bytes, rec)
	k.Tag = len(k.Bytes) // no comment
	k.Packet = dissect.Packet{Time: rec.Time, HasTime: rec.HasTime, Raw: &dissect.RawPacket{
		Data: k.Bytes, Length: len(k.Bytes), LinkType: wireshark.LinkType, InterfaceName: pduInterface,
	}}
}
