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
	pl.pdus = &pdus{encoder: wireshark.NewEncoder(pl.protocols, "q3dissect "+version.Read().Version, both), both: both, frames: pl.Frames}
	return nil
}

// pdus makes exported PDUs of records.
type pdus struct {
	encoder *wireshark.Encoder
	both    bool
	frames  flags.Frames
}

// prepare makes an engine pass all records: those that are not written can have a part of a message that is.
func (p *pdus) prepare(cfg *engine.Config) {
	p.encoder.Reset()
	finish := cfg.Finish
	cfg.Before, cfg.Select = nil, nil
	cfg.Finish = func(worker int, dst []byte, rec *dissect.Record) (out []byte, err error) {
		out = dst
		if p.frames.Contains(rec.Frame) {
			out, err = finish(worker, dst, rec)
		}
		if len(out) == len(dst) {
			p.encoder.Keep(rec)
		}
		return out, err
	}
}

// append encodes a record's exported PDU for output, after its packet if both are wanted.
func (p *pdus) append(dst []byte, rec *dissect.Record) []byte {
	if p.both {
		dst = appendWritten(dst, rec)
	}
	data := p.encoder.Append(nil, rec)
	if data == nil {
		return dst
	}
	pdu := dissect.Packet{Time: rec.Time, HasTime: rec.HasTime, Raw: &dissect.RawPacket{
		Data: data, Length: len(data), LinkType: wireshark.LinkType, InterfaceName: pduInterface,
	}}
	return appendPacket(dst, &pdu, nil)
}
