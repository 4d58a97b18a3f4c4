package command

import (
	"cmp"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/help"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/listing"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/table"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/view/catalogue"
)

const catalogueHelp = `q3dissect catalogue lists the matches of captures and demos: when, what was
played where, who won and how.

  q3dissect catalogue demos/                      a line for each match below
  q3dissect catalogue demos/ --json               one JSON object per match
  q3dissect catalogue demos/ captures/ --csv      for a spreadsheet
  q3dissect catalogue demos/ --sort date          the oldest first
  q3dissect catalogue demos/ 'map == "cpm24" and duration > 5m'

Folders are searched recursively; files of unknown kinds in them are skipped.
docs/matches.md explains the columns.
`

const catalogueVerb = "catalogue"

// newCatalogueCommand makes the verb catalogue.
func newCatalogueCommand(p *program) *cobra.Command {
	var o manyFlags
	cmd := &cobra.Command{
		Use:   catalogueVerb + " [FLAGS] PATH... [FILTER]",
		Short: "the matches of many files",
		Long:  catalogueHelp,
		RunE:  func(_ *cobra.Command, args []string) error { return p.printCatalogue(o, args) },
	}
	f := cmd.Flags()
	o.define(f, "match", "matches")
	help.MarkMain(f, "json", "csv", "schema", "sort", "display-filter")
	return cmd
}

// printCatalogue runs the verb.
func (p *program) printCatalogue(o manyFlags, args []string) error {
	if wanted, err := o.wantsSchema(args); err != nil {
		return err
	} else if wanted {
		return p.Print(incomplete.WithLine(catalogue.Schema()))
	}
	if err := o.check(args, listing.LineKeys()); err != nil {
		return err
	}
	args, matches, err := o.takeFilter(args, catalogue.Fields())
	if err != nil {
		return err
	}
	paths, status := p.paths(args)
	lines := listing.Lines{Out: terminal.Output(p.Stdout), JSON: o.json, Sort: o.sort}
	if o.csv {
		lines.CSV = &o.form
	}
	if terminal.Is(p.Stdout) {
		lines.Style = table.Style{Width: terminal.Width(p.Stdout)}
	}
	if err := lines.Begin(); err != nil {
		return exit.Unwritable("standard output", err)
	}
	all := listing.Run{Show: lines.Add}
	if matches != nil {
		all.Fits = func(l *catalogue.Listing) bool { return matches(l) }
	}
	if terminal.Is(p.Stderr) {
		all.Progress = p.Stderr
	}
	worst, err := p.readMany(&o, paths, &all)
	if err == nil {
		err = lines.End()
	}
	if err != nil {
		return exit.Unwritable("standard output", err)
	}
	return cmp.Or(p.endMany(&o, all.Lacks), exit.Highest(status, worst))
}
