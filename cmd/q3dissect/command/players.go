package command

import (
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/catalogue"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/help"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/run"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/table"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
	"github.com/q3dissect/q3dissect/dissect/view"
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

// playersFlags are the flags of the verb.
type playersFlags struct {
	json, csv bool
	noRecover bool
	noCache   bool
	workers   int
	sort      string
	filter    run.Settings // -Y alone
}

// newPlayersCommand makes the verb players.
func newPlayersCommand(p *program) *cobra.Command {
	var o playersFlags
	cmd := &cobra.Command{
		Use:   "players [FLAGS] PATH... [FILTER]",
		Short: "the people of many files: matches, kills, accuracy",
		Long:  playersHelp,
		RunE:  func(_ *cobra.Command, args []string) error { return p.printPlayers(o, args) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&o.json, "json", false, "one JSON object per person")
	f.BoolVar(&o.csv, "csv", false, "comma-separated values with a header")
	f.StringVarP(&o.filter.Filter, "display-filter", "Y", "",
		"`FILTER`: people that match, by the keys of --json; may also be the last argument, without -Y")
	f.StringVar(&o.sort, "sort", "matches", "`KEY`: sort the lines by this key")
	f.IntVarP(&o.workers, "workers", "j", 0, "`N` files at a time; 0: one per processor")
	f.BoolVar(&o.noCache, "no-cache", false, "do not use the cache of earlier runs")
	f.BoolVar(&o.noRecover, "no-recover", false, "do not recover keys of sessions that began before the capture")
	help.MarkMain(f, "json", "csv", "sort", "display-filter")
	return cmd
}

// printPlayers is what the verb does.
func (p *program) printPlayers(o playersFlags, args []string) error {
	keys := catalogue.CareerKeys()
	switch {
	case o.json && o.csv:
		return exit.Usagef("--json and --csv contradict each other")
	case len(args) == 0:
		return exit.Usagef("no input: name files or folders")
	case o.workers < 0:
		return exit.Usagef("-j %d: want 0 or more", o.workers)
	case !slices.Contains(keys, o.sort):
		return exit.Usagef("--sort %s: %s", o.sort, schema.Choices(o.sort, keys))
	}
	names := filter.Fields(view.CareerFields())
	args, err := o.filter.TakeFilter(args, names)
	if err != nil {
		return err
	}
	var condition *filter.Filter
	if o.filter.Filter != "" {
		if condition, err = names.Compile(o.filter.Filter); err != nil {
			return exit.FilterError("-Y", err)
		}
	}
	paths, err := input.Files(p.Stdout, args)
	status := exit.Done
	if err != nil {
		p.Complain(exit.Reason(err))
		status = exit.Unreadable
	}
	careers := view.NewCareers()
	listing := catalogue.Run{
		Protocols: p.protocols, Workers: o.workers, Careers: careers, Complain: p.Complain, NoRecover: o.noRecover,
	}
	if !o.noCache {
		listing.Cache = catalogue.CacheOf(o.noRecover)
		defer listing.Cache.Close()
	}
	if terminal.Is(p.Stderr) {
		listing.Progress = p.Stderr
	}
	worst, err := listing.Files(paths)
	if err != nil {
		return err
	}
	list := careers.List()
	if condition != nil {
		matcher, rec := condition.Matcher(), dissect.NewRecord()
		list = slices.DeleteFunc(list, func(c view.Career) bool {
			rec.Tree.Reset()
			c.AppendFields(rec.Tree)
			return !matcher.Match(rec)
		})
	}
	catalogue.SortCareers(list, o.sort)
	if left := careers.Left(); left > 0 {
		p.Complain(strconv.FormatInt(left, 10) + " appearances of people beyond the 200,000 that are kept")
	}
	var out []byte
	switch {
	case o.csv:
		out = catalogue.AppendCareersCSV(out, list)
	case o.json:
		out = catalogue.AppendCareersJSON(out, list)
	default:
		var style table.Style
		if terminal.Is(p.Stdout) {
			style.Width = terminal.Width(p.Stdout)
		}
		out = catalogue.AppendCareersText(out, list, style)
	}
	if _, err := terminal.Output(p.Stdout).Write(out); err != nil {
		return err
	}
	if status = max(status, worst); status != exit.Done {
		return &exit.Error{Status: status}
	}
	return nil
}
