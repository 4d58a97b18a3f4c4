package run

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/q3dissect/q3dissect/cmd/internal/parquet"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/evidence"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/hint"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/jq"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/keys"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/output"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/anonymize"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
	"github.com/q3dissect/q3dissect/dissect/rows"
	"github.com/q3dissect/q3dissect/dissect/view"
)

// A form is one way to print records.
type form uint8

const (
	formText    form = iota // list or tables, with hex dumps or without
	formLines               // NDJSON
	formArray               // one JSON array
	formColumns             // chosen fields
	formTables              // files of typed tables
	formNothing
)

// The values of flags with a closed list.
var (
	Formats      = []string{"text", "json", "fields", "csv", "parquet"}
	EventFormats = []string{"text", "json"}
	Colors       = []string{"auto", "always", "never"}
)

// A plan is what the settings amount to: how to read, what to dissect, how to print.
type plan struct {
	*console.Console
	protocols []dissect.Protocol
	*Settings
	form     form
	list     render.List
	tables   render.Table
	selector *render.Selector
	linked   bool           // the facts of the link layer are wanted
	export   Exporter       // the verb export; nil for none
	display  *filter.Filter // -Y; nil: everything
	query    *jq.Program    // --jq; nil: none
	given    keys.List      // of --keys

	kept       anonymize.Keep // of --anonymize-chat and --anonymize-files
	passphrase []byte         // of --anonymize
	sources    []string       // inputs, in order

	statistics []chosen     // of -z
	rows       bool         // their results are lines of JSON
	follow     *view.Follow // -z follow; nil: none
	merge      *view.Merge  // --merge; nil: none

	schema *rows.Schema     // of -T parquet
	set    *parquet.Dataset // where its files go
}

// NewPlan checks that the settings agree with each other and prepares what renders the records.
func NewPlan(c *console.Console, protocols []dissect.Protocol, s *Settings) (*plan, error) {
	pl := &plan{Console: c, protocols: protocols, Settings: s, linked: s.Link}
	for _, step := range []func() error{
		pl.compileFilter, pl.compileJQ, pl.chooseObjects, pl.chooseStatistics, pl.prepareMerge, pl.chooseForm, pl.checkWriting, pl.checkTables, pl.chooseColumns, pl.checkAnonymize, pl.checkAdditions, pl.checkDecodeAs, pl.prepareText,
		pl.readGiven,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return pl, nil
}

// chooseForm finds the one form that the settings ask for.
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
		{wish{"-q", formNothing}, pl.Quiet && pl.Format != "parquet" && pl.follow == nil}, // with these it silences the summary alone
		{wish{"--json", formLines}, pl.JSON},
		{wish{"--jq", formLines}, pl.Settings.JQ != ""},
		{wish{"-V", formText}, pl.Table},
		{wish{"-x", formText}, pl.Hex},
	} {
		if w.given {
			wishes = append(wishes, w.wish)
		}
	}
	if pl.Format != "" {
		forms := map[string]form{"text": formText, "json": formArray, "fields": formColumns, "csv": formColumns, "parquet": formTables}
		if err := hint.Format(pl.Format, Formats); err != nil {
			return err
		}
		wishes = append(wishes, wish{"-T " + pl.Format, forms[pl.Format]})
	}
	for _, w := range wishes {
		if first := wishes[0]; first.form == formNothing && w.form != formNothing {
			return exit.Usagef("-q prints no records, which contradicts %s", w.flag)
		} else if w.form != first.form {
			return exit.Usagef("%s and %s contradict each other", first.flag, w.flag)
		}
		pl.form = w.form
	}
	return nil
}

// chooseColumns prepares -e and -E, which need -T fields or -T csv and the other way round.
func (pl *plan) chooseColumns() error {
	switch {
	case pl.form != formColumns && len(pl.Fields) > 0:
		return exit.Usagef("-e chooses fields for -T fields or -T csv; add one of them")
	case pl.form != formColumns && len(pl.Columns) > 0:
		return exit.Usagef("-E concerns -T fields or -T csv; add one of them")
	case pl.form != formColumns:
		return nil
	case len(pl.Fields) == 0:
		return exit.Usagef("-T %s needs fields: name each with -e; --list-fields lists them", pl.Format)
	}
	columns := render.FieldColumns()
	if pl.Format == "csv" {
		columns = render.CSVColumns()
	}
	for _, given := range pl.Columns {
		for _, option := range splitColumns(given) {
			if err := columns.Set(option); err != nil {
				return exit.Usagef("%v", err)
			}
		}
	}
	if terminal.Is(pl.Stdout) {
		columns.Escape = true
	}
	fields, err := expandFields(pl.Fields, pl.protocols)
	if err != nil {
		return err
	}
	if pl.selector, err = render.NewSelector(fields, pl.protocols, columns); err != nil {
		return exit.Usagef("-e: %v", err)
	}
	pl.linked = pl.linked || pl.selector.NeedsLink()
	return nil
}

// splitColumns splits header=y,separator=, at the commas that another option follows: a comma
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

