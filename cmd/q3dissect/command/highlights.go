package command

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/flags"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/help"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/listing"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/table"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/view/highlights"
)

const highlightsHelp = `q3dissect highlights lists multikills, midairs and flicks of captures and demos,
the rarest of all the files first.

  q3dissect highlights demos/                     a line for each
  q3dissect highlights demos/ 'event == "midair" and viewed'
  q3dissect highlights demos/ --multikill 4,3s    four kills, 3 s between two
  q3dissect highlights demos/ --json | jq .info

as_rare counts how many of its kind in all the files are at least as remarkable:
by kills, distance or angle. docs/highlights.md has the rules. Folders are
searched recursively. A demo of each is made by q3dissect export demo --around.
`

// highlightsVerb is the verb's name.
const highlightsVerb = "highlights"

// newHighlightsCommand makes the verb highlights.
func newHighlightsCommand(p *program) *cobra.Command {
	o, rules := manyFlags{sort: "as_rare"}, flags.Highlights{}
	cmd := &cobra.Command{
		Use:   highlightsVerb + " [FLAGS] PATH... [FILTER]",
		Short: "remarkable moments of many files, the rarest first",
		Long:  highlightsHelp,
		RunE:  func(_ *cobra.Command, args []string) error { return p.printHighlights(o, &rules, args) },
	}
	f := cmd.Flags()
	o.define(f, "moment", "moments")
	rules.Define(f, "")
	help.MarkMain(f, "json", "csv", "schema", "sort", "display-filter", "multikill", "midair", "flick")
	return cmd
}

// printHighlights is what the verb does.
func (p *program) printHighlights(o manyFlags, rules *flags.Highlights, args []string) error {
	if wanted, err := o.wantsSchema(args); err != nil {
		return err
	} else if wanted {
		return p.Print(incomplete.WithLine(highlights.Schema()))
	}
	if err := o.check(args, listing.MomentKeys()); err != nil {
		return err
	}
	args, matches, err := o.takeFilter(args, highlights.Fields())
	if err != nil {
		return err
	}
	paths, status := p.paths(args)
	moments := highlights.NewList()
	all := listing.Run{Moments: moments, Rules: rules.Always()}
	if terminal.Is(p.Stderr) {
		all.Progress = p.Stderr
	}
	worst, err := p.readMany(&o, paths, &all)
	if err != nil {
		return err
	}
	list := moments.Sorted()
	if matches != nil {
		list = slices.DeleteFunc(list, func(h highlights.Highlight) bool { return !matches(&h) })
	}
	listing.SortMoments(list, o.sort)
	if left := moments.Left(); left > 0 {
		p.Complain(strconv.FormatInt(left, 10) + " moments beyond the 200,000 that are kept, 20,000 of a file")
	}
	var out []byte
	switch {
	case o.csv:
		out = listing.AppendMomentsCSV(out, list, &o.form)
	case o.json:
		out = listing.AppendMomentsJSON(out, list)
	default:
		var style table.Style
		if terminal.Is(p.Stdout) {
			style.Width = terminal.Width(p.Stdout)
		}
		out = listing.AppendMomentsText(out, list, style)
	}
	if err := p.Print(out); err != nil {
		return err
	}
	return cmp.Or(p.endMany(&o, all.Lacks), exit.Highest(status, worst))
}
