package run

import (
	"io"
	"slices"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/output"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/version"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
)

// A writing is -w: packets go to a pcapng file instead of records to standard output.
type writing struct {
	name    output.Name // -w
	file    *output.File
	copy    io.Writer // also receives the written bytes; nil: not used
	packets packetWriter
	err     error // the first one

	demo        *dissect.Protocol // of the recording, if a demo is written
	refused     error             // nothing can be written
	unaddressed uint64            // records without addresses: messages of demos, and hex dumps without headers
	found       *survey           // with --with-context, what the first pass found in the present input
	matched     []written
}

// checkWriting checks -w against the other flags.
func (pl *plan) checkWriting() error {
	if err := pl.checkPDU(); err != nil {
		return err
	}
	switch {
	case pl.WithContext && pl.Write == "":
		return exit.Usagef("--with-context adds packets to -w; name a file with -w")
	case pl.Write == "" && pl.WriteFormat != "":
		return exit.Usagef("-F is the format of -w; name a file with -w")
	case pl.Write == "":
		return nil
	case pl.WriteFormat != "" && !slices.Contains(WriteFormats, pl.WriteFormat):
		return exit.Usagef("-F %s: %s", pl.WriteFormat, schema.Choices(pl.WriteFormat, WriteFormats))
	case pl.WriteFormat == "pcap" && pl.PDU != "":
		return exit.Usagef("--pdu needs pcapng, which -F pcap contradicts")
	case pl.PrintToo && (pl.WithContext || pl.PDU != ""):
		return exit.Usagef("-P prints the packets that -w writes, which --with-context and --pdu contradict")
	case pl.PrintToo && pl.Write == input.Standard:
		return exit.Usagef("-P and -w - both write to standard output")
	case pl.PrintToo:
		return nil
	case pl.form != formText && pl.form != formNothing || pl.Table || pl.Hex:
		return exit.Usagef("-w writes packets and prints no records; leave out --json, -T, -V and -x")
	case pl.WithContext && pl.ContinueInputs:
		return exit.Usagef("--with-context reads each file by itself, which contradicts --continue")
	}
	pl.form = formNothing
	return nil
}

// WriteFormats are the values of -F.
var WriteFormats = []string{"pcapng", "pcap"}

// A packetWriter writes packets to a file of some format.
type packetWriter interface {
	Write(p *dissect.Packet, comments ...string) error
	Frames() uint64
	Close() error
}

// begin creates the file.
func (w *writing) begin(c *console.Console, format string) error {
	file, err := w.name.Create(c)
	if err != nil {
		return exit.Unwritable(string(w.name), err)
	}
	w.file = file
	var out io.Writer = file
	if w.copy != nil {
		out = io.MultiWriter(file, w.copy)
	}
	switch {
	case w.demo != nil:
		w.packets = newDemoWriter(out, w.demo.DemoEnd)
	case format == "pcap":
		w.packets = capture.NewPcapWriter(out)
	default:
		w.packets = capture.NewWriter(out, "q3dissect "+version.Read().Version)
	}
	return nil
}

// note adds to a copy what its inputs did not give: whoever has it alone must not take it for all. unnamed leaves out
// the names of the inputs.
func (w *writing) note(lacks incomplete.List, unnamed bool) {
	noted, ok := w.packets.(interface{ Note(comment string) bool })
	for i := range lacks {
		text := lacks[i].String()
		if unnamed || len(lacks) == 1 {
			text = lacks[i].Message
		}
		if ok {
			noted.Note(incomplete.Key + ": " + text)
		}
	}
}

// end completes the file, or removes it if it could not be written. A file without packets replaces none. written is
// true if the file has its name.
func (w *writing) end() (written bool, err error) {
	if w.err == nil {
		w.err = w.packets.Close()
	}
	switch {
	case w.err != nil:
		w.file.Drop()
	case w.packets.Frames() == 0 && w.file.Replaces():
		w.file.Drop()
		return false, nil
	default:
		w.err = w.file.Commit()
	}
	if w.err != nil {
		return false, exit.Unwritable(string(w.name), w.err)
	}
	return true, nil
}

// finishWriting makes an engine write packets, with --with-context those that the first pass found.
func (r *pass) finishWriting(cfg *engine.Config) {
	if cfg.InOrder = r.writing.write; !r.PrintToo {
		cfg.Output = nil
	}
	found := r.writing.found
	// A comment shows no more than a list.
	cfg.Outline = found == nil && r.pdus == nil && !r.PrintToo && r.display == nil && len(r.statistics) == 0 &&
		r.export == nil
	if found != nil {
		cfg.All, cfg.Before, cfg.Select, cfg.Options.Events = true, nil, nil, true
		cfg.FinishTo = func(out *engine.Out, rec *dissect.Record) error {
			if rec.Closing {
				return nil
			}
			if found.match.has(rec.Frame) {
				r.tallies[out.Worker].Seen(rec, r.DecodeAs)
				found.note(rec)
			}
			if found.accepts(rec) {
				r.keepWritten(out, rec)
			}
			return nil
		}
	}
	if r.pdus != nil {
		r.pdus.prepare(cfg)
	}
}

// keepWritten keeps what is written of a record: its packet, its exported PDU, or both.
func (pl *plan) keepWritten(out *engine.Out, rec *dissect.Record) {
	if rec.Partial {
		return // its fragments are packets
	}
	if pl.pdus != nil {
		pl.pdus.keep(out, rec)
	} else {
		keepPacket(out, rec)
	}
}

// keepPacket keeps a packet, and its comment as the rest of the bytes.
func keepPacket(out *engine.Out, rec *dissect.Record) {
	k := out.KeepPacket(rec)
	k.Tag, k.Bytes = len(k.Bytes), render.AppendComment(k.Bytes, rec)
}

// write is the engine's InOrder.
func (w *writing) write(dst []byte, k *engine.Kept) ([]byte, error) {
	before := w.packets.Frames()
	if w.err = w.packets.Write(&k.Packet, string(k.Bytes[k.Tag:])); w.err == nil && w.packets.Frames() == before {
		w.unaddressed++
	} else if w.found != nil {
		if sum, ok := w.found.sum(k.Frame); ok && len(w.matched) < mostChecked {
			w.matched = append(w.matched, written{frame: k.Frame, place: w.packets.Frames(), sum: sum})
		}
	}
	return dst, w.err
}
