package run

import (
	"encoding/binary"
	"io"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/output"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/version"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/engine"
)

// A writing is -w: packets go to a pcapng file instead of records to standard output.
type writing struct {
	name    output.Name // -w
	file    *output.File
	copy    io.Writer // also receives the written bytes; nil: not used
	packets *capture.Writer
	err     error // the first one

	unaddressed uint64  // records without addresses: messages of demos, and hex dumps without headers
	found       *survey // with --with-context, what the first pass found in the present input
}

// checkWriting checks -w against the other flags.
func (pl *plan) checkWriting() error {
	if err := pl.checkPDU(); err != nil {
		return err
	}
	switch {
	case pl.WithContext && pl.Write == "":
		return exit.Usagef("--with-context adds packets to -w; name a file with -w")
	case pl.Write == "":
		return nil
	case pl.form != formText && pl.form != formNothing || pl.Table || pl.Hex:
		return exit.Usagef("-w writes packets and prints no records; leave out --json, -T, -V and -x")
	case pl.WithContext && pl.ContinueInputs:
		return exit.Usagef("--with-context reads each file by itself, which contradicts --continue")
	}
	pl.form = formNothing
	return nil
}

// begin creates the file.
func (w *writing) begin(c *console.Console) error {
	file, err := w.name.Create(c)
	if err != nil {
		return exit.Unwritable(string(w.name), err)
	}
	w.file = file
	var out io.Writer = file
	if w.copy != nil {
		out = io.MultiWriter(file, w.copy)
	}
	w.packets = capture.NewWriter(out, "q3dissect "+version.Read().Version)
	return nil
}

// end completes the file, or removes it if it could not be written.
func (w *writing) end() error {
	if w.err == nil {
		w.err = w.packets.Close()
	}
	if w.err == nil {
		w.err = w.file.Commit()
	} else {
		w.file.Drop()
	}
	if w.err != nil {
		return exit.Unwritable(string(w.name), w.err)
	}
	return nil
}

// prepare makes an engine write the packets of a plan. Seen is called for the records that the first pass found, by the worker.
func (w *writing) prepare(cfg *engine.Config, pl *plan, seen func(worker int, rec *dissect.Record)) {
	cfg.Output = w.output
	if found := w.found; found != nil {
		render := pl.packets()
		cfg.All, cfg.Before, cfg.Select = true, nil, nil
		cfg.Finish = func(worker int, dst []byte, rec *dissect.Record) ([]byte, error) {
			if found.match.has(rec.Frame) {
				seen(worker, rec)
			}
			if !found.accepts(rec) {
				return dst, nil
			}
			return render(dst, rec), nil
		}
	}
	if pl.pdus != nil {
		pl.pdus.prepare(cfg)
	}
}

// packets returns the function that encodes a record for output: its packet, its exported PDU, or both.
func (pl *plan) packets() appender {
	if pl.pdus != nil {
		return pl.pdus.append
	}
	return appendWritten
}

// Flags of a packet on its way to the writer.
const (
	hasTime = 1 << iota
	hasRaw
)

// appendWritten encodes a record's packet and comment for output: workers hand them to the writer as bytes.
func appendWritten(dst []byte, rec *dissect.Record) []byte {
	return appendPacket(dst, &rec.Packet, appendComment(nil, rec))
}

// appendPacket encodes a packet and a comment.
func appendPacket(dst []byte, p *dissect.Packet, comment []byte) []byte {
	var flags byte
	if p.HasTime {
		flags |= hasTime
	}
	raw := p.Raw
	if raw != nil {
		flags |= hasRaw
	} else {
		raw = &dissect.RawPacket{Data: p.Payload}
	}
	dst = append(dst, flags)
	dst = binary.AppendVarint(dst, p.Time)
	for _, v := range []uint64{uint64(raw.Length), uint64(raw.LinkType), uint64(raw.Interface)} {
		dst = binary.AppendUvarint(dst, v)
	}
	for _, a := range []interface{ MarshalBinary() ([]byte, error) }{p.Src, p.Dst} {
		b, _ := a.MarshalBinary() // it has no error
		dst = appendSized(dst, b)
	}
	dst = appendSized(dst, []byte(raw.InterfaceName))
	dst = appendSized(dst, []byte(raw.Comment))
	dst = appendSized(dst, raw.Data)
	return appendSized(dst, comment)
}

func appendSized(dst, b []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}

// appendComment appends the comment that Wireshark shows for a record: the list's last column, and a line for
// each expert entry.
func appendComment(dst []byte, rec *dissect.Record) []byte {
	if rec.Protocol == nil {
		return dst
	}
	dst = append(append(dst, rec.Protocol.Name...), ": "...)
	dst = rec.Protocol.AppendInfo(dst, rec)
	for _, e := range rec.Experts {
		dst = append(append(append(dst, '\n'), e.Severity.String()...), ' ')
		dst = append(append(append(dst, e.Code...), ": "...), terminal.Visible(e.Message)...)
	}
	return dst
}

// output writes the packets of some records.
func (w *writing) output(b []byte) error {
	for len(b) > 0 && w.err == nil {
		var p dissect.Packet
		var comment string
		p, comment, b = parseWritten(b)
		before := w.packets.Frames()
		if w.err = w.packets.Write(&p, comment); w.err == nil && w.packets.Frames() == before {
			w.unaddressed++
		}
	}
	return w.err
}

// parseWritten reads what appendWritten wrote.
func parseWritten(b []byte) (p dissect.Packet, comment string, rest []byte) {
	number := func() uint64 {
		v, n := binary.Uvarint(b)
		b = b[n:]
		return v
	}
	sized := func() []byte {
		n := number()
		s := b[:n:n]
		b = b[n:]
		return s
	}
	flags := b[0]
	when, n := binary.Varint(b[1:])
	b = b[1+n:]
	p.HasTime, p.Time = flags&hasTime != 0, when
	raw := &dissect.RawPacket{Length: int(number()), LinkType: uint16(number()), Interface: int(number())}
	_, _ = p.Src.UnmarshalBinary(sized()), p.Dst.UnmarshalBinary(sized()) // they were addresses
	raw.InterfaceName, raw.Comment, raw.Data = string(sized()), string(sized()), sized()
	if flags&hasRaw != 0 {
		p.Raw = raw
	} else {
		p.UDP, p.Payload, p.Length = p.Src.IsValid(), raw.Data, len(raw.Data)
	}
	return p, string(sized()), b
}
