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
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/jq"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/keys"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/anonymize"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	keywork "github.com/q3dissect/q3dissect/dissect/keys"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
	"github.com/q3dissect/q3dissect/dissect/rows"
	"github.com/q3dissect/q3dissect/dissect/view"
	"github.com/q3dissect/q3dissect/dissect/view/merge"
)

// Colors are the values of --color.
var Colors = []string{"auto", "always", "never"}

// A plan is what the settings amount to: how to read, what to dissect, how to print.
type plan struct {
	*console.Console
	protocols []*dissect.Protocol
	*Settings
	form      *Form
	list      render.List
	tables    render.Table
	selector  *render.Selector
	eventRows *render.EventRows // of events --csv
	linked    bool              // the facts of the link layer are wanted
	framed    bool              // the packets of the files are wanted
	framing   bool              // what frames the fields is wanted, to be shown or for a filter
	notes     []string          // help about names of fields
	export    Exporter          // the verb export; nil for none
	gathers   bool              // it keeps in memory what it writes at the end
	display   *filter.Filter    // -Y; nil: everything
	query     *jq.Program       // --jq; nil: none
	given     keys.List         // of --keys
	work      *keywork.Work     // of the searches for keys

	kept       anonymize.Keep // of --anonymize-chat and --anonymize-files
	passphrase []byte         // of --anonymize
	sources    []string       // inputs, in order
	read       bool           // one of them could be read

	statistics []chosen                               // of -z
	rows       bool                                   // their results are lines of JSON
	sheets     func(t *view.Table, dst []byte) []byte // or these; nil: text
	csv        bool                                   // these are CSV
	follow     *following                             // -z follow; nil: none
	joining    *merge.Join                            // --merge of several inputs; nil: none
	merge      *merge.Merge                           // --merge; nil: none
	merged     uint64                                 // events that --merge printed of the present input

	pdus *pdus // of --pdu; nil: -w writes packets alone

	schema *rows.Schema     // of -T parquet
	set    *parquet.Dataset // where its files go
}

// NewPlan checks that the settings agree with each other and prepares what renders the records.
func NewPlan(c *console.Console, protocols []*dissect.Protocol, s *Settings) (*plan, error) {
	pl := &plan{Console: c, protocols: protocols, Settings: s, linked: s.Link, framing: s.Framing, work: keywork.NewWork()}
	for _, step := range []func() error{
		pl.compileFilter, pl.compileJQ, pl.chooseObjects, pl.chooseStatistics, pl.prepareMerge, pl.chooseForm,
		pl.checkWriting, pl.checkTables, pl.chooseColumns, pl.checkAnonymize, pl.checkAdditions,
		pl.checkDecodeAs, pl.prepareText,
		pl.readGiven,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return pl, nil
}

// chooseColumns prepares -e and -E, which need a form with columns and the other way round.
func (pl *plan) chooseColumns() error {
	if pl.form.columns == nil {
		var with []string
		for _, f := range forms {
			if f.columns != nil {
				with = append(with, "-T "+f.Name)
			}
		}
		switch {
		case len(pl.Fields) > 0:
			return exit.Usagef("-e chooses fields for %s; add one of them", oneOf(with))
		case len(pl.Columns) > 0:
			return exit.Usagef("-E concerns %s; add one of them", oneOf(with))
		}
		return nil
	}
	if pl.Events {
		return pl.chooseEventColumns()
	}
	if len(pl.Fields) == 0 {
		return exit.Usagef("-T %s needs fields: name each with -e; --list-fields lists them", pl.Format)
	}
	columns := pl.form.columns()
	if err := SetColumns(&columns, pl.Columns); err != nil {
		return err
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
	pl.linked, pl.framed = pl.linked || pl.selector.NeedsLink(), pl.framed || pl.selector.NeedsRaw()
	pl.framing = pl.framing || pl.selector.NeedsFraming()
	pl.note(pl.selector.Notes())
	return nil
}

// note keeps lines of help for the beginning of the run.
func (pl *plan) note(lines []string) {
	for _, line := range lines {
		if !slices.Contains(pl.notes, line) {
			pl.notes = append(pl.notes, line)
		}
	}
}

// SetColumns sets the options of -E.
func SetColumns(columns *render.Columns, values []string) error {
	for _, given := range values {
		for _, option := range splitColumns(given) {
			if err := columns.Set(option); err != nil {
				return exit.Usagef("%v", err)
			}
		}
	}
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

// checkDecodeAs looks up the protocols that are named by -d.
func (pl *plan) checkDecodeAs() error {
	var known []string
	for _, p := range pl.protocols {
		known = append(known, p.Dissects...)
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
	if pl.Separator != "" && !pl.Table {
		return exit.Usagef("-S is the line between the tables of -V; add -V. Columns have -E separator=")
	}
	pl.tables.Separator = pl.Separator
	pl.list = render.List{Time: format}
	if format.Local() { // then --from and --to take what it shows
		pl.Window = pl.Window.In(time.Local)
	}
	if err := pl.Window.Check(); err != nil {
		return exit.Usagef("%v", err)
	}
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
	if pl.follow != nil {
		pl.follow.Color = pl.list.Color
	}
	if !onTerminal {
		return nil
	}
	if width := terminal.Width(pl.Stdout); width > 0 {
		pl.list.Width, pl.tables.Width = width, width
		if pl.follow != nil {
			pl.follow.Width = width
		}
	}
	return nil
}

// An Exporter writes files instead of records.
type Exporter interface {
	// Prepare makes an engine write files. With many inputs their names distinguish the files.
	Prepare(cfg *engine.Config, input string, many bool)
	// EndInput completes the files of an input whose engine is closed. lacks is what the input did not give.
	EndInput(lacks incomplete.List) error
}

// ExportTo makes a plan write files instead of records.
func (pl *plan) ExportTo(e Exporter) { pl.form, pl.export = formNothing, e }

// ReadAny reports whether Run could read an input: else there is no result to be written.
func (pl *plan) ReadAny() bool { return pl.read }

// An EvidenceTaker is an Exporter that reports which bytes were read.
type EvidenceTaker interface {
	// TakeEvidence is called at the end.
	TakeEvidence(e *evidence.Evidence)
}

// CollectIn makes a plan give its records to a statistic that writes files itself.
func (pl *plan) CollectIn(s view.Statistic, needs view.Needs, e Exporter) {
	pl.ExportTo(e)
	pl.statistics = append(pl.statistics, chosen{s, needs})
	pl.linked = pl.linked || needs.Link
	pl.Workers.Value, pl.gathers = 1, true
}
