package command

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/help"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/listing"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/table"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/view/people"
)

const playersHelp = `q3dissect players lists the people in captures and demos: a line for each, over
all files.

  q3dissect players demos/                        who played most
  q3dissect players demos/ --sort accuracy        who hit most
  q3dissect players demos/ 'kills > 100 and not bot'
  q3dissect players captures/ --json | jq .names  every name of each GUID

A person is a GUID where the recording shows one, else a name and an address,
else a name. id_kind and evidence show how sure that is. Folders are searched
recursively; files of unknown kinds in them are skipped.
`

// playersVerb is the verb's name.
const playersVerb = "players"

// newPlayersCommand makes the verb players.
func newPlayersCommand(p *program) *cobra.Command {
	o := manyFlags{sort: "matches"}
	cmd := &cobra.Command{
		Use:   "players [FLAGS] PATH... [FILTER]",
		Short: "the people of many files: matches, kills, accuracy",
		Long:  playersHelp,
		RunE:  func(_ *cobra.Command, args []string) error { return p.printPlayers(o, args) },
	}
	f := cmd.Flags()
	o.define(f, "person", "people")
	help.MarkMain(f, "json", "csv", "schema", "sort", "display-filter")
	return cmd
}

// printPlayers is what the verb does.
func (p *program) printPlayers(o manyFlags, args []string) error {
	if wanted, err := o.wantsSchema(args); err != nil {
		return err
	} else if wanted {
		return p.Print(incomplete.WithLine(people.Schema()))
	}
	if err := o.check(args, listing.CareerKeys()); err != nil {
		return err
	}
	args, matches, err := o.takeFilter(args, people.Fields())
	if err != nil {
		return err
	}
	paths, status := p.paths(args)
	everybody := people.New()
	all := listing.Run{Careers: everybody}
	if terminal.Is(p.Stderr) {
		all.Progress = p.Stderr
	}
	worst, err := p.readMany(&o, paths, &all)
	if err != nil {
		return err
	}
	list := everybody.List()
	if matches != nil {
		list = slices.DeleteFunc(list, func(c people.Career) bool { return !matches(&c) })
	}
	listing.SortCareers(list, o.sort)
	if left := everybody.Left(); left > 0 {
		p.Complain(strconv.FormatInt(left, 10) + " appearances of people beyond the 200,000 that are kept")
	}
	var out []byte
	switch {
	case o.csv:
		out = listing.AppendCareersCSV(out, list, &o.form)
	case o.json:
		out = listing.AppendCareersJSON(out, list)
	default:
		var style table.Style
		if terminal.Is(p.Stdout) {
			style.Width = terminal.Width(p.Stdout)
		}
		out = listing.AppendCareersText(out, list, style)
	}
	if err := p.Print(out); err != nil {
		return err
	}
	return cmp.Or(p.endMany(&o, all.Lacks), exit.Highest(status, worst))
}
