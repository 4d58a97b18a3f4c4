package main

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/view"
)

// A form is one way to print records.
type form uint8

const (
	formText    form = iota // list or tables, with hex dumps or without
	formLines               // NDJSON
	formArray               // one JSON array
	formColumns             // chosen fields
	formNothing
)

// A plan is what the settings come to: how to read, what to dissect, how to print.
type plan struct {
	*program
	*settings
	form     form
	list     render.List
	tables   render.Table
	selector *render.Selector
	linked   bool           // the facts of the link layer are wanted
	export   exporter       // the verb export; nil for none
	display  *filter.Filter // -Y; nil: everything
	query    *jqProgram     // --jq; nil: none
	given    keyList        // of --keys
	sources  []string       // inputs, in order

	statistics []chosen     // -z
	rows       bool         // their results are lines of JSON
	follow     *view.Follow // -z follow; nil: none
}

// newPlan checks that the settings agree with each other and prepares what renders the records.
func newPlan(p *program, s *settings) (*plan, error) {
	pl := &plan{program: p, settings: s, linked: s.link}
	for _, step := range []func() error{
		pl.compileFilter, pl.compileJQ, pl.chooseObjects, pl.chooseStatistics, pl.chooseForm, pl.checkWriting, pl.chooseColumns, pl.checkAnonymize, pl.checkAdditions, pl.checkDecodeAs, pl.prepareText,
		pl.readGiven,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return pl, nil
}

// chooseForm finds the one form that was asked for.
func (pl *plan) chooseForm() error {
	type wish struct {
		flag string
		form form
	}
	var wishes []wish
	for _, w := range []struct {
		wish
		given bool
	}{
		{wish{"-q", formNothing}, pl.quiet},
		{wish{"--json", formLines}, pl.json},
		{wish{"--jq", formLines}, pl.bench.jq != ""},
		{wish{"-V", formText}, pl.table},
		{wish{"-x", formText}, pl.hex},
	} {
		if w.given {
			wishes = append(wishes, w.wish)
		}
	}
	if pl.format != "" {
		forms := map[string]form{"text": formText, "json": formArray, "fields": formColumns, "csv": formColumns}
		if err := checkFormat(pl.format, "text", "json", "fields", "csv"); err != nil {
			return err
		}
		wishes = append(wishes, wish{"-T " + pl.format, forms[pl.format]})
	}
	for _, w := range wishes {
		if first := wishes[0]; first.form == formNothing && w.form != formNothing {
			return usageError("-q prints no records, which contradicts %s", w.flag)
		} else if w.form != first.form {
			return usageError("%s and %s contradict each other", first.flag, w.flag)
		}
		pl.form = w.form
	}
	return nil
}

// chooseColumns prepares -e and -E, which need -T fields or -T csv and the other way round.
func (pl *plan) chooseColumns() error {
	switch {
	case pl.form != formColumns && len(pl.fields) > 0:
		return usageError("-e chooses fields for -T fields or -T csv; add one of them")
	case pl.form != formColumns && len(pl.columns) > 0:
		return usageError("-E concerns -T fields or -T csv; add one of them")
	case pl.form != formColumns:
		return nil
	case len(pl.fields) == 0:
		return usageError("-T %s needs fields: name each with -e; --list-fields lists them", pl.format)
	}
	columns := render.FieldColumns()
	if pl.format == "csv" {
		columns = render.CSVColumns()
	}
	for _, given := range pl.columns {
		for _, option := range splitColumns(given) {
			if err := columns.Set(option); err != nil {
				return usageError("%v", err)
			}
		}
	}
	if isTerminal(pl.stdout) {
		columns.Escape = true
	}
	fields, err := expandFields(pl.fields, pl.protocols)
	if err != nil {
		return err
	}
	if pl.selector, err = render.NewSelector(fields, pl.protocols, columns); err != nil {
		return usageError("-e: %v", err)
	}
	pl.linked = pl.linked || slices.ContainsFunc(pl.fields, func(f string) bool {
		return f == "link" || strings.HasPrefix(f, "link.")
	})
	return nil
}

// splitColumns splits header=y,separator=, at the commas that have another option behind them: a comma
// may be a value.
func splitColumns(s string) []string {
	var options []string
	for part := range strings.SplitSeq(s, ",") {
		name, _, isOption := strings.Cut(part, "=")
		if n := len(options); n > 0 && (!isOption || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") != "" || name == "") {
			options[n-1] += "," + part
			continue
		}
		options = append(options, part)
	}
	return options
}

// checkAdditions refuses what the form cannot show.
func (pl *plan) checkAdditions() error {
	isJSON := pl.form == formLines || pl.form == formArray
	for _, addition := range []struct {
		flag, does string
		misplaced  bool
	}{
		{"--bits", "adds positions to JSON (-V shows them anyway)", pl.bits && !isJSON},
		{"--no-names", "leaves names out of JSON", pl.noNames && !isJSON},
		{"--link", "adds facts of the link layer to JSON and to the fields of -e", pl.link && !isJSON && pl.form != formColumns},
	} {
		if addition.misplaced {
			return usageError("%s %s; add --json or leave it out", addition.flag, addition.does)
		}
	}
	return nil
}

// checkDecodeAs looks for the protocols that are meant by -d.
func (pl *plan) checkDecodeAs() error {
	var known []string
	for _, p := range pl.protocols {
		known = append(known, p.Dissects()...)
	}
	for _, d := range pl.decodeAs {
		if !slices.Contains(known, d.Name) {
			return usageError("-d: no protocol is called %q; there are %s", d.Name, strings.Join(known, ", "))
		}
	}
	return nil
}

// prepareText fits text output to the terminal.
func (pl *plan) prepareText() error {
	format, err := render.ParseTimeFormat(cmp.Or(pl.time, "r"), time.Local)
	if err != nil {
		return usageError("-t: %v", err)
	}
	pl.tables.Time = format
	pl.list = render.List{Time: format}
	terminal := isTerminal(pl.stdout)
	switch pl.color {
	case "always":
		pl.list.Color = true
	case "auto":
		pl.list.Color = terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	case "never":
	default:
		return usageError("--color %s: want auto, always or never", pl.color)
	}
	pl.tables.Color = pl.list.Color
	if !terminal {
		return nil
	}
	if width, _, err := term.GetSize(int(pl.stdout.Fd())); err == nil {
		pl.list.Width, pl.tables.Width = width, width
	}
	return nil
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// renderer gives the function that appends one record in the form that was chosen; nil for nothing.
// It may serve several goroutines.
func (pl *plan) renderer(previous *previousTimes) func(dst []byte, rec *dissect.Record) []byte {
	list, tables := pl.list, pl.tables
	if previous != nil {
		list.Previous, tables.Previous = previous.of, previous.of
	}
	opts := render.JSON{NoNames: pl.noNames, Bits: pl.bits, Link: pl.link}
	switch {
	case pl.writing.name != "":
		return appendWritten
	case pl.form == formNothing:
		return nil
	case pl.follow != nil:
		return pl.follow.Append
	case pl.query != nil && pl.events:
		return pl.query.over(pl.eventRenderer(previous))
	case pl.events:
		return pl.eventRenderer(previous)
	case pl.query != nil:
		return pl.query.over(func(dst []byte, rec *dissect.Record) []byte { return render.AppendJSON(dst, rec, opts) })
	case pl.form == formLines:
		return func(dst []byte, rec *dissect.Record) []byte { return render.AppendJSON(dst, rec, opts) }
	case pl.form == formArray:
		return func(dst []byte, rec *dissect.Record) []byte {
			dst = render.AppendJSON(append(dst, separator...), rec, opts)
			return dst[:len(dst)-1]
		}
	case pl.form == formColumns:
		return pl.selector.Append
	case pl.table && pl.hex:
		return func(dst []byte, rec *dissect.Record) []byte { return render.AppendHex(tables.Append(dst, rec), rec) }
	case pl.table:
		return tables.Append
	case pl.hex:
		return func(dst []byte, rec *dissect.Record) []byte { return render.AppendHex(list.Append(dst, rec), rec) }
	}
	return list.Append
}

// fileError renders the record that ends an input which breaks off; nothing but JSON has one.
func (pl *plan) fileError(dst []byte, file, code string, offset int64, message string) []byte {
	if pl.query != nil {
		return dst
	}
	switch pl.form {
	case formLines:
		return render.AppendFileError(dst, file, code, offset, message)
	case formArray:
		dst = render.AppendFileError(append(dst, separator...), file, code, offset, message)
		return dst[:len(dst)-1]
	}
	return dst
}

// opening is what stands before the first record, closing what stands behind the last one.
func (pl *plan) opening() []byte {
	switch pl.form {
	case formArray:
		return []byte("[\n")
	case formColumns:
		return pl.selector.AppendHeader(nil)
	case formText:
		if pl.events {
			return pl.eventHeader()
		}
	}
	return nil
}

func (pl *plan) closing(any bool) []byte {
	switch {
	case pl.form != formArray:
		return nil
	case any:
		return []byte("\n]\n")
	}
	return []byte("]\n")
}
