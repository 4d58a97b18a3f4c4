package command

import (
	"cmp"
	"slices"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/flags"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/help"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/keys"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/run"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/table"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
)

const keysHelp = `q3dissect keys shows how the key of each session of captures is known.

  q3dissect keys capture.pcap                      a line per session
  q3dissect keys capture.pcap --json > keys.json   one JSON object per session
  q3dissect other.pcap --keys keys.json            use what was found

Messages of the legacy encoding are enciphered with a challenge, which the
handshake contains, and with commands of the other side. Where a capture begins
in mid-game, or lacks a command, the key is recovered from the messages
themselves.
docs/protocols/cold-start.md has the method.
`

// newKeysCommand makes the verb keys.
func newKeysCommand(p *program) *cobra.Command {
	s, d := run.NewSettings(), &documents{}
	cmd := &cobra.Command{
		Use:   "keys [FLAGS] FILE...",
		Short: "how the key of each session is known",
		Long:  keysHelp,
		// --help has 24 lines.
		Annotations: map[string]string{help.Rare: ""},
		RunE: func(_ *cobra.Command, args []string) error {
			return p.printKeys(s, *d, s.Inputs(args))
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&s.JSON, "json", false, "one JSON object per line")
	s.RecoveryFlags(f)
	s.PacketFlags(f)
	f.VarP(flags.NewInputs(&s.Files, f), "read-file", "r", "an input, as without -r")
	f.BoolVar(&s.ContinueInputs, "continue", false, "treat all files as one capture (tcpdump -C)")
	f.BoolVar(&d.schema, "schema", false, "print the JSON Schema of the list")
	help.MarkMain(f, "json", "keys", "continue", "schema")
	return cmd
}

// printKeys runs the verb.
func (p *program) printKeys(s *run.Settings, d documents, inputs []string) error {
	switch {
	case d.schema && len(inputs) > 0:
		return exit.Usagef("--schema reads no file, but %s is given", inputs[0])
	case d.schema:
		return p.Print(incomplete.WithLine(keys.Schema()))
	case len(inputs) == 0:
		return exit.Usagef("no input: name a capture file")
	}
	asJSON := s.JSON
	s.JSON, s.Color = false, "never" // the run itself prints no records
	pl, err := run.NewPlan(p.Console, p.protocols, s)
	if err != nil {
		return err
	}
	sets := [][]string{inputs}
	if !s.ContinueInputs {
		sets = slices.Collect(slices.Chunk(inputs, 1))
	}
	status := exit.Done
	failed := func(name string, fault int, err error) {
		lacks := incomplete.Account{File: name}
		lacks.Fault(err)
		p.lack(&lacks)
		reason := run.ReasonOf(err)
		if name == input.Standard {
			name = "standard input"
		}
		p.Complain(name + ": " + reason)
		status = max(status, fault)
	}
	defer p.watch(len(inputs), slices.Contains(inputs, input.Standard))()
	for _, set := range sets {
		before, read := status, 0
		of := pl.Keys(set, failed)
		of.Share = pl.KeyShare()
		most := of.Each
		of.Each = func(packet *dissect.Packet) bool {
			if p.interrupted() {
				return false
			}
			read++
			p.bar.Record(set[0], read)
			return most(packet)
		}
		of.Read = func(name string, stats *capture.Stats) {
			lacks := incomplete.Account{File: name}
			lacks.Capture(stats)
			p.lack(&lacks)
		}
		list := of.List()
		of.Share.End()
		p.bar.Clear()
		if signal := p.interrupt.Status(); signal != 0 {
			status = max(status, signal)
			lacks := incomplete.Account{File: set[0]}
			lacks.Interrupt(int64(read), 0)
			p.lack(&lacks)
		}
		if len(list) == 0 && status == before && !asJSON {
			p.Complain(set[0] + ": no session of the Quake III engine with a key: others have none")
		}
		file := ""
		if len(sets) > 1 {
			file = set[0]
		}
		var out []byte
		if asJSON {
			for i := range list {
				out = keys.AppendJSON(out, file, &list[i])
			}
		} else if len(list) > 0 {
			out = keys.Table(file, list).AppendText(out, table.Style{Width: terminal.Width(p.Stdout)})
		}
		if err := p.Print(out); err != nil {
			return err
		}
	}
	return cmp.Or(p.printLacks(asJSON), exit.Highest(status))
}
