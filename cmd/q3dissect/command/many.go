package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/flags"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/listing"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/run"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/table"
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

// A fielded is a line about files, as filters see it.
type fielded interface{ AppendFields(t *dissect.Tree) }

// takeFilter takes a filter of lines with these fields from the flags or the last argument, and returns the other
// arguments. matches reports whether a line matches; nil: there is no filter. It is for one goroutine.
func (o *manyFlags) takeFilter(args []string, fields []*dissect.Field) (
	rest []string, matches func(fielded) bool, err error,
) {
	names := filter.Fields(fields)
	if rest, err = o.filter.TakeFilter(args, names); err != nil || o.filter.Filter == "" {
		return rest, nil, err
	}
	f, err := names.Compile(o.filter.Filter)
	if err != nil {
		return nil, nil, exit.FilterError("-Y", err)
	}
	matcher, rec := f.Matcher(), dissect.NewRecord()
	return rest, func(line fielded) bool {
		rec.Tree.Reset()
		line.AppendFields(rec.Tree)
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
