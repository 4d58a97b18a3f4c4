package run

import (
	"errors"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/table"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/view"
)

// A chosen is a statistic of -z.
type chosen struct {
	view.Statistic
	needs view.Needs
}

// chooseStatistics creates the statistics of -z.
func (pl *plan) chooseStatistics() error {
	if len(pl.Settings.Statistics) > 0 && pl.Format != "" && pl.Format != formText.Name {
		follows := func(value string) bool { return strings.HasPrefix(value, "follow") }
		form := sheetForms[pl.Format]
		if form == nil || !pl.Quiet || pl.JSON || slices.ContainsFunc(pl.Settings.Statistics, follows) {
			return exit.Usagef("-z prints tables, lines of JSON with --json, and with -q CSV or Markdown with -T csv " +
				"or markdown: leave -T out")
		}
		pl.csv = pl.Format == "csv"
		pl.sheets, pl.Format = form, "" // there are no records
	}
	env := view.Env{
		Secrets: pl.Secrets, Masked: pl.Masked, CommunityID: pl.CommunityID, Walls: pl.Walls,
		Filter: pl.statisticFilter, Values: pl.statisticValues,
	}
	for _, value := range pl.Settings.Statistics {
		if stream, ok := strings.CutPrefix(value, "follow"); ok {
			if err := pl.followStream(stream); err != nil {
				return err
			}
			continue
		}
		kind, args, err := view.Find(value)
		if err != nil {
			return exit.Usagef("-z: %v", err)
		}
		s, err := kind.New(args, &env)
		var fault *filter.Error
		switch {
		case errors.As(err, &fault):
			return exit.FilterError("-z "+kind.Name, err)
		case err != nil:
			return exit.Usagef("-z %v", err)
		}
		pl.statistics = append(pl.statistics, chosen{s, kind.Needs})
		pl.linked = pl.linked || kind.Needs.Link
		pl.framing = pl.framing || kind.Needs.Framing
	}
	if len(pl.statistics) > 0 {
		pl.Workers.Value = 1 // statistics take the records in order
		if pl.JSON && pl.Quiet {
			pl.JSON, pl.rows = false, true // the rows of statistics instead of records
		}
		pl.rows = pl.rows || pl.JSON
	}
	return nil
}

// statisticFilter compiles a filter of -z io.
func (pl *plan) statisticFilter(text string) (func(*dissect.Record) bool, error) {
	f, err := filter.Records(pl.protocols).Compile(text)
	if err != nil {
		return nil, err
	}
	pl.needs(f)
	return f.Matcher().Match, nil
}

// statisticValues compiles a field of -z io.
func (pl *plan) statisticValues(text string, numbers bool) (func(*dissect.Record, func(float64)), error) {
	names := filter.Records(pl.protocols)
	series, err := names.Series(text, numbers)
	if err != nil {
		return nil, err
	}
	if f, err := names.Compile(text); err == nil { // whether the field is there needs the same of the records
		pl.needs(f)
	}
	return series.Each, nil
}

// collects returns what the statistics need of the records.
func (pl *plan) collects() (needs view.Needs) {
	for _, s := range pl.statistics {
		needs.Tree = needs.Tree || s.needs.Tree
		needs.Events = needs.Events || s.needs.Events
		needs.Inputs = needs.Inputs || s.needs.Inputs
		needs.Shots = needs.Shots || s.needs.Shots
		needs.Files = needs.Files || s.needs.Files
	}
	return needs
}

// collected returns what is collected from the records, nil if nothing is: it is part of --memory.
func (pl *plan) collected() any {
	if len(pl.statistics) == 0 && pl.merge == nil {
		return nil
	}
	return []any{&pl.statistics, pl.merge, pl.joining}
}

// collect adds a record to the statistics but those that frame has added it to.
func (pl *plan) collect(rec *dissect.Record) {
	if rec.Uncollected {
		return
	}
	for _, s := range pl.statistics {
		if !s.needs.Framing && s.needs.Counts(rec) {
			s.Add(rec)
		}
	}
}

// results returns the tables of the statistics. A name that was asked for and is nowhere in the inputs is a usage
// error.
func (r *pass) results() []byte {
	var out []byte
	pl := r.plan
	for i, s := range pl.statistics {
		for _, t := range s.Tables() {
			r.rowCount += len(t.Rows)
			if t.Unknown != "" {
				r.Complain(t.Name + ": " + t.Unknown)
				r.status = max(r.status, exit.Usage)
				continue
			}
			if pl.rows || pl.sheets != nil || len(r.names) > 1 {
				t.OfFiles(r.names)
			}
			if pl.rows {
				out = t.AppendJSON(out)
				continue
			}
			if i > 0 || pl.form != formNothing {
				out = append(out, '\n')
			}
			if pl.sheets != nil {
				out = pl.sheets(&t, out)
				continue
			}
			out = sheet(&t, false).AppendText(out, table.Style{Width: pl.list.Width, Color: pl.list.Color})
		}
	}
	return out
}

// sheetForms are the values of -T that -z has without records: every column in CSV, as its readers expect them.
var sheetForms = map[string]func(t *view.Table, dst []byte) []byte{
	"csv":      func(t *view.Table, dst []byte) []byte { return sheet(t, true).AppendCSV(dst) },
	"markdown": func(t *view.Table, dst []byte) []byte { return sheet(t, false).AppendMarkdown(dst) },
}

// sheet returns the table of a statistic as it is laid out: without the columns that have no value, unless all are
// wanted.
func sheet(t *view.Table, all bool) *table.Table {
	if !all {
		t = t.ForPeople()
	}
	s := &table.Table{Title: t.Name, Notes: t.Notes, Indent: 2}
	var shown []int
	for i, c := range t.Columns {
		if !all && !slices.ContainsFunc(t.Rows, func(row []any) bool { return row[i] != nil }) {
			continue
		}
		shown = append(shown, i)
		s.Columns = append(s.Columns, table.Column{
			Name: c.Key, Unit: c.Unit, Right: c.Type != "string" && c.Type != "array",
			Place: places[c.Place],
		})
	}
	s.Rows = func(yield func([]string) bool) {
		cells := make([]string, len(shown))
		for _, row := range t.Rows {
			for n, i := range shown {
				cells[n] = view.Cell(row[i])
			}
			if !yield(cells) {
				return
			}
		}
	}
	return s
}

var places = [...]table.Place{
	view.InLine: table.InLine, view.InHeading: table.InHeading,
	view.BelowLine: table.BelowLine, view.InData: table.InLine,
}
