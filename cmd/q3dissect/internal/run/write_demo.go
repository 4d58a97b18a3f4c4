package run

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/quantity"
)

// A demoWriter writes the messages of a recording, and its end.
type demoWriter struct {
	out      *bufio.Writer
	end      []byte
	messages uint64
}

func newDemoWriter(out io.Writer, end []byte) *demoWriter {
	return &demoWriter{out: bufio.NewWriter(out), end: end}
}

// Write writes a message. A packet that is none, in place of one that could not be rewritten, is not written.
func (w *demoWriter) Write(p *dissect.Packet, _ ...string) error {
	if !p.Recorded() {
		return nil
	}
	w.messages++
	b := p.Payload
	if p.File != nil {
		b = p.File
	}
	_, err := w.out.Write(b)
	return err
}

// Frames returns how many messages were written.
func (w *demoWriter) Frames() uint64 { return w.messages }

// Close writes the end.
func (w *demoWriter) Close() error {
	_, _ = w.out.Write(w.end) // Flush has its error
	return w.out.Flush()
}

// checkRecordings finds out whether -w writes packets or a demo, before anything is written. Inputs that can be read
// only once are checked when they are.
func (r *pass) checkRecordings(inputs []string) error {
	if r.Write == "" || r.pdus != nil {
		return nil
	}
	recorded, demo := "", (*dissect.Protocol)(nil)
	for _, name := range inputs {
		info, err := os.Stat(name)
		if name == input.Standard || err != nil || !info.Mode().IsRegular() {
			return nil
		}
		in, err := open.File(name, r.reading())
		if err != nil {
			continue // it is reported when it is read
		}
		p := in.Recorder()
		in.Close() // it was only read
		switch {
		case p == nil:
			return nil // recordings beside captures are counted
		case recorded == "":
			recorded, demo = name, p
		case r.rewrites():
			return exit.Usagef("-w writes one demo; %s and %s are two: write each by itself", recorded, name)
		}
	}
	if recorded == "" {
		return nil
	}
	return r.prepareDemo(recorded, demo)
}

// prepareDemo makes -w write a demo, or returns the reason why it cannot.
func (r *pass) prepareDemo(name string, p *dissect.Protocol) error {
	switch {
	case !r.rewrites():
		return noPackets(name, p)
	case !p.RewritesDemos:
		return exit.Usagef("%s: %s cannot write recordings of %s", name, r.rewriting(), p.Name)
	case r.display != nil || len(r.Frames) > 0 || r.Window.Given():
		return exit.Usagef("a demo needs all messages from its beginning on: leave out -Y, --frames, --from and --to; " +
			"q3dissect export demo --from cuts demos")
	case r.WithContext || r.WriteFormat != "":
		return exit.Usagef("--with-context and -F concern packets, and %s is a demo", name)
	}
	r.writing.demo = p
	return nil
}

// refuses reports whether the only input, which could not be read before, is a recording, and -w would have no packets.
func (r *pass) refuses(name string, in *open.Input) bool {
	p := in.Recorder()
	if p == nil || r.Write == "" || r.pdus != nil || r.writing.demo != nil || len(r.sources) > 1 {
		return false
	}
	r.writing.refused = noPackets(name, p)
	return true
}

// endWriting completes what -w writes. written is true if the file has its name.
func (r *pass) endWriting() (written bool, err error) {
	switch {
	case r.writing.refused != nil:
		r.writing.file.Drop()
		return false, r.writing.refused
	case r.begun == 0:
		r.writing.file.Drop()
		return false, nil
	case r.writing.demo != nil && r.writing.packets.Frames() == 0:
		r.writing.file.Drop()
		return false, exit.Unwritable(string(r.Write),
			errors.New("no message can be written without knowing who is named in it"))
	}
	written, err = r.writing.end()
	if !written && err == nil {
		r.complain(string(r.Write) + ": stays as it was, as there is no packet to write")
	}
	return written, err
}

// noPackets is the error of -w with a recording.
func noPackets(name string, p *dissect.Protocol) error {
	what := name
	if name == input.Standard {
		what = "standard input"
	}
	instead := "--pdu writes its messages"
	if p.RewritesDemos {
		instead = "q3dissect export demo " + name +
			" -o DIR writes demos, --pdu messages, --anonymize a demo with other names"
	}
	return exit.Usagef("-w writes packets, which recordings do not have, and %s is one: %s", what, instead)
}

// checkDemo reads the demo that was written, as somebody will who has it alone.
func (r *pass) checkDemo() {
	in, err := open.File(string(r.Write), r.reading())
	if err != nil {
		return // a pipe was read by somebody else
	}
	defer in.Close()
	stats, err := open.Dissect(in, engine.Config{
		Protocols: r.protocols, Workers: int(r.Workers.Value), NoTree: true,
		Finish: func(_ int, dst []byte, _ *dissect.Record) ([]byte, error) { return dst, nil },
	}, nil)
	damaged := r.total.Damaged
	if messages, _ := in.Recording(); err != nil || messages != r.writing.packets.Frames() || stats.Damaged != damaged {
		r.complain(fmt.Sprintf("%s, read back: %s, %d damaged; the input has %d damaged",
			r.Write, quantity.Count(messages, "message"), stats.Damaged, damaged))
	}
}
