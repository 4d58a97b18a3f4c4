package command

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/flags"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/help"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/listing"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/run"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/table"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/quantity"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
)

// manyFlags are the flags of the verbs that print lines about many files.
type manyFlags struct {
	json, csv bool
	noRecover bool
	schema    bool
	noCache   bool
	skipped   bool // the files of folders that are of no known kind are named
	workers   int
	memory    flags.Size
	sort      string
	columns   []string      // -E
	form      table.CSVForm // of --csv
	filter    run.Settings  // -Y alone
}

// define declares the flags. one and many are what a line is about.
func (o *manyFlags) define(f *pflag.FlagSet, one, many string) {
	f.SortFlags = false
	f.BoolVar(&o.json, "json", false, "one JSON object per "+one)
	f.BoolVar(&o.csv, "csv", false, "comma-separated values with a header")
	f.StringArrayVarP(&o.columns, "columns", "E", nil, "`OPTIONS`: of --csv: formulas=keep, header=n, separator=, quote, bom")
	f.BoolVar(&o.schema, "schema", false, "print the JSON Schema of the objects")
	f.StringVarP(&o.filter.Filter, "display-filter", "Y", "",
		"`FILTER` of "+many+", by the keys of --json; -Y may be left out for the last argument")
	f.StringVar(&o.sort, "sort", o.sort, "`KEY`: sort the lines by this key")
	f.IntVarP(&o.workers, "workers", "j", 0, "`N` files at a time; 0: one per processor")
	f.Var(&o.memory, "memory",
		"`SIZE` of memory for the streams of a file, 512M by default; the least recently used are dropped")
	f.BoolVar(&o.skipped, "skipped", false, "name the files of folders that are of no known kind, and are skipped")
	f.BoolVar(&o.noCache, "no-cache", false, "do not use the cache of earlier runs")
	f.BoolVar(&o.noRecover, "no-recover", false, "do not recover keys of sessions that began before the capture")
}

// A manyVerb is a verb that prints rows about many files.
type manyVerb[R any] struct {
	use, short, long string
	one, many        string // what a row is about
	sort             string // the usual order; "": that of the files
	kind             *listing.Kind[R]
	rules            *flags.Highlights // nil: it is not about moments
	copies           bool              // a row names an earlier file with the same bytes
	// begin returns what gives the rows of a file, and those after all files.
	begin func() (each func(*listing.Found) []R, rest func() []R)
}

// command makes the verb.
func (v *manyVerb[R]) command(p *program) *cobra.Command {
	o := manyFlags{sort: v.sort}
	cmd := &cobra.Command{
		Use:   v.use + " [FLAGS] PATH... [FILTER]",
		Short: v.short,
		Long:  v.long,
		RunE:  func(_ *cobra.Command, args []string) error { return v.run(p, o, args) },
	}
	o.define(cmd.Flags(), v.one, v.many)
	help.MarkMain(cmd.Flags(), "json", "csv", "schema", "sort", "display-filter")
	if v.rules != nil {
		v.rules.Define(cmd.Flags(), "")
		help.MarkMain(cmd.Flags(), "multikill", "midair", "flick")
	}
	p.many[v.use] = manyKeys{v.kind.Keys, v.kind.Fields}
	return cmd
}

// manyKeys are the keys of --sort and of filters, for completions.
type manyKeys struct {
	sort   func() []string
	fields func() []*dissect.Field
}

// run is what the verb does.
func (v *manyVerb[R]) run(p *program, o manyFlags, args []string) error {
	if wanted, err := o.wantsSchema(args); err != nil {
		return err
	} else if wanted {
		return p.Print(incomplete.WithLine(v.kind.Schema()))
	}
	if err := o.check(args, v.kind.Keys()); err != nil {
		return err
	}
	args, matches, err := takeFilter(&o, args, v.kind)
	if err != nil {
		return err
	}
	paths, status := p.paths(args)
	rows := listing.Printer[R]{Kind: v.kind, Out: terminal.Output(p.Stdout), JSON: o.json, Sort: o.sort}
	if o.csv {
		rows.CSV = &o.form
	}
	if terminal.Is(p.Stdout) {
		rows.Style.Width = terminal.Width(p.Stdout)
	}
	each, rest := v.begin()
	show := func(list []R) error {
		if matches != nil {
			list = slices.DeleteFunc(list, func(row R) bool { return !matches(&row) })
		}
		return rows.Add(list)
	}
	r := listing.Run{Copies: v.copies}
	r.Each = func(f *listing.Found) error {
		list := each(f)
		if len(list) > 0 {
			r.Clear()
		}
		return show(list)
	}
	if v.rules != nil {
		r.Rules = v.rules.Always()
	}
	if terminal.Is(p.Stderr) {
		r.Progress = p.Stderr
	}
	worst := 0
	if err = rows.Begin(); err == nil {
		worst, err = p.readMany(&o, paths, &r)
	}
	if err == nil && rest != nil {
		err = show(rest())
	}
	if err == nil {
		err = rows.End()
	}
	if err != nil {
		return exit.Unwritable("standard output", err)
	}
	return cmp.Or(p.endMany(&o, r.Lacks), exit.Highest(status, worst))
}

