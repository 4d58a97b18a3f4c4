package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/help"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/compare"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/open"
)

const compareHelp = `q3dissect compare shows what happened between two places of a path.

  q3dissect compare client.pcap server.pcap           lost, late and doubled datagrams, in sentences
  q3dissect compare client.pcap server.pcap --json    one JSON object per conversation and direction

Capture the same session at both ends: what one has and the other lacks was
lost on the way. Addresses may differ (NAT), and so may the clocks: their
difference follows from the datagrams. docs/compare.md has the method.
`

// compareFlags are the flags of the verb.
type compareFlags struct{ json, seconds bool }

// newCompareCommand makes the verb compare.
func newCompareCommand(p *program) *cobra.Command {
	var o compareFlags
	cmd := &cobra.Command{
		Use:   "compare [FLAGS] A B",
		Short: "one path seen at both ends: loss, delay",
		Long:  compareHelp,
		RunE:  func(_ *cobra.Command, args []string) error { return p.compare(o, args) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&o.json, "json", false, "one JSON object per line")
	f.BoolVar(&o.seconds, "seconds", false, "--json: an object for each second too")
	help.MarkMain(f, "json", "seconds")
	return cmd
}

// compare runs the verb.
func (p *program) compare(o compareFlags, args []string) error {
	switch {
	case len(args) != 2:
		return exit.Usagef("compare takes two captures, not %d", len(args))
	case args[0] == input.Standard || args[1] == input.Standard:
		return exit.Usagef("compare reads files, not standard input")
	case o.seconds && !o.json:
		return exit.Usagef("--seconds is for --json")
	}
	status := exit.Done
	var places [2]*compare.Place
	for i, name := range args {
		place, fault := p.place(name)
		if fault != exit.Done {
			status = max(status, fault)
		}
		if place == nil {
			return exit.With(status)
		}
		places[i] = place
	}
	result := compare.Compare(places[0], places[1])
	var out []byte
	if o.json {
		out = result.AppendJSON(nil, o.seconds)
	} else {
		out = terminal.Fold(result.AppendText(nil), terminal.Width(p.Stdout))
	}
	if err := p.Print(out); err != nil {
		return err
	}
	if status != exit.Done {
		return exit.With(status)
	}
	return nil
}

// place reads a capture. nil: nothing can be read, which was reported.
func (p *program) place(name string) (place *compare.Place, status int) {
	complain := func(err error) { p.Complain(name + ": " + exit.Reason(err)) }
	in, err := open.File(name, open.Options{Protocols: p.protocols})
	if err != nil {
		complain(err)
		return nil, exit.Unreadable
	}
	defer in.Close()
	if _, ok := in.Recording(); ok {
		complain(fmt.Errorf("a recording of a game, not a capture"))
		return nil, exit.Unreadable
	}
	place = compare.NewPlace(terminal.Visible(name))
	for rec, err := range engine.Records(in.Packets(), engine.Config{Protocols: p.protocols, NoTree: true, Options: dissect.Options{}}) {
		if err == nil {
			err = place.Add(rec)
		}
		if err != nil { // what came before it is compared
			complain(err)
			return place, exit.BrokenOff
		}
	}
	return place, exit.Done
}