// checkAdditions refuses settings that the form cannot show.
func (pl *plan) checkAdditions() error {
	isJSON := pl.form == formLines || pl.form == formArray
	for _, addition := range []struct {
		flag, does string
		misplaced  bool
	}{
		{"--bits", "adds positions to JSON (-V shows them anyway)", pl.Bits && !isJSON},
		{"--no-names", "leaves names out of JSON", pl.NoNames && !isJSON && pl.form != formTables},
		{"--link", "adds facts of the link layer to JSON and to the fields of -e", pl.Link && !isJSON && pl.form != formColumns && pl.form != formTables},
	} {
		if addition.misplaced {
			return exit.Usagef("%s %s; add --json or leave it out", addition.flag, addition.does)
		}
	}
	return nil
}

// checkDecodeAs looks up the protocols that are named by -d.
func (pl *plan) checkDecodeAs() error {
	var known []string
	for _, p := range pl.protocols {
		known = append(known, p.Dissects()...)
	}
	for _, d := range pl.DecodeAs {
		if !slices.Contains(known, d.Name) {
			return exit.Usagef("-d: no protocol is called %q; %s", d.Name, schema.Choices(d.Name, known))
		}
	}
	return nil
}

// prepareText fits text output to the terminal.
func (pl *plan) prepareText() error {
	format, err := render.ParseTimeFormat(cmp.Or(pl.Time, "r"), time.Local)
	if err != nil {
		return exit.Usagef("-t: %v", err)
	}
	pl.tables.Time = format
	pl.list = render.List{Time: format}
	onTerminal := terminal.Is(pl.Stdout)
	switch pl.Color {
	case "always":
		pl.list.Color = true
	case "auto":
		pl.list.Color = onTerminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	case "never":
	default:
		return exit.Usagef("--color %s: %s", pl.Color, schema.Choices(pl.Color, Colors))
	}
	pl.tables.Color = pl.list.Color
	if !onTerminal {
		return nil
	}
	if width := terminal.Width(pl.Stdout); width > 0 {
		pl.list.Width, pl.tables.Width = width, width
	}
	return nil
}

// renderer returns the function that appends one record in the chosen form; nil for nothing. It is safe for
// concurrent use.
func (pl *plan) renderer() func(dst []byte, rec *dissect.Record) []byte {
	list, tables := pl.list, pl.tables
	opts := render.JSON{NoNames: pl.NoNames, Bits: pl.Bits, Link: pl.Link}
	switch {
	case pl.Write != "":
		return appendWritten
	case pl.form == formNothing:
		return nil
	case pl.form == formTables:
		return pl.shredders()
	case pl.follow != nil:
		return pl.follow.Append
	case pl.query != nil && pl.Events:
		return pl.query.Over(pl.eventRenderer())
	case pl.Events:
		return pl.eventRenderer()
	case pl.query != nil:
		return pl.query.Over(func(dst []byte, rec *dissect.Record) []byte { return render.AppendJSON(dst, rec, opts) })
	case pl.form == formLines:
		return func(dst []byte, rec *dissect.Record) []byte { return render.AppendJSON(dst, rec, opts) }
	case pl.form == formArray:
		return func(dst []byte, rec *dissect.Record) []byte {
			dst = render.AppendJSON(append(dst, output.Separator...), rec, opts)
			return dst[:len(dst)-1]
		}
	case pl.form == formColumns:
		return pl.selector.Append
	case pl.Table && pl.Hex:
		return func(dst []byte, rec *dissect.Record) []byte { return render.AppendHex(tables.Append(dst, rec), rec) }
	case pl.Table:
		return tables.Append
	case pl.Hex:
		return func(dst []byte, rec *dissect.Record) []byte { return render.AppendHex(list.Append(dst, rec), rec) }
	}
	return list.Append
}

// fileError renders the record of an input that ends with an error; only JSON has one.
func (pl *plan) fileError(dst []byte, file, code string, offset int64, message string) []byte {
	if pl.query != nil {
		return dst
	}
	switch pl.form {
	case formLines:
		return render.AppendFileError(dst, file, code, offset, message)
	case formArray:
		dst = render.AppendFileError(append(dst, output.Separator...), file, code, offset, message)
		return dst[:len(dst)-1]
	}
	return dst
}

// opening returns what precedes the first record, closing what follows the last.
func (pl *plan) opening() []byte {
	switch pl.form {
	case formArray:
		return []byte("[\n")
	case formColumns:
		return pl.selector.AppendHeader(nil)
	case formText:
		if pl.Events {
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

// An Exporter writes files instead of records.
type Exporter interface {
	// Prepare makes an engine write files. With many inputs their names distinguish the files.
	Prepare(cfg *engine.Config, input string, many bool)
	// EndInput completes the files of an input whose engine is closed.
	EndInput() error
}

// ExportTo makes a plan write files instead of records.
func (pl *plan) ExportTo(e Exporter) { pl.form, pl.export = formNothing, e }

// A Witness is an Exporter that reports which bytes were read.
type Witness interface {
	// Witness takes that at the end.
	Witness(*evidence.Evidence)
}

// CollectIn makes a plan give its records to a statistic that writes files itself.
func (pl *plan) CollectIn(s view.Statistic, needs view.Needs, e Exporter) {
	pl.ExportTo(e)
	pl.statistics = append(pl.statistics, chosen{s, needs})
	pl.linked = pl.linked || needs.Link
	pl.Workers.Value = 1
}