// takeFilter takes a filter of rows from the flags or the last argument, and returns the other arguments. matches
// reports whether a row matches; nil: there is no filter. It is for one goroutine.
func takeFilter[R any](o *manyFlags, args []string, kind *listing.Kind[R]) (
	rest []string, matches func(*R) bool, err error,
) {
	names := filter.Fields(kind.Fields())
	if rest, err = o.filter.TakeFilter(args, names); err != nil || o.filter.Filter == "" {
		return rest, nil, err
	}
	f, err := names.Compile(o.filter.Filter)
	if err != nil {
		return nil, nil, exit.FilterError("-Y", err)
	}
	matcher, rec := f.Matcher(), dissect.NewRecord()
	return rest, func(row *R) bool {
		rec.Tree.Reset()
		kind.Append(row, rec.Tree)
		return matcher.Match(rec)
	}, nil
}

// readMany reads files with the options of the flags. r has what is done with each. The status is the highest of any
// file; the error is that of the output.
func (p *program) readMany(o *manyFlags, paths []open.Path, r *listing.Run) (status int, err error) {
	run.LimitHeap(int(o.memory))
	r.Memory = int(o.memory)
	r.Protocols, r.Workers, r.NoRecover, r.Complain = p.protocols, o.workers, o.noRecover, p.Complain
	if !o.noCache {
		var why string
		if r.Cache, why = listing.CacheOf(o.noRecover, int(o.memory), r.Rules); why != "" {
			p.Complain("the cache is not used: " + why)
		}
		defer r.Cache.Close()
	}
	r.Named = o.skipped
	status, err = r.Files(paths)
	if r.Skipped > 0 && !o.skipped {
		p.Complain(quantity.Count(uint64(r.Skipped), "file") + " of no known kind skipped; --skipped names them")
	}
	return status, err
}

// endMany prints after the lines of some files what these did not give.
func (p *program) endMany(o *manyFlags, lacks incomplete.List) error {
	switch {
	case o.json:
		return p.Print(lacks.AppendLine(nil))
	case o.csv:
		for _, line := range lacks.Comments() {
			fmt.Fprintln(p.Stderr, line)
		}
		return nil
	}
	return p.Print(lacks.AppendText(nil))
}

// paths returns the files of the arguments. What is wrong with them is reported; the status is that of the fault.
func (p *program) paths(args []string) (paths []open.Path, status int) {
	paths, err := input.Files(p.Console, args, p.Complain)
	switch {
	case err != nil:
		p.Complain(exit.Reason(err))
		return paths, exit.Unreadable
	case len(paths) == 0:
		p.Complain("no file in " + strings.Join(args, ", "))
	}
	return paths, exit.Done
}

// wantsSchema reports whether the schema is asked for, which reads no file.
func (o *manyFlags) wantsSchema(args []string) (bool, error) {
	if o.schema && len(args) > 0 {
		return false, exit.Usagef("--schema reads no file, but %s is given", args[0])
	}
	return o.schema, nil
}

// check refuses values that contradict each other, and keys that lines do not have.
func (o *manyFlags) check(args, keys []string) error {
	switch {
	case o.json && o.csv:
		return exit.Usagef("--json and --csv contradict each other")
	case len(o.columns) > 0 && !o.csv:
		return exit.Usagef("-E concerns --csv; add that")
	case len(args) == 0:
		return exit.Usagef("no input: name files or folders")
	case slices.Contains(args, input.Standard):
		return exit.Usagef("- is standard input, which has no place in a list of files: save it as a file")
	case o.workers < 0:
		return exit.Usagef("-j %d: want 0 or more", o.workers)
	case o.sort != "" && !slices.Contains(keys, o.sort):
		return exit.Usagef("--sort %s: %s", o.sort, schema.Choices(o.sort, keys))
	}
	o.form = table.CSV()
	return run.SetColumns(&o.form, o.columns)
}
